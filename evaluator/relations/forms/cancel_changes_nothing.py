"""What is cancelled did not happen."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import free_text
from evaluator.relations.base import Ground, relation
from evaluator.relations.figures.field_governs import far
from evaluator.relations.shape import by_itself, called, canceller, choosing, is_choice, is_opened, offered, usable
from evaluator.relations.values import filled, shown_values
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ListedAtMost, SameItems, Target
from tools.page.model import PageModel
from tools.page.parts import Collection, Form, Layer
from tools.page.trials import Act, Fill, Press, Trial

_OTHER = {"time": "19:45", "date": "2026-03-19", "text": "Copper kettle", "multiline": "Copper kettle"}
"""What is typed into a field of a kind."""


@relation(
    about=("buttons",),
    category=Category.wrong_result,
    severity=Severity.major,
    says=("cancel closes the form without saving",),
)
class CancelChangesNothing:
    """What was typed in a form that is then cancelled is listed nowhere, and the lists are as they were.

    A dialog that is cancelled leaves the lists behind it as they were before it came up.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form with a button to cancel it, two a dialog with one."""
        page = ground.page
        yield from _of_dialogs(ground)
        for form in page.forms:
            cancel = canceller(form, page)
            act = filled(form, page, ground.typed, today=ground.today)
            if cancel is None or act is None or free_text(form, page) is None or not shown_values(act, page):
                continue
            before = _before(form, ground)
            homes = {form.collection} | {part.collection for key in form.fields if (part := page.of(key)) is not None}
            lists = [
                collection
                for collection in page.collections
                if 0 < collection.count <= len(collection.items)
                and not collection.layer
                and collection.key not in homes  # an item being edited shows a field
                and (before is None or _same(collection, before))  # what the form's coming up has changed, its going changes back
            ]
            yield Trial(
                why=f"{called(cancel, page)} leaves everything as it was",
                acts=(act.model_copy(update={"submit": None, "by_enter": False}), Press(target=Target.of(cancel, page))),
                asserts=(
                    ListedAtMost(texts=(shown_values(act, page)[0],)),
                    *(SameItems(target=Target.of(collection, page)) for collection in lists[:2]),
                ),
                requirements=ground.asked.about(form, cancel),
            )


def _of_dialogs(ground: Ground) -> Iterator[Trial]:
    """As it came up, and after something in it was chosen or typed: only where it changed nothing behind it by coming up."""
    page = ground.page
    before = next((seen for seen in reversed(ground.earlier) if seen.url == page.url and not seen.layers), None)
    for layer in page.layers if before is not None else ():
        cancel = next(
            (
                button
                for button in page.buttons
                if button.layer == layer.key and usable(button) and does(button, "cancel", page=page)
            ),
            None,
        )
        lists = [
            collection
            for collection in page.collections
            if not collection.layer and 0 < collection.count <= len(collection.items) and _same(collection, before)
        ]
        if layer.kind != "dialog" or cancel is None or not lists:
            continue
        for acts, said in (((), ""), *((((act,), " after a change in it"),) if (act := _change(layer, ground)) else ())):
            yield Trial(
                why=f"{called(cancel, page)} leaves what is behind {called(layer, page)} as it was{said}",
                acts=(*acts, Press(target=Target.of(cancel, page))),
                asserts=tuple(SameItems(target=Target.of(collection, page)) for collection in lists[:2]),
                control=by_itself(lists[0], page),
                requirements=ground.asked.about(layer, cancel),
            )


def _before(form: Form, ground: Ground) -> PageModel | None:
    """The page as it was last without the form; None where the form was always there."""
    here = (seen for seen in reversed(ground.earlier) if seen.url == ground.page.url)
    return next((seen for seen in here if all(seen.of(key) is None for key in form.fields)), None)


def _same(listed: Collection, before: PageModel | None) -> bool:
    was = before.of(listed.key) if before is not None else None
    return isinstance(was, Collection) and [item.text for item in was.items] == [item.text for item in listed.items]


def _change(layer: Layer, ground: Ground) -> Act | None:
    """The last choice, time or number of a dialog, set to something else: the first one often says what it is about."""
    page = ground.page
    for choice in reversed(
        [each_choice for each_choice in page.choices if each_choice.layer == layer.key and usable(each_choice)]
    ):
        other = next((option for option in offered(choice) if not option.chosen), None)
        if other is not None and (is_choice(choice, ground) or is_opened(choice)):
            return choosing(choice, other, page)
    for field in reversed(
        [
            each_field
            for each_field in page.fields
            if each_field.layer == layer.key and usable(each_field) and not each_field.read_only
        ]
    ):
        value = _OTHER.get(field.kind) if field.kind != "number" else next(iter(far(field)), None)
        if value is not None and value != field.value:
            return Fill(target=Target.of(field, page), value=value)
    return None
