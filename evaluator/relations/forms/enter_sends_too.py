"""Enter in a form's only field does what its button does."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, fill_whole, forms_that, open_fields
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Appears, ListedAtMost, Target
from tools.page.parts import Button
from tools.page.trials import Control, Trial


@relation(
    about=("forms", "fields"),
    category=Category.input_ignored,
    severity=Severity.minor,
    shows=("keyboard",),
    says=("Enter adds the entry, too",),
)
class EnterSendsToo:
    """Enter in the only field of a form adds what its button would add."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form with one line to type in."""
        for form, submit in forms_that(ground, SENDS):
            fields = open_fields(form, ground.page)
            filled, other = fill_whole(ground, form, submit), fill_whole(ground, form, submit, 1)
            if (
                not isinstance(submit, Button)
                or len(fields) != 1
                or fields[0].kind != "text"
                or filled is None
                or other is None
                or not filled.typed
            ):
                continue
            yield Trial(
                why=f"Enter in {called(fields[0], ground.page)} does what {called(submit, ground.page)} does",
                acts=(filled.act.model_copy(update={"submit": None, "by_enter": True}),),
                asserts=(Appears(target=Target(kind="texts", name=filled.typed)),),
                control=Control(
                    explains="the button does not list it either",
                    acts=(other.act,),
                    asserts=(ListedAtMost(texts=(other.typed,)),),
                ),
                requirements=ground.asked.about(form, fields[0]),
            )
