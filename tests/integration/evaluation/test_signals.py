"""Ended by signals: sealed and judged as it stands, and no traceback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tests.faults.command import command, environment
from tools.evidence.record import Record, verify
from tools.evidence.rows import Covered

PAGE = Path(__file__).parents[2] / "fixtures" / "pages" / "counter.html"
LIMIT_S = 120


def _started(run_dir: Path, *options: str) -> subprocess.Popen[str]:
    line = command("eval", str(PAGE), "--out", str(run_dir), "--display", "none", "--no-prove", *options)
    told = environment(f"signals-{os.urandom(4).hex()}") | {"OPENAI_API_KEY": "none"}
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=told)


def _wait(process: subprocess.Popen[str], come: threading.Event | Path, word: str = "") -> None:
    limit = time.monotonic() + LIMIT_S
    while not (
        come.is_set() if isinstance(come, threading.Event) else come.is_file() and word in come.read_text(errors="replace")
    ):
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.05)


def _judged(process: subprocess.Popen[str], run_dir: Path) -> None:
    out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 3, (out, err)
    assert "Traceback" not in out + err
    assert verify(run_dir) == []
    assert [body.stop_reason for _, body in Record.read(run_dir).of(Covered)] == ["interrupted"]
    assert (run_dir / "verdict.json").is_file()


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.long)], ids=lambda item: item.name
)
def test_a_run_whose_terminal_closes_is_judged_as_it_stands(number: signal.Signals, tmp_path: Path) -> None:
    """As soon as the node it is in is done."""
    run_dir = tmp_path / "run"
    process = _started(run_dir)
    _wait(process, run_dir / "ledger.jsonl", '"kind":"act"')
    process.send_signal(number)
    _judged(process, run_dir)


def test_a_second_interrupt_during_a_models_call_seals_what_there_is(tmp_path: Path) -> None:
    """The endpoint takes the request and never answers."""
    asked, run_dir = threading.Event(), tmp_path / "run"
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken: list[socket.socket] = []

        def listen() -> None:
            while True:
                try:
                    taken.append(server.accept()[0])
                except OSError:
                    return
                if taken[-1].recv(64):
                    asked.set()

        threading.Thread(target=listen, daemon=True).start()
        address = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        process = _started(run_dir, "--decider", "chat", "--model", "openai:silent", "--base-url", address, "--max-acts", "4")
        _wait(process, asked)
        process.send_signal(signal.SIGINT)
        time.sleep(1.0)  # one that comes at once might be taken for the same
        process.send_signal(signal.SIGINT)
        _judged(process, run_dir)
        for item in taken:
            item.close()
