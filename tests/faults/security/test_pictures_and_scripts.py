"""Rows 14 and 16: pictures that claim to be huge, and values of a page that would like to be code."""

from __future__ import annotations

import contextlib
import io
import resource
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from PIL import Image

from agent.console.thumbnails import thumbnail
from agent.run.context import RunContext
from agent.run.nodes.seal import _server_log
from evaluator.judges.figures import load_figures
from evaluator.judges.pictures import Darkroom, Moment
from evaluator.record.sealed import Reading
from evaluator.reports.pictures import Album
from tests.unit.judges.looks import Looked
from tools.browser.snapshots import decode_png
from tools.diagram.picture.opening import open_picture
from tools.errors import RunError, SubjectError, UserError
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Screenshot, ServerLog
from tools.instruments import InPicture, _opened
from tools.manim.recording import read_picture, read_still
from tools.media.bounds import MOST_PIXELS
from tools.media.image import decode


def bomb(width: int, height: int, rows: int) -> bytes:
    """A PNG of one colour that claims to be that large, and holds so many rows."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    packing, row = zlib.compressobj(9), b"\0" * (1 + (width + 7) // 8)
    body = b"".join(packing.compress(row) for _ in range(rows)) + packing.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def grown_by(work: Callable[[], object]) -> int:
    """By how many bytes the memory of this process was larger meanwhile, at most, than before."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
    before = _memory("VmRSS")
    work()
    return _memory("VmHWM") - before


def _memory(what: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{what}:"))


def looked_at(data: bytes, path: Path) -> str:
    """As the tool that agents call looks at a picture."""
    del data
    return _told(UserError, lambda: _opened(InPicture(picture=path)))


def shown(data: bytes, path: Path) -> str:
    """As the terminal shows one: it has no room for words, so it shows nothing."""
    del data
    assert thumbnail(path, 80, 24, colours=True) == []
    return "too large to be decoded"


def reported(data: bytes, path: Path) -> str:
    """As a report shows a run's screenshot."""
    with contextlib.closing(Ledger.create(path.parent / "run")) as ledger:
        body = Screenshot(label="first", width=1280, height=800)
        row = ledger.append(body, producer="eyes", blob=ledger.put(data, "image/png"))
        ledger.sync()
        return Album(ledger.blobs).wide(row).problem


def judged(data: bytes, path: Path) -> str:
    """As a judge is shown one."""
    run = Looked(path.parent / "judged")
    row = run.add(Screenshot(label="first", width=1280, height=800), blob=run.ledger.put(data, "image/png"))
    run.ledger.seal(complete=True)
    run.ledger.close()
    room = Darkroom(Reading(Record.read(run.folder)), load_figures())
    assert room.develop([Moment(row, "the untouched page", 0)], tokens=9999, width=640, most=3) == ()
    return room.troubles[0]


def left(folder: Path, data: bytes) -> Path:
    """The picture as a file in a folder of its own."""
    folder.mkdir()
    (folder / "bomb.png").write_bytes(data)
    return folder / "bomb.png"


def _told(kind: type[Exception], work: Callable[[], object]) -> str:
    with pytest.raises(kind) as raised:
        work()
    return str(raised.value)


DOORS: dict[str, Callable[[bytes, Path], str]] = {
    "decode": lambda data, _: _told(ValueError, lambda: decode(data)),
    "stage": lambda data, _: _told(ValueError, lambda: decode_png(data)),
    "diagram": lambda data, _: _told(SubjectError, lambda: open_picture(data)),
    "manim": lambda _, path: _told(RunError, lambda: read_picture(path)),
    "agent's tool": looked_at,
    "terminal": shown,
    "report": reported,
    "judge": judged,
}


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="memory is measured as Linux tells it")
@pytest.mark.parametrize("door", DOORS)
def test_no_door_lets_a_picture_bomb_in(door: str, tmp_path: Path) -> None:
    """A 20 KB PNG of 13,000 × 13,000: one line, wherever it is opened, and memory stays small."""
    told: list[str] = []
    # The first, of which there is nothing but the header, loads what the door needs.
    bombs = {"first": bomb(60_000, 60_000, rows=1), "second": bomb(13_000, 13_000, rows=13_000)}
    grown = [grown_by(lambda n=name, d=data: told.append(DOORS[door](d, left(tmp_path / n, d)))) for name, data in bombs.items()]
    assert len(bombs["second"]) < 25_000
    assert grown[-1] < 30_000_000
    assert all("too large to be decoded" in line.lower() and "\n" not in line for line in told)


def test_a_still_that_unpacks_to_more_than_it_may(tmp_path: Path) -> None:
    """Manim's own stills are read without OpenCV, by the header they were written with."""
    path = tmp_path / "still.png"
    head = struct.pack(">I4sIIBBBBB", 13, b"IHDR", 13_000, 13_000, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head + b"\0" * 8 + b"IDAT")
    with pytest.raises(RunError, match="too large to be decoded"):
        read_still(path)


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
