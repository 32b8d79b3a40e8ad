"""A reset leads back to the start."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import button_for, called, shown_times, starter
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Changes, Still, Target, Unchanged
from tools.page.trials import Agree, Control, Press, Reload, Trial, Wait


@relation(about=("figures", "buttons"), category=Category.wrong_result, severity=Severity.major, shows=("timer", "play"))
class ResetIsTheStart:
    """A time that is reset while it runs shows what it showed at first, and stands still."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a shown time, on a page that was not used yet; a clock, which shows another time anyway, the control tells."""
        page, start, reset = ground.page, starter(ground.page), button_for(ground.page, "reset")
        if start is None or reset is None or start is reset or any(seen.document == page.document for seen in ground.earlier):
            return
        for figure in shown_times(page)[:1]:
            target = Target.of(figure, page)
            yield Trial(
                why=f"{called(reset, page)} sets {called(figure, page)} back to the start",
                acts=(Press(target=Target.of(start, page)), Wait(app_ms=3500), Press(target=Target.of(reset, page)), Agree()),
                asserts=(Unchanged(target=target), Still(target=target, wait_ms=2500)),
                control=Control(
                    explains="it moves without being started",
                    precondition=(Reload(),),
                    acts=(Wait(app_ms=2500),),
                    asserts=(Changes(target=target),),
                ),
                requirements=ground.asked.about(figure, reset),
            )
