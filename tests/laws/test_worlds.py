"""The random worlds are worth drawing: they reach every construct and every verdict."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

import kgverify
from kgverify import resources
from kgverify.language import syntax as s
from kgverify.testing import Scope, World, own_worlds, pieces_of, worlds
from kgverify.vocabulary import Candidate, Question
from tests.laws.common import LAW, decide

# Found is enough: nobody reads these examples, so none is made smaller.
FIND = settings(LAW, max_examples=3000, database=None, phases=[Phase.generate])


def conditions(world: World) -> list[s.Constraint]:
    return [item.condition for q in world.book.questions.values() for item in q.items]


@pytest.mark.parametrize("verdict", ["sat", "unk", "viol"])
def test_every_verdict_is_reached(verdict: str) -> None:
    assert find(worlds(), lambda w: any(v.verdict == verdict for v in decide(w)), settings=FIND)


@pytest.mark.parametrize("status", ["sat", "viol"])
def test_groups_are_decided(status: str) -> None:
    def decided(world: World) -> bool:
        return any(
            c.text.startswith(("any of", "all of", "at least", "not all")) and c.status == status
            for verdict in decide(world)
            for c in verdict.constraints
        )

    assert find(worlds(), decided, settings=FIND)


@pytest.mark.parametrize("status", ["sat", "viol"])
def test_relations_at_a_time_are_decided(status: str) -> None:
    def decided(world: World) -> bool:
        return any(
            " at 19" in c.text and c.status == status
            for verdict in decide(world)
            for c in verdict.constraints
        )

    assert find(worlds(), decided, settings=FIND)


def literals(world: World) -> list[s.Literal]:
    """The literals of all questions, however deep they lie in groups."""
    found = [leaf for condition in conditions(world) for leaf in s.leaves(condition)]
    return [leaf for leaf in found if isinstance(leaf, s.Literal)]


def is_recursive(rule: s.Rule) -> bool:
    heads = {found.text for found in rule.head.atom.relations}
    return any(
        isinstance(part, s.Literal) and heads & {found.text for found in part.atom.relations}
        for part in rule.body
    )


@pytest.mark.parametrize(
    "drawn",
    [
        lambda w: len(conditions(w)) >= 3,
        lambda w: any(isinstance(c, s.Group) for c in conditions(w)),
        lambda w: bool(w.book.complete),
        lambda w: any(r.head.negated for r in w.book.rules if r.body),
        lambda w: any(getattr(c, "negated", False) for r in w.book.rules for c in r.body),
        lambda w: any(map(is_recursive, w.book.rules)),
        lambda w: bool(w.book.same),
        lambda w: any(fact[1].endswith("sameAs") for fact in w.facts),
        lambda w: any(x.at for x in literals(w)),
        lambda w: any(fact[3] and fact[5] == "preferred" for fact in w.dated),
        lambda w: len(w.facts) >= 8,
        lambda w: any(isinstance(x.atom, s.PathAtom) for x in literals(w)),
        lambda w: any(isinstance(x.atom, s.ValueAtom) for x in literals(w)),
        lambda w: any(isinstance(x.atom, s.CountAtom) for x in literals(w)),
        lambda w: any(x.closed for x in literals(w)),
        lambda w: any(i.exceptions for q in w.book.questions.values() for i in q.items),
        lambda w: any(o[0] == "l" for _, _, o in w.facts),
        lambda w: any("conflict" in v.decision.statuses for v in decide(w)),
    ],
    ids=[
        "constraints",
        "groups",
        "complete",
        "denials",
        "negation",
        "recursion",
        "same",
        "sameAs",
        "at",
        "dated",
        "facts",
        "paths",
        "comparisons",
        "counts",
        "closed",
        "exceptions",
        "literals",
        "conflicts",
    ],
)
def test_every_construct_is_drawn(drawn: object) -> None:
    assert find(worlds(), drawn, settings=FIND)  # type: ignore[arg-type]


# ---------------------------------------------------------------- worlds of one rule file

RULES = resources.folder("rules") / "pharmacy.kgr"


@pytest.mark.parametrize("status", ["sat", "viol", "unk", "conflict"])
def test_worlds_of_a_rule_file_reach_every_status(status: str) -> None:
    drawn = own_worlds(kgverify.load_rules(RULES))
    assert find(
        drawn, lambda w: any(status in v.decision.statuses for v in decide(w)), settings=FIND
    )


@settings(LAW, max_examples=30)
@given(st.data())
def test_a_world_outside_completeness_has_none(data: st.DataObject) -> None:
    book = kgverify.load_rules(RULES)
    assert book.complete
    scope = Scope(complete=False, closed=False, vague=False)
    world = data.draw(own_worlds(book, scope))
    assert scope.admits(world)
    assert not world.book.complete
    assert world.book.questions == book.questions


@settings(LAW, max_examples=30)
@given(data=st.data())
def test_a_world_is_read_back_from_its_files(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    world = data.draw(own_worlds(kgverify.load_rules(RULES)))
    folder = tmp_path_factory.mktemp("world")
    for name, text in world.files().items():
        (folder / name).write_text(text, encoding="utf-8")
    book = kgverify.load_rules(folder / "rules.kgr")
    options = kgverify.Options(literal_relations=book.literal_relations)
    denied = [folder / "denied.tsv"] if world.denied else []
    if not world.facts:
        return
    graph = kgverify.open_graph(folder / "facts.tsv", options, denied)
    assert graph.hash == world.graph.hash
    with (folder / "questions.jsonl").open("rb") as lines:
        asked = [question for _, question, _ in kgverify.read_questions(lines, "questions.jsonl")]
    assert tuple(asked) == world.asked


def test_pieces_of_a_graph_are_its_facts() -> None:
    book = kgverify.load_rules(RULES)
    corpus = resources.folder("corpora") / "pharmacy"
    options = kgverify.Options(literal_relations=book.literal_relations)
    graph = kgverify.open_graph(corpus / "facts.tsv", options, corpus / "denied.tsv")
    pieces = pieces_of(graph, book, Random(1), count=10)
    assert pieces == pieces_of(graph, book, Random(1), count=10)
    for table, facts in (
        (graph.facts, [fact for piece in pieces for fact in piece.facts]),
        (graph.denied, [fact for piece in pieces for fact in piece.denied]),
    ):
        for subject, relation, object_ in facts:
            ids = graph.find([subject, object_])
            assert table.rows(graph.relation_id(relation), ids[:1], ids[1:])[0] >= 0
    assert any(piece.facts for piece in pieces)


def test_a_rule_file_without_questions_is_refused() -> None:
    with pytest.raises(kgverify.RuleError, match="no question"):
        own_worlds(kgverify.load_rules_text("class A\nrelation r (A, A)\n"))


def test_a_question_is_written_as_the_line_that_it_is_read_from() -> None:
    for question in (
        Question("a", "treats", {"d": "pain"}, (Candidate("aspirin", 0.5),)),
        Question("b", "", {}, (Candidate("aspirin"),), "What helps against pain?"),
    ):
        line = json.dumps(question.to_dict()).encode()
        ((_, read, problems),) = kgverify.read_questions([line], "questions.jsonl")
        assert (read, problems) == (question, [])
