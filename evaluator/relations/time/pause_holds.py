"""A pause holds what runs."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import button_for, called, drawings, shown_times, starter
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Moves, Still, Target
from tools.page.model import PageModel
from tools.page.parts import Part
from tools.page.trials import Act, Control, Press, Reload, Trial, Wait

HOLD_MS = 3_000


@relation(
    about=("buttons",),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("timer", "play"),
    says=("pause stops the clock", "the timer can be paused"),
)
class PauseHolds:
    """What was started stands still after a pause or a stop."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a pause and thing that runs. What moves without being started, a clock or an ornament, the control tells."""
        page, start, pause = ground.page, starter(ground.page), button_for(ground.page, "pause", "stop")
        if pause is None:
            return
        press = Press(target=Target.of(pause, page))
        led: tuple[Act, ...] = (Press(target=Target.of(start, page)), Wait(app_ms=2500)) if start and start is not pause else ()
        for part in running(page, ground, started=bool(led)):
            target = Target.of(part, page)
            yield Trial(
                why=f"{called(part, page)} stands still after {called(pause, page)}",
                acts=(*led, press),
                asserts=(Still(target=target, wait_ms=HOLD_MS),),
                control=Control(
                    explains="it moves without being started",
                    acts=(Reload(),),
                    asserts=(Moves(target=target, wait_ms=HOLD_MS),),
                ),
                requirements=ground.asked.about(part, pause),
            )


def running(page: PageModel, ground: Ground, *, started: bool) -> list[Part]:
    """What may run: shown times and drawings; while something runs already only what was seen to differ."""
    parts: list[Part] = [*shown_times(page)[:2], *drawings(page)[:1]]
    if started:
        return parts
    return [part for part in parts if any((old := seen.of(part.key)) is not None and old != part for seen in ground.earlier[-2:])]
