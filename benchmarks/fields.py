"""Measures what the built-in judge makes of titled fields, on 261 country profiles.

Passages: the one field that states a relation (retrieval.FIELDS) of each profile, with the
profile's name as title and section and field as heading.  Claims: the words of shipped
rules/countries.kgr, the labels of kg/countries, and what the profiles call some of them
(retrieval.CALLED).

- **true**: a fact of the graph, with the field of its subject.  `stated` are those whose field
  mentions the object by retrieval.py's own reading; ENTAILED is right.
- **false**: the same field with each object of the relation that the graph does not give the
  subject.  ENTAILED is wrong, or the graph lacks the fact: `--show` lists them for reading.

`before` is the same without headings, as passages were judged before there were any.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import retrieval
from common import data_folder, machine, say, table, timed, write_json

if TYPE_CHECKING:
    from kgverify.evidence.judging import Claim
    from kgverify.evidence.passages import Passage

RESULTS = Path(__file__).parent / "results" / "fields.json"
Case = tuple[str, str, str, "Passage", "Claim"]


class Fields:
    """The fields of profiles, and the facts that they may state."""

    def __init__(self) -> None:
        from kgverify import load_rules, open_graph
        from kgverify.evidence.claims import Claims

        folder = data_folder("kg/countries")
        self.data = retrieval.load()
        self._claims = Claims(
            load_rules(retrieval.RULES),
            open_graph([folder / "triples.tsv", folder / "labels.tsv"]),
        )
        self._objects: defaultdict[str, set[str]] = defaultdict(set)
        for _, relation, object_ in self.data.gold:
            self._objects[relation].add(object_)
        self._places: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for number, record in enumerate(self.data.records):
            self._places[retrieval.plain(record["title"]), record["field"]].append(number)

    def passages(self, subject: str, relation: str, headed: bool) -> list[Passage]:
        """The fields of a profile that state a relation."""
        from kgverify.evidence.passages import Passage

        found = []
        for name in dict.fromkeys(map(retrieval.plain, self.data.names[subject])):
            for number in self._places[name, retrieval.FIELDS[relation]]:
                record = self.data.records[number]
                heading = f"{record['section']}: {record['field']}" if headed else ""
                found.append(
                    Passage(record["id"], record["text"], record["title"], heading=heading)
                )
        return found

    def true(self, relation: str, headed: bool = True) -> Iterator[Case]:
        """The facts of the graph that have a field."""
        for fact in self.data.gold:
            if fact[1] == relation:
                yield from self._cases(fact, headed)

    def false(self, relation: str, headed: bool = True, step: int = 1) -> Iterator[Case]:
        """Each field with what the graph does not give its subject; every `step`th of them."""
        subjects = dict.fromkeys(s for s, r, _ in self.data.gold if r == relation)
        number = 0
        for subject in subjects:
            for object_ in sorted(self._objects[relation]):
                fact, turned = (subject, relation, object_), (object_, relation, subject)
                is_own = object_ == subject or fact in self.data.gold
                if is_own or (relation == "borders" and turned in self.data.gold):
                    continue
                number += 1
                if number % step == 0:
                    yield from self._cases(fact, headed)

    def _cases(self, fact: tuple[str, str, str], headed: bool) -> Iterator[Case]:
        import msgspec

        subject, relation, object_ = fact
        names = self.data.names
        for passage in self.passages(subject, relation, headed):
            claim = self._claims.of(subject, relation, object_)
            claim = msgspec.structs.replace(claim, subject=names[subject], object=names[object_])
            yield *fact, passage, claim

    def measured(self, relation: str, headed: bool = True, step: int = 1) -> dict[str, Any]:
        """Labels of true and of false facts of a relation, and the ENTAILED among the false."""
        from kgverify.evidence.rule_judge import judge_pair

        labels: dict[str, Counter[str]] = {"true": Counter(), "stated": Counter()}
        labels["false"] = Counter()
        wrong, missed = [], []
        for *fact, passage, claim in self.true(relation, headed):
            answer = judge_pair(passage, claim)
            labels["true"][answer.label] += 1
            if self.data.gold[tuple(fact)]:
                labels["stated"][answer.label] += 1
                if answer.label != "ENTAILED":
                    missed.append([*claim.object[:1], passage.title, answer.reason, passage.text])
        for *_, passage, claim in self.false(relation, headed, step):
            label = judge_pair(passage, claim).label
            labels["false"][label] += 1
            if label == "ENTAILED":
                wrong.append([*claim.object[:1], passage.title, passage.text])
        right = labels["true"]["ENTAILED"]
        given = right + len(wrong)
        return {
            "relation": relation,
            "headed": headed,
            **{kind: dict(found) for kind, found in labels.items()},
            "recall_of_stated": _share(labels["stated"]["ENTAILED"], labels["stated"].total()),
            "recall": _share(right, labels["true"].total()),
            "precision": _share(right, given),
            "wrong": wrong,
            "missed": missed,
        }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--show", action="store_true", help="list what is missed and wrong")
    parser.add_argument("--step", type=int, default=1, help="every so many of the false facts")
    parser.add_argument("--out", type=Path, default=None, help=f"write results, as {RESULTS.name}")
    arguments = parser.parse_args()
    fields = Fields()
    results = []
    for headed in (False, True):
        for relation in retrieval.FIELDS:
            found, seconds = timed(
                lambda r=relation, h=headed: fields.measured(r, h, arguments.step)
            )
            wrong, missed = found.pop("wrong"), found.pop("missed")
            results.append({**found, "seconds": round(seconds, 1)})
            say(f"{relation} {headed} {seconds:.0f} s", progress=True)
            if arguments.show and headed:
                for kind, rows in (("wrong", wrong), ("missed", missed)):
                    for row in rows:
                        print(relation, kind, *(part[:300] for part in row), sep=" | ")
    rows = [
        [
            found["relation"],
            "after" if found["headed"] else "before",
            *(str(found[key]) for key in ("stated", "false")),
            *(str(found[key]) for key in ("precision", "recall", "recall_of_stated")),
        ]
        for found in results
    ]
    head = ["relation", "", "stated", "false", "precision", "recall", "recall of stated"]
    say(table(head, rows))
    if arguments.out:
        write_json(arguments.out, {"machine": machine(), "step": arguments.step, "rows": results})


if __name__ == "__main__":
    sys.exit(main())
