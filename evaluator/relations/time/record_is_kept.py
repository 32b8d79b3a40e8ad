"""A record is broken by what is better only."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import likeness
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import InRange, Target
from tools.page.parts import Figure
from tools.page.trials import Trial

RECORDS = ("High score", "Best score", "Highscore", "Record", "Personal best", "Longest streak")
NO_RECORDS = ("Score", "Your score", "Points", "Last score", "Recorded", "Best time", "Fastest time", "Fewest moves", "Level")
SURE, APART = 0.65, 0.08


@relation(about=("figures",), category=Category.wrong_result, severity=Severity.major)
class RecordIsKept:
    """A high score is not replaced by a lower one; one that was set back to nothing begins anew."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """As the page stands, one a record that was higher."""
        page = ground.page
        for figure in page.figures:
            if not is_record(figure) or not figure.quantity.value:
                continue
            best = _best(figure, ground)
            if best > float(figure.quantity.value):
                yield Trial(
                    why=f'"{figure.name}" is not replaced by less',
                    acts=(),
                    asserts=(InRange(target=Target.of(figure, page), low=best),),
                    requirements=ground.asked.about(figure),
                )


def _best(figure: Figure, ground: Ground) -> float:
    """The highest it was since it was last nothing."""
    best = 0.0
    for seen in reversed(ground.earlier):
        old = seen.of(figure.key)
        if not isinstance(old, Figure):
            continue
        if not old.quantity.value:
            break
        best = max(best, float(old.quantity.value))
    return best


def is_record(figure: Figure) -> bool:
    """By the meaning of its name the most that was ever reached; no time, where less is better."""
    if figure.quantity.measure in {"duration", "date", "time"}:
        return False
    mine = likeness(figure.name, *RECORDS)
    return mine >= SURE and mine >= APART + likeness(figure.name, *NO_RECORDS)
