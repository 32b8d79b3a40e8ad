"""What a crash leaves: a torn last line is cut off and said; anything else is not repaired but refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tools.errors import RunError
from tools.evidence.ledger import LEDGER_FILE, Ledger, split_lines
from tools.evidence.record import Record
from tools.evidence.rows import ConsoleMessage

ROOT = Path(__file__).parents[3]


def _write(run: Path, rows: int) -> list[bytes]:
    """A ledger of so many rows; returns its lines."""
    with closing(Ledger.create(run)) as ledger:
        for number in range(rows):
            ledger.append(ConsoleMessage(level="log", text=f"row {number} – 行\u2028"), producer="test")
    return (run / LEDGER_FILE).read_bytes().splitlines(keepends=True)


def test_a_tail_torn_at_any_byte_is_repaired_and_said(tmp_path: Path) -> None:
    """Cut the last row after each of its bytes: the rows before it survive, and the run can go on."""
    lines = _write(tmp_path, 3)
    whole, last = b"".join(lines[:2]), lines[2]
    for length in range(1, len(last)):
        (tmp_path / LEDGER_FILE).write_bytes(whole + last[:length])
        record = Record.read(tmp_path)
        assert [row.id for row in record.rows] == ["e000001", "e000002"]
        assert "line 3 is torn" in record.repaired
        ledger, repaired = Ledger.reopen(tmp_path)
        assert f"{length} bytes were cut off" in repaired
        assert (tmp_path / LEDGER_FILE).read_bytes() == whole
        ledger.close()


def test_a_repaired_ledger_goes_on_in_the_same_chain(tmp_path: Path) -> None:
    """The row written after a repair takes the place of the torn one."""
    lines = _write(tmp_path, 3)
    (tmp_path / LEDGER_FILE).write_bytes(b"".join(lines[:2]) + lines[2][:-1])
    ledger, _ = Ledger.reopen(tmp_path)
    with closing(ledger):
        assert len(ledger) == 2
        assert ledger.append(ConsoleMessage(level="log", text="again"), producer="test").id == "e000003"
    record = Record.read(tmp_path)
    assert (len(record.rows), record.repaired) == (3, "")


def test_a_tail_of_zeros_is_torn_too(tmp_path: Path) -> None:
    """A power cut can leave the file longer than what was written, filled with zeros."""
    lines = _write(tmp_path, 2)
    (tmp_path / LEDGER_FILE).write_bytes(b"".join(lines) + b"\0" * 4096)
    assert len(Record.read(tmp_path).rows) == 2
    ledger, repaired = Ledger.reopen(tmp_path)
    ledger.close()
    assert "4096 bytes were cut off" in repaired


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: [lines[0], lines[1][:20], lines[2]],
        lambda lines: [lines[0], b"not json\n", lines[2]],
        lambda lines: [lines[0], b"[1, 2]\n"],
        lambda lines: [lines[0], lines[2]],
        lambda lines: [lines[0], lines[1][:20] + b"\n"],
        lambda lines: [lines[0], b"\n", lines[1]],
    ],
    ids=["line end lost", "no JSON", "no row", "row lost", "row cut but ended", "empty line"],
)
def test_damage_before_the_end_is_refused_and_left_as_it_is(tmp_path: Path, damage: Callable[[list[bytes]], list[bytes]]) -> None:
    """A run whose rows were damaged is not resumed, and nothing of it is cut off."""
    data = b"".join(damage(_write(tmp_path, 3)))
    (tmp_path / LEDGER_FILE).write_bytes(data)
    with pytest.raises(RunError, match="cannot be trusted"):
        Ledger.reopen(tmp_path)
    assert (tmp_path / LEDGER_FILE).read_bytes() == data
    record = Record.read(tmp_path)
    assert [row.id for row in record.rows] == ["e000001"]
    assert record.repaired


def test_an_empty_ledger_can_be_resumed(tmp_path: Path) -> None:
    """A run killed before its first row was synced begins anew in its folder."""
    (tmp_path / LEDGER_FILE).touch()
    ledger, repaired = Ledger.reopen(tmp_path)
    with closing(ledger):
        assert (len(ledger), repaired, ledger.sealed) == (0, "", False)
        assert ledger.append(ConsoleMessage(level="log", text="x"), producer="test").id == "e000001"


WRITER = """
import sys
from pathlib import Path
from tools.evidence.ledger import Ledger
from tools.evidence.rows import ConsoleMessage
ledger = Ledger.create(Path(sys.argv[1]))
for number in range(1_000_000):
    ledger.append(ConsoleMessage(level="log", text="x" * (number * 37 % 20_000)), producer="writer")
    if number % 3 == 2:
        ledger.sync()
        print(number + 1, flush=True)
"""


@pytest.mark.parametrize("synced", [3, 60, 300])
def test_killed_in_the_middle_of_appends(tmp_path: Path, synced: int) -> None:
    """After `kill -9` of a process that appends without pause, every synced row is there and the run can go on."""
    run = tmp_path / "run"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(run)], stdout=subprocess.PIPE, cwd=ROOT) as writer:
        assert writer.stdout is not None
        told = 0
        while told < synced:
            told = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        told = max([told, *(int(line) for line in writer.stdout.read().splitlines())])
    rows, good, problem = split_lines((run / LEDGER_FILE).read_bytes())
    assert len(rows) >= told
    assert problem in ("", f"line {len(rows) + 1} is torn ({(run / LEDGER_FILE).stat().st_size - good} bytes without an end)")
    assert len(Record.read(run).rows) == len(rows)
    ledger, _ = Ledger.reopen(run)
    with closing(ledger):
        assert ledger.append(ConsoleMessage(level="log", text="on"), producer="test").id == f"e{len(rows) + 1:06d}"
    assert Record.read(run).repaired == ""


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from tools.evidence.ledger import Ledger
from tools.evidence.rows import ConsoleMessage
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
ledger = Ledger.create(Path(sys.argv[1]))
try:
    while True:
        ledger.append(ConsoleMessage(level="log", text="y" * 700), producer="writer")
        ledger.sync()
except OSError as error:
    print(len(ledger), error.errno, flush=True)
    import os
    os._exit(0)
"""


def test_a_full_disk_leaves_a_readable_ledger(tmp_path: Path) -> None:
    """Where no more can be written the error surfaces, and what was synced before it reads back."""
    run = tmp_path / "run"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(run)], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    appended = int(done.stdout.split()[0])
    record = Record.read(run)
    assert len(record.rows) == appended - 1
    assert record.repaired


def test_two_processes_write_the_same_bytes_for_the_same_row(tmp_path: Path) -> None:
    """The hash rests on canonical JSON: key order and spacing of the file cannot differ between machines."""
    line = _write(tmp_path, 1)[0]
    row = json.loads(line)
    assert line == json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
