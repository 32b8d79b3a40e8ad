"""After the end nothing is scored."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, drawings, likeness, usable
from evaluator.relations.time.score_begins_anew import is_score
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Gone, Target, Unchanged
from tools.page.model import PageModel
from tools.page.parts import Button
from tools.page.trials import Act, Control, Keys, Point, Trial, Wait

ENDS = ("Game over", "You lost", "You won the game", "Time is up", "The game has ended")
MEANS_END = 0.68
TALLIED_MS = 2_500
"""App time after the end in which what was scored may still be counted up, or cleared, by itself."""
AGAIN, ANEW = ("Play again", "Try again", "One more time"), ("Restart", "New game", "Start", "Reset")
"""What a button offers once a game is over, and what it may offer at any time."""
MEANS_AGAIN, APART = 0.6, 0.08
SWEEP, SWEPT_MS = (("ArrowLeft", 14), ("ArrowRight", 5), ("ArrowRight", 5), ("ArrowRight", 5)), 2000
"""Keys by which what catches goes to the one side and, in three steps, to the other, and app time at each place: what still falls
falls anywhere."""


@relation(
    about=("figures", "texts"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("play",),
    says=("after game over nothing moves and the score stays", "game over when no lives are left"),
)
class OverIsOver:
    """Once a page says that a game is over, keys and clicks change the score no more."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a page that says so, in words or by a button to play again, and did not before."""
        page = ground.page
        score = next((figure for figure in page.figures if is_score(figure)), None)
        if score is None or score.quantity.value is None or not over(page) or not _was_played(ground):
            return
        sweep: list[Act] = []
        for key, times in SWEEP:
            sweep += [Keys(keys=(key,) * times), Wait(app_ms=SWEPT_MS)]
        if boards := drawings(page):
            sweep.append(Point(target=Target.of(boards[0], page), path=((0.5, 0.6),)))
        target = Target.of(score, page)
        yield Trial(
            why=f"{called(score, page)} stays as it is once the game is over",
            precondition=(Wait(app_ms=TALLIED_MS),),
            acts=tuple(sweep),
            asserts=(Unchanged(target=target),),
            control=Control(
                explains="a key or a click begins a new game",
                acts=tuple(act for act in sweep if not isinstance(act, Wait)),
                asserts=(Gone(target=_sign(page)),),
            ),
            requirements=ground.asked.about(score),
        )


def _was_played(ground: Ground) -> bool:
    """The page did not say so before; where just a button says so, neither as it came up nor while something ran.

    A button to try again that is there from the first move on says nothing of an end.
    """
    before = [seen for seen in ground.earlier if seen.document == ground.page.document and not over(seen)]
    if _said(ground.page):
        return bool(before)
    return len({frozenset((button.key, button.name, button.disabled) for button in seen.buttons) for seen in before}) > 1


def over(page: PageModel) -> bool:
    """The page says by its meaning that something has ended."""
    return bool(_said(page)) or _again(page) is not None


def _said(page: PageModel) -> str:
    """The words by which it does; empty for none."""
    said = [text.text for text in page.texts if text.item < 0 and len(text.text) <= 60]
    for words in said:
        pieces = (words, *words.replace("!", ".").split("."))
        if any(likeness(piece.strip(), *ENDS) >= MEANS_END for piece in pieces if piece.strip()):
            return words
    return ""


def _again(page: PageModel) -> Button | None:
    """The button by which it does: words may be drawn on a canvas."""
    for button in page.buttons:
        if usable(button) and button.item < 0:
            again = likeness(button.name, *AGAIN)
            if again >= MEANS_AGAIN and again >= APART + likeness(button.name, *ANEW):
                return button
    return None


def _sign(page: PageModel) -> Target:
    said, again = _said(page), _again(page)
    # By its name alone: such a button is often the start button under another name.
    return Target(kind="texts", name=said) if said or again is None else Target(kind="buttons", name=again.name)
