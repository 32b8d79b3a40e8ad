"""What the brief wants shown is there."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Stays, Target
from tools.page.trials import Trial

SHOWN = ("show", "chart")
MOST = 6


@relation(about=(), category=Category.missing_feature, severity=Severity.minor, only_asked=True)
class AskedIsShown:
    """A figure, list or picture that the brief wants shown, and that was seen once, is there as the page stands.

    What was never seen is no trial: that a page lacks it is for a model or a person to say, who know what else it may be called.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One for all parts that are surely about something to be shown, at most six."""
        page, wanted = ground.page, {name for behaviour in SHOWN for name in ground.asked.of(behaviour)}
        shown: dict[Target, tuple[str, ...]] = {}
        for part in (*page.figures, *page.collections, *page.surfaces) if wanted else ():
            asked = tuple(name for name in ground.asked.about(part) if name in wanted)
            if asked and part.item < 0 and len(shown) < MOST:
                shown[Target.of(part, page)] = asked
        if shown:
            yield Trial(
                why="what the brief wants shown is there",
                acts=(),
                asserts=tuple(Stays(target=target) for target in shown),
                requirements=tuple(dict.fromkeys(name for names in shown.values() for name in names)),
            )
