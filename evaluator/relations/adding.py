"""Forms that add things, filled: what the relations on forms and on storage share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evaluator.relations.base import Ground
from evaluator.relations.meanings import means
from evaluator.relations.paging import says_pages
from evaluator.relations.shape import searches, usable
from evaluator.relations.values import filled, purpose, shown_values
from evaluator.requirements.deeds import Deed, deed_of, does
from tools.page.assertions import Target
from tools.page.changes import state_of
from tools.page.model import PageModel
from tools.page.parts import Button, Choice, Field, Form, Part, Toggle
from tools.page.trials import Act, Choose, Fill, FillForm, Press, Switch

ADDS: tuple[Deed, ...] = ("add",)
SENDS: tuple[Deed, ...] = ("add", "send", "save", "order")
"""Forms whose button says that what they hold is kept somewhere."""


Sender = Button | Field
"""What sends a form: its button, or, of one without, the field in which Enter does."""
_NEW = ("What needs to be done?", "Add a new item", "New task", "Write a new entry")
_ADDS, _ADDS_NOT = ("New entry", "New card", "Add an item", "Create a new one", "New note"), (
    "Edit the entry", "Rename", "Delete the card", "Settings", "Details", "Filter", "Search", "New game", "News", "Card", "Note",
)  # fmt: skip
"""What a dialog that adds is called, and what others are."""
_WAYS = frozenset({"tabs", "links", "menu"})
"""Kinds of choices that lead to other parts of an app, unless they choose what is listed."""
SAVES: tuple[Deed, ...] = ("save", "send", "agree")


@dataclass(frozen=True)
class Filled:
    """A form filled whole with fitting values, to be sent."""

    form: Form
    sender: Sender
    act: FillForm
    typed: str
    """Free text among them that would be shown as it was typed; empty where there is none."""

    @property
    def unsent(self) -> FillForm:
        """The same values, not sent."""
        return self.act.model_copy(update={"submit": None, "by_enter": False})


def forms_that(ground: Ground, deeds: tuple[Deed, ...] = ADDS) -> Iterator[tuple[Form, Sender]]:
    """Open forms whose button surely does one of these; and those without a button whose only field asks for something new.

    None where the lists are narrowed: what is added need not show there, and that nothing shows tells nothing. Nor a row of
    filters.
    """
    page = ground.page
    for form in page.forms:
        submit = page.of(form.submit) if form.submit else None
        if form.covered or is_row_of_filters(form, page) or narrowed(form, ground):
            continue
        fields = open_fields(form, page)
        if isinstance(submit, Button):
            if not submit.covered and (
                does(submit, *deeds) or ("add" in deeds and does(submit, *SAVES) and is_for_new(form, ground))
            ):
                yield form, submit
            continue
        if len(fields) == 1 and fields[0].kind == "text" and not fields[0].covered and _asks_for_new(fields[0]):
            yield form, fields[0]


def is_for_new(form: Form, ground: Ground) -> bool:
    """Whether a form in a dialog is surely for something new, whatever its button is called: by the dialog's name, and blank."""
    layer = ground.page.of(form.layer) if form.layer else None
    blank = not any(field.value.strip() for field in open_fields(form, ground.page) if field.kind in {"text", "multiline"})
    return layer is not None and blank and adds(layer.name)


def adds(name: str) -> bool:
    """Whether a dialog or a button of that name is for adding something."""
    return bool(name) and (deed_of(name) == "add" or means(name, _ADDS, unlike=_ADDS_NOT))


def opener_of(layer: str, ground: Ground) -> Button | None:
    """The button that opens a dialog, as it stood where that was not open yet: of its name, else, of one that adds, what adds."""
    part = ground.page.of(layer)
    closed = next((seen for seen in reversed(ground.earlier) if seen.of(layer) is None and seen.url == ground.page.url), None)
    if part is None or closed is None:
        return None
    heads = {key for listed in closed.collections for key in listed.sorts}  # "Item" in a table's head opens no "Edit item"
    free = [button for button in closed.buttons if usable(button) and button.item < 0 and button.name and button.key not in heads]
    named = (button for button in free if alike(button.name, part.name))
    return next(named, next((button for button in free if adds(part.name) and adds(button.name)), None))


def opens(button: Button, name: str) -> bool:
    """Whether a button outside of lists may open the dialog of that name."""
    if not usable(button) or button.item >= 0 or not button.name:
        return False
    return adds(button.name) or button.opens == "dialog" or alike(button.name, name)


def alike(name: str, other: str) -> bool:
    """Whether one of two names has the other in it."""
    name, other = name.casefold().strip(), other.casefold().strip()
    return bool(name and other) and (name in other or other in name)


def opened_again(form: Form, ground: Ground) -> tuple[Act, ...] | None:
    """The acts with which a form is there again once it was accepted; None where nobody knows: its dialog is gone then."""
    opener = opener_of(form.layer, ground) if form.layer else None
    if not form.layer:
        return ()
    return (Press(target=Target.of(opener, ground.page)),) if opener is not None else None


def beside(form: Form, sender: Sender, ground: Ground) -> Target | None:
    """What shows that the same view of the app is there again: a form's button, of a dialog's form the longest list behind it."""
    if not form.layer:
        return Target.of(sender, ground.page)
    behind = [listed for listed in ground.page.collections if not listed.layer and not listed.collection and listed.count]
    longest = max(behind, key=lambda listed: listed.count, default=None)
    return Target.of(longest, ground.page) if longest is not None else None


def narrowed(form: Form, ground: Ground) -> bool:
    """Whether what is added may not be shown: the list is paged, or something else is chosen, pressed or searched than at first.

    In another part of the app (a tab, a menu's entry) is no other choice of items, unless a list is governed by it, or the same
    form stood there with items that are not shown here.
    """
    return ground.once(("narrowed", form), lambda: _narrowed(form, ground))


def _narrowed(form: Form, ground: Ground) -> bool:
    page, own = ground.page, {*form.fields, *form.choices, *form.toggles}
    if any(listed.pages or says_pages(listed, page) for listed in page.collections):
        return True
    first = {part.key: part for seen in reversed(ground.earlier) for part in (*seen.choices, *seen.fields, *seen.toggles)}
    governs = ground.once("governing", lambda: _governing(ground))
    choices = [choice for choice in page.choices if choice.kind not in _WAYS or choice.key in governs]
    pressed = [toggle for toggle in page.toggles if toggle.item < 0 and _hides(toggle, ground)]
    for part in (*choices, *pressed, *(field for field in page.fields if searches(field))):
        old = first.get(part.key)
        if part.key not in own and old is not None and state_of(old) != state_of(part):
            return True
    if _left_narrowed(ground, first, governs):
        return True
    # Of each part of the app as it was when it was left: what it showed before that may have been deleted since.
    latest = {(_view(seen.url), *_ways(seen).items()): seen for seen in ground.earlier[ground.opened_at :]}
    return _searched_behind(form, ground) or any(_shows_others(seen, form, page) for seen in latest.values())


def _governing(ground: Ground) -> set[str]:
    """Keys of the choices that choose what is listed. Tabs are such where one list was seen under several of them."""
    chosen: dict[tuple[str, str], set[tuple[str, ...]]] = {}
    ways: set[str] = set()
    for seen in (*ground.earlier, ground.page):
        for listed in seen.collections:
            for key in listed.filters:
                if isinstance(choice := seen.of(key), Choice):
                    chosen.setdefault((listed.key, key), set()).add(choice.chosen)
                    ways |= {key} if choice.kind in _WAYS else set()
    return {key for (_, key), options in chosen.items() if key not in ways or len(options) > 1}


def _left_narrowed(ground: Ground, first: Mapping[str, Part], governs: set[str]) -> bool:
    """Whether a filter that is not seen any more was last set otherwise than at first: with nothing listed, pages hide it."""
    latest = {part.key: part for seen in ground.earlier[ground.opened_at :] for part in seen.choices if part.key in governs}
    gone = [part for key, part in latest.items() if ground.page.of(key) is None]
    return any(part.key in first and state_of(first[part.key]) != state_of(part) for part in gone)


def _hides(toggle: Toggle, ground: Ground) -> bool:
    """Whether items that were listed when it was last otherwise are not listed now: what marks all items shows all of them."""
    for seen in reversed(ground.earlier):
        old = seen.of(toggle.key)
        if old is not None and state_of(old) != state_of(toggle):
            listed = {item.text for collection in ground.page.collections for item in collection.items}
            return any(item.text not in listed for collection in seen.collections for item in collection.items)
    return False


def _searched_behind(form: Form, ground: Ground) -> bool:
    """Whether a search that the form's own dialog keeps out of sight still holds what was typed there."""
    known = {field.key: field for seen in ground.earlier for field in seen.fields}
    held = [known[key] for key, _ in ground.hand_filled if key in known and ground.page.of(key) is None]
    return bool(form.layer) and any(searches(field) for field in held)


def _shows_others(seen: PageModel, form: Form, page: PageModel) -> bool:
    """Whether the page was in another part of the app then, with this form, and listed items that are not listed now."""
    ways = _ways(page)
    other_way = any(ways.get(choice.key, state_of(choice)) != state_of(choice) for choice in seen.choices)
    elsewhere = other_way or _view(seen.url) != _view(page.url)
    if not elsewhere or not form.fields or any(seen.of(key) is None for key in form.fields):
        return False
    listed = {item.text for collection in page.collections for item in collection.items}
    return any(item.text not in listed for collection in seen.collections for item in collection.items)


def _ways(page: PageModel) -> dict[str, str]:
    return {choice.key: state_of(choice) for choice in page.choices if choice.kind in _WAYS}


def _view(url: str) -> str:
    """An address of the app's own making without the sign of its first view: `/#/` is `/`."""
    address, _, view = url.partition("#")
    return f"{address}#{view.strip('!/')}"


def _asks_for_new(field: Field) -> bool:
    return any(deed_of(words) == "add" or means(words, _NEW) for words in (field.name, field.placeholder) if words)


def fill_whole(
    ground: Ground, form: Form, sender: Sender, nth: int = 0, instead: Mapping[str, str] | None = None
) -> Filled | None:
    """The form with the `nth` set of values that were not typed yet; None where nothing in it can be filled."""
    page, given = ground.page, instead or {}
    act = ground.once(
        ("filled", form, nth, tuple(given.items())),
        lambda: filled(form, page, ground.typed + nth, today=ground.today, instead=given, refused=refusals(form, ground)),
    )
    if act is None:
        return None
    fills = tuple(_with_value(fill, page, given) for fill in act.fills)
    button = Target.of(sender, page) if isinstance(sender, Button) else None
    act = act.model_copy(update={"fills": fills, "submit": button, "by_enter": button is None})
    wrong = [page.of(key) for key in given]
    others = act.model_copy(update={"fills": tuple(fill for fill in fills if fill.target.find(page) not in wrong)})
    return Filled(form, sender, act, next(iter(shown_values(others, page)), ""))


def refusals(form: Form, ground: Ground) -> dict[str, set[str]]:
    """Values of its fields that the page has called wrong, by the field's key."""
    return ground.once(("refused", form), lambda: _refusals(form, ground))


def _refusals(form: Form, ground: Ground) -> dict[str, set[str]]:
    found = {key: set(values) for key, values in ground.refused.items() if key in form.fields}
    for key, value in (told for seen in (*ground.earlier, ground.page) for told in refused_on(seen)):
        if key in form.fields:
            found.setdefault(key, set()).add(value)
    return found


def refused_on(page: PageModel) -> Iterator[tuple[str, str]]:
    """The fields that a page calls wrong, by key, with what they hold."""
    wrong = {error.about for error in page.errors}
    for field in page.fields:
        if field.value and (field.invalid or field.error or field.key in wrong):
            yield field.key, field.value


def _with_value(fill: Fill | Choose | Switch, page: PageModel, instead: Mapping[str, str]) -> Fill | Choose | Switch:
    """The act with the value that is given for its field, also an empty one."""
    part = fill.target.find(page) if isinstance(fill, Fill) else None
    return fill.model_copy(update={"value": instead[part.key]}) if part is not None and part.key in instead else fill


def open_fields(form: Form, page: PageModel) -> list[Field]:
    """Its fields that can be typed in."""
    found = [page.of(key) for key in form.fields]
    closed = {"select", "combobox", "file", "color", "slider"}
    return [
        field
        for field in found
        if isinstance(field, Field) and not field.disabled and not field.read_only and field.kind not in closed
    ]


def is_row_of_filters(form: Form, page: PageModel) -> bool:
    """Whether it holds a search, and nothing that is asked of a person.

    The button beside such a row, "Add order" in the heading above it, sends nothing of what is typed there.
    """
    fields = open_fields(form, page)
    looks = {key for listed in page.collections for key in listed.searches}
    return any(field.key in looks or searches(field) for field in fields) and not any(is_of_a_person(field) for field in fields)


def is_of_a_person(field: Field) -> bool:
    """What asks for that is there to be sent, whatever its button is called; nothing is reckoned from it, or looked for."""
    return field.kind in {"email", "tel", "password"} or purpose(field.name) == "email address"


def free_text(form: Form, page: PageModel) -> Field | None:
    """The field whose words would be shown as they are typed: the first of free text."""
    return next((field for field in open_fields(form, page) if field.kind in {"text", "multiline"}), None)
