"""The arithmetic of scores, for any failures: bounds, sums, limits, order, and what proving changes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from evaluator.proofs import apply_proofs
from evaluator.rubric import load_rubric
from evaluator.scoring import holds, nought, score
from evaluator.taxonomy import Blame, Category, Scale, Severity, scale_of
from evaluator.verdict import Claim, Deduction, Doubt, Failure, Limit, Place, Proof, Verdict
from tools.errors import RunError

RUBRIC = load_rubric()
OFTEN = settings(deadline=None, max_examples=80)
"""The machine may be busy: no deadline for a single example."""


def failure(
    number: int,
    category: Category = Category.dead_control,
    points: float = 1.0,
    *,
    blame: Blame = Blame.app,
    confidence: float = 0.9,
) -> Failure:
    """A failure of some weight."""
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
    )


def verdict(failures: list[Failure], *, limits: list[Limit] | None = None) -> Verdict:
    """A verdict over these failures."""
    functionality, aesthetics = (score(scale, failures, RUBRIC, limits=limits or []) for scale in Scale)
    return Verdict(
        status="scored",
        seal="s",
        judge="rubric",
        rubric=RUBRIC.version,
        functionality=functionality,
        aesthetics=aesthetics,
        failures=tuple(failures),
    )


POINTS = some.sampled_from([0.5, 1.0, 2.0, 3.0, 4.0])
FAILURES = some.lists(
    some.tuples(some.sampled_from(list(Category)), POINTS, some.sampled_from([0.6, 0.9, 0.99])), max_size=12
).map(lambda rows: [failure(number, *row[:2], confidence=row[2]) for number, row in enumerate(rows)])
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
    some.builds(Doubt, down=some.floats(0, 9).map(lambda one: round(one, 2)), up=some.floats(0, 9), reason=some.just("gap")),
    max_size=4,
)


@OFTEN
@given(FAILURES, LIMITS, DOUBTS, some.sampled_from(list(Scale)))
def test_a_score_keeps_its_promises(failures: list[Failure], limits: list[Limit], doubts: list[Doubt], scale: Scale) -> None:
    """Within 0–8; low ≤ value ≤ high; baseline + items is the value before the caps; each failure of the scale has one item."""
    result = score(scale, failures, RUBRIC, limits=limits, doubts=doubts)
    assert 0.0 <= result.low <= result.value <= result.high <= 8.0
    assert result.value_100 == pytest.approx(result.value * 12.5, abs=0.051)
    total = result.baseline + sum(item.points for item in result.items)
    if not result.caps:
        assert result.value == pytest.approx(total)
    assert sorted(item.failure for item in result.items) == sorted(one.id for one in failures if one.scale is scale)
    assert all(-one.points <= item.points <= 0 for item in result.items for one in failures if one.id == item.failure)
    for limit in RUBRIC.limit:
        ids = {one.id for one in failures if one.category in limit.categories}
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
@given(FAILURES, some.sampled_from([one for one in Blame if one is not Blame.app]), some.sampled_from(list(Scale)))
def test_only_the_app_is_deducted(failures: list[Failure], blame: Blame, scale: Scale) -> None:
    """Failures that are somebody else's do not change a score."""
    others = [one.model_copy(update={"blame": blame, "id": f"g-{one.id}"}) for one in failures]
    assert score(scale, [*failures, *others], RUBRIC).value == score(scale, failures, RUBRIC).value


@OFTEN
@given(FAILURES, LIMITS, some.data())
def test_proofs_never_lower_a_score(failures: list[Failure], limits: list[Limit], data: some.DataObject) -> None:
    """What was not reproduced costs nothing any more; what was confirmed costs what it did."""
    statuses = data.draw(
        some.lists(
            some.sampled_from(["confirmed", "not_reproduced", "not_attempted"]), min_size=len(failures), max_size=len(failures)
        )
    )
    before = verdict(failures, limits=limits)
    proofs = {
        one.id: Proof.model_validate({"status": status, "reason": "r"}) for one, status in zip(failures, statuses, strict=True)
    }
    after = apply_proofs(before, proofs)
    for old, new in ((before.functionality, after.functionality), (before.aesthetics, after.aesthetics)):
        assert old is not None
        assert new is not None
        assert new.value >= old.value
    dropped = [one for one in failures if proofs[one.id].status == "not_reproduced"]
    assert len(after.failures) == len(failures) - len(dropped)
    assert len(after.unverifiable) == len(dropped)
    assert after.to_json() == apply_proofs(before, proofs).to_json()


def test_not_reproduced_moves_to_unverifiable_with_its_reason() -> None:
    """The claim carries the proof's reason; the deduction becomes a doubt of the same size."""
    before = verdict([failure(1, points=3.0), failure(2, Category.low_contrast)])
    after = apply_proofs(before, {"f-000001": Proof(status="not_reproduced", reason="2 steps replayed; it did not show again")})
    assert [one.id for one in after.failures] == ["f-000002"]
    assert after.functionality is not None
    assert (after.functionality.value, after.functionality.low) == (8.0, 5.0)
    assert isinstance(after.unverifiable[0], Claim)
    assert "2 steps replayed" in after.unverifiable[0].reason


def test_a_failure_that_its_replay_could_not_tell_is_minor() -> None:
    """Seen once, on a page that moves by itself: half a point, and what it may be worth besides widens the interval."""
    before = verdict([failure(1, points=3.0)])
    after = apply_proofs(before, {"f-000001": Proof(reason="in the fresh browser it could not be told", undecided=True)})
    assert (after.failures[0].severity, after.failures[0].points) == (Severity.minor, 0.5)
    assert "counts as minor" in after.failures[0].proof.reason
    assert after.functionality is not None
    assert (after.functionality.value, after.functionality.low) == (7.5, 5.0)
    no_time = apply_proofs(before, {"f-000001": Proof(reason="the time for proofs was used up")})
    assert no_time.failures[0].points == 3.0


def test_a_confirmed_failure_narrows_the_interval() -> None:
    """Met again in a fresh browser: sure to 99 %, so that the upper bound comes down."""
    before = verdict([failure(1, points=3.0, confidence=0.8)])
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
    assert (nought("why").value, nought("why").high, nought("why").caps) == (0.0, 0.0, ("why",))


def test_severities_match_their_points() -> None:
    """Points and severities translate into each other."""
    assert [RUBRIC.points_of(one) for one in Severity] == [3.0, 1.0, 0.5]
    assert [RUBRIC.severity_of(one).value for one in (0.5, 1.0, 2.0, 4.0)] == ["minor", "major", "critical", "critical"]


def test_json_is_canonical() -> None:
    """The same verdict gives the same bytes, with sorted keys and an end of line."""
    text = verdict([failure(1)]).to_json()
    assert text.endswith("}\n")
    assert list(json.loads(text)) == sorted(json.loads(text))
