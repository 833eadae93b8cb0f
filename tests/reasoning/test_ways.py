"""Views in completions: what must be imagined for them, and which of their steps are open."""

from __future__ import annotations

import pytest

from kgverify.language.checks import load_rules_text
from kgverify.reasoning.program import Template, compile_question
from kgverify.reasoning.ways import Domain, Shapes, Sighting, Ways, touching

RULES = """
class T, U
relation p (T, T)
relation q (T, T) functional
relation r (T, U)
relation n (T, integer)
relation m (T, integer) functional
question ask(y: T, k: integer)
    "?"
    answer x : T
    {}
"""
THREE = "lnumber 3"


def compiled(*items: str) -> tuple[Shapes, Template]:
    book = load_rules_text(RULES.format("\n    ".join(items)))
    template = compile_question(book, book.questions["ask"])
    return Shapes(template, book), template


def asked(
    *items: str, key: str = THREE, terms: tuple[int, int] = (1, 2)
) -> tuple[Shapes, list[Sighting | str]]:
    shapes, template = compiled(*items)
    return shapes, [shapes.sighting(c, 0, terms, key) for c in template.constraints[1:]]


def seen(*items: str, key: str = THREE) -> tuple[Shapes, list[Sighting]]:
    shapes, found = asked(*items, key=key)
    assert not [one for one in found if isinstance(one, str)], found
    return shapes, [one for one in found if isinstance(one, Sighting)]


@pytest.mark.parametrize(
    ("item", "things", "values"),
    [
        ("p(x, y)", 0, 0),
        ("^p(x, y)", 0, 0),
        ("p/q(x, y)", 1, 0),
        ("p/q/r(x, y)", 2, 0),
        ("(p|q)(x, y)", 0, 0),
        ("(p/q|p)(x, y)", 1, 0),
        ("p+(x, y)", 2, 0),
        ("p/p+(x, y)", 3, 0),
        ("count p(x, _) >= k", 3, 0),
        ("count p(x, _) > k", 4, 0),
        ("count p/q(x, _) >= k", 6, 0),  # each with one on its way
        ("count n(x, _) < k", 0, 3),
        ("count p/n(x, _) <= k", 4, 4),
        ("n(x) > k", 0, 1),
        ("p/n(x) > k", 1, 1),
        ("count p(x, _) >= k assume closed", 0, 0),  # of what is listed
        ("p/n(x) > k assume closed", 0, 0),
        ("p/q(x, y) assume closed", 1, 0),
    ],
)
def test_so_many_things_and_values_are_imagined(item: str, things: int, values: int) -> None:
    shapes, found = seen(f"require {item}")
    assert shapes.needs(found) == shapes.needs(found * 2) == (things, values)
    ways = Ways(shapes, found)
    imagined = [f"some({n})" for n in range(things)] + [f"worth({n})" for n in range(values)]
    assert ways.imagined == imagined


def test_a_path_with_one_end_is_gone_one_way() -> None:
    shapes, found = seen("require q/m(x) > k", "require q/m(x) < 9", "require q/m(x, k)")
    assert shapes.needs(found) == (1, 1)
    assert shapes.needs(found[:1] + found[2:]) == shapes.needs(found[::2][::-1]) == (1, 1)
    assert shapes.needs(found[2:]) == (1, 0)
    # … and two that may have several ends each.
    shapes, found = seen("require p/n(x) > k", "require p/n(x) < 9", "require p/n(x, k)")
    assert shapes.needs(found) == (3, 2)


def test_what_one_candidate_needs_is_there_for_the_others_too() -> None:
    shapes, template = compiled("require p/q(x, y)")
    many = [shapes.sighting(template.constraints[1], c, (c, 2), THREE) for c in range(3)]
    assert Ways(shapes, many).imagined == ["some(0)"]  # type: ignore[arg-type]
    assert Ways(shapes, ()).imagined == []


@pytest.mark.parametrize(
    ("item", "key", "why"),
    [
        ("(p/q)+(x, y)", THREE, "`(p/q)+` repeats what takes more than one step"),
        ("p/(p/q)+(x, y)", THREE, "`(p/q)+` repeats what takes more than one step"),
        ("count p(x, _) >= k", "lnumber 3.5", "a count is compared with what is no whole number"),
        ("count p(x, _) >= k", "lstring 3", "a count is compared with what is no whole number"),
        ("count p(x, _) >= k", "lnumber 33", "it counts beyond 32"),
        ("count p(x, _) > k", "lnumber 32", "it counts beyond 32"),
        ("count p(x, _) > k assume closed", "lnumber 33", "it counts beyond 32"),
        ("n(x) > k", "lill integer x", "the bound is no number, date or text"),
    ],
)
def test_some_views_are_not_seen(item: str, key: str, why: str) -> None:
    _, found = asked(f"require {item}", key=key)
    assert found == [why]


@pytest.mark.parametrize(
    ("item", "key", "number"),
    [
        ("count p(x, _) >= k", "lnumber 32", 32),
        ("count p(x, _) > k", "lnumber 31", 32),
        ("count p(x, _) > k assume closed", "lnumber 32", 33),
        ("count p(x, _) >= k", "lnumber 0", 0),
        ("count p(x, _) > k", "lnumber 0", 1),
        ("count p(x, _) > k", "lnumber -1", 0),
        ("count p(x, _) > k", "lnumber -7", 0),
        ("n(x) > k", "lnumber 3", 0),
        ("n(x) > k", "lstring a", 0),
        ("n(x) > k", "lboolean true", 0),
        ("n(x) > k", "ldate 1990", 0),
    ],
)
def test_a_count_needs_so_many(item: str, key: str, number: int) -> None:
    _, (one,) = seen(f"require {item}", key=key)
    view = "n.>" if item.startswith("n(") else "#p.least" if ">=" in item else "#p.more"
    assert one == Sighting(1, 0, False, view, 1, 2, number, closed="closed" in item)


def test_a_denial_asks_whether_a_view_does_not_lead_there() -> None:
    _, (one, other) = seen("exclude p/q(x, y)", "require count p(x, _) < k")
    assert (one.denies, other.denies) == (True, True)
    assert (one.view, other.view) == ("p/q", "#p.least")


def test_sightings_are_seen_as_far_as_they_can_be_afforded() -> None:
    shapes, found = seen("require p/q(x, y)", "require count p(x, _) >= k", "require p/r(x, y)")
    assert shapes.affordable(found, 5) == (found, [])
    assert shapes.affordable(found, 4) == (found[:2], found[2:])
    assert shapes.affordable(found, 3) == ([found[0], found[2]], [found[1]])
    assert shapes.affordable(found, 0) == ([], found)


DOMAIN = Domain((1, 2), {8: "lnumber 5", 9: THREE})


def text(*items: str, listed: tuple[int, ...] = (), clouded: bool = False) -> list[str]:
    shapes, found = seen(*(f"require {item}" for item in items))
    ways = Ways(shapes, found)
    clouds = [(one.view, one.subject, one.object) for one in found] if clouded else []
    lines = ways.text(DOMAIN, dict.fromkeys(ways.listings, listed), clouds).splitlines()
    assert ways.size(DOMAIN) >= sum(line.startswith("open(") for line in lines)
    return lines


def test_the_text_of_a_sequence() -> None:
    assert text("p/q(x, y)") == [
        'affirm_view(0,1,0,"p/q",1,2).',
        'sequence("p/q",p,q).',
        *("step(p).", "step(q)."),
        *("open(p,1,1).", "open(p,1,2).", "open(p,1,some(0))."),
        *("open(q,1,2).", "open(q,2,2).", "open(q,some(0),2)."),
    ]


def test_the_text_of_paths_of_one_step() -> None:
    assert text("(^q|p)(x, y)") == [
        'affirm_view(0,1,0,"(^q|p)",1,2).',
        'alternative("(^q|p)","^q",p).',
        'mirror("^q",q).',
        *("step(p).", "step(q).", "open(p,1,2).", "open(q,2,1)."),
    ]


def test_the_text_of_a_closure() -> None:
    lines = text("p+(x, y)")
    assert lines[:7] == [
        'affirm_view(0,1,0,"p+",1,2).',
        'closure("p+",p).',
        *('starts("p+","T").', 'ends("p+","T").'),
        *("unnamed(some(0)).", "unnamed(some(1)).", "step(p)."),
    ]
    terms = ("1", "2", "some(0)", "some(1)")
    assert lines[7:] == [f"open(p,{s},{o})." for s in terms for o in terms]


def test_the_text_of_a_comparison() -> None:
    lines = text("n(x) > k")
    assert lines[:7] == [
        *('affirm_view(0,1,0,"n.>",1,2).', 'compares("n.>",n,gt).', "step(n)."),
        *("open(n,1,8).", "open(n,1,9).", "open(n,1,worth(0)).", "imagined(worth(0))."),
    ]
    assert "size(8,5)." in lines


def test_the_text_of_counts() -> None:
    lines = text("count p(x, _) > k")
    assert lines[:4] == [
        *('affirm_view(0,1,0,"#p.more",1,2).', "number(2,3).", 'counts("#p.more",p,more).'),
        "step(p).",
    ]
    assert lines[4:] == [f"open(p,1,{o})." for o in (1, 2, *(f"some({n})" for n in range(4)))]


def test_the_text_of_what_is_assumed_closed() -> None:
    assert text("p/q(x, y) assume closed")[:2] == [
        'affirm_listed(0,1,0,"p/q",1,2) :- supposed(0,1,0).',
        "assumes(0,1,0).",
    ]
    assert text("count q(x, _) < k assume closed", listed=(7, 8)) == [
        'counts("#q.least listed","q listed",least).',
        *('twin("q listed",q).', 'single("q listed").'),
        *('leads("q listed",1,7).', 'leads("q listed",1,8).'),
        'deny_view(0,1,0,"#q.least listed",1,2) :- supposed(0,1,0).',
        *("assumes(0,1,0).", "number(2,3)."),
    ]
    lines = text("n(x) > k assume closed", listed=(9,))
    assert lines[:5] == [
        *('compares("n.> listed","n listed",gt).', 'twin("n listed",n).'),
        'leads("n listed",1,9).',
        'affirm_view(0,1,0,"n.> listed",1,2) :- supposed(0,1,0).',
        "assumes(0,1,0).",
    ]
    assert "size(9,3)." in lines


def test_of_what_is_clouded_nothing_is_known() -> None:
    assert text("count q(x, _) < k assume closed", clouded=True) == ["free(0,1,0)."]


def test_by_default_nothing_is_counted_or_assumed() -> None:
    assert Sighting(1, 0, False, "p", 1, 2) == Sighting(1, 0, False, "p", 1, 2, 0, False)


@pytest.mark.parametrize(
    ("item", "rules"),
    [
        ("^p/q(x, y)", ["touch('^p',X,Y) :- touch(p,Y,X)."]),
        ("(p|q)(x, y)", ["touch('(p|q)',X,Y) :- touch(p,X,Y), touch(q,X,Y)."]),
        (
            "p/q(x, y)",
            [
                "touch('p/q',X,Y) :- for(p,X,M), touch(p,X,M), touch(q,M,Y).",
                "touch('p/q',X,Y) :- for(q,M,Y), touch(p,X,M), touch(q,M,Y).",
            ],
        ),
        (
            "p+(x, y)",
            [
                "touch('p+',X,Y) :- touch(p,X,Y).",
                "touch('p+',X,Y) :- for('p+',X,M), touch(p,X,M), touch(p,M,Y).",
                "touch('p+',X,Y) :- for('p+',M,Y), touch(p,X,M), touch(p,M,Y).",
            ],
        ),
        ("n(x) > k", ["touch('n.>',X,Y) :- for(n,X,M), touch(n,X,M)."]),
        ("count n(x, _) > k", ["touch('#n.more',X,Y) :- for(n,X,M), touch(n,X,M)."]),
    ],
)
def test_what_the_steps_of_views_lead_to_is_gathered(item: str, rules: list[str]) -> None:
    book = load_rules_text(RULES.format(f"require {item}"))
    found = [str(rule) for rule in touching(compile_question(book, book.questions["ask"]), book)]
    assert {rule.replace("'", '"') for rule in rules} <= set(found)
    assert len(found) == len(rules) + (2 if item.startswith("^") else 0)


def test_what_is_supposed_and_listed() -> None:
    shapes, found = seen("require count q(x, _) < k assume closed", "require p/q(x, y)")
    ways = Ways(shapes, found)
    assert ways.supposed == [(1, 0)]
    assert ways.listings == [("q", 1)]
