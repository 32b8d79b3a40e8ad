"""Operators about values: constants, variables, elements of arrays, the order of a sort, units and rates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from tools.mutation.grammar import Code, enclosing_function, walk
from tools.mutation.on_events import arguments_of, method_of
from tools.mutation.registry import Edit, operator, replaced

_UNITS = frozenset({"24", "60", "100", "365", "1000", "1024", "3600", "60000", "3600000", "86400", "86400000", "0.01", "0.001"})
_TIMERS = frozenset({"setTimeout", "setInterval"})
_INTEGER = re.compile(r"\d+$")
_ENDS = {"shift": "pop", "pop": "shift", "push": "unshift", "unshift": "push"}
_USES = frozenset({"arguments", "binary_expression", "template_substitution", "assignment_expression", "return_statement"})


def _is_rate(node: Node, code: Code) -> bool:
    """Whether a number turns one unit into another, or is how long a timer waits."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "binary_expression":
        sign = parent.child_by_field_name("operator")
        return sign is not None and code.text(sign) in {"*", "/", "%"} and code.text(node) in _UNITS
    call = parent.parent if parent.type == "arguments" else None
    function = call.child_by_field_name("function") if call is not None else None
    return function is not None and code.text(function).removeprefix("window.") in _TIMERS


@operator("constant-changed", "number", "true", "false")
def constant_changed(node: Node, code: Code) -> Iterator[Edit]:
    """A number is one more, a truth value its opposite."""
    said, parent = code.text(node), node.parent
    if node.type in {"true", "false"}:
        yield replaced(node, "false" if node.type == "true" else "true")
    elif not _is_rate(node, code) and parent is not None and parent.type != "subscript_expression" and not _located(node, code):
        yield replaced(node, str(int(said) + 1) if _INTEGER.match(said) else f"({said} + 1)")


def _located(node: Node, code: Code) -> bool:
    """Whether a number only tells a debugger where JSX stands (`lineNumber: 12`)."""
    key = node.parent.child_by_field_name("key") if node.parent is not None and node.parent.type == "pair" else None
    return key is not None and code.text(key) in {"lineNumber", "columnNumber"}


@operator("unit-or-rate", "number")
def unit_or_rate(node: Node, code: Code) -> Iterator[Edit]:
    """A conversion or a waiting time is ten times what it should be."""
    if _is_rate(node, code):
        yield replaced(node, f"({code.text(node)} * 10)")


@operator("wrong-element", "subscript_expression", "call_expression")
def wrong_element(node: Node, code: Code) -> Iterator[Edit]:
    """The neighbour of an array's element is taken, or its other end."""
    if node.type == "call_expression":
        function, method = node.child_by_field_name("function"), method_of(node, code)
        name = function.child_by_field_name("property") if function is not None else None
        if name is not None and method in _ENDS:
            yield replaced(name, _ENDS[method])
        return
    index = node.child_by_field_name("index")
    if index is None or index.type in {"string", "template_string", "identifier", "member_expression"}:
        return  # a name may be a key; its neighbour is nothing
    if index.type == "number" and _INTEGER.match(code.text(index)):
        yield replaced(index, str(int(code.text(index)) + 1))
    elif index.type == "binary_expression":
        yield replaced(index, f"({code.text(index)}) + 1")


@operator("sort-comparator", "call_expression")
def sort_comparator(node: Node, code: Code) -> Iterator[Edit]:
    """What is sorted stands the other way round."""
    if method_of(node, code) not in {"sort", "toSorted"}:
        return
    given = arguments_of(node)
    if not given:
        yield Edit(node.end_byte, node.end_byte, ".reverse()")
    else:
        yield replaced(given[0], f"((f) => (a, b) => f(b, a))({code.text(given[0])})")


@operator("wrong-variable", "identifier")
def wrong_variable(node: Node, code: Code) -> Iterator[Edit]:
    """A variable is read that stands beside the right one in the same scope."""
    parent = node.parent
    if parent is None or parent.type not in _USES or _is_written(node, parent):
        return
    names = _beside(node, code)
    said = code.text(node)
    if said in names and len(names) > 1:
        yield replaced(node, names[(names.index(said) + 1) % len(names)])


def _is_written(node: Node, parent: Node) -> bool:
    left = parent.child_by_field_name("left") if parent.type == "assignment_expression" else None
    return left is not None and left.id == node.id


def _beside(node: Node, code: Code) -> list[str]:
    """Names that the function around a node takes or declares before it, in that order; functions are left out."""
    function = enclosing_function(node)
    if function is None:
        return []
    found: dict[str, None] = {}
    single = function.child_by_field_name("parameter")
    given = function.child_by_field_name("parameters")
    for child in [single] if single is not None else given.named_children if given is not None else []:
        target = child.child_by_field_name("pattern") or child
        if target.type == "identifier":
            found[code.text(target)] = None
    body = function.child_by_field_name("body")
    for each_node in walk(body) if body is not None else ():
        if each_node.start_byte >= node.start_byte:
            break
        if each_node.type != "variable_declarator" or (owner := enclosing_function(each_node)) is None or owner.id != function.id:
            continue
        name, value = each_node.child_by_field_name("name"), each_node.child_by_field_name("value")
        plain = value is not None and value.type not in {"arrow_function", "function_expression"}
        if name is not None and name.type == "identifier" and plain and each_node.end_byte < node.start_byte:
            found[code.text(name)] = None
    return list(found)
