"""What one look at the machine found, and how long a look may take."""

from __future__ import annotations

from dataclasses import dataclass

from tools import system

PROGRAM_S = 4.0
"""Bound of one program's answer (s)."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at. `mend` is a command or what to do; empty where all is well."""

    name: str
    ok: bool
    detail: str
    cost_if_missing: str
    mend: str = ""
    required: bool = False
    """Without it nothing can be evaluated."""
    optional: bool = False
    """Needed by one part of Assay only, and not installed by default."""


def install_line(need: system.Need) -> str:
    """The command that installs it here."""
    line = system.install_line([need], system.package_manager(), root=system.is_root())
    return line or "install it by hand"
