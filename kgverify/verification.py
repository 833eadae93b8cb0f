"""The pipeline, read from top to bottom: resolve, gather, decide, rank; explain when asked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Literal

from kgverify.batches import Batch
from kgverify.believing import Believer, Completer, Completions
from kgverify.errors import (
    GraphError,
    Problem,
    QuestionError,
    RuleError,
    Span,
    counted,
    did_you_mean,
)
from kgverify.evidence.findings import Reader
from kgverify.graph import Graph
from kgverify.language import syntax as s
from kgverify.language.dependencies import negative_cycles, subclass_edges, used_by
from kgverify.language.rulebook import RuleBook
from kgverify.questions import resolve
from kgverify.reasoning.backing import ReferenceBackers, SliceBackers, SoftRules
from kgverify.reasoning.combining import COMBINATIONS, Combination
from kgverify.reasoning.completions import reaching
from kgverify.reasoning.crosscheck import cross_check, require_pydatalog
from kgverify.reasoning.deciding import (
    Decisions,
    Engine,
    ReferenceEngine,
    Request,
    SliceEngine,
    bound_rules,
    evidence_rules,
)
from kgverify.reasoning.exact import Budget, Conflict, ExactMode, Refined
from kgverify.reasoning.knowledge import Knowledge, graph_warnings
from kgverify.reasoning.plausibility import Plausibilities, infer, weigh
from kgverify.reasoning.program import compile_question
from kgverify.reasoning.texts import weigh_texts
from kgverify.verdicts import Verdict, rank
from kgverify.version import VERSION
from kgverify.vocabulary import Candidate, Explanation, Pins, Question

Policy = Literal["filter", "strict", "rank"]
EngineName = Literal["slice", "reference"]
POLICIES: tuple[Policy, ...] = ("filter", "strict", "rank")
ENGINES: tuple[EngineName, ...] = ("slice", "reference")
Share = Fraction | Decimal | float | str  # a number above 0 and up to 1, taken as it is written
BATCH = 10_000  # candidates decided together: large enough to share the grounding's fixed cost


class Verifier:
    """Verifies candidates against one graph and one rule file.

    `warnings` lists every name of the rule file that the graph doesn't know; `warnings_for` those
    that matter to some questions.  `exact` asks all completions what evidence leaves open, within
    the budget or a default one.  Raises GraphError when the graph holds the values of a relation
    as entities, so that every verdict about them would be wrong; and RuleError when its class
    hierarchy makes something depend on its own absence.

    With `cross_check`, pyDatalog derives the evidence for what the questions ask as well; verifying
    raises EngineError, before any verdict of the batch, when the two engines differ, and
    `cross_checked` counts the atoms on which they agreed.  Raises KgverifyError when pyDatalog is
    not installed.

    `combine` says how plausible an atom is that several soft rules speak for.  With `infer_from`,
    a number above 0 and up to 1, an atom that evidence leaves open counts as true from that
    plausibility on; else plausibility ranks only.

    `reader` reads passages about the atoms that evidence leaves open.  What they say is shown, with
    quotes, and ranks after support; it changes no verdict.

    `completer` admits edges where reasoning stops, and what the graph leaves open may rest on them.
    What it decides stays as it is."""

    def __init__(
        self,
        graph: Graph,
        rules: RuleBook,
        policy: Policy = "filter",
        engine: EngineName = "slice",
        exact: bool | Budget = False,
        *,
        cross_check: bool = False,
        combine: Combination = "max",
        infer_from: Share | None = None,
        reader: Reader | None = None,
        completer: Completer | None = None,
    ) -> None:
        if policy not in POLICIES or engine not in ENGINES:
            raise QuestionError(
                Problem("option", f"unknown policy `{policy}` or engine `{engine}`")
            )
        if combine not in COMBINATIONS:
            raise QuestionError(Problem("option", f"unknown way to combine `{combine}`"))
        if cross_check:
            require_pydatalog()
        self._combine, self._reader = combine, reader
        self._infer_from = share_of(infer_from) if infer_from is not None else None
        if exact and infer_from is not None:
            raise QuestionError(
                Problem(
                    "option",
                    "exact mode says what holds in every completion, and what is inferred holds in "
                    "some only",
                    hint="ask for one of the two",
                )
            )
        if exact and completer is not None:
            raise QuestionError(
                Problem(
                    "option",
                    "exact mode says what holds in every completion, and an admitted edge holds in "
                    "some only",
                    hint="ask for one of the two",
                )
            )
        self.policy = policy
        self.cross_checked = 0
        self._cross_check = cross_check
        found = graph_warnings(graph, rules)
        if any(problem.is_error for problem in found):
            raise GraphError([problem for problem in found if problem.is_error])
        self.warnings = found
        self._rules = rules
        # What every batch shares; each works on a copy, so that strangers don't pile up.
        self._knowledge = Knowledge(graph, rules)
        _refuse_cycles(self._knowledge)
        self._evidence_rules = evidence_rules(self._knowledge)
        self._soft = SoftRules(self._knowledge)
        self._believer = Believer(completer, self._knowledge) if completer is not None else None
        self._engine = engine
        self._budget = Budget() if exact is True else exact or None
        self._reaching = reaching(self._evidence_rules, rules) if self._budget else []
        self._templates = {
            q: compile_question(rules, found) for q, found in rules.questions.items()
        }
        self._pins = Pins(graph.hash, rules.hash, VERSION, reader.name if reader else "")

    def warnings_for(self, questions: Iterable[Question]) -> list[Problem]:
        """The warnings about these questions, and about names that their constraints rest on."""
        asked = {q.question for q in questions if q.question in self._templates}
        used = used_by(self._rules, asked, soft=True)
        names = {self._rules.kg_name(name) for name in used}
        spans = {
            term.span
            for name in asked
            for item in self._rules.questions[name].items
            for term in (*item.condition.terms, *item.exceptions)
        }
        facts = (rule.head for rule in self._rules.rules if not rule.body)
        spans |= {term.span for head in facts if _about(head.atom, used) for term in head.terms}
        vacuous = [
            warning
            for warning in self._rules.warnings
            if warning.code == "vacuous-question" and warning.subject in asked
        ]
        return vacuous + [
            warning
            for warning in self.warnings
            if warning.subject in names or warning.span in spans
        ]

    def check(self, questions: Iterable[Question | tuple[Span, Question]]) -> list[Problem]:
        """Everything that is wrong with the questions, found without deciding any."""
        problems: list[Problem] = []
        for group in _grouped(questions):
            knowledge = self._knowledge.copy()
            for span, question in group:
                problems += resolve(question, span, knowledge, self._templates)[2]
        return problems

    def verify(
        self, questions: Iterable[Question | tuple[Span, Question]]
    ) -> Iterator[tuple[list[Verdict], list[Problem]]]:
        """For each question, in order, its verdicts (best first) and its problems.

        A question with an error has no verdicts.  Questions are decided in batches of about
        `BATCH` candidates; batching changes no verdict."""
        for group in _grouped(questions):
            yield from self._verify_batch(group)

    def _verify_batch(
        self, group: Sequence[tuple[Span, Question]]
    ) -> Iterator[tuple[list[Verdict], list[Problem]]]:
        knowledge = self._knowledge.copy()
        given = (c for _, question in group for c in question.candidates)
        knowledge.prefetch(c.entity for c in given if isinstance(getattr(c, "entity", None), str))
        resolved = [resolve(q, span, knowledge, self._templates) for span, q in group]
        requests = [request for request, _, _ in resolved if request is not None]
        slice_engine = SliceEngine(knowledge, bound_rules(self._evidence_rules, requests))
        engine = self._engine_of(slice_engine)
        found = self._decide(slice_engine, requests) if requests else []
        believed: Sequence[Completions] = ()
        if self._believer is not None:
            believed = self._believer.believe(
                slice_engine, requests, found, self._soft, self._decide
            )
            found = [one.decisions for one in believed]
        batch = Batch(slice_engine, requests, self._soft)
        plausible = self._weigh(batch, engine, requests, found)
        if plausible and self._infer_from is not None:
            found = infer(requests, found, plausible)
        texts = (
            weigh_texts(slice_engine, self._reader, requests, found)
            if self._reader is not None and requests
            else []
        )
        decided = iter(found)
        weighed, told_by_texts, edges = iter(plausible), iter(texts), iter(believed)
        exact = (
            ExactMode(slice_engine, self._reaching, self._budget, self._engine == "reference")
            if self._budget
            else None
        )
        told: set[Conflict | tuple[Span, str]] = set()
        for (span, question), (request, candidates, problems) in zip(group, resolved, strict=True):
            if request is None:
                yield [], problems
                continue
            decisions = next(decided)
            refined = exact.refine(request, decisions) if exact else None
            if refined:
                decisions = refined.decisions
                problems = [
                    *problems,
                    *_exact_problems(refined, request, question, span, batch, told),
                ]
            likely, stated = next(weighed, None), next(told_by_texts, None)
            completed = next(edges, None)
            if completed is not None:
                problems = [*problems, *(replace(found, span=span) for found in completed.problems)]
            if likely is not None and refined:
                likely = replace(likely, decisions=decisions)
            if stated is not None and refined:
                stated = replace(stated, leaning=replace(stated.leaning, decisions=decisions))
            yield (
                rank(
                    question,
                    candidates,
                    request,
                    decisions,
                    batch,
                    self.policy,
                    self._pins,
                    refined,
                    likely,
                    stated,
                    completed.believed if completed is not None else None,
                ),
                problems,
            )

    def _engine_of(self, slice_engine: SliceEngine) -> Engine:
        """The engine that decides, over the knowledge of another."""
        return slice_engine if self._engine == "slice" else ReferenceEngine(slice_engine.knowledge)

    def _decide(self, slice_engine: SliceEngine, requests: Sequence[Request]) -> list[Decisions]:
        """The decisions on some requests, after both engines agreed if that is asked for."""
        if self._cross_check and requests:
            self.cross_checked += cross_check(slice_engine, requests)
        return self._engine_of(slice_engine).decide(requests)

    def _weigh(
        self,
        batch: Batch,
        engine: Engine,
        requests: Sequence[Request],
        decided: Sequence[Decisions],
    ) -> list[Plausibilities]:
        """How plausible the soft rules make what evidence leaves open; nothing without any."""
        if not self._soft.rules or not requests:
            return []
        backers = (
            ReferenceBackers(engine, requests)
            if isinstance(engine, ReferenceEngine)
            else SliceBackers(batch.soft_engine, self._soft)
        )
        return weigh(
            batch.engine, backers, self._soft, requests, decided, self._combine, self._infer_from
        )


def _refuse_cycles(knowledge: Knowledge) -> None:
    """Raises RuleError when the graph's class hierarchy closes a cycle through absence that the
    rule file alone does not have."""
    book = knowledge.book
    pairs = [
        (lower, upper)
        for lower in book.classes
        for upper in knowledge.hierarchy.named_above(lower)
        if upper not in book.superclasses[lower]
    ]
    problems = negative_cycles(book, subclass_edges(pairs))
    if problems:
        raise RuleError(problems)


def _exact_problems(
    refined: Refined,
    request: Request,
    question: Question,
    span: Span,
    batch: Batch,
    told: set[Conflict | tuple[Span, str]],
) -> Iterator[Problem]:
    """What kept exact mode from deciding: contradictions and what it can't tell, each told once,
    and its budget."""
    new = [conflict for conflict in refined.conflicts if conflict not in told]
    told.update(new)
    for conflict in new:
        yield Problem(
            "inconsistent",
            f"nothing can be as the graph and the rules say: {_said(conflict, batch)}",
            span,
            "correct one of them; exact mode goes on without these facts",
            severity="warning",
        )
    for index, why in refined.beyond.items():
        left = request.template.constraints[index].condition.span, why
        if left not in told:
            told.add(left)
            yield Problem(
                "beyond-exact",
                f"exact mode leaves this as evidence has it: {why}",
                left[0],
                severity="warning",
            )
    limited = int(refined.limited.sum())
    if limited:
        yield Problem(
            "budget",
            f"exact mode gave up on {counted(limited, 'candidate')} of question `{question.id}`, "
            "which keep the statuses that evidence gives them",
            span,
            "allow it more atoms or more time",
            severity="warning",
        )


def _said(conflict: Conflict, batch: Batch) -> str:
    return "; ".join(batch.cite(part) for part in conflict)


def _grouped(
    questions: Iterable[Question | tuple[Span, Question]],
) -> Iterator[list[tuple[Span, Question]]]:
    group: list[tuple[Span, Question]] = []
    size = 0
    for number, item in enumerate(questions, 1):
        span, question = item if isinstance(item, tuple) else (Span(f"question {number}"), item)
        group.append((span, question))
        size += len(question.candidates)
        if size >= BATCH:
            yield group
            group, size = [], 0
    if group:
        yield group


def verify(
    questions: Question | Iterable[Question],
    graph: Graph,
    rules: RuleBook,
    *,
    policy: Policy = "filter",
    engine: EngineName = "slice",
    exact: bool | Budget = False,
    combine: Combination = "max",
    infer_from: Share | None = None,
    reader: Reader | None = None,
    completer: Completer | None = None,
) -> list[Verdict]:
    """The verdicts on all candidates of all questions, question by question, best first.

    `exact` asks all completions what evidence leaves open, within the budget or a default one.
    For `combine` and `infer_from`, which are about soft rules, and for `reader` and `completer`,
    see `Verifier`.

    Raises QuestionError, with every problem, when a question names an unknown template, has wrong
    arguments or an ambiguous entity, or when two questions have one id."""
    asked = [questions] if isinstance(questions, Question) else list(questions)
    problems = duplicate_ids((Span(f"question {n}"), q) for n, q in enumerate(asked, 1))
    found: list[Verdict] = []
    verifier = Verifier(
        graph,
        rules,
        policy,
        engine,
        exact,
        combine=combine,
        infer_from=infer_from,
        reader=reader,
        completer=completer,
    )
    for verdicts, faults in verifier.verify(asked):
        found += verdicts
        problems += [fault for fault in faults if fault.is_error]
    if problems:
        raise QuestionError(problems)
    return found


def explain(
    question: Question,
    candidate: str,
    graph: Graph,
    rules: RuleBook,
    *,
    exact: bool | Budget = False,
    combine: Combination = "max",
    infer_from: Share | None = None,
    reader: Reader | None = None,
    completer: Completer | None = None,
) -> Explanation:
    """The proofs behind the verdict on one candidate, which need not be listed in the question.

    Raises QuestionError like `verify`."""
    alone = Question(question.id, question.question, question.arguments, (Candidate(candidate),))
    (verdict,) = verify(
        alone,
        graph,
        rules,
        policy="rank",
        exact=exact,
        combine=combine,
        infer_from=infer_from,
        reader=reader,
        completer=completer,
    )
    return verdict.explain()


def share_of(value: Share) -> Fraction:
    """A plausibility to infer from, exactly as it is written: 0.1 is a tenth.

    Raises QuestionError when it isn't above 0 and up to 1."""
    try:
        found = value if isinstance(value, Fraction) else Fraction(Decimal(str(value)))
    except (InvalidOperation, ValueError, OverflowError):
        found = Fraction(0)
    if not 0 < found <= 1:
        problem = Problem("option", f"`{value}` is no plausibility", hint="above 0, and up to 1")
        raise QuestionError(problem)
    return found


def duplicate_ids(questions: Iterable[tuple[Span, Question]]) -> list[Problem]:
    """A problem for every question whose id an earlier one has."""
    first: dict[str, Span] = {}
    problems = []
    for span, question in questions:
        earlier = first.setdefault(question.id, span)
        if earlier is not span:
            problems.append(
                Problem(
                    "duplicate-question",
                    f"question id `{question.id}` is used twice",
                    span,
                    "give each question an id of its own",
                    notes=((earlier, "first used here"),),
                )
            )
    return problems


def _about(atom: s.Atom, names: set[str]) -> bool:
    """Does the atom name one of these relations or classes?"""
    own = (atom.cls,) if isinstance(atom, s.ClassAtom) else atom.relations
    return any(name.text in names for name in own)


def find_question(questions: Iterable[Question], id: str) -> Question:
    """The question with this id.  Raises QuestionError, naming the nearest, when there is none."""
    known = {question.id: question for question in questions}
    if id not in known:
        raise QuestionError(
            Problem(
                "unknown-question",
                f"no question has the id `{id}`",
                hint=did_you_mean(id, known) or _listed(known),
            )
        )
    return known[id]


def _listed(ids: Collection[str]) -> str:
    """The ids that there are, as far as a line can hold them."""
    shown = ", ".join(f"`{id}`" for id in list(ids)[:10])
    return f"the ids are {shown}" + (f" and {len(ids) - 10:,} more" if len(ids) > 10 else "")
