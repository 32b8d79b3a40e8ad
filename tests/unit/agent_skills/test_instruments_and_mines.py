"""Instruments, fields of mines, ranges, pages and reviews of apps nobody tuned on."""

from __future__ import annotations

import pytest

from agent.deciders.curious import with_contents
from agent.deciders.protocol import Decision, Step
from agent.skills import buttons, games, ranges, recording
from agent.skills.checks import instruments, mined, sized, tuned
from agent.skills.checks.film import after_the_film
from agent.skills.checks.paged import range_shown
from agent.skills.checks.turning import place_shown
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, tell, view
from tools.browser.actions import Press, SetValue
from tools.browser.marks import Mark, Observation
from tools.evidence.film_rows import MotionTrack, SoundTrack

MINES = "Please make Minesweeper: beginner (9×9, 10 mines), intermediate (16×16, 40) and expert (30×16, 99)."


def field(*rows: str) -> list[Mark]:
    """A field of mines from signs: `.` closed, `_` open and empty, a digit, `*` a mine, `f` a flag."""
    says = {".": "closed", "_": "empty", "*": "mine", "f": "flagged"}
    return [
        mark(
            f"Row {down + 1}, column {right + 1}: {says.get(sign, f'{sign} mines around')}",
            at=(40.0 * right, 100 + 40.0 * down),
            size=(32, 32),
            selector=f"#c{down}-{right}",
            group="cells",
        )
        for down, row in enumerate(rows)
        for right, sign in enumerate(row)
    ]


CLOSED = field(*["...."] * 4)
PRESS = decided(on(CLOSED[0]), "numbers_right")


@pytest.mark.parametrize(
    ("name", "shows"),
    [
        ("Row 1, column 1: closed", ""),
        ("Cell 3, 4", ""),
        ("Row 2, column 5: 1 mine around", 1),
        ("3", 3),
        ("💣", "mine"),
        ("第3行第5列：周围2个雷", 2),
        ("第1行第2列：地雷", "mine"),
        ("🚩", "flag"),
    ],
)
def test_a_cell_says_what_it_shows(name: str, shows: int | str) -> None:
    """Places in a name are no numbers of mines."""
    assert mined.read(name) == shows


def test_numbers_of_a_field_are_held_against_the_mines_that_are_shown() -> None:
    """More mines in sight around two cells than they say are told; right numbers hold; without mines nothing is said."""
    before = page(*CLOSED)
    wrong = tell(on(CLOSED[0]), before, page(*field("*1..", "1*..", "..**", "...."), number=1), "numbers_right")
    assert (wrong.held, wrong.symptom) == (False, "wrong_result")
    right = tell(on(CLOSED[0]), before, page(*field("*2..", "2*..", "..*.", "...."), number=1), "numbers_right")
    assert right.held is True
    assert not did(PRESS, before, page(*field("11..", "1...", "....", "...."), number=1)).outcomes


def test_what_must_be_a_mine_ends_the_round() -> None:
    """After some moves a cell is chosen that a number leaves no doubt about; open cells are not pressed again."""
    first = page(*CLOSED)
    opened = field("__1.", "__11", "____", "____")
    steps = list[Step]()
    for number in range(1, 5):
        steps.append(did(decided(on(CLOSED[-number]), skill="play a cell"), first, page(*opened, number=number), *steps))
    found = games._cells(see(*opened, brief=MINES, steps=tuple(steps), past=(first,)))
    assert aims(found) == ["Row 1, column 4: closed"]
    oracles = {one.oracle for one in found[0].decision.expectations}
    assert "numbers_right" in oracles
    assert "responds" not in oracles


def test_a_mine_ends_a_round() -> None:
    """`Boom! That was a mine` is the end of a round as `Game over` is."""
    over = see(*CLOSED, brief=MINES, text="💥 Boom! That was a mine. Try again.", past=(page(*CLOSED, text="Open any cell"),))
    assert games._over(over)


LEVELS = [mark(name, at=(100 + 200 * place, 20)) for place, name in enumerate(("Beginner 9×9", "Intermediate", "Expert 30×16"))]


def squares(count: int) -> list[Mark]:
    """So many cells."""
    return [mark("", at=(40 * (n % 16), 100 + 40 * (n // 16)), size=(32, 32), selector=f"#c{n}") for n in range(count)]


def test_a_level_gives_a_board_of_its_size() -> None:
    """The size stands on the button or in the brief; the board of another level is told, an unknown one is not."""
    assert sized.size_of("Intermediate", MINES) == (16, 16)
    assert sized.size_of("Restart", MINES) is None
    before = page(*LEVELS, *squares(81))
    wish = next(
        one
        for one in with_contents(decided(on(LEVELS[2])), see(*before.marks, brief=MINES)).expectations
        if one.oracle == "sized"
    )
    wrong = tell(on(LEVELS[2]), before, page(*LEVELS, *squares(256), number=1), "sized", **wish.params)
    assert (wrong.held, wrong.symptom, wrong.attempts) == (False, "input_ignored", 2)
    assert tell(on(LEVELS[2]), before, page(*LEVELS, *squares(480), number=1), "sized", **wish.params).held is True
    for few in (squares(100), squares(256)):
        sampled = page(*LEVELS, *few, number=1, marks_found=800)
        unknown = Decision(action=on(LEVELS[2]), why="a test", skill="test", expectations=(wish,))
        assert not did(unknown, before, sampled).outcomes


NEXT = mark("Next")


def orders(shown: str, pages: str, number: int = 0) -> Observation:
    """A table's foot."""
    return page(NEXT, text=f"Orders\n{shown}\n{pages}", number=number)


def test_pages_are_as_many_as_entries_need() -> None:
    """Too few pages leave the last entries out; the last page and a list that fits tell nothing wrong."""
    assert range_shown(orders("1–10 of 1,234 orders", "Page 1 of 3")) == (1, 10, 1234)
    assert place_shown(orders("1–10 of 27 orders", "Page 1 of 3")) == (1, 3, "page 1 of 3")
    before = orders("1–10 of 60 orders", "Page 1 of 6")
    few = tell(on(NEXT), before, orders("11–20 of 27 orders", "Page 2 of 2", 1), "pages_fit")
    assert (few.held, few.symptom) == (False, "broken_navigation")
    many = tell(on(NEXT), before, orders("第 1-10 条，共 27 条", "第 1 页 / 共 4 页", 1), "pages_fit")
    assert (many.held, many.symptom) == (False, "wrong_result")
    assert tell(on(NEXT), before, orders("11–20 of 27 orders", "Page 2 of 3", 1), "pages_fit").held is True
    wishes = with_contents(decided(on(NEXT)), see(NEXT)).expectations
    assert {"pages_fit", "in_tune"} <= {one.oracle for one in wishes}
    for shown, pages in (("21–27 of 27", "Page 3 of 3"), ("10 – 20 of 27", "Page 2 of 9")):
        assert not did(decided(on(NEXT), "pages_fit"), before, orders(shown, pages, 1)).outcomes


def test_a_note_has_the_frequency_of_its_name() -> None:
    """Another octave's count or another pitch of A is right; a frequency between two notes is not."""
    key = mark("C4")
    for text, held in (
        ("C5 – 523.3 Hz", True),
        ("A4 = 432 Hz", True),
        ("C3: 261.6 Hz", True),
        ("B♭3 (233.08 Hz)", True),
        ("C5 – 531.4 Hz", True),
        ("C5 – 493.9 Hz", False),
        ("249.6 Hz · C4", False),
    ):
        assert tell(on(key), page(key), page(key, text=text, number=1), "in_tune").held is held
    assert tuned.pairs("C4 · Cutoff 800 Hz\nC4\n440 Hz") == []


FROM = mark("From", "input", input_type="date", value="2025-06-01", minimum="2025-01-01", maximum="2025-06-30", at=(100, 40))
TO = mark("To", "input", input_type="date", value="2025-06-30", minimum="2025-01-01", maximum="2025-06-30", at=(300, 40))
RANGE = "A dashboard with a free from/to range that complains when the dates are the wrong way round."


def test_a_range_is_set_the_wrong_way_round_once_and_right_again() -> None:
    """Within the fields' bounds; a form with a button is left to others."""
    found = ranges.propose(see(FROM, TO, brief=RANGE))
    act = found[0].decision.action
    assert isinstance(act, SetValue)
    assert (act.target.name, act.value) == ("To", "2025-05-27")
    turned = TO.model_copy(update={"value": act.value})
    step = did(found[0].decision, page(FROM, TO), page(FROM, turned, number=1))
    back = ranges.propose(see(FROM, turned, brief=RANGE, steps=(step,), past=(page(FROM, TO),)))
    assert [getattr(one.decision.action, "value", "") for one in back] == ["2025-06-30"]
    assert not ranges.propose(see(mark("Born", "input", input_type="date", value="2000-01-01"), TO, brief=RANGE))
    told = step.outcomes[0]
    assert (told.oracle, told.held, told.symptom) == ("order_minded", False, "validation_missing")


@pytest.mark.parametrize(
    ("after", "held"),
    [
        (page(FROM, TO.model_copy(update={"value": "2025-05-27"}), text="The start must not lie after the end", number=1), True),
        (page(FROM, TO, text="x", number=1), True),
        (page(FROM, TO.model_copy(update={"value": "2025-05-27"}), text="0 orders", number=1), False),
        (page(FROM, TO.model_copy(update={"value": "2025-05-27"}), text="A sketch of another season", number=1), None),
    ],
)
def test_a_range_the_wrong_way_round_may_be_objected_to_or_mended(after: Observation, held: bool | None) -> None:
    """A complaint and a swap are right, figures alone are neither; what else is said is not understood."""
    wish = ranges.propose(see(FROM, TO, brief=RANGE))[0].decision
    step = did(wish, page(FROM, TO), after)
    told = next((one.held for one in step.outcomes if one.oracle == "order_minded"), None)
    assert told is held


EDITS = [mark(f"Edit {part}", at=(500, 100.0 + 90 * place)) for place, part in enumerate(("About you", "Tickets", "Extras"))]
REVIEW = """About you
Tickets
Extras
Review
Check your registration
About you
Edit
Name
Anna Keller
E-mail
anna@example.org
Tickets
Edit
Tickets
2 × Regular = €480.00
Extras
Edit
Lunch
Vegan"""
ABOUT = (mark("Full name", "input", value="Anna Keller"), mark("E-mail", "input", value="anna@example.org"))
TICKETS = (
    mark("Regular All talks €240.00", "input", input_type="radio", role="radio", checked=True),
    mark("Number of tickets", "input", input_type="number", value="2"),
)


def test_an_edit_button_leads_to_its_part() -> None:
    """All of them leading to the first step is told by the second one, which is pressed first."""
    survey = see(*EDITS, brief="A wizard with a review with edit buttons", text=REVIEW)
    found = [one for one in buttons.propose(survey) if "Edit" in aims([one])[0]]
    assert aims(found)[0] == "Edit Tickets"
    best = max(found, key=lambda one: one.priority)
    wish = next(one for one in best.decision.expectations if one.oracle == "leads_to_part")
    before = page(*EDITS, text=REVIEW)
    wrong = tell(on(EDITS[1]), before, page(*ABOUT, text="About you", number=1), "leads_to_part", **wish.params)
    assert (wrong.held, wrong.symptom) == (False, "broken_navigation")
    right = tell(on(EDITS[1]), before, page(*TICKETS, text="Tickets", number=1), "leads_to_part", **wish.params)
    assert right.held is True
    rows = [mark(f"Edit task {place}", at=(500, 100.0 * place)) for place in (1, 2)]
    wishes = [one.oracle for found in buttons.propose(see(*rows, brief="A list of tasks")) for one in found.decision.expectations]
    assert "leads_to_part" not in wishes


SYNTH = "Make a little synthesizer with an oscilloscope. I want to record what I play and play it back."
KEYS = [
    mark(f"{note}4, key {key}", at=(100 + 40.0 * place, 300))
    for place, (note, key) in enumerate(zip("CDEFG", "asdfg", strict=True))
]
RECORD, STOP = mark("● Record", selector="#record"), mark("■ Stop recording", selector="#record")
PLAY = mark("▶ Play", at=(300, 100))
HELP = "White keys: A S D F G"


def sound(*spans: tuple[float, float]) -> SoundTrack:
    """A sound track with these audible spans."""
    return SoundTrack(
        window_ms=10,
        silence_dbfs=-60,
        audible_s=sum(end - start for start, end in spans) / 1000,
        audible_spans=spans,
        peak_dbfs=-6,
        loudest_dbfs=-12,
        onsets=len(spans),
        first_onsets_ms=tuple(start for start, _ in spans),
    )


def motion(*spans: tuple[float, float]) -> MotionTrack:
    """A motion track with these spans."""
    return MotionTrack(
        frames=300,
        distinct=100,
        distinct_fps=20,
        tolerance=8,
        moving_s=1.0,
        motion_spans=spans,
        longest_freeze_s=1.0,
        freeze_from_ms=0.0,
        stalls=0,
        longest_stall_ms=50.0,
    )


def session() -> list[Step]:
    """Record, three notes, stop, play, listen, as the skill proposes them one after the other; a step a second."""
    steps, seen, first = list[Step](), list[Observation](), page(RECORD, PLAY, *KEYS, text=HELP)
    now = first
    for number in range(1, 9):
        found = recording.propose(see(*now.marks, brief=SYNTH, steps=tuple(steps), past=tuple(seen), text=HELP))
        found = [one for one in found if one.decision.skill != instruments.HELD]
        if not found:
            break
        decision = max(found, key=lambda one: one.priority).decision
        going = decision.skill in (instruments.RECORDING, recording.PLAYS)
        after = page(STOP if going else RECORD, PLAY, *KEYS, text=HELP, number=number)
        steps.append(did(decision, now.model_copy(update={"app_ms": number * 1000.0 - 200}), after, *steps))
        seen.append(now)
        now = after
    return steps


def test_what_is_played_is_recorded_and_played_back() -> None:
    """Record, three notes, stop, play, and time to listen; only where keys are called by notes and the brief asks."""
    assert [step.decision.skill for step in session()] == [
        instruments.RECORDING,
        *[recording.PLAYS] * 3,
        instruments.RECORDED,
        instruments.PLAYED_BACK,
        recording.LISTENS,
    ]
    assert not recording.propose(see(RECORD, PLAY, *KEYS, brief="A piano", text=HELP))
    assert not recording.propose(see(RECORD, PLAY, mark("Save"), brief=SYNTH, text=HELP))


@pytest.mark.parametrize(("gaps", "held"), [((0.0, 1000.0, 2000.0), True), ((0.0, 5.0, 10.0), False)])
def test_a_recording_is_not_played_all_at_once(gaps: tuple[float, ...], held: bool) -> None:
    """Three notes a second apart do not sound within a moment when they are played back."""
    steps = session()
    seen = view(page(number=12), brief=SYNTH, steps=steps)
    played = [(1900.0 + 1000 * note, 2100.0 + 1000 * note) for note in range(3)]
    again = [(6100.0 + gap, 6300.0 + gap) for gap in gaps]
    told = [one for one in after_the_film(seen, sound(*played, *again), None) if one.oracle == "played_back"]
    assert [one.held for one in told] == [held]
    quiet = [one for one in after_the_film(seen, sound(*played[:2]), None) if one.oracle == "played_back"]
    assert not quiet


def test_a_scope_moves_while_a_key_sounds() -> None:
    """A key is held where the brief wants the sound drawn; nothing moving meanwhile is told, silence is not."""
    found = [one for one in recording.propose(see(*KEYS, brief=SYNTH, text=HELP)) if one.decision.skill == instruments.HELD]
    assert [one.decision.action for one in found] == [Press(keys=("a",), hold_ms=recording.HOLD_MS)]
    held = did(found[0].decision, page(*KEYS, number=1), page(*KEYS, number=4))
    seen = view(page(number=6), brief=SYNTH, steps=(held,))
    still, moves, silent = (
        [one.held for one in after_the_film(seen, heard, moved) if one.oracle == "scope_follows"]
        for heard, moved in (
            (sound((1000, 4000)), motion((900, 1200), (3900, 4100))),
            (sound((1000, 4000)), motion((900, 4100))),
            (sound((1000, 1100)), motion((900, 1200))),
        )
    )
    assert (still, moves, silent) == ([False], [True], [])


def test_a_pressed_key_that_is_not_heard_is_missing_sound() -> None:
    """Keys called by notes are to be heard, whatever else is there to be started."""
    lit = page(*KEYS, text="C4 – 261.6 Hz", number=1)
    step = did(decided(on(KEYS[0])), page(*KEYS), lit)
    seen = view(lit, brief="Make a little synthesizer with Web Audio", steps=(step,))
    silent = sound().model_copy(update={"peak_dbfs": -120.0})
    assert [one.symptom for one in after_the_film(seen, silent, None) if one.oracle == "audible"] == ["audio_missing"]
    assert [name for name in ("F sharp 3, key T", "Snare", "Add", "A1 sauce") if instruments.sounds_when_pressed(name)][:2] == [
        "F sharp 3, key T",
        "Snare",
    ]
