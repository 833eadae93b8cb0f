"""JSON lines and JSON documents."""

from __future__ import annotations

import json

import pytest

from kgverify.errors import GraphError
from kgverify.graph import Options, open_graph


def lines(*records: object) -> str:
    return "\n".join(json.dumps(record) for record in records)


def test_facts_keep_their_qualifiers(write):
    facts = [
        {"object": "Almaty", "since": "1991", "until": "1997"},
        {"object": "Astana", "since": "1997-12"},
        {"object": "Astana", "since": 2022},
        {"object": "Oslo", "denied": True, "rank": "normal"},
    ]
    text = lines(*({"subject": "Kazakhstan", "relation": "capital"} | fact for fact in facts))
    path = write("g.jsonl", "\ufeff" + text)
    graph = open_graph(path)
    pairs = graph.facts.all(0)
    assert [graph.facts.qualifiers(row) for row in pairs.rows] == [
        {"since": "1991", "until": "1997"},
        {"since": "1997-12"},
        {"since": "2022"},
    ]
    assert graph.denied.qualifiers(0) == {"rank": "normal"}
    assert graph.denied.source(0).line == 4


def test_objects_of_every_kind(write, triples_of):
    xsd = "http://www.w3.org/2001/XMLSchema#"
    objects = ["Oslo", 5, True, {"value": "x", "lang": "EN"}, {"value": "x"}, {"value": 7}]
    objects += [
        {"value": "1990", "datatype": "xsd:gYear"},
        {"value": "7", "datatype": xsd + "byte"},
    ]
    facts = [{"subject": "a", "relation": "p", "object": o} for o in objects]
    text = lines(*facts) + '\n{"subject":"a","relation":"p","object":0.10000000000000000000001}'
    assert {o for _, _, o in triples_of(open_graph(write("g.jsonl", text)))} == {
        "eOslo",
        "lnumber 5",
        "lboolean true",
        "ltext@en x",
        "lstring x",
        "lnumber 7",
        "ldate 1990",
        "lnumber 0.10000000000000000000001",
    }


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"subject": "a", "relation": "p"}', "`object` is missing"),
        ('{"subject": "", "relation": "p", "object": "b"}', "`subject` is missing"),
        ('{"subject": 5, "relation": "p", "object": "b"}', "bad `subject`"),
        ('{"subject": "a", "relation": "p", "object": ["b"]}', "bad `object`"),
        ('{"subject": "a", "relation": "p", "object": NaN}', "NaN"),
        ('{"subject": "a", "relation": "p", "object": "b", "denied": "yes"}', "`denied`"),
        ('{"subject": "a", "relation": "p", "object": "b", "since": "May"}', "no date"),
        ('{"subject": "a", "relation": "p", "object": "b", "note": {}}', "no plain value"),
        ('{"subject": "a\\ud800", "relation": "p", "object": "b"}', "surrogate"),
        ('{"subject": "a", "predicate": "p", "object": "b", "negated": "maybe"}', "`negated`"),
        ('{"name": "a"}', "neither"),
        ("[1, 2]", "not a JSON object"),
        ('{"subject": "a"', "delimiter"),
        ("[" * 100_000, "nested"),
    ],
)
def test_bad_records(write, line, message):
    good = '{"subject": "a", "relation": "p", "object": "\\ud83d\\ude00"}'
    path = write("g.jsonl", f"{good}\n{line}\n{good}\n")
    with pytest.raises(GraphError) as caught:
        open_graph(path)
    (problem,) = caught.value.problems
    assert problem.span.line == 2
    assert message in problem.message
    assert len(open_graph(path, Options("skip")).facts) == 1


KGX = [
    {"id": "X:1", "category": ["biolink:Drug"], "name": "aspirin", "synonym": ["ASA"]},
    {"subject": "X:1", "predicate": "biolink:treats", "object": "Y:1", "negated": False},
    {"subject": "X:1", "predicate": "biolink:treats", "object": "Y:2", "negated": True,
     "primary_knowledge_source": "infores:ctd"},
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kg.jsonl", lines(*KGX)),
        ("kg.json", json.dumps({"nodes": KGX[:1], "edges": KGX[1:]})),
        ("kg.json", json.dumps(KGX, indent=1)),
        ("kg", lines(*KGX)),
    ],
)
def test_kgx(write, triples_of, name, text):
    graph = open_graph(write(name, text))
    assert triples_of(graph) == {
        ("eX:1", "rdf:type", "ebiolink:Drug"),
        ("eX:1", "biolink:treats", "eY:1"),
    }
    assert triples_of(graph, denied=True) == {("eX:1", "biolink:treats", "eY:2")}
    assert graph.denied.qualifiers(0) == {"source": "infores:ctd"}
    assert graph.by_label("ASA") == graph.by_label("aspirin")


def het_edge(source: list[object], kind: str, target: list[object], direction: str) -> object:
    return {"source_id": source, "target_id": target, "kind": kind, "direction": direction}


def hetionet(**more: object) -> str:
    nodes = [
        {"kind": "Gene", "identifier": 9021, "name": "SOCS3", "data": {}},
        {"kind": "Disease", "identifier": "DOID:1", "name": "pain"},
    ]
    edges = [
        het_edge(["Disease", "DOID:1"], "associates", ["Gene", 9021], "both"),
        het_edge(["Gene", 9021], "regulates", ["Gene", 7], "forward"),
        het_edge(["Gene", 9021], "regulates", ["Gene", 7], "backward"),
    ]
    return json.dumps({"metaedge_tuples": [], "nodes": nodes, "edges": edges} | more)


def test_hetionet(write, triples_of):
    abbreviations = {"Gene": "G", "Disease": "D", "associates": "a", "regulates": "r"}
    graph = open_graph(write("hetionet.json.gz", hetionet(kind_to_abbrev=abbreviations), True))
    assert triples_of(graph) == {
        ("eGene::9021", "rdf:type", "eGene"),
        ("eDisease::DOID:1", "rdf:type", "eDisease"),
        ("eDisease::DOID:1", "DaG", "eGene::9021"),
        ("eGene::9021", "Gr>G", "eGene::7"),
        ("eGene::7", "Gr>G", "eGene::9021"),
    }
    assert len(graph.by_label("SOCS3")) == 1


def test_hetionet_without_abbreviations(write):
    graph = open_graph(write("hetionet.json", hetionet()))
    assert graph.relations == ("associates", "rdf:type", "regulates")


def test_hetionet_edges_are_checked(write):
    edges = [{"source_id": "x", "target_id": ["Gene", 7], "kind": "regulates"}]
    with pytest.raises(GraphError, match="kind and its identifier"):
        open_graph(write("hetionet.json", hetionet(edges=edges)))


@pytest.mark.parametrize(
    "text", ['{"kg": "../../etc/hostname"}', '"text"', '{"nodes": {}, "edges": []}']
)
def test_other_json_is_refused(write, text):
    with pytest.raises(GraphError):
        open_graph(write("g.json", text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.jsonl", lines({"subject": "a", "relation": "p", "object": "b", "rank": "best"})),
        ("g.jsonl", lines({"subject": "a", "predicate": "p", "object": "b", "rank": "best"})),
        ("edges.tsv", "subject\tpredicate\tobject\trank\na\tp\tb\tbest\n"),
    ],
)
def test_an_unknown_rank_is_an_error_at_its_line(write, name, text):
    path = write(name, text)
    with pytest.raises(GraphError) as caught:
        open_graph(path)
    (problem,) = caught.value.problems
    assert (problem.code, problem.span.line) == ("bad-record", text.strip().count("\n") + 1)
    assert "`rank` is `best`; it may be preferred, normal, deprecated" in problem.message
    assert len(open_graph(path, Options("skip")).facts) == 0


def test_kgx_dates_are_checked(write):
    path = write(
        "g.jsonl", lines({"subject": "a", "predicate": "p", "object": "b", "until": "May"})
    )
    with pytest.raises(GraphError, match="no date"):
        open_graph(path)
