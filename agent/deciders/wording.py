"""A page, requirements and what waits, in few words for a model. Everything here holds a page's or a brief's words: fence it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.deciders.board import ROWS_AT_MOST, Board
from evaluator.requirements import Requirement, Requirements
from tools.page.changes import state_of
from tools.page.model import KINDS, PageModel
from tools.page.parts import Button, Choice, Collection, Field, Item, Link, Part, Toggle
from tools.text import printable

NAME, VALUE, ROW, ERROR, CARD = 60, 60, 110, 100, 140
"""Characters of a name, a value, an item's words, an error, and the name of a control that is a whole card of a list."""
MOST_OPTIONS, MOST_LISTS, MOST_FIGURES = 8, 6, 16
TEXT = 1_500
UNTOLD = "could not be told"
"""Of a requirement that trials named and none decided: they stopped, or only saw that something is there."""
ITEM, SETTLED = 300, 60
"""Characters of an item of a checklist: of one that is open, and of one that was tried."""
CENTRAL = 0.9
"""How much must depend on a requirement for it to be called central."""
_PLACE = re.compile(r" at [#\w.:()-]+(?: > [\w.:()#-]+)+")
"""A part's place in the document, where it has no name."""
_HERE = re.compile(r"https?://(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?")
ANOTHER_VIEW = 0.5
"""Share of parts that are new from which a page is another view, and none of them is told to be new."""


@dataclass(frozen=True)
class Known:
    """What the page showed when the model was last asked: state by kind and key of part. Nothing: it was not asked yet."""

    states: dict[tuple[str, str], str] | None = None

    @classmethod
    def of(cls, page: PageModel | None, now: PageModel) -> Known:
        """What to compare with; nothing where `now` is another view altogether."""
        if page is None:
            return cls()
        states = _states(page)
        shown = _states(now)
        new = sum(key not in states for key in shown)
        return cls(states if new <= ANOTHER_VIEW * max(1, len(shown)) else None)

    def note(self, kind: str, part: Part) -> str:
        """`NEW`, or what it was; empty where it is as it was, or that is not known."""
        if self.states is None:
            return ""
        before = self.states.get((kind, part.key))
        if before is None:
            return "NEW"
        return f'was "{printable(before, VALUE)}"' if before != state_of(part) and not isinstance(part, Collection) else ""


def same(page: PageModel | None, other: PageModel) -> bool:
    """Whether a page shows what another one did, wherever it is scrolled to."""
    return page is not None and page.url == other.url and _states(page) == _states(other)


def nearby(text: str) -> str:
    """A text with addresses of the app, which is served here, without their host and port: they differ from run to run."""
    return _HERE.sub("", text)


def _states(page: PageModel) -> dict[tuple[str, str], str]:
    return {(kind, part.key): state_of(part) for kind in KINDS for part in getattr(page, kind)}


def page(board: Board, known: Known | None = None, *, text: int = TEXT, rows: int = ROWS_AT_MOST) -> str:
    """A page in words: its address, what lies over it, its controls by kind with their numbers, lists by row, figures, texts."""
    now, known = board.page, known or Known()
    lines = [_place(now)]
    lines += [f'{layer.kind} "{printable(layer.name or layer.text, NAME)}" lies over the page' for layer in now.layers[:4]]
    for kind, item in (("fields", _field), ("choices", _choice), ("toggles", _toggle), ("buttons", _named), ("links", _link)):
        told = [
            f"{number} {item(part, now)}{_more(part, known.note(kind, part), now)}"
            for part in getattr(now, kind)
            if part.item < 0 and (number := board.number(part)) is not None
        ]
        if told:
            between = "\n  " if kind in {"fields", "choices"} else " · "
            lines.append(f"{kind}:{' ' if between == ' · ' else between}{between.join(told)}")
    lists = [
        collection for collection in now.collections if board.shows(collection) and collection.count and not collection.collection
    ]
    for listing in lists[:MOST_LISTS]:
        lines += _listing(listing, board, known, rows)
    lines += _inside_others(board, {listing.key for listing in lists[:MOST_LISTS]}, known)
    lines += _figures(board, known)
    drawn = [part for part in now.surfaces if board.number(part) is not None]
    if drawn:
        lines.append(
            "drawings: " + " · ".join(f"{board.number(surface)} {_named(surface, now)}{_size(surface)}" for surface in drawn)
        )
    lines += [f'error shown: "{printable(error.text, ERROR)}"' for error in now.errors[:6]]
    lines += _texts(board, known, text)
    return "\n".join(lines)


def _place(now: PageModel) -> str:
    width, height = now.viewport
    facts = [f'{printable(nearby(now.url), 160) or "/"} "{printable(now.title, NAME)}"', f"window {width:.0f}×{height:.0f}"]
    if now.size[1] > height + 1:
        facts.append(f"scrolled to {now.scroll[1]:.0f} of {now.size[1]:.0f} px")
    running = [process for process in now.processes if process.kind != "progress"]
    if going := [f'{process.kind} "{printable(process.name, 30)}"' if process.name else process.kind for process in running]:
        facts.append(f"goes on by itself: {', '.join(dict.fromkeys(going[:5]))}")
    return " · ".join(facts)


def _named(part: Part, now: PageModel, most: int = NAME) -> str:
    """Its name; for one without, or one of several with the same, also where it stands, and the picture on it where known."""
    picture = f', picture "{printable(part.icon, 30)}"' if isinstance(part, Button) and part.icon else ""
    nameless = f"({part.role or type(part).__name__.lower()} without a name{picture})"
    name = f'"{printable(part.name, most)}"' if part.name else nameless
    alike = part.name and sum(button.name == part.name for button in (*now.buttons, *now.links, *now.fields)) > 1
    where = f' under "{printable(part.section, 30)}"' if part.section and part.item < 0 and (not part.name or alike) else ""
    return name + where


def _field(part: Field, now: PageModel) -> str:
    rules = [
        "required" if part.required else "",
        f"{part.minimum or '…'} to {part.maximum or '…'}" if part.minimum or part.maximum else "",
        f"step {part.step}" if part.step else "",
        f"at least {part.min_length} characters" if part.min_length else "",
        f"at most {part.max_length} characters" if 0 < part.max_length < 100_000 else "",
        f"pattern {printable(part.pattern, 40)}" if part.pattern else "",
        "read-only" if part.read_only else "",
        "marked invalid" if part.invalid else "",
    ]
    told = ", ".join(filter(None, rules))
    options = _options_of(part, now)
    hint = printable(part.placeholder, 40) if part.placeholder and part.placeholder not in part.name else ""
    return (
        f"{_named(part, now)} {part.kind}"
        + (f" [{told}]" if told else "")
        + (f" of {options}" if options else "")
        + (f' hint "{hint}"' if hint else "")
        + (f' = "{_shown(part, now)}"' if part.value else " empty")
        + (f' says "{printable(part.error, ERROR)}"' if part.error else "")
    )


def _choice_at(part: Field, now: PageModel) -> Choice | None:
    return next((choice for choice in now.choices if (choice.selector, choice.frame) == (part.selector, part.frame)), None)


def _shown(part: Field, now: PageModel) -> str:
    """The label of what is chosen, never the raw value behind it."""
    choice = _choice_at(part, now)
    chosen = ", ".join(choice.chosen) if choice is not None else ""
    return printable("•" * len(part.value) if part.kind == "password" else chosen or part.value, VALUE)


def _options_of(part: Field, now: PageModel) -> str:
    choice = _choice_at(part, now)
    return _options(choice) if choice is not None else ""


def _options(choice: Choice) -> str:
    names = [
        ("*" if option.chosen else "") + printable(option.name, 30) + (" (disabled)" if option.disabled else "")
        for option in choice.options
    ]
    rest = f" | … {len(names) - MOST_OPTIONS} more" if len(names) > MOST_OPTIONS else ""
    return " | ".join(names[:MOST_OPTIONS]) + rest


def _choice(part: Choice, now: PageModel) -> str:
    told = _options(part) or f'= "{printable(part.value, VALUE)}", its options are known once it is open'
    return f"{_named(part, now)} {part.kind}: {told}"


def _toggle(part: Toggle, now: PageModel) -> str:
    return f"{_named(part, now)} {state_of(part)}"


def _link(part: Link, now: PageModel) -> str:
    return _named(part, now)


def _aside(part: Part, now: PageModel) -> bool:
    """Beside the window: a panel that waits there comes by a button, not by scrolling."""
    return part.box.x >= now.viewport[0] or part.box.x + part.box.width <= 0


def _more(part: Part, note: str, now: PageModel) -> str:
    opened = part.expanded if isinstance(part, Button | Choice) else None
    facts = [
        "disabled" if part.disabled else "",
        {True: "open", False: "", None: ""}[opened],
        "" if part.in_view else "off screen to the side: scrolling may not bring it" if _aside(part, now) else "off screen",
        note,
    ]
    told = ", ".join(filter(None, facts))
    return f" ({told})" if told else ""


def _size(part: Part) -> str:
    return f" {part.box.width:.0f}×{part.box.height:.0f} px" + ("" if part.in_view else " (off screen)")


def _listing(listing: Collection, board: Board, known: Known, rows: int) -> Iterator[str]:
    columns = f"; columns {' | '.join(printable(column, 24) for column in listing.columns[:10])}" if any(listing.columns) else ""
    before = (known.states or {}).get(("collections", listing.key))
    note = " NEW" if known.note("collections", listing) == "NEW" else " changed" if before and before != state_of(listing) else ""
    yield f'list "{printable(listing.name or listing.section, NAME)}": {listing.count} items{columns}{note}'
    for number, item in enumerate(listing.items[:rows]):
        yield f"  {number + 1}. {printable(_item(item), ROW)}{_inside(listing, number, board)}"
    if listing.count > rows:
        yield f"  … {listing.count - rows} more, with the same controls"


def _item(item: Item) -> str:
    return item.text + (" (chosen)" if item.chosen else "")


def _inside(listing: Collection, number: int, board: Board) -> str:
    """The controls of an item."""
    told = []
    for kind in ("toggles", "fields", "choices", "buttons", "links"):
        for part in getattr(board.page, kind):
            if (part.collection, part.item) == (listing.key, number) and (mark := board.number(part)) is not None:
                what = _toggle(part, board.page) if isinstance(part, Toggle) else _named(part, board.page, CARD)
                told.append(f"{mark} {what}{_more(part, '', board.page)}")
    return f" — {', '.join(told)}" if told else ""


def _inside_others(board: Board, told: set[str], known: Known) -> Iterator[str]:
    """Controls with numbers in items of lists that are not told: such as stand within an item of another, or are too many."""
    for kind in ("toggles", "fields", "choices", "buttons", "links"):
        parts = [
            f"{number} {_toggle(part, board.page) if isinstance(part, Toggle) else _named(part, board.page)}"
            + _more(part, known.note(kind, part), board.page)
            for part in getattr(board.page, kind)
            if part.item >= 0 and part.collection not in told and (number := board.number(part)) is not None
        ]
        if parts:
            yield f"{kind} in items: {' · '.join(parts)}"


def _figures(board: Board, known: Known) -> list[str]:
    shown = [figure for figure in board.page.figures if board.shows(figure) and figure.item < 0]
    notes = {figure.key: _more(figure, known.note("figures", figure), board.page) for figure in shown}
    told = [
        f"{printable(figure.name, 40) or '(no name)'} = {printable(figure.quantity.text, 24)}{notes[figure.key]}"
        for figure in shown[:MOST_FIGURES]
    ]
    return [f"figures: {'; '.join(told)}"] if told else []


def _texts(board: Board, known: Known, limit: int) -> list[str]:
    """Words outside of controls that were not told yet; what is new first, so that it is not what is cut."""
    now = board.page
    told = {figure.quantity.text for figure in now.figures if figure.item < 0} | {error.text for error in now.errors}
    told |= {item.text for listing in now.collections for item in listing.items}
    names = "\n".join([*(part.name for part in board.numbered), *told])
    shown = [text for text in now.texts if board.shows(text) and text.text not in told and text.text not in names]
    new = [text for text in shown if known.note("texts", text) == "NEW"]
    old = [text for text in shown if text not in new]
    lines = [("NEW texts", new), ("texts", old)]
    return [f"{label}: {_joined(texts, limit)}" for label, texts in lines if texts]


def _joined(texts: Sequence[Part], limit: int) -> str:
    words = [printable(state_of(text), 160) for text in texts]
    return printable(" / ".join(dict.fromkeys(words)), limit)


def requirements(asked: Requirements, exercised: frozenset[str], standing: Mapping[str, str] | None = None) -> str:
    """The requirements with their ids: first what nothing has decided yet. Wishes about looks are left out, items of a list not.

    `standing`: what the model's own trials found of those that they named. What relations exercised of a checklist's item stays
    open: they do not know its words.
    """
    own = standing or {}
    decided = {name for name, found in own.items() if found != UNTOLD}

    def open_yet(requirement: Requirement) -> bool:
        return requirement.id not in decided and (requirement.listed or requirement.id not in exercised)

    def line(requirement: Requirement) -> str:
        tried = f", tried by you: {own[requirement.id]}" if requirement.id in own else ""
        state = "OPEN" if open_yet(requirement) else "exercised"
        length = ITEM if open_yet(requirement) else SETTLED
        words = printable(requirement.words, length if requirement.listed else 140)
        return f"{requirement.id}{' (central)' if requirement.central >= CENTRAL else ''} {state}{tried}: {words}"

    lines = [
        line(requirement)
        for requirement in sorted(
            asked.testable, key=lambda each_requirement: 2 * (not open_yet(each_requirement)) + (each_requirement.id in own)
        )
    ]
    return "\n".join(lines) or "(nothing that could be told apart: read the brief)"


def waiting(words: Iterable[str], most: int) -> str:
    """Trials that wait, the most worth first; like ones once, and places in the document left out."""
    plain = (printable(_PLACE.sub(" without a name", word), 110) for word in words)
    return "\n".join(list({text[:50]: text for text in plain}.values())[:most])


def names(words: Iterable[str], most: int) -> str:
    """Names of functions that say something: not those that a program made up."""
    return ", ".join(
        [printable(word, 30) for word in words if len(word) > 2 and not word.startswith("_") and "/" not in word][:most]
    )
