"""Tables, JUnit, SARIF, gates and breakdowns."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError
from scipy.stats import binomtest

from evaluator.results import breakdown
from evaluator.results.as_junit import junit
from evaluator.results.as_sarif import sarif
from evaluator.results.gates import Gate, check, max_incomplete
from evaluator.results.joining import read_tables
from evaluator.results.rows import Scored, scored_row, unscored_row
from evaluator.results.table import read_table, write_table
from evaluator.verdict.model import Cause, Claim, Failure, Place, Proof, Score, Verdict
from evaluator.verdict.taxonomy import Blame, Category, Scale, Severity
from tests.unit.results.table_of import drawn, failure, open_row, scored
from tools.errors import UserError
from tools.queries.protocol import Query

ROWS = drawn(12, 2, 2, seed=7)
QUERY = Query(id="q1", brief="A clock", language="en", difficulty="easy", domain=("tools", "clock"))


def test_both_tables_hold_the_same_rows(tmp_path: Path) -> None:
    """What is written is read again, from either file, and from the folder."""
    parquet, lines = write_table(ROWS, tmp_path)
    assert read_table(parquet) == read_table(lines) == read_table(tmp_path) == tuple(ROWS)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["verdicts.jsonl", "verdicts.parquet"]
    table = pq.read_table(parquet)
    assert table.num_rows == len(ROWS)
    assert str(table.schema.field("functionality").type).startswith("struct<value: double")


def test_one_job_has_one_row(tmp_path: Path) -> None:
    """Two rows for one (query, model, trial) are refused when written and when read, also over several tables."""
    twice = [ROWS[0], ROWS[0]]
    with pytest.raises(UserError, match="has two rows"):
        write_table(twice, tmp_path)
    (tmp_path / "verdicts.jsonl").write_text("".join(row.model_dump_json() + "\n" for row in twice))
    with pytest.raises(UserError, match="has two rows"):
        read_table(tmp_path)
    write_table(ROWS, tmp_path / "a")
    with pytest.raises(UserError, match=r"is in .* and in a table before it"):
        read_tables([tmp_path / "a", tmp_path / "a" / "verdicts.parquet"], tmp_path)


def test_joined_tables_keep_their_runs(tmp_path: Path) -> None:
    """Runs told relative to their table's folder are found from the new one; addresses and absolute paths stay."""
    rows = [scored("q1", "m", 5.0, run="runs/r1"), scored("q2", "m", 5.0, run="s3://x/r2"), scored("q3", "m", 5.0, run="/abs/r3")]
    write_table(rows, tmp_path / "one")
    found = read_tables([tmp_path / "one"], tmp_path / "both")
    assert [row.run for row in found] == ["../one/runs/r1", "s3://x/r2", "/abs/r3"]


def test_a_row_that_is_none_is_told_with_its_place(tmp_path: Path) -> None:
    """File and line, and what is wrong with it."""
    path = tmp_path / "verdicts.jsonl"
    path.write_text(ROWS[0].model_dump_json() + '\n{"query_id": "x"}\n')
    with pytest.raises(UserError, match=r"verdicts.jsonl:2: no row of a batch: model"):
        read_table(path)
    with pytest.raises(UserError, match=r"holds no verdicts\.jsonl"):
        read_table(tmp_path / "..")


def test_rows_say_what_they_must() -> None:
    """A score only where one was reached; an incomplete row has its blame."""
    for wrong in (
        {"status": "scored"},
        {"status": "incomplete"},
        {"status": "failed", "functionality": {"value": 1, "low": 0, "high": 2}},
        {"status": "scored", "functionality": {"value": 9, "low": 0, "high": 2}},
    ):
        with pytest.raises(ValidationError):
            Scored.model_validate({"query_id": "q", "model": "m", **wrong})


def _verdict(**more: object) -> Verdict:
    """Functionality 5.5 (5 to 7), aesthetics 4; one failure of the app's, one of somebody else's."""
    first = Failure(
        id="F1", category=Category.dead_control, severity=Severity.major, scale=Scale.functionality, blame=Blame.app, title="No",
        expected="e", observed="o", origin="new", place=Place(video_s=3.5), steps=(), step_ids=(), evidence=("r1",),
        confidence=0.8, points=1.0, cause=Cause(known=True, file="app.js", line=4), proof=Proof(status="confirmed"),
    )  # fmt: skip
    other = first.model_copy(update={"id": "F2", "blame": Blame.environment})
    values: dict[str, object] = {
        "status": "complete", "seal": "s", "judge": "rubric", "rubric": "1", "failures": (first, other),
        "functionality": Score(value=5.5, value_100=68.8, baseline=8.0, items=(), low=5.0, high=7.0),
        "aesthetics": Score(value=4.0, value_100=50.0, baseline=5.0, items=(), low=4.0, high=4.0),
    }  # fmt: skip
    return Verdict.model_validate(values | more)


def test_a_verdict_becomes_a_row() -> None:
    """Scores with their intervals, the app's failures with what CI needs, and whose failing it is where there is no score."""
    row = scored_row(QUERY, "m", 2, _verdict(), run="runs/x", wall_s=60.0)
    assert row.functionality is not None
    assert (row.functionality.value, row.functionality.low, row.functionality.high) == (5.5, 5.0, 7.0)
    (told,) = row.failures
    assert (told.id, told.file, told.line, told.proof, told.video_s) == ("F1", "app.js", 4, "confirmed", 3.5)
    assert (row.language, row.difficulty, row.domain, row.trial) == ("en", "easy", ("tools", "clock"), 2)
    claims = tuple(Claim(text="t", reason="r", blame=blame) for blame in (Blame.environment, Blame.agent, Blame.environment))
    bare = scored_row(QUERY, "m", 1, _verdict(status="incomplete", not_counted=claims, reason="the browser went away"))
    assert (bare.status, bare.blame, bare.functionality) == ("incomplete", Blame.environment, None)
    assert bare.reason == "the browser went away"
    assert unscored_row(QUERY, "m", 1, status="incomplete", reason="x").blame is Blame.ambiguous
    assert unscored_row(QUERY, "m", 1, status="failed", reason="x").blame is None


def test_an_answer_without_an_app_is_scored_nought() -> None:
    """That the model gave no app is its own failing, not a gap in the table – also where a judge gives no scores at all."""
    row = scored_row(QUERY, "m", 1, _verdict(status="no_artifact", functionality=None, aesthetics=None, failures=()))
    assert (row.status, row.value(Scale.functionality), row.value("total")) == ("scored", 0.0, 0.0)


def test_junit_counts_and_tells() -> None:
    """One suite a model; failures below the threshold, errors without a score; nothing that XML cannot hold."""
    rows = [
        scored("q1", "m", 6.0, failures=(failure(1, Category.dead_control, title="\x1b[31m<b>\x00 & \ufffe"),), wall_s=2.5),
        scored("q2", "m", 3.0, failures=(failure(2, Category.wrong_result),), wall_s=1.0),
        open_row("q3", "m"),
        open_row("q3", "n", "failed"),
    ]
    root = ET.fromstring(junit(rows, fail_under=5.0))  # noqa: S314 - our own output
    assert {key: root.get(key) for key in ("tests", "failures", "errors", "time")} == {
        "tests": "4", "failures": "1", "errors": "2", "time": "3.500",
    }  # fmt: skip
    suites = {suite.get("name"): suite for suite in root}
    cases = {case.get("name"): case for case in suites["m"]}
    assert (suites["m"].get("tests"), suites["m"].get("errors")) == ("3", "1")
    assert [child.tag for child in cases["q2 (trial 1)"]] == ["failure", "system-out"]
    assert [child.tag for child in cases["q3 (trial 1)"]] == ["error"]
    assert cases["q3 (trial 1)"][0].get("type") == "environment"
    assert "<b>" in (cases["q1 (trial 1)"].findtext("system-out") or "")
    assert ET.fromstring(junit(rows)).get("failures") == "0"  # noqa: S314 - our own output


def unseen(query: str, model: str) -> Scored:
    """A job that ended in 8.0 after two clicks."""
    return scored(query, model, 8.0, enough=False, reason="only 1 of 9 requirements exercised")


def test_junit_has_no_pass_where_not_enough_was_seen() -> None:
    """Before a gate, 8.0 after two clicks is an error that says why, neither a pass nor a failure; without one it is told."""
    root = ET.fromstring(junit([unseen("q1", "m")], fail_under=5.0))  # noqa: S314 - our own output
    assert (root.get("failures"), root.get("errors")) == ("0", "1")
    (error,) = root.iter("error")
    assert "not enough seen: only 1 of 9 requirements exercised" in (error.get("message") or "")
    assert ET.fromstring(junit([unseen("q1", "m")])).get("errors") == "0"  # noqa: S314 - our own output


def test_not_enough_seen_passes_no_gate() -> None:
    """Exit code 3 where a least score is asked for, however high the value; jobs without a score may be allowed for."""
    rows = [scored("q1", "a", 7.0), unseen("q2", "a")]
    ruling = check(rows, Gate(fail_under=5.0))
    assert ruling.exit_code == 3
    assert ruling.lines == (
        "Of 1 of 2 jobs not enough was seen to pass a gate (first: a, q2, trial 1: only 1 of 9 requirements exercised).",
    )
    assert check(rows, Gate()).exit_code == 0
    assert check(rows, Gate(fail_under=5.0, max_incomplete=1)).exit_code == 0
    assert check([*rows, scored("q3", "b", 2.0)], Gate(fail_under=5.0)).exit_code == 1, "a low mean is surer than that"


def test_sarif_has_a_result_for_each_failure_that_counts() -> None:
    """Rules are the taxonomy, levels the severities, places the source where it is known; what has no score is notified."""
    rows = [
        scored(
            "q1", "m", 5.0,
            failures=(
                failure(1, Category.dead_control, severity=Severity.critical, file="src/a b.js", line=12),
                failure(2, Category.low_contrast, severity=Severity.minor),
                failure(3, Category.other, proof="not_reproduced"),
            ),
        ),
        open_row("q2", "m"),
    ]  # fmt: skip
    document = json.loads(sarif(rows))
    (run,) = document["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [category.value for category in Category]
    assert [(item["ruleId"], item["level"]) for item in run["results"]] == [("dead_control", "error"), ("low_contrast", "note")]
    assert all(run["tool"]["driver"]["rules"][item["ruleIndex"]]["id"] == item["ruleId"] for item in run["results"])
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "src/a%20b.js"}, "region": {"startLine": 12}}
    assert "physicalLocation" not in run["results"][1]["locations"][0]
    prints = [item["partialFingerprints"]["assayFailure/v1"] for item in run["results"]]
    assert len(set(prints)) == 2
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert [note["properties"]["blame"] for note in invocation["toolExecutionNotifications"]] == ["environment"]
    assert sarif(rows) == sarif(rows)


@pytest.mark.parametrize(
    ("gate", "code", "lines"),
    [
        ({}, 0, 0),
        ({"fail_under": 4.0}, 0, 0),
        ({"fail_under": 4.6}, 1, 1),
        ({"max_incomplete": 0}, 3, 1),
        ({"max_incomplete": 1}, 0, 0),
        ({"max_incomplete": 0.3}, 0, 0),
        ({"max_incomplete": 0.2}, 3, 1),
        ({"max_incomplete": 0.2, "fail_under": 7}, 3, 3),
    ],
)
def test_gates_give_exit_codes(gate: dict[str, float], code: int, lines: int) -> None:
    """Model a has 4.5, b 5.0; one of four jobs has no score. Too many without a score weighs more than a low mean."""
    rows = [scored("q1", "a", 4.5), scored("q1", "b", 4.0), scored("q2", "b", 6.0), open_row("q2", "a")]
    ruling = check(rows, Gate(**gate))
    assert (ruling.exit_code, len(ruling.lines)) == (code, lines)


def test_a_table_without_any_score_passes_no_gate() -> None:
    """Nothing scored is not a pass."""
    ruling = check([open_row("q", "m"), open_row("q", "n", "failed")], Gate())
    assert ruling.exit_code == 3
    assert ruling.lines == ("2 of 2 jobs have no score (1 environment, 1 user).",)
    assert check([], Gate()).exit_code == 3


@pytest.mark.parametrize(
    ("given", "value"), [("5", 5.0), ("0", 0.0), ("0.1", 0.1), ("10%", 0.1), ("1", 1.0), ("100%", float("inf"))]
)
def test_limits_of_incomplete_jobs_are_numbers_or_shares(given: str, value: float) -> None:
    """A number of jobs or a share of them."""
    assert max_incomplete(given) == pytest.approx(value)


@pytest.mark.parametrize("given", ["-1", "many", "1.5", "nan", "inf", ""])
def test_other_limits_are_refused(given: str) -> None:
    """With one line."""
    with pytest.raises(UserError, match="--max-incomplete"):
        max_incomplete(given)


def test_breakdowns_against_hand_counts() -> None:
    """Categories per app, reliability per bin, trials, spending, blame."""
    rows = [
        scored("q1", "m", 4.0, failures=(failure(1, Category.other), failure(2, Category.other)), cost_usd=0.5, wall_s=10.0),
        scored(
            "q1",
            "m",
            6.0,
            trial=2,
            failures=(failure(3, Category.unstyled, confidence=0.35, proof="not_reproduced"),),
            wall_s=30.0,
        ),
        open_row("q2", "m"),
    ]
    (only,) = breakdown.defects(rows)
    assert (only.category, only.apps, only.share, only.failures, only.points) == (Category.other, 1, 0.5, 2, 2.0)
    told = breakdown.reliability(rows)
    assert [(line.low, line.attempted, line.confirmed) for line in told.bins] == [(0.3, 1, 0), (0.9, 2, 2)]
    assert told.error == pytest.approx((0.35 + 2 * 0.1) / 3)
    (spread,) = breakdown.trials(rows, "functionality")
    assert (spread.queries, spread.deviation, spread.widest) == (1, pytest.approx(2**0.5), 2.0)
    (spent,) = breakdown.spending(rows)
    assert (spent.cost_usd, spent.cost_unknown, spent.wall_s, spent.wall_s_median) == (0.5, 2, 40.0, 20.0)
    assert breakdown.unfinished(rows) == {"m": {"environment": 1}}
    assert breakdown.spread([scored("q", "m", 8.0), scored("r", "m", 0.49)], "functionality") == {"m": {0.0: 1, 7.5: 1}}


@pytest.mark.parametrize(("hits", "of"), [(0, 5), (5, 5), (3, 7), (50, 100)])
def test_wilson_is_scipys(hits: int, of: int) -> None:
    """The interval of a share agrees with scipy's."""
    known = binomtest(hits, of).proportion_ci(method="wilson")
    assert breakdown.wilson(hits, of) == pytest.approx((known.low, known.high), abs=1e-6)
