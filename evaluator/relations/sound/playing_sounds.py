"""What plays is heard."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.controls.does_something import distinct
from evaluator.relations.shape import called, likeness, usable
from evaluator.requirements.deeds import bare_name, does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Sounds, Target
from tools.page.trials import Control, Press, Trial, Wait

SOUNDS = ("Play sound", "Play the music", "Listen")
SURE = 0.75


@relation(
    about=("buttons",), category=Category.audio_missing, severity=Severity.major, shows=("sound",), says=("a melody is played",)
)
class PlayingSounds:
    """A button that plays sound by its name is heard within a second; a name must be quite sure where no sound is asked for."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a page; a pattern that begins with a rest is heard a little later."""
        page, asked = ground.page, ground.asked.of("sound")
        for button in distinct(page):
            if not usable(button) or not does(button, "play sound", page=page):
                continue
            if not asked and likeness(bare_name(button, page), *SOUNDS) < SURE:
                continue
            yield Trial(
                why=f"{called(button, page)} is heard",
                acts=(Press(target=Target.of(button, page)), Wait(app_ms=1000)),
                asserts=(Sounds(),),
                control=Control(explains="it begins with a rest", acts=(Wait(app_ms=4000),), asserts=(Sounds(),)),
                requirements=ground.asked.about(button),
            )
            return
