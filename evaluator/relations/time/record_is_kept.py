"""A record is broken by what is better only."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, likeness
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Changes, InRange, Target
from tools.page.model import PageModel
from tools.page.parts import Figure
from tools.page.trials import Control, Trial, Wait

RECORDS = ("High score", "Best score", "Highscore", "Record", "Personal best", "Longest streak")
NO_RECORDS = ("Score", "Your score", "Points", "Last score", "Recorded", "Best time", "Fastest time", "Fewest moves", "Level")
SURE, APART = 0.65, 0.08


@relation(about=("figures",), category=Category.wrong_result, severity=Severity.major, shows=("play",))
class RecordIsKept:
    """A high score that was seen to rise is not replaced by a lower one; one that was set back to nothing begins anew."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """As the page stands, one a record that was higher.

        Each mode may have a record of its own: only where the same is chosen and switched on is one held against another.
        """
        page = ground.page
        for figure in page.figures:
            if not is_record(figure) or not figure.quantity.value:
                continue
            best = _best(figure, ground)
            if best > float(figure.quantity.value):
                yield Trial(
                    why=f"{called(figure, page)} is not replaced by less",
                    acts=(),
                    asserts=(InRange(target=Target.of(figure, page), low=best),),
                    control=Control(
                        explains="it shows something else at each look",
                        acts=(Wait(app_ms=1500),),
                        asserts=(Changes(target=Target.of(figure, page)),),
                    ),
                    requirements=ground.asked.about(figure),
                )


def _best(figure: Figure, ground: Ground) -> float:
    """The highest it was in the same mode since it was last nothing; 0 where it was not seen to rise to that."""
    values: list[float] = []
    for seen in reversed(ground.earlier):
        if seen.document != ground.page.document or _mode(seen) != _mode(ground.page):
            break
        old = seen.of(figure.key)
        if isinstance(old, Figure):
            values.append(float(old.quantity.value or 0))
            if not old.quantity.value:
                break
    best = max(values, default=0.0)
    return best if values and values[-1] < best else 0.0


def _mode(page: PageModel) -> tuple[str, frozenset[tuple[str, ...]]]:
    """Where the app is, and what is surely chosen and switched on: a row of buttons of which one is off may be no choice."""
    chosen = {(one.key, *one.chosen) for one in page.choices if one.by != "look"} | {
        (one.key, str(one.on)) for one in page.toggles
    }
    return page.url, frozenset(chosen)


def is_record(figure: Figure) -> bool:
    """By the meaning of its name the most that was ever reached; no time, where less is better."""
    if figure.quantity.measure in {"duration", "date", "time"}:
        return False
    mine = likeness(figure.name, *RECORDS)
    return mine >= SURE and mine >= APART + likeness(figure.name, *NO_RECORDS)
