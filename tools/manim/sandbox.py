"""A stranger's script in the launcher's sandbox (`tools/confinement`): its folder is in memory and has a size, gone with it."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tools.confinement import launcher, limits, mounts

Strength = Literal["bubblewrap", "none"]


@dataclass(frozen=True)
class Limits:
    """What one script may use. Times in seconds, sizes in megabytes."""

    wall_s: float = 180.0
    cpu_s: float = 300.0
    memory_mb: int = 3072
    """Of all its processes together; each may map no more than one and a half times that (libraries map more than they use)."""
    folder_mb: int = 512
    file_mb: int = 256
    processes: int = 48
    open_files: int = 256
    sent_mb: int = 1024
    """Everything the recording may amount to."""

    @property
    def idle_s(self) -> float:
        """Processor seconds in which a script must show something new: a twelfth of its time."""
        return self.wall_s / 12

    def as_resource(self) -> dict[str, int]:
        """Names of `resource` and their values, for the worker to put on itself just before the script."""
        megabyte = 1024 * 1024
        return {
            "RLIMIT_AS": int(self.memory_mb * 1.5) * megabyte,
            "RLIMIT_CPU": int(self.cpu_s) + 1,
            "RLIMIT_FSIZE": self.file_mb * megabyte,
            "RLIMIT_NOFILE": self.open_files,
            "RLIMIT_NPROC": self.processes,
            "RLIMIT_CORE": 0,
        }


class Sandbox:
    """Wraps command lines. Close it when none of its processes lives any more.

    `trusted`: nothing is confined, on the user's word. Otherwise raises `EnvironmentFault` where no sandbox is to be had.
    """

    def __init__(self, allowed: Limits, *, trusted: bool = False) -> None:
        self.limits = allowed
        self.strength: Strength = "none" if trusted else "bubblewrap"
        self._box: launcher.Sandbox | None = None
        self._folder: Path | None = None
        if trusted:
            self._folder = Path(tempfile.mkdtemp(prefix="assay-manim-"))
        else:
            launcher.demand()
            # What is told in Manim's own words is watched by the worker's parent (`runner.py`); these hold if that fails.
            outer = limits.Limits(memory_mb=2 * allowed.memory_mb, processes=4096, temporary_mb=64, log_mb=16)
            self._box = launcher.Sandbox(None, limits=outer, in_memory_mb=allowed.folder_mb, show=readable())

    def command(self, command: Sequence[str], *, pass_fds: Sequence[int] = ()) -> list[str]:
        """A command line that runs `command` inside; it inherits the descriptors `pass_fds`."""
        if self._box is not None:
            return self._box.command(command, environment=environment(mounts.WORK), pass_fds=pass_fds).words
        variables = [f"{key}={value}" for key, value in environment(str(self._folder)).items()]
        return ["/usr/bin/env", "-i", "-C", str(self._folder), *variables, *command]

    def close(self) -> None:
        """Give back what it used."""
        if self._box is not None:
            self._box.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def environment(home: str) -> dict[str, str]:
    """All variables that a script sees."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": home if home != mounts.WORK else "/tmp",  # noqa: S108 - the sandbox's own, in memory
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "XDG_CACHE_HOME": f"{home}/.cache",
        "XDG_CONFIG_HOME": f"{home}/.config",
    }


def readable() -> list[Path]:
    """Folders of Assay's own that the worker needs: the Python, its packages, and these rooms."""
    tools = Path(__file__).resolve().parents[1]
    return list(dict.fromkeys([Path(sys.base_prefix), Path(sys.prefix), tools]))
