"""Where the graph's checkpoints lie, and how they are read: in the user's state folder, and as plain values only.

LangGraph's own serializer calls whatever a checkpoint names (`os.system`, say). State here is strings and numbers, so nothing but
plain values, and the few harmless types that LangGraph itself lists as safe, is ever made of what was read.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from tools.errors import RunError
from tools.evidence.received import checkpoints_of

KINDS = frozenset({"msgpack", "bytes", "bytearray", "empty", "null"})
"""Encodings that are read. The others (`json` with constructors, `pickle`) can name code."""


class PlainValues(JsonPlusSerializer):
    """LangGraph's serializer in its strict mode, and of its encodings only those that name no code."""

    def __init__(self) -> None:
        super().__init__(pickle_fallback=False, allowed_json_modules=None, allowed_msgpack_modules=None)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value. Raises `RunError` for an encoding that is not written here."""
        if data[0] not in KINDS:
            raise RunError(f"A checkpoint is encoded as {data[0][:20]!r}, which Assay never writes.", hint="Start the run anew.")
        return super().loads_typed(data)


@asynccontextmanager
async def saver_of(run_dir: Path) -> AsyncIterator[AsyncSqliteSaver]:
    """The open store of a run's checkpoints."""
    path = checkpoints_of(run_dir)
    path.touch(mode=0o600)
    async with aiosqlite.connect(str(path)) as connection:
        yield AsyncSqliteSaver(connection, serde=PlainValues())
