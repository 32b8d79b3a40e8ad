"""Ends that nobody planned: the run is killed, the driver dies, a browser cannot be started. Nothing may be left behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import psutil
import pytest

from tests.integration.stage.conftest import PAGES, Opener, opener
from tools.browser import launch, scratch
from tools.browser.faults import TabCrashed
from tools.errors import MissingProgram, StageFault
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.processes import ProcessList

ROOT = Path(__file__).parents[3]


@pytest.fixture
async def open_stage(tmp_path: Path) -> AsyncIterator[Opener]:
    """Opens a stage on a site; closed after the test."""
    async with AsyncExitStack() as stack:
        yield opener(stack, tmp_path)


def left(ids: list[int]) -> list[str]:
    """Command lines of those that still run."""
    found = []
    for pid in ids:
        try:
            process = psutil.Process(pid)
            if process.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(process.cmdline())[:200])
        except psutil.Error:
            continue
    return found


def test_killed_without_warning(tmp_path: Path, serve: Callable[[Path], str]) -> None:
    """`kill -9` of the run's process: browser, display, sound, recorder end within seconds; ledger and film can be read."""
    run_dir = tmp_path / "run"
    child = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("opens_a_stage.py")), str(run_dir), serve(PAGES)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        told = json.loads(child.stdout.readline())
        assert Path(told["scratch"]).is_dir()
    finally:
        os.kill(child.pid, signal.SIGKILL)
        child.wait(timeout=10)
        if child.stdout is not None:
            child.stdout.close()
    names = " ".join(left(told["ids"]))
    assert len(told["ids"]) > 8, names
    limit = time.monotonic() + 15
    while left(told["ids"]) and time.monotonic() < limit:
        time.sleep(0.05)
    assert left(told["ids"]) == []
    assert Record.read(run_dir).rows[0].body.kind == "stage_opened"
    frames = subprocess.run(
        [
            *("ffprobe", "-v", "error", "-select_streams", "v", "-count_packets", "-show_entries", "stream=nb_read_packets"),
            *("-of", "csv=p=0", str(run_dir / "recording.raw.mp4")),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert int(frames.stdout.strip().strip(",")) > 5
    # Any stage sweeps it, also another test's beside this one: it may be gone already.
    scratch.remove_scratch(scratch.make_scratch())
    assert not Path(told["scratch"]).exists(), "the next stage sweeps it"


@pytest.mark.long
async def test_the_driver_dies(open_stage: Opener, serve: Callable[[Path], str]) -> None:
    """Playwright's own process is killed: commands fail as crashed, the film is finished, and close neither raises nor hangs."""
    site = serve(PAGES)
    opened = await open_stage(site, record=True)
    assert await opened.stage.goto(site + "still.html")
    driver = next(
        child.pid
        for child in psutil.Process(os.getpid()).children()
        if any("run-driver" in word for word in child.cmdline()) and _younger(child.pid, opened.stage.browser_pid)
    )
    browser = opened.stage.browser_pid
    os.kill(driver, signal.SIGKILL)
    began = time.monotonic()
    with pytest.raises(TabCrashed):
        await opened.stage.evaluate("() => new Promise(() => {})")
    assert time.monotonic() - began < 10
    assert not await opened.stage.goto(site + "still.html")
    began = time.monotonic()
    await opened.stage.close()
    assert time.monotonic() - began < 15
    assert len(opened.rows("recording")) == 1
    assert opened.processes.running() == {}
    assert left([browser]) == []


def _younger(pid: int, browser: int) -> bool:
    """The driver that started this browser, when other tests of the session have drivers too."""
    return psutil.Process(browser).ppid() == pid


async def test_the_browser_dies(open_stage: Opener, serve: Callable[[Path], str]) -> None:
    """The whole browser is killed: crashed at once, a row that blames no page, and a film of what was seen until then."""
    site = serve(PAGES)
    opened = await open_stage(site, record=True)
    assert await opened.stage.goto(site + "still.html")
    os.kill(opened.stage.browser_pid, signal.SIGKILL)
    with pytest.raises(TabCrashed):
        await opened.stage.evaluate("() => new Promise(() => {})")
    assert opened.stage.state == "crashed"
    assert (await opened.stage.picture()).shape == (800, 1280, 3)
    await opened.stage.close()
    assert [row.event for row in opened.rows("page_event")] == ["browser_gone"]
    assert opened.stage.blame == "environment"
    assert len(opened.rows("recording")) == 1


async def test_a_browser_that_cannot_start_leaves_nothing(
    open_stage: Opener, serve: Callable[[Path], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chromium is broken: one clear fault, and display, sound and recorder are gone again."""
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(launch, "_PLACES", (str(broken),))
    before = set(psutil.Process(os.getpid()).children(recursive=True))
    with pytest.raises(StageFault, match="Chromium did not start"):
        await open_stage(serve(PAGES), record=True)
    names = {"Xvfb", "pulseaudio", "ffmpeg", "node"}
    limit = time.monotonic() + 5
    remaining: list[psutil.Process] = []
    while time.monotonic() < limit:
        new = set(psutil.Process(os.getpid()).children(recursive=True)) - before
        remaining = [process for process in new if _name(process) in names]
        if not remaining:
            break
        await asyncio.sleep(0.05)
    assert remaining == []


def _name(process: psutil.Process) -> str:
    try:
        return process.name() if process.status() != psutil.STATUS_ZOMBIE else ""
    except psutil.Error:
        return ""


def test_no_browser_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One line what is missing and one what to do."""
    monkeypatch.setattr(launch, "_PLACES", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingProgram) as fault:
        launch.find_chromium()
    assert "apt-get install chromium" in fault.value.hint


async def test_a_machine_without_xvfb_and_sound(
    serve: Callable[[Path], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only ffmpeg and node on the search path: a headless browser, frames from it, and gaps that say so."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("ffmpeg", "ffprobe"):
        (tools / name).symlink_to(Path("/usr/bin") / name)
    monkeypatch.setenv("PATH", str(tools))
    site = serve(PAGES)
    async with AsyncExitStack() as stack:
        opened = await opener(stack, tmp_path)(site, record=True)
        assert await opened.stage.goto(site + "ruler.html")
        assert (await opened.stage.picture()).shape == (800, 1280, 3)
        settled = await opened.stage.settle(3)
        assert settled.quiet
        assert settled.stable
        assert (await opened.stage.screenshot("headless")).body.kind == "screenshot"
        await opened.stage.close()
        assert [row.what for row in opened.rows("gap")] == ["sound"]
        assert len(opened.rows("recording")) == 1
        assert "headless" in opened.rows("stage_opened")[0].browser


async def test_asked_for_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`capture = "x11"` without Xvfb is an error, not a silent fallback."""
    monkeypatch.setenv("PATH", str(tmp_path))
    async with AsyncExitStack() as stack:
        with pytest.raises(MissingProgram, match="Xvfb"):
            await opener(stack, tmp_path)("http://127.0.0.1:9/", record=True, capture="x11")


async def test_a_sealed_ledger_is_left_alone(open_stage: Opener, serve: Callable[[Path], str]) -> None:
    """Events that come after the seal, and closing after it, write nothing and raise nothing."""
    site = serve(PAGES)
    opened = await open_stage(site)
    assert await opened.stage.goto(site + "still.html")
    opened.ledger.seal(complete=True)
    count = len(opened.ledger)
    await opened.stage.page.evaluate("console.error('late')")
    await opened.stage.close()
    assert len(opened.ledger) == count
    assert isinstance(opened.ledger, Ledger)
    assert isinstance(opened.processes, ProcessList)
