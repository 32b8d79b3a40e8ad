"""Rows 14 and 16: pictures that claim to be huge, and values of a page that would like to be code."""

from __future__ import annotations

import ast
import io
import resource
import struct
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PIL import Image

from agent.context import RunContext
from agent.nodes.seal import _server_log
from evaluator.proof_scripts.acts import Things, line_of
from evaluator.proof_scripts.seen import Unscripted
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import ServerLog
from tools.media.image import MOST_PIXELS, decode

HOSTILE = ("'); import os; os.system('x') #", '"""', "\\", "a\nb", "{x}", "\u2028", "__import__('os')", "\x1b[2J")


def bomb(width: int, height: int, rows: int) -> bytes:
    """A PNG of one colour that claims to be that large, and holds so many rows."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    packing, row = zlib.compressobj(9), b"\0" * (1 + (width + 7) // 8)
    body = b"".join(packing.compress(row) for _ in range(rows)) + packing.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("width", "height"), [(13_000, 13_000), (60_000, 60_000), (MOST_PIXELS + 1, 1)])
def test_a_picture_bomb_is_refused_by_its_header(width: int, height: int) -> None:
    """One clear line, and no memory of its size is taken."""
    data = bomb(width, height, rows=min(height, 13_000) if width <= 13_000 else 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ValueError, match="too large to be decoded"):
        decode(data)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB


def test_a_large_honest_picture_is_decoded() -> None:
    """A long page's screenshot is no bomb."""
    stream = io.BytesIO()
    Image.new("RGB", (1280, 12_000), (1, 2, 3)).save(stream, format="PNG", compress_level=1)
    assert decode(stream.getvalue()).shape == (12_000, 1280, 3)


ACTS: tuple[dict[str, Any], ...] = (
    {"act": "click", "button": ...},
    {"act": "click", "count": ...},
    {"act": "type", "text": ...},
    {"act": "select", "value": ...},
    {"act": "set_value", "value": ...},
    {"act": "press", "keys": [...]},
    {"act": "press", "keys": ["a"], "hold_ms": ...},
    {"act": "press", "keys": ["a"], "gap_ms": ...},
    {"act": "drag", "by": [..., 1]},
    {"act": "tap", "count": ...},
    {"act": "swipe", "by": [1, ...]},
    {"act": "scroll", "dx": ...},
    {"act": "wait", "ms": ...},
    {"act": "goto", "url": ...},
    {"act": "resize", "width": ..., "height": 1},
    {"act": "resize", "width": 1, "height": ...},
)
TARGETS = ({"role": ..., "name": "x"}, {"name": ...}, {"selector": ...}, {"frame": ...}, {"dx": ...}, {"dy": ...})


def filled(value: Any, hostile: str) -> Any:
    """The value with the hostile one in every gap."""
    if value is ...:
        return hostile
    if isinstance(value, dict):
        return {key: filled(one, hostile) for key, one in value.items()}
    return [filled(one, hostile) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("act", [*ACTS, *({"act": "click", "target": target} for target in TARGETS)], ids=str)
def test_no_value_of_an_act_becomes_code(act: dict[str, Any], hostile: str) -> None:
    """Each line is one call with literals and names of things as its arguments, or there is no script."""
    things = Things()
    line = line_of(filled(act, hostile), things)
    if isinstance(line, Unscripted):
        return
    calls = [node for node in ast.walk(ast.parse("\n".join([*things.lines, line]))) if isinstance(node, ast.Call)]
    assert {call.func.id for call in calls if isinstance(call.func, ast.Name)} <= {"Thing", str(act["act"]), *RENAMED}
    assert all(isinstance(call.func, ast.Name) for call in calls)
    assert "\x1b" not in line
    assert "\n" not in line


def test_what_a_server_printed_cannot_steer_a_terminal(ledger: Ledger, tmp_path: Path) -> None:
    """Titles, clipboards, cursors and colours are taken out of the log that is kept; its words stay."""
    log = tmp_path / "server.log"
    log.write_bytes(b"\x1b]0;owned\x07ready \x1b[31mred\x1b[0m\x1b]52;c;aGk=\x07 \x9b2J\x08\r\ndone\n")
    _server_log(cast(RunContext, SimpleNamespace(site=SimpleNamespace(log=log), ledger=ledger)))
    ledger.sync()
    record = Record.read(ledger.run_dir)
    ((row, body),) = record.of(ServerLog)
    assert row.blob is not None
    for text in (body.excerpt, record.blobs.get(row.blob).decode()):
        assert "\x1b" not in text
        assert "owned" not in text
        assert text.startswith("ready red")


RENAMED = {"write", "choose", "put"}
