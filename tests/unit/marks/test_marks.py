"""Marks of readers: kept beside the run, shown in its report, counted by agreement and trust."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evaluator.agreement.comparing import compare
from evaluator.agreement.marked import judged_and_marked
from evaluator.calibration.earning import table_from
from evaluator.calibration.marked import judged_by_readers
from evaluator.marks.file import MARKS_FILE, marks_on, put_mark, read_marks
from evaluator.marks.model import Opinion
from evaluator.reports.as_html import write_html
from evaluator.reports.as_json import write_json
from evaluator.reports.facts import read_run
from evaluator.verdict.model import Verdict
from tests.unit.reports.plot import Plot
from tests.unit.reports.run_folder import make_run
from tools.errors import RunError, UserError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scored run with failures; tests must not change it."""
    return make_run(tmp_path_factory.mktemp("marked") / "tidy-board", Plot(video=False))


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    """A copy of the run for one test."""
    return Path(shutil.copytree(made, tmp_path / "runs" / "tidy-board"))


def verdict_of(run: Path) -> Verdict:
    """Its verdict."""
    return read_run(run)[1]


def test_a_mark_is_kept_and_taken_back(run: Path) -> None:
    """One a failure: the later one counts. The file is JSON that names its version and the record it is about."""
    verdict = verdict_of(run)
    first, second = (failure.id for failure in verdict.accused[:2])
    put_mark(run, verdict, first, "wrong", word="it\nis  there", reader="anna")
    put_mark(run, verdict, second, "right")
    put_mark(run, verdict, first, "duplicate", word="x" * 900)
    told = json.loads((run / MARKS_FILE).read_text(encoding="utf-8"))
    assert (told["version"], told["seal"]) == (1, verdict.seal)
    found = marks_on(run, verdict)
    assert {name: failure.opinion for name, failure in found.items()} == {first: "duplicate", second: "right"}
    assert len(found[first].word) == 500
    put_mark(run, verdict, first, None)
    assert set(marks_on(run, verdict)) == {second}
    assert [failure.name for failure in run.glob("*marks*")] == [MARKS_FILE]


def test_readers_at_once_lose_nothing(run: Path) -> None:
    """Each reads and writes the file alone."""
    verdict = verdict_of(run)
    ids = [failure.id for failure in verdict.accused]
    assert len(ids) > 3
    with ThreadPoolExecutor(8) as readers:
        list(readers.map(lambda name: put_mark(run, verdict, name, "right"), ids * 3))
    assert set(marks_on(run, verdict)) == set(ids)


def test_what_is_not_accused_can_not_be_marked(run: Path) -> None:
    """One line, and no file."""
    with pytest.raises(UserError, match="has no failure 'f-none'"):
        put_mark(run, verdict_of(run), "f-none", "right")
    assert read_marks(run) is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"version": 1}', '{"version": 0, "seal": "", "marks": []}', "null", '"\\ud800"']
)
def test_a_damaged_file_is_told_and_left(run: Path, text: str) -> None:
    """Nothing is written over what somebody may want back."""
    (run / MARKS_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match="holds no marks"):
        put_mark(run, verdict_of(run), verdict_of(run).accused[0].id, "right")
    assert (run / MARKS_FILE).read_text(encoding="utf-8") == text


def test_a_later_version_is_left(run: Path) -> None:
    """It may say what this one can't keep."""
    (run / MARKS_FILE).write_text('{"version": 2, "opinions": []}', encoding="utf-8")
    with pytest.raises(RunError, match="later version"):
        put_mark(run, verdict_of(run), verdict_of(run).accused[0].id, "right")


def test_a_link_is_not_followed(run: Path, tmp_path: Path) -> None:
    """Neither read nor written through: the run may come from a stranger."""
    outside = tmp_path / "outside.json"
    outside.write_text("{}", encoding="utf-8")
    (run / MARKS_FILE).symlink_to(outside)
    with pytest.raises(RunError, match="a link"):
        put_mark(run, verdict_of(run), verdict_of(run).accused[0].id, "right")
    assert outside.read_text(encoding="utf-8") == "{}"


def test_marks_on_another_record_say_nothing(run: Path) -> None:
    """A file that was copied beside another run; a new mark replaces them."""
    verdict = verdict_of(run)
    put_mark(run, verdict, verdict.accused[0].id, "wrong")
    told = json.loads((run / MARKS_FILE).read_text(encoding="utf-8"))
    (run / MARKS_FILE).write_text(json.dumps({**told, "seal": "0" * 64}), encoding="utf-8")
    assert marks_on(run, verdict) == {}
    put_mark(run, verdict, verdict.accused[1].id, "right")
    assert set(marks_on(run, verdict)) == {verdict.accused[1].id}


def test_the_next_report_has_the_mark_beside_the_failure(run: Path) -> None:
    """On the page as text, in the data as values; without marks nothing is said."""
    verdict = verdict_of(run)
    assert 'class="reader"' not in write_html(run).read_text(encoding="utf-8")
    put_mark(run, verdict, verdict.failures[0].id, "wrong", word="<b>meant</b> so", reader="anna")
    page = write_html(run).read_text(encoding="utf-8")
    card = page.partition(f'id="failure-{verdict.failures[0].id}"')[2].partition("</article>")[0]
    assert 'Reader anna: <b class="m-wrong">wrong</b> <q dir="auto">&lt;b&gt;meant&lt;/b&gt; so</q>' in card
    assert page.count('class="reader"') == 1
    data = json.loads(write_json(run).read_text(encoding="utf-8"))
    assert [(datum["failure"], datum["opinion"]) for datum in data["marks"]] == [(verdict.failures[0].id, "wrong")]


def test_agreement_is_measured_on_marked_failures(run: Path) -> None:
    """The verdict's word, points or none, against the reader's; a duplicate and what nobody marked are in no figure."""
    verdict = verdict_of(run)
    opinions: tuple[Opinion, ...] = ("right", "wrong", "duplicate")
    for failure, opinion in zip(verdict.accused, opinions, strict=False):
        put_mark(run, verdict, failure.id, opinion, reader="anna")
    judge, marks = judged_and_marked(run.parent, run.parent)
    assert marks.scores() == {("tidy-board", verdict.accused[0].id): 1.0, ("tidy-board", verdict.accused[1].id): 0.0}
    assert judge.scores() == {("tidy-board", failure.id): float(failure.counts) for failure in verdict.accused[:2]}
    found = compare(judge, marks, top=1.0, resamples=0)
    assert (found.items, found.raters) == (2, ("anna", "rubric"))
    with pytest.raises(UserError, match="no failure is marked"):
        judged_and_marked(run.parent, run.parent / "tidy-board" / "proofs")


def test_trust_counts_what_a_reader_marked(run: Path) -> None:
    """Right and wrong by what accused; an app that was run twice is one piece of evidence, of which the last mark counts."""
    verdict = verdict_of(run)
    shutil.copytree(run, run.parent / "again")
    for folder in (run, run.parent / "again"):
        for failure in verdict.accused:
            put_mark(folder, verdict, failure.id, "right")
    judged = judged_by_readers(run.parent)
    assert len(judged) == 1
    assert len(judged[0].pairings) == len(verdict.accused)
    assert all(failure.right for failure in judged[0].pairings)
    table = table_from(judged, date="2026-11-29")
    assert table.accusers
    assert all((failure.right > 0, failure.wrong) == (True, 0) for failure in table.accusers.values())
    put_mark(run.parent / "again", verdict, verdict.accused[0].id, "duplicate")
    assert {failure.failure: failure.right for failure in judged_by_readers(run.parent)[0].pairings}[verdict.accused[0].id] in {
        None,
        True,
    }
