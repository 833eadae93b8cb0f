"""The methods that are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from kgverify.completion.breakpoints import Breakpoint
from kgverify.completion.generating import Generator
from kgverify.completion.guessing import Guesser
from kgverify.completion.independence import UNKNOWN
from kgverify.completion.policy import CAREFUL, PAPER, Policy
from kgverify.completion.walking import Walker
from kgverify.experiments.tgcomplete.cases import Case
from kgverify.experiments.tgcomplete.completers import TextCompleter
from kgverify.experiments.tgcomplete.controls import walked_answers
from kgverify.experiments.tgcomplete.records import Answered, Cost, MethodRun
from kgverify.experiments.tgcomplete.walking import Abstaining

First = Mapping[Breakpoint, tuple[str, ...]]  # passages that the first round found
Method = Callable[[Case], MethodRun]
Generators = Mapping[str, Callable[[Case], Generator]]
Predictions = Mapping[str, Mapping[str, Answered]]

ALONE, WALKED, RETRIEVED = "graph alone", "ToG-like walk", "retrieve-to-complete"
PAPERS, CAREFULS = "TGComplete, paper", "TGComplete, careful"
GUESSES = "graph guesser"  # a stand-in for a language model, which it is not


def generated(by: str) -> str:
    """The name of generate-to-complete by a generator."""
    return f"GoG, {by}"


def verified(by: str) -> str:
    """The name of the same with its edges verified."""
    return f"GoG+Verify, {by}"


def methods(generators: Generators, predictions: Predictions) -> dict[str, Method]:
    """Every method by name, but for the policy of the paper; `generators` beside the guesser, and
    answers that somebody else predicted."""
    found: dict[str, Method] = {name: _predicted(name, of) for name, of in predictions.items()}
    found[ALONE] = lambda case: case.run(ALONE, Abstaining())
    found[WALKED] = _walked
    for by, make in {GUESSES: _guesser, **generators}.items():
        found[generated(by)] = _generating(by, make)
        found[verified(by)] = _verifying(by, make)
    found[RETRIEVED] = lambda case: case.run(RETRIEVED, case.retrieving_completer())
    found[CAREFULS] = lambda case: _judged(case, CAREFULS, case.text_completer(CAREFUL))
    return found


def by_policy(case: Case, name: str = PAPERS, policy: Policy = PAPER) -> tuple[MethodRun, First]:
    """TGComplete by a policy, and what its first round found."""
    completer = case.text_completer(policy)
    return _judged(case, name, completer), completer.first


def _judged(case: Case, name: str, completer: TextCompleter) -> MethodRun:
    return replace(case.run(name, completer), judge=case.reading.judge.name)


def _predicted(name: str, answered: Mapping[str, Answered]) -> Method:
    return lambda case: MethodRun(name, tuple(answered[q.id] for q in case.questions))


def _walked(case: Case) -> MethodRun:
    walker = Walker(case.graph, case.world.book)
    answered, _ = walked_answers(case.questions, walker, case.world.book)
    return MethodRun(WALKED, answered, cost=Cost(calls=walker.chooser.calls))


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
        done = _judged(case, verified(by), case.text_completer(PAPER, generator))
        return replace(done, generator=_model(generator))

    return method


def _model(generator: Generator) -> str:
    return UNKNOWN if generator.model is None else generator.model
