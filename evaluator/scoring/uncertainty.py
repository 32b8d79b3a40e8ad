"""What the evidence does not show, and how far it could move a score: gaps, untried promises, claims without proof."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.attribution.blame import undelivered
from evaluator.attribution.signals import Aside
from evaluator.record.naming import clean
from evaluator.record.sealed import Reading
from evaluator.verdict.model import Doubt
from evaluator.verdict.rubric import Rubric
from evaluator.verdict.taxonomy import Blame, Scale
from tools.evidence.rows import Gap, Promise, Sealed
from tools.text import how_many

ABOUT_LOOKS = frozenset({"perceive", "perception", "static", "launch", "stage"})
"""First words of gaps that hide how the page looks, too."""
BROKEN_OFF = frozenset({"interrupted", "crashed", "hung", "left_site"})


def uncertainties(
    scale: Scale,
    reading: Reading,
    asides: Sequence[Aside],
    rubric: Rubric,
    *,
    craft: float,
    broken: frozenset[str],
    looked: bool = False,
) -> list[Doubt]:
    """The doubts of one scale, apart from the failures' own confidence.

    `craft`: points that measured craft added; `broken`: ids of the promises that failures bear on; `looked`: somebody with taste
    looked at the page, so that the baseline is no mere assumption.
    """
    found = [
        Doubt(down=round(aside.down, 2), up=0.0, reason=f"{aside.claim.text}: {aside.claim.reason}", blame=aside.claim.blame)
        for aside in asides
        if aside.scale is scale and aside.down > 0
    ]
    found += _gaps(scale, reading, rubric)
    found += _unmeasured(scale, reading, rubric)
    if scale is Scale.functionality:
        found += _untried(reading, broken, rubric)
        found += _exploration(reading, rubric)
    elif not looked:
        up = max(rubric.scale.bonus_limit - craft, 0.0)
        reason = "taste was not measured: the baseline takes the page for clean and professional"
        found.append(Doubt(down=rubric.doubt.taste_down, up=up, reason=reason))
    return found


def _gaps(scale: Scale, reading: Reading, rubric: Rubric) -> list[Doubt]:
    found: list[Doubt] = []
    for _, gap in reading.of(Gap):
        words = gap.what.lower().split()
        figure = next((rubric.gap[word] for word in words if word in rubric.gap), rubric.gap["other"])
        bears = scale is Scale.functionality or bool(ABOUT_LOOKS & set(words))
        if gap.blame != "app" and figure > 0 and bears:
            text = clean(f"missing: {gap.what} ({gap.reason})")
            found.append(Doubt(down=figure, up=0.0, reason=text, blame=Blame(gap.blame)))
    return found


def _unmeasured(scale: Scale, reading: Reading, rubric: Rubric) -> list[Doubt]:
    if scale is not Scale.aesthetics:
        return []
    failed = sorted({(body.probe, body.viewport, clean(body.reason, 100)) for _, body in reading.audits if not body.measured})
    return [
        Doubt(
            down=rubric.doubt.unmeasured_probe,
            up=0.0,
            reason=f"the probe {probe} could not be run ({viewport}): {reason}",
            blame=Blame.evaluator,
        )
        for probe, viewport, reason in failed
    ]


def exercised(reading: Reading) -> frozenset[str]:
    """Promises that something about them decided: a trial's assertion, by the exploration's account, or a measurement."""
    decided = {name for name, state in (reading.covered.promises if reading.covered else {}).items() if state != "not_tested"}
    measured = {(body.probe, body.viewport) for _, body in reading.audits if body.measured}
    for promise in reading.promises.values():
        by_language = promise.aspect == "language" and any(probe == "language" for probe, _ in measured)
        if by_language or (promise.aspect == "responsive" and any(viewport == "mobile" for _, viewport in measured)):
            decided.add(promise.id)
    return frozenset(decided & set(reading.promises))


def untried(reading: Reading, broken: frozenset[str]) -> list[Promise]:
    """Promises about which nothing is known, in the plan's order: neither decided by an assertion nor `broken` by a failure."""
    known = exercised(reading) | broken
    return [promise for promise in reading.promises.values() if promise.id not in known]


def _untried(reading: Reading, broken: frozenset[str], rubric: Rubric) -> list[Doubt]:
    left = untried(reading, broken)
    if not left:
        return []
    central = sum(promise.central for promise in left)
    figures = rubric.doubt
    down = min(central * figures.untested_central + (len(left) - central) * figures.untested_other, figures.untested_limit)
    were = "was" if len(left) == 1 else "were"
    words = f"{how_many(len(left), 'requirement')} of the brief {were} not tried"
    words += f", {central} of them central" if central else ""
    return [Doubt(down=round(down, 2), up=0.0, reason=words)]


def _exploration(reading: Reading, rubric: Rubric) -> list[Doubt]:
    figures, covered = rubric.doubt, reading.covered
    found: list[Doubt] = []
    if not reading.started.brief.strip():
        found.append(
            Doubt(down=figures.without_brief, up=0.0, reason="there was no brief: what should be there and is not can't be known")
        )
    missed = undelivered(reading)
    if missed:
        down = min(len(missed) * figures.not_delivered, figures.not_delivered_limit)
        found.append(Doubt(down=down, up=0.0, reason=f"{how_many(len(missed), 'act')} missed the page", blame=Blame.agent))
    if covered is None or covered.stop_reason in BROKEN_OFF:
        why = covered.stop_reason if covered else "it says not why"
        blame = Blame.evaluator if covered is None or covered.stop_reason == "interrupted" else Blame.ambiguous
        found.append(Doubt(down=figures.unfinished, up=0.0, reason=f"the exploration was broken off ({why})", blame=blame))
    elif not reading.acts and reading.first_marks:
        found.append(Doubt(down=figures.nothing_tried, up=0.0, reason="nothing on the page was tried"))
    return found


def unfinished(reading: Reading) -> bool:
    """Whether the record was sealed before the exploration came to an end of its own."""
    sealed, covered = reading.last(Sealed), reading.covered
    if sealed is None or sealed.complete:
        return False
    return covered is None or covered.stop_reason in BROKEN_OFF - {"left_site"}
