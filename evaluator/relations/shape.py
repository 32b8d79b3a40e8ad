"""What several relations need to know of a page: what a choice governs, what of a list is shown, which act leads elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from evaluator.relations.base import Ground
from evaluator.relations.meanings import means
from evaluator.relations.values import filled
from evaluator.requirements.deeds import Deed, deed_of, does
from tools.meaning import Meaning
from tools.page.assertions import Changes, Target
from tools.page.assertions.running import seconds_of
from tools.page.changes import state_of
from tools.page.model import PageModel
from tools.page.parts import Button, Choice, Collection, Field, Figure, Form, Option, Part, Surface
from tools.page.trials import Act, Choose, Control, Fill, FillForm, Keys, Point, Press, Switch, Wait

_PRINTS, _KEEPS = (
    ("Print", "Save and print", "Copy to the clipboard", "Download as CSV", "Save as a file"),
    ("Save", "Save changes", "Submit"),
)
ALL = ("All", "Everything", "All categories", "Show all", "Any")
MEANS_ALL, _BEGINS = 0.66, 0.9
STROKE = ((0.3, 0.35), (0.45, 0.35), (0.6, 0.35))
"""A short level way of the pointer on a surface."""


@cache
def _meaning() -> Meaning:
    return Meaning()


@cache
def likeness(name: str, *examples: str) -> float:
    """How near a name is to the nearest of these examples in meaning, 0–1."""
    return float(_meaning().table([name], examples)[0].max()) if name.strip() else 0.0


def called(part: Part, page: PageModel) -> str:
    """What people call it, in quotation marks; one without a name by what is around it."""
    return f'"{part.name}"' if part.name else Target.of(part, page).words()


def usable(part: Part) -> bool:
    """It can be used now: neither disabled nor under a layer."""
    return not part.disabled and not part.covered


BEGINS = 0.9
"""How surely the first word of a field's name must mean to search."""


def choosing(choice: Choice, option: Option, page: PageModel) -> Choose:
    """The act that chooses an option."""
    how = "select" if choice.kind == "select" else "open" if choice.kind == "combobox" else "press"
    return Choose(target=Target.of(choice, page), option=option.name, how=how, place=option.selector)


def offered(choice: Choice) -> list[Option]:
    """The options that can be chosen; a select's empty one only holds a place, unless it says that it leaves nothing out."""
    return [option for option in choice.options if not option.disabled and option.name and not _holds_a_place(option, choice)]


def _holds_a_place(option: Option, choice: Choice) -> bool:
    return choice.kind == "select" and not option.value and not shows_all(option.name, choice)


def moving(part: Choice | Field, ground: Ground) -> frozenset[str]:
    """Keys of drawings that were seen to change while nothing else was chosen or typed in it: a game moves whatever that is."""
    keys: set[str] = set()
    for page, two in ground.steps():
        old, new = page.of(part.key), two.of(part.key)
        if page.document != two.document or (old is not None and new is not None and _held(old) != _held(new)):
            continue
        for surface in page.surfaces:
            after = two.of(surface.key)
            if after is not None and state_of(after) != state_of(surface):
                keys.add(surface.key)
    return frozenset(keys)


def _held(part: Part) -> object:
    return part.chosen if isinstance(part, Choice) else part.value if isinstance(part, Field) else None


def is_choice(choice: Choice, ground: Ground) -> bool:
    """Whether its options surely are options.

    A row of buttons of which one is painted unlike the others may be a row of buttons, one of them the main one: there another
    one must have been seen chosen before, and none may be for a deed ("Run", "Clear"): what is done is no option. Beside "All" it
    is one: "Finished", "Sent" and "Deleted" are kinds there.
    """
    if choice.kind in {"menu", "combobox"} or choice.multiple or choice.disabled or choice.covered or len(offered(choice)) < 2:
        return False
    if choice.by != "look":
        return True
    if not any(shows_all(option.name, choice) for option in choice.options) and any(map(deed_of, _names(choice))):
        return False
    seen = (page.of(choice.key) for page in ground.earlier)
    return any(isinstance(part, Choice) and part.chosen and part.chosen != choice.chosen for part in seen)


def _names(choice: Choice) -> list[str]:
    return [option.name for option in choice.options]


def shows_all(option: str, choice: Choice) -> bool:
    """Whether an option by its meaning leaves nothing out: it says so, or is the first and begins so ("All rooms")."""
    if likeness(option, *ALL) >= MEANS_ALL:
        return True
    first = next(iter(_names(choice)), "")
    return option == first and likeness((option.split() or [""])[0], ALL[0]) >= _BEGINS


def is_opened(choice: Choice) -> bool:
    """Whether it is a combobox of which is known what it offers, and that shows in its own words which option is chosen.

    One that shows a count or a hint, and one that only does something with what is chosen in it, is none.
    """
    shows = any(option.chosen for option in offered(choice))
    return choice.kind == "combobox" and shows and not choice.multiple and usable(choice) and len(offered(choice)) > 1


def in_form(part: Part, page: PageModel) -> bool:
    """It is one of the things that a form sends."""
    return any(part.key in (*form.fields, *form.toggles, *form.choices) for form in page.forms) or any(
        isinstance(part, Choice) and (page.of(key) or part).selector == part.selector
        for form in page.forms
        for key in form.fields
    )


def in_form_that_adds(choice: Choice, page: PageModel) -> bool:
    """It is sent with other things by a button, and not to search."""
    if search_button(choice, page) is not None:
        return False
    if not in_form(choice, page):
        return False
    sent = senders(page)
    sending = (form for form in page.forms if choice.key in form.choices and form.key in sent and len(form.fields) > 1)
    return any(not _searches(form, page) for form in sending)


def _searches(form: Form, page: PageModel) -> bool:
    """Whether a search stands among what it sends: those are filters, whatever their button is called."""
    fields = (page.of(key) for key in form.fields)
    return any(isinstance(field, Field) and searches(field) for field in fields)


def open_lists(page: PageModel) -> Iterator[Collection]:
    """Lists that are not inside of another one's item, with something in them, read whole and not under a layer."""
    for listed in page.collections:
        if not listed.collection and usable(listed) and 0 < listed.count == len(listed.items):
            yield listed


def all_shown(listed: Collection, ground: Ground) -> bool:
    """Whether nothing says that there are more items than are shown: no pages and no button for more, now or earlier.

    A list all of whose pages were loaded begins with the first one again once it is filtered, searched or sorted.
    """
    for page in (ground.page, *ground.earlier):
        part = page.of(listed.key)
        if isinstance(part, Collection) and (part.pages or any(does(button, "more", "next") for button in _of_no_item(page))):
            return False
    return True


def _of_no_item(page: PageModel) -> Iterator[Button]:
    return (button for button in page.buttons if button.item < 0)


def ranked(listed: Collection) -> bool:
    """Whether its items are numbered in what they say: the numbers move on when one goes."""
    width = min((len(item.cells) for item in listed.items), default=0)
    numbers = [str(at + 1) for at in range(len(listed.items))]
    return any([item.cells[column].text.strip(" .#") for item in listed.items] == numbers for column in range(width))


def by_itself(listed: Collection, page: PageModel) -> Control:
    """The control for what changes in a list: it may change without anybody's doing."""
    return Control(
        explains="the list changes by itself", acts=(Wait(app_ms=2500),), asserts=(Changes(target=Target.of(listed, page)),)
    )


def title_column(listed: Collection) -> int:
    """The column that says what an item is: the first whose words differ in all items; -1 where there is none."""
    for column in range(min((len(item.cells) for item in listed.items), default=0)):
        texts = [item.cells[column].text for item in listed.items]
        wordy = all(any(sign.isalpha() for sign in text) for text in texts)
        if (
            wordy
            and len({text.casefold() for text in texts}) == len(texts)
            and not any(item.cells[column].quantity for item in listed.items)
        ):
            return column
    return -1


def starter(page: PageModel) -> Button | None:
    """The one button that surely starts something."""
    deeds: tuple[Deed, ...] = ("start", "play again", "resume", "play")
    found = [button for button in page.buttons if usable(button) and button.item < 0 and does(button, *deeds, page=page)]
    first = [button for button in found if does(button, "start", page=page)]
    return (first or found or [None])[0]


def button_for(page: PageModel, *deeds: Deed, layer: str | None = None) -> Button | None:
    """The first button outside of items that surely is for one of these deeds, disabled or not."""
    for button in page.buttons:
        here = button.item < 0 and not button.covered and (layer is None or button.layer == layer)
        if here and does(button, *deeds, page=page):
            return button
    return None


def drawings(page: PageModel) -> list[Surface]:
    """Surfaces large enough to be played or drawn on, the largest first."""
    large = [surface for surface in page.surfaces if usable(surface) and surface.box.width >= 120 and surface.box.height >= 80]
    return sorted(large, key=lambda surface: -surface.box.area)


def shown_times(page: PageModel) -> list[Figure]:
    """Figures that show a time in minutes and seconds, or in seconds."""
    return [figure for figure in page.figures if seconds_of(figure) is not None]


def while_it_runs_ms(figure: Figure, most_ms: int) -> int:
    """How long a shown time is watched, in app time: a fifth of what it shows, so that it does not come to its end meanwhile."""
    shown = seconds_of(figure)
    return most_ms if not shown else max(3_000, min(most_ms, int(shown * 200)))


_RUNS: tuple[Deed, ...] = ("start", "stop", "pause", "resume", "play")


def leaves_the_page(button: Button) -> bool:
    """Whether it prints, saves a file or fills the clipboard: no answer on the page is to be had, and nothing is sent."""
    return does(button, "export") or means(button.name, _PRINTS, unlike=_KEEPS, sure=0.6)


def senders(page: PageModel) -> dict[str, Button]:
    """The buttons that send a form, by the form's key; what prints, copies or empties it sends nothing.

    Nor does what starts or stops something beside settings that the page does not state to be a form.
    """
    found = {form.key: (form, page.of(form.submit)) for form in page.forms if form.submit}
    return {
        key: button
        for key, (form, button) in found.items()
        if isinstance(button, Button) and _sends(button) and (form.native or not does(button, *_RUNS))
    }


def _sends(button: Button) -> bool:
    return not leaves_the_page(button) and not does(button, "clear", "reset")


def search_fields(page: PageModel) -> list[Field]:
    """Fields for a search: by their kind, or by what they are called, or begin with, in whatever language."""
    return [field for field in page.fields if usable(field) and not field.read_only and field.item < 0 and searches(field)]


def searches(field: Field) -> bool:
    """Whether a field is for a search, whatever lies over it now."""
    if field.kind not in {"search", "text"}:
        return False
    named = max(likeness(field.name, "Search", "Search for", "Find", "Filter"), likeness(field.placeholder, "Search", "Find"))
    begins = max(
        likeness(words.split(maxsplit=1)[0], "Search") if words.strip() else 0 for words in (field.name, field.placeholder)
    )
    return field.kind == "search" or named >= 0.6 or begins >= BEGINS


def searching(field: Field, words: str, page: PageModel) -> tuple[Act, ...]:
    """Search for something: type it, and send it where the field is sent."""
    target, submit = Target.of(field, page), search_button(field, page)
    if submit is not None:
        return (FillForm(fills=(Fill(target=target, value=words),), submit=Target.of(submit, page)),)
    return (Fill(target=target, value=words), Keys(keys=("Enter",), target=target))


def search_button(part: Field | Choice, page: PageModel) -> Part | None:
    """The button of its form, where that searches."""
    for form in page.forms:
        members = (*form.fields, *form.choices)
        if form.submit and (part.key in members or any((page.of(key) or form).selector == part.selector for key in members)):
            submit = page.of(form.submit)
            return submit if submit is not None and usable(submit) and does(submit, "search", page=page) else None
    return None


def filtering(choice: Choice, option: Option, page: PageModel) -> tuple[Act, ...]:
    """The acts that filter by an option: choose it, and search where the filters are sent with a search."""
    button = search_button(choice, page)
    act = choosing(choice, option, page)
    return (act, Press(target=Target.of(button, page))) if button is not None else (act,)


def another_state(page: PageModel, ground: Ground, but: Part | None = None) -> tuple[Act, ...]:
    """Acts after which most controls that had nothing to do have something to do: begin, fill and send, choose, turn, draw."""
    acts: list[Act] = []
    own = but.key if but is not None else ""
    start = starter(page)
    if start is not None and start.key != own:
        acts.append(Press(target=Target.of(start, page)))
    for form in page.forms[:1]:
        act = filled(form, page, ground.typed, today=ground.today)
        if act is not None and usable(form) and form.submit != own:
            # Sent, for what has to do with entries; and typed again, for what clears them.
            acts += [act, act.model_copy(update={"submit": None, "by_enter": False})]
    for field in page.fields if not acts else ():
        if usable(field) and field.kind in {"text", "multiline", "search", "rich"} and not field.read_only:
            acts.append(Fill(target=Target.of(field, page), value="Copper kettle"))
            break
    for choice in page.choices:
        other = next((option for option in offered(choice) if not option.chosen), None)
        if usable(choice) and other and choice.kind not in {"menu", "links", "combobox"} and not in_form(choice, page):
            acts.append(choosing(choice, other, page))
            break
    for toggle in page.toggles:
        if usable(toggle) and toggle.on is not None:
            acts.append(Switch(target=Target.of(toggle, page), on=not toggle.on))
            break
    acts += [Point(target=Target.of(drawing, page), path=STROKE) for drawing in drawings(page)[:1]]
    if not acts:
        others = [
            button for button in page.buttons if usable(button) and button.key != own and not does(button, "log out", page=page)
        ]
        acts += [Press(target=Target.of(button, page)) for button in others[:2]]
    return tuple(acts)


def canceller(form: Form, page: PageModel) -> Button | None:
    """The button that surely cancels a form: it says so, and stands with it, though it may have been taken for what sends it.

    Of several forms in a dialog it cancels the one that it stands in: a parameter that is being added, not the set's name above.
    """
    return next((button for button in page.buttons if _cancels(button, form, page)), None)


def _cancels(button: Button, form: Form, page: PageModel) -> bool:
    if button.disabled or button.covered or not does(button, "cancel") or button.layer != form.layer:
        return False
    around = [other for other in page.forms if other.layer == form.layer and _stands_with(button, other)]
    nearest = min(around, key=lambda other: (other.submit != button.key, other.box.area), default=None)
    return nearest.key == form.key if nearest is not None else bool(form.layer)


def _stands_with(button: Button, form: Form) -> bool:
    x, y = button.box.centre
    return form.box.x - 4 <= x <= form.box.x + form.box.width + 4 and form.box.y - 4 <= y <= form.box.y + form.box.height + 60
