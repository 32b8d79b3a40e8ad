"""Counters, savings, what is kept over a reload, texts and their numbers, cards that turn back."""

from __future__ import annotations

import pytest

from agent.skills.checks.counters import as_lines
from agent.skills.checks.kept import made
from agent.skills.checks.labelled import figures
from agent.skills.checks.savings import announces
from tests.unit.agent_skills.scenes import decided, mark, on, page, stepped, tell, twice
from tools.browser.actions import Reload, Select, Target, Type, Wait
from tools.browser.marks import Listing

CARD, AGAIN, ADD = mark("Card 1"), mark("New game"), mark("Add to cart")
WAIT = Wait(ms=2600)


def test_figures_are_read_by_their_labels() -> None:
    """On one line, below a label, several in a line, in a control's name; a label that occurs twice is none."""
    text = "Revenue\n$12,345\nMoves: 3 Pairs: 0 Time: 12 s\nStock 4\nStock 5\n12:30 start\n共 8 件商品"
    found = figures(page(mark("购物车（2）"), text=text))
    assert found == {"revenue": 12345.0, "moves": 3.0, "pairs": 0.0, "time": 12.0, "共": 8.0, "购物车": 2.0}


def test_a_cart_that_does_not_count_is_told_at_the_second_piece() -> None:
    """The number in the cart's own button stays though something was stored."""
    stuck = [page(ADD, mark("Cart (0)"), storage_sha256=str(number)) for number in range(3)]
    history = stepped(decided(on(ADD), "counts", of="cart", key="cart"), stuck[0], stuck[1])
    second = stepped(decided(on(ADD), "counts", of="cart", key="cart"), stuck[1], stuck[2], (history,))
    assert [one.outcomes[0].held for one in (history, second)] == [None, False]
    assert tell(on(ADD), page(ADD, mark("Cart (0)")), page(ADD, mark("Cart (1)")), "counts", of="cart").held is True


def test_a_press_without_any_effect_says_nothing_of_a_counter() -> None:
    """Then the control is dead, not the counter; and without a counter nothing is written down."""
    still = page(ADD, mark("Cart (0)"))
    assert stepped(decided(on(ADD), "counts", of="cart"), still, still).outcomes == ()
    assert stepped(decided(on(CARD), "counts", of="moves"), page(CARD, text="a"), page(CARD, text="b")).outcomes == ()


def test_time_that_stands_is_told_after_two_watches() -> None:
    """`Time 0` while 3 s pass, twice; a time that runs holds; a clock with a colon is the timers' matter."""
    pages = [page(CARD, text="Time: 0", number=number) for number in (0, 3)]
    told = twice(WAIT, pages[0], pages[1], "time_counts", key="time")
    assert (told[0].held, told[1].held, told[1].symptom) == (None, False, "animation_frozen")
    assert tell(WAIT, pages[0], page(CARD, text="Time: 3", number=3), "time_counts").held is True
    assert stepped(decided(WAIT, "time_counts"), page(text="00:00"), page(text="00:00", number=3)).outcomes == ()


def test_the_time_beside_a_board_of_numbers_is_read() -> None:
    """A label with its figure above keeps it before the board's own numbers; a record without a figure takes none of theirs."""
    shown = figures(page(text="010\nMines\n🙂\n003\nSeconds\n1\n2\n1\nBest time (Easy): —"))
    assert shown == {"mines": 10.0, "seconds": 3.0}
    pages = [page(CARD, text=f"003\nSeconds\n1\n2\nBest time: {best}", number=number) for number, best in ((0, 5), (3, 5))]
    told = twice(WAIT, pages[0], pages[1], "time_counts", key="time")
    assert told[1].observed.startswith('"seconds" is still 3')


def test_a_new_round_begins_anew() -> None:
    """A counter of the round before that stays is told; best scores may stay."""
    first = as_lines(page(text="Moves: 0\nScore: 0\nBest score: 0"))
    before = page(AGAIN, text="Moves: 4\nScore: 30\nBest score: 30")
    stuck = tell(on(AGAIN), before, page(AGAIN, text="Moves: 4\nScore: 0\nBest score: 30"), "begins_anew", first=first)
    assert (stuck.held, stuck.symptom) == (False, "state_not_updated")
    assert (
        tell(on(AGAIN), before, page(AGAIN, text="Moves: 0\nScore: 0\nBest score: 30"), "begins_anew", first=first).held is True
    )


@pytest.mark.parametrize(
    ("after", "held"),
    [("$48.00 a\n$115.20 b", True), ("$4.00 a\n$9.60 b", True), ("$72.00 a\n$172.80 b", False), ("$5.00 a\n$12.00 b", None)],
)
def test_an_announced_saving_is_taken_off(after: str, held: bool | None) -> None:
    """20 % off 5 and 12, a month or a year of it; dearer instead is wrong, and the same prices say nothing."""
    switch = mark("Pay yearly and save 20%", "input", input_type="checkbox", role="checkbox", checked=False)
    step = stepped(decided(on(switch), "saving_agrees", percent=20.0), page(switch, text="$5.00 a\n$12.00 b"), page(text=after))
    assert [one.held for one in step.outcomes] == ([] if held is None else [held])


def test_a_saving_is_read_from_the_switch_or_from_the_brief() -> None:
    """The brief's counts only for a switch to a longer period, and only where it names one."""
    assert announces("Pay yearly and save 20%", "Pay yearly and save 20%", "") == 20
    assert announces("Yearly", "Yearly", "a switch to yearly prices (25% off)") == 25
    assert announces("Dark", "Dark", "a switch to yearly prices (25% off)") == 0
    assert announces("Yearly", "Yearly", "20% off, students 50% off") == 0


def test_what_was_made_is_kept_over_a_reload() -> None:
    """A counter that an act stored is gone after the reload: lost; still there: kept; what nothing stored is not asked for."""
    empty, full = page(ADD, mark("Cart (0)"), number=1), page(ADD, mark("Cart (2)"), number=2)
    step = stepped(decided(on(ADD)), empty, full)
    assert made((step,), {"o1": empty, "o2": full}, empty) == ("cart: 2",)
    assert tell(Reload(), full, page(ADD, mark("Cart (0)")), "kept", made="cart: 2").symptom == "persistence_lost"
    assert tell(Reload(), full, full, "kept", made="cart: 2").held is True
    words = page(ADD, text="Words: 2", number=2, storage_sha256="x")
    assert made((stepped(decided(on(ADD)), empty, words),), {"o1": empty, "o2": words}, empty) == ()


def test_rows_of_a_list_are_what_is_made_too() -> None:
    """A row that came with an act that stores is asked for after the reload."""
    rows = Listing(selector="#h", title="History", items=(("7 + 8 = 15",),), count=1)
    before, after = page(ADD, text="History", number=1), page(ADD, text="History", number=2, lists=(rows,), storage_sha256="x")
    step, seen = stepped(decided(on(CARD)), before, after), {"o1": before, "o2": after}
    assert made((step,), seen, before) == ("7 + 8 = 15",)
    assert made((step,), seen, page(ADD)) == ()  # a drawer that was opened meanwhile: a reload closes it


def test_words_of_a_text_are_counted_as_people_do() -> None:
    """Right for any usual way of counting; signs instead of words, in two texts, are wrong."""
    note = mark("Note", "textarea", size=(600, 400), value="One two three four")
    act = Type(target=Target.of(note), text="x")
    good, bad = page(note, text="Words: 4\nCharacters: 18"), page(note, text="Words: 18\nCharacters: 18")
    empty = page(note.model_copy(update={"value": ""}))
    assert tell(act, empty, good, "words_agree").held is True
    assert twice(act, empty, bad, "words_agree", key="words")[1].symptom == "wrong_result"


@pytest.mark.parametrize("label", ["Words per minute", "Words left", "Words/min", "Longest word", "Word goal"])
def test_words_that_count_something_else_are_not_the_texts(label: str) -> None:
    """A typing test's speed, a goal and what is left say nothing of how long the text is."""
    text = "one two three four five six seven eight nine ten eleven"
    note = mark("Text", "textarea", size=(600, 400), value=text)
    before, after = page(note.model_copy(update={"value": text[:20]})), page(note, text=f"{label}: 7", number=1)
    assert stepped(decided(Type(target=Target.of(note), text="x"), "words_agree"), before, after).outcomes == ()


def test_markdown_is_rendered_beside_the_editor() -> None:
    """As it should look: held. Nowhere: not updated. With its signs: wrong. A raw title beside the rendered text is no fault."""
    text, plain = "# Plan\n\n- Milk", "Plan\nMilk"
    note = mark("Text", "textarea", size=(600, 400), value=text)
    act = Type(target=Target.of(note), text=text)

    def told(shown: str) -> str | bool | None:
        first, second = twice(act, page(note), page(note, text=shown), "rendered", text=text, plain=plain, key="r")
        return second.symptom or first.held

    assert (told("Plan\nMilk"), told("# Plan\nPlan\nMilk")) == (True, True)
    assert (told("Plan"), told("Plan\n- Milk")) == ("state_not_updated", "wrong_result")


@pytest.mark.parametrize(
    ("faces", "later", "symptom"),
    [
        (("a", "b"), ("Card 1, down", "Card 2, down"), ""),
        (("a", "b"), ("Card 1, A", "Card 2, B"), "state_not_updated"),
        (("a", "a"), ("Card 1, A", "Card 2, A"), ""),
        (("a", "a"), ("Card 1, down", "Card 2, down"), "wrong_result"),
        (("a", ""), ("Card 1, A", "Card 2, down"), None),
    ],
)
def test_two_cards_stay_or_turn_back(faces: tuple[str, str], later: tuple[str, str], symptom: str | None) -> None:
    """Equal ones stay, different ones turn back; otherwise it is told the second time; without both faces nothing is."""
    down = ("Card 1, down", "Card 2, down")
    one, two = mark(later[0], at=(100, 100)), mark(later[1], at=(300, 100))
    wish = {"one": "160,116", "two": "360,116", "down_one": down[0], "down_two": down[1], "key": "cards"}
    wish |= {"face_one": faces[0], "face_two": faces[1]}
    first = stepped(decided(WAIT, "turned_back", **wish), page(), page(one, two))
    second = stepped(decided(WAIT, "turned_back", **wish), page(), page(one, two), (first,))
    assert [told.symptom for told in second.outcomes] == ([] if symptom is None else [symptom])


def test_nothing_follows_a_choice() -> None:
    """Two other options without anything but the select's own value: told. A text that follows holds."""
    box = mark("Bars", "select", options=("2", "3"), value="2")
    other = box.model_copy(update={"value": "3"})
    act = Select(target=Target.of(box), value="3")
    told = twice(act, page(box, text="a"), page(other, text="a"), "choice_follows", key="bars", changes={"picture": 0.0})
    assert (told[0].held, told[1].symptom) == (None, "state_not_updated")
    assert tell(act, page(box, text="a"), page(other, text="b"), "choice_follows").held is True
    export, larger = (one.model_copy(update={"context": "Export PNG"}) for one in (box, other))
    act = on(export)
    told = twice(act, page(export, text="a"), page(larger, text="a"), "choice_follows", key="scale", changes={"picture": 0.0})
    assert [one.held for one in told] == [None, None]


def test_a_wrong_value_is_refused() -> None:
    """A complaint, or a form that keeps it, holds; a confirmation does not."""
    field = mark("E-mail", "input", input_type="email", value="anna.keller")
    send = mark("Subscribe", at=(300, 100))
    wish = {"field": field.signature, "shows": "anna.keller", "key": "form"}
    taken = tell(on(send), page(field, send), page(send, text="Thank you."), "refused", **wish)
    assert (taken.held, taken.symptom) == (False, "validation_missing")
    assert (
        tell(on(send), page(field, send), page(field, send, text="Please enter a valid address"), "refused", **wish).held is True
    )
    assert tell(on(send), page(field, send), page(field, send), "refused", **wish).held is True
