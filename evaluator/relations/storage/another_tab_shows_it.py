"""What was added is there in another tab."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, beside, fill_whole, forms_that, opened_again
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Stays, Stores, Target
from tools.page.trials import Control, NewTab, Trial


@relation(about=("forms", "fields"), category=Category.persistence_lost, severity=Severity.major, shows=("persist",))
class AnotherTabShowsIt:
    """What was added is there when the app is opened in another tab, where adding writes into the store that tabs share."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One for the first form: what holds for one holds for the store."""
        for form, submit in forms_that(ground, SENDS):
            filled, other = fill_whole(ground, form, submit), fill_whole(ground, form, submit, 1)
            again, near = opened_again(form, ground), beside(form, submit, ground)
            if filled is None or other is None or not filled.typed or again is None or near is None:
                continue
            yield Trial(
                why=f"what {called(submit, ground.page)} adds is there in another tab",
                precondition=(filled.act,),
                acts=(NewTab(),),
                asserts=(Stays(target=Target(kind="texts", name=filled.typed), beside=near),),
                control=Control(
                    explains="adding stores nothing that another tab knows",
                    precondition=again,
                    acts=(other.act,),
                    asserts=(Stores(yes=False, lasting=True),),
                ),
                requirements=ground.asked.about(form, submit),
            )
            return
