"""The arithmetic of scores, for any failures: bounds, sums, limits, order, and what proving changes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from evaluator.scoring.arithmetic import holds, score, zero_score
from evaluator.scoring.proofs import apply_proofs, claimed, parted
from evaluator.verdict.model import Deduction, Doubt, Failure, Limit, Place, Proof, Verdict
from evaluator.verdict.rubric import load_rubric
from evaluator.verdict.taxonomy import Blame, Category, Scale, Severity, scale_of
from tests.arithmetic import CENT, deducted, faults, owed
from tools.errors import RunError

RUBRIC = load_rubric()
CONFIRMED = Proof(status="confirmed")
OFTEN = settings(deadline=None, max_examples=80)
"""The machine may be busy: no deadline for a single example."""


def failure(
    number: int,
    category: Category = Category.dead_control,
    points: float = 1.0,
    *,
    blame: Blame = Blame.app,
    confidence: float = 0.9,
    proof: Proof = CONFIRMED,
    sealed: bool = False,
) -> Failure:
    """A failure of some weight, met again in a fresh browser unless another proof is given."""
    return Failure(
        id=f"f-{number:06d}",
        category=category,
        severity=RUBRIC.severity_of(points),
        scale=scale_of(category),
        blame=blame,
        title=f"failure {number}",
        expected="",
        observed="",
        origin="new",
        place=Place(),
        steps=(),
        step_ids=(),
        evidence=("e000001",),
        confidence=confidence,
        points=points,
        proof=proof,
        sealed=sealed,
    )


def verdict(failures: list[Failure], *, limits: list[Limit] | None = None) -> Verdict:
    """A verdict over these failures."""
    functionality, aesthetics = (score(scale, failures, RUBRIC, limits=limits or []) for scale in Scale)
    counting, suspected = parted(failures)
    return Verdict(
        status="complete",
        seal="s",
        judge="rubric",
        rubric=RUBRIC.version,
        functionality=functionality,
        aesthetics=aesthetics,
        failures=counting,
        suspected=suspected,
    )


POINTS = some.sampled_from([0.5, 1.0, 2.0, 3.0, 4.0])
STATUSES = ("confirmed", "explained", "not_reproduced", "undecided", "not_attempted")
PROOFS = some.sampled_from(STATUSES).map(lambda status: Proof.model_validate({"status": status, "reason": "r"}))
_ROWS = some.tuples(some.sampled_from(list(Category)), POINTS, some.sampled_from([0.6, 0.9, 0.99]), PROOFS, some.booleans())
ACCUSED = some.lists(_ROWS, max_size=12).map(
    lambda rows: [failure(number, *row[:2], confidence=row[2], proof=row[3], sealed=row[4]) for number, row in enumerate(rows)]
)
"""Whatever an app may be accused of, proved or not."""
FAILURES = ACCUSED.map(lambda accused: [failure.model_copy(update={"proof": CONFIRMED}) for failure in accused])
"""All of it proved."""
CEILINGS = some.builds(
    Limit,
    kind=some.just("ceiling"),
    value=some.sampled_from([0.0, 0.5, 1.0, 3.0]),
    reason=some.just("anchor"),
    rests_on=some.dictionaries(some.sampled_from(["f-000000", "f-000001", "f-000002"]), some.integers(1, 3), max_size=2),
    quorum=some.integers(1, 4),
)
LIMITS = some.lists(CEILINGS | some.just(Limit(kind="floor", value=1.0, reason="renders")), max_size=3)
DOUBTS = some.lists(
    some.builds(Doubt, down=some.floats(0, 9).map(lambda item: round(item, 2)), up=some.floats(0, 9), reason=some.just("gap")),
    max_size=4,
)


@OFTEN
@given(FAILURES, LIMITS, DOUBTS, some.sampled_from(list(Scale)))
def test_a_score_keeps_its_bounds(failures: list[Failure], limits: list[Limit], doubts: list[Doubt], scale: Scale) -> None:
    """Within 0–8; low ≤ value ≤ high; baseline + items is the value before the caps; each failure of the scale has one item."""
    result = score(scale, failures, RUBRIC, limits=limits, doubts=doubts)
    assert 0.0 <= result.low <= result.value <= result.high <= 8.0
    assert result.value_100 == pytest.approx(result.value * 12.5, abs=0.051)
    total = result.baseline + sum(item.points for item in result.items)
    if not result.caps:
        assert result.value == pytest.approx(total)
    assert sorted(item.failure for item in result.items) == sorted(failure.id for failure in failures if failure.scale is scale)
    assert all(-failure.points <= item.points <= 0 for item in result.items for failure in failures if failure.id == item.failure)
    for limit in RUBRIC.limit:
        ids = {failure.id for failure in failures if failure.category in limit.categories}
        assert -sum(item.points for item in result.items if item.failure in ids) <= limit.points + 1e-9


@OFTEN
@given(FAILURES, LIMITS, some.sampled_from(list(Category)), POINTS, some.sampled_from(list(Scale)))
def test_more_failures_never_raise_a_score(
    failures: list[Failure], limits: list[Limit], category: Category, points: float, scale: Scale
) -> None:
    """One more failure of the app, of any kind and weight, leaves each score where it is or lower."""
    before = score(scale, failures, RUBRIC, limits=limits)
    after = score(scale, [*failures, failure(99, category, points)], RUBRIC, limits=limits)
    assert after.value <= before.value


@OFTEN
@given(FAILURES, some.randoms(use_true_random=False), some.sampled_from(list(Scale)))
def test_the_order_of_failures_does_not_matter(failures: list[Failure], random: object, scale: Scale) -> None:
    """A score is the same whatever order its failures come in."""
    shuffled = list(failures)
    random.shuffle(shuffled)  # pyright: ignore[reportAttributeAccessIssue] - hypothesis gives a random.Random
    assert score(scale, shuffled, RUBRIC) == score(scale, failures, RUBRIC)


@OFTEN
@given(FAILURES, some.sampled_from([failure for failure in Blame if failure is not Blame.app]), some.sampled_from(list(Scale)))
def test_only_the_app_is_deducted(failures: list[Failure], blame: Blame, scale: Scale) -> None:
    """Failures that are somebody else's do not change a score."""
    others = [failure.model_copy(update={"blame": blame, "id": f"g-{failure.id}"}) for failure in failures]
    assert score(scale, [*failures, *others], RUBRIC).value == score(scale, failures, RUBRIC).value


@OFTEN
@given(ACCUSED, some.lists(PROOFS, min_size=12, max_size=12))
def test_only_proof_takes_points(accused: list[Failure], proofs: list[Proof]) -> None:
    """Σ deducted = Σ of what is confirmed, or static and sealed, within the limits of its categories; nothing else deducts.

    What is suspected changes no value: it only lets the interval reach down, by just what it would cost.
    """
    given = {failure.id: proof for failure, proof in zip(accused, proofs, strict=False)}
    after = apply_proofs(verdict(accused), given)
    assert faults(after) == []
    assert {failure.id for failure in after.failures} == {failure.id for failure in after.accused if failure.counts}
    for scale, result in ((Scale.functionality, after.functionality), (Scale.aesthetics, after.aesthetics)):
        assert result is not None
        assert deducted(result) == pytest.approx(owed([failure for failure in after.failures if failure.scale is scale]))
        alone = score(scale, after.failures, RUBRIC)
        assert result.value == alone.value
        suspects = [failure for failure in after.suspected if failure.scale is scale]
        would_cost = owed([*(failure for failure in after.failures if failure.scale is scale), *suspects]) - deducted(result)
        assert result.low == pytest.approx(max(alone.low - would_cost, 0.0), abs=CENT)
        # With everything proved the value would not lie below what the interval reaches down to.
        proved = [failure.model_copy(update={"proof": CONFIRMED}) for failure in suspects]
        assert result.low <= score(scale, [*after.failures, *proved], RUBRIC).value + 1e-9
    assert after.to_json() == apply_proofs(verdict(accused), given).to_json()


@OFTEN
@given(ACCUSED, LIMITS)
def test_suspicions_never_move_a_value(accused: list[Failure], limits: list[Limit]) -> None:
    """Whatever is suspected beside it, a score is that of what counts, anchors included."""
    for scale in Scale:
        counting = [failure for failure in accused if failure.counts]
        assert score(scale, accused, RUBRIC, limits=limits).value == score(scale, counting, RUBRIC, limits=limits).value


@OFTEN
@given(ACCUSED)
def test_what_a_judge_claims_is_told_beside_its_verdict(accused: list[Failure]) -> None:
    """As claimed, all that is accused counts, so that judges can be compared before anything is proved; the verdict stays."""
    before = verdict(accused)
    whole = [failure.model_copy(update={"proof": CONFIRMED}) for failure in accused]
    written = before.to_json()
    said = claimed(before)
    for scale, own in ((Scale.functionality, before.functionality), (Scale.aesthetics, before.aesthetics)):
        told = said[scale]
        mine = [failure for failure in whole if failure.scale is scale]
        if told is None or own is None or not mine:
            continue
        assert told.value == score(scale, whole, RUBRIC).value <= own.value
        assert deducted(told) == pytest.approx(owed(mine))
    assert before.to_json() == written
    assert faults(before) == []


@pytest.mark.parametrize("status", ["not_reproduced", "undecided", "not_attempted"])
def test_what_is_not_met_again_is_suspected(status: str) -> None:
    """It takes nothing, keeps the judge's severity, and the interval reaches down by what it would cost."""
    before = verdict([failure(1, points=3.0), failure(2, Category.low_contrast)])
    after = apply_proofs(before, {"f-000001": Proof.model_validate({"status": status, "reason": "why not"})})
    assert [item.id for item in after.failures] == ["f-000002"]
    assert [(item.id, item.severity, item.proof.reason) for item in after.suspected] == [
        ("f-000001", Severity.critical, "why not")
    ]
    assert after.functionality is not None
    assert (after.functionality.value, after.functionality.low) == (8.0, 5.0)


def test_what_its_control_explains_is_a_misreading() -> None:
    """It leaves the accused, widens nothing, and is told among what does not count, with what the control saw."""
    before = verdict([failure(1, points=3.0, proof=Proof())])
    after = apply_proofs(before, {"f-000001": Proof(status="explained", control="it was already chosen")})
    assert after.accused == ()
    assert after.functionality is not None
    assert after.functionality.low == 8.0
    assert [(item.text, item.reason, item.blame) for item in after.not_counted] == [
        ("failure 1", "it was already chosen", Blame.evaluator)
    ]


def test_what_is_static_counts_unless_a_fresh_page_contradicts_it() -> None:
    """A sealed audit needs no replay; one that a fresh page does not show is a suspicion."""
    assert failure(1, proof=Proof(), sealed=True).counts
    assert not failure(1, proof=Proof()).counts
    assert not failure(1, proof=Proof(status="not_reproduced"), sealed=True).counts


def test_a_confirmed_failure_narrows_the_interval() -> None:
    """Met again in a fresh browser: sure to 99 %, so that the upper bound comes down."""
    before = verdict([failure(1, points=3.0, confidence=0.8, proof=Proof(), sealed=True)])
    after = apply_proofs(before, {"f-000001": Proof(status="confirmed", reason="again")})
    assert before.functionality is not None
    assert after.functionality is not None
    assert (before.functionality.high, after.functionality.high) == (5.6, 5.03)
    assert after.failures[0].proof.status == "confirmed"


def test_a_limit_falls_with_the_failure_that_it_rests_on() -> None:
    """A blank page that is not blank in a fresh browser loses its ceiling with its deduction, on both scales."""
    limit = Limit(kind="ceiling", value=0.5, reason="the page is blank", rests_on={"f-000001": 1})
    before = verdict([failure(1, Category.missing_feature, 4.0)], limits=[limit])
    after = apply_proofs(before, {"f-000001": Proof(status="not_reproduced", reason="not blank")})
    for score_before, score_after, value in (
        (before.functionality, after.functionality, 8.0),
        (before.aesthetics, after.aesthetics, 5.0),
    ):
        assert score_before is not None
        assert score_after is not None
        assert score_before.value == 0.5
        assert score_after.value == value


def test_a_quorum_counts_what_failed() -> None:
    """An anchor over shares holds while enough failing things stand."""
    limit = Limit(kind="ceiling", value=1.0, reason="hardly", rests_on={"f-000001": 3, "f-000002": 1}, quorum=4)
    both = [failure(1), failure(2)]
    assert holds(limit, both)
    assert not holds(limit, both[:1])
    assert not holds(limit, [both[0], both[1].model_copy(update={"blame": Blame.agent})])


def test_proofs_of_other_verdicts_are_named() -> None:
    """A proof for a failure that is not there changes nothing and is said."""
    after = apply_proofs(verdict([]), {"f-ffffff": Proof(status="confirmed")})
    assert "f-ffffff" in after.unknown[-1]


def test_proofs_need_the_same_figures() -> None:
    """A verdict of another rubric is not recomputed with this one's figures."""
    old = verdict([]).model_copy(update={"rubric": "0-old"})
    with pytest.raises(RunError, match="assay rescore"):
        apply_proofs(old, {})


def test_bonus_is_limited() -> None:
    """Craft adds three points at most."""
    bonus = [Deduction(points=0.75, reason=f"craft {number}") for number in range(6)]
    result = score(Scale.aesthetics, [], RUBRIC, bonus=bonus)
    assert result.value == 8.0
    assert sum(item.points for item in result.items) == 3.0


def test_poor_craft_is_limited() -> None:
    """Poor craft takes off what leads from clean to unpolished and no more, whatever stands beside it."""
    poor = [Deduction(points=-0.5, reason=f"craft {number}") for number in range(9)]
    assert score(Scale.aesthetics, [], RUBRIC, bonus=poor).value == RUBRIC.baseline(Scale.aesthetics) - RUBRIC.craft.down_limit


def test_nothing_scores_nought() -> None:
    """The score of what was never there is 0 with its reason, and its interval is no interval."""
    assert (zero_score("why").value, zero_score("why").high, zero_score("why").caps) == (0.0, 0.0, ("why",))


def test_severities_match_their_points() -> None:
    """Points and severities translate into each other."""
    assert [RUBRIC.points_of(number) for number in Severity] == [3.0, 1.0, 0.5]
    assert [RUBRIC.severity_of(number).value for number in (0.5, 1.0, 2.0, 4.0)] == ["minor", "major", "critical", "critical"]


def test_json_is_canonical() -> None:
    """The same verdict gives the same bytes, with sorted keys and an end of line."""
    text = verdict([failure(1)]).to_json()
    assert text.endswith("}\n")
    assert list(json.loads(text)) == sorted(json.loads(text))
