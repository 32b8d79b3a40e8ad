"""Runs of other versions: what this Assay reads, and the one line it says of a run that it does not."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from tools.errors import RunError
from tools.evidence.ledger import GENESIS, LEDGER_FILE, Ledger, canonical, row_hash
from tools.evidence.record import Record
from tools.evidence.rows import SCHEMA_VERSION, Gap, Sealed


def _run(folder: Path) -> Path:
    with closing(Ledger.create(folder / "run")) as ledger:
        ledger.append(Gap(what="x", reason="y", blame="agent"), producer="test")
        ledger.seal(complete=True)
    return folder / "run"


def _as_version(run: Path, version: int) -> None:
    """Write the run's rows anew as an Assay of that version would have."""
    previous, lines = GENESIS, []
    for line in (run / LEDGER_FILE).read_text(encoding="utf-8").splitlines():
        row = {**json.loads(line), "version": version, "previous": previous}
        if row["body"]["kind"] == "sealed":
            row["body"]["schema_version"] = version
        previous = row["hash"] = row_hash(row)
        lines.append(canonical(row) + b"\n")
    (run / LEDGER_FILE).write_bytes(b"".join(lines))


def test_the_seal_says_what_the_rows_were_written_in(tmp_path: Path) -> None:
    """So does every row."""
    record = Record.read(_run(tmp_path))
    assert isinstance(record.rows[-1].body, Sealed)
    assert record.rows[-1].body.schema_version == SCHEMA_VERSION
    assert {row.version for row in record.rows} == {SCHEMA_VERSION}


@pytest.mark.parametrize(("version", "age"), [(1, "an older"), (2, "an older"), (99, "a newer")])
def test_a_run_of_another_version_gets_one_clear_line(tmp_path: Path, version: int, age: str) -> None:
    """Not what the schema says of its first row."""
    run = _run(tmp_path)
    _as_version(run, version)
    with pytest.raises(RunError) as caught:
        Record.read(run)
    assert f"was written by {age} Assay (schema {version};" in caught.value.message
    assert "\n" not in str(caught.value)
