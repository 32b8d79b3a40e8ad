"""Shows that the tests of each row of the table of attacks can fail: they are run with and without what holds the row.

python -m tests.benchmarks.protections [--rows 1 3 16] [--words]

In a copy of this checkout the row's protection is taken away (`tests/faults/security/protections.toml`), and the row's tests are
run there. They must fail; as the checkout is they must pass. What gets loose then gets loose in namespaces of its own: other
processes are not seen, there is no network but a loopback, and whatever is left is killed by the kernel when the tests end.
Needs root.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

from tests.faults.security.protections import HERE, Row, rows
from tools.browser.cdn.answer import Cdn
from tools.browser.specs.running import PACKAGES, VERSION

ROOT = Path(__file__).parents[2]
SECURITY = HERE.relative_to(ROOT)
MOST_S = 600
APART = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--net", "--mount", "--")
"""Processes, `/proc`, network and mounts of its own."""
COPIES = Path("/var/tmp")  # noqa: S108 - `/tmp` is another one in there
FIRST = """
import fcntl, os, socket, struct, subprocess, sys
subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=1777", "none", "/tmp"], check=True)
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
    fcntl.ioctl(one, 0x8914, struct.pack("16sh22x", b"lo", 0x41))
child = os.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    pid, status = os.wait()
    if pid == child:
        os._exit(os.waitstatus_to_exitcode(status) & 255)
"""
"""The first process in there: takes another `/tmp` (runs of this machine have theirs in the old one), brings the loopback up,
and buries what is left behind, as every machine's first process does."""


@dataclass(frozen=True)
class Outcome:
    """What came of a row's tests: those that passed, those that failed with the line that says why, seconds."""

    passed: tuple[str, ...]
    failed: dict[str, str]
    seconds: float
    said: str


def copy_checkout(target: Path) -> None:
    """Every file that git knows, as it lies in the working tree."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, check=True
    )
    for name in listed.stdout.decode().split("\0"):
        source = ROOT / name
        if name and source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target / name, follow_symlinks=False)


def tried(checkout: Path, tests: list[str]) -> Outcome:
    """Run tests of the security suite in that checkout, apart from this machine."""
    report = checkout / "outcome.xml"
    report.unlink(missing_ok=True)
    line = [
        *APART,
        sys.executable,
        "-c",
        FIRST,
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
    ]
    line += [f"--junitxml={report}", "-m", "long or not long", *(f"{SECURITY}/{test}" for test in tests)]
    env = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    began = time.monotonic()
    try:
        done = subprocess.run(line, cwd=checkout, env=env, capture_output=True, text=True, timeout=MOST_S, check=False)
        said = done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        said = f"no end after {MOST_S} s"
    seconds = time.monotonic() - began
    passed: list[str] = []
    failed: dict[str, str] = {}
    for case in ET.parse(report).iter("testcase") if report.exists() else ():  # noqa: S314 - written by our own pytest
        name = f"{case.get('classname', '').rpartition('.')[2]}.py::{case.get('name')}"
        trouble = next((item for kind in ("failure", "error") if (item := case.find(kind)) is not None), None)
        if trouble is not None:
            failed.setdefault(name, _line(trouble.get("message") or trouble.text or ""))
        elif case.find("skipped") is None:
            passed.append(name)
    return Outcome(tuple(passed), failed, seconds, said)


def show(row: Row, scratch: Path, *, words: bool) -> bool:
    """Tell what came of one row; whether it is as it must be."""
    checkout = scratch / f"row-{row.number}"
    copy_checkout(checkout)
    held = tried(checkout, list(row.fails))
    for edit in row.without:
        edit.make(checkout)
    loose = tried(checkout, list(row.fails))
    dull = [test for test in row.fails if not any(name == test or name.startswith(f"{test}[") for name in loose.failed)]
    broken = sorted(held.failed)
    fine = not dull and not broken and bool(held.passed)
    sys.stdout.write(
        f"row {row.number:2}  with its protection {len(held.passed)} of {len(held.passed) + len(held.failed)} pass "
        f"({held.seconds:.0f} s), without {len(loose.failed)} of {len(loose.failed) + len(loose.passed)} fail "
        f"({loose.seconds:.0f} s)  {'shown' if fine else 'NOT SHOWN'}: {row.seen}\n"
    )
    if words or not fine:
        for name, why in loose.failed.items():
            sys.stdout.write(f"          {name}: {why}\n")
    for name in dull:
        sys.stdout.write(f"        ! passes without the protection, or was not run: {name}\n")
    for name in broken:
        sys.stdout.write(f"        ! fails with the protection: {name}: {held.failed[name]}\n")
    if not held.passed:
        sys.stdout.write(f"        ! nothing was run: {held.said[-600:]}\n")
    sys.stdout.flush()
    shutil.rmtree(checkout, ignore_errors=True)
    return fine


def _line(text: str) -> str:
    told = " ".join(text.split())
    return told if len(told) < 160 else f"{told[:160]}…"


async def _fetch_first() -> None:
    """Packages that tests would fetch: in there is no network. Raises `NotServed` where they can't be had."""
    cdn = Cdn()
    try:
        for name in PACKAGES:
            await cdn.packages.get(name, VERSION)
    finally:
        await cdn.close()


def main() -> int:
    """See the top of the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=[])
    parser.add_argument("--words", action="store_true", help="what each failing test says")
    given = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("Namespaces of its own take root.")
    chosen = [row for row in rows() if not given.rows or row.number in given.rows]
    asyncio.run(_fetch_first())
    with tempfile.TemporaryDirectory(prefix="assay-protections-", dir=COPIES) as scratch:
        fine = [show(row, Path(scratch), words=given.words) for row in chosen]
    sys.stdout.write(f"{sum(fine)} of {len(fine)} rows: their tests pass, and fail without what holds them\n")
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
