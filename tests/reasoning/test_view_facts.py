"""Which relations a question makes out of those of the rule file, and what defines them."""

from __future__ import annotations

import pytest

from kgverify.language import syntax as s
from kgverify.language.checks import load_rules_text
from kgverify.reasoning.program import Template, compile_question
from kgverify.reasoning.views import View, equal_to

RULES = """
class T, U sub of T
relation p (T, T)
relation q (T, T) functional
relation back (T, U) inverse of q
relation near (T, T) symmetric
relation part (T, T) transitive
relation part_of (T, T) inverse of has
relation has (T, T) inverse of piece
relation piece (T, T)
relation n (T, integer)
relation holds (T, T) functional at a time
relation held_by (T, T) inverse of holds
relation rules (T, T) sub of holds
relation leads (T, T) sub of rules
relation guides (T, T) sub of leads, inverse of guided
relation guided (T, T)
relation office (T, T)
relation mayor (T, T) sub of office, functional at a time
relation keeps (T, T)
relation kept_by (T, T) inverse of keeps, functional at a time
relation pays (T, integer) functional at a time
relation twin (T, T) symmetric, functional at a time
relation seen (T, T)
complete seen
question ask(y: T, k: integer, d: date)
    "?"
    answer x : T
    {}
"""


def compiled(item: str) -> Template:
    book = load_rules_text(RULES.format(item))
    return compile_question(book, book.questions["ask"])


TIMED = (
    *("timed(held_by)", "timed(holds)", "timed(rules)", "timed(leads)"),
    *("timed(guides)", "timed(guided)"),
)


@pytest.mark.parametrize(
    ("item", "facts"),
    [
        (
            "p/q/n(x, k)",
            [
                *("starts('p/q/n','T')", "starts(p,'T')", "single(q)", "starts(q,'T')"),
                *("starts(q,'U')", "starts(n,'T')", "starts('q/n','T')", "starts('q/n','U')"),
                *("sequence('q/n',q,n)", "sequence('p/q/n',p,'q/n')"),
            ],
        ),
        ("^q(x, y)", []),  # which is `back`
        ("^near(x, y)", []),
        ("part+(x, y)", ["starts(part,'T')"]),
        (
            "(^part)+/p(x, y)",
            [
                *("starts('^part/p','T')", "starts('^part','T')", "starts(part,'T')"),
                *("mirror('^part',part)", "ends('^part','T')", "starts(p,'T')"),
                *("sequence('^part/p','^part',p)", "ends('^part/p','T')"),
            ],
        ),
        (
            "part_of/p(x, y)",
            [
                *("starts('part_of/p','T')", "starts(part_of,'T')", "alike(part_of,piece)"),
                *("starts(p,'T')", "sequence('part_of/p',part_of,p)", "ends('part_of/p','T')"),
            ],
        ),
        (
            "^piece/p(x, y)",  # `has` is the inverse of `piece`
            [
                *("starts('has/p','T')", "starts(has,'T')", "starts(p,'T')"),
                *("sequence('has/p',has,p)", "ends('has/p','T')"),
            ],
        ),
        ("count p(x, _) >= k", ["starts(p,'T')", "counts('#p.least',p,least)"]),
        (
            "count p(_, x) > k",
            [
                *("starts('^p','T')", "starts(p,'T')", "mirror('^p',p)", "ends('^p','T')"),
                "counts('#^p.more','^p',more)",
            ],
        ),
        ("n(x) > k", ["starts(n,'T')", "compares('n.>',n,gt)"]),
        (
            "holds(x, y) at d",
            [
                *("at('holds@?d',holds,'?d')", "functional('holds@?d')"),
                *("at('held_by@?d',held_by,'?d')", "inverse('held_by@?d','holds@?d')", *TIMED),
            ],
        ),
        (
            "held_by(x, y) at d",
            [
                *("at('held_by@?d',held_by,'?d')", "at('holds@?d',holds,'?d')"),
                *("functional('holds@?d')", "inverse('held_by@?d','holds@?d')", *TIMED),
            ],
        ),
        (
            "leads(x, y) at 1995",
            [
                *("at('leads@1995',leads,'1995')", "at('rules@1995',rules,'1995')"),
                *("at('holds@1995',holds,'1995')", "functional('holds@1995')"),
                *("at('held_by@1995',held_by,'1995')", "inverse('held_by@1995','holds@1995')"),
                *TIMED,
                "subrelation('rules@1995','holds@1995')",
                "subrelation('leads@1995','rules@1995')",
            ],
        ),
        (
            "twin(x, y) at d",
            [
                *("at('twin@?d',twin,'?d')", "functional('twin@?d')"),
                *("symmetric('twin@?d')", "timed(twin)"),
            ],
        ),
        ("pays(x, k) at d", ["at('pays@?d',pays,'?d')", "functional('pays@?d')", "timed(pays)"]),
        ("seen(x, y) at d", ["at('seen@?d',seen,'?d')", "closed('seen@?d')", "timed(seen)"]),
        ("p(x, y) at d", ["at('p@?d',p,'?d')", "timed(p)"]),
        (
            "rules(x, y)",
            [
                *("ever('rules@ever',rules)", "ever('holds@ever',holds)"),
                *("ever('held_by@ever',held_by)", "inverse('held_by@ever','holds@ever')", *TIMED),
                "subrelation('rules@ever','holds@ever')",
            ],
        ),
        (
            "held_by(x, y)",
            [
                *("ever('held_by@ever',held_by)", "ever('holds@ever',holds)"),
                *("inverse('held_by@ever','holds@ever')", *TIMED),
            ],
        ),
        ("twin(x, y)", ["ever('twin@ever',twin)", "symmetric('twin@ever')", "timed(twin)"]),
        ("pays(x, k)", ["ever('pays@ever',pays)", "timed(pays)"]),
        (
            "leads(x, y)",
            [
                *("ever('leads@ever',leads)", "ever('rules@ever',rules)"),
                *("ever('holds@ever',holds)", "ever('held_by@ever',held_by)"),
                *("inverse('held_by@ever','holds@ever')", *TIMED),
                "subrelation('rules@ever','holds@ever')",
                "subrelation('leads@ever','rules@ever')",
            ],
        ),
        ("office(x, y)", []),  # … of which one kind has one object at a time
        (
            "keeps(x, y)",
            [
                *("ever('keeps@ever',keeps)", "ever('kept_by@ever',kept_by)"),
                *("inverse('kept_by@ever','keeps@ever')", "timed(keeps)", "timed(kept_by)"),
            ],
        ),
        (
            "^leads/p(x, y)",  # a kind of a relation is not its inverse
            [
                *("starts('^leads/p','T')", "starts('^leads','T')", "starts(leads,'T')"),
                *("mirror('^leads',leads)", "ends('^leads','T')", "starts(p,'T')"),
                *("sequence('^leads/p','^leads',p)", "ends('^leads/p','T')"),
            ],
        ),
        ("near(x, y)", []),
        ("p(x, y) assume closed", ["closed(p)"]),
        (
            "p/back(x, y) assume closed",
            [
                *("starts('p/back','T')", "starts(p,'T')", "starts(back,'T')"),
                *("sequence('p/back',p,back)", "ends('p/back','T')", "ends('p/back','U')"),
                *("closed('p/back')", "passes('p/back',p)", "passes('p/back',back)"),
            ],
        ),
        (
            "(p|near)(x, y) assume closed",  # each way is one step
            [
                *("starts('(near|p)','T')", "starts(near,'T')", "starts(p,'T')"),
                *("alternative('(near|p)',near,p)", "ends('(near|p)','T')", "closed('(near|p)')"),
            ],
        ),
        (
            "(p|near+)(x, y) assume closed",
            [
                *("starts('(near+|p)','T')", "starts('near+','T')", "starts(near,'T')"),
                *("closure('near+',near)", "ends('near+','T')", "starts(p,'T')"),
                *("alternative('(near+|p)','near+',p)", "ends('(near+|p)','T')"),
                *("closed('(near+|p)')", "passes('(near+|p)',p)", "passes('(near+|p)',near)"),
            ],
        ),
        ("n(x) > k assume closed", ["starts(n,'T')", "compares('n.>',n,gt)", "assumed('n.>')"]),
        (
            "count p/n(x, _) > k assume closed",
            [
                *("starts('p/n','T')", "starts(p,'T')", "starts(n,'T')", "sequence('p/n',p,n)"),
                *("counts('#p/n.more','p/n',more)", "assumed('#p/n.more')"),
                *("passes('#p/n.more',p)", "passes('#p/n.more',n)"),
            ],
        ),
        ("x : U assume closed", ["closed_class('U')"]),
    ],
)
def test_views_are_defined_by_facts(item: str, facts: list[str]) -> None:
    found = [str(atom) for atom, _ in compiled(f"require {item}").facts]
    assert sorted(found) == sorted(fact.replace("'", '"') for fact in facts)
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("operator", "denies"), [(">=", False), (">", False), ("<", True), ("<=", True)]
)
def test_a_count_from_above_denies_one_from_below(operator: str, denies: bool) -> None:
    constraint = compiled(f"require count p(x, _) {operator} k").constraints[1]
    assert constraint.denies is denies


def test_a_functional_path_has_one_end() -> None:
    facts = {str(atom): origin for atom, origin in compiled("require q/q/back(x, y)").facts}
    assert {"single(q)", 'sequence("q/q/back",q,"q/back")'} <= facts.keys()
    assert 'functional("q/q/back")' not in facts
    both = {str(atom): origin for atom, origin in compiled("require q/q(x, y)").facts}
    assert {'single("q/q")', 'functional("q/q")'} <= both.keys()
    assert both['single("q/q")'].statement == ("functional", "q/q")
    assert both['single("q/q")'].text == "`q/q` has one end at most"
    # In the words of the declaration, where it is one.
    assert facts["single(q)"].text == "`q` is functional: a subject has one object"
    assert facts['starts(q,"T")'].text == "the subject of `q` is in class T"
    assert facts['starts(q,"U")'].text == "`q` starts at members of U"
    turned = [str(atom) for atom, _ in compiled("require back/back(x, y)").facts]
    assert 'inverse_functional("back/back")' in turned
    assert 'functional("back/back")' not in turned


@pytest.mark.parametrize(
    ("item", "view", "kind", "syntax", "ever"),
    [
        (
            "p/n(x, k)",
            View("p/n", "p/n({0}, {1})", "integer"),
            *("path", "p/n", ""),
        ),
        ("p/q(x, y)", View("p/q", "p/q({0}, {1})", ""), "path", "p/q", ""),
        ("n(x) > k", View("n.>", "n({0}) > {1}", "integer", "n", ">"), "value", "n >", ""),
        (
            "count p(x, _) < k",
            View("#p.least", "count p({0}, _) >= {1}", "integer", "p", ">=", True),
            *("count", "count p >=", ""),
        ),
        (
            "count ^p(_, x) <= k",
            View("#p.more", "count p({0}, _) > {1}", "integer", "p", ">", True),
            *("count", "count p >", ""),
        ),
        (
            "pays(x, k) at d",
            View("pays@?d", "pays({0}, {1}) at ?d", "integer", relation="pays", time="?d"),
            *("time", "pays at ?d", ""),
        ),
        (
            "twin(x, y)",
            View("twin@ever", "twin({0}, {1})", "", relation="twin"),
            *("ever", "twin", "twin"),
        ),
    ],
)
def test_a_view_says_what_it_is(item: str, view: View, kind: str, syntax: str, ever: str) -> None:
    found = compiled(f"require {item}").views[view.name]
    assert found == view
    assert (found.kind, found.syntax, found.ever) == (kind, syntax, ever)


@pytest.mark.parametrize(
    ("item", "denied"), [("=", False), ("!=", True), ("not =", True), ("not !=", False)]
)
def test_to_be_a_number_is_to_lie_between_bounds(item: str, denied: bool) -> None:
    *sign, operator = item.split()
    text = " ".join(["require", *sign, "count p(x, _)", operator, "3"])
    (item_,) = load_rules_text(RULES.format(text)).questions["ask"].items
    assert isinstance(item_.condition, s.Literal)
    group = equal_to(item_.condition)
    assert isinstance(group, s.Group)
    assert (group.quantity, group.number, group.negated) == ("all", 0, denied)
    bounds = [(m.atom.operator, m.negated) for m in group.members]  # type: ignore[union-attr]
    assert bounds == [(">=", False), ("<=", False)]
    other = load_rules_text(RULES.format("require count p(x, _) > 3")).questions["ask"].items[0]
    assert equal_to(other.condition) is other.condition  # type: ignore[arg-type]
