"""Turns what the reader's script returns for each frame into one typed page model, with keys that outlive the document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from tools.evidence.rows import Box
from tools.page.figures import figures_of
from tools.page.model import PageModel
from tools.page.parts import (
    Button,
    Cell,
    Choice,
    Collection,
    Error,
    Field,
    Figure,
    Form,
    Item,
    Layer,
    Link,
    Part,
    Process,
    Surface,
    Text,
    Toggle,
)
from tools.page.quantities import quantity_of

_NUMBERS = re.compile(r"\d+(?:[.,:]\d+)*")
_OWN = ("node", "role", "name", "section", "selector", "disabled")


_Made = TypeVar("_Made", bound=Part)
_NEAR_X_PX, _NEAR_Y_PX = 60, 80
"""How far from a form red words may stand to be about it."""


@cache
def _fields_of(model: type[Part]) -> tuple[str, ...]:
    """What it has besides what all parts have."""
    return tuple(name for name in model.model_fields if name not in Part.model_fields)


@dataclass(frozen=True)
class Sheet:
    """What the script returned for one frame."""

    path: str
    place: Callable[[float, float], tuple[float, float]]
    raw: Mapping[str, Any]


@dataclass
class _Builder:
    """One frame's parts being made. `keys` counts over all frames, so that no key is given twice."""

    sheet: Sheet
    language: str
    window: tuple[float, float]
    keys: Counter[str]
    by_node: dict[int, str] = field(default_factory=dict)
    choice_by_node: dict[int, str] = field(default_factory=dict)
    layers: list[str] = field(default_factory=list)
    collections: list[str] = field(default_factory=list)

    @property
    def raw(self) -> Mapping[str, Any]:
        return self.sheet.raw

    def box(self, sides: list[float]) -> Box:
        x, y = self.sheet.place(sides[0], sides[1])
        right, bottom = self.sheet.place(sides[0] + sides[2], sides[1] + sides[3])
        return Box(x=round(x, 1), y=round(y, 1), width=round(right - x, 1), height=round(bottom - y, 1))

    def key(self, kind: str, words: str, section: str, node: int) -> str:
        """`button "Save" in "Profile"`, and `#2` for the second one of the same words."""
        if any(sign.isalpha() for sign in words):
            words = _NUMBERS.sub("0", words)  # "Cart (3)": the count is no part of what it is
        plain = f'{kind} "{words[:60]}"' + (f' in "{section[:40]}"' if section else "")
        if self.sheet.path:
            plain += " in a frame"
        self.keys[plain] += 1
        full = plain if self.keys[plain] == 1 else f"{plain} #{self.keys[plain]}"
        self.by_node.setdefault(node, full)
        return full

    def nodes(self, numbers: list[int]) -> tuple[str, ...]:
        return tuple(self.by_node[number] for number in numbers if number in self.by_node)

    def node(self, number: int) -> str:
        """Same while the document lives."""
        return f"{self.raw['born']:.0f}/{self.sheet.path}/{number}"

    def placed(self, part: Mapping[str, Any]) -> dict[str, Any]:
        """The layer and the item that a part is in."""
        at, layer = part.get("collection", -1), part.get("layer", -1)
        return {
            "collection": self.collections[at] if 0 <= at < len(self.collections) else "",
            "item": part.get("item", -1) if at >= 0 else -1,
            "layer": self.layers[layer] if 0 <= layer < len(self.layers) else "",
        }

    def cell(self, text: str) -> Cell:
        return Cell(text=text, quantity=quantity_of(text, self.language))

    def make(self, model: type[_Made], part: Mapping[str, Any], kind: str, words: str, **more: object) -> _Made:
        """A part of that type, from what the script said of it and what is told here."""
        section = "" if model is Layer or (part.get("item", -1) >= 0 and model in {Button, Toggle, Field, Link}) else None
        own = self.common(part, kind, words, section=section) | self.placed(part)
        return model.model_validate({**own, **{name: part[name] for name in _fields_of(model) if name in part}, **more})

    def common(self, part: Mapping[str, Any], kind: str, words: str, *, section: str | None = None) -> dict[str, Any]:
        """What `Part` needs. The section is left out of the key of what stands in an item: it moves with its item."""
        box = self.box(part["box"])
        x, y = box.centre
        where = part.get("section") or "" if section is None else section
        own = {name: part[name] for name in _OWN if name in part and name != "node"}
        own["section"] = part.get("section") or ""
        return {
            **own,
            "key": self.key(kind, words, where, part["node"]),
            "node": self.node(part["node"]),
            "frame": self.sheet.path,
            "box": box,
            "in_view": 0 <= x <= self.window[0] and 0 <= y <= self.window[1] and box.width > 0 and box.height > 0,
        }


def _items(built: _Builder, raw: Mapping[str, Any]) -> Iterator[Item]:
    heads: Counter[str] = Counter()
    for item in raw["items"]:
        cells = tuple(map(built.cell, item["cells"]))
        head = next((cell.text[:60] for cell in cells if cell.text), "")
        heads[head] += 1
        yield Item(
            key=head if heads[head] == 1 else f"{head} #{heads[head]}",
            node=built.node(item["node"]),
            cells=cells,
            selector=item["selector"],
            box=built.box(item["box"]),
            chosen=item["chosen"],
            drags=item["drags"],
        )


def _collections(built: _Builder) -> Iterator[Collection]:
    """Made after all that they refer to; their keys were given before."""
    for item, key in zip(built.raw["collections"], built.collections, strict=True):
        sort = item["sort"] or {"column": -1, "descending": False}
        where = {**item, **item["parent"]}
        made = built.make(
            Collection,
            {**where, "filters": (), "searches": (), "pages": (), "sorts": (), "items": ()},
            item["kind"],
            key,
            foot=tuple(tuple(map(built.cell, row)) for row in item["foot"]),
            items=tuple(_items(built, item)),
            sorted_by=sort["column"],
            descending=sort["descending"],
            filters=tuple(built.choice_by_node[number] for number in item["filters"] if number in built.choice_by_node),
            **{name: built.nodes(item[name]) for name in ("searches", "pages", "sorts")},
        )
        yield made.model_copy(update={"key": key})


def _choices(built: _Builder) -> Iterator[Choice]:
    for item in built.raw["choices"]:
        options = tuple({"value": "", **option, "node": built.node(option["node"])} for option in item["options"])
        # What a list that opens offers may be what was added; what stands in a row is what the row is.
        stands = item["kind"] not in {"combobox", "select", "listbox"}
        words = _lasting(item) or ("/".join(option["name"] for option in item["options"][:4]) if stands else "")
        choice = built.make(Choice, item, f"{item['kind']} choice", words, options=options)
        built.choice_by_node[item["node"]] = choice.key
        yield choice


def _lasting(entry: Mapping[str, Any]) -> str:
    """The name of a control, for its key; none for a combobox that nobody named, which is called what is chosen in it."""
    named_by_value = entry.get("kind") == "combobox" and entry["name"] == entry.get("value")
    return "" if named_by_value else entry["name"]


def _forms(built: _Builder, fields: list[Field]) -> Iterator[Form]:
    names = {part.key: _lasting(part.model_dump(include={"kind", "name", "value"})) or part.placeholder for part in fields}
    for item in built.raw["forms"]:
        own = built.nodes(item["fields"])
        choices = tuple(built.choice_by_node[number] for number in item["choices"] if number in built.choice_by_node)
        yield built.make(
            Form,
            item,
            "form",
            item["name"] or next((names[key] for key in own if key in names), ""),
            fields=own,
            toggles=built.nodes(item["toggles"]),
            choices=choices,
            submit=built.by_node.get(item["submit"], ""),
        )


def _errors(built: _Builder, fields: list[Field]) -> Iterator[Error]:
    """What is stated as an alert, what is tied to a field, and what stands in red near a form."""
    told = set()
    for item in built.raw["errors"]:
        if item["text"]:
            told.add(item["text"])
            yield built.make(Error, item, "error", item["text"], by="role")
    for part in fields:
        if part.error:
            told.add(part.error)
            own = {name: getattr(part, name) for name in Part.model_fields} | {"key": f"error of {part.key}"}
            yield Error.model_validate({**own, "text": part.error, "about": part.key, "by": "field"})
    homes = [built.box(form["box"]) for form in built.raw["forms"]]
    for item in built.raw["texts"]:
        text = item["text"]
        if (
            item["reddish"]
            and not item["level"]
            and not item["label"]
            and _wordy(text)
            and not any(text in other or other in text for other in told)
        ):
            box = built.box(item["box"])
            if any(_near(home, *box.centre) for home in homes):
                yield built.make(Error, item, "error", text, by="look", about=_under(box, fields))


def _under(box: Box, fields: list[Field]) -> str:
    """Key of the field right above it, if one is."""
    above = [
        (box.y - field.box.y - field.box.height, field.key)
        for field in fields
        if field.box.x <= box.x + box.width and box.x <= field.box.x + field.box.width
    ]
    near = [(gap, key) for gap, key in above if -_NEAR_Y_PX / 4 <= gap <= _NEAR_Y_PX / 2]
    return min(near)[1] if near else ""


def _wordy(text: str) -> bool:
    return len(re.findall(r"[^\W\d_]{2,}", text)) >= 2 or any(ord(sign) > 0x2E80 for sign in text)


def _near(home: Box, x: float, y: float) -> bool:
    across = home.x - _NEAR_X_PX <= x <= home.x + home.width + _NEAR_X_PX
    return across and home.y - _NEAR_Y_PX <= y <= home.y + home.height + _NEAR_Y_PX


def _layers(built: _Builder) -> list[Layer]:
    made = [
        built.make(Layer, {**item, "covers": ()}, item["kind"], item["name"] or item["text"][:40]) for item in built.raw["layers"]
    ]
    built.layers.extend(layer.key for layer in made)
    return made


def _frame(built: _Builder) -> dict[str, list[Any]]:
    """The parts of one frame by kind. Layers and collections have their keys first: the others say which they are in."""
    raw = built.raw
    layers = _layers(built)
    for item in raw["collections"]:
        words = item["name"] or ", ".join(item["columns"])
        built.collections.append(built.key(item["kind"], words, item["section"], item["node"]))

    def simple(model: type[_Made], name: str, kind: str) -> list[_Made]:
        return [
            built.make(model, entry, entry.get("kind") or kind, _lasting(entry) or entry.get("placeholder", ""))
            for entry in raw[name]
        ]

    fields, toggles = simple(Field, "fields", "field"), simple(Toggle, "toggles", "toggle")
    buttons, links = simple(Button, "buttons", "button"), simple(Link, "links", "link")
    choices = list(_choices(built))
    found: dict[str, list[Any]] = {
        "choices": choices,
        "collections": list(_collections(built)),
        "forms": list(_forms(built, fields)),
        "surfaces": simple(Surface, "surfaces", ""),
        "processes": simple(Process, "processes", ""),
        "figures": figures_of(
            raw, built.language, lambda entry, words, **more: built.make(Figure, entry, "figure", words, name=words, **more)
        ),
        "errors": list(_errors(built, fields)),
        "texts": [built.make(Text, entry, "text", entry["text"]) for entry in raw["texts"]],
    }
    found |= {"fields": fields, "buttons": buttons, "links": links, "toggles": toggles}
    under = {built.node(number) for entry in raw["layers"] for number in entry["covers"]}
    for kind in ("fields", "buttons", "links", "toggles", "choices", "surfaces"):
        found[kind] = [part.model_copy(update={"covered": True}) if part.node in under else part for part in found[kind]]
    hidden = {part.key for kind in ("fields", "buttons") for part in found[kind] if part.covered}
    found["forms"] = [
        form.model_copy(update={"covered": True}) if hidden & {*form.fields, form.submit} else form for form in found["forms"]
    ]
    covers = [built.nodes(entry["covers"]) for entry in raw["layers"]]
    found["layers"] = [layer.model_copy(update={"covers": keys}) for layer, keys in zip(layers, covers, strict=True)]
    return found


def build(sheets: list[Sheet], *, language: str = "", unread: tuple[str, ...] = ()) -> PageModel:
    """One model of all frames, the main one's sheet first."""
    main = sheets[0].raw
    keys: Counter[str] = Counter()
    found: dict[str, list[Any]] = {}
    window = (main["viewport"][0], main["viewport"][1])
    for sheet in sheets:
        built = _Builder(sheet, sheet.raw["language"] or main["language"] or language, window, keys)
        for kind, parts in _frame(built).items():
            found.setdefault(kind, []).extend(parts)
    return PageModel(
        url=main["url"],
        title=main["title"],
        language=main["language"] or language,
        viewport=window,
        scroll=tuple(main["scroll"]),
        size=tuple(main["size"]),
        document=f"{main['born']:.1f}",
        at_ms=main["at"],
        truncated=any(sheet.raw["truncated"] for sheet in sheets),
        unread=unread,
        hollow=main["hollow"],
        refused=main["refused"],
        **{kind: tuple(parts) for kind, parts in found.items()},
    )
