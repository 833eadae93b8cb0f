"""What the questions of a rule file become: constraints, groups, weights and the rules that ask."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kgverify.language import syntax as s
from kgverify.language.checks import load_rules_text
from kgverify.language.printing import condition_text
from kgverify.reasoning.program import (
    LIMB,
    CompiledConstraint,
    Template,
    compile_question,
    constants,
    constraint_facts,
    evidence_program,
    limbs,
    named,
    program_text,
    question_rules,
    schema,
    templates,
    wanted_rules,
)

RULES = """
class A, B
relation p (A, A)
relation q (A, B)
relation u (A, A)
relation w (A, A) transitive
relation age (A, integer)
relation born (A, date) functional at a time
question ask(a: A, n: integer, t: date)
    "?"
    answer x : A
    {}
"""


def compiled(*items: str) -> Template:
    book = load_rules_text(RULES.format("\n    ".join(items)))
    return compile_question(book, book.questions["ask"])


def outline(constraint: CompiledConstraint) -> str:
    """The kind of a constraint, what it is about and what is said of it, in short."""
    marks = [
        f"least {constraint.least} of {constraint.members}" * bool(constraint.members),
        "negated" * constraint.negated,
        "denies" * constraint.denies,
        "required" * constraint.required,
        "closed" * constraint.closed,
        "item" * constraint.item,
    ]
    terms = ", ".join(
        f"{term.text}:{datatype}".rstrip(":")
        for term, datatype in zip(constraint.terms, constraint.datatypes, strict=True)
    )
    what = f"{constraint.id} {constraint.kind} {constraint.name}({terms})"
    return " ".join(filter(None, (what, *marks)))


def outlines(*items: str) -> list[str]:
    """The constraints that items become, without the answer class."""
    answer, *rest = compiled(*items).constraints
    assert outline(answer) == "answer class A(x) required item"
    assert [c.index for c in (answer, *rest)] == list(range(len(rest) + 1))
    assert all(c.least == 0 for c in rest if c.kind != "group")
    assert all(c.weight == 1 for c in rest)
    return list(map(outline, rest))


@pytest.mark.parametrize(
    ("item", "found"),
    [
        ("require p(x, a)", "relation p(x, a) required item"),
        ("exclude p(x, a)", "relation p(x, a) negated denies required item"),
        ("prefer not age(x, 5)", "relation age(x, 5:integer) negated denies item"),
        ("require ^u(x, a)", "relation u(a, x) required item"),
        ("require ^(p/u)(x, a)", "relation ^u/^p(x, a) required item"),
        ("require (^w)+(x, a)", "relation w(a, x) required item"),  # it is transitive
        ("prefer (^u)+(x, a)", "relation ^u+(x, a) item"),
        ("require x : B", "class B(x) required item"),
        ("exclude x : B assume closed", "class B(x) negated denies required closed item"),
        ("require p(x, a) assume closed", "relation p(x, a) required closed item"),
        ("require x != a", "same (x, a) negated denies required item"),
        ("require n = 5", "same (n:integer, 5:integer) required item"),
        ("prefer age(x) > n", "relation age.>(x, n:integer) item"),
        ("prefer count p(x, _) >= n", "relation #p.least(x, n:integer) item"),
        ("prefer count p(x, _) < n", "relation #p.least(x, n:integer) denies item"),
        ("exclude count p(x, _) < n", "relation #p.least(x, n:integer) negated required item"),
        ("prefer age(x) = n", "relation age.=(x, n:integer) item"),
        ("prefer not age(x, n)", "relation age(x, n:integer) negated denies item"),
    ],
)
def test_an_item_becomes_a_constraint(item: str, found: str) -> None:
    assert outlines(item) == [f"c1 {found}"]


@pytest.mark.parametrize(
    ("item", "group", "members"),
    [
        ("require all of { p(x, b), q(x, b), x : B }", "least 3 of (2, 3, 4) required", "+++"),
        ("require any of { p(x, b), q(x, b), x : B }", "least 1 of (2, 3, 4) required", "+++"),
        (
            "require at least 2 of { p(x, b), not q(x, b), x : B }",
            "least 2 of (2, 3, 4) required",
            "-++",
        ),
        (
            "exclude all of { p(x, b), q(x, b), x : B }",
            "least 1 of (2, 3, 4) negated required",
            "---",
        ),
        (
            "exclude any of { p(x, b), not q(x, b), x : B }",
            "least 3 of (2, 3, 4) negated required",
            "+--",
        ),
        (
            "exclude at least 2 of { p(x, a), p(a, x), x : B, x = a, x != b }",
            "least 4 of (2, 3, 4, 5, 6) negated required",
            "--+--",
        ),
    ],
)
def test_a_group_counts_its_members(item: str, group: str, members: str) -> None:
    first, *rest = compiled(item).constraints[1:]
    assert outline(first) == f"c1 group () {group} item"
    assert [c.id for c in rest] == [f"c1.{n}" for n in range(1, len(rest) + 1)]
    assert sorted("-" if c.denies else "+" for c in rest) == sorted(members)
    assert not any(c.item or c.required for c in rest)


def test_groups_stand_in_groups() -> None:
    item = "{} any of {{ p(x, b), not q(x, c), all of {{ x : B, not p(x, x) }} }}"
    assert outlines(item.format("require")) == [
        "c1 group () least 1 of (2, 5, 6) required item",
        "c1.1 group () least 2 of (3, 4)",
        "c1.1.1 relation p(x, x) negated denies",
        "c1.1.2 class B(x)",
        "c1.2 relation q(x, c) negated denies",
        "c1.3 relation p(x, b)",
    ]
    assert outlines(item.format("exclude")) == [
        "c1 group () least 3 of (2, 5, 6) negated required item",
        "c1.1 group () least 1 of (3, 4) negated",
        "c1.1.1 relation p(x, x)",
        "c1.1.2 class B(x) negated denies",
        "c1.2 relation q(x, c)",
        "c1.3 relation p(x, b) negated denies",
    ]


def test_a_denied_group_in_a_group_is_a_group_of_denied_members() -> None:
    assert outlines("require any of { x : B, not all of { p(x, b), p(b, x) } }") == [
        "c1 group () least 1 of (2, 5) required item",
        "c1.1 group () least 1 of (3, 4) negated",
        "c1.1.1 relation p(b, x) negated denies",
        "c1.1.2 relation p(x, b) negated denies",
        "c1.2 class B(x)",
    ]


def test_a_count_that_is_a_number_is_a_group_of_two_bounds() -> None:
    group = "c1 group () least {} of (2, 3){} item"
    at_least, at_most = "#p.least(x, n:integer)", "#p.more(x, n:integer)"
    equal = [
        group.format(2, " required"),
        f"c1.1 relation {at_least}",
        f"c1.2 relation {at_most} denies",
    ]
    other = [
        group.format(1, " negated required"),
        f"c1.1 relation {at_least} negated denies",
        f"c1.2 relation {at_most} negated",
    ]
    assert outlines("require count p(x, _) = n") == equal
    assert outlines("exclude count p(x, _) = n") == other
    negated = group.format(2, " negated required")
    assert outlines("exclude count p(x, _) != n") == [negated, *equal[1:]]


def test_an_exception_meets_the_constraint_too() -> None:
    assert outlines("require p(x, a) except ada, bob, ada", "exclude u(x, x) except a") == [
        "c1 group () least 1 of (2, 3, 4) required item",
        "c1.1 same (x, ada)",
        "c1.2 same (x, bob)",
        "c1.3 relation p(x, a)",
        "c2 group () least 1 of (6, 7) negated required item",
        "c2.1 same (x, a)",
        "c2.2 relation u(x, x) negated denies",
    ]
    template = compiled("require p(x, a) except ada, bob")
    assert [[t.text for t in c.exceptions] for c in template.constraints] == [
        *([], ["ada", "bob"], [], [], []),
    ]


def test_times_make_relations_of_their_own() -> None:
    template = compiled(
        "require born(x, 1990) at t", "exclude born(x, 1990) at 2001-01", "prefer born(x, 1990)"
    )
    assert [(c.name, c.stated) for c in template.constraints] == [
        *(("A", ""), ("born@?t", ""), ("born@2001-01", ""), ("born@ever", "born")),
    ]
    assert template.moments == {"?t", "2001-01"}


def test_absence_that_counts_is_told_of_the_relation_or_class() -> None:
    def told(item: str) -> list[str]:
        return [str(atom) for atom, _ in compiled(item).facts]

    assert told("require x : B") == []
    assert told("require x : B assume closed") == ['closed_class("B")']
    assert told("require p(x, a) assume closed") == ["closed(p)"]


def test_a_template_is_bound_to_times() -> None:
    plain = compiled("require p(x, a)")
    assert plain.bound({"t": "1995"}) is plain
    template = compiled("require born(x, 1990) at t", "prefer born(x, 1991) at 2001")
    bound = template.bound({"t": "1995", "other": "1996"})
    assert bound.name == "ask@1995"
    assert bound.names == {"?t": "1995", "born@?t": "born@1995"}
    assert [c.name for c in bound.constraints] == ["A", "born@1995", "born@2001"]
    views = {name: (view.name, view.time, view.text) for name, view in bound.views.items()}
    assert views == {
        "born@1995": ("born@1995", "1995", "born({0}, {1}) at 1995"),
        "born@2001": ("born@2001", "2001", "born({0}, {1}) at 2001"),
    }
    assert bound.moments == {"1995", "2001"}
    assert template.bound({"t": "1995"}).facts == bound.facts
    told = [str(atom) for atom, _ in bound.facts]
    assert 'at("born@1995",born,"1995")' in told
    assert not [text for text in told if "?" in text]
    origins = [origin.statement for _, origin in bound.facts]
    assert origins == [origin.statement for _, origin in template.facts]


def test_a_repeated_item_is_one_with_the_strictest_demand_and_the_greatest_weight() -> None:
    template = compiled(
        *("prefer age(x, 5) weight 5", "require age(x, 5)"),
        *("prefer age(x, 6) weight 2", "prefer age(x, 6) weight 3"),
        *("require age(x, 7)", "prefer age(x, 7) weight 4"),
        *("exclude age(x, 8)", "require not age(x, 8)"),
        *("prefer age(x, 9) weight 3", "prefer age(x, 9) weight 2"),
        *("require p(x, a) except ada", "require p(x, a)"),
    )
    found = [
        (c.terms[1].text if len(c.terms) > 1 else c.kind, c.required, float(c.weight))
        for c in template.items
    ]
    assert found == [
        ("class", True, 1),
        ("5", True, 5),
        ("6", False, 3),
        ("7", True, 4),
        ("8", True, 1),
        ("9", False, 3),
        ("group", True, 1),
        ("a", True, 1),
    ]


def test_weights_are_whole_and_in_limbs() -> None:
    template = compiled("prefer p(x, a) weight 2.5", "prefer q(x, b) weight 0.2")
    assert (template.total, template.scale) == (Fraction(37, 10), 10)
    facts = constraint_facts(template).splitlines()
    assert facts == [
        *("required(ask,0).", "weight(ask,0,0,10).", "weight(ask,1,0,25).", "weight(ask,2,0,2)."),
    ]
    assert [limbs(n) for n in (0, 1, LIMB - 1, LIMB, 3 * LIMB**2 + 2)] == [
        *([0], [1], [LIMB - 1], [0, 1], [2, 0, 3]),
    ]
    many = compiled("prefer p(x, a) weight 3000000")
    assert "weight(ask,1,0,0)." in constraint_facts(many)
    assert "weight(ask,1,1,3)." in constraint_facts(many)
    assert not many.constraints[1].required


def test_groups_are_told_with_their_parts() -> None:
    item = "prefer at least 2 of { p(x, a), p(a, x) assume closed, x : B } weight 2"
    assert constraint_facts(compiled(item)).splitlines() == [
        *("required(ask,0).", "weight(ask,0,0,1)."),
        *("least(ask,1,2).", "parts(ask,1,3)."),
        *("part(ask,1,2).", "part(ask,1,3).", "part(ask,1,4)."),
        *("weight(ask,1,0,2).", "closed_world(ask,2)."),
    ]


ASKED = "asked(Q,ask,(A1,A2,A3)), candidate(Q,X), not stranger(X)"


def rules(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("%")][1:]


def test_the_rules_that_ask() -> None:
    template = compiled(
        *("require p(x, x)", "exclude p(x, a)", "exclude x : B", "require x != b"),
        *('prefer q(x, "x")', "exclude all of { age(x, n), x = a }"),
    )
    found = question_rules(template, named)
    assert rules(found) == [
        f"affirm(Q,1,X,p,X,X) :- {ASKED}.",
        f"deny(Q,2,X,p,X,A1) :- {ASKED}, not stranger(A1).",
        f'deny_a(Q,3,X,X,"B") :- {ASKED}.',
        f"deny_same(Q,4,X,X,b) :- {ASKED}, not stranger(b).",
        f"affirm(Q,5,X,q,X,x) :- {ASKED}, not stranger(x).",
        f"deny(Q,7,X,age,X,A2) :- {ASKED}, not stranger(A2).",
        f"deny_same(Q,8,X,X,A1) :- {ASKED}, not stranger(A1).",
    ]
    assert [line for line in found.splitlines() if line.startswith("%")] == [
        "% question ask: X = x, A1 = a, A2 = n, A3 = t  (<rules>:9:1)",
        *("% 0 require x : A", "% 1 require p(x, x)", "% 2 exclude p(x, a)", "% 3 exclude x : B"),
        *("% 4 exclude x = b", '% 5 prefer q(x, "x")', "% 6 exclude all of { age(x, n), x = a }"),
        *("% 7 member not age(x, n)", "% 8 member x != a"),
    ]
    assert rules(wanted_rules(template, named)) == [
        f"want(p,X,X) :- {ASKED}.",
        f"want(p,X,A1) :- {ASKED}, not stranger(A1).",
        f'want_a(X,"B") :- {ASKED}.',
        f"deny_same(Q,4,X,X,b) :- {ASKED}, not stranger(b).",
        f"want(q,X,x) :- {ASKED}, not stranger(x).",
        f"want(age,X,A2) :- {ASKED}, not stranger(A2).",
        f"deny_same(Q,8,X,X,A1) :- {ASKED}, not stranger(A1).",
    ]


@pytest.mark.parametrize(
    ("parameters", "arguments"), [("", "()"), ("a: A", "(A1,)"), ("a: A, b: A", "(A1,A2)")]
)
def test_the_arguments_of_a_question_are_a_tuple(parameters: str, arguments: str) -> None:
    text = RULES.format("require p(x, x)").replace("a: A, n: integer, t: date", parameters)
    book = load_rules_text(text)
    found = rules(question_rules(compile_question(book, book.questions["ask"]), named))
    assert found == [
        f"affirm(Q,1,X,p,X,X) :- asked(Q,ask,{arguments}), candidate(Q,X), not stranger(X)."
    ]


def test_how_an_item_is_told_back() -> None:
    """The condition of an item is as it was written: without the `not` that says it is denied."""
    template = compiled("exclude p(x, a)", "require not u(x, a)", "prefer not q(x, b)")
    found = [condition_text(s.signed(c.condition, False)) for c in template.items]
    assert found == ["x : A", "p(x, a)", "u(x, a)", "q(x, b)"]
    assert not any(getattr(c.condition, "negated", False) for c in template.items)


def test_the_constants_of_a_template_are_its_own_terms_alone() -> None:
    template = compiled("require p(x, a)", 'prefer q(x, "a")', "prefer age(x, n)", "prefer x = bob")
    found = constants(template, lambda term, datatype: f"{term.text}:{datatype}")
    assert found == ["a:", "bob:"]
    template = compiled("prefer age(x, 5)", "exclude born(x, 1990)", "prefer n = 3")
    found = constants(template, lambda term, datatype: f"{term.text}:{datatype}")
    assert found == ["5:integer", "1990:date", "3:integer"]


# ---------------------------------------------------------------- the schema

SCHEMA = """
class A, B, C sub of A
disjoint A, B
relation p (A, A) functional, transitive
relation q (A, B) inverse of r
relation r (B, A)
relation age (A, integer)
disjoint p, q
complete p for A
complete p for B
complete q
complete r for "ada", "bob"
"""


def test_the_schema_as_facts_each_once() -> None:
    found = schema(load_rules_text(SCHEMA), named)
    texts = [str(atom) for atom, _ in found]
    assert texts == [
        *("relation(p)", 'domain(p,"A")', 'range(p,"A")', "functional(p)", "transitive(p)"),
        *("relation(q)", 'domain(q,"A")', 'range(q,"B")', "inverse(q,r)"),
        *("relation(r)", 'domain(r,"B")', 'range(r,"A")'),
        *("relation(age)", 'domain(age,"A")'),
        *('disjoint_classes("A","B")', 'disjoint_classes("B","A")'),
        *("disjoint(p,q)", "disjoint(q,p)"),
        *("closed(p)", "closed(q)", "closed(r)"),
        *('complete_for(p,"A")', 'complete_for(p,"B")', "complete(q)"),
        *("complete_subject(r,ada)", "complete_subject(r,bob)"),
    ]  # fmt: skip
    spans = {str(atom): origin.span.line for atom, origin in found if origin.span}
    assert (spans["functional(p)"], spans["complete(q)"], spans["closed(q)"]) == (4, 11, 5)


def test_the_encodings_of_views_are_taken_where_there_are_views() -> None:
    assert len(templates()) > len(templates(False))
    plain = load_rules_text(RULES.format("require p(x, a)"))
    views = load_rules_text(RULES.format("require p/u(x, a)"))
    closed = {rule.head.predicate for rule in evidence_program(plain, named)}
    assert "listed" not in closed
    texts = [str(rule) for rule in evidence_program(views, named)]
    assert any(text.startswith('for("p/u",') for text in texts)
    assert not any("relation(" in text or "sequence(" in text for text in texts)


def test_the_program_is_told_with_the_lines_of_its_author() -> None:
    book = load_rules_text(
        "class A\nclass B sub of A\nrelation p (A, A) symmetric\n"
        'rule r "so it is": p(X, Y) :- p(Y, Z), p(Z, X).\n'
        "rule t: p(X, Z) :- p(X, Y), p(Y, Z).\n"
        "p(ada, bob).\nnot p(bob, eve).\nada : B.\nnot bob : B.\n"
        "soft 0.5 X : B :- p(X, X).\n"
        'question q()\n    "?"\n    answer x : A\n    require p(x, x)\n'
    )
    lines = program_text(book).split("\n\n")
    start = lines[0].splitlines()
    assert start[0] == "% <rules>: the evidence encodings, specialised to this schema"
    assert start.count("% `p` reads the same in both directions  (<rules>:3:19)") <= 1
    assert lines[1].splitlines() == ["% the class hierarchy", 'subclass("B","A").  % <rules>:2:7']
    assert lines[2].splitlines() == [
        "% hard rules",
        *("% so it is  (<rules>:4:1)", "for(p,X,Y) :- for(p,Y,Z), for(p,Z,X)."),
        *("% t  (<rules>:5:1)", "for(p,X,Z) :- for(p,X,Y), for(p,Y,Z)."),
        *("% line 6  (<rules>:6:1)", "triple(p,ada,bob)."),
        *("% line 7  (<rules>:7:1)", "denied(p,bob,eve)."),
        *("% line 8  (<rules>:8:1)", 'member(ada,"B").'),
        *("% line 9  (<rules>:9:1)", 'denied_member(bob,"B").'),
    ]
    assert lines[3].splitlines() == [
        "% soft rules, each with a relation of its own",
        *("% 0.5 rule line 10  (<rules>:10:1)", 'for("soft:0",X,X) :- for(p,X,X).'),
    ]
    assert lines[4].splitlines()[0] == "% question q: X = x  (<rules>:11:1)"
    assert "% Output  pro(Q,I,X)" in program_text(book)
