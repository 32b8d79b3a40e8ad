"""Running what strangers wrote (pages, projects) as nobody in particular, when Assay itself was started as root.

Each stage and each project gets a number of its own: a user and group that no account has, so that it owns nothing on this
machine but its throw-away folder, and one run's files are out of reach of every other run's processes. A number is kept by a
socket bound to its name in the kernel: it is free again when the run ends, in whatever way. Nothing has to be installed.

Also a program, for what others start (Playwright starts the browser): `unprivileged.py UID -- COMMAND…` gives up root for
good and becomes the command, in the same process; `--leashed` in front lets it die with its parent; `--setuid` leaves set-uid
programs their rights (Chromium's sandbox is one where user namespaces are forbidden); `--network PID` gives it that process's
network.
`unprivileged.py --probe UID PATH…` tells as JSON what that user may do. Standard library only, so that it starts in milliseconds.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import os
import pwd
import random
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.confinement import calls

RANGES = (range(2_000_000_000, 2_000_060_000), range(61_200, 65_500))
"""Numbers that distributions hand to nobody (the second for containers that map only 65,536); see systemd's table of users."""
MOST_PROCESSES = 4096
"""Processes and threads of one such user: a page that escapes cannot fill the machine with them."""
PROBE_S = 10.0
_TRIES = 200
_SECRET = re.compile(r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|COOKIE|AUTH_SOCK)(?:_|$)|^SSH_|^GPG_")
_USERS_OWN = (
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "MAIL",
    "SUDO_USER",
    "SUDO_UID",
)
_NEW_USER_NAMESPACE = 0x10000000
_NEW_NETWORK = 0x40000000
_SET_NO_NEW_PRIVS = 38
_SET_PDEATHSIG = 1


class CannotConfine(Exception):
    """There is no other user to be had here; the text says why."""


@dataclass(frozen=True)
class Account:
    """A user number and a group of the same number that are this run's alone. `namespaces`: it may make user namespaces."""

    uid: int
    namespaces: bool
    _kept: socket.socket = field(repr=False, compare=False)
    network: int | None = None
    """The process whose network its programs have; None: the machine's."""

    @property
    def gid(self) -> int:
        """The group's number."""
        return self.uid

    def own(self, path: Path, *, tree: bool = False) -> None:
        """Give a file or folder to this user; `tree` with everything in it (links themselves, not what they lead to)."""
        os.chown(path, self.uid, self.gid, follow_symlinks=False)
        if tree:
            for folder, folders, files in os.walk(path):
                for name in (*folders, *files):
                    os.chown(os.path.join(folder, name), self.uid, self.gid, follow_symlinks=False)  # noqa: PTH118 - many files

    def folder(self, path: Path) -> Path:
        """Make a folder that only this user (and root) can enter."""
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o700)
        self.own(path)
        return path

    def handle(self, path: Path) -> int:
        """Open a new file for this user, wherever it lies, and return its descriptor.

        `/proc/self/fd/N` is its name for a process that inherits it, which needs no way to the folder.
        """
        descriptor = os.open(path, os.O_CREAT | os.O_TRUNC | os.O_RDWR | os.O_CLOEXEC, 0o600)
        os.fchown(descriptor, self.uid, self.gid)
        return descriptor

    def command(self, command: Sequence[str], *, leashed: bool = False) -> list[str]:
        """A command line that gives up root and becomes `command`; `leashed`: it dies with the thread that starts it."""
        keep = [*(["--network", str(self.network)] if self.network is not None else []), *(["--leashed"] if leashed else [])]
        keep += [] if self.namespaces else ["--setuid"]
        return [sys.executable, "-I", "-S", __file__, *keep, str(self.uid), "--", *command]

    def program(self, path: Path, command: Sequence[str]) -> Path:
        """Write an executable file that gives up root and becomes `command` with the arguments it is given."""
        path.write_text(f'#!/bin/sh\nexec {shlex.join(self.command(command))} "$@"\n', encoding="utf-8")
        path.chmod(0o755)
        return path

    def within(self, network: int) -> Account:
        """The same user, in the network of that process."""
        return replace(self, network=network)

    def close(self) -> None:
        """The number may be given to another run. Its processes must have ended."""
        self._kept.close()


def take_account(*reached: Path) -> Account:
    """A user of this run's own that can get at the paths `reached` (programs, folders).

    Raises `CannotConfine` where Assay is not root, may not become another user, or that user could not reach a path.
    """
    if os.name != "posix" or os.geteuid() != 0:
        raise CannotConfine("Assay was not started as root")
    account = _free_number()
    try:
        namespaces, unreachable = _probe(account.uid, reached)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        account.close()
        raise CannotConfine(f"root cannot become another user here ({error})") from error
    if unreachable:
        account.close()
        raise CannotConfine(f"another user than root cannot reach {unreachable[0]}")
    return replace(account, namespaces=namespaces)


def _free_number() -> Account:
    """A number that is mapped here, has no account, no process, and is not kept by another run."""
    numbers = next((some for some in RANGES if _mapped(some)), None)
    if numbers is None:
        raise CannotConfine("this container knows no user numbers that are free")
    busy = _numbers_in_use()
    for number in random.SystemRandom().sample(numbers, _TRIES):
        if number in busy or _has_account(number):
            continue
        kept = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            kept.bind(f"\0assay-account-{number}")
        except OSError:
            kept.close()
            continue
        return Account(number, False, kept)
    raise CannotConfine("no user number is free")


def _mapped(numbers: range) -> bool:
    """Whether this user namespace knows all these numbers, as users and as groups."""
    for name in ("uid_map", "gid_map"):
        try:
            lines = Path(f"/proc/self/{name}").read_text(encoding="ascii").splitlines()
        except OSError:
            return True  # no such thing as namespaces on this system
        spans = [(int(first), int(first) + int(count)) for first, _, count in (line.split() for line in lines)]
        if not any(first <= numbers[0] and numbers[-1] < end for first, end in spans):
            return False
    return True


def _numbers_in_use() -> set[int]:
    found: set[int] = set()
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):  # noqa: PTH208 - names only
            if name.isdigit():
                with contextlib.suppress(OSError):
                    found.add(os.stat(f"/proc/{name}").st_uid)  # noqa: PTH116
    return found


def _has_account(number: int) -> bool:
    try:
        pwd.getpwuid(number)
    except KeyError:
        return False
    return True


def _probe(uid: int, paths: Iterable[Path]) -> tuple[bool, list[str]]:
    """Whether that user may make namespaces, and which of the paths it cannot get at. Raises `OSError` if it cannot be had."""
    command = [sys.executable, "-I", "-S", __file__, "--probe", str(uid), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, timeout=PROBE_S, check=False, cwd="/")
    if done.returncode != 0:
        raise OSError((done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no answer"])[-1][:200])
    found = json.loads(done.stdout)
    return bool(found["namespaces"]), list(found["unreachable"])


@functools.cache
def cut_off() -> tuple[str, ...]:
    """What to put before a command that shall have a network of its own, with nothing in it; empty where that can't be had."""
    unshare = shutil.which("unshare") if sys.platform == "linux" and os.geteuid() == 0 else None
    line = (unshare, "--net", "--") if unshare is not None else ()
    try:
        held = bool(line) and subprocess.run([*line, "true"], capture_output=True, timeout=PROBE_S, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        held = False
    return line if held else ()


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment for a browser: without keys, tokens and agents' sockets, which no page has any business with."""
    return {name: value for name, value in environment.items() if not _SECRET.search(name.upper())}


def homed(environment: Mapping[str, str], home: Path) -> dict[str, str]:
    """An environment whose home, temporary and runtime folders are in `home`; those of Assay's own user are left out."""
    kept = {name: value for name, value in environment.items() if name not in _USERS_OWN}
    return kept | {"HOME": str(home), "TMPDIR": str(home), "USER": "assay", "LOGNAME": "assay", "XDG_RUNTIME_DIR": str(home)}


# ---- the program -------------------------------------------------------------------------------------------------------------


def give_up_root(uid: int) -> None:
    """Become that user and group for good: no other groups, no capabilities, no way back through set-uid programs."""
    import resource  # noqa: PLC0415 - POSIX only; the module is imported everywhere

    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, most = resource.getrlimit(resource.RLIMIT_NPROC)
    limit = MOST_PROCESSES if most == resource.RLIM_INFINITY else min(MOST_PROCESSES, most)
    resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))


def _enter_network(pid: int) -> None:
    """Have the network of that process from here on. Raises `OSError`."""
    descriptor = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    if ctypes.CDLL(None, use_errno=True).setns(descriptor, _NEW_NETWORK) != 0:
        raise OSError(ctypes.get_errno(), "the network of its own cannot be entered")
    os.close(descriptor)


def _may_make_namespaces() -> bool:
    """Try it: this process is at its end anyway."""
    try:
        return ctypes.CDLL(None, use_errno=True).unshare(_NEW_USER_NAMESPACE) == 0
    except (OSError, AttributeError):
        return False


def _no_new_privileges() -> None:
    """From here on no set-uid program gives more rights. Not where Chromium's sandbox itself is such a program."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    # The network that it may have been put into shuts off the internet's sockets alone.
    calls.install(calls.sockets_program())


_LEASHED: list[bool] = []


def _die_with_parent() -> None:
    """Ask the kernel for it, if that is wished: last, since becoming another user takes it back."""
    if _LEASHED:
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def main(arguments: Sequence[str]) -> None:
    """See the top of the module."""
    match list(arguments):
        case ["--probe", uid, *paths]:
            give_up_root(int(uid))
            unreachable = [path for path in paths if not os.access(path, os.X_OK)]
            sys.stdout.write(json.dumps({"unreachable": unreachable, "namespaces": _may_make_namespaces()}))
        case ["--network", pid, *others]:
            _enter_network(int(pid))
            main(others)
        case ["--leashed", *others]:
            _LEASHED.append(True)
            main(others)
        case ["--setuid", uid, "--", program, *rest]:
            calls.install(calls.sockets_program())  # as long as this is root: see `_no_new_privileges`
            give_up_root(int(uid))
            _die_with_parent()
            os.execv(program, [program, *rest])  # noqa: S606 - becoming it is what this is for
        case [uid, "--", program, *rest]:
            give_up_root(int(uid))
            _no_new_privileges()
            _die_with_parent()
            os.execv(program, [program, *rest])  # noqa: S606 - becoming it is what this is for
        case _:
            raise SystemExit("usage: unprivileged.py UID -- COMMAND…")


if __name__ == "__main__":
    main(sys.argv[1:])
