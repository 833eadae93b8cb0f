"""Horn rules as people read them: `treats(X, Y) :- resembles(X, A), treats(A, Y), X != A`."""

from __future__ import annotations

import re

from kgverify.graph.terms import display
from kgverify.language.printing import quoted
from kgverify.mining.horn import Atom, HornRule, Term

LETTERS: tuple[str, ...] = ("X", "Y", *"ABCDEFGHIJKLMNOPQRSTUVW", "Z")
_WORD = re.compile(r"[^\W\d_][\w./-]*")


def variable_name(number: int) -> str:
    """X and Y for the first two variables, then A, B …; V26 and so on beyond the alphabet."""
    return LETTERS[number] if number < len(LETTERS) else f"V{number}"


def rule_line(rule: HornRule) -> str:
    """The rule on one line, with its inequalities; names with anything odd in them in quotes."""
    parts = [atom_line(atom) for atom in rule.body]
    parts += [f"{_term(one)} != {_term(other)}" for one, other in rule.inequalities]
    return f"{atom_line(rule.head)} :- {', '.join(parts)}"


def atom_line(atom: Atom) -> str:
    """An atom on one line."""
    name = atom.relation
    spelled = name if re.fullmatch(r"[\w./:-]+", name) else quoted(name)
    return f"{spelled}({_term(atom.subject)}, {_term(atom.object)})"


def _term(term: Term) -> str:
    if isinstance(term, int):
        return variable_name(term)
    shown = display(term)
    # A name that might be taken for a variable is none when it stands in quotes.
    is_word = _WORD.fullmatch(shown) and not re.fullmatch(r"[A-Z]|V\d+", shown)
    return shown if is_word or not term.startswith("e") else quoted(shown)
