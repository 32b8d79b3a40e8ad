"""A second start makes nothing run twice."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import button_for, drawings, shown_times, starter
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import AsFast, Target
from tools.page.trials import Act, Control, Press, Reload, Trial, Wait

RUNS = ("play", "timer", "animate")
"""What a brief asks for where something runs by itself, though nothing on the page says so yet."""
_EVENLY_MS, _FRAMES_MS, _SECONDS_MS = 1_000, 2_500, 6_000
"""Until it runs evenly, and for how long what runs is counted: what beats once a second takes longer to be told apart."""
_TO_THE_END = Wait(app_ms=60_000, to_the_end=True)


@relation(
    about=("buttons",),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=RUNS,
    says=("starting again does not make it faster",),
)
class AgainIsAsFast:
    """What is started a second time runs as fast as the first time."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Started while it runs; after a reset; and where a button is there only since an end, by that one after the next end."""
        page, start = ground.page, starter(ground.page)
        measured = (Wait(app_ms=_EVENLY_MS), Wait(app_ms=_SECONDS_MS if shown_times(page) else _FRAMES_MS))
        runs = drawings(page) or shown_times(page) or page.processes or any(ground.asked.of(text) for text in RUNS)
        if start is None or not runs:
            return
        begin, reset = Press(target=Target.of(start, page)), button_for(page, "reset") or button_for(page, "clear", "start")
        ways: dict[str, tuple[Act, ...]] = {f'"{start.name}" is pressed again': (begin,)}
        if reset is not None and reset.key != start.key:
            ways[f'"{reset.name}" and "{start.name}" are pressed'] = (Press(target=Target.of(reset, page)), begin)
        before: tuple[Act, ...] = (Reload(), begin)
        if start.name not in {button.name for button in (*ground.earlier, page)[0].buttons}:
            ways, before = {f'it has ended and "{start.name}" is pressed': (_TO_THE_END, begin)}, (begin,)
        for words, again in ways.items():
            yield Trial(
                why=f"what runs by itself is no faster after {words}",
                precondition=(*before, *measured),
                acts=(*again, *measured),
                asserts=(AsFast(),),
                control=Control(
                    explains="it is as fast from then on: that is its pace",
                    acts=(*again, *measured),
                    asserts=(AsFast(most=1.15),),
                ),
                requirements=ground.asked.about(start),
            )
