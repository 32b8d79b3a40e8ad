"""`marks.json` beside a run: read with suspicion, as the folder may come from a stranger, and written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from evaluator.marks.model import MARKS_VERSION, WORD_CHARS, Marks, Opinion, ReaderMark
from evaluator.verdict.model import Verdict
from tools.errors import RunError, UserError, why
from tools.evidence.writing import write_whole

MARKS_FILE = "marks.json"
MOST_BYTES = 8_000_000
"""A larger file is none that was written here."""


def read_marks(run_dir: Path) -> Marks | None:
    """The marks beside a run; None where there are none.

    Raises `RunError` for a file that is a link, damaged, or of a later version. Whether they are about the run's record is
    `marks_on`'s question.
    """
    path = Path(run_dir) / MARKS_FILE
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as error:
        what = "a link" if error.errno == errno.ELOOP else why(error)
        raise RunError(f"{path} can't be read: {what}.", hint="Remove it if you know it.") from error
    with os.fdopen(handle, "rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    try:
        told = json.loads(data) if len(data) <= MOST_BYTES else None
    except ValueError:
        told = None
    if isinstance(told, dict) and isinstance(told.get("version"), int) and told["version"] > MARKS_VERSION:
        raise RunError(f"{path} was written by a later version of Assay.", hint="Nothing is added to it; use that version.")
    try:
        return Marks.model_validate(told)
    except ValidationError as error:
        raise RunError(f"{path} holds no marks.", hint="Remove it, or put back what was there.") from error


def marks_on(run_dir: Path, verdict: Verdict) -> dict[str, ReaderMark]:
    """The marks on what a verdict accuses, by id; empty where they were made on another record. Raises `RunError`."""
    marks = read_marks(run_dir)
    if marks is None or marks.seal != verdict.seal:
        return {}
    accused = {failure.id for failure in verdict.accused}
    return {name: mark for name, mark in marks.by_failure().items() if name in accused}


def put_mark(
    run_dir: Path, verdict: Verdict, failure: str, opinion: Opinion | None, *, word: str = "", reader: str = ""
) -> Marks:
    """Mark a failure or suspicion of a run's verdict, or take its mark back (`opinion` None); returns all marks.

    Marks that were made on another record are replaced. Raises `UserError` for a failure that the verdict has not, `RunError`
    for a file that can't be read or written.
    """
    found = next((each_failure for each_failure in verdict.accused if each_failure.id == failure), None)
    if found is None:
        raise UserError(f"The run has no failure {failure!a}.", hint="It may have been judged again: load the page anew.")
    with _alone(run_dir):
        before = read_marks(run_dir)
        kept = (
            [reader_mark for reader_mark in before.marks if reader_mark.failure != failure]
            if before and before.seal == verdict.seal
            else []
        )
        if opinion is not None:
            mark = ReaderMark(
                failure=failure,
                opinion=opinion,
                word=" ".join(word.split())[:WORD_CHARS],
                title=found.title[:1000],
                counts=found.counts,
                reader=reader[:80],
                at=datetime.now(UTC).isoformat(timespec="seconds"),
            )
            kept.append(mark)
        marks = Marks(seal=verdict.seal, marks=tuple(sorted(kept, key=lambda reader_mark: reader_mark.failure)))
        text = json.dumps(marks.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"
        try:
            write_whole(Path(run_dir) / MARKS_FILE, text)
        except OSError as error:
            raise RunError(f"{Path(run_dir) / MARKS_FILE} can't be written: {why(error)}.") from error
    return marks


@contextlib.contextmanager
def _alone(run_dir: Path) -> Iterator[None]:
    """Inside, nobody else changes the run's marks: two readers at once lose nothing."""
    try:
        folder = os.open(run_dir, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        raise RunError(f"{run_dir} can't be opened: {why(error)}.") from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
