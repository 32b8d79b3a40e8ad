"""Steering a run from outside: what is wished in its folder reaches it, and what lay there before does not."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.run.steering import Steering
from agent.run.wishes import STANDING_FILE, WISHES_FILE, Standing, Wished, heeded, standing, wish
from tools.errors import RunError


async def until(condition: Callable[[], bool]) -> None:
    """Wait for it, 10 s at most."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - the files of another process give no event
            await asyncio.sleep(0.02)


async def test_wishes_reach_the_run_in_order(tmp_path: Path) -> None:
    """As the keys of its console do; how it stands to them is told outside; nothing is left behind."""
    steering = Steering()
    async with heeded(tmp_path, steering):
        await until(lambda: standing(tmp_path) == Standing())
        wish(tmp_path, Wished(wish="pause"))
        wish(tmp_path, Wished(wish="hint", text="try  zero"))
        await until(lambda: standing(tmp_path) == Standing(pausing=True, waiting=("try zero",)))
        wish(tmp_path, Wished(wish="go_on"))
        wish(tmp_path, Wished(wish="go_on"))
        wish(tmp_path, Wished(wish="step"))
        wish(tmp_path, Wished(wish="stop"))
        wish(tmp_path, Wished(wish="pause"))
        await until(lambda: steering.stopping)
        assert [name for name, _ in steering.wishes] == ["pause", "hint", "go_on", "step", "stop"]
        assert not steering.pausing
    assert list(tmp_path.iterdir()) == []


async def test_a_run_that_stands_is_woken(tmp_path: Path) -> None:
    """Paused by its own console, it goes on by a wish from outside."""
    steering = Steering(pausing=True, standing=True)
    async with heeded(tmp_path, steering):
        waiting = asyncio.create_task(steering.go())
        wish(tmp_path, Wished(wish="go_on"))
        await asyncio.wait_for(waiting, 10)


async def test_what_lay_there_before_is_not_heeded(tmp_path: Path) -> None:
    """Wishes that came with a folder are nobody's, and a link that lies there leads nowhere."""
    outside = tmp_path / "outside"
    outside.write_text("kept", encoding="utf-8")
    run = tmp_path / "run"
    run.mkdir()
    (run / WISHES_FILE).write_text(Wished(wish="stop").model_dump_json() + "\n", encoding="utf-8")
    (run / STANDING_FILE).symlink_to(outside)
    steering = Steering()
    async with heeded(run, steering):
        wish(run, Wished(wish="hint", text="only this"))
        await until(lambda: bool(steering.wishes))
        assert (steering.wishes, steering.stopping) == ([("hint", "only this")], False)
        assert (run / WISHES_FILE).stat().st_mode & 0o077 == 0
    assert outside.read_text(encoding="utf-8") == "kept"


async def test_what_is_no_wish_is_passed_over(tmp_path: Path) -> None:
    """Half a line waits for its end; a line that means nothing costs nothing."""
    steering = Steering()
    async with heeded(tmp_path, steering):
        with (tmp_path / WISHES_FILE).open("ab", buffering=0) as stream:
            stream.write(b'{"wish": "fly"}\n[]\n\xff\n\n{"wish": "pause", "text": "' + b"x" * 900 + b'"}\n{"wish": "hi')
            await asyncio.sleep(0)
            stream.write(b'nt", "text": "after"}\n')
        await until(lambda: bool(steering.wishes))
        assert steering.wishes == [("hint", "after")]


def test_a_run_that_can_not_be_steered_says_so(tmp_path: Path) -> None:
    """No file is made for it, none is written through a link, and a pipe is not waited for."""
    assert standing(tmp_path) is None
    with pytest.raises(RunError, match="can't be steered from outside"):
        wish(tmp_path, Wished(wish="stop"))
    (tmp_path / WISHES_FILE).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RunError, match="can't be steered"):
        wish(tmp_path, Wished(wish="stop"))
    (tmp_path / WISHES_FILE).unlink()
    os.mkfifo(tmp_path / WISHES_FILE)
    with pytest.raises(RunError, match="can't be steered"):
        wish(tmp_path, Wished(wish="stop"))
    (tmp_path / WISHES_FILE).unlink()
    assert list(tmp_path.iterdir()) == []


async def test_a_folder_that_takes_no_file_costs_the_run_nothing(tmp_path: Path) -> None:
    """It can't be steered from outside, that is all."""
    async with heeded(tmp_path / "gone", Steering()):
        pass
