"""A double click on a form's button sends it once."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, fill_whole, forms_that, free_text
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import HasValue, ListedAtMost, Target
from tools.page.parts import Button
from tools.page.trials import Control, Fill, Keys, Press, Trial, Wait


@relation(
    about=("forms", "fields"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("add",),
    says=(
        "a double click on send adds the entry only once",
        "each entry gets in only once",
    ),
)
class SentTwiceIsOne:
    """A form that is sent by a double click, or by Enter twice, adds one thing.

    What is sent may take a moment to be listed; a first thing, sent once, shows how often one is listed. A form that keeps its
    values is meant to add more of the same: the control sends it once and sees whether it does.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form."""
        for form, submit in forms_that(ground, SENDS):
            filled, other = fill_whole(ground, form, submit), fill_whole(ground, form, submit, 1)
            usual = fill_whole(ground, form, submit, 2)
            text = free_text(form, ground.page)
            if filled is None or other is None or usual is None or not filled.typed or text is None:
                continue
            target = Target.of(submit, ground.page)
            twice = (
                Press(target=target, double=True) if isinstance(submit, Button) else Keys(keys=("Enter", "Enter"), target=target)
            )
            again = next(
                (fill.value for fill in other.act.fills if isinstance(fill, Fill) and fill.target.find(ground.page) == text), ""
            )
            yield Trial(
                why=f"sent twice at once {called(submit, ground.page)} adds one thing",
                precondition=() if form.layer else (usual.act, Wait(app_ms=1500)),
                acts=(filled.unsent, twice, Wait(app_ms=1500)),
                asserts=(ListedAtMost(texts=(filled.typed,), count=1, like="" if form.layer else usual.typed),),
                control=Control(
                    explains="the form stays as it was filled, for more of the same",
                    acts=(other.act, Wait(app_ms=1500)),
                    asserts=(HasValue(target=Target.of(text, ground.page), value=again),),
                ),
                requirements=ground.asked.about(form, submit),
            )
