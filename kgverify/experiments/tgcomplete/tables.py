"""The tables of the report: the paper's tables 1 to 7 on our data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgverify.experiments.markdown import number, paragraphs, table
from kgverify.experiments.tgcomplete.findings import cases, mean_of, said, signal
from kgverify.experiments.tgcomplete.measuring import ANY_WAY, BY_PATH, WINDOWS

Numbers = Mapping[str, Any]
_LEAST_P = 0.0001


def answers(results: Numbers) -> str:
    """Tables 1 and 2: answers of each method, of all questions and of those that lose an edge."""
    rows = []
    for name, share, of in cases(results):
        for method, numbers in of["methods"].items():
            whole, losing = numbers["answers"]["all"], numbers["answers"]["losing"]
            rows.append(
                (
                    f"{name}, {share}",
                    method,
                    said(whole["first"], 3),
                    said(whole["exact"], 3),
                    said(whole["f1"], 3),
                    said(losing["first"], 3),
                    said(losing["exact"], 3),
                    said(losing["f1"], 3),
                )
            )
    headers = ("setting", "method", "first right", "exact", "F1")
    return paragraphs(
        "*First right*: the first answer is a right one, which is nearest to the paper's exact "
        "match. *Exact*: all right answers and no others. The last three columns are of the "
        "questions that lose an edge.",
        table((*headers, "losing: first right", "exact ", "F1 "), rows),
    )


def comparisons(results: Numbers) -> str:
    """Table 2: pairs of methods on the same questions, with McNemar and bootstrap."""
    rows = [
        (
            f"{name}, {share}",
            f"{one['ours']} − {one['theirs']}",
            said(one["difference"], 3),
            f"{one['only_ours']} : {one['only_theirs']}",
            number(one["p"], 4) if one["p"] >= _LEAST_P else f"< {_LEAST_P}",
        )
        for name, share, of in cases(results)
        for one in of["comparisons"]
    ]
    return paragraphs(
        "Differences of *first right*. *Only one*: questions that only the first has right, and "
        "only the second, of all seeds together; p is McNemar's, exact. Seeds have questions in "
        "common, so p is too small rather than too large. Nothing is corrected for the number of "
        "comparisons.",
        table(("setting", "methods", "difference", "only one", "p"), rows),
    )


def edges(results: Numbers) -> str:
    """Table 3: admitted and rejected edges against the deleted ones."""
    rows = []
    for name, share, of in cases(results):
        for method, numbers in _completing(of):
            e = numbers["edges"]
            rows.append(
                (
                    f"{name}, {share}",
                    method,
                    said(e["missing"], 0),
                    said(e["proposed"], 0),
                    said(e["admitted"], 0),
                    said(e["precision"]),
                    said(e["recall"]),
                    said(e["false_rejection"]),
                )
            )
    return paragraphs(
        "Precision is against all deleted edges, recall against those that the questions need. "
        "*False rejections*: the share of the rejected edges that were deleted.",
        table(
            (
                *("setting", "method", "missing", "proposed", "admitted"),
                *("precision", "recall", "false rejections"),
            ),
            rows,
        ),
    )


def _completing(of: Numbers) -> list[tuple[str, Numbers]]:
    """The methods that propose edges."""
    return [(name, m) for name, m in of["methods"].items() if mean_of(m["edges"]["proposed"])]


def gap(results: Numbers) -> str:
    """Table 4: right edges that no passage states, by window."""
    rows = []
    for name, share, of in cases(results):
        rows.append((f"{name}, {share}", "all deleted edges", *_gap_row(of["gaps"]["all"])))
        for method, numbers in _completing(of):
            rows.append(
                (f"{name}, {share}", f"{method}: admitted", *_gap_row(numbers["support"]["gap"]))
            )
    return paragraphs(
        "The share of right edges that no passage of the corpus states, by how near to each "
        "other it must name the two ends: within so many words of its text, anywhere in its "
        "text, or in its text and title (*full text*), which names what an article is about. "
        "*Cited*: that no passage states which the edge cites. *Unnamed*: edges of which no "
        "passage names both ends. *Spurious*: of the passages that name both, those that do not "
        "state the edge.",
        table(
            ("setting", "right edges", "number", "cited", *WINDOWS, "unnamed", "spurious"),
            rows,
        ),
    )


def _gap_row(gap: Numbers) -> tuple[str, ...]:
    windows = (said(gap[window]) for window in WINDOWS)
    baseline = said(gap["baseline"])
    ends = said(gap["unnamed"]), said(gap["spurious"])
    return (said(gap["edges"], 0), baseline, *windows, *ends)


def by_group(results: Numbers) -> str:
    """The same by relation and by how often entities occur."""
    relations = [
        (
            f"{name}, {share}",
            relation,
            said(one["edges"], 0),
            said(one["gap"]),
            said(one["unnamed"]),
        )
        for name, share, of in cases(results)
        for relation, one in of["gaps"]["relation"].items()
    ]
    frequencies = [
        (
            f"{name}, {share}",
            place,
            f"{number(mean_of(one['low']), 0)} to {number(mean_of(one['high']), 0)}",
            said(one["edges"], 0),
            said(one["gap"]),
        )
        for name, share, of in cases(results)
        for place, one in of["gaps"]["frequency"].items()
    ]
    return paragraphs(
        "By relation:",
        table(("setting", "relation", "edges", "stated by none", "unnamed"), relations),
        "By how many edges of the complete graph the rarer end has:",
        table(("setting", "part", "its edges", "edges", "stated by none"), frequencies),
    )


def matrix(results: Numbers) -> str:
    """Figure 3: right or wrong against stated or not."""
    rows = []
    for name, share, of in cases(results):
        for method, numbers in _completing(of):
            cells = numbers["support"]["matrix"]
            right, wrong = signal(of, method)
            rows.append(
                (
                    f"{name}, {share}",
                    method,
                    *(said(cells[cell], 0) for cell in cells),
                    number(right),
                    number(wrong),
                )
            )
    return paragraphs(
        "Right or wrong against stated or not, of all proposed edges. If the last two columns "
        "are equal, being stated says nothing of being right. *Right* is what the complete graph "
        "has; a text may state what the graph lacks.",
        table(
            (
                *("setting", "method", "right, stated", "right, not stated", "wrong, stated"),
                *("wrong, not stated", "stated if right", "stated if wrong"),
            ),
            rows,
        ),
    )


def support(results: Numbers) -> str:
    """Tables 5 and 7: what passages state of admitted edges."""
    rows = []
    for name, share, of in cases(results):
        for method, numbers in _completing(of):
            s = numbers["support"]
            rows.append(
                (
                    f"{name}, {share}",
                    method,
                    said(numbers["edges"]["admitted"], 0),
                    said(numbers["edges"]["rejected"], 0),
                    said(numbers["answers"]["all"]["first"], 3),
                    said(s["cited"]),
                    said(s["stated"]),
                    said(s["no_passage"]),
                )
            )
    return paragraphs(
        "*Stated by what is cited*: by the passages that the edge cites, in the second judge's "
        "opinion; *stated at all*: by any passage of the corpus, which is the same question for "
        "every method. *No passage*: no text names both ends within 50 words.",
        table(
            (
                *("setting", "method", "admitted", "rejected", "first right"),
                *("stated by what is cited", "stated at all", "no passage"),
            ),
            rows,
        ),
    )


def depending(results: Numbers) -> str:
    """Table 6: what right answers depend on."""
    rows = []
    for name, share, of in cases(results):
        for method, numbers in of["methods"].items():
            for way in (ANY_WAY, BY_PATH):
                d = numbers["depending"][way]
                rows.append(
                    (
                        f"{name}, {share}",
                        method,
                        way,
                        said(d["right"], 0),
                        *(said(count, 0) for count in d["classes"].values()),
                        said(d["independent"]),
                        said(d["gained"]),
                    )
                )
    return paragraphs(
        "Classes of the right answers: A needs no added edge, B needs one that no passage "
        "states, S needs added ones and stated ones are enough, C is out of reach. *Independent* "
        "is A + S + C. *Gained*: the share of the wrong answers for which a right one comes "
        "within reach if all rejected edges are admitted. As published, any way through the "
        "graph counts, in both directions; a graph whose entities share a few regions, or as "
        "many organs, is so well joined that this makes nearly every answer redundant. So the "
        "question's own path is counted beside it.",
        table(
            (
                *("setting", "method", "reached by", "right", "A", "B", "S", "C"),
                *("independent", "gained"),
            ),
            rows,
        ),
    )
