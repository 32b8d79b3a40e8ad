"""Labelled corpora read into one form, and failures paired with their labels."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from agent.calibration.selection import select
from evaluator.calibration.corpora import Label, Work, held_back, read_corpus
from evaluator.calibration.matching import Question, pair, read_answers, write_sheet
from evaluator.verdict.model import Verdict
from evaluator.verdict.taxonomy import Category, scale_of
from tools.errors import UserError
from tools.meaning import Meaning

MEANING = Meaning()


def laid_out(work: Work, into: Path) -> Path:
    """Where a work's page lies. The agent's, which is not there while it is made over."""
    return pytest.importorskip("agent.calibration.corpus_runs", exc_type=ImportError).lay_out(work, into)


def verdict(*failures: tuple[str, str, str]) -> Verdict:
    """A verdict with failures given by category, selector and title."""
    told = [
        {
            "id": f"f{at}",
            "category": category,
            "severity": "major",
            "scale": scale_of(Category(category)).value,
            "blame": "app",
            "title": title,
            "expected": "",
            "observed": "",
            "origin": "new",
            "place": {"selector": selector},
            "steps": [],
            "step_ids": [],
            "evidence": ["e1"],
            "confidence": 1.0,
            "proof": {"status": "confirmed"},
        }
        for at, (category, selector, title) in enumerate(failures)
    ]
    base = {"status": "complete", "seal": "s", "judge": "j", "rubric": "1", "functionality": None, "aesthetics": None}
    return Verdict.model_validate({**base, "failures": told})


def work(*labels: Label, complete: bool = False) -> Work:
    """A work with labels."""
    return Work(corpus="c", app="a", name="a", brief="", labels=labels, complete=complete)


BLANK = Label(id="1", text="blank items are not added to the list", holds=False, bug="a blank item is added")
KEPT = Label(id="2", text="items are kept after a reload", holds=True)


def test_the_suite_that_comes_with_assay_is_a_corpus() -> None:
    """Its clean apps are right, its faults have a place; injections and harmless variants are no labels."""
    works = read_corpus("suite")
    assert len({work.app for work in works}) == 13
    assert sum(work.right is True for work in works) == 13
    faulty = [work for work in works if not work.right]
    assert all(len(work.labels) == 1 and not work.labels[0].holds for work in faulty)
    assert len({work.key for work in works}) == len(works)


def test_cases_give_two_works_each(tmp_path: Path) -> None:
    """The right page holds all that must not be denied; the faulty one has the fault besides."""
    folder = tmp_path / "01-a"
    folder.mkdir()
    told = {"brief": "b", "language": "en", "fault": "broken", "right": "works", "how": "press", "must_not": ["m"]}
    (folder / "case.json").write_text(json.dumps(told), encoding="utf-8")
    (folder / "right.html").write_text("<p>r", encoding="utf-8")
    (folder / "faulty.html").write_text("<p>f", encoding="utf-8")
    right, faulty = read_corpus("cases", tmp_path)
    assert [label.holds for label in right.labels] == [True]
    assert [label.holds for label in faulty.labels] == [True, False]
    assert (faulty.html, faulty.app, faulty.right) == ("<p>f", "01-a", False)


def test_webtestbench_items_are_labels(tmp_path: Path) -> None:
    """Only apps whose archive is there; a checklist is not complete."""
    (tmp_path / "apps").mkdir()
    with zipfile.ZipFile(tmp_path / "apps" / "W_1.zip", "w") as archive:
        archive.writestr("W_1/package.json", "{}")
    checklist = [
        {"id": 1, "content": "c", "class": "functionality", "pass": False, "bug": "b"},
        {"id": 2, "content": "d", "pass": True},
    ]
    rows = [{"index": name, "instruction": "i", "category": "x", "checklist": checklist} for name in ("W_1", "W_2")]
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (only,) = read_corpus("webtestbench", tmp_path)
    assert [label.holds for label in only.labels] == [False, True]
    assert not only.complete
    assert laid_out(only, tmp_path / "laid").name == "W_1"


def test_todomvc_apps_come_out_of_one_archive(tmp_path: Path) -> None:
    """An app is laid out without its neighbours; a failed app without a named fault does not make other accusations false."""
    with zipfile.ZipFile(tmp_path / "apps.zip", "w") as archive:
        archive.writestr("examples/a/index.html", "<p>a")
        archive.writestr("examples/b/index.html", "<p>b")
    apps = {
        "a": {"verdict": "failed", "faults": ["k"], "path": "index.html"},
        "b": {"verdict": "failed", "faults": [], "path": "index.html"},
    }
    (tmp_path / "labels.json").write_text(json.dumps({"kinds": {"k": "kind"}, "apps": apps}), encoding="utf-8")
    first, second = read_corpus("todomvc", tmp_path)
    assert not first.looks
    assert (first.complete, second.complete) == (True, False)
    laid = laid_out(first, tmp_path / "laid")
    assert (laid / "index.html").read_text(encoding="utf-8") == "<p>a"
    assert not (laid.parent / "b").exists()


def test_an_archive_that_reaches_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    """A project's archive is somebody else's."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("../out.html", "x")
    bad = Work(corpus="c", app="a", name="a", brief="", archive=str(tmp_path / "a.zip"), labels=(), complete=False)
    with pytest.raises(UserError, match="outside of its own folder"):
        laid_out(bad, tmp_path / "laid")
    assert not (tmp_path / "out.html").exists()


@pytest.mark.parametrize(
    ("name", "folder", "says"),
    [("nosuch", None, "no corpus called 'nosuch'"), ("cases", None, "does not come with Assay"), ("cases", "gone", "no folder")],
)
def test_what_is_no_corpus_is_refused(name: str, folder: str | None, says: str, tmp_path: Path) -> None:
    """One line says what is wrong."""
    with pytest.raises(UserError, match=says):
        read_corpus(name, tmp_path / folder if folder else None)


def test_a_third_of_the_apps_is_held_back_by_seed() -> None:
    """Whole apps, the same for the same seed; the parts make up the whole."""
    works = read_corpus("suite")
    held = held_back(works, 5)
    assert len(held) == 4
    assert held == held_back(works, 5) != held_back(works, 6)
    parts = [select(works, held, only=(), limit=None, seed=1, part=part) for part in ("open", "held-back")]
    assert sorted(work.key for part in parts for work in part) == sorted(work.key for work in works)
    assert len(select(works, held, only=(), limit=7, seed=1, part="all")) == 7
    with pytest.raises(UserError, match="no app called 'x'"):
        select(works, held, only=("x",), limit=None, seed=1, part="all")


def test_a_failure_is_paired_by_place_where_the_label_has_one() -> None:
    """Same element and a kind that could be taken for it; the words need not be alike."""
    label = Label(id="d", text="nothing alike", holds=False, place="#save", category="dead_control")
    found, asked = pair(
        work(label), verdict(("input_ignored", "#save", "Pressing Save"), ("low_contrast", "#save", "Pale")), MEANING, {}
    )
    assert [(item.label, item.by) for item in found] == [("d", "place"), ("", "")]
    assert asked == []


def test_a_failure_is_paired_by_meaning_and_the_unsure_is_asked(tmp_path: Path) -> None:
    """Alike: sure. Somewhat alike: a question. Unlike: no label."""
    said = verdict(
        ("wrong_result", "", "A blank item is added to the list"),
        ("wrong_result", "", "The list shows an empty entry after pressing Enter"),
        ("wrong_result", "", "The heading is pale"),
    )
    found, asked = pair(work(BLANK, KEPT), said, MEANING, {})
    assert [(item.label, item.sure) for item in found] == [("1", True), ("1", False), ("", True)]
    assert found[0].right is True
    assert found[1].right is None
    assert [item.label for item in asked] == ["1"]
    sheet = tmp_path / "unsure.jsonl"
    assert write_sheet(sheet, asked, {}) == 1
    answered = Question.model_validate_json(sheet.read_text(encoding="utf-8")).model_copy(update={"answer": "same"})
    sheet.write_text(answered.model_dump_json() + "\n", encoding="utf-8")
    found, asked = pair(work(BLANK, KEPT), said, MEANING, read_answers(sheet))
    assert (found[1].by, found[1].right) == ("sheet", True)
    assert asked == []
    assert write_sheet(sheet, asked, read_answers(sheet)) == 0
    assert read_answers(sheet), "answers are kept"


def test_the_app_without_its_fault_is_the_control() -> None:
    """What it is not accused of, and is more like the fault than like anything that holds, is about the fault."""
    fault, holds = (
        ("wrong_result", "", "The list shows an empty entry after Enter"),
        ("persistence_lost", "", "A reload loses items"),
    )
    pale = ("low_contrast", "", "The heading is pale")
    found, asked = pair(work(BLANK, KEPT, complete=True), verdict(fault, holds, pale), MEANING, {}, twin=verdict())
    assert [(item.label, item.by, item.sure) for item in found] == [
        ("1", "twin", True),
        ("2", "meaning", True),
        ("1", "twin", False),
    ]
    assert [(question.label, question.said) for question in asked] == [("1", "The heading is pale")], "words don't tell: ask"
    key = asked[0].key
    found, _ = pair(work(BLANK, KEPT, complete=True), verdict(pale), MEANING, {key: "other"}, twin=verdict())
    assert (found[0].label, found[0].sure) == ("", True)
    found, _ = pair(work(BLANK, KEPT, complete=True), verdict(pale), MEANING, {}, twin=verdict(pale))
    assert (found[0].label, found[0].sure) == ("", True), "the right app is accused of it, too: nobody is asked"
    found, _ = pair(work(BLANK), verdict(fault), MEANING, {}, twin=verdict())
    assert not found[0].sure, "with nothing else to be alike it is not known"
    found, asked = pair(work(BLANK, KEPT), verdict(fault), MEANING, {}, twin=verdict(fault))
    assert (found[0].by, found[0].sure, len(asked)) == ("meaning", False, 1)


def test_what_was_judged_for_its_behaviour_says_nothing_of_looks() -> None:
    """A pale heading is neither true nor false there, and nobody is asked."""
    both = verdict(("low_contrast", "", "The heading is pale"), ("wrong_result", "", "The list shows an empty entry after Enter"))
    behaviour = work(BLANK, complete=True).model_copy(update={"looks": False})
    found, asked = pair(behaviour, both, MEANING, {})
    assert [item.category for item in found] == ["wrong_result"]
    assert all(question.said != "The heading is pale" for question in asked)


def test_an_accusation_of_what_holds_is_wrong() -> None:
    """A failure alike a passing item is an alarm."""
    found, _ = pair(work(BLANK, KEPT), verdict(("persistence_lost", "", "Items are lost after a reload")), MEANING, {})
    assert (found[0].label, found[0].right) == ("2", False)


def test_a_sheet_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """The line is named."""
    (tmp_path / "s.jsonl").write_text('{"work": "a"}\n', encoding="utf-8")
    with pytest.raises(UserError, match="line 1"):
        read_answers(tmp_path / "s.jsonl")


def test_the_encoder_knows_what_is_alike_in_other_words_and_languages() -> None:
    """The real encoder: a label, the same said otherwise, in another language, and something else."""
    meaning = Meaning()
    label = "Users can delete a task from the list"
    alike = meaning.likeness(label, "Removing a to-do from the list does not work")
    german = meaning.likeness(label, "Aufgaben lassen sich nicht aus der Liste löschen")
    other = meaning.likeness(label, "The heading has low contrast with its background")
    assert min(alike, german) > other + 0.1
    assert meaning.likeness(label, " ") == 0.0
