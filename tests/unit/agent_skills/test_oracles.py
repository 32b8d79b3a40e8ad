"""Oracles of effects, motion and places: what they hold, accuse, and say that it cannot be told."""

from __future__ import annotations

from typing import Any

import pytest

from agent.skills.oracles import ORACLES
from tests.unit.agent_skills.scenes import decided, mark, on, page, sha, stepped, tell, twice
from tools.browser.actions import Drag, GoBack, Press, Reload, Target, Type, Wait
from tools.browser.marks import Mark

SAVE = mark("Learn more")


# ---- dead or alive ------------------------------------------------------------------------------------------------------


def test_a_dead_button_needs_two_attempts() -> None:
    """One attempt without effect is no verdict; the second is, and cites both."""
    still = page(SAVE, text="hello")
    first, second = twice(on(SAVE), still, still, "responds", promise="p1")
    assert (first.held, first.attempts, first.symptom) == (None, 1, "")
    assert (second.held, second.attempts, second.symptom) == (False, 2, "dead_control")
    assert second.steps == ("a1", "a2")
    assert second.promise == "p1"
    assert second.box == SAVE.box


def test_an_effect_between_attempts_clears_the_suspicion() -> None:
    """Nothing, then something, then nothing is not two failures in a row."""
    still, other = page(SAVE, text="hello"), page(SAVE, text="hello\nworld")
    one = stepped(decided(on(SAVE)), still, still)
    two = stepped(decided(on(SAVE)), still, other, (one,))
    three = stepped(decided(on(SAVE)), other, other, (one, two))
    assert [step.outcomes[0].held for step in (one, two, three)] == [None, True, None]


@pytest.mark.parametrize(
    "changes",
    [
        {"url": True},
        {"text": True},
        {"dom": True},
        {"storage": True},
        {"network": 1},
        {"dialogs": 1},
        {"value": True},
        {"picture": 0.2},
    ],
)
def test_any_effect_shows_a_live_button(changes: dict[str, Any]) -> None:
    """Each measured dimension alone is an effect."""
    still = page(SAVE, text="hello")
    assert tell(on(SAVE), still, still, "responds", changes=changes).held is True


def test_a_hover_look_is_no_effect() -> None:
    """A change of the picture no larger than the control itself says nothing about what it does."""
    still = page(SAVE, text="hello")
    share = SAVE.box.area / (1280 * 800)
    assert tell(on(SAVE), still, still, "responds", changes={"picture": share}).held is None
    assert twice(on(SAVE), still, still, "responds", changes={"picture": share})[1].symptom == "dead_control"


def test_an_act_that_did_not_arrive_accuses_nobody() -> None:
    """A missed click is the agent's, and no attempt."""
    still = page(SAVE)
    step = stepped(decided(on(SAVE)), still, still, delivered=False, problem="covered by #banner")
    assert (step.outcomes[0].held, step.outcomes[0].attempts) == (None, 0)
    assert "covered by #banner" in step.outcomes[0].observed


def test_a_page_that_moves_by_itself_tells_nothing() -> None:
    """A changed picture on an animated page may be nobody's doing; a changed address is somebody's."""
    moving = page(SAVE, text="hello", moving=0.1)
    assert tell(on(SAVE), moving, moving, "responds", changes={"picture": 0.3}).held is None
    assert tell(on(SAVE), moving, moving, "responds", changes={"url": True}).held is True


def test_a_dead_button_on_a_moving_page_is_still_found() -> None:
    """Where nothing at all changed apart from what moves, the page's motion excuses nothing."""
    moving = page(SAVE, text="hello", moving=0.1)
    assert twice(on(SAVE), moving, moving, "responds", changes={"picture": 0.0})[1].held is False


def test_scrolling_to_a_target_is_not_the_targets_effect() -> None:
    """The hands scroll to what is below the fold; a dead button there is found all the same."""
    below = SAVE.model_copy(update={"in_view": False})
    before, after = page(below, text="hello"), page(SAVE, text="hello", scroll=(0.0, 600.0))
    outcome = tell(on(SAVE), before, after, "responds", changes={"scroll": True, "picture": 0.7})
    assert (outcome.held, outcome.attempts) == (None, 1)


# ---- toggles and themes -------------------------------------------------------------------------------------------------


def box(checked: bool, **more: Any) -> Mark:
    """A checkbox."""
    return mark("Done", "input", role="checkbox", input_type="checkbox", checked=checked, **more)


def test_a_checkbox_that_flips_toggles() -> None:
    """A changed state is told as such."""
    assert tell(on(box(False)), page(box(False)), page(box(True)), "toggles").held is True


def test_a_checkbox_that_never_flips_ignores_input() -> None:
    """Twice unchanged: `input_ignored`."""
    assert twice(on(box(False)), page(box(False)), page(box(False)), "toggles")[1].symptom == "input_ignored"


def test_a_radio_button_that_is_chosen_already_may_stay_so() -> None:
    """Choosing the chosen one changes nothing, rightly."""
    radio = mark("Red", "input", role="radio", input_type="radio", checked=True)
    assert [one.held for one in twice(on(radio), page(radio), page(radio), "toggles")] == [None, None]


def test_a_theme_switch_repaints_the_page() -> None:
    """A large share of the picture changes; a class that changes nothing visible is told after two attempts."""
    switch = mark("Dark mode")
    light, dark = page(switch, text="x"), page(switch, text="x", dom_sha256=sha("dark"), fingerprint=sha("dark"))
    assert tell(on(switch), light, dark, "theme_changes", changes={"picture": 0.8}).held is True
    assert twice(on(switch), light, dark, "theme_changes", changes={"picture": 0.001})[1].symptom == "state_not_updated"


def test_a_switch_that_opens_a_choice_of_themes_is_not_accused() -> None:
    """New controls after the press may be a menu."""
    switch, choice = mark("Theme"), mark("Sepia")
    before, after = page(switch), page(switch, choice)
    assert tell(on(switch), before, after, "theme_changes", changes={"picture": 0.004}).held is None


def test_switching_back_restores_the_page() -> None:
    """The same fingerprint as before both; no change at all twice is a failure."""
    switch = mark("Dark mode")
    light, dark = page(switch, text="light"), page(switch, text="light", fingerprint=sha("dark"))
    given = {"fingerprint": light.fingerprint, "picture": 0.8}
    assert tell(on(switch), dark, light, "toggles_back", changes={"picture": 0.8}, **given).held is True
    assert twice(on(switch), dark, dark, "toggles_back", **given)[1].symptom == "state_not_updated"


def test_a_dialog_that_stays_open_is_told_after_two_attempts() -> None:
    """Closing uncovers what lay beneath; staying is a dead control."""
    close, under, free = mark("Close", at=(500, 300)), mark("Menu", covered=True), mark("Menu")
    assert tell(on(close), page(close, under), page(free), "dialog_closes").held is True
    assert twice(on(close), page(close, under), page(close, under), "dialog_closes")[1].symptom == "dead_control"


def test_a_dialog_that_opens_covers_the_page() -> None:
    """Covered controls or an expanded state show that something opened."""
    opener, covered = mark("Rules"), mark("Rules", covered=True)
    assert tell(on(opener), page(opener), page(covered, mark("OK")), "dialog_opens").held is True


# ---- motion and keys ----------------------------------------------------------------------------------------------------


def test_keys_with_an_effect_hold_and_keys_without_are_told_twice() -> None:
    """On a still page a change is the keys' doing; two tries without one: `keyboard_ignored`."""
    still, other = page(text="score 0"), page(text="score 1")
    keys = Press(keys=("ArrowLeft",))
    assert tell(keys, still, other, "keyboard_effect").held is True
    assert twice(keys, still, still, "keyboard_effect", key="k")[1].symptom == "keyboard_ignored"


def test_keys_on_a_moving_page_and_mere_scrolling_tell_nothing() -> None:
    """A game that runs changes anyway, and any page scrolls on arrow keys."""
    moving = page(text="x", moving=0.2)
    assert tell(Press(keys=("a",)), moving, moving, "keyboard_effect", changes={"picture": 0.3}).attempts == 0
    before, after = page(text="x"), page(text="x", scroll=(0.0, 40.0))
    assert tell(Press(keys=("ArrowDown",)), before, after, "keyboard_effect", changes={"picture": 0.3}).held is None


def test_a_running_time_ticks_and_a_paused_one_stands() -> None:
    """Two watches decide against a timer that stands, or one that runs on after a pause."""
    one, two, wait = page(text="25:00"), page(text="24:58"), Wait(ms=2000)
    assert tell(wait, one, two, "ticks").held is True
    assert twice(wait, one, one, "ticks", key="t")[1].symptom == "state_not_updated"
    assert tell(wait, one, one, "still").held is True
    assert twice(wait, one, two, "still", key="t")[1].symptom == "state_not_updated"


def test_a_round_that_ends_while_it_is_paused_was_not_paused() -> None:
    """One watch does where the page itself says that it is paused; where it does not, the press may have come too late."""
    over, wait = page(text="Game over"), Wait(ms=1300)
    told = tell(wait, page(text="Paused"), over, "still", still_at_first=1.0)
    assert (told.held, told.symptom) == (False, "state_not_updated")
    assert tell(wait, page(text="Running"), over, "still", still_at_first=1.0).held is None
    ran = tell(wait, page(text="Running", moving=0.01), over, "still", still_at_first=1.0, symptom="keyboard_ignored")
    assert (ran.held, ran.symptom, ran.attempts) == (False, "keyboard_ignored", 2)


def test_standing_still_cannot_be_told_of_a_page_that_always_moves() -> None:
    """Without a time on it, a page that moved from the start is no witness."""
    moving = page(text="stars", moving=0.2)
    assert tell(Wait(ms=1000), moving, moving, "still", still_at_first=0.0).attempts == 0
    assert twice(Wait(ms=1000), moving, moving, "still", still_at_first=1.0, key="p")[1].symptom == "state_not_updated"


def test_motion_is_seen_or_missed_twice() -> None:
    """Moving pixels show it; two still looks do not."""
    still, moving = page(text="x"), page(text="x", moving=0.02)
    assert tell(Wait(ms=1000), still, moving, "moves").held is True
    assert twice(Wait(ms=1000), still, still, "moves", key="m")[1].symptom == "animation_frozen"


def test_a_stroke_that_leaves_nothing_is_told_twice() -> None:
    """Paint on the canvas holds; none after two strokes: `input_ignored`."""
    canvas = mark("", "canvas", size=(400, 300))
    act = Drag(target=Target.of(canvas), by=(100, 50))
    assert tell(act, page(canvas), page(canvas), "draws", changes={"picture": 0.001}).held is True
    assert twice(act, page(canvas), page(canvas), "draws", changes={"picture": 0.0}, key="d")[1].symptom == "input_ignored"


def test_a_thing_that_cannot_be_dragged_is_told_twice() -> None:
    """A new order holds; the same one twice: `input_ignored`."""
    card = mark("Card", "div", draggable=True)
    act = Drag(target=Target.of(card), by=(200, 0))
    assert tell(act, page(card, text="a\nb"), page(card, text="b\na"), "dropped").held is True
    assert twice(act, page(card), page(card), "dropped", key="d")[1].symptom == "input_ignored"
    only_stored = twice(act, page(card), page(card, storage_sha256="other"), "dropped", key="d", changes={"picture": 0.0})
    assert only_stored[1].symptom == "input_ignored"
    assert tell(act, page(card), page(card, storage_sha256="other"), "dropped", changes={"picture": 0.1}).held is True


# ---- places -------------------------------------------------------------------------------------------------------------


def test_a_link_that_leads_somewhere_holds() -> None:
    """Another address with contents."""
    link = mark("About", "a", href="http://127.0.0.1:4000/about.html")
    assert (
        tell(on(link), page(link, text="home"), page(text="about us", url="http://127.0.0.1:4000/about.html"), "navigates").held
        is True
    )


def test_a_link_to_a_page_that_is_not_there_is_broken_at_once() -> None:
    """A short page that says 404 needs no second attempt."""
    link = mark("About", "a", href="http://127.0.0.1:4000/about.html")
    lost = page(text="Error response\nError code: 404\nFile not found", url="http://127.0.0.1:4000/about.html")
    assert tell(on(link), page(link, text="home"), lost, "navigates").symptom == "broken_navigation"


def test_a_link_that_does_nothing_is_broken_after_two_attempts() -> None:
    """An address that is never reached is broken navigation; a link without address that does nothing is a dead control."""
    link, empty = (
        mark("About", "a", href="http://127.0.0.1:4000/about.html"),
        mark("Details", "a", href="http://127.0.0.1:4000/#"),
    )
    assert twice(on(link), page(link), page(link), "navigates", key="l")[1].symptom == "broken_navigation"
    assert twice(on(empty), page(empty), page(empty), "navigates", key="l")[1].symptom == "dead_control"


def test_the_way_back_holds_or_is_not_told() -> None:
    """The old address again; another one of the site is no fault."""
    home = page(text="home")
    away = page(text="away", url="http://127.0.0.1:4000/a")
    assert tell(GoBack(), away, home, "returns", url=home.url).held is True
    assert tell(GoBack(), away, away, "returns", url=home.url).attempts == 0


def test_what_is_lost_in_a_reload_is_accused_only_where_it_was_promised() -> None:
    """Kept holds; lost is `persistence_lost` with a promise and nothing without; an absent entry tells nothing."""
    with_it, without = page(SAVE, text="tea"), page(SAVE, text="empty")
    assert tell(Reload(), with_it, with_it, "persists", text="tea").held is True
    assert tell(Reload(), with_it, without, "persists", text="tea", promised=1.0).symptom == "persistence_lost"
    assert tell(Reload(), with_it, without, "persists", text="tea", promised=0.0).held is None
    assert tell(Reload(), without, without, "persists", text="tea", promised=1.0).attempts == 0


def test_a_step_back_shows_what_was_entered() -> None:
    """The field that comes back holds its value, or lost it."""
    field, back = mark("City", "input"), mark("Back")
    typed_in = stepped(
        decided(Type(target=Target.of(field), text="Bonn"), "value_kept", value="Bonn"),
        page(field),
        page(field.model_copy(update={"value": "Bonn"})),
    )
    second = page(back, text="step two")
    kept = page(field.model_copy(update={"value": "Bonn"}), text="step one")
    assert tell(on(back), second, kept, "kept_on_return", (typed_in,)).held is True
    assert tell(on(back), second, page(field, text="step one"), "kept_on_return", (typed_in,)).symptom == "state_not_updated"
    assert tell(on(back), second, page(mark("Menu")), "kept_on_return", (typed_in,)).attempts == 0


# ---- all of them --------------------------------------------------------------------------------------------------------


def test_an_unknown_oracle_is_named() -> None:
    """A mistake of ours is an outcome that cannot be told, not a crash and not silence."""
    outcome = tell(on(SAVE), page(SAVE), page(SAVE), "weighs")
    assert (outcome.held, outcome.attempts) == (None, 0)
    assert "weighs" in outcome.observed


@pytest.mark.parametrize("oracle", sorted(ORACLES))
def test_no_oracle_accuses_what_could_not_be_observed(oracle: str) -> None:
    """Without an observation afterwards nothing is held against the app."""
    still = page(SAVE, text="hello")
    gone = still.model_copy(update={"id": ""})
    for outcome in stepped(decided(on(SAVE), oracle, value=1.0, text="x", word="x"), still, gone).outcomes:
        assert outcome.held is None


@pytest.mark.parametrize("oracle", sorted(ORACLES))
def test_no_oracle_accuses_at_the_first_silent_attempt(oracle: str) -> None:
    """One act that changed nothing is never enough."""
    still = page(SAVE, text="hello")
    for outcome in stepped(decided(on(SAVE), oracle, value="1", text="zzz", word="zzz", url=still.url), still, still).outcomes:
        assert outcome.held is not False
