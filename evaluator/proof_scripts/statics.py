"""What a probe measured on the untouched page, as lines of a test: one way for each symptom that few lines can measure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from evaluator.proof_scripts.seen import Check, Unscripted
from tools.evidence.rows import Finding

FINDINGS_AT_MOST = 8
_QUOTED = re.compile(r"“([^”…]{2,})(?:…)?”")


def static_check(findings: Sequence[Finding]) -> Check | Unscripted:
    """The check that measures the same again on every place that was found; all of one width."""
    made: list[str] = []
    reasons: list[str] = []
    for finding in findings[:FINDINGS_AT_MOST]:
        found = _one(finding)
        if isinstance(found, Unscripted):
            reasons.append(found.reason)
        else:
            made += [line for line in found if line not in made]
    return Check(tuple(made)) if made else Unscripted(reasons[0] if reasons else "no finding of a probe is cited")


def _one(finding: Finding) -> tuple[str, ...] | Unscripted:
    if finding.symptom.startswith("axe."):
        rule = finding.symptom.removeprefix("axe.")
        return (f"assert violations(app, {rule!r}) == 0, DEFECT",)
    way = _WAYS.get(finding.symptom)
    if way is None:
        return Unscripted(f"{finding.symptom} takes more than a few lines to measure")
    return way(finding)


def _contrast(finding: Finding) -> tuple[str, ...]:
    needed = 3.0 if finding.symptom == "contrast.low" else 4.5
    return (f"assert contrast(app, {finding.selector!r}) >= {needed:g}, DEFECT",)


def _overlap(finding: Finding) -> tuple[str, ...] | Unscripted:
    other = str(finding.measured.get("other", ""))
    if not other or not finding.selector:
        return Unscripted("one of the two that overlap has no place")
    least = min(24.0, float(finding.measured.get("overlap_px2", 24)) / 2)
    return (f"assert overlap(app, {finding.selector!r}, {other!r}) < {least:g}, DEFECT",)


def _beneath(finding: Finding) -> tuple[str, ...] | Unscripted:
    other = str(finding.measured.get("other", ""))
    if not other or not finding.selector:
        return Unscripted("what lies on the text has no place")
    least = min(24.0, float(finding.measured.get("overlap_px2", 24)) / 2)
    return (f"assert beneath(app, {finding.selector!r}, {other!r}) < {least:g}, DEFECT",)


def _sideways(finding: Finding) -> tuple[str, ...]:
    del finding
    return ("assert wider_than_window(app) <= 1, DEFECT",)


def _runs_out(finding: Finding) -> tuple[str, ...]:
    lost = max(1.0, float(finding.measured.get("lost_px", 4)) / 2)
    within = str(finding.measured.get("within", ""))
    return (f"assert runs_out(app, {finding.selector!r}, {within!r}) < {lost:g}, DEFECT",)


def _unreachable(finding: Finding) -> tuple[str, ...]:
    return (f"assert out_of_reach(app, {finding.selector!r}) < 2, DEFECT",)


def _image(finding: Finding) -> tuple[str, ...]:
    return (f"assert picture_loaded(app, {finding.selector!r}), DEFECT",)


def _film(finding: Finding) -> tuple[str, ...]:
    return (f"assert plays(app, {finding.selector!r}), DEFECT",)


def _unstyled(finding: Finding) -> tuple[str, ...]:
    del finding
    return ("assert author_rules(app) >= 12, DEFECT",)


def _quoted(finding: Finding) -> tuple[str, ...] | Unscripted:
    words = _QUOTED.search(finding.message)
    if words is None:
        return Unscripted("the text that was found is not quoted")
    return (f"assert not shows(app, {words.group(1).strip()!r}), DEFECT",)


def _language(finding: Finding) -> tuple[str, ...] | Unscripted:
    wanted = str(finding.measured.get("brief_language", "")).split("-")[0]
    if wanted == "zh":
        return ("assert share_of_chinese(app) > 0.3, DEFECT",)
    if str(finding.measured.get("language", "")).startswith("zh"):
        return ("assert share_of_chinese(app) < 0.3, DEFECT",)
    return Unscripted("telling two languages of one script apart takes more than a few lines")


def _small(finding: Finding) -> tuple[str, ...]:
    return (f"assert letter_px(app, {finding.selector!r}) >= 10, DEFECT",)


def _viewport(finding: Finding) -> tuple[str, ...]:
    del finding
    return ("assert app.page.locator('meta[name=viewport]').count() > 0, DEFECT",)


def _still(finding: Finding) -> tuple[str, ...]:
    return (f"assert animations(app, {finding.selector!r}) > 0, DEFECT",)


def _blank(finding: Finding) -> tuple[str, ...]:
    del finding
    return ("assert something_shown(app), DEFECT",)


_Way = Callable[[Finding], "tuple[str, ...] | Unscripted"]

_WAYS: Mapping[str, _Way] = MappingProxyType(
    {
        "contrast.low": _contrast,
        "contrast.weak": _contrast,
        "layout.overlap": _overlap,
        "layout.covered": _overlap,
        "layout.hidden": _beneath,
        "overflow.horizontal": _sideways,
        "overflow.text_clipped": _runs_out,
        "overflow.text_spill": _runs_out,
        "overflow.unreachable": _unreachable,
        "media.broken_image": _image,
        "media.failed": _film,
        "unstyled.page": _unstyled,
        "placeholder.text": _quoted,
        "placeholder.unbuilt": _quoted,
        "code.visible": _quoted,
        "template.unrendered": _quoted,
        "value.nan": _quoted,
        "value.undefined": _quoted,
        "value.object": _quoted,
        "value.null": _quoted,
        "value.date": _quoted,
        "language.mismatch": _language,
        "responsive.small_text": _small,
        "responsive.no_viewport_meta": _viewport,
        "markup.no_keyframes": _still,
        "blank.page": _blank,
    }
)
