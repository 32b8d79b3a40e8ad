"""Skills that come back, look again, or look closer: views left, wrong values, pairs of cards, a phone's menu, what is kept."""

from __future__ import annotations

from agent.skills import buttons, calculator, choices, editors, forms, keyboard, pairs, persistence, phones, revisiting, wrongs
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import acts, aims, decided, did, mark, on, page, see, stepped, view
from tools.browser.actions import Click, Press, Reload, Resize, Select, Target, Type, Wait

TABS = (
    mark("Overview", role="tab", at=(0, 0), checked=True),
    mark("Orders", role="tab", at=(120, 0), checked=False),
)
NEXT = mark("Newer", at=(300, 300))


def test_a_view_left_with_controls_untried_is_gone_back_to() -> None:
    """Orders showed a button that is out of sight now: back there, unless that view is shown, or nothing is left in it."""
    first, inside = page(*TABS, number=1), page(*TABS, NEXT, text="orders", number=2)
    there = stepped(decided(on(TABS[1])), first, inside)
    back = stepped(decided(on(TABS[0])), inside, page(*TABS, text="over", number=3), (there,))
    seen = Survey(view(page(*TABS, text="over", number=3), steps=(there, back), past=(first, inside)), 0)
    assert aims(revisiting.propose(seen)) == ["Orders"]
    used = stepped(decided(on(NEXT)), inside, inside, (there,))
    done = Survey(view(page(*TABS, text="over", number=3), steps=(there, used, back), past=(first, inside)), 0)
    assert revisiting.propose(done) == []
    assert revisiting.propose(Survey(view(inside, steps=(there,), past=(first,)), 0)) == []


MAIL = mark("E-mail address", "input", input_type="email", at=(100, 400), size=(300, 40))
SEND = mark("Subscribe", at=(420, 400))
LANDING = "A landing page with a newsletter form that checks the address"


def test_a_wrong_value_follows_a_right_one_where_the_brief_wants_it_checked() -> None:
    """After the form took an address: one without @, and the button; late, or never, without a brief that asks."""
    sent = stepped(decided(on(SEND), skill='submit form "E-mail address"'), page(MAIL, SEND), page(MAIL, SEND, text="Thanks"))
    found = acts(wrongs.propose(see(MAIL, SEND, brief=LANDING, steps=(sent,), past=(page(MAIL, SEND),))))
    assert [getattr(act, "text", "") for act in found] == ["anna.keller"]
    wrong = MAIL.model_copy(update={"value": "anna.keller"})
    typed = did(decided(found[0], skill='fill wrongly "E-mail address"'), page(MAIL, SEND), page(wrong, SEND), sent)
    assert aims(wrongs.propose(see(wrong, SEND, brief=LANDING, steps=(sent, typed), past=(page(MAIL, SEND),)))) == ["Subscribe"]
    unasked = wrongs.propose(see(MAIL, SEND, brief="A landing page with a newsletter", steps=(sent,), past=(page(MAIL, SEND),)))
    assert all(one.priority < 45 for one in unasked)
    plain = MAIL.model_copy(update={"input_type": "text"})
    assert wrongs.propose(see(plain, SEND, brief="A landing page with a newsletter", steps=(sent,))) == []
    assert wrongs.propose(see(MAIL, SEND, brief=LANDING)) == []


CARDS = tuple(mark(f"Card {n}, face down", at=(100 * n, 100), size=(80, 80), group="cards") for n in range(1, 9))


def test_two_cards_are_turned_and_watched() -> None:
    """One card, another, then a wait that expects what becomes of two different faces."""
    brief = "A memory game: find the pairs among eight cards face down"
    first = page(*CARDS, number=0)
    survey = Survey(view(first, brief=brief), 0)
    one = max(pairs.propose(survey, CARDS), key=lambda found: found.priority).decision
    assert isinstance(one.action, Click)
    up = (CARDS[0].model_copy(update={"name": "Card 1, ★", "signature": "up1"}), *CARDS[1:])
    second = page(*up, number=1)
    step = stepped(one, first, second)
    two = pairs.propose(Survey(view(second, brief=brief, steps=(step,), past=(first,)), 0), up[1:])[0].decision
    assert isinstance(two.action, Click)
    assert two.action.target.name == "Card 2, face down"
    both = (up[0], CARDS[1].model_copy(update={"name": "Card 2, ♥", "signature": "up2"}), *CARDS[2:])
    third = page(*both, number=2)
    steps = (step, stepped(two, second, third, (step,)))
    watch = pairs.propose(Survey(view(third, brief=brief, steps=steps, past=(first, second)), 0), both)[0].decision
    assert isinstance(watch.action, Wait)
    wish = watch.expectations[0]
    assert (wish.oracle, wish.params["face_one"], wish.params["face_two"]) == ("turned_back", "card , ★", "card , ♥")
    assert pairs.propose(Survey(view(first, brief="A board game"), 0), CARDS) == []


def test_a_menu_is_opened_at_a_phones_width() -> None:
    """Narrow, open, wide again; only where the brief speaks of a menu and of phones."""
    menu, link = mark("Menu", size=(80, 40)), mark("Plans", "a", href="http://127.0.0.1:4000/#plans")
    brief = "A landing page with a menu on phones"
    wide = page(link)
    narrow = acts(phones.propose(Survey(view(wide, brief=brief), 0)))
    assert [type(act) for act in narrow] == [Resize]
    small = page(menu, viewport=(390, 844), number=1)
    step = stepped(decided(narrow[0], skill="make the window as narrow as a phone"), wide, small)
    assert aims(phones.propose(Survey(view(small, brief=brief, steps=(step,), past=(wide,)), 0))) == ["Menu"]
    opened = page(menu, link, viewport=(390, 844), number=2)
    press = stepped(decided(on(menu), "menu_opens", skill="open the menu of a phone"), small, opened, (step,))
    assert press.outcomes[0].held is True
    after = acts(phones.propose(Survey(view(opened, brief=brief, steps=(step, press), past=(wide, small)), 0)))
    assert [getattr(act, "width", 0) for act in after] == [1280]
    assert phones.propose(Survey(view(wide, brief="A landing page"), 0)) == []


def test_a_reload_looks_for_what_was_made_besides_entries() -> None:
    """A cart that counts is asked for after a reload where the brief promises that; a theme's promise is another matter."""
    add = mark("Add to cart")
    before, after = page(add, mark("Cart (0)"), number=1), page(add, mark("Cart (1)"), number=2)
    step = stepped(decided(on(add)), before, after)
    kept = persistence.propose(Survey(view(after, brief="A shop. The cart survives a reload.", steps=(step,), past=(before,)), 0))
    assert [(type(one.decision.action), one.decision.expectations[0].oracle) for one in kept] == [(Reload, "kept")]
    theme = "A shop with a cart. The dark theme is remembered after a reload."
    assert persistence.propose(Survey(view(after, brief=theme, steps=(step,), past=(before,)), 0)) == []


def test_a_lone_select_is_a_choice_and_no_form() -> None:
    """Start does not take it in: something has to follow it, and another option is chosen where nothing does."""
    bars = mark("Beats per bar", "select", options=("2", "3", "4"), option_names=("2", "3", "4"), value="4", at=(100, 100))
    start, brief = mark("Start", at=(100, 160)), "A metronome with beats per bar, start and stop"
    assert forms.propose(see(bars, start, brief=brief)) == []
    first = choices.propose(see(bars, start, brief=brief))[0].decision
    assert isinstance(first.action, Select)
    assert any(one.oracle == "choice_follows" for one in first.expectations)
    chosen = bars.model_copy(update={"value": first.action.value})
    step = stepped(first, page(bars, start), page(chosen, start), picture=0.0)
    again = acts(choices.propose(see(chosen, start, brief=brief, steps=(step,), past=(page(bars, start),))))[0]
    assert isinstance(again, Select)
    assert again.value not in (first.action.value, "4")


def test_a_waveform_is_heard_and_not_seen() -> None:
    """Nothing on the page has to follow the choice of a sound's shape."""
    wave = mark("Waveform", "select", options=("sine", "square"), option_names=("Sine", "Square"), value="sine")
    first = choices.propose(see(wave, brief="A synthesizer with four waveforms, played by mouse"))[0].decision
    assert not any(one.oracle == "choice_follows" for one in first.expectations)


def test_keys_in_a_row_are_read_and_none_is_guessed() -> None:
    """`(A S D F)` names keys; a keyboard that nothing says more of is not tried with an arrow, unless something leads on."""
    pads = see(mark("Kick"), brief="A drum machine. Pads play when their key (A S D F) is pressed.")
    assert acts(keyboard.propose(pads))[:2] == [Press(keys=("a",)), Press(keys=("s",))]
    editor = see(mark("Note"), brief="An editor that works with the keyboard", listens=("keydown",))
    assert keyboard.propose(editor) == []
    slides = see(mark("Photo"), brief="A photo gallery. Keyboard shortcuts lead from image to image.", listens=("keydown",))
    assert acts(keyboard.propose(slides)) == [Press(keys=("ArrowRight",))]


def test_a_sum_begun_and_cleared_leaves_nothing_behind() -> None:
    """6 + C 9 × 2 is 18: the sum is among those pressed, with the clear key in it."""
    names = [*"0123456789", "+", "-", "×", "÷", "=", "C"]
    keys = [mark(name, at=(60.0 * (place % 4), 60.0 * (place // 4))) for place, name in enumerate(names)]
    steps, before = [], page(*keys, text="0")
    pressed: list[str] = []
    for number in range(40):
        found = calculator.propose(see(*keys, steps=tuple(steps), past=(before,), text="0"))
        if not found:
            break
        best = found[0].decision
        assert isinstance(best.action, Click)
        pressed.append(best.action.target.name)
        steps.append(stepped(best, before, page(*keys, text=str(number)), tuple(steps)))
    assert "6+C9×2=" in "".join(pressed)


def test_an_entry_form_in_a_dialog_is_tried_for_each_way_that_opens_it() -> None:
    """Edited first, it is filled again when New opens it."""
    title, save = mark("Title", "input", input_type="text", at=(400, 300)), mark("Save", at=(400, 360))
    edit, new = mark("Edit Chairs", at=(100, 100)), mark("New card", at=(900, 20))
    base, dialog = page(edit, new, number=1), page(title, save, text="Edit card", number=2)
    opened = stepped(decided(on(edit)), base, dialog)
    saved = stepped(decided(on(save), skill='submit form "Title"'), dialog, base, (opened,))
    anew = stepped(decided(on(new)), base, dialog, (opened, saved))
    survey = Survey(view(page(title, save, text="New card", number=3), steps=(opened, saved, anew), past=(base, dialog, base)), 0)
    assert forms.propose(survey)
    again = stepped(decided(on(edit)), base, dialog, (opened, saved, anew))
    twice = Survey(view(page(title, save, number=4), steps=(opened, saved, again), past=(base, dialog, base)), 0)
    assert [one.decision.skill for one in forms.propose(twice) if isinstance(one.decision.action, Type)] == []


def test_markdown_is_written_to_be_rendered() -> None:
    """A heading and a list, where the brief speaks of Markdown; not in any other editor."""
    note = mark("Text", "textarea", at=(300, 100), size=(600, 400))
    asked = editors.propose(see(note, brief="A Markdown editor with live preview"))
    assert [one.decision.expectations[0].oracle for one in asked] == ["rendered"]
    assert editors.propose(see(note, brief="A notes app")) == []
    assert editors.propose(see(note, brief="A CSV table that can be copied as Markdown")) == []


def test_the_chosen_one_of_a_row_is_pressed_late_and_a_boards_cells_are_the_games() -> None:
    """What is marked as current can't show much; cells belong to the skill that knows the game."""
    row = [mark(name, at=(100 + 130 * n, 100)) for n, name in enumerate(("All", "Tea", "Cake"))]
    current = [row[0].model_copy(update={"evidence": ("tag", "current")}), *row[1:]]
    assert aims(buttons.propose(see(*current)))[-1] == "All"
    assert buttons.propose(see(*CARDS, brief="A memory game with cards")) == []
    assert Target.of(row[0]).name == "All"


def test_an_entry_that_is_called_by_its_text_is_not_new_with_every_word() -> None:
    """Its name changes while the text is written; after two tries under other names it is known."""
    entries = [
        mark(name, selector="#entry", at=(0, 0)) for name in ("Garden plan", "Garden plan today", "Garden plan today, too")
    ]
    first = page(entries[0], NEXT, number=1)
    once = stepped(decided(on(entries[0])), first, page(entries[1], NEXT, number=2))
    twice = stepped(decided(on(entries[1])), page(entries[1], NEXT, number=2), page(entries[2], NEXT, number=3), (once,))
    late = view(page(entries[2], NEXT, number=3), steps=(once, twice), past=(first, page(entries[1], NEXT, number=2)))
    assert Survey(late).renamed(entries[2]) == 2
    assert aims(buttons.propose(Survey(late))) == ["Newer"]
