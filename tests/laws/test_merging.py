"""Names of one entity: the verdicts are those of the world in which it has one name only."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import assume, given, settings

from kgverify.language.checks import check
from kgverify.testing import World, worlds
from tests.laws.common import LAW
from tests.oracle import Oracle


def merged(world: World) -> World | None:
    """The world with one name for each entity; None when its rule file doesn't pass its checks."""
    name = Oracle(world).name
    lines = [line for line in world.rules.split("\n") if not line.startswith("same ")]
    rules = re.sub(r"\be[0-9]\b", lambda found: name("e" + found[0])[1:], "\n".join(lines))
    if any(problem.is_error for problem in check(rules, "world.kgr")[1]):
        return None

    def facts(old: tuple[tuple[str, str, str], ...]) -> tuple[tuple[str, str, str], ...]:
        # What says that two names are one still says that there is something.
        renamed = [(name(s), "unrelated" if "sameAs" in r else r, name(o)) for s, r, o in old]
        return tuple(dict.fromkeys(renamed))

    return World(rules, facts(world.facts), facts(world.denied), asked=world.asked)


@settings(LAW, max_examples=100)
@given(worlds(size=8))
def test_two_names_count_as_one(world: World) -> None:
    world = replace(world, dated=())  # ranks are settled by name, when a graph is read
    one = merged(world)
    assume(one is not None)
    assert one is not None
    name = Oracle(world).name
    by_hand = one.verdicts
    for (question, candidate), verdict in world.verdicts.items():
        text, argument = question.split("/")
        key = f"{text}/{name('e' + argument)[1:]}", name("e" + candidate)[1:]
        assert verdict.verdict == by_hand[key].verdict, key
