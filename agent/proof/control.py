"""Control experiments: what would also explain that nothing happened, and the trial that tells (DESIGN, decision 15).

A replay confirms an observation; it cannot confirm an accusation that rests on a silence, since it repeats the misreading along
with the act: "30 days" that was chosen already does nothing on every fresh page, and so does "Clear" on an empty canvas. The
experiment: from the very state in which nothing happened, do something else that has an effect, seen with the same instrument,
and then repeat the act. If it has an effect now, it works, and the silence had another reason. If it still has none, though the
page had moved on, nothing but a defect is left. Where no other act has an effect the silence tells nothing, unless the code that
ran does: an act in answer to which none of the app's own code ran is one that nothing listens to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.deciders.protocol import Step
from agent.proof.effects import ENTERS, may_have_had
from agent.proof.own_code import OwnCode
from agent.proof.replay import NotDelivered, Replay
from agent.proof.slices import target_of
from tools.browser.actions import Target, describe
from tools.browser.marks import Mark, Observation
from tools.browser.tab import TabCrashed, TabHung
from tools.errors import StageFault

MOST_TRIALS = 4
"""Other acts that are tried, of unlike kinds: what gives one button something to do (a stroke, a row) need not be the first."""
_NEVER = frozenset({"reload", "goto", "resize", "wait", "hover", "scroll"})
"""Acts that are no other use of the app, or leave the state that is asked about."""
_HOLDS = frozenset({"slider", "spinbutton"})
"""What holds a value, by whatever act it is set."""
_NATIVE = """(selector) => {
  const element = document.querySelector(selector);
  return !element || Boolean(element.form || element.popoverTargetElement || element.commandForElement
    || element.closest('a[href], label, summary, select, [contenteditable]'));
}"""


@dataclass(frozen=True)
class Control:
    """What a control experiment said of a silence."""

    result: Literal["defect", "explained", "cannot_tell"]
    words: str


async def control(replay: Replay, judged: Step, run: Sequence[Step], *, own_code: OwnCode | None) -> Control:
    """Ask, right after the judged act was replayed, whether anything but a defect explains that nothing happened.

    `run`: the steps of the run, where other acts are taken from; `own_code`: what of the app's own code ran in answer to the act,
    `None` where that was not measured.
    """
    here = replay.observations[-1]
    if reason := already(here, target_of(judged)):
        return Control("explained", reason)
    still: list[str] = []
    alike = False
    for other in others(judged, run, here):
        answer = await _after(replay, other, judged)
        if answer is None:
            continue
        if answer:
            return Control("explained", f"after “{describe_step(other)}” it has an effect")
        still.append(describe_step(other))
        alike = alike or (own_code is not None and own_code.path == replay.code.latest_path(other))
    if own_code is not None and own_code.redrew and not alike:
        return Control(
            "cannot_tell", f"its code ran and drew the page anew ({own_code.names}): it may show what was there already"
        )
    if still:
        return Control("defect", f"it still does nothing after “{'” and after “'.join(still)}”, which had an effect")
    if own_code is not None and own_code.dead and not _enters(judged) and await _plain(replay, here, target_of(judged)):
        return Control("defect", "none of the app's own code ran in answer to it")
    return Control("cannot_tell", "no other act had an effect in the same state that would tell")


def already(here: Observation, target: Target | None) -> str:
    """Why an act on the target has nothing to do in this state: it is chosen, ticked, disabled or where we are; else empty."""
    mark = _mark(here, target)
    if mark is None:
        return ""
    if mark.disabled:
        return "it is disabled in this state"
    if "current" in mark.evidence or (mark.checked and mark.role in {"radio", "tab", "menuitemradio", "option"}):
        return "it was already chosen"
    if mark.href and mark.href.partition("#")[0] == here.url.partition("#")[0] and "#" not in mark.href:
        return "it leads to where the page already is"
    return ""


def others(judged: Step, run: Sequence[Step], here: Observation) -> Iterator[Step]:
    """Other acts of the run that had an effect and can be done in this state: neighbours first, then unlike kinds."""
    own = target_of(judged)
    there = {(mark.frame, mark.selector): mark for mark in here.marks if mark.in_view and not mark.disabled and not mark.covered}
    mine = _mark(here, own)
    ranked: list[tuple[tuple[int, int], tuple[str, str], Step]] = []
    for step in run:
        action, target = step.decision.action, target_of(step)
        if action is None or action.act in _NEVER or not may_have_had(step):
            continue
        keyed = target is None and action.act == "press" and step.decision.action != judged.decision.action
        if target is None and not keyed:
            continue
        mark = there.get((target.frame, target.selector)) if target is not None else None
        if target is not None and (mark is None or (own is not None and _same(target, own) and not _other_value(step, judged))):
            continue
        if _enters(judged) and not (target is not None and own is not None and _same(target, own)):
            continue
        neighbour = mark is not None and mine is not None and bool(mark.group) and mark.group == mine.group
        kind = (action.act, mark.role if mark is not None else "")
        ranked.append(((0 if neighbour else 1, step.number), kind, step))
    given, seen, kinds = 0, set[str](), list[tuple[str, str]]()
    for fresh in (True, False):  # one of each kind before a second of any
        for (near, _), kind, step in sorted(ranked, key=lambda one: one[0]):
            key = describe_step(step)
            if key in seen or (fresh and kind in kinds and near) or given == MOST_TRIALS:
                continue
            seen.add(key)
            kinds.append(kind)
            given += 1
            yield step


async def _after(replay: Replay, other: Step, judged: Step) -> bool | None:
    """Whether the judged act has an effect after another one that had; `None` where that cannot be told."""
    oracles = frozenset(one.oracle for one in judged.decision.expectations)
    try:
        first = await replay.one(other, frozenset())
        if not first.acted.delivered or not replay.effects[-1].definite:
            return None
        again = await replay.one(judged, oracles)
    except (NotDelivered, TabHung, TabCrashed):
        return None
    came = replay.effects[-1]
    return bool(came.definite or came.doubtful) or any(outcome.held for outcome in again.outcomes)


def describe_step(step: Step) -> str:
    """The act of a step, for people."""
    return describe(step.decision.action) if step.decision.action is not None else ""


def _same(one: Target, other: Target) -> bool:
    return (one.frame, one.selector) == (other.frame, other.selector)


def _enters(step: Step) -> bool:
    """Whether a value is entered or chosen: it may be meant for a later act (a size for the next round, a pen for the next line).

    What tells there is another value of the same field alone: if that one had an effect at once, so should this one.
    """
    action, target = step.decision.action, target_of(step)
    return action is not None and (action.act in ENTERS or (target is not None and target.role in _HOLDS))


def _other_value(step: Step, judged: Step) -> bool:
    """Whether both enter something in the same field, and not the same."""
    one, other = step.decision.action, judged.decision.action
    return one is not None and other is not None and one.act in ENTERS and one.act == other.act and one != other


def _mark(here: Observation, target: Target | None) -> Mark | None:
    if target is None:
        return None
    return next((mark for mark in here.marks if (mark.frame, mark.selector) == (target.frame, target.selector)), None)


async def _plain(replay: Replay, here: Observation, target: Target | None) -> bool:
    """Whether the browser itself does nothing with a press there: no form to check or reset, no link, no native widget."""
    mark = _mark(here, target)
    if mark is None or mark.frame or mark.tag not in {"button", "div", "span", "li", "canvas"}:
        return False
    try:
        return await replay.stage.evaluate(_NATIVE, mark.selector) is False
    except StageFault:
        return False
