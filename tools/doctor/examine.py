"""All checks, side by side and bounded.

Every check looks at the real thing (starts the program, opens the display, asks ffmpeg what it can), so that the whole takes a
few seconds at most. Nothing heavy is imported: the libraries whose versions are compared are read, not loaded.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

from tools import system
from tools.doctor import browser, machine, software
from tools.doctor.check import PROGRAM_S, Check, install_line

WHOLE_S = 4.8
"""Bound of the whole examination (s)."""


def examine(runs_dir: Path | None = None) -> list[Check]:
    """Every check, in a fixed order. Bounded: what does not answer within `WHOLE_S` is not ok and says so.

    `runs_dir` is where runs are to land; if not given, where the settings' default or `ASSAY_RUNS_DIR` says.
    """
    wanted = system.needs(None)
    runs = runs_dir if runs_dir is not None else Path(os.environ.get("ASSAY_RUNS_DIR", "recordings"))
    plain: list[tuple[str, Callable[[], Check]]] = [
        ("Python", software.python),
        ("uv", software.uv),
        ("OpenCV", software.opencv),
        ("Manim", software.manim),
        ("recording", software.recording),
        ("display", browser.display),
        ("held clock", browser.held_clock),
        ("browser sandbox", browser.sandbox),
        ("project sandbox", browser.project_sandbox),
        ("runs folder", lambda: machine.runs_folder(runs)),
        ("shared memory", machine.shared_memory),
        ("memory", machine.memory),
        ("loopback", machine.loopback),
    ]
    checks = plain + [(need.name, lambda need=need: _need(need)) for need in wanted]
    pool = ThreadPoolExecutor(max_workers=len(checks), thread_name_prefix="doctor")
    started = [(name, pool.submit(check)) for name, check in checks]
    wait([future for _, future in started], timeout=WHOLE_S)
    pool.shutdown(wait=False, cancel_futures=True)
    return [_answer(name, future) for name, future in started]


def _answer(name: str, future: Future[Check]) -> Check:
    if future.done():
        return future.result()
    return Check(name, False, f"did not answer within {WHOLE_S:g} s", "whether it works is not known", "assay doctor, once more")


def _need(need: system.Need) -> Check:
    """One program, font or header of `configs/system_packages.toml`; a program must start, too."""
    where = system.found(need)
    detail, ok = where, bool(where)
    if ok and need.version:
        told = system.ask([where, *need.version], PROGRAM_S)
        ok = bool(told)
        detail = f"{_version_line(told)} ({where})" if told else f"{where} does not start"
    return Check(
        need.name,
        ok,
        detail or "not found",
        need.without,
        "" if ok else install_line(need),
        required=need.level == "required",
        optional=need.level == "optional",
    )


def _version_line(told: str) -> str:
    """The line that holds a version; wrapper scripts may print others before it."""
    lines = [line.strip() for line in told.splitlines() if re.search(r"\d\.\d", line)] or told.splitlines()
    return re.split(r" Copyright| built on", lines[0])[0][:60]
