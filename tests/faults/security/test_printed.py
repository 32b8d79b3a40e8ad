"""Row 16: what a stranger's program prints is written down without anything that would steer a terminal."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.settings import Settings
from tests.faults.security.conftest import limits, opened, write_project
from tools.app.programs import read_log
from tools.confinement.launcher import lacking
from tools.confinement.printed import Printed, keep, plain

STEERING = (
    *(b"\x1b]0;owned\x07", b"\x1b[31m", b"\x1b]52;c;b3duZWQ=\x07", b"\x1b[2J", b"\x08\x08", b"\x1bPowned\x1b\\", b"\x1bc"),
    *(b"\x9b2J", "\x9b31m".encode(), "\x9d0;owned\x9c".encode(), b"\x1b]8;;http://owned.example\x1b\\", b"\x07", b"\x00"),
    *("\u202e".encode(), b"\x1b(0", b"\x1b[?1049h", b"\x7f", b"\x1b_owned\x1b\\"),
)
SERVER = """
const http = require('http');
process.stdout.write(Buffer.from('%s', 'hex'));
process.stderr.write(Buffer.from('%s', 'hex'));
http.createServer((_, r) => { r.setHeader('content-type', 'text/html'); r.end('<p>hi</p>'); }).listen(process.env.PORT || 3000);
"""


def is_harmless(data: bytes) -> bool:
    """Text, tabs and line ends, in UTF-8, and nothing of what was put into a sequence."""
    text = data.decode("utf-8")
    return b"owned" not in data and plain(text) == text and all(item >= " " or item in "\n\t" for item in text)


@pytest.mark.parametrize("trusted", [False, True], ids=["confined", "trusted"])
async def test_no_log_of_a_project_steers_a_terminal(tmp_path: Path, trusted: bool) -> None:
    """Every file that a run leaves under `logs`, byte by byte; the words around the sequences stay."""
    if not trusted and lacking():
        pytest.skip(f"no sandbox here: {lacking()}")
    told = b"before " + b" between ".join(STEERING) + b" after\r\n"
    write_project(tmp_path / "p", {"server.js": SERVER % (told.hex(), told.hex())})
    chosen = limits() if not trusted else Settings(trust_project=True)
    found = await opened(tmp_path / "p", tmp_path / "run", chosen)
    assert found.site.problem is None, found.site.problem
    logs = {path: path.read_bytes() for path in (tmp_path / "run" / "logs").iterdir() if path.is_file()}
    assert any(b"before" in data and b"after\n" in data for data in logs.values())
    assert {path.name for path, data in logs.items() if not is_harmless(data)} == set()


@given(st.lists(st.one_of(st.sampled_from(STEERING), st.text(alphabet="ab 1;[]\\\r\nλ").map(str.encode)), max_size=12), st.data())
def test_a_sequence_in_two_pieces_is_one(parts: list[bytes], data: st.DataObject) -> None:
    """However the output is cut up, what is written down is what it is as a whole, and harmless."""
    whole, printed, written = b"".join(parts), Printed(), b""
    once = Printed()
    expected = once.feed(whole) + once.feed(b"", last=True)
    while whole:
        size = data.draw(st.integers(1, len(whole)))
        written, whole = written + printed.feed(whole[:size]), whole[size:]
    written += printed.feed(b"", last=True)
    assert written == expected
    assert not set(written.decode()) & {"\x1b", "\x07", "\x9b", "\x9d", "\r", "\x00", "\u202e"}


def test_the_log_has_a_bound_and_is_no_link(tmp_path: Path) -> None:
    """What is too much is read and left out; a link that lies in the log's place is not followed."""
    read, write = os.pipe()
    writing = threading.Thread(target=lambda: (os.write(write, b"\x1b[31mx" * 4000), os.close(write)))
    writing.start()
    keep(read, str(tmp_path / "log"), 1000)
    writing.join()
    os.close(read)
    text = read_log(tmp_path / "log")
    assert text.startswith("xxx")
    assert "left out" in text
    assert (tmp_path / "log").stat().st_size < 1200
    (tmp_path / "precious").write_text("mine", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "precious")
    with pytest.raises(OSError, match="link"):
        keep(0, str(tmp_path / "link"), 1000)
    assert (tmp_path / "precious").read_text(encoding="utf-8") == "mine"
