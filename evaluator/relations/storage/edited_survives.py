"""What was edited is there after a reload."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.collections.edited_is_just_that import opened_edits
from evaluator.relations.keeping import asked_to_keep, saved_and_waited
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Kept, Stores, Target
from tools.page.trials import Control, Trial


@relation(about=("collections", "fields"), category=Category.persistence_lost, severity=Severity.major, shows=("persist",))
class EditedSurvives:
    """An item's new words are there after a reload, where the brief asks for that or saving them writes into the stores."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a list of which an item is being edited, long enough before the reload for what stores later."""
        for edit in opened_edits(ground, 2):
            asked = asked_to_keep(ground, edit.listed)
            stored = Stores(yes=False, text=edit.value)
            yield Trial(
                why=f'the new words of "{edit.called}" in "{edit.listed.name}" are there after a reload',
                acts=(*edit.acts, *saved_and_waited(ground)),
                asserts=(Kept(target=Target(kind="texts", name=edit.value), beside=Target.of(edit.listed, ground.page)),),
                control=None if asked else Control(explains="the new words are not stored", acts=(), asserts=(stored,)),
                requirements=tuple(dict.fromkeys((*asked, *ground.asked.about(edit.listed)))),
            )
