"""Where calls are written down, and where replies that were recorded earlier are found again.

Before the seal a call is a row of the run's ledger; afterwards it is a row of a second ledger in `judging/`, for a sealed ledger
takes nothing more. Each row's blob holds requests and raw replies, so a run is its own cache: the same question is answered from
it. A cassette is a folder of replies that outlives runs: for tests, and for judging many runs alike.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tools.errors import RunError
from tools.evidence.ledger import LEDGER_FILE, Ledger
from tools.evidence.model_rows import ModelCalled
from tools.evidence.record import Record
from tools.evidence.rows import Phase, Row
from tools.models.forms import Reply
from tools.models.protocol import Usage

JUDGING = "judging"
CassetteMode = Literal["auto", "play", "record"]


@dataclass(frozen=True)
class Kept:
    """A reply as it was recorded. `call_id` names the row it came with, empty for one from a cassette."""

    reply: Reply
    usage: Usage
    served: str
    call_id: str = ""


class Journal:
    """The calls of one run."""

    def __init__(self, run_dir: Path, ledger: Ledger | None = None) -> None:
        self._run_dir = run_dir
        self._ledger = ledger
        self._replies: dict[str, Kept] = {}
        self._failed: dict[str, tuple[str, str]] = {}
        self._failed_here: set[str] = set()
        self.able: dict[str, dict[str, Any]] = {}
        """Capabilities by model, as calls recorded them."""
        self.calls: list[ModelCalled] = []
        """Every call of the run so far, those of earlier processes included."""
        if ledger is not None:
            ledger.sync()
        for folder, prefix in ((run_dir, ""), (run_dir / JUDGING, f"{JUDGING}/")):
            if (folder / LEDGER_FILE).is_file():
                self._read(Record.read(folder), prefix)

    def _read(self, record: Record, prefix: str) -> None:
        for row, called in record.of(ModelCalled):
            self.calls.append(called)
            if row.blob is None:
                continue
            try:
                told = json.loads(record.blobs.get(row.blob))
            except (RunError, ValueError):
                continue  # a blob that was lost answers nothing; `assay verify` tells of it
            self._learn(told, called.model, f"{prefix}{row.id}")

    def _learn(self, told: dict[str, Any], model: str, call_id: str) -> None:
        if told.get("capabilities"):
            self.able[model] = told["capabilities"]
        for exchange in told.get("exchanges", ()):
            self._replies.setdefault(exchange["key"], kept_of(exchange, call_id))
        if told.get("failed"):
            self._failed[told["failed"]["key"]] = (told["failed"]["kind"], told["failed"]["message"])

    def recorded(self, key: str) -> Kept | None:
        """The reply to a request of this run."""
        return self._replies.get(key)

    def failure(self, key: str, *, any_process: bool) -> tuple[Any, str] | None:
        """How a request failed for good: (kind, message), in this process or in `any_process` that worked on the run."""
        return self._failed.get(key) if any_process or key in self._failed_here else None

    def write(self, called: ModelCalled, told: dict[str, Any]) -> str:
        """Write a call down; returns the row's id, with `judging/` before it once the run is sealed."""
        data = json.dumps(told, ensure_ascii=False, sort_keys=True).encode("utf-8", "replace")
        if self._ledger is not None and not self._ledger.sealed:
            call_id = _append(self._ledger, called, data, None).id
        else:
            folder = self._run_dir / JUDGING
            judging = Ledger.reopen(folder)[0] if (folder / LEDGER_FILE).is_file() else Ledger.create(folder)
            call_id = f"{JUDGING}/{_append(judging, called, data, Phase.score).id}"
            judging.close()
        self.calls.append(called)
        self._learn(told, called.model, call_id)
        if told.get("failed"):
            self._failed_here.add(told["failed"]["key"])
        return call_id


def _append(ledger: Ledger, called: ModelCalled, data: bytes, phase: Phase | None) -> Row:
    row = ledger.append(called, producer=f"model.{called.role}", blob=ledger.put(data, "application/json"), phase=phase)
    ledger.sync()
    return row


class Cassette:
    """Replies in a folder, a file each. `play`: from it only; `record`: ask and keep; `auto`: ask for what is missing."""

    def __init__(self, folder: Path, mode: CassetteMode = "auto") -> None:
        self._folder = folder
        self.mode = mode

    def reply(self, key: str) -> Kept | None:
        """The recorded reply to a request."""
        told = None if self.mode == "record" else self._load(f"{key}.json")
        return kept_of(told) if told else None

    def keep(self, exchange: dict[str, Any]) -> None:
        """Record one exchange."""
        if self.mode != "play":
            self._save(f"{exchange['key']}.json", exchange)

    def able(self, model: str) -> dict[str, Any] | None:
        """Capabilities of a model, as recorded."""
        return None if self.mode == "record" else self._load(self._able_file(model))

    def keep_able(self, model: str, able: dict[str, Any]) -> None:
        """Record what a model can do."""
        if self.mode != "play":
            self._save(self._able_file(model), able)

    @staticmethod
    def _able_file(model: str) -> str:
        return f"capabilities-{hashlib.sha256(model.encode()).hexdigest()[:16]}.json"

    def _load(self, name: str) -> dict[str, Any] | None:
        try:
            return json.loads((self._folder / name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise RunError(
                f"{self._folder / name} can't be read: {error}.", hint="Delete it; the reply is asked for again."
            ) from error

    def _save(self, name: str, values: dict[str, Any]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        partial = self._folder / f"{name}.partial"
        partial.write_text(json.dumps(values, ensure_ascii=False, indent=1, sort_keys=True), encoding="utf-8")
        partial.rename(self._folder / name)


def exchange_of(key: str, request: list[dict[str, Any]], reply: Reply, usage: Usage, served: str, raw: Any) -> dict[str, Any]:
    """One exchange as plain values."""
    return {
        "key": key,
        "request": request,
        "reply": {"text": reply.text, "calls": [list(call) for call in reply.calls], "stop": reply.stop},
        "usage": {
            "input": usage.input,
            "output": usage.output,
            "cached": usage.cached,
            "written": usage.written,
            "reported": usage.reported,
        },
        "served": served,
        "raw": raw,
    }


def kept_of(exchange: dict[str, Any], call_id: str = "") -> Kept:
    """A recorded exchange as a reply."""
    reply = exchange["reply"]
    calls = tuple((str(key), str(name), arguments) for key, name, arguments in reply["calls"])
    return Kept(Reply(reply["text"], calls, reply["stop"]), Usage(**exchange["usage"]), exchange["served"], call_id)


def totals_by_stage(calls: list[ModelCalled]) -> Iterator[tuple[str, int, float]]:
    """(stage, tokens, US dollars) of calls."""
    for stage in sorted({call.stage for call in calls}):
        of_stage = [call for call in calls if call.stage == stage]
        yield stage, sum(call.tokens_in + call.tokens_out for call in of_stage), sum(call.cost_usd or 0.0 for call in of_stage)
