"""`report.json` and its published schema."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

from evaluator.reports.as_json import write_json
from evaluator.reports.facts import VERDICT_FILE
from evaluator.reports.schema import SCHEMA_FILE, schema_text
from tests.unit.reports.plot import Plot
from tests.unit.reports.run_folder import make_run
from tools.errors import RunError
from tools.evidence.ledger import LEDGER_FILE, Ledger
from tools.evidence.record import Record

HOSTILE = "</script>\u202e\u2028\x1b[31m\x00'\"&"


def _copied(run: Path, folder: Path) -> Path:
    return Path(shutil.copytree(run, folder / "run"))


def test_the_published_schema_is_current() -> None:
    """Whoever changes the model publishes the schema anew: python -m evaluator.reports.schema."""
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text()


@pytest.mark.parametrize(
    "plot",
    [
        Plot(video=False),
        Plot(status="no_artifact"),
        Plot(status="incomplete", steps=3, video=False),
        Plot(steps=0, video=False, failures=False),
        Plot(video=False, steps=10, page_text=dict.fromkeys(("title", "console", "name", "dialog", "finding", "brief"), HOSTILE)),
    ],
    ids=["scored", "no_artifact", "incomplete", "no_steps", "hostile"],
)
def test_every_kind_of_run_fits_the_schema(plot: Plot, tmp_path: Path) -> None:
    """Scored, empty, broken off and hostile runs all give a report that the schema describes."""
    report = json.loads(write_json(make_run(tmp_path / "run", plot)).read_text(encoding="utf-8"))
    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    assert list(jsonschema.Draft202012Validator(schema).iter_errors(report)) == []


def test_the_schema_refuses_what_is_no_report(silent_run: Path, tmp_path: Path) -> None:
    """A missing seal, an unknown field or a score as text does not pass."""
    report = json.loads(write_json(_copied(silent_run, tmp_path)).read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))
    for path, value in ((("verdict", "seal"), 5), (("run", "more"), 1), (("verdict", "functionality", "value"), "high")):
        broken = json.loads(json.dumps(report))
        at = broken
        for name in path[:-1]:
            at = at[name]
        at[path[-1]] = value
        assert not validator.is_valid(broken), path


def test_the_same_run_gives_the_same_bytes(silent_run: Path, tmp_path: Path) -> None:
    """Nothing but the run's folder goes into a report, not even the time of day."""
    run = _copied(silent_run, tmp_path)
    first = write_json(run).read_bytes()
    assert write_json(run).read_bytes() == first
    assert not list(run.glob("*.partial"))


def test_it_holds_the_verdict_the_steps_and_every_row(silent_run: Path, tmp_path: Path) -> None:
    """The verdict is there unchanged; steps know their trial, what it came to, pictures and failures; each row has an entry."""
    run = _copied(silent_run, tmp_path)
    report = json.loads(write_json(run).read_text(encoding="utf-8"))
    record = Record.read(run)
    assert report["verdict"] == json.loads((run / VERDICT_FILE).read_text(encoding="utf-8"))
    assert [entry["id"] for entry in report["evidence"]] == [row.id for row in record.rows]
    fifth = report["steps"][4]
    assert fifth["description"] == 'click button "Archive done"'
    assert fifth["why"].startswith("The brief promises")
    assert (fifth["result"], fifth["by"], fifth["during"]) == ("violated", "does_something", "acts")
    assert [(found["result"], found["seen"]) for found in fifth["checks"]] == [("violated", "nothing changed in 1.5 s")]
    assert fifth["changes"] == {
        "address": False, "page": False, "storage": False, "requests": 0, "dialogs": 0, "outside": 0, "errors": 0,
    }  # fmt: skip
    assert report["steps"][2]["changes"]["storage"]
    assert report["steps"][2]["changes"]["page"]
    assert fifth["failures"] == ["f2"]
    assert fifth["before"] == report["steps"][3]["after"] != ""
    assert report["steps"][10]["after"] == ""
    assert {promise["id"]: promise["status"] for promise in report["promises"]}["p6"] == "not_tested"
    assert report["recording"] is None
    assert [gap["what"] for gap in report["gaps"]] == ["sound of step 4", "recording"]


def test_it_knows_the_recording(filmed_run: Path) -> None:
    """Positions follow the recording's timeline, and the file is found as it was sealed."""
    report = json.loads(write_json(filmed_run).read_text(encoding="utf-8"))
    assert report["recording"]["state"] == "intact"
    assert report["recording"]["sha256"] == hashlib.sha256((filmed_run / "video.mp4").read_bytes()).hexdigest()
    assert report["steps"][0]["video_s"] == pytest.approx(1.1)
    assert report["steps"][6]["video_end_s"] == pytest.approx(1.1 + 6 * 2.9 + 1.9)


@pytest.mark.parametrize(("harm", "state"), [("altered", "altered"), ("gone", "missing")])
def test_a_recording_that_is_not_the_sealed_one_is_told(filmed_run: Path, tmp_path: Path, harm: str, state: str) -> None:
    """A changed or deleted file is not passed off as evidence."""
    run = _copied(filmed_run, tmp_path)
    film = run / "video.mp4"
    if harm == "gone":
        film.unlink()
    else:
        film.write_bytes(film.read_bytes()[:-1] + b"x")
    assert json.loads(write_json(run).read_text(encoding="utf-8"))["recording"]["state"] == state


def test_a_run_that_is_not_sealed_is_refused(tmp_path: Path) -> None:
    """Evidence that is still growing is not reported on."""
    ledger = Ledger.create(tmp_path)
    ledger.close()
    with pytest.raises(RunError, match="not sealed"):
        write_json(tmp_path)


def test_a_run_without_a_verdict_is_refused_with_the_command_to_judge_it(silent_run: Path, tmp_path: Path) -> None:
    """The hint names the verb."""
    run = _copied(silent_run, tmp_path)
    (run / VERDICT_FILE).unlink()
    with pytest.raises(RunError) as refused:
        write_json(run)
    assert "assay rescore" in refused.value.hint


@pytest.mark.parametrize(("text", "message"), [("{}", "not a verdict"), ("nonsense", "not a verdict")])
def test_a_file_that_is_no_verdict_is_refused(silent_run: Path, tmp_path: Path, text: str, message: str) -> None:
    """Neither broken JSON nor another object is taken for one."""
    run = _copied(silent_run, tmp_path)
    (run / VERDICT_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=message):
        write_json(run)


def test_a_verdict_on_another_record_is_refused(silent_run: Path, tmp_path: Path) -> None:
    """A verdict stands only with the record it was reached on."""
    run = _copied(silent_run, tmp_path)
    text = (run / VERDICT_FILE).read_text(encoding="utf-8")
    seal = Record.read(run).seal
    (run / VERDICT_FILE).write_text(text.replace(seal, "f" * 64), encoding="utf-8")
    with pytest.raises(RunError, match="another record"):
        write_json(run)


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    """One line, not a traceback from below."""
    with pytest.raises(RunError, match=LEDGER_FILE):
        write_json(tmp_path)


def test_promises_are_counted_as_the_verdict_counts_them(silent_run: Path, tmp_path: Path) -> None:
    """What a failure bears on is broken, also where the exploration saw it work: list and coverage say the same."""
    run = _copied(silent_run, tmp_path)
    report = json.loads(write_json(run).read_text(encoding="utf-8"))
    told = Counter(promise["status"] for promise in report["promises"])
    coverage = report["verdict"]["coverage"]
    assert told["shown"] + told["broken"] == coverage["requirements_exercised"]
    assert told.total() == coverage["requirements"]
    assert next(promise for promise in report["promises"] if promise["id"] == "p4")["status"] == "broken"
