"""What was paused goes on where it stopped: the time that was waited is not made up for at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.deciders.protocol import Step
from agent.skills.checks.case import Case, Told
from agent.skills.checks.labelled import figures
from agent.words import clock_times, concepts, keywords
from tools.browser.marks import Observation

LEAST_PAUSE_S, LEAST_RUN_S = 1.2, 0.7
LEAPS, MORE = 0.6, 1.3
"""Share of the pause that has to be made up for to be told; how much faster than before it may run otherwise."""
_TIME = frozenset({"time", "elapsed", "zeit", "laufzeit", "verstrichen", "temps", "tiempo", "时间", "用时"})
_WAITS = frozenset({"wait"})


def times(page: Observation) -> dict[str, float]:
    """Label → seconds, or whatever a figure called after time is in; clock times by their place on the page."""
    clocks = {f"clock {place}": seconds(one) for place, one in enumerate(clock_times(page.text))}
    named = {label: value for label, value in figures(page).items() if set(keywords(label)) & _TIME or "timer" in concepts(label)}
    return {**clocks, **named}


def seconds(time: str) -> float:
    """Of `25:00`, `1:02:03` or `00:01.37`."""
    total = 0.0
    for part in time.replace(",", ".").split(":"):
        total = total * 60 + float(part)
    return total


def paused(steps: Sequence[Step], seen: Mapping[str, Observation], stop: str) -> dict[str, float | str] | None:
    """`label`, `rate` (its change each second of app time) and `pause` (seconds so far) of a time that the last `stop` stopped.

    None unless it was seen to run before, and stands now as it stood right after the stop.
    """
    place = next((place for place in range(len(steps) - 1, -1, -1) if steps[place].decision.skill == stop), None)
    if place is None or steps[place].acted.after not in seen or steps[-1].acted.after not in seen:
        return None
    stopped, now = seen[steps[place].acted.after], seen[steps[-1].acted.after]
    pause = (now.app_ms - stopped.app_ms) / 1000
    held, then = times(now), times(stopped)
    for step in reversed(steps[:place]):
        before, after = seen.get(step.acted.before), seen.get(step.acted.after)
        if before is None or after is None or step.acted.action.get("act") not in _WAITS:
            continue
        ran = (after.app_ms - before.app_ms) / 1000
        one, other = times(before), times(after)
        for label in one:
            moved = other.get(label, one[label]) - one[label]
            if moved and held.get(label) and ran >= LEAST_RUN_S and pause >= LEAST_PAUSE_S and held[label] == then.get(label):
                return {"label": label, "rate": moved / ran, "pause": pause}
        return None
    return None


def goes_on(case: Case) -> Told:
    """A time (`label`) that ran at `rate` goes on where it was paused. It leaps by most of the `pause`: `wrong_result`.

    Told at the press, or at the wait after it, where at the press it had not gone on yet.
    """
    label, rate, pause = case.word("label"), case.number("rate"), case.number("pause")
    was, now = times(case.before).get(label), times(case.after).get(label)
    if was is None or now is None or not rate or now == was:
        return Told(None, "no time is shown, or it has not gone on yet", attempts=0)
    waited = case.action.act == "wait" and bool(case.history)
    began_ms = case.history[-1].acted.started_ms if waited else case.acted.started_ms
    passed = (case.after.app_ms - began_ms) / 1000
    moved = (now - was) / rate  # in seconds of app time at the rate before the pause
    told = f"after a pause of {pause:.1f} s it went from {was:g} to {now:g} within {passed:.1f} s"
    if moved >= MORE * passed + LEAPS * pause:
        return Told(False, f"{told}, as if it had run on meanwhile", "wrong_result")
    if 0 <= moved <= MORE * passed + 0.2 * pause:
        return Told(True, told)
    return Told(None, told, attempts=0)
