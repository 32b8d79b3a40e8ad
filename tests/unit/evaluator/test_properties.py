"""What must hold of verdicts over any record: bounds, sums, order of rows, blame, more failures; and how long judging takes."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as some

from evaluator.scoring.arithmetic import holds
from evaluator.verdict.model import Score, Verdict
from tests.unit.evaluator.records import SITE, Run, judged, promise
from tools.evidence.record import Record
from tools.evidence.rows import Box
from tools.evidence.trial_rows import Noted
from tools.probes.symptoms import SYMPTOMS

SOMETIMES = settings(deadline=None, max_examples=25)
PROMISES = (
    promise("p1", "add items", central=True, keywords=("add",)),
    promise("p2", "help", keywords=("help",)),
    promise("p3", "sound", aspect="sound"),
)
SELECTORS = ("#add", "#clear", "#help", "ul > li:nth-of-type(2)", "ul > li:nth-of-type(3)", "p.note")

Fact = tuple[str, Callable[[Run], object]]
"""A thing that is written into a run, with its name for failing examples."""


def _finding(symptom: str, selector: str, viewport: str, at: float) -> Fact:
    def write(run: Run) -> None:
        run.now_ms = at
        run.finding(
            symptom, f"{symptom} at {selector}", selector=selector, viewport=viewport, box=Box(x=1, y=2, width=30, height=9)
        )

    return f"{symptom} {selector} {viewport} {at}", write


def _violated(relation: str, selector: str, promise_id: str, result: Any) -> Fact:
    def write(run: Run) -> None:
        run.tried(result, selector, by=relation, requirements=(promise_id,) if promise_id else ())

    return f"{relation} {selector} {promise_id} {result}", write


def _noted(what: str) -> Fact:
    def write(run: Run) -> None:
        run.add(Noted(what=what, where="#add"), parent=run.works("#add").id)

    return f"noted {what}", write


def _works(selector: str, promise_id: str) -> Fact:
    return f"works {selector}", lambda run: run.works(selector, promise=promise_id)


def _environment(url: str, resource: str) -> Fact:
    return f"refused {url}", lambda run: run.refused(url, resource)


def _hang() -> Fact:
    def write(run: Run) -> None:
        run.act(selector="#clear")
        run.event("hang", "no answer", at=run.now_ms)

    return "hang", write


FINDINGS = some.builds(
    _finding,
    some.sampled_from([*sorted(SYMPTOMS), "axe.label", "axe.button-name", "strange.thing"]),
    some.sampled_from([*SELECTORS, ""]),
    some.sampled_from(["desktop", "mobile"]),
    some.sampled_from([600.0, 700.0, 800.0]),
)
FAILED = some.builds(
    _violated,
    some.sampled_from(
        ["does_something", "totals_follow", "added_item_appears", "added_survives", "escape_closes", "bounds_hold", "person"]
    ),
    some.sampled_from(SELECTORS),
    some.sampled_from(["", "p1", "p2", "p9"]),
    some.sampled_from(["violated", "violated", "explained", "stopped"]),
)
NOTED = some.builds(_noted, some.sampled_from(["the total looks wrong", "a card is empty"]))
WORKED = some.builds(_works, some.sampled_from(SELECTORS), some.sampled_from(["", "p1", "p2"]))
ENVIRONMENT = some.sampled_from(
    [
        _environment("https://cdn.jsdelivr.net/npm/chart.js", "script"),
        _environment("https://cdn.tailwindcss.com/", "script"),
        _environment("https://fonts.googleapis.com/css2?family=Inter", "stylesheet"),
        _environment("https://unpkg.com/@picocss/pico@2/css/pico.min.css", "stylesheet"),
        _environment("https://images.example/one.png", "image"),
        _environment("https://api.example/v1", "fetch"),
        _environment("https://cdnjs.cloudflare.com/ajax/libs/p5.js/1.4.0/p5.js", "script"),
    ]
)
ERRORS = some.sampled_from([("error at load", lambda run: run.error("TypeError: list is null", line=18)), ("hang", _hang()[1])])
FACTS = some.lists(FINDINGS | FAILED | WORKED | NOTED, max_size=8)


def _judge(facts: Sequence[Fact]) -> tuple[Verdict, Record]:
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder), promises=PROMISES)
        for _, write in facts:
            write(run)
        record = run.seal()
        return judged(record), record


def _value(score: Score | None) -> float | None:
    return None if score is None else score.value


def _without_ids(verdict: Verdict, record: Record) -> Any:
    """The verdict with each row id replaced by what the row says, so that runs with other numbers can be compared."""

    def told(row_id: str) -> str:
        row = record.row(row_id)
        assert row is not None
        body = row.body.model_dump(mode="json")
        for name in ("before", "after", "screenshot", "steps"):
            body.pop(name, None)
        return json.dumps(body, sort_keys=True)

    values = json.loads(verdict.to_json())
    values.pop("seal")

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: sorted(map(told, item)) if key in {"evidence", "step_ids"} else walk(item) for key, item in value.items()
            }
        return [walk(item) for item in value] if isinstance(value, list) else value

    return walk(values)


@SOMETIMES
@given(some.lists(FINDINGS | FAILED | WORKED | NOTED | ENVIRONMENT | ERRORS, max_size=10))
def test_any_record_is_judged_within_the_scale(facts: list[Fact]) -> None:
    """0 ≤ low ≤ value ≤ high ≤ 8; items add up; every failure cites rows of the record and has an id of its own; same bytes."""
    verdict, record = _judge(facts)
    for score in (verdict.functionality, verdict.aesthetics):
        if score is None:
            assert verdict.status == "incomplete"
            continue
        assert 0.0 <= score.low <= score.value <= score.high <= 8.0
        raw = min(max(score.baseline + sum(item.points for item in score.items), 0.0), 8.0)
        held = [limit for limit in score.limits if holds(limit, verdict.failures)]
        for limit in sorted(held, key=lambda entry: entry.kind != "floor"):
            raw = max(raw, limit.value) if limit.kind == "floor" else min(raw, limit.value)
        assert abs(raw - score.value) < 1e-9
    ids = [entry.id for entry in verdict.failures]
    assert len(ids) == len(set(ids))
    for failure in verdict.failures:
        assert failure.evidence
        assert all(record.row(entry) is not None for entry in (*failure.evidence, *failure.step_ids))
    assert Verdict.model_validate_json(verdict.to_json()) == verdict


@SOMETIMES
@given(some.lists(FINDINGS | ENVIRONMENT, max_size=8), some.randoms(use_true_random=False))
def test_the_order_of_independent_rows_changes_ids_only(facts: list[Fact], random: Any) -> None:
    """Findings and failed requests in another order: the same verdict but for the numbers of the rows."""
    shuffled = list(facts)
    random.shuffle(shuffled)
    assert _without_ids(*_judge(facts)) == _without_ids(*_judge(shuffled))


@SOMETIMES
@given(FACTS, FINDINGS | FAILED | some.just(_hang()))
def test_one_more_defect_never_raises_a_score(facts: list[Fact], more: Fact) -> None:
    """A further finding, violated trial or hang leaves both scores where they were or lower."""
    before, _ = _judge(facts)
    after, _ = _judge([*facts, more])
    for old, new in ((before.functionality, after.functionality), (before.aesthetics, after.aesthetics)):
        assert old is not None
        assert new is not None
        assert new.value <= old.value, (more[0], [name for name, _ in facts])


@SOMETIMES
@given(some.lists(FINDINGS | FAILED | WORKED | ERRORS, max_size=8), ENVIRONMENT)
def test_the_environment_never_lowers_a_score(facts: list[Fact], refused: Fact) -> None:
    """What the environment refuses may excuse the app or make a scale unknowable; it takes no point away."""
    before, _ = _judge(facts)
    after, _ = _judge([*facts, refused])
    for old, new in ((before.functionality, after.functionality), (before.aesthetics, after.aesthetics)):
        if old is not None and new is not None:
            assert new.value >= old.value, (refused[0], [name for name, _ in facts])


def test_judging_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    """No time of day, no order of sets, no chance: two judges in two readings agree to the byte."""
    run = Run(tmp_path, promises=PROMISES)
    run.error("TypeError: list is null", line=18)
    for selector in SELECTORS:
        run.dead(selector)
        run.finding("contrast.low", "faint", selector=selector)
    run.refused("https://cdn.jsdelivr.net/npm/chart.js")
    record = run.seal()
    assert judged(record).to_json() == judged(Record.read(tmp_path)).to_json()


def test_ids_are_the_same_in_another_run_on_another_port(tmp_path: Path) -> None:
    """The same defects in a second run, met in another order and at other times, have the same ids."""
    first, second = Run(tmp_path / "a"), Run(tmp_path / "b")
    first.dead("#add")
    first.finding("contrast.low", "faint", selector="p.note")
    second.finding("contrast.low", "faint, again", selector="p.note")
    second.act(selector="#clear", changed=True)
    second.dead("#add")
    assert {failure.id for failure in first.judge().failures} == {failure.id for failure in second.judge().failures}


def test_a_long_run_is_judged_in_time(tmp_path: Path) -> None:
    """60 trials, 3,000 rows, 300 buttons a page model, a page of 4,500 elements: judged within 2 s of processor time."""
    cards = "".join(
        f'<li class="card c{n}"><button id="b{n}">Like {n}</button><p class="note">text</p></li>\n' for n in range(1500)
    )
    script = "\n".join(f"document.getElementById('b{n}').addEventListener('click', () => like({n}));" for n in range(1500))
    page = (
        f"<html><head><style>.note {{ color: #bbb }}</style></head><body><ul>{cards}</ul><script>{script}</script></body></html>"
    )
    marks = [
        {
            "selector": f"#b{n}",
            "frame": "",
            "role": "button",
            "name": f"Like {n}",
            "box": {"x": 1, "y": n, "width": 60, "height": 20},
        }
        for n in range(300)
    ]
    run = Run(tmp_path, source=page, marks=marks, promises=PROMISES)
    run.error("TypeError: x is null", line=900)
    for number in range(1020):
        run.finding("contrast.low", f"faint {number}", selector=f"ul > li:nth-of-type({number + 1}) > p.note")
    for step in range(60):
        logged = [run.console(f"failed to save {line % 7}") for line in range(25)]
        requests = [run.failed(f"{SITE}img/{step}-{line}.png", "image") for line in range(3)]
        by = "does_something" if step % 3 else "totals_follow"
        run.tried("violated", f"#b{step * 3}", by=by, during=[*logged, *requests])
    run.recorded()
    run.seal()
    begun = time.process_time()
    record = Record.read(tmp_path)
    verdict = judged(record)
    assert time.process_time() - begun < 2.0
    assert len(record.rows) >= 3000
    assert verdict.failures
