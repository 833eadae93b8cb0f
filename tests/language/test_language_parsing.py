"""What the rule language allows, and where it says that a mistake is."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from harbour import ASK, HARBOUR, USED, found

from kgverify.errors import RuleError
from kgverify.language import syntax as s
from kgverify.language.checks import check, load_rules
from kgverify.language.parsing import parse

KEYWORDS = (
    *("prefix", "class", "disjoint", "relation", "complete", "same", "rule", "soft"),
    *("question", "test"),
)


def statement(text: str) -> s.Statement:
    parsed, problems = parse(text)
    assert problems == []
    (only,) = parsed.statements
    return only


# ---------------------------------------------------------------- names


@pytest.mark.parametrize("name", [f"{word}_x" for word in KEYWORDS] + [
    "notable_for", "completes", "classifies", "nothing", "notx", "ruler", "tester", "prefixed",
    "soften", "same_as", "weighty", "answers", "requires", "preferred", "forge", "android",
    "office",
    "satisfied", "violet", "functionally", "symmetrical", "subs", "asking", "counts", "ats",
])  # fmt: skip
def test_names_that_begin_like_keywords_are_names(name: str) -> None:
    text = (
        HARBOUR + f"relation {name} (Ship, Ship)\n{name}(X, Y) :- {name}(Y, X), docks_at(X, P).\n"
    )
    text += f"not {name}(X, Y) :- not {name}(Y, X), docks_at(X, _), docks_at(Y, _).\n"
    text += ASK + f"    prefer not {name}(x, x)\n"
    book, problems = check(text)
    assert problems == []
    assert name in book.relations
    assert [rule.head.negated for rule in book.rules] == [False, True]


def test_capitals_make_variables_in_any_script() -> None:
    rule = statement("größer(Ü, x) :- größer(Ж, ñ), größer(_Z, _).")
    assert isinstance(rule, s.Rule)
    kinds = [term.kind.value for part in (rule.head, *rule.body) for term in part.terms]
    assert kinds == ["variable", "name", "variable", "name", "variable", "anonymous"]


def test_a_whole_file_in_unicode_passes() -> None:
    text = (
        'class Città, Straße = "rue à sens unique"\n'
        'relation größer = <https://例え.jp/größer> (Città, Straße) "{0} größer {1} ≥ ✓"\n'
        'question wér(é: Straße)\n    "è {é}?"\n    answer ñ : Città\n    require größer(ñ, é)\n'
    )
    book, problems = check(text)
    assert problems == []
    assert book.kg_name("größer") == "https://例え.jp/größer"
    assert book.kg_name("Straße") == "rue à sens unique"


# ---------------------------------------------------------------- terms and texts


@pytest.mark.parametrize(
    ("written", "kind", "content"),
    [
        ("pain", "name", "pain"),
        ("Pain", "variable", "Pain"),
        ("_", "anonymous", "_"),
        ("db:DB00014", "curie", "db:DB00014"),
        (":p4", "curie", ":p4"),
        ("mesh:D001-x.2", "curie", "mesh:D001-x.2"),
        ("<https://ex.org/L'Aquila_(city),%20&;>", "iri", "https://ex.org/L'Aquila_(city),%20&;"),
        ("42", "number", "42"),
        ("-4294967297", "number", "-4294967297"),
        ("3.50", "number", "3.50"),
        ("1e-7", "number", "1e-7"),
        ("1990-05-01", "date", "1990-05-01"),
        ("1990-05", "date", "1990-05"),
        ("-0044-03-15", "date", "-0044-03-15"),
        ('"a \\"b\\" \\\\ c"', "string", 'a "b" \\ c'),
        ('"tab\\tline\\nend"', "string", "tab\tline\nend"),
        ('"# no comment. :- {"', "string", "# no comment. :- {"),
        ('""', "string", ""),
    ],
)
def test_terms(written: str, kind: str, content: str) -> None:
    rule = statement(f"r(a, {written}).")
    assert isinstance(rule, s.Rule)
    term = rule.head.terms[1]
    assert (term.kind.value, term.text) == (kind, content)
    assert (term.span.column, term.span.end_column) == (6, 6 + len(written))


@pytest.mark.parametrize(
    "left", ["X", "a", '"a b"', "<https://ex.org/a>", ":a", "_", "5", "1990-05-01"]
)
@pytest.mark.parametrize("operator", ["=", "!="])
def test_an_equality_may_begin_with_any_term(left: str, operator: str) -> None:
    rule = statement(f"r(X, Y) :- r(X, Y), {left} {operator} Y.")
    assert isinstance(rule, s.Rule)
    condition = rule.body[1]
    assert isinstance(condition, s.Comparison)
    assert condition.operator == operator


def test_weights_are_exact() -> None:
    weights = ("0.1", "2", "1e3", "0.30000000000000004", "123456789012345678901234567890.5")
    text = ASK + "".join(f"    prefer docks_at(x, p) weight {w}\n" for w in weights)
    question = statement(text)
    assert isinstance(question, s.Question)
    assert [item.weight for item in question.items[2:]] == [Decimal(w) for w in weights]


def test_comments_are_left_out_everywhere() -> None:
    text = (
        "# first\nclass Ship, # the boats\n    Port  # and where they go\n"
        "relation docks_at (Ship, # who\n    Port) # where\n"
        "    # a comment line\n    functional  # only one\n"
        'docks_at(X, Y) # head\n  :- # arrow\n  docks_at(Y, X) # "unclosed\n  , X != Y. # end'
    )
    parsed, problems = parse(text)
    assert problems == []
    assert [type(x).__name__ for x in parsed.statements] == [
        "ClassDeclaration",
        "ClassDeclaration",
        "RelationDeclaration",
        "Rule",
    ]


def test_a_statement_may_share_its_line_or_take_many() -> None:
    one_line = parse("r(X, Y) :- s(X, Y), not t(Y, X).")[0]
    assert parse("r\n (\n X\n ,\n Y\n )\n :-\n s(X\n ,Y),\n not\n t(Y, X)\n .\n")[0] == one_line


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_marks_and_line_ends_change_nothing(tmp_path: Path, mark: bytes, end: str) -> None:
    path = tmp_path / "calls.kgr"
    path.write_bytes(mark + USED.replace("\n", end).encode())
    book = load_rules(path)
    assert book.warnings == ()
    assert book.hash == load_rules_plain(tmp_path).hash
    path.write_bytes(
        mark
        + USED.replace("(x, c)", "(x, k)")
        .replace("carries(x", "carry(x")
        .replace("\n", end)
        .encode()
    )
    with pytest.raises(RuleError) as caught:
        load_rules(path)
    places = [(p.span.line, p.span.column, p.code) for p in caught.value.problems if p.is_error]
    assert places == [(8, 13, "unknown-relation"), (8, 22, "unknown-parameter")][: len(places)]
    assert places[0] == (8, 13, "unknown-relation")


def load_rules_plain(folder: Path):
    plain = folder / "plain.kgr"
    plain.write_bytes(USED.encode())
    return load_rules(plain)


@pytest.mark.parametrize("text", ["", "\n\n", "   \t\n", "# only a comment\n", "\ufeff"])
def test_an_empty_file_is_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "empty.kgr"
    path.write_text(text, "utf-8")
    with pytest.raises(RuleError) as caught:
        load_rules(path)
    assert [p.code for p in caught.value.problems] == ["empty-file"]


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuleError) as caught:
        load_rules(tmp_path / "nowhere.kgr")
    (problem,) = caught.value.problems
    assert problem.code == "missing-file"
    assert "nowhere.kgr" in str(problem)


def test_a_folder_is_no_rule_file(tmp_path: Path) -> None:
    with pytest.raises(RuleError):
        load_rules(tmp_path)


def test_text_that_is_not_utf8_is_placed(tmp_path: Path) -> None:
    path = tmp_path / "latin.kgr"
    path.write_bytes(b'class Ship\nclass Port "caf\xe9"\n')
    with pytest.raises(RuleError) as caught:
        load_rules(path)
    (problem,) = caught.value.problems
    assert (problem.code, problem.span.line) == ("not-utf8", 2)


def test_two_hundred_statements() -> None:
    text = "class C0\n" + "".join(f"class C{n} sub of C{n - 1}\n" for n in range(1, 100))
    text += "".join(f"relation r{n} (C{n}, C{n})\n" for n in range(100))
    text += "".join(f"r{n}(X, Y) :- r{n - 1}(X, Y).\n" for n in range(1, 100))
    book, problems = check(text)
    assert problems == []
    assert (len(book.classes), len(book.relations), len(book.rules)) == (100, 100, 99)
    assert len(book.superclasses["C99"]) == 100


def test_two_hundred_mistakes_are_two_hundred_problems() -> None:
    text = USED + "".join(
        f"docks_at(X, Y{n}) :- carries(X, C), docks_at(X, P)\n" for n in range(200)
    )
    assert found(text) == [
        f"{line}:{48 + len(str(line - 9))} missing-dot" for line in range(9, 209)
    ]


# ---------------------------------------------------------------- mistakes of syntax


WRONG_WORD = "the wrong thing is said to be missing"
IN_TEST = "inside a test block a missing dot is said to be an unexpected word on the next line"
SYNTAX = [
    # dots
    ("docks_at(X, P) :- docks_at(X, P), carries(X, _)", "9:48 missing-dot"),
    ("docks_at(a, b)", "9:15 missing-dot"),
    ("rule calls: docks_at(X, P) :- carries(X, P)\n\n\n", "9:44 missing-dot"),
    ("docks_at(X, P) :- carries(X, P)   # no dot\nnot carries(X, P) :- docks_at(X, P).",
     "9:32 missing-dot"),
    ("docks_at(X, P) :- carries(X, P)\nclass Buoy\nrelation at_buoy (Buoy, Buoy)\n"
     "at_buoy(X, Y) :- at_buoy(Y, X).", "9:32 missing-dot"),
    ('test "t" {\n    docks_at(a, b)\n    ask calls(b, c): a = unk\n}', "10:19 missing-dot"),
    (
        'test "t" {\n    docks_at(a, b)\n    docks_at(a, c).\n    ask calls(b, c): a = unk\n}',
        "10:19 missing-dot",
    ),
    # quotes
    ('rule named "no end: docks_at(X, P) :- carries(X, P).', "9:12 unclosed-quote"),
    ('test "no end {\n    ask calls(b, c): a = unk\n}', "9:6 unclosed-quote"),
    ('docks_at(a, "b).\ncarries(a, c).', "9:13 unclosed-quote"),
    # brackets
    ("docks_at(X, P) :- carries(X, P.", "9:31 missing-bracket"),
    ("docks_at(X, P :- carries(X, P).", "9:14 missing-bracket"),
    ("docks_at(X, P) :- carries X, P).", "9:26 missing-bracket"),
    # arrows, braces, commas
    ("docks_at(X, P) : - carries(X, P).", "9:16 split-arrow"),
    ("rule a: docks_at(X, P) :\n    - carries(X, P).", "9:24 split-arrow"),
    ('test "open" {\n    docks_at(a, b).\n    ask calls(b, c): a = unk', "9:13 unclosed-brace"),
    ('test "open" {\n    ask calls(b, c): a = unk\n\ntest "closed" {\n'
     "    ask calls(b, c): a = unk\n}", "9:13 unclosed-brace"),
    ("docks_at(X, P) :- carries(X, P) docks_at(X, P).", "9:32 missing-comma"),
    ("docks_at(X P) :- carries(X, P).", "9:11 missing-comma"),
    ("docks_at(X, P) :- carries(X, P), X != P docks_at(X, P).", "9:40 missing-comma"),
    ("disjoint Ship Port", "9:14 missing-comma"),
    ('test "t" {\n    ask calls(b, c): a = unk d = unk\n}', "10:29 missing-comma"),
    ('test "t" {\n    ask calls(b c): a = unk\n}', "10:16 missing-comma"),
    # the rest
    ('test "t" {\n    ask calls(b, c): a unk\n}', "10:23 missing-equals"),
    ("clas Buoy", "9:1 unknown-statement"),
    ("docks_at(a, b) ; carries(a, c).", "9:16 unknown-character"),
    ("soft docks_at(X, P) :- carries(X, P).", "9:6 syntax"),
    ("soft 0.4 docks_at(a, b).", "9:24 syntax"),
    ("soft 0.4 docks_at(X, P) :- carries(X, P)", "9:41 missing-dot"),
    ("soft 0.4 docks_at(X, P) : - carries(X, P).", "9:25 split-arrow"),
    ('soft 0.4 rule near docks_at(X, P) :- carries(X, P).', "9:19 missing-colon"),
    ("soft 0.4 docks_at(X, P) :- carries(X, P) > 3.", "9:42 syntax"),
    ("softly 0.4 docks_at(X, P) :- carries(X, P).", "9:1 unknown-statement"),
    ("same a b", "9:7 missing-comma"),
    ("same :a", "9:8 syntax"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SYNTAX)
@pytest.mark.parametrize("tail", ["", "\ncarries(X, C) :- carries(X, C), docks_at(X, _).\n"])
def test_a_mistake_is_placed_where_it_is_and_alone(text: str, expected: str, tail: str) -> None:
    assert [p for p in found(USED + text + tail) if "never-fires" not in p] == [expected]


BROKEN_DECLARATIONS = [
    ("class Ship, Port, Cargo", "class Ship, Port Cargo", "1:17 missing-comma"),
    ("class Ship, Port, Cargo", 'class Ship, Port, Cargo "all', "1:25 unclosed-quote"),
    ("relation docks_at (Ship, Port)", "relation docks_at (Ship Port)", "2:24 missing-comma"),
    ("relation docks_at (Ship, Port)", "relation docks_at (Ship, Port", "2:30 missing-bracket"),
    (
        "relation docks_at (Ship, Port)",
        "relation docks_at (Ship, Port functional",
        "2:30 missing-bracket",
    ),
    ("relation docks_at (Ship, Port)", "relation docks_at (Ship, Port) functional symmetric",
     "2:42 missing-comma"),
    ("calls(p: Port, c: Cargo)", "calls(p: Port, c: Cargo", "4:33 missing-bracket"),
    ("calls(p: Port, c: Cargo)", "calls(p: Port c: Cargo)", "4:23 missing-comma"),
    ("exclude carries(x, c)", "exclude carries(x, c", "8:25 missing-bracket"),
    ('{c}?"', "{c}?", "5:5 unclosed-quote"),
]  # fmt: skip


@pytest.mark.parametrize(("good", "bad", "expected"), BROKEN_DECLARATIONS)
def test_a_broken_declaration_is_the_only_problem(good: str, bad: str, expected: str) -> None:
    assert USED.count(good) == 1
    assert found(USED.replace(good, bad)) == [expected]


def test_messages_speak_no_parser_jargon() -> None:
    for text, _ in (case.values if hasattr(case, "values") else case for case in SYNTAX):
        for problem in check(USED + str(text))[1]:
            shown = str(problem)
            for word in ("$END", "__ANON", "RPAR", "LPAR", "Token(", "UnexpectedToken", "NAME"):
                assert word not in shown


# ---------------------------------------------------------------- constraints of questions


def constraint(text: str) -> s.Item:
    """The one constraint of a question."""
    question = statement(f'question q(t: date)\n    "?"\n    answer x : Ship\n    {text}')
    assert isinstance(question, s.Question)
    (item,) = question.items
    return item


@pytest.mark.parametrize(
    ("written", "shape"),
    [
        ("docks_at/carries", ("sequence", "docks_at", "carries")),
        ("docks_at | carries", ("alternative", "docks_at", "carries")),
        ("(docks_at | carries)", ("alternative", "docks_at", "carries")),
        ("^docks_at", ("inverse", "docks_at")),
        ("docks_at+", ("closure", "docks_at")),
        ("^docks_at+", ("closure", ("inverse", "docks_at"))),
        ("^(docks_at+)", ("inverse", ("closure", "docks_at"))),
        ("a/^b/c+", ("sequence", "a", ("inverse", "b"), ("closure", "c"))),
        ("(a|b/c)", ("alternative", "a", ("sequence", "b", "c"))),
        ("(a|b)/c", ("sequence", ("alternative", "a", "b"), "c")),
        ("(a/b)+", ("closure", ("sequence", "a", "b"))),
        ("((a))/(b)", ("sequence", "a", "b")),
        ("a/(b/c)", ("sequence", "a", ("sequence", "b", "c"))),
    ],
)
def test_paths(written: str, shape: object) -> None:
    def shaped(path: s.Path) -> object:
        if path.relation is not None:
            return path.relation.text
        return (path.kind, *map(shaped, path.parts))

    condition = constraint(f"require {written}(x, p)").condition
    assert isinstance(condition, s.Literal)
    assert isinstance(condition.atom, s.PathAtom)
    assert shaped(condition.atom.path) == shape
    assert [term.text for term in condition.atom.arguments] == ["x", "p"]


def test_a_path_of_one_relation_is_a_relation() -> None:
    condition = constraint("require ((docks_at))(x, t)").condition
    assert isinstance(condition, s.Literal)
    assert isinstance(condition.atom, s.RelationAtom)
    assert condition == constraint("require docks_at(x, t)").condition


@pytest.mark.parametrize("sign", ["<", "<=", "=", "!=", ">=", ">"])
@pytest.mark.parametrize("value", ["1950-01-01", "-3.5", '"Oslo"', "t", "true"])
def test_comparisons_of_values(sign: str, value: str) -> None:
    for space in (" ", ""):
        condition = constraint(f"exclude built(x){space}{sign} {value}").condition
        assert isinstance(condition, s.Literal)
        atom = condition.atom
        assert isinstance(atom, s.ValueAtom)
        assert (atom.operator, [a.text for a in atom.arguments]) == (sign, ["x"])
        assert atom.value.text == value.strip('"')


def test_counts() -> None:
    condition = constraint("require not count ^carries/tons(_, x) >= 2").condition
    assert isinstance(condition, s.Literal)
    atom = condition.atom
    assert isinstance(atom, s.CountAtom)
    assert condition.negated
    assert (atom.operator, atom.value.text, atom.path.kind) == (">=", "2", "sequence")
    assert [term.kind.value for term in atom.arguments] == ["anonymous", "name"]
    assert [term.text for term in atom.terms] == ["x", "2"]


def test_what_follows_a_constraint_has_one_order() -> None:
    item = constraint(
        'prefer not docks_at(x, "oslo") at 1995 assume closed except :a, t weight 2 "why"'
    )
    literal = item.condition
    assert isinstance(literal, s.Literal)
    assert (literal.negated, literal.closed, item.weight, item.sentence) == (True, True, 2, "why")
    assert literal.at is not None
    assert (literal.at.kind.value, literal.at.text) == ("number", "1995")
    assert [(term.kind.value, term.text) for term in item.exceptions] == [
        ("curie", ":a"),
        ("name", "t"),
    ]


def test_members_of_groups_have_times_and_closed_absence_of_their_own() -> None:
    group = constraint(
        "require any of { docks_at(x, t) at t, docks_at(x, t) assume closed\n"
        "    count carries(x, _) > 1\n    built(x) < t }"
    ).condition
    assert isinstance(group, s.Group)
    assert [(m.at is not None, m.closed) for m in group.members if isinstance(m, s.Literal)] == [
        (True, False),
        (False, True),
        (False, False),
        (False, False),
    ]


PLACED = ("at", "count", "except", "assume", "closed", "weight", "any", "all", "least", "time")


@pytest.mark.parametrize("name", PLACED)
def test_words_of_constraints_are_names_everywhere_else(name: str) -> None:
    text = f"""\
class Ship, Port, {name}_of
relation {name} (Ship, Ship)
question {name}_q({name}: Ship, t: date)
    "Which of {{{name}}} at {{t}}?"
    answer x : Ship
    require {name}(x, {name}) at t assume closed except {name}
    require ({name}|^{name})/{name}+(x, "a")
    exclude count {name}(x, _) >= 3
    prefer  any of {{ {name}(x, "b"), not {name}(x, "c")
        {name}(x, "d") at 1990
        {name}(x, "e")
        x = {name} }} weight 2
{name}({name}, b).
not {name}(X, Y) :- {name}(Y, X), X != {name}.
t : {name}_of.
"""
    assert [str(p) for p in check(text)[1] if p.code != "unused"] == []


def test_a_count_of_a_path_in_brackets_is_no_relation_of_that_name() -> None:
    atoms = []
    for text in ("count (a|b)(x, _) >= 2", "count ((a|b)/c)(x, _) >= 2", "count (x, t)"):
        literal = constraint("require " + text).condition
        assert isinstance(literal, s.Literal)
        atoms.append(type(literal.atom).__name__)
    assert atoms == ["CountAtom", "CountAtom", "RelationAtom"]


OWNING = [
    "require owns(x) > 5", "require docks_at/owns(x, c)", "require count owns(x, _) >= 2",
    "require docks_at(x, p)\n    require owns(x, p) at 1995", "exclude owns(x, c) except :tug",
    "require (docks_at|owns)(x, p)", "require ^owns+(x, p)",
]  # fmt: skip


@pytest.mark.parametrize("last", [True, False], ids=["last", "first"])
@pytest.mark.parametrize("item", OWNING)
def test_an_unknown_relation_is_placed_where_it_stands(item: str, last: bool) -> None:
    lines = USED.splitlines()
    lines.insert(len(lines) if last else 6, "    " + item)
    text = "\n".join(lines) + "\n"
    errors = [p for p in check(text)[1] if p.code == "unknown-relation"]
    (place,) = [
        (n, line.index("owns") + 1) for n, line in enumerate(text.splitlines(), 1) if "owns" in line
    ]
    assert [(p.span.line, p.span.column) for p in errors if p.span] == [place]


# ---------------------------------------------------------------- mistakes with a name

RELATIONS = [
    ("function", "did you mean `functional`?"),
    ("simmetric", "did you mean `symmetric`?"),
    ("functional, transitve", "did you mean `transitive`?"),
    ("inverse-functional", "did you mean `inverse functional`?"),
    ("functional at time", "write `functional at a time`"),
]
ITEMS = [
    ("requires docks_at(x, p)", "did you mean `require`?"),
    ("require docks_at(x, p) wieght 2", "did you mean `weight`?"),
    ("require docks_at(x, p) exept :a", "did you mean `except`?"),
    ("require docks_at(x, p) assume close", "did you mean `assume closed`?"),
    ("require docks_at(x, p) at", "a date or a date parameter follows `at`"),
    ("require docks_at(x, p) at 19x5", "a date or a date parameter follows `at`: YYYY"),
    ("require docks_at(x, p) and carries(x, c)", "its line"),
    ("require docks_at(x, p) or carries(x, c)", "any of"),
    ("require docks_at(x, p) assume closed at 1995", "has an order"),
    ("require docks_at(x, p) weight 2 except :a", "has an order"),
    ("require x = p assume closed", "belong to atoms"),
    ("require any of { docks_at(x, p) } at 1995", "belong to atoms"),
    ("require any of { docks_at(x, p) except :a }", "to a whole constraint"),
    ("require any { docks_at(x, p) }", "write `any of { … }`"),
    ("require at least two of { docks_at(x, p) }", "in digits"),
    ("require at most 2 of { docks_at(x, p) }", "`not at least 3 of { … }`"),
    ("require tons(x) => 2", "write `>=`"),
    ("require tons(x) == 2", "write `=`"),
    ("require tons(x) <> 2", "write `!=`"),
    ("require tons(x) ≥ 2", "write `>=`"),
    ("require 5 < tons(x)", "the path comes first"),
    ("require docks_at*(x, p)", "one step or more"),
    ("require docks_at/(x, p)", "between two relations"),
    ("require docks_at^(x, p)", "before the relation"),
    ("require count(carries(x, _)) >= 2", "write `count carries(x, _)`"),
    ("require docks_at(x, p);", "write `,`"),
    ("require docks_at(x, 'oslo')", "double quotes"),
    ("answer y : Ship", "one answer"),
]
BODIES = ["docks_at/carries(X, P)", "^docks_at(X, P)", "docks_at+(X, P)", "tons(X) > 5",
    "docks_at(X, P), X > P", "docks_at(X, P) at 1995", "all of { docks_at(X, P) }",
    "count docks_at(X, _) > 5"]  # fmt: skip


def test_misspelt_properties_are_told() -> None:
    for properties, hint in RELATIONS:
        _, (problem,) = parse(f"relation owns (Ship, Ship) {properties}")
        assert (problem.code, hint in problem.hint) == ("syntax", True), problem


@pytest.mark.parametrize(("item", "hint"), ITEMS)
def test_mistakes_in_constraints_are_told(item: str, hint: str) -> None:
    problems = parse(USED + "    " + item + "\n")[1]
    assert {p.code for p in problems} <= {"syntax", "unknown-character"}
    assert hint in problems[0].hint
    assert problems[0].span is not None
    assert problems[0].span.line == 9


@pytest.mark.parametrize("body", BODIES)
def test_what_stands_in_questions_only_is_told_in_a_rule(body: str) -> None:
    _, (problem,) = parse(f"docks_at(X, P) :- {body}.")
    assert problem.code == "syntax"
    assert "can't stand in a rule" in problem.message
    assert "questions only" in problem.hint


def test_a_question_without_its_answer_line_or_text() -> None:
    assert found(USED.replace("    answer x : Ship\n", "")) == ["6:5 missing-answer"]
    (problem,) = check(USED.replace('    "Which ships call at {p} without {c}?"\n', ""))[1]
    assert problem.message == "the question has no text"


@pytest.mark.parametrize("mark", ["%", "//"])
def test_comments_of_other_languages_are_named_and_hide_nothing(mark: str) -> None:
    text = f"{mark} it's \"ships\n" + USED + f"{mark} more\ndocks_at(X, Y) :- carries(X, C).\n"
    assert found(text) == ["1:1 syntax", "10:1 syntax", "11:13 unsafe-variable"]
    inside = USED.replace("Port, Cargo\n", f"Port, {mark} these\n    Cargo\n")
    problems = check(inside)[1]
    assert [str(p.span) + p.hint for p in problems] == ["<rules>:1:19comments begin with `#`"]


def test_several_mistakes_are_told_what_cant_be_read_first() -> None:
    text = USED + (
        "rule one:\n    docks_at(X, P) :- carries(X, P)\n"
        'rule two "speaks:\n    docks_at(X, P) :- carries(X, P).\n'
        "docks_at(X, P) : - carries(X, P).\n"
        "docks_at(X, P) :- carry(X, P).\n"
        "docks_at(X, P) :- carries(X, P, Q).\n"
        "docks_at(X, Y) :- carries(X, _).\n"
        "docks_at(X, P) :- carries(X, P\n"
        'test "t" {\n    ask calls(b, c): a = unk\n'
    )
    assert found(text) == [
        "10:36 missing-dot",
        "11:10 unclosed-quote",
        "13:16 split-arrow",
        "17:31 missing-bracket",
        "18:10 unclosed-brace",
        "14:19 unknown-relation",
        "15:19 arity",
        "16:13 unsafe-variable",
    ]


def test_an_unclosed_quote_costs_only_its_statement() -> None:
    text = USED + 'rule a "x: docks_at(X, P) :- carries(X, P).\ndocks_at(tug, oslo).\n'
    parsed, problems = parse(text)
    assert [p.code for p in problems] == ["unclosed-quote"]
    assert isinstance(parsed.statements[-1], s.Rule)
    assert parsed.statements[-1].head.terms[0].text == "tug"


@pytest.mark.parametrize("cut", ["docks_at(X, P) :- carries(X,", "docks_at(X, P) :- carries("])
def test_an_open_bracket_does_not_reach_into_the_next_rule(cut: str) -> None:
    assert [
        e[:2] for e in found(USED + cut + "\ncarries(X, C) :- docks_at(X, C), carries(Y, C).\n")
    ] == ["9:"]
