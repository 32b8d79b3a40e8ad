"""Redo does again what undo took back."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.relations.undo.undo_restores import brought_by, button_for, changes
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Target, Unchanged
from tools.page.trials import Press, Trial


@relation(about=("collections", "buttons"), category=Category.wrong_result, severity=Severity.major, shows=("undo",))
class RedoRestores:
    """A change that is undone and done again leaves the list as the change did.

    An undo that is about something else leaves the list alone, and so does its redo.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a list and way to change it."""
        undo, redo = button_for("undo", ground), button_for("redo", ground)
        if undo is None or redo is None:
            return
        for listed in ground.page.collections:
            if listed.count > len(listed.items) or listed.count < 1 or listed.covered:
                continue
            target = Target.of(listed, ground.page)
            for done in changes(listed, ground, brought_by(undo, ground))[:2]:
                yield Trial(
                    why=f"redo brings the change of {called(listed, ground.page)} back",
                    precondition=done,
                    acts=(Press(target=undo), Press(target=redo)),
                    asserts=(Unchanged(target=target),),
                    requirements=ground.asked.about(listed),
                )
