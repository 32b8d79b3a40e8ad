"""The registry of mutation operators: a function with a name, the kinds of nodes it looks at, and the edits it offers there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from tools.mutation.grammar import Code, Kind


@dataclass(frozen=True)
class Edit:
    """Replace the bytes `start` up to `end` of the code by `text`."""

    start: int
    end: int
    text: str


Offer = Callable[[Node, Code], Iterator[Edit]]


@dataclass(frozen=True)
class Operator:
    """One way to break code in one place."""

    name: str
    about: str
    """The first line of the function's docstring: what a mutant of it does wrong."""
    kind: Kind
    nodes: frozenset[str]
    """Types of syntax nodes that it looks at."""
    offer: Offer


_OPERATORS: dict[str, Operator] = {}


def operator(name: str, *nodes: str, kind: Kind = "script") -> Callable[[Offer], Offer]:
    """Register a function as an operator that looks at nodes of those types."""

    def register(offer: Offer) -> Offer:
        if name in _OPERATORS:
            raise ValueError(f"two mutation operators are called {name}")
        about = (offer.__doc__ or "").strip().splitlines()[0]
        _OPERATORS[name] = Operator(name, about, kind, frozenset(nodes), offer)
        return offer

    return register


def registered() -> dict[str, Operator]:
    """Those that were registered so far, by name."""
    return dict(sorted(_OPERATORS.items()))


def replaced(node: Node, text: str) -> Edit:
    """The edit that puts a text in a node's place."""
    return Edit(node.start_byte, node.end_byte, text)
