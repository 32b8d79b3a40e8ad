"""What leads up to a failure, from the last load of the page or from the beginning."""

from __future__ import annotations

from pathlib import Path

from agent.proof.chains import since_load, since_start
from tests.unit.evaluator.records import Run
from tools.evidence.record import Record


def test_what_was_stored_before_a_reload_is_repeated_from_the_beginning(tmp_path: Path) -> None:
    """Since the load one act is too few; all of them, the reload included, are what fills the page."""
    run = Run(tmp_path)
    typed, added = run.type("Milk"), run.act(selector="#add")
    reloaded, missed, cleared = run.reload(), run.act(selector="#help", delivered=False), run.act(selector="#clear")
    run.judge()
    record = Record.read(tmp_path)
    assert since_load(record, cleared.id) == [cleared.id]
    assert since_start(record, cleared.id) == [typed.id, added.id, reloaded.id, cleared.id]
    assert since_start(record, added.id) == []
    assert missed.id not in since_start(record, cleared.id)
