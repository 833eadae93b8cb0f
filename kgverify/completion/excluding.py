"""What a graph and a rule file exclude of the edges that are proposed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from kgverify.completion.admission import SECONDS, Conflicts
from kgverify.completion.breakpoints import Edge
from kgverify.errors import EvidenceError, Problem, did_you_mean
from kgverify.graph import Graph
from kgverify.graph.terms import value_key
from kgverify.language.rulebook import RuleBook
from kgverify.reasoning.clashing import Clashes
from kgverify.reasoning.deciding import SliceEngine, evidence_rules
from kgverify.reasoning.evidence import Ground
from kgverify.reasoning.knowledge import Knowledge


class GraphExcluder:
    """Says which edges a graph excludes under a rule file, and which exclude each other.

    Ends of edges are given as in questions: by id, IRI, CURIE or label, values as they are written.
    An edge with an end that nobody knows is excluded too: nothing could be known against it.  A
    relation that is `functional at a time` excludes nothing, since nobody knows when a proposed
    edge holds."""

    def __init__(self, graph: Graph, book: RuleBook, seconds: float = SECONDS) -> None:
        self._knowledge = Knowledge(graph, book)
        self._engine = SliceEngine(self._knowledge, evidence_rules(self._knowledge))
        self._seconds = seconds

    def conflicts(self, edges: Sequence[Edge], admitted: Collection[Edge] = ()) -> Conflicts:
        """What excludes these edges, beside those that are admitted already.

        Raises EvidenceError for relations that the rule file doesn't have and for ends that several
        entities go by; LimitReached when the time is over."""
        asked = sorted({*edges, *admitted})
        atoms = self._atoms(asked)
        unknown = {
            edge: names
            for edge, atom in zip(asked, atoms, strict=True)
            if (names := self._strangers(edge, atom))
        }
        known = [edge for edge in asked if edge not in unknown]
        refuted: dict[Edge, tuple[str, ...]] = {}
        clashes, by_place = self._clashes(known)
        for place in sorted(clashes.refuted):
            why = clashes.why(place)
            refuted.update(dict.fromkeys(by_place[place], why))
        together = set()
        before = frozenset(admitted)
        for pair in clashes.pairs(self._seconds):
            one, other = (by_place[place] for place in sorted(pair))
            for clash in (frozenset({a, b}) for a in one for b in other):
                for edge in clash - before if len(clash - before) == 1 else ():
                    (added,) = clash & before
                    refuted.setdefault(edge, (f"{added}, which is admitted",))
                together.add(clash)
        return Conflicts(refuted, frozenset(together), unknown)

    def check(self, edges: Collection[Edge]) -> frozenset[Edge] | None:
        """Edges among these that can't all hold, as few as it takes; None if all can."""
        clashes, by_place = self._clashes(sorted(set(edges)))
        core = clashes.core(range(len(by_place)), self._seconds)
        return None if core is None else frozenset(by_place[place][0] for place in core)

    def _clashes(self, edges: Sequence[Edge]) -> tuple[Clashes, list[list[Edge]]]:
        """The clashes of some edges, and the edges by place: under other names they may be one."""
        named: dict[Ground, list[Edge]] = {}
        for edge, atom in zip(edges, self._atoms(edges), strict=True):
            named.setdefault(atom, []).append(edge)
        return Clashes(self._engine, list(named)), list(named.values())

    def _atoms(self, edges: Iterable[Edge]) -> list[Ground]:
        """The edges as atoms of evidence, over representatives.  Raises EvidenceError."""
        knowledge, book = self._knowledge, self._knowledge.book
        problems: dict[str, Problem] = {}
        atoms: list[Ground] = []
        for edge in edges:
            if edge.relation not in book.relations:
                message = f"the rule file has no relation `{edge.relation}`"
                hint = did_you_mean(edge.relation, book.relations)
                problems[message] = Problem("unknown-relation", message, None, hint)
            datatype = book.datatype(edge.relation)
            names = [edge.subject] if datatype else [edge.subject, edge.object]
            ids, ambiguous = knowledge.resolve(names)
            for place, choices in ambiguous:
                message = f"`{names[place]}` is the name of {len(choices)} entities"
                problems[message] = Problem("ambiguous-name", message, None, "name it by its id")
            if datatype:
                ids.append(knowledge.term(value_key(edge.object, datatype)))
            atoms.append(("for", edge.relation, *map(knowledge.identity.one, ids)))
        if problems:
            raise EvidenceError(problems.values())
        return atoms

    def _strangers(self, edge: Edge, atom: Ground) -> tuple[str, ...]:
        """The ends of an edge that nobody knows."""
        _, _, *ids = atom
        ends = zip((edge.subject, edge.object), ids, strict=True)
        return tuple(name for name, id_ in ends if self._knowledge.is_stranger(int(id_)))
