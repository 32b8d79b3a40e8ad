"""What else shows the same defect: keys beside those of a sighting's own place.

Keys of a row that are dead, entries of a list that a reload lost, texts under the same lid: each is one defect, however often it
is seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaluator.naming import stem
from evaluator.symptoms import Meaning
from evaluator.taxonomy import Category
from tools.evidence.rows import Finding, Outcome

Key = tuple[str, ...]
MANY_ALIKE = 5
"""Controls alike from which on they are a board or a row of keys, of which some were tried for all."""
FAINT = frozenset({"contrast.low", "contrast.weak"})
_KEPT_APART = {"theme_stays": "theme", "settings_stay": "settings"}
"""Oracles whose subject is stored by itself; everything else that a page keeps is kept together."""


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
    """What a symptom comes from, the same in every state of the page: one pair of colours, else one kind of element."""
    measured = body.measured
    if body.symptom in FAINT and "foreground" in measured and "background" in measured:
        pair = (_coarse(str(measured["foreground"])), _coarse(str(measured["background"])))
        return (body.symptom, *pair)
    return (body.symptom, stem(body.selector), "" if body.viewport == "desktop" else body.viewport)


def _coarse(colour: str) -> str:
    """A colour (`#rrggbb`) in steps of 24: what stands on a picture never measures twice the same."""
    try:
        return " ".join(str(round(int(colour[at : at + 2], 16) / 24)) for at in (1, 3, 5))
    except ValueError:
        return colour


def of_outcome(
    meaning: Meaning, body: Outcome, mark: Mapping[str, Any] | None, marks: Sequence[Mapping[str, Any]]
) -> tuple[Key, ...]:
    """Keys that tie a failed outcome to its like. `mark` is what was acted on, `marks` what else was there."""
    if meaning.category is Category.persistence_lost:
        return (("lost", _KEPT_APART.get(body.oracle, "contents")),)
    group = str(mark.get("group", "")) if mark is not None else ""
    if meaning.undone_by and group and sum(one.get("group") == group for one in marks) >= MANY_ALIKE:
        return (("group", meaning.category.value, group),)
    return ()
