"""What shuts a stranger's script off: no network, nothing writable but a folder in memory, limits on everything it can use up.

Three strengths, the best that works here is taken: bubblewrap; util-linux's `unshare` (the same namespaces, set up by a small
shell script); resource limits alone, which the outcome then says. Where Assay runs as root, the script runs as a user that owns
nothing (`tools/confine.py`): limits on processes do not hold for root, not even in a namespace.

Inside, `/job` is the script's folder and its home: a file system in memory with a size limit, gone with the sandbox. Of the
machine only programs, libraries, fonts and TeX are there, read-only.
"""

from __future__ import annotations

import contextlib
import functools
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tools import confine
from tools.confine import Account, CannotConfine, take_account

Strength = Literal["bubblewrap", "namespaces", "limits"]

JOB = "/job"
TRIAL_S = 15.0
_SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/texmf",
    "/var/cache/fontconfig",
    "/var/lib/texmf",
)


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
    """Wraps command lines. Close it when none of its processes lives any more."""

    def __init__(self, limits: Limits, strength: Strength | None = None) -> None:
        self.limits = limits
        self._account: Account | None = None
        self.strength: Strength = strength or strongest()
        with contextlib.suppress(CannotConfine):
            # Inside namespaces every folder on the way is the sandbox's own; on the bare machine the user must get through.
            self._account = take_account(*([Path(sys.executable), *readable()] if self.strength == "limits" else []))
        self._scratch = Path(tempfile.mkdtemp(prefix="assay-manim-")) if self.strength == "limits" else None
        if self._scratch is not None and self._account is not None:
            self._account.own(self._scratch)

    def command(self, command: Sequence[str]) -> list[str]:
        """A command line that runs `command` inside."""
        uid = self._account.uid if self._account is not None else None
        if self.strength == "bubblewrap":
            return _bubblewrap(self.limits, command, uid)
        if self.strength == "namespaces":
            return _unshare(self.limits, command, uid)
        folder = tempfile.mkdtemp(dir=self._scratch)
        if self._account is not None:
            self._account.own(Path(folder))
        variables = [f"{key}={value}" for key, value in environment(folder).items()]
        inside = ["/usr/bin/env", "-i", "-C", folder, *variables, *command]
        return self._account.command(inside) if self._account is not None else inside

    def close(self) -> None:
        """Give back the user's number; remove the folder where there was one on disk."""
        if self._account is not None:
            self._account.close()
            self._account = None
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)


def environment(home: str) -> dict[str, str]:
    """All variables that a script sees."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": home if home != JOB else "/tmp",  # noqa: S108 - the sandbox's own, in memory
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


def _mounts() -> list[tuple[str, str]]:
    """Pairs of what is there and where it is seen, links included as (target, link) with a leading `->`."""
    found: list[tuple[str, str]] = []
    for path in _SYSTEM:
        if Path(path).is_symlink() and not path.startswith("/etc/"):
            found.append((f"->{Path(path).readlink()}", path))
        elif Path(path).exists():
            found.append((path, path))
    own = [str(folder) for folder in readable() if not str(folder).startswith("/usr/") and folder != Path("/usr")]
    return found + [(folder, folder) for folder in own]


def _free(place: str) -> bool:
    """Whether a folder can be mounted over without hiding what the worker needs."""
    return Path(place).is_dir() and not any(Path(place) in Path(source).parents for source, _ in _mounts())


def _bubblewrap(limits: Limits, command: Sequence[str], uid: int | None) -> list[str]:
    """`uid`: the user that root becomes inside; None where Assay is no root, and a user namespace is made instead."""
    megabyte = 1024 * 1024
    line = ["bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try", "--clearenv"]
    line += ["--die-with-parent", "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL"]
    if uid is None:
        line += ["--unshare-user", "--uid", "1000", "--gid", "1000"]
    else:
        line += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        command = [sys.executable, "-I", "-S", confine.__file__, str(uid), "--", *command]
    for key, value in environment(JOB).items():
        line += ["--setenv", key, value]
    # First, for Assay itself may lie below it.
    line += ["--perms", "0777", "--size", str(64 * megabyte), "--tmpfs", "/tmp"]  # noqa: S108 - the sandbox's own
    above = {str(parent) for _, target in _mounts() for parent in Path(target).parents if len(parent.parts) > 1}
    for folder in sorted(above - {"/tmp"}):  # noqa: S108 - the sandbox's own; those bubblewrap makes by itself are closed to other users than root
        line += ["--perms", "0755", "--dir", folder]
    for source, target in _mounts():
        line += ["--symlink", source[2:], target] if source.startswith("->") else ["--ro-bind", source, target]
    line += ["--proc", "/proc", "--dev", "/dev", "--size", str(16 * megabyte), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]  # noqa: S108 - its own
    line += ["--perms", "0777", "--size", str(limits.folder_mb * megabyte), "--tmpfs", JOB]
    return [*line, "--remount-ro", "/", "--chdir", JOB, "--", *command]


def _unshare(limits: Limits, command: Sequence[str], uid: int | None) -> list[str]:
    """The same with `unshare`, `mount` and `chroot`: a new root is put together in memory, then entered."""
    # An empty file system is mounted there, in a mount namespace of its own: not where Assay itself lies.
    root = next(place for place in ("/mnt", "/media", "/tmp") if _free(place))  # noqa: S108
    steps = ["set -e", f"mount -t tmpfs -o size=4m,mode=755 none {root}", f"mkdir -p {root}/tmp"]  # noqa: S108
    steps.append(f"mount -t tmpfs -o size=64m,mode=777 none {root}/tmp")  # noqa: S108 - before what may lie below it
    for source, target in _mounts():
        place = shlex.quote(root + target)
        if source.startswith("->"):
            steps.append(f"mkdir -p $(dirname {place}); ln -s {shlex.quote(source[2:])} {place}")
        else:
            make = f"mkdir -p {place}" if Path(source).is_dir() else f"mkdir -p $(dirname {place}); : > {place}"
            steps.append(
                f"{make}; mount --rbind {shlex.quote(source)} {place}; mount -o remount,bind,ro {place} 2>/dev/null || :"
            )
    steps.append(f"mkdir -p {root}/proc {root}/dev {root}/tmp {root}{JOB}")  # noqa: S108
    steps.append(f"mount -t tmpfs -o size={limits.folder_mb}m,mode=777 none {root}{JOB}")
    steps.append(f"mount -t proc proc {root}/proc")
    devices = ("null", "zero", "random", "urandom", "full")
    steps += [f": > {root}/dev/{device}; mount --bind /dev/{device} {root}/dev/{device}" for device in devices]
    steps.append(f"mount -o remount,ro {root}")
    variables = " ".join(shlex.quote(f"{key}={value}") for key, value in environment(JOB).items())
    who = f"--reuid {uid} --regid {uid} --clear-groups" if uid is not None else ""
    drop = f"setpriv {who} --bounding-set=-all --inh-caps=-all --no-new-privs"
    steps.append(f"exec chroot {root} /usr/bin/env -i -C {JOB} {variables} {drop} {shlex.join(command)}")
    namespaces = ["--mount", "--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child=KILL"]
    return ["unshare", *(["--user", "--map-root-user"] if uid is None else []), *namespaces, "/bin/sh", "-c", "\n".join(steps)]


@functools.cache
def strongest() -> Strength:
    """The best strength that works on this machine, found by trying."""
    for strength in ("bubblewrap", "namespaces"):
        if _works(strength):
            return strength
    return "limits"


_PROBE = """
import os, sys
hidden = not os.path.exists("/etc/shadow") and not os.path.exists("/proc/1/root/etc/shadow")
sys.exit(0 if os.getcwd() == "/job" and hidden and os.access("/job", os.W_OK) else 3)
"""


def _works(strength: Strength) -> bool:
    if sys.platform != "linux":
        return False
    sandbox = Sandbox(Limits(), strength)
    try:
        line = sandbox.command([sys.executable, "-I", "-S", "-c", _PROBE])
        done = subprocess.run(line, capture_output=True, timeout=TRIAL_S, check=False, cwd="/")
    except (OSError, subprocess.TimeoutExpired):
        return False
    finally:
        sandbox.close()
    return done.returncode == 0
