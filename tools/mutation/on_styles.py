"""Operators about looks: rules and declarations that are gone, colours near their ground, layers, overflow, position."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tools.mutation.grammar import Code
from tools.mutation.registry import Edit, operator, replaced

_OVERFLOW = {"hidden": "visible", "auto": "hidden", "scroll": "hidden", "visible": "hidden"}
_POSITION = {"absolute": "static", "fixed": "absolute", "sticky": "static", "relative": "static"}


def declared(node: Node, code: Code) -> tuple[str, str, int, int]:
    """A declaration's property, its value, and where the value begins and ends."""
    name, _, rest = code.text(node).partition(":")
    value = rest.rstrip().removesuffix(";").strip()
    data = code.data[node.start_byte : node.end_byte]
    start = node.start_byte + data.index(b":") + 1
    end = node.end_byte - (1 if data.endswith(b";") else 0)
    return name.strip().lower(), value, start, end


@operator("rule-dropped", "rule_set", kind="style")
def rule_dropped(node: Node, code: Code) -> Iterator[Edit]:
    """A rule of the style sheet is gone."""
    if code.text(node).strip():
        yield replaced(node, "")


@operator("declaration-dropped", "declaration", kind="style")
def declaration_dropped(node: Node, code: Code) -> Iterator[Edit]:
    """A declaration of the style sheet is gone."""
    name = declared(node, code)[0]
    if not name.startswith("-") or name.startswith("--"):
        yield replaced(node, "")


@operator("colour-near-ground", "declaration", kind="style")
def colour_near_ground(node: Node, code: Code) -> Iterator[Edit]:
    """Text has nearly the colour of what is behind it."""
    name, value, start, end = declared(node, code)
    if name == "color" and value not in {"inherit", "transparent", "currentColor", "currentcolor"} and "!" not in value:
        yield Edit(start, end, f" color-mix(in srgb, {value} 18%, transparent)")


@operator("layer", "declaration", kind="style")
def layer(node: Node, code: Code) -> Iterator[Edit]:
    """What lies in front lies behind."""
    name, value, start, end = declared(node, code)
    if name == "z-index":
        yield Edit(start, end, " 9999" if value.startswith("-") else " -1")


@operator("overflow", "declaration", kind="style")
def overflow(node: Node, code: Code) -> Iterator[Edit]:
    """What is too large is cut off, or sticks out."""
    name, value, start, end = declared(node, code)
    if name in {"overflow", "overflow-x", "overflow-y"} and value in _OVERFLOW:
        yield Edit(start, end, f" {_OVERFLOW[value]}")


@operator("position", "declaration", kind="style")
def position(node: Node, code: Code) -> Iterator[Edit]:
    """An element stands in another frame of reference than it should."""
    name, value, start, end = declared(node, code)
    if name == "position" and value in _POSITION:
        yield Edit(start, end, f" {_POSITION[value]}")
