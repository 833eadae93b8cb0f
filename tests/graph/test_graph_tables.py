"""Tab-separated files."""

from __future__ import annotations

import pytest

from kgverify.graph import Options, build_store, info, open_graph
from kgverify.graph.terms import display


def test_triples(write, triples_of):
    graph = open_graph(
        write("g.tsv", "Kenya\tcapital\tNairobi\nKenya\tcapital\tNairobi\n\nOslo\tin\tNo\n")
    )
    assert triples_of(graph) == {("eKenya", "capital", "eNairobi"), ("eOslo", "in", "eNo")}
    assert graph.name == "g"
    assert graph.facts.source(0).line == 1
    assert graph.facts.source(1).line == 4
    assert graph.facts.source(0).file.endswith("g.tsv")


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", ["g.tsv", "g.tsv.gz", "g.txt", "g"])
def test_byte_order_mark_carriage_returns_and_gzip_under_any_name(write, triples_of, name, packed):
    path = write(name, "\ufeffKenya\tcapital\tNairobi\r\nUganda\tcapital\tKampala\r\n", packed)
    assert triples_of(open_graph(path)) == {
        ("eKenya", "capital", "eNairobi"),
        ("eUganda", "capital", "eKampala"),
    }


def test_hash_knows_neither_order_nor_file_nor_place(write):
    first = open_graph(write("a.tsv", "a\tp\tb\nb\tp\tc\n"))
    second = open_graph([write("x.tsv", "b\tp\tc\nb\tp\tc\n"), write("y.tsv", "\na\tp\tb\n")])
    assert first.hash == second.hash


def test_denied_facts_in_a_column_and_in_their_own_file(write, triples_of):
    graph = open_graph(
        write("g.tsv", "a\tp\tb\na\tp\tc\tdenied\na\tp\td\tNOT\na\tp\te\t\n"),
        denied=write("n.tsv", "a\tp\tf\n"),
    )
    assert triples_of(graph) == {("ea", "p", "eb"), ("ea", "p", "ee")}
    assert triples_of(graph, denied=True) == {("ea", "p", o) for o in ("ec", "ed", "ef")}


def test_type_and_subclass_relations_are_merged(write):
    rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    lines = [
        f"x{i}\t{name}\tC" for i, name in enumerate(["rdf:type", rdf, "type", "a", "isA", "P31"])
    ]
    graph = open_graph(
        write("g.tsv", "\n".join([*lines, "C\tsubclass of\tD"])),
        Options(type_relations=frozenset({"P31"})),
    )
    assert graph.relations == ("rdf:type", "rdfs:subClassOf")
    assert info(graph).classes == (("eC", 6),)


def test_literals(write, triples_of):
    xsd = "http://www.w3.org/2001/XMLSchema#"
    lines = [
        "a\tborn\t1990-05",
        "a\theight\t1.80",
        "a\theight\ttall",
        f'a\tage\t"07"^^<{xsd}integer>',
        'a\tname\t"Caf\\u00E9 \\"x\\""@FR',
        'a\tnick\t"plain"',
        "a\tage\t7",
    ]
    options = Options(literal_relations={"born": "", "height": ""})
    graph = open_graph(write("g.tsv", "\n".join(lines)), options)
    assert triples_of(graph) == {
        ("ea", "born", "ldate 1990-05"),
        ("ea", "height", "lnumber 1.8"),
        ("ea", "height", "lstring tall"),
        ("ea", "age", "lnumber 7"),
        ("ea", "name", 'ltext@fr Café "x"'),
        ("ea", "nick", 'e"plain"'),
        ("ea", "age", "e7"),
    }


def test_hetionet(write, triples_of):
    nodes = "id\tname\tkind\nCompound::1\taspirin\tCompound\nDisease::1\tpain\tDisease\n"
    edges = "source\tmetaedge\ttarget\nCompound::1\tCtD\tDisease::1\n"
    graph = open_graph([write("nodes.tsv", nodes), write("edges.tsv.gz", edges, True)])
    assert triples_of(graph) == {
        ("eCompound::1", "CtD", "eDisease::1"),
        ("eCompound::1", "rdf:type", "eCompound"),
        ("eDisease::1", "rdf:type", "eDisease"),
    }
    (aspirin,) = graph.by_label("Aspirin")
    assert graph.key(aspirin) == "eCompound::1"


def test_kgx(write, triples_of):
    nodes = "id\tcategory\tname\tsynonym\n"
    nodes += "X:1\tbiolink:Drug|biolink:Thing\taspirin\tASA|acetylsalicylate\n"
    edges = (
        "id\tsubject\tpredicate\tobject\tnegated\tprimary_knowledge_source\tobject_aspect_qualifier\n"
        "e1\tX:1\tbiolink:treats\tY:1\tfalse\tinfores:ctd\t\n"
        "e2\tX:1\tbiolink:treats\tY:2\tTrue\t\t\n"
        "e3\tX:1\tbiolink:affects\tY:3\t\t\tactivity\n"
    )
    graph = open_graph([write("kg_nodes.tsv", nodes), write("kg_edges.tsv", edges)])
    assert triples_of(graph, denied=True) == {("eX:1", "biolink:treats", "eY:2")}
    assert ("eX:1", "rdf:type", "ebiolink:Thing") in triples_of(graph)
    (drug,) = graph.by_label("asa")
    assert graph.label(drug) == "aspirin"
    rows = range(len(graph.facts))
    assert [q for row in rows if (q := graph.facts.qualifiers(row))] == [
        {"object_aspect_qualifier": "activity"},
        {"source": "infores:ctd"},
    ]


def test_labels_and_types_by_name_and_by_role(write):
    graph = open_graph(
        [
            write("g.tsv", "Q1\tp\tQ2\n"),
            write("labels.tsv", "Q1\tNorway\tCountry\nQ2\tOslo\n"),
            write("entity_types.tsv", "Q2\tCity\n"),
            f"labels:{write('mid2name.txt', 'Q3' + chr(9) + 'Bergen')}",
            f"types:{write('kinds.txt', 'Q3' + chr(9) + 'City')}",
        ]
    )
    assert info(graph).classes == (("eCity", 2), ("eCountry", 1))
    assert [display(graph.key(i)) for i in graph.by_label("oslo")] == ["Q2"]
    assert len(graph.by_label("Bergen")) == 1
    assert graph.facts.source(graph.facts.all(graph.type_relation).rows[0]).line > 0


def test_build_summary_and_progress(write, tmp_path):
    seen: list[tuple[int, int]] = []
    path = write("g.tsv", "a\tp\tb\na\tp\tb\nbad\n")
    options = Options("skip", progress=lambda done, total: seen.append((done, total)))
    summary = build_store(path, tmp_path / "store", options)
    assert (summary.facts, summary.denied, summary.entities, summary.relations) == (1, 0, 2, 1)
    assert (summary.duplicates, summary.rejected_count) == (1, 1)
    assert summary.rejected[0].span.line == 3
    assert summary.seconds > 0
    size = path.stat().st_size
    assert seen[-1] == (size, size)
    assert open_graph(tmp_path / "store").hash == open_graph(path, Options("skip")).hash
