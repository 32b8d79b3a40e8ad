"""Progress as server-sent events: what the evaluation tells, and the states it goes through, until its end."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from agent.batch.jobs import EVENTS_FILE, TERMINAL
from agent.batch.table import Entry
from agent.serve.service import Service
from agent.serve.wire import told

LOOK_S = 0.25
"""Time between two looks at what is new."""
SIGN_S = 15.0
"""A comment goes out after so much silence, for proxies that close quiet connections."""
LONGEST_S = 6 * 3600.0


def message(event: str, data: dict[str, Any], mark: str) -> str:
    """One server-sent event. `mark` is what a client sends back as Last-Event-ID to go on from there."""
    return f"id: {mark}\nevent: {event}\ndata: {json.dumps(data, ensure_ascii=False, default=str)}\n\n"


async def follow(service: Service, key: str, last_id: str = "") -> AsyncIterator[str]:
    """Events of an evaluation from the beginning of its current try, or from behind `last_id`; ends with its end."""
    attempt, _, line = last_id.partition(":")
    known = (int(attempt), int(line)) if attempt.isdigit() and line.isdigit() else (0, 0)
    tries = _Try(service, *known)
    shown: tuple[str, int] | None = None
    began = spoken = time.monotonic()
    while time.monotonic() - began < LONGEST_S:
        entry = await asyncio.to_thread(service.entry, key)
        if entry is None:
            return
        new = await asyncio.to_thread(tries.news, entry)
        for event, data, mark in new:
            yield message(event, data, mark)
        state = (str(entry.state), entry.attempts)
        if state != shown:
            shown = state
            ahead = await asyncio.to_thread(service.ahead, entry)
            yield message("state", told(entry, ahead).model_dump(mode="json"), tries.mark)
            spoken = time.monotonic()
        if entry.state in TERMINAL:
            return
        if new:
            spoken = time.monotonic()
        elif time.monotonic() - spoken > SIGN_S:
            spoken = time.monotonic()
            yield ": still here\n\n"
        await asyncio.sleep(LOOK_S)


class _Try:
    """The events of the try that is being followed, line by line."""

    def __init__(self, service: Service, attempt: int, lines: int) -> None:
        self._folder: Callable[[Entry], Path] = lambda entry: service.log_dir(entry.job)
        self._attempt = attempt
        self._lines = lines

    @property
    def mark(self) -> str:
        """How far it was followed."""
        return f"{self._attempt}:{self._lines}"

    def news(self, entry: Entry) -> list[tuple[str, dict[str, Any], str]]:
        """Events since the last look: kind, data, mark. A new try is followed from its beginning."""
        if entry.attempts != self._attempt:
            self._attempt, self._lines = entry.attempts, 0
        try:
            lines = (self._folder(entry) / EVENTS_FILE).read_bytes().split(b"\n")[:-1]
        except OSError:
            return []
        found: list[tuple[str, dict[str, Any], str]] = []
        for raw in lines[self._lines :]:
            self._lines += 1
            data = json.loads(raw)
            found.append((str(data.get("event", "event")), data, self.mark))
        return found
