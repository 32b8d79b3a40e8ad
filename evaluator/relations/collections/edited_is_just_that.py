"""What is edited is the item that it was opened for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaluator.relations.adding import forms_that
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import open_lists, search_fields, usable
from evaluator.relations.values import fitting
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Replaces, SaysError, Target
from tools.page.changes import state_of
from tools.page.model import PageModel
from tools.page.parts import Choice, Collection, Field, Form, Part
from tools.page.trials import Act, Control, Fill, FillForm, Keys, Trial


@relation(about=("collections", "fields"), category=Category.wrong_result, severity=Severity.major, shows=("edit",))
class EditedIsJustThat:
    """What is saved over an item's words changes that item, and the others stand as they did.

    Not while a filter or search is on: what else was changed in the item may take it out of what is shown. Nor while something
    else was typed and not sent.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Where a field holds the words of just one item: an edit was opened. One a list."""
        page = ground.page
        for edit in opened_edits(ground, 1):
            if edit.listed.count < 2 or narrowed_since(edit.listed, ground) or something_pends(edit, ground):
                continue
            yield Trial(
                why=f'saving "{edit.called}" changes just that item of "{edit.listed.name}"',
                acts=edit.acts,
                asserts=(Replaces(target=Target.of(edit.listed, page), item=edit.item, texts=(edit.value,)),),
                control=Control(explains="the page refused the words, and said so", acts=(), asserts=(SaysError(),)),
                requirements=ground.asked.about(edit.listed),
            )


def something_pends(edit: Edit, ground: Ground) -> bool:
    """Whether another field holds what somebody typed and did not send: leaving it may send that, too."""
    held = (ground.page.of(key) for key, _ in ground.hand_filled)
    return any(isinstance(part, Field) and part.value and part.item < 0 and part.key != edit.field for part in held)


def narrowed_since(listed: Collection, ground: Ground) -> bool:
    """Whether a filter or search of the list is not as it was where the list was seen first."""
    first = next((seen for seen in ground.earlier if seen.of(listed.key) is not None), ground.page)
    keys = (*listed.filters, *listed.searches)
    pairs = ((first.of(key), ground.page.of(key)) for key in keys)
    return any(_set_to(was) != _set_to(now) for was, now in pairs if was is not None and now is not None)


def _set_to(part: Part) -> object:
    return part.chosen if isinstance(part, Choice) else getattr(part, "value", "")


@dataclass(frozen=True)
class Edit:
    """An item whose words stand in a field, and the acts that save others there."""

    listed: Collection
    item: str
    """As it reads now."""
    field: str
    """Key of the field."""
    called: str
    """What people call it."""
    words: str
    """What it holds: the item's own words."""
    value: str
    """What is typed over them."""
    acts: tuple[Act, ...]


def opened_edits(ground: Ground, nth: int) -> Iterator[Edit]:
    """Of each list of which just one item's words stand in a field, with the `nth` value that was not typed yet."""
    page = ground.page
    # What still stands in a form that adds is no edit of the item that came of it, and what is searched for is none either.
    others = {key for form, _ in forms_that(ground) for key in form.fields} | {
        search_field.key for search_field in search_fields(page)
    }
    others |= {key for form in page.forms if _spans(form, page) for key in form.fields}
    fields = [each_field for each_field in page.fields if each_field.key not in others]
    for listed in open_lists(page):
        found = next(((field, at) for field in fields if (at := edited_item(field, listed, ground)) is not None), None)
        if found is None:
            continue
        field, (item, _) = found
        value = fitting(field, ground.typed + nth, ground.today)
        if value and (acts := _saved(field, value, page)):
            yield Edit(listed, item, field.key, field.name or field.value, field.value.strip(), value, acts)


def _spans(form: Form, page: PageModel) -> bool:
    """Whether a form has a list in it that is sent with it: what is typed into one of its rows is saved with the whole form."""
    submit = page.of(form.submit) if form.submit else None
    return (
        submit is not None
        and submit.item < 0
        and any((part := page.of(key)) is not None and part.item >= 0 for key in form.fields)
    )


def edited_item(field: Field, listed: Collection, ground: Ground) -> tuple[str, int] | None:
    """The item whose words a field holds, as it reads now, and which one it is: it stands in it, or holds just its words."""
    if not usable(field) or field.kind not in {"text", "multiline", "search", "rich"} or len(field.value.strip()) < 2:
        return None
    words = field.value.strip().casefold()
    if field.collection == listed.key and 0 <= field.item < listed.count:
        shown = any(
            words in item.text.casefold()
            for page in ground.earlier
            for collection in page.collections
            for item in collection.items
        )
        return (listed.items[field.item].text, field.item) if shown else None
    # Of a cell that says more than its title the title is meant; what stands in a card of a board's column is none of its words.
    holding = [
        at
        for at, item in enumerate(listed.items)
        if words in item.text.casefold()
        and words
        in {text.casefold() for text in (*(cell.text for cell in item.cells), *ground.page.words_of_item(listed.key, at))}
    ]
    always = [page for page in ground.earlier if (old := page.of(field.key)) is not None and state_of(old) == field.value]
    opened = (field.key, field.value) not in ground.hand_filled and (not always or len(always) < len(ground.earlier))
    return (listed.items[holding[0]].text, holding[0]) if len(holding) == 1 and opened else None


def _is_called(listed: Collection, at: int, words: str, page: PageModel) -> bool:
    """Whether an item has a cell of those words, or, in a cell, words that stand by themselves."""
    item = listed.items[at]
    apart = (*(cell.text for cell in item.cells), *page.words_of_item(listed.key, at))
    return words in item.text.casefold() and words in {text.casefold() for text in apart}


def _saved(field: Field, value: str, page: PageModel) -> tuple[Act, ...]:
    """Type over it and save: by the form's button that saves, else the one near it, else Enter; nothing if nobody knows how."""
    fill = Fill(target=Target.of(field, page), value=value)
    form = next((each_form for each_form in page.forms if field.key in each_form.fields), None)
    submit = page.of(form.submit) if isinstance(form, Form) and form.submit else None
    near = [
        each_button
        for each_button in page.buttons
        if usable(each_button)
        and does(each_button, "save", "agree", page=page)
        and (each_button.collection, each_button.item, each_button.layer) == (field.collection, field.item, field.layer)
    ]
    button = near[0] if near else submit
    if button is not None and not does(button, "cancel", "delete", "search", "clear", page=page):
        return (FillForm(fills=(fill,), submit=Target.of(button, page)),)
    if field.kind == "multiline" or (field.layer and (form is None or not form.native)):
        return ()  # in a dialog Enter may mean nothing, and what is called "Done" be what saves
    return (fill, Keys(keys=("Enter",), target=fill.target))
