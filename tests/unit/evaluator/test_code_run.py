"""How much of the app's own code a run ran, read from sealed rows, and what the verdict makes of it."""

from __future__ import annotations

import json
from pathlib import Path

from evaluator.record.code_run import NAMED_AT_MOST, UNMEASURED, CodeRun, code_run
from evaluator.record.sealed import Reading
from evaluator.reports import wording
from evaluator.scoring.sufficiency import too_little
from evaluator.scoring.unknowns import coverage
from evaluator.verdict.model import Coverage
from evaluator.verdict.rubric import SeenFigures
from tests.unit.evaluator.records import Run
from tools.evidence.code_rows import CodeRan, CodeSeen, OwnScript, RanFunction
from tools.evidence.record import Record
from tools.evidence.rows import Row

FUNCTIONS = {"save": 400, "remove": 300, "render": 200, "anonymous": 90, "tick": 10}
FIGURES = SeenFigures(requirements=0.5, controls=0.5, code=0.4)


def function(name: str, *, first: bool = True) -> RanFunction:
    """One of the five, each on a line of its own."""
    return RanFunction(name=name, source="app.js", line=[*FUNCTIONS].index(name) + 1, column=0, first=first, calls=1)


def seen(run: Run, *notes: str, mixed: bool = False) -> Row:
    """All five functions are known."""
    listing = [[name, "app.js", line, 0, size] for line, (name, size) in enumerate(FUNCTIONS.items(), 1)]
    script = OwnScript(source="app.js", how="file", size=1000, functions=5)
    body = CodeSeen(scripts=(script,), functions=5, size=1000, libraries=0, mixed=mixed, notes=notes)
    return run.add(body, blob=run.ledger.put(json.dumps(listing).encode(), "application/json"))


def ran(run: Run, *functions: RanFunction, size_run: int, act: Row | None = None, left: bool = False) -> Row:
    """What ran in an act."""
    body = CodeRan(
        step=1 if act else 0,
        functions=functions,
        ran=len(functions),
        first=sum(1 for function in functions if function.first),
        known=5,
        known_run=2,
        size=1000,
        size_run=size_run,
        left=left,
    )
    return run.add(body, parent=act.id if act else None)


def read(run: Run) -> CodeRun:
    """Sealed and read."""
    return code_run(Reading(run.seal()))


def test_share_functions_and_what_never_ran_are_told(tmp_path: Path) -> None:
    """By size at the end, and by name, the largest first; what has no name is counted and not listed."""
    run = Run(tmp_path)
    seen(run)
    ran(run, function("render"), size_run=300)
    act = run.act()
    ran(run, function("tick"), function("render", first=False), size_run=310, act=act)
    told = read(run)
    assert (told.share, told.functions, told.functions_run) == (0.31, 5, 2)
    assert told.never_ran == ("save", "remove")
    assert told.first_by_act == {act.id: ("tick",)}
    assert told.note == ""


def test_a_run_without_rows_about_code_says_that_it_was_not_measured(tmp_path: Path) -> None:
    """Nothing is made up: no share, no names, and no reason to doubt the verdict."""
    run = Run(tmp_path)
    run.act()
    assert read(run) == CodeRun(note=UNMEASURED)
    seen_of = coverage(Reading(Record.read(run.folder)))
    assert (seen_of.code_share, seen_of.functions, seen_of.code_note) == (None, 0, UNMEASURED)
    assert not any("code" in reason for reason in too_little(seen_of, FIGURES))
    assert "code" not in wording.seen(seen_of)


def test_an_unmeasured_act_says_why(tmp_path: Path) -> None:
    """The reason that the browser gave is the note."""
    run = Run(tmp_path)
    run.add(CodeRan(step=0, measured=False, reason="no code of the app's own was met"))
    assert read(run).note == f"{UNMEASURED}: no code of the app's own was met"


def test_what_limits_the_measurement_is_in_the_note(tmp_path: Path) -> None:
    """A link that led away takes the last functions with it; a reload has none to take."""
    run = Run(tmp_path)
    seen(run, "what ran in workers (1) was not seen")
    ran(run, function("render"), size_run=300)
    ran(run, size_run=300, act=run.reload(), left=True)
    ran(run, size_run=300, act=run.act(), left=True)
    assert read(run).note == "what ran in workers (1) was not seen; what a page ran right before it was left was not seen"


def test_the_note_of_a_reload_is_empty(tmp_path: Path) -> None:
    """Nothing of the app's runs in answer to it."""
    run = Run(tmp_path)
    seen(run)
    ran(run, size_run=300, act=run.reload(), left=True)
    assert read(run).note == ""


def test_names_are_not_told_where_a_row_had_no_room_for_all(tmp_path: Path) -> None:
    """What is not listed may have run: the figures stay, no name is accused of never having run."""
    run = Run(tmp_path)
    seen(run)
    run.add(CodeRan(step=0, functions=(function("render"),), ran=2, first=2, known=5, known_run=2, size=1000, size_run=300))
    told = read(run)
    assert (told.share, told.functions, told.functions_run, told.never_ran) == (0.3, 5, 2, ())


def test_the_names_are_bounded(tmp_path: Path) -> None:
    """At most so many, the largest."""
    run = Run(tmp_path)
    listing = [[f"f{number}", "app.js", number, 0, number] for number in range(NAMED_AT_MOST + 10)]
    script = OwnScript(source="app.js", how="file", size=1000, functions=len(listing))
    body = CodeSeen(scripts=(script,), functions=len(listing), size=1000, libraries=0)
    run.add(body, blob=run.ledger.put(json.dumps(listing).encode(), "application/json"))
    run.add(CodeRan(step=0, known=len(listing), size=1000, size_run=10))
    told = read(run)
    assert len(told.never_ran) == NAMED_AT_MOST
    assert told.never_ran[0] == f"f{NAMED_AT_MOST + 9}"


def test_too_little_code_is_a_reason_only_where_it_is_told_from_libraries(tmp_path: Path) -> None:
    """Under the threshold: not enough seen. The same share of a bundle that has libraries in it says nothing."""
    assert too_little(Coverage(code_share=0.39), FIGURES) == ("39% of the app's own code run",)
    assert too_little(Coverage(code_share=0.4), FIGURES) == ()
    assert too_little(Coverage(code_share=0.1, code_mixed=True), FIGURES) == ()
    run = Run(tmp_path)
    seen(run, "app.js is minified", mixed=True)
    ran(run, function("render"), size_run=300)
    told = coverage(Reading(run.seal()))
    assert (told.code_mixed, told.code_share, told.never_ran[:1]) == (True, 0.3, ("save",))
    assert "30% of its own code run" in wording.seen(told)
