"""Parsers by name, so that the bench can run Assay's own or anybody's: `package.module:function`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection
from pathlib import Path

from tools.diagram.metrics.bench import Parse
from tools.diagram.model.graph import Diagram
from tools.errors import UserError

PARSER = "tools.diagram.parser:parse"
"""Assay's own: takes a picture's path and, by keyword `without`, the names of agents to leave out."""
ABLATIONS: dict[str, tuple[str, ...]] = {
    "full": (),
    "without Shape Hunter": ("shape_hunter",),
    "without Text Spotter": ("text_spotter",),
    "without Fusion Arbiter": ("fusion_arbiter",),
}


def parser(name: str = PARSER, without: Collection[str] = ()) -> Parse:
    """The function of that name. Raises `UserError` if there is none."""
    module, _, function = name.partition(":")
    try:
        found: Callable[..., Diagram] = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(f"There is no parser {name!r}: {error}.", hint="Name one as package.module:function.") from error
    if not without:
        return found

    def parse(picture: Path) -> Diagram:
        return found(picture, without=frozenset(without))

    return parse
