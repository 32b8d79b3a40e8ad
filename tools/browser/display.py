"""A private X display: what a person would see, and the picture of it.

Xvfb keeps its screen in a file mapped into memory (`-fbdir`), so a picture costs one copy (about 5 ms at 1280×800) and no
conversation with the server. The pointer is not part of it (`-nocursor`); the recorder draws it into the video.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from Xlib.display import Display as XDisplay

from tools.browser.xaccess import admit, make_secret
from tools.confinement.unprivileged import Account
from tools.errors import StageFault
from tools.processes import ProcessList

_SOCKETS = Path("/tmp/.X11-unix")  # noqa: S108 - where X servers listen
DISPLAY_NOTE = "display"
"""File that says which display and which process a stage had."""
_LOWEST, _NUMBERS, _DRAWS = 100, 50_000, 50
SCREEN_FILE = "Xvfb_screen0"
_SAME_TWICE = 6
"""Attempts to read the screen twice alike, so that no half-painted frame is taken."""


@dataclass(frozen=True)
class Display:
    """A running X server. `name` is `:N`; the screen is one pixel larger than the window in both directions."""

    name: str
    pid: int
    width: int
    height: int
    screen: NDArray[np.uint8]
    """The mapped screen, (height, width, 4), blue-green-red-unused; changes under the reader."""
    account: Account | None = None
    """The user as which the server, and whatever draws on it or films it, runs; None is Assay's own."""

    def picture(self, width: int, height: int) -> NDArray[np.uint8]:
        """RGB, (height, width, 3), of the top left part of the screen."""
        seen = self.screen[:height, :width].copy()
        for _ in range(_SAME_TWICE):
            again = self.screen[:height, :width].copy()
            if np.array_equal(seen, again):
                break
            seen = again
        return np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGRA2RGB), np.uint8)


async def open_display(
    processes: ProcessList,
    *,
    width: int,
    height: int,
    folder: Path,
    log: Path,
    env: Mapping[str, str] | None = None,
    timeout_s: float = 10.0,
    account: Account | None = None,
) -> Display:
    """Start Xvfb with a display number drawn by chance. `width` × `height` is the window that must fit exactly.

    Only Assay's own user and the `account`, as which the server runs, can connect to it. Raises `MissingProgram`, or `StageFault`
    if it does not come up in time.
    """
    # A window as large as the screen is shrunk by one pixel by Chromium, so the screen is made one pixel larger.
    across, down = width + 1, height + 1
    guarded = folder / "display.auth"
    secret = make_secret(guarded)
    if account is not None:
        account.own(guarded)
    _ready_sockets()
    read, write = os.pipe()
    try:
        process = processes.spawn(
            "Xvfb",
            _command(across, down, told=write, secret=guarded, folder=folder),
            env=env,
            log=log,
            pass_fds=(write,),
            account=account,
        )
        os.close(write)
        write = -1
        number = await first_line(read, timeout_s)
    finally:
        os.close(read)
        if write >= 0:
            os.close(write)
    if not number.isdigit():
        raise StageFault("The X server did not start.", hint=f"See {log}.", retryable=True)
    (folder / DISPLAY_NOTE).write_text(f"{number} {process.pid}", encoding="ascii")
    admit(int(number), secret, {os.getuid(), account.uid if account is not None else os.getuid()})
    guarded.unlink()
    _park_pointer(f":{number}", across, down)
    return Display(f":{number}", process.pid, across, down, _map_screen(folder / SCREEN_FILE, across, down), account)


def _command(across: int, down: int, *, told: int, secret: Path, folder: Path) -> list[str]:
    """The server's command line. It writes its number to the pipe `told`."""
    return [
        *("Xvfb", f":{_free_number()}", "-displayfd", str(told), "-screen", "0", f"{across}x{down}x24"),
        *("-nolisten", "tcp", "-nolisten", "local", "-auth", str(secret)),
        *("-nocursor", "-noreset", "-dpi", "96", "-fbdir", str(folder)),
    ]


def _free_number() -> int:
    """A display's number that nobody has, nor left a socket or a lock of: another account's can't be removed by the server.

    Left to choose, all servers take the lowest number, and one that ends unlinks the socket of the next that has it.
    """
    drawn = (_LOWEST + secrets.randbelow(_NUMBERS) for _ in range(_DRAWS))
    free = (number for number in drawn if not (_SOCKETS / f"X{number}").exists() and not Path(f"/tmp/.X{number}-lock").exists())  # noqa: S108
    return next(free, _LOWEST)


def _ready_sockets() -> None:
    """The folder of all displays' sockets must be root's and open to all; where there is none yet, root makes it."""
    if os.getuid() == 0 and not _SOCKETS.is_dir():
        _SOCKETS.mkdir(mode=0o1777)
        _SOCKETS.chmod(0o1777)


def forget_display(folder: Path) -> None:
    """Remove what a display whose server was killed left in /tmp: its lock and its socket. `folder` is the stage's own."""
    try:
        number, pid = (folder / DISPLAY_NOTE).read_text(encoding="ascii").split()
        lock = Path(f"/tmp/.X{int(number)}-lock")  # noqa: S108 - where X servers keep them
        if lock.read_text(encoding="ascii").strip() != pid or Path(f"/proc/{int(pid)}").exists():
            return
    except (OSError, ValueError):
        return
    for path in (lock, _SOCKETS / f"X{int(number)}"):
        with contextlib.suppress(OSError):
            path.unlink()


async def first_line(descriptor: int, timeout_s: float) -> str:
    """What comes down a pipe until a line ends or it is closed; empty when the time is up."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[str] = loop.create_future()
    heard = bytearray()

    def read() -> None:
        part = os.read(descriptor, 64)
        heard.extend(part)
        if (not part or b"\n" in heard) and not done.done():
            done.set_result(heard.decode(errors="replace").strip())

    loop.add_reader(descriptor, read)
    try:
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(done, timeout_s)
        return ""
    finally:
        loop.remove_reader(descriptor)


def _park_pointer(name: str, width: int, height: int) -> None:
    """Put the pointer into the corner that no window covers; it starts in the middle, where it would hover over the app."""
    connection = XDisplay(name)
    connection.screen().root.warp_pointer(width - 1, height - 1)
    connection.sync()
    connection.close()


def _map_screen(path: Path, width: int, height: int) -> NDArray[np.uint8]:
    """The pixels of an X window dump file: a big-endian header, its colour table, then the rows."""
    header = struct.unpack(">25I", path.read_bytes()[:100])
    header_size, bits, row_bytes, colours = header[0], header[11], header[12], header[19]
    if (header[4], header[5], bits) != (width, height, 32):
        raise StageFault(f"The X server's screen is {header[4]}×{header[5]} at {bits} bits, not {width}×{height} at 32.")
    flat = np.memmap(path, dtype=np.uint8, mode="r", offset=header_size + colours * 12, shape=(height, row_bytes))
    return flat[:, : width * 4].reshape(height, width, 4)
