"""The parser's rooms are its stages: each imports those before it alone, and no file is longer than a person reads."""

import ast
from pathlib import Path

import pytest

ROOMS = ("model", "formats", "picture", "text", "shapes", "fusion", "lines", "ends", "net", "topology")
"""In the order of the stages; what stands beside them (the parser, its overlay) may import all."""
_HOME = Path(__file__).parents[3] / "tools" / "diagram"
_MOST_LINES = 400


@pytest.mark.parametrize("room", ROOMS)
def test_imports_go_one_way(room: str) -> None:
    """No file of a room imports a later stage, nor what stands beside the stages."""
    allowed = ROOMS[: ROOMS.index(room) + 1]
    for path in sorted((_HOME / room).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tools.diagram"):
                parts = (node.module or "").split(".")
                assert len(parts) > 2, f"{path.name}: {node.module}"
                assert parts[2] in allowed, f"{path.name}: {node.module}"


def test_files_are_short() -> None:
    """Four hundred lines at the most."""
    long = {path.name: lines for path in _HOME.rglob("*.py") if (lines := len(path.read_text().splitlines())) > _MOST_LINES}
    assert not long
