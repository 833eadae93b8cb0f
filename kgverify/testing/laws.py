"""The laws of the semantics, as values that can be checked on any world."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import msgspec
from hypothesis import strategies as st

from kgverify.graph.store import KeyTriple
from kgverify.graph.terms import display, value_key
from kgverify.language.parsing import parse
from kgverify.language.printing import file_text
from kgverify.language.syntax import RuleFile
from kgverify.reasoning.knowledge import TYPE
from kgverify.reasoning.program import compile_question
from kgverify.replay.checker import underivable
from kgverify.replay.rechecking import check_explanation
from kgverify.testing.changes import (
    AddFact,
    Forget,
    Rename,
    Reprint,
    Shuffle,
    additions,
    deletions,
    irrelevant_facts,
    mentioned,
    renamings,
    reprints,
    shuffles,
)
from kgverify.testing.evidence import conflicts, contradicts, forks
from kgverify.testing.kleene import LEFT, RIGHT, Equation, equations
from kgverify.testing.law import Breach, Change, Law, Nothing, Scope
from kgverify.testing.soundness import unsound_decisions
from kgverify.testing.world import Dated, Verdicts, World
from kgverify.verdicts import Verdict
from kgverify.vocabulary import Status, WouldSettle

OPPOSITE = {"sat": "viol", "viol": "sat"}


def pairs(one: Verdicts, other: Verdicts) -> Iterator[tuple[Verdict, Verdict]]:
    """The verdicts on what both answer; a question is refused where an argument's type is wrong."""
    for key, verdict in one.items():
        if key in other:
            yield verdict, other[key]


def different(what: str, before: Verdict, after: Verdict) -> Breach:
    return Breach(what, before.question, before.candidate, before, after)


def same(pairs_: Iterable[tuple[Verdict, Verdict]], what: str) -> Breach | None:
    """A breach where two verdicts are decided differently."""
    for one, other in pairs_:
        if one.decision != other.decision:
            return different(what, one, other)
    return None


def statuses(verdict: Verdict) -> dict[str, Status]:
    return {"the verdict": verdict.verdict, **verdict.statuses}


# ---------------------------------------------------------------- 1: what the completions say


def unsound(world: World, change: Change) -> Breach | None:
    for found in unsound_decisions(world):
        said = f"{found.what} is {found.by_evidence} by evidence, {found.by_completions} exactly"
        verdict = world.verdicts.get((found.question, found.candidate))
        return Breach(said, found.question, found.candidate, verdict, verdict)
    return None


# ---------------------------------------------------------------- 2 and 3: more, and less, is known


def consistent(world: World, change: Change) -> bool:
    """Does the change contradict nothing that the world has evidence for or against?

    Where the objects of a relation are all listed, a new name may be another name of one of them;
    no evidence says so, so such a change is left out."""
    after = change.apply(world)
    if world.book.complete and not after.terms <= world.terms:
        return False
    return not contradicts(world, after)


def moved_from_decided(world: World, change: Change) -> Breach | None:
    for old, new in pairs(world.verdicts, change.apply(world).verdicts):
        for name, status in statuses(old).items():
            if status != "unk" and statuses(new)[name] != status:
                what = f"{name} was {status} and became {statuses(new)[name]} with more knowledge"
                return different(what, old, new)
    return None


def steps_are_clear(world: World, change: Forget) -> bool:
    """Are no views asked about, or is each of their steps without a conflict, and of a functional
    relation the only one?

    Where a functional relation has two objects, deleting one leaves the other as the only step, and
    what went through the deleted one is refuted."""
    if not any(compile_question(world.book, q).views for q in world.book.questions.values()):
        return True
    return not conflicts(world) and not forks(world)


def flipped(world: World, change: Forget) -> Breach | None:
    for old, new in pairs(world.verdicts, change.apply(world).verdicts):
        for name, status in statuses(old).items():
            if OPPOSITE.get(status) == statuses(new)[name]:
                return different(f"{name} turned from {status} to its opposite", old, new)
    return None


# ---------------------------------------------------------------- 4 to 7: what must not matter


def engines_differ(world: World, change: Change) -> Breach | None:
    reference = world.decide(world.asked, "reference")
    for one, other in pairs(world.verdicts, reference):
        if (one.decision, one.basis, one.rank) != (other.decision, other.basis, other.rank):
            return different("the slice engine and the reference engine differ", one, other)
    return None


def is_irrelevant(world: World, change: AddFact) -> bool:
    """Is the fact about terms of the graph, in a relation that no question rests on?"""
    used = mentioned(world.book, {q.question for q in world.asked})
    names = {world.book.kg_name(name) for name in used & world.book.relations.keys()}
    subject, relation, object_ = change.fact
    return {subject, object_} <= world.terms and relation not in names


def moved(world: World, change: AddFact) -> Breach | None:
    found = pairs(world.verdicts, change.apply(world).verdicts)
    return same(found, "a fact of a relation that nothing mentions changes the verdict")


def renaming_matters(world: World, change: Rename) -> Breach | None:
    new = change.apply(world).verdicts
    renamed = {
        (question, candidate): new[question, change.id(candidate)]
        for question, candidate in world.verdicts
        if (question, change.id(candidate)) in new
    }
    return same(pairs(world.verdicts, renamed), "the verdict depends on what entities are called")


def order_matters(world: World, change: Shuffle) -> Breach | None:
    for old, new in pairs(world.verdicts, change.apply(world).verdicts):
        if _in_any_order(old) != _in_any_order(new):
            return different("the verdict depends on order or repetition", old, new)
    return None


def _in_any_order(verdict: Verdict) -> object:
    """All of a verdict but the order of its constraints, and of the words in a group."""
    constraints = [
        (sorted(re.findall(r"\w+|[^\w\s]", text)), required, status)
        for (text, required), status in zip(
            verdict.constraint_texts, verdict.statuses.values(), strict=True
        )
    ]
    decided = verdict.verdict, verdict.decision.support, verdict.basis, verdict.rank
    return decided, sorted(constraints)


# ---------------------------------------------------------------- 8 to 10: verdicts as a whole


def is_asked(world: World, change: Equation) -> bool:
    """Does the world have the question, and the words, that the equation is made of?"""
    return change.question in world.book.questions and bool(change.apply(world).book)


def sides_differ(world: World, change: Equation) -> Breach | None:
    verdicts = change.apply(world).verdicts
    for (question, candidate), left in verdicts.items():
        if question.startswith(LEFT):
            right = verdicts[RIGHT + question.removeprefix(LEFT), candidate]
            if left.verdict != right.verdict or _last(left) != _last(right):
                return different(f"the two sides differ: {change.name}", left, right)
    return None


def _last(verdict: Verdict) -> Status:
    """The status of the one constraint, which may be the answer class itself."""
    return list(verdict.statuses.values())[-1]


def batch_matters(world: World, change: Change) -> Breach | None:
    for question in world.asked:
        for candidate in question.candidates:
            alone = msgspec.structs.replace(question, candidates=(candidate,))
            found = pairs(world.decide([alone]), world.verdicts)
            breach = same(found, "alone the candidate gets another verdict")
            if breach:
                return breach
    return None


def support_is_off(world: World, change: Change) -> Breach | None:
    found = list(world.verdicts.values())
    for verdict in found:
        support = verdict.decision.support
        if not 0 <= support <= 1:
            what = f"support is {support}"
            return Breach(what, verdict.question, verdict.candidate, verdict)
        if (support == 1) != (set(verdict.statuses.values()) == {"sat"}):
            what = "support is 1 though not all constraints are sat, or the reverse"
            return Breach(what, verdict.question, verdict.candidate, verdict)
    for one in found:
        for other in found:
            rises = one.question == other.question and all(
                old == new or (old, new) == ("unk", "sat")
                for old, new in zip(one.statuses.values(), other.statuses.values(), strict=True)
            )
            if rises and other.decision.support < one.decision.support:
                return different("support falls though an unk is sat instead", one, other)
    return None


# ---------------------------------------------------------------- 12: explanations replay


@dataclass(frozen=True)
class Explain(Nothing):
    """Nothing is changed; one verdict is explained."""

    question: str
    candidate: str

    def __str__(self) -> str:
        return f"explain {self.candidate} for {self.question}"


def explained(world: World) -> st.SearchStrategy[Explain]:
    """A verdict of which something is decided, or in conflict."""
    found = [
        Explain(*key) for key, v in world.verdicts.items() if set(v.decision.statuses) != {"unk"}
    ]
    return st.sampled_from(found) if found else st.nothing()


def not_replayed(world: World, change: Explain) -> Breach | None:
    verdict = world.verdicts.get((change.question, change.candidate))
    if verdict is None:
        return None
    explanation, book = verdict.explain(), world.book
    proofs = [found.proof for found in explanation.constraints if found.proof]
    for problem in check_explanation(explanation, world.graph, book):
        return different(f"the explanation does not replay: {problem.message}", verdict, verdict)
    for proof in proofs:
        if underivable(proof, book):
            what = f"what is cited does not decide `{proof.claim.text}`"
            return different(what, verdict, verdict)
        for place, citation in enumerate(proof.citations):
            rest = proof.citations[:place] + proof.citations[place + 1 :]
            if not underivable(msgspec.structs.replace(proof, citations=rest), book):
                what = f"`{proof.claim.text}` is decided without {citation.text}, which is cited"
                return different(what, verdict, verdict)
    return None


# ---------------------------------------------------------------- 13: what would settle


@dataclass(frozen=True)
class Settle:
    """What a verdict names as what would settle a constraint, with its examples for what has no
    name: facts, of which the flag says that they are denied; facts that are stated for a period;
    and statements of completeness."""

    question: str
    candidate: str
    constraint: str
    status: Status
    texts: tuple[str, ...]
    facts: tuple[tuple[KeyTriple, bool], ...]
    dated: tuple[Dated, ...] = ()
    statements: tuple[str, ...] = ()

    def apply(self, world: World) -> World:
        for fact, denied in self.facts:
            world = world.with_denied(fact) if denied else world.with_facts(fact)
        world = replace(world, dated=tuple(dict.fromkeys((*world.dated, *self.dated))))
        if not self.statements:
            return world
        return replace(world, rules="\n".join((world.rules.rstrip(), *self.statements, "")))

    def __str__(self) -> str:
        facts = " and ".join(self.texts)
        return f"add {facts}, which would make {self.constraint} {self.status}"


def named_to_settle(world: World) -> list[Settle]:
    """Everything that a verdict of the world names as what would settle a constraint."""
    known = _fact_texts(world)
    return [
        _settle(world, known, verdict, constraint.id, settle)
        for verdict in world.verdicts.values()
        for constraint in verdict.constraints
        for settle in constraint.would_settle
    ]


_COMPLETE = re.compile(r"complete (\w+) for (.*)")
_PERIOD = re.compile(r"(.*\))(?=.)(?: since (\S+))?(?: until (\S+))?")


def _settle(
    world: World, known: Mapping[str, KeyTriple], verdict: Verdict, id_: str, settle: WouldSettle
) -> Settle:
    facts: list[tuple[KeyTriple, bool]] = []
    dated: list[Dated] = []
    statements: list[str] = []
    examples = {found.name: found.examples for found in settle.where}
    for text in settle.facts:
        complete, period = _COMPLETE.fullmatch(text), _PERIOD.fullmatch(text)
        if complete:
            statements.append(f'complete {complete[1]} for "{complete[2]}"')
        elif period:
            since, until = (examples.get(day, (day,))[0] for day in period.groups("")[1:])
            found = _with_examples(world, known, period[1], examples)
            dated += [(*fact, since, until, "") for fact in found]
        else:
            found = _with_examples(world, known, text.removeprefix("not "), examples)
            facts += [(fact, text.startswith("not ")) for fact in found]
    return Settle(
        verdict.question,
        verdict.candidate,
        id_,
        settle.status,
        (*settle.facts, *(f"{name} = {', '.join(found)}" for name, found in examples.items())),
        tuple(facts),
        tuple(dated),
        tuple(statements),
    )


_LINK = re.compile(r"(\w+)\((.*), (.*)\)")


def _with_examples(
    world: World, known: Mapping[str, KeyTriple], text: str, examples: Mapping[str, tuple[str, ...]]
) -> Iterator[KeyTriple]:
    """The fact that is told so; one for each example where it has a placeholder."""
    link = _LINK.fullmatch(text)
    if text in known or link is None:
        yield known[text]
        return
    book, (name, one, other) = world.book, link.groups()
    datatype = book.relations[name].range.text

    def key(example: str) -> str:
        return value_key(example, datatype) if book.is_literal(name) else "e" + example

    subjects = ["e" + example for example in examples.get(one, (one,))]
    objects = [key(example) for example in examples.get(other, (other,))]
    for subject in subjects:
        for object_ in objects:
            yield subject, book.kg_name(name), object_


def settling(world: World) -> st.SearchStrategy[Settle]:
    """A fact that would settle some constraint of some candidate."""
    found = named_to_settle(world)
    return st.sampled_from(found) if found else st.nothing()


def _fact_texts(world: World) -> Mapping[str, KeyTriple]:
    """Every fact that the world's words and terms make, by the words in which it is told."""
    book = world.book
    facts = (*world.facts, *world.denied)
    terms = {key for key in world.terms if key[0] != "l"} | {*world.entities}
    written = {str(value) for q in world.asked for value in q.arguments.values()}
    for question in book.questions.values():
        for item in question.items:
            for term in item.condition.terms:
                written.add(term.text)
                terms |= {"e" + name for name in book.entity_ids(term)}
    found = {
        f"{display(key)} : {name}": (key, TYPE, "e" + book.kg_name(name))
        for key in terms
        for name in book.classes
    }
    for name, relation in book.relations.items():
        datatype = relation.range.text
        objects = terms
        if book.is_literal(name):
            stated = {f[2] for f in facts if f[1] == book.kg_name(name)}
            objects = stated | {value_key(value, datatype) for value in written}
        for one in terms:
            for other in objects:
                fact = one, book.kg_name(name), other
                found[f"{name}({display(one)}, {display(other)})"] = fact
    return found


def is_named(world: World, change: Settle) -> bool:
    return change in named_to_settle(world)


def unsettled(world: World, change: Settle) -> Breach | None:
    key = change.question, change.candidate
    richer = change.apply(world)
    before, after = world.verdicts.get(key), richer.verdicts.get(key)
    if before is None or after is None:
        return None  # the question is refused when its argument now has the wrong type
    torn = conflicts(richer) - conflicts(world)
    if torn:
        return different(f"what is named contradicts what is known: {min(torn)}", before, after)
    status = after.statuses[change.constraint]
    if status != change.status:
        return different(f"{change.constraint} became {status}, not {change.status}", before, after)
    return None


# ---------------------------------------------------------------- 14: print and parse


def altered(world: World, change: Reprint) -> Breach | None:
    text = change.apply(world).rules
    file, problems = parse(text, world.path)
    if problems or file.statements != change.order(world):
        return Breach("what is printed is not read back as it was")
    if file_text(RuleFile(world.path, file.statements)) != text:
        return Breach("printing again changes the text")
    return None


NOT_CONSISTENT = "what is added contradicts nothing that the world has evidence for or against"

LAWS: tuple[Law, ...] = (
    Law(
        1,
        "soundness",
        "sat and viol by Kleene's tables are sat and viol in every completion",
        condition="the knowledge contradicts nothing",
        suits=lambda world, _: not conflicts(world),
        breach=unsound,
    ),
    Law(
        2,
        "monotone in knowledge",
        "facts, denials, schema and completeness that are added move a verdict only from unk",
        condition=f"{NOT_CONSISTENT}, nothing is assumed closed, no fact has a rank or a period, "
        "and there is no completeness or no term that is new or may be another",
        scopes=(
            Scope(complete=False, closed=False, dated=False),
            Scope(closed=False, vague=False, dated=False),
        ),
        changes=additions,
        suits=consistent,
        breach=moved_from_decided,
    ),
    Law(
        3,
        "deletion",
        "deleting facts never turns sat into viol or viol into sat",
        condition="nothing is declared complete or assumed closed, `owl:sameAs` and facts with a "
        "rank or a period stay, and where paths, values or counts are asked about nothing is in "
        "conflict and no functional relation has two objects",
        scopes=(Scope(complete=False, closed=False),),
        changes=deletions,
        suits=steps_are_clear,
        breach=flipped,
    ),
    Law(
        4,
        "locality",
        "the verdict from the gathered slice is the one from the whole graph grounded",
        breach=engines_differ,
    ),
    Law(
        5,
        "irrelevance",
        "a fact in no relation that the question or its rules mention changes nothing",
        condition="the graph knows the fact's terms already",
        changes=irrelevant_facts,
        suits=is_irrelevant,
        breach=moved,
    ),
    Law(
        6,
        "renaming",
        "renaming the entities, one to one, renames the verdicts",
        changes=renamings,
        breach=renaming_matters,
    ),
    Law(
        7,
        "order and repetition",
        "the order and repetition of facts, rules, constraints and candidates change nothing",
        changes=shuffles,
        breach=order_matters,
    ),
    Law(
        8,
        "Kleene laws",
        "groups obey De Morgan, double negation, associativity, distributivity and absorption",
        changes=equations,
        suits=is_asked,
        breach=sides_differ,
    ),
    Law(
        9,
        "batching",
        "a batch gives what one candidate at a time gives",
        breach=batch_matters,
    ),
    Law(
        10,
        "support",
        "support is within [0, 1], is 1 iff all is sat, and never falls when an unk becomes sat",
        breach=support_is_off,
    ),
    Law(
        11,
        "admission",
        "raising the threshold never admits more; it never moves during backtracking",
        missing="this version admits no text evidence",
    ),
    Law(
        12,
        "explanations replay",
        "an independent checker re-derives each status from what its proof cites, and nothing less",
        changes=explained,
        breach=not_replayed,
    ),
    Law(
        13,
        "would settle",
        "adding what `would_settle` names decides the constraint, and contradicts nothing",
        condition="no fact has a rank",
        scopes=(Scope(ranked=False),),
        changes=settling,
        suits=is_named,
        breach=unsettled,
    ),
    Law(
        14,
        "round trip",
        "a rule file that is printed and read again is the same; printing twice changes nothing",
        changes=reprints,
        breach=altered,
    ),
)


def law(number: int) -> Law:
    """The law of this number.  Raises KeyError when there is none."""
    return {found.number: found for found in LAWS}[number]
