"""What stands for things without a name, in plain words."""

from __future__ import annotations

from kgverify.errors import article
from kgverify.vocabulary import Placeholder

_DATES = {
    **{"<": "before", "<=": "no later than", "=": "within"},
    **{"!=": "outside", ">=": "no earlier than", ">": "after"},
}
_VALUES = {
    **{"<": "less than", "<=": "at most", "=": "equal to"},
    **{"!=": "other than", ">=": "at least", ">": "more than"},
}
_TEXTS = {**_VALUES, "<": "before", ">": "after"}


def told(placeholder: Placeholder) -> str:
    """What a placeholder stands for: `V a date before 1950`."""
    words = {"date": _DATES, "string": _TEXTS}.get(placeholder.type, _VALUES)
    sides: dict[str, list[str]] = {}
    for condition in placeholder.conditions:
        _, operator, side = condition.split(" ", 2)
        sides.setdefault(words[operator], []).append(side)
    parts = [f"{word} {_listed(found)}" for word, found in sides.items()]
    what = " ".join([article(placeholder.type), " and ".join(parts)]).rstrip()
    if placeholder.number == 1:
        return f"{placeholder.name} {what}"
    return f"for {placeholder.number} different {placeholder.name}, each {what}"


def _listed(found: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(found[:-1]), found[-1])))
