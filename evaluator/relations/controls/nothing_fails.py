"""Nothing fails unseen."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Clean
from tools.page.trials import Trial


@relation(about=(), category=Category.runtime_error, severity=Severity.major, always=True)
class NothingFails:
    """No act ends in an uncaught exception, an unhandled rejection, or a failed request to the app's own site."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One, judged after every act. What the page only complains of on its console is no failure."""
        del ground
        yield Trial(why="nothing fails", acts=(), asserts=(Clean(complaints=False),))
