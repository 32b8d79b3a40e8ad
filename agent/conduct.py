"""Rules of conduct: when to stop exploring and why, what counts as going in circles, and what was and was not covered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from agent.addresses import origin
from agent.deciders.protocol import Step, View
from agent.skills.controls import Kind, external, kind_of
from agent.words import says
from tools.browser.actions import Action, Press
from tools.browser.marks import Mark, Observation
from tools.evidence.rows import Changes, Covered, Outcome, Promise
from tools.text import how_many

SUMMARY_STEPS = 1
"""Steps kept for concluding."""
SUMMARY_S = 2.5
"""App seconds kept for concluding: one step and its settling."""
IDENTICAL_BEFORE_CHANGE = 3
"""After so many identical observations in a row the strategy changes."""
IDENTICAL_BEFORE_STUCK = 9
"""After so many the exploration ends: three strategies of three attempts each found nothing that reacts."""
SAME_ACT_SAME_STATE = 3
"""The same act on the same state of the page so often is a cycle."""
CYCLE_WINDOW = 12
NEGLIGIBLE_PICTURE = 0.02
"""Share of pixels a hover or focus style may change; a canvas shows real changes below that, so it is not used for those."""
MOST_RELOADS = 2
MOST_LINES = 40

PromiseState = Literal["shown", "broken", "not_tested"]
_REASONS = frozenset({"covered", "steps", "time", "stuck", "cycle", "crashed", "hung", "left_site", "no_artifact", "interrupted"})


def stop_reason(view: View, stage_state: str) -> str | None:
    """Why the exploration must end now, or None. `stage_state` is the stage's: `live`, `crashed`, `hung`, `closed`."""
    if stage_state in ("crashed", "closed"):
        return "crashed"
    if stage_state == "hung":
        return "hung"
    if view.steps_left <= SUMMARY_STEPS:
        return "steps"
    if view.seconds_left <= SUMMARY_S:
        return "time"
    if off_site(view) and failed_returns(view.steps) >= 2:
        return "left_site"
    if circling(view):
        return "cycle"
    if eventless_run(view.steps) >= IDENTICAL_BEFORE_STUCK or garbled_and_reloaded(view):
        return "stuck"
    return None


def normalised(action: Action) -> str:
    """An action as what it comes down to: kind of act, aim and contents, without coordinates' last digits."""
    target = getattr(action, "target", None)
    aim = "" if target is None else f"{target.signature or target.selector}@{target.selector}"
    values = action.model_dump(exclude={"target", "to", "hold_ms", "gap_ms"})
    return f"{aim}|{sorted(values.items(), key=lambda item: item[0])}"


def _state_of(observation: Observation) -> str:
    return f"{observation.url}|{observation.fingerprint}"


def _states(view: View) -> dict[str, str]:
    """Id of an observation → its state, as far as observations are known."""
    return {seen.id: _state_of(seen) for seen in (*view.past, view.now)}


def done_here(view: View) -> Counter[str]:
    """How often each act (normalised) was delivered on the state the page is in now."""
    states, here = _states(view), _state_of(view.now)
    return Counter(
        normalised(step.decision.action)
        for step in view.steps
        if step.acted.delivered and step.decision.action is not None and states.get(step.acted.before, here) == here
    )


def repeats(view: View, action: Action) -> int:
    """How often this act was delivered on the state the page is in now."""
    return done_here(view)[normalised(action)]


def circling(view: View) -> bool:
    """Whether the latest steps repeat the same act on the same state without a new outcome."""
    states = _states(view)
    recent = [step for step in view.steps if step.decision.action is not None][-CYCLE_WINDOW:]
    if len(recent) < SAME_ACT_SAME_STATE:
        return False
    keys = [f"{normalised(step.decision.action)}#{states.get(step.acted.before, '?')}" for step in recent if step.decision.action]
    counts = Counter(key for key in keys if not key.endswith("#?"))
    last = keys[-1]
    return counts.get(last, 0) > SAME_ACT_SAME_STATE and all(counts.get(key, 0) > 1 for key in keys[-SAME_ACT_SAME_STATE:])


def eventless(step: Step) -> bool:
    """Whether a delivered act changed nothing: the observation after it is the one before, hover styles aside."""
    changes = step.acted.changes
    if not step.acted.delivered or _definite(changes):
        return False
    action = step.decision.action
    target = getattr(action, "target", None)
    painted = isinstance(action, Press) or (target is not None and target.role in ("canvas", "img", "graphics-document"))
    return (changes.picture or 0.0) <= (0.0005 if painted else NEGLIGIBLE_PICTURE) and not (changes.moving or 0.0) > 0.0005


def _definite(changes: Changes) -> bool:
    return bool(
        changes.url
        or changes.text
        or changes.dom
        or changes.network
        or changes.storage
        or changes.scroll
        or changes.value
        or changes.dialogs
    )


def eventless_run(steps: Sequence[Step]) -> int:
    """How many of the latest delivered acts in a row changed nothing."""
    run = 0
    for step in reversed(steps):
        if not step.acted.delivered:
            continue
        if not eventless(step):
            break
        run += 1
    return run


def off_site(view: View) -> bool:
    """Whether the page shown now is not one of the site's."""
    return bool(view.entry_url) and origin(view.now.url) != origin(view.entry_url)


def failed_returns(steps: Sequence[Step]) -> int:
    """Attempts in a row to come back to the site, just now, that left the browser elsewhere."""
    run = 0
    for step in reversed(steps):
        if step.decision.skill != "return to the site":
            break
        run += 1
    return run


def garbled(observation: Observation) -> bool:
    """Whether the page shows nothing that can be used: a framework's error screen, or neither text, marks nor motion."""
    text = observation.text.strip()
    if not observation.marks and len(text) < 400 and says("garbled", text):
        return True
    return not observation.marks and not text and not observation.animated and observation.moving <= 0.0005


def reloads(steps: Sequence[Step]) -> int:
    """Reloads done because the page was garbled."""
    return sum(1 for step in steps if step.decision.skill == "reload a garbled page")


def garbled_and_reloaded(view: View) -> bool:
    """Whether the page is still garbled after as many reloads as it gets."""
    return garbled(view.now) and reloads(view.steps) >= MOST_RELOADS


def coverage(
    view: View, stop: str, touched: frozenset[str] = frozenset(), exercised: frozenset[str] = frozenset(), states: int = 0
) -> Covered:
    """What was found and tried, which promises were shown or broken, and what was left out and why.

    `stop` is a stop reason of `Covered`. Of the trials: `touched` are selectors of what they aimed at, `exercised` the promises
    that an assertion was about, `states` how many states they were in. Raises `ValueError` for another word.
    """
    if stop not in _REASONS:
        raise ValueError(f"{stop!r} is no stop reason; there are: {', '.join(sorted(_REASONS))}")
    found = _found(view)
    tried = {_aim(step) for step in view.steps if step.acted.delivered and _aim(step)}
    tried |= {signature for signature, mark in found.items() if mark.selector in touched}
    if any(isinstance(step.decision.action, Press) and step.acted.delivered for step in view.steps):
        tried |= {signature for signature, mark in found.items() if mark.kind == "canvas"}  # a canvas is played with keys
    promises: dict[str, PromiseState] = {
        promise.id: _promise_state(promise, view.steps, tried=promise.id in exercised) for promise in view.plan.promises
    }
    return Covered(
        stop_reason=stop,  # pyright: ignore[reportArgumentType] - checked above
        controls_found=len(found),
        controls_tried=len(tried & set(found)),
        promises=promises,
        not_tested=tuple(_not_tested(view, found, tried, promises, stop)[:MOST_LINES]),
        states=states,
    )


def _found(view: View) -> dict[str, Mark]:
    found: dict[str, Mark] = {}
    for observation in (*view.past, view.now):
        for mark in observation.marks:
            found.setdefault(mark.signature, mark)
    return found


def _aim(step: Step) -> str:
    target = getattr(step.decision.action, "target", None)
    return "" if target is None else (target.signature or target.selector)


def _promise_state(promise: Promise, steps: Sequence[Step], *, tried: bool) -> PromiseState:
    told = [outcome.held for step in steps for outcome in step.outcomes if _is_about(outcome, promise)]
    if False in told:
        return "broken"
    return "shown" if tried or True in told else "not_tested"


def _is_about(outcome: Outcome, promise: Promise) -> bool:
    """Whether an outcome tells of a promise: asked for its sake, or holding what the promise's aspect is (kept, came back).

    Words that a deed and a promise share prove nothing: "Escape cancels" is not shown by a press on "Cancel".
    """
    kept = promise.aspect == "persistence" and outcome.held is True and outcome.oracle in {"persists", "came_back"}
    return outcome.promise == promise.id or kept


def _not_tested(view: View, found: dict[str, Mark], tried: set[str], promises: Mapping[str, str], stop: str) -> list[str]:
    lines = [
        _untested_promise(promise, view.steps, stop) for promise in view.plan.promises if promises[promise.id] == "not_tested"
    ]
    left = [mark for signature, mark in found.items() if signature not in tried]
    lines += _by_reason(left, view, stop)
    missed = Counter(_aim(step) for step in view.steps if not step.acted.delivered and _aim(step))
    for signature, count in missed.items():
        if signature not in tried:
            mark = found.get(signature)
            what = f'{mark.role} "{mark.name}"' if mark else signature
            lines.append(f"{what}: {how_many(count, 'attempt')} did not reach it, so nothing is known about it")
    return lines


def _untested_promise(promise: Promise, steps: Sequence[Step], stop: str) -> str:
    tried = [told for step in steps for told in step.outcomes if told.promise == promise.id]
    if tried:
        return f'promise "{promise.text[:80]}": tried, but it could not be told: {tried[-1].observed[:100]}'
    reasons = {
        "sound": "sound is recorded but not measured by this decider",
        "responsive": "judged from the pictures at mobile width, not by interaction",
        "language": "judged from the page's text, not by interaction",
        "content": "whether the content is right is for the judge to see",
    }
    ended = {
        "covered": "no control for it was recognised",
        "steps": "the step limit came first",
        "time": "the time limit came first",
    }
    why = reasons.get(promise.aspect) or ended.get(stop, f"the exploration ended early ({stop})")
    return f'promise "{promise.text[:80]}": {why}'


def _by_reason(left: list[Mark], view: View, stop: str) -> list[str]:
    """One line for each reason to leave marks out, with how many and the first names."""
    reasons: dict[str, list[Mark]] = {}
    groups_tried = {mark.group for mark in _found(view).values() if mark.group and mark not in left}
    for mark in left:
        reasons.setdefault(_reason(mark, view, groups_tried, stop), []).append(mark)
    lines = []
    for reason, marks in sorted(reasons.items()):
        names = ", ".join(f'"{mark.name[:30]}"' for mark in marks[:3] if mark.name)
        more = f" ({names}{' …' if len(marks) > 3 else ''})" if names else ""
        lines.append(f"{len(marks)} × {reason}{more}")
    return lines


def _reason(mark: Mark, view: View, groups_tried: set[str], stop: str) -> str:
    kind = kind_of(mark)
    if external(mark, view.entry_url or view.now.url):
        return "link to another site: external pages are not followed"
    if kind is Kind.file:
        return "file input: uploads are not tested"
    if mark.disabled:
        return "disabled control: it was never enabled"
    if kind is Kind.media:
        return "audio or video: its sound is not measured by this decider"
    if mark.group and mark.group in groups_tried:
        return "repeated item: a sample of its kind was tried"
    if stop != "covered":
        return f"{kind.value}: not reached within the limits"
    in_sight = any(other.signature == mark.signature for other in view.now.marks)
    why = "left alone, for nothing was expected of it" if in_sight else "seen in passing, gone when its turn came"
    return f"{kind.value}: {why}"
