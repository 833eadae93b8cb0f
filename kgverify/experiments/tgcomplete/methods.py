"""The methods that are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from kgverify.completion.generating import Generator
from kgverify.completion.guessing import Guesser
from kgverify.completion.independence import UNKNOWN
from kgverify.completion.policy import CAREFUL, PAPER
from kgverify.experiments.tgcomplete.cases import Case
from kgverify.experiments.tgcomplete.records import MethodRun
from kgverify.experiments.tgcomplete.varying import ABLATIONS, NO_CONFLICTS, Unexcluding
from kgverify.experiments.tgcomplete.walking import Abstaining

Method = Callable[[Case], MethodRun]
Generators = Mapping[str, Callable[[Case], Generator]]
ALONE, RETRIEVED = "graph alone", "retrieve-to-complete"
PAPERS, CAREFULS = "TGComplete, paper", "TGComplete, careful"
GUESSES = "graph guesser"  # a stand-in for a language model, which it is not


def generated(by: str) -> str:
    """The name of generate-to-complete by a generator."""
    return f"GoG, {by}"


def verified(by: str) -> str:
    """The name of the same with its edges verified."""
    return f"GoG+Verify, {by}"


def methods(generators: Generators) -> dict[str, Method]:
    """Every method by name; `generators` beside the guesser."""
    found: dict[str, Method] = {ALONE: lambda case: case.run(ALONE, Abstaining())}
    for by, make in {GUESSES: _guesser, **generators}.items():
        found[generated(by)] = _generating(by, make)
        found[verified(by)] = _verifying(by, make)
    found[RETRIEVED] = lambda case: case.run(RETRIEVED, case.retrieving_completer())
    found[PAPERS] = lambda case: case.run(PAPERS, case.text_completer(PAPER))
    found[CAREFULS] = lambda case: case.run(CAREFULS, case.text_completer(CAREFUL))
    return found


def _guesser(case: Case) -> Generator:
    return Guesser(case.graph, case.world.book)


def _generating(by: str, make: Callable[[Case], Generator]) -> Method:
    def method(case: Case) -> MethodRun:
        generator = make(case)
        done = case.run(generated(by), case.generating_completer(generator))
        return replace(done, generator=_model(generator))

    return method


def _verifying(by: str, make: Callable[[Case], Generator]) -> Method:
    def method(case: Case) -> MethodRun:
        generator = make(case)
        done = case.run(verified(by), case.text_completer(PAPER, generator=generator))
        return replace(done, generator=_model(generator))

    return method


def _model(generator: Generator) -> str:
    return UNKNOWN if generator.model is None else generator.model


def ablations() -> dict[str, Method]:
    """The policy of the paper without each of its parts."""

    def ablated(name: str) -> Method:
        return lambda case: case.run(name, case.text_completer(ABLATIONS[name]))

    found = {name: ablated(name) for name in ABLATIONS}
    found[NO_CONFLICTS] = lambda case: case.run(
        NO_CONFLICTS, case.text_completer(PAPER, Unexcluding())
    )
    return found
