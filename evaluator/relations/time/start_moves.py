"""What is started moves."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import drawings, shown_times, starter
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ChangesBeside, Moves, Target
from tools.page.trials import Act, Control, Keys, Point, Press, Trial


@relation(
    about=("buttons",),
    category=Category.animation_frozen,
    severity=Severity.major,
    shows=("timer", "play", "animate"),
    says=("start sets it in motion", "press start to begin"),
)
class StartMoves:
    """After a start a drawing or a shown time moves by itself, or answers to keys and pointer."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a page: of its first clock, else of its largest drawing. Seconds alone may be a result, not what runs."""
        page, start = ground.page, starter(ground.page)
        clocks = [figure for figure in shown_times(page) if ":" in figure.quantity.text]
        part = next(iter([*clocks, *drawings(page)]), None)
        if start is None or part is None:
            return
        target, begin = Target.of(part, page), Target.of(start, page)
        tries: tuple[Act, ...] = (Keys(keys=("ArrowRight", "ArrowUp", "Space")),)
        if drawings(page):
            tries = (Point(target=Target.of(drawings(page)[0], page), path=((0.5, 0.5),)), *tries)
        yield Trial(
            why=f'"{part.name or "the picture"}" moves once it is started',
            acts=(Press(target=begin),),
            asserts=(Moves(target=target, wait_ms=2500),),
            control=Control(
                explains="it waits for a first move, or it was over at once", acts=tries, asserts=(ChangesBeside(target=begin),)
            ),
            requirements=ground.asked.about(part, start),
        )
