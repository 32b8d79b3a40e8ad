"""A new game begins with nothing."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import button_for, called, likeness
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import HasValue, Target, Unchanged
from tools.page.parts import Button, Figure
from tools.page.trials import Agree, Control, Press, Reload, Trial

LIVES = ("Lives", "Lives left", "Attempts left", "Tries left", "Guesses left")


@relation(
    about=("figures", "buttons"),
    category=Category.state_not_updated,
    severity=Severity.major,
    shows=("play",),
    says=("a new game begins with a score of zero",),
)
class ScoreBeginsAnew:
    """With a new game, or after a reset, what was counted in the last one is what it was when that began."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a score that was seen to differ from its start; a total over all games is still there after a reload."""
        page = ground.page
        again = button_for(page, "play again") or button_for(page, "reset") or _begins(ground)
        if again is None or again.disabled:
            return
        for figure in page.figures:
            first = next((old for seen in ground.earlier if isinstance(old := seen.of(figure.key), Figure)), None)
            if first is None or first.quantity.value in {None, figure.quantity.value} or not _counts_a_game(figure, first):
                continue
            target = Target.of(figure, page)
            yield Trial(
                why=f"{called(figure, page)} begins anew with {called(again, page)}",
                acts=(Press(target=Target.of(again, page)), Agree()),
                asserts=(HasValue(target=target, value=first.quantity.text),),
                control=Control(
                    explains="it counts over all games",
                    acts=(Reload(),),
                    asserts=(Unchanged(target=target),),
                ),
                requirements=ground.asked.about(figure, again),
            )
            return


def _begins(ground: Ground) -> Button | None:
    """The button that starts, where nothing was ever seen that could stop: else it goes on from where that was."""
    stops = any(button_for(seen, "stop", "pause", "resume") is not None for seen in (*ground.earlier, ground.page))
    return button_for(ground.page, "start") if not stops else None


def _counts_a_game(figure: Figure, first: Figure) -> bool:
    """Whether it counts up from nothing in a game, or down from what there is of lives."""
    return is_score(figure) if first.quantity.value == 0 else likeness(figure.name, *LIVES) >= 0.65


COUNTED = (
    "Score", "Points", "Your score", "Moves", "Turns", "Generation", "Attempts", "Errors", "Mistakes", "Hits", "Misses",
    "Right answers", "Wrong answers",
)  # fmt: skip
"""What is counted in a game, a round or a test."""


def is_score(figure: Figure) -> bool:
    """Surely what was counted in this game, by the meaning of its name: no record, no level, no count of games."""
    mine = likeness(figure.name, *COUNTED)
    return mine >= 0.65 and mine > 0.1 + likeness(
        figure.name, "Best", "High score", "Record", "Level", "Rounds won", "Total score"
    )
