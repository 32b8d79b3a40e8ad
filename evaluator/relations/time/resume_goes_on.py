"""What was held goes on where it was."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import button_for, called, shown_times, starter, usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import GoesOn, Moves, Target, Unchanged
from tools.page.trials import Control, Press, Reload, Trial, Wait


@relation(
    about=("figures", "buttons"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("timer", "play"),
    says=("after a pause it goes on with the time that was left",),
)
class ResumeGoesOn:
    """A time that was paused runs on from where it stood."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a shown time. A page whose pause button resumes, and one whose start button does, are told by what moves.

        One button may start, pause and resume: where it says that it resumes, the time is paused now.
        """
        yield from _resumed(ground)
        page, start, pause = ground.page, starter(ground.page), button_for(ground.page, "pause")
        if start is None or pause is None or start is pause:
            return
        begin, hold = Press(target=Target.of(start, page)), Press(target=Target.of(pause, page))
        for figure in shown_times(page)[:1]:
            target = Target.of(figure, page)
            yield Trial(
                why=f"{called(figure, page)} runs on from where it was paused",
                precondition=(begin, Wait(app_ms=4500), hold),
                acts=(begin,),
                asserts=(GoesOn(target=target), Moves(target=target)),
                control=Control(
                    explains="the pause button resumes it",
                    precondition=(Reload(), begin, Wait(app_ms=4500), hold),
                    acts=(hold,),
                    asserts=(GoesOn(target=target), Moves(target=target)),
                ),
                requirements=ground.asked.about(figure, pause),
            )


def _resumed(ground: Ground) -> Iterator[Trial]:
    """From a pause that is on, once it has lasted for a while."""
    page, resume = ground.page, button_for(ground.page, "resume")
    if resume is None or not usable(resume):
        return
    for figure in shown_times(page)[:1]:
        target = Target.of(figure, page)
        yield Trial(
            why=f"{called(figure, page)} runs on from where it was paused",
            precondition=(Wait(app_ms=4500),),
            acts=(Press(target=Target.of(resume, page)),),
            asserts=(GoesOn(target=target), Moves(target=target)),
            control=Control(
                explains="another time is shown meanwhile", acts=(Wait(app_ms=1500),), asserts=(Unchanged(target=target),)
            ),
            requirements=ground.asked.about(figure, resume),
        )
