"""Benchmarks are what they promise, whatever graph they are built from, and the checker sees it
when one is not."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgverify.errors import KgverifyError
from kgverify.experiments.incomplete.asking import Asked, Words, words_of
from kgverify.experiments.incomplete.balancing import PARTS, downsampled, split
from kgverify.experiments.incomplete.building import Options, build
from kgverify.experiments.incomplete.checking import check, faults
from kgverify.experiments.incomplete.grounding import Grounding, in_turn, select
from kgverify.experiments.incomplete.mentions import is_named, named_beside
from kgverify.experiments.incomplete.naming import Naming, names
from kgverify.experiments.incomplete.reading import about
from kgverify.experiments.incomplete.writing import files, statistics, write_benchmark
from kgverify.experiments.scoring.matching import normal_form
from kgverify.graph import Graph
from kgverify.graph.terms import entity_key, literal_key
from kgverify.language.checks import load_rules_text
from kgverify.mining.horn import Atom, HornRule, Measures, MinedRule
from tests.experiments.incomplete.families import families, graph_of, mined, some_facts

ALL = Fraction(1)


def triples_of(graph: Graph, rows: tuple[int, ...]) -> set[tuple[int, int, int]]:
    facts = graph.facts.at(list(rows))
    relations = graph.facts.relations_of(list(rows))
    ends = zip(facts.subjects.tolist(), relations.tolist(), facts.objects.tolist(), strict=True)
    return set(ends)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(1, 8))
def test_every_removed_triple_is_inferable_and_no_body_loses_one(
    seed: int, number: int, per_rule: int
) -> None:
    graph = graph_of(some_facts(random.Random(seed), number))
    rules = mined(graph)
    found = select(graph, rules, seed, per_rule)
    removed = triples_of(graph, found.removed)
    for grounding in found.groundings:
        body = triples_of(graph, grounding.body)
        assert not body & removed
        (head,) = triples_of(graph, (grounding.head,))
        assert head in removed
    assert len(removed) == len({g.head for g in found.groundings})
    drawn = Counter(g.rule for g in found.groundings)
    assert all(drawn[place] <= most <= per_rule for place, most in enumerate(found.drawn))
    assert select(graph, rules, seed, per_rule) == found


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(["private", "id", "label"]),
    st.sampled_from([ALL, Fraction(1, 3), Fraction(2, 7)]),
)
def test_what_is_written_passes_the_checker(
    tmp_path_factory: pytest.TempPathFactory, seed: int, naming: str, tau: Fraction
) -> None:
    graph = graph_of(some_facts(random.Random(seed), 60))
    rules = mined(graph)
    out = tmp_path_factory.mktemp("bench") / "b"
    if not select(graph, rules, seed).groundings:
        return
    if tau * len(select(graph, rules, seed).removed) < 1:
        return
    found = build(graph, rules, Options(seed, tau=tau, naming=naming))  # type: ignore[arg-type]
    write_benchmark(out, found, {})
    checked = check(out)
    assert checked.faults == ()
    assert len(found.asked) == checked.removed
    assert checked.questions == len(found.asked) or tau < ALL
    assert checked.triples == len(set(some_facts(random.Random(seed), 60)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    graph = graph_of(families(40))
    write_benchmark(tmp_path / "b", build(graph, mined(graph), Options(3, tau=ALL)), {})
    return tmp_path / "b"


def rewritten(name: str, change: Callable[[list[dict]], None]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        path = folder / name
        values = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        change(values)
        path.write_text("".join(json.dumps(v) + "\n" for v in values), encoding="utf-8")

    return apply


def edited(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        path = folder / name
        path.write_text(change(path.read_text("utf-8")), encoding="utf-8")

    return apply


def moved(source: str, target: str) -> Callable[[Path], None]:
    """Half of the questions of a part go into another."""

    def apply(folder: Path) -> None:
        lines = (folder / f"{source}.jsonl").read_text("utf-8").splitlines(keepends=True)
        half = len(lines) // 2
        (folder / f"{source}.jsonl").write_text("".join(lines[:half]), encoding="utf-8")
        with (folder / f"{target}.jsonl").open("a", encoding="utf-8") as out:
            out.write("".join(lines[half:]))

    return apply


def into_train(folder: Path) -> None:
    line = (folder / "test.jsonl").read_text("utf-8").splitlines()[0]
    value = json.loads(line) | {"id": "another"}
    with (folder / "train.jsonl").open("a", encoding="utf-8") as out:
        out.write(json.dumps(value) + "\n")


def body_removed(folder: Path) -> None:
    """Takes a body out of the incomplete graph, and says so."""
    lines = (folder / "removed.jsonl").read_text("utf-8").splitlines()
    triple = json.loads(lines[0])["groundings"][0]["body"][0]
    path = folder / "incomplete.tsv"
    left = [x for x in path.read_text("utf-8").splitlines() if x.split("\t") != triple]
    path.write_text("\n".join(left) + "\n", encoding="utf-8")
    more = {"triple": triple, "groundings": []}
    text = "\n".join([*lines, json.dumps(more)]) + "\n"
    (folder / "removed.jsonl").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (edited("incomplete.tsv", lambda t: t + "1\tspouse\t1\n"), {"not-in-complete"}),
        (edited("incomplete.tsv", lambda t: "\n".join(t.splitlines()[1:])), {"not-removed"}),
        (edited("complete.tsv", lambda t: "\n".join(t.splitlines()[1:])), {"not-in-complete"}),
        (edited("entities.tsv", lambda t: t + t.splitlines()[3] + "\n"), {"same-name"}),
        (edited("entities.tsv", lambda t: t.replace("0\t", "-0\t", 1)), {"unknown-name"}),
        (body_removed, {"body-removed", "not-inferable"}),
        (rewritten("removed.jsonl", lambda v: v[0].update(groundings=[])), {"not-inferable"}),
        (
            rewritten("removed.jsonl", lambda v: v[0]["groundings"][0].update(rule=99)),
            {"no-instance"},
        ),
        (
            rewritten("removed.jsonl", lambda v: v[0]["groundings"][0]["body"][0].reverse()),
            {"body-missing", "no-instance"},
        ),
        (rewritten("removed.jsonl", lambda v: v.append(v[0])), {"repeated-triple"}),
        (rewritten("rules.jsonl", lambda v: v[0].update(selected=0)), {"wrong-number"}),
        (rewritten("test.jsonl", lambda v: v[0]["answers"].append("nobody")), {"wrong-answers"}),
        (rewritten("test.jsonl", lambda v: v[0].update(hard="x")), {"hard-not-gold"}),
        (rewritten("test.jsonl", lambda v: v.append(v[0])), {"repeated-id"}),
        (into_train, {"not-disjoint"}),
        (
            edited("results.json", lambda t: t.replace('"tau": "1"', '"tau": 1e-9')),
            {"too-frequent"},
        ),
        (
            edited("results.json", lambda t: t.replace('_of_one_answer": ', '_of_one_answer": 9')),
            {"wrong-statistics"},
        ),
        (
            edited("results.json", lambda t: t.replace('"drawn": ', '"drawn": 1')),
            {"wrong-statistics"},
        ),
        (
            edited("results.json", lambda t: t.replace('"by_side": {', '"by_side": {"both": 1, ')),
            {"wrong-statistics"},
        ),
        (rewritten("test.jsonl", lambda v: v[0].update(rule=99)), {"wrong-rule"}),
        (
            rewritten("test.jsonl", lambda v: v[0].update(rule_type="none")),
            {"wrong-rule", "wrong-statistics"},
        ),
        (rewritten("test.jsonl", lambda v: v[0].update(motif="none")), {"wrong-rule"}),
        (
            rewritten("train.jsonl", lambda v: v.append(v[0] | {"id": "another"})),
            {"repeated-triple", "wrong-statistics"},
        ),
        (
            rewritten(
                "valid.jsonl",
                lambda v: v[0].update(question=f"Is {v[0]['hard']} of {v[0]['topic']}?"),
            ),
            {"answer-in-text"},
        ),
        (moved("test", "train"), {"wrong-share", "wrong-statistics"}),
        (moved("train", "valid"), {"wrong-share", "wrong-statistics"}),
    ],
)
def test_the_checker_sees_what_does_not_hold(
    folder: Path, change: Callable[[Path], None], codes: set[str]
) -> None:
    assert check(folder).faults == ()
    change(folder)
    found = check(folder)
    assert codes <= {fault.code for fault in found.faults}
    told = list(faults(found))
    assert len(told) <= 21 * len({fault.code for fault in found.faults})


def test_a_question_whose_triple_is_left_is_seen(folder: Path) -> None:
    def change(values: list[dict]) -> None:
        for value in values:
            others = [a for a in value["answers"] if a != value["hard"]]
            value["hard"] = others[0] if others else value["hard"]

    gone = len(check(folder).faults)
    rewritten("train.jsonl", change)(folder)
    codes = Counter(fault.code for fault in check(folder).faults)
    assert gone == 0
    assert codes["hard-not-removed"] > 0


def test_files_that_are_broken_are_errors(folder: Path) -> None:
    edited("test.jsonl", lambda t: t + "nothing\n")(folder)
    with pytest.raises(KgverifyError, match="malformed-json"):
        check(folder)
    edited("test.jsonl", lambda _: '{"id": "q"}\n')(folder)
    with pytest.raises(KgverifyError, match="benchmark-line"):
        check(folder)
    edited("complete.tsv", lambda t: t + "one\ttwo\n")(folder)
    with pytest.raises(KgverifyError, match="wrong-columns"):
        check(folder)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "malformed-json"),
        ("[" * 100_000, "malformed-json"),
        ("[]", "benchmark-line"),
        ("{}", "benchmark-line"),
        ('{"statistics": 1, "record": {"options": {"tau": "1"}}}', "benchmark-line"),
        ('{"statistics": {}, "record": {"options": {"tau": "1/0"}}}', "benchmark-line"),
        ('{"statistics": {}, "record": {"options": {"tau": [1]}}}', "benchmark-line"),
    ],
)
def test_results_that_are_none_are_errors(folder: Path, text: str, code: str) -> None:
    (folder / "results.json").write_text(text, encoding="utf-8")
    with pytest.raises(KgverifyError, match=code):
        check(folder)
    if '"statistics": {}' not in text:
        with pytest.raises(KgverifyError, match=code):
            about(folder)


@pytest.mark.parametrize("name", ["rules.jsonl", "removed.jsonl", "train.jsonl"])
@pytest.mark.parametrize("line", ["1", "null", "[]", "{}", '"rule"'])
def test_lines_that_are_no_records_are_errors(folder: Path, name: str, line: str) -> None:
    edited(name, lambda t: t + line + "\n")(folder)
    with pytest.raises(KgverifyError, match="benchmark-line"):
        check(folder)


def test_an_entity_that_is_called_like_a_variable(tmp_path: Path) -> None:
    """`?0` in a rule of constants is the entity, and nothing else is an instance of it."""
    for name in ("?0", "?", "??1"):
        facts = [(f"p{n}", r, name) for n in range(3) for r in ("likes", "knows")]
        rule = HornRule(Atom("likes", 0, entity_key(name)), (Atom("knows", 0, entity_key(name)),))
        rules = [MinedRule(rule, Measures(3, 3, 3, 3))]
        write_benchmark(
            tmp_path / "b", build(graph_of(facts), rules, Options(tau=ALL, naming="id")), {}
        )
        assert check(tmp_path / "b").faults == ()
        rewritten("removed.jsonl", _with_another_object)(tmp_path / "b")
        assert "no-instance" in {fault.code for fault in check(tmp_path / "b").faults}


def _with_another_object(lines: list[dict]) -> None:
    for line in lines:
        line["triple"][2] = "p0"
        for grounding in line["groundings"]:
            grounding["body"][0][2] = "p0"


def test_the_seed_decides_everything() -> None:
    graph = graph_of(families(30))
    rules = mined(graph)
    one, again = (files(build(graph, rules, Options(5, tau=ALL))) for _ in range(2))
    other = files(build(graph, rules, Options(6, tau=ALL)))
    assert one == again
    assert one != other
    assert Counter(q["asks"] for q in questions(one)).keys() == {"subject", "object"}


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_order_of_the_rules_changes_nothing(
    seed: int, per_rule: int, order: random.Random
) -> None:
    graph = graph_of(some_facts(random.Random(seed), 60))
    rules = mined(graph)
    options = Options(seed, per_rule, ALL)
    if not select(graph, rules, seed, per_rule).groundings:
        return
    shuffled = rules.copy()
    order.shuffle(shuffled)
    assert files(build(graph, shuffled, options)) == files(build(graph, rules, options))


def test_what_is_drawn_of_a_rule_is_its_own_affair() -> None:
    graph = graph_of(families(40))
    empty = MinedRule(HornRule(Atom("nobody", 0, 1), (Atom("spouse", 0, 1),)), Measures(0, 0, 0, 0))
    for rule in mined(graph):
        alone = select(graph, [rule], 7, 10)
        behind = select(graph, [empty, empty, rule], 7, 10)
        assert alone.drawn == (10,)
        assert behind.drawn == (0, 0, 10)
        assert [replace(g, rule=0) for g in behind.groundings] == list(alone.groundings)


def questions(written: dict[str, str]) -> list[dict]:
    return [json.loads(line) for part in PARTS for line in written[f"{part}.jsonl"].splitlines()]


def test_names_are_private_unless_asked_for() -> None:
    graph = graph_of(families(20))
    rules = mined(graph)
    private = files(build(graph, rules, Options(1, tau=ALL)))
    people = len({name for s, _, o in families(20) for name in (s, o)})
    seen = {name for line in private["complete.tsv"].splitlines() for name in line.split("\t")[::2]}
    assert seen == set(map(str, range(people)))
    assert not any("m1" in q["question"] for q in questions(private))
    own = files(build(graph, rules, Options(1, tau=ALL, naming="id")))
    assert "m1\tspouse\tf1" in own["complete.tsv"]


def test_ids_and_the_order_of_questions_say_nothing_of_the_graph() -> None:
    graph = graph_of(families(20))
    found = build(graph, mined(graph), Options(1, tau=ALL))
    kept = [q for part in PARTS for q in found.parts[part]]
    written = files(found)
    for part in PARTS:
        numbers = [int(json.loads(x)["id"][1:]) for x in written[f"{part}.jsonl"].splitlines()]
        assert numbers == sorted(numbers)
    assert sorted(found.numbers.values()) == list(range(1, len(kept) + 1))
    by_row = [found.numbers[q.row] for q in sorted(kept, key=lambda q: q.row)]
    ascending = sum(one < other for one, other in pairwise(by_row))
    assert abs(ascending - len(by_row) / 2) < len(by_row) / 5
    other = build(graph, mined(graph), Options(2, tau=ALL))
    assert set(other.numbers.items()) != set(found.numbers.items())


def test_labels_are_told_apart() -> None:
    keys = [entity_key(k) for k in ("a", "b", "c", "d", "x (a)")]
    labels = [(keys[0], "x"), (keys[1], "x"), (keys[2], "d")]
    graph = Graph.from_triples([(k, "r", k) for k in keys], labels=labels)
    ids = graph.find(keys).tolist()
    found = names(graph, ids, "label", 0)
    assert len(set(found.values())) == 5
    assert found[ids[1]] == "x (b)"
    assert found[ids[2]] == "d (c)"
    assert found[ids[3]] == "d"


NAMES = st.text("aAbthe .-_+#'0<pd>", min_size=1, max_size=5)


@settings(max_examples=400)
@given(
    st.lists(
        st.tuples(NAMES, st.booleans(), st.one_of(st.just(""), NAMES)), max_size=9, unique=True
    ),
    st.sampled_from(["private", "id", "label"]),
)
def test_names_are_told_apart_by_the_scorer(
    terms: list[tuple[str, bool, str]], naming: Naming
) -> None:
    """Entities and values, with and without labels."""
    keys = {(literal_key(t) if value else entity_key(t)): label for t, value, label in terms}
    here = entity_key("here")
    graph = Graph.from_triples(
        [(here, "r", key) for key in keys],
        labels=[(k, label) for k, label in keys.items() if label],
    )
    ids = sorted({*graph.find([here, *keys]).tolist()})
    found = names(graph, ids, naming, 0)
    assert list(found) == ids
    forms = {normal_form(name) for name in found.values()}
    assert "" not in forms
    assert len(forms) == len(ids)


def test_an_entity_and_a_value_of_one_text_have_two_names() -> None:
    five = literal_key("5", "http://www.w3.org/2001/XMLSchema#integer")
    keys = [entity_key("5"), five, entity_key("/m/0cv_2"), entity_key("/m/0c_v2")]
    graph = Graph.from_triples([(keys[0], "r", key) for key in keys])
    found = names(graph, graph.find(keys).tolist(), "id", 0)
    assert list(found.values()) == ["5", "5 (2)", "/m/0cv_2", "/m/0c_v2 (2)"]
    labels = [(keys[0], "Flo_Rida"), (keys[2], "Florida")]
    graph = Graph.from_triples([(keys[0], "r", key) for key in keys], labels=labels)
    found = names(graph, graph.find([keys[0], keys[2]]).tolist(), "label", 0)
    assert list(found.values()) == ["Flo_Rida (5)", "Florida (/m/0cv_2)"]


def asked(number: int, hard: int, topic: int = 0) -> Asked:
    return Asked(number, "r", topic, "object", hard, (hard,), 0)


def test_frequent_answers_are_thinned() -> None:
    every = [asked(n, 1 if n < 60 else n, n) for n in range(100)]
    kept = downsampled(every, Fraction(1, 10), 0)
    assert Counter(q.hard for q in kept)[1] == 10
    assert len(kept) == 50
    assert downsampled(every, ALL, 0) == every
    assert downsampled(every, Fraction(60, 100), 0) == every
    with pytest.raises(KgverifyError, match="tau-too-small"):
        downsampled(every, Fraction(1, 101), 0)


@settings(max_examples=200)
@given(st.lists(st.integers(0, 30), max_size=80), st.integers(0, 99))
def test_parts_are_shares_and_share_nothing(keys: list[int], seed: int) -> None:
    parts = split(list(range(len(keys))), keys, seed)
    assert sorted(place for part in parts.values() for place in part) == list(range(len(keys)))
    found = [{keys[place] for place in parts[part]} for part in PARTS]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert not found[one] & found[other]
    if len(set(keys)) == len(keys):
        assert len(parts["test"]) == (len(keys) + 5) // 10
    assert all(a < b for part in parts.values() for a, b in pairwise(part))


def test_rules_take_turns() -> None:
    lists = [[Grounding(r, n, ()) for n in range(size)] for r, size in enumerate((1, 3, 2))]
    assert [(g.rule, g.head) for g in in_turn(lists)] == [
        *((0, 0), (1, 0), (2, 0)),
        *((1, 1), (2, 1), (1, 2)),
    ]


def test_words() -> None:
    plain = Words()
    assert (
        plain.forms("/people/person/place_of_birth", "39", "object")[0]
        == "What is the “place of birth” of 39?"
    )
    assert plain.forms("hasBrother", "39", "subject")[0] == "Of what is 39 the “has brother”?"
    assert words_of("http://x.org/ns#") == "ns"
    text = """
    class Compound, SideEffect
    relation causes = "CcSE" (Compound, SideEffect) "{0} can cause {1}."
    """
    book = load_rules_text(text)
    assert Words(book).forms("CcSE", "7", "object")[0] == "7 can cause which side effect?"
    assert Words(book).forms("CcSE", "{1}", "subject")[0] == "Which compound can cause {1}?"
    assert Words(book).forms("other", "7", "object")[0] == "What is the “other” of 7?"
    mined_file = 'class Anything\nrelation aunt (Anything, Anything) "{0} is the aunt of {1}"'
    words = Words(load_rules_text(mined_file))
    assert words.forms("aunt", "7", "object")[0] == "7 is the aunt of what?"
    assert words.forms("aunt", "7", "subject")[0] == "What is the aunt of 7?"


@pytest.mark.parametrize(
    ("topic", "answer", "text", "told"),
    [
        ("12", "123", "Which kin of 12 is 123?", True),
        ("12", "2", "Which kin of 12 is known?", False),
        ("New York", "New York City", "Which part of New York is New York City?", True),
        ("Channel 7", "7", "Which number has Channel 7?", False),
        ("Channel 7", "7", "Is 7 the number of Channel 7?", True),
        ("1", "Paris", "Is paris of 1?", True),
        ("1", "a a", "Is 1 b a a a?", True),
        ("C", "C++", "Is C++ after C?", True),
    ],
)
def test_whether_a_question_names_an_answer(topic: str, answer: str, text: str, told: bool) -> None:
    assert is_named(topic, text)
    assert named_beside([answer, "nobody"], topic, text) is told


def test_words_that_name_an_answer_are_not_taken() -> None:
    def texts(one: str, other: str, relation: str = "likes") -> list[str]:
        rule = HornRule(Atom(relation, 0, 1), (Atom(relation, 1, 0),))
        rules = [MinedRule(rule, Measures(2, 2, 2, 2))]
        graph = graph_of([(one, relation, other), (other, relation, one)])
        return list(build(graph, rules, Options(tau=ALL, naming="id")).texts.values())

    (plain,) = texts("a", "b")
    assert "“likes”" in plain
    (bare,) = texts("of", "what")
    assert bare in ("(of, likes, ?)", "(what, likes, ?)", "(?, likes, of)", "(?, likes, what)")
    with pytest.raises(KgverifyError, match="answer-in-text"):
        texts("likes", "to", relation="likes to")


def test_nothing_to_ask_and_names_that_break_a_table(tmp_path: Path) -> None:
    graph = graph_of([("a", "likes", "b")])
    rule = HornRule(Atom("likes", 0, 1), (Atom("likes", 1, 0),))
    with pytest.raises(KgverifyError, match="no-groundings"):
        build(graph, [MinedRule(rule, Measures(0, 1, 1, 0))], Options())
    rules = [MinedRule(rule, Measures(2, 2, 2, 2))]
    for mark in "\t\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\x00\x7f":
        broken = graph_of([(f"a{mark}b", "likes", "b"), ("b", "likes", f"a{mark}b")])
        write_benchmark(tmp_path / "b", build(broken, rules, Options(tau=ALL)), {})
        assert check(tmp_path / "b").faults == ()
        with pytest.raises(KgverifyError, match="a control character in it"):
            build(broken, rules, Options(tau=ALL, naming="id"))
        relation = graph_of([("a", f"l{mark}", "b"), ("b", f"l{mark}", "a")])
        odd = HornRule(Atom(f"l{mark}", 0, 1), (Atom(f"l{mark}", 1, 0),))
        with pytest.raises(KgverifyError, match="name-in-table"):
            build(relation, [MinedRule(odd, Measures(2, 2, 2, 2))], Options(tau=ALL))


@pytest.mark.parametrize("mark", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_the_checker_divides_lines_at_line_feeds_alone(folder: Path, mark: str) -> None:
    for path in folder.iterdir():
        text = path.read_text("utf-8")
        if path.suffix in (".tsv", ".jsonl"):
            there = json.dumps(mark, ensure_ascii=False)[1:-1] if path.suffix == ".jsonl" else mark
            path.write_text(text.replace("spouse", f"spo{there}use"), encoding="utf-8")
    assert check(folder).faults == ()


def test_statistics_count_what_there_is() -> None:
    graph = graph_of(families(30))
    found = build(graph, mined(graph), Options(2, tau=ALL))
    numbers = statistics(found)
    kept = questions(files(found))
    assert numbers["rules"] == {
        "symmetry": 1,
        "inversion": 2,
        "hierarchy": 0,
        "composition": 2,
        "other": 0,
    }
    assert numbers["triples"]["complete"] - numbers["removed"] == numbers["triples"]["incomplete"]
    assert numbers["questions"]["kept"] == len(kept) == numbers["removed"]
    assert sum(numbers["questions"]["by_type"].values()) == len(kept)
    assert numbers["questions"]["only_answer_removed"] == sum(len(q["answers"]) == 1 for q in kept)
