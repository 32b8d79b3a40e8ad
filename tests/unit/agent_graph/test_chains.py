"""What leads up to a failure, from the last load of the page or from the beginning."""

from __future__ import annotations

from pathlib import Path

from agent.chains import since_load, since_start, with_maker
from agent.deciders.protocol import Step
from tests.unit.agent_skills.scenes import decided, did, mark, on, page
from tests.unit.evaluator.records import Run
from tools.browser.actions import Action, Reload, Target, Type
from tools.evidence.record import Record


def test_what_was_stored_before_a_reload_is_repeated_from_the_beginning(tmp_path: Path) -> None:
    """Since the load one act is too few; all of them, the reload included, are what fills the page."""
    run = Run(tmp_path)
    typed, added = run.type("Milk"), run.act(selector="#add")
    reloaded, missed, cleared = run.reload(), run.act(selector="#help", delivered=False), run.act(selector="#clear")
    run.judge()
    record = Record.read(tmp_path)
    assert since_load(record, cleared.id) == [cleared.id]
    assert since_start(record, cleared.id) == [typed.id, added.id, reloaded.id, cleared.id]
    assert since_start(record, added.id) == []
    assert missed.id not in since_start(record, cleared.id)


def carried_out(*acts: tuple[str, Action]) -> list[Step]:
    """Steps of these skills and acts, each on a page that changes."""
    steps: list[Step] = []
    for number, (skill, action) in enumerate(acts):
        steps.append(did(decided(action, skill=skill), page(text=f"{number}"), page(text=f"{number + 1}"), *steps))
    return steps


def test_an_entry_is_made_before_what_is_done_to_it() -> None:
    """From the press that opened its form to the one that sent it; what came between is left out."""
    title = Target.of(mark("Title", "input"))
    steps = carried_out(
        ("press a button", on(mark("Help"))),
        ("press a button", on(mark("New card"))),
        ('fill form "Title"', Type(target=title, text="A walk in the garden")),
        ('fill form "Title"', Type(target=title, text="Roses")),
        ('submit form "Title"', on(mark("Save"))),
        ("press a button", on(mark("Move"))),
        ("reload", Reload()),
        ("delete an entry", on(mark("Delete A walk in the garden"))),
        ("delete an entry", on(mark("Delete Call Anna"))),
    )
    assert [step.number for step in with_maker(steps, steps[7:8])] == [2, 3, 4, 5, 8]
    assert with_maker(steps, steps[8:]) == []
    assert with_maker(steps[:4] + steps[5:], steps[7:8]) == []
    sent = carried_out(
        ('submit form "Task"', Type(target=title, text="Buy oat milk", submit=True)),
        ("press a button", on(mark("Help"))),
        ("press a button", on(mark("Delete Buy oat milk"))),
    )
    assert [step.number for step in with_maker(sent, sent[2:])] == [1, 3]
