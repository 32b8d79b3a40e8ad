"""Escape cancels what is being edited."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.meanings import means
from evaluator.relations.shape import called, canceller
from evaluator.relations.values import filled
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Gone, Stays, Target
from tools.page.trials import Control, Keys, Press, Trial

_CANCELS = ("Escape cancels editing", "Esc discards the changes", "Escape closes the form without saving")
_OTHERS = (
    "Escape clears the search", "Escape closes the menu", "Escape closes the dialog", "Escape pauses the game",
    "Escape leaves full screen", "Escape clears the selection",
)  # fmt: skip


@relation(
    about=("forms", "buttons"), category=Category.input_ignored, severity=Severity.major, only_asked=True, shows=("keyboard",)
)
class EscapeCancels:
    """Where the brief asks that Escape cancels editing, a form with a button to cancel it closes by Escape as by that button."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form that can be cancelled, begun to be filled."""
        page, words = ground.page, ground.asked.words()
        named = [name for name, keys in ground.asked.keys().items() if "Escape" in keys]
        asked = tuple(name for name in named if means(words[name], _CANCELS, unlike=_OTHERS))
        for form in page.forms if asked else ():
            cancel = canceller(form, page)
            act = filled(form, page, ground.typed, today=ground.today)
            if form.covered or cancel is None or act is None:
                continue
            target = Target.of(cancel, page)
            yield Trial(
                why=f"Escape cancels as {called(cancel, page)} does",
                precondition=(act.model_copy(update={"submit": None, "by_enter": False}),),
                acts=(Keys(keys=("Escape",)),),
                asserts=(Gone(target=target),),
                control=Control(
                    explains="its own button does not close it either",
                    acts=(Press(target=target),),
                    asserts=(Stays(target=target),),
                ),
                requirements=asked,
            )
