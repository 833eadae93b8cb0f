"""Files that try to reach beyond themselves are refused before a parser sees them."""

from __future__ import annotations

import builtins
import json
import socket

import pytest

from kgverify.errors import GraphError
from kgverify.graph import open_graph

BODY = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="http://ex.org/">'
    '<rdf:Description rdf:about="http://ex.org/kenya"><ex:note>%s</ex:note></rdf:Description></rdf:RDF>'
)


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def document(subset: str, body: str = BODY % "x", start: str = '<?xml version="1.0"?>\n') -> str:
    return f"{start}<!DOCTYPE rdf:RDF [{subset}]>\n{body}"


@pytest.mark.parametrize(
    "subset",
    [
        '<!ENTITY ex "http://ex.org/">',
        "<!ENTITY ex 'http://ex.org/'>\n<!-- a comment -->\n<!ENTITY amp2 '&amp;&#233;'>",
        '<!-- <!ENTITY b "&a;&a;"> -->',
        '<!ELEMENT ex (#PCDATA)><?pi data?><!ENTITY ex "http://ex.org/%20">',
        "",
    ],
)
def test_plain_entities_load(write, subset):
    assert len(open_graph(write("g.rdf", document(subset))).facts) == 1


@pytest.mark.parametrize(
    ("subset", "why"),
    [
        ('<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">', "refers to another entity"),
        ('<!ENTITY a "lol"><!ENTITY b "&#38;a;&#x26;a;">', "refers to another entity"),
        ("<!ENTITY a 'x'><!ENTITY b '&a;'>", "refers to another entity"),
        ('<!ENTITY x SYSTEM "secret.txt">', "external entity"),
        ('<!ENTITY x PUBLIC "id" "http://ex.org/secret">', "external entity"),
        ('<!ENTITY % p "x"> %p;', "parameter entity"),
        ('<!ENTITY % p SYSTEM "http://ex.org/p.dtd"> %p;', "parameter entity"),
        ("%p;", "parameter entity"),
        ('<!ENTITY x "&#60;ex:p/&#62;<ex:q/>">', "markup"),
        (f'<!ENTITY x "{"x" * 2000}">', "more than"),
        ("<!ENTITY x", "can't be read"),
    ],
)
def test_other_entities_are_refused(write, monkeypatch, subset, why):
    path = write("g.rdf", document(subset, BODY % "&x;"))
    write("secret.txt", "MUST-NOT-APPEAR")
    real_open = builtins.open
    opened: list[str] = []
    monkeypatch.setattr(
        builtins, "open", lambda f, *a, **k: opened.append(str(f)) or real_open(f, *a, **k)
    )
    with pytest.raises(GraphError) as caught:
        open_graph(path)
    (problem,) = caught.value.problems
    assert problem.span.file == str(path)
    assert why in problem.message
    assert not any("secret" in name for name in opened)


def test_the_first_declaration_of_an_entity_counts_and_quotes_may_be_single(write, triples_of):
    subset = """<!ENTITY x 'a "b"'><!-- <!ENTITY x "hidden"> --><!ENTITY x "c">"""
    graph = open_graph(write("g.rdf", document(subset, BODY % "&x;")))
    assert triples_of(graph) == {
        ("ehttp://ex.org/kenya", "http://ex.org/note", 'lstring a "b"'),
    }


def test_external_document_types_are_refused(write):
    for external in ('SYSTEM "x.dtd"', 'PUBLIC "x" "http://ex.org/x.dtd"'):
        with pytest.raises(GraphError, match="external document type"):
            open_graph(write("g.rdf", f"<!DOCTYPE rdf:RDF {external}>" + BODY % "x"))


def test_late_document_types_are_refused(write):
    inside = '<!doctype x [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]>'
    for padding in ("", " " * 65_500, " " * 200_000):
        with pytest.raises(GraphError, match="DOCTYPE after"):
            open_graph(write("g.rdf", '<?xml version="1.0"?>' + BODY % (padding + inside + "&b;")))


def test_other_encodings_are_refused(write):
    start = '<?xml version="1.0" encoding="UTF-16"?>'
    with pytest.raises(GraphError, match="UTF-16"):
        open_graph(write("g.rdf", document("", start=start)))
    with pytest.raises(GraphError, match="UTF-16"):
        open_graph(write("g.rdf", document('<!ENTITY a "x">').encode("utf-16")))
    with pytest.raises(GraphError, match="UTF-8"):
        open_graph(write("g.rdf", document("").encode("utf-16-le")))


def test_long_prologs_and_no_root(write):
    with pytest.raises(GraphError, match="no root element"):
        open_graph(write("g.rdf", '<?xml version="1.0"?>\n' + "<!-- x -->" * 200_000))
    with pytest.raises(GraphError, match="no root element"):
        open_graph(write("g.rdf", '<?xml version="1.0"?>\n'))


def test_broken_xml_is_an_error(write):
    with pytest.raises(GraphError):
        open_graph(write("g.rdf", (BODY % "x").replace("</ex:note>", "</ex:nota>")))
    with pytest.raises(GraphError, match=r"U\+0020.*http://ex.org/a b"):
        open_graph(write("g.rdf", (BODY % "x").replace("org/kenya", "org/a b")))


URL = "https://contexts.example.invalid/v1.jsonld"
CONTEXT = {"p": {"@id": "http://ex.org/p", "@type": "@id"}, "name": "http://ex.org/name"}


@pytest.mark.parametrize(
    "context",
    [
        URL,
        [CONTEXT, URL],
        {**CONTEXT, "@import": URL},
        {"p": {"@id": "http://ex.org/p", "@context": URL}},
        [CONTEXT, {"q": {"@id": "http://ex.org/q", "@context": [URL]}}],
    ],
)
def test_remote_contexts_are_refused(write, context):
    for item in (
        {"@context": context, "@id": "http://ex.org/a", "p": "http://ex.org/b"},
        {"@graph": [{"@context": context, "@id": "http://ex.org/a"}]},
    ):
        with pytest.raises(GraphError) as caught:
            open_graph(write("g.jsonld", json.dumps(item)))
        (problem,) = caught.value.problems
        assert URL in problem.message
        assert "in the file" in problem.hint


@pytest.mark.parametrize(
    ("identifier", "message"),
    [("kenya", "relative IRI"), ("http://ex.org/a b", "U+0020"), ('http://ex.org/"', "U+0022")],
)
@pytest.mark.parametrize("key", ["@id", "id"])
def test_ids_that_would_be_dropped_are_reported(write, identifier, message, key):
    context = {**CONTEXT, "id": "@id"}
    item = {"@context": context, "@graph": [{key: identifier, "name": "x"}]}
    with pytest.raises(GraphError) as caught:
        open_graph(write("g.jsonld", json.dumps(item)))
    assert message in caught.value.problems[0].message


def test_relative_ids_with_a_base(write):
    item = {"@context": {**CONTEXT, "@base": "http://ex.org/"}, "@id": "kenya", "name": "x"}
    graph = open_graph(write("g.jsonld", json.dumps(item)))
    assert graph.find(["ehttp://ex.org/kenya"])[0] >= 0


def test_json_ld_that_says_nothing_is_an_error(write):
    item = {"@context": {}, "@id": "http://ex.org/a", "unknown": "x"}
    with pytest.raises(GraphError, match="no facts"):
        open_graph(write("g.jsonld", json.dumps(item)))


@pytest.mark.parametrize("text", ['{"@context": {', '{"@id": 1, "@context": ' + "[" * 100_000])
def test_broken_json_ld(write, text):
    with pytest.raises(GraphError):
        open_graph(write("g.jsonld", text))
