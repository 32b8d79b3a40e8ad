"""Escape closes a dialog that can be closed."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.dialogs.dialog_closes import closers
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Gone, Stays, Target
from tools.page.trials import Control, Keys, Press, Trial


@relation(
    about=("layers", "buttons"),
    category=Category.input_ignored,
    severity=Severity.minor,
    shows=("keyboard",),
    says=("Escape closes the dialog",),
)
class EscapeCloses:
    """Escape closes a modal dialog that has a button to close it (ARIA Authoring Practices, dialog pattern)."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a dialog that states that it is modal."""
        for dialog in ground.page.layers:
            buttons = closers(dialog, ground)
            if dialog.kind != "dialog" or not dialog.modal or dialog.covered or not buttons:
                continue
            target = Target.of(dialog, ground.page)
            yield Trial(
                why=f"Escape closes {called(dialog, ground.page)}",
                acts=(Keys(keys=("Escape",)),),
                asserts=(Gone(target=target),),
                control=Control(
                    explains="its own button does not close it either",
                    acts=(Press(target=Target.of(buttons[0], ground.page)),),
                    asserts=(Stays(target=target),),
                ),
                requirements=ground.asked.about(dialog),
            )
