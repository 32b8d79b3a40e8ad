"""Anchors of the scale that hold in a run: floors and ceilings, and what measured craft is worth."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from evaluator.attribution.defects import Defect
from evaluator.record.naming import name_stem
from evaluator.record.sealed import Reading
from evaluator.verdict.model import Deduction, Limit
from evaluator.verdict.rubric import Rubric
from evaluator.verdict.taxonomy import Category, Scale
from tools.evidence.rows import Finding, Screenshot

NO_DESIGN = frozenset({"unstyled.page", "blank.page"})
"""Symptoms of a page on which there is no craft to measure."""
SHORTEST_TEXT = 40
"""Characters of visible text below which nobody can tell from its words what a page is about."""
_WORDS = {
    "blank": "the page is blank",
    "absent": "the app does not run",
    "code": "code is shown instead of the app",
    "placeholder": "a placeholder is shown instead of the app",
    "hung": "the page breaks down before anything can be tried",
}


def limits(
    scale: Scale, reading: Reading, found: Mapping[str, Defect], tried: Iterable[str], working: int, rubric: Rubric
) -> list[Limit]:
    """The anchors of one scale.

    `found` are the app's defects by failure id, `tried` the ids of what trials showed besides, `working` how many things were
    seen to work.
    """
    made: list[Limit] = []
    for failure, defect in sorted(found.items()):
        for anchor in sorted({signal.anchor for signal in defect.signals if signal.anchor}):
            value = _ceiling(anchor, scale, rubric)
            if value is not None:
                made.append(Limit(kind="ceiling", value=value, reason=_WORDS[anchor], rests_on={failure: 1}))
    # With such an anchor the page does not count as rendered, so that no floor holds.
    absent = any(limit.value < rubric.anchor.renders_floor for limit in made)
    if not absent and rendered(reading) and on_topic(reading, found):
        made.append(Limit(kind="floor", value=rubric.anchor.renders_floor, reason="the page renders and is on topic"))
    if scale is Scale.functionality:
        failing = {failure: defect.tried for failure, defect in found.items() if defect.tried} | dict.fromkeys(tried, 1)
        made += _shares(dict(sorted(failing.items())), working, rubric)
    return made


def _ceiling(anchor: str, scale: Scale, rubric: Rubric) -> float | None:
    figures = rubric.anchor
    functional = {
        "blank": figures.blank_functionality,
        "absent": figures.absent_functionality,
        "code": figures.absent_functionality,
        "placeholder": figures.absent_functionality,
        "hung": figures.hung_at_once,
    }
    visual = {"blank": figures.blank_aesthetics, "absent": figures.absent_aesthetics, "code": figures.code_aesthetics}
    return (functional if scale is Scale.functionality else visual).get(anchor)


def _shares(failing: dict[str, int], working: int, rubric: Rubric) -> list[Limit]:
    """Ceilings for apps of which little works: they hold while enough of what was tried fails. `failing`: things, by failure."""
    made: list[Limit] = []
    for anchor in rubric.share_anchor:
        # working / (working + failing) ≤ share, and enough was tried, once `failing` reaches:
        by_share = math.ceil(working * (1 - anchor.share_at_most) / anchor.share_at_most) if anchor.share_at_most else 1
        quorum = max(by_share if working else 1, anchor.tried_at_least - working)
        if sum(failing.values()) >= quorum:
            made.append(Limit(kind="ceiling", value=anchor.ceiling, reason=anchor.words, rests_on=failing, quorum=quorum))
    return made


def rendered(reading: Reading) -> bool:
    """Whether the page was seen at all."""
    return bool(reading.observations) or next(reading.of(Screenshot), None) is not None


def on_topic(reading: Reading, found: Mapping[str, Defect]) -> bool:
    """False only if the brief's own words are nowhere on a page that has words enough, in the brief's language."""
    keywords = sorted({name_stem(word) for promise in reading.promises.values() for word in promise.keywords if len(word) >= 2})
    if not keywords or any(defect.category is Category.language_mismatch for defect in found.values()):
        return True
    pieces = [reading.dom.text(), *(body.title for _, body in reading.observations)]
    pieces += [str(mark.get("name", "")) for mark in reading.first_marks]
    text = " ".join(pieces).casefold()
    return len(text) < SHORTEST_TEXT or any(word in text for word in keywords)


def craft(reading: Reading, rubric: Rubric) -> Sequence[Deduction]:
    """What measured craft adds to aesthetics, or takes off: one item a measure that was taken and is not as usual.

    A page without any design, or without anything on it, has that as its failure; how its parts stand tells nothing more.
    """
    if any(body.symptom in NO_DESIGN for _, body in reading.of(Finding)):
        return ()
    measured: dict[str, float] = {}
    for _, body in reading.audits:
        if body.probe == rubric.craft.probe and body.measured:
            measured |= {key: float(value) for key, value in body.values.items() if isinstance(value, int | float)}
    found: list[Deduction] = []
    for measure in rubric.craft.measure:
        value = measured.get(measure.key)
        points = measure.worth(value) if value is not None else 0.0
        if points:
            said = "craft" if points > 0 else "craft, less than usual"
            found.append(Deduction(points=points, reason=f"{said}: {measure.words} ({value:.2f}, usual {measure.usual:g})"))
    return found
