"""The folder of runs: what lies in it, and the only way from an address to a path. Nothing outside is reached."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agent.console.follow import LEDGERS
from agent.run.wishes import STANDING_FILE
from evaluator.marks.file import MARKS_FILE
from tools.errors import UserError
from tools.evidence.ledger import LEDGER_FILE
from tools.processes import MARKER_FILE

COMPARISON_FILE, COMPARISON_JSON, RESULTS_FILE = "compare.html", "compare.json", "results.html"
DEPTH = 5
"""Folders below the folder of runs that are looked into: a batch, its `runs`, and what people sort them into."""
READ_UNASKED = (*LEDGERS, MARKER_FILE, MARKS_FILE, STANDING_FILE, "verdict.json", "report.json")
"""What is opened in each run that is listed, or goes on."""
MOST_FOLDERS = 20_000
"""Looked into at one scan."""

Kind = Literal["run", "comparison", "batch"]
_MARKERS: dict[str, Kind] = {LEDGER_FILE: "run", COMPARISON_FILE: "comparison", RESULTS_FILE: "batch"}


class NotThereError(UserError):
    """An address leads to nothing that lies in the folder of runs."""


@dataclass(frozen=True)
class Found:
    """A folder with something to show. `name` is its path below the folder of runs, with `/`."""

    name: str
    kind: Kind


class RunsFolder:
    """A folder of runs, batches and comparisons. Raises `UserError` if there is no such folder, or it is itself a run."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise UserError(f"There is no folder {root}.", hint="assay view FOLDER: the one in which runs lie.")
        if (root / LEDGER_FILE).is_file():
            raise UserError(f"{root} is one run.", hint=f"Name the folder in which it lies: assay view {root.resolve().parent}")
        self.root = root.resolve()

    def found(self) -> list[Found]:
        """Everything there is to show, by name."""
        return sorted(self._walk(), key=lambda each_found: each_found.name)

    def run(self, name: str) -> Path:
        """The folder of a run. Raises `NotThereError`."""
        path = self._inside(name)
        self._regular(path / LEDGER_FILE)
        return path

    def folder(self, name: str) -> Path:
        """The folder of a run, a batch or a comparison. Raises `NotThereError` for any other."""
        path = self._inside(name)
        if not any((path / marker).is_file() for marker in _MARKERS):
            raise NotThereError(f"{name!a} is no run, batch or comparison.")
        return path

    def file(self, name: str, inside: str) -> Path:
        """A plain file in one of those folders; `inside` is its path there. Raises `NotThereError`."""
        self.folder(name)
        path = self._inside(f"{name}/{inside}")
        self._regular(path)
        return path

    def strange(self, name: str) -> str:
        """Why a run of the folder is not read: a file that is opened for the list is a link or a pipe; empty: none is.

        Only a stranger would lay one there, and whoever opened a pipe would wait for ever.
        """
        for inside in READ_UNASKED:
            try:
                mode = (self.root / name / inside).lstat().st_mode
            except OSError:
                continue
            if not stat.S_ISREG(mode):
                return f"{inside} is no plain file, so this folder is not read"
        return ""

    def _inside(self, name: str) -> Path:
        parts = name.split("/")
        if any(part in {"", ".", ".."} or "\\" in part or not part.isprintable() for part in parts):
            raise NotThereError(f"There is no {name!a} here.")
        path = self.root.joinpath(*parts)
        try:
            # A link anywhere on the way leads elsewhere than the path says.
            real = path.resolve(strict=True)
        except (OSError, RuntimeError, ValueError) as error:
            raise NotThereError(f"There is no {name!a} here.") from error
        if real != path or not real.is_relative_to(self.root):
            raise NotThereError(f"There is no {name!a} here.")
        return path

    @staticmethod
    def _regular(path: Path) -> None:
        try:
            plain = stat.S_ISREG(path.lstat().st_mode)
        except OSError:
            plain = False
        if not plain:
            raise NotThereError(f"There is no {path.name!a} here.")

    def _walk(self) -> Iterator[Found]:
        waiting, seen = [(self.root, 0)], 0
        while waiting and seen < MOST_FOLDERS:
            folder, depth = waiting.pop()
            seen += 1
            try:
                entries = list(os.scandir(folder))
            except OSError:
                continue  # it went away, or is not ours to read
            files = {entry.name for entry in entries if entry.is_file(follow_symlinks=False)}
            kind: Kind | None = next((kind for marker, kind in _MARKERS.items() if marker in files), None)
            if kind is not None and folder != self.root:
                yield Found(folder.relative_to(self.root).as_posix(), kind)
            if kind in {"run", "comparison"} or depth == DEPTH:
                continue  # what lies in a run is the run's, and a comparison's replays are its own
            waiting += [
                (Path(entry.path), depth + 1)
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".") and entry.name.isprintable()
            ]
