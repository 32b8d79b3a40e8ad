"""What is compared with what, and which app may be asked: read from folders, without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.comparison.replaying import measured_there, telling
from agent.comparison.sides import changed_since
from agent.comparison.tried import Wish
from agent.comparison.verb import check
from agent.comparison.works import compare_works, places
from evaluator.comparison.untried import untried
from evaluator.record.sealed import Reading
from evaluator.results.table import write_table
from tests.unit.evaluator.records import Run
from tests.unit.results.table_of import open_row, scored
from tools.app.served import SourceText
from tools.errors import UserError
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Finding, PageError, RunStarted, SourceFile
from tools.evidence.trial_rows import ActDone, AssertionJudged, TrialBegun, TrialEnded, Withdrawn


def empty_run(folder: Path) -> Path:
    """A folder that holds the ledger of a run that has just begun."""
    ledger = Ledger.create(folder)
    ledger.append(RunStarted(brief="", brief_language="", subject="x", settings={}, versions={}), producer="assay")
    ledger.close()
    return folder


def test_an_app_is_what_it_was_where_its_own_texts_are(tmp_path: Path) -> None:
    """One that differs, is gone or has come is named; where none was recorded nothing can be said."""
    ledger = Ledger.create(tmp_path / "run")
    for path, text in (("index.html", "<p>"), ("app.js", "let a = 1")):
        row = SourceFile(path=path, language="html")
        ledger.append(row, producer="site", blob=ledger.put(text.encode(), "text/html"))
    # what the browser was given besides is no source of the subject's
    ledger.append(SourceFile(path="/lib.js", language="js"), producer="eyes", blob=ledger.put(b"lib", "text/javascript"))
    ledger.close()
    record = Record.read(tmp_path / "run")
    same = [SourceText("index.html", "html", "<p>"), SourceText("app.js", "javascript", "let a = 1")]
    assert changed_since(record, same) == ""
    assert changed_since(record, [same[0], SourceText("app.js", "javascript", "let a = 2")]) == "app.js differs"
    assert changed_since(record, same[:1]) == "app.js differs"
    assert changed_since(record, [*same, SourceText("b.js", "javascript", ""), SourceText("c.js", "javascript", "")]) == (
        "b.js differs, and 1 more file"
    )
    assert changed_since(Record.read(empty_run(tmp_path / "address")), same) == ""


def finding(symptom: str, selector: str, **measured: object) -> Finding:
    """A probe's symptom."""
    return Finding.model_validate(
        {"probe": "contrast", "symptom": symptom, "message": "pale", "selector": selector, "measured": measured}
    )


@pytest.mark.parametrize(
    ("fresh", "stands", "outcome"),
    [
        ([finding("contrast.low", ".note", foreground="#bbbbbb", background="#ffffff")], True, "failed"),
        # the same ink elsewhere: the rule in the style sheet is the same
        ([finding("contrast.low", ".aside", foreground="#bbbbbb", background="#fefefe")], False, "failed"),
        ([], True, "held"),
        ([finding("layout.overlap", ".note")], True, "held"),
        # what was measured is not on the page: that nothing is wrong with it there says nothing
        ([], False, "part missing"),
    ],
)
def test_what_was_measured_without_an_act_is_measured_there(
    tmp_path: Path, fresh: list[Finding], stands: bool, outcome: str
) -> None:
    """By its cause, and only where the thing itself is there."""
    run = Run(tmp_path / "a")
    cited = [run.add(finding("contrast.low", ".note", foreground="#bbbbbb", background="#ffffff"))]
    run.seal()
    ledger = Ledger.create(tmp_path / "b")
    for item in fresh:
        ledger.append(item, producer="probe.contrast")
    ledger.close()
    assert measured_there(cited, Record.read(tmp_path / "b"), stands=stands)[0] == outcome


@pytest.mark.parametrize(
    ("own", "there", "tells"),
    [
        ({"way": "violated"}, {"way": "held"}, True),
        # by the short way it held on its own app, too: only the long one says anything
        ({"way": "held", "whole": "violated"}, {"way": "held", "whole": "stopped"}, False),
        ({"way": "held", "whole": "violated"}, {"way": "held", "whole": "held"}, True),
        ({"way": "stopped", "anew": "violated"}, {"way": "held"}, True),
        ({}, {"way": "held"}, True),
    ],
)
def test_a_trial_that_holds_tells_where_its_own_app_fails_by_the_same_way(
    tmp_path: Path, own: dict[str, str], there: dict[str, str], tells: bool
) -> None:
    """Else it would be said to be mended by a way that never showed it."""
    for folder, ends in (("proofs", own), ("there", there)):
        for way, result in ends.items():
            ledger = Ledger.create(tmp_path / folder / f"f-12ab34-{way}")
            begun = ledger.append(TrialBegun(trial={"by": "added"}, words=""), producer="trial")
            ledger.append(TrialEnded.model_validate({"result": result}), producer="trial", parent=begun.id)
            ledger.close()
    assert telling("f-12ab34", tmp_path / "proofs", sorted((tmp_path / "there").iterdir())) is tells


def test_an_error_as_the_page_opens_holds_where_none_is_thrown(tmp_path: Path) -> None:
    """The same message fails there, another one is another failure."""
    run = Run(tmp_path / "a")
    cited = [run.add(PageError(message="x is undefined", stack=""))]
    run.seal()
    for name, message, outcome in (("b", "x is undefined", "failed"), ("c", "y is undefined", "held")):
        ledger = Ledger.create(tmp_path / name)
        ledger.append(PageError(message=message, stack=""), producer="page")
        ledger.close()
        assert measured_there(cited, Record.read(tmp_path / name), stands=None)[0] == outcome


def test_batches_are_paired_by_query_model_and_trial(tmp_path: Path) -> None:
    """With one model on each side by the query alone; a job without a score says why it can't be compared."""
    empty_run(tmp_path / "a" / "runs" / "1")
    empty_run(tmp_path / "b" / "runs" / "1")
    write_table([scored("clock", "old", 5.0, run="runs/1"), open_row("list", "old")], tmp_path / "a")
    write_table([scored("clock", "new", 6.0, run="runs/1"), scored("list", "new", 6.0, run="runs/away")], tmp_path / "b")
    found = places(tmp_path / "a", tmp_path / "b")
    assert list(found["a"]) == list(found["b"]) == ["clock", "list"]
    assert found["a"]["clock"].run == tmp_path / "a" / "runs" / "1"
    assert found["a"]["list"].problem.startswith("incomplete: ")
    assert "not there any more" in found["b"]["list"].problem
    write_table([scored("clock", "old", 5.0, run="runs/1"), scored("clock", "new", 5.0, run="runs/1")], tmp_path / "a")
    assert list(places(tmp_path / "a", tmp_path / "b")["a"]) == ["clock, old", "clock, new"]


async def test_folders_of_runs_are_paired_by_name_without_the_time(tmp_path: Path) -> None:
    """Runs that call themselves by when and what are the same work; where two of a folder would be one, they keep their names."""
    for side, names in (("a", ("20260101-120000-clock-1a2b", "mine")), ("b", ("20260202-080000-clock-ff00", "mine", "more"))):
        for name in names:
            empty_run(tmp_path / side / name)
    found = places(tmp_path / "a", tmp_path / "b")
    assert sorted(found["a"]) == ["clock", "mine"]
    assert sorted(found["b"]) == ["clock", "mine", "more"]
    empty_run(tmp_path / "a" / "20260101-130000-clock-1a2c")
    assert "clock" not in places(tmp_path / "a", tmp_path / "b")["a"]
    works = await compare_works(tmp_path / "a", tmp_path / "b", tmp_path / "out", Wish())
    ends = {work.name: work.only_in or work.problem for work in works.works}
    assert "not sealed" in ends["mine"]
    assert (ends["more"], ends["clock"]) == ("b", "b")
    empty_run(tmp_path / "c" / "other")
    with pytest.raises(UserError, match="no work in common"):
        await compare_works(tmp_path / "a", tmp_path / "c", tmp_path / "out", Wish())


@pytest.mark.parametrize(
    ("a", "b", "out", "says"),
    [
        ("run", "gone", "out", "There is no folder"),
        ("run", "run", "out", "was given twice"),
        ("run", "runs", "out", "is one run"),
        ("run", "other", "run/inside", "which nothing is added to"),
        ("run", "other", "used", "holds a comparison already"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_line(tmp_path: Path, a: str, b: str, out: str, says: str) -> None:
    """Before anything is written."""
    for name in ("run", "other", "runs/one"):
        empty_run(tmp_path / name)
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "compare.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UserError, match=says):
        check(tmp_path / a, tmp_path / b, tmp_path / out)
    assert not (tmp_path / "out").exists()


def made(run: Run, by: str, place: str, result: str, *, requirement: str = "", back: bool = False) -> str:
    """A trial that came to that; its row's id."""
    target = {"kind": "buttons", "selector": place}
    begun = run.add(TrialBegun(trial={"by": by, "why": place, "requirements": [requirement] * bool(requirement)}, words=by))
    act = ActDone(
        during="acts", act={"kind": "press", "target": target}, words="press", delivered=True, problem="", before="", after="",
        witness={}, started_ms=1.0, ended_ms=2.0,
    )  # fmt: skip
    run.add(act, parent=begun.id)
    judged = {"assertion": {"kind": "count", "target": target}, "words": "it holds", "result": "held", "seen": "", "models": ()}
    run.add(AssertionJudged.model_validate(judged), parent=begun.id)
    run.add(TrialEnded.model_validate({"result": result}), parent=begun.id)
    if back:
        run.add(Withdrawn(reason="it was wrong"), parent=begun.id)
    return begun.id


def test_what_held_on_a_and_b_did_not_try_is_tried_once_each(tmp_path: Path) -> None:
    """Not what B decided either way, what was taken back, or what told nothing; what was asked for goes first."""
    a, b = Run(tmp_path / "a"), Run(tmp_path / "b")
    made(a, "added", "#add", "held")
    plain = made(a, "added", "#plus > li:nth-child(2)", "held")
    made(a, "added", "#plus > li:nth-child(7)", "held")
    asked = made(a, "removed", "#remove", "held", requirement="r1")
    open_there = made(a, "renamed", "#rename", "held")
    made(a, "way", "#menu", "held")
    made(a, "sorted", "#sort", "cannot tell")
    made(a, "undone", "#undo", "held", back=True)
    made(b, "added", "#add", "violated")
    made(b, "renamed", "#rename", "stopped")
    readings = [Reading(run.seal()) for run in (a, b)]
    assert [reading.row.id for reading in untried(readings[0], readings[1], 10)] == [asked, plain, open_there]
    assert [reading.row.id for reading in untried(readings[0], readings[1], 1)] == [asked]
