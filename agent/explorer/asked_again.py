"""A relation asked again: in a fresh browser, at the same state, the like trial of the parts that are there now."""

from __future__ import annotations

from agent.explorer.judging import watched
from agent.trials.carrying import carry_out
from agent.trials.settled import quiet
from evaluator.relations.base import Ground, relations
from tools.browser.eyes import today
from tools.browser.stage import Stage
from tools.page.assertions import Clean
from tools.page.trial_records import hand_filled
from tools.page.trials import Act, Trial


async def made_anew(trial: Trial, way: tuple[Act, ...], stage: Stage) -> Trial | None:
    """Go the trial's way, and have its relation make the like trial there: with the same kinds of acts and assertions.

    None where nobody knows the relation, the way leads nowhere, or it makes no such trial. The trial that is given back begins in
    the state that the stage is in.
    """
    relation = relations().get(trial.by)
    if relation is None:
        return None
    page = await quiet(stage)
    earlier, filled = [page], frozenset[tuple[str, str]]()
    if way:
        walk = Trial(why="the way to a state", acts=way, asserts=(Clean(),), by="way")
        record = await carry_out(walk, stage)
        if record.stopped is not None or stage.state != "live":
            return None
        earlier += [seen.after for seen in record.own]
        for seen in record.own:
            filled = hand_filled(filled, seen)
        page = await quiet(stage)
    ground = Ground(page=page, today=today(stage), earlier=tuple(earlier), hand_filled=filled)
    like = next(
        (each_trial for each_trial in relation.trials(ground) if _kinds(each_trial) == _kinds(trial, of=each_trial)), None
    )
    always = tuple(
        assertion for assertion in trial.asserts if like is not None and assertion.kind not in {own.kind for own in like.asserts}
    )
    return watched(like, always) if like is not None else None


def _kinds(trial: Trial, of: Trial | None = None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Kinds of its acts and assertions; of the latter as many as the other has, for more were added to be watched."""
    asserts = tuple(assertion.kind for assertion in trial.asserts)
    return tuple(act.kind for act in trial.acts), asserts[: len(of.asserts)] if of is not None else asserts
