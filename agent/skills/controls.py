"""Kinds of control, told from a mark, and which marks belong together as a form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from agent.addresses import document, fragment, origin, parts
from agent.words import concepts, says
from tools.browser.actions import Target
from tools.browser.marks import Mark


class Kind(StrEnum):
    """What a person would do with a mark."""

    text = "text field"
    number = "number field"
    date = "date or time field"
    range = "slider"
    colour = "colour field"
    select = "select"
    checkbox = "checkbox"
    radio = "radio button"
    file = "file input"
    link = "link"
    button = "button"
    tab = "tab"
    option = "option"
    canvas = "canvas"
    media = "media"
    dragged = "draggable item"
    other = "clickable thing"


_TYPES = {
    "range": Kind.range,
    "color": Kind.colour,
    "checkbox": Kind.checkbox,
    "radio": Kind.radio,
    "file": Kind.file,
    "number": Kind.number,
    **dict.fromkeys(("date", "time", "datetime-local", "month", "week"), Kind.date),
    **dict.fromkeys(("submit", "button", "reset", "image"), Kind.button),
    **dict.fromkeys(("text", "email", "search", "tel", "url", "password"), Kind.text),
}
_ROLES = {
    **dict.fromkeys(("textbox", "searchbox"), Kind.text),
    "spinbutton": Kind.number,
    "slider": Kind.range,
    **dict.fromkeys(("checkbox", "switch", "menuitemcheckbox"), Kind.checkbox),
    **dict.fromkeys(("radio", "menuitemradio"), Kind.radio),
    "link": Kind.link,
    **dict.fromkeys(("button", "menuitem", "combobox", "disclosuretriangle"), Kind.button),
    "tab": Kind.tab,
    **dict.fromkeys(("option", "treeitem", "gridcell"), Kind.option),
    **dict.fromkeys(("video", "audio"), Kind.media),
}
FIELDS = frozenset({Kind.text, Kind.number, Kind.date, Kind.select})
"""Kinds that make a form."""
CHOICES = frozenset({Kind.checkbox, Kind.radio, Kind.range, Kind.colour})
PRESSABLE = frozenset({Kind.button, Kind.link, Kind.tab, Kind.option, Kind.other})

SUBMITS = frozenset(
    {
        "add",
        "submit",
        "save",
        "calculate",
        "convert",
        "generate",
        "next",
        "confirm",
        "login",
        "answer",
        "comment",
        "start",
        "edit",
        "search",
        "pay",
    }
)
"""Concepts of a button that takes a form's values."""
_OF_A_FIELD = frozenset(
    {"open", "close", "clear", "delete", "increase", "decrease", "toggle", "sound", "previous", "upload", "menu"}
)
_COMPLAINT = re.compile(r"(.*?\w)\s+([A-Z][a-z]+ [a-z].*|[请不该].*)$")
"""A label and a sentence after it."""
_OPTIONAL = re.compile(r"\boptional\b|可选|选填", re.IGNORECASE)
_SORT = re.compile(r"\bsort(?:ed|ing)?\b|\border by\b|排序", re.IGNORECASE)
_WAY = re.compile(
    r"low\w*\s*(?:to|→|-|–)\s*high|high\w*\s*(?:to|→|-|–)\s*low|\ba\s*(?:to|→|-|–)\s*z\b|\bz\s*(?:to|→|-|–)\s*a\b",
    re.IGNORECASE,
)
LEAST_WAYS, LEAST_CHIPS = 2, 3
_ROW_PX, _PAIR_PX = 24.0, 280.0
_NUMBERS = re.compile(r"\d+")
_NAMED = re.compile(r'\[aria-label="(?:[^"\\]|\\.)*"\]')
SEMANTIC_TAGS = frozenset({"button", "a", "input", "select", "textarea", "summary"})
SEMANTIC_ROLES = frozenset(
    {
        "button",
        "link",
        "tab",
        "checkbox",
        "radio",
        "switch",
        "menuitem",
        "option",
        "combobox",
        "slider",
        "textbox",
        "searchbox",
        "spinbutton",
    }
)


def kind_of(mark: Mark) -> Kind:  # noqa: PLR0911 - one line a rule, in order of how sure it is
    """The kind of control a mark is; an input's type says most, then its tag, then its role."""
    if mark.kind == "canvas" or mark.tag == "canvas":
        return Kind.canvas
    if mark.tag == "select":
        return Kind.select
    if mark.tag == "textarea":
        return Kind.text
    if mark.tag in ("video", "audio"):
        return Kind.media
    if mark.tag in ("input", "label") and mark.input_type in _TYPES:
        return _TYPES[mark.input_type]
    if mark.tag == "input" and not mark.input_type:
        return Kind.text
    if mark.tag == "a" and mark.role in ("link", "") and mark.href:
        return Kind.link
    if mark.role == "combobox" and mark.tag == "input":
        return Kind.text
    if mark.role in _ROLES:
        return _ROLES[mark.role]
    if "contenteditable" in mark.evidence:
        return Kind.text
    if mark.draggable:
        return Kind.dragged
    return Kind.button if mark.tag in ("button", "summary") else Kind.other


def semantic(mark: Mark) -> bool:
    """Whether the mark is a control in the markup's own words, not merely something that looks clickable."""
    return mark.tag in SEMANTIC_TAGS or mark.role in SEMANTIC_ROLES


def external(mark: Mark, page_url: str) -> bool:
    """Whether a link leads off the site (another host, or to a mail, phone or other program)."""
    if not mark.href:
        return False
    scheme = parts(mark.href).scheme.casefold()
    if scheme in ("mailto", "tel", "sms", "blob", "data", "invalid"):
        return True
    if scheme not in ("http", "https"):
        return False
    return origin(page_url) != origin(mark.href)


def in_page(mark: Mark, page_url: str) -> bool:
    """Whether a link points into the page shown (`#part`, or nowhere at all)."""
    if not mark.href or mark.href.startswith(("#", "javascript:")):
        return True
    here, there = parts(page_url), parts(mark.href)
    if not there.scheme and not there.netloc and not there.path:
        return True
    return (here.netloc, here.path, here.query) == (there.netloc, there.path, there.query)


def addressed(mark: Mark, page_url: str) -> bool:
    """Whether a link says where it leads: not to `#`, `#!` or a script. Marks give whole addresses, so `#` is the page's own."""
    if not mark.href or mark.href.startswith("javascript:"):
        return False
    elsewhere = document(mark.href) != document(page_url)
    return elsewhere or fragment(mark.href).strip("!/") != "" or not mark.href.endswith(("#", "#!", "#/"))


def required(mark: Mark) -> bool:
    """Whether a field says that it must be filled, by attribute or by an asterisk on its label."""
    return mark.required or mark.name.rstrip().endswith(("*", "＊")) or mark.placeholder.rstrip().endswith("*")


def optional(mark: Mark) -> bool:
    """Whether a field says that it may be left empty."""
    return not mark.required and _OPTIONAL.search(f"{mark.name} {mark.placeholder}") is not None


def place_of(mark: Mark) -> str:
    """Where a mark stands, as a parameter of an expectation: its frame and its selector."""
    return f"{mark.frame}\t{mark.selector}"


def label_of(mark: Mark) -> str:
    """What a field is called: its name with its placeholder."""
    return f"{mark.name} {mark.placeholder}" if mark.placeholder != mark.name else mark.name


def is_search(mark: Mark) -> bool:
    """Whether a text field looks for things rather than takes them in."""
    if kind_of(mark) is not Kind.text:
        return False
    found = concepts(label_of(mark))
    return mark.role == "searchbox" or mark.input_type == "search" or ("search" in found and "add" not in found)


def is_filter(mark: Mark) -> bool:
    """Whether a select filters what is shown: its first option is for all of it."""
    if kind_of(mark) is not Kind.select or not mark.options:
        return False
    return says("all_of_them", " ".join(mark.option_names[:1]) or mark.options[0])


def is_order(mark: Mark) -> bool:
    """Whether a select orders a list: it says so, or two of its options name a way (`Price: low to high`)."""
    if kind_of(mark) is not Kind.select:
        return False
    ways = sum(1 for name in mark.option_names if _WAY.search(name) or says("ascending", name) != says("descending", name))
    return _SORT.search(f"{mark.name} {mark.placeholder}") is not None or ways >= LEAST_WAYS


def narrows(mark: Mark) -> bool:
    """Whether it hides part of what there is: a search with a word in it, a select that left its `All …` for something else."""
    if is_search(mark):
        return bool(mark.value)
    return is_filter(mark) and mark.value != mark.options[0]


def part_of(one: Mark | Target) -> tuple[str, str, str]:
    """Which part of an entry a control is, whichever entry that is."""
    return one.role, one.frame, _part(one.selector)


def patterned(one: Mark | Target) -> str:
    """Where a thing stands, without the numbers: alike for the events of a calendar, whichever day they are on.

    The only one of its day has no number at all.
    """
    return f"{one.frame}|{_NUMBERS.sub('', _NAMED.sub('[aria-label]', one.selector)).replace(':nth-of-type()', '')}"


@lru_cache(maxsize=2048)
def _part(selector: str) -> str:
    """Where a control stands in its entry, whichever entry that is; for one that stands in none its own selector."""
    around, _, last = selector.rpartition(" > ")
    return f"{_NUMBERS.sub('', around)} > {last}" if around else selector


@dataclass(frozen=True)
class Form:
    """Fields that are taken in together, with the choices among them and the button that takes them (None: Enter does)."""

    fields: tuple[Mark, ...]
    choices: tuple[Mark, ...]
    button: Mark | None

    @property
    def key(self) -> str:
        """What the form is called: by its first field. Same for the same form in two observations."""
        first = self.fields[0]
        return f'"{_without_complaint(first.name) or first.placeholder or first.selector}"'

    @property
    def single(self) -> bool:
        """One text field: a list's or a chat's input line."""
        return len(self.fields) == 1 and kind_of(self.fields[0]) is Kind.text

    @property
    def stepwise(self) -> bool:
        """Its button leads on to a next step."""
        return self.button is not None and says("next_like", self.button.name)


def _without_complaint(name: str) -> str:
    """A field's name without what its form says of it, where that stands in the label: `Name Please tell us your name`."""
    found = _COMPLAINT.match(name)
    return found.group(1) if found and says("validation", found.group(2)) else name


def is_submit(mark: Mark) -> bool:
    """Whether a button would take a form's values in."""
    if kind_of(mark) is not Kind.button:
        return False
    return submits_by_type(mark) or bool(concepts(mark.name) & SUBMITS)


def submits_by_type(mark: Mark) -> bool:
    """Whether the markup says so; a `button` element says `submit` wherever it says nothing else, so that tells nothing."""
    return mark.tag == "input" and mark.input_type in ("submit", "image")


class _Same:
    """Marks told apart by which tuple they are, not by what is in it: hundreds take longer to compare than to go through."""

    def __init__(self, marks: tuple[Mark, ...]) -> None:
        self.marks = marks

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.marks is other.marks

    def __hash__(self) -> int:
        return id(self.marks)


@lru_cache(maxsize=8)
def _by_kind(same: _Same) -> dict[tuple[str, str, str, str], list[Mark]]:
    found: dict[tuple[str, str, str, str], list[Mark]] = {}
    for mark in same.marks:
        found.setdefault((mark.role, mark.tag, mark.frame, mark.context), []).append(mark)
    return found


def beside(mark: Mark, marks: tuple[Mark, ...]) -> list[Mark]:
    """Controls of the same kind in one row or column with this one, itself included: tabs, filters, menu entries."""
    found = []
    for other in _by_kind(_Same(marks)).get((mark.role, mark.tag, mark.frame, mark.context), ()):
        row = abs(other.box.centre[1] - mark.box.centre[1]) < 6 and abs(other.box.height - mark.box.height) < 6
        column = abs(other.box.x - mark.box.x) < 6 and abs(other.box.height - mark.box.height) < 6
        if row or column:
            found.append(other)
    return sorted(found, key=lambda one: (round(one.box.y), one.box.x))


def is_chip(mark: Mark, marks: tuple[Mark, ...]) -> bool:
    """Whether a control is one of a row of filters that begins with `All`: `Dark` there is a kind of roast, no theme."""
    row = beside(mark, marks)
    return len(row) >= LEAST_CHIPS and row[0].id != mark.id and says("all_of_them", row[0].name)


def forms(marks: tuple[Mark, ...]) -> list[Form]:
    """Forms among marks in reading order: fields that follow one another up to the button that takes them.

    Marks carry no form element, so closeness decides: a gap of 260 px or another frame begins a new form. A button above or
    left of its field (an icon) is not found; Enter is pressed then.
    """
    found: list[Form] = []
    fields: list[Mark] = []
    choices: list[Mark] = []
    last: Mark | None = None

    def close(button: Mark | None) -> None:
        # Dates and selects that no button takes in filter what is shown, each by itself.
        if fields and (button is not None or any(kind_of(mark) in (Kind.text, Kind.number) for mark in fields)):
            found.append(Form(tuple(fields), tuple(choices), button))
        fields.clear()
        choices.clear()

    sending = max((place for place, mark in enumerate(marks) if _takes_all(mark)), default=-1)
    for place, mark in enumerate(marks):
        kind = kind_of(mark)
        if fields and last is not None and _apart(last, mark):
            close(None)
        if (place < sending and _gives_room(mark)) or _steps_a_number(mark, marks):
            continue  # fields come and go by it, or a number goes up: what is filled in is taken by another button
        narrowing = is_search(mark) or is_filter(mark) or is_order(mark) or sets_page_size(mark)
        if kind in FIELDS and not mark.readonly and not narrowing:
            fields.append(mark)
            last = mark
        elif kind in (Kind.checkbox, Kind.radio) and fields:
            choices.append(mark)
            last = mark
        elif fields and (is_submit(mark) or (_right_of(fields[-1], mark) and kind_of(fields[-1]) is not Kind.date)):
            close(mark)
    close(None)
    return found


def _steps_a_number(mark: Mark, marks: tuple[Mark, ...]) -> bool:
    """Whether a button is the upper one of a pair that makes a number larger and smaller; `增加` alone may well add an entry."""
    if kind_of(mark) is not Kind.button or "increase" not in concepts(mark.name):
        return False
    near = (other for other in marks if other.frame == mark.frame and abs(other.box.centre[1] - mark.box.centre[1]) < _ROW_PX)
    return any(abs(other.box.x - mark.box.x) < _PAIR_PX and "decrease" in concepts(other.name) for other in near)


def _takes_all(mark: Mark) -> bool:
    """Whether a button takes in all there is above it: a step's, a whole form's."""
    taken = says("next_like", mark.name) or bool(concepts(mark.name) & {"submit", "save", "confirm"})
    return is_submit(mark) and taken and not _gives_room(mark)


def _gives_room(mark: Mark) -> bool:
    """Whether a button gives room for one more of what is filled in (`+ Add another job`) and takes nothing in itself."""
    return kind_of(mark) is Kind.button and says("one_more", mark.name)


def sets_page_size(mark: Mark) -> bool:
    """Whether a select says how many entries a page of a list has: `Next` beside it turns the page and takes in nothing."""
    return kind_of(mark) is Kind.select and says("per_page", label_of(mark))


def _right_of(field: Mark, button: Mark) -> bool:
    """Whether a button stands right beside a field and does nothing to the field itself (clear it, show it, step it)."""
    if kind_of(button) is not Kind.button or concepts(button.name) & _OF_A_FIELD:
        return False
    gap = button.box.x - (field.box.x + field.box.width)
    return bool(button.name) and -8 <= gap <= 60 and abs(button.box.centre[1] - field.box.centre[1]) < 16


def _apart(one: Mark, other: Mark) -> bool:
    gap = other.box.y - (one.box.y + one.box.height)
    return one.frame != other.frame or gap > 260 or gap < -400
