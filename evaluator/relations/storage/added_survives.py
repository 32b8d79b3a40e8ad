"""What was added is there after a reload."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, beside, fill_whole, forms_that, opened_again
from evaluator.relations.base import Ground, relation
from evaluator.relations.keeping import asked_to_keep, kept_later
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Kept, Stores, Target
from tools.page.assertions.values import BEFORE_RELOAD_MS
from tools.page.trials import Control, Trial, Wait


@relation(
    about=("forms", "fields"),
    category=Category.persistence_lost,
    severity=Severity.major,
    shows=("persist",),
    says=("entries are kept after a reload",),
)
class AddedSurvives:
    """What was added is there after a reload, where adding writes anything into the browser's stores.

    An app that stores nothing keeps its things in memory by design, as far as one can see, unless its brief asks for more.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form."""
        for form, submit in forms_that(ground, SENDS):
            filled, other = fill_whole(ground, form, submit), fill_whole(ground, form, submit, 1)
            again, near = opened_again(form, ground), beside(form, submit, ground)
            if filled is None or other is None or not filled.typed or again is None or near is None:
                continue
            asked = asked_to_keep(ground, form, submit)
            yield Trial(
                why=f"what {called(submit, ground.page)} adds is there after a reload",
                acts=(filled.act,),
                asserts=(_kept(near, filled.typed),),
                control=kept_later(ground, (*again, other.act), _kept(near, other.typed))
                if asked and other.typed
                else Control(
                    explains="adding stores nothing",
                    precondition=again,
                    acts=(other.act, Wait(app_ms=BEFORE_RELOAD_MS)),
                    asserts=(Stores(yes=False),),
                ),
                requirements=tuple(dict.fromkeys((*asked, *ground.asked.about(form, submit)))),
            )


def _kept(near: Target, typed: str) -> Kept:
    return Kept(target=Target(kind="texts", name=typed), beside=near)
