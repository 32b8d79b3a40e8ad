"""How much of an app hangs on what the environment withheld. Past a stated share a scale is not judged at all."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.attribution.environment import Environment
from evaluator.attribution.signals import Aside
from evaluator.verdict.rubric import Rubric
from evaluator.verdict.taxonomy import Blame, Scale


def dependence(
    scale: Scale, environment: Environment, asides: Sequence[Aside], working: int, failing: int, rubric: Rubric
) -> str:
    """Why a scale cannot be judged; empty when it can. Such a run is incomplete, not low.

    The largest of these shares counts: of the app's own script, by length, what cannot run · 1 for a page that stays blank · of
    what was tried, what failed for want of it (functionality) · of the elements with classes, what gets no style (aesthetics).
    `working`, `failing`: how many different things were seen to work, and to fail through the app itself.
    """
    cause = next(iter(environment.dead.values()), None) or environment.lost_script
    told = cause.told if cause else "something that the environment withheld"
    withheld = [aside for aside in asides if aside.claim.blame is Blame.environment and not aside.counted and aside.down > 0]
    shares = [(environment.dead_share, told, "of the app's own script cannot run")]
    shares += [
        (1.0, aside.claim.reason, "of the page hangs on it: without it the page stays blank") for aside in withheld if aside.page
    ]
    if scale is Scale.functionality:
        tried = sorted({aside.claim.text: aside.claim.reason for aside in withheld if aside.tried}.items())
        everything = len(tried) + working + failing
        if tried:
            shares.append((len(tried) / everything, tried[0][1], "of what was tried failed for want of it"))
    elif environment.lost_style is not None:
        shares.append((environment.bare_share, environment.lost_style.told, "of the page's elements get no style without it"))
    share, reason, words = max(shares, key=lambda entry: entry[0])
    if share <= rubric.doubt.dependence_limit:
        return ""
    return f"{scale.value} cannot be judged: {reason}, and {share:.0%} {words}"
