"""Keys of models: read once at the start, then in no environment that a child, or `/proc`, could show.

A process's first environment stays readable in `/proc/PID/environ` for as long as it lives, whatever is removed from it later. So
a process that was started with keys in it writes them into an unnamed file in memory and starts itself again without them
(`execve`: same process number); the new program reads the file's descriptor once and closes it. A key can also be given as
`NAME_FILE=/path` (mode 0600) or as a systemd credential (`$CREDENTIALS_DIRECTORY/NAME`), which were never in an environment.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.errors import UserError

PASSED = "_ASSAY_KEYS_FD"
"""Names the descriptor by which a process gets its keys."""
SECRET = re.compile(r"[A-Z0-9_]+_(?:API_KEY|AUTH_TOKEN)|(?:HF|NPM|NODE_AUTH|GITHUB|GH)_TOKEN")
"""Variables that are taken out; those of models (`configs/models.toml`) among them."""
_PR_SET_DUMPABLE = 4
_held: dict[str, str] = {}


def hide() -> None:
    """Take the keys out of this process's environment; called first of all. Starts the program again if there were any.

    Whether they come by the environment, by a file or as a credential, this process will hold them in memory: nobody reads that.
    """
    _close_memory()
    _receive()
    found = {name: value for name, value in os.environ.items() if SECRET.fullmatch(name) and value}
    if not found:
        return
    kept = {name: value for name, value in os.environ.items() if name not in found}
    _held.update(found)
    if not hasattr(os, "memfd_create") or not sys.orig_argv:
        # Not on this system: children are spared at least.
        for name in found:
            os.environ.pop(name, None)
        return
    descriptor = _written()
    sys.stdout.flush()
    sys.stderr.flush()
    os.set_inheritable(descriptor, True)
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**kept, PASSED: str(descriptor)})  # noqa: S606 - itself


@contextlib.contextmanager
def handed_on() -> Iterator[tuple[dict[str, str], tuple[int, ...]]]:
    """For a child of Assay's own that asks models: what its environment needs more, and the descriptors it must inherit.

    Read once by the child, which calls `hide` first of all.
    """
    _held.update({name: value for name, value in os.environ.items() if SECRET.fullmatch(name) and value})
    if not _held or not hasattr(os, "memfd_create"):
        yield {}, ()
        return
    descriptor = _written()
    try:
        yield {PASSED: str(descriptor)}, (descriptor,)
    finally:
        os.close(descriptor)


def key(name: str) -> str:
    """The key called `name`, empty if there is none. Raises `UserError` for a key file that others can read."""
    if name in _held:
        return _held[name]
    file = os.environ.get(f"{name}_FILE", "").strip()
    if file:
        return _from_file(Path(file), name)
    folder = os.environ.get("CREDENTIALS_DIRECTORY", "")
    for credential in (name, name.lower()) if folder.startswith("/") else ():
        path = Path(folder) / credential
        if path.is_file():
            return path.read_text(encoding="utf-8").strip()
    # A program that uses Assay as a library, and did not hide its keys.
    return os.environ.get(name, "").strip()


def taken(name: str) -> str:
    """As `key`, and from now on in no environment that a child of this process gets."""
    given = os.environ.pop(name, "").strip()
    if given:
        _held[name] = given
    return given or key(name)


def without(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment for a child that needs no keys."""
    return {name: value for name, value in environment.items() if not SECRET.fullmatch(name)}


def _written() -> int:
    descriptor = os.memfd_create("keys", os.MFD_CLOEXEC)
    os.write(descriptor, json.dumps(_held).encode())
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _receive() -> None:
    """Read the keys that were handed over."""
    given = os.environ.pop(PASSED, "")
    if not given.isdigit():
        return
    with contextlib.suppress(OSError, ValueError), os.fdopen(int(given), "rb") as stream:
        told = json.loads(stream.read(1_000_000))
        _held.update({str(name): str(value) for name, value in told.items()})


def _close_memory() -> None:
    """No core file, no ptrace, `/proc/PID/mem` and `environ` for root only; children that are started get their own back."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _from_file(path: Path, name: str) -> str:
    try:
        with path.open(encoding="utf-8") as stream:
            if stat.S_IMODE(os.fstat(stream.fileno()).st_mode) & 0o077:
                raise UserError(f"{path}, the file of {name}, can be read by others.", hint=f"chmod 600 {path}")
            return stream.read(100_000).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}, the file of {name}, can't be read: {getattr(error, 'strerror', None) or 'no text'}.") from error
