"""What a step needs to be repeated, cut out of a long exploration."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path

from agent.deciders.protocol import Decision, Step
from agent.history import chosen, decided_row, read_steps
from agent.proof.slices import MOST_STEPS, Slicer
from tests.unit.agent_skills.scenes import SITE, decided, mark, on
from tools.browser.actions import Press, Reload, Target, Type, Wait, describe
from tools.browser.marks import Mark
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Acted, Changes, Observed, RunStarted

HELP, NEW, SAVE, MOVE, START = mark("Help"), mark("New card"), mark("Save"), mark("Move"), mark("Start")
TITLE, DETAILS = mark("Title", "input"), mark("Details", "input")
BOARD, DIALOG = (HELP, NEW, MOVE, START), (HELP, NEW, MOVE, START, TITLE, DETAILS, SAVE)
WALK = mark("Delete A walk in the garden")
FILL, SEND = 'fill form "Title"', 'submit form "Title"'


def record_of(folder: Path, *done: tuple[Decision, Sequence[Mark]], ticked: Collection[int] = ()) -> Record:
    """A run of these acts from the board on, each with what was seen after it; `ticked` are those that changed a value."""
    ledger = Ledger.create(folder)
    ledger.append(
        RunStarted(subject="x", variety="file", brief="", brief_language="en", settings={}, versions={}), producer="run"
    )
    before = _seen(ledger, BOARD)
    for number, (decision, marks) in enumerate(done, start=1):
        assert decision.action is not None
        chose = ledger.append(decided_row(decision, "curious"), producer="decider")
        after = _seen(ledger, marks)
        acted = Acted(
            step=number,
            action=decision.action.model_dump(mode="json"),
            description=describe(decision.action),
            delivered=True,
            problem="",
            before=before,
            after=after,
            changes=CHANGES.model_copy(update={"value": number in ticked}),
            started_ms=0.0,
            ended_ms=1.0,
        )
        ledger.append(acted, producer="hands", parent=chose.id)
        before = after
    ledger.close()
    return Record.read(folder)


CHANGES = Changes(url=False, dom=True, text=True, picture=0.0, moving=0.0, storage=False, scroll=False, focus=False, value=False)


def _seen(ledger: Ledger, marks: Sequence[Mark]) -> str:
    blob = ledger.put(json.dumps([one.model_dump(mode="json") for one in marks]).encode(), "application/json")
    body = Observed(url=SITE, title="", screenshot="", fingerprint="", marks=len(marks), text_sha256="", dom_sha256="")
    return ledger.append(body, producer="eyes", blob=blob).id


def typed(target: Mark, text: str, skill: str = FILL) -> Decision:
    """A text typed into a field."""
    return decided(Type(target=Target.of(target), text=text), skill=skill)


def pressed(target: Mark, skill: str = "press a button") -> Decision:
    """A press on a button."""
    return decided(on(target), skill=skill)


def slicer_of(folder: Path, *done: tuple[Decision, Sequence[Mark]]) -> Slicer:
    """The slicer of such a run."""
    record = record_of(folder, *done)
    return Slicer(record, read_steps(record))


def numbers(slicer: Slicer, *judged: int) -> list[int]:
    """Numbers of the steps that those judged are cut down to."""
    wanted: list[Step] = [step for step in slicer.steps if step.number in judged]
    return [step.number for step in slicer.needed(wanted)]


def test_an_entry_is_made_before_what_is_done_to_it(tmp_path: Path) -> None:
    """From the press that opened its form to the one that sent it; what came between and a reload are left out."""
    made = (*BOARD, WALK)
    slicer = slicer_of(
        tmp_path,
        (pressed(HELP), BOARD),
        (pressed(NEW), DIALOG),
        (typed(TITLE, "A walk in the garden"), DIALOG),
        (typed(DETAILS, "Roses"), DIALOG),
        (pressed(SAVE, SEND), made),
        (pressed(MOVE), made),
        (decided(Reload()), made),
        (pressed(WALK), BOARD),
    )
    assert numbers(slicer, 8) == [2, 3, 4, 5, 8]
    assert numbers(slicer, 5) == [2, 3, 4, 5]
    assert numbers(slicer, 6) == []


def test_steps_are_cut_as_a_failure_names_them(tmp_path: Path) -> None:
    """By the rows of their acts; they keep the numbers that the run gave them, or nothing before them would be found."""
    slicer = slicer_of(tmp_path, (pressed(HELP), BOARD), (pressed(NEW), DIALOG), (typed(TITLE, "One"), DIALOG))
    last = slicer.steps[2].acted_id
    assert [step.number for step in slicer.needed(chosen(slicer.steps, [last]))] == [2, 3]
    assert chosen(slicer.steps, [last, "another run's"]) == []


def test_a_field_that_is_filled_wrongly_stands_in_a_form_that_is_filled(tmp_path: Path) -> None:
    """All its other fields hold what they held; the last entry in each counts."""
    slicer = slicer_of(
        tmp_path,
        (pressed(NEW), DIALOG),
        (typed(TITLE, "One"), DIALOG),
        (typed(DETAILS, "Two"), DIALOG),
        (typed(DETAILS, "Three"), DIALOG),
        (typed(TITLE, "44", "give a live field an odd value"), DIALOG),
    )
    assert numbers(slicer, 5) == [1, 4, 5]


def test_what_is_watched_was_started(tmp_path: Path) -> None:
    """A wait and a key have no target: what runs was begun by the last start before them."""
    begun = pressed(START, "start a game")
    wait, key = decided(Wait(ms=5000)), decided(Press(keys=("Space",)))
    slicer = slicer_of(tmp_path, (pressed(HELP), BOARD), (begun, BOARD), (key, BOARD), (pressed(MOVE), BOARD), (wait, BOARD))
    assert numbers(slicer, 5) == [2, 5]
    assert numbers(slicer, 3) == [2, 3]


def test_a_slice_that_is_nearly_everything_is_none(tmp_path: Path) -> None:
    """Then everything since the load is as short, and tells more."""
    fields = [mark(f"Field {n}", "input", selector=f"#f{n}") for n in range(MOST_STEPS + 1)]
    filled = [(typed(one, "x"), (*BOARD, *fields)) for one in fields]
    slicer = slicer_of(tmp_path, *filled, (pressed(SAVE, SEND), BOARD))
    assert numbers(slicer, len(fields) + 1) == []


def test_what_was_set_back_between_two_sightings_is_set_back(tmp_path: Path) -> None:
    """A search was emptied before the filter was tried: with both set, the list is another one."""
    find, light = mark("Search", "input"), mark("Light", "select")
    shop = (*BOARD, find, light)
    slicer = slicer_of(
        tmp_path,
        (pressed(HELP), shop),
        (typed(find, "Boston", "search"), shop),
        (typed(find, "", "empty a search field"), shop),
        (pressed(MOVE), shop),
        (pressed(light, "choose an option"), shop),
    )
    assert [step.number for step in slicer.needed([slicer.steps[1], slicer.steps[4]])] == [1, 2, 3, 5]


def test_what_was_ticked_goes_with_the_form_it_is_sent_with(tmp_path: Path) -> None:
    """The last tick of each box that is in sight then; a box of another view is not needed."""
    sunday, lunch = mark("Sunday", "input", role="checkbox"), mark("Lunch", "input", role="checkbox")
    record = record_of(
        tmp_path,
        (decided(on(HELP)), BOARD),
        (decided(on(lunch), skill="tick a box"), (*BOARD, lunch)),
        (decided(on(NEW)), DIALOG),
        (decided(Type(target=Target.of(TITLE), text="A walk"), skill=FILL), (*DIALOG, sunday)),
        (decided(on(sunday), skill="tick a box"), (*DIALOG, sunday)),
        (decided(on(sunday), skill="tick a box"), (*DIALOG, sunday)),
        (decided(on(SAVE), skill=SEND), BOARD),
        ticked={2, 5, 6},
    )
    steps = read_steps(record)
    needed = [step.number for step in Slicer(record, steps).needed(steps[6:])]
    assert needed == [3, 4, 6, 7]


def test_what_is_set_back_was_started_and_ran_a_while(tmp_path: Path) -> None:
    """Reset does nothing to what never ran."""
    reset = mark("Reset")
    board = (*BOARD, reset)
    record = record_of(
        tmp_path,
        (decided(on(HELP)), board),
        (decided(on(START), skill="start a simulation"), board),
        (decided(on(MOVE)), board),
        (decided(Wait(ms=900), skill="watch"), board),
        (decided(Wait(ms=900), skill="watch"), board),
        (decided(on(reset), skill="reset a simulation"), board),
    )
    steps = read_steps(record)
    assert [step.number for step in Slicer(record, steps).needed(steps[5:])] == [1, 2, 4, 6]  # the first brought up the button
