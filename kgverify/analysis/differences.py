"""Two versions of a rule file: on which small graphs they give different verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgverify.analysis.analyzing import ALIKE, LATE
from kgverify.analysis.blocks import block_text, confirm, expressible, fact_text
from kgverify.analysis.domains import Bound, not_analysed, question_domain, reach
from kgverify.analysis.guessing import CLASH, Deadline, Example, Guesses, Look
from kgverify.analysis.questions import PROVEN
from kgverify.analysis.results import Alike, Difference, Omission, RuleComparison
from kgverify.errors import LimitReached
from kgverify.language import syntax as s
from kgverify.language.printing import rule_text, statement_text
from kgverify.language.rulebook import RuleBook

OLD, NEW = "old_", "new_"
DIFFER = """
differ :- old_verdict(V), not new_verdict(V).
sound  :- not old_clash.
sound  :- not new_clash.
#show old_verdict/1. #show old_status/2. #show new_verdict/1. #show new_status/2.
#show old_clash/0. #show new_clash/0.
"""


def compare_rules(
    old: RuleBook, new: RuleBook, bound: int = 4, seconds: float = 60
) -> RuleComparison:
    """For each question that both versions have, a smallest graph on which they give different
    verdicts; or that none up to `bound` facts, and as many things without names, does.

    A question with another name that says the same counts as renamed.  Raises EngineError when a
    graph is not confirmed by a `Verifier`, which is a fault of kgverify."""
    limits, deadline = Bound(bound), Deadline(seconds)
    renamed = list(_renamed(old, new))
    pairs = [(name, name) for name in old.questions if name in new.questions] + renamed
    different: list[Difference] = []
    alike: list[Alike] = []
    left: list[Omission] = []
    for before, after in pairs:
        what = f"question `{after}`"
        why = _incomparable(old, new, before, after)
        if why:
            left.append(Omission(what, why))
            continue
        try:
            found, full = _compare(old, new, before, after, limits, deadline)
        except LimitReached:
            left.append(Omission(what, LATE, late=True))
            continue
        if not full:
            left.append(Omission(what, ALIKE))
        if isinstance(found, Difference):
            different.append(found)
        else:
            alike.append(found)
    return RuleComparison(
        tuple(different),
        tuple(alike),
        tuple(left),
        tuple(renamed),
        tuple(q for q in old.questions if q not in {a for a, _ in pairs}),
        tuple(q for q in new.questions if q not in {b for _, b in pairs}),
    )


def _renamed(old: RuleBook, new: RuleBook) -> Iterator[tuple[str, str]]:
    """Questions of the older version and of the newer one that differ in their names only."""
    fresh = {name: q for name, q in new.questions.items() if name not in old.questions}
    for name, question in old.questions.items():
        if name in new.questions:
            continue
        for other, candidate in fresh.items():
            if replace(candidate, name=question.name) == question:
                del fresh[other]
                yield name, other
                break


def _incomparable(old: RuleBook, new: RuleBook, before: str, after: str) -> str:
    """Why two versions of a question can't be compared, "" where they can."""
    kinds = [
        [_kind(book, p.type.text) for p in book.questions[name].parameters]
        for book, name in ((old, before), (new, after))
    ]
    if kinds[0] != kinds[1]:
        return "its parameters are others"
    for name in old.relations.keys() & new.relations.keys():
        if old.datatype(name) != new.datatype(name):
            return f"the objects of `{name}` are of another kind"
    return not_analysed(old, before) or not_analysed(new, after)


def _kind(book: RuleBook, type_: str) -> str:
    return "" if type_ in book.classes else type_


def _compare(
    old: RuleBook, new: RuleBook, before: str, after: str, bound: Bound, deadline: Deadline
) -> tuple[Difference | Alike, bool]:
    if _meaning(old, before) == _meaning(new, after):
        return Alike(after, PROVEN), True
    asks = [(old, before), (new, after)]
    domain, (one, other), full = question_domain(asks, bound, _changed(old, new))
    looks = [Look(old, one, before, OLD), Look(new, other, after, NEW)]
    guesses = Guesses(domain, looks, DIFFER, deadline)
    # A graph that agrees with itself in both versions says most; one that does in none, nothing.
    example = guesses.smallest("differ", consistent=(OLD + CLASH, NEW + CLASH))
    if example is None:
        example = guesses.smallest("differ", "sound", consistent=())
    if example is None:
        return Alike(after, reach(bound, domain)), full
    return _difference(old, new, before, after, example), full


def _difference(
    old: RuleBook, new: RuleBook, before: str, after: str, example: Example
) -> Difference:
    ours, theirs = confirm(old, before, example, OLD), confirm(new, after, example, NEW)
    name = f"{after}: {ours.verdict.verdict} before, {theirs.verdict.verdict} now"
    block = ""
    if expressible(new, example.facts):
        block = block_text(new, name, after, theirs)
    elif expressible(old, example.facts):
        block = block_text(old, name, before, ours)
    facts = tuple(fact_text(new, fact) for fact in example.facts)
    agrees = not {OLD + CLASH, NEW + CLASH} & example.shown
    return Difference(after, ours, theirs, facts, agrees, block)


# ---------------------------------------------------------------- what has changed


def _meaning(book: RuleBook, question: str) -> frozenset[str]:
    """All that a question's verdicts can depend on, as text: two rule files that say the same here
    give the same verdicts."""
    asked = book.questions[question]
    found = {statement_text(replace(asked, name=s.Ident("_", asked.span)))}
    found |= {f"{prefix} {iri}" for prefix, iri in book.prefixes.items()}
    found |= {_declaration(book, name) for name in (*book.relations, *book.classes)}
    found |= {rule_text(rule) for rule in book.rules}
    more: tuple[s.Statement, ...] = (*book.disjoint, *book.complete, *book.same)
    found |= set(map(statement_text, more))
    return frozenset(found)


def _declaration(book: RuleBook, name: str) -> str:
    """A class or relation without its words."""
    if name in book.classes:
        return statement_text(replace(book.classes[name], sentence="", phrases=()))
    return statement_text(replace(book.relations[name], sentence="", phrases=()))


def _changed(old: RuleBook, new: RuleBook) -> set[str]:
    """The relations and classes that the two declare differently, or that only one has."""
    said = [
        {name: _declaration(book, name) for name in (*book.relations, *book.classes)}
        for book in (old, new)
    ]
    return {name for name in said[0] | said[1] if said[0].get(name) != said[1].get(name)}
