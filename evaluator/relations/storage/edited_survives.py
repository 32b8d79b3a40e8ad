"""What was edited is there after a reload."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.collections.edited_is_just_that import opened_edits, saved_over
from evaluator.relations.keeping import STORED_LATER_MS, asked_to_keep
from evaluator.relations.values import fitting
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Kept, Stores, Target
from tools.page.trials import Control, Trial, Wait


@relation(about=("collections", "fields"), category=Category.persistence_lost, severity=Severity.major, shows=("persist",))
class EditedSurvives:
    """An item's new words are there after a reload, where the brief asks for that or saving them writes into the stores."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a list of which an item is being edited, long enough before the reload for what stores later."""
        page = ground.page
        for listed, field, _ in opened_edits(ground):
            value = fitting(field, ground.typed + 2, ground.today)
            acts = saved_over(field, value, page)
            if not value or not acts:
                continue
            asked = asked_to_keep(ground, listed)
            yield Trial(
                why=f'the new words of "{field.name or field.value}" in "{listed.name}" are there after a reload',
                acts=(*acts, Wait(app_ms=STORED_LATER_MS)),
                asserts=(Kept(target=Target(kind="texts", name=value), beside=Target.of(listed, page)),),
                control=None if asked else Control(explains="editing stores nothing", acts=(), asserts=(Stores(yes=False),)),
                requirements=tuple(dict.fromkeys((*asked, *ground.asked.about(listed)))),
            )
