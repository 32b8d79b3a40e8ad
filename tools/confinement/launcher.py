"""The one launcher for what strangers wrote: bubblewrap around it, a keeper at its doors.

Inside there is a system of programs, read-only; the work folder at `/assay-work`; a home that is thrown away; no network but
loopback of its own, no other processes, no capabilities, none of Assay's environment. Started as root, Assay gives it a user
number that owns nothing else (`unprivileged.py`): root in a user namespace would still be root to the kernel's limits.
Otherwise it has a user namespace.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools import reaper
from tools.confinement import keeper, mounts
from tools.confinement.groups import Group
from tools.confinement.limits import Limits
from tools.confinement.unprivileged import Account, CannotConfine, take_account
from tools.errors import EnvironmentFault

REGISTRY_PORT = 4873
TRIAL_S = 20.0
_MEGABYTE = 1024 * 1024
_PROGRAMS = ("bwrap", "setpriv", "prlimit")


@dataclass(frozen=True)
class State:
    """What a keeper told last.

    `ports`: the sandbox's, and this machine's that lead there; `stopped`: why it was ended, or empty.
    """

    ports: dict[int, int]
    stopped: str
    group: bool = False


@dataclass(frozen=True)
class Mirror:
    """Where packages come from: the registry's address, and the folder of what was fetched before."""

    upstream: str
    cache: Path


@dataclass(frozen=True)
class Command:
    """A command line that runs something inside, and the file in which its keeper tells what goes on."""

    words: list[str]
    state_file: Path

    def state(self) -> State:
        """What the keeper told last; nothing yet if it has told nothing."""
        try:
            told = json.loads(self.state_file.read_text(encoding="utf-8"))
            ports = {int(inside): int(outside) for inside, outside in told["ports"].items()}
            return State(ports, str(told["stopped"]), bool(told["group"]))
        except (OSError, ValueError, KeyError, AttributeError):
            return State({}, "")


class Sandbox:
    """A stranger's place: its work folder, its home, its user. Call `demand` first; close it when none of its processes lives."""

    def __init__(
        self,
        work: Path | None,
        *,
        limits: Limits | None = None,
        show: Sequence[Path] = (),
        in_memory_mb: int = 64,
        browser: bool = False,
    ) -> None:
        """`work` None: the folder is in memory, new for each program, and holds so much. `show`: what else is seen, read-only.

        `browser`: its programs may start one, which makes a sandbox of its own (see `calls.py`).
        """
        self.work = work
        self._browser = browser
        self.limits = limits or Limits()
        self._in_memory_mb = in_memory_mb
        self._mode = stat.S_IMODE(work.stat().st_mode) if work is not None else 0
        self._show = [path for path in (*show, mounts.node_home()) if path is not None]
        # Named by its owner, so that a killed run's is swept with its stage's (`tools/browser/scratch.py`).
        self._scratch = Path(tempfile.mkdtemp(prefix=f"assay-{reaper.own_name()}-box-"))
        self._home = self._scratch / "home"
        self._home.mkdir(mode=0o700)
        self._account: Account | None = None
        if os.geteuid() == 0:
            self._account = take_account()
            self._account.own(self._home)
        self._write_etc()
        self._number = 0

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """Of the sandbox, on this machine."""
        return self._scratch.name.removeprefix("assay-")

    def hand_over(self) -> None:
        """Give the work folder, with all that was put there, to the sandbox's user. Links are not followed."""
        if self._account is not None and self.work is not None:
            who = f"{self._account.uid}:{self._account.gid}"
            subprocess.run(["chown", "-hR", who, "--", str(self.work)], check=True, capture_output=True)
            self.work.chmod(0o700)

    def own(self, path: Path) -> None:
        """Give one file to the sandbox's user."""
        if self._account is not None:
            self._account.own(path)

    def command(
        self,
        program: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        log: Path | None = None,
        mirror: Mirror | None = None,
        publish: bool = False,
        folder: str = "",
        pass_fds: Sequence[int] = (),
        reaches: Sequence[int] = (),
    ) -> Command:
        """How to run a program inside, in `folder` of the work folder.

        `publish`: ports it listens on are shown on this machine's loopback. `mirror`: packages are to be had at
        `registry_address()`. `reaches`: services on this machine's loopback that it finds on its own, at the same ports.
        Its output goes to `log`, within the limits, else to where the command's own goes.
        """
        self._number += 1
        name = f"{self.name}-{self._number}"
        state = self._scratch / f"state-{self._number}.json"
        order = {
            "owner": os.getpid(),
            "name": name,
            "options": self._options(environment or {}),
            "program": [*self._entrance(folder), *program],
            "state": str(state),
            "log": "" if log is None else str(log),
            "limits": self.limits.as_dict(),
            "folders": [str(folder) for folder in (self.work, self._home) if folder is not None],
            "user_namespace": self._account is None,
            "publish": publish,
            "browser": self._browser,
            "pass_fds": list(pass_fds),
            "reaches": list(reaches),
            "registry": None
            if mirror is None
            else {"port": REGISTRY_PORT, "upstream": mirror.upstream, "cache": str(mirror.cache)},
        }
        written = self._scratch / f"order-{self._number}.json"
        written.write_text(json.dumps(order), encoding="utf-8")
        return Command([sys.executable, "-I", "-S", keeper.__file__, str(written)], state)

    def environment(self) -> dict[str, str]:
        """What every program inside finds in its environment."""
        return {
            "PATH": mounts.search_path(),
            "HOME": mounts.HOME,
            "USER": "assay",
            "LOGNAME": "assay",
            "SHELL": "/bin/sh",
            "TMPDIR": "/tmp",  # noqa: S108 - the sandbox's own, in memory
            "LANG": "C.UTF-8",
            "TZ": os.environ.get("TZ", "UTC"),
        }

    def close(self) -> None:
        """Remove all that is not the work folder, which becomes Assay's own user's; give the number back."""
        if self._account is not None and self.work is not None and self.work.is_dir():
            subprocess.run(
                ["chown", "-hR", f"{os.getuid()}:{os.getgid()}", "--", str(self.work)], check=False, capture_output=True
            )
            self.work.chmod(self._mode)
        shutil.rmtree(self._scratch, ignore_errors=True)
        if self._account is not None:
            self._account.close()
            self._account = None

    def _write_etc(self) -> None:
        folder = self._scratch / "etc"
        folder.mkdir()
        uid = self._account.uid if self._account is not None else os.getuid()
        for name, text in mounts.FILES.items():
            (folder / name).write_text(text.format(uid=uid), encoding="ascii")
            (folder / name).chmod(0o644)

    def _entrance(self, folder: str) -> list[str]:
        """What is put before a program: limits, no way back to any right, then the folder."""
        drop = ["setpriv", "--no-new-privs", "--inh-caps=-all"]
        if (account := self._account) is not None:
            drop += ["--bounding-set=-all", "--reuid", str(account.uid), "--regid", str(account.gid), "--clear-groups"]
        # The folder is entered by its own user: to root without its rights it is closed.
        enter = ["env", "-C", f"{mounts.WORK}/{folder}".rstrip("/"), "--"]
        return ["prlimit", *self.limits.as_options(), *drop, "--", *enter]

    def _options(self, environment: Mapping[str, str]) -> list[str]:
        """Bubblewrap's."""
        limits, account = self.limits, self._account
        line = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
        line += ["--die-with-parent", "--hostname", "sandbox", "--clearenv", "--cap-drop", "ALL"]
        if account is None:
            line += ["--unshare-user", "--uid", str(os.getuid()), "--gid", str(os.getgid())]
        else:
            line += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
        for key, value in (self.environment() | dict(environment)).items():
            line += ["--setenv", key, value]
        line += ["--perms", "1777", "--size", str(limits.temporary_mb * _MEGABYTE), "--tmpfs", "/tmp"]  # noqa: S108 - its own
        line += mounts.shown(also=self._show)
        for name in mounts.FILES:
            line += ["--ro-bind", str(self._scratch / "etc" / name), f"/etc/{name}"]
        line += ["--proc", "/proc", "--dev", "/dev"]
        line += ["--perms", "1777", "--size", str(limits.temporary_mb * _MEGABYTE), "--tmpfs", "/dev/shm"]  # noqa: S108 - its own
        line += ["--perms", "0755", "--dir", "/home", "--bind", str(self._home), mounts.HOME]
        if self.work is None:
            line += ["--perms", "0777", "--size", str(self._in_memory_mb * _MEGABYTE), "--tmpfs", mounts.WORK]
        else:
            line += ["--bind", str(self.work), mounts.WORK]
        return [*line, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]


def registry_address() -> str:
    """Where the mirror is found inside."""
    return f"http://127.0.0.1:{REGISTRY_PORT}/"


def demand() -> None:
    """Raises `EnvironmentFault` in one line where no sandbox is to be had."""
    if reason := lacking():
        raise EnvironmentFault(
            f"Code that a stranger wrote can't be run here: {reason}.",
            hint="Run: apt-get install bubblewrap – or, if you know who wrote it: --trust-project (ASSAY_TRUST_PROJECT=true).",
            kind="no_sandbox",
        )


@functools.cache
def lacking() -> str:
    """Why there is no sandbox on this machine, found by trying; empty where there is one."""
    if sys.platform != "linux":
        return "sandboxes are made with Linux namespaces"
    for name in _PROGRAMS:
        if shutil.which(name) is None:
            return f"{'bubblewrap' if name == 'bwrap' else name} is not installed"
    return _trial()


@functools.cache
def has_groups() -> bool:
    """Whether this machine lets us make control groups, found by trying."""
    group = Group.make(f"{keeper.PREFIX}trial-{os.getpid()}", memory_mb=64, processes=16)
    if group is not None:
        group.remove()
    return group is not None


_TRIAL = (
    f"test -w {mounts.WORK} && test ! -e /etc/shadow "
    '&& test "$(grep -c : /proc/net/dev)" = 1 && grep -q "^CapEff:.0*$" /proc/self/status'
)


def _trial() -> str:
    """Make a sandbox and look around in it."""
    try:
        with tempfile.TemporaryDirectory(prefix="assay-trial-") as folder, Sandbox(Path(folder)) as sandbox:
            sandbox.hand_over()
            command = sandbox.command(["/bin/sh", "-c", _TRIAL])
            done = subprocess.run(command.words, capture_output=True, text=True, timeout=TRIAL_S, check=False, cwd="/")
    except (OSError, subprocess.SubprocessError, CannotConfine) as error:
        return f"no sandbox could be started ({error})"
    if done.returncode == 0:
        return ""
    told = (done.stderr.strip().splitlines() or ["it does not hold"])[-1][:200]
    return f"bubblewrap makes no sandbox ({told})"
