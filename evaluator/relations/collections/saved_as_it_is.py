"""Saving without having changed anything changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.collections.edited_is_just_that import Edit, narrowed_since, opened_edits, something_pends
from evaluator.relations.shape import by_itself
from evaluator.relations.values import fitting
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Contains, Gone, Replaces, Target
from tools.page.model import PageModel
from tools.page.parts import Cell, Choice, Field, Form
from tools.page.quantities import number_of
from tools.page.trials import Act, Control, FillForm, Press, Trial


@relation(about=("collections", "fields", "buttons"), category=Category.wrong_result, severity=Severity.major, shows=("edit",))
class SavedAsItIs:
    """An item that is opened and saved as it is stays as it is; one that was added here is not refused then.

    Of an item only what its form holds must stay: when it was saved may be told beside it. That one of the app's examples is
    refused is no fault by itself: their days have gone by.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two a list of which an item was opened and nothing was typed since: that it stays, and that its dialog closes."""
        page = ground.page
        for edit in opened_edits(ground, 1):
            form = next((each_form for each_form in page.forms if edit.field in each_form.fields), None)
            save = _save(edit)
            if form is None or save is None or _touched(form, ground):
                continue
            if edit.listed.count < 2 or narrowed_since(edit.listed, ground) or something_pends(edit, ground):
                continue
            target, asked = Target.of(edit.listed, page), ground.asked.about(edit.listed)
            texts = _held(edit, form, page)
            yield Trial(
                why=f'"{edit.words}" of "{edit.listed.name}" is the same after it was saved as it is',
                acts=(save,),
                asserts=(Replaces(target=target, item=edit.item, texts=texts),),
                control=by_itself(edit.listed, page),
                requirements=asked,
            )
            layer = page.of(form.layer) if form.layer else None
            if layer is not None and _was_added(edit, ground):
                yield Trial(
                    why=f'"{edit.words}", which was added here, is taken as it is when it is saved again',
                    acts=(save,),
                    asserts=(Gone(target=Target.of(layer, page)),),
                    control=Control(
                        explains="the form stays open when it has saved",
                        acts=edit.acts,
                        asserts=(Contains(target=target, texts=(edit.value,)),),
                    ),
                    requirements=asked,
                )


def _save(edit: Edit) -> Act | None:
    """Press what saves; None where only Enter does: whoever types nothing presses that nowhere."""
    last = edit.acts[-1]
    return Press(target=last.submit) if isinstance(last, FillForm) and last.submit is not None else None


def _touched(form: Form, ground: Ground) -> bool:
    """Whether something was typed or chosen in it since it was opened."""
    opened = next((seen for seen in reversed(ground.earlier) if seen.of(form.key) is None), None)
    after = ground.earlier[ground.earlier.index(opened) + 1 :] if opened is not None else ground.earlier
    now = [_state(ground.page, key) for key in (*form.fields, *form.choices)]
    typed = any((key, getattr(ground.page.of(key), "value", "")) in ground.hand_filled for key in form.fields)
    return typed or any([_state(seen, key) for key in (*form.fields, *form.choices)] != now for seen in after)


def _state(page: PageModel, key: str) -> object:
    part = page.of(key)
    return part.chosen if isinstance(part, Choice) else getattr(part, "value", None)


def _held(edit: Edit, form: Form, page: PageModel) -> tuple[str, ...]:
    """What the item shows of what its form holds."""
    listed = next((item for item in edit.listed.items if item.text == edit.item), None)
    parts = [page.of(key) for key in (*form.fields, *form.choices)]
    values = [part.value for part in parts if isinstance(part, Field) and part.value]
    values += [name for part in parts if isinstance(part, Choice) for name in part.chosen]
    cells = [cell for cell in (listed.cells if listed is not None else ()) if cell.text]
    shown = (cell.text for cell in cells if any(_says(cell, value, page.language) for value in values))
    return tuple(dict.fromkeys((edit.words, *shown)))


def _says(cell: Cell, value: str, language: str) -> bool:
    """Whether a cell shows a field's value: its words, its day, or its number."""
    if cell.text.strip().casefold() == value.strip().casefold():
        return True
    told = cell.quantity
    if told is None:
        return False
    if told.when:
        return told.when == value
    number = number_of(value, language)
    return number is not None and told.value == number


def _was_added(edit: Edit, ground: Ground) -> bool:
    """Whether an item's words are of those that this run makes up, and nothing listed them when the app was opened."""
    field, first = ground.page.of(edit.field), next(iter(ground.earlier), ground.page)
    if not isinstance(field, Field) or any(edit.words in item.text for listed in first.collections for item in listed.items):
        return False
    return any(fitting(field, nth, ground.today) == edit.words for nth in range(ground.typed + 1))
