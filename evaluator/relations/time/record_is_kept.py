"""A record is broken by what is better only."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, likeness, starter, usable
from evaluator.requirements.deeds import Deed, does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Changes, InRange, Target
from tools.page.model import PageModel
from tools.page.parts import Button, Figure, Part
from tools.page.trials import Control, Press, Trial, Wait

RECORDS = ("High score", "Best score", "Highscore", "Record", "Personal best", "Longest streak")
NO_RECORDS = ("Score", "Your score", "Points", "Last score", "Recorded", "Best time", "Fastest time", "Fewest moves", "Level")
SURE, APART = 0.65, 0.08
SEVERAL = 2
"""A record from which on a round with one press is a worse one."""
ROUND_MS = 30_000
"""App time in which most rounds end by themselves."""
GOVERNS: tuple[Deed, ...] = ("start", "play again", "resume", "pause", "stop", "reset", "clear", "theme", "mute", "settings")


@relation(
    about=("figures",),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("play",),
    says=("the best score is kept when a later round is worse",),
)
class RecordIsKept:
    """A high score that was seen to rise is not replaced by a lower one; one that was set back to nothing begins anew."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a record that rose to several: a round with next to nothing. And as the page stands, one a record that was higher.

        Each mode may have a record of its own: only where the same is chosen and switched on is one held against another.
        """
        yield from _poor_rounds(ground)
        page = ground.page
        for figure in page.figures:
            if not is_record(figure) or not figure.quantity.value:
                continue
            best = _best(figure, ground)
            if best > float(figure.quantity.value):
                yield Trial(
                    why=f"{called(figure, page)} is not replaced by less",
                    acts=(),
                    asserts=(InRange(target=Target.of(figure, page), low=best),),
                    control=Control(
                        explains="it shows something else at each look",
                        acts=(Wait(app_ms=1500),),
                        asserts=(Changes(target=Target.of(figure, page)),),
                    ),
                    requirements=ground.asked.about(figure),
                )


def _poor_rounds(ground: Ground) -> Iterator[Trial]:
    """Where nothing is chosen that might have a record of its own."""
    page, start = ground.page, starter(ground.page)
    if _mode(page)[1]:
        return
    for figure in page.figures:
        if start is None or not is_record(figure) or not (best := figure.quantity.value) or best < SEVERAL:
            continue
        used = next((each_target for seen in _rose(figure, ground) if (each_target := _in_use(seen, start)) is not None), None)
        if used is None:
            continue
        target = Target.of(figure, page)
        yield Trial(
            why=f"{called(figure, page)} is not replaced by a round with less",
            acts=(Press(target=Target.of(start, page)), Press(target=used), Wait(app_ms=ROUND_MS, to_the_end=True)),
            asserts=(InRange(target=target, low=float(best)),),
            control=Control(
                explains="it shows something else at each look",
                acts=(Wait(app_ms=1500),),
                asserts=(Changes(target=target),),
            ),
            requirements=ground.asked.about(figure),
        )


def _rose(figure: Figure, ground: Ground) -> Iterator[PageModel]:
    """Pages of this document that led to a higher record, the latest first."""
    return (old for old, _ in reversed([*_rises(figure, ground)]) if old.document == ground.page.document)


def _rises(figure: Figure, ground: Ground) -> Iterator[tuple[PageModel, float]]:
    """Pages that led to a higher record in the mode that is on, each with that record, also before the app was opened again."""
    for old, new in ground.steps():
        same = old.document == new.document and _mode(old) == _mode(new) == _mode(ground.page)
        if same and _shown(new.of(figure.key)) > _shown(old.of(figure.key)):
            yield old, _shown(new.of(figure.key))


def _shown(figure: Part | None) -> float:
    return float(figure.quantity.value or 0) if isinstance(figure, Figure) else 0.0


def _in_use(page: PageModel, start: Button) -> Target | None:
    """The largest button that could be pressed while a round went on and is for nothing that governs it."""
    free = [
        button for button in page.buttons
        if usable(button) and button.item < 0 and button.key != start.key and not does(button, *GOVERNS, page=page)
    ]  # fmt: skip
    return Target.of(max(free, key=lambda button: button.box.area), page) if free else None


def _best(figure: Figure, ground: Ground) -> float:
    """The highest it was in the same mode since it was last nothing; 0 where it was not seen to rise to that.

    It may have risen before the page was opened again, and have been kept.
    """
    values: list[float] = []
    for seen in reversed(ground.earlier):
        if seen.document != ground.page.document or _mode(seen) != _mode(ground.page):
            break
        old = seen.of(figure.key)
        if isinstance(old, Figure):
            values.append(float(old.quantity.value or 0))
            if not old.quantity.value:
                break
    best = max(values, default=0.0)
    risen = values and (values[-1] < best or best in {record for _, record in _rises(figure, ground)})
    return best if risen else 0.0


def _mode(page: PageModel) -> tuple[str, frozenset[tuple[str, ...]]]:
    """Where the app is, and what is surely chosen and switched on: a row of buttons of which one is off may be no choice."""
    chosen = {(choice.key, *choice.chosen) for choice in page.choices if choice.by != "look"} | {
        (toggle.key, str(toggle.on)) for toggle in page.toggles
    }
    return page.url, frozenset(chosen)


def is_record(figure: Figure) -> bool:
    """By the meaning of its name the most that was ever reached; no time, where less is better."""
    if figure.quantity.measure in {"duration", "date", "time"}:
        return False
    mine = likeness(figure.name, *RECORDS)
    return mine >= SURE and mine >= APART + likeness(figure.name, *NO_RECORDS)
