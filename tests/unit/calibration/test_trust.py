"""Trust: what the counts say, what earns points, and a table that is read as it was written."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from evaluator.calibration.corpora import Label, Work
from evaluator.calibration.earning import as_toml, table_from, write_table
from evaluator.calibration.items import Judged, item_figures
from evaluator.calibration.matching import Pairing
from evaluator.judges.rubric import RubricJudge
from evaluator.scoring.arithmetic import why_not
from evaluator.scoring.trust import AppTally, Trust, TrustTable, load_trust
from tests.unit.evaluator.records import Run, proved
from tools.errors import UserError


def table(**counted: list[tuple[int, int]]) -> TrustTable:
    """A table from right and wrong counts, one app each."""
    known = {
        name: Trust(
            name=name,
            apps=tuple(AppTally(app=f"c/{at}", right=right, wrong=wrong) for at, (right, wrong) in enumerate(counts)),
            silent=2,
        )
        for name, counts in counted.items()
    }
    return TrustTable(date="2026-11-27", corpora=("c",), works=9, accusers=known)


def pairing(name: str, label: str, holds: bool | None, *, sure: bool = True, work: str = "c/a", counts: bool = True) -> Pairing:
    """An accusation as paired."""
    return Pairing(
        work=work,
        failure="f",
        title="t",
        category="dead_control",
        counts=counts,
        accusers=(name,),
        label=label,
        holds=holds,
        sure=sure,
    )


def work(name: str, *labels: tuple[str, bool], complete: bool = True, corpus: str = "c") -> Work:
    """A labelled app."""
    told = tuple(Label(id=name, text=name, holds=holds) for name, holds in labels)
    right = all(holds for _, holds in labels)
    return Work(corpus=corpus, app=name, name=name, brief="", labels=told, complete=complete, right=right)


def judged(work: Work, *pairings: Pairing) -> Judged:
    """A work with what was said of it."""
    return Judged(work=work, scored=True, functionality=6.0, pairings=pairings)


def test_forty_times_right_on_three_apps_earns_points() -> None:
    """Wilson's lower bound of 40 of 40 is .91; of 30 of 30 it is .89, which is not enough."""
    known = table(sure=[(20, 0), (10, 0), (10, 0)], fewer=[(10, 0), (10, 0), (10, 0)])
    assert not known.why_not("sure")
    assert known.why_not("fewer")
    assert "30 of 30" in known.why_not("fewer")


def test_two_apps_are_too_few_however_often_it_was_right() -> None:
    """What holds on two apps may be these apps' way."""
    known = table(narrow=[(200, 0), (200, 0)])
    assert "evidence of 2 apps" in known.why_not("narrow")


def test_what_never_accused_earns_nothing() -> None:
    """Silence is no evidence of being right."""
    assert "nothing is known" in table().why_not("new")


def test_an_apps_own_evidence_does_not_speak_for_itself() -> None:
    """Judging an app of the corpora leaves its evidence out."""
    known = table(leaning=[(60, 0), (15, 0), (15, 0), (15, 0)])
    assert not known.why_not("leaning")
    assert not known.why_not("leaning", on_app="c/1")
    assert table(leaning=[(60, 0), (5, 0), (5, 0), (5, 0)]).why_not("leaning", on_app="c/0")
    assert known.accusers["leaning"].low_leaving_one_out() == pytest.approx(45 / (45 + 1.96**2), abs=0.001)


def test_of_several_accusers_one_must_be_trusted() -> None:
    """A failure that a trusted relation saw, too, is no mere note; one whose maker is unknown is."""
    known = table(sure=[(20, 0), (20, 0), (20, 0)], wrong=[(0, 5), (0, 5), (0, 5)])
    assert known.notes(("wrong", "sure")) == ""
    assert known.notes(("wrong",)).startswith("wrong was right 0 of 15 times")
    assert known.notes(()) == "nothing in the record says what made it"


@pytest.mark.parametrize(
    ("by", "right", "points"),
    [("does_something", 14, True), ("does_something", 5, False), ("model", 0, True)],
    ids=["a trusted relation", "one that was right too seldom to know", "a trial that a model wrote"],
)
def test_by_a_table_what_is_not_trusted_takes_no_points(tmp_path: Path, by: str, right: int, points: bool) -> None:
    """Whatever a fresh browser shows; the reason is told, and the verdict names the table."""
    run = Run(tmp_path)
    run.dead("#add", by=by)
    known = table(does_something=[(right, 0)] * 3)
    verdict = proved(asyncio.run(RubricJudge(trust=known).judge(run.seal())))
    assert verdict.trust == known.name
    (accused,) = verdict.accused
    assert accused.counts is points
    assert ("does_something was right 15 of 15 times" in why_not(accused)) is not points


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Names with dots, colons and quotes come back; the verdict can name the table."""
    known = table(**{'probe:contrast.low "x"': [(3, 1), (4, 0)]})
    write_table(known, tmp_path / "trust.toml")
    assert load_trust(tmp_path / "trust.toml") == known
    assert known.name == "trust of 2026-11-27 (c; 9 works)"
    assert "low_leaving_one_app_out" in as_toml(known)


def test_a_table_that_is_not_there_or_broken_is_refused(tmp_path: Path) -> None:
    """With its name; nothing is taken for a table of nothing."""
    with pytest.raises(UserError, match=r"none\.toml can't be read"):
        load_trust(tmp_path / "none.toml")
    (tmp_path / "trust.toml").write_text('date = "2026-11-27"\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"trust\.toml is no table of trust"):
        load_trust(tmp_path / "trust.toml")


def test_right_wrong_and_silent_are_counted_by_app() -> None:
    """Paired with a failing label: right; with a holding one, or with none where labels tell all: wrong; unsure: neither."""
    found = table_from(
        [
            judged(work("a", ("x", False)), pairing("o", "x", False), pairing("o", "", None)),
            judged(work("b", ("y", True), complete=False), pairing("o", "y", True), pairing("o", "", None)),
            judged(work("d", ("z", False)), pairing("o", "z", False, sure=False)),
        ],
        date="2026-11-27",
    )
    first = found.accusers["o"]
    assert (first.right, first.wrong, first.silent) == (1, 2, 1)
    assert [tally.app for tally in first.apps] == ["c/a", "c/b"]


def test_what_is_held_back_gives_no_evidence() -> None:
    """Held-back apps stay unseen."""
    works = [judged(work("a", ("x", False)), pairing("o", "x", False)), judged(work("b", ("x", False)), pairing("o", "x", False))]
    found = table_from(works, date="2026-11-27", leave_out={"c": ["b"], "other": ["a"]})
    assert found.accusers["o"].right == 1
    assert found.works == 1


def test_item_figures_by_hand() -> None:
    """Two of three failing items found, one of two passing ones accused; baselines beside them."""
    told = item_figures(
        [
            judged(
                work("a", ("x", False), ("y", False), ("z", True), complete=False),
                pairing("o", "x", False),
                pairing("o", "x", False),
                pairing("o", "z", True),
                pairing("o", "", None),
            ),
            judged(work("b", ("x", False), ("w", True), complete=False), pairing("o", "x", False, work="c/b", counts=False)),
        ]
    )
    assert told["recall"]["yes"] == 2
    assert told["recall"]["of"] == 3
    assert told["alarms_on_passing"]["value"] == 0.5
    assert (told["precision"]["yes"], told["precision"]["of"]) == (3, 4)
    assert told["f1"] == pytest.approx(2 / 3, abs=0.001)
    assert told["accusations"] == {"true": 3, "false": 1, "unlabelled": 1, "unsure": 0}
    assert told["baselines"]["all fail"]["f1"] == pytest.approx(2 * 0.6 / 1.6, abs=0.001)


def test_what_is_only_suspected_can_be_left_out() -> None:
    """The figures of what takes points do not count suspicions."""
    works = [judged(work("a", ("x", False)), pairing("o", "x", False, counts=False))]
    assert item_figures(works)["recall"]["yes"] == 1
    assert item_figures(works, only_counting=True)["recall"]["yes"] == 0
