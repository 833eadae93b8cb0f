"""Random small worlds: a rule file, a graph and questions about it, for property tests.

Everything is drawn as text and keys, so that a failing example can be read and run by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from hypothesis import assume
from hypothesis import strategies as st

from kgverify.graph import Graph
from kgverify.graph.building import Builder
from kgverify.graph.terms import literal_key
from kgverify.language.checks import check
from kgverify.language.rulebook import RuleBook
from kgverify.vocabulary import Candidate, Question

SAME_AS = "http://www.w3.org/2002/07/owl#sameAs"
XSD = "http://www.w3.org/2001/XMLSchema#"
CLASSES = ("Alpha", "Beta", "Gamma")
RELATIONS = ("p", "q", "r")
VALUES = ("year", "size")  # relations to literals
ENTITIES = tuple(f"e{n}" for n in range(4))
PROPERTIES = (
    "functional",
    "functional at a time",
    "inverse functional",
    "symmetric",
    "asymmetric",
    "irreflexive",
    "transitive",
)
DATES = tuple(
    literal_key(text, XSD + kind)
    for text, kind in (
        ("1990", "gYear"),
        ("1990-05", "gYearMonth"),
        ("1990-05-01", "date"),
        ("1991-02-03", "date"),
    )
)
NUMBERS = tuple(literal_key(text, XSD + "integer") for text in ("1", "01", "2", "4294967297", "x"))


Dated = tuple[str, str, str, str, str, str]  # a fact with since, until and rank, "" for none


@dataclass(frozen=True)
class World:
    """A rule file and the facts of a graph, ready to be built."""

    rules: str
    facts: tuple[tuple[str, str, str], ...]
    denied: tuple[tuple[str, str, str], ...]
    dated: tuple[Dated, ...] = ()

    @cached_property
    def book(self) -> RuleBook:
        book, problems = check(self.rules, "world.kgr")
        assert not [p for p in problems if p.is_error], problems
        return book

    @cached_property
    def graph(self) -> Graph:
        builder = Builder()
        for fact in self.facts:
            builder.add_fact(*fact)
        for fact in self.denied:
            builder.add_denied(*fact)
        for subject, relation, object_, since, until, rank in self.dated:
            said = {"since": since, "until": until, "rank": rank}
            qualifiers = {name: text for name, text in said.items() if text}
            builder.add_fact(subject, relation, object_, qualifiers=qualifiers)
        return Graph(builder.columns())

    def questions(self) -> list[Question]:
        """Every question with every choice of arguments, about every entity and one stranger."""
        candidates = tuple(map(Candidate, (*ENTITIES, "nobody")))
        return [
            Question(f"{name}/{first}", name, {"a": first, "y": "1990", "n": 1}, candidates)
            for name in self.book.questions
            for first in ENTITIES[:3]
        ]


@st.composite
def schemas(draw: st.DrawFn) -> list[str]:
    """Declarations of the classes and relations."""
    lines = []
    for n, name in enumerate(CLASSES):
        above = draw(st.sampled_from(["", "", *CLASSES[:n], *CLASSES[n + 1 :]]))
        lines.append(f"class {name}" + (f" sub of {above}" if above else ""))
    if draw(st.booleans()):
        lines.append("disjoint " + ", ".join(draw(st.permutations(CLASSES))[:2]))
    for n, name in enumerate(RELATIONS):
        domain, range_ = draw(st.sampled_from(CLASSES)), draw(st.sampled_from(CLASSES))
        properties = draw(st.lists(st.sampled_from(PROPERTIES), max_size=2, unique=True))
        others = RELATIONS[:n]
        if others and draw(st.integers(0, 3)) == 0:
            link = draw(st.sampled_from(["sub of", "inverse of"]))
            properties.append(f"{link} {draw(st.sampled_from(others))}")
        lines.append(f"relation {name} ({domain}, {range_}) " + ", ".join(properties))
    if draw(st.integers(0, 3)) == 0:
        lines.append("disjoint " + ", ".join(draw(st.permutations(RELATIONS))[:2]))
    for name, datatype in zip(VALUES, ("date", "integer"), strict=True):
        functional = draw(st.sampled_from(["", " functional"]))
        lines.append(f"relation {name} ({draw(st.sampled_from(CLASSES))}, {datatype}){functional}")
    return lines


@st.composite
def completeness(draw: st.DrawFn) -> list[str]:
    lines = []
    for name in draw(st.lists(st.sampled_from((*RELATIONS, *VALUES)), max_size=2, unique=True)):
        scope = draw(st.sampled_from(["", " for Alpha", " for Beta", ' for "e0", "e1"']))
        lines.append(f"complete {name}{scope}")
    return lines


@st.composite
def rules(draw: st.DrawFn, negation: bool = True) -> str:
    """One safe hard rule, which may join on values."""
    variables = ("X", "Y", "Z")
    terms = st.sampled_from((*variables, *variables, "e0"))
    positive = draw(
        st.lists(
            st.one_of(
                st.tuples(st.sampled_from(RELATIONS), terms, terms),
                st.tuples(st.sampled_from(RELATIONS), terms, st.just("_")),
                st.tuples(st.sampled_from(CLASSES), terms),
                st.tuples(st.sampled_from(VALUES), terms, st.sampled_from(("V", "W", "_"))),
            ),
            min_size=1,
            max_size=3,
        )
    )
    bound = sorted({t for atom in positive for t in atom[1:] if t in variables})
    known = st.sampled_from((*bound, "e1")) if bound else st.just("e1")
    body = [_atom(atom) for atom in positive]
    if negation and bound and draw(st.integers(0, 2)) == 0:
        name = draw(st.sampled_from((*RELATIONS, "Alpha")))
        atom = (name, draw(known)) if name == "Alpha" else (name, draw(known), draw(known))
        body.append("not " + _atom(atom))
    if bound and draw(st.integers(0, 3)) == 0:
        body.append(f"{draw(known)} != {draw(known)}")
    if draw(st.integers(0, 3)) == 0:
        head = _atom((draw(st.sampled_from(CLASSES)), draw(known)))
    else:
        head = _atom((draw(st.sampled_from(RELATIONS)), draw(known), draw(known)))
    denial = "not " if negation and draw(st.integers(0, 4)) == 0 else ""
    return f"{denial}{head} :- {', '.join(draw(st.permutations(body)))}."


def _atom(parts: tuple[str, ...]) -> str:
    if parts[0] in CLASSES:
        return f"{parts[1]} : {parts[0]}"
    return f"{parts[0]}({parts[1]}, {parts[2]})"


def paths() -> st.SearchStrategy[str]:
    """Ways through the graph, written with all brackets."""
    return st.recursive(
        st.sampled_from(RELATIONS),
        lambda inner: st.one_of(
            st.builds("^({})".format, inner),
            st.builds("({})+".format, inner),
            st.builds("({}/{})".format, inner, inner),
            st.builds("({}|{})".format, inner, inner),
        ),
        max_leaves=3,
    )


def view_atoms() -> st.SearchStrategy[str]:
    """Atoms over paths, comparisons of values, and counts."""
    terms = st.sampled_from(("a", '"e3"', '"e1"'))
    signs = st.sampled_from(["<", "<=", "=", "!=", ">=", ">"])
    dates = st.sampled_from(["y", "1990-05", "1990-05-01", "1991-02-03", "1991"])
    reaching = st.builds("({})/{}".format, paths(), st.sampled_from(VALUES))
    return st.one_of(
        st.builds("{}(x, {})".format, paths(), terms),
        st.builds("{}({}, x)".format, paths(), terms),
        st.builds("year(x) {} {}".format, signs, dates),
        st.builds("size(x) {} {}".format, signs, st.sampled_from(["n", "1", "2", "4294967297"])),
        st.builds("({})/year(x) {} {}".format, paths(), signs, dates),
        st.builds("count {}(x, _) {} {}".format, paths(), signs, st.sampled_from("012n")),
        st.builds("count {}(_, x) {} {}".format, st.sampled_from(RELATIONS), signs, st.just("1")),
        st.builds("count {}(x, _) {} {}".format, st.sampled_from(VALUES), signs, st.just("2")),
        st.builds("count {}(x, _) >= {}".format, reaching, st.just("2")),
    )


@st.composite
def question_atoms(draw: st.DrawFn) -> str:
    """What only questions have: views, and relations at a time."""
    if draw(st.integers(0, 2)):
        return draw(view_atoms())
    places = draw(st.sampled_from(("(x, a)", "(a, x)", '(x, "e3")', '("e3", x)')))
    time = draw(st.sampled_from(("y", "1990-05", "1991-02-03")))
    return f"{draw(st.sampled_from(RELATIONS))}{places} at {time}"


@st.composite
def question_texts(draw: st.DrawFn, name: str) -> str:
    terms = st.sampled_from(("a", '"e3"'))
    pairs = st.one_of(
        st.builds("{}(x, {})".format, st.sampled_from(RELATIONS), terms),
        st.builds("{}({}, x)".format, st.sampled_from(RELATIONS), terms),
    )
    atoms = st.one_of(
        pairs,
        st.builds("x : {}".format, st.sampled_from(CLASSES)),
        st.sampled_from(["year(x, y)", "size(x, n)", "size(x, 4294967297)", "x != a"]),
    )
    views = question_atoms()
    positive = atoms.filter(lambda a: a != "x != a")
    closed = st.builds("{} assume closed".format, st.one_of(positive, views))
    signed = st.one_of(atoms, views, st.builds("not {}".format, st.one_of(positive, views)))
    quantities = st.sampled_from(
        ["all of", "any of", "at least 1 of", "at least 2 of", "not all of"]
    )
    groups = st.builds(
        lambda quantity, members: f"{quantity} {{ {', '.join(members)} }}",
        quantities,
        st.lists(signed, min_size=2, max_size=3, unique=True),
    )
    nested = st.builds("any of {{ {}, {} }}".format, groups, signed)
    items = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["require", "exclude", "prefer", "prefer not"]),
                st.one_of(atoms, atoms, atoms, views, views, closed, groups, nested),
            ),
            min_size=1,
            max_size=3,
            unique_by=lambda item: item[1],
        )
    )
    plain = st.sampled_from(["prefer"])
    items = [
        (draw(plain) if w == "prefer not" and (a == "x != a" or a.startswith("not")) else w, a)
        for w, a in items
    ]
    excepted = draw(
        st.lists(st.sampled_from(["", "", "", ' except "e0"', ' except "e1", "e9"']), min_size=3)
    )
    items = [(w, a + e) for (w, a), e in zip(items, excepted, strict=False)]
    weights = draw(
        st.lists(
            st.sampled_from(["", "", " weight 0.25", " weight 2000000000"]), min_size=3, max_size=3
        )
    )
    lines = [f"question {name}(a: {draw(st.sampled_from(CLASSES))}, y: date, n: integer)"]
    lines += ['    "Which ones?"', f"    answer x : {draw(st.sampled_from(CLASSES))}"]
    lines += [f"    {word} {atom}{w}" for (word, atom), w in zip(items, weights, strict=False)]
    return "\n".join(lines)


def _facts(size: int) -> st.SearchStrategy[list[tuple[str, str, str]]]:
    things = st.sampled_from([*("e" + e for e in ENTITIES), *("e" + e for e in ENTITIES), "bblank"])
    classes = st.sampled_from([*("e" + c for c in CLASSES), "eLower", "eUpper"])
    triples = st.one_of(
        st.tuples(things, st.sampled_from((*RELATIONS, "unrelated")), things),
        st.tuples(things, st.sampled_from(RELATIONS), things),
        st.tuples(things, st.just("rdf:type"), classes),
        st.tuples(things, st.just("year"), st.sampled_from(DATES)),
        st.tuples(things, st.just("size"), st.sampled_from(NUMBERS)),
    )
    return st.lists(triples, max_size=size, unique=True)


def _dated() -> st.SearchStrategy[Dated]:
    things = st.sampled_from(("ee0", "ee1", "ee2", "bblank"))
    times = st.sampled_from(TIMES)
    ranks = st.sampled_from(("", "", "normal", "preferred", "deprecated"))
    links = st.tuples(things, st.sampled_from(RELATIONS), things, times, times, ranks)
    values = st.tuples(things, st.just("year"), st.sampled_from(DATES), times, times, ranks)
    return st.one_of(links, links, links, values)


TIMES = ("", "", "1990", "1990-05", "1990-05-01", "1991", "1991-02-03", "1991-02-03T04:00:00Z")
HIERARCHY = (
    ("eLower", "rdfs:subClassOf", "eUpper"),
    ("eUpper", "rdfs:subClassOf", "eAlpha"),
    ("eLower", "rdfs:subClassOf", "eBeta"),
    ("eUpper", "rdfs:subClassOf", "eLower"),
)


IDENTITIES = (("ee1", "owl:sameAs", "bblank"), ("eelse", SAME_AS, "ee1"))


def _passes(lines: list[str]) -> bool:
    """Does the rule file pass its checks?"""
    return not any(p.is_error for p in check("\n".join(lines), "world.kgr")[1])


@st.composite
def worlds(draw: st.DrawFn, negation: bool = True, complete: bool = True, size: int = 14) -> World:
    """A world whose rule file passes its checks."""
    lines = draw(schemas())
    if complete:
        lines += draw(completeness())
    question = []
    for n in range(draw(st.integers(1, 2))):
        text = draw(question_texts(f"ask{n}"))
        if _passes([*lines, text]):
            question.append(text)
    assume(question)
    texts = [draw(rules(negation)) for _ in range(draw(st.integers(0, 3)))]
    stated = draw(st.sampled_from([[], [], ["p(e0, e1)."], ["not q(e1, e0).", "e2 : Beta."]]))
    kept: list[str] = []
    for text in texts:  # a rule that closes a cycle through absence is left out
        if _passes([*lines, *kept, text]):
            kept.append(text)
    hierarchy = draw(st.lists(st.sampled_from(HIERARCHY), max_size=2, unique=True))
    same = draw(
        st.sampled_from([[], [], [], ["same e0, e1"], ["same e2, other", "same other, e3"]])
    )
    identities = draw(st.sampled_from([[], [], [], IDENTITIES[:1], IDENTITIES[1:], IDENTITIES]))
    facts = draw(_facts(size))
    dated = draw(st.lists(_dated(), max_size=4))
    denied = draw(_facts(2))
    return World(
        "\n".join([*lines, *same, *kept, *stated, *question]),
        (*facts, *hierarchy, *identities),
        tuple(denied),
        tuple(dated),
    )
