"""The fewest acts of a trial that still show its violation, by delta debugging over replays in fresh browsers.

An act of the trial itself is left out only where no innocent page would show the violation, however few acts there are: an error.
That something is not in the list shows on any page once "Add" is left out. What leads to the trial's state may be left out where
just the same is seen without it.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.trials.delta_debugging import fewest
from agent.tryouts.session import Session
from tools.page.trial_records import TrialRecord
from tools.page.trials import Act, Trial

ACTS_AT_MOST = 60
"""Acts that may be replayed, opening a browser counted as four."""
OPENING_ACTS = 4
_TELLING = frozenset({"clean"})
"""Kinds of assertions that an innocent page holds after any acts."""


async def minimised(record: TrialRecord, session: Session, name: str) -> TrialRecord:
    """The record of the shortest trial that was seen to violate the same assertions in the same way; else the one given."""
    trial, shortest = record.as_carried_out, record
    wanted = _violated(record)
    telling = all(record.judged[number].assertion.kind in _TELLING for number in wanted)
    first = (*trial.precondition, *trial.acts) if telling else trial.precondition
    left = ACTS_AT_MOST

    def of(some: Sequence[Act | Trial]) -> Trial:
        kept = tuple(act for act in some if not isinstance(act, Trial))
        if not telling:
            return trial.model_copy(update={"precondition": kept})
        before = tuple(act for act in kept if any(act is each_act for each_act in trial.precondition))
        return trial.model_copy(update={"precondition": before, "acts": kept[len(before) :]})

    async def shows(some: Sequence[Act | Trial]) -> bool:
        nonlocal left, shortest
        left -= len(some) + len(trial.acts) + OPENING_ACTS
        again = await session.replay(of(some), name)
        if again.result == "violated" and wanted.items() <= _violated(again).items():
            shortest = again
            return True
        return False

    # The last one of the list always stays: the last act, or, where the acts are not touched, the trial in place of them.
    acts: list[Act | Trial] = [*first] if telling else [*first, trial]
    await fewest(acts, shows, lambda: left >= len(acts) + len(trial.acts) + OPENING_ACTS)
    return shortest


def _violated(record: TrialRecord) -> dict[int, str]:
    """Numbers of the violated assertions, with what was seen."""
    return {
        number: judgement.outcome.seen for number, judgement in enumerate(record.judged) if judgement.outcome.result == "violated"
    }
