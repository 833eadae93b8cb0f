"""A second judge, of another make than the one that admits edges: it knows where profiles state
what, and takes prose by sentence.

It shares nothing with the built-in judge: no phrases of the rule file, no grammar.  It is plain, so
that what it gets wrong can be seen, and it is measured against pairs that were labelled by hand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from kgverify.evidence.judging import Claim, Failure, Judgement, Label
from kgverify.evidence.passages import Passage

_BRACKETS = re.compile(r"\([^()]*\)")
_LIST = re.compile(r",(?![^(]*\))")  # a comma that is not within brackets
_NUMBERED = re.compile(r"\s*[\d,.]+\s*(km|%).*$")
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\s*\+\+\s*")
_DENIAL = re.compile(r"\b(not|no longer|never|former|formerly|until|without|except)\b")


def _named(text: str) -> list[str]:
    """`name: Abuja; …`, or several: `Sucre (…); La Paz (…)`."""
    _, label, rest = text.partition("name:")
    return [_BRACKETS.sub("", rest.split(";")[0]).strip()] if label else []


def _neighbours(text: str) -> list[str]:
    """`border countries: Chad 85 km, Niger 1,608 km (…)`, up to the next part of the field."""
    _, label, rest = re.sub(r"border countries \(\d+\)", "border countries", text).partition(
        "border countries:"
    )
    if not label:
        return []
    # A number with a comma in it is no end of an item.
    items = re.split(r",\s+(?![^(]*\))", rest.split(";")[0])
    return [_NUMBERED.sub("", _BRACKETS.sub("", item)).strip() for item in items]


def _money(text: str) -> list[str]:
    """`Algerian dinars (DZD) per US dollar - …`: the name, and the code in brackets."""
    before, label, _ = text.partition(" per US dollar")
    if not label:
        return []
    codes = re.findall(r"\(([A-Z]{3})\)", before)
    return [*codes, *(part.strip() for part in re.split(r" or |,", _BRACKETS.sub("", before)))]


def _official(text: str) -> list[str]:
    """`Arabic (official), French (lingua franca)`: those that are said to be official."""
    items = _LIST.split(text.split(";")[0])
    found = [re.split(r"\s*\(|\s+\d", item)[0].strip() for item in items if "(official" in item]
    return [part for item in found for part in re.split(r" and | or ", item)]


def _areas(text: str) -> list[str]:
    """`Southeast Asia`, `Central America and the Caribbean`: the last word is the continent."""
    parts = re.split(r" and |,|;", text)
    return [word for part in parts for word in part.split()[-1:]]


def _place(text: str) -> list[str]:
    """`Northern Africa, bordering …`, also with a word before it."""
    words = text.split(",")[0].split()
    return [" ".join(words[start:]) for start in range(len(words))]


# Which field of a profile states a relation, and what it names.
FIELDS: dict[str, tuple[str, Callable[[str], list[str]]]] = {
    "capital": ("Capital", _named),
    "borders": ("Land boundaries", _neighbours),
    "currency": ("Exchange rates", _money),
    "official_language": ("Languages", _official),
    "region": ("Map references", _areas),
    "subregion": ("Location", _place),
}
_NEAR = 40  # characters between a cue and the object in a profile
# Words by which a sentence says a relation.
CUES: dict[str, tuple[str, ...]] = {
    "capital": ("capital",),
    "borders": ("borders", "bordered by", "bordering", "border with", "frontier with"),
    "currency": ("currency", "legal tender"),
    "official_language": ("official language",),
    "region": ("located in", "country in", "lies in"),
    "subregion": ("located in", "country in", "lies in"),
}
# In a definition the disease is what the whole text is about.
DEFINING: dict[str, tuple[str, ...]] = {
    "localizes": (
        "located in",
        "inflammation of",
        "inflammation in",
        "degeneration of",
        "degeneration in",
        "damage to",
        "destruction of",
        "affects",
        "occurs in",
        "arises in",
        "growth in",
    ),
    "presents": (
        "symptom",
        "symptoms",
        "characterized by",
        "marked by",
        "complaints",
        "results in",
        "involving",
    ),
    "disease_resembles": ("similar to", "resembles"),
}
_KINDS = ("cancer", "disease", "disorder", "neoplasm")  # what `a lung cancer` is called by


class FieldReader:
    """Reads the field of a profile that states a relation, and prose sentence by sentence.

    ENTAILED: the field names the object, or a sentence names both ends with a cue of the relation.
    NOT_ENTAILED: the field names others only.  Else UNCERTAIN."""

    name = "field reader 1"

    def judge(self, pairs: Sequence[tuple[Passage, Claim]]) -> list[Judgement | Failure]:
        """One answer for each pair."""
        return [Judgement(*_judged(passage, claim)) for passage, claim in pairs]


def _judged(passage: Passage, claim: Claim) -> tuple[Label, float]:
    if not isinstance(claim.object, tuple):
        return "UNCERTAIN", 0.0
    relation = claim.relation.name
    ends = [(claim.subject, claim.object)]
    if claim.relation.is_symmetric:
        ends.append((claim.object, claim.subject))
    label: Label = "UNCERTAIN"
    for subject, object_ in ends:
        if not _is_one(passage.title, subject):
            continue
        heading, read = FIELDS.get(relation, ("", _place))
        if heading and passage.heading.rpartition(": ")[2] == heading:
            stated = read(passage.text)
            if any(_is_one(name, object_) for name in stated):
                return "ENTAILED", 1.0
            label = "NOT_ENTAILED" if stated else label
        elif _defines(relation, passage.text, object_):
            return "ENTAILED", 1.0
    if any(_says(relation, part, passage.title, claim) for part in _SENTENCE.split(passage.text)):
        return "ENTAILED", 1.0
    return label, 0.0


def _says(relation: str, sentence: str, title: str, claim: Claim) -> bool:
    """Does a sentence name both ends, with a cue near to the object and no denial between them?
    A profile's title names its country for every sentence."""
    assert isinstance(claim.object, tuple)
    if not (_is_one(title, claim.subject) or any(_places(sentence, claim.subject))):
        return False
    folded = _fold(sentence)
    for start, end in _places(sentence, claim.object):
        for cue in CUES.get(relation, ()):
            for found in re.finditer(rf"\b{cue}\b", folded):
                first, last = min(start, found.start()), max(end, found.end())
                between = folded[min(end, found.end()) : max(start, found.start())]
                if last - first <= _NEAR + end - start and not _DENIAL.search(between):
                    return True
    return False


def _defines(relation: str, text: str, object_: tuple[str, ...]) -> bool:
    """Does a definition name the object behind a cue in the same sentence, or as the kind of the
    disease, `a lung cancer`?"""
    for sentence in _SENTENCE.split(text) if relation in DEFINING else ():
        folded = _fold(sentence)
        for start, end in _places(sentence, object_):
            before = folded[:start]
            cues = [m.end() for cue in DEFINING[relation] for m in re.finditer(cue, before)]
            if cues and not _DENIAL.search(before[max(cues) :]):
                return True
            kind = re.match(r"\s+(\w+)", folded[end:])
            if relation == "localizes" and kind and kind[1] in _KINDS:
                return True
    return False


def _places(text: str, names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where a text has one of the names, in whole words; short ones with their capitals."""
    folded = _fold(text)
    for name in names:
        where, what = (text, name) if len(name) <= 3 else (folded, _fold(name))
        for found in re.finditer(rf"(?<!\w){re.escape(what)}(?!\w)", where):
            yield found.span()


def _is_one(said: str, names: Sequence[str]) -> bool:
    """Is what is said one of the names?  Plurals and hyphens don't matter."""
    return any(_plain(said) == _plain(name) for name in names)


def _plain(text: str) -> str:
    words = _fold(text).removeprefix("the ").replace("-", "").split()
    return " ".join(word.removesuffix("s") for word in words)


def _fold(text: str) -> str:
    """Without diacritics and capitals; each character stays one, so that places stay."""
    return "".join(unicodedata.normalize("NFKD", one)[0].lower()[0] for one in text)
