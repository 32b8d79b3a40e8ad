"""A theme that is to be remembered is there at the next visit."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, likeness, usable
from evaluator.requirements.deeds import deed_of
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Gone, Kept, Target
from tools.page.parts import Button
from tools.page.trials import Control, Press, Trial

ASKS = (
    "the chosen theme is remembered",
    "a dark mode toggle that is remembered",
    "the theme preference is saved",
    "the choice is kept for the next visit",
)
OF_DATA = ("entries are saved", "tasks are still there after a reload", "data is stored")
OF_THEMES = ("a dark mode toggle", "a theme button", "light and dark theme", "switch between themes", "a theme can be chosen")
SURE, APART = 0.5, 0.1


@relation(
    about=("buttons",),
    category=Category.persistence_lost,
    severity=Severity.minor,
    shows=("theme", "persist"),
    says=("the chosen theme is remembered for the next visit",),
)
class ThemeIsRemembered:
    """Where the brief asks for it, a button that switched the theme offers after a reload what it offered before it."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a page, of a button that was seen to go by another name after it was pressed."""
        kept = ground.asked.of("persist")
        asked = tuple(name for name, words in ground.asked.words().items() if _is_asked(words, surely_kept=name in kept))
        for button in ground.page.buttons:
            other = _other_name(button, ground) if asked and usable(button) and button.item < 0 else ""
            if not other or deed_of(button.name) != "theme":
                continue
            switched = Target(kind="buttons", name=other)
            yield Trial(
                why=f"the theme of {called(button, ground.page)} is remembered",
                acts=(Press(target=Target.of(button, ground.page)),),
                asserts=(Kept(target=switched),),
                control=Control(
                    explains="it goes back by itself",
                    acts=(Press(target=Target.of(button, ground.page)),),
                    asserts=(Gone(target=switched),),
                ),
                requirements=asked,
            )
            return


def _other_name(button: Button, ground: Ground) -> str:
    """What the button in its place was called in the other theme."""
    names = (
        each_button.name for seen in ground.earlier for each_button in seen.buttons if each_button.selector == button.selector
    )
    return next((name for name in names if name and name != button.name and deed_of(name) == "theme"), "")


def _is_asked(words: str, *, surely_kept: bool) -> bool:
    """Whether a theme is to be kept. `surely_kept`: that something is to be kept is known, what it is is to be told."""
    mine, others = likeness(words, *ASKS), OF_DATA if surely_kept else (*OF_DATA, *OF_THEMES)
    return mine >= SURE and mine >= APART + likeness(words, *others)
