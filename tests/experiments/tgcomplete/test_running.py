"""The whole experiment on small files, and on the real ones."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kgverify.cli.app import app
from kgverify.errors import GraphError, KgverifyError
from kgverify.evidence.language_model import LanguageModel
from kgverify.evidence.rule_judge import RuleJudge
from kgverify.experiments.tgcomplete import countries, diseases
from kgverify.experiments.tgcomplete.methods import GUESSES, PAPERS, generated, verified
from kgverify.experiments.tgcomplete.running import MISSING, QUESTIONS, Sources, run
from tests.asking.chat_server import Answer, chat_server
from tests.experiments.tgcomplete import small_data

FIELDS = "countries, titled fields"


def silent(_: str) -> None:
    """Takes the place of a progress bar."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_data.write(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def done(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out") / "run"
    run(Sources(data), out, True, 0, silent)
    return out


def results(out: Path) -> dict:
    found: dict = json.loads((out / "results.json").read_text("utf-8"))
    return found


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


# ---------------------------------------------------------------- reading


def test_countries_are_read(data: Path) -> None:
    world = countries.read(data)
    assert len(world.edges["borders"]) == 8
    assert world.names["cur:NOK"] == ("Norwegian krone", "NOK")
    assert {edge.relation for edge in world.kept} == {"part_of"}
    fragments, fields = (world.corpora[n] for n in (countries.FRAGMENTS, countries.FIELDS))
    assert [p.text for p in fragments] == [p.text for p in fields]
    assert {p.heading for p in fragments} == {""}
    assert "Government: Capital" in {p.heading for p in fields}


def test_diseases_are_read(data: Path) -> None:
    world = diseases.read(data)
    # A disease without a description keeps its edges.
    assert [edge.subject for edge in world.kept] == ["Disease::DOID:3"]
    assert world.names["Symptom::Fever"] == ("Fever", "fever")
    definitions, sentences = (world.corpora[n] for n in (diseases.PROSE, diseases.SENTENCES))
    assert len(definitions) == len(sentences) == 3
    assert definitions[0].text == "A throat cancer that is located in the larynx."
    assert sentences[0].text.startswith("Larynx cancer is a throat cancer")


def test_what_is_missing_or_wrong_is_told(data: Path, tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="there is no such file"):
        countries.read(tmp_path)
    folder = tmp_path / "kg" / "countries"
    folder.mkdir(parents=True)
    (folder / "labels.tsv").write_text("NOR\tNorway\tCountry\nOSL\tOslo\n", encoding="utf-8")
    with pytest.raises(GraphError, match="expected three columns, found 2"):
        countries.read(tmp_path)
    (folder / "labels.tsv").write_text("NOR\tNorway\tCountry\n", encoding="utf-8")
    (folder / "triples.tsv").write_text("NOR\tcapital\tcity:Oslo\n", encoding="utf-8")
    with pytest.raises(GraphError, match="`city:Oslo` has no label"):
        countries.read(tmp_path)


# ---------------------------------------------------------------- the run


def test_every_setting_is_measured(done: Path) -> None:
    found = results(done)["settings"]
    assert set(found) == {"countries, fragments", FIELDS, "diseases, sentences"}
    for setting in found.values():
        (of,) = setting["shares"].values()
        assert set(of["methods"]) >= {PAPERS, generated(GUESSES), verified(GUESSES)}
        assert len(of["sensitivity"]) == 10
        assert "whole" in of["ablations"]
    names = {path.name for path in done.iterdir()}
    assert names >= {"report.md", "results.json", QUESTIONS, MISSING, "gap.svg", "relations.svg"}


def test_headings_close_the_gap_of_fields(done: Path) -> None:
    """In the small profiles each edge is stated by a field, which nobody can tell without its
    heading."""
    gaps = {
        name: of["shares"]["0.4"]["gaps"]["all"]["full text"]["mean"]
        for name, of in results(done)["settings"].items()
    }
    assert gaps[FIELDS] == 0.0
    assert gaps["countries, fragments"] == 1.0


def test_the_report_says_whether_the_findings_hold(done: Path) -> None:
    report = (done / "report.md").read_text("utf-8")
    for heading in ("The three findings", "The provenance gap", "The judges", "Published"):
        assert f"\n## {heading}" in report
    assert f"| {FIELDS}, 40 % | does not hold |" in report
    assert "| countries, fragments, 40 % | holds |" in report
    assert not re.search(r"\b(nan|None)\b", report)


def test_the_same_run_gives_the_same_files(data: Path, done: Path, tmp_path: Path) -> None:
    run(Sources(data), tmp_path / "again", True, 0, silent)
    assert {p.name for p in (tmp_path / "again").iterdir()} == {p.name for p in done.iterdir()}
    for path in done.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes(), path.name


def test_recorded_generations_and_predictions_are_compared(
    data: Path, done: Path, tmp_path: Path
) -> None:
    missing = [row for row in lines(done / MISSING) if row["world"] == "countries"]
    assert missing
    generations, predictions = tmp_path / "model.jsonl", tmp_path / "alone.jsonl"
    said = {"capital": "Oslo", "currency": "Euro", "borders": "Germany", "region": "Europe"}
    rows = [
        {**m, "objects": [said.get(m["relation"], "Danish")], "model": "small"} for m in missing
    ]
    for row in rows:
        del row["world"]
    generations.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    asked = [row for row in lines(done / QUESTIONS) if row["world"] == "countries"]
    given = [{"id": row["id"], "prediction": ["Oslo"]} for row in asked]
    predictions.write_text("\n".join(map(json.dumps, given)), encoding="utf-8")
    sources = Sources(
        data,
        generations=(("countries", generations),),
        predictions=(("countries", predictions),),
    )
    run(sources, tmp_path / "out", True, 0, silent)
    found = results(tmp_path / "out")
    methods = found["settings"][FIELDS]["shares"]["0.4"]["methods"]
    assert {generated("model.jsonl"), verified("model.jsonl"), "alone.jsonl"} <= set(methods)
    edges = methods[generated("model.jsonl")]["edges"]
    assert edges["proposed"]["mean"] == edges["admitted"]["mean"] > 0
    assert methods["alone.jsonl"]["edges"]["proposed"]["mean"] == 0
    assert "model.jsonl" in found["record"]["inputs"]
    others = found["settings"]["diseases, sentences"]["shares"]["0.4"]["methods"]
    assert generated("model.jsonl") not in others


def test_a_language_model_generates(data: Path, tmp_path: Path) -> None:
    reply = json.dumps({"relation": "capital", "objects": ["Oslo"]})
    replies = tmp_path / "replies.jsonl"
    with chat_server(Answer(reply)) as server:
        sources = Sources(data, llm=LanguageModel(server.url, "small", seconds=20), replies=replies)
        run(sources, tmp_path / "out", True, 0, silent)
        asked = len(server.asked)
        assert asked > 0
        run(sources, tmp_path / "again", True, 0, silent)
        # What failed is asked again; what was replied is on record.
        assert len(server.asked) == asked
    found = results(tmp_path / "out")
    of = found["settings"][FIELDS]["shares"]["0.4"]["methods"][generated("small")]
    assert of["cost"]["calls"]["mean"] > 0
    assert found == results(tmp_path / "again")


# ---------------------------------------------------------------- what is refused


def test_no_judge_judges_its_own_work(data: Path, tmp_path: Path) -> None:
    with pytest.raises(KgverifyError, match="is the one that admits edges"):
        run(Sources(data, second=RuleJudge()), tmp_path / "out", True, 0, silent)
    generations = tmp_path / "model.jsonl"
    row = {"subject": "NOR", "relation": "capital", "objects": ["Oslo"], "model": "field reader 1"}
    generations.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(KgverifyError, match="they are one model"):
        run(
            Sources(data, generations=(("countries", generations),)),
            tmp_path / "out",
            True,
            0,
            silent,
        )
    assert not (tmp_path / "out").exists()


def test_files_are_of_a_world_that_there_is(data: Path, tmp_path: Path) -> None:
    with pytest.raises(KgverifyError, match="there is no world `moons`"):
        run(Sources(data, predictions=(("moons", tmp_path),)), tmp_path / "out", True, 0, silent)
    with pytest.raises(KgverifyError, match="there is no such file"):
        run(
            Sources(data, generations=(("countries", tmp_path / "none"),)),
            tmp_path / "out",
            True,
            0,
            silent,
        )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--llm", "http://x"], "belong together"),
        (["--generations", "countries"], "WORLD=FILE"),
        (["--judge-model", "some"], "go with --judge nli or endpoint"),
        (["--judge", "nli"], "--model"),
    ],
)
def test_options_that_make_no_sense(
    data: Path, tmp_path: Path, arguments: list[str], said: str
) -> None:
    command = ["experiment", "tgcomplete", "--data", str(data), "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(app, [*command, *arguments])
    assert done.exit_code == 2
    assert said in " ".join(done.output.replace("│", " ").split())


def test_the_command(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = ["experiment", "tgcomplete", "--data", str(data), "--out", str(out), "--quick"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "tgcomplete, seeds 0;" in done.output
    assert (out / "report.md").is_file()


# ---------------------------------------------------------------- real data


@pytest.mark.data
def test_the_real_data(tmp_path: Path) -> None:
    root = os.environ.get("KGVERIFY_DATA")
    if not root or not (Path(root) / countries.TRIPLES).exists():
        pytest.skip("the environment variable KGVERIFY_DATA names no folder with kg/countries")
    run(Sources(Path(root)), tmp_path / "out", True, 0, silent)
    found = results(tmp_path / "out")
    shares = {name: of["shares"]["0.4"] for name, of in found["settings"].items()}
    gaps = {name: of["gaps"]["all"]["full text"]["mean"] for name, of in shares.items()}
    # The same texts state more when their fields have names.
    assert gaps[FIELDS] < gaps["countries, fragments"]
    judges = {(one["reading"], one["judge"]): one for one in found["judges"]}
    fields = countries.FIELDS
    assert judges[fields, "field reader 1"]["accuracy"] > 0.9
    assert judges[fields, RuleJudge().name]["precision"] > 0.9
    assert judges[countries.FRAGMENTS, RuleJudge().name]["recall"] < 0.1
