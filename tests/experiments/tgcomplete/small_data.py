"""The files of both settings, small and by hand, in the shapes of the real ones."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

COUNTRIES = {
    "NOR": ("Norway", "Oslo", "NOK", "Norwegian krone", "nor", "Norwegian"),
    "SWE": ("Sweden", "Stockholm", "SEK", "Swedish krona", "swe", "Swedish"),
    "FIN": ("Finland", "Helsinki", "EUR", "Euro", "fin", "Finnish"),
    "DNK": ("Denmark", "Copenhagen", "DKK", "Danish krone", "dan", "Danish"),
    "DEU": ("Germany", "Berlin", "EUR", "Euro", "deu", "German"),
}
BORDERS = ("NOR SWE", "NOR FIN", "SWE FIN", "DNK DEU")
DISEASES = {
    "DOID:1": ("larynx cancer", "A throat cancer that is located_in the larynx."),
    "DOID:2": ("shivers", "A nerve disease that is characterized by tremor and fever."),
    "DOID:3": ("silence", ""),
    "DOID:4": ("grippe", "It affects the lung. The disease has_symptom fever."),
}
ANATOMY, SYMPTOMS = ("larynx", "lung", "nerve"), ("Tremor", "Fever", "Cough")
EDGES = (
    ("DOID:1", "DlA", "larynx"),
    ("DOID:1", "DpS", "Cough"),
    ("DOID:2", "DlA", "nerve"),
    ("DOID:2", "DpS", "Fever"),
    ("DOID:2", "DpS", "Tremor"),
    ("DOID:3", "DpS", "Cough"),
    ("DOID:4", "DlA", "lung"),
    ("DOID:4", "DpS", "Fever"),
    ("DOID:1", "DrD", "DOID:4"),
)


def write(folder: Path) -> Path:
    """Writes all files and returns their folder."""
    _countries(folder / "kg" / "countries")
    _profiles(folder / "text")
    _hetionet(folder / "hetionet")
    return folder


def _countries(folder: Path) -> None:
    folder.mkdir(parents=True)
    labels = {
        "reg:Europe": ("Europe", "Region"),
        "sub:Northern Europe": ("Northern Europe", "Subregion"),
    }
    triples = [("sub:Northern Europe", "part_of", "reg:Europe")]
    for id_, (name, city, code, money, lang, language) in COUNTRIES.items():
        labels[id_] = name, "Country"
        labels[f"city:{city}"] = city, "City"
        labels[f"cur:{code}"] = money, "Currency"
        labels[f"lang:{lang}"] = language, "Language"
        triples += [
            (id_, "capital", f"city:{city}"),
            (id_, "currency", f"cur:{code}"),
            (id_, "official_language", f"lang:{lang}"),
            (id_, "region", "reg:Europe"),
            (id_, "subregion", "sub:Northern Europe"),
            (id_, "landlocked", "false"),
        ]
    for pair in BORDERS:
        one, other = pair.split()
        triples += [(one, "borders", other), (other, "borders", one)]
    lines = [f"{id_}\t{name}\t{kind}\n" for id_, (name, kind) in labels.items()]
    (folder / "labels.tsv").write_text("".join(lines), encoding="utf-8")
    (folder / "triples.tsv").write_text("".join("\t".join(t) + "\n" for t in triples), "utf-8")


def _profiles(folder: Path) -> None:
    folder.mkdir()
    rows = []
    for id_, (name, city, code, money, _, language) in COUNTRIES.items():
        around = [p.replace(id_, "").strip() for p in BORDERS if id_ in p]
        listed = ", ".join(f"{COUNTRIES[other][0]} 10 km" for other in around)
        fields = {
            ("Government", "Capital"): f"name: {city}; geographic coordinates: 1 00 N, 2 00 E",
            ("Geography", "Land boundaries"): f"total: 20 km; border countries: {listed}",
            ("Economy", "Exchange rates"): f"{money}s ({code}) per US dollar - 1.5 (2014 est.)",
            ("People and Society", "Languages"): f"{language} (official), others",
            ("Geography", "Map references"): "Europe",
            ("Geography", "Location"): "Northern Europe, by the sea",
        }
        for (section, field), text in fields.items():
            rows.append(
                {
                    "id": f"{id_.lower()}/{section}/{field}",
                    "title": name,
                    "section": section,
                    "field": field,
                    "text": text,
                }
            )
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "factbook-passages.jsonl.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))


def _hetionet(folder: Path) -> None:
    folder.mkdir()
    kinds = {
        **{f"Disease::{id_}": (name, "Disease") for id_, (name, _) in DISEASES.items()},
        **{f"Anatomy::{name}": (name, "Anatomy") for name in ANATOMY},
        **{f"Symptom::{name}": (name, "Symptom") for name in SYMPTOMS},
        "Gene::1": ("G1", "Gene"),
    }

    def node(name: str) -> str:
        return next(id_ for id_ in kinds if id_.endswith(f"::{name}"))

    nodes = ["id\tname\tkind\n", *(f"{i}\t{n}\t{k}\n" for i, (n, k) in kinds.items())]
    edges = [f"{node(s)}\t{m}\t{node(o)}\n" for s, m, o in EDGES]
    heading = "source\tmetaedge\ttarget\n"
    for name, lines in (("nodes.tsv.gz", nodes), ("edges.tsv.gz", [heading, *edges])):
        (folder / name).write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    (folder / "negatives-NOT.tsv").write_text(heading, encoding="utf-8")
    rows = [f"{id_}\t{name}\t{text}\n" for id_, (name, text) in DISEASES.items()]
    text = "disease_id\tname\tdescription\n" + "".join(rows)
    (folder / "disease-descriptions.tsv").write_text(text, encoding="utf-8")
