"""Operators about events and waiting: handlers, default actions, `await`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from tools.mutation.grammar import Code
from tools.mutation.registry import Edit, operator, replaced

_HANDLER_PROPERTY = re.compile(r"on[A-Z]\w*$")
_HANDLER_MEMBER = re.compile(r"on[a-z]+$")
_LISTENING = frozenset({"addEventListener", "on", "addListener", "bind", "click", "submit", "keydown", "keyup", "keypress"})
_TWICE = "((f) => (...a) => {{ f(...a); return f(...a); }})({})"


def method_of(call: Node, code: Code) -> str:
    """The name of the method that a call expression calls; empty for a plain function."""
    function = call.child_by_field_name("function")
    if function is None or function.type != "member_expression":
        return ""
    name = function.child_by_field_name("property")
    return code.text(name) if name is not None else ""


def arguments_of(call: Node) -> list[Node]:
    """A call's arguments."""
    found = call.child_by_field_name("arguments")
    return [] if found is None else [child for child in found.named_children if child.type != "comment"]


def _is_function(node: Node) -> bool:
    return node.type in {"arrow_function", "function_expression", "identifier", "member_expression"}


def _listener(call: Node, code: Code) -> Node | None:
    """The handler that a call attaches, if it attaches one."""
    method, given = method_of(call, code), arguments_of(call)
    if method not in _LISTENING or not given:
        return None
    if method in {"addEventListener", "on", "addListener", "bind"} and (len(given) < 2 or given[0].type != "string"):
        return None
    at = 1 if method == "addEventListener" else len(given) - 1
    return given[at] if _is_function(given[at]) else None


def _handler_value(node: Node, code: Code) -> Node | None:
    """The handler of `onClick: handler` (JSX as served), `onClick={handler}` or `element.onclick = handler`."""
    if node.type == "pair":
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        named = key is not None and _HANDLER_PROPERTY.match(code.text(key).strip("'\"")) is not None
        return value if named and value is not None and _is_function(value) else None
    if node.type == "jsx_attribute":
        parts = node.named_children
        named = len(parts) == 2 and _HANDLER_PROPERTY.match(code.text(parts[0])) is not None
        inner = parts[1].named_children if named and parts[1].type == "jsx_expression" else []
        return inner[0] if inner and _is_function(inner[0]) else None
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or left.type != "member_expression":
        return None
    name = left.child_by_field_name("property")
    named = name is not None and _HANDLER_MEMBER.match(code.text(name)) is not None
    return right if named and _is_function(right) else None


@operator("handler-not-attached", "call_expression", "pair", "jsx_attribute", "assignment_expression")
def handler_not_attached(node: Node, code: Code) -> Iterator[Edit]:
    """An event has no handler any more."""
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        holder = function.child_by_field_name("object") if function is not None else None
        if holder is not None and _listener(node, code) is not None:
            yield replaced(node, code.text(holder))
        return
    value = _handler_value(node, code)
    if value is not None:
        yield replaced(value, "undefined" if node.type != "assignment_expression" else "null")


@operator("event-doubled", "call_expression", "pair", "jsx_attribute", "assignment_expression")
def event_doubled(node: Node, code: Code) -> Iterator[Edit]:
    """A handler runs twice for one event."""
    value = _listener(node, code) if node.type == "call_expression" else _handler_value(node, code)
    if value is not None and value.type in {"arrow_function", "identifier"}:
        yield replaced(value, _TWICE.format(code.text(value)))


@operator("prevent-default-dropped", "expression_statement")
def prevent_default_dropped(node: Node, code: Code) -> Iterator[Edit]:
    """The browser does what it does by itself, beside what the app does."""
    call = node.named_children[0] if node.named_children else None
    if call is not None and call.type == "call_expression" and method_of(call, code) in {"preventDefault", "stopPropagation"}:
        yield replaced(node, ";")


@operator("await-dropped", "await_expression")
def await_dropped(node: Node, code: Code) -> Iterator[Edit]:
    """What should be waited for is not."""
    if node.named_children:
        yield replaced(node, f"({code.text(node.named_children[0])})")


@operator("call-removed", "expression_statement")
def call_removed(node: Node, code: Code) -> Iterator[Edit]:
    """A call whose result nobody takes is not made."""
    call = node.named_children[0] if node.named_children else None
    if call is None or call.type != "call_expression" or _listener(call, code) is not None:
        return
    function = call.child_by_field_name("function")
    if function is None or function.type not in {"identifier", "member_expression"}:
        return
    words = code.text(function)
    own_operator = method_of(call, code) in {"preventDefault", "stopPropagation", "setItem", "removeItem"}
    if not words.startswith(("console.", "super", "require", "import", "define")) and not own_operator:
        yield replaced(node, ";")
