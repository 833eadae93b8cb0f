"""What is to be said about one candidate: its constraints in words, proofs, and what would settle
those that are open.  Worked out when first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kgverify.batches import ASSUMED, Atoms, Batch
from kgverify.errors import EngineError, Problem
from kgverify.exact_proofs import exact_proof
from kgverify.inquiring import Inquiry
from kgverify.language import syntax as s
from kgverify.language.printing import constraint_text
from kgverify.plausible_proofs import backings, rule_words
from kgverify.quoting import text_evidence
from kgverify.reasoning.deciding import Decision, Request
from kgverify.reasoning.evidence import ARITHMETIC, Ground, opposite
from kgverify.reasoning.exact import Cited, Ruling
from kgverify.reasoning.explanation import citation_line, fill
from kgverify.reasoning.knowledge import Edge
from kgverify.reasoning.plausibility import Weighed, plain
from kgverify.reasoning.program import CompiledConstraint
from kgverify.reasoning.proofs import Derivation, Prover, restricted
from kgverify.reasoning.texts import Stated
from kgverify.replay.checker import needed, proofs_in
from kgverify.trimming import lacking, trimmed
from kgverify.vocabulary import (
    AdmittedEdge,
    Citation,
    Claim,
    Constraint,
    Explained,
    Inference,
    Node,
    Plausibility,
    Plausible,
    Proof,
    Status,
    TextEvidence,
    WouldSettle,
)

# Why a constraint is open, gravest first.
REASONS = ("conflict", "ill-typed", "imprecise", "missing", "unresolved")
SAT: Status = "sat"
VIOL: Status = "viol"
# … and of these, why facts that are named may settle it.
_SETTLED = ("missing", "imprecise", "ill-typed")
_TOGETHER = "all required constraints"
_GIVEN = ("same", "identity", "assumption")  # what a constraint may need by itself


@dataclass(frozen=True, slots=True)
class Proved:
    """The proof of a constraint, as a value and as the derivations that it is made of; `spare` are
    the names of one entity, and the differences, that it turned out not to need."""

    proof: Proof
    derivations: dict[Ground, Derivation]
    spare: frozenset[Citation]


class Account:
    """One candidate of one request, with all that its decision rests on.

    Where it may rest on admitted `edges`, `batch` has the evidence with them; `alone` tells what
    the graph decides without them."""

    def __init__(
        self,
        batch: Batch,
        request: Request,
        candidate: int,
        decision: Decision,
        ruling: Ruling | None = None,
        weighed: Weighed | None = None,
        stated: Stated | None = None,
        edges: Mapping[Edge, AdmittedEdge] | None = None,
        alone: Account | None = None,
    ) -> None:
        self._edges, self._alone = edges or {}, alone
        self._ruling, self._weighed, self._stated = ruling, weighed, stated
        self._batch, self._request = batch, request
        self._candidate, self._decision = candidate, decision
        self._proved: dict[int, Proved | None] = {}
        self._proved_exactly: dict[int | None, Proof | None] = {}
        self._constraints = request.template.constraints

    @property
    def question_text(self) -> str:
        """The question in the rule file's words."""
        return fill(self._request.template.question.sentences[0], self._labels)

    @property
    def constraint_texts(self) -> tuple[tuple[str, bool], ...]:
        """The constraints as written, with the question's arguments; and which are required."""
        return tuple((self._text(c), c.required) for c in self._request.template.items)

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Every constraint with its status, reason, evidence and what would settle it."""
        return tuple(self._teller(c)._constraint(c) for c in self._request.template.items)

    @property
    def explained(self) -> tuple[Explained, ...]:
        """Every constraint with its proofs."""
        return tuple(self._teller(c)._explained(c) for c in self._request.template.items)

    def _teller(self, compiled: CompiledConstraint) -> Account:
        """Who tells of a constraint: what the graph decides is told from the graph alone."""
        alone = self._alone
        return alone if alone is not None and alone._found(compiled) != "unk" else self

    @property
    def missing(self) -> Iterator[tuple[str, int]]:
        """The relation and the subject of each fact that is named to settle a constraint which is
        open for want of facts."""
        for item in self._request.template.items:
            leaves = self._all_leaves(item) if self._found(item) == "unk" else ()
            for leaf in leaves:
                if leaf.kind == "same" or self._kleene_reason(leaf) != "missing":
                    continue
                atoms, settling = self._atoms(leaf), self._inquiry.settling
                for atom in (atoms.pro, atoms.con):
                    for proposal in settling.get(atom, ()):
                        facts = () if proposal.complete else proposal.facts
                        yield from ((str(f[1]), int(f[2])) for f in facts if f[0] == "for")

    def admitted(self, explained: Iterable[Explained]) -> tuple[AdmittedEdge, ...]:
        """The admitted edges that proofs cite."""
        proofs = [one.proof for one in explained if one.proof is not None]
        proofs += [proof for one in explained for proof in proofs_in(one.plausible)]
        return self._cited_edges(citation for proof in proofs for citation in proof.citations)

    @property
    def deciding(self) -> dict[str, Status]:
        """The members that decide their groups, as many as it takes, with their statuses, by id."""
        todo = [c for c in self._request.template.items if self._found(c) in (SAT, VIOL)]
        for compiled in todo:
            if compiled.kind == "group" and not self._exact(compiled):
                todo += self._deciding(compiled)
        return {c.id: status_of(self._found(c)) for c in todo if not c.item}

    @property
    def joint(self) -> Node | None:
        """Why no completion meets all required constraints, where none alone shows it."""
        if self._ruling is None or not self._ruling.joint:
            return None
        text = "no completion meets all required constraints"
        return Node(text, "exact", children=tuple(self._core_nodes(self._ruling, None)))

    @property
    def joint_proof(self) -> Proof | None:
        """The same for programs."""
        if self._ruling is None or not self._ruling.joint:
            return None
        return self._exact_proof(self._ruling, None)

    @cached_property
    def _labels(self) -> dict[str, str]:
        label = self._batch.knowledge.label
        request = self._request
        given = zip(request.template.parameters, request.given_arguments, strict=True)
        return {parameter: label(id_) for parameter, id_ in given}

    @property
    def _inquiry(self) -> Inquiry:
        return self._batch.inquiry(self._request, self._candidate)

    def _constraint(self, compiled: CompiledConstraint) -> Constraint:
        found = self._found(compiled)
        status, basis = status_of(found), ""
        if status != "unk":
            basis = "derived" if compiled.index in self._decision.derived else "asserted"
            basis = "exact" if self._exact(compiled) else basis
            basis = "assumed" if compiled.index in self._decision.assumed else basis
            basis = "admitted" if compiled.index in self._decision.admitted else basis
            basis = "inferred" if self._inferred(compiled) else basis
        return Constraint(
            compiled.id,
            self._text(compiled),
            fill(compiled.sentence, self._labels),
            compiled.required,
            status,
            self._reason(compiled),
            basis,  # type: ignore[arg-type]
            tuple(dict.fromkeys(self._because(compiled))),
            self._would_settle(compiled) if status == "unk" else (),
            self._plausibility(compiled),
            self._texts(compiled) if status == "unk" else (),
            self._cited_edges(self._all_cited(compiled)) if status != "unk" else (),
        )

    def _all_cited(self, compiled: CompiledConstraint) -> Iterator[Citation]:
        """What the proof of a constraint cites; of one that is inferred, those of its members."""
        proved = self._prove(compiled)
        if proved is not None:
            yield from proved.proof.citations
        elif compiled.kind == "group":
            for member in self._deciding(compiled):
                yield from self._all_cited(member)

    def _cited_edges(self, citations: Iterable[Citation]) -> tuple[AdmittedEdge, ...]:
        """The admitted edges among some citations, each once."""
        return self._batch.edges_cited(self._edges, citations) if self._edges else ()

    def _explained(self, compiled: CompiledConstraint) -> Explained:
        ruling, proved = self._exact(compiled), self._prove(compiled)
        proof = proved.proof if proved else None
        if ruling is not None:
            proof = self._exact_proof(ruling, compiled)
        plausible = self._weighed and self._weighed.open_sides(compiled.index)
        return Explained(
            self._constraint(compiled),
            *self._nodes(compiled),
            proof,
            self._weigh_up(compiled) if plausible else None,
        )

    def _members(self, group: CompiledConstraint) -> list[CompiledConstraint]:
        return [self._constraints[index] for index in group.members]

    def _found(self, compiled: CompiledConstraint) -> str:
        return self._decision.statuses[compiled.index]

    def _atoms(self, compiled: CompiledConstraint) -> Atoms:
        return self._batch.decided(compiled, self._request, self._candidate)

    def _reason(self, compiled: CompiledConstraint) -> str:
        """Why a constraint is unk, "" when it isn't.  A group gives the gravest reason of its open
        members, in the order of `REASONS`.  Where exact mode gave up, a fact that is missing was
        perhaps not needed: `budget`."""
        reason = self._kleene_reason(compiled)
        limited = self._ruling is not None and self._ruling.limited
        return "budget" if limited and reason == "missing" else reason

    def _kleene_reason(self, compiled: CompiledConstraint) -> str:
        found = self._found(compiled)
        if found in ("sat", "viol"):
            return ""
        if compiled.kind == "group":
            reasons = {self._kleene_reason(member) for member in self._members(compiled)}
            return next(reason for reason in REASONS if reason in reasons)
        if found == "conflict":
            return "conflict"
        ids = self._atoms(compiled).ids
        if any(map(self._batch.knowledge.is_stranger, ids)):
            return "unresolved"
        return self._inquiry.open_reason(compiled, ids)

    def _deciding(self, group: CompiledConstraint) -> list[CompiledConstraint]:
        """As many members as it takes to decide the group the way it is decided; all that are in
        conflict when it is open."""
        found = self._found(group)
        members = [m for m in self._members(group) if not self._exact(m)]
        # What evidence decides comes first, and of that what the graph decides.
        admitted = self._decision.admitted
        members.sort(key=lambda member: (self._inferred(member), member.index in admitted))
        if found == "sat":
            return [m for m in members if self._found(m) == "sat"][: group.least]
        if found == "viol":
            enough = len(group.members) - group.least + 1
            return [m for m in members if self._found(m) == "viol"][:enough]
        return [m for m in members if self._reason(m) == "conflict"]

    def _text(self, compiled: CompiledConstraint) -> str:
        """A constraint as written, with the arguments' labels for its parameters."""
        signed = s.signed(compiled.condition, compiled.negated)
        return constraint_text(signed, compiled.exceptions, self._labels)

    # ------------------------------------------------------------ proofs

    def _exact(self, compiled: CompiledConstraint) -> Ruling | None:
        """What exact mode said, where it decided the constraint."""
        ruling = self._ruling
        return ruling if ruling is not None and ruling.decided(compiled.index) else None

    def _core_nodes(self, ruling: Ruling, constraint: int | None) -> Iterator[Node]:
        """What an exact decision follows from, in words; constraints with their own proofs."""
        for part in ruling.core(constraint):
            told = self._stands_for(part)
            if told is None:
                yield self._batch.tell(part)
            else:
                yield from (node for node in self._nodes(told) if node)

    def _core_lines(self, ruling: Ruling, constraint: int) -> Iterator[str]:
        """The same as lines with their places."""
        for part in ruling.core(constraint):
            told = self._stands_for(part)
            if told is None:
                yield self._batch.cite(part)
            else:
                yield from self._because(told)

    def _exact_proof(self, ruling: Ruling, compiled: CompiledConstraint | None) -> Proof | None:
        """The minimal proof of what exact mode decided of a constraint, or of all that are
        required together; None where the checker can't follow it."""
        index = compiled.index if compiled else None
        if index not in self._proved_exactly:
            required = [item for item in self._request.template.items if item.required]
            items = [compiled] if compiled else required
            claims = tuple(self._claim(item, whole=True) for item in items)
            claim, size = claims[0], len(claims)
            if compiled is None:
                claim = Claim(_TOGETHER, "group", least=size, size=size, members=claims)
            core = ruling.core(index)
            decided = [told for part in core if (told := self._stands_for(part))]
            leaves = [leaf for item in items for leaf in self._all_leaves(item)]
            found: str = self._found(compiled) if compiled else VIOL
            proof = Proof(
                claim,
                found,  # type: ignore[arg-type]
                tuple(self._cited(decided)),
                (),
                exact=True,
            )
            named = [pair for leaf in leaves for pair in self._given_names(leaf)]
            self._proved_exactly[index] = exact_proof(self._batch, proof, core, named)
        return self._proved_exactly[index]

    def _cited(self, decided: Sequence[CompiledConstraint]) -> Iterator[Citation]:
        """What the proofs of some constraints that evidence decides cite."""
        for compiled in decided:
            proved = self._prove(compiled)
            if proved is not None:
                yield from proved.proof.citations

    def _all_leaves(self, compiled: CompiledConstraint) -> Iterator[CompiledConstraint]:
        """The constraints that a constraint is made of."""
        if compiled.kind != "group":
            yield compiled
        for member in self._members(compiled):
            yield from self._all_leaves(member)

    def _stands_for(self, part: Cited) -> CompiledConstraint | None:
        """The constraint whose proof a part of an exact proof stands for."""
        statement, _ = part
        if isinstance(statement, tuple) and statement[0] in ("told", "refuted"):
            return self._constraints[int(statement[2])]
        return None

    def _because(self, compiled: CompiledConstraint) -> list[str]:
        """The facts and statements that decide the constraint, or that contradict each other."""
        if self._inferred(compiled) and compiled.kind != "group":
            return list(self._soft_lines(compiled))
        ruling = self._exact(compiled)
        if ruling is not None:
            return list(self._core_lines(ruling, compiled.index))
        proved = self._prove(compiled)
        if proved is not None:
            citations = [c for c in proved.proof.citations if c.kind != "identity"]
            same = [citation_line(c) for c in citations if c.kind == "same"]
            lines = [citation_line(c) for c in citations if c.kind != "same"]
            return [*(lines or self._identities(compiled)), *same]
        if compiled.kind == "group":
            return [line for member in self._deciding(compiled) for line in self._because(member)]
        return []

    def _identities(self, compiled: CompiledConstraint) -> list[str]:
        """What is said of a constraint that needs no fact."""
        if compiled.kind == "group":
            return [s for member in self._deciding(compiled) for s in self._identities(member)]
        formal = self._batch.narrator.formal
        told = ("same", "different")
        same = {goal for goal in self._goals(compiled) if goal[0] == "same" and goal[1] != goal[2]}
        goals = (goal for goal in self._goals(compiled) if goal[0] in told and goal not in same)
        return [formal(goal) for goal in goals]

    def _leaves(self, compiled: CompiledConstraint) -> Iterator[CompiledConstraint]:
        """The constraints that decide a constraint: itself, or members of a group."""
        if compiled.kind != "group":
            yield compiled
            return
        for member in self._deciding(compiled):
            yield from self._leaves(member)

    def _given_names(self, compiled: CompiledConstraint) -> list[tuple[int, int]]:
        """The ids that a constraint names, each with the one that its evidence is about."""
        atoms = self._atoms(compiled)
        if compiled.kind == "same":  # what differs, or is the same, goes by the names it has
            pairs = [atoms.named] if next(self._goals(compiled))[0] == "same" else []
        else:
            pairs = list(zip(atoms.named, atoms.ids, strict=True))
        return [(one, other) for one, other in dict.fromkeys(pairs) if one != other]

    def _naming(self, compiled: CompiledConstraint) -> Iterator[Inference]:
        """The steps from what is cited or derived to a constraint, where it says that in other
        words: of entities that it names otherwise, or of what it counts as false."""
        narrator, atoms = self._batch.narrator, self._atoms(compiled)
        for goal in self._goals(compiled):
            if goal[0] == "same":
                yield from narrator.joining(*map(int, goal[1:]))
            elif goal[0] == "different":
                yield from narrator.differing(goal)
            elif goal[0] == "assumed":
                conclusion = narrator.formal(opposite(atoms.as_named(goal[1:])))
                premises = (narrator.assumption(goal[1:]).text,)
                yield Inference(ASSUMED, str(compiled.condition.span), conclusion, premises)
            else:
                pairs = self._given_names(compiled)
                yield from narrator.renaming(atoms.as_named(goal), goal, pairs)

    def _own_names(self, compiled: CompiledConstraint) -> list[Node]:
        """What makes the entities that a constraint names those that its evidence is about."""
        if compiled.kind == "same":
            return []
        steps = [self._batch.narrator.names_of_one(*pair) for pair in self._given_names(compiled)]
        return list(dict.fromkeys(node for found in steps for node in found))

    def _nodes(self, compiled: CompiledConstraint) -> tuple[Node | None, Node | None]:
        """The proofs for and against the constraint, in words."""
        ruling = self._exact(compiled)
        if ruling is not None:
            found = self._found(compiled)
            where = "in every completion" if found == "sat" else "in no completion"
            core = tuple(self._core_nodes(ruling, compiled.index))
            node = Node(f"{where}: {self._text(compiled)}", "exact", children=core)
            return (node, None) if found == "sat" else (None, node)
        proved = self._prove(compiled)
        if proved is None:
            return None, None
        pro, con = self._told(compiled, proved.derivations)
        return pro and trimmed(pro, proved.spare), con and trimmed(con, proved.spare)

    def _told(
        self, compiled: CompiledConstraint, derivations: dict[Ground, Derivation]
    ) -> tuple[Node | None, Node | None]:
        found = self._found(compiled)
        if compiled.kind == "group":
            members = [self._told(m, derivations) for m in self._deciding(compiled)]
            parts = tuple(node for pair in members for node in pair if node)
            group = Node(self._text(compiled), "group", children=parts)
            return (group, None) if found == "sat" else (None, group)
        goals = self._goals(compiled)
        place = str(compiled.condition.span)
        pro = self._batch.node(next(goals), derivations, place) if found != "viol" else None
        con = self._batch.node(next(goals), derivations, place) if found != "sat" else None
        names = tuple(self._own_names(compiled))
        if not names:
            return pro, con
        atoms, sentence = self._atoms(compiled), self._batch.narrator.sentence
        pro, con = (
            node and Node(sentence(atoms.as_named(atom)), "identity", children=(node, *names))
            for node, atom in ((pro, atoms.pro), (con, atoms.con))
        )
        return pro, con

    def _goals(self, compiled: CompiledConstraint) -> Iterator[Ground]:
        """The atoms whose evidence gives the constraint its status."""
        if compiled.kind == "group":
            for member in self._deciding(compiled):
                yield from self._goals(member)
            return
        found, atoms = self._found(compiled), self._atoms(compiled)
        if compiled.index in self._decision.assumed:
            yield ("assumed", *(atoms.con if compiled.denies else atoms.pro))
            return
        if found in ("sat", "conflict"):
            yield atoms.pro
        if found in ("viol", "conflict"):
            yield atoms.con

    def _prove(self, compiled: CompiledConstraint) -> Proved | None:
        """The minimal proof of a constraint that is decided or in conflict."""
        if compiled.index not in self._proved:
            found = self._found(compiled)
            open_ = (
                found == "unk"
                or self._exact(compiled) is not None
                or self._inferred(compiled)
                or (compiled.kind == "group" and found == "conflict")
            )
            self._proved[compiled.index] = None if open_ else self._minimal(compiled)
        return self._proved[compiled.index]

    def _minimal(self, compiled: CompiledConstraint) -> Proved:
        """Smallest proofs of all goals; then, while the checker can do without something that is
        cited, proofs without that.  What is left out stays out, so this comes to an end."""
        goals = tuple(dict.fromkeys(self._goals(compiled)))
        book = self._batch.knowledge.book
        derivations = self._derive(goals, self._inquiry.prover)
        if derivations is None:
            raise self._fault(goals, "was not found")
        proved = self._proof(compiled, goals, derivations, frozenset())
        while True:
            cited = proved.proof.citations
            used = needed(proved.proof, book)
            if used is None:
                raise self._fault(goals, "does not replay")
            if len(used) == len(cited):
                return proved
            spare = [cited[n] for n in range(len(cited)) if n not in used]
            others = [c for c in spare if c.kind != "same"]
            out, again = (others or spare)[-1], None
            if others:
                again = self._derive(goals, self._without(out, proved))
            if again is None and out.kind not in _GIVEN:
                raise self._fault(goals, "was not found")
            left = proved.spare | {out} if out.kind in _GIVEN else proved.spare
            proved = self._proof(compiled, goals, again or proved.derivations, left)

    def _without(self, spare: Citation, proved: Proved) -> Prover:
        """A search for proofs from all that is cited but this."""
        narrator = self._batch.narrator
        kept = set(proved.proof.citations) - {spare}
        facts = [
            fact
            for derivation in proved.derivations.values()
            for part in derivation.parts()
            if part.step is None and part.atom[0] not in ARITHMETIC
            if narrator.stored(part.atom) in kept
            for fact in (part.atom, *self._stated_by(part.atom))
        ]
        return restricted(
            self._batch.rules,
            self._inquiry.evidence,
            facts,
            lambda step: kept.issuperset(narrator.needs(step)),
        )

    def _derive(self, goals: Sequence[Ground], prover: Prover) -> dict[Ground, Derivation] | None:
        """The smallest derivations of the goals that are derived; None where one has none."""
        derivations: dict[Ground, Derivation] = {}
        for goal in goals:
            if goal[0] not in ("assumed", "different", "same"):
                found = prover.prove(goal)
                if found is None:
                    return None
                derivations[goal] = found
        return derivations

    def _proof(
        self,
        compiled: CompiledConstraint,
        goals: Sequence[Ground],
        derivations: dict[Ground, Derivation],
        spare: frozenset[Citation],
    ) -> Proved:
        """The proof that derivations make, without the citations that it doesn't need."""
        narrator = self._batch.narrator
        citations: dict[Citation, None] = {}
        for goal in goals:
            if goal[0] == "assumed":
                citations.setdefault(narrator.assumption(goal[1:]))
            elif goal[0] == "different":
                citations.setdefault(narrator.extra("identity", goal))
        # What is stated for a period is stated: it needs no other citation.
        leaves = [part.atom for found in derivations.values() for part in found.parts()]
        said = {fact: atom for atom in leaves for fact in self._stated_by(atom)}
        pairs: dict[tuple[int, int], None] = {}
        inferences: dict[Inference, None] = {}
        for fact in dict.fromkeys(atom for atom in leaves if atom in said):
            inferences |= dict.fromkeys(narrator.reading(fact, said[fact]))
        for found in derivations.values():
            citations |= dict.fromkeys(narrator.cite(found, said))
            pairs |= dict.fromkeys(narrator.other_names(found, said))
            inferences |= dict.fromkeys(narrator.infer(found))
        for leaf in self._leaves(compiled):
            pairs |= dict.fromkeys(self._given_names(leaf))
            inferences |= dict.fromkeys(self._naming(leaf))
        citations |= dict.fromkeys(c for pair in pairs for c in narrator.declarations(*pair))
        order = {"statement": 1, "same": 2}
        kept = (citation for citation in citations if citation not in spare)
        ordered = sorted(kept, key=lambda citation: order.get(citation.kind, 0))
        status = self._found(compiled)
        proof = Proof(
            self._claim(compiled),
            status,  # type: ignore[arg-type]
            tuple(ordered),
            tuple(filter(None, (lacking(step, spare) for step in inferences))),
        )
        return Proved(proof, derivations, spare)

    def _stated_by(self, atom: Ground) -> tuple[Ground, ...]:
        """The fact that is stated by being stated for a period, where no other outranks it."""
        if atom[0] != "period" or not self._batch.knowledge.periods[int(atom[4])].best:
            return ()
        return (("triple", *atom[1:4]),)

    def _fault(self, goals: Sequence[Ground], what: str) -> EngineError:
        atoms = (goal[1:] if goal[0] == "assumed" else goal for goal in goals)
        said = ", ".join(map(self._batch.narrator.formal, atoms))
        message = f"the proof of {said} {what}"
        return EngineError(Problem("no-proof", message, hint="this is a fault of kgverify"))

    def _claim(self, compiled: CompiledConstraint, whole: bool = False) -> Claim:
        """What is claimed of a constraint, about the terms as they are named; `whole`: with all
        members of a group, for any of them may decide it in a completion."""
        text = self._text(compiled)
        if compiled.kind == "group":
            parts = self._members(compiled) if whole else self._deciding(compiled)
            members = tuple(self._claim(part, whole) for part in parts)
            size = len(compiled.members)
            return Claim(text, "group", least=compiled.least, size=size, members=members)
        atoms = self._atoms(compiled)
        keys = tuple(map(self._batch.knowledge.key, atoms.named))
        pro, con = (
            self._batch.narrator.formal(atom if compiled.kind == "same" else atoms.as_named(atom))
            for atom in (atoms.pro, atoms.con)
        )
        view = self._batch.views.get(compiled.name) if compiled.kind == "relation" else None
        kind, name = (view.kind, view.syntax) if view else (compiled.kind, compiled.name)
        return Claim(text, kind, name, keys, compiled.denies, pro, con, closed=compiled.closed)

    # ------------------------------------------------------------ soft rules

    def _inferred(self, compiled: CompiledConstraint) -> bool:
        """Does the status rest on a plausible atom that counts as true?"""
        return compiled.index in self._decision.inferred

    def _plausibility(self, compiled: CompiledConstraint) -> Plausibility | None:
        """How plausible the constraint is, and by which rules, where evidence leaves it open."""
        sides = self._weighed and self._weighed.open_sides(compiled.index)
        if not sides:
            return None
        pro, con = sides
        return Plausibility(float(pro), float(con), tuple(self._soft_lines(compiled)))

    def _soft_lines(self, compiled: CompiledConstraint) -> Iterator[str]:
        """The soft rules that speak for atoms of the constraint, with their weights and places."""
        weighed = self._weighed
        assert weighed is not None
        book = self._batch.knowledge.book
        numbers = [n for leaf in self._all_leaves(compiled) for n in weighed.backers(leaf.index)]
        for number in dict.fromkeys(numbers):
            soft = book.soft[number]
            yield f"soft {soft.weight:f} {rule_words(soft)} [{soft.span}]"

    def _weigh_up(self, compiled: CompiledConstraint) -> Plausible:
        """What the soft rules make of a constraint that evidence leaves open, with proofs."""
        assert self._weighed is not None
        index = compiled.index
        found = self._weighed.found(index)
        pro, con = map(float, self._weighed.sides(index))
        claim = self._claim(compiled, whole=True)
        if found != "unk":
            proved = self._prove(compiled)
            return Plausible(claim, pro, con, proof=proved.proof if proved else None)
        if compiled.kind == "group":
            members = tuple(map(self._weigh_up, self._members(compiled)))
            return Plausible(claim, pro, con, members=members)
        name = plain(compiled, self._request.template)
        numbers = self._weighed.backers(index)
        if name is None or not numbers:
            return Plausible(claim, pro, con)
        ids = self._atoms(compiled).ids
        return Plausible(claim, pro, con, tuple(backings(self._batch, name, ids, numbers)))

    # ------------------------------------------------------------ passages

    def _texts(self, compiled: CompiledConstraint) -> tuple[TextEvidence, ...]:
        """What passages say of the open atoms of the constraint."""
        if self._stated is None:
            return ()
        found = (self._stated.of(leaf.index) for leaf in self._all_leaves(compiled))
        return tuple(dict.fromkeys(text_evidence(said) for said in found if said is not None))

    # ------------------------------------------------------------ what would settle

    def _would_settle(self, compiled: CompiledConstraint) -> tuple[WouldSettle, ...]:
        """The sets of facts each of which would decide the constraint."""
        if compiled.kind == "group":
            return tuple(dict.fromkeys(self._group_settles(compiled)))
        if compiled.kind == "same" or self._kleene_reason(compiled) not in _SETTLED:
            return ()
        atoms = self._atoms(compiled)
        settling = self._inquiry.settling
        found = [
            WouldSettle(
                tuple(dict.fromkeys(self._batch.proposed(proposal, atoms))), status, proposal.where
            )
            for atom, status in ((atoms.pro, SAT), (atoms.con, VIOL))
            for proposal in settling.get(atom, ())
        ]
        return tuple(sorted(found, key=_size))

    def _group_settles(self, group: CompiledConstraint) -> Iterator[WouldSettle]:
        """What settles a member settles the group when no other member is needed for that."""
        members = self._members(group)
        found = [self._found(member) for member in members]
        one_short = {
            "sat": found.count("sat") == group.least - 1,
            "viol": found.count("viol") == len(members) - group.least,
        }
        for member in members:
            if status_of(self._found(member)) == "unk":
                yield from (w for w in self._would_settle(member) if one_short[w.status])


def _size(settle: WouldSettle) -> int:
    return len(settle.facts) + sum(found.number - 1 for found in settle.where)


def status_of(found: str) -> Status:
    """The status that a solver's word stands for."""
    return found if found in ("sat", "viol") else "unk"  # type: ignore[return-value]
