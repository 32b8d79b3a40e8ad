"""Which version a range or tag means, and which bytes a version is: pinned once, the same ever after.

Two files of one form: `configs/cdn.lock.json` ships with Assay, `<cache>/lock.json` grows as pages ask for more. The shipped
one wins. A version that does not exist is kept, too, but asked for again after a week: it may have come out since.
"""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

ASK_AGAIN = timedelta(days=7)


@dataclass(frozen=True)
class Pin:
    """What `name@spec` means. `missing` is npm's word for why there is none; then the other two are empty."""

    version: str = ""
    integrity: str = ""
    missing: str = ""
    asked: str = ""
    """Day it was asked for, ISO 8601."""

    @property
    def stale(self) -> bool:
        """A missing version that is worth asking for again."""
        try:
            asked = datetime.fromisoformat(self.asked).replace(tzinfo=UTC)
        except ValueError:
            return bool(self.missing)
        return bool(self.missing) and datetime.now(UTC) - asked > ASK_AGAIN

    def as_json(self) -> dict[str, str]:
        """The fields that say something."""
        return {key: value for key, value in vars(self).items() if value}


class Pins:
    """The pins of this machine and those that ship with Assay."""

    def __init__(self, path: Path, shipped: dict[str, Pin] | None = None) -> None:
        self._path = path
        self._shipped = shipped_pins() if shipped is None else shipped
        self._own = _read(path)

    def get(self, wanted: str) -> Pin | None:
        """What `name@spec` is pinned to, if it is."""
        return self._shipped.get(wanted) or self._own.get(wanted)

    def add(self, pins: dict[str, Pin]) -> None:
        """Pin `name@spec`; what another process pinned meanwhile stays as it is, unless it was missing."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.with_suffix(".guard").open("w") as guard:
            # Held only while a small file is read and written.
            fcntl.flock(guard, fcntl.LOCK_EX)
            there = _read(self._path)
            for wanted, pin in pins.items():
                before = there.get(wanted)
                there[wanted] = pin if before is None or before.missing else before
            partial = self._path.with_name(f"{self._path.name}.{os.getpid()}.partial")
            partial.write_text(render(there), encoding="utf-8")
            partial.rename(self._path)
        self._own = there


def render(pins: dict[str, Pin]) -> str:
    """A lock file's text, in a fixed order."""
    packages = {wanted: pin.as_json() for wanted, pin in sorted(pins.items())}
    return json.dumps({"format": 1, "packages": packages}, indent=1, ensure_ascii=False) + "\n"


@cache
def shipped_pins() -> dict[str, Pin]:
    """The pins that ship with Assay."""
    return _parse((files("configs") / "cdn.lock.json").read_text(encoding="utf-8"))


def _read(path: Path) -> dict[str, Pin]:
    try:
        return _parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, KeyError):
        # A lock file that is torn is as good as none: the packages are pinned again.
        return {}


def _parse(text: str) -> dict[str, Pin]:
    packages: dict[str, dict[str, Any]] = json.loads(text)["packages"]
    return {wanted: Pin(**about) for wanted, about in packages.items()}
