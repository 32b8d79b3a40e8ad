"""What is cancelled did not happen."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import free_text
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, canceller
from evaluator.relations.values import filled, shown_values
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ListedAtMost, SameItems, Target
from tools.page.trials import Press, Trial


@relation(
    about=("forms", "fields", "buttons"),
    category=Category.wrong_result,
    severity=Severity.major,
    says=("cancel closes the form without saving",),
)
class CancelChangesNothing:
    """What was typed in a form that is then cancelled is listed nowhere, and the lists are as they were."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form with a button to cancel it."""
        page = ground.page
        for form in page.forms:
            cancel = canceller(form, page)
            act = filled(form, page, ground.typed, today=ground.today)
            if cancel is None or act is None or free_text(form, page) is None or not shown_values(act, page):
                continue
            homes = {form.collection} | {part.collection for key in form.fields if (part := page.of(key)) is not None}
            lists = [
                one
                for one in page.collections
                if 0 < one.count <= len(one.items)
                and not one.layer
                and one.key not in homes  # an item being edited shows a field
            ]
            yield Trial(
                why=f"{called(cancel, page)} leaves everything as it was",
                acts=(act.model_copy(update={"submit": None, "by_enter": False}), Press(target=Target.of(cancel, page))),
                asserts=(
                    ListedAtMost(texts=(shown_values(act, page)[0],)),
                    *(SameItems(target=Target.of(one, page)) for one in lists[:2]),
                ),
                requirements=ground.asked.about(form, cancel),
            )
