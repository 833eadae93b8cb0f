"""Question files in small, in the shapes of the real ones."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Listing = Sequence[tuple[str, str, str]]
NAMES = {"m.town": "Oslo", "m.land": "Norway", "m.poet": "Ada", "m.film": "The Ferry"}
BIRTH: Listing = [
    ("m.poet", "people.person.place_of_birth", "m.town"),
    ("m.town", "location.location.people_born_here", "m.poet"),
]
CAPITAL: Listing = [("m.land", "location.country.capital", "m.town")]
PART: Listing = [
    ("m.poet", "film.actor.film", "m.part"),
    ("m.part", "film.performance.actor", "m.poet"),
    ("m.part", "film.performance.film", "m.film"),
    ("m.film", "film.film.starring", "m.part"),
]
QUERY = """PREFIX ns: <http://rdf.freebase.com/ns/>
SELECT DISTINCT ?x
WHERE {
FILTER (?x != ?c)
FILTER (!isLiteral(?x) OR lang(?x) = '' OR langMatches(lang(?x), 'en'))
?c ns:location.country.capital ns:m.town .  # a comment
?c ns:location.country.currency_used ?x .
}
"""


def cwq(id_: str, deleted: Listing | None = None, **fields: Any) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ID": id_,
        "compositionality_type": "composition",
        "question": f"what of {id_}?",
        "sparql": QUERY,
        "topic_entity": {"m.town": "Oslo"},
        "answer": ["Krone"],
    }
    return found | ({} if deleted is None else listed(deleted)) | fields


def webqsp(id_: str, deleted: Listing | None = None, **fields: Any) -> dict[str, Any]:
    answers = [
        {"AnswerType": "Entity", "AnswerArgument": "m.land", "EntityName": "Norway"},
        {"AnswerType": "Value", "AnswerArgument": "1905", "EntityName": None},
    ]
    found: dict[str, Any] = {
        "QuestionId": id_,
        "RawQuestion": f"where is {id_}?",
        "topic_entity": {"m.town": "Oslo"},
        "Parses": [
            {"Sparql": "SELECT ?x WHERE { ns:m.town ns:a.b.c ?x . }", "Answers": answers},
            {"Sparql": "SELECT ?x WHERE { ?x ns:a.b.d ns:m.town ; ns:a.b.e ?y }", "Answers": []},
        ],
    }
    return found | ({} if deleted is None else listed(deleted)) | fields


def listed(deleted: Listing) -> dict[str, Any]:
    named = [[NAMES.get(s, s), r, NAMES.get(o, o)] for s, r, o in deleted]
    return {"mid_crucial_triples": [list(t) for t in deleted], "crucial_triples": named}


def write(path: Path, *found: Any) -> Path:
    text = json.dumps(list(found))
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode(), mtime=0))
    else:
        path.write_text(text, encoding="utf-8")
    return path


def two_levels(folder: Path) -> Path:
    """Two levels and a file of questions alone, of three questions."""
    write(folder / "cwq_3.json", cwq("a"), cwq("b"), cwq("c"))
    write(
        folder / "data_with_ct_0.2.json",
        cwq("a", BIRTH),
        cwq("b", []),
        cwq("c", PART[:2], compositionality_type="conjunction"),
    )
    write(
        folder / "data_with_ct_0.8.json.gz",
        cwq("a", [*BIRTH, *CAPITAL]),
        cwq("b", CAPITAL),
        cwq("c", PART, compositionality_type="conjunction"),
    )
    return folder
