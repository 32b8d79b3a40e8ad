"""Runs one stranger's program in a sandbox, and stands at its only doors. A program of its own: `keeper.py ORDER.json`.

It starts bubblewrap, puts the sandbox into a control group, forwards connections between this machine's loopback and the
sandbox's (to the dev server, and from a package manager to the registry's mirror), keeps the log within its bound, and ends
everything as soon as a limit is broken, the program ends, or the process that started the keeper is gone: the kernel ends the
sandbox with the keeper, and with the sandbox's first process everything in it, whatever it did to hide.

The order: `owner` (process that wants it), `options` (bubblewrap's, without those for descriptors) and `program`, `pass_fds`,
`state` (file to tell what goes on), `log` (file or empty), `limits`, `folders` (to be kept small), `name` (of the control group),
`user_namespace` (whether it has one), `registry` (None, or the mirror's settings), `publish` (whether its ports are shown to this
machine), `reaches` (ports of this machine's that are to be had inside), `browser` (whether it may make a sandbox of its own).
Standard library only, so that it starts in milliseconds.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.confinement import calls
from tools.confinement.census import count
from tools.confinement.crossing import CannotEnter, Crossing
from tools.confinement.disk import Disk
from tools.confinement.forwarding import Forwarding, connected
from tools.confinement.groups import Group, sweep
from tools.confinement.printed import keep

PREFIX = "assay-box-"
LOOK_S = 0.1
MOST_PORTS = 16
READY_S = 20.0
NO_SANDBOX = "no sandbox could be made"
"""With this begins why a program was stopped for which nobody but this machine is to blame."""
ENDED_BY_KEEPER = 86
"""The keeper's exit code where it ended the program for a broken limit; the state file says which."""


class Ended(Exception):
    """Asked to end by a signal."""


def main(order_file: str) -> int:
    """The keeper's life; returns the exit code of the program."""
    order = json.loads(Path(order_file).read_text(encoding="utf-8"))
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _end)
    owner = _owner(int(order["owner"]))
    return Keeper(order, owner).run()


def _end(number: int, frame: FrameType | None) -> NoReturn:
    del number, frame
    raise Ended


def _owner(pid: int) -> int | None:
    """A descriptor that becomes readable when the process that wants this is gone."""
    if os.getppid() != pid:
        raise SystemExit(1)
    try:
        return os.pidfd_open(pid)
    except (OSError, AttributeError):
        return None


class Keeper:
    """One sandbox from its start to its end."""

    def __init__(self, order: dict[str, Any], owner: int | None) -> None:
        self._order = order
        self._owner = owner
        self._limits: dict[str, int] = order["limits"]
        self._published: dict[int, int] = {}
        self._told = ""
        self._next_count = 0.0
        self._stopped = ""
        self._forwarding = Forwarding()
        self._group: Group | None = None
        self._crossing: Crossing | None = None
        self._log: threading.Thread | None = None

    def run(self) -> int:
        """Start, watch, end."""
        process, child, let_go = self._start()
        if child is None:
            return self._failed(process)
        try:
            self._confine(child)
            os.write(let_go, b"1")
            self._watch(process, child)
        except Ended:
            pass
        except CannotEnter as error:
            self._stopped = f"{NO_SANDBOX}: its network cannot be entered ({error})"
        finally:
            self._close(process, child)
        code = process.returncode
        if self._stopped:
            return ENDED_BY_KEEPER
        return code if code >= 0 else 128 - code

    def _start(self) -> tuple[subprocess.Popen[bytes], int | None, int]:
        told, tell = os.pipe()
        held, let_go = os.pipe()
        options = ["--info-fd", str(tell), "--block-fd", str(held), *self._order["options"]]
        # Not on the command line, which the sandbox can read: it names folders of this machine.
        said = os.memfd_create("options")
        os.write(said, b"".join(option.encode() + b"\0" for option in options))
        os.lseek(said, 0, os.SEEK_SET)
        filtered = _filter(browser=self._order["browser"])
        command = ["bwrap", "--args", str(said), *filtered, "--", *self._order["program"]]
        log = self._order["log"]
        sink = subprocess.PIPE if log else None
        passed = (tell, held, said, *map(int, filtered[1:]), *self._order["pass_fds"])
        process = subprocess.Popen(command, pass_fds=passed, stdout=sink, stderr=subprocess.STDOUT if log else None)
        for descriptor in passed:
            os.close(descriptor)
        if log and process.stdout is not None:
            self._log = threading.Thread(target=keep, args=(process.stdout.fileno(), log, self._limits["log_mb"] * 2**20))
        text = b""
        while select.select([told], [], [], READY_S)[0] and (piece := os.read(told, 4096)):
            text += piece
        os.close(told)
        found = json.loads(text) if text.strip().endswith(b"}") else {}
        return process, found.get("child-pid"), let_go

    def _confine(self, child: int) -> None:
        """The group and the doors, before the program begins."""
        sweep(PREFIX)
        limits = self._limits
        self._group = Group.make(f"{PREFIX}{self._order['name']}", memory_mb=limits["memory_mb"], processes=limits["processes"])
        if self._group is not None and not self._group.add(child):
            self._group.remove()
            self._group = None
        registry = self._order["registry"]
        if registry is not None or self._order["publish"] or self._order["reaches"]:
            self._crossing = Crossing(child, user_namespace=self._order["user_namespace"])
        if self._log is not None:
            self._log.start()
        for port in self._order["reaches"]:
            if self._crossing is not None and (listening := self._crossing.listen(int(port))) is not None:
                self._forwarding.serve(listening, functools.partial(connected, "127.0.0.1", int(port)))
        if registry is not None and self._crossing is not None:
            from tools.confinement.mirror import serve  # noqa: PLC0415 - only installs need it, and it costs start-up time

            if (listening := self._crossing.listen(int(registry["port"]))) is not None:
                serve(listening, registry)

    def _watch(self, process: subprocess.Popen[bytes], child: int) -> None:
        disk = Disk([Path(folder) for folder in self._order["folders"]], self._limits["folder_mb"], self._limits["folder_files"])
        self._tell()
        while process.poll() is None:
            self._stopped = self._breach(disk, child)
            if self._stopped:
                return
            if self._crossing is not None and self._order["publish"]:
                self._publish(self._crossing)
            if self._owner is not None and select.select([self._owner], [], [], 0)[0]:
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(LOOK_S)
        # An end of which a limit was the cause shows only now.
        self._stopped = self._breach(disk, child)

    def _breach(self, disk: Disk, child: int) -> str:
        """What limit was broken, in words that go on after "it was stopped: "."""
        limits = self._limits
        match self._group.breach() if self._group is not None else self._counted(child):
            case "memory":
                return f"it used more than {limits['memory_mb']:,} MB of memory"
            case "processes":
                return f"it had more than {limits['processes']:,} processes and threads"
            case _:
                return disk.breach()

    def _counted(self, child: int) -> str:
        if time.monotonic() < self._next_count:
            return ""
        began = time.monotonic()
        megabytes, threads = count(child)
        self._next_count = time.monotonic() + max(LOOK_S, 10 * (time.monotonic() - began))
        if megabytes > self._limits["memory_mb"]:
            return "memory"
        return "processes" if threads > self._limits["processes"] else ""

    def _publish(self, crossing: Crossing) -> None:
        """Give each port of the sandbox one of this machine's loopback: the same number where it is free."""
        for port in crossing.ports():
            if port in self._published or len(self._published) >= MOST_PORTS:
                continue
            listening = _listener(port)
            self._published[port] = int(listening.getsockname()[1])
            self._forwarding.serve(listening, functools.partial(crossing.connect, port))
        self._tell()

    def _tell(self) -> None:
        told = json.dumps({"ports": self._published, "stopped": self._stopped, "group": self._group is not None})
        if told != self._told:
            self._told = told
            state = Path(self._order["state"])
            partial = state.with_suffix(".partial")
            with contextlib.suppress(OSError):
                partial.write_text(told, encoding="utf-8")
                partial.rename(state)

    def _close(self, process: subprocess.Popen[bytes], child: int) -> None:
        """Kill the sandbox's first process: the kernel ends all others with it."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            try:
                process.wait(2.0)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._log is not None and self._log.is_alive():
            self._log.join(2.0)
        if self._stopped and self._order["log"]:
            with open(self._order["log"], "ab") as log:  # noqa: PTH123 - appended to, as by the pump
                log.write(f"\n[assay: the program was stopped: {self._stopped}]\n".encode())
        self._tell()
        if self._group is not None:
            self._group.remove()
        if self._crossing is not None:
            self._crossing.close()

    def _failed(self, process: subprocess.Popen[bytes]) -> int:
        """Bubblewrap did not get as far as a sandbox; what it says goes into the log."""
        if self._log is not None:
            self._log.start()
            self._log.join(2.0)
        if process.poll() is None:
            process.kill()
        process.wait()
        self._stopped = NO_SANDBOX
        self._tell()
        return ENDED_BY_KEEPER


def _filter(*, browser: bool) -> list[str]:
    """Bubblewrap's option for the calls that are refused; empty where this machine's are not known."""
    program = calls.program(browser=browser)
    if not program:
        return []
    descriptor = os.memfd_create("calls")
    os.write(descriptor, program)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return ["--seccomp", str(descriptor)]


def _listener(port: int) -> socket.socket:
    """Small numbers stay the system's."""
    for wanted in (port, 0):
        if wanted == 0 or wanted >= 1024:
            with contextlib.suppress(OSError):
                return socket.create_server(("127.0.0.1", wanted))
    raise OSError("no port of loopback is free")


if __name__ == "__main__":
    code = main(sys.argv[1])
    sys.stdout.flush()
    # Connections and the mirror may still have threads, which end with the process.
    os._exit(code)
