"""A second start starts nothing twice."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, shown_times, starter, while_it_runs_ms
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Pace, Target
from tools.page.trials import Control, Press, Reload, Trial, Wait


@relation(about=("figures", "buttons"), category=Category.wrong_result, severity=Severity.major, shows=("timer",))
class StartTwiceIsOne:
    """A time that is started again while it runs goes no faster than before."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a shown time; the control starts it once."""
        page, start = ground.page, starter(ground.page)
        if start is None:
            return
        press = Press(target=Target.of(start, page))
        for figure in shown_times(page)[:2]:
            target, long_ms = Target.of(figure, page), while_it_runs_ms(figure, 6_000)
            yield Trial(
                why=f"{called(figure, page)} is no faster when {called(start, page)} is pressed again",
                acts=(press, Wait(app_ms=1500), press),
                asserts=(Pace(target=target, low=0.0, high=1.05, wait_ms=long_ms),),
                control=Control(
                    explains="it is as fast when it was started once",
                    acts=(Reload(), press),
                    asserts=(Pace(target=target, low=1.6, high=3.0, wait_ms=long_ms),),
                ),
                requirements=ground.asked.about(figure, start),
            )
