"""From a tree of the grammar of questions to what it says: things, and what relates them.

A sketch has a thing for each part of the question that speaks of one (`the films`, `Alien`, `who`)
and an edge for each verb or noun between two.  Which relation an edge is, and which entity a name
means, is still open: `choosing` decides by the types.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lark import Token, Tree

from kgverify.asking.lexicon import Lexeme
from kgverify.asking.linking import Link
from kgverify.asking.tagging import Arc

# "treated with E" is often "treated by E", and "raised in E" "raised by E".
_MEANS = frozenset({"with", "through", "in", "at", "on"})
_ELLIPTIC = 0.75  # "but not E" for "other than E"
_FAR = 0.9  # "who ..." of something that is not the nearest: "a man who ..." is likelier
_UNASKED = 0.96  # something else than the subject is asked for, though no word says so
_SHORT = 0.85  # a noun before what it belongs to, without a preposition


class Unsayable(Exception):
    """The tree says nothing that constraints can say."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A relation that words may mean; `forward` when the edge's left end is its subject."""

    relation: str
    forward: bool
    score: float


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that a question speaks of.  `links`: the entities that its name may mean, none
    when it is not named; `kinds`: for each word for a class, the classes that it may mean; `bears`:
    the relations of the noun that it is called by, for each such noun."""

    links: tuple[Link, ...] = ()
    kinds: tuple[tuple[str, ...], ...] = ()
    bears: tuple[tuple[Lexeme, ...], ...] = ()
    asked: bool = False
    arcs: tuple[Arc, ...] = ()


@dataclass(frozen=True, slots=True)
class Bound:
    """A value and how it is compared: `before 1950` is `<` and `1950`, which may be `=` when no
    word says.  `many`: it bounds how many there are, of these classes where some are named."""

    operator: str
    text: str
    many: bool = False
    kinds: tuple[tuple[str, ...], ...] = ()
    arcs: tuple[Arc, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two things, or between a thing and a bound; `choices` is None when no
    word says which relation."""

    left: int
    right: int | Bound
    choices: tuple[Choice, ...] | None
    negated: bool
    arcs: tuple[Arc, ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Edges of which one is enough."""

    members: tuple[Edge, ...]


def edges_in(item: Edge | Alternatives) -> tuple[Edge, ...]:
    """The edges of an item of a sketch: itself, or its alternatives."""
    return item.members if isinstance(item, Alternatives) else (item,)


@dataclass
class Sketch:
    """What a tree says.  `different`: pairs of things that the question says are not the same;
    `others`: pairs that who asks would not think the same, as in `co-stars of E`; `answer`: the
    thing that is asked for; `fit`: less than 1 where the words are a strange way to say it."""

    things: list[Thing] = field(default_factory=list)
    edges: list[Edge | Alternatives] = field(default_factory=list)
    different: list[tuple[int, int]] = field(default_factory=list)
    others: list[tuple[int, int]] = field(default_factory=list)
    answer: int = -1
    merged: dict[int, int] = field(default_factory=dict)
    fit: float = 1.0

    @property
    def all_edges(self) -> list[Edge]:
        """All edges, those in alternatives too, in order."""
        return [edge for item in self.edges for edge in edges_in(item)]

    def one(self, thing: int) -> int:
        """What a thing has become, where the question says that it is another."""
        while thing in self.merged:
            thing = self.merged[thing]
        return thing


def sketches(tree: Tree[Any], arcs: Sequence[Arc]) -> Iterator[Sketch]:
    """What a tree may say of the arcs that its tokens number: nothing when that is no question,
    and a sketch for each thing that may be asked for when no word says which."""
    writer = _Writer(arcs)
    try:
        writer.question(tree)
        found = writer.finished()
    except Unsayable:
        return
    yield found
    if tree.data != "fragment" and not any(thing.asked for thing in found.things):
        fit = found.fit * _UNASKED
        yield from (replace(found, answer=other, fit=fit) for other in _unspoken(found))


def _unspoken(found: Sketch) -> list[int]:
    """Other things that may be asked for: in `its author also wrote books`, the books."""
    ends = [edge.right for edge in found.edges if isinstance(edge, Edge) and not edge.negated]
    return [
        end
        for end in dict.fromkeys(ends)
        if isinstance(end, int)
        and end != found.answer
        and found.things[end].kinds
        and not found.things[end].links
    ]


class _Writer:
    """Walks a tree and writes its sketch."""

    def __init__(self, arcs: Sequence[Arc]) -> None:
        self._arcs = arcs
        self.sketch = Sketch()
        self._several: dict[int, tuple[str, tuple[int, ...]]] = {}  # `A or B`
        self._topic = -1
        self._last: tuple[int, tuple[Choice, ...] | None] | None = None

    def finished(self) -> Sketch:
        found = self.sketch
        asked = {found.one(i) for i, thing in enumerate(found.things) if thing.asked}
        if len(asked) > 1:
            raise Unsayable
        if asked:
            (found.answer,) = asked
        found.answer = found.one(found.answer)
        if found.answer < 0 or found.things[found.answer].links:
            raise Unsayable
        found.edges = [
            Alternatives(tuple(map(self._settled, item.members)))
            if isinstance(item, Alternatives)
            else self._settled(item)
            for item in found.edges
        ]
        found.different = [(found.one(a), found.one(b)) for a, b in found.different]
        found.others = [(found.one(a), found.one(b)) for a, b in found.others]
        if found.answer in self._several:
            raise Unsayable
        return found

    def _settled(self, edge: Edge) -> Edge:
        """The edge between what its ends have become."""
        right = edge.right if isinstance(edge.right, Bound) else self.sketch.one(edge.right)
        left = self.sketch.one(edge.left)
        if left == right:
            raise Unsayable
        return replace(edge, left=left, right=right)

    # -------------------------------------------------------- questions

    def question(self, tree: Tree[Any]) -> None:
        trees, tokens = _parts(tree)
        match tree.data:
            case "fragment":
                self.sketch.answer = self.thing(trees[0])
            case "statement":
                subject = self.thing(trees[0])
                self.sketch.answer = subject
                self.predicate(trees[1], subject)
            case "fronted":
                fronted, other, verb, *modifiers = trees
                doer = self.thing(other)
                for modifier in modifiers:  # films ... release whose actors ...
                    self._modify(modifier, doer)
                self._does(doer, verb, self.thing(fronted), False, ())
            case "fronted_noun":
                fronted, bearer = trees
                noun = self._noun(tokens)
                self._bears(self.thing(bearer), noun, self.thing(fronted), False)
            case "fronted_loose":
                fronted, other = trees
                self._loosely(self.thing(other), self.thing(fronted), False, ())
            case "imperative":
                verb, object_ = trees
                self.sketch.answer = subject = self._new(Thing())
                self._does(subject, verb, self.thing(object_), False, ())
            case "whose_is":
                owner = self._new(Thing(asked=True, arcs=(self._arc(tokens["WHOSE"][0]),)))
                self._has(owner, self._noun(tokens), self.thing(trees[0]), False)
            case "topic":
                self._topic = self.thing(trees[0])
                self.question(trees[1])
            case _:
                raise Unsayable

    # -------------------------------------------------------- things

    def thing(self, tree: Tree[Any]) -> int:
        """The number of the thing that a part of the question speaks of."""
        if tree.data == "joined":
            left, joiner, right = tree.children
            quantity = "any" if "OR" in _parts(joiner)[1] else "all"
            members = [*self._members(self.thing(left)), *self._members(self.thing(right))]
            number = self._new(Thing(arcs=self.sketch.things[members[0]].arcs))
            self._several[number] = quantity, tuple(members)
            return number
        if tree.data == "thing":
            return self.thing(tree.children[0])
        base, *modifiers = tree.children  # simple
        number = self._base(base)
        for place, modifier in enumerate(modifiers):
            if place and _is_bare_clause(modifier):
                self.sketch.fit *= _FAR
            self._modify(modifier, number)
        return number

    def _members(self, number: int) -> tuple[int, ...]:
        return self._several[number][1] if number in self._several else (number,)

    def _new(self, thing: Thing) -> int:
        self.sketch.things.append(thing)
        return len(self.sketch.things) - 1

    def _arc(self, token: Token) -> Arc:
        return self._arcs[int(token)]

    def _base(self, tree: Tree[Any]) -> int:
        trees, tokens = _parts(tree)
        own = tuple(self._arc(t) for t in tree.children if isinstance(t, Token))
        match tree.data:
            case "entity":
                entity = self._arc(tokens["ENT"][0])
                bears = self._borne(tokens)
                return self._new(Thing(entity.links, self._kinds(tokens), bears, arcs=own))
            case "owner":
                # The films of the director E, called "the director E".
                named = _parts(trees[0])[1]
                number = self._new(Thing())
                self._bears(self._named(named), self._noun(named), number, False, _SHORT)
                return number
            case "members":
                return self._new(Thing(kinds=self._kinds(tokens), arcs=own))
            case "asked":
                bears = self._borne(tokens)
                return self._new(Thing((), self._kinds(tokens), bears, asked=True, arcs=own))
            case "bearer" | "bearer_short":
                noun = self._noun(tokens)
                number = self._new(Thing(bears=(noun.lexemes,), arcs=(noun,)))
                if trees:
                    fits = 1.0 if "PREP" in tokens else _SHORT
                    self._bears(number, noun, self.thing(trees[0]), False, fits)
                return number
            case "possessed":
                noun = self._noun(tokens)
                number = self._new(Thing(bears=(noun.lexemes,), arcs=(noun,)))
                owner = self.thing(trees[0]) if trees else self._named(tokens)
                self._bears(number, noun, owner, False)
                return number
            case "done_by":
                number = self._new(
                    Thing(kinds=self._kinds(tokens), arcs=(self._arc(tokens["CLS"][0]),))
                )
                self._does(self._named(tokens), trees[0], number, False, ())
                return number
            case "partner":
                noun = self._noun(tokens)
                number = self._new(Thing(bears=(noun.lexemes,), arcs=own))
                shared = self._new(Thing(kinds=self._kinds(tokens)))
                self._bears(number, noun, shared, False)
                for other in self._members(self.thing(trees[0])):
                    self._bears(other, noun, shared, False)
                    self.sketch.others.append((number, other))
                return number
            case "it":
                if self._topic < 0:
                    raise Unsayable
                return self._topic
            case "other":
                return self._base(trees[0])
        raise Unsayable

    def _named(self, tokens: dict[str, list[Token]]) -> int:
        arc = self._arc(tokens["ENT"][0])
        return self._new(Thing(arc.links, arcs=(arc,)))

    def _noun(self, tokens: dict[str, list[Token]]) -> Arc:
        return self._arc(tokens["NOUN"][0])

    def _borne(self, tokens: dict[str, list[Token]]) -> tuple[tuple[Lexeme, ...], ...]:
        return (self._noun(tokens).lexemes,) if "NOUN" in tokens else ()

    def _kinds(self, tokens: dict[str, list[Token]]) -> tuple[tuple[str, ...], ...]:
        return (self._arc(tokens["CLS"][0]).classes,) if "CLS" in tokens else ()

    def _modify(self, tree: Tree[Any], subject: int) -> None:
        _, tokens = _parts(tree)
        before = len(self.sketch.edges)
        self._modified(tree, subject)
        self._cued(before, tokens)

    def _cued(self, before: int, tokens: dict[str, list[Token]]) -> None:
        """The words that deny belong to what they deny: the edges since `before`."""
        cues = tuple(self._arc(t) for kind in ("NOT", "WITHOUT") for t in tokens.get(kind, ()))
        edges = self.sketch.edges
        edges[before:] = [
            replace(edge, arcs=cues + edge.arcs)
            if isinstance(edge, Edge) and edge.negated
            else edge
            for edge in edges[before:]
        ]

    def _modified(self, tree: Tree[Any], subject: int) -> None:
        trees, tokens = _parts(tree)
        match tree.data:
            case "modifier" | "again":
                self._act(trees[-1], subject, False)
            case "action_denied":
                self._act(trees[-1], subject, True)
            case "clause":
                if next(trees[-1].find_data("is_there"), None) is trees[-1].children[0]:
                    raise Unsayable  # "a man who was" says nothing of him yet
                self.predicate(trees[-1], subject)
            case "done_clause":
                verb = trees[-1]
                doers = [t for t in trees if t.data in ("thing", "joined")]
                doer = self.thing(doers[0]) if doers else self._named(tokens)
                self._does(doer, verb, subject, "NOT" in tokens, ())
            case "without":
                self._loosely(subject, self.thing(trees[0]), True, ())
            case "without_noun":
                self._has(subject, self._noun(tokens), self.thing(trees[0]), True)
            case "without_verb":
                self._does(subject, trees[0], self.thing(trees[1]), True, ())
            case "except_things":
                if "NOT" in tokens:  # `treat A but not B` speaks of what treats B
                    self.sketch.fit *= _ELLIPTIC
                self._except(subject, self.thing(trees[0]), tokens)
            case "whose":
                noun = self._noun(tokens)
                bearer = self._new(Thing(bears=(noun.lexemes,), arcs=(noun,)))
                self._has(subject, noun, bearer, False)
                self.predicate(trees[-1], bearer)
            case _:
                self._say(tree, subject, "NOT" in tokens)

    # -------------------------------------------------------- predicates

    def predicate(self, tree: Tree[Any], subject: int) -> None:
        """What is said of a thing."""
        if tree.data == "both":
            self.predicate(tree.children[0], subject)
            self.predicate(tree.children[2], subject)
        elif tree.data == "either":
            before = len(self.sketch.edges)
            self.predicate(tree.children[0], subject)
            self.predicate(tree.children[2], subject)
            made = tuple(e for item in self.sketch.edges[before:] for e in edges_in(item))
            if any(subject not in (edge.left, edge.right) for edge in made):
                raise Unsayable  # an alternative with conditions of its own
            self.sketch.edges[before:] = [Alternatives(made)]
        elif tree.data == "but_except":
            self.predicate(tree.children[0], subject)
            self._except(subject, self.thing(tree.children[-1]), _parts(tree)[1])
        elif tree.data == "predicate":
            self.predicate(tree.children[0], subject)
        else:
            before = len(self.sketch.edges)
            self._said(tree, subject)
            self._cued(before, _parts(tree)[1])

    def _said(self, tree: Tree[Any], subject: int) -> None:
        trees, tokens = _parts(tree)
        negated = "NOT" in tokens
        match tree.data:
            case "says":
                self._act(trees[-1], subject, negated)
            case "is_bearer":
                self._bears(subject, self._noun(tokens), self.thing(trees[-1]), negated)
            case "is_thing":
                self._is(subject, self.thing(trees[-1]), negated)
            case "is_there":
                return
            case "not_again":
                if self._last is None:
                    raise Unsayable
                left, choices = self._last
                self._relate(left, self.thing(trees[-1]), choices, True, ())
            case _:
                self._say(tree, subject, negated)

    def _act(self, tree: Tree[Any], subject: int, negated: bool) -> None:
        """Something that the subject does, or that is done to it."""
        trees, tokens = _parts(tree)
        match tree.data:
            case "does":
                self._does(subject, trees[0], self.thing(trees[1]), negated, ())
            case "does_bound":
                choices, arcs = self._verb(trees[0])
                self._bounded(subject, choices, self._bound(trees[1]), negated, arcs)
            case "does_many":
                choices, arcs = self._verb(trees[0])
                self._many(subject, choices, tokens, negated, arcs)
            case "does_jointly":
                self._jointly(subject, trees, tokens, negated)
            case _:
                self._say(tree, subject, negated)

    def _jointly(
        self,
        subject: int,
        trees: Sequence[Tree[Any]],
        tokens: dict[str, list[Token]],
        negated: bool,
    ) -> None:
        if negated:
            raise Unsayable
        verb, *rest = [tree for tree in trees if tree.data != "joint"]
        common = Thing(kinds=self._kinds(tokens))
        shared = self.thing(rest[0]) if len(rest) > 1 else self._new(common)
        self._does(subject, verb, shared, False, ())
        for other in self._members(self.thing(rest[-1])):
            self._does(other, verb, shared, False, ())
            self.sketch.others.append((subject, other))

    def _say(self, tree: Tree[Any], subject: int, negated: bool) -> None:
        """What can be said in a predicate and in a modifier alike."""
        trees, tokens = _parts(tree)
        arcs = tuple(self._arc(t) for t in tree.children if isinstance(t, Token))
        match tree.data:
            case "loose":
                self._loosely(subject, self.thing(trees[-1]), negated, arcs)
            case "loose_bound":
                bound = self._bound(trees[0]) if trees else self._compared(tokens)
                self._bounded(subject, None, bound, negated, arcs)
            case "with_noun" | "has_noun":
                self._has(subject, self._noun(tokens), self.thing(trees[-1]), negated)
            case "with_noun_bound":
                bounds = [t for t in trees if t.data == "bound"]
                bound = self._bound(bounds[0]) if bounds else self._compared(tokens)
                noun = self._noun(tokens)
                self._bounded(subject, _had(noun), bound, negated, arcs)
            case "with_many":
                choices = _had(self._noun(tokens)) if "NOUN" in tokens else None
                self._many(subject, choices, tokens, negated, arcs)
            case "shares":
                if negated:
                    raise Unsayable
                noun = self._noun(tokens)
                shared = self._new(Thing(bears=(noun.lexemes,), arcs=(noun,)))
                self._has(subject, noun, shared, False)
                for other in self._members(self.thing(trees[-1])):
                    self._has(other, noun, shared, False)
                    self.sketch.others.append((subject, other))
            case _:
                raise Unsayable

    def _bound(self, tree: Tree[Any]) -> Bound:
        return self._compared(_parts(tree)[1])

    def _compared(self, tokens: dict[str, list[Token]]) -> Bound:
        operator = self._arc(tokens["COMP"][0]).text if "COMP" in tokens else "="
        arcs = tuple(self._arc(t) for kind in ("COMP", "VAL") for t in tokens.get(kind, ()))
        return Bound(operator, self._arc(tokens["VAL"][0]).text, arcs=arcs)

    # -------------------------------------------------------- edges

    def _verb(self, tree: Tree[Any]) -> tuple[tuple[Choice, ...], tuple[Arc, ...]]:
        """The relations that a verb may mean, its subject on the left, and its words."""
        tokens = [t for t in tree.children if isinstance(t, Token)]
        arcs = tuple(map(self._arc, tokens))
        verb, *rest = arcs
        passive = bool(rest) and tokens[-1].type == "BY"
        preposition = rest[0].text if rest and not passive else ""
        fits = 1.0 if rest else 0.97
        found = []
        for lexeme in verb.lexemes:
            score = lexeme.score * verb.score
            if passive or lexeme.preposition == preposition:
                found.append(Choice(lexeme.relation, lexeme.forward != passive, score))
                continue
            found.append(Choice(lexeme.relation, lexeme.forward, score * fits * 0.93))
            if preposition in _MEANS and not lexeme.preposition:
                found.append(Choice(lexeme.relation, not lexeme.forward, score * 0.85))
        return tuple(found), arcs

    def _does(
        self, subject: int, verb: Tree[Any], object_: int, negated: bool, arcs: tuple[Arc, ...]
    ) -> None:
        choices, own = self._verb(verb)
        self._relate(subject, object_, choices, negated, arcs + own)

    def _bears(self, bearer: int, noun: Arc, of: int, negated: bool, fits: float = 1.0) -> None:
        score = fits * noun.score
        choices = tuple(Choice(x.relation, x.forward, x.score * score) for x in noun.lexemes)
        self._relate(bearer, of, choices, negated, (noun,))

    def _has(self, owner: int, noun: Arc, bearer: int, negated: bool) -> None:
        self._relate(owner, bearer, _had(noun), negated, (noun,))

    def _loosely(self, left: int, right: int, negated: bool, arcs: tuple[Arc, ...]) -> None:
        """A relation that is not named: that of a noun for one of the two, or any."""
        things = self.sketch.things
        nouns = [
            *(
                Choice(x.relation, x.forward, 0.95 * x.score)
                for lexemes in things[left].bears
                for x in lexemes
            ),
            *(
                Choice(x.relation, not x.forward, 0.95 * x.score)
                for lexemes in things[right].bears
                for x in lexemes
            ),
        ]
        self._relate(left, right, tuple(nouns) or None, negated, arcs)

    def _relate(
        self,
        left: int,
        right: int,
        choices: tuple[Choice, ...] | None,
        negated: bool,
        arcs: tuple[Arc, ...],
    ) -> None:
        ends = [*self._pairs(left, right)]
        edges = [Edge(a, b, choices, negated, arcs) for a, b in ends]
        quantities = {self._several[n][0] for n in (left, right) if n in self._several}
        # "not A or B" is neither, as people say it.
        if "any" in quantities and not negated and len(edges) > 1:
            self.sketch.edges.append(Alternatives(tuple(edges)))
        else:
            self.sketch.edges += edges
        self._last = (left, choices)

    def _pairs(self, left: int, right: int) -> Iterator[tuple[int, int]]:
        for a in self._members(left):
            for b in self._members(right):
                yield a, b

    def _bounded(
        self,
        left: int,
        choices: tuple[Choice, ...] | None,
        bound: Bound,
        negated: bool,
        arcs: tuple[Arc, ...],
    ) -> None:
        for one in self._members(left):
            self.sketch.edges.append(Edge(one, bound, choices, negated, arcs))

    def _many(
        self,
        left: int,
        choices: tuple[Choice, ...] | None,
        tokens: dict[str, list[Token]],
        negated: bool,
        arcs: tuple[Arc, ...],
    ) -> None:
        bound = replace(self._compared(tokens), many=True, kinds=self._kinds(tokens))
        self._bounded(left, choices, bound, negated, arcs)

    def _is(self, one: int, other: int, negated: bool) -> None:
        if negated:
            self._except(one, other, {})
            return
        things = self.sketch.things
        if one in self._several or other in self._several or one == other:
            raise Unsayable
        if things[one].links and things[other].links:
            raise Unsayable
        both = Thing(
            things[one].links or things[other].links,
            things[one].kinds + things[other].kinds,
            things[one].bears + things[other].bears,
            things[one].asked or things[other].asked,
            things[one].arcs + things[other].arcs,
        )
        self.sketch.merged[other] = one
        things[one] = both

    def _except(self, one: int, others: int, tokens: dict[str, list[Token]]) -> None:
        cues = tuple(self._arc(t) for kind in ("NOT", "EXCEPT") for t in tokens.get(kind, ()))
        things = self.sketch.things
        for other in self._members(others):
            if things[one].links or not things[other].links:
                raise Unsayable
            things[other] = replace(things[other], arcs=cues + things[other].arcs)
            self.sketch.different.append((one, other))


def _is_bare_clause(modifier: Tree[Any]) -> bool:
    """Is it a relative clause that neither a comma nor a word sets off?"""
    return modifier.data == "clause" and not _parts(modifier)[1].keys() & {"COMMA", "AND", "BUT"}


def _had(noun: Arc) -> tuple[Choice, ...]:
    """The relations by which something has what a noun names, from the owner's side."""
    return tuple(Choice(x.relation, not x.forward, x.score * noun.score) for x in noun.lexemes)


def _parts(tree: Tree[Any]) -> tuple[list[Tree[Any]], dict[str, list[Token]]]:
    """The trees under a tree, without helpers, and its tokens by their kind."""
    tokens: dict[str, list[Token]] = {}
    trees = []
    for child in tree.children:
        if isinstance(child, Token):
            tokens.setdefault(child.type, []).append(child)
        elif child.data not in ("aux",):
            trees.append(child)
    return trees, tokens
