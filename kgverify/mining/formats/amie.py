"""Rules as AMIE prints them: `?a  p  ?b  ?b  q  ?c   => ?a  r  ?c`, a tab, and numbers.

Tokens are two spaces apart, so that a name may have single spaces in it.  AMIE+, AMIE 3 and AMIE
3.5 name their columns differently, print them in another order, or print no header; log lines come
on the same stream.  `!=` and `differentFrom` between two terms say that they are different.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from kgverify.errors import Problem
from kgverify.graph.reading.files import SourceFile
from kgverify.graph.reading.rejects import Rejects
from kgverify.mining.formats import numbers
from kgverify.mining.formats.building import Building, refusals
from kgverify.mining.formats.names import Names, constant_text, looks_quoted, quoted
from kgverify.mining.formats.values import ImportedRule, ImportedRules, Stated
from kgverify.mining.horn import Atom, HornRule, MinedRule, Side, Term

_ARROW = "=>"
_DIFFERENT = ("!=", "differentFrom", "<differentFrom>")
_GAP = re.compile(r" {2,}|\t+| *\t *")
_VARIABLE = re.compile(r"\?[A-Za-z_][A-Za-z0-9_]*")
_SPECIAL = "=>"
_LETTERS = "abefghijklmnopqrstuvwxyzcd"  # the order in which AMIE takes them

# What the columns are called, without case, spaces and dots.
_COLUMNS = {
    "headcoverage": "head_coverage",
    "stdconfidence": "confidence",
    "standardconfidence": "confidence",
    "confidence": "confidence",
    "pcaconfidence": "pca_confidence",
    "positiveexamples": "support",
    "support": "support",
    "bodysize": "body_size",
    "pcabodysize": "pca_body_size",
    "functionalvariable": "side",
    "predictionvariable": "side",
    "headsize": "head_size",
    "pcaside": "pca_side",
}
_AMIE3 = (
    *("rule", "head_coverage", "confidence", "pca_confidence", "support"),
    *("body_size", "pca_body_size", "side"),
)
_WITHOUT_STD = ("rule", "head_coverage", "pca_confidence", "support", "pca_body_size", "side")
# AMIE before AMIE 3 gave the support as a share first.
_AMIE1 = ("rule", "", *_AMIE3[1:])

HEADER = (
    *("Rule", "Head Coverage", "Std Confidence", "PCA Confidence", "Positive Examples"),
    *("Body size", "PCA Body size", "Functional variable", "Head size", "PCA side"),
)


# ---------------------------------------------------------------- writing


def write(rules: Iterable[MinedRule]) -> str:
    """The rules with a header and AMIE 3's columns, then the head's size and the side of the PCA,
    which AMIE leaves to be worked out."""
    lines = ["\t".join(HEADER)]
    for mined in rules:
        found = mined.measures
        shares = (found.head_coverage, found.confidence, found.pca_confidence)
        wholes = (found.head_size, found.body_size, found.pca_body_size)
        printed = [f"{float(s):.9g}" if w else "NaN" for s, w in zip(shares, wholes, strict=True)]
        head = mined.rule.head
        functional = head.subject if found.pca_side == "subject" else head.object
        counts = (found.support, found.body_size, found.pca_body_size)
        columns = [rule_text(mined.rule), *printed, *map(str, counts)]
        lines.append("\t".join([*columns, _term(functional), str(found.head_size), found.pca_side]))
    return "\n".join(lines) + "\n"


def rule_text(rule: HornRule) -> str:
    """The rule as AMIE writes it, with `!=` atoms for its inequalities."""
    atoms = [*map(_atom, rule.body)]
    atoms += [f"{_term(a)}  !=  {_term(b)}" for a, b in rule.inequalities]
    return f"{'  '.join(atoms)}   => {_atom(rule.head)}"


def _atom(atom: Atom) -> str:
    relation = atom.relation
    plain = _is_plain(relation) and not looks_quoted(relation) and relation not in _DIFFERENT
    spelled = relation if plain else quoted(relation, _SPECIAL)
    return f"{_term(atom.subject)}  {spelled}  {_term(atom.object)}"


def _term(term: Term) -> str:
    if isinstance(term, int):
        return f"?{_LETTERS[term]}" if term < len(_LETTERS) else f"?v{term}"
    return constant_text(term, _is_plain(term[1:]), _SPECIAL)


def _is_plain(name: str) -> bool:
    parts_stay = "  " not in name and _ARROW not in name and name == name.strip()
    return bool(name) and parts_stay and name.isprintable() and not name.startswith(("?", "="))


# ---------------------------------------------------------------- reading


def read(source: SourceFile, names: Names, rejects: Rejects) -> ImportedRules:
    """All rules of a file; problems go to `rejects`."""
    rules: list[ImportedRule] = []
    warnings: list[Problem] = []
    columns: tuple[str, ...] | None = None
    skipped = 0
    for number, line in source.lines(rejects):
        header = _header(line)
        if header is not None:
            columns = header
        elif _ARROW not in line:
            if _looks_like_a_rule(line):
                message, hint = "the rule has no `=>`", "write `body   => head`"
                rejects.add("bad-rule", message, source.span(number, 1), hint)
            else:
                skipped += bool(line.strip())
        else:
            building = Building(names, source.name, number)
            with refusals(rejects):
                rules.append(_rule(line, columns, building))
                warnings += building.warnings
    return ImportedRules(tuple(rules), tuple(warnings), skipped)


def recognises(line: str) -> bool:
    """Whether a line is AMIE's header or a rule of AMIE's."""
    begins = line.lstrip().startswith(("?", "<", _ARROW))
    return _header(line) is not None or (_ARROW in line and begins)


def _header(line: str) -> tuple[str, ...] | None:
    first, *rest = re.split(r"\t| {2,}", line.strip())
    if first != "Rule" or not rest or _ARROW in line:
        return None
    found = [_COLUMNS.get(re.sub(r"[\s._-]", "", name).lower(), "") for name in rest]
    if found.count("support") > 1:  # a share of all facts, and the number of pairs
        found[found.index("support")] = ""
    return ("rule", *found)


def _looks_like_a_rule(line: str) -> bool:
    return line.startswith("?") and "  " in line and "\t" in line


@dataclass(frozen=True)
class _Token:
    text: str
    column: int


def _tokens(text: str, column: int) -> list[_Token]:
    """What stands two spaces or a tab apart, with its column in the line."""
    found, begin = [], 0
    for gap in [*_GAP.finditer(text), None]:
        end = gap.start() if gap else len(text)
        word = text[begin:end]
        if word.strip():
            shift = len(word) - len(word.lstrip())
            found.append(_Token(word.strip(), column + begin + shift))
        begin = gap.end() if gap else end
    return found


def _rule(line: str, columns: tuple[str, ...] | None, building: Building) -> ImportedRule:
    text, tab, tail = line.partition("\t")
    if tab and _ARROW not in text:
        raise building.refused("bad-rule", "the first column has no rule", 1, "`=>` stands in it")
    arrow = text.index(_ARROW)
    if text.find(_ARROW, arrow + 2) >= 0:
        message = "a rule has one `=>`"
        raise building.refused("bad-rule", message, text.index(_ARROW, arrow + 2) + 1)
    body = _tokens(text[:arrow], 1)
    rest = _tokens(text[arrow + 2 :], arrow + 3)
    head = rest[:3]
    # Pasted from a terminal, tabs are spaces: then the numbers follow the head.
    numbers_ = rest[3:]
    if tab:
        if numbers_:
            message = "there is more than one atom behind `=>`"
            raise building.refused("bad-rule", message, numbers_[0].column)
        numbers_ = _cells(tail, len(text) + 2)
    if not body:
        hint = "such a rule can't be used: it would hold of everything"
        raise building.refused("no-body", "the rule has no body", 1, hint)
    atoms, different = [], []
    with building.collecting():
        for atom in [*_triples(body, building), *_triples(head, building)]:
            subject, relation, object_ = atom
            terms = (_read_term(subject, building), _read_term(object_, building))
            if relation.text in _DIFFERENT:
                different.append(terms)
            else:
                name = building.relation(relation.text, relation.column)
                atoms.append(Atom(name, *terms))
        stated = _stated(numbers_, columns, building)
    if not atoms or head[1].text in _DIFFERENT:
        raise building.refused("bad-rule", "the head is no atom of a relation", head[0].column)
    *body_atoms, head_atom = atoms
    rule = building.rule(head_atom, body_atoms, different)
    return ImportedRule(rule, _with_side(stated, rule, numbers_, columns), building.span(1))


def _cells(text: str, column: int) -> list[_Token]:
    found = []
    for cell in text.split("\t"):
        found.append(_Token(cell.strip(), column))
        column += len(cell) + 1
    while found and not found[-1].text:
        found.pop()
    return found


def _triples(tokens: Sequence[_Token], building: Building) -> Iterator[Sequence[_Token]]:
    """The tokens in threes; each three must begin where an atom can."""
    for begin in range(0, len(tokens), 3):
        atom = tokens[begin : begin + 3]
        crowded = next((t for t in atom if re.match(r"\?\w+ \S", t.text)), None)
        if crowded is not None:
            raise building.refused(
                "crowded-tokens",
                f"`{crowded.text}` can't be cut into subject, relation and object",
                crowded.column,
                "AMIE sets two spaces between them, since names may have single ones",
            )
        if len(atom) < 3:
            text = "  ".join(t.text for t in atom)
            hint = "an atom is a subject, a relation and an object, two spaces apart"
            missing = "object" if len(atom) == 2 else "relation and no object"
            building.add("bad-atom", f"the atom `{text}` has no {missing}", atom[0].column, hint)
            return
        yield atom


def _read_term(token: _Token, building: Building) -> Term:
    if not token.text.startswith("?"):
        return building.constant(token.text, token.column)
    if not _VARIABLE.fullmatch(token.text):
        hint = "a variable is `?` and letters or digits"
        building.add("bad-variable", f"`{token.text}` is no variable", token.column, hint)
        return 0
    name = token.text[1:]
    if len(name) == 1 and name in _LETTERS:
        return building.variable(name, _LETTERS.index(name))
    number = int(name[1:]) if re.fullmatch(r"v[1-9][0-9]{1,3}", name) else -1
    return building.variable(name, number if number >= len(_LETTERS) else None)


# ---------------------------------------------------------------- numbers


def _layout(cells: Sequence[_Token], columns: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The columns behind the rule's, by the header or, without one, by their number."""
    if columns is not None:
        return columns[1:] if len(cells) <= len(columns) - 1 else None
    if not cells:
        return ()
    if len(cells) == len(_WITHOUT_STD) - 1:
        return _WITHOUT_STD[1:]
    for layout in (_AMIE3, _AMIE1):
        place = layout.index("side") - 1
        if len(cells) > place and re.fullmatch(r"\?\w+|-\d+", cells[place].text):
            return layout[1:]
    return _AMIE3[1:] if len(cells) == len(_AMIE3) - 2 else None


def _stated(cells: Sequence[_Token], columns: tuple[str, ...] | None, building: Building) -> Stated:
    layout = _layout(cells, columns)
    if layout is None:
        hint = "keep AMIE's header line, which names its columns"
        message = f"{len(cells)} columns behind the rule don't tell what they are"
        building.add("bad-columns", message, cells[0].column, hint)
        return Stated()
    found: dict[str, object] = {}
    places: dict[str, int] = {}
    for name, cell in zip(layout, cells, strict=False):
        if name in ("", "side"):
            continue
        places[name] = cell.column
        try:
            if name == "pca_side":
                found[name] = _side(cell.text)
            elif name in ("head_coverage", "confidence", "pca_confidence"):
                found[name] = numbers.share(cell.text)
            else:
                found[name] = numbers.count(cell.text)
        except ValueError:
            what = name.replace("_", " ").replace("pca", "PCA")
            message = f"`{cell.text}` can't be the {what}"
            building.add("bad-number", message, cell.column, "")
    stated = Stated(**found)  # type: ignore[arg-type]
    if stated.head_size is None:
        size = numbers.head_size(stated.support, stated.head_coverage)
        stated = replace(stated, head_size=size)
    for name, message in numbers.contradictions(stated):
        column = places.get(name, cells[0].column if cells else 1)
        hint = "the file was changed, or its columns are not those of its header"
        building.add("contradicting-numbers", message, column, hint)
    return stated


def _side(text: str) -> Side | None:
    if text not in ("subject", "object", ""):
        raise ValueError(text)
    return text or None  # type: ignore[return-value]


def _with_side(
    stated: Stated,
    rule: HornRule,
    cells: Sequence[_Token],
    columns: tuple[str, ...] | None,
) -> Stated:
    """AMIE names the variable; the builds that print `-1` or `-2` in its place leave it open."""
    layout = _layout(cells, columns) or ()
    if (
        stated.pca_side is not None
        or "side" not in layout
        or not isinstance(rule.head.subject, int)
    ):
        return stated
    place = layout.index("side")
    token = cells[place].text if place < len(cells) else ""
    sides: dict[str, Side] = {
        _term(rule.head.object): "object",
        _term(rule.head.subject): "subject",
    }
    return replace(stated, pca_side=sides.get(token))
