"""Trials carried out: what is waited for, what stops them, what is asked when something is violated, what is written down."""

from __future__ import annotations

import pytest

from agent.trials.carrying import carry_out
from tests.integration.looking import Scene
from tests.integration.trials.conftest import Site, Tries
from tools.evidence.record import Record
from tools.evidence.trial_rows import ActDone, AssertionJudged, PageModelSeen, TrialBegun, TrialEnded
from tools.page import assertions as a
from tools.page import trials as t
from tools.page.assertions import Target
from tools.page.rows import read_model
from tools.page.trials import ACT, Trial

GARDEN = "trials/index"


def _press(name: str, within: str = "") -> t.Press:
    return t.Press(target=Target(name=name, within=within))


def _says(words: str) -> a.Appears:
    return a.Appears(target=Target(kind="texts", name=words))


PLANTS = Target(kind="collections", name="Plants")
BASIL = t.FillForm(
    fills=(
        t.Fill(target=Target(name="Plant"), value="Basil"), t.Fill(target=Target(name="Price"), value="2.5"),
        t.Fill(target=Target(name="Place"), value="Outdoor"),
    ),
    submit=Target(name="Add plant"),
)  # fmt: skip


async def test_a_form_is_waited_for_through_its_saving(tries: Tries) -> None:
    """2.5 s of app time in which the button says "Saving…"; then the item stands there, and what happened is known."""
    record = await tries(GARDEN, [BASIL], [a.Contains(target=PLANTS, texts=("Basil", "Outdoor", "$2.50")), a.Clean()])
    assert record.result == "held", record.words()
    [seen] = record.acts
    assert seen.ended_ms - seen.started_ms > 2_500
    assert seen.witness.storage == ("local:plants",)
    assert seen.witness.picture
    assert [delta.after for delta in seen.change.of("count")] == ["3"]
    assert "draw" in (seen.witness.ran or ())
    assert seen.witness.console == ()


async def test_what_comes_late_without_a_sign_is_not_missing(tries: Tries) -> None:
    """An assertion that does not hold at once is given app time before it counts as violated."""
    record = await tries(GARDEN, [_press("Water all")], [_says("All plants were watered")])
    assert record.result == "held", record.words()


async def test_a_button_is_found_in_the_item_that_is_named(tries: Tries) -> None:
    """Of the many called Remove the one of Rose; in the exported test it is found again."""
    record = await tries(GARDEN, [_press("Remove", "Rose")], [a.Loses(target=PLANTS, item="Rose | Outdoor | $7.50")])
    assert record.result == "held", record.words()
    assert record.acts[0].act.words() == 'press the button "Remove" of "Rose"'


async def test_what_is_violated_is_asked_for_its_innocent_explanation_at_once(tries: Tries) -> None:
    """A tab that was chosen already changes nothing; the control says so."""
    control = t.Control(
        explains="All was shown already",
        acts=(t.Choose(target=Target(kind="choices", name="Show"), option="Outdoor"),),
        asserts=(a.Changes(target=PLANTS),),
    )
    acts: list[t.Act] = [t.Choose(target=Target(kind="choices", name="Show"), option="All")]
    explained = await tries(GARDEN, acts, [a.Changes(target=PLANTS)], control=control)
    assert explained.result == "explained"
    assert [seen.during for seen in explained.acts] == ["acts", "control"]
    dead = control.model_copy(update={"acts": (_press("Dark"),)})
    assert (await tries(GARDEN, acts, [a.Changes(target=PLANTS)], control=dead)).result == "violated"


@pytest.mark.parametrize(
    ("acts", "why"),
    [
        ([_press("Nowhere"), _press("Dark")], "target gone"),
        ([_press("Sell all"), _press("Dark")], "dialog"),
        ([_press("Weather"), _press("Dark")], "exception"),
        ([t.Choose(target=Target(name="Place"), option="Cellar"), _press("Dark")], "no such option"),
    ],
)
async def test_a_surprise_stops_a_trial_with_its_reason(tries: Tries, acts: list[t.Act], why: str) -> None:
    """What should have come at its end cannot be told then; its later acts are not done."""
    record = await tries(GARDEN, acts, [_says("All plants were watered")])
    assert record.result == "stopped"
    assert record.stopped is not None
    assert (record.stopped.why, record.stopped.act) == (why, 0)
    assert len(record.acts) == 1
    assert [item.outcome.result for item in record.judged] == ["cannot tell"]


@pytest.mark.long
async def test_what_the_last_act_throws_is_judged(tries: Tries) -> None:
    """There is nothing left that it could spoil."""
    for after in ([], [t.Wait(app_ms=500)]):  # time that passes is nothing that it could spoil
        record = await tries(GARDEN, [_press("Weather"), *after], [a.Clean(), _says("Sunny all day")])
        assert record.result == "violated"
        assert "forecast is not a function" in record.words()
        assert [item.outcome.result for item in record.judged] == ["violated", "violated"]


async def test_a_message_that_goes_by_itself_was_said(tries: Tries) -> None:
    """That it is not shown is not waited for; that something else goes is."""
    saved = Target(kind="texts", name="Rule saved")
    record = await tries("trials/passing", [_press("Save")], [a.Shown(target=saved, yes=False)])
    assert record.result == "violated", record.words()
    assert (await tries("trials/passing", [_press("Save")], [a.Shown(target=saved)])).result == "held"


@pytest.mark.long
async def test_acts_of_all_kinds_reach_the_page(tries: Tries) -> None:
    """Keys, pasting, hovering, the wheel, another size, waiting, reloading, another tab, going back."""
    plant = Target(kind="fields", name="Plant")
    acts: list[t.Act] = [
        t.Paste(target=plant, text="Basils"), t.Keys(keys=("End", "Backspace"), target=plant),
        t.Hover(target=Target(name="Dark")), t.Scroll(target=PLANTS, down=40), t.Resize(width=900, height=700),
        t.Wait(app_ms=300), t.Wait(),
    ]  # fmt: skip
    record = await tries(GARDEN, acts, [a.HasValue(target=plant, value="Basil")])
    assert record.result == "held", record.words()
    again: list[t.Act] = [t.Resize(width=1280, height=800), BASIL, t.Reload(), t.NewTab()]
    kept = await tries(GARDEN, again, [a.Contains(target=PLANTS, texts=("Basil",))])
    assert kept.result == "held", kept.words()


@pytest.mark.long
async def test_a_drawing_is_pressed_and_drawn_on(tries: Tries) -> None:
    """By shares of its size."""
    board = Target(kind="surfaces", name="Board")
    acts: list[t.Act] = [
        t.Point(target=board, path=((0.5, 0.5),)),
        t.Point(target=board, path=((0.2, 0.5), (0.5, 0.2), (0.8, 0.5))),
    ]
    record = await tries("page_models/canvas", acts, [a.Enabled(target=Target(kind="buttons", name="Start"))])
    assert record.stopped is None, record.words()


async def test_a_trial_can_be_read_back_from_the_ledger(trial_scene: Scene) -> None:
    """What was tried, the page before and after each act as it was, what was found, by which models."""
    trial = Trial(why="Adds", acts=(BASIL,), asserts=(a.CountBy(target=PLANTS, by=1),), by="person")
    record = await carry_out(trial, trial_scene.stage, fresh=f"{trial_scene.base}{GARDEN}.html")
    ledger = Record.read(trial_scene.stage.ledger.run_dir)
    row = ledger.row(record.id)
    assert row is not None
    assert isinstance(row.body, TrialBegun)
    assert Trial.model_validate(row.body.trial) == trial
    children = [child.body for child in ledger.children(record.id)]
    [act] = [body for body in children if isinstance(body, ActDone)]
    assert ACT.validate_python(act.act) == record.acts[0].act
    assert read_model(ledger, act.before) == record.acts[0].before
    assert read_model(ledger, act.after) == record.acts[0].after
    [judged] = [body for body in children if isinstance(body, AssertionJudged)]
    assert (judged.result, judged.models) == ("held", (act.before, act.after))
    assert isinstance(children[-1], TrialEnded)
    after = ledger.row(act.after)
    assert after is not None
    assert isinstance(after.body, PageModelSeen)
    assert after.body.since


async def test_a_window_that_the_browser_refuses_does_not_lie_over_the_page(site: Site, tries: Tries) -> None:
    """Chromium opens an empty window for `window.open('data:…')`, of which Playwright does not tell; it took the next presses."""
    page = """<!doctype html><title>Notes</title><h1>Notes</h1><p id=told>0 notes</p><button id=add>Write</button><button id=out>
    Export</button><script>let notes = 0; add.onclick = () => { told.textContent = `${++notes} notes` };
    out.onclick = () => window.open('data:text/json;utf8,{"notes":[]}')</script>"""
    (site.folder / "refused.html").write_text(page, encoding="utf-8")
    record = await tries("refused", [_press("Export"), _press("Write"), _press("Export"), _press("Write")], [_says("2 notes")])
    assert record.result == "held", record.words()


@pytest.mark.long
async def test_more_than_a_minute_can_be_waited(tries: Tries) -> None:
    """A timer of a minute and more is watched to its end."""
    record = await tries(GARDEN, [t.Wait(app_ms=64_500)], [a.NotBlank()])
    assert record.result == "held", record.words()
    [seen] = record.acts
    assert seen.ended_ms - seen.started_ms >= 64_500


async def test_a_box_that_is_not_to_be_seen_is_pressed_by_what_is_drawn_for_it(tries: Tries) -> None:
    """Clear, out of the window, not laid out, sizeless, hidden: a person presses its label or the switch drawn around it."""
    names = ("Mark all", "Second", "Third", "Sound", "Late")
    acts = [*map(_press, names), t.Choose(target=Target(kind="choices"), option="Sixth")]
    record = await tries("trials/drawn", acts, [_says("on: one two three four six seven")])
    assert record.result == "held", record.words()


async def test_what_failed_as_the_page_was_opened_is_no_acts_doing(site: Site, tries: Tries) -> None:
    """A file that is asked for and missing at every opening; what only a button asks for in vain is the button's."""
    page = """<!doctype html><title>Feeds</title><h1>Feeds</h1><button onclick="fetch('gone.json')">More</button>
    <script>fetch("extras.json")</script>"""
    (site.folder / "feeds.html").write_text(page, encoding="utf-8")
    assert (await tries("feeds", [t.Reload(), t.NewTab()], [a.Clean()])).result == "held"
    record = await tries("feeds", [_press("More")], [a.Clean()])
    assert record.result == "violated"
    assert "gone.json" in record.words()


@pytest.mark.long
async def test_what_never_ends_is_waited_for_once(site: Site, tries: Tries) -> None:
    """A pulse without end, as pages have for ornament, costs the first look its patience and no later one."""
    page = """<!doctype html><title>Live</title><style>@keyframes pulse { 50% { opacity: .3 } }
    i { animation: pulse 1s infinite; display: block; width: 20px; height: 20px; background: teal }</style>
    <h1>Live</h1><i></i><button onclick="told.textContent = 'Joined'">Join</button><p id=told></p>"""
    (site.folder / "pulse.html").write_text(page, encoding="utf-8")
    await tries("pulse", [_press("Join")], [_says("Joined")])
    again = await tries("pulse", [_press("Join"), t.Wait()], [_says("Joined")])
    assert again.result == "held", again.words()
    assert again.acts[-1].ended_ms - again.acts[0].started_ms < 6_000


async def test_the_wheel_does_not_turn_the_number_that_was_just_typed(site: Site, tries: Tries) -> None:
    """A field with the focus takes the wheel for itself; what lies further down is scrolled to beside it."""
    page = """<!doctype html><title>Tickets</title><div style="height: 47vh"></div><label>Tickets
    <input type=number id=many min=1 max=8 value=1 style="width: 80vw; height: 60px"></label><div style="height: 200vh"></div>
    <button onclick="told.textContent = `${many.value} booked`">Book</button><p id=told></p>"""
    (site.folder / "tickets.html").write_text(page, encoding="utf-8")
    acts = [t.Fill(target=Target(kind="fields", name="Tickets"), value="7"), _press("Book")]
    record = await tries("tickets", acts, [_says("7 booked")])
    assert record.result == "held", record.words()


async def test_a_page_that_the_server_does_not_have_is_told_once(site: Site, tries: Tries) -> None:
    """By a link, as a failed request; by what was there and is not when it is opened anew, as a page that is gone."""
    page = """<!doctype html><title>Routes</title><h1>Routes</h1><a href="gone.html">Gone</a>
    <button onclick="history.pushState({}, '', 'about-us')">About</button>"""
    (site.folder / "routes.html").write_text(page, encoding="utf-8")
    record = await tries("routes", [t.Press(target=Target(kind="links", name="Gone"))], [a.NotBlank(), a.Clean()])
    assert [judged.outcome.result for judged in record.judged] == ["held", "violated"]
    record = await tries("routes", [t.Reload()], [a.NotBlank()], first=[_press("About")])
    assert record.result == "violated"
    assert "404" in record.words()
    record = await tries("routes", [t.Reload()], [a.NotBlank()], first=[t.Press(target=Target(kind="links", name="Gone"))])
    assert record.result == "cannot tell", "it was not there before either"
