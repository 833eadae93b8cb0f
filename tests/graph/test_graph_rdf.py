"""N-Triples, Turtle, TriG, RDF/XML, JSON-LD and rdflib graphs."""

from __future__ import annotations

import json

import pytest

from kgverify.errors import GraphError
from kgverify.graph import Options, open_graph
from kgverify.graph.terms import display

EX = "ehttp://ex.org/"
PREFIXES = """@prefix : <http://ex.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
TURTLE = (
    PREFIXES + ':kenya :capital :nairobi ; a :Country ; :area 580367, "580367.0"^^xsd:decimal .\n'
)
NTRIPLES = """\
# comment
<http://ex.org/kenya> <http://ex.org/capital> <http://ex.org/nairobi> .
<http://ex.org/kenya><http://www.w3.org/1999/02/22-rdf-syntax-ns#type><http://ex.org/Country>. # end
<http://ex.org/kenya> <http://ex.org/area> "580367"^^<http://www.w3.org/2001/XMLSchema#integer> .
"""
RDFXML = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY ex "http://ex.org/"> <!-- short -->
<!ENTITY xsd 'http://www.w3.org/2001/XMLSchema#'> ]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://ex.org/">
  <Country rdf:about="&ex;kenya"><capital rdf:resource="&ex;nairobi"/>
  <area rdf:datatype="&xsd;integer">580367</area></Country>
</rdf:RDF>"""
JSONLD = json.dumps(
    {
        "@context": {"@vocab": "http://ex.org/", "capital": {"@type": "@id"}},
        "@id": "http://ex.org/kenya",
        "@type": "Country",
        "capital": "http://ex.org/nairobi",
        "area": 580367,
    }
)
TRIG = (
    PREFIXES
    + ":g1 { :kenya :capital :nairobi . } :kenya a :Country . :g2 { :kenya :area 580367 . }"
)
FILES = {
    "g.ttl": TURTLE,
    "g.nt": NTRIPLES,
    "g.owl": RDFXML,
    "g.rdf": RDFXML,
    "g.jsonld": JSONLD,
    "g.trig": TRIG,
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", FILES)
def test_every_syntax_says_the_same(write, triples_of, name, packed):
    text = "\ufeff" + FILES[name].replace("\n", "\r\n")
    graph = open_graph(write(name, text, packed))
    assert triples_of(graph) == {
        (EX + "kenya", "http://ex.org/capital", EX + "nairobi"),
        (EX + "kenya", "rdf:type", EX + "Country"),
        (EX + "kenya", "http://ex.org/area", "lnumber 580367"),
    }


@pytest.mark.parametrize("text", [TURTLE, NTRIPLES, RDFXML, JSONLD])
def test_syntax_is_recognised_by_content(write, text):
    assert len(open_graph(write("data", text)).facts) == 3


def test_owl_may_be_turtle(write):
    assert len(open_graph(write("onto.owl", TURTLE)).facts) == 3


@pytest.mark.parametrize(
    "text",
    [
        "Prefix(:=<http://x>)\nOntology()",
        '<?xml version="1.0"?>\n<Ontology xmlns="http://www.w3.org/2002/07/owl#" x="y">',
    ],
)
def test_other_owl_syntaxes_are_named(write, text):
    with pytest.raises(GraphError, match="OWL"):
        open_graph(write("onto.owl", text))


@pytest.mark.parametrize("name", ["g.nt", "g.ttl"])
def test_iris_are_compared_by_character(write, triples_of, name):
    text = (
        "<http://ex.org/Rio_(river)> <http://ex.org/mouth(s);of>"
        " <http://ex.org/Gulf,_North&South> .\n"
        "<http://ex.org/caf\\u00E9> <http://ex.org/in> <http://ex.org/Bodø> .\n"
        "<http://ex.org/café> <http://ex.org/in> <http://ex.org/Bod%C3%B8> .\n"
    )
    triples = triples_of(open_graph(write(name, text)))
    assert (EX + "Rio_(river)", "http://ex.org/mouth(s);of", EX + "Gulf,_North&South") in triples
    assert {s for s, p, _ in triples if p == "http://ex.org/in"} == {EX + "café"}
    assert {o for _, p, o in triples if p == "http://ex.org/in"} == {EX + "Bodø", EX + "Bod%C3%B8"}


BAD_LINES = [
    ("<http://ex.org/a b> <http://ex.org/p> <http://ex.org/c> .", 17, "U+0020"),
    ('<http://ex.org/a"b> <http://ex.org/p> <http://ex.org/c> .', 17, "U+0022"),
    ("<http://ex.org/é\\u0020b> <http://ex.org/p> <http://ex.org/c> .", 17, "U+0020"),
    ("<http://ex.org/a\\U0000005Cb> <http://ex.org/p> <http://ex.org/c> .", 17, "U+005C"),
    ("<http://ex.org/a> <http://ex.org/p> <http://ex.org/{c}> .", 52, "U+007B"),
    ("<http://ex.org/a> <http://ex.org/p> <http://ex.org/\\n> .", 52, "escape"),
    ("<a> <http://ex.org/p> <http://ex.org/c> .", 1, "no scheme"),
    ("<http://ex.org/a> <http://ex.org/p> <http://ex.org/c>", 54, "the end of the line"),
    ("<http://ex.org/a> <http://ex.org/p> .", 37, "object is expected"),
    ('<http://ex.org/a> <http://ex.org/p> "x .', 37, "closing quote"),
    ('<http://ex.org/a> <http://ex.org/p> "\\x" .', 37, "no escape"),
    ('<http://ex.org/a> <http://ex.org/p> "\\uD800" .', 37, "no character"),
    ("<http://ex.org/a> <http://ex.org/p> <http://ex.org/c> . extra", 57, "follows"),
    ("<http://ex.org/a> _:p <http://ex.org/c> .", 19, "predicate"),
    ('"x" <http://ex.org/p> <http://ex.org/c> .', 1, "subject is expected"),
    ("<< <http://ex.org/a> <http://ex.org/p> <http://ex.org/c> >>", 1, "subject"),
    ("<http://ex.org/a> <http://ex.org/p> <http://ex.org/c .", 37 + 16, "U+0020"),
]


@pytest.mark.parametrize(("line", "column", "message"), BAD_LINES)
def test_each_bad_line_is_reported_at_its_place(write, line, column, message):
    good = "<http://ex.org/a> <http://ex.org/p> <http://ex.org/c> .\n"
    path = write("g.nt", good + line + "\n" + good)
    with pytest.raises(GraphError) as caught:
        open_graph(path)
    (problem,) = caught.value.problems
    assert (problem.span.line, problem.span.column) == (2, column)
    assert message in problem.message


def test_all_bad_lines_are_reported_together(write):
    with pytest.raises(GraphError) as caught:
        open_graph(write("g.nt", "\n".join(line for line, _, _ in BAD_LINES)))
    lines = [problem.span.line for problem in caught.value.problems]
    assert lines == list(range(1, len(BAD_LINES) + 1))


def test_bad_turtle_statements_are_reported_together_or_skipped(write):
    text = PREFIXES + ":a :p <http://ex.org/b c> .\n:a :p :b .\n:a zz:p :b .\n:a :p :c .\n"
    path = write("g.ttl", text)
    with pytest.raises(GraphError) as caught:
        open_graph(path)
    assert [problem.span.line for problem in caught.value.problems] == [6, 8]
    assert "U+0020" in caught.value.problems[0].message
    assert len(open_graph(path, Options("skip")).facts) == 2


def test_relative_iris_need_a_base(write):
    with pytest.raises(GraphError, match="relative IRI"):
        open_graph(write("g.ttl", "<a> <http://ex.org/p> <b> ."))


def test_labels_become_names(write):
    text = PREFIXES + (
        ':a rdfs:label "Wien"@de, "Vienna"@en ; skos:altLabel "Vindobona" ; :p :b .\n'
        ':b skos:prefLabel "bee" .'
    )
    graph = open_graph(write("g.ttl", text))
    a, b = graph.find([EX + "a", EX + "b"]).tolist()
    assert graph.labels([a, b]) == ["Vienna", "bee"]
    assert set(graph.aliases(a)) == {"Wien", "Vindobona"}
    assert len(graph.facts) == 1


def test_negative_property_assertions_are_denied_facts(write, triples_of):
    text = PREFIXES + (
        "[] a owl:NegativePropertyAssertion ; owl:sourceIndividual :a ;"
        " owl:assertionProperty :p ; owl:targetIndividual :b .\n"
        ":n owl:targetValue 5 ; owl:assertionProperty :q ; owl:sourceIndividual :a ;"
        " a owl:NegativePropertyAssertion .\n"
    )
    graph = open_graph(write("g.ttl", text))
    assert triples_of(graph) == set()
    assert triples_of(graph, denied=True) == {
        (EX + "a", "http://ex.org/p", EX + "b"),
        (EX + "a", "http://ex.org/q", "lnumber 5"),
    }


def test_incomplete_negative_assertions_are_reported(write):
    text = PREFIXES + ":n a owl:NegativePropertyAssertion ; owl:sourceIndividual :a . :a :p :b ."
    with pytest.raises(GraphError, match="assertionProperty and targetIndividual"):
        open_graph(write("g.ttl", text))


def test_values_and_partial_dates(write, triples_of):
    text = PREFIXES + (
        ':h :n 1, 1.0, "01"^^xsd:integer, "+1"^^xsd:integer, "1" .\n'
        ':g :born "-0099"^^xsd:gYear, "1990"^^xsd:gYear,'
        ' "1990-05-01"^^xsd:date, "1990-13-45"^^xsd:date .'
    )
    assert {(p[14:], o) for _, p, o in triples_of(open_graph(write("g.ttl", text)))} == {
        ("n", "lnumber 1"),
        ("n", "lstring 1"),
        ("born", "ldate -0099"),
        ("born", "ldate 1990"),
        ("born", "ldate 1990-05-01"),
        ("born", "lill xsd:date 1990-13-45"),
    }


def test_subclass_cycles_load(write):
    text = (
        PREFIXES
        + ":A rdfs:subClassOf :B . :B rdfs:subClassOf :A . :A rdfs:subClassOf :A . :x a :A ."
    )
    graph = open_graph(write("g.ttl", text))
    assert graph.facts.count(graph.subclass_relation) == 3
    assert graph.facts.count(graph.type_relation) == 1


def test_blank_nodes_belong_to_their_file(write, triples_of):
    text = "_:x <http://ex.org/p> _:y ."
    triples = triples_of(open_graph([write("a.nt", text), write("b.nt", text)]))
    assert len(triples) == 2
    assert len({term for s, _, o in triples for term in (s, o)}) == 4


def test_unlabelled_blank_nodes_give_the_same_graph_each_time(write):
    path = write("g.ttl", PREFIXES + ":a :p [ :q [], _:x ] .")
    assert open_graph(path).hash == open_graph(path).hash


def test_triple_terms_are_rejected(write):
    with pytest.raises(GraphError, match="triple terms"):
        open_graph(write("g.ttl", PREFIXES + ":a :p <<( :a :b :c )>> ."))


def test_rdflib_graphs(write, triples_of):
    rdflib = pytest.importorskip("rdflib")
    graph = rdflib.Graph().parse(data=TURTLE + ':kenya rdfs:label "Kenya"@en .', format="turtle")
    ours = open_graph(graph)
    assert triples_of(ours) == triples_of(open_graph(write("g.ttl", TURTLE)))
    assert [display(ours.key(i)) for i in ours.by_label("Kenya")] == ["http://ex.org/kenya"]
    with pytest.raises(TypeError):
        open_graph(5)
