"""What is started again moves again."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import button_for, called, drawings, shown_times, starter
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Moves, Still, Target
from tools.page.trials import Control, Press, Reload, Trial, Wait

RUNS_MS, STOPPED_MS, WATCHED_MS = 800, 600, 2_500
AGAIN_MS = 4_000
"""Longer than from a first start to the end of the control: what counts down before it moves does so here, too."""


@relation(about=("buttons",), category=Category.animation_frozen, severity=Severity.major, shows=("timer", "play", "animate"))
class StartedAgainMoves:
    """A shown time or a drawing that moves after a start moves after a stop and another start as well."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One for a time and one for a drawing; without a button that stops, the start button is pressed in its place.

        None after a pause: there another button may be the one that goes on.

        What would have come to its end by then anyway stands still without being stopped, as the control sees.
        """
        page, start = ground.page, starter(ground.page)
        if start is None:
            return
        stop = button_for(page, "stop") or start
        begin, halt = Press(target=Target.of(start, page)), Press(target=Target.of(stop, page))
        for part in (*shown_times(page)[:1], *drawings(page)[:1]):
            target, said = Target.of(part, page), called(start, page)
            yield Trial(
                why=f"{called(part, page)} moves again after {said}, {called(stop, page)} and {said}",
                # From the state that the control is asked in: what was emptied before stands still whenever it is started.
                precondition=(Reload(), begin, Wait(app_ms=RUNS_MS), halt, Wait(app_ms=STOPPED_MS)),
                acts=(begin,),
                asserts=(Moves(target=target, wait_ms=AGAIN_MS),),
                control=Control(
                    explains="it stands still by then without being stopped, too",
                    precondition=(Reload(), begin),
                    acts=(Wait(app_ms=RUNS_MS + STOPPED_MS),),
                    asserts=(Still(target=target, wait_ms=WATCHED_MS),),
                ),
                requirements=ground.asked.about(part, start),
            )
