"""What the recorder leaves while it films: one file a take, and notes beside it from which a film can be made after any crash.

The notes (`recording.takes`, JSON lines) say when each take began by the recorder's clock, when the calibration ran, and how app
time ran. They are removed when the film is finished; found later, they belong to a run that was killed.
"""

from __future__ import annotations

import json
import os
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.browser.recorder.film import Knots


@dataclass(frozen=True)
class Take:
    """One file. `zero_s` is the recorder's clock at position 0 of it."""

    path: Path
    zero_s: float


@dataclass
class Notes:
    """The notes of one recording called `name`; every change is on disk when the method returns (flushed, not synced)."""

    run_dir: Path
    name: str
    takes: list[Take] = field(default_factory=list)
    calibrated: tuple[float, float] | None = None
    """When flashes and beeps were shown: from–to by the recorder's clock."""
    knots: list[tuple[float, float]] = field(default_factory=list)

    @property
    def path(self) -> Path:
        """Where they lie."""
        return self.run_dir / f"{self.name}.takes"

    @property
    def target(self) -> Path:
        """Where the film will lie."""
        return self.run_dir / f"{self.name}.mp4"

    def next_file(self) -> Path:
        """Where the next take goes."""
        number = len(self.takes) + 1
        return self.run_dir / (f"{self.name}.raw.mp4" if number == 1 else f"{self.name}.raw-{number}.mp4")

    def add(self, take: Take) -> None:
        """A take begins."""
        self.takes.append(take)
        self._write({"take": take.path.name, "zero_s": take.zero_s})

    def calibrate(self, from_s: float, until_s: float) -> None:
        """The calibration is over."""
        self.calibrated = from_s, until_s
        self._write({"calibrated": [from_s, until_s]})

    def follow(self, knots: Knots) -> None:
        """How app time ran so far; written only where it is news."""
        known = [(app, moment) for app, moment in knots]
        if known != self.knots:
            same = len(self.knots) if known[: len(self.knots)] == self.knots else 0
            self.knots = known
            self._write({"knots": known[same:], "after": same})

    def discard(self) -> None:
        """The film is finished."""
        for take in self.takes:
            take.path.unlink(missing_ok=True)
        self.path.unlink(missing_ok=True)

    def _write(self, line: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")

    def mend(self) -> None:
        """Cut off what was being written when ffmpeg was killed: a file that ends in the head of a fragment cannot be read."""
        for take in self.takes:
            if take.path.is_file():
                whole = whole_bytes(take.path)
                if whole < take.path.stat().st_size:
                    os.truncate(take.path, whole)

    @classmethod
    def read(cls, path: Path) -> Notes:
        """Notes found beside a recording; a torn last line is passed over."""
        notes = cls(path.parent, path.name.removesuffix(".takes"))
        for text in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                break
            if "take" in line:
                notes.takes.append(Take(path.parent / Path(line["take"]).name, float(line["zero_s"])))
            elif "calibrated" in line:
                notes.calibrated = float(line["calibrated"][0]), float(line["calibrated"][1])
            elif "knots" in line:
                notes.knots = notes.knots[: line["after"]] + [(float(app), float(moment)) for app, moment in line["knots"]]
        return notes


def whole_bytes(path: Path) -> int:
    """Length of an MP4 file up to the end of its last whole fragment (boxes: a length of four bytes, a name of four)."""
    size, at, whole = path.stat().st_size, 0, 0
    with path.open("rb") as stream:
        while at + 8 <= size:
            stream.seek(at)
            length, name = struct.unpack(">I4s", stream.read(8))
            if length == 1 and at + 16 <= size:
                (length,) = struct.unpack(">Q", stream.read(8))
            if length < 8 or at + length > size:
                break
            at += length
            if name in (b"mdat", b"mfra"):
                whole = at
    return whole
