"""Reading and writing a diagram in any of its formats, by a file's name or its text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from tools.diagram.formats.dot_read import read_dot
from tools.diagram.formats.dot_write import write_dot
from tools.diagram.formats.graphml import read_graphml, write_graphml
from tools.diagram.formats.mermaid_read import read_mermaid
from tools.diagram.formats.mermaid_write import write_flowchart
from tools.diagram.model.graph import Diagram
from tools.errors import UserError

SUFFIXES = {
    ".json": "json",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".md": "mermaid",
    ".dot": "dot",
    ".gv": "dot",
    ".graphml": "graphml",
    ".xml": "graphml",
}
MAX_BYTES = 30_000_000


class GraphFileError(UserError):
    """A file is no diagram that can be read."""

    kind = "graph_file"


def read_json(text: str) -> Diagram:
    """A diagram from its JSON. Raises `GraphFileError` with the first thing that is wrong."""
    try:
        return Diagram.from_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise GraphFileError(
            f"The JSON is no diagram: {where or 'the whole'}: {first['msg']}.", hint="See configs/schemas."
        ) from error


_READERS: dict[str, Callable[[str], Diagram]] = {
    "json": read_json,
    "mermaid": read_mermaid,
    "dot": read_dot,
    "graphml": read_graphml,
}
_WRITERS: dict[str, Callable[[Diagram], str]] = {
    "json": Diagram.to_json,
    "mermaid": write_flowchart,
    "dot": write_dot,
    "graphml": write_graphml,
}
FORMATS = tuple(_READERS)


def read_text(text: str, form: str | None = None) -> Diagram:
    """A diagram from a text in a format, or in the one it looks like. Raises `UserError`s that say what is wrong."""
    chosen = form or guess(text)
    if chosen not in _READERS:
        raise GraphFileError(f"There is no format {chosen!r}.", hint=f"There are: {', '.join(FORMATS)}.")
    return _READERS[chosen](text)


def write_text(diagram: Diagram, form: str) -> str:
    """The diagram as text in a format. Raises `GraphFileError` for an unknown one."""
    if form not in _WRITERS:
        raise GraphFileError(f"There is no format {form!r}.", hint=f"There are: {', '.join(FORMATS)}.")
    return _WRITERS[form](diagram)


def guess(text: str) -> str:
    """The format a text looks like; Mermaid if none of the others."""
    start = text.lstrip("\ufeff \t\r\n")[:400]
    if start.startswith(("{", "[")):
        return "json"
    if start.startswith("<"):
        return "graphml"
    first = start.split("{")[0].lower().split()
    if first and first[0] in {"digraph", "strict"}:
        return "dot"
    return "dot" if first and first[0] == "graph" and "{" in start.split("\n")[0] else "mermaid"


def read_file(path: Path) -> Diagram:
    """A diagram from a file; its name tells the format, else its text. Raises `UserError`s that say what is wrong."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise GraphFileError(f"{path} has more than {MAX_BYTES // 1_000_000} MB.")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise GraphFileError(f"{path} can't be read: {error}.") from error
    return read_text(text, SUFFIXES.get(path.suffix.lower()))


def schema() -> str:
    """The published JSON schema of a diagram (`configs/schemas/diagram.schema.json`), ending in a line break."""
    told = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "assay/diagram.schema.json",
        **Diagram.model_json_schema(mode="serialization"),
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"
