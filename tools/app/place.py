"""Where a subject's programs run: confined, or – if the user says that they trust who wrote them – as the user's own would."""

from __future__ import annotations

import os
import re
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from configs.settings import Settings
from tools.app.programs import QUIET, Finished, cache_dir, environment, run
from tools.confinement import keeper, launcher, mounts, printed
from tools.confinement.launcher import Mirror, Sandbox, State
from tools.confinement.limits import Limits
from tools.errors import EnvironmentFault
from tools.processes import ProcessList

PUBLIC_REGISTRY = "https://registry.npmjs.org/"
_REGISTRY = re.compile(r"^\s*registry\s*=\s*(https?://\S+)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Prepared:
    """A program ready to be started by a process list: command line, environment, folder, and what is told of it meanwhile."""

    words: list[str]
    env: Mapping[str, str]
    cwd: Path
    state: Callable[[], State] = lambda: State({}, "")


class Place(ABC):
    """The surroundings of a subject's programs; `work` is the folder they may write to."""

    work: Path
    confined = False
    registry = ""
    """Where packages are to be had from inside; empty: wherever the package manager is set to look."""

    @abstractmethod
    def prepare(
        self,
        command: Sequence[str],
        extra: Mapping[str, str],
        log: Path,
        *,
        installs: bool = False,
        serves: bool = False,
        reaches: Sequence[int] = (),
    ) -> Prepared:
        """How to run a command in the work folder, with `extra` in its environment.

        `installs`: packages are to be had; `serves`: its ports are reached from this machine; `reaches`: it reaches those of it.
        """

    @abstractmethod
    def listeners(self, pid: int, state: State) -> dict[int, str]:
        """Ports at which the programs started as `pid` listen, each with its address on this machine."""

    @abstractmethod
    def lives(self, pid: int, code: int | None) -> bool:
        """Whether anything of what was started as `pid` runs, whose own exit code is `code`."""

    @abstractmethod
    def hand_over(self) -> None:
        """The folder was written to from outside: make it the programs' own."""

    @abstractmethod
    def close(self) -> None:
        """Nothing more is run here; its processes must have ended. Idempotent."""

    @abstractmethod
    def inside(self, path: Path) -> str:
        """What a path in the work folder is called by the programs."""

    def write(self, name: str, text: str) -> None:
        """Write a file at the top of the work folder, never through a link that a program may have left there."""
        path = self.work / name
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)


class Confined(Place):
    """In a sandbox."""

    confined = True
    registry = launcher.registry_address()

    def __init__(
        self,
        work: Path,
        processes: ProcessList,
        *,
        limits: Limits | None = None,
        show: Sequence[Path] = (),
        browser: bool = False,
    ) -> None:
        self.work = work
        self._sandbox = Sandbox(work, limits=limits, show=show, browser=browser)
        processes.at_end(self.close)
        self.hand_over()

    def prepare(
        self,
        command: Sequence[str],
        extra: Mapping[str, str],
        log: Path,
        *,
        installs: bool = False,
        serves: bool = False,
        reaches: Sequence[int] = (),
    ) -> Prepared:
        """See `Place`."""
        mirror = Mirror(registry(), cache_dir() / "registry") if installs else None
        made = self._sandbox.command(
            command, environment=QUIET | dict(extra), log=log, mirror=mirror, publish=serves, reaches=reaches
        )
        return Prepared(made.words, environment(), Path("/"), lambda: _told(made))

    def listeners(self, pid: int, state: State) -> dict[int, str]:
        """As its keeper tells them."""
        del pid
        return {port: f"127.0.0.1:{here}" for port, here in state.ports.items()}

    def lives(self, pid: int, code: int | None) -> bool:
        """A sandbox ends with its first program."""
        del pid
        return code is None

    def inside(self, path: Path) -> str:
        """See `Place`."""
        return f"{mounts.WORK}/{path.relative_to(self.work).as_posix()}"

    def hand_over(self) -> None:
        """See `Place`."""
        self._sandbox.hand_over()

    def write(self, name: str, text: str) -> None:
        """See `Place`."""
        super().write(name, text)
        self._sandbox.own(self.work / name)

    def close(self) -> None:
        """The work folder becomes the user's own again; everything else is removed. Its processes must have ended."""
        self._sandbox.close()


class Trusted(Place):
    """Not confined: the user trusts who wrote it."""

    def __init__(self, work: Path, *, log_mb: int = Limits.log_mb) -> None:
        self.work = work
        self._log_mb = log_mb

    def prepare(
        self,
        command: Sequence[str],
        extra: Mapping[str, str],
        log: Path,
        *,
        installs: bool = False,
        serves: bool = False,
        reaches: Sequence[int] = (),
    ) -> Prepared:
        """See `Place`."""
        del installs, serves, reaches
        env, words = environment(**extra), list(command)
        if shutil.which(words[0], path=env.get("PATH")) is not None:
            # Trusted or not, what it prints is a stranger's text.
            words = [sys.executable, "-I", "-S", printed.__file__, str(log), str(self._log_mb * 2**20), "--", *words]
        return Prepared(words, env, self.work)

    def listeners(self, pid: int, state: State) -> dict[int, str]:
        """Where the session's processes listen, each port once."""
        del state
        found: dict[int, str] = {}
        for member in _session(pid):
            try:
                connections = psutil.Process(member).net_connections(kind="tcp")
            except (OSError, psutil.Error):
                continue
            for connection in connections:
                if connection.status == psutil.CONN_LISTEN and connection.laddr:
                    host = "[::1]" if connection.laddr.ip == "::1" else "127.0.0.1"
                    if connection.laddr.port not in found or host == "127.0.0.1":
                        found[connection.laddr.port] = f"{host}:{connection.laddr.port}"
        return found

    def lives(self, pid: int, code: int | None) -> bool:
        """Programs may go on after the one that started them."""
        return code is None or bool(_session(pid))

    def inside(self, path: Path) -> str:
        """See `Place`."""
        return str(path)

    def hand_over(self) -> None:
        """It is the user's own anyway."""

    def close(self) -> None:
        """See `Place`."""


async def run_in(
    place: Place,
    name: str,
    command: Sequence[str],
    *,
    log: Path,
    processes: ProcessList,
    timeout_s: float,
    extra: Mapping[str, str] | None = None,
    installs: bool = False,
    reaches: Sequence[int] = (),
) -> Finished:
    """Run a program in a place to its end, or to the end of its time, with `extra` in its environment; see `programs.run`."""
    ready = place.prepare(command, extra or {}, log, installs=installs, reaches=reaches)
    done = await run(name, ready.words, cwd=ready.cwd, env=ready.env, log=log, processes=processes, timeout_s=timeout_s)
    return replace(done, stopped=ready.state().stopped)


def place_for(
    work: Path, processes: ProcessList, settings: Settings, *, show: Sequence[Path] = (), browser: bool = False
) -> Place:
    """Where what lies in `work` is run; `browser`: so is one. Raises `EnvironmentFault` if it is neither confined nor trusted."""
    if settings.trust_project:
        return Trusted(work, log_mb=settings.sandbox.log_mb)
    launcher.demand()
    return Confined(work, processes, limits=Limits(**settings.sandbox.model_dump()), show=show, browser=browser)


def _told(made: launcher.Command) -> State:
    """What its keeper told last. Raises `EnvironmentFault` where there was no sandbox to be had: no app is to blame for that."""
    state = made.state()
    if state.stopped.startswith(keeper.NO_SANDBOX):
        raise EnvironmentFault(
            f"Code that a stranger wrote was not run: {state.stopped}.", hint="Run: assay doctor", kind="no_sandbox"
        )
    return state


def registry() -> str:
    """The registry that the user has chosen, without any log-in: by environment or `~/.npmrc`; else the public one."""
    named = os.environ.get("npm_config_registry", "")  # noqa: SIM112 - npm's own spelling
    if not named:
        try:
            found = _REGISTRY.search((Path.home() / ".npmrc").read_text(encoding="utf-8", errors="replace"))
        except (OSError, RuntimeError):
            found = None
        named = found.group(1) if found else ""
    return named if re.fullmatch(r"https?://[^\s@]+", named) else PUBLIC_REGISTRY


def _session(leader: int) -> list[int]:
    """Processes of the session that a program was started in."""
    found: list[int] = []
    for pid in psutil.pids():
        try:
            if os.getsid(pid) == leader and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                found.append(pid)
        except (OSError, psutil.Error):
            continue
    return found
