"""By what a trial is judged: its own assertions, what holds for any act, and, where they are the same, another trial's acts."""

from __future__ import annotations

from collections.abc import Sequence

from agent.trials.carrying import NOT_WAITED_FOR, found_on
from agent.trials.writing import TrialWriter
from tools.page.assertions import Assertion, Somewhere
from tools.page.trial_records import Judged, TrialRecord
from tools.page.trials import ByOther, Trial


def watched(trial: Trial, always: Sequence[Assertion]) -> Trial:
    """The trial, judged also by what holds for any act whatever: nothing fails, the page is not blank, words can be read.

    What only another person does, on a page of their own, is no act on this one.
    """
    kinds = {assertion.kind for assertion in trial.asserts}
    acts = any(not isinstance(act, ByOther) for act in trial.acts)
    more = tuple(assertion for assertion in always if acts and assertion.kind not in kinds)
    return trial.model_copy(update={"asserts": (*trial.asserts, *more)}) if more else trial


def shown_too(trial: Trial, record: TrialRecord, writer: TrialWriter) -> TrialRecord | None:
    """What a trial with the very acts of one that was carried out, from the same state, comes to where all it says holds.

    It is written into the ledger as judged by the other one's acts. None where that takes acts of its own: what is violated is
    seen with its control, and some assertions want a later look, a reload, or every view that was seen.
    """
    scene = record.scene
    if scene is None or record.stopped is not None or demands(trial):
        return None
    named = [found_on(assertion, scene) for assertion in trial.asserts]
    judged = [Judged(assertion=assertion, outcome=assertion.evaluate(scene)) for assertion in named]
    if not judged or any(judgement.outcome.result != "held" for judgement in judged):
        return None
    trial = trial.model_copy(update={"afresh": record.trial.afresh})  # whoever repeats it begins as this one began
    row = writer.begin(trial, acts_of=record.id)
    written = tuple(
        judgement.model_copy(update={"id": writer.assertion(judgement, scene, control=False)}) for judgement in judged
    )
    acts = tuple(act for act in record.acts if act.during != "control")
    shown = record.model_copy(
        update={"trial": trial, "acts": acts, "judged": written, "control": (), "id": row, "acts_of": record.id}
    )
    writer.end(shown)
    return shown


def seems_broken(trial: Trial, record: TrialRecord) -> bool:
    """Whether a trial with the very acts of one that was carried out would have been violated by them, its control aside."""
    scene = record.scene
    if scene is None or record.stopped is not None or demands(trial):
        return False
    return any(found_on(assertion, scene).evaluate(scene).result == "violated" for assertion in trial.asserts)


def demands(trial: Trial) -> int:
    """How many of its assertions want more than the page right after its acts: who has most of these goes first."""
    return sum(isinstance(assertion, (*NOT_WAITED_FOR, Somewhere)) for assertion in trial.asserts)
