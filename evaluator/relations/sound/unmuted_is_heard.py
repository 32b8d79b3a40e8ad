"""What is unmuted is heard again."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import button_for, called, usable
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Sounds, Target
from tools.page.trials import Control, Press, Reload, Trial, Wait

PLAYED_MS, MUTED_MS, HEARD_MS = 1_200, 600, 2_500


@relation(about=("buttons",), category=Category.audio_missing, severity=Severity.major, shows=("sound",))
class UnmutedIsHeard:
    """What goes on playing is heard again once it was muted and is muted no more."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a page. What has come to its end by then is silent without anybody muting it, as the control hears."""
        page = ground.page
        play, mute = button_for(page, "play sound") or button_for(page, "start", "play"), button_for(page, "mute")
        if play is None or mute is None or play is mute or not (usable(play) and usable(mute)):
            return
        if sum(does(button, "mute", page=page) for button in page.buttons) > 1:  # one that mutes, another that unmutes
            return
        begin, turn = Press(target=Target.of(play, page)), Press(target=Target.of(mute, page))
        yield Trial(
            why=f"what plays is heard again after {called(mute, page)} was pressed twice",
            precondition=(begin, Wait(app_ms=PLAYED_MS), turn, Wait(app_ms=MUTED_MS)),
            acts=(turn, Wait(app_ms=HEARD_MS)),
            asserts=(Sounds(),),
            control=Control(
                explains="it has come to its end by then",
                precondition=(Reload(), begin, Wait(app_ms=PLAYED_MS + MUTED_MS)),
                acts=(Wait(app_ms=HEARD_MS),),
                asserts=(Sounds(yes=False),),
            ),
            requirements=ground.asked.about(mute, play),
        )
