"""Items of a checklist: each ends as pass, fail or not judged, by trials about it, and as a fresh browser says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluator.judges.rubric import RubricJudge
from evaluator.scoring.proofs import apply_proofs
from evaluator.verdict.model import ItemResult, Proof, Verdict
from evaluator.verdict.taxonomy import Category
from tests.unit.evaluator.records import Run
from tools.evidence.rows import Row
from tools.evidence.trial_rows import Withdrawn

ITEMS = ("Users can add tasks.", "Users can delete tasks.", "Users can search tasks.", "Tasks are kept.")


def run(folder: Path) -> Run:
    """A run with such a checklist."""
    return Run(folder / "run", brief="A task list.", checklist=ITEMS)


def tried(
    made: Run, *results: str, about: tuple[tuple[str, ...], ...] = (), by: str = "model", end: str = "", kind: str = "shown"
) -> Row:
    """A trial about the first item, or those of `about` in turn; one assertion a result."""
    names = tuple(dict.fromkeys(name for item in about for name in item)) or ("c1",)
    made.begin(by=by, why=f"it is tried by {by}", requirements=names, about=[list(item) for item in about])
    made.act(changed=True)
    for number, result in enumerate(results):
        made.asserted(result, kind=kind, selector=f"#part{number}", words=f"part {number} is shown")  # type: ignore[arg-type]
    return made.end(end or ("violated" if "violated" in results else "held"))  # type: ignore[arg-type]


async def judged(made: Run) -> Verdict:
    """The verdict before anything is proved."""
    return await RubricJudge().judge(made.seal())


def of(verdict: Verdict) -> dict[str, str]:
    """Outcomes by item."""
    return {item.id: item.outcome for item in verdict.items}


def proved(verdict: Verdict, status: str) -> ItemResult:
    """The first item once its failure was tried again."""
    proofs = {failure.id: Proof.model_validate({"status": status, "control": "a filter"}) for failure in verdict.accused}
    return apply_proofs(verdict, proofs).items[0]


async def test_each_item_is_decided_by_the_assertions_about_it(tmp_path: Path) -> None:
    """One trial: what held passes, what was violated fails, what could not be told and what none is about stay open."""
    made = run(tmp_path)
    tried(made, "held", "violated", "cannot tell", about=(("c1",), ("c2",), ("c3",)))
    verdict = await judged(made)
    assert of(verdict) == {"c1": "pass", "c2": "fail", "c3": "not judged", "c4": "not judged"}
    assert verdict.items[1].failures == (verdict.accused[0].id,)
    assert verdict.items[1].evidence
    assert verdict.items[3].why == "no trial was about it"
    assert [item["outcome"] for item in verdict.model_dump()["items"]] == ["pass", "fail", "not judged", "not judged"]


@pytest.mark.parametrize(
    ("status", "outcome", "counts"),
    [
        ("confirmed", "fail", True),
        ("not_reproduced", "not judged", False),
        ("explained", "not judged", False),
        ("undecided", "not judged", False),
    ],
)
async def test_a_fresh_browser_has_the_last_word(tmp_path: Path, status: str, outcome: str, *, counts: bool) -> None:
    """Only what it shows again fails an item; that alone takes points."""
    made = run(tmp_path)
    tried(made, "violated")
    verdict = await judged(made)
    assert (verdict.items[0].outcome, verdict.failures) == ("fail", ())
    item = proved(verdict, status)
    assert item.outcome == outcome
    assert ("not proved" in item.why) is False
    assert bool(apply_proofs(verdict, {verdict.accused[0].id: Proof(status=status)}).failures) is counts  # type: ignore[arg-type]


async def test_what_was_not_met_again_does_not_take_away_what_held(tmp_path: Path) -> None:
    """The same item held in another trial."""
    made = run(tmp_path)
    tried(made, "violated")
    tried(made, "held")
    verdict = await judged(made)
    assert verdict.items[0].outcome == "fail"
    assert proved(verdict, "not_reproduced").outcome == "pass"


async def test_what_its_control_explains_or_what_was_stopped_fails_nothing(tmp_path: Path) -> None:
    """Nor does it pass."""
    made = run(tmp_path)
    tried(made, "violated", end="explained")
    assert (await judged(made)).items[0].outcome == "not judged"
    made = run(tmp_path / "stopped")
    tried(made, "cannot tell", end="stopped")
    item = (await judged(made)).items[0]
    assert (item.outcome, "went no further" in item.why) == ("not judged", True)


async def test_what_was_found_where_a_trial_led_is_not_about_its_item(tmp_path: Path) -> None:
    """A state that was audited after a trial cites it; the item fails by the trial's own assertion alone."""
    made = run(tmp_path)
    begun = tried(made, "violated")
    made.finding("contrast.low", "faint", selector="p.note", state="after it", after=str(begun.id))
    made.works("#clear")
    verdict = await judged(made)
    faint = next(failure for failure in verdict.accused if failure.category is Category.low_contrast)
    assert faint.id not in verdict.items[0].failures
    assert verdict.items[0].failures


async def test_that_something_is_there_is_no_reason_to_pass(tmp_path: Path) -> None:
    """Found somewhere, or that a press has some effect; nor are assertions that are made of every act."""
    for kind in ("somewhere", "noticed", "clean"):
        made = run(tmp_path / kind)
        tried(made, "held", kind=kind)
        assert (await judged(made)).items[0].outcome == "not judged", kind


async def test_without_a_model_the_relations_trials_decide(tmp_path: Path) -> None:
    """What chance tried does not; and who knew the item's words outranks them."""
    made = run(tmp_path)
    tried(made, "held", by="stubborn_tester")
    assert (await judged(made)).items[0].outcome == "not judged"
    made = run(tmp_path / "relation")
    tried(made, "held", by="added_item_appears")
    assert (await judged(made)).items[0].outcome == "pass"
    made = run(tmp_path / "both")
    tried(made, "held", by="added_item_appears")
    tried(made, "violated")
    assert (await judged(made)).items[0].outcome == "fail"


async def test_two_trials_of_a_model_are_two_failures(tmp_path: Path) -> None:
    """Though the same was done in both, and neither looked at a part of the page."""
    made = run(tmp_path)
    for item, words in (("c2", "something is called Delete"), ("c3", "something is called Search")):
        made.begin(by="model", why=words, requirements=(item,), severity="minor")
        made.act(changed=True)
        made.asserted("violated", kind="somewhere", selector="", words=words)
        made.end("violated")
    verdict = await judged(made)
    assert [(failure.category, failure.severity) for failure in verdict.accused] == [("missing_feature", "minor")] * 2
    assert [verdict.items[place].failures for place in (1, 2)] == [
        (failure.id,) for failure in sorted(verdict.accused, key=lambda failure: failure.title)
    ]


async def test_the_same_words_about_two_items_are_two_failures(tmp_path: Path) -> None:
    """A text that is still there after saving and after a simulation: each item says what was tried for it."""
    made = run(tmp_path)
    for item in ("c1", "c4", "c1"):
        made.begin(by="model", why=f"it is tried for {item}", requirements=(item,), about=[])
        made.act(changed=True)
        made.asserted("violated", kind="shown", selector="#total", words="68 is not shown")
        made.end("violated")
    verdict = await judged(made)
    assert [failure.promise for failure in verdict.accused] == ["c1", "c4"]
    assert verdict.accused[0].occurrences == 2
    first, fourth = verdict.items[0], verdict.items[3]
    assert set(first.failures).isdisjoint(fourth.failures)
    assert (first.why.startswith("Not so: it is tried for c1"), "it is tried for c4" in fourth.why) == (True, True)


async def test_without_a_checklist_a_verdict_says_nothing_of_items(tmp_path: Path) -> None:
    """Verdicts of runs without one are the bytes that they were."""
    verdict = await judged(Run(tmp_path / "run", brief="A task list."))
    assert verdict.items == ()
    assert "items" not in json.loads(verdict.to_json())


async def test_what_was_taken_back_accuses_nobody(tmp_path: Path) -> None:
    """A trial whose expectation was wrong is neither a failure nor about its item; what always holds is still heeded."""
    made = run(tmp_path)
    begun = made.begin(by="model", why="it is tried", requirements=("c1",))
    made.act(changed=True)
    made.asserted("violated", kind="shown", selector="", words="a guess is shown")
    made.end("violated")
    made.add(Withdrawn(reason="a guess"), parent=begun.id)
    verdict = await judged(made)
    assert (verdict.accused, verdict.items[0].outcome, verdict.items[0].trials) == ((), "not judged", ())


async def test_of_a_trial_that_was_taken_back_what_held_still_holds(tmp_path: Path) -> None:
    """Its wrong expectation is about one item; that the other held beside it was seen all the same."""
    made = run(tmp_path)
    begun = made.begin(by="model", why="it is tried", requirements=("c1", "c4"), about=(("c1",), ("c4",)))
    made.act(changed=True)
    made.asserted("violated", kind="shown", selector="", words="a guess is shown")
    held = made.asserted("held", kind="shown", selector="", words="what it says is shown")
    made.end("violated")
    made.add(Withdrawn(reason="a guess"), parent=begun.id)
    items = {item.id: item for item in (await judged(made)).items}
    assert (items["c1"].outcome, items["c4"].outcome) == ("not judged", "pass")
    assert held.id in items["c4"].evidence
