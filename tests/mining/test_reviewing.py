"""Mined rules in a rule file: what is written, and that marks are never lost."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.errors import RuleError
from kgverify.graph import Graph
from kgverify.language.checks import check, load_rules_text
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.horn import Atom, HornRule, Measures, MinedRule
from kgverify.mining.marks import BEGIN, END, Mark, sections
from kgverify.mining.reviewing import review_rules
from kgverify.mining.search import Scope
from kgverify.mining.statements import Vocabulary, horn_rule
from tests.mining.formats.strategies import rules as awkward_rules

FACTS = [
    line.split()
    for line in [
        *("ann parent pat", "bob parent pat", "cy parent pat", "dee parent quin"),
        *("ann sibling bob", "bob sibling ann", "ann married dee", "dee married ann"),
    ]
]
GRAPH = Graph.from_triples(
    [("e" + s, r, "e" + o) for s, r, o in FACTS], denied=[("eann", "sibling", "ecy")]
)
SHARED = HornRule(
    Atom("sibling", 0, 1), (Atom("parent", 0, 2), Atom("parent", 1, 2)), injective=True
).canonical
MIRROR = HornRule(Atom("sibling", 0, 1), (Atom("sibling", 1, 0),)).canonical
WEDDING = HornRule(Atom("married", 0, 1), (Atom("married", 1, 0),)).canonical


def mined(*rules: HornRule, graph: Graph = GRAPH) -> list[MinedRule]:
    return [MinedRule(rule, Evaluator(graph).measure(rule)) for rule in rules]


def marks(text: str) -> list[tuple[HornRule, Mark]]:
    """The rules of the section, with their marks."""
    return [(block.rule, block.mark) for block in sections(text, "<rules>").blocks]


def active(text: str) -> list[HornRule | None]:
    if not re.search(r"^[^#\n]", text, re.MULTILINE):
        return []  # a file without a statement can't be loaded
    book = load_rules_text(text)
    return [horn_rule(soft, book) for soft in book.soft]


def marked(text: str, number: int, line: str) -> str:
    """The text with the review line of its rule of this number replaced."""
    places = [m.span() for m in re.finditer(r"^# review: .*$", text, re.MULTILINE)]
    begin, end = places[number]
    return text[:begin] + line + text[end:]


# ---------------------------------------------------------------- what is written


def test_a_file_of_its_own() -> None:
    found = review_rules(mined(SHARED, MIRROR), GRAPH)
    assert (
        found.text
        == f"""\
{BEGIN}: 2 rules, mined from memory
#| Lines that begin with `#|` are written anew each time, and so are the statements.
#| The mark of a rule is kept, `# review: open|accepted|rejected, by NAME, NOTE`, and so
#| are other comments above its statement. `#- soft …` is not active.
#| A pair that is not in the graph may be true all the same.
class Anything
relation sibling (Anything, Anything)
relation parent (Anything, Anything)

#| support 2, head 2, body 6, PCA body 4 (subject side)
#| head coverage 1.0000, standard confidence 0.3333, PCA confidence 0.5000
#| injective: different terms stand for different things
#| true: sibling(ann, bob), by parent(ann, pat), parent(bob, pat)
#| true: sibling(bob, ann), by parent(bob, pat), parent(ann, pat)
#| denied: sibling(ann, cy), by parent(ann, pat), parent(cy, pat)
#| not in the graph: sibling(bob, cy), by parent(bob, pat), parent(cy, pat)
#| not in the graph: sibling(cy, ann), by parent(cy, pat), parent(ann, pat)
# review: open
soft 0.5 sibling(X, Y) :- parent(X, A), parent(Y, A), X != Y, X != A, Y != A.

#| support 2, head 2, body 2, PCA body 2 (subject side)
#| head coverage 1.0000, standard confidence 1.0000, PCA confidence 1.0000
#| true: sibling(ann, bob), by sibling(bob, ann)
#| true: sibling(bob, ann), by sibling(ann, bob)
# review: open
soft 1 sibling(X, Y) :- sibling(Y, X).

{END}
"""
    )
    assert active(found.text) == [SHARED, MIRROR]
    assert (found.active, found.rejected, found.gone, found.unusable) == (2, 0, 0, 0)


@pytest.mark.parametrize(
    ("share", "weight"),
    [
        (Fraction(9_999_997, 10**7), "0.999999"),
        (1 - Fraction(1, 10**40), "0.999999"),
        (Fraction(2, 3), "0.666666"),
        (Fraction(1, 2), "0.5"),
        (Fraction(1), "1"),
        (Fraction(19, 10**8), "0.00000019"),
        (Fraction(19, 10**10), "0.000000001"),
        (Fraction(1, 10**12), "0.000000001"),  # the least that there is
    ],
)
def test_a_weight_is_rounded_down(share: Fraction, weight: str) -> None:
    said = Vocabulary(load_rules_text(VOCABULARY), GRAPH).statement(MIRROR, share)
    assert Decimal(said.split()[1]) == Decimal(weight)


def test_the_standard_confidence_as_weight() -> None:
    found = review_rules(mined(SHARED), GRAPH, weight="standard")
    assert "soft 0.333333 sibling(X, Y)" in found.text


VOCABULARY = """\
# People
class Person
relation child_of = "parent" (Person, Person)   # a comment that stays
relation sib = "sibling" (Person, Person)

question brothers(p: Person)
    "Who are the siblings of {p}?"
    answer x : Person
    require sib(x, p)
"""


def test_the_names_of_a_rule_file_are_used_and_its_lines_stay() -> None:
    found = review_rules(mined(SHARED, WEDDING), GRAPH, VOCABULARY)
    assert found.text.startswith(VOCABULARY)
    assert "soft 0.5 sib(X, Y) :- child_of(X, A), child_of(Y, A), X != Y" in found.text
    assert "relation married (Anything, Anything)" in found.text
    assert active(found.text) == [SHARED, WEDDING]


def test_what_stands_behind_the_section_stays() -> None:
    text = review_rules(mined(SHARED), GRAPH, VOCABULARY).text + '\n# more\nsame "ann", "anna"\n'
    again = review_rules(mined(MIRROR), GRAPH, text)
    assert again.text.endswith(f'{END}\n\n# more\nsame "ann", "anna"\n')
    assert again.text.startswith(VOCABULARY)


def test_classes_values_and_odd_names() -> None:
    graph = Graph.from_triples(
        [
            ("ea", "rdf:type", "eOld Man"),
            ("ea", "age in years", "lnumber 70"),
            ("ea", "/people/person/born", "ldate 1950"),
            ("ea", "not", 'esaid "no"'),
            ("eb", "not", 'esaid "no"'),
        ]
    )
    rules = [
        HornRule(Atom("rdf:type", 0, "eOld Man"), (Atom("age in years", 0, "lnumber 70"),)),
        HornRule(Atom("not", 0, 'esaid "no"'), (Atom("/people/person/born", 0, "ldate 1950"),)),
        HornRule(Atom("not", 0, 1), (Atom("not", 2, 1), Atom("age in years", 0, 3))),
    ]
    found = review_rules(mined(*rules, graph=graph), graph)
    assert 'relation age_in_years = "age in years" (Anything, integer)' in found.text
    assert 'relation born = "/people/person/born" (Anything, date)' in found.text
    assert 'relation not_2 = "not" (Anything, Anything)' in found.text
    assert 'class Old_Man = "Old Man"' in found.text
    assert 'soft 1 X : Old_Man :- age_in_years(X, "70").' in found.text
    assert active(found.text) == [rule.canonical for rule in rules]


def test_new_names_are_as_short_as_can_be() -> None:
    names = ["/a/film", "/b/film", "/c.1/b/film", "film", "2nd", "//", "/b/film#", "in", "class"]
    graph = Graph.from_triples(("ea", name, "eb") for name in names)
    same = [HornRule(Atom(n, 0, 1), (Atom(n, 1, 2), Atom(n, 0, 1), Atom(n, 2, 1))) for n in names]
    found = review_rules(mined(*same, graph=graph), graph)
    declared = re.findall(r"^relation (\w+)", found.text, re.MULTILINE)
    assert declared == [
        *("film", "b_film", "c_1_b_film", "film_2", "r2nd", "unnamed", "film_3", "in", "class_2"),
    ]
    assert [rule for rule, _ in marks(found.text)] == [rule.canonical for rule in same]


def test_examples_have_labels() -> None:
    graph = Graph.from_triples(
        [("e1", "p", "e2"), ("e2", "p", "e1")], labels=[("e1", "Ann One"), ("e2", "Bob\n")]
    )
    found = review_rules(mined(HornRule(Atom("p", 0, 1), (Atom("p", 1, 0),)), graph=graph), graph)
    assert '#| true: p("Ann One", "Bob\\n"), by p("Bob\\n", "Ann One")\n' in found.text


def test_rules_without_words_are_left_out_with_a_reason() -> None:
    graph = Graph.from_triples([("ea", "rdf:type", "eC"), ("ea", "p", "b0.x")])
    rules = [
        HornRule(Atom("p", 0, 1), (Atom("p", 0, 1), Atom("rdf:type", 0, 2))),
        HornRule(Atom("p", 0, "b0.x"), (Atom("rdf:type", 0, "eC"),)),
    ]
    found = review_rules(mined(*rules, graph=graph), graph)
    assert [problem.code for problem in found.warnings] == ["unsayable-rule"] * 2
    assert active(found.text) == []


def test_rules_that_the_checks_refuse_are_not_active() -> None:
    text = """\
class Person, Place
disjoint Person, Place
relation parent (Person, Place)
relation sibling (Person, Person)
"""
    mixed = HornRule(Atom("sibling", 0, 1), (Atom("parent", 0, 1),)).canonical
    claimed = [MinedRule(mixed, Measures(1, 2, 4, 3)), *mined(MIRROR)]
    found = review_rules(claimed, GRAPH, text)
    assert active(found.text) == [MIRROR]
    assert found.unusable == 2 - found.active == 1
    assert "#| can't be used: `Y` would have to be" in found.text
    assert "#- soft" in found.text


def test_a_rule_that_no_pair_bears_out_is_not_active() -> None:
    nothing = HornRule(Atom("married", 0, 1), (Atom("parent", 0, 1),)).canonical
    found = review_rules(mined(nothing), GRAPH)
    assert (found.active, found.unusable) == (0, 1)
    assert "#| no pair bears it out" in found.text


def test_a_rule_that_says_nothing_is_not_active() -> None:
    nothing = HornRule(Atom("sibling", 0, 1), (Atom("parent", 0, 2), Atom("sibling", 0, 1)))
    found = review_rules(mined(nothing), GRAPH)
    assert (found.active, found.unusable) == (0, 1)
    assert "#| its head is in its body, so it says nothing" in found.text


# ---------------------------------------------------------------- marks


def test_rejected_rules_are_not_active_and_come_back_when_accepted() -> None:
    text = review_rules(mined(SHARED, MIRROR), GRAPH).text
    text = marked(text, 0, "# review: rejected, by Ada, they may be half-siblings")
    found = review_rules(mined(SHARED, MIRROR), GRAPH, text)
    assert active(found.text) == [MIRROR]
    assert (found.active, found.rejected) == (1, 1)
    assert dict(marks(found.text))[SHARED] == Mark("rejected", "Ada", "they may be half-siblings")
    accepted = found.text.replace("# review: rejected", "# review: accepted")
    assert active(review_rules(mined(SHARED, MIRROR), GRAPH, accepted).text) == [SHARED, MIRROR]


def test_reviewed_rules_that_are_gone_stay_and_come_back() -> None:
    text = marked(review_rules(mined(SHARED, MIRROR), GRAPH).text, 0, "# review: accepted, by Ada")
    found = review_rules(mined(MIRROR), GRAPH, text)
    assert (found.active, found.gone) == (1, 1)
    assert active(found.text) == [MIRROR]
    assert "#| not found again\n# review: accepted, by Ada\n#- soft 0.5 sibling(X, Y)" in found.text
    back = review_rules(mined(SHARED, MIRROR), GRAPH, found.text)
    assert active(back.text) == [SHARED, MIRROR]
    assert dict(marks(back.text))[SHARED] == Mark("accepted", "Ada")


def test_open_rules_that_are_gone_go() -> None:
    text = review_rules(mined(SHARED, MIRROR), GRAPH).text
    found = review_rules(mined(MIRROR), GRAPH, text)
    assert [rule for rule, _ in marks(found.text)] == [MIRROR]


@pytest.mark.parametrize(
    "scope",
    [
        Scope(heads=frozenset({"married"})),
        Scope(relations=frozenset({"married"})),
        Scope(length=1),
    ],
)
def test_rules_that_nobody_looked_for_stay_as_they_are(scope: Scope) -> None:
    text = review_rules(mined(SHARED, MIRROR, WEDDING), GRAPH).text
    text = marked(text, 0, "# of Ada\n# review: accepted, by Ada")
    block = text[text.index("#| support 2, head 2, body 6") :].split("\n\n")[0]
    found = review_rules(mined(WEDDING), GRAPH, text, scope=scope)
    assert f"\n\n{block}\n" in found.text
    assert (found.active, found.gone) == (len(active(found.text)), 0)
    rejected = marked(found.text, len(active(found.text)) - 1, "# review: rejected")
    again = review_rules([], GRAPH, review_rules(mined(*active(rejected)), GRAPH, rejected).text)
    kept = review_rules([], GRAPH, again.text, scope=Scope(heads=frozenset()))
    assert kept.text.split("\n\n")[1:] == again.text.split("\n\n")[1:]


def test_without_a_scope_every_rule_was_looked_for() -> None:
    """Rules of other tools may be longer than any that is mined here."""
    ends = zip(range(6), range(1, 7), strict=True)
    long = HornRule(Atom("sibling", 0, 6), tuple(Atom("parent", a, b) for a, b in ends)).canonical
    text = review_rules(mined(long, MIRROR), GRAPH).text
    accepted = text.replace("# review: open", "# review: accepted")
    found = review_rules(mined(MIRROR), GRAPH, accepted)
    assert active(found.text) == [MIRROR]
    assert found.gone == 1
    kept = review_rules(mined(MIRROR), GRAPH, accepted, scope=Scope(length=4))
    assert kept.gone == 0


def test_an_accepted_rule_that_is_never_mined_stays_active() -> None:
    """The injective one is another tool's."""
    text = review_rules(mined(SHARED, MIRROR), GRAPH).text
    accepted = text.replace("# review: open", "# review: accepted")
    found = review_rules([], GRAPH, accepted, scope=Scope())
    assert active(found.text) == [SHARED]
    assert found.gone == 1


def test_comments_of_people_are_kept_wherever_they_stand() -> None:
    text = review_rules(mined(SHARED), GRAPH).text
    text = text.replace("\n# review: open\n", "\n# above\n# review: accepted,, \n# below\n")
    text = text.replace("Y != A.", "Y != A.   # behind")
    text = text.replace("class Anything", "# of a class\nclass Anything")
    text = text.replace(f"\n{END}", f"\n# at the end\n{END}")
    found = review_rules(mined(MIRROR), GRAPH, text)
    (mark,) = [mark for rule, mark in marks(found.text) if rule == SHARED]
    assert mark == Mark("accepted", "", "", ("# above", "# below", "# behind"))
    for comment in ("# of a class", "# at the end"):
        assert f"\n{comment}\n" in found.text
    assert review_rules(mined(MIRROR), GRAPH, found.text).text == found.text


def test_a_statement_that_somebody_laid_out_anew_keeps_its_mark() -> None:
    text = marked(review_rules(mined(SHARED), GRAPH).text, 0, "# review: accepted")
    text = re.sub(
        r"^soft .*$",
        "soft 0.9 rule shared:\n    sibling(P, Q) :- parent(Q, R), P != Q, R != Q,\n"
        "        parent(P, R), P != R.",
        text,
        flags=re.MULTILINE,
    )
    found = review_rules(mined(SHARED), GRAPH, text)
    assert dict(marks(found.text)) == {SHARED: Mark("accepted")}


def test_names_and_sentences_of_rules_are_kept() -> None:
    text = review_rules(mined(SHARED, MIRROR), GRAPH).text
    named = text.replace("soft 0.5 sib", 'soft 0.9 rule shared "they have a parent in common": sib')
    found = review_rules(mined(SHARED, MIRROR), GRAPH, named)
    kept = 'soft 0.5 rule shared "they have a parent in common": sibling(X, Y)'
    assert kept in found.text
    gone = review_rules(mined(MIRROR), GRAPH, found.text)
    assert f"#- {kept}" in gone.text
    assert kept in review_rules(mined(SHARED), GRAPH, gone.text).text.replace("#- ", "")


def test_a_review_that_says_something_needs_its_statement() -> None:
    text = marked(review_rules(mined(SHARED, MIRROR), GRAPH).text, 0, "# review: accepted")
    for kept in ("soft 1 ", "soft 0.5 "):
        lines = [line for line in text.splitlines() if not line.startswith(kept)]
        if kept == "soft 0.5 ":  # the next rule would get its mark
            with pytest.raises(RuleError, match="one review line"):
                review_rules(mined(MIRROR), GRAPH, "\n".join(lines))
        else:
            assert review_rules(mined(SHARED), GRAPH, "\n".join(lines)).active == 1
    text = marked(text, 1, "# review: accepted")
    with pytest.raises(RuleError, match="no statement behind this review"):
        review_rules(mined(SHARED), GRAPH, text.replace("soft 1 sibling(X, Y)", "# s(X, Y)"))


@pytest.mark.parametrize("place", ["before", "behind"])
def test_a_rule_that_somebody_moved_out_of_the_section_stays_theirs(place: str) -> None:
    text = review_rules(mined(SHARED, MIRROR), GRAPH, VOCABULARY).text
    own = "soft 1 sib(X, Y) :- sib(Y, X).\n"
    text = text.replace("soft 1 sib(X, Y) :- sib(Y, X).\n", "")
    text = text.replace(BEGIN, own + BEGIN) if place == "before" else text + own
    found = review_rules(mined(SHARED, MIRROR), GRAPH, text)
    assert sorted(str(soft.weight) for soft in load_rules_text(found.text).soft) == ["0.5", "1"]
    assert "#| it stands elsewhere in this file" in found.text


BROKEN = {
    "# review: acepted": ("bad-review", "# review: acepted"),
    "# reveiw: accepted": ("bad-review", "# reveiw: accepted"),
    "# review: open\n# review: accepted": ("bad-review", "one review line"),
    'same "ann", "anna"\n# review: open': ("statement-among-mined", "would be lost"),
    "#- soft 0.5 sibling(X, Y :- parent(X, Y).": ("unreadable-mined-rule", "can't be read"),
    "#- soft 0.5 sibling(X, Y) :- cousin(X, Y).": ("unreadable-mined-rule", "no mined rule"),
    "#- soft 0.5 sibling(X, Y) :- not parent(X, Y).": ("unreadable-mined-rule", "no mined rule"),
}


@pytest.mark.parametrize("line", BROKEN)
def test_what_would_be_lost_is_an_error(line: str) -> None:
    text = review_rules(mined(SHARED), GRAPH).text
    broken = marked(text, 0, line)
    code, message = BROKEN[line]
    with pytest.raises(RuleError) as caught:
        review_rules(mined(SHARED), GRAPH, broken, "mined.kgr")
    (problem,) = caught.value.problems
    assert problem.code == code
    assert message in problem.message
    assert problem.span is not None
    assert problem.span.line > 1


def test_two_marks_of_one_rule_must_agree() -> None:
    text = review_rules(mined(SHARED), GRAPH).text
    block = "# review: {}\n#- soft 0.1 sibling(P, Q) :- sibling(Q, P).\n"
    twice = text.replace(END, block.format("accepted") + block.format("rejected") + END)
    with pytest.raises(RuleError, match="another mark"):
        review_rules(mined(SHARED), GRAPH, twice)
    same = text.replace(END, block.format("open") + block.format("rejected") + END)
    assert dict(marks(review_rules(mined(SHARED), GRAPH, same).text))[MIRROR] == Mark("rejected")


def test_a_section_must_begin_and_end() -> None:
    text = review_rules(mined(SHARED), GRAPH).text
    for broken in (text.replace(END, ""), text.replace(BEGIN, "# gone"), text + text):
        with pytest.raises(RuleError):
            review_rules(mined(SHARED), GRAPH, broken)


def test_a_wrong_rule_file_is_told_and_not_written_over() -> None:
    with pytest.raises(RuleError, match="unknown-class"):
        review_rules(mined(SHARED), GRAPH, "relation near (City, City)\n")
    with pytest.raises(RuleError, match="missing-dot"):
        review_rules(mined(SHARED), GRAPH, VOCABULARY + 'sib("ann", "bob")\n')


# ---------------------------------------------------------------- laws

relations = st.sampled_from(["parent", "sibling", "married"])
terms = st.integers(0, 2) | st.sampled_from(["eann", "ebob"])
atoms = st.builds(Atom, relations, terms, terms)


@st.composite
def plain_rules(draw: st.DrawFn) -> HornRule:
    body = tuple(draw(st.lists(atoms, min_size=1, max_size=2)))
    rule = HornRule(draw(atoms), body, draw(st.booleans()))
    pair = st.tuples(st.sampled_from(rule.terms), st.sampled_from(rule.terms))
    pairs = draw(st.lists(pair.filter(lambda p: p[0] != p[1]), max_size=1))
    return HornRule(rule.head, body, rule.injective, tuple(pairs)).canonical


found_ = st.lists(plain_rules().filter(lambda rule: rule.is_safe), max_size=4)
words = st.text(st.sampled_from("ab é:|-#.!"), max_size=6).map(str.strip)
review_lines = st.builds(
    Mark,
    st.sampled_from(["open", "accepted", "rejected"]),
    words,
    words.filter(lambda note: not note.lower().startswith("by ")),
    st.lists(
        words.map(lambda w: f"# {w}".strip()).filter(
            lambda c: not c.startswith(("#|", "#-", "# review"))
        ),
        max_size=2,
    ).map(tuple),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(found_, min_size=2, max_size=4), st.data(), st.sampled_from(["", VOCABULARY]))
def test_marks_are_never_lost(runs: list[list[HornRule]], data: st.DataObject, text: str) -> None:
    expected: dict[HornRule, Mark] = {}
    for rules in runs:
        found = review_rules(mined(*rules), GRAPH, text)
        now = dict(marks(found.text))
        reviewed = {rule: mark for rule, mark in expected.items() if mark.says_something}
        assert {rule: mark for rule, mark in now.items() if mark.says_something} == reviewed
        assert {*now} == {*rules, *reviewed}
        rejected = {rule for rule, mark in expected.items() if mark.status == "rejected"}
        active_ = active(found.text)
        assert {*active_} <= {*rules} - rejected
        assert len(active_) == found.active
        assert found.rejected == len({*rules} & rejected)
        assert found.gone == len({*reviewed} - {*rules})
        assert found.active + found.rejected + found.unusable == len({*rules})
        assert review_rules(mined(*rules), GRAPH, found.text).text == found.text
        text = found.text
        expected = {}
        for place, rule in reversed(list(enumerate(now))):
            mark = data.draw(review_lines | st.just(now[rule]))
            expected[rule] = mark
            text = remarked(text, place, now[rule], mark)


def remarked(text: str, place: int, old: Mark, new: Mark) -> str:
    lines = text.split("\n")
    number = [n for n, line in enumerate(lines) if line.startswith("# review: ")][place]
    begin = number - len(old.comments)
    assert lines[begin:number] == [*old.comments]
    lines[begin : number + 1] = [*new.comments, new.line]
    return "\n".join(lines)


@settings(max_examples=300, deadline=None)
@given(st.lists(awkward_rules(), max_size=3))
def test_awkward_names_are_read_back_or_left_out(rules: list[HornRule]) -> None:
    def key(term: int | str) -> str:
        return term if isinstance(term, str) else "e some entity"

    graph = Graph.from_triples(
        (key(atom.subject), atom.relation, key(atom.object))
        for rule in rules
        for atom in rule.atoms
    )
    given_ = [MinedRule(rule, Measures(1, 2, 2, 2)) for rule in rules]
    found = review_rules(given_, graph)
    kept = [rule for rule, _ in marks(found.text)]
    assert len(kept) + len(found.warnings) == len({*rules})
    assert {*kept} <= {*rules}
    assert not [p for p in check(found.text)[1] if p.is_error and p.code != "empty-file"]
