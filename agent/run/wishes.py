"""Steering from outside: what another program of the same user wishes of a run that goes on, by way of two files in its folder.

`wishes.jsonl` is made by the run when it begins and taken away when it ends; who steers adds lines to it and never makes it. So a
folder that came from elsewhere holds no wishes that anybody would heed. `steering.json` says how the run stands to them. Neither
is evidence: what was wished is in the ledger once the run has heard it, whoever wished it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.run.steering import HINT_LIMIT, Steering, Wish
from tools.errors import RunError, why
from tools.evidence.writing import write_whole

WISHES_FILE, STANDING_FILE = "wishes.jsonl", "steering.json"
LOOK_S = 0.25
"""Between two looks at what is wished."""
MOST_BYTES = 1_000_000
"""Wishes of one run, all together; what is beyond is not heard."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Wished(_Frozen):
    """One wish: a line of `wishes.jsonl`."""

    wish: Wish
    text: Annotated[str, Field(max_length=HINT_LIMIT)] = ""
    """Advice, for `hint`."""


class Standing(_Frozen):
    """How a run stands to what is wished of it."""

    pausing: bool = False
    """It stands before each further trial, or will."""
    standing: bool = False
    """It has come to stand; app time stands, too."""
    stopping: bool = False
    """The exploration ends after the trial under way."""
    waiting: tuple[str, ...] = ()
    """Advice that was given and is heard before the next trial."""


@asynccontextmanager
async def heeded(run_dir: Path, steering: Steering) -> AsyncIterator[None]:
    """Inside, wishes from outside reach the run's steering as a console's keys do.

    A run whose folder can't hold the files can't be steered from outside, and loses nothing else.
    """
    looking: asyncio.Task[None] | None = None
    with contextlib.suppress(OSError, RunError):
        _remove(run_dir)
        os.close(os.open(run_dir / WISHES_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        told = _tell(run_dir, steering)  # before anything begins: who looks at the run then finds that it can be steered
        looking = asyncio.create_task(_look_on(run_dir, steering, told))
    try:
        yield
    finally:
        if looking is not None:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
        with contextlib.suppress(OSError):
            _remove(run_dir)


def standing(run_dir: Path) -> Standing | None:
    """How a run stands to wishes from outside; None where it can't be steered from there."""
    try:
        with (run_dir / STANDING_FILE).open("rb") as stream:
            return Standing.model_validate_json(stream.read(MOST_BYTES))
    except (OSError, ValidationError):
        return None


def wish(run_dir: Path, wished: Wished) -> None:
    """Ask something of a run of another process. Raises `RunError` where it can't be steered from outside, or not any more."""
    line = wished.model_dump_json().encode() + b"\n"
    try:
        handle = os.open(run_dir / WISHES_FILE, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise RunError(f"{run_dir.name} can't be steered from outside: {why(error)}.") from error
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode) or about.st_size + len(line) > MOST_BYTES:
            raise RunError(f"{run_dir.name} takes no more wishes.")
        os.write(handle, line)
    finally:
        os.close(handle)


def _remove(run_dir: Path) -> None:
    for name in (WISHES_FILE, STANDING_FILE):
        (run_dir / name).unlink(missing_ok=True)


async def _look_on(run_dir: Path, steering: Steering, told: Standing) -> None:
    read = 0
    while True:
        read = _hear(run_dir / WISHES_FILE, read, steering)
        if _stands(steering) != told:
            with contextlib.suppress(OSError, RunError):
                told = _tell(run_dir, steering)
        await asyncio.sleep(LOOK_S)


def _stands(steering: Steering) -> Standing:
    return Standing(
        pausing=steering.pausing,
        standing=steering.standing,
        stopping=steering.stopping,
        waiting=tuple(text for wished, text in steering.wishes if wished == "hint"),
    )


def _tell(run_dir: Path, steering: Steering) -> Standing:
    now = _stands(steering)
    write_whole(run_dir / STANDING_FILE, now.model_dump_json() + "\n", mode=0o600)
    return now


def _hear(path: Path, read: int, steering: Steering) -> int:
    """Heed the whole lines after the first `read` bytes; returns how many bytes were heard by now."""
    try:
        if path.lstat().st_size <= read:
            return read
        with path.open("rb") as stream:
            stream.seek(read)
            data = stream.read(MOST_BYTES)
    except OSError:
        return read
    whole = data[: data.rfind(b"\n") + 1]
    for line in whole.splitlines():
        with contextlib.suppress(ValidationError):
            _heed(Wished.model_validate_json(line), steering)
    return read + len(whole)


def _heed(wished: Wished, steering: Steering) -> None:
    if steering.stopping:
        return
    match wished.wish:
        case "pause":
            steering.pause()
        case "step":
            steering.step()
        case "go_on" if steering.pausing:
            steering.go_on()
        case "hint":
            steering.hint(wished.text)
        case "stop":
            steering.stop()
        case _:
            pass  # it goes on already
