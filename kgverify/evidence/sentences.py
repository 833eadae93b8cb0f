"""Where the paragraphs and sentences of an English text begin and end, in time linear in its
length.

A sentence ends at `.`, `!`, `?` or their like, with the quotation marks and brackets behind it,
where a blank follows; and at the end of a paragraph.  A full stop ends none after a title or an
initial (`Dr.`, `St.`, `J.`), where the text goes on in lower case, or, after an abbreviation that
may end a sentence or not (`U.S.`, `Inc.`), where no word follows that sentences like to begin with.
These are rules of thumb: `He came to the U.S. Congress met.` is one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgverify.evidence.passages import Extent
from kgverify.evidence.wordlists import word_set

LONGEST = 1000  # characters; what has more is a list or a table, and is cut

# An empty line, the mark between paragraphs in the World Factbook, and the lines that Markdown
# lets stand for themselves: headings, and items of lists.
_BREAK = re.compile(
    r"\n[^\S\n]*\n\s*+|(?<=\s)\+\+(?=\s)|\n(?=[ \t]{0,8}(?:#{1,6} |[-*•] |\d{1,3}[.)] ))"
    r"|(?:^|(?<=\n))#{1,6} [^\n]*+\n"
)
# The stop must be the first of its run, else a long run would be looked at again and again.
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s)|[。！？]++[」』”’）]*+")
_WORD_BEFORE = re.compile(r"[^\s(\[\"'“‘«]{1,24}\Z")
_NEXT = re.compile(r"\s*+[\"'“‘«(\[]*+([\w'’]{0,24})")
_BLANK = re.compile(r"\s*+")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]|ph\.d", re.IGNORECASE)


# Never at the end of a sentence; those of the second row only with a capital.
_INNER = word_set("vs e.g i.e eg ie cf viz al approx ca esp incl excl resp")
_TITLES = word_set(
    "Dr Mr Mrs Ms Mx Messrs Mme Mlle Prof St Ste Gen Col Maj Capt Cmdr Lt Sgt Cpl Adm Rep Sen Gov "
    "Pres Rev Hon Fr Mt Ft Univ Dept Assn"
)
# Before a number in the middle of a sentence.
_NUMBERED = word_set("no nos fig figs eq sec ch vol vols art p pp c")
# In the middle of a sentence or at its end; those of the second row only with a capital.
_EITHER = word_set(
    "inc ltd co corp llc plc jr sr bros esq etc est a.m p.m b.c a.d b.c.e c.e ph.d m.d"
)
_NAMES = word_set(
    "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun "
    "Ave Blvd Rd"
)
# Words that begin a sentence more often than they follow an abbreviation in one.
_STARTERS = word_set(
    "the a an this that these those it its he she his her they their we our i you your there here "
    "in on at by for from with without under over after before during since until while when where "
    "who what which why how if although though because as but and or so yet however moreover "
    "nevertheless therefore thus then also both each every all some many most several few other "
    "another no not one two three following despite according between among to of"
)


def paragraphs(text: str) -> list[Extent]:
    """The paragraphs of a text, without the blanks around them."""
    found, start = [], 0
    for match in _BREAK.finditer(text):
        if match[0].startswith("#"):  # a heading is a paragraph too
            found += [(start, match.start()), match.span()]
        else:
            found.append((start, match.start()))
        start = match.end()
    found.append((start, len(text)))
    return list(_trimmed(text, found))


def sentences(text: str, within: Extent | None = None) -> list[Extent]:
    """The sentences of a paragraph of a text, without the blanks between them, none longer than
    `LONGEST` characters."""
    first, last = (within.start, within.end) if within else (0, len(text))
    found, start = [], first
    for match in _STOP.finditer(text, first, last):
        if _ends(text, match, start, last):
            found.append((start, match.end()))
            start = match.end()
    found.append((start, last))
    return [part for whole in _trimmed(text, found) for part in _cut(text, whole)]


def _ends(text: str, match: re.Match[str], start: int, last: int) -> bool:
    """Does a sentence that began at `start` end with this stop?"""
    following = _NEXT.match(text, match.end(), last)
    word = following[1] if following else ""
    if word and word[0].islower():
        return match[0][0] in "。！？"
    if match[0] != ".":
        return True
    before = _WORD_BEFORE.search(text, max(start, match.start() - 24), match.start())
    if before is None:
        return True
    shortened, small = before[0], before[0].casefold()
    if shortened in _TITLES or small in _INNER:
        return False
    is_initial = len(shortened) == 1 and shortened.isupper()
    if small in _NUMBERED and not is_initial:
        return not word[:1].isdigit()
    if is_initial or small in _EITHER or shortened in _NAMES or _DOTTED.fullmatch(shortened):
        return word.casefold() in _STARTERS or not word
    return True


def _trimmed(text: str, spans: list[tuple[int, int]]) -> Iterator[Extent]:
    """The spans without blanks at their ends, and without those that are blank."""
    for start, end in spans:
        part = text[start:end]
        left = len(part) - len(part.lstrip())
        right = len(part.rstrip())
        if left < right:
            yield Extent(start + left, start + right)


def _cut(text: str, whole: Extent) -> Iterator[Extent]:
    """A sentence, in pieces if it is too long: cut behind a semicolon, else at a blank, else
    anywhere."""
    start = whole.start
    while whole.end - start > LONGEST:
        limit = start + LONGEST
        place = text.rfind("; ", start + 1, limit) + 1
        if not place:
            place = max(text.rfind(blank, start + 1, limit) for blank in " \t\n")
        if place <= 0:
            place = limit
        yield from _trimmed(text, [(start, place)])
        blank = _BLANK.match(text, place, whole.end)
        start = blank.end() if blank else place
    if start < whole.end:
        yield Extent(start, whole.end)
