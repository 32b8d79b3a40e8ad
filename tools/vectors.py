"""Vectors of texts kept between runs: the same phrases are asked for in each of them, and encoding one takes 10–20 ms.

SQLite, because several evaluations read and write at once. No text is kept, only its digest. What can't be read or written is
encoded again: nothing but time depends on this store.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import threading
import weakref
from pathlib import Path

import numpy

ROWS_MOST = 20_000
"""About 80 MB; those that came first go first."""
_WAIT_S = 2.0
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (digest BLOB PRIMARY KEY, vector BLOB NOT NULL)"
_TOO_MANY = "DELETE FROM vectors WHERE rowid <= (SELECT max(rowid) FROM vectors) - ?"


class VectorStore:
    """Vectors by text, in a file. `of`: what made them (model and version); of anything else none is found."""

    def __init__(self, path: Path, of: str, length: int) -> None:
        self._of, self._length = of, length
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None
        with contextlib.suppress(sqlite3.Error, OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, timeout=_WAIT_S, isolation_level=None, check_same_thread=False)
            weakref.finalize(self, self._file.close)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=OFF")
            self._file.execute(_TABLE)
            self._file.execute(_TOO_MANY, (ROWS_MOST,))

    def get(self, text: str) -> numpy.ndarray | None:
        """Shape (length,), float64; None where it is not there, or can't be read."""
        row = self._ask("SELECT vector FROM vectors WHERE digest = ?", (self._digest(text),))
        if row is None or not isinstance(row[0], bytes) or len(row[0]) != self._length * 8:
            return None
        return numpy.frombuffer(row[0], dtype=numpy.float64)

    def put(self, text: str, vector: numpy.ndarray) -> None:
        """Keep one, if that can be done."""
        kept = numpy.ascontiguousarray(vector, dtype=numpy.float64).tobytes()
        self._ask("INSERT OR IGNORE INTO vectors (digest, vector) VALUES (?, ?)", (self._digest(text), kept))

    def _digest(self, text: str) -> bytes:
        return hashlib.blake2b(f"{self._of}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()

    def _ask(self, words: str, values: tuple[bytes, ...]) -> tuple[object, ...] | None:
        with self._lock:
            if self._file is None:
                return None
            try:
                return self._file.execute(words, values).fetchone()
            except sqlite3.Error:  # full, locked, damaged: from here on without it
                with contextlib.suppress(sqlite3.Error):
                    self._file.close()
                self._file = None
                return None
