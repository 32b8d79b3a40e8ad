"""`assay watch` as a person has it: in tmux, with keys, at two sizes, ended in every way."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.faults.command import HOSTILE, command, environment, survivors
from tests.integration.console.terminals import Tmux, in_tmux, until
from tools.evidence.record import verify
from tools.processes import owner_of

pytestmark = pytest.mark.long

SAMPLE = HOSTILE.parent / "apps" / "sample" / "index.html"
OPTIONS = ("--max-acts", "30", "--no-prove", "--network", "none", "--capture", "none")
BLOCK = "▀"


HOSTILE_PAGE = r"""<!doctype html><html lang="en"><body><h1>Shop</h1><script>
  const esc = '\x1b';
  const words = [']52;c;cm0gLXJm\x07', '[2J', ']0;owned\x07', '[?1049l', '\x9b31m\u202eevil\u2066'];
  const bad = words.map((one) => esc + one).join('');
  const button = document.createElement('button');
  document.title = 'Shop' + bad;
  button.textContent = 'Buy ' + bad;
  button.onclick = () => {
    console.error('clicked' + bad);
    document.body.append('bought ' + bad);
    throw new Error('boom' + bad);
  };
  document.body.append(button);
  console.warn('hello' + bad);
  fetch('/missing?' + encodeURIComponent(bad));
  setTimeout(() => { throw new Error('late' + bad); }, 50);
</script></body></html>"""


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    """A window of 80 × 24."""
    yield from in_tmux(tmp_path)


def begin(tmux: Tmux, *arguments: str) -> Path:
    """`assay watch` in the window, between two looks at the terminal's modes; returns the run's folder."""
    run_dir = tmux.folder / "run"
    call = " ".join(shlex.quote(word) for word in command("watch", *arguments))
    tmux.line("stty -a > before")
    tmux.line(f"{call}; echo ended-$?")
    return run_dir


def watch(tmux: Tmux, subject: Path = SAMPLE, brief: str = "A budget tracker") -> Path:
    """A run of the sample app, watched until it uses the app."""
    run_dir = begin(tmux, str(subject), "--brief", brief, "--out", str(tmux.folder / "run"), *OPTIONS)
    tmux.wait("step 1/30", 90)
    return run_dir


def rows(run_dir: Path, kind: str) -> list[dict]:
    """The ledger's rows of a kind so far."""
    lines = (run_dir / "ledger.jsonl").read_text(encoding="utf-8", errors="replace").splitlines()
    return [json.loads(line)["body"] for line in lines if f'"kind":"{kind}"' in line and line.endswith("}")]


def assert_given_back(tmux: Tmux, code: int) -> None:
    """The shell is back, with the modes, the screen and the cursor it had."""
    tmux.wait(f"ended-{code}", 90)
    until(lambda: tmux.told("alternate_on") == "0" and tmux.told("cursor_flag") == "1", 3, "the shell's screen")
    tmux.keys("Enter")
    tmux.line("stty -a > after")
    until(lambda: (tmux.folder / "after").exists() and (tmux.folder / "after").read_text(), 5, "stty")
    assert (tmux.folder / "after").read_text() == (tmux.folder / "before").read_text()
    tmux.line("echo visible")
    until(lambda: tmux.screen().count("visible") == 2, 5, tmux.screen)  # what is typed is seen
    until(lambda: not left_over(tmux), 15, lambda: str(left_over(tmux)))


def left_over(tmux: Tmux) -> list[str]:
    """Processes of the window that are neither tmux nor the shell."""
    return [survivor for survivor in survivors(tmux.mark) if not survivor.startswith(("tmux", "bash", "sh -c cat", "cat"))]


def step_shown(screen: str) -> int:
    """The step in the first line."""
    found = re.search(r"step (\d+)/", screen)
    assert found, screen
    return int(found[1])


def assert_fits(screen: str, columns: int, rows_: int) -> None:
    """As many lines as the window, none wider."""
    lines = screen.rstrip("\n").split("\n")
    assert len(lines) <= rows_
    assert max(cell_len(line) for line in lines) <= columns


def test_pause_hint_step_continue_stop(tmux: Tmux) -> None:
    """One run with all keys, at 80 × 24 and 140 × 40; what is on the screen is what is in the ledger."""
    run_dir = watch(tmux)
    until(lambda: BLOCK in tmux.screen(), 10, "the thumbnail")
    assert_fits(tmux.keep("running-80x24"), 80, 24)
    steps = _pause(tmux, run_dir)
    _hint(tmux, run_dir)
    _step(tmux, run_dir, steps)
    _resize_and_go_on(tmux, run_dir, steps)
    _stop(tmux, run_dir)


def _pause(tmux: Tmux, run_dir: Path) -> int:
    tmux.keys("p")
    tmux.wait("PAUSED", 30)
    held = re.search(r"app (\S+) held", tmux.wait("held", 5))
    steps = len(rows(run_dir, "action"))
    time.sleep(2.5)  # nothing happens: that can only be waited for by the clock
    screen = tmux.keep("paused-80x24")
    still = re.search(r"app (\S+) held", screen)
    assert held, screen
    assert still, screen
    assert held[1] == still[1]
    assert len(rows(run_dir, "action")) == steps
    return steps


def _hint(tmux: Tmux, run_dir: Path) -> None:
    tmux.keys("h")
    tmux.wait("hint:", 5)
    tmux.type("try the dark theme")
    tmux.wait("hint: try the dark theme", 5)
    tmux.keep("hint-80x24")
    tmux.keys("Enter")
    tmux.wait("hint waiting try the dark theme", 5)
    assert rows(run_dir, "steered") == []


def _step(tmux: Tmux, run_dir: Path, steps: int) -> None:
    tmux.keys("s")
    until(lambda: len(rows(run_dir, "action")) == steps + 1, 30, "one step")
    tmux.wait("PAUSED", 20)
    assert len(rows(run_dir, "action")) == steps + 1
    assert [row["text"] for row in rows(run_dir, "steered") if row["wish"] == "hint"] == ["try the dark theme"]


def _resize_and_go_on(tmux: Tmux, run_dir: Path, steps: int) -> None:
    tmux.keys("?")
    tmux.wait("one decision with its act", 5)
    tmux.keep("help-80x24")
    tmux.run("resize-window", "-x", "140", "-y", "40")
    tmux.keys("Escape")
    until(lambda: "? help" in tmux.screen().rstrip("\n").split("\n")[-1], 5, tmux.screen)
    until(lambda: sum(BLOCK in line for line in tmux.screen().split("\n")) > 15, 5, tmux.screen)
    assert_fits(tmux.keep("paused-140x40"), 140, 40)
    tmux.keys("c")
    until(lambda: len(rows(run_dir, "action")) >= steps + 3, 60, "going on")
    shown, done = step_shown(tmux.screen()), len(rows(run_dir, "action"))
    assert abs(shown - done) <= 2
    assert_fits(tmux.keep("running-140x40"), 140, 40)
    tmux.run("resize-window", "-x", "50", "-y", "12")
    until(lambda: "step" in tmux.screen().split("\n")[0] and "log" in tmux.screen(), 5, tmux.screen)
    assert_fits(tmux.keep("running-50x12"), 50, 12)
    tmux.run("resize-window", "-x", "80", "-y", "24")


def _stop(tmux: Tmux, run_dir: Path) -> None:
    tmux.keys("q")
    tmux.wait("Stop now?", 5)
    tmux.keys("y")
    tmux.wait("any other key", 60)
    assert_fits(tmux.keep("over-80x24"), 80, 24)
    tmux.keys("o")
    tmux.wait("report.html", 5)
    tmux.keys("Enter")
    assert_given_back(tmux, 3)
    assert verify(run_dir) == []
    assert rows(run_dir, "coverage")[0]["stop_reason"] == "interrupted"
    assert json.loads((run_dir / "verdict.json").read_bytes())["status"] == "incomplete"
    assert (run_dir / "report.html").is_file()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 3), (signal.SIGINT, 130), (signal.SIGKILL, 137)])
def test_ended_by_a_signal(number: signal.Signals, code: int, tmux: Tmux) -> None:
    """Also in a pause: the terminal is as before, nothing is left running; the run is judged as it stands or can be resumed."""
    run_dir = watch(tmux)
    if number is signal.SIGINT:
        tmux.keys("p")
        tmux.wait("PAUSED", 30)
        tmux.keys("C-c")
    else:
        os.kill(owner_of(run_dir) or 0, number)
    assert_given_back(tmux, code)
    if number is signal.SIGTERM:
        assert verify(run_dir) == []
        assert rows(run_dir, "coverage")[0]["stop_reason"] == "interrupted"
    if number is not signal.SIGINT:
        return
    tmux.wait("assay eval --resume", 5)


def test_a_hostile_page_stays_a_picture(tmux: Tmux) -> None:
    """Titles, messages, errors and names with sequences in them reach the window as words: no byte of theirs acts."""
    page = tmux.folder / "hostile.html"
    page.write_text(HOSTILE_PAGE, encoding="utf-8")
    title = tmux.told("pane_title")
    brief = tmux.folder / "brief.txt"
    brief.write_text("A shop\x1b]52;c;QQ==\x07 page with a Buy button", encoding="utf-8")
    begin(tmux, str(page), "--brief", f"@{brief}", "--out", str(tmux.folder / "run"), *OPTIONS)
    tmux.wait("hello", 90)
    tmux.wait("boom", 60)
    tmux.keep("hostile-80x24")
    assert tmux.told("pane_title") == title
    assert tmux.told("alternate_on") == "1"
    tmux.wait("any other key", 90)
    tmux.keys("Enter")
    tmux.wait("ended-", 30)
    sent = tmux.raw[tmux.raw.index(b"\x1b[?1049h") :]
    assert b"\x1b]" not in sent, "the console itself has no use for such sequences"
    assert b"\x07" not in sent
    assert sent.count(b"\x1b[?1049l") == 1
    assert sent.count(b"\x1b[2J") <= 3, "at the beginning, and with the first picture"
    assert "\x9b".encode() not in sent
    assert "\u202e".encode() not in sent
    assert "\u2066".encode() not in sent


def test_a_run_of_another_process_can_be_watched(tmux: Tmux) -> None:
    """Read-only: q leaves and the run goes on; watched again, it is followed to its end."""
    run_dir = tmux.folder / "run"
    limits = ("--max-acts", "30", "--no-prove", "--network", "none", "--capture", "none")
    words = ("eval", str(SAMPLE), "--brief", "A budget tracker", "--out", str(run_dir), "--display", "none", "--json")
    other = subprocess.Popen(
        command(*words, *limits),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment("other" + tmux.mark),
        cwd=tmux.folder,
    )
    try:
        until(lambda: (run_dir / "ledger.jsonl").exists() and rows(run_dir, "action"), 90, "the other process's first step")
        begin(tmux, str(run_dir))
        tmux.wait("watching", 60)
        until(lambda: BLOCK in tmux.screen(), 10, "the thumbnail")
        tmux.keep("outside-80x24")
        tmux.keys("p")
        tmux.keys("q")
        tmux.wait("goes on without you", 20)
        assert other.poll() is None
        assert_given_back(tmux, 0)
        begin(tmux, str(run_dir), "--display", "plain")
        assert other.wait(timeout=120) == 0
        tmux.wait("ended-0", 30)
    finally:
        if other.poll() is None:
            other.terminate()
            other.wait(timeout=30)
    assert rows(run_dir, "steered") == []
