"""Operators about state: set and not shown, shown and not set, storage, stale closures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from tools.mutation.grammar import Code, enclosing_function, walk
from tools.mutation.on_events import arguments_of, method_of
from tools.mutation.registry import Edit, operator, replaced

_SHOWING = re.compile(r"(?:re)?(?:render|draw|paint|update|refresh|show|display|redraw)(?:[A-Z_]\w*)?$")
_DISPLAY = frozenset(
    {"textContent", "innerHTML", "innerText", "value", "className", "hidden", "disabled", "checked", "src", "title", "data"}
)
_SETTER = re.compile(r"set[A-Z]\w*$")
_NO_STATE = frozenset({"setTimeout", "setInterval", "setAttribute", "setItem", "setImmediate"})
_STORE = re.compile(r"(?:window\.)?(?:local|session)Storage$")
_DEPENDING = re.compile(r"(?:React\.)?use(?:Effect|Memo|Callback|LayoutEffect)$")


def _statement_of(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "expression_statement"


def _member(node: Node | None, code: Code) -> str:
    """The last name of `a.b.name`; empty where it is none."""
    name = node.child_by_field_name("property") if node is not None and node.type == "member_expression" else None
    return code.text(name) if name is not None else ""


@operator("set-but-not-shown", "call_expression", "assignment_expression")
def set_but_not_shown(node: Node, code: Code) -> Iterator[Edit]:
    """State changes, and what shows it is not brought up to date."""
    if not _statement_of(node):
        return
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        name = code.text(function) if function is not None and function.type == "identifier" else method_of(node, code)
        if _SHOWING.match(name):
            yield replaced(node, "void 0")
    elif _member(node.child_by_field_name("left"), code) in _DISPLAY:
        yield replaced(node, "void 0")


@operator("shown-but-not-set", "call_expression", "assignment_expression", "augmented_assignment_expression")
def shown_but_not_set(node: Node, code: Code) -> Iterator[Edit]:
    """What is held in memory is not changed, though the page may say so."""
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        name = code.text(function) if function is not None and function.type == "identifier" else ""
        if _SETTER.match(name) and name not in _NO_STATE:
            yield replaced(node, "void 0")
        return
    left = node.child_by_field_name("left")
    if left is None or not _statement_of(node) or enclosing_function(node) is None:
        return
    name = _member(left, code)
    handler = re.match(r"on[a-z]+$", name) is not None
    styled = ".style." in code.text(left) or code.text(left).startswith(("module.", "exports."))
    if name not in _DISPLAY and not handler and not styled:
        yield replaced(node, "void 0")


def _stores(call: Node, code: Code) -> bool:
    function = call.child_by_field_name("function")
    holder = function.child_by_field_name("object") if function is not None else None
    return holder is not None and _STORE.match(code.text(holder)) is not None


@operator("storage-write-dropped", "call_expression", "assignment_expression")
def storage_write_dropped(node: Node, code: Code) -> Iterator[Edit]:
    """What should be kept for the next visit is not written."""
    if node.type == "call_expression":
        if method_of(node, code) in {"setItem", "removeItem"} and _stores(node, code):
            yield replaced(node, "void 0")
        return
    left = node.child_by_field_name("left")
    holder = left.child_by_field_name("object") if left is not None else None
    if holder is not None and _STORE.match(code.text(holder)):
        yield replaced(node, "void 0")


@operator("storage-read-dropped", "call_expression", "subscript_expression")
def storage_read_dropped(node: Node, code: Code) -> Iterator[Edit]:
    """What was kept from the last visit is not read."""
    if node.type == "call_expression":
        if method_of(node, code) == "getItem" and _stores(node, code):
            yield replaced(node, "null")
        return
    parent, holder = node.parent, node.child_by_field_name("object")
    written = parent is not None and parent.type == "assignment_expression" and parent.child_by_field_name("left") == node
    if holder is not None and _STORE.match(code.text(holder)) and not written:
        yield replaced(node, "null")


@operator("stale-closure", "call_expression")
def stale_closure(node: Node, code: Code) -> Iterator[Edit]:
    """A function goes on with the value that a state had when the function was made."""
    function, given = node.child_by_field_name("function"), arguments_of(node)
    if function is None or not given:
        return
    if _DEPENDING.match(code.text(function)) and len(given) == 2 and given[1].type == "array" and given[1].named_children:
        yield replaced(given[1], "[]")
    elif function.type == "identifier" and _SETTER.match(code.text(function)) and given[0].type == "arrow_function":
        state = _state_of(code.text(function), node, code)
        if state:
            yield replaced(given[0], f"({code.text(given[0])})({state})")


def _state_of(setter: str, node: Node, code: Code) -> str:
    """The variable that stands before a setter in `const [value, setValue] = useState(…)`; empty where there is none in sight."""
    top = node
    while top.parent is not None:
        top = top.parent
    for each_node in walk(top):
        if each_node.type == "array_pattern":
            names = [code.text(part) for part in each_node.named_children]
            if len(names) == 2 and names[1] == setter:
                return names[0]
    return ""
