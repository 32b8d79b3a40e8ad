"""What is stopped or muted is silent."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import button_for, called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Sounds, Target
from tools.page.trials import Control, Press, Reload, Trial, Wait


@relation(
    about=("buttons",), category=Category.wrong_result, severity=Severity.major, shows=("sound",), says=("stop ends the sound",)
)
class StoppedIsSilent:
    """What plays is silent soon after it is stopped or muted."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One for stop and one for mute; what dies away may do so for half a second."""
        page = ground.page
        play = button_for(page, "play sound") or button_for(page, "start", "play")
        for deed in ("stop", "mute", "pause"):
            button = button_for(page, deed)
            if play is None or button is None or button is play:
                continue
            yield Trial(
                why=f"{called(button, page)} is silent",
                precondition=(
                    Press(target=Target.of(play, page)),
                    Wait(app_ms=1200),
                    Press(target=Target.of(button, page)),
                    Wait(app_ms=600),
                ),
                acts=(Wait(app_ms=1500),),
                asserts=(Sounds(yes=False),),
                control=Control(
                    explains="it sounds without being played",
                    precondition=(Reload(),),
                    acts=(Wait(app_ms=1500),),
                    asserts=(Sounds(),),
                ),
                requirements=ground.asked.about(button, play),
            )
