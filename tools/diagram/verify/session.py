"""One person's work on one parse: what was left out, what was linked anew, when, and what that says about the parser.

Everything extracted is in by default. Nodes and edges are put out or in again (*exclude*); edges are drawn between nodes
(*link*). Nothing is renamed and nothing redrawn. Every edit is written to the log at once, so a closed window loses nothing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tools.diagram.formats.convert import read_json
from tools.diagram.metrics.identity import Agreement, agreement_by_identity
from tools.diagram.model.graph import Diagram, Edge
from tools.errors import UserError

LONGEST_PAUSE_S = 120.0
"""A longer silence between two signs of life is not counted as work."""


class Edit(BaseModel):
    """One edit. `exclude` and `include` name a node or an edge; `link` adds an edge, `unlink` takes an added one away again."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["exclude", "include", "link", "unlink", "undo"]
    thing: str = Field(default="", max_length=200)
    source: str = Field(default="", max_length=200)
    target: str = Field(default="", max_length=200)
    at_s: float = 0.0
    """Seconds since the page was first opened."""


class EditError(UserError):
    """The edit can't be made."""

    kind = "edit"


class Result(BaseModel):
    """What is left when the person is done, and the figures that follow."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    picture: str
    predicted: str
    done: bool
    worked_s: float
    edits: int
    excluded: tuple[str, ...]
    added: tuple[Edge, ...]
    agreement: Agreement
    precision: dict[str, float]
    recall: dict[str, float]
    f1: dict[str, float]
    verified: Diagram


class Session:
    """Holds the state of one verification and keeps it in a folder: `edits.jsonl` (append-only) and `result.json`.

    Opening a folder that already has edits goes on with them. Raises `UserError` if they belong to another parse.
    """

    def __init__(
        self, picture: Path, predicted: Diagram, folder: Path, *, name: str = "", now: Callable[[], float] = time.time
    ) -> None:
        self.picture, self.predicted, self.folder = picture, predicted, folder
        self._name, self._now = name or picture.name, now
        self._excluded: set[str] = set()
        self._added: dict[str, Edge] = {}
        self._undone: list[Edit] = []
        self._count, self._links = 0, 0
        self._worked_s = 0.0
        self._last: float | None = None
        self._done = False
        folder.mkdir(parents=True, exist_ok=True)
        self._log = folder / "edits.jsonl"
        self._resume()

    def _resume(self) -> None:
        head = {"picture": self._name, "canvas": self.predicted.canvas.sha256 if self.predicted.canvas else "", "version": 1}
        if not self._log.exists():
            self._write(head)
            return
        lines = [json.loads(line) for line in self._log.read_text(encoding="utf-8").splitlines() if line.strip()]
        if not lines or lines[0] != head:
            raise UserError(f"{self._log} belongs to another parse.", hint="Choose another folder with --out.")
        for line in lines[1:]:
            if "worked_s" in line:
                self._worked_s = max(self._worked_s, float(line["worked_s"]))
            else:
                self._apply(Edit.model_validate(line))

    def _write(self, row: dict[str, Any]) -> None:
        with self._log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(row, ensure_ascii=False) + "\n")

    def edit(self, edit: Edit) -> None:
        """Makes an edit and writes it down. Raises `EditError` if there is nothing it could mean."""
        edit = edit.model_copy(update={"at_s": round(self.alive(), 3)})
        self._apply(edit)
        self._write(edit.model_dump(mode="json"))
        self.save()

    def alive(self) -> float:
        """The page says that somebody works on it; gives the seconds worked so far."""
        now = self._now()
        if self._last is not None and 0 < now - self._last <= LONGEST_PAUSE_S:
            self._worked_s += now - self._last
        self._last = now
        return self._worked_s

    def _apply(self, edit: Edit) -> None:
        if edit.kind == "undo":
            if not self._undone:
                raise EditError("There is nothing to undo.")
            self._reverse(self._undone.pop())
        else:
            self._undone.append(self._make(edit))
        self._count += 1
        self._done = False

    def _make(self, edit: Edit) -> Edit:
        """Makes it; gives it back with all that undoing it needs."""
        known = {thing.id for thing in (*self.predicted.nodes, *self.predicted.edges)}
        if edit.kind in {"exclude", "include"}:
            if edit.thing not in known:
                raise EditError(f"There is no node or edge {edit.thing!r}.")
            if (edit.thing in self._excluded) == (edit.kind == "exclude"):
                raise EditError(f"{edit.thing} is already {'out' if edit.kind == 'exclude' else 'in'}.")
            (self._excluded.add if edit.kind == "exclude" else self._excluded.discard)(edit.thing)
        elif edit.kind == "unlink":
            if edit.thing not in self._added:
                raise EditError(f"{edit.thing!r} was not added by hand.")
            gone = self._added.pop(edit.thing)
            return edit.model_copy(update={"source": gone.source, "target": gone.target})
        else:
            ends = {thing.id for thing in (*self.predicted.nodes, *self.predicted.groups)}
            if edit.source not in ends or edit.target not in ends:
                raise EditError("A link joins two nodes or groups.")
            self._links += 1
            name = f"added{self._links}"
            self._added[name] = Edge(id=name, source=edit.source, target=edit.target)
            return edit.model_copy(update={"thing": name})
        return edit

    def _reverse(self, edit: Edit) -> None:
        if edit.kind == "link":
            self._added.pop(edit.thing, None)
        elif edit.kind == "unlink":
            self._added[edit.thing] = Edge(id=edit.thing, source=edit.source, target=edit.target)
        elif edit.kind == "exclude":
            self._excluded.discard(edit.thing)
        else:
            self._excluded.add(edit.thing)

    def finish(self) -> Result:
        """The person is done: the result is written and given back."""
        self.alive()
        self._done = True
        return self.save()

    def save(self) -> Result:
        """Writes `result.json` as things stand."""
        result = self.result()
        self._write({"worked_s": round(self._worked_s, 3)})
        partial = self.folder / "result.partial"
        partial.write_text(json.dumps(result.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        partial.rename(self.folder / "result.json")
        return result

    def out(self) -> set[str]:
        """Ids that do not count: those left out, and edges at a node that is."""
        nodes = {node.id for node in self.predicted.nodes if node.id in self._excluded}
        ends = {edge.id for edge in self.predicted.edges if {edge.source, edge.target} & nodes}
        return self._excluded | ends

    def result(self) -> Result:
        """Agreement and what is left, as things stand."""
        out = self.out()
        nodes = [node for node in self.predicted.nodes if node.id not in out]
        kept = {node.id for node in nodes} | {group.id for group in self.predicted.groups}
        added = [edge for edge in self._added.values() if {edge.source, edge.target} <= kept]
        edges = [edge for edge in self.predicted.edges if edge.id not in out]
        agreement = agreement_by_identity(
            ([node.id for node in self.predicted.nodes], [node.id for node in nodes]),
            ([edge.id for edge in self.predicted.edges], [edge.id for edge in (*edges, *added)]),
        )
        parts = {"nodes": agreement.nodes, "edges": agreement.edges}
        return Result(
            picture=self._name,
            predicted=self.predicted.canvas.sha256 if self.predicted.canvas else "",
            done=self._done,
            worked_s=round(self._worked_s, 3),
            edits=self._count,
            excluded=tuple(sorted(out)),
            added=tuple(added),
            agreement=agreement,
            precision={name: tally.precision for name, tally in parts.items()},
            recall={name: tally.recall for name, tally in parts.items()},
            f1={name: tally.f1 for name, tally in parts.items()},
            verified=self.predicted.model_copy(update={"nodes": tuple(nodes), "edges": (*edges, *added)}),
        )

    def state(self) -> dict[str, Any]:
        """What the page shows."""
        result = self.result()
        return {
            "name": self._name,
            "graph": self.predicted.model_dump(mode="json"),
            "excluded": sorted(self._excluded),
            "out": sorted(self.out()),
            "added": [edge.model_dump(mode="json") for edge in self._added.values()],
            "edits": self._count,
            "can_undo": bool(self._undone),
            "worked_s": round(self._worked_s),
            "done": self._done,
            "figures": {"precision": result.precision, "recall": result.recall, "f1": result.f1},
        }


def open_session(picture: Path, predicted: Path, folder: Path) -> Session:
    """A session on files. Raises `UserError` if one of them can't be read."""
    if not picture.is_file():
        raise UserError(f"There is no picture {picture}.")
    try:
        text = predicted.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{predicted} can't be read: {error}.") from error
    return Session(picture, read_json(text), folder)
