"""Turns what the reader's script returns for each frame into one typed page model, with keys that outlive the document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

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
    Form,
    Item,
    Layer,
    Link,
    Option,
    Part,
    Process,
    Surface,
    Text,
    Toggle,
)
from tools.page.quantities import quantity_of

_NUMBERS = re.compile(r"\d+(?:[.,:]\d+)*")
_OWN = ("node", "role", "name", "section", "selector", "disabled")


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
            "node": f"{self.raw['born']:.0f}/{self.sheet.path}/{part['node']}",
            "frame": self.sheet.path,
            "box": box,
            "in_view": 0 <= x <= self.window[0] and 0 <= y <= self.window[1] and box.width > 0 and box.height > 0,
        }


def _placed(built: _Builder, part: Mapping[str, Any], layers: list[str], collections: list[str]) -> dict[str, Any]:
    at, layer = part.get("collection", -1), part.get("layer", -1)
    return {
        "collection": collections[at] if 0 <= at < len(collections) else "",
        "item": part.get("item", -1) if at >= 0 else -1,
        "layer": layers[layer] if 0 <= layer < len(layers) else "",
    }


def _only(part: Mapping[str, Any], model: type[Part], *names: str) -> dict[str, Any]:
    known = model.model_fields.keys() - Part.model_fields.keys()
    return {name: part[name] for name in (names or known) if name in part}


def _items(built: _Builder, raw: Mapping[str, Any]) -> tuple[Item, ...]:
    heads: Counter[str] = Counter()
    items = []
    for one in raw["items"]:
        cells = tuple(Cell(text=text, quantity=quantity_of(text, built.language)) for text in one["cells"])
        head = next((cell.text[:60] for cell in cells if cell.text), "")
        heads[head] += 1
        key = head if heads[head] == 1 else f"{head} #{heads[head]}"
        node = f"{built.raw['born']:.0f}/{built.sheet.path}/{one['node']}"
        items.append(
            Item(key=key, node=node, cells=cells, selector=one["selector"], box=built.box(one["box"]), chosen=one["chosen"])
        )
    return tuple(items)


def _collection(built: _Builder, raw: Mapping[str, Any], key: dict[str, Any]) -> Collection:
    sort = raw["sort"] or {"column": -1, "descending": False}
    foot = tuple(tuple(Cell(text=text, quantity=quantity_of(text, built.language)) for text in row) for row in raw["foot"])
    return Collection(
        **key, kind=raw["kind"], columns=tuple(raw["columns"]), items=_items(built, raw), count=raw["count"], item_path=raw["item_path"], foot=foot,
        sorted_by=sort["column"], descending=sort["descending"], says=raw["says"], filters=built.nodes(raw["filters"]),
        searches=built.nodes(raw["searches"]), pages=built.nodes(raw["pages"]), sorts=built.nodes(raw["sorts"]),
    )  # fmt: skip


def _choice(built: _Builder, raw: Mapping[str, Any], own: dict[str, Any]) -> Choice:
    options = tuple(
        Option(
            name=option["name"], chosen=option["chosen"], disabled=option["disabled"], selector=option["selector"],
            value=option.get("value", ""), node=f"{built.raw['born']:.0f}/{built.sheet.path}/{option['node']}",
        )
        for option in raw["options"]
    )  # fmt: skip
    return Choice(**own, **{**_only(raw, Choice), "options": options})


def _errors(
    built: _Builder, fields: list[Field], texts: list[dict[str, Any]], layers: list[str], collections: list[str]
) -> list[Error]:
    found: list[Error] = []
    for raw in built.raw["errors"]:
        if raw["text"]:
            own = built.common(raw, "error", raw["text"]) | _placed(built, raw, layers, collections)
            found.append(Error(**own, text=raw["text"], by="role"))
    for one in fields:
        if one.error:
            own = {name: getattr(one, name) for name in Part.model_fields} | {"key": f"error of {one.key}"}
            found.append(Error(**own, text=one.error, about=one.key, by="field"))
    told = {error.text for error in found}
    homes = [built.box(form["box"]) for form in built.raw["forms"]]
    for raw in texts:
        text = raw["text"]
        wordy = len(re.findall(r"[^\W\d_]{2,}", text)) >= 2 or any(ord(sign) > 0x2E80 for sign in text)
        if (
            raw["reddish"]
            and wordy
            and not raw["level"]
            and not raw["label"]
            and not any(text in one or one in text for one in told)
        ):
            x, y = built.box(raw["box"]).centre
            if any(
                home.x - 60 <= x <= home.x + home.width + 60 and home.y - 80 <= y <= home.y + home.height + 80 for home in homes
            ):
                own = built.common(raw, "error", text) | _placed(built, raw, layers, collections)
                found.append(Error(**own, text=text, by="look"))
    return found


def _frame(built: _Builder) -> dict[str, list[Any]]:
    """The parts of one frame by kind."""
    raw = built.raw
    layers = []
    for one in raw["layers"]:
        layers.append(built.common(one, one["kind"], one["name"] or one["text"][:40], section=""))
    layer_keys = [own["key"] for own in layers]
    owns = [built.common(one, one["kind"], one["name"] or ", ".join(one["columns"])) for one in raw["collections"]]
    keys = [own["key"] for own in owns]

    def parts(model: type[Part], name: str, kind: str) -> list[Any]:
        made = []
        for one in raw[name]:
            section = "" if one.get("item", -1) >= 0 else None
            own = built.common(one, one.get("kind") or kind, one["name"] or one.get("placeholder", ""), section=section)
            made.append(model(**(own | _placed(built, one, layer_keys, keys)), **_only(one, model)))
        return made

    fields = parts(Field, "fields", "field")
    buttons, links, toggles = parts(Button, "buttons", "button"), parts(Link, "links", "link"), parts(Toggle, "toggles", "toggle")
    # A select and a combobox are a field and a choice: each has its key, references mean the one that is asked for.
    field_nodes = dict(built.by_node)
    choices = []
    choice_nodes: dict[int, str] = {}
    for one in raw["choices"]:
        own = built.common(one, f"{one['kind']} choice", one["name"] or "/".join(o["name"] for o in one["options"][:4]))
        choice_nodes[one["node"]] = own["key"]
        choices.append(_choice(built, one, own | _placed(built, one, layer_keys, keys)))
    collections = []
    for one, own in zip(raw["collections"], owns, strict=True):
        filters = tuple(choice_nodes[number] for number in one["filters"] if number in choice_nodes)
        made = _collection(built, one, own | _placed(built, one["parent"] | {"layer": one["layer"]}, layer_keys, keys))
        collections.append(made.model_copy(update={"filters": filters}))
    forms = []
    for one in raw["forms"]:
        words = (
            one["name"] or next((f.name for f in fields if f.node.endswith(f"/{one['fields'][0]}")), "")
            if one["fields"]
            else one["name"]
        )
        own = built.common(one, "form", words) | _placed(built, one, layer_keys, keys)
        named = {
            name: tuple(field_nodes[number] for number in one[name] if number in field_nodes) for name in ("fields", "toggles")
        }
        chosen = tuple(choice_nodes[number] for number in one["choices"] if number in choice_nodes)
        forms.append(Form(**own, **named, choices=chosen, native=one["native"], submit=field_nodes.get(one["submit"], "")))
    surfaces = [Surface(**built.common(one, one["kind"], one["name"]), **_only(one, Surface)) for one in raw["surfaces"]]
    processes = [Process(**built.common(one, one["kind"], one["name"]), **_only(one, Process)) for one in raw["processes"]]
    figures = figures_of(
        raw, built.language, lambda one, words: built.common(one, "figure", words) | _placed(built, one, layer_keys, keys)
    )
    errors = _errors(built, fields, raw["texts"], layer_keys, keys)
    texts = [
        Text(**(built.common(one, "text", one["text"]) | _placed(built, one, layer_keys, keys)), **_only(one, Text))
        for one in raw["texts"]
    ]
    covers = {key: layer for layer, one in zip(layer_keys, raw["layers"], strict=True) for key in built.nodes(one["covers"])}
    made_layers = [
        Layer(**own, **(_only(one, Layer) | {"covers": built.nodes(one["covers"])}))
        for own, one in zip(layers, raw["layers"], strict=True)
    ]
    reached = {kind: [part.model_copy(update={"covered": True}) if part.key in covers else part for part in found]
               for kind, found in {"fields": fields, "buttons": buttons, "links": links, "toggles": toggles}.items()}  # fmt: skip
    return {
        **reached, "choices": choices, "collections": collections, "forms": forms, "figures": figures, "surfaces": surfaces,
        "layers": made_layers, "processes": processes, "texts": texts, "errors": errors,
    }  # fmt: skip


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
        url=main["url"], title=main["title"], language=main["language"] or language, viewport=window, scroll=tuple(main["scroll"]),
        size=tuple(main["size"]), document=f"{main['born']:.1f}", truncated=any(sheet.raw["truncated"] for sheet in sheets), unread=unread,
        **{kind: tuple(parts) for kind, parts in found.items()},
    )  # fmt: skip
