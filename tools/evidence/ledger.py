"""Writing a run's ledger: append-only JSON lines, hash-chained, synced once a step.

Each row's `hash` is the SHA-256 of its canonical JSON without that field, and contains the hash of the row before, so that no
row can be changed, dropped or moved without breaking every later one. A crash can lose at most the rows since the last
`sync` and tear the last line; `reopen` cuts a torn tail off and says so.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from tools.errors import RunError, why
from tools.evidence.blobs import BlobStore
from tools.evidence.rows import SCHEMA_VERSION, BlobRef, Body, Phase, Row, Sealed
from tools.processes import MARKER_FILE
from tools.secrets import SECRETS

LEDGER_FILE = "ledger.jsonl"
GENESIS = "0" * 64


def canonical(values: dict[str, object]) -> bytes:
    """The bytes that are hashed: JSON with sorted keys, no spaces, UTF-8.

    Pages can print half a surrogate pair, which UTF-8 cannot hold; it becomes a question mark.
    """
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


def row_hash(row: dict[str, object]) -> str:
    """Hash of a row given as JSON values; its own `hash` field does not take part."""
    return hashlib.sha256(canonical({key: value for key, value in row.items() if key != "hash"})).hexdigest()


def split_lines(data: bytes) -> tuple[list[dict[str, object]], int, str]:
    """Whole, well-chained rows at the start of a ledger's bytes.

    Returns `(rows, length in bytes of what is good, what is wrong with the rest)`; the last is empty for a clean ledger.
    """
    rows: list[dict[str, object]] = []
    previous, good, problem = GENESIS, 0, ""
    for raw in data.splitlines(keepends=True):
        number = len(rows) + 1
        if not raw.endswith(b"\n"):
            problem = f"line {number} is torn ({len(raw)} bytes without an end)"
            break
        try:
            row = json.loads(raw)
        except ValueError:
            problem = f"line {number} is not JSON"
            break
        if not isinstance(row, dict) or row.get("previous") != previous or row.get("hash") != row_hash(row):
            problem = f"line {number} breaks the hash chain"
            break
        rows.append(row)
        previous = str(row["hash"])
        good += len(raw)
    return rows, good, problem


class Ledger:
    """The open ledger of one run. Use `create` or `reopen`, then `append`, `sync`, and once at the end `seal`.

    Its length is the number of its rows, so that an empty one is false.
    """

    def __init__(self, run_dir: Path, *, count: int, head: str, sealed: bool) -> None:
        self.run_dir = run_dir
        self.blobs = BlobStore(run_dir / "blobs")
        self.app_clock: Callable[[], float | None] = lambda: None
        """Reads app time in ms; the stage sets it when it opens."""
        self.phase = Phase.launch
        """Stamped on rows whose `append` names no other."""
        self._count = count
        self._head = head
        self._sealed = sealed
        self._stream = (run_dir / LEDGER_FILE).open("ab")

    @classmethod
    def create(cls, run_dir: Path) -> Ledger:
        """A new, empty ledger. Raises `RunError` if the folder already holds one, or can't be made."""
        try:
            # Its owner's alone: what is recorded of an app is nobody else's business, least of all another app's.
            run_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not any(path.name != MARKER_FILE for path in run_dir.iterdir()):
                # Given empty, it becomes the run's; with something of the user's in it, it stays as it is.
                run_dir.chmod(0o700)
        except OSError as error:
            raise RunError(f"{run_dir} can't be made: {why(error)}.", hint="Name another folder for the run.") from error
        if (run_dir / LEDGER_FILE).exists():
            raise RunError(f"{run_dir} already holds a run.", hint="Use --resume, or name another folder.")
        return cls(run_dir, count=0, head=GENESIS, sealed=False)

    @classmethod
    def reopen(cls, run_dir: Path) -> tuple[Ledger, str]:
        """Go on with a ledger after an interruption; returns it and what had to be repaired.

        Only a torn *last* line is repaired. Anything else is tampering or a damaged disk and raises `RunError`.
        """
        path = run_dir / LEDGER_FILE
        if not path.is_file():
            raise RunError(f"{run_dir} holds no ledger, so there is nothing to resume.")
        data = path.read_bytes()
        rows, good, problem = split_lines(data)
        rest = data[good:]
        repaired = ""
        if problem:
            if b"\n" in rest:  # what is wrong is a whole line
                raise RunError(
                    f"{path}: {problem}.", hint="Rows were altered after they were written; this run cannot be trusted."
                )
            with path.open("r+b") as stream:
                stream.truncate(good)
                os.fsync(stream.fileno())
            repaired = f"{problem}; {len(rest)} bytes were cut off"
        head = str(rows[-1]["hash"]) if rows else GENESIS
        sealed = any(_kind(row) == "sealed" for row in rows)
        return cls(run_dir, count=len(rows), head=head, sealed=sealed), repaired

    @property
    def sealed(self) -> bool:
        """Whether the closing row has been written."""
        return self._sealed

    def __len__(self) -> int:
        return self._count

    def put(self, data: bytes, media_type: str) -> BlobRef:
        """Store a blob, to be named by the row appended next. Of secrets in a text only the names are stored."""
        if SECRETS and not media_type.startswith(("image/", "video/", "audio/")):
            data = SECRETS.hidden_bytes(data)
        return self.blobs.put(data, media_type)

    def append(
        self,
        body: Body,
        *,
        producer: str,
        phase: Phase | None = None,
        parent: str | None = None,
        blob: BlobRef | None = None,
        app_ms: float | None = None,
    ) -> Row:
        """Add a row and return it. Raises `RunError` once sealed. `app_ms` defaults to the app's time now.

        It is safe from a crash after the next `sync` only. Secrets are hidden in what is written, not in the row that is
        returned.
        """
        if self._sealed:
            raise RunError("The run is sealed; nothing can be added to it.")
        row = Row(
            id=f"e{self._count + 1:06d}",
            wall_time=datetime.now(UTC).isoformat(timespec="milliseconds"),
            app_ms=_rounded(self.app_clock() if app_ms is None else app_ms),
            phase=phase or self.phase,
            producer=producer,
            parent=parent,
            blob=blob,
            body=body,
            previous=self._head,
            hash="",
        )
        values = row.model_dump(mode="json")
        values["body"] = SECRETS.hidden_in(values["body"])
        digest = row_hash(values)
        self._stream.write(canonical({**values, "hash": digest}) + b"\n")
        self._count += 1
        self._head = digest
        return row.model_copy(update={"hash": digest})

    def sync(self) -> None:
        """Force what was appended onto the disk; called at the end of every step."""
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def seal(self, *, complete: bool, producer: str = "seal") -> str:
        """Close the record; returns the closing hash. `complete` is False when the evidence is known to have holes."""
        blobs = sum(1 for path in self.blobs.folder.rglob("*") if path.is_file() and not path.name.endswith(".partial"))
        body = Sealed(rows=self._count, blobs=blobs, complete=complete, schema_version=SCHEMA_VERSION)
        row = self.append(body, producer=producer, phase=Phase.seal)
        self.sync()
        self._sealed = True
        return row.hash

    def close(self) -> None:
        """Flush and let go of the file; the ledger may be reopened unless it is sealed."""
        if not self._stream.closed:
            self.sync()
            self._stream.close()


def _rounded(app_ms: float | None) -> float | None:
    return None if app_ms is None else round(app_ms, 3)


def _kind(row: dict[str, object]) -> str:
    body = row.get("body")
    return str(body.get("kind")) if isinstance(body, dict) else ""
