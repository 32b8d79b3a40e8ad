"""The closed list of failure categories, severities and blames, and which scale each category bears on."""

from __future__ import annotations

from enum import StrEnum


class Category(StrEnum):
    """What kind of defect a failure is. `other` needs a reason."""

    missing_feature = "missing_feature"
    dead_control = "dead_control"
    wrong_result = "wrong_result"
    state_not_updated = "state_not_updated"
    broken_navigation = "broken_navigation"
    validation_missing = "validation_missing"
    runtime_error = "runtime_error"
    crash_or_hang = "crash_or_hang"
    animation_frozen = "animation_frozen"
    timing_jank = "timing_jank"
    input_ignored = "input_ignored"
    audio_missing = "audio_missing"
    persistence_lost = "persistence_lost"
    language_mismatch = "language_mismatch"
    placeholder_content = "placeholder_content"
    layout_overlap = "layout_overlap"
    out_of_viewport = "out_of_viewport"
    text_overflow = "text_overflow"
    low_contrast = "low_contrast"
    unstyled = "unstyled"
    broken_media = "broken_media"
    not_responsive = "not_responsive"
    inaccessible = "inaccessible"
    other = "other"


class Severity(StrEnum):
    """How much a failure weighs; the points are the rubric's."""

    critical = "critical"
    major = "major"
    minor = "minor"


class Blame(StrEnum):
    """Whose failing it is. Only `app` lowers a score."""

    app = "app"
    agent = "agent"
    environment = "environment"
    evaluator = "evaluator"
    ambiguous = "ambiguous"


class Scale(StrEnum):
    """The two scales of a verdict."""

    functionality = "functionality"
    aesthetics = "aesthetics"


AESTHETIC = frozenset(
    {
        Category.layout_overlap,
        Category.out_of_viewport,
        Category.text_overflow,
        Category.low_contrast,
        Category.unstyled,
        Category.not_responsive,
        Category.timing_jank,
    }
)
"""Categories deducted from aesthetics; every other one from functionality. One defect is deducted on one scale only."""


def scale_of(category: Category) -> Scale:
    """The one scale a category is deducted from (spec: no double penalty)."""
    return Scale.aesthetics if category in AESTHETIC else Scale.functionality
