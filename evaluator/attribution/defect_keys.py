"""What else shows the same defect: keys beside those of a sighting's own place.

Texts in one pair of colours, texts under the same lid: each is one defect, however often it is seen.
"""

from __future__ import annotations

from evaluator.record.naming import stem
from tools.evidence.rows import Finding

Key = tuple[str, ...]
FAINT = frozenset({"contrast.low", "contrast.weak"})


def of_finding(body: Finding) -> tuple[Key, ...]:
    """Keys that tie a probe's symptom to its like."""
    keys: list[Key] = []
    if body.symptom in FAINT:
        keys.append(("cause", *cause_of(body)))
    lid = body.measured.get("other")
    if body.symptom == "layout.hidden" and isinstance(lid, str) and lid:
        keys.append(("lid", stem(lid)))
    return tuple(keys)


def cause_of(body: Finding) -> Key:
    """What a symptom comes from, the same in every state of the page: one ink on light or dark ground, else one kind of element.

    A tinted badge lies on a card here and on the page there: its ground measures otherwise, its ink is chosen in one place.
    """
    measured = body.measured
    if body.symptom in FAINT and "foreground" in measured and "background" in measured:
        ground = "light" if _lightness(str(measured["background"])) > 0.5 else "dark"
        return (body.symptom, _coarse(str(measured["foreground"])), ground)
    return (body.symptom, stem(body.selector), "" if body.viewport == "desktop" else body.viewport)


def _coarse(colour: str) -> str:
    """A colour (`#rrggbb`) in steps of 24: what stands on a picture never measures twice the same."""
    try:
        return " ".join(str(round(int(colour[at : at + 2], 16) / 24)) for at in (1, 3, 5))
    except ValueError:
        return colour


def _lightness(colour: str) -> float:
    """Of `#rrggbb`, 0–1: the mean of its channels, which tells light grounds from dark ones."""
    try:
        return sum(int(colour[at : at + 2], 16) for at in (1, 3, 5)) / 765
    except ValueError:
        return 1.0
