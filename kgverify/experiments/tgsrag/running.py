"""The whole run: read, build, retrieve, measure, draw, report, write."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kgverify.evidence.corpus import Corpus
from kgverify.evidence.language_model import LanguageModel
from kgverify.evidence.retrieving import Query, Retriever
from kgverify.evidence.synergy.building import Named, titled_knowledge_base
from kgverify.evidence.synergy.knowledge_base import KnowledgeBase
from kgverify.evidence.synergy.likeness import Likeness, VectorLikeness, WordLikeness
from kgverify.evidence.synergy.options import SynergyOptions
from kgverify.experiments.runs import (
    RunRecord,
    check_place,
    file_hash,
    names_of,
    packages,
    require,
    write_run,
)
from kgverify.experiments.tgsrag.measuring import compared, measures, scored
from kgverify.experiments.tgsrag.questions import HopQuestion, gold_in, pooled, read
from kgverify.experiments.tgsrag.systems import (
    HYBRID,
    NAIVE,
    PASSAGES_ONLY,
    SYNERGY,
    System,
    systems,
)

QUICK = 50  # questions


@dataclass(frozen=True)
class Sources:
    """What a run reads.  Without a `corpus` the questions' own passages are one.

    `embeddings`: the folder of a model; without one retrieval and likeness are by words.  `index`:
    a folder where its vectors are kept.  `llm` builds the graph where it is given, and `replies` is
    the file where what it says is kept."""

    questions: Path
    corpus: Path | None = None
    embeddings: Path | None = None
    index: Path | None = None
    llm: LanguageModel | None = None
    replies: Path | None = None


def run(
    sources: Sources,
    out: Path,
    quick: bool,
    seed: int,
    progress: Callable[[str], None],
    options: SynergyOptions | None = None,
) -> RunRecord:
    """Retrieves for every question with every system and writes the folder `out`.

    Raises KgverifyError when a package, a file or a place to write is missing."""
    require("matplotlib", "scipy", "statsmodels")
    check_place(out)
    from kgverify.experiments.tgsrag.report import drawn, report

    options = options or SynergyOptions()
    questions = read(sources.questions)
    corpus = _corpus(sources, questions)
    asked = _sample(questions, quick, seed)
    gold = gold_in(asked, corpus)
    progress("building the graph")
    base, named, built = _built(sources, corpus, progress)
    retrievers, likeness = _channels(sources, corpus, base, progress)
    found, evidence = systems(
        base, retrievers, likeness, named, [Query(q.text) for q in asked], options, progress
    )
    results = measured(found, gold, seed)
    results["graph"] = {
        **built,
        "passages": len(corpus),
        "entities": len(base),
        "links": len(base.links),
        "mentions_of_a_passage": float(base.entities_of.counts().mean()) if len(corpus) else None,
    }
    results["search"] = _searched(evidence)
    files = [path for path in (sources.questions, sources.corpus) if path]
    record = RunRecord(
        "tgs-rag",
        quick,
        (seed,),
        {
            **asdict(options),
            "questions": len(asked),
            "retrievers": {name: retriever.name for name, retriever in retrievers.items()},
            "likeness": likeness.name,
            "language_model": sources.llm.model if sources.llm else "",
        },
        {name: file_hash(path) for name, path in names_of(files).items()}
        | {"the corpus as it was read": corpus.hash},
        packages("numpy", "bm25s", "scipy", "statsmodels", "matplotlib", "torch", "transformers"),
    )
    plots = drawn(results)
    write_run(out, record, results, report(results, record, list(plots), base, evidence), plots)
    return record


def measured(
    systems: Mapping[str, System], gold: Sequence[frozenset[int]], seed: int
) -> dict[str, Any]:
    """The measures of each system, and pairs of them: the synergy and every other system, every
    synergy and the retrievers with as many documents, its passages alone and as many found."""
    each = {
        name: [scored(*pair) for pair in zip(system.documents, gold, strict=True)]
        for name, system in systems.items()
    }
    rows = {name for name, one in systems.items() if one.budget}
    few = [name for name in systems if name.endswith(PASSAGES_ONLY)]
    pairs = [(SYNERGY, name) for name in systems if name not in {SYNERGY, *rows, *few}]
    pairs += [(one.budget, name) for name, one in systems.items() if one.budget]
    pairs += [(name, NAIVE) for name in few]
    return {
        "systems": {name: measures(found, seed) for name, found in each.items()},
        "comparisons": [
            {"ours": ours, "theirs": theirs, **compared(each[ours], each[theirs], seed)}
            for ours, theirs in pairs
        ],
    }


def _corpus(sources: Sources, questions: Sequence[HopQuestion]) -> Corpus:
    if sources.corpus is None:
        return Corpus.of(pooled(questions), sources.questions.name)
    from kgverify.evidence.reading import read_passages

    return Corpus.of(read_passages(sources.corpus).passages, sources.corpus.name)


def _built(
    sources: Sources, corpus: Corpus, progress: Callable[[str], None]
) -> tuple[KnowledgeBase, Named, dict[str, Any]]:
    """The knowledge base, what finds its entities in a question, and how it was made."""
    if sources.llm is None:
        return *titled_knowledge_base(corpus), {"from": "titles"}
    from kgverify.evidence.gazetteer import Gazetteer
    from kgverify.evidence.synergy.building import named_by
    from kgverify.evidence.synergy.extracting import extract
    from kgverify.evidence.synergy.recording import Recorder

    if sources.replies is None:
        raise ValueError("a language model's replies are kept in a file")
    with Recorder(sources.llm, sources.replies) as recorder:
        found = extract(corpus, recorder, progress)
    names = enumerate(found.base.names[number] for number in range(len(found.base)))
    built = {"from": "a language model", "dropped": found.dropped, "unread": len(found.problems)}
    return found.base, named_by(Gazetteer(names, n_entities=len(found.base))), built


def _channels(
    sources: Sources, corpus: Corpus, base: KnowledgeBase, progress: Callable[[str], None]
) -> tuple[dict[str, Retriever], Likeness]:
    """The retrievers by name, and the likeness that leads the search."""
    from kgverify.evidence.bm25 import Bm25

    progress("indexing the passages")
    words = Bm25(corpus)
    if sources.embeddings is None:
        return {NAIVE: words}, WordLikeness(base)
    from kgverify.evidence.dense import Dense
    from kgverify.evidence.encoding import Encoder
    from kgverify.evidence.hybrid import Hybrid
    from kgverify.evidence.indexes import IndexFolder

    encoder = Encoder(sources.embeddings)
    index = IndexFolder(sources.index) if sources.index else None
    dense = Dense(corpus, encoder, index)
    progress("encoding the entities")
    likeness = VectorLikeness(base, encoder, index)
    return {NAIVE: dense, "BM25": words, HYBRID: Hybrid([words, dense])}, likeness


def _searched(evidence: Iterable[Any]) -> dict[str, Any]:
    """What a search sees and brings back, on average."""
    from kgverify.experiments.metrics import mean

    found = list(evidence)
    return {
        "seeds": mean(len(e.seeds) for e in found),
        "visited": mean(len(e.search.memory) for e in found),
        "returned_paths": mean(len(e.search.last) for e in found),
        "orphans": mean(len(e.orphans) for e in found),
        "orphans_seen": mean(sum(o in e.search.memory for o in e.orphans) for e in found),
        "without_paths": sum(not e.paths for e in found),
    }


def _sample(questions: list[HopQuestion], quick: bool, seed: int) -> list[HopQuestion]:
    if not quick or len(questions) <= QUICK:
        return questions
    return random.Random(seed).sample(questions, QUICK)
