"""Fewer questions with the same answer, and three parts that share no question."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import TypeVar

from kgverify.errors import KgverifyError, Problem
from kgverify.experiments.incomplete.asking import Asked

PARTS = ("train", "valid", "test")
TAU = Fraction(1, 100)
Q = TypeVar("Q")


def most_of_one_answer(tau: Fraction, questions: int) -> int:
    """How many questions may have the same hard answer.  Raises KgverifyError when that is none."""
    most = int(tau * questions)
    if questions and not most:
        message = f"with τ = {float(tau):g} none of {questions:,} questions would be kept"
        hint = f"τ has to be {1 / questions:.2g} at least"
        raise KgverifyError(Problem("tau-too-small", message, hint=hint))
    return most


def downsampled(questions: Sequence[Asked], tau: Fraction, seed: int) -> list[Asked]:
    """At most τ · |Q| questions for each hard answer (the paper's algorithm 1), in their order."""
    most = most_of_one_answer(tau, len(questions))
    by_answer = defaultdict(list)
    for place, question in enumerate(questions):
        by_answer[question.hard].append(place)
    rng = random.Random(f"{seed} balance")
    kept: set[int] = set()
    for answer in sorted(by_answer):
        places = by_answer[answer]
        kept.update(places if len(places) <= most else rng.sample(places, most))
    return [questions[place] for place in sorted(kept)]


def split(questions: Sequence[Q], keys: Sequence[Hashable], seed: int) -> dict[str, list[Q]]:
    """8:1:1 by chance, in the order of the questions.  Those with one key stay together, so that a
    part may be larger than its share by the rest of its last key."""
    groups = defaultdict(list)
    for place, key in enumerate(keys):
        groups[key].append(place)
    order = list(groups.values())
    random.Random(f"{seed} split").shuffle(order)
    share = (len(questions) + 5) // 10
    places: dict[str, list[int]] = {part: [] for part in PARTS}
    for group in order:
        part = next((p for p in ("test", "valid") if len(places[p]) < share), "train")
        places[part] += group
    return {part: [questions[place] for place in sorted(places[part])] for part in PARTS}
