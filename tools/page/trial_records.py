"""What came of a trial: each act as it was carried out, each assertion as it was judged. Plain values."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.assertions import Assertion, Outcome, Scene
from tools.page.assertions.base import cannot_tell
from tools.page.changes import Change, Witness, difference
from tools.page.model import PageModel
from tools.page.trials import Act, ByOther, Fill, FillForm, Paste, Trial, Wait

Stage = Literal["precondition", "acts", "control"]
Why = Literal[
    "target gone",
    "not delivered",
    "no such option",
    "disabled",
    "dialog",
    "navigated",
    "exception",
    "crashed",
    "hung",
]


_WAITS_ITSELF_MS = 1_000.0
"""A page that is quiet sooner needs no wait written out."""


def _rounded(ms: float) -> int:
    """Up to half a second more."""
    return (int(ms) // 500 + 1) * 500


class Stopped(Frozen):
    """A trial went no further, for something happened that it had not foreseen."""

    why: Why
    during: Stage
    act: int
    """Which of its acts, from 0."""
    words: str
    """One line for people."""


class ActSeen(Frozen):
    """One act as it was carried out, and the page right before and after it."""

    act: Act
    """With its targets as they were found on the page, so that it can be replayed and exported."""
    during: Stage
    problem: str = ""
    """What was unusual about it, or why it did not reach the page."""
    delivered: bool = True
    before: PageModel
    after: PageModel
    witness: Witness = Witness()
    started_ms: float
    ended_ms: float
    """App time; the page was quiet by then."""
    waited_ms: float = 0.0
    """App time that the page took to become quiet, once the hands were done."""
    id: str = ""
    """Of its row in the ledger."""

    @property
    def by_other(self) -> bool:
        """Whether another person did it; `before`, `after` and `witness` are then of that person's page."""
        return isinstance(self.act, ByOther)

    @cached_property
    def change(self) -> Change:
        """What the act came to, with all that happened until the page was quiet."""
        return difference(self.before, self.after, self.witness)


class Judged(Frozen):
    """One assertion with what was found."""

    assertion: Assertion
    """With its targets as they were found on the page."""
    outcome: Outcome
    id: str = ""
    """Of its row in the ledger."""


class TrialRecord(Frozen):
    """A trial, carried out."""

    trial: Trial
    acts: tuple[ActSeen, ...] = ()
    """In the order in which they were done, those of the precondition and of the control among them."""
    scene: Scene | None = None
    """What the assertions were judged by; None where no page was seen."""
    judged: tuple[Judged, ...] = ()
    control: tuple[Judged, ...] = ()
    """What the control experiment found; empty where it was not asked."""
    stopped: Stopped | None = None
    late_ms: float = 0.0
    """App time that was let pass besides, before all assertions held or patience was over."""
    noted: tuple[str, ...] = ()
    """What else happened that a person should know: a dialog was closed, an exception was thrown by the last act."""
    left: PageModel | None = None
    """The page as it was left, its control done; app time stands since then. None where it could not be read any more."""
    id: str = ""
    """Of its row in the ledger."""
    acts_of: str = ""
    """Id of the trial by whose acts it was judged; empty where the acts are its own."""

    def taken_back(self) -> TrialRecord:
        """The record once its maker says that an expectation was wrong: what was violated tells nothing, what held still does."""
        told = (
            judged.model_copy(update={"outcome": cannot_tell("the expectation was taken back")})
            if judged.outcome.result == "violated"
            else judged
            for judged in self.judged
        )
        return self.model_copy(update={"judged": tuple(told)})

    @property
    def result(self) -> Literal["held", "violated", "explained", "cannot tell", "stopped"]:
        """Of all its assertions together. `explained`: violated, but the control's innocent explanation holds."""
        results = [judgement.outcome.result for judgement in self.judged]
        if "violated" in results:
            asked = [judgement.outcome.result for judgement in self.control]
            if self.trial.control is None or "violated" in asked:
                return "violated"
            # A control that could not be judged tells nothing: no accusation rests on it.
            return "explained" if asked and all(text == "held" for text in asked) else "cannot tell"
        if self.stopped is not None:
            return "stopped"
        return "held" if results and all(text == "held" for text in results) else "cannot tell"

    def during(self, stage: Stage) -> tuple[ActSeen, ...]:
        """The acts of one stage."""
        return tuple(act for act in self.acts if act.during == stage)

    @property
    def own(self) -> tuple[ActSeen, ...]:
        """The acts on the page that is evaluated, without those of another person on theirs."""
        return tuple(act for act in self.acts if not act.by_other)

    @property
    def as_carried_out(self) -> Trial:
        """The trial with its targets as they were found on the page; acts that were never reached are as they were written."""
        found = {stage: tuple(act_seen.act for act_seen in self.during(stage)) for stage in ("precondition", "acts")}
        whole = {
            "precondition": found["precondition"] + self.trial.precondition[len(found["precondition"]) :],
            "acts": found["acts"] + self.trial.acts[len(found["acts"]) :],
        }
        judged = tuple(judgement.assertion for judgement in self.judged)
        return self.trial.model_copy(update={**whole, "asserts": judged or self.trial.asserts})

    @property
    def for_export(self) -> Trial:
        """The same, with the time written out that a test of its own would not wait by itself."""
        trial = self.as_carried_out
        whole: dict[Stage, list[Act]] = {"precondition": [], "acts": []}
        for stage, acts in whole.items():
            for seen in self.during(stage):
                acts.append(seen.act)
                if seen.waited_ms > _WAITS_ITSELF_MS:
                    acts.append(Wait(app_ms=_rounded(seen.waited_ms)))
        if self.late_ms:
            whole["acts"].append(Wait(app_ms=_rounded(self.late_ms)))
        done = {stage: len(self.during(stage)) for stage in whole}
        return trial.model_copy(
            update={
                "precondition": (*whole["precondition"], *trial.precondition[done["precondition"] :]),
                "acts": (*whole["acts"], *trial.acts[done["acts"] :]),
            }
        )

    def words(self) -> str:
        """What was found, a line an assertion."""
        lines = [
            f"{judgement.outcome.result}: {judgement.assertion.words()} ({judgement.outcome.seen})" for judgement in self.judged
        ]
        if self.stopped is not None:
            lines.insert(0, f"stopped: {self.stopped.words}")
        return "\n".join(lines)


def hand_filled(known: frozenset[tuple[str, str]], seen: ActSeen) -> frozenset[tuple[str, str]]:
    """Which fields hold what was typed into them, by key and value, after one more act; `known`: those before it.

    A field that shows another value since holds what the app put there; one that is not shown holds it yet, unless it went with
    its dialog: what a dialog shows when it is opened again the app put there.
    """
    fills = seen.act.fills if isinstance(seen.act, FillForm) else (seen.act,)
    typed = {(fill.target.key, fill.value) for fill in fills if isinstance(fill, Fill)}
    typed |= {(seen.act.target.key, seen.act.text)} if isinstance(seen.act, Paste) else set()
    shown = {field.key: field.value for field in seen.after.fields}
    was = {field.key: field.value for field in seen.before.fields}
    closed = {field.key for field in seen.before.fields if field.layer and field.key not in shown}
    return frozenset(
        (key, value) for key, value in known | typed if value and key not in closed and shown.get(key, value) == value
        if (key, value) in typed or was.get(key, value) == value
    )  # fmt: skip
