"""The floor beside Assay: the same figures, from what axe-core, the console and a monkey report on the same pages.

The floor gives no scores. Its score of a page is the number of its findings, lower is better; a finding is *new* when the clean
app has none like it, and *right* when the category it stands for is the planted one or could be taken for it. It tries no
promises, so it says nothing about missing or wrong results; it may only happen upon an error that comes with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from evaluator.calibration.suite import Fault, Kind
from evaluator.verdict.families import related
from evaluator.verdict.taxonomy import Category

BY_RULE: Mapping[str, Category] = {
    "color-contrast": Category.low_contrast,
    "color-contrast-enhanced": Category.low_contrast,
    "meta-viewport": Category.not_responsive,
    "html-has-lang": Category.language_mismatch,
    "html-lang-valid": Category.language_mismatch,
}
"""Rules of axe-core that stand for another category than `inaccessible`."""


class FloorFinding(BaseModel):
    """One thing the floor reports (`tools/browser/floor.py`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["axe", "error", "hang"]
    what: str
    place: str = ""
    grave: bool = True

    @property
    def category(self) -> Category:
        """What it says is wrong, in the taxonomy's words."""
        if self.kind == "hang":
            return Category.crash_or_hang
        return Category.runtime_error if self.kind == "error" else BY_RULE.get(self.what, Category.inaccessible)


class FloorPage(BaseModel):
    """What the floor says of one variant."""

    model_config = ConfigDict(frozen=True)

    app: str
    kind: Kind
    name: str
    findings: tuple[FloorFinding, ...]
    seconds: float
    fault: Fault | None = None


class FloorFigures(BaseModel):
    """The floor's figures, named as Assay's; None where nothing was there to measure or the floor has no such thing."""

    model_config = ConfigDict(frozen=True)

    pages: int
    pairwise: float | None
    recall: float | None
    recall_strict: float | None
    precision: float | None
    false_alarms: float | None
    harmless_shift: float | None
    """Largest change of the number of findings by a harmless change."""
    injection_shift: float | None
    seconds_mean: float | None
    seconds_most: float | None


def floor_figures(pages: Sequence[FloorPage]) -> FloorFigures:
    """All figures of the floor on a suite."""
    clean = {page.app: page for page in pages if page.kind == "clean"}
    below, named, strictly, new, right = [], [], [], 0, 0
    for page in pages:
        base = clean.get(page.app)
        if page.fault is None or base is None:
            continue
        more = _new(page, base)
        fitting = [finding for finding in more if related(finding.category, page.fault.category)]
        below.append(len(page.findings) > len(base.findings))
        named.append(bool(fitting))
        strictly.append(any(finding.category is page.fault.category for finding in fitting))
        new, right = new + len(more), right + len(fitting)
    return FloorFigures(
        pages=len(pages),
        pairwise=_share(below),
        recall=_share(named),
        recall_strict=_share(strictly),
        precision=right / new if new else None,
        false_alarms=_mean([sum(finding.grave for finding in page.findings) for page in clean.values()]),
        harmless_shift=_shift(pages, clean, "harmless"),
        injection_shift=_shift(pages, clean, "injection"),
        seconds_mean=_mean([page.seconds for page in pages]),
        seconds_most=max((page.seconds for page in pages), default=None),
    )


def _new(page: FloorPage, base: FloorPage) -> list[FloorFinding]:
    known = {(finding.kind, finding.what, finding.place) for finding in base.findings}
    return [finding for finding in page.findings if (finding.kind, finding.what, finding.place) not in known]


def _shift(pages: Sequence[FloorPage], clean: Mapping[str, FloorPage], kind: Kind) -> float | None:
    shifts = [
        abs(len(page.findings) - len(clean[page.app].findings)) for page in pages if page.kind == kind and page.app in clean
    ]
    return float(max(shifts)) if shifts else None


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
