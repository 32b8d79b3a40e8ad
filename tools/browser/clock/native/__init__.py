"""The preloaded C library of the held clock, and how it is built."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from tools.errors import MissingProgram

SOURCE = Path(__file__).with_name("heldclock.c")


@cache
def library() -> Path:
    """The compiled library: what the wheel brought, else built on first use into the user's cache, named by its source's hash.

    Raises `MissingProgram` when it is not built yet and there is no C compiler, or not on Linux.
    """
    if not sys.platform.startswith("linux"):
        raise MissingProgram("The held clock needs Linux.", hint="Elsewhere the page clock is used: --clock page")
    shipped = SOURCE.with_name(file_name())
    if shipped.is_file():
        return shipped
    cache_dir = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay" / "heldclock"
    target = cache_dir / file_name()
    if not target.is_file():
        build(target)
    return target


def file_name() -> str:
    """What the library of this source is called on this kind of machine."""
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]
    return f"heldclock-{digest}-{os.uname().machine}.so"


def build(target: Path) -> None:
    """Compile the library. Raises `MissingProgram` without a C compiler, or if it fails."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise MissingProgram("There is no C compiler to build the held clock.", hint="Run: apt-get install gcc libc6-dev")
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(f".{os.getpid()}.partial")
    built = subprocess.run(
        [
            compiler,
            "-O2",
            "-Wall",
            "-Wextra",
            "-fPIC",
            "-shared",
            "-fvisibility=hidden",
            "-o",
            str(partial),
            str(SOURCE),
            "-ldl",
            "-lpthread",
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if built.returncode != 0:
        raise MissingProgram(
            f"The held clock could not be built: {built.stderr.strip()[-300:]}", hint="Run: apt-get install gcc libc6-dev"
        )
    # Readable for the unprivileged user the browser runs as; renamed so that two builds at once do not meet.
    partial.chmod(0o755)
    partial.rename(target)
