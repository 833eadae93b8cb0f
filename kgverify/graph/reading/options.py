"""How graph files are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from kgverify.errors import Problem

# What TSV files call the relation between an entity and its class.
TYPE_RELATIONS = frozenset(
    {"rdf:type", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "type", "a", "isA"}
)
SUBCLASS_RELATIONS = frozenset(
    {"rdfs:subClassOf", "http://www.w3.org/2000/01/rdf-schema#subClassOf", "subclass of"}
)


@dataclass(frozen=True, slots=True)
class Options:
    """How graph files are read.

    - `on_error`: what to do with lines that can't be read: "stop" collects the first of them and
      raises, "skip" leaves them out and reports them.
    - `type_relations`: further names, beside `TYPE_RELATIONS`, of the type relation in tables.
    - `literal_relations`: relations whose objects in tables are literals, each with its datatype
      (see `terms.value_key`).  With "" an object is what it looks like: a number if it reads as
      one, a date if it has the form YYYY-MM or YYYY-MM-DD, else a string.
    - `max_unpacked`: the most bytes that one gzip file may unpack to.
    - `on_reject`: called with every line that is left out.
    - `progress`: called now and then with the bytes read so far and the bytes of all files.
    """

    on_error: Literal["stop", "skip"] = "stop"
    type_relations: frozenset[str] = frozenset()
    literal_relations: Mapping[str, str] = field(default_factory=dict)
    max_unpacked: int = 4 * 1024**3
    progress: Callable[[int, int], None] | None = None
    on_reject: Callable[[Problem], None] | None = None
