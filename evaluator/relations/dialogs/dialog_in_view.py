"""A dialog lies where it can be seen."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import InView, Target
from tools.page.trials import Trial


@relation(about=("layers",), category=Category.out_of_viewport, severity=Severity.major, shows=("open",))
class DialogInView:
    """A dialog that is open lies in the window, and nothing over it."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One an open dialog, judged as it stands; one beneath another is not meant to be seen."""
        dialogs = [layer for layer in ground.page.layers if layer.kind == "dialog"]
        for dialog in dialogs[-1:]:
            yield Trial(
                why=f"{called(dialog, ground.page)} is in view",
                acts=(),
                asserts=(InView(target=Target.of(dialog, ground.page)),),
                requirements=ground.asked.about(dialog),
            )
