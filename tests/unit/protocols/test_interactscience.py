"""InteractScience's figures from reports, and pages from answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.protocols.interactscience.pages import page_of, write_pages
from evaluator.protocols.interactscience.scores import (
    Case,
    Looks,
    action_rate,
    clip_score,
    difficulty,
    judge_score,
    pft,
    read_report,
)
from tools.errors import UserError

NO_BASELINE = "Error: A snapshot doesn't exist at /x/PFT_tests/a.spec.js-snapshots/a-chromium-linux.png, writing actual."
FOREIGN = (
    "Error: \x1b[2mexpect(\x1b[22mlocator).toHaveScreenshot(expected)\n\n"
    "  Expected an image 960px by 720px, received 100px by 720px. 2309 pixels (ratio 0.01 of all image pixels) differ.\n\n"
    "Expected: ./PFT_tests/a.spec.js-snapshots/b-chromium-linux.png"
)
NUMBER = 'Error: Timed out\n\nLocator: x\nExpected string: \x1b[32m"5\x1b[7m.0\x1b[27m"\x1b[39m\nReceived string: \x1b[31m"5"'
VALUE = 'Error: Timed out\n\nLocator: x\nExpected string: "7"\nReceived string: "5"'


def _spec(title: str, status: str = "passed", message: str = "", retried: bool = False) -> dict[str, Any]:
    results = [{"status": status, "errors": [{"message": message}] if message else []}]
    if retried:
        results.insert(0, {"status": "failed", "errors": [{"message": "x"}]})
    return {"title": title, "tests": [{"results": results}]}


def _suite(
    file: str, *specs: dict[str, Any], inside: tuple[dict[str, Any], ...] = (), deeper: tuple[dict[str, Any], ...] = ()
) -> dict[str, Any]:
    inner = {"title": "block", "file": file, "specs": list(inside), "suites": []}
    if deeper:
        inner["suites"] = [{"title": "deeper", "file": file, "specs": list(deeper)}]
    return {"title": file, "file": file, "specs": list(specs), "suites": [inner] if inside or deeper else []}


def _report(tmp_path: Path, *suites: dict[str, Any]) -> Path:
    path = tmp_path / "report.json"
    path.write_text(json.dumps({"config": {}, "suites": list(suites), "stats": {}}), encoding="utf-8")
    return path


def test_both_modes_by_hand(tmp_path: Path) -> None:
    """a: 2 of 3 in a block; b: 1 of 1 at the top, seen by strict only; c: a missing baseline, a broken spec and a pass."""
    path = _report(
        tmp_path,
        _suite("a.spec.js", inside=(_spec("1"), _spec("2", retried=True), _spec("3", "failed", VALUE))),
        _suite("b.spec.js", _spec("1")),
        _suite("c.spec.js", inside=(_spec("1", "failed", NO_BASELINE), _spec("2", "failed", NUMBER), _spec("3"))),
    )
    cases = read_report(path)
    compat = pft(cases, "compat")
    assert (compat.passed, compat.tests, compat.files, compat.counted) == (3, 6, 2, 7)
    assert compat.overall == pytest.approx(3 / 6)
    assert compat.average == pytest.approx((2 / 3 + 1 / 3) / 2)
    assert compat.perfect == 0.0
    strict = pft(cases, "strict")
    assert (strict.passed, strict.tests, strict.files, strict.counted) == (4, 5, 3, 7)
    assert strict.average == pytest.approx((2 / 3 + 1 + 1) / 3)
    assert strict.perfect == pytest.approx(2 / 3)
    assert strict.apart == {"broken_spec": 1, "no_baseline": 1}


@pytest.mark.parametrize(
    ("status", "message", "apart"),
    [
        ("failed", NO_BASELINE, "no_baseline"),
        ("failed", FOREIGN, "foreign_baseline"),
        ("failed", NUMBER, "broken_spec"),
        ("failed", "TypeError: file.slice is not a function", "broken_spec"),
        ("failed", "Error: locator.fill: Error: Malformed value", "broken_spec"),
        ("failed", VALUE, None),
        ("failed", "Error: page.goto: net::ERR_FILE_NOT_FOUND at file:///x/pages/a.html", None),
        ("timedOut", "Test timeout of 30000ms exceeded.", None),
        ("skipped", "", "not_run"),
        ("interrupted", "", "not_run"),
    ],
)
def test_what_says_nothing_about_the_page_is_set_apart(status: str, message: str, apart: str | None, tmp_path: Path) -> None:
    """A page that is missing, slow or wrong fails; a spec that nobody could pass is told apart."""
    (case,) = read_report(_report(tmp_path, _suite("a.spec.js", inside=(_spec("1", status, message),))))
    assert (case.apart, case.passed, bool(case.why)) == (apart, False, apart is not None)


def test_nested_blocks_and_titles(tmp_path: Path) -> None:
    """The released script sees one level of blocks; strict sees all, and titles tell the way."""
    cases = read_report(_report(tmp_path, _suite("a.spec.js", inside=(_spec("1"),), deeper=(_spec("2", "failed", VALUE),))))
    assert [case.title for case in cases] == ["block › 1", "block › deeper › 2"]
    assert (pft(cases, "compat").overall, pft(cases, "strict").overall) == (1.0, 0.5)


def test_nothing_left_to_count_is_not_measured(tmp_path: Path) -> None:
    """Rates over no test are None, not 0."""
    cases = read_report(_report(tmp_path, _suite("a.spec.js", _spec("1"))))
    assert (pft(cases, "compat").overall, pft(cases, "compat").perfect) == (None, None)
    assert action_rate(()) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"suites": [{}]}', '{"suites": [{"file": "a", "specs": [1]}]}'])
def test_other_files_are_refused(text: str, tmp_path: Path) -> None:
    """One line with the file."""
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(UserError, match=r"x\.json"):
        read_report(path)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=30))
def test_rates_hang_together(drawn: list[tuple[int, bool]]) -> None:
    """Overall is between the worst and the best file; perfect needs every test of a file; order does not matter."""
    cases = [
        Case(file=f"f{file}", title=str(n), passed=passed, in_describe=True, status="passed" if passed else "failed")
        for n, (file, passed) in enumerate(drawn)
    ]
    found = pft(cases, "strict")
    assert found == pft(cases[::-1], "strict")
    by_file = [[passed for file, passed in drawn if file == name] for name in {file for file, _ in drawn}]
    rates = [sum(group) / len(group) for group in by_file]
    assert found.overall is not None
    assert min(rates) - 1e-9 <= found.overall <= max(rates) + 1e-9
    assert found.perfect == pytest.approx(sum(all(group) for group in by_file) / len(by_file))
    assert found.average == pytest.approx(sum(rates) / len(rates))


def test_visual_figures_by_hand() -> None:
    """CLIP: means of problems (0.8+0)/2 and 0.6, times 100; judge: rows 4, 0 and 3 on average, times 20."""
    rows = [
        Looks(id="p", screenshot=1, clip=0.8, items=(5, 3)),
        Looks(id="p", screenshot=2, missing=True),
        Looks(id="r", screenshot=1, clip=0.6, items=(3,)),
        Looks(id="r", screenshot=2),
    ]
    assert clip_score(rows) == pytest.approx(50.0)
    assert judge_score(rows) == pytest.approx(20 * (4 + 0 + 3) / 3)
    assert clip_score([]) is None


@pytest.mark.parametrize(("count", "word"), [(1, "easy"), (3, "easy"), (4, "medium"), (6, "medium"), (7, "hard"), (10, "hard")])
def test_difficulty_by_components(count: int, word: str) -> None:
    """1–3 easy, 4–6 medium, 7–10 hard."""
    assert difficulty(count) == word


ANSWER = "Here:\n```html\n<!doctype html><html><body><script>const a = '&lt;b&gt;';</script><p>x</p></body></html>\n```\nDone."


def test_pages_are_taken_out_in_both_ways(tmp_path: Path) -> None:
    """Compat resolves entities and so alters code; strict leaves it; upper case and an open fence have a page in strict only."""
    compat, strict = page_of("p", ANSWER, "compat"), page_of("p", ANSWER, "strict")
    assert compat.html is not None
    assert "'<b>'" in compat.html
    assert strict.html is not None
    assert "'&lt;b&gt;'" in strict.html
    odd = ANSWER.replace("```html", "```HTML").replace("```\nDone.", "")
    assert page_of("p", odd, "compat").html is None
    assert page_of("p", odd, "strict").html is not None
    nothing = page_of("q/../r", "I can't do that.", "strict")
    assert write_pages([strict, nothing], tmp_path) == ["q/../r"]
    assert [path.name for path in tmp_path.iterdir()] == ["p.html"]
