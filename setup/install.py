"""`make setup`: system packages, a virtual environment, uv, the locked dependencies. Called by `setup/run`.

Done once is done: a stamp in the environment, keyed on everything that decides what is installed, makes the next call a matter
of milliseconds. A step that fails ends with one line that says what to do and leaves no stamp, so the next call goes on where
this one stopped.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from setup import environment, machine
from setup.log import Failed, Log
from tools import system

ROOT = system.repository()
VENV = ROOT / ".venv"
STAMP = VENV / "assay-setup"
LOCK_S = 1800.0


def main(arguments: Sequence[str]) -> int:
    """Set up; returns the exit code: 0 ready, 1 something is missing, 2 the call was wrong."""
    parser = argparse.ArgumentParser(prog="make setup", description="Sets Assay up in this checkout.")
    parser.add_argument(
        "--with", dest="groups", default="", metavar="GROUPS", help="system packages of later parts, as in: diagram,manim"
    )
    groups = ("core", *filter(None, parser.parse_args(arguments).groups.split(",")))
    try:
        wanted = system.needs(groups)
    except KeyError as error:
        parser.error(f"there is no group {error.args[0]}")
    started = time.monotonic()
    (ROOT / ".assay").mkdir(exist_ok=True)
    try:
        with _alone():
            if _stamped(wanted):
                sys.stdout.write("setup: ready\n")
                return 0
            with closing(Log(ROOT / ".assay" / "setup.log")) as log:
                _set_up(log, wanted)
                log.say(f"setup: ready in {time.monotonic() - started:.0f} s; the log is {log.path.relative_to(ROOT)}")
    except Failed as failed:
        sys.stdout.flush()
        sys.stderr.write("\n".join([f"setup: {failed.message}", *failed.advice]) + "\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\nsetup: interrupted; call make setup again to go on\n")
        return 130
    return 0


def _set_up(log: Log, wanted: Sequence[system.Need]) -> None:
    STAMP.unlink(missing_ok=True)
    log.say(f"setup: in {ROOT}")
    lacking = machine.install_missing(log, wanted)
    chromium = [need for need in lacking if need.name == "Chromium"]
    fetch = bool(chromium) and system.package_manager() == "apt" and not machine.installable(log, chromium)
    machine.demand(log, [need for need in lacking if not (fetch and need in chromium)])
    python = environment.make_environment(log, VENV)
    environment.sync(log, environment.install_uv(log, python), ROOT, VENV, _extras(lacking))
    environment.keep_bytecode(log, VENV)
    if fetch:
        environment.fetch_browser(log, python)
        machine.demand(log, system.missing(chromium))
    STAMP.write_text(_key(wanted), encoding="ascii")


def _extras(lacking: Sequence[system.Need]) -> list[str]:
    """Those of all verbs, and Manim where what it is built from is there: a machine without the headers gets everything else."""
    every = ["calibrate", "mcp", "protocol", "statistics"]  # what they include comes along
    return every if {need.name for need in lacking} & {"Cairo headers", "Pango headers"} else [*every, "manim"]


def _stamped(wanted: Sequence[system.Need]) -> bool:
    """Whether everything was set up by these very files, in this very place, and is still there."""
    try:
        stamped = STAMP.read_text(encoding="ascii")
    except OSError:
        return False
    programs = [VENV / "bin" / name for name in ("python", "uv", "assay")]
    return all(path.exists() for path in programs) and stamped == _key(wanted)


def _key(wanted: Sequence[system.Need]) -> str:
    """Hash over what decides: these files, the folder (scripts hold its path), the Python, what is wanted and what is missing."""
    deciding = [
        ROOT / "uv.lock",
        ROOT / "pyproject.toml",
        ROOT / "configs" / "system_packages.toml",
        *sorted((ROOT / "setup").glob("*.py")),
    ]
    names = [[need.name for need in some] for some in (wanted, system.missing(wanted))]
    digest = hashlib.sha256(repr((str(ROOT), sys.version, names)).encode())
    for path in deciding:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


@contextmanager
def _alone() -> Iterator[None]:
    """Two calls at once would write over each other: the second waits for the first, with a bound."""
    with (ROOT / ".assay" / "setup.lock").open("w") as stream:
        limit = time.monotonic() + LOCK_S
        told = False
        while True:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > limit:
                    raise Failed(
                        "Another make setup in this folder does not end.", "End it, then call make setup again."
                    ) from None
                if not told:
                    sys.stdout.write("setup: waiting for another make setup in this folder\n")
                    sys.stdout.flush()
                    told = True
                time.sleep(0.5)
        yield


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
