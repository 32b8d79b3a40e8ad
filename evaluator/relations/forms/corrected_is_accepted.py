"""After a refusal the form works."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, fill_whole, forms_that, free_text
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Appears, ListedAtMost, Target
from tools.page.trials import Control, Reload, Trial


@relation(about=("forms", "fields"), category=Category.state_not_updated, severity=Severity.major, shows=("validate",))
class CorrectedIsAccepted:
    """A form that refused what was blank accepts it once it is filled."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form: sent blank, then filled and sent."""
        for form, submit in forms_that(ground, SENDS):
            text = free_text(form, ground.page)
            filled, other = fill_whole(ground, form, submit), fill_whole(ground, form, submit, 1)
            blank = fill_whole(ground, form, submit, instead={text.key: ""}) if text else None
            if filled is None or other is None or blank is None or not filled.typed:
                continue
            yield Trial(
                why=f"{called(submit, ground.page)} accepts what it refused, once that is corrected",
                precondition=(blank.act,),
                acts=(filled.act,),
                asserts=(Appears(target=Target(kind="texts", name=filled.typed)),),
                control=Control(
                    explains="these values are not listed by a form that refused nothing either",
                    acts=(Reload(), other.act),
                    asserts=(ListedAtMost(texts=(other.typed,)),),
                ),
                requirements=ground.asked.about(form, submit),
            )
