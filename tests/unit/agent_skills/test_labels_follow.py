"""Small figures and switches that must follow: the label of a slider, what a switch shows, links to parts, errors of a press."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Step
from agent.skills import choices
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import decided, mark, on, page, see, stepped, tell, twice
from tools.browser.actions import Click, SetValue, Target, Type
from tools.browser.marks import Mark, Observation


def slider(value: str, name: str = "Length") -> Mark:
    """A slider at a value."""
    return mark(name, "input", role="slider", input_type="range", value=value, minimum="0", maximum="200", selector="#s")


def swept(before: Observation, after: Observation, value: str) -> tuple[bool | None, str]:
    """What the label of a slider tells after a sweep, and its symptom; None where it tells nothing."""
    act = SetValue(target=Target.of(before.marks[0]), value=value)
    told = stepped(decided(act, "label_follows"), before, after).outcomes
    return (told[0].held, told[0].symptom) if told else (None, "")


def asked(survey: Survey) -> set[str]:
    """Oracles that the proposals for single controls call."""
    return {told.oracle for found in choices.propose(survey) for told in found.decision.expectations}


def test_a_label_in_the_name_of_a_slider_follows_or_is_stale() -> None:
    """`Length 1.0 m` has to become `Length 1.9 m`."""
    before = page(slider("1.0", "Length 1.0 m"))
    assert swept(before, page(slider("1.9", "Length 1.9 m")), "1.9")[0] is True
    assert swept(before, page(slider("1.9", "Length 1.0 m")), "1.9") == (False, "state_not_updated")


@pytest.mark.parametrize(
    ("then", "now", "held"),
    [
        ("Tempo\n100 bpm", "Tempo\n191 bpm", True),
        ("Tempo\n100 bpm", "Tempo\n100 bpm", False),
        ("Opacity\n50%", "Opacity\n50%", None),
        ("Score of 100 points so far", "Score of 100 points so far", None),
        ("Tempo\n100", "Tempo\n1.91", True),
    ],
)
def test_a_figure_beside_a_slider(then: str, now: str, held: bool | None) -> None:
    """Only a figure that was its value, alone on its line, is its label; a share of it will do as well."""
    assert swept(page(slider("100"), text=then), page(slider("191"), text=now), "191")[0] is held


def test_a_figure_before_words_is_a_label_where_the_brief_has_these_words_for_it() -> None:
    """`100 beats per minute` is the tempo's where the brief says so; any other hundred of something is not."""
    brief = "A metronome. Tempo slider from 40 to 208 beats per minute with its value shown large, start and stop, tap tempo."
    tempo, start = slider("100", "Tempo"), mark("Start", at=(100, 200))
    wishes = [
        told
        for found in choices.propose(see(tempo, start, brief=brief, text="100 beats per minute"))
        for told in found.decision.expectations
        if told.oracle == "label_follows"
    ]
    said = str(wishes[0].params["said"])
    for line, now, held in (
        ("100 beats per minute", "100 beats per minute", False),
        ("100 beats per minute", "191 beats per minute", True),
        ("100 happy users", "100 happy users", None),
    ):
        act = SetValue(target=Target.of(tempo), value="191")
        after = page(slider("191", "Tempo"), start, text=now)
        told = stepped(decided(act, "label_follows", said=said), page(tempo, start, text=line), after).outcomes
        assert (told[0].held if told else None) is held
    act, elsewhere = SetValue(target=Target.of(tempo), value="191"), page(slider("133", "Tempo"), text="100 beats per minute")
    both = twice(act, elsewhere, page(slider("191", "Tempo"), text="100 beats per minute"), "label_follows", said=said)
    assert [one.held for one in both] == [None, False]


def test_a_figure_that_two_controls_have_is_nobodys_label() -> None:
    """Another slider stands at the same value."""
    other = mark("Width", "input", role="slider", input_type="range", value="100")
    before, after = page(slider("100"), other, text="100 px"), page(slider("191"), other, text="100 px")
    assert swept(before, after, "191")[0] is None


def test_a_switch_that_is_asked_for_must_switch_something() -> None:
    """A switch to yearly prices: its own state is not enough, told at the second attempt; one for the sound need not show."""
    yearly = mark("Pay yearly", "input", role="checkbox", input_type="checkbox", checked=False)
    assert "choice_follows" in asked(see(yearly, brief="A landing page with three plans and a switch to yearly prices."))
    sound = mark("Sound effects", "input", role="checkbox", input_type="checkbox", checked=False)
    assert "choice_follows" not in asked(see(sound, brief="A game with a switch for sound effects."))
    on_now = yearly.model_copy(update={"checked": True})
    both = twice(
        on(yearly),
        page(yearly, text="$5"),
        page(on_now, text="$5"),
        "choice_follows",
        key="switch",
        changes={"dom": False, "text": False, "picture": 0.0},
    )
    assert [one.held for one in both] == [None, False]
    lamp = {"dom": False, "text": False, "picture": 0.05}
    before, after = page(yearly, text="$5", animated=True), page(on_now, text="$5", animated=True)
    for text, held in ((1.0, False), (0.0, None)):
        told = twice(on(yearly), before, after, "choice_follows", key="switch", text=text, changes=lamp)
        assert told[1].held is held


def test_a_link_to_a_part_that_the_page_lacks() -> None:
    """The address changes and nothing else: broken where there is no such part, else it may be in view.

    What fades in meanwhile is no part that was led to.
    """
    astray = mark("Plans", "a", href="http://127.0.0.1:4000/#plan", evidence=("tag", "astray"))
    fine = mark("Plans", "a", href="http://127.0.0.1:4000/#plans")
    moved = {"url": True, "text": False, "dom": False, "scroll": False, "picture": 0.0}
    fading = {**moved, "picture": 0.04}
    for one, changes, held in ((astray, moved, False), (astray, fading, False), (fine, moved, None), (fine, fading, True)):
        told = tell(on(one), page(one), page(one, url=one.href), "navigates", changes=changes)
        assert told.held is held


def test_figures_before_what_they_count() -> None:
    """20 words · 20 characters" under a text of four words: wrong in two states of the text."""

    def written(text: str, words: int) -> Observation:
        editor = mark("Note text", "textarea", value=text, size=(700, 500))
        return page(editor, text=f"Notes\n{words} words · {len(text)} characters · saved")

    texts = ("A third short line", "Some other words of it", "Nothing but a few words")
    pages = [written(text, len(text.split())) for text in texts]
    act = Type(target=Target.of(pages[0].marks[0]), text=texts[1])
    assert tell(act, pages[0], pages[1], "words_agree").held is True
    wrong = [written(text, len(text)) for text in texts]
    first = stepped(decided(act, "words_agree", key="w"), wrong[0], wrong[1])
    second = stepped(decided(act, "words_agree", key="w"), wrong[1], wrong[2], (first,))
    assert [one.outcomes[0].held for one in (first, second) if one.outcomes][-1] is False


def test_what_is_typed_in_an_act_is_no_empty_field() -> None:
    """Enter in the field that was just filled: that nothing appears is the app's doing, told at the second attempt."""
    field, button = mark("New task", "input", value=""), mark("Add task", at=(240, 100))
    before = page(field, button)
    for act, held in ((Type(target=Target.of(field), text="Milk", submit=True), False), (Click(target=Target.of(button)), None)):
        told = twice(act, before, before, "text_appears", text="Milk", key="milk", changes={"picture": 0.0})
        assert told[1].held is held


def test_a_basket_costs_more_with_more_in_it() -> None:
    """One more, then one less, and the sum stays: a wrong result. It is not asked of a shelf."""
    more, less = mark("One Aloe more", context="Basket (1)"), mark("One Aloe less", at=(240, 100), context="Basket (1)")

    def basket(amount: int, sum_: float) -> Observation:
        return page(more, less, text=f"Aloe\n{amount}\nSubtotal\n${sum_:.2f}\nDelivery\n$4.90\nTotal\n${sum_ + 4.9:.2f}")

    assert tell(on(more), basket(1, 14), basket(2, 28), "bill_follows").held is True
    first = stepped(decided(on(more), "bill_follows", key="bill"), basket(1, 14), basket(2, 14))
    second = stepped(decided(on(less), "bill_follows", key="bill"), basket(2, 14), basket(1, 14), (first,))
    assert (second.outcomes[0].held, second.outcomes[0].symptom) == (False, "wrong_result")


def test_a_slider_that_nothing_follows_beside_one_that_figures_follow_is_told_of_a_page_that_moves() -> None:
    """A carousel goes on meanwhile; what tells is that no figure changes where some followed the other slider."""

    def shown(week: int, price: int, sum_: int, story: str, number: int) -> Observation:
        first = slider(str(week), "Bunches a week")
        second = slider(str(price), "Price of a bunch").model_copy(update={"selector": "#cost"})
        text = f"You spend in a year\n{sum_}\n{story}"
        return page(first, second, text=text, number=number, moving=0.02, animated=True)

    week, price = shown(4, 180, 374, "Anna", 0).marks
    pages = [
        shown(4, 180, 374, "Anna", 0),
        shown(11, 180, 1029, "Ben", 1),
        shown(11, 370, 1029, "Cleo", 2),
        shown(11, 90, 1029, "Dan", 3),
    ]
    steps: tuple[Step, ...] = ()
    for mark_, value, at in ((week, "11", 0), (price, "370", 1), (price, "90", 2)):
        act = decided(SetValue(target=Target.of(mark_), value=value), "follows")
        steps = (*steps, stepped(act, pages[at], pages[at + 1], steps))
    assert [[(one.held, one.attempts) for one in step.outcomes] for step in steps] == [[(None, 0)], [(None, 1)], [(False, 2)]]
