"""How long mining takes and how much memory, by data set, and how AMIE does.

    python benchmarks/mining.py                          # every data set at length 3, two at 4
    python benchmarks/mining.py --quick                  # Family alone
    python benchmarks/mining.py --amie amie.jar          # AMIE takes its turn on each
    python benchmarks/mining.py --growth --exhaustive --json benchmarks/results/mining.json

The data sets are in the folder that KGVERIFY_DATA names.  Every run is a process of its own, which
reads the graph from its source file; its peak memory is that of the whole process.  Compiled code
is kept in a fresh folder: the first run compiles, is reported apart, and is not counted.  Beside
the time that mining took stands the time that the processor worked at it, which other work on the
machine lengthens less.

`--growth` mines random graphs of 10^5 to 10^7 triples: the time by two-path is what shows whether
cost grows faster than their number.  `--exhaustive` counts every body of up to three atoms on
Family, without any pruning, and compares.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

import common
import numpy as np

FAMILY, FREEBASE = "Family", "FB15k-237"
FILES = {
    FAMILY: "kg/family/facts.txt",
    "UMLS": "kg/umls/facts.txt",
    "Kinship": "kg/kinship/facts.txt",
    "Nations": "kg/nations/train.txt",
    "WN18RR": "kg/wn18rr/train.txt.gz",
    "CoDEx-S": "kg/codex-s/train.txt.gz",
    "Hetionet core": "hetionet/edges-core.tsv.gz",
    FREEBASE: "kg/fb15k237/train.txt.gz",
}
LONG = (FAMILY, FREEBASE)  # mined at length 4 too
SIZES = (10**5, 10**6, 10**7)
COVERAGE, CONFIDENCE, PCA = "0.1", "0.3", "0.4"


class Run(NamedTuple):
    """One run to measure."""

    name: str
    length: int


def main() -> None:
    """Run and report."""
    options = arguments()
    if options.worker:
        print(json.dumps(worker(Path(options.worker), options.length, options.threads)))
        return
    if options.grow:
        print(json.dumps(grow(options.grow, options.threads)))
        return
    root = common.data_folder("kg").parent
    results: dict[str, Any] = {
        "machine": common.machine() | {"load": os.getloadavg()},
        "thresholds": {"head coverage": COVERAGE, "confidence": CONFIDENCE, "PCA": PCA},
        "threads": options.threads,
    }
    names = [FAMILY] if options.quick else list(FILES)
    runs = [Run(name, 3) for name in names] + [Run(n, 4) for n in LONG if n in names]
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"KGVERIFY_CACHE": cache}
        results["compiling"] = compiling(root, options, environment)
        results["runs"] = [measured(run, root, options, environment) for run in runs]
        show_runs(results, options)
        if options.growth:
            sizes = SIZES[:1] if options.quick else SIZES
            results["growth"] = [
                child(["--grow", str(size)], options, environment) for size in sizes
            ]
            show_growth(results["growth"])
    if options.exhaustive:
        results["exhaustive"] = exhaustive(root / FILES[FAMILY])
        show_exhaustive(results["exhaustive"])
    if options.json:
        common.write_json(options.json, results)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="Family alone")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--amie", type=Path, help="an AMIE jar to run on the same files")
    parser.add_argument("--amie-options", default="", help="further options for AMIE")
    parser.add_argument("--amie-seconds", type=float, default=630, help="the most time for AMIE")
    parser.add_argument("--growth", action="store_true", help="random graphs of growing size")
    parser.add_argument("--exhaustive", action="store_true", help="Family without pruning")
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--length", type=int, default=3, help=argparse.SUPPRESS)
    parser.add_argument("--grow", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


# ---------------------------------------------------------------- one run


def worker(path: Path, length: int, threads: int) -> dict[str, Any]:
    """Read one graph and mine it: the seconds of each step, and the memory in MB."""
    from kgverify import open_graph
    from kgverify.mining.engines import counter
    from kgverify.mining.miner import mine
    from kgverify.mining.relations import Relations
    from kgverify.mining.search import Search

    graph, reading = common.timed(lambda: open_graph([str(path)]))
    relations, laying = common.timed(lambda: Relations.of(graph))
    counting, loading = common.timed(lambda: counter(relations))
    search = Search(
        length=length,
        min_head_coverage=Fraction(COVERAGE),
        min_confidence=Fraction(CONFIDENCE),
        min_pca=Fraction(PCA),
    )
    before = time.process_time()
    found, mining = common.timed(lambda: mine(counting, search, threads=threads))
    working = time.process_time() - before
    return {
        "facts": relations.n_facts,
        "rules": len(found.rules),
        "types": dict(Counter(mined.rule.type for mined in found.rules)),
        "reading": reading,
        "laying out": laying,
        "loading": loading,
        "mining": mining,
        "working": working,
        "memory": common.peak_memory(),
    }


def child(
    more: list[str], options: argparse.Namespace, environment: dict[str, str]
) -> dict[str, Any]:
    """What this script prints when it is run with these arguments."""
    command = [sys.executable, __file__, "--threads", str(options.threads), *more]
    start = time.perf_counter()
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return {**json.loads(done.stdout), "whole": time.perf_counter() - start}


def compiling(
    root: Path, options: argparse.Namespace, environment: dict[str, str]
) -> dict[str, float]:
    """The first run with an empty cache, at length 4, which compiles everything."""
    common.say("compiling …", progress=True)
    more = ["--worker", str(root / FILES[FAMILY]), "--length", "4"]
    first, second = (child(more, options, environment) for _ in range(2))
    return {
        "seconds": first["whole"] - second["whole"],
        "memory": first["memory"],
    }


def measured(
    run: Run, root: Path, options: argparse.Namespace, environment: dict[str, str]
) -> dict[str, Any]:
    common.say(f"{run.name} at length {run.length} …", progress=True)
    path = root / FILES[run.name]
    more = ["--worker", str(path), "--length", str(run.length)]
    result = {"name": run.name, "length": run.length, **child(more, options, environment)}
    if options.amie:
        result["AMIE"] = amie(path, run.length, options)
    return result


def amie(path: Path, length: int, options: argparse.Namespace) -> dict[str, Any]:
    """Seconds, memory and number of rules of AMIE on the same file, unpacked for it."""
    from kgverify.graph import open_graph  # only to unpack in one way for all formats

    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "facts.tsv"
        graph = open_graph([str(path)])
        with plain.open("w", encoding="utf-8") as out:
            for number, name in enumerate(graph.relations):
                pairs = graph.facts.all(number)
                keys = zip(graph.keys(pairs.subjects), graph.keys(pairs.objects), strict=True)
                out.writelines(f"{s[1:]}\t{name}\t{o[1:]}\n" for s, o in keys)
        thresholds = ("-minhc", COVERAGE, "-minc", CONFIDENCE, "-minpca", PCA)
        command = [
            *("java", "-jar", str(options.amie), *thresholds, "-maxad", str(length)),
            *(*options.amie_options.split(), str(plain)),
        ]
        measuring = (
            "import json, resource, subprocess, sys; "
            "out = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, text=True).stdout; "
            "usage = resource.getrusage(resource.RUSAGE_CHILDREN); "
            "rules = sum('=>' in line for line in out.splitlines()); "
            "print(json.dumps({'rules': rules, 'memory': usage.ru_maxrss / 1024}))"
        )
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-c", measuring, *command],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=options.amie_seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return {"unfinished after": options.amie_seconds}
        return {**json.loads(output), "whole": time.perf_counter() - start}


# ---------------------------------------------------------------- growth


def grow(size: int, threads: int) -> dict[str, Any]:
    """Mine a random graph of this many triples: 40 relations, ten triples to an entity, and objects
    whose popularity falls with the square root of their rank."""
    from kgverify.mining.engines import counter
    from kgverify.mining.miner import mine
    from kgverify.mining.relations import laid_out
    from kgverify.mining.search import Search

    random = np.random.default_rng(7)
    n, kinds = size // 10, 40
    subjects = random.integers(0, n, size, np.int32)
    objects = (n * random.random(size) ** 2).astype(np.int32)
    relations = random.integers(0, kinds, size, np.int32)
    # A tenth of the first relation's facts are those of the second, so that there is a rule.
    known = np.flatnonzero(relations == 1)[: size // kinds // 2]
    subjects = np.concatenate([subjects, subjects[known]])
    objects = np.concatenate([objects, objects[known]])
    relations = np.concatenate([relations, np.zeros(len(known), np.int32)])
    names = tuple(f"r{k}" for k in range(kinds))
    laid, laying = common.timed(
        lambda: laid_out(names, tuple(map(str, range(n))), subjects, relations, objects)
    )
    counting = counter(laid)
    before = time.process_time()
    found, mining = common.timed(lambda: mine(counting, Search(), threads=threads))
    working = time.process_time() - before
    return {
        "triples": laid.n_facts,
        "two-paths": int(laid.two_paths.sum()),
        "rules": len(found.rules),
        "laying out": laying,
        "mining": mining,
        "working": working,
        "memory": common.peak_memory(),
    }


# ---------------------------------------------------------------- exhaustive


def exhaustive(path: Path) -> dict[str, Any]:
    """Count every rule of up to three body atoms on Family, one body after the other, and see
    whether the search finds those that meet the thresholds."""
    from kgverify import open_graph
    from kgverify.mining import bodies as shapes
    from kgverify.mining.engines import counter
    from kgverify.mining.miner import mine, pca_side
    from kgverify.mining.relations import Relations
    from kgverify.mining.search import Search
    from kgverify.mining.sparse import Sparse

    common.say("every body on Family …", progress=True)
    relations = Relations.of(open_graph([str(path)]))
    sparse, n = Sparse(relations), relations.n_oriented
    heads = [2 * h for h in range(len(relations.names))]
    sides = {h: pca_side(relations, h // 2, "functional") for h in heads}
    every: set[tuple[int, shapes.Body]] = set()
    tried = 0
    twos = list(combinations(range(n), 2))
    all_bodies = (
        *(shapes.edge(a) for a in range(n)),
        *(shapes.edges(a, b) for a, b in twos),
        *((shapes.PATH, a, b, shapes.NONE) for a, b in product(range(n), repeat=2)),
        *((shapes.TRIPLE, *abc) for abc in combinations(range(n), 3)),
        *((shapes.PATH_EDGE, *abc) for abc in product(range(n), repeat=3)),
        *(
            (shape, a, b, c)
            for shape in (
                *(shapes.FORK_AT_X, shapes.FORK_AT_Y, shapes.DOUBLE_AT_X, shapes.DOUBLE_AT_Y),
            )
            for a, b in twos
            for c in range(n)
        ),
        *((shapes.CHAIN, *abc) for abc in product(range(n), repeat=3)),
    )
    start = time.perf_counter()
    for body in all_bodies:
        matrix = sparse.matrix(body)
        if not matrix.nnz:
            tried += len(heads)
            continue
        at_x, at_y = np.diff(matrix.indptr), np.bincount(matrix.indices, minlength=matrix.shape[0])
        for h in heads:
            if h in (edge for edge, ends in shapes.atoms(body) if ends == "xy"):
                continue
            tried += 1
            support = sparse.support(matrix, h)
            x_side = sides[h] == "subject"
            known = np.unique(relations.facts(h if x_side else h + 1)[0])
            pca = int((at_x if x_side else at_y)[known].sum())
            if (
                support * 10 >= relations.size(h)
                and support * 10 >= 3 * matrix.nnz
                and support * 10 >= 4 * pca
            ):
                every.add((h // 2, body))
    seconds = time.perf_counter() - start
    wanted = {shapes.rule(relations.names, h, body) for h, body in every}
    counting = counter(relations)
    found = {
        perfect: {
            mined.rule
            for mined in mine(
                counting, Search(length=4, improving=False, refine_perfect=perfect)
            ).rules
        }
        for perfect in (True, False)
    }
    return {
        "rules tried": tried,
        "seconds": seconds,
        "meet the thresholds": len(wanted),
        "found": len(found[True]),
        "the same": found[True] == wanted,
        "lost by not extending perfect rules": len(wanted - found[False]),
    }


# ---------------------------------------------------------------- for people


def show_runs(results: dict[str, Any], options: argparse.Namespace) -> None:
    headers = ["graph", "length", "facts", "rules", "mining", "working", "whole", "MB"]
    if options.amie:
        headers += ["AMIE", "rules", "MB"]
    rows = []
    for run in results["runs"]:
        row = [
            *(run["name"], str(run["length"]), f"{run['facts']:,}", f"{run['rules']:,}"),
            *(common.seconds(run[step]) for step in ("mining", "working", "whole")),
            f"{run['memory']:,.0f}",
        ]
        other = run.get("AMIE")
        if other and "whole" in other:
            row += [
                common.seconds(other["whole"]),
                f"{other['rules']:,}",
                f"{other['memory']:,.0f}",
            ]
        elif other:
            row += [f"> {common.seconds(other['unfinished after'])}", "–", "–"]
        rows.append(row)
    common.say(common.table(headers, rows))
    common.say(f"compiling, once: {common.seconds(results['compiling']['seconds'])} more\n")


def show_growth(growth: list[dict[str, Any]]) -> None:
    headers = ("triples", "two-paths", "laying out", "mining", "working", "ns a two-path", "MB")
    rows = [
        (
            *(f"{g['triples']:,}", f"{g['two-paths']:,}"),
            *(common.seconds(g[step]) for step in ("laying out", "mining", "working")),
            common.number(g["working"] / g["two-paths"] * 1e9),
            f"{g['memory']:,.0f}",
        )
        for g in growth
    ]
    common.say(common.table(headers, rows, left=0) + "\n")


def show_exhaustive(found: dict[str, Any]) -> None:
    for name, value in found.items():
        common.say(f"{name}: {value:,}" if isinstance(value, int) else f"{name}: {value}")


if __name__ == "__main__":
    main()
