"""What a page consists of: typed, frozen parts of a page model."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from pydantic import Field as Shapes

from tools.evidence.frozen import Frozen
from tools.evidence.rows import Box

Measure = Literal["number", "money", "percent", "date", "time", "duration", "ratio", "quantity"]


class Part(Frozen):
    """What all parts have.

    `key` is the same for the same part in two observations, also after a reload: kind, name and section, never position or
    value. `node` is the same while the document lives and the element with it. `selector` is CSS within its frame, ` >>> ` where
    a shadow root is entered; `frame` the CSS path of the iframe element(s), ` >>> ` between nested ones, empty for the main
    frame.
    """

    key: str
    node: str
    role: str = ""
    """ARIA role, stated or implied by the tag; empty where there is none."""
    name: str = ""
    """Accessible name, or, for a part without one, the words that stand before it."""
    section: str = ""
    """Heading or legend that it stands under."""
    selector: str
    frame: str = ""
    box: Box
    """CSS pixels of the top-level viewport."""
    in_view: bool
    """Its middle lies inside the window."""
    disabled: bool = False
    layer: str = ""
    """Key of the layer that it is in."""
    covered: bool = False
    """A layer lies over its middle."""
    collection: str = ""
    """Key of the collection that it is in an item of."""
    item: int = -1
    """Which item of it, from 0."""


class Field(Part):
    """Something to type or choose a value in."""

    kind: str
    """`text`, `multiline`, `rich`, `search`, `email`, `password`, `tel`, `url`, `number`, `slider`, `date`, `time`, `datetime`,
    `month`, `week`, `color`, `file`, `select`, `combobox`."""
    value: str = ""
    placeholder: str = ""
    required: bool = False
    minimum: str = ""
    maximum: str = ""
    step: str = ""
    pattern: str = ""
    min_length: int = 0
    max_length: int = 0
    """0: none stated."""
    accept: str = ""
    multiple: bool = False
    read_only: bool = False
    input_mode: str = ""
    autocomplete: str = ""
    """What browsers are told to fill in (HTML, autofill detail tokens)."""
    invalid: bool = False
    """The page, or the browser after an attempt, marks the value as wrong."""
    error: str = ""
    """What is said about it."""
    wanting: bool = False
    """It is the browser that says so, and only since the field is empty and must not be."""
    focused: bool = False
    custom: bool = False
    """Made of other elements than `input`, `select` and `textarea`."""
    inferred: bool = False
    """Its name is not stated: it was taken from the words before it."""


class Button(Part):
    """Something to press."""

    icon: str = ""
    """Of one without a name: what an icon set calls its picture, `trash 2`; a hint at what anybody sees on it."""

    expanded: bool | None = None
    opens: str = ""
    """`aria-haspopup`."""
    over: str = ""
    """Selector of what the pointer has to be over for it to come up; empty for one that is in sight."""
    native: bool = True
    """It is a `button`, `input` or `summary`, which the keyboard reaches and presses by itself."""
    stated: bool = True
    """The page says that it is a button, or what follows when it is pressed. Not so of what only has the pointer's hand or takes
    the focus: a day's event that can be dragged, a card."""


class Link(Part):
    """Leads somewhere."""

    href: str = ""
    there: bool | None = None
    """Of a link to a place on this page (`#end`): whether there is such a place. None for other links, and for `#` alone."""
    over: str = ""
    """Selector of what the pointer has to be over for it to come up; empty for one that is in sight."""


class Toggle(Part):
    """On or off: checkbox, switch, pressed button."""

    on: bool | None
    """None: neither (indeterminate)."""
    required: bool = False


class Option(Frozen):
    """One of a choice's options."""

    name: str
    chosen: bool
    disabled: bool = False
    node: str = ""
    selector: str = ""
    value: str = ""


class Choice(Part):
    """Several options of which one, or some, are chosen."""

    kind: Literal["select", "radio", "tabs", "listbox", "combobox", "menu", "segmented", "links"]
    options: tuple[Option, ...] = ()
    """None for a closed combobox: what it offers is known once it is open."""
    multiple: bool = False
    expanded: bool | None = None
    value: str = ""
    """What a combobox shows as its value."""
    by: Literal["role", "state", "look"] = "role"
    """How it is known which one is chosen: by role, by a stated state, or only because one is painted unlike all the others."""

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names of the options that are chosen."""
        return tuple(option.name for option in self.options if option.chosen) or ((self.value,) if self.value else ())


class Quantity(Frozen):
    """A value read from text, with its measure. `value` of a duration is in seconds, of a percentage in percent."""

    measure: Measure
    value: Decimal | None = None
    unit: str = ""
    """ISO 4217 of money, the unit as it is written of a quantity; for a ratio what it is out of."""
    when: str = ""
    """ISO 8601 of a date or a time of day."""
    text: str
    decimals: int = 0
    """Digits shown after the decimal sign: what it may be rounded to."""


class Cell(Frozen):
    """One cell of an item: its text, and what quantity it is, if it is one."""

    text: str
    quantity: Quantity | None = None


class Item(Frozen):
    """One item of a collection."""

    key: str
    """Its first words, numbered where several begin alike."""
    node: str
    cells: tuple[Cell, ...] = ()
    selector: str
    box: Box
    chosen: bool | None = None
    drags: bool = False
    """It says that it can be dragged."""

    @property
    def text(self) -> str:
        """All of it, cells apart by ` | `."""
        return " | ".join(cell.text for cell in self.cells if cell.text)


class Collection(Part):
    """Things of one kind that are listed: a table's rows, a list's entries, cards."""

    kind: Literal["table", "list", "repeated"]
    columns: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    """At most 200."""
    count: int = 0
    """Items that are shown."""
    item_path: str = "> li"
    """How its items are found from it, in CSS."""
    foot: tuple[tuple[Cell, ...], ...] = ()
    """Rows of a table's foot: totals."""
    sorted_by: int = -1
    """Column that it says to be sorted by."""
    descending: bool = False
    says: str = ""
    """What stands in place of items where there are none."""
    filters: tuple[str, ...] = ()
    """Keys of choices that stand in the same part of the page."""
    searches: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    """Keys of the buttons or links that turn its pages."""
    sorts: tuple[str, ...] = ()
    """Keys of the buttons in its heads."""


class Form(Part):
    """Fields that are sent together."""

    native: bool
    fields: tuple[str, ...] = ()
    """Keys, in order."""
    toggles: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    submit: str = ""
    """Key of the button that sends it; empty: Enter in its last field."""


class Figure(Part):
    """A value that the page shows, with what it is of as its name."""

    quantity: Quantity


class Surface(Part):
    """A drawing: canvas or SVG."""

    kind: Literal["canvas", "svg"]
    shapes: dict[str, int] = Shapes(default={})
    texts: tuple[str, ...] = ()
    digest: str = ""
    """Same for the same drawing; empty where it cannot be read."""
    blank: bool | None = None


class Layer(Part):
    """Something that lies over the page."""

    kind: Literal["dialog", "menu", "toast", "popover", "tooltip", "overlay"]
    modal: bool = False
    text: str = ""
    covers: tuple[str, ...] = ()
    """Keys of the controls that cannot be reached for it."""


class Process(Part):
    """Something that goes on by itself."""

    kind: Literal["animation", "media", "timer", "progress"]
    endless: bool = False


class Text(Part):
    """Words on the page, outside of controls."""

    text: str
    level: int = 0
    """Of a heading; 0 for other text."""
    contrast: float | None = None
    """Of its ink to its ground, 1–21 (WCAG 2.2, 1.4.3); None where it stands on a picture."""


class Error(Part):
    """Something the page says went wrong, or is wrong with what was typed."""

    text: str
    about: str = ""
    """Key of the field, where the page ties it to one."""
    by: Literal["role", "field", "look"] = "role"
    """Stated as an alert, tied to a field, or only written in red near a form."""
