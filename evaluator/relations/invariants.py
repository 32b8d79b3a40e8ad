"""Relations that hold after every act, whoever made it: judged by what the act came to, without acts of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaluator.relations.base import Ground, Registered, relations
from tools.page.assertions import Assertion, Outcome, Scene
from tools.page.trials import Trial


@dataclass(frozen=True)
class Invariant:
    """One statement of such a relation, judged."""

    by: Registered
    trial: Trial
    assertion: Assertion
    outcome: Outcome


def invariants(scene: Scene, ground: Ground) -> Iterator[Invariant]:
    """What each relation that always holds says of one act. What is violated is only a suspicion: its trial has the control."""
    for one in relations().values():
        if one.always:
            for trial in one.trials(ground):
                for assertion in trial.asserts:
                    yield Invariant(one, trial, assertion, assertion.evaluate(scene))
