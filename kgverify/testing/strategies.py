"""Hypothesis strategies for small worlds: schemas, rules, questions, facts and denied facts.

Everything is drawn as text and keys, so that a failing example can be read and run by hand.  The
words are few, so that rules, facts and questions meet: recursion, negation, conflicts, and values
that are one or may be one come up often.  A new construct of the rule language gets its place in
`constraints`, `rules` or `schemas`.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st

from kgverify.errors import RuleError
from kgverify.graph.store import KeyTriple
from kgverify.graph.terms import literal_key
from kgverify.testing.changes import SAME_AS
from kgverify.testing.world import Dated, World
from kgverify.vocabulary import Candidate, Question

XSD = "http://www.w3.org/2001/XMLSchema#"
CLASSES = ("Alpha", "Beta", "Gamma")
RELATIONS = ("p", "q", "r")
VALUES = ("year", "size")  # relations to literals
ENTITIES = tuple(f"e{n}" for n in range(4))
STRANGER = "nobody"  # a candidate that no fact knows
PROPERTIES = (
    "functional",
    "functional at a time",
    "inverse functional",
    "symmetric",
    "asymmetric",
    "irreflexive",
    "transitive",
)
DAYS = tuple(literal_key(text, XSD + "date") for text in ("1990-05-01", "1991-02-03"))
PARTIAL_DATES = (literal_key("1990", XSD + "gYear"), literal_key("1990-05", XSD + "gYearMonth"))
NUMBERS = tuple(literal_key(text, XSD + "integer") for text in ("1", "01", "2", "4294967297"))
ILL_TYPED = literal_key("x", XSD + "integer")
BLANK = "bblank"


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
    """Up to two statements that a relation is complete: for all, a class, or named entities."""
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


def soft_rules() -> st.SearchStrategy[str]:
    """One soft rule; few weights, so that thresholds and weights meet."""
    weights = st.sampled_from(("0.3", "0.42", "0.42", "0.5", "1", "0.999999999"))
    hard = rules().filter(lambda text: not text.startswith("not "))
    return st.builds("soft {} {}".format, weights, hard)


def _atom(parts: tuple[str, ...]) -> str:
    if parts[0] in CLASSES:
        return f"{parts[1]} : {parts[0]}"
    return f"{parts[0]}({parts[1]}, {parts[2]})"


def atoms() -> st.SearchStrategy[str]:
    """One atom of a question, over its answer `x` and its parameters `a`, `y` and `n`."""
    terms = st.sampled_from(("a", '"e3"'))
    return st.one_of(
        st.builds("{}(x, {})".format, st.sampled_from(RELATIONS), terms),
        st.builds("{}({}, x)".format, st.sampled_from(RELATIONS), terms),
        st.builds("x : {}".format, st.sampled_from(CLASSES)),
        st.sampled_from(["year(x, y)", "size(x, n)", "size(x, 4294967297)", "x != a"]),
    )


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


def groups() -> st.SearchStrategy[str]:
    """A group of constraints, which may hold another group."""
    single = st.one_of(atoms(), question_atoms())
    signed = st.one_of(
        atoms(), question_atoms(), st.builds("not {}".format, single.filter(_can_be_denied))
    )
    flat = st.builds(
        lambda quantity, members: f"{quantity} {{ {', '.join(members)} }}",
        st.sampled_from(["all of", "any of", "at least 1 of", "at least 2 of", "not all of"]),
        st.lists(signed, min_size=2, max_size=3, unique=True),
    )
    return flat | st.builds("any of {{ {}, {} }}".format, flat, signed)


def constraints(closed: bool = True) -> st.SearchStrategy[str]:
    """Any constraint: an atom, one over a path, values or a count, a group; `closed`: or one that
    is assumed closed."""
    single, views = atoms(), question_atoms()
    positive = st.one_of(single.filter(_can_be_denied), views)
    assumed = st.builds("{} assume closed".format, positive) if closed else views
    return st.one_of(single, single, single, views, views, assumed, groups())


def _can_be_denied(constraint: str) -> bool:
    """May `not` stand before the constraint?  It doesn't before a comparison or another `not`."""
    return constraint != "x != a" and not constraint.startswith("not")


@st.composite
def question_templates(draw: st.DrawFn, name: str, closed: bool = True) -> str:
    """A question with the parameters `a`, an entity, `y`, a date, and `n`, a number."""
    items = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["require", "exclude", "prefer", "prefer not"]),
                constraints(closed),
                st.sampled_from(["", "", "", ' except "e0"', ' except "e1", "e9"']),
                st.sampled_from(["", "", " weight 0.25", " weight 2000000000"]),
            ),
            min_size=1,
            max_size=3,
            unique_by=lambda item: item[1],
        )
    )
    lines = [f"question {name}(a: {draw(st.sampled_from(CLASSES))}, y: date, n: integer)"]
    lines += ['    "Which ones?"', f"    answer x : {draw(st.sampled_from(CLASSES))}"]
    for word, constraint, excepted, weight in items:
        demand = word if _can_be_denied(constraint) else word.removesuffix(" not")
        lines.append(f"    {demand} {constraint}{excepted}{weight}")
    return "\n".join(lines)


@st.composite
def rule_files(
    draw: st.DrawFn,
    negation: bool = True,
    complete: bool = True,
    closed: bool = True,
    soft: bool = False,
) -> str:
    """A rule file that passes its checks, with one or two questions; `soft`: and soft rules."""
    lines = draw(schemas())
    if complete:
        lines += draw(completeness())
    templates = [
        draw(question_templates(f"ask{n}", closed)) for n in range(draw(st.integers(1, 2)))
    ]
    questions = [text for text in templates if _passes([*lines, text])]
    assume(questions)
    kept: list[str] = []
    for text in draw(st.lists(rules(negation), max_size=3)):
        if _passes([*lines, *kept, text]):  # a rule that closes a cycle through absence is left out
            kept.append(text)
    for text in draw(st.lists(soft_rules(), min_size=1, max_size=4)) if soft else ():
        if _passes([*lines, *kept, text]):
            kept.append(text)
    assume(not soft or any(text.startswith("soft ") for text in kept))
    stated = draw(st.sampled_from([[], [], ["p(e0, e1)."], ["not q(e1, e0).", "e2 : Beta."]]))
    same = draw(
        st.sampled_from([[], [], [], ["same e0, e1"], ["same e2, other", "same other, e3"]])
    )
    return "\n".join([*lines, *same, *kept, *stated, *questions])


def _passes(lines: list[str]) -> bool:
    try:
        return bool(World("\n".join(lines)).book)
    except RuleError:
        return False


def facts(size: int, vague: bool = True) -> st.SearchStrategy[list[KeyTriple]]:
    """Up to `size` facts; `vague`: among blank nodes, partial dates and ill-typed values too."""
    named = [*("e" + e for e in ENTITIES), *("e" + e for e in ENTITIES)]
    things = st.sampled_from([*named, BLANK] if vague else named)
    classes = st.sampled_from([*("e" + c for c in CLASSES), "eLower", "eUpper"])
    dates = (*PARTIAL_DATES, *DAYS) if vague else DAYS
    numbers = (*NUMBERS, ILL_TYPED) if vague else NUMBERS
    triples = st.one_of(
        st.tuples(things, st.sampled_from((*RELATIONS, "unrelated")), things),
        st.tuples(things, st.sampled_from(RELATIONS), things),
        st.tuples(things, st.just("rdf:type"), classes),
        st.tuples(things, st.just("year"), st.sampled_from(dates)),
        st.tuples(things, st.just("size"), st.sampled_from(numbers)),
    )
    return st.lists(triples, max_size=size, unique=True)


TIMES = ("", "", "1990", "1990-05", "1990-05-01", "1991", "1991-02-03", "1991-02-03T04:00:00Z")


def dated_facts(ranked: bool = True) -> st.SearchStrategy[list[Dated]]:
    """A few facts with periods; `ranked`: or ranks."""
    things = st.sampled_from(("ee0", "ee1", "ee2", BLANK))
    times = st.sampled_from(TIMES)
    ranks = st.sampled_from(("", "", "normal", "preferred", "deprecated") if ranked else ("",))
    dates = st.sampled_from((*PARTIAL_DATES, *DAYS))
    links = st.tuples(things, st.sampled_from(RELATIONS), things, times, times, ranks)
    values = st.tuples(things, st.just("year"), dates, times, times, ranks)
    return st.lists(st.one_of(links, links, links, values), max_size=4)


HIERARCHY = (
    ("eLower", "rdfs:subClassOf", "eUpper"),
    ("eUpper", "rdfs:subClassOf", "eAlpha"),
    ("eLower", "rdfs:subClassOf", "eBeta"),
    ("eUpper", "rdfs:subClassOf", "eLower"),
)


# Facts that two names are of one entity; one of the names is a blank node's.
IDENTITIES = (("ee1", "owl:sameAs", BLANK), ("eelse", SAME_AS, "ee1"))


@st.composite
def evidence(
    draw: st.DrawFn, size: int = 14, vague: bool = True
) -> tuple[tuple[KeyTriple, ...], tuple[KeyTriple, ...]]:
    """The facts of a graph, a class hierarchy and identities among them, and its denied facts."""
    hierarchy = draw(st.lists(st.sampled_from(HIERARCHY), max_size=2, unique=True))
    named = IDENTITIES if vague else IDENTITIES[1:]
    identities = draw(st.sampled_from([(), (), (), named[:1], named[1:], named]))
    return (*draw(facts(size, vague)), *hierarchy, *identities), tuple(draw(facts(2, vague)))


def everything_asked(world: World) -> tuple[Question, ...]:
    """Every question with every choice of arguments, about every entity and one stranger."""
    candidates = tuple(map(Candidate, (*ENTITIES, STRANGER)))
    return tuple(
        Question(f"{name}/{first}", name, {"a": first, "y": "1990", "n": 1}, candidates)
        for name in world.book.questions
        for first in ENTITIES[:3]
    )


@st.composite
def worlds(
    draw: st.DrawFn,
    negation: bool = True,
    complete: bool = True,
    closed: bool = True,
    vague: bool = True,
    dated: bool = True,
    ranked: bool = True,
    soft: bool = False,
    size: int = 14,
) -> World:
    """A world whose rule file passes its checks, asked everything.

    `negation`: rules may have `not`; `complete`: relations may be complete; `closed`: constraints
    may be assumed closed; `vague`: terms may be others (blank nodes, partial dates, values that
    can't be read); `dated`: facts may have periods, and if `ranked` ranks; `soft`: there are soft
    rules; `size` bounds the facts."""
    rules = draw(rule_files(negation, complete, closed, soft))
    known, denied = draw(evidence(size, vague))
    world = World(rules, known, denied, tuple(draw(dated_facts(ranked))) if dated and vague else ())
    return replace(world, asked=everything_asked(world))
