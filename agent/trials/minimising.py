"""The fewest acts of a trial that still show its violation, by delta debugging over replays in fresh browsers."""

from __future__ import annotations

from collections.abc import Sequence

from agent.proof.fewest import fewest
from agent.trials.session import Session
from tools.page.records import TrialRecord
from tools.page.trials import Act, Trial

ACTS_AT_MOST = 60
"""Acts that may be replayed, opening a browser counted as four."""
OPENING_ACTS = 4


async def minimised(record: TrialRecord, session: Session, name: str) -> Trial:
    """A shorter trial that violates the same assertions; the trial itself where no act can be left out.

    The last act stays: it is what the assertions are about. A trial that stops before its assertions does not show it.
    """
    trial = record.as_carried_out
    wanted = {number for number, one in enumerate(record.judged) if one.outcome.result == "violated"}
    acts, left = [*trial.precondition, *trial.acts], ACTS_AT_MOST

    def of(some: Sequence[Act]) -> Trial:
        kept = [act for act in some if any(act is one for one in trial.precondition)]
        return trial.model_copy(update={"precondition": tuple(kept), "acts": tuple(some[len(kept) :])})

    async def shows(some: Sequence[Act]) -> bool:
        nonlocal left
        left -= len(some) + OPENING_ACTS
        again = await session.replay(of(some), name)
        return again.result == "violated" and wanted <= {
            number for number, one in enumerate(again.judged) if one.outcome.result == "violated"
        }

    found = await fewest(acts, shows, lambda: left >= len(acts) + OPENING_ACTS)
    return of(found)
