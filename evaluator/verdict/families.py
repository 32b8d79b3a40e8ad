"""Which categories a careful person may take for one another."""

from __future__ import annotations

from evaluator.verdict.taxonomy import Category

FAMILIES: tuple[frozenset[Category], ...] = (
    frozenset({Category.dead_control, Category.input_ignored, Category.state_not_updated, Category.missing_feature}),
    frozenset({Category.wrong_result, Category.state_not_updated}),
    frozenset({Category.animation_frozen, Category.state_not_updated, Category.timing_jank, Category.dead_control}),
    frozenset({Category.layout_overlap, Category.out_of_viewport, Category.text_overflow}),
    frozenset({Category.not_responsive, Category.out_of_viewport}),
    frozenset({Category.persistence_lost, Category.state_not_updated}),
    frozenset({Category.runtime_error, Category.dead_control, Category.input_ignored, Category.crash_or_hang}),
    frozenset({Category.broken_navigation, Category.dead_control}),
)
"""Categories that a careful person may take for one another."""


def related(category: Category, other: Category) -> bool:
    """Whether the two could be taken for one another."""
    return category is other or any(category in family and other in family for family in FAMILIES)
