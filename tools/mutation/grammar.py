"""Served text as syntax trees: JavaScript, TypeScript (with JSX) and CSS, parsed with tree-sitter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

import tree_sitter_css
import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

Grammar = Literal["javascript", "tsx", "css"]
Kind = Literal["script", "style"]

FUNCTIONS = frozenset(
    {
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "generator_function",
        "generator_function_declaration",
    }
)


@cache
def parser_of(grammar: Grammar) -> Parser:
    """The parser of a grammar; made once."""
    if grammar == "css":
        return Parser(Language(tree_sitter_css.language()))
    if grammar == "tsx":
        return Parser(Language(tree_sitter_typescript.language_tsx()))
    return Parser(Language(tree_sitter_javascript.language()))


@dataclass(frozen=True)
class Code:
    """One piece of a served text in one language, with its syntax tree. Offsets of nodes count bytes of UTF-8."""

    data: bytes
    root: Node
    kind: Kind

    def text(self, node: Node) -> str:
        """What stands at a node."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    @property
    def sound(self) -> bool:
        """Whether all of it could be parsed."""
        return not self.root.has_error


def parse(text: str, kind: Kind) -> Code:
    """Parse a script or a style sheet. A script is read as TypeScript where it is no JavaScript; never raises."""
    data = text.encode("utf-8", "replace")
    if kind == "style":
        return Code(data, parser_of("css").parse(data).root_node, kind)
    code = Code(data, parser_of("javascript").parse(data).root_node, kind)
    if code.sound:
        return code
    typed = Code(data, parser_of("tsx").parse(data).root_node, kind)
    return typed if typed.sound else code


def walk(root: Node) -> Iterator[Node]:
    """All nodes below and with `root`, in the order of the text; without recursion, for generated code nests deeply."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def enclosing_function(node: Node) -> Node | None:
    """The innermost function around a node; None at the top of a script."""
    current = node.parent
    while current is not None and current.type not in FUNCTIONS:
        current = current.parent
    return current
