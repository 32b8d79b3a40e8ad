"""One person's work on a parse: edits, undo, time, log, going on, figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.diagram_metrics.test_graphs import graph
from tools.diagram.model.graph import Diagram
from tools.diagram.verify.session import LONGEST_PAUSE_S, Edit, EditError, Session, open_session
from tools.errors import UserError


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now


@pytest.fixture(name="watch")
def _watch() -> Watch:
    """The clock of a test."""
    return Watch()


@pytest.fixture(name="session")
def _session(tmp_path: Path, watch: Watch) -> Session:
    """A session on A → B → C, A → C."""
    return Session(tmp_path / "p.png", graph("AB", "BC", "AC"), tmp_path / "out", now=watch)


def test_everything_is_in_by_default(session: Session) -> None:
    """Without edits the parse is right in all."""
    result = session.result()
    assert result.f1 == {"nodes": 1, "edges": 1}
    assert result.verified == session.predicted


def test_edits_give_the_figures(session: Session) -> None:
    """One edge out, one added: two of three predicted edges right, two of three true ones found."""
    session.edit(Edit(kind="exclude", thing="e2"))
    session.edit(Edit(kind="link", source="C", target="A"))
    result = session.finish()
    assert (result.precision["edges"], result.recall["edges"]) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert result.f1["nodes"] == 1
    assert [(edge.source, edge.target) for edge in result.added] == [("C", "A")]
    written = json.loads((session.folder / "result.json").read_text(encoding="utf-8"))
    assert written["done"] is True
    assert written["f1"] == result.f1
    assert Diagram.model_validate(written["verified"]) == result.verified


def test_a_node_takes_its_edges_along(session: Session) -> None:
    """Leaving a node out leaves out what ends at it, also what was added; taking it in again brings them back."""
    session.edit(Edit(kind="link", source="C", target="B"))
    session.edit(Edit(kind="exclude", thing="B"))
    result = session.result()
    assert (result.precision["nodes"], result.precision["edges"], result.added) == (
        pytest.approx(2 / 3),
        pytest.approx(1 / 3),
        (),
    )
    session.edit(Edit(kind="include", thing="B"))
    assert session.result().precision["edges"] == 1
    assert len(session.result().added) == 1


def test_every_edit_can_be_undone(session: Session) -> None:
    """Back through all of them to where it began; then there is nothing left to undo."""
    session.edit(Edit(kind="exclude", thing="e1"))
    session.edit(Edit(kind="include", thing="e1"))
    session.edit(Edit(kind="link", source="C", target="A"))
    session.edit(Edit(kind="unlink", thing="added1"))
    for _ in range(4):
        session.edit(Edit(kind="undo"))
    assert session.result().verified == session.predicted
    assert session.state()["edits"] == 8
    with pytest.raises(EditError, match="nothing to undo"):
        session.edit(Edit(kind="undo"))


@pytest.mark.parametrize(
    "edit",
    [
        Edit(kind="exclude", thing="zz"),
        Edit(kind="include", thing="e1"),
        Edit(kind="link", source="A", target="zz"),
        Edit(kind="unlink", thing="e1"),
    ],
)
def test_senseless_edits_are_refused_and_not_logged(session: Session, edit: Edit) -> None:
    """Unknown things, and what is as asked already."""
    before = (session.folder / "edits.jsonl").read_bytes()
    with pytest.raises(EditError):
        session.edit(edit)
    assert (session.folder / "edits.jsonl").read_bytes() == before


def test_only_working_time_counts(session: Session, watch: Watch) -> None:
    """Short silences are work, long ones are a pause."""
    session.alive()
    watch.now += 15
    session.alive()
    watch.now += LONGEST_PAUSE_S + 1
    session.alive()
    watch.now += 5
    assert session.finish().worked_s == 20


def test_a_closed_window_loses_nothing(session: Session, watch: Watch) -> None:
    """The same folder goes on where it stopped; another parse is refused."""
    session.alive()
    watch.now += 10
    session.edit(Edit(kind="exclude", thing="e2"))
    session.edit(Edit(kind="link", source="C", target="A"))
    again = Session(session.picture, session.predicted, session.folder, now=watch)
    assert again.result().model_dump() == session.result().model_dump()
    again.edit(Edit(kind="undo"))
    assert again.result().added == ()
    with pytest.raises(UserError, match="another parse"):
        Session(session.picture.with_name("other.png"), session.predicted, session.folder)


def test_files_are_checked(tmp_path: Path) -> None:
    """No picture, no graph."""
    with pytest.raises(UserError, match="no picture"):
        open_session(tmp_path / "p.png", tmp_path / "g.json", tmp_path)
    (tmp_path / "p.png").write_bytes(b"x")
    with pytest.raises(UserError, match="can't be read"):
        open_session(tmp_path / "p.png", tmp_path / "g.json", tmp_path)
