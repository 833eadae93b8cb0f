"""The report of a run: what was asked, what gold means, what came out, and what that does not show.

Every number is looked up in the results, and so is every sentence that rests on one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgverify.experiments.cespk import plausibility
from kgverify.experiments.cespk.asking import (
    BALANCED,
    CLOSED,
    EXCLUDED,
    EXCLUDED_OTHER,
    KINDS,
    LEAST_TREATMENTS,
    SAME,
    UNKNOWN,
    WRONG,
    calibrated,
)
from kgverify.experiments.cespk.asking import PAPER as PAPER_PRECISION
from kgverify.experiments.cespk.judging import SCORES
from kgverify.experiments.cespk.results import (
    FORMS,
    MIXED,
    PAPER,
    QUESTIONS,
    Results,
    form,
    interval,
)
from kgverify.experiments.markdown import UNDEFINED, number, paragraphs, percent, table
from kgverify.experiments.markdown import interval as shown
from kgverify.experiments.metrics import ratio
from kgverify.experiments.runs import RunRecord

POLICIES = ("none", "filter", "strict")


def report(results: Results, record: RunRecord, plots: Sequence[str]) -> str:
    """The whole report, as Markdown."""
    parts = [
        "# CES-PK on Hetionet",
        _about(results, record),
        "## What is asked, and what gold means",
        _gold(results),
        "## The candidates",
        _mixes(results),
        "## The paper's mix",
        _paper(results),
        _image("precision.svg", plots),
        "## Support",
        _support(results),
        _image("support.svg", plots),
        "## The balanced mix: all questions",
        _balanced(results),
        "## Denied facts",
        _denied(results),
        "## Policies and rankings",
        _rankings(results),
        _image("curves.svg", plots),
        "## Plausibility",
        _plausibility(results),
        _image("plausibility.svg", plots),
        "## The same questions as SHACL shapes",
        _shapes(results),
        _image("shapes.svg", plots),
        "## What this shows, and what it does not",
        _analysis(results),
    ]
    return paragraphs(*parts) + "\n"


def _image(name: str, plots: Sequence[str]) -> str:
    return f"![{name.removesuffix('.svg')}]({name})" if name in plots else ""


def _about(results: Results, record: RunRecord) -> str:
    graph = results.plain["graph"]
    edges = sum(graph["edges"].values())
    versions = ", ".join(f"{name} {v}" for name, v in record.packages.items() if v)
    lines = [
        f"kgverify {record.kgverify}; {versions}; seeds {', '.join(map(str, record.seeds))}"
        f"{'; a quick run' if record.quick else ''}. The hashes of the inputs are in "
        "`results.json`.",
        f"The graph has {graph['nodes']:,} nodes, {edges:,} edges of {len(graph['edges'])} kinds "
        f"and {graph['denied']:,} denied facts (curated non-indications). Asked about are "
        f"{results.plain['questions']} diseases with at least {LEAST_TREATMENTS} treatments.",
        "Numbers are means over the seeds; in brackets is the 95 % interval (Student's t), where "
        f"the seeds differ. {UNDEFINED} is an undefined value: the precision where nothing is "
        "kept. Such values are left out of means; F1 is then 0 (2·right / (2·right + wrong + "
        "missed)). Precision and recall are over all candidates of a seed together. Removal takes "
        "the same share of every kind of edge, and never a node's kind or a denied fact.",
    ]
    return "\n\n".join(lines)


def _gold(results: Results) -> str:
    lines = "\n".join(f"- **{name}**: {text}" for name, text in QUESTIONS.items())
    return paragraphs(
        lines,
        "**Gold** is what meets the question on the graph *before* anything is removed; an "
        "exclusion is met where that graph has no such edge. So gold says what the graph says. "
        "A drug whose side effect nobody recorded is gold of Q2, and a drug that treats a "
        "disease without being recorded is not gold of Q1: neither can be told from the data. "
        "Without removal, agreement with gold is therefore so by construction. What is "
        "measured is how the candidates fare when the verifier sees less than gold was made "
        "from.",
        f"The exclusions of Q2 and Q4 are asked in two readings. *{UNKNOWN}*: an edge that is "
        f"not there is unknown. *{CLOSED}*: the rule file says `assume closed`, and a missing "
        "edge counts as none.",
    )


def _mixes(results: Results) -> str:
    kinds = table(("kind", "is"), KINDS.items())
    rows = []
    for question, mixes in MIXED.items():
        reading = next(reading for q, reading in FORMS if q == question)
        for mix in mixes:
            found = results.kinds(question, reading, 0.0, mix)
            total = sum(sum(by_verdict.values()) for by_verdict in found.values())
            counted = (sum(found.get(kind, {}).values()) for kind in KINDS)
            shares = [ratio(count, total) or 0.0 for count in counted]
            rows.append((question, mix, f"{total:,}", *(f"{100 * s:.1f} %" for s in shares)))
    return paragraphs(
        kinds,
        "The paper does not publish its mix. The mix *paper* is the one that its two "
        "precisions imply: filtering removes the wrong types and what is excluded, so "
        "precision before and after fix the share that stays and the share that goes. For Q2 "
        "they don't fix how the share that goes is divided; here it has as many wrong types "
        "for each of the same type as Q1, and what is excluded makes up the rest, first such "
        "as treats the disease. The mix *balanced* has at most five of every kind for each "
        "question, and all non-indications of the disease.",
        table(("question", "mix", "candidates", *KINDS), rows),
    )


def _paper(results: Results) -> str:
    headers = ["question", "removed"]
    headers += [f"{m}, {p}" for p in POLICIES for m in ("precision", "recall", "F1")]
    rows = [
        (
            form(question, reading),
            percent(share),
            *(
                shown(results.measure(f"{policy} {name}", question, reading, share, PAPER))
                for policy in POLICIES
                for name in ("precision", "recall", "F1")
            ),
        )
        for question, reading in FORMS
        if PAPER in MIXED[question]
        for share in results.removals
    ]
    return paragraphs(
        "The paper reports a precision of 0.66 before and 0.70 after filtering for Q1, and of "
        "0.17 and 0.62 for Q2. *none* keeps all candidates (before), *filter* drops viol "
        "(after), *strict* keeps sat alone.",
        table(headers, rows),
    )


def _support(results: Results) -> str:
    rows = [
        (
            form(question, reading),
            mix,
            percent(share),
            *(
                shown(results.measure(f"{group} {name}", question, reading, share, mix))
                for name in ("support", "decided support")
                for group in ("gold", "others")
            ),
        )
        for question, reading in FORMS
        for mix in MIXED[question]
        for share in results.removals
    ]
    headers = ["question", "mix", "removed", "gold, of all", "others, of all"]
    headers += ["gold, of decided", "others, of decided"]
    return paragraphs(
        "Support is the share of constraints that are sat: of all of them, or of those that "
        "are decided (0 where none is). The paper reports 1.0 for gold, and 0.42 to 0.74 for "
        "the others; it does not say which denominator it has.",
        table(headers, rows),
    )


def _balanced(results: Results) -> str:
    headers = ["question", "removed", "precision, none", "precision, filter", "precision, strict"]
    headers += ["recall, strict", "gold sat", "gold unk", "gold viol", "others sat", "others unk"]
    headers += ["others viol"]
    names = [*(f"{policy} precision" for policy in POLICIES), "strict recall"]
    names += [f"{group} {word}" for group in ("gold", "others") for word in ("sat", "unk", "viol")]
    rows = [
        (
            form(question, reading),
            percent(share),
            *(shown(results.measure(name, question, reading, share)) for name in names),
        )
        for question, reading in FORMS
        for share in results.removals
    ]
    return paragraphs(
        "Shares of verdicts are of all gold, and of all other candidates.",
        table(headers, rows),
    )


def _denied(results: Results) -> str:
    rows = []
    for question, reading in FORMS:
        for share in results.removals if question in ("Q1", "Q2") else ():
            pair = []
            for denied in (False, True):
                kinds = results.kinds(question, reading, share, BALANCED.name, denied)
                counted = kinds.get("denied", dict.fromkeys(("sat", "unk", "viol"), 0))
                pair.append(" / ".join(f"{counted[word]:,}" for word in ("sat", "unk", "viol")))
                pair.append(
                    shown(
                        results.measure(
                            "filter precision", question, reading, share, BALANCED.name, denied
                        )
                    )
                )
            rows.append((form(question, reading), percent(share), *pair))
    headers = ["question", "removed", "without: sat / unk / viol", "without: precision, filter"]
    headers += ["with: sat / unk / viol", "with: precision, filter"]
    return paragraphs(
        "The balanced mix, with the curated non-indications loaded as denied facts and "
        "without. Counted are the verdicts on the candidates that they are about, over all "
        "seeds.",
        table(headers, rows),
    )


def _rankings(results: Results) -> str:
    rows = [
        (
            form(question, reading),
            percent(share),
            *(shown(results.measure(f"{name} MAP", question, reading, share)) for name in SCORES),
        )
        for question, reading in FORMS
        for share in results.removals
    ]
    return paragraphs(
        "All policies order alike: by verdict, then by support. `rank` goes down the whole "
        "order, `filter` stops before the first viol, `strict` before the first unk. So they "
        "are one precision–recall curve with three ends, and the plot marks two of them. "
        "Beside it are rankings by support alone. Equal scores are taken together. The table "
        "has the mean average precision over the questions, on the balanced mix.",
        table(("question", "removed", *(f"MAP by {name}" for name in SCORES)), rows),
    )


def _plausibility(results: Results) -> str:
    if not results.plausibility:
        return "Nothing was removed, so there was nothing to find again."
    rows = []
    for (share, method), found in results.plausibility.items():
        weight = interval(found["weight"])
        rows.append(
            (
                percent(share),
                method,
                number(weight.mean, 3) if weight.n else "",
                shown(interval(found["MAP"])),
                shown(interval(found["gain"])) if method != plausibility.NONE else "",
                str(found["diseases"]),
            )
        )
    headers = ["removed", "rules", "mined weight", "MAP", "gain over no rule", "diseases"]
    return paragraphs(
        "The removed treatments of each disease are ranked among compounds that no edge of the "
        "whole graph says treat it. All of these are unk, and stay so: the rule file's "
        "`treats_likely` prefers what rules find plausible, which counts for support and "
        "changes no verdict. Weights are equal (authored), or each rule's standard confidence "
        "on the edges that are left (mined). The gain is paired by disease, with the 95 % "
        "interval of a bootstrap over diseases.",
        table(headers, rows),
        _mined_over_authored(results),
        "A compound that is ranked above a removed treatment may well treat the disease: that "
        "no edge says so does not make it wrong, and the numbers are lower bounds in that "
        "sense. On the other hand, Hetionet's own sources are not independent of one another "
        "(diseases resemble by being written about together, and so do a disease and its "
        "drugs), which makes these edges easier to find again than new knowledge is.",
    )


def _mined_over_authored(results: Results) -> str:
    gains = ", ".join(
        f"{shown(interval(found['over_authored']))} at {percent(share)}"
        for (share, method), found in results.plausibility.items()
        if method == plausibility.MINED
    )
    return f"Mined weights gain over equal ones, paired in the same way: {gains}."


def _shapes(results: Results) -> str:
    if not results.shapes:
        return str(results.plain["shapes_skipped"])
    rows = []
    for question, reading in FORMS:
        for share in results.removals:
            found = results.shapes[question, share]
            conforming = interval(found["others conforming"])
            rows.append(
                (
                    form(question, reading),
                    percent(share),
                    shown(interval(found["gold violating"])),
                    *(
                        shown(results.measure(f"gold {word}", question, reading, share))
                        for word in ("viol", "unk")
                    ),
                    shown(conforming),
                    shown(results.measure("others sat", question, reading, share), 3),
                )
            )
    headers = ["question", "removed", "SHACL: gold violating", "kgverify: gold viol"]
    headers += ["kgverify: gold unk", "SHACL: others conforming", "kgverify: others sat"]
    return paragraphs(
        "The balanced mix, each question a shape with its candidates as focus nodes, validated "
        "by pySHACL on the same edges. A shape that misses an edge reports a violation: for "
        "gold a false one. It has no word for unknown, so its right column is the exclusion "
        "assumed closed.",
        table(headers, rows),
    )


# ---------------------------------------------------------------- what it shows


def _analysis(results: Results) -> str:
    return "\n".join(f"- {text}" for text in _findings(results))


def _findings(results: Results) -> Iterator[str]:
    most = results.removals[-1]
    yield (
        "**The paper's precisions are the mix.** "
        + " and ".join(
            f"{question} {_change(results, question, reading, 0.0)} (paper: {number(before)} to "
            f"{number(after)})"
            for (question, reading), (before, after) in zip(
                (("Q1", ""), ("Q2", UNKNOWN)), PAPER_PRECISION.values(), strict=True
            )
        )
        + ". The mix was calibrated to give just these numbers, so they confirm nothing; the paper "
        "publishes no mix, and what filtering gains depends on it alone. Another mix, another "
        f"gain: on the balanced one Q1 goes {_change(results, 'Q1', '', 0.0, BALANCED.name)} and "
        f"Q2 {_change(results, 'Q2', UNKNOWN, 0.0, BALANCED.name)}."
    )
    yield _supports(results)
    yield (
        "**What filtering buys** is the candidates that something speaks against: wrong types, "
        "excluded edges, denied facts. Compounds of the right type that no edge connects with the "
        "question stay, whatever is removed: they are what is left between precision after "
        f"filtering and 1. Filtering loses no gold: recall stays "
        f"{shown(results.measure('filter recall', 'Q2', UNKNOWN, most, PAPER))} for Q2 with "
        f"{percent(most)} removed, because nothing is complete and a missing edge refutes nothing."
    )
    if most:
        yield _removal(results, most)
        yield _closed(results, most)
    yield _strict(results)
    yield _decided(results)
    if results.shapes and most:
        yield _false_violations(results, most)


def _change(results: Results, question: str, reading: str, share: float, mix: str = PAPER) -> str:
    before, after = (
        results.measure(f"{policy} precision", question, reading, share, mix).mean
        for policy in ("none", "filter")
    )
    return f"from {number(before)} to {number(after)}"


def _supports(results: Results) -> str:
    def whole(name: str, question: str, reading: str, share: float = 0.0) -> str:
        return number(results.measure(name, question, reading, share, PAPER).mean)

    most = results.removals[-1]
    all_, decided = map(number, _possible_support())
    return (
        "**The paper's supports can be reproduced in part.** Its 0.42 is the support of Q1's "
        f"non-gold over all constraints ({whole('others support', 'Q1', '')} here). The mix was "
        "derived from the precisions and not from this, so it is a sign that the paper's mix for "
        "Q1 was alike. Gold support of 1.0 for Q2 needs the exclusion assumed closed "
        f"({whole('gold support', 'Q2', CLOSED)}; {whole('gold support', 'Q2', UNKNOWN)} where a "
        "missing edge is unknown), or the decided constraints as denominator. Its 0.74 was not "
        "found on the whole graph: there Q2's non-gold has "
        f"{whole('others support', 'Q2', UNKNOWN)} ({UNKNOWN}) and "
        f"{whole('others support', 'Q2', CLOSED)} ({CLOSED}) over all constraints, and "
        f"{whole('others decided support', 'Q2', CLOSED)} over the decided ones "
        f"({whole('others decided support', 'Q2', CLOSED, most)} with {percent(most)} removed). "
        f"Had every excluded candidate treated the disease, it would be {all_} {CLOSED}, and "
        f"{decided} over the decided. With three constraints of equal weight, a candidate that "
        "misses one has at most 2/3 of all: 0.74 of all needs other constraints or other weights."
    )


def _possible_support() -> tuple[float, float]:
    """The support of Q2's non-gold on the paper's mix, assumed closed, if all that is excluded
    treated the disease: over all three constraints, and over the decided ones."""
    of_all = {SAME: 2 / 3, WRONG: 1 / 3, EXCLUDED: 2 / 3}
    of_decided = of_all | {SAME: 1.0}  # its type and the exclusion; the treatment is unknown
    amounts = {part.kinds[0]: part.amount or 0.0 for part in calibrated("Q2").parts}
    whole = sum(amounts.values())
    all_, decided = (
        sum(amount * values[kind] for kind, amount in amounts.items()) / whole
        for values in (of_all, of_decided)
    )
    return all_, decided


def _removal(results: Results, most: float) -> str:
    whole = results.measure("filter precision", "Q2", UNKNOWN, 0.0, PAPER).mean
    steps = ", ".join(
        f"{number(results.measure('filter precision', 'Q2', UNKNOWN, share, PAPER).mean)} at "
        f"{percent(share)}"
        for share in results.removals
        if share
    )
    recall = results.measure("strict recall", "Q1", "", most, PAPER).mean
    hops = results.measure("strict recall", "Q3", "", most).mean
    return (
        "**What removal does.** A removed edge turns sat or viol into unk, never one into the "
        "other (law 3), unless absence is assumed to count. So it costs filter precision where it "
        "hides what is excluded, and strict "
        f"recall where it hides what is required. After filtering, Q2 has {number(whole)} on the "
        f"whole graph, {steps}; the paper calls its precision at 10 % high, without a number. Q1 "
        f"keeps its precision, since types are not removed; its strict recall falls to "
        f"{number(recall)} at {percent(most)}, that of the three hops of Q3 to {number(hops)} "
        "(each hop may break, but there are several ways)."
    )


def _closed(results: Results, most: float) -> str:
    errs = {}
    for reading in (UNKNOWN, CLOSED):
        kinds = results.kinds("Q2", reading, most, BALANCED.name)
        excluded = kinds.get(EXCLUDED, {"sat": 0, "unk": 0, "viol": 0})
        errs[reading] = excluded["sat"], sum(excluded.values())
    other = results.kinds("Q2", CLOSED, most, BALANCED.name).get(EXCLUDED_OTHER, {"sat": 0})["sat"]
    precision = results.measure("strict precision", "Q2", CLOSED, most).mean
    return (
        f"**Where assuming closed errs.** With {percent(most)} removed, {errs[CLOSED][0]:,} of "
        f"{errs[CLOSED][1]:,} candidates that treat the disease *and* cause the side effect are "
        f"sat when the exclusion is assumed closed ({other:,} of those that only cause it), and "
        f"{errs[UNKNOWN][0]:,} when it is unknown. Each is a drug called safe because the edge "
        f"that says otherwise is missing. Strict precision for Q2 is then {number(precision)}."
    )


def _strict(results: Results) -> str:
    unknown, closed = (
        results.measure("strict recall", "Q2", reading, 0.0).mean for reading in (UNKNOWN, CLOSED)
    )
    return (
        f"**The price of not assuming.** Hetionet denies no side effect and lists none as "
        f"complete, so an exclusion is never sat: with the reading {UNKNOWN}, strict answers Q2 "
        f"with a recall of {number(unknown)} ({number(closed)} {CLOSED}). Then verification tells "
        "what to drop, not what to accept, and support orders the rest."
    )


def _decided(results: Results) -> str:
    decided, all_ = (
        results.measure(f"others {name}", "Q1", "", 0.0, PAPER).mean
        for name in ("decided support", "support")
    )
    return (
        "**Only the decided constraints as denominator** reward knowing nothing: a compound that "
        "no edge connects with the question meets all that is decided of it, its type. Non-gold of "
        f"Q1 has {number(decided)} then, against {number(all_)} over all constraints."
    )


def _false_violations(results: Results, most: float) -> str:
    parts = [
        f"{number(interval(results.shapes[question, most]['gold violating']).mean)} of {question}"
        for question in QUESTIONS
    ]
    viol = max(
        results.measure("gold viol", question, reading, most).mean or 0.0
        for question, reading in FORMS
    )
    return (
        f"**SHACL under removal.** At {percent(most)}, shapes report as violations these shares of "
        f"gold: {', '.join(parts)}. kgverify reports {number(viol)} at most and calls the same "
        "candidates unk. A validator is not wrong in this: a shape says what the data must hold, "
        "not what is true."
    )
