"""What can be acted on, and what was seen: marks and observations."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from tools.diagram.shown import ShownDiagram
from tools.evidence.rows import Box

TEXT_LIMIT = 20_000
"""Characters of visible text that an observation holds."""
MARK_LIMIT = 300
BAND_PX = 8
"""Height of the bands in which a canvas' changes are told apart: less than a snake's cell, about a paddle's height."""


class Mark(BaseModel):
    """One thing on the page that a person could act on.

    `selector` finds it again in a fresh browser: CSS path from the frame's document, ` >>> ` where a shadow root is entered;
    `frame` is the CSS path of the iframe element(s) from the top, ` >>> ` between nested ones, empty for the main frame.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """`m1`, `m2` … in reading order, valid within one observation."""
    kind: Literal["element", "canvas"]
    role: str
    """ARIA role as the accessibility tree computes it, else inferred: `button`, `link`, `textbox`, `slider`, `clickable` …"""
    name: str
    """Accessible name, at most 120 characters, white space folded."""
    tag: str
    input_type: str = ""
    box: Box
    """Visible part, in CSS pixels of the top-level viewport (iframe offsets and borders included)."""
    point: tuple[float, float]
    """A point of it that is topmost there and inside the viewport where possible; what the hands aim at."""
    in_view: bool
    covered: bool
    """Another element lies over every probed point of it."""
    frame: str = ""
    selector: str
    value: str = ""
    checked: bool | None = None
    disabled: bool = False
    expanded: bool | None = None
    readonly: bool = False
    draggable: bool = False
    focusable: bool = False
    href: str = ""
    placeholder: str = ""
    input_mode: str = ""
    """`inputmode` as the markup has it: which keyboard a phone shows (`numeric`, `decimal` …)."""
    options: tuple[str, ...] = ()
    """Values of a select's options, at most 50."""
    option_names: tuple[str, ...] = ()
    """What a person reads for each of them; empty for suggestions of a text field."""
    minimum: str = ""
    maximum: str = ""
    step: str = ""
    required: bool = False
    pattern: str = ""
    listeners: tuple[str, ...] = ()
    """Event types with listeners of its own (not delegated), where they can be known."""
    evidence: tuple[str, ...] = ()
    """Why it is a mark: `role`, `tag`, `listener`, `cursor`, `tabindex`, `canvas`, `contenteditable`, `draggable`.

    And what else is to be seen of it: `current` (the chosen one of its row), `astray` (a link to a part that the page lacks),
    `shut` (a link to a part that is there and not displayed), `has bold`, `has listed` … (how text in an editor is formatted)."""
    signature: str
    """Same for the same thing in two observations of the page, whatever its position."""
    group: str = ""
    """Same for repeated siblings of one kind (cards of a list, cells of a board); empty if it stands alone."""
    context: str = ""
    """Nearest heading, legend, label or landmark: what part of the page it belongs to."""
    look: str = ""
    """Same for two marks that are painted alike: colours, weight, lines and shadows of the element itself, whatever it says."""


class Listing(BaseModel):
    """Repeated things that carry content: rows of a table, cards, entries of a list; cells are aligned into columns."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    selector: str
    """Of the element that holds the items."""
    frame: str = ""
    title: str = ""
    """Heading over it, or its label."""
    columns: tuple[str, ...] = ()
    """Heads of a table's columns; empty words where there are none."""
    items: tuple[tuple[str, ...], ...] = ()
    """At most 80 items; a cell for each column, its text as shown, at most 80 characters, empty where the item has none.
    Boxes to tick are ☑ or ☐. Buttons are left out."""
    count: int = 0
    """Items there are."""
    pressable: bool = False
    """The items are themselves controls: a menu, a row of keys."""
    looks: tuple[str, ...] = ()
    """How each of a few short items without controls is painted and marked up, down to its parts: which of them stands out."""
    holders: tuple[str, ...] = ()
    """Selectors of what says most in each of the first twelve items; none where the items are controls."""
    veiled: int = 0
    """How many of those have buttons that only a style sheet hides: they may come up where the pointer rests."""


class Drawing(BaseModel):
    """A chart or another large drawing (SVG with words in it, or a canvas) of the page itself, not of its frames."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    selector: str
    digest: str
    """Of what it shows: an SVG's markup, a canvas' pixels; empty for a canvas that is not in view as a whole."""
    rows: tuple[int, ...] = ()
    """Of a canvas in view: a checksum for each band of `BAND_PX` from its top, so that it can be told where it changed."""
    columns: tuple[int, ...] = ()
    """The same for bands from its left."""
    shapes: tuple[str, ...] = ()
    """Of an SVG: selectors of at most eight of its like shapes (bars, points) without a title, the largest first."""


class Downloaded(BaseModel):
    """A file that the page made and gave to be downloaded. It was read in memory and refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    size: int
    """Bytes."""
    media_type: str = ""
    text: str = ""
    """Empty for what is no text, and for a text too long to be read."""


class Logged(BaseModel):
    """Ids of the log rows (console, errors, network, dialogs, page events) written since the last observation."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    errors: tuple[str, ...] = ()
    console: tuple[str, ...] = ()
    network: tuple[str, ...] = ()
    dialogs: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


class Observation(BaseModel):
    """What is seen at one instant of app time. Pictures and marks lie in the ledger's blobs; here are ids and small values."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """Id of the ledger's observation row."""
    screenshot: str
    app_ms: float
    url: str
    title: str
    text: str
    """Visible text in reading order, at most 20,000 characters."""
    language: str
    """The document's `lang` attribute."""
    marks: tuple[Mark, ...]
    focused: str = ""
    """Id of the mark that has the keyboard focus."""
    scroll: tuple[float, float]
    page_size: tuple[float, float]
    viewport: tuple[int, int]
    text_sha256: str
    dom_sha256: str
    storage_sha256: str
    values_sha256: str
    """Over the values and checked states of all form controls."""
    pending_requests: int
    moving: float
    """Share of the picture's pixels that changed by themselves while it was watched (0 for a still page)."""
    animated: bool
    """The page runs animations, plays media or redraws a canvas."""
    fingerprint: str
    """Over url, text, DOM, values, storage, and the picture unless it moves by itself."""
    logs: Logged = Logged()
    dialog_open: bool = False
    marks_found: int = 0
    """Marks there are on the page; more than `len(marks)` where the limit of 300 made a sample of them."""
    listens: tuple[str, ...] = ()
    """Event types that the window, the document or its body listen to (`keydown`: the page takes keys wherever the focus is)."""
    truncated: bool = False
    """The page has so many elements (150,000 in a frame) that the rest of it was not read."""
    lists: tuple[Listing, ...] = ()
    """Repeated things in document order, at most twelve lists a frame."""
    requests: int = 0
    """Requests the page has sent since the stage opened."""
    drawings: tuple[Drawing, ...] = ()
    """At most twelve."""
    shifts: int = -1
    """Attributes and elements, other than texts, that changed since the document began, by whatever; −1: not counted."""
    stirs: int = 0
    """Attributes that changed right after presses since the document began, also those that changed back."""

    keys_taken: tuple[str, ...] = ()
    """Of the last twelve keys pressed in the page's own document: those whose latest press it kept the browser from acting on."""
    keys_left: tuple[str, ...] = ()
    """The others of them. A page may act on a key all the same."""

    today: str = ""
    """The day it is for the page, as a date of ISO 8601 (UTC); empty where it is not known."""

    diagram: ShownDiagram | None = None
    """What was read of the diagram on the page, where a step asked for it."""

    downloads: tuple[Downloaded, ...] = ()
    """What was given to be downloaded since the last observation and could be read."""

    faint: tuple[str, ...] | None = None
    """What a person could not read for lack of contrast, the faintest first, where a step asked for it; None: not measured."""

    spilled: tuple[str, ...] | None = None
    """What runs out of its box or is cut off by it, where a step asked for it; None: not measured."""

    def mark(self, mark_id: str) -> Mark | None:
        """The mark with that id."""
        return next((mark for mark in self.marks if mark.id == mark_id), None)
