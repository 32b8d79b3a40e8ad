"""Reading a run: typed rows by id and kind, blobs, the timeline, and the check that nothing was altered."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from tools.errors import RunError
from tools.evidence.blobs import BlobStore
from tools.evidence.ledger import LEDGER_FILE, split_lines
from tools.evidence.rows import OLDEST_READ, SCHEMA_VERSION, Recorded, Row, RunStarted, Sealed, StageOpened
from tools.evidence.timeline import position_s

B = TypeVar("B", bound=BaseModel)


@dataclass(frozen=True)
class Record:
    """All rows of a run, in order. `repaired` says what was torn when it was read, empty if nothing."""

    run_dir: Path
    rows: tuple[Row, ...]
    repaired: str = ""

    @classmethod
    def read(cls, run_dir: Path) -> Record:
        """Read to the last full row. Raises `RunError` if there is no ledger or a row does not fit the schema."""
        path = Path(run_dir) / LEDGER_FILE
        if not path.is_file():
            raise RunError(f"{run_dir} is not a run: it holds no {LEDGER_FILE}.")
        raw, _, problem = split_lines(path.read_bytes())
        _refuse_other_versions(path, raw)
        try:
            rows = tuple(Row.model_validate(row) for row in raw)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise RunError(f"{path}: a row does not fit schema: {where}: {first['msg']}.") from error
        return cls(Path(run_dir), rows, problem)

    @property
    def blobs(self) -> BlobStore:
        """The run's blob store."""
        return BlobStore(self.run_dir / "blobs")

    @property
    def sealed(self) -> bool:
        """Whether the record is closed."""
        return bool(self.rows) and isinstance(self.rows[-1].body, Sealed)

    @property
    def seal(self) -> str:
        """The closing hash. Raises `RunError` when the run is not sealed."""
        if not self.sealed:
            raise RunError(
                f"{self.run_dir} is not sealed: the evaluation did not finish.", hint="Go on with: assay eval --resume RUN"
            )
        return self.rows[-1].hash

    @property
    def started(self) -> RunStarted:
        """The first row's body."""
        if not self.rows or not isinstance(self.rows[0].body, RunStarted):
            raise RunError(f"{self.run_dir} does not begin with a run_started row.")
        return self.rows[0].body

    def row(self, row_id: str) -> Row | None:
        """The row with that id, if there is one. Ids count up from e000001."""
        if not (row_id.startswith("e") and row_id[1:].isdigit()):
            return None
        index = int(row_id[1:]) - 1
        return self.rows[index] if 0 <= index < len(self.rows) else None

    def of(self, body_type: type[B]) -> Iterator[tuple[Row, B]]:
        """Rows whose body is of that class, in order, each with its body."""
        for row in self.rows:
            if isinstance(row.body, body_type):
                yield row, row.body

    def last(self, body_type: type[B]) -> tuple[Row, B] | None:
        """The last row of that class."""
        return next(((row, row.body) for row in reversed(self.rows) if isinstance(row.body, body_type)), None)

    def children(self, row_id: str) -> Iterator[Row]:
        """Rows whose parent is `row_id`."""
        return (row for row in self.rows if row.parent == row_id)

    def stage_of(self, row: Row) -> int:
        """Which of the run's stages a row was written in, counted from 1; 0 before the first."""
        return self._stages[int(row.id[1:]) - 1]

    def film_of(self, row: Row | None = None) -> tuple[Row, Recorded] | None:
        """The recording of the stage that a row belongs to; without a row, of the run's only stage.

        A run that was interrupted has several stages, each with an app time and a recording of its own.
        """
        if row is None:
            return self.last(Recorded) if not self._stages or self._stages[-1] <= 1 else None
        stage = self.stage_of(row)
        return next(((film, body) for film, body in self.of(Recorded) if self.stage_of(film) == stage), None)

    def video_s(self, app_ms: float | None, row: Row | None = None) -> float | None:
        """Position (s) at an app time (ms) in the recording of the row's stage (see `film_of`).

        None when there is no such recording, when the moment lies in a hole of it, and without a row in a run of several
        stages, where one time can mean several moments.
        """
        found = self.film_of(row)
        if app_ms is None or found is None:
            return None
        film = found[1]
        if any(start < app_ms < end for start, end in film.holes):
            return None
        return position_s(film.timeline, app_ms, film.duration_s)

    @cached_property
    def _stages(self) -> list[int]:
        """The stage of each row."""
        count, stages = 0, []
        for row in self.rows:
            count += isinstance(row.body, StageOpened)
            stages.append(count)
        return stages


def _refuse_other_versions(path: Path, rows: list[dict[str, object]]) -> None:
    """Raises `RunError`, one line, where a run was written by an Assay that this one does not understand."""
    versions = {version for row in rows if isinstance(version := row.get("version"), int)}
    other = next((version for version in sorted(versions) if not OLDEST_READ <= version <= SCHEMA_VERSION), None)
    if other is not None:
        age = "an older" if other < OLDEST_READ else "a newer"
        raise RunError(
            f"{path} was written by {age} Assay (schema {other}; this one reads {OLDEST_READ} to {SCHEMA_VERSION}).",
            hint="Evaluate the app again, or read the run with the Assay that wrote it.",
        )


def verify(run_dir: Path) -> list[str]:
    """Every reason not to trust a run, a line each: none when chain, blobs and recording are as they were written.

    Raises `RunError` if there is no ledger that can be read.
    """
    record = Record.read(run_dir)
    problems = [f"ledger: {record.repaired}"] if record.repaired else []
    if not record.sealed:
        problems.append("ledger: not sealed")
    for row, seal in record.of(Sealed):
        if row is not record.rows[-1] or seal.rows != len(record.rows) - 1:
            problems.append(f"{row.id}: the seal closes {seal.rows} rows, but the ledger holds {len(record.rows)}")
    for row in record.rows:
        if row.blob is not None:
            try:
                record.blobs.get(row.blob)
            except RunError as error:
                problems.append(f"{row.id}: {error.message}")
    for row, recording in record.of(Recorded):
        path = record.run_dir / recording.file
        if not path.is_file():
            problems.append(f"{row.id}: {recording.file} is missing")
        elif _file_hash(path) != recording.sha256:
            problems.append(f"{row.id}: {recording.file} was altered")
    return problems


def _file_hash(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
