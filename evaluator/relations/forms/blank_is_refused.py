"""White space is no name."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, fill_whole, forms_that, free_text, open_fields
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import NoneAdded
from tools.page.trials import Trial


@relation(
    about=("forms", "fields"),
    category=Category.validation_missing,
    severity=Severity.minor,
    shows=("validate",),
    says=("empty entries are not allowed",),
)
class BlankIsRefused:
    """A form adds nothing of which the only text is white space.

    One fitting thing is added first: a blank one that is given a name by the page ("Untitled") shows as much as that does, and is
    no bare one.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two a form with one free text: white space, and nothing at all."""
        for form, submit in forms_that(ground, SENDS):
            text = free_text(form, ground.page)
            typable = [field for field in open_fields(form, ground.page) if field.kind in {"text", "multiline"}]
            if text is None or len(typable) != 1 or text.required:
                continue
            first = fill_whole(ground, form, submit)
            for blank, said in (("   ", "white space"), ("", "nothing typed")):
                filled = fill_whole(ground, form, submit, 1, instead={text.key: blank or " "})
                if first is None or filled is None:
                    continue
                fills = tuple(
                    fill.model_copy(update={"value": blank}) if fill.target.find(ground.page) == text else fill
                    for fill in filled.act.fills
                )
                yield Trial(
                    why=f"{called(submit, ground.page)} adds nothing bare for {said} in {called(text, ground.page)}",
                    precondition=(first.act,),
                    acts=(filled.act.model_copy(update={"fills": fills}),),
                    asserts=(NoneAdded(bare=True),),
                    requirements=ground.asked.about(form, text),
                )
