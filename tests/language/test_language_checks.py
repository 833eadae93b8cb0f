"""Every static check: what it finds, where, with which hint, and that nothing else is told."""

from __future__ import annotations

import pytest
from harbour import ASK, HARBOUR, USED, found, problems

from kgverify.language.checks import check, load_rules_text


def test_a_clean_file_has_no_problems() -> None:
    assert problems(USED) == []


SUPER = "an unknown superclass ends in a KeyError"

# Added at line 9 of a clean file: what is found, and a word of the message or the hint.
LEADS = "relation leads (Port, Port)\n"
LONG = (
    "soft 0.5 leads(A, B) :- leads(A, C), leads(C, D), leads(D, E), leads(E, F), leads(F, G), "
    "leads(G, H), leads(H, B), X = rotterdam, leads(X, A).\n"
)
ADDED = [
    # unknown names, with the nearest
    ("docks_at(X, P) :- carry(X, P).", ["9:19 unknown-relation"], ""),
    ("docks_at(X, P) :- carriez(X, P).", ["9:19 unknown-relation"], "`carries`"),
    ("docks_at(X, P) :- Carries(X, P).", ["9:19 unknown-relation"], "case differs"),
    ("docks_att(X, P) :- docks_at(X, P).", ["9:1 unknown-relation"], "`docks_at`"),
    ("not docks_att(X, P) :- docks_at(X, P).", ["9:5 unknown-relation"], "`docks_at`"),
    ("X : Shipp :- docks_at(X, _).", ["9:5 unknown-class"], "`Ship`"),
    ("docks_at(X, P) :- docks_at(X, P), P : Prot.", ["9:39 unknown-class"], "`Port`"),
    ("class Tug sub of Shipp\ntug : Tug.", ["9:18 unknown-class"], "`Ship`"),
    ("class Tug sub of Ship and Prot\ntug : Tug.", ["9:27 unknown-class"], "`Port`"),
    ("relation owns (Shp, Ship)\nowns(a, b).", ["9:16 unknown-class"], "`Ship`"),
    ("relation owns (Ship, Crago)\nowns(a, b).", ["9:22 unknown-class"], "`Cargo`"),
    ("relation weighs (Ship, intger)\nweighs(a, 5).", ["9:24 unknown-class"], "`integer`"),
    ("relation weighs (integer, Ship)\nweighs(a, b).", ["9:18 unknown-class"], ""),
    ("relation calls_at (Ship, Port) sub of dock_at", ["9:39 unknown-relation"], "`docks_at`"),
    ("relation hosts (Port, Ship) inverse of docksat", ["9:40 unknown-relation"], "`docks_at`"),
    ("complete carrys", ["9:10 unknown-relation"], "`carries`"),
    ("complete carries for Shipp", ["9:22 unknown-class"], "`Ship`"),
    ("disjoint Ship, Prot", ["9:16 unknown-class"], "`Port`"),
    ('test "t" {\n    dock_at(a, b).\n    ask calls(b, c): a = unk\n}',
     ["10:5 unknown-relation"], "`docks_at`"),
    ('test "t" {\n    a : Shipp.\n    ask calls(b, c): a = unk\n}', ["10:9 unknown-class"],
     "`Ship`"),
    ('test "t" {\n    ask call(b, c): a = unk\n}', ["10:9 unknown-question"], "`calls`"),
    ("class Tug sub of Ship and Port\ndisjoint Ship, Port\ntug : Tug.", ["9:7 empty-class"],
     "two disjoint classes"),
    # prefixes
    ("docks_at(imo:9, oslo).", ["9:10 unknown-prefix"], "declare it"),
    ("prefix imo: <https://ex.org/>\ndocks_at(iom:9, oslo).", ["10:10 unknown-prefix"], "`imo:`"),
    ("complete carries for imo:9", ["9:22 unknown-prefix"], "declare it"),
    ("class Tug = imo:T\ntug : Tug.", ["9:13 unknown-prefix"], "declare it"),
    ("relation owns = imo:o (Ship, Ship)\nowns(a, b).", ["9:17 unknown-prefix"], "declare it"),
    ("docks_at(X, P) :- docks_at(X, P), carries(X, _), X != imo:9.", ["9:55 unknown-prefix"],
     "declare it"),
    ('test "t" {\n    ask calls(imo:1, imo:2): imo:3 = unk\n}',
     ["10:15 unknown-prefix", "10:22 unknown-prefix", "10:30 unknown-prefix"], "declare it"),
    # names of one entity
    ("prefix : <https://ex.org/>\nsame :a, b, <https://ex.org/c>, \"d\"", [], ""),
    ("same imo:1, b", ["9:6 unknown-prefix"], "declare it"),
    ("same a, B", ["9:9 same-names"], "`B` is a variable"),
    ("same a, _", ["9:9 same-names"], "`_` is a variable"),
    ("same a, 7", ["9:9 same-names"], "`7` is a number"),
    ("same a, 1990-01-01", ["9:9 same-names"], "is a date"),
    ('same a, "Ship"', ["9:9 same-names"], "`Ship` is a class"),
    ('class Tug = "T"\ntug : Tug.\nsame "T", a', ["11:6 same-names"], "`T` is a class"),
    ("same a, b, a", ["9:12 duplicate"], "listed twice"),
    # said twice
    ("class Ship", ["9:7 duplicate"], "declared twice"),
    ("relation carries (Ship, Port)", ["9:10 duplicate"], "declared twice"),
    (ASK.rstrip(), ["9:10 duplicate"], "declared twice"),
    ("rule a: docks_at(a, b).\nrule a: docks_at(a, c).", ["10:1 duplicate"], "declared twice"),
    ("prefix a: <https://ex.org/>\nprefix a: <https://ex.com/>", ["10:1 duplicate"], "declared"),
    ('test "t" {\n    ask calls(b, c): a = unk\n}\ntest "t" {\n    ask calls(b, c): a = unk\n}',
     ["12:1 duplicate"], "declared twice"),
    ("disjoint Ship, Port, Ship", ["9:10 duplicate", "9:22 duplicate"], "listed twice"),
    ("disjoint Ship, carries", ["9:1 mixed-disjoint"], "not both"),
    ("class integer", ["9:7 reserved-name"], "datatype"),
    # arity
    ("docks_at(X) :- carries(X, _).", ["9:1 arity"], "takes 2 arguments, 1 given"),
    ("docks_at(X, P) :- carries(X, P, P).", ["9:19 arity"], "takes 2 arguments, 3 given"),
    ('test "t" {\n    docks_at(a).\n    ask calls(b, c): a = unk\n}', ["10:5 arity"], "1 given"),
    ('test "t" {\n    ask calls(b): a = unk\n}', ["10:5 arity"], "takes 2 arguments, 1 given"),
    ('test "t" {\n    ask calls(): a = unk\n}', ["10:5 arity"], "takes 2 arguments, 0 given"),
    # signature
    ("docks_at(X, P) :- docks_at(P, X), docks_at(X, P), carries(X, _).", ["9:19 signature"],
     "`docks_at(X, P)`"),
    ("disjoint Ship, Port\ncarries(X, C) :- docks_at(X, P), carries(P, C).", ["10:30 signature"],
     "which nothing can be"),
    ("docks_at(X, P) :- docks_at(X, P), carries(X, 1990-01-01).", ["9:46 signature"], "date"),
    ("relation built (Ship, date)\ndocks_at(X, D) :- built(X, D).", ["10:13 signature"], "value"),
    # variables
    ("docks_at(X, Y) :- carries(X, _).", ["9:13 unsafe-variable"], "in the head only"),
    ("docks_at(X, b).", ["9:10 unsafe-variable"], "small letter"),
    ("docks_at(X, P) :- docks_at(X, P), not carries(X, Z).", ["9:50 unsafe-variable"],
     "in a negated atom only"),
    ("docks_at(X, P) :- docks_at(X, P), not carries(X, Z), not carries(a, Z).",
     ["9:50 unsafe-variable"], "shared by negated atoms"),
    ("docks_at(X, P) :- docks_at(X, P), Z != X.", ["9:35 unsafe-variable"], "binds nothing"),
    ("docks_at(_, P) :- docks_at(_, P).", ["9:10 unsafe-variable"], "`_`"),
    ("docks_at(X, P) :- docks_at(X, P), not carries(X, _).", ["9:50 unsafe-variable"], "`_`"),
    ("docks_at(X, P) :- docks_at(X, P), X != _.", ["9:40 unsafe-variable"], "`_`"),
    ("docks_at(X, P) :- docks_at(X, P), carries(X, _), Z = W.",
     ["9:50 unsafe-variable", "9:54 unsafe-variable"], "bound by no positive atom"),
    ("docks_at(X, P) :- carries(X, Harbor), docks_at(Harbour, P).",
     ["9:30 lookalike-variables", "9:48 lookalike-variables"], "same variable"),
    ("docks_at(x, y) :- carries(x, z).", ["9:10 lower-case-variables"], "capital letter"),
    # soft rules
    ("soft 0.4 docks_at(X, P) :- carries(X, C), docks_at(_, P), P != C.", [], ""),
    ("soft 0 docks_at(X, P) :- carries(X, P).", ["9:6 weight"], "more than 0"),
    ("soft -0.1 docks_at(X, P) :- carries(X, P).", ["9:6 weight"], "more than 0"),
    ("soft 1.000000001 docks_at(X, P) :- carries(X, P).", ["9:6 weight"], "at most 1"),
    ("soft 42 docks_at(X, P) :- carries(X, P).", ["9:6 weight"], "such as 0.42"),
    ("soft 1e-10 docks_at(X, P) :- carries(X, P).", ["9:6 weight"], "9 decimal places"),
    ("soft 1e99999999999999999999 docks_at(X, P) :- carries(X, P).", ["9:6 weight"], "at most 1"),
    ("soft 1.0000000000 docks_at(X, P) :- carries(X, P).", [], ""),
    ("soft 1e-9 docks_at(X, P) :- carries(X, P).", [], ""),
    ("soft 0.4 not docks_at(X, P) :- carries(X, P).", ["9:10 soft-head"], "refutes none"),
    ("soft 0.4 docks_at(X, P) :- carry(X, P).", ["9:28 unknown-relation"], "`carries`"),
    ("soft 0.4 docks_at(X, P) :- carries(X), docks_at(_, P).", ["9:28 arity"], "1 given"),
    ("soft 0.4 docks_at(X, P) :- carries(X, _).", ["9:22 unsafe-variable"], "in the head only"),
    ("soft 0.4 docks_at(x, p) :- carries(x, p).", ["9:19 lower-case-variables"], ""),
    ("soft 0.4 docks_at(X, P) :- docks_at(X, P).", ["9:28 never-fires"], "already"),
    ("disjoint Ship, Port\nsoft 0.4 carries(X, C) :- docks_at(X, P), carries(P, C).",
     ["10:39 signature"], "which nothing can be"),
    ("rule a: docks_at(a, b).\nsoft 0.4 rule a: docks_at(X, P) :- carries(X, P).",
     ["10:1 duplicate"], "declared twice"),
    ("soft 0.4 docks_at(X, P) :- carries(X, C), carries(C, P).\n"
     "soft 0.5 docks_at(A, B) :- carries(D, B), carries(A, D).", ["10:1 duplicate"], "already"),
    ("soft 0.4 docks_at(X, P) :- carries(X, P), X != P.\n"
     "soft 0.4 docks_at(X, P) :- carries(X, P), P != X.", ["10:1 duplicate"], "already"),
    ("soft 0.4 docks_at(X, P) :- carries(X, P), carries(X, C), C != P.\n"
     "soft 0.5 docks_at(X, P) :- carries(X, P), carries(C, P), C != X.", [], ""),
    ("soft 0.4 docks_at(X, P) :- carries(X, P), carries(X, C).\n"
     "soft 0.5 docks_at(X, P) :- carries(X, P), carries(C, P).", ["10:1 duplicate"], "already"),
    (LEADS + LONG + LONG.strip(), ["11:1 duplicate"], "already"),
    (LEADS + LONG + LONG.strip().replace(" leads(F, G),", "").replace("X =", "leads(F, G), X ="),
     ["11:1 duplicate"], "already"),
    (LEADS + LONG + LONG.strip().replace("leads(F, G)", "leads(G, F)"), [], ""),
    ("soft 0.4 docks_at(X, P) :- carries(X, P), X != tea.\n"
     "soft 0.4 docks_at(X, P) :- carries(X, P), Y != X, Y = tea.", ["10:1 duplicate"], "already"),
    ("relation rank (Ship, number)\nsoft 0.4 docks_at(X, P) :- carries(X, P), rank(X, 1).\n"
     "soft 0.4 docks_at(X, P) :- carries(X, P), rank(X, 1.0).", ["11:1 duplicate"], "already"),
    ("relation rank (Ship, string)\nsoft 0.4 docks_at(X, P) :- carries(X, P), rank(X, \"1\").\n"
     "soft 0.4 docks_at(X, P) :- carries(X, P), rank(X, \"1.0\").", [], ""),
    ("relation built (Ship, date)\nsoft 0.4 docks_at(X, P) :- carries(X, P), built(X, D).\n"
     "soft 0.4 docks_at(X, P) :- carries(X, P), built(X, D), built(P, D).", [], ""),
    ("prefix e: <https://ex.org/>\nsoft 0.4 docks_at(X, e:p) :- carries(X, e:p).\n"
     "soft 0.4 docks_at(X, <https://ex.org/p>) :- carries(X, e:p).", ["11:1 duplicate"], ""),
    ("same tea, cha, chi\nsame cha, te\nsoft 0.4 docks_at(X, P) :- carries(X, P), carries(X, te).\n"
     "soft 0.4 docks_at(X, P) :- carries(X, P), carries(X, chi).", ["12:1 duplicate"], ""),
    ("relation hosts (Port, Ship) inverse of docks_at\nsoft 0.5 hosts(P, X) :- carries(X, P).\n"
     "soft 0.5 docks_at(X, P) :- carries(X, P).", ["11:1 duplicate"], "count once"),
    ("relation hosts (Port, Ship) inverse of docks_at\nsoft 0.5 carries(X, P) :- hosts(P, X).\n"
     "soft 0.5 carries(X, P) :- docks_at(X, P).", ["11:1 duplicate"], "count once"),
    ("relation hosts (Port, Ship) inverse of docks_at\nsoft 0.5 hosts(P, X) :- carries(P, X).\n"
     "soft 0.5 docks_at(X, P) :- carries(X, P).", [], ""),
    ("relation near (Port, Port) symmetric\nsoft 0.5 near(X, Y) :- carries(X, Y).\n"
     "soft 0.5 near(Y, X) :- carries(X, Y).", ["11:1 duplicate"], "count once"),
    ("relation near (Port, Port) symmetric\nsoft 0.5 carries(X, Y) :- not near(X, Y), X : Port, "
     "Y : Port.\nsoft 0.5 carries(X, Y) :- not near(Y, X), X : Port, Y : Port.",
     ["11:1 duplicate"], "count once"),
    ("relation calls_at (Ship, Port) sub of docks_at\nsoft 0.5 calls_at(X, P) :- carries(X, P).\n"
     "soft 0.5 docks_at(X, P) :- carries(X, P).", [], ""),
    ("soft 0.5 carries(X, P) :- docks_at(X, P).\n"
     "soft 0.5 carries(X, P) :- docks_at(X, P), P : Port.", ["10:1 duplicate"], "count once"),
    ("soft 0.4 docks_at(X, P) :- carries(X, P), carries(X, C).\n"
     "soft 0.5 docks_at(X, P) :- carries(X, P), carries(X, tea).", [], ""),
    ("docks_at(X, P) :- carries(X, P).\n"
     "soft 0.5 docks_at(A, B) :- carries(A, B), A != B.", ["10:1 subsumed"], "`line 9`"),
    ("docks_at(X, P) :- carries(X, C), docks_at(_, P).\n"
     "soft 0.5 docks_at(A, B) :- carries(A, tea), docks_at(C, B), carries(C, _).",
     ["10:1 subsumed"], "for certain"),
    ("docks_at(X, P) :- carries(X, P), X != P.\nsoft 0.5 docks_at(A, B) :- carries(A, B).",
     [], ""),
    ("not docks_at(X, P) :- carries(X, P).\nsoft 0.5 docks_at(A, B) :- carries(A, B).", [], ""),
    ("relation near (Port, Port) symmetric\nsoft 0.5 near(X, Y) :- near(Y, X).",
     ["10:1 subsumed"], "symmetric"),
    ("relation near (Port, Port) transitive\nsoft 0.5 near(X, Y) :- near(X, Z), near(Z, Y).",
     ["10:1 subsumed"], "transitive"),
    ("relation hosts (Port, Ship) inverse of docks_at\nsoft 0.5 hosts(P, X) :- docks_at(X, P).",
     ["10:1 subsumed"], "the inverse of"),
    ("relation calls_at (Ship, Port) sub of docks_at\n"
     "soft 0.5 docks_at(X, P) :- calls_at(X, P).", ["10:1 subsumed"], "a kind of"),
    ("soft 0.5 X : Port :- docks_at(_, X).", ["9:1 subsumed"], "the signature of `docks_at`"),
    # rules that say nothing
    ("docks_at(X, P) :- docks_at(X, P), carries(X, _).", ["9:19 never-fires"], "already"),
    ("docks_at(X, P) :- carries(X, P), carries(X, P).", ["9:34 repeated"], "already"),
    ("docks_at(X, P) :- carries(X, P), X != X.", ["9:34 never-fires"], "differs from itself"),
    ("docks_at(X, P) :- carries(X, P), X = X.", ["9:34 repeated"], "always holds"),
    ("docks_at(X, P) :- carries(X, P), not carries(X, P).", ["9:34 never-fires"], "denial"),
    # tests
    ('test "t" {\n    docks_at(a, b).\n}', ["9:1 no-assertion"], "asserts nothing"),
    ('test "t" {}', ["9:1 no-assertion"], "asserts nothing"),
    ('test "t" {\n    docks_at(A, b).\n    ask calls(B, c): C = unk\n}',
     ["10:14 variable-in-test", "11:15 variable-in-test", "11:22 variable-in-test"], "variable"),
    # unused
    ("class Buoy", ["9:7 unused"], "class `Buoy`"),
    ("relation owns (Ship, Ship)", ["9:10 unused"], "relation `owns`"),
    ('question at_sea(p: Port)\n    "Which?"\n    answer x : Ship\n    require carries(x, "tea")',
     ["9:17 unused"], "parameter `p`"),
    # sentences
    ('relation owns (Ship, Ship) "{0} owns {2}"\nowns(a, b).', ["9:1 unknown-placeholder"], "{0}"),
]  # fmt: skip


def ids(values: object) -> str | None:
    return values.replace("\n", " ") if isinstance(values, str) else None


@pytest.mark.parametrize(("added", "expected", "word"), ADDED, ids=ids)
def test_a_check_finds_its_fault_and_nothing_else(
    added: str, expected: list[str], word: str
) -> None:
    told = problems(USED + added + "\n")
    never = [] if any("never-fires" in e for e in expected) else ["never-fires"]
    told = [p for p in told if p.code not in never]
    assert [f"{p.span.line}:{p.span.column} {p.code}" for p in told] == expected
    assert word in "".join(map(str, told[:1]))


# In place of `exclude carries(x, c)`, line 8 of the clean file; the relation's parts stay in use.
USES = "carries(tug, tea).\n"
CONSTRAINTS = [
    ("exclude carry(x, c)", ["8:13 unknown-relation"], ""),
    ("require x : Prot", ["8:17 unknown-class"], "`Port`"),
    ("exclude carries(x)", ["8:13 arity"], "1 given"),
    ("exclude carries(x, cc)", ["8:24 unknown-parameter"], "`c`"),
    ("exclude carries(x, Cc)", ["8:24 variable-in-question"], "`c`"),
    ("exclude carries(x, _)", ["8:24 variable-in-question"], "no variables"),
    ("exclude carries(c, x)", ["8:13 signature"], "`carries(x, c)`"),
    ("prefer carries(x, c) weight 0", ["8:5 weight"], "between"),
    ("prefer carries(x, c) weight -2.5", ["8:5 weight"], "between"),
    ("require docks_at(x, p)", ["8:5 repeated"], "counts once"),
    ("exclude not docks_at(x, p)", ["8:5 repeated"], "counts once"),
    ("exclude docks_at(x, p)", ["8:5 contradiction"], "opposite"),
    ("require not docks_at(x, p)", ["8:5 contradiction"], "opposite"),
    ("prefer not docks_at(x, p)", [], ""),
    ("require x : Ship", ["8:5 implied"], "answer class"),
    ("require x = x", ["8:5 vacuous-constraint"], "same"),
    ("exclude x != x", ["8:5 vacuous-constraint"], "same"),
    ('exclude carries("tug", c)', ["8:5 no-answer"], "`x`"),
    ("exclude x = p", [], ""),
    ("exclude x : Ship", ["8:5 contradiction"], "opposite"),
    ("require x != imo:9", ["8:18 unknown-prefix"], "declare it"),
]  # fmt: skip


@pytest.mark.parametrize(("item", "expected", "word"), CONSTRAINTS)
def test_constraints_that_do_not_fit(item: str, expected: list[str], word: str) -> None:
    text = USED.replace("exclude carries(x, c)", item) + USES
    told = [p for p in problems(text) if p.code != "unused"]
    assert [f"{p.span.line}:{p.span.column} {p.code}" for p in told] == expected
    assert word in "".join(map(str, told[:1]))


HEADS = [
    ("p: Port, c: Cargo", "p: Prot, c: Cargo", ["4:19 unknown-class"]),
    ("p: Port, c: Cargo", "p: Port, p: Port, c: Cargo", ["4:25 duplicate"]),
    ("p: Port, c: Cargo", "p: Port, c: Cargo, x: Ship", ["4:35 duplicate"]),
    ("answer x : Ship", "answer x : Shipp", ["6:16 unknown-class"]),
    ("answer x : Ship", "answer x : integer", ["6:16 unknown-class"]),
    ("{c}?", "{cc}?", ["5:38 unknown-parameter"]),
    ("{c}?", "{}?", ["5:38 unknown-parameter"]),
    ('{c}?"', '{c}?", "Ships for {pp}?"', ["5:56 unknown-parameter"]),
]


@pytest.mark.parametrize(("good", "bad", "expected"), HEADS)
def test_questions_whose_head_is_wrong(good: str, bad: str, expected: list[str]) -> None:
    assert found(USED.replace(good, bad)) == expected


def test_parameters_begin_with_a_small_letter() -> None:
    text = USED.replace("p: Port", "P: Port").replace("{p}", "{P}").replace("(x, p)", "(x, P)")
    assert found(text) == ["4:16 capital-name", "7:25 variable-in-question"]


def test_a_question_that_requires_only_its_class_is_vacuous() -> None:
    text = USED.replace("require", "prefer").replace("exclude", "prefer not")
    (problem,) = problems(text)
    assert (problem.code, problem.severity) == ("vacuous-question", "warning")
    assert (problem.span.line, problem.span.column) == (4, 10)


def test_a_duplicate_tells_where_the_first_is() -> None:
    (problem,) = problems(USED + "class Port\n")
    ((place, text),) = problem.notes
    assert (place.line, place.column, text) == (1, 13, "first declared here")


@pytest.mark.parametrize(
    "order",
    [
        ("class Owns", "relation Owns (Ship, Ship)"),
        ("relation Owns (Ship, Ship)", "class Owns"),
    ],
)
def test_a_class_and_a_relation_need_two_names(order: tuple[str, str]) -> None:
    text = USED + "\n".join(order) + "\nOwns(a, b).\na : Owns.\n"
    assert next(entry for entry in found(text) if "duplicate" in entry).startswith("10:")


def test_an_arity_fault_points_at_the_declaration() -> None:
    (problem,) = problems(USED + "docks_at(X, P) :- carries(X, P, P).\n")
    ((place, _),) = problem.notes
    assert (place.line, place.column) == (3, 10)


def test_many_faults_come_causes_first_and_once_each() -> None:
    text = (
        HARBOUR
        + "relation holds (Ship, Crago)\n"  # 4
        + "complete dock_at\n"
        + "holds(X, C) :- carriez(X, C).\n"  # 6
        + "holds(X, C) :- carries(X).\n"
        + "holds(X, Y) :- carries(X, _).\n"  # 8
        + ASK.replace("{c}", "{cc}").replace("x : Ship", "x : Shp")
        + "class Ship\n"  # 14
        + 'test "nothing" {}\n'
    )
    assert found(text) == [
        "4:23 unknown-class",
        "5:10 unknown-relation",
        "6:16 unknown-relation",
        "11:16 unknown-class",
        "14:7 duplicate",
        "7:10 unsafe-variable",
        "7:16 arity",
        "8:10 unsafe-variable",
        "10:38 unknown-parameter",
        "15:1 no-assertion",
    ]


@pytest.mark.parametrize(
    "body",
    [
        "P = X, docks_at(X, _)",
        "docks_at(X, _), X = P",
        "X = Q, Q = P, docks_at(X, _)",
        "Q = P, X = Q, docks_at(X, _)",
    ],
)
def test_equalities_bind_in_any_order(body: str) -> None:
    assert found(HARBOUR + f"relation near (Ship, Ship)\nnear(X, P) :- {body}.\n" + ASK) == []


@pytest.mark.parametrize(
    "body",
    ["not carries(X, C), X != C, carries(X, C)", "X != C, carries(X, C), not docks_at(X, C)"],
)
def test_a_positive_atom_may_come_last(body: str) -> None:
    assert [e for e in found(USED + f"docks_at(X, C) :- {body}.\n") if "unsafe" in e] == []


def test_one_negated_atom_is_not_called_several() -> None:
    (problem,) = problems(USED + "docks_at(X, X) :- not carries(X, X).\n")
    assert problem.code == "unsafe-variable"
    assert "shared by negated atoms" not in problem.message


# ---------------------------------------------------------------- warnings never stop a load


@pytest.mark.parametrize(
    "added",
    [
        "class Buoy",
        "docks_at(X, P) :- docks_at(X, P).",
        "docks_at(X, P) :- carries(X, P), carries(X, P).",
    ],
)
def test_warnings_are_kept_and_raise_nothing(added: str) -> None:
    book = load_rules_text(USED + added + "\n")
    assert [p.severity for p in book.warnings] == ["warning"]


# ---------------------------------------------------------------- cycles through absence

CYCLES = [
    ("complete docks_at", "rule one: docks_at(X, P) :- carries(X, P), not docks_at(X, P).", 1),
    ("complete docks_at for Ship",
     "rule one: docks_at(X, P) :- carries(X, P), not docks_at(X, P).", 1),
    ('complete docks_at for "tug"',
     "rule one: docks_at(X, P) :- carries(X, P), not docks_at(X, P).", 1),
    ("complete docks_at",
     "rule one: docks_at(X, P) :- carries(X, P).\n"
     "rule two: carries(X, P) :- docks_at(X, _), docks_at(_, P), not docks_at(X, P).", 1),
    ("complete docks_at\ncomplete carries",
     "rule one: docks_at(X, P) :- carries(X, P), not docks_at(X, P).\n"
     "rule two: carries(X, P) :- docks_at(X, P), not carries(X, P).", 2),
    # no completeness: `not` asks for a proof, and such rules have a meaning
    ("", "rule one: docks_at(X, P) :- carries(X, P), not docks_at(X, P).", 0),
    # complete, but not through its own absence
    ("complete carries", "rule one: docks_at(X, P) :- docks_at(X, P), not carries(X, P).", 0),
]  # fmt: skip


@pytest.mark.parametrize(("complete", "rules", "cycles"), CYCLES)
def test_cycles_through_absence(complete: str, rules: str, cycles: int) -> None:
    told = [p for p in problems(f"{USED}{complete}\n{rules}\n") if p.code == "negative-cycle"]
    assert len(told) == cycles


def test_a_cycle_is_printed_whole_with_every_rule_and_place() -> None:
    text = USED + (
        "relation anchors_at (Ship, Port)\n"
        "relation moors_at (Ship, Port) sub of anchors_at\n"
        "complete docks_at\n"
        "rule mooring: moors_at(X, P) :- carries(X, _), not docks_at(X, P), docks_at(_, P).\n"
        "rule anchored: docks_at(X, P) :- anchors_at(X, P).\n"
    )
    (problem,) = problems(text)
    assert problem.code == "negative-cycle"
    assert problem.is_error
    shown = str(problem)
    for part in (
        "`mooring`",
        "`anchored`",
        "complete docks_at",
        "f.kgr:11",
        "f.kgr:12",
        "f.kgr:13",
        "f.kgr:10",
        "moors_at",
        "anchors_at",
    ):
        assert part in shown
    assert {place.line for place, _ in problem.notes} == {10, 11, 12, 13}
    assert problem.hint


def test_cycles_of_classes_are_no_error() -> None:
    text = "class A sub of B\nclass B sub of C\nclass C sub of A, D sub of D\n"
    text += "relation r (A, A)\nr(X, Y) :- r(Y, X), X : C.\n"
    book, told = check(text)
    assert told == []
    assert book.superclasses["A"] == {"A", "B", "C"}


# ---------------------------------------------------------------- values and entities

VALUES = [
    'relation tons (Ship, integer)\ntons(tug, "heavy").',
    "relation tons (Ship, integer)\ntons(tug, 1.5).",
    "relation built (Ship, date)\nbuilt(tug, 12).",
    "relation built (Ship, date)\nbuilt(tug, 1990-13).",
    'relation tons (Ship, integer)\ntest "t" {\n    tons(tug, heavy).\n'
    "    ask calls(b, c): tug = unk\n}",
    'relation tons (Ship, integer)\ntons(a, 1).\ntest "t" {\n    tons(tug, "1 t").\n'
    "    ask calls(b, c): tug = unk\n}",
]


@pytest.mark.parametrize("added", VALUES, ids=ids)
def test_a_value_that_its_datatype_lacks_is_reported(added: str) -> None:
    assert found(USED + added + "\n") != []


def test_groups_that_ask_for_nothing_or_too_much() -> None:
    def codes(item: str) -> list[str]:
        text = ASK.replace("require docks_at(x, p)", item)
        assert text != ASK
        return [p.code for p in check(HARBOUR + text)[1] if p.code != "unused"]

    assert codes("require any of { }") == ["empty-group"]
    assert codes("require at least 3 of { docks_at(x, p), carries(x, c) }") == ["group-size"]
    assert codes("require at least 0 of { docks_at(x, p) }") == ["group-size"]
    assert codes("require all of { docks_at(x, p), docks_at(x, p) }") == ["repeated"]
    assert codes("require any of { docks_at(x, p)\n        carries(x, c) }") == []


# ---------------------------------------------------------------- constraints of questions

FLEET = """\
class Ship, Port, Cargo, Tug sub of Ship
disjoint Ship, Port, Cargo
relation docks_at (Ship, Port)
relation carries (Ship, Cargo)
relation sails_to (Ship, Port) sub of docks_at
relation flag (Ship, Port) functional
relation owns (Ship, Ship)
relation tows (Tug, Ship)
relation near (Port, Port)
relation tons (Ship, integer) functional
relation length (Ship, decimal)
relation built (Ship, date)
relation launched (Ship, date) functional
relation name (Ship, string)
relation afloat (Ship, boolean)
relation crew (Ship, number)
complete owns
question q(p: Port, c: Cargo, s: Ship, n: integer, d: date, t: string)
    "Which of {p}, {c}, {s}, {n}, {d}, {t}?"
    answer x : Ship
"""
LINE = FLEET.count("\n") + 1


def said(*items: str) -> list[str]:
    """The problems of constraints, as `line:column code`; the first constraint has line 1."""
    text = FLEET + "".join(f"    {item}\n" for item in items)
    told = [p for p in problems(text) if p.code not in ("unused", "vacuous-question")]
    return [f"{p.span.line - LINE + 1}:{p.span.column} {p.code}" for p in told if p.span]


def told(item: str) -> str:
    """Messages and hints of the problems of one constraint."""
    text = FLEET + f"    {item}\n"
    return "\n".join(str(p) for p in problems(text) if p.code != "unused")


FINE = [
    # paths
    "require docks_at/near(x, p)",
    "require ^owns/docks_at(x, p)",
    "require carries/^carries(x, s)",
    "require (docks_at|flag)(x, p)",
    "require (owns+/docks_at|flag)/near+(x, p)",
    "require owns/tons(x, 5)",
    "require owns+/(tons|length)(x, n)",
    "require (^docks_at|^flag)(p, x) except s",
    # values
    "require tons(x) > 5",
    "require tons(x) <= n",
    "require length(x) != 2.5",
    "require crew(x) >= 1e3",
    "exclude length(x) = n",
    "require built(x) < 1950-01",
    "require built(x) < 1950",
    "require built(x) >= d",
    'require built(x) > "1950-05-01T10:00:00Z"',
    'require name(x) < "5"',
    "require name(x) = t",
    "require afloat(x) = true",
    'require afloat(x) != "0"',
    "require owns/^owns/built(x) < d",
    "require (tons|length)(x) > 3",
    # counts
    "require count docks_at(x, _) >= 2",
    'require count docks_at(_, p) > n except "a"',
    "require count owns(_, x) = 0",
    "require count docks_at(x, _) < 1",
    "require count flag(x, _) = 1",
    "require count flag(x, _) >= 1",
    "require count flag(_, p) >= 2",
    "require count carries/^carries(x, _) != 3",
    "require count name(x, _) <= 1",
    # times
    "require docks_at(x, p) at 1995",
    'require not docks_at(x, p) at "1995-05"',
    "require flag(x, p) at d",
    "require tons(x, n) at 1995-05-01",
    "require owns(x, s) at -0044-03-15",
    # absence that counts, exceptions
    "exclude docks_at(x, p) assume closed",
    "require not (docks_at|owns/docks_at)(x, p) assume closed",
    'exclude docks_at(x, p) except "tug", s, <https://ex.org/a>',
    "require any of { docks_at(x, p) at d, not carries(x, c) assume closed } except barge",
]


@pytest.mark.parametrize("item", FINE)
def test_constraints_that_are_fine(item: str) -> None:
    assert [entry for entry in said(item) if "no-answer" not in entry] == []


WRONG = [
    # steps of paths that don't fit
    ("require docks_at/carries(x, c)", ["1:22 path"], "ends at a Port, but `carries` begins at"),
    ("require owns/near(x, p)", ["1:18 path"], "backwards, with `^`"),
    ("require (docks_at|carries)/near(x, p)", ["1:23 path"], "the way `carries` can't be taken"),
    ("require (near|docks_at)(x, p)", ["1:14 path"], "a Ship stands where it has a Port"),
    ("require owns/(near|docks_at)(x, p)", ["1:19 path"], "the way `near` can't be taken"),
    ("require docks_at+(x, p)", ["1:13 path"], "write `docks_at`"),
    ("require (owns/docks_at)+(x, p)", ["1:13 path"], "can't take a second step"),
    ("require (docks_at/^docks_at/near)/near(x, p)", ["1:33 path"], "begins at a Port"),
    # values inside paths
    ("require ^tons(x, s)", ["1:14 path"], "`^` would begin there"),
    ("require tons+(x, n)", ["1:13 path"], "`+` would go on from there"),
    ("require tons/owns(x, s)", ["1:13 path"], "the path would go on from there"),
    ("require (owns|tons)/owns(x, s)", ["1:19 path"], "only be the last step"),
    ("require owns/^(owns/tons)(x, s)", ["1:25 path"], "`^` would begin there"),
    ("require (tons|owns)(x, s)", ["1:19 path"], "the first way"),
    ("require (tons|built)(x, d)", ["1:19 path"], "the first way to a value (integer)"),
    # arguments of paths
    ("require docks_at/near(x, c)", ["1:30 signature"], "`c` is a Cargo, but a Port belongs"),
    ("require docks_at/near(p, x)", ["1:13 signature"], "`docks_at/near(x, p)`"),
    ("require (docks_at|flag)(p, x)", ["1:13 signature"], "relates Ship to Port"),
    ("require ^docks_at(x, p)", ["1:13 signature"], "write `^docks_at(p, x)`"),
    ("require owns/tons(x, heavy)", ["1:26 value-type"], "of type integer"),
    ("require docks_at/near(x)", ["1:13 arity"], "takes 2 arguments, 1 given"),
    ("require docks_at/near(x, x)", ["1:30 signature"], "a Port belongs here"),
    # comparisons
    ("require docks_at(x) > 5", ["1:13 comparison"], "leads to a Port; `>` compares values"),
    ("require docks_at(x) = oslo", ["1:13 comparison"], "write `docks_at(x, y)`"),
    ("require owns/owns(x) != p", ["1:13 comparison"], "write `not owns/owns(x, y)`"),
    ("require tons(p) > 5", ["1:5 no-answer", "1:18 signature"], "`p` is a Port"),
    ("require tons(x, n) > 5", ["1:13 arity"], "takes 1 argument in a comparison, 2 given"),
    ("require tons(x, _) > 5", ["1:13 arity", "1:21 variable-in-question"], "born(x) < 1950"),
    ("require tons(x) > 2.5", ["1:23 value-type"], "of type integer"),
    ("require tons(x) > heavy", ["1:23 value-type"], "of type integer"),
    ("require tons(x) > 1950-01-01", ["1:23 value-type"], "of type integer"),
    ("require built(x) < 1950-13", ["1:24 value-type"], "dates are YYYY"),
    ("require built(x) < \"long ago\"", ["1:24 value-type"], "dates are YYYY"),
    ("require built(x) < 19", ["1:24 value-type"], "dates are YYYY"),
    ("require name(x) = 5", ["1:23 value-type"], "write `\"5\"`"),
    ("require name(x) < 1950-01-01", ["1:23 value-type"], "declare the relation with `date`"),
    ("require name(x) = <https://ex.org/a>", ["1:23 value-type"], "names an entity"),
    ("require afloat(x) = perhaps", ["1:25 value-type"], "of type boolean"),
    ("require afloat(x) < true", ["1:13 comparison"], "no order"),
    ("require tons(x) > p", ["1:23 comparison"], "`p` is a Port, no value"),
    ("require tons(x) > x", ["1:23 comparison"], "`x` is a Ship, no value"),
    ("require tons(x) > d", ["1:23 comparison"], "leads to a value (integer)"),
    ("require built(x) > n", ["1:24 comparison"], "numbers compare with numbers"),
    ("require name(x) > n", ["1:23 comparison"], "texts with texts"),
    ("require tons(x) > N", ["1:23 variable-in-question"], "`n`"),
    ("require tons(x) > _", ["1:23 variable-in-question"], "no variables"),
    ("require tonss(x) > 5", ["1:13 unknown-relation"], "`tons`"),
    ("require owns/tonss(x) > 5", ["1:18 unknown-relation"], "`tons`"),
    ("require tons(x) > imo:5", ["1:23 unknown-prefix", "1:23 value-type"], "declare it"),
    # counts
    ("require count docks_at(x, p) >= 2", ["1:13 count"], "one argument must be `_`"),
    ("require count docks_at(_, _) >= 2", ["1:5 no-answer", "1:13 count"], "not mention"),
    ("require count docks_at(x) >= 2", ["1:13 arity"], "takes 2 arguments in a count, 1 given"),
    ("require count docks_at(_, x) >= 2", ["1:13 signature"], "`docks_at(x, _)`"),
    ("require count docks_at(x, _) = 2.5", ["1:36 count"], "a whole number"),
    ("require count docks_at(x, _) >= 1e3", ["1:37 count"], "a whole number"),
    ("require count docks_at(x, _) >= -1", ["1:37 count"], "below 0"),
    ("require count docks_at(x, _) >= \"2\"", ["1:37 count"], "no number of things"),
    ("require count docks_at(x, _) >= many", ["1:37 count"], "no number of things"),
    ("require count docks_at(x, _) >= p", ["1:37 count"], "declare the parameter as `integer`"),
    ("require count docks_at(x, _) >= d", ["1:37 count"], "`d` is a value (date)"),
    ("require count docks_at(x, _) >= 0", ["1:13 vacuous-constraint"], "always holds"),
    ("require count docks_at(x, _) < 0", ["1:13 vacuous-constraint"], "never holds"),
    ("require count flag(x, _) >= 2", ["1:13 vacuous-constraint"], "functional, a subject has"),
    ("require count flag(x, _) <= 1", ["1:13 vacuous-constraint"], "always holds"),
    # times
    ("require x : Tug at 1995", ["1:24 time"], "a class has its members at all times"),
    ("require docks_at/near(x, p) at 1995", ["1:36 time"], "a path has no time"),
    ("require tons(x) > 5 at 1995", ["1:28 time"], "a comparison of values has no time"),
    ("require count docks_at(x, _) > 1 at 1995", ["1:41 time"], "a count has no time"),
    ("require docks_at(x, p) at n", ["1:31 time"], "declare the parameter as `date`"),
    ("require docks_at(x, p) at x", ["1:31 time"], "`x` is a Ship, no time"),
    ("require docks_at(x, p) at noon", ["1:31 value-type"], "dates are YYYY"),
    ("require docks_at(x, p) at 95", ["1:31 value-type"], "dates are YYYY"),
    ("require docks_at(x, p) at 1995-02-30", ["1:31 value-type"], "dates are YYYY"),
    ("require docks_at(x, p) at D", ["1:31 variable-in-question"], "`d`"),
    # absence that counts
    ("require owns(x, s) assume closed", ["1:13 implied"], "`complete owns` says `assume closed`"),
    ("require owns/^owns(x, s) assume closed", ["1:13 implied"], "`complete owns`"),
    # exceptions
    ("exclude docks_at(x, p) except 5", ["1:35 exception"], "exceptions are entities"),
    ("exclude docks_at(x, p) except 1950-01-01", ["1:35 exception"], "into double quotes"),
    ("exclude docks_at(x, p) except x", ["1:35 exception"], "would apply to nobody"),
    ("exclude docks_at(x, p) except p", ["1:35 exception"], "an answer is a Ship"),
    ("exclude docks_at(x, p) except n", ["1:35 exception"], "a value (integer)"),
    ("exclude docks_at(x, p) except a, b, a", ["1:41 repeated"], "excepted twice"),
    ("exclude docks_at(x, p) except X", ["1:35 variable-in-question"], "`x`"),
    ("exclude docks_at(x, p) except imo:9", ["1:35 unknown-prefix"], "declare it"),
    ("exclude near(p, p) except a", ["1:5 no-answer"], "exceptions are candidates"),
]  # fmt: skip


@pytest.mark.parametrize(("item", "expected", "word"), WRONG)
def test_constraints_that_have_no_meaning(item: str, expected: list[str], word: str) -> None:
    assert said(item) == expected
    assert word in told(item)


@pytest.mark.parametrize("item", ["require tons(x) > nn", "require built(x) < dd",
    "require docks_at(x, p) at dd", "require count docks_at(x, _) > nn", "require tons(x, nn)",
    "exclude docks_at(x, p) except ss"])  # fmt: skip
def test_a_misspelt_parameter_is_told_once(item: str) -> None:
    text = FLEET.replace("n: integer, d: date", "nnn: integer, ddd: date").replace("{n}, {d}", "")
    text = text.replace("s: Ship", "sss: Ship").replace("{s}, ", "") + f"    {item}\n"
    told = [p for p in problems(text) if p.code != "unused"]
    assert [p.code for p in told] == ["unknown-parameter"]
    assert "did you mean" in told[0].hint


PAIRS = [
    # the same
    ("require docks_at(x, p)", "require (docks_at)(x, p)", ["2:5 repeated"]),
    ("require docks_at(x, p)", "require ^docks_at(p, x)", ["2:5 repeated"]),
    ("require docks_at/near(x, p)", "exclude not ^^docks_at/near(x, p)", ["2:5 repeated"]),
    ("require (docks_at|flag)(x, p)", "require (flag|docks_at)(x, p)", ["2:5 repeated"]),
    ("require count ^owns(x, _) > 1", "require count owns(_, x) > 1", ["2:5 repeated"]),
    ("require built(x) < d", "require built(x) < d", ["2:5 repeated"]),
    ("exclude docks_at(x, p) except a, b", "exclude docks_at(x, p) except b, a", ["2:5 repeated"]),
    # different
    ("require docks_at(x, p) at d", "require docks_at(x, p) at 1990", []),
    ("require built(x) < d", "require built(x) <= d", []),
    ("require built(x) < d", "exclude built(x) > d", []),
    ("require built(x) < 1950-01-01", "require built(x) > 1960-01-01", []),
    ("require built(x) <= 1990", "require built(x) < 1990-06", ["1:5 implied"]),
    ("require launched(x) <= 1990", "require launched(x) > 1990-03", []),
    ("require launched(x) <= 1990", "require launched(x) > 1990", ["2:5 contradiction"]),
    ("require launched(x) < 1990", "require launched(x) >= 1990-01", ["2:5 contradiction"]),
    ("require launched(x) = 1990-05", "require launched(x) >= 1990", ["2:5 implied"]),
    ("require launched(x) = 1990", "require launched(x) >= 1990-05", []),
    ("require launched(x) > \"1990-05-01T10:00:00\"", "require launched(x) <= 1990-04",
     ["2:5 contradiction"]),
    ("require launched(x) < \"1990-05-01T10:00:00Z\"", "require launched(x) > 1990-06", []),
    ("require launched(x) < \"1990-05-01T10:00:00\"",
     "require launched(x) >= \"1990-05-01T10:00:00\"", ["2:5 contradiction"]),
    ("exclude docks_at(x, p) except a", "exclude docks_at(x, p) except b", []),
    ("require docks_at(x, p)", "exclude docks_at(x, p) at 1990", []),
    ("require docks_at(x, p)", "exclude docks_at(x, p) except a", []),
    ("exclude x : Tug", "exclude tows(x, s)", []),
    ("exclude x : Tug", "exclude tows(x, x)", ["2:5 implied"]),
    ("require tows(x, s)", "require x : Tug", ["2:5 implied"]),
    ("prefer count docks_at(x, _) >= 2", "prefer count docks_at(x, _) >= 4", []),
    # one says the other
    ("require x : Tug", "require x : Ship", ["2:5 implied"]),
    ("require sails_to(x, p)", "require docks_at(x, p)", ["2:5 implied"]),
    ("require docks_at(x, p)", "require sails_to(x, p)", ["1:5 implied"]),
    ("exclude docks_at(x, p)", "exclude sails_to(x, p)", ["2:5 implied"]),
    ("require flag(x, p)", "require (docks_at|flag)(x, p)", ["2:5 implied"]),
    ("require owns(x, s)", "require owns+(x, s)", ["2:5 implied"]),
    ("require owns/owns(x, s)", "require owns+(x, s)", ["2:5 implied"]),
    ("require sails_to/near(x, p)", "require docks_at/near+(x, p)", ["2:5 implied"]),
    ("require docks_at(x, p) at 1990", "require docks_at(x, p)", ["2:5 implied"]),
    ("require docks_at(x, p)", "require docks_at(x, p) assume closed", ["2:5 implied"]),
    ("exclude docks_at(x, p)", "exclude docks_at(x, p) assume closed", ["2:5 implied"]),
    ("exclude docks_at(x, p) assume closed", "exclude docks_at(x, p)", ["1:5 implied"]),
    ("exclude docks_at(x, p)", "exclude docks_at(x, p) except a", ["2:5 implied"]),
    ("exclude docks_at(x, p) except a", "exclude docks_at(x, p)", ["1:5 implied"]),
    ("require docks_at(x, p)", "require any of { docks_at(x, p), carries(x, c) }",
     ["2:5 implied"]),
    ("require all of { docks_at(x, p), carries(x, c) }", "require carries(x, c)",
     ["2:5 implied"]),
    ("require count docks_at(x, _) >= 3", "require count docks_at(x, _) > 1", ["2:5 implied"]),
    ("require count docks_at(x, _) > 1", "require count docks_at(x, _) >= 2", ["2:5 implied"]),
    ("require tons(x) > 5", "require tons(x) >= 5", ["2:5 implied"]),
    ("require crew(x) = 5", "require crew(x) < 5.5", ["2:5 implied"]),
    ("require built(x) < 1950-01-01", "require built(x) < 1960", ["2:5 implied"]),
    # one rules out the other
    ("require sails_to(x, p)", "exclude docks_at(x, p)", ["2:5 contradiction"]),
    ("exclude docks_at(x, p)", "require sails_to(x, p)", ["2:5 contradiction"]),
    ("require flag(x, p)", "exclude (docks_at|flag)(x, p)", ["2:5 contradiction"]),
    ("require docks_at(x, p) at 1990", "exclude docks_at(x, p)", ["2:5 contradiction"]),
    ("require docks_at(x, p) assume closed", "exclude docks_at(x, p)", ["2:5 contradiction"]),
    ("require carries(x, c)", "require not any of { carries(x, c), owns(x, s) }",
     ["2:5 contradiction"]),
    ("require all of { docks_at(x, p), carries(x, c) }", "exclude carries(x, c)",
     ["2:5 contradiction"]),
    ("require count docks_at(x, _) >= 3", "require count docks_at(x, _) < 3",
     ["2:5 contradiction"]),
    ("require count docks_at(x, _) = 1", "require count docks_at(x, _) = 2",
     ["2:5 contradiction"]),
    ("require tons(x) > 5", "require tons(x) <= 5", ["2:5 contradiction"]),
    ("require owns(x, s)", "exclude x : Ship", ["2:5 contradiction"]),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "expected"), PAIRS)
def test_constraints_beside_each_other(one: str, other: str, expected: list[str]) -> None:
    assert said(one, other) == expected


def test_members_of_groups_that_say_the_same_count_once() -> None:
    group = "require any of { docks_at(x, p), ^docks_at(p, x), (docks_at)(x, p) }"
    assert said(group) == ["1:13 repeated"]
    assert said("require at least 2 of { owns(x, s), ^owns(s, x) }") == [
        "1:13 group-size",
        "1:13 repeated",
    ]


def test_parameters_may_be_used_in_times_values_counts_and_exceptions_only() -> None:
    text = """\
class Ship, Port
relation docks_at (Ship, Port)
relation tons (Ship, integer)
question q(d: date, n: integer, m: integer, s: Ship)
    "{d} {n} {m} {s}"
    answer x : Ship
    require docks_at(x, "oslo") at d
    require tons(x) > n
    require count docks_at(x, _) > m except s
"""
    assert found(text) == []
    assert found(text.replace(" except s", "")) == ["4:45 unused"]


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ("functional, functional at a time", ["9:43 property"]),
        ("functional at a time, symmetric, functional", ["9:31 property"]),
        ("functional at a time, inverse functional", []),
        ("functional, symmetric, functional", ["9:54 repeated"]),
    ],
)
def test_properties_that_do_not_go_together(properties: str, expected: list[str]) -> None:
    text = USED + f"relation tows_it (Ship, Ship) {properties}\ntows_it(a, b).\n"
    assert found(text) == expected


@pytest.mark.parametrize("name", ["of", "for", "not"])
def test_words_that_no_class_may_have(name: str) -> None:
    assert found(USED + f"class {name}\n") == ["9:7 reserved-name"]


def test_a_quoted_name_is_never_the_parameter_of_that_name() -> None:
    text = FLEET + '    require docks_at(x, p)\n    exclude carries(x, "p")\n'
    assert [p.code for p in problems(text) if p.code != "unused"] == []
