"""A timer keeps time."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, shown_times, starter, while_it_runs_ms
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Pace, Target
from tools.page.trials import Control, Press, Reload, Trial

LONG_MS = 20_000


@relation(
    about=("figures", "buttons"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("timer",),
    says=("a countdown in seconds",),
)
class TimerRate:
    """A time that starts when it is told to runs a second a second."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a shown time. That it is no clock, which runs anyway, and no other time than ours, the control tells."""
        page, start = ground.page, starter(ground.page)
        if start is None:
            return
        for figure in shown_times(page)[:2]:
            target, long_ms = Target.of(figure, page), while_it_runs_ms(figure, LONG_MS)
            yield Trial(
                why=f"{called(figure, page)} runs a second a second",
                acts=(Press(target=Target.of(start, page)),),
                asserts=(Pace(target=target, wait_ms=long_ms),),
                control=Control(
                    explains="it shows another time than ours: simulated, or a whole number of times as fast",
                    acts=(Reload(), Press(target=Target.of(start, page))),
                    asserts=(Pace(target=target, low=1.45, high=3.0, wait_ms=long_ms),),
                ),
                requirements=ground.asked.about(figure, start),
            )
