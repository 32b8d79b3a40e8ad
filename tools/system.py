"""What the machine has to offer outside Python: what is there, what is missing, and the command that installs it.

What is asked for stands in `configs/system_packages.toml`. Standard library only: set-up uses this before anything is
installed.
"""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

ANSWER_S = 4.0
"""Longest wait for a program to tell its version (s)."""

INSTALL = {
    "apt": ("apt-get update", "apt-get install -y --no-install-recommends"),
    "dnf": ("", "dnf install -y"),
    "brew": ("", "brew install"),
}


@dataclass(frozen=True)
class Need:
    """One thing the machine should offer; the fields are described at the top of the data file."""

    name: str
    level: Literal["required", "recommended", "optional"]
    group: str
    why: str
    without: str
    programs: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    font: str = ""
    version: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()
    apt: tuple[str, ...] = ()
    dnf: tuple[str, ...] = ()
    brew: tuple[str, ...] = ()

    def packages(self, manager: str) -> tuple[str, ...]:
        """Packages of that manager (`apt`, `dnf`, `brew`) that bring it."""
        return {"apt": self.apt, "dnf": self.dnf, "brew": self.brew}.get(manager, ())


def needs(groups: Iterable[str] | None = ("core",), platform: str = sys.platform) -> list[Need]:
    """The needs of these groups (None: of all) that make sense on this platform. Raises `KeyError` for an unknown group."""
    table = tomllib.loads((files("configs") / "system_packages.toml").read_text(encoding="utf-8"))["need"]
    everything = [_need(entry) for entry in table]
    chosen = {need.group for need in everything} if groups is None else set(groups)
    if unknown := chosen - {need.group for need in everything}:
        raise KeyError(", ".join(sorted(unknown)))
    return [need for need in everything if need.group in chosen and (not need.platforms or platform in need.platforms)]


def _need(entry: dict[str, Any]) -> Need:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    return Need(**values)


def found(need: Need) -> str:
    """Where it is (a path, or the name of a font); empty if it is missing."""
    for program in need.programs:
        if path := shutil.which(program):
            return path
    for pattern in need.files:
        for path in sorted(glob.glob(os.path.expanduser(pattern))):  # noqa: PTH111, PTH207 - absolute patterns
            return path
    return _font(need.font) if need.font else ""


def _font(pattern: str) -> str:
    """Family of a font that fontconfig has for the pattern; it never answers with a substitute."""
    answer = ask(["fc-list", pattern, "family"])
    return answer.splitlines()[0].split(",")[0] if answer else ""


def missing(wanted: Sequence[Need]) -> list[Need]:
    """Those that are not there, in the given order."""
    return [need for need in wanted if not found(need)]


def ask(command: Sequence[str], timeout_s: float = ANSWER_S) -> str:
    """What a program prints (errors too, some tell their version there); empty if it fails or does not answer in time."""
    try:
        done = subprocess.run(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout_s,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""


def package_manager() -> str:
    """`apt`, `dnf` or `brew`; empty where there is none of them."""
    programs = {"apt": "apt-get", "dnf": "dnf", "brew": "brew"}
    return next((name for name, program in programs.items() if shutil.which(program)), "")


def is_root() -> bool:
    """Whether this process may install system packages."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def packages(wanted: Iterable[Need], manager: str) -> list[str]:
    """Packages that bring all of these, each once, in order."""
    return list(dict.fromkeys(package for need in wanted for package in need.packages(manager)))


def install_line(wanted: Iterable[Need], manager: str, *, root: bool) -> str:
    """One line to paste into a shell; empty where no package manager is known or none of its packages help."""
    names = packages(wanted, manager)
    if not names or manager not in INSTALL:
        return ""
    sudo = "" if root or manager == "brew" else "sudo "
    first, install = INSTALL[manager]
    line = f"{sudo}{first} && {sudo}{install}" if first else f"{sudo}{install}"
    casks = [name for name in names if name.startswith("--cask ")]
    plain = [name for name in names if name not in casks]
    parts = [f"{line} {' '.join(plain)}"] if plain else []
    return " && ".join(parts + [f"{line} {cask}" for cask in casks])


def repository() -> Path:
    """The checkout this module lies in."""
    return Path(__file__).resolve().parents[1]
