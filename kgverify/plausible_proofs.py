"""Why soft rules speak for an atom: for each of them, what its body holds by.

The conditions of a body are proved one by one, as constraints are; the independent checker
(`replay/soft.py`) puts them together again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from kgverify.batches import Batch
from kgverify.errors import EngineError, Problem
from kgverify.language import syntax as s
from kgverify.language.printing import rule_text
from kgverify.reasoning.backing import Name
from kgverify.reasoning.datalog import Atom, Compare
from kgverify.reasoning.evidence import SHOW, Evidence, Ground, bindings, ground, known, read
from kgverify.reasoning.proofs import Derivation, Prover
from kgverify.reasoning.rules import soft_name
from kgverify.reasoning.solver import solve
from kgverify.replay.checker import needed
from kgverify.vocabulary import Backing, Citation, Claim, Node, Proof

_EVIDENCE = {"for": False, "is_a": False, "against": True, "isnt_a": True}


def backings(batch: Batch, name: Name, ids: Sequence[int], numbers: Sequence[int]) -> list[Backing]:
    """The soft rules with these numbers, all of which speak for an atom of a relation or class,
    each with the proofs of its body; the weightiest first."""
    own = (ids[0], ids[-1])
    goals = [
        (number, ("for", soft_name(number), *(own[::-1] if turned else own)))
        for number, turned in batch.soft.speaking_for(name)
        if number in numbers
    ]
    if not goals:
        return []
    program = batch.soft_engine.about([goal for _, goal in goals])
    evidence = Evidence(read(solve(*program, SHOW)))
    prover, told = Prover(batch.soft_engine.rules, evidence), _Told(batch)
    book = batch.knowledge.book
    found: dict[int, Backing] = {}
    for number, goal in goals:
        proved = prover.prove(goal) if number not in found else None
        if proved is not None:
            found[number] = told.backing(book.soft[number], proved)
    if set(found) != set(numbers):
        message = "a soft rule speaks for an atom, and the proof of its body was not found"
        raise EngineError(Problem("no-proof", message, hint="this is a fault of kgverify"))
    return [found[n] for n in sorted(found, key=lambda n: (-book.soft[n].weight, n))]


class _Told:
    """Tells applications of soft rules."""

    def __init__(self, batch: Batch) -> None:
        self._batch, self._narrator = batch, batch.narrator

    def backing(self, soft: s.SoftRule, proved: Derivation) -> Backing:
        atom = soft.rule.head.atom
        terms = tuple(int(term) for term in proved.atom[2:])
        if isinstance(atom, s.ClassAtom):
            head: Ground = ("is_a", terms[0], atom.cls.text)
            name, terms = atom.cls.text, terms[:1]
        else:
            name = atom.relations[0].text
            head = ("for", name, *terms)
        keys = tuple(map(self._batch.knowledge.key, terms))
        node = self._node(soft, head, proved)
        proofs = tuple(self._proofs(proved))
        return Backing(rule_text(soft.rule), format(soft.weight, "f"), name, keys, node, proofs)

    def _node(self, soft: s.SoftRule, head: Ground, proved: Derivation) -> Node:
        assert proved.step is not None
        children = [self._narrator.tell(child) for child in proved.children]
        children += [
            Node(self._narrator.formal(atom), "identity")
            for kind, atom in proved.step.extra
            if kind == "identity"
        ]
        text = f"{self._narrator.sentence(head)}: plausible, {format(soft.weight, 'f')}"
        return Node(text, "soft", rule_words(soft), str(soft.span), tuple(children))

    def _proofs(self, proved: Derivation) -> Iterator[Proof]:
        """A proof of each condition of the body."""
        step = proved.step
        assert step is not None
        values = bindings(step)
        own = {child.atom: child for child in proved.children}
        for condition in step.rule.body:
            if isinstance(condition, Atom) and condition.predicate in _EVIDENCE:
                if not condition.absent:
                    atom = ground(condition, values)
                    yield self._proof(self._claim(atom), [own[atom]])
            elif isinstance(condition, Compare):
                sides = known(condition.left, values), known(condition.right, values)
                yield self._compared(int(sides[0]), condition.operator, int(sides[1]))

    def _claim(self, atom: Ground) -> Claim:
        predicate, *rest = atom
        of_class = predicate in ("is_a", "isnt_a")
        negated = _EVIDENCE[str(predicate)]
        name, ids = (rest[1], rest[:1]) if of_class else (rest[0], rest[1:])
        positive = ("is_a" if of_class else "for", *rest)
        formal = self._narrator.formal
        pro, con = formal(positive), f"not {formal(positive)}"
        keys = tuple(self._batch.knowledge.key(int(id_)) for id_ in ids)
        kind = "class" if of_class else "relation"
        text, sides = (con, (con, pro)) if negated else (pro, (pro, con))
        return Claim(text, kind, str(name), keys, negated, *sides)

    def _compared(self, one: int, operator: str, other: int) -> Proof:
        key, formal = self._batch.knowledge.key, self._narrator.formal
        same, different = formal(("same", one, other)), formal(("different", one, other))
        negated = operator == "!="
        sides = (different, same) if negated else (same, different)
        claim = Claim(sides[0], "same", "", (key(one), key(other)), negated, *sides)
        cited = (self._narrator.extra("identity", ("different", one, other)),) if negated else ()
        return Proof(claim, "sat", cited, ())

    def _proof(self, claim: Claim, derivations: Sequence[Derivation]) -> Proof:
        """The proof of a condition, without anything that it can do without."""
        narrator = self._narrator
        citations: dict[Citation, None] = {}
        inferences = []
        for found in derivations:
            citations |= dict.fromkeys(narrator.cite(found))
            pairs = dict.fromkeys(narrator.other_names(found))
            citations |= dict.fromkeys(c for pair in pairs for c in narrator.declarations(*pair))
            inferences += narrator.infer(found)
        proof = Proof(claim, "sat", tuple(citations), tuple(inferences))
        book = self._batch.knowledge.book
        # Where the evidence that is cited speaks against the condition too, it still speaks for it.
        proof = next(
            (
                one
                for status in ("sat", "conflict")
                if needed(one := structs.replace(proof, status=status), book) is not None
            ),
            proof,
        )
        while True:
            used = needed(proof, book)
            if used is None:
                message = f"the proof of {claim.text} does not replay"
                raise EngineError(Problem("no-proof", message, hint="this is a fault of kgverify"))
            spare = [n for n in range(len(proof.citations)) if n not in used]
            if not spare:
                return proof
            kept = tuple(c for n, c in enumerate(proof.citations) if n != spare[-1])
            proof = structs.replace(proof, citations=kept)


def rule_words(soft: s.SoftRule) -> str:
    """A soft rule in its author's words, or by its name, or as it is written."""
    return soft.rule.sentence or soft.rule.name or rule_text(soft.rule)
