"""A second person in a trial: their own browser context, one clock for both, their acts in the ledger, replayed, exported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli.main import app
from agent.trials.written import read_trials
from tests.integration.page.conftest import Runner
from tests.integration.two_persons.conftest import House, told
from tests.standins.booking_app import Booking
from tests.standins.notebook_app import Notebook
from tests.standins.small_server import Answer, served
from tools.browser.second_person import OthersStage
from tools.evidence.record import Record, verify
from tools.evidence.trial_rows import ActDone, AssertionJudged, TrialBegun
from tools.page.assertions import Clean, SeenByOther, Shown, Target
from tools.page.trials import Back, ByOther, Press, Reload, Trial, plain

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

TRIALS = """
[[trial]]
why = "What one books the other sees as taken"
do = [{ press = "Book", in = "Monday 10:00" }, { reload = true, as = "other" }]
expect = [{ shown = "Yours" }, { shown = "Taken", as = "other" }, { absent = "Yours", as = "other" }]

[[trial]]
why = "What is taken can not be booked from an old page"
first = [{ hover = "Studio hours" }, { press = "Book", in = "Tuesday 09:00" }]
do = [{ press = "Book", in = "Tuesday 09:00", as = "other" }]
expect = [{ absent = "Yours", as = "other" }]
"""


def slot(name: str) -> Press:
    """Book an hour."""
    return Press(target=Target(kind="buttons", name="Book", within=name))


def seen(words: str, *, yes: bool = True) -> SeenByOther:
    """Whether the other person's page shows words."""
    return SeenByOther(that=Shown(target=Target(kind="texts", name=words), yes=yes))


@pytest.mark.parametrize("live", [True, False])
async def test_what_one_does_reaches_the_other_by_itself_where_the_page_asks(house: House, live: bool) -> None:
    """In real time: the other person does nothing; a page that never asks does not know."""
    trial = Trial(why="it arrives", acts=(slot("Monday 11:00"),), asserts=(seen("Taken", yes=True),))
    record = await house.carried_out(lambda: Booking(live=live), trial)
    assert record.result == ("held" if live else "violated"), told([record])
    assert record.scene is not None
    assert record.scene.others is not None
    assert "Yours" in record.scene.after.text
    assert "Yours" not in record.scene.others.after.text


async def test_the_other_has_cookies_of_their_own_and_each_trial_a_new_one(house: House) -> None:
    """What the other person booked is theirs; in the next trial the other one is a stranger again, and the first one is not."""
    booking = Booking()
    trial = Trial(
        why="theirs", acts=(ByOther(act=slot("Monday 09:00")), Reload()),
        asserts=(seen("Yours"), Shown(target=Target(kind="texts", name="Taken"))),
    )  # fmt: skip
    first = await house.carried_out(lambda: booking, trial)
    assert first.result == "held", told([first])
    again = Trial(why="a stranger", acts=(ByOther(act=Reload()),), asserts=(seen("Yours", yes=False), seen("Taken")))
    second = await house.carried_out(lambda: booking, again)
    assert second.result == "held", told([second])
    assert len(house.stage.parts.launched.context.browser.contexts) == 1  # pyright: ignore[reportOptionalMemberAccess]


async def test_a_form_that_is_not_sent_again_has_not_failed(house: House) -> None:
    """Back at what a form had led to, Chromium asks before it sends it again: that is no failed request of the app's."""
    quicker = (ByOther(act=slot("Monday 09:00")), slot("Monday 09:00"))  # the answer to the second one may not be kept
    trial = Trial(
        why="back at a form's answer", precondition=quicker, asserts=(Clean(complaints=False),),
        acts=(Press(target=Target(kind="links", name="Back")), Back()),
    )  # fmt: skip
    record = await house.carried_out(Booking, trial)
    assert record.stopped is not None, told([record])
    assert "ERR_CACHE_MISS" in record.stopped.words
    assert record.result == "stopped", told([record])


async def test_one_clock_holds_both_pages(house: House) -> None:
    """While app time stands both read the same time, and it does not go on; then it goes on for both alike."""
    stage, read = house.stage, "() => Date.now()"
    await stage.clock.release()
    other = await OthersStage.beside(stage)
    try:
        await other.goto(house.session.entry)
        await stage.clock.hold()
        stands = [await item.evaluate(read) for item in (stage, other, stage, other)]
        assert len(set(stands)) == 1
        await stage.clock.step(5_000)
        later = [await item.evaluate(read) for item in (stage, other)]
        assert later == [stands[0] + 5_000] * 2
        assert await other.evaluate("() => [innerWidth, innerHeight]") == await stage.evaluate("() => [innerWidth, innerHeight]")
    finally:
        await other.close()


async def test_the_other_has_no_way_out_either(house: House) -> None:
    """Of two servers on this machine only the app's own is reached, from both pages alike; the first person sees no row of it."""
    asked: list[str] = []

    class Elsewhere(Booking):
        def get(self, path: str, who: str) -> Answer:
            asked.append(path)
            return super().get(path, who)

    reach = "(url) => fetch(url, { mode: 'no-cors' }).then(() => 'reached', () => 'refused')"
    with served(Elsewhere()) as url:
        await house.stage.clock.release()
        other = await OthersStage.beside(house.stage)
        try:
            await other.goto(house.session.entry)
            rows = len(Record.read(house.session.context.run_dir).rows)
            assert await other.evaluate(reach, house.session.entry) == "reached"
            assert await other.evaluate(reach, url) == "refused"
            assert [row.kind for row in Record.read(house.session.context.run_dir).rows[rows:]] in ([], ["network"])
        finally:
            await other.close()
    assert asked == []


async def test_keys_go_to_the_page_on_the_display_while_another_window_is_open(house: House) -> None:
    """The second person's window takes the keyboard when it opens; what is typed is the first one's all the same."""
    typed = """[[trial]]
why = "typed"
do = [{ fill = "User name", with = "mara" }, { fill = "User name", with = "oskar", as = "other" }]
expect = [{ has_value = "mara", of = "User name" }, { has_value = "oskar", of = "User name", as = "other" }]
"""
    path = house.session.context.run_dir / "typed.toml"
    path.write_text(typed, encoding="utf-8")
    record = await house.carried_out(Notebook, read_trials(path)[0])
    assert record.result == "held", told([record])


@pytest.mark.parametrize(("make", "results"), [(Booking, ["held", "held"]), (lambda: Booking(twice=True), ["held", "violated"])])
def test_trials_of_a_file_are_tried_replayed_minimised_and_exported(
    tmp_path: Path, run_exported: Runner, monkeypatch: pytest.MonkeyPatch, make: Callable[[], Booking], results: list[str]
) -> None:
    """The exported tests open a context of the other person's, and fail where the app does."""
    monkeypatch.setenv("ASSAY_RHYTHM", "0")
    (tmp_path / "trials.toml").write_text(TRIALS, encoding="utf-8")
    booking = make()
    options = ["--export", str(tmp_path / "tests"), "--out", str(tmp_path / "run"), "--json"]
    with served(booking) as url:
        done = CliRunner().invoke(app, ["try", url, str(tmp_path / "trials.toml"), *options])
        tried = json.loads(done.stdout)["trials"]
        assert [item["result"] for item in tried] == results, done.output
        for item in tried:
            source = Path(item["exported"]).read_text(encoding="utf-8")
            assert "other = browser.new_context().new_page()" in source
            booking.booked.clear()
            assert bool(run_exported(source)) == (item["result"] == "violated"), source
    assert verify(tmp_path / "run") == []
    record = Record.read(tmp_path / "run")
    acts = [body for _, body in record.of(ActDone)]
    assert acts[1].act == {"kind": "by other", "act": {"kind": "reload"}}
    assert acts[1].words == "the other person: reload the page"
    assert record.row(acts[1].after) is not None
    asked = [body for _, body in record.of(AssertionJudged) if body.assertion["kind"] == "seen by other"]
    assert next(body.words for body in asked) == 'for the other person the text "Taken" is shown'
    assert all(len(body.models) == 4 for body in asked)
    begun = [body for _, body in record.of(TrialBegun)]
    assert Trial.model_validate(begun[0].trial) == read_trials(tmp_path / "trials.toml")[0]
    assert plain(Trial.model_validate(begun[1].trial)) == begun[1].trial


def test_the_fewest_acts_of_two_persons_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In fresh browsers, each with a second person who is new; what either did in vain is left out."""
    monkeypatch.setenv("ASSAY_RHYTHM", "0")
    trial = """[[trial]]
why = "Nobody gets anything"
first = [{ hover = "Studio hours" }, { reload = true, as = "other" }, { press = "Book", in = "Monday 09:00", as = "other" }]
do = [{ reload = true }]
expect = [{ absent = "Yours", as = "other" }]
"""
    (tmp_path / "trials.toml").write_text(trial, encoding="utf-8")
    with served(Booking(places=99)) as url:
        options = ["--replay", "--minimise", "--out", str(tmp_path / "run"), "--json"]
        done = CliRunner().invoke(app, ["try", url, str(tmp_path / "trials.toml"), *options])
    [told_of] = json.loads(done.stdout)["trials"]
    assert (told_of["result"], told_of["replayed"]) == ("violated", "violated"), done.output
    assert [item["kind"] for item in told_of["minimal"]["precondition"]] == ["by other"]
    assert told_of["minimal"]["precondition"][0]["act"]["kind"] == "press"
