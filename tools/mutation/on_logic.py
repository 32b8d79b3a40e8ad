"""Operators about conditions and arithmetic."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tools.mutation.grammar import FUNCTIONS, Code
from tools.mutation.registry import Edit, operator, replaced

_OFF_BY_ONE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_NEGATED = {"===": "!==", "!==": "===", "==": "!=", "!=": "=="}
_ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*"}
_AUGMENTED = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
_TEXTS = frozenset({"string", "template_string"})
_LOOPS = frozenset({"for_statement", "while_statement", "do_statement"})


def sign_of(node: Node) -> Node | None:
    """The operator token of an expression."""
    return node.child_by_field_name("operator")


def _steers_a_loop(node: Node) -> bool:
    """Whether an expression is a loop's condition or update: changed, it would rather hang the page than break a function."""
    current, parent = node, node.parent
    while parent is not None and parent.type not in FUNCTIONS:
        if parent.type in _LOOPS:
            body = parent.child_by_field_name("body")
            return body is None or current.id != body.id
        current, parent = parent, parent.parent
    return False


@operator("condition-negated", "if_statement", "ternary_expression", "binary_expression")
def condition_negated(node: Node, code: Code) -> Iterator[Edit]:
    """A condition means its opposite."""
    if node.type == "binary_expression":
        sign, parent = sign_of(node), node.parent
        conditional = parent is not None and parent.type in {"parenthesized_expression", "ternary_expression"}
        if sign is not None and code.text(sign) in _NEGATED and not conditional and not _steers_a_loop(node):
            yield replaced(sign, _NEGATED[code.text(sign)])
        return
    condition = node.child_by_field_name("condition")
    if condition is None:
        return
    said = code.text(condition)
    yield replaced(condition, f"(!({said}))")


@operator("comparison-off-by-one", "binary_expression")
def comparison_off_by_one(node: Node, code: Code) -> Iterator[Edit]:
    """A bound is taken in that should be left out, or the other way round."""
    sign = sign_of(node)
    if sign is not None and code.text(sign) in _OFF_BY_ONE:
        yield replaced(sign, _OFF_BY_ONE[code.text(sign)])


@operator("arithmetic-operator", "binary_expression", "augmented_assignment_expression", "update_expression")
def arithmetic_operator(node: Node, code: Code) -> Iterator[Edit]:
    """A sum is a difference, a product a quotient."""
    sign = sign_of(node)
    if sign is None or _steers_a_loop(node):
        return
    said = code.text(sign)
    if node.type == "update_expression":
        yield replaced(sign, "--" if said == "++" else "++")
        return
    sides = [node.child_by_field_name("left"), node.child_by_field_name("right")]
    textual = any(_is_text(side) for side in sides)
    table = _ARITHMETIC if node.type == "binary_expression" else _AUGMENTED
    if said in table and not textual:
        yield replaced(sign, table[said])


def _is_text(side: Node | None) -> bool:
    """Whether an operand is (or begins a chain that contains) a text: joining texts is no arithmetic."""
    if side is None:
        return True
    if side.type == "binary_expression":
        return _is_text(side.child_by_field_name("left")) or _is_text(side.child_by_field_name("right"))
    return side.type in _TEXTS


@operator("early-return", "statement_block")
def early_return(node: Node, code: Code) -> Iterator[Edit]:
    """A function leaves before its last two statements."""
    parent = node.parent
    statements = [child for child in node.named_children if child.type != "comment"]
    if parent is None or parent.type not in FUNCTIONS or len(statements) < 2:
        return
    if code.text(statements[-1]).startswith("return") and not code.text(statements[0]).startswith("if"):
        return  # a function that is asked for a value: without it, everything breaks
    yield Edit(statements[-2].start_byte, statements[-2].start_byte, "return; ")
