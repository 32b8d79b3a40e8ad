"""JUnit, SARIF and Markdown of a comparison."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt

from evaluator.comparison.as_markdown import plain, summary, summary_of_works
from evaluator.comparison.ci_files import junit_of, sarif_of
from evaluator.comparison.gate import rule, rule_works
from evaluator.comparison.model import Work, Works
from evaluator.comparison.writing import folder_of
from evaluator.verdict.model import Cause, Score, Verdict
from tests.unit.comparison.failures import apart, comparison, failure, item, replay
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import RunStarted, SiteServed

HOSTILE = "Pay [here](https://evil.example) @octocat #12 <img src=x> | a `b` **c** www.evil.example"


def test_junit_has_a_case_for_each_failure_and_fails_only_what_is_worse() -> None:
    """New fails, what could not be told is an error, not seen again is skipped; gone and known ones pass."""
    first = comparison(
        item("new", "f-1"), item("not_seen_before", "f-2", replay=replay("not told")), item("not_seen_again", "f-3"),
        item("gone", "f-4"), item("both", "f-5"), functionality=apart((7, 6, 8), (4, 2, 5)),
    )  # fmt: skip
    root = ET.fromstring(junit_of([first], "minor", "assay compare"))  # noqa: S314 - our own output
    assert {key: root.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "6", "failures": "2", "errors": "1", "skipped": "1",
    }  # fmt: skip
    ends = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert ends["functionality"] == ["failure", "system-out"]
    assert ends["f-1 is wrong (f-1)"] == ["failure", "system-out"]
    assert ends["f-2 is wrong (f-2)"] == ["error", "system-out"]
    assert ends["f-3 is wrong (f-3)"] == ["skipped", "system-out"]
    assert ends["f-4 is wrong (f-4)"] == ends["f-5 is wrong (f-5)"] == ["system-out"]
    lenient = ET.fromstring(junit_of([first], "critical", "x"))  # noqa: S314 - our own output
    assert (lenient.get("failures"), lenient.get("errors")) == ("1", "0")


def record(folder: Path, subject: Path, variety: str) -> Record:
    """A run of that app, as far as its paths go."""
    ledger = Ledger.create(folder)
    ledger.append(RunStarted(brief="", brief_language="", subject=str(subject), settings={}, versions={}), producer="assay")
    entry = "http://127.0.0.1:1234/pages/start.html" if variety == "folder" else "http://127.0.0.1:1234/start.html"
    values = {"variety": variety, "base_url": "http://127.0.0.1:1234/", "entry": entry, "notes": ()}
    ledger.append(SiteServed.model_validate(values), producer="site")
    ledger.close()
    return Record.read(folder)


@pytest.mark.parametrize(
    ("variety", "subject", "known", "page"),
    [
        ("html", "web/start.html", "web/app.js", "web/start.html"),
        ("folder", "web", "web/app.js", "web/pages/start.html"),
        ("html", "../elsewhere/start.html", "app.js", ""),
    ],
)
def test_sarif_has_what_b_fails_in_at_files_of_the_repository(
    tmp_path: Path, variety: str, subject: str, known: str, page: str
) -> None:
    """Each with its state; what is gone is left out; what has no line stands at the page that was opened."""
    root = tmp_path / "repository"
    for name in ("web/start.html", "web/pages/start.html", "../elsewhere/start.html"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<p>", encoding="utf-8")
    placed = failure("f-1", cause=Cause(known=True, file="app.js", line=4))
    verdict = Verdict(
        status="complete", seal="s", judge="rubric", rubric="1", aesthetics=None, failures=(placed, failure("f-2")),
        functionality=Score(value=6, value_100=75, baseline=8, items=(), low=6, high=6),
    )  # fmt: skip
    first = comparison(item("new", "f-1"), item("seen_only_in_b", "f-2"), item("gone", "f-3"))
    told = json.loads(sarif_of([(first, verdict, record(tmp_path / "run", (root / subject).resolve(), variety))], root))
    results = told["runs"][0]["results"]
    assert {(first["message"]["text"], first["baselineState"]) for first in results} == {
        ("f-1 is wrong", "new"), ("f-2 is wrong", "unchanged"),
    }  # fmt: skip
    places = [first["locations"][0].get("physicalLocation") for first in results]
    assert places[0] == {"artifactLocation": {"uri": known}, "region": {"startLine": 4}}
    assert places[1] == ({"artifactLocation": {"uri": page}} if page else None)


def test_markdown_is_words_only() -> None:
    """Nothing that a page says is a link, a mention, a reference, markup, or the end of a cell."""
    line = plain(HOSTILE, 300)
    shown = MarkdownIt("commonmark").enable("table").render(f"| what |\n| --- |\n| {line} |\n")
    assert shown.count("<td>") == 1
    assert re.findall(r"<(?!/?(?:table|thead|tbody|tr|th|td)\b)\w+", shown) == []
    assert not re.search(r"@\w|#\d|://|www\.", line)
    assert plain("Not so: 2 items", 100) == "Not so: 2 items"
    found = item("new", b=failure("f-1", title=HOSTILE))
    first = comparison(found, functionality=apart((7, 6, 8), (6, 5, 8)))
    text = summary(first, rule([first], "minor"))
    assert text.startswith("## ❌ Something is worse\n")
    (row,) = [row for row in text.splitlines() if row.startswith("| **new**")]
    assert row.replace("\\|", "").count("|") == 5


def test_the_summary_of_works_has_a_row_for_each() -> None:
    """Those of one side only, too; details of what changed and of nothing else."""
    works = Works(
        a="x", b="y",
        works=(
            Work(name="clock", comparison=comparison(item("new"), name="clock")),
            Work(name="list", comparison=comparison(item("both"), name="list")),
            Work(name="game", only_in="b"), Work(name="quiz", problem="it is not sealed"),
        ),
    )  # fmt: skip
    text = summary_of_works(works, rule_works(works, "minor"))
    assert [name for name in ("clock", "list", "game", "quiz") if f"| {name} |" in text] == ["clock", "list", "game", "quiz"]
    assert "only in B" in text
    assert "### clock" in text
    assert "### list" not in text


def test_a_work_has_a_safe_folder_of_its_own() -> None:
    """No name leads out of the comparison's folder, and no two share one."""
    names = ("clock", "../../etc", "a/b", "a-b", "clock, gpt", "", "日本")
    folders = [folder_of(name) for name in names]
    assert len(set(folders)) == len(names)
    assert all(folder.startswith("works/") and ".." not in folder and folder.count("/") == 1 for folder in folders)
