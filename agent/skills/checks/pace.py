"""How fast something runs by itself, at two settings of what is to set its pace."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told
from agent.skills.checks.labelled import figures
from agent.words import says
from tools.browser.marks import Observation

LEAST_MS, LEAST_GONE = 900.0, 4.0
_TIME_OF_IT = re.compile(r"\b(?:day|year|week|month|hour|step|round|tag|jahr|jour|an|día|año)\b|[天年步轮]", re.IGNORECASE)
"""What a simulation calls its own time."""
FAR, SAME = 1.8, 1.2
"""From so many times the value on the pace must be another; within so many times it is the same."""


def gone_on(before: Observation, after: Observation) -> dict[str, float]:
    """Counters that ran between two observations of one page → by how much."""
    found: dict[str, float] = {}
    if before.url != after.url:
        return found
    one, other = figures(before), figures(after)
    for label, value in one.items():
        if (
            (says("counter_rounds", label) or _TIME_OF_IT.search(label))
            and label in other
            and other[label] > value
            and round(10 * value, 6) == int(10 * value)
        ):
            found[label] = other[label] - value
    return found


def rates(before: Observation, after: Observation) -> dict[str, float]:
    """The same for each second of app time; empty where it was not watched long enough."""
    passed = after.app_ms - before.app_ms
    return {name: by / passed * 1000 for name, by in gone_on(before, after).items()} if passed >= LEAST_MS else {}


def paced(case: Case) -> Told:
    """What runs goes at another pace than at the other setting: `value` now, `other` before, when it went at `rates`.

    As fast as before although the values are far apart: `input_ignored`.
    """
    now = rates(case.before, case.after)
    earlier = {name: float(rate) for rate, _, name in (line.partition(" ") for line in case.word("rates").splitlines())}
    values = sorted((case.number("value"), case.number("other")))
    seconds = (case.after.app_ms - case.before.app_ms) / 1000
    names = [name for name in now if name in earlier]
    if not names or values[0] <= 0 or values[1] / values[0] < FAR:
        return Told(None, "nothing that runs was seen at both settings", attempts=0)
    name = names[0]
    slow, fast = sorted((now[name], earlier[name]))
    told = f'"{name}": {earlier[name]:.1f} a second at {case.number("other"):g}, {now[name]:.1f} at {case.number("value"):g}'
    if min(now[name] * seconds, earlier[name] * seconds) >= LEAST_GONE and fast / slow <= SAME:
        return Told(False, f"{told}: as fast as before", "input_ignored", attempts=2)  # one at each setting
    if fast / max(slow, 1e-9) >= FAR / SAME:
        return Told(True, told)
    return Told(None, told, attempts=0)
