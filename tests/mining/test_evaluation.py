"""Measures and bindings of any rule, held to a reference that tries everything."""

from __future__ import annotations

import csv
import os
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.errors import LimitReached, RuleError
from kgverify.graph import Graph, open_graph
from kgverify.mining import joins
from kgverify.mining.evaluation import Evaluator
from kgverify.mining.horn import Atom, HornRule, Measures, Side

X, Y, Z = range(3)
Facts = frozenset[tuple[str, str, str]]


# ---------------------------------------------------------------- the reference


def allowed(rule: HornRule, binding: dict[object, str]) -> bool:
    def name(term: object) -> str:
        return binding.get(term, str(term))

    return all(name(a) != name(b) for a, b in rule.inequalities)


def holds(facts: Facts, atom: Atom, binding: dict[object, str]) -> bool:
    subject, object_ = (binding.get(t, t) for t in atom.terms)
    return (subject, atom.relation, object_) in facts


def every_binding(facts: Facts, rule: HornRule) -> list[tuple[dict[object, str], bool]]:
    """All bindings for which the body holds, ascending, with whether the head holds."""
    names = sorted({name for s, _, o in facts for name in (s, o)})
    found = []
    for values in product(names, repeat=len(rule.variables)):
        binding: dict[object, str] = dict(zip(rule.variables, values, strict=True))
        if allowed(rule, binding) and all(holds(facts, atom, binding) for atom in rule.body):
            found.append((binding, holds(facts, rule.head, binding)))
    return found


def counted(facts: Facts, rule: HornRule) -> Facts:
    """The facts that count for a rule: those between entities, if it is about entities."""
    between = frozenset(fact for fact in facts if fact[2][0] != "l")
    names_a_value = any(str(term).startswith("l") for term in rule.terms)
    known = {relation for _, relation, _ in between}
    about_entities = not names_a_value and all(atom.relation in known for atom in rule.atoms)
    return between if about_entities else facts


def slow_measures(facts: Facts, rule: HornRule, side: Side) -> Measures:
    facts = counted(facts, rule)
    pairs = {
        tuple(binding.get(t, str(t)) for t in rule.head.terms): head
        for binding, head in every_binding(facts, rule)
    }
    place = 0 if side == "subject" else 2
    known = {fact[place] for fact in facts if fact[1] == rule.head.relation}
    alone = HornRule(
        rule.head,
        (),
        different=tuple(p for p in rule.inequalities if set(p) <= set(rule.head.terms)),
    )
    heads = [head for _, head in every_binding(facts, alone)]
    return Measures(
        support=sum(pairs.values()),
        head_size=sum(heads),
        body_size=len(pairs),
        pca_body_size=sum(pair[0 if side == "subject" else 1] in known for pair in pairs),
        pca_side=side,
    )


NAMES = [f"e{letter}" for letter in "abcde"]
VALUE = "lnumber 5"
facts_ = st.frozensets(
    st.tuples(st.sampled_from(NAMES), st.sampled_from("pqh"), st.sampled_from([*NAMES, VALUE])),
    min_size=1,
    max_size=14,
)
terms = st.one_of(
    st.integers(0, 3), st.integers(0, 2), st.sampled_from([*NAMES[:2], "eunknown", VALUE])
)
atoms = st.builds(Atom, st.sampled_from(["p", "q", "h", "none"]), terms, terms)


@st.composite
def rules(draw: st.DrawFn) -> HornRule:
    head = draw(atoms)
    body = draw(st.lists(atoms, min_size=1, max_size=3))
    loose = [v for v in head.variables if all(v not in atom.variables for atom in body)]
    if loose:
        relation = draw(st.sampled_from("pqh"))
        body[draw(st.integers(0, len(body) - 1))] = Atom(relation, loose[0], loose[-1])
    rule = HornRule(head, tuple(body), draw(st.booleans()))
    pairs = st.tuples(st.sampled_from(rule.terms), st.sampled_from(rule.terms))
    different = draw(st.lists(pairs, max_size=2)) if not rule.injective else []
    return HornRule(head, tuple(body), rule.injective, tuple(different))


safe_rules = rules().filter(lambda rule: rule.is_safe)
blocks = st.sampled_from([1, 2, 3, 1000])


def graph_of(facts: Facts) -> Graph:
    return Graph.from_triples(sorted(facts))


@settings(max_examples=800, deadline=None)
@given(facts_, safe_rules, st.sampled_from(["subject", "object"]), blocks)
def test_measures_are_those_of_the_reference(
    facts: Facts, rule: HornRule, side: Side, block: int
) -> None:
    found = Evaluator(graph_of(facts), block).measure(rule, side)
    assert found == slow_measures(facts, rule, side)


def keys(graph: Graph, rows: np.ndarray) -> list[tuple[str, ...]]:
    return [tuple(graph.keys(row)) for row in rows.tolist()]


@settings(max_examples=800, deadline=None)
@given(facts_, safe_rules, st.booleans(), blocks, st.sampled_from([None, 0, 1, 3]))
def test_bindings_are_those_of_the_reference_in_order(
    facts: Facts, rule: HornRule, head: bool, block: int, limit: int | None
) -> None:
    graph = graph_of(facts)
    evaluator = Evaluator(graph, block)
    found = (evaluator.groundings if head else evaluator.predictions)(rule, limit)
    expected = [
        tuple(binding[v] for v in rule.variables)
        for binding, holds_ in every_binding(counted(facts, rule), rule)
        if holds_ == head
    ]
    assert found.variables == rule.variables
    assert keys(graph, found.ids) == expected[:limit]


@settings(max_examples=300, deadline=None)
@given(facts_, safe_rules, blocks)
def test_additions_are_the_heads_of_the_reference(facts: Facts, rule: HornRule, block: int) -> None:
    graph = graph_of(facts)
    subjects, objects = Evaluator(graph, block).additions(rule)
    terms = rule.head.terms
    found = []
    for pair in zip(subjects.tolist(), objects.tolist(), strict=True):
        for term, id_ in zip(terms, pair, strict=True):
            assert not isinstance(term, str) or id_ == graph.find([term])[0]
        ends = zip(terms, pair, strict=True)
        found.append(tuple(t if isinstance(t, str) else graph.key(id_) for t, id_ in ends))
    assert len(found) == len({*found})
    assert {*found} == {
        tuple(binding.get(t, str(t)) for t in rule.head.terms)
        for binding, holds_ in every_binding(counted(facts, rule), rule)
        if not holds_
    }


@settings(max_examples=400, deadline=None)
@given(facts_, safe_rules, st.booleans(), blocks, st.sampled_from([1, 3]))
def test_examples_are_the_first_bindings_of_the_first_head_pairs(
    facts: Facts, rule: HornRule, head: bool, block: int, limit: int
) -> None:
    graph = graph_of(facts)
    found = Evaluator(graph, block).examples(rule, head, limit)
    expected: dict[tuple[object, ...], tuple[str, ...]] = {}
    ordered = dict.fromkeys([*rule.head.variables, *rule.variables])
    assert tuple(ordered) == rule.variables
    for binding, holds_ in every_binding(counted(facts, rule), rule):
        if holds_ == head:
            pair = tuple(binding.get(t, t) for t in rule.head.terms)
            expected.setdefault(pair, tuple(binding[v] for v in rule.variables))
    assert keys(graph, found.ids) == [*expected.values()][:limit]


@settings(max_examples=100, deadline=None)
@given(facts_, safe_rules)
def test_atoms_of_a_grounding_are_facts(facts: Facts, rule: HornRule) -> None:
    graph = graph_of(facts)
    found = Evaluator(graph).groundings(rule)
    for atom in rule.atoms:
        subjects, objects = found.pairs(atom)
        rows = graph.facts.rows(graph.relation_id(atom.relation), subjects, objects)
        assert (rows >= 0).all()


# ---------------------------------------------------------------- cases


def graph(text: str) -> Graph:
    triples = (line.split() for line in text.strip().splitlines())
    return Graph.from_triples(("e" + s, r, "e" + o) for s, r, o in triples)


def test_a_triple_that_is_said_twice_counts_once(tmp_path: Path) -> None:
    file = tmp_path / "twice.jsonl"
    file.write_text(
        '{"subject": "a", "relation": "p", "object": "b", "since": "1990"}\n'
        '{"subject": "a", "relation": "p", "object": "b", "since": "1995"}\n'
        '{"subject": "a", "relation": "h", "object": "b"}\n'
    )
    found = Evaluator(open_graph(file)).measure(HornRule(Atom("h", X, Y), (Atom("p", X, Y),)))
    assert found == Measures(1, 1, 1, 1)


def test_pairs_are_counted_not_bindings() -> None:
    kg = graph("a p z1\na p z2\na p z3\nb p z1\nz1 q P\nz2 q P\nz3 q Q\na h P")
    rule = HornRule(Atom("h", X, Y), (Atom("p", X, Z), Atom("q", Z, Y)))
    evaluator = Evaluator(kg)
    assert evaluator.measure(rule) == Measures(1, 1, 3, 2)
    assert len(evaluator.groundings(rule)) == 2
    assert len(evaluator.predictions(rule)) == 2


@pytest.mark.parametrize(
    ("head", "side"),
    [
        (Atom("p", X, Y), "subject"),  # a tie
        (Atom("c", X, Y), "object"),
        (Atom("d", X, Y), "subject"),
        (Atom("d", "em1", Y), "object"),
        (Atom("c", X, "ef1"), "subject"),
    ],
)
def test_the_functional_side(head: Atom, side: Side) -> None:
    evaluator = Evaluator(graph("m1 p f1\nm2 p f2\nm1 c f1\nm1 c f2\nm2 d f1\nm1 d f1"))
    assert evaluator.functional_side(HornRule(head, (Atom("p", X, Y),))) == side


def test_values_count_where_a_rule_is_not_about_entities() -> None:
    """`p` has both, `born` values only."""
    kg = Graph.from_triples(
        [
            *(("ea", "p", "eb"), ("ea", "p", "lnumber 5"), ("ec", "p", "lnumber 5")),
            *(("ea", "q", "eb"), ("ea", "born", "lnumber 5"), ("ec", "born", "lnumber 5")),
        ]
    )
    evaluator = Evaluator(kg)

    def sizes(head: Atom, *body: Atom) -> tuple[int, int, int]:
        found = evaluator.measure(HornRule(head, body))
        return found.support, found.head_size, found.body_size

    assert sizes(Atom("p", X, Y), Atom("q", X, Y)) == (1, 1, 1)
    assert sizes(Atom("q", X, Y), Atom("p", X, Y)) == (1, 1, 1)
    assert sizes(Atom("p", X, Y), Atom("born", X, Y)) == (2, 3, 2)
    assert sizes(Atom("p", X, "lnumber 5"), Atom("p", X, "eb")) == (1, 2, 1)
    assert len(evaluator.predictions(HornRule(Atom("p", X, Y), (Atom("born", X, Y),)))) == 0


def test_an_unsafe_rule_is_refused() -> None:
    kg = graph("a p b")
    with pytest.raises(RuleError, match="unsafe-variable"):
        Evaluator(kg).measure(HornRule(Atom("p", X, Y), (Atom("p", X, Z),)))
    with pytest.raises(RuleError, match="unsafe-variable"):
        Evaluator(kg).predictions(HornRule(Atom("p", X, Y), ()))


def test_work_is_bounded() -> None:
    kg = graph("\n".join(f"a{n} p hub\nhub q b{n}" for n in range(100)))
    rule = HornRule(Atom("q", X, Y), (Atom("p", X, Z), Atom("q", Z, Y)))
    assert Evaluator(kg).measure(rule).body_size == 10_000
    with pytest.raises(LimitReached, match="too-many-bindings"):
        Evaluator(kg, most_rows=9_000).measure(rule)


def test_tables_are_no_longer_than_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    longest = 0
    spread = joins.spread

    def watched(starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        nonlocal longest
        found = spread(starts, lengths)
        longest = max(longest, len(found))
        return found

    monkeypatch.setattr(joins, "spread", watched)
    kg = graph("\n".join(f"a{n} p hub\nhub q b{n}" for n in range(100)))
    rule = HornRule(Atom("q", X, Y), (Atom("p", X, Z), Atom("q", Z, Y)))
    assert Evaluator(kg, block=150).measure(rule).body_size == 10_000
    assert longest == 100


# ---------------------------------------------------------------- real data


def data(*parts: str) -> Path:
    root = os.environ.get("KGVERIFY_DATA")
    if not root or not Path(root, *parts).exists():
        pytest.skip("the environment variable KGVERIFY_DATA names no folder with " + str(parts))
    return Path(root, *parts)


def parsed(atom: str) -> Atom:
    subject, relation, object_ = atom.split()
    letters = "abcdefghijklmnopqrstuvwxyz"
    return Atom(relation, letters.index(subject[1]), letters.index(object_[1]))


@pytest.mark.data
@pytest.mark.parametrize(("name", "rules"), [("family_d3_std", 145), ("family_d3", 169)])
def test_the_numbers_of_amie_on_family(name: str, rules: int) -> None:
    kg = open_graph(data("kg", "family", "facts.txt"))
    evaluator = Evaluator(kg)
    with data("reference", "amie", f"{name}.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for row in rows:
        body = tuple(map(parsed, row["body"].split(" , ")))
        rule = HornRule(parsed(row["head"]), body)
        side: Side = "subject" if row["functional_var"] == "-1" else "object"
        found = evaluator.measure(rule, side)
        assert evaluator.functional_side(rule) == side
        assert found.support == int(row["support"])
        assert found.pca_body_size == int(row["pca_body_size"])
        assert f"{float(found.head_coverage):.6f}" == row["head_coverage"]
        assert f"{float(found.pca_confidence):.6f}" == row["pca_conf"]
        if row["std_conf"]:
            assert found.body_size == int(row["body_size"])
            assert f"{float(found.confidence):.6f}" == row["std_conf"]
    assert len(rows) == rules
