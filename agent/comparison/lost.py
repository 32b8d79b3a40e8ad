"""What A was seen to do and B's run did not try, tried on B: a failure that is met there twice, and not on A, came with B."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.comparison.replaying import Replayer
from evaluator.comparison.about import keys_in
from evaluator.comparison.model import Item, Otherwise, Replay, Shot, Side
from evaluator.comparison.shots import replay_shot, trial_shot
from evaluator.comparison.untried import confirmed
from evaluator.findings.trial_failures import Key, from_trials
from evaluator.record.naming import clean
from evaluator.record.sealed import Reading, TrialSeen
from evaluator.relations.base import relations
from evaluator.verdict.model import Failure
from evaluator.verdict.rubric import load_rubric
from tools.evidence.record import Record
from tools.page.trial_records import TrialRecord
from tools.text import how_many


@dataclass(frozen=True)
class Suspect:
    """A trial that held on A and fails on B, twice."""

    trial: TrialSeen
    failure: Failure
    folder: Path
    """Where the second of these is written."""
    keys: frozenset[Key]


@dataclass
class Lost:
    """The trials that are made on B besides, and what came of them."""

    trials: Sequence[TrialSeen]
    suspects: list[Suspect] = field(default_factory=list[Suspect])
    otherwise: list[Otherwise] = field(default_factory=list[Otherwise])
    held: int = 0

    async def on_b(self, replayer: Replayer) -> None:
        """Make them on B's app; what fails there is made once more in another browser."""
        for trial in self.trials:
            first = await replayer.once(trial.row, "held")
            if first is None or first[0].result != "violated":
                self.held += first is not None and first[0].result == "held"
                if first is not None and first[0].result == "cannot tell" and first[0].stopped is None:
                    self.otherwise.append(_otherwise(trial, *first, replayer))
                continue
            second = await replayer.once(trial.row, "held-again")
            if second is not None and second[0].result == "violated" and (found := _suspect(trial, second[1])) is not None:
                self.suspects.append(found)

    async def on_a(self, replayer: Replayer, known: frozenset[Key], home: Path) -> list[Item]:
        """The suspects that hold on A by the same way and are none of B's `known` failures, as items."""
        reading, items = replayer.on.reading, list[Item]()
        for suspect in self.suspects:
            if suspect.keys & known:
                continue
            there = await replayer.once(suspect.trial.row, "held")
            if there is None or there[0].result != "held":
                continue
            shots: dict[Side, Shot | None] = {
                "a": replay_shot([there[1]], "held", home), "b": replay_shot([suspect.folder], "failed", home),
            }  # fmt: skip
            promise = reading.promises.get(suspect.failure.promise)
            done = how_many(len(there[0].acts), "act")
            items.append(
                Item(
                    state="new", a=None, b=suspect.failure, by=suspect.trial.by, beyond=True,
                    requirement=promise.text if promise is not None else "",
                    replay=Replay(on="a", outcome="held", reason=f"{done} in a fresh browser"),
                    shots={side: shot for side, shot in shots.items() if shot is not None},
                )
            )  # fmt: skip
        return items

    def told(self, items: Sequence[Item]) -> str:
        """What came of it, in a line; empty where there was nothing to try."""
        if not self.trials:
            return ""
        rest = len(self.trials) - self.held - len(items) - len(self.otherwise)
        came = (
            (self.held, "held"),
            (len(items), "failed, and held on A again"),
            (len(self.otherwise), "came to something else"),
            (rest, "told nothing"),
        )
        ends = ", ".join(f"{number} {words}" for number, words in came if number)
        return f"Of what held on A, {how_many(len(self.trials), 'trial')} had no like in B's run. Made on B: {ends}."


def _otherwise(trial: TrialSeen, there: TrialRecord, folder: Path, replayer: Replayer) -> Otherwise:
    """What could be told on A and can't on B."""
    home = replayer.shown_by
    open_there = next((number for number, judgement in enumerate(there.judged) if judgement.outcome.result != "held"), 0)
    own = [row for _, row in trial.judged if not row.control]
    shots: dict[Side, Shot | None] = {
        "a": trial_shot(home.record, trial.row, str(home.run_dir)), "b": replay_shot([folder], "held", replayer.home),
    }  # fmt: skip
    return Otherwise(
        why=clean(trial.why),
        by=trial.by,
        a=clean(own[open_there].seen, 300) if open_there < len(own) else "",
        b=clean(there.judged[open_there].outcome.seen, 300) if there.judged else "",
        shots={side: shot for side, shot in shots.items() if shot is not None},
    )


def _suspect(trial: TrialSeen, folder: Path) -> Suspect | None:
    reading = Reading(Record.read(folder), open_yet=True)
    found = from_trials(reading, relations(), load_rubric())
    own = next((failure for failure in found if failure.blame.value == "app"), None)
    if own is None:
        return None
    acts = how_many(len(reading.acts), "act")
    return Suspect(trial, confirmed(own, acts), folder, keys_in(reading))
