"""The ways of verifying that are compared, each in a process of its own.

All answer the same calls.  Besides verdicts, every contender can say which positive memberships it
found: whether the candidate stands in each constraint's relation.  On these all of them can be
compared; the statuses viol and unk and the evidence against are kgverify's alone.
"""

from __future__ import annotations

import traceback
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

from common import outcome, peak_memory, timed
from synthetic import BASE, GRAPH, RDF_TYPE, RULES, TOUCHED, Asked, Call, read_batches

STORE = "store"
Row = tuple[str, str]  # a question's id and a candidate
Members = dict[Row, tuple[bool, ...]]


class Check(NamedTuple):
    """A membership: the candidate reaches `value` by the path; a step may be inverse, `^CbG`."""

    path: tuple[str, ...]
    value: str


def checks(question: Asked) -> tuple[Check, ...]:
    """The five constraints of a question as memberships, in the order of the rule file."""
    disease = question.arguments["d"]
    fifth = (
        Check(("CbG", "^DaG"), disease)
        if question.template == "by_target"
        else Check(("^PCiC",), question.arguments["k"])
    )
    return (
        Check(("a",), BASE + "Compound"),
        Check(("CtD",), disease),
        Check(("CcSE",), question.arguments["s"]),
        Check(("CpD",), disease),
        fifth,
    )


class Contender(Protocol):
    """`prepare` and `members` are not timed, `open` is timed apart.  `modules` are imported before
    anything is."""

    modules: ClassVar[tuple[str, ...]]

    def open(self, folder: Path) -> None: ...

    def prepare(self, call: Call) -> Any:
        """The call in the form that suits the contender best."""

    def verify(self, prepared: Any) -> Any:
        """Everything from the prepared call to the answers about all of its candidates."""

    def members(self, call: Call, answers: Any) -> Members: ...


# ---------------------------------------------------------------- kgverify


class Kgverify:
    """kgverify, from names to ranked verdicts, with one of its engines."""

    modules: ClassVar[tuple[str, ...]] = (
        "kgverify.verification",
        "kgverify.language.checks",
        "kgverify.graph.loading",
    )

    def __init__(self, engine: str) -> None:
        self._engine = engine

    def open(self, folder: Path) -> None:
        from kgverify import Verifier, load_rules, open_graph

        graph, rules = open_graph(folder / STORE), load_rules(folder / RULES)
        self._verifier = Verifier(graph, rules, "rank", self._engine)  # type: ignore[arg-type]

    def prepare(self, call: Call) -> Any:
        from kgverify import Candidate, Question

        return [
            Question(q.id, q.template, q.arguments, tuple(map(Candidate, q.candidates)))
            for q in call
        ]

    def verify(self, prepared: Any) -> Any:
        return list(self._verifier.verify(prepared))

    def members(self, call: Call, answers: Any) -> Members:
        return {
            (v.question, v.candidate): tuple(
                status == ("viol" if name == "c2" else "sat") for name, status in v.statuses.items()
            )
            for verdicts, _ in answers
            for v in verdicts
        }

    @staticmethod
    def outcomes(answers: Any) -> dict[Row, tuple[object, ...]]:
        """What the verdicts say."""
        return {(v.question, v.candidate): outcome(v) for verdicts, _ in answers for v in verdicts}


# ---------------------------------------------------------------- pyoxigraph


class _Oxigraph:
    """A store in memory, loaded in bulk."""

    modules: ClassVar[tuple[str, ...]] = ("pyoxigraph",)

    _store: Any

    def open(self, folder: Path) -> None:
        import pyoxigraph

        self._store = pyoxigraph.Store()
        self._store.bulk_load(path=str(folder / GRAPH))

    def members(self, call: Call, answers: Any) -> Members:
        found: Members = answers
        return found


class SparqlValues(_Oxigraph):
    """A SPARQL query a path, joined with the VALUES of all pairs of candidate and value."""

    def prepare(self, call: Call) -> Any:
        pairs: dict[tuple[str, ...], set[tuple[str, str]]] = defaultdict(set)
        for question in call:
            for check in checks(question):
                pairs[check.path].update((x, check.value) for x in question.candidates)
        return call, {path: _values_query(path, sorted(found)) for path, found in pairs.items()}

    def verify(self, prepared: Any) -> Any:
        call, queries = prepared
        found = {
            path: {(row[0].value, row[1].value) for row in self._store.query(query)}
            for path, query in queries.items()
        }
        return {
            (q.id, x): tuple([(x, check.value) in found[check.path] for check in wanted])
            for q in call
            for wanted in (checks(q),)
            for x in q.candidates
        }


class SparqlSets(_Oxigraph):
    """A SPARQL query a step: all that the values of the questions reach, as sets in Python.

    A path of two steps is joined in Python, and classes are looked up from the candidates; both
    are faster than leaving it to the query."""

    def prepare(self, call: Call) -> Any:
        return call

    def verify(self, prepared: Any) -> Any:
        call: Call = prepared
        asked = [(q, checks(q)) for q in call]
        candidates = {x for q in call for x in q.candidates}
        values: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for _, wanted in asked:
            for check in wanted:
                values[check.path].add(check.value)
        reach = {path: self._reach(path, candidates, values[path]) for path in values}
        return {
            (q.id, x): tuple([reaches(x, c.value) for reaches, c in found])
            for q, wanted in asked
            for found in ([(reach[c.path], c) for c in wanted],)
            for x in q.candidates
        }

    def _reach(self, path: tuple[str, ...], candidates: set[str], values: set[str]) -> Any:
        """A test whether a candidate reaches a value."""
        if path == ("a",):
            ahead = self._ahead("a", candidates)
            return lambda x, value: value in ahead[x]
        if len(path) == 1:
            back = self._ahead(_inverse(path[0]), values)
            return lambda x, value: x in back[value]
        first, last = path
        ahead, back = self._ahead(first, candidates), self._ahead(_inverse(last), values)
        return lambda x, value: not ahead[x].isdisjoint(back[value])

    def _ahead(self, step: str, starts: set[str]) -> dict[str, set[str]]:
        listed = " ".join(f"<{start}>" for start in sorted(starts))
        query = f"SELECT ?x ?y {{ VALUES ?x {{ {listed} }} ?x {_step(step)} ?y }}"
        found: dict[str, set[str]] = defaultdict(set)
        for row in self._store.query(query):
            found[row[0].value].add(row[1].value)
        return found


class SparqlAsk(_Oxigraph):
    """An ASK query a constraint of each candidate."""

    def prepare(self, call: Call) -> Any:
        return [
            ((q.id, x), [_ask_query(x, check) for check in wanted])
            for q in call
            for wanted in (checks(q),)
            for x in q.candidates
        ]

    def verify(self, prepared: Any) -> Any:
        query = self._store.query
        return {row: tuple([bool(query(text)) for text in texts]) for row, texts in prepared}


class QuadLookup(_Oxigraph):
    """No SPARQL: the store is asked whether it has each quad; two steps are joined in Python."""

    def prepare(self, call: Call) -> Any:
        return [
            ((q.id, x), [self._lookup(x, check) for check in wanted])
            for q in call
            for wanted in (checks(q),)
            for x in q.candidates
        ]

    def _lookup(self, candidate: str, check: Check) -> Any:
        if len(check.path) == 1:
            return self._quad(candidate, check.path[0], check.value)
        return candidate, check

    def _quad(self, subject: str, step: str, value: str) -> Any:
        from pyoxigraph import DefaultGraph, NamedNode, Quad

        ends = NamedNode(subject), NamedNode(value)
        left, right = reversed(ends) if step[0] == "^" else ends
        return Quad(left, NamedNode(_iri(step)), right, DefaultGraph())

    def verify(self, prepared: Any) -> Any:
        from pyoxigraph import Quad

        self._seen: dict[tuple[str, str], set[str]] = {}
        store = self._store
        return {
            row: tuple([q in store if isinstance(q, Quad) else self._joined(*q) for q in lookups])
            for row, lookups in prepared
        }

    def _joined(self, candidate: str, check: Check) -> bool:
        first, last = check.path
        ahead = self._ahead(first, candidate)
        return not ahead.isdisjoint(self._ahead(_inverse(last), check.value))

    def _ahead(self, step: str, start: str) -> set[str]:
        """What one step reaches; looked up once a call."""
        from pyoxigraph import DefaultGraph, NamedNode

        found = self._seen.get((step, start))
        if found is None:
            relation, node, graph = NamedNode(_iri(step)), NamedNode(start), DefaultGraph()
            if step[0] == "^":
                quads = self._store.quads_for_pattern(None, relation, node, graph)
                found = {quad.subject.value for quad in quads}
            else:
                quads = self._store.quads_for_pattern(node, relation, None, graph)
                found = {quad.object.value for quad in quads}
            self._seen[step, start] = found
        return found


def _iri(step: str) -> str:
    name = step.removeprefix("^")
    return RDF_TYPE if name == "a" else BASE + name


def _step(step: str) -> str:
    """A step in SPARQL."""
    return f"{'^' * step.startswith('^')}<{_iri(step)}>"


def _inverse(step: str) -> str:
    return step[1:] if step[0] == "^" else "^" + step


def _values_query(path: tuple[str, ...], pairs: list[tuple[str, str]]) -> str:
    listed = " ".join(f"(<{x}> <{value}>)" for x, value in pairs)
    names = "(?x ?v)"
    if len(path) == 1:
        condition = f"?x {_step(path[0])} ?v"
    else:
        first, last = map(_step, (path[0], _inverse(path[1])))
        condition = f"FILTER EXISTS {{ ?x {first} ?m . ?v {last} ?m }}"
    return f"SELECT ?x ?v {{ VALUES {names} {{ {listed} }} {condition} }}"


def _ask_query(candidate: str, check: Check) -> str:
    if len(check.path) == 1:
        return f"ASK {{ <{candidate}> {_step(check.path[0])} <{check.value}> }}"
    first, last = map(_step, (check.path[0], _inverse(check.path[1])))
    return f"ASK {{ <{candidate}> {first} ?m . <{check.value}> {last} ?m }}"


# ---------------------------------------------------------------- pySHACL


_SHACL = "http://www.w3.org/ns/shacl#"


class Shacl:
    """A shape a question, with its candidates as focus nodes, on the triples that the questions
    touch; the shapes are parsed beforehand."""

    modules: ClassVar[tuple[str, ...]] = ("pyshacl", "rdflib")

    def open(self, folder: Path) -> None:
        import rdflib

        self._graph = rdflib.Graph()
        self._graph.parse(folder / TOUCHED, format="nt")

    def prepare(self, call: Call) -> Any:
        import rdflib

        shapes = rdflib.Graph()
        text = "".join(_shape(place, question) for place, question in enumerate(call))
        prefixes = f"@prefix sh: <{_SHACL}> .\n@prefix h: <{BASE}> .\n"
        shapes.parse(data=prefixes + text, format="turtle")
        return shapes

    def verify(self, prepared: Any) -> Any:
        import pyshacl

        _, report, _ = pyshacl.validate(self._graph, shacl_graph=prepared, inplace=True)
        return report

    def members(self, call: Call, answers: Any) -> Members:
        """A result says that a membership fails, or for the exclusion that it holds."""
        failing: dict[tuple[str, str, int], bool] = {}
        rows = answers.query(
            f"SELECT ?shape ?node {{ ?r <{_SHACL}sourceShape> ?shape ; <{_SHACL}focusNode> ?node }}"
        )
        for shape, node in rows:
            question, _, place = str(shape).removeprefix("urn:").rpartition("/")
            failing[question, str(node), int(place)] = True
        return {
            (q.id, x): tuple(
                failing.get((str(number), x, place), False) == (place == 2) for place in range(5)
            )
            for number, q in enumerate(call)
            for x in q.candidates
        }


def _shape(number: int, question: Asked) -> str:
    """Five node shapes; those of preferred constraints have the severity Info."""
    nodes = ", ".join(f"<{x}>" for x in question.candidates)
    lines = []
    for place, check in enumerate(checks(question)):
        condition = f"sh:path {_shacl_path(check.path)} ; sh:hasValue <{check.value}>"
        if place == 0:
            condition = f"sh:class <{check.value}>"
        elif place == 2:
            condition = f"sh:not [ {condition} ]"
        kind = "sh:PropertyShape" if place in (1, 3, 4) else "sh:NodeShape"
        severity = " ; sh:severity sh:Info" if place > 2 else ""
        name = f"<urn:{number}/{place}>"
        lines.append(f"{name} a {kind} ; sh:targetNode {nodes} ; {condition}{severity} .\n")
    return "".join(lines)


def _shacl_path(path: tuple[str, ...]) -> str:
    steps = [f"[ sh:inversePath h:{s[1:]} ]" if s[0] == "^" else f"h:{s}" for s in path]
    return steps[0] if len(steps) == 1 else f"( {' '.join(steps)} )"


# ---------------------------------------------------------------- processes

CONTENDERS: dict[str, Contender] = {
    "kgverify slice": Kgverify("slice"),
    "kgverify reference": Kgverify("reference"),
    "SPARQL, VALUES": SparqlValues(),
    "SPARQL, sets": SparqlSets(),
    "SPARQL, ASK": SparqlAsk(),
    "quad look-ups": QuadLookup(),
    "pySHACL": Shacl(),
}


def available() -> list[str]:
    """The contenders whose modules are installed."""
    return [
        name
        for name, contender in CONTENDERS.items()
        if all(find_spec(module.partition(".")[0]) for module in contender.modules)
    ]


class Run(NamedTuple):
    """A batch, run once: the seconds of each call; what was found, where it was asked for."""

    seconds: list[float]
    members: Members
    outcomes: dict[Row, tuple[object, ...]]


class Worker:
    """A contender in a process of its own, so that its memory is its own.

    Whoever starts workers must stay small: the peak of a process counts what its parent held."""

    def __init__(self, name: str, folder: Path) -> None:
        context = get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(name, folder, other), daemon=True)
        self._process.start()
        other.close()

    def opened(self) -> float:
        """Wait until the graph is open; the seconds that opening took."""
        return float(self._reply())

    def run(self, batch: str, keep: bool = False) -> Run:
        """Run a batch; `keep` what was found."""
        self._connection.send((batch, keep))
        return Run(*self._reply())

    def close(self) -> float:
        """End the process; its peak memory in MB."""
        self._connection.send(None)
        peak = float(self._reply())
        self._process.join()
        return peak

    def _reply(self) -> Any:
        reply = self._connection.recv()
        if isinstance(reply, str):
            raise RuntimeError(reply)
        return reply


def _serve(name: str, folder: Path, connection: Connection) -> None:
    try:
        for reply in _replies(CONTENDERS[name], folder, connection):
            connection.send(reply)
    except Exception:
        connection.send(f"{name}:\n{traceback.format_exc()}")


def _replies(contender: Contender, folder: Path, connection: Connection) -> Iterator[Any]:
    """Open, then run what is asked for until nothing more is."""
    for name in contender.modules:
        import_module(name)
    batches = read_batches(folder)
    yield timed(lambda: contender.open(folder))[1]
    while (message := connection.recv()) is not None:
        batch, keep = message
        yield _run(contender, batches[batch], keep)
    yield peak_memory()


def _run(contender: Contender, calls: list[Call], keep: bool) -> tuple[Any, ...]:
    seconds: list[float] = []
    members: Members = {}
    outcomes: dict[Row, tuple[object, ...]] = {}
    for call in calls:
        prepared = contender.prepare(call)
        answers, passed = timed(lambda prepared=prepared: contender.verify(prepared))  # type: ignore[misc]
        seconds.append(passed)
        if keep:
            members |= contender.members(call, answers)
            if isinstance(contender, Kgverify):
                outcomes |= contender.outcomes(answers)
    return seconds, members, outcomes
