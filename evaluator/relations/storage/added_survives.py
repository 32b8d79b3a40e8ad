"""What was added is there after a reload."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, fill_whole, forms_that
from evaluator.relations.base import Ground, relation
from evaluator.relations.keeping import asked_to_keep, kept_later
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Kept, Stores, Target
from tools.page.parts import Part
from tools.page.trials import Control, Trial


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
            if filled is None or other is None or not filled.typed or ground.page.of(form.layer):
                continue
            asked = asked_to_keep(ground, form, submit)
            yield Trial(
                why=f"what {called(submit, ground.page)} adds is there after a reload",
                acts=(filled.act,),
                asserts=(_kept(ground, submit, filled.typed),),
                control=kept_later(ground, (other.act,), _kept(ground, submit, other.typed))
                if asked and other.typed
                else Control(explains="adding stores nothing", acts=(other.act,), asserts=(Stores(yes=False),)),
                requirements=tuple(dict.fromkeys((*asked, *ground.asked.about(form, submit)))),
            )


def _kept(ground: Ground, submit: Part, typed: str) -> Kept:
    return Kept(target=Target(kind="texts", name=typed), beside=Target.of(submit, ground.page))
