"""Rules as AnyBURL and PyClause write them: `20\\t10\\t0.5\\thead(X,Y) <= p(X,A), q(A,Y)`.

The columns are the body's size, the support and a confidence.  A single upper-case letter is a
variable.  Different terms stand for different entities, constants included.  Names are not quoted:
with a graph, a line must be cut so that it consists of known names; without one, a name that has a
bracket or a comma in it can't be told from the punctuation, and its line is refused.

A rule that is not injective has a fifth column here, `different:` and the inequalities that it has.
Tools that don't know it refuse the line rather than misread it.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from kgverify.errors import Problem, RuleError
from kgverify.graph.reading.files import SourceFile
from kgverify.graph.reading.rejects import Rejects
from kgverify.mining.formats import numbers
from kgverify.mining.formats.building import Building, refusals
from kgverify.mining.formats.names import Names, constant_text, looks_quoted, quoted
from kgverify.mining.formats.values import ImportedRule, ImportedRules, Stated
from kgverify.mining.horn import Atom, HornRule, MinedRule, Term
from kgverify.mining.spelling import LETTERS

_ARROW = "<="
_ITSELF = "me_myself_i"  # stands where the atom's other variable is repeated
_SPECIAL = ",()<=\t!"
_DIFFERENT = "different:"
_UNSEEN = 5  # predictions that AnyBURL and PyClause add to the body, unless told otherwise
_MOST_CUTS = 100  # ways to cut a line, beyond which it doesn't matter how many there are


# ---------------------------------------------------------------- writing


def write(rules: Iterable[MinedRule]) -> str:
    """The rules, one a line; the format has no place for the head's size and the PCA."""
    lines = []
    for mined in rules:
        found = mined.measures
        columns = [str(found.body_size), str(found.support), f"{float(found.confidence):.9g}"]
        columns.append(rule_text(mined.rule))
        if not mined.rule.injective and _could_collide(mined.rule):
            pairs = [f"{_term(a)} != {_term(b)}" for a, b in mined.rule.different]
            columns.append(f"{_DIFFERENT} {', '.join(pairs)}".rstrip())
        lines.append("\t".join(columns) + "\n")
    return "".join(lines)


def rule_text(rule: HornRule) -> str:
    """The rule without its inequalities, which the format takes for granted."""
    return f"{_atom(rule.head)} {_ARROW} {', '.join(map(_atom, rule.body))}"


def _could_collide(rule: HornRule) -> bool:
    """Whether it makes a difference that different terms stand for different entities."""
    return bool(replace(rule, injective=True).inequalities)


def _atom(atom: Atom) -> str:
    relation = atom.relation
    plain = _is_plain(relation) and not looks_quoted(relation)
    spelled = relation if plain else quoted(relation, _SPECIAL)
    if atom.subject == atom.object and isinstance(atom.subject, int):
        return f"{spelled}({_term(atom.subject)},{_ITSELF})"
    return f"{spelled}({_term(atom.subject)},{_term(atom.object)})"


def _term(term: Term) -> str:
    if isinstance(term, int):
        if term >= len(LETTERS):
            message = f"AnyBURL's format has {len(LETTERS)} variables, and a rule has more"
            raise RuleError(Problem("too-many-variables", message, hint="write it as AMIE does"))
        return LETTERS[term]
    name = term[1:]
    plain = _is_plain(name) and name != _ITSELF and not re.fullmatch("[A-Za-z]", name)
    return constant_text(term, plain, _SPECIAL)


def _is_plain(name: str) -> bool:
    trimmed = bool(name) and name == name.strip() and name.isprintable()
    return trimmed and not any(c in name for c in _SPECIAL)


# ---------------------------------------------------------------- reading


def recognises(line: str) -> bool:
    """Whether a line is a rule of AnyBURL's."""
    columns = line.split("\t")
    return len(columns) >= 4 and _ARROW in columns[3]


def read(source: SourceFile, names: Names, rejects: Rejects) -> ImportedRules:
    """All rules of a file; problems go to `rejects`."""
    rules: list[ImportedRule] = []
    warnings: list[Problem] = []
    bodyless = 0
    for number, line in source.lines(rejects):
        if not line.strip():
            continue
        building = Building(names, source.name, number)
        with refusals(rejects):
            found = _rule(line, building)
            bodyless += found is None
            rules += [] if found is None else [found]
            warnings += building.warnings
    return ImportedRules(tuple(rules), _once(warnings), bodyless)


def _once(warnings: Sequence[Problem]) -> tuple[Problem, ...]:
    """Warnings about a name, the first of each."""
    seen: dict[tuple[str, str], Problem] = {}
    for problem in warnings:
        place = str(problem.span) if problem.code == "other-confidence" else ""
        seen.setdefault((problem.code, problem.message + place), problem)
    return tuple(seen.values())


def _rule(line: str, building: Building) -> ImportedRule | None:
    """The rule of a line; None for one without a body, by which AnyBURL gives how common a fact
    is."""
    columns = line.split("\t")
    if len(columns) < 4 or len(columns) > 5:
        hint = "body size, support, confidence and rule stand a tab apart"
        message = f"the line has {len(columns)} columns, not 4"
        raise building.refused("bad-columns", message, 1, hint)
    places = [1]
    for cell in columns:
        places.append(places[-1] + len(cell) + 1)
    stated = _stated(columns[:3], places, building)
    text, place = columns[3], places[3]
    if re.search(r"<=\s*$", text):
        return None
    with building.collecting():
        cuts = _cuts(text, building.names)
        if len(cuts) != 1:
            _complain(text, place, cuts, building)
    head, body = cuts[0]
    with building.collecting():
        atoms = [_read_atom(a, place, building) for a in (head, *body)]
        different = _different(columns[4:], places[-2], building)
    injective = different is None
    rule = building.rule(atoms[0], atoms[1:], different or (), injective)
    return ImportedRule(rule, stated, building.span(place))


def _stated(cells: Sequence[str], places: Sequence[int], building: Building) -> Stated:
    with building.collecting():
        values = []
        readers = (numbers.count, numbers.count, numbers.share)
        for cell, place, reader in zip(cells, places, readers, strict=False):
            try:
                values.append(reader(cell))
            except ValueError:
                building.add("bad-number", f"`{cell}` is no number of this column", place)
    body_size, support, confidence = values
    if isinstance(support, int) and isinstance(body_size, int) and support > body_size:
        message = f"the support {support} is more than the body's size {body_size}"
        raise building.refused("contradicting-numbers", message, places[1])
    if isinstance(support, int) and isinstance(body_size, int) and confidence is not None:
        exact = Fraction(support, body_size) if body_size else Fraction(0)
        smoothed = Fraction(support, body_size + _UNSEEN)
        if not numbers.agrees(confidence, exact):  # type: ignore[arg-type]
            what = f"the confidence {confidence} is not {support}/{body_size}"
            if numbers.agrees(confidence, smoothed):  # type: ignore[arg-type]
                what += f" but {support}/({body_size} + {_UNSEEN}), with unseen predictions"
            building.warn("other-confidence", what, places[2], "the counts are taken")
    assert support is None or isinstance(support, int)
    assert body_size is None or isinstance(body_size, int)
    return Stated(support=support, body_size=body_size)


def _different(
    cells: Sequence[str], place: int, building: Building
) -> list[tuple[Term, Term]] | None:
    """The inequalities of the fifth column; None without one."""
    if not cells or not cells[0].strip():
        return None
    if not cells[0].startswith(_DIFFERENT):
        hint = f"`{_DIFFERENT}` and inequalities may stand there"
        building.add("bad-columns", f"a fifth column `{cells[0]}`", place, hint)
        return None
    found = []
    for pair in filter(None, cells[0][len(_DIFFERENT) :].strip().split(", ")):
        left, sign, right = pair.partition(" != ")
        if not sign:
            building.add("bad-columns", f"`{pair}` is no inequality", place, "write `X != Y`")
            continue
        one, other = (_read_term(_Piece(t, 0), place, building) for t in (left, right))
        found.append((one, other))
    return found


# ---------------------------------------------------------------- cutting a line into names


@dataclass(frozen=True)
class _Piece:
    """A name in a line, and where it begins in the rule's text."""

    text: str
    at: int


_Cut = tuple[_Piece, _Piece, _Piece]  # relation, subject, object
_Rule = tuple[_Cut, tuple[_Cut, ...]]


def _cuts(text: str, names: Names) -> list[_Rule]:
    """Every way to cut the text into atoms of names that there are."""
    found: list[_Rule] = []
    if names.are_known and not names.have_punctuation:
        # Then punctuation is punctuation, and there is one way, if any.
        found = _cuts(text, Names())
        return [cut for cut in found if _is_known(cut, names)]
    for arrow in re.finditer(_ARROW, text):
        heads = [cut for cut in _atoms(text, 0, arrow.start(), names) if len(cut) == 1]
        if heads:
            bodies = _atoms(text, arrow.end(), len(text), names)
            found += [(head[0], body) for head in heads for body in bodies]
    return found


def _atoms(text: str, begin: int, end: int, names: Names) -> list[tuple[_Cut, ...]]:
    """Every way to read a stretch of the text as atoms with commas between them."""
    begin, end = _trimmed(text, begin, end)
    ways: dict[int, list[tuple[_Cut, ...]]] = {end: [()]}

    def read(place: int) -> list[tuple[_Cut, ...]]:
        if place in ways:
            return ways[place]
        ways[place] = []
        found: list[tuple[_Cut, ...]] = []
        for atom, after in _atoms_at(text, place, end, names):
            if after == end:
                found.append((atom,))
            else:
                following = after + 1
                while following < end and text[following] == " ":
                    following += 1
                if following < end:
                    found += [(atom, *rest) for rest in read(following)]
            if len(found) > _MOST_CUTS:
                break
        ways[place] = found
        return found

    return read(begin) if begin < end else []


def _atoms_at(text: str, begin: int, end: int, names: Names) -> Iterator[tuple[_Cut, int]]:
    """Every atom that may begin here, with where it ends: before a comma, or at the end."""
    closings = [
        k for k in range(begin, end) if text[k] == ")" and (k + 1 == end or text[k + 1] == ",")
    ]
    for opening in range(begin + 1, end):
        if text[opening] != "(" or not _is_relation(text[begin:opening], names):
            continue
        relation = _Piece(text[begin:opening], begin)
        for closing in closings:
            if closing <= opening:
                continue
            for comma in range(opening + 2, closing - 1):
                if text[comma] == ",":
                    subject = _piece(text, opening + 1, comma, names)
                    object_ = subject and _piece(text, comma + 1, closing, names)
                    if subject and object_:
                        yield (relation, subject, object_), closing + 1


def _piece(text: str, begin: int, end: int, names: Names) -> _Piece | None:
    """The term between two places: as it stands, or without the spaces around it."""
    if _is_term(text[begin:end], names):
        return _Piece(text[begin:end], begin)
    begin, end = _trimmed(text, begin, end)
    return _Piece(text[begin:end], begin) if _is_term(text[begin:end], names) else None


def _is_known(rule: _Rule, names: Names) -> bool:
    head, body = rule
    return all(
        _is_relation(relation.text, names) and all(_is_term(t.text, names) for t in terms)
        for relation, *terms in (head, *body)
    )


def _is_relation(name: str, names: Names) -> bool:
    return bool(names.relations(name)) if names.are_known else _could_be_a_name(name)


def _is_term(name: str, names: Names) -> bool:
    if _is_variable(name) or name == _ITSELF:
        return True
    return bool(names.constants(name)) if names.are_known else _could_be_a_name(name)


def _is_variable(name: str) -> bool:
    return len(name) == 1 and name in string.ascii_uppercase


def _could_be_a_name(name: str) -> bool:
    return bool(name.strip()) and not any(c in name for c in "(),") and _ARROW not in name


def _trimmed(text: str, begin: int, end: int) -> tuple[int, int]:
    while begin < end and text[begin] == " ":
        begin += 1
    while begin < end and text[end - 1] == " ":
        end -= 1
    return begin, end


def _complain(text: str, place: int, cuts: Sequence[_Rule], building: Building) -> None:
    """Why a rule can't be read, or not in one way."""
    if cuts:
        shown = " or ".join(f"`{_told(cut)}`" for cut in cuts[:2])
        message = f"the rule can be cut in {len(cuts)} ways: {shown}"
        hint = "write names that hold a comma or a bracket in quotes"
        building.add("ambiguous-rule", message, place, hint)
        return
    if _ARROW not in text:
        building.add("bad-rule", f"the rule has no `{_ARROW}`", place, "write `head <= body`")
        return
    loosely = _cuts(text, Names())
    unknown = False
    if building.names.are_known and len(loosely) == 1:
        head, body = loosely[0]
        for relation, *terms in (head, *body):
            if not building.names.relations(relation.text):
                building.relation(relation.text, place + relation.at)
                unknown = True
            for term in terms:
                if not _is_term(term.text, building.names):
                    building.constant(term.text, place + term.at)
                    unknown = True
    if unknown:
        return
    if building.names.are_known:
        message = "the rule can't be cut into names of the graph"
        hint = "a name in it is unknown, or a bracket or a comma is missing"
    else:
        message = "the rule can't be cut into names"
        hint = "without a graph, names with commas or brackets must stand in quotes"
    building.add("unreadable-rule", message, place, hint)


def _told(cut: _Rule) -> str:
    def atom(pieces: _Cut) -> str:
        relation, subject, object_ = (p.text for p in pieces)
        return f"{relation}(“{subject}”, “{object_}”)"

    head, body = cut
    return f"{atom(head)} {_ARROW} {', '.join(map(atom, body))}"


def _read_atom(cut: _Cut, place: int, building: Building) -> Atom:
    relation, subject, object_ = cut
    name = building.relation(relation.text, place + relation.at)
    if _ITSELF in (subject.text, object_.text):
        other = object_ if subject.text == _ITSELF else subject
        if not _is_variable(other.text):
            hint = "it stands beside a variable"
            building.add("bad-atom", f"`{_ITSELF}` repeats no variable", place + other.at, hint)
        term = _read_term(other, place, building)
        return Atom(name, term, term)
    terms = [_read_term(piece, place, building) for piece in (subject, object_)]
    return Atom(name, *terms)


def _read_term(piece: _Piece, place: int, building: Building) -> Term:
    text, column = piece.text, place + piece.at
    if _is_variable(text):
        if building.names.are_known and building.names.constants(text):
            message = f"`{text}` is read as a variable, though the graph has an entity `{text}`"
            building.warn("variable-or-entity", message, column, "in quotes it is the entity")
        return building.variable(text, LETTERS.index(text))
    if len(text) == 1 and text.isalpha():
        message = f"`{text}` is read as an entity; a variable is one upper-case letter"
        building.warn("one-letter-name", message, column)
    return building.constant(text, column)
