"""A dialog closes by its own buttons."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Changes, Gone, Target
from tools.page.parts import Button, Layer
from tools.page.trials import Agree, Control, Press, Trial

_CROSSES = frozenset("×✕✖✗✘⨯╳xX")


@relation(
    about=("layers", "buttons"),
    category=Category.dead_control,
    severity=Severity.major,
    shows=("open",),
    says=("a close button closes the dialog",),
)
class DialogCloses:
    """A dialog is gone after its own "close" or "cancel" was pressed.

    A button that changes something else when it is pressed again belongs to something in the dialog.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """At most three a dialog."""
        for dialog in ground.page.layers:
            if dialog.kind != "dialog" or dialog.covered:
                continue
            for button in closers(dialog, ground)[:3]:
                press = Press(target=Target.of(button, ground.page))
                yield Trial(
                    why=f"{called(button, ground.page)} closes {called(dialog, ground.page)}",
                    acts=(press, Agree()),
                    asserts=(Gone(target=Target.of(dialog, ground.page)),),
                    control=Control(explains="it does something else", acts=(press,), asserts=(Changes(),)),
                    requirements=ground.asked.about(dialog, button),
                )


def closers(dialog: Layer, ground: Ground) -> list[Button]:
    """The buttons that say that they close the dialog; a cross alone closes it where it is its only one."""
    own = [button for button in ground.page.buttons if button.layer == dialog.key and not button.disabled and button.item < 0]
    crosses = [button for button in own if button.name.strip() in _CROSSES]
    return [button for button in own if does(button, "close", "cancel")] + (crosses if len(crosses) == 1 else [])
