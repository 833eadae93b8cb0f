"""Does a text name something?  A name within a word or a number, or within another, is not it."""

from __future__ import annotations

import re
from collections.abc import Iterable


def is_named(name: str, text: str) -> bool:
    """Is the name in the text, not within a word or a number?"""
    return bool(_places(name, text))


def named_beside(names: Iterable[str], topic: str, text: str) -> bool:
    """Is one of these names in the text, in any case of letters, elsewhere than within the topic's?

    So `New York City` is named beside `New York`, and `7` in `Channel 7` is not."""
    text, topic = text.casefold(), topic.casefold()
    within = _places(topic, text)
    return any(
        not any(start <= place and place + len(name) <= start + len(topic) for start in within)
        for name in map(str.casefold, names)
        for place in _places(name, text)
    )


def _places(name: str, text: str) -> list[int]:
    """Where the name begins, also where one begins within another."""
    if name not in text:  # most are not, and this is soon seen
        return []
    found = re.finditer(rf"(?<!\w)(?={re.escape(name)}(?!\w))", text)
    return [match.start() for match in found]
