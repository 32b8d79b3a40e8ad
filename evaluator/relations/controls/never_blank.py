"""A page is never blank."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import NotBlank
from tools.page.trials import Trial


@relation(about=(), category=Category.crash_or_hang, severity=Severity.critical, always=True)
class NeverBlank:
    """No act leaves a blank page, or one that the server does not have any more."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One, judged after every act."""
        del ground
        yield Trial(why="the page is not blank", acts=(), asserts=(NotBlank(),))
