"""What came of trials, in words: acts, assertions, differences, what other instruments saw; counts for what showed nothing."""

from __future__ import annotations

from agent.deciders import telling
from agent.deciders.wording import UNTOLD
from tests.unit.deciders.scenes import dialog, figure, part, pressed, record, text, todo, trial
from tools.page.assertions import Clean, CountBy, CountIs, HasValue, Somewhere, Target
from tools.page.changes import Witness
from tools.page.parts import Button, Field
from tools.page.trial_records import ActSeen, Stopped
from tools.page.trials import Control

TASKS = Target(kind="collections", name="Tasks")
GROWS = CountBy(target=TASKS, by=1)
EMPTY, ONE = todo(), todo("Buy milk")


def test_one_of_its_own_is_told_in_full() -> None:
    """Acts, what held, what did not with what was seen, the control, the difference of the page."""
    control = Control(explains="the filter hides it", acts=(), asserts=(CountIs(target=TASKS, count=1),))
    own = trial(
        pressed("Add"), asserts=(GROWS, HasValue(target=Target(kind="fields", name="New task"), value="")), control=control
    )
    after = todo(
        "Buy milk", fields=[part(Field, "New task", kind="text", value="Buy milk")],
        texts=[text("My tasks"), text("1 task added")],
        figures=[figure("tasks left", "1")],
    )  # fmt: skip
    seen = record(
        own, EMPTY, after, (own.asserts[0], "held", "it has 1"), (own.asserts[1], "violated", 'it has "Buy milk"'),
        control=((control.asserts[0], "violated", "it has 0"),),
        witness=Witness(dialogs=("alert: Added",), thrown=("TypeError: x",), ran_first=("addTask", "save"),
                        storage=("local:tasks",)),
    )  # fmt: skip
    told = telling.in_full(seen).splitlines()
    assert told[0] == "“Tries it” (from where the page was): VIOLATED"
    assert told[1] == '  did: press the button "Add"'
    for line in (
        '  held: the list "Tasks" grows by 1 – it has 1',
        '  VIOLATED: the field "New task" has the value "" – it has "Buy milk"',
        "  control (“the filter hides it”):",
        '    VIOLATED: the list "Tasks" has 1 items – it has 0',
        '  list gained "Buy milk"',
        '  value of "New task": "" → "Buy milk"',
        '  figure of "tasks left": "0" → "1"',
        "  the browser asked or said: alert: Added",
        "  exception: TypeError: x",
        "  ran for the first time: addTask, save",
        "  stored: local:tasks",
    ):
        assert line in told, line
    assert '  words: "Nothing to do yet" → "1 task added"' in told
    assert "  new: [Complete Buy milk] · [Delete]" in told


def test_what_always_holds_is_told_only_where_it_does_not() -> None:
    """The explorer adds these to every trial."""
    own = trial(pressed("Add"), asserts=(GROWS, Clean()))
    fine = record(own, EMPTY, ONE, (GROWS, "held", "1"), (Clean(), "held", "nothing failed"))
    assert "nothing failed" not in telling.in_full(fine)
    broken = record(own, EMPTY, ONE, (GROWS, "held", "1"), (Clean(), "violated", "GET http://127.0.0.1:40123/x: 404"))
    assert "VIOLATED: nothing fails: no exception, no console error, no failed request – GET /x: 404" in telling.in_full(broken)


def test_a_trial_that_was_stopped_says_where_and_why() -> None:
    """The act that did not reach the page, and what was there instead."""
    own = trial(pressed("Save"), asserts=(GROWS,), afresh=True)
    stopped = Stopped(why="target gone", during="acts", act=0, words='the button "Save" is not on the page')
    act = ActSeen(
        act=pressed("Save"), during="acts", before=EMPTY, after=EMPTY, started_ms=0, ended_ms=1, delivered=False, problem="gone"
    )
    told = telling.in_full(record(own, EMPTY, EMPTY, stopped=stopped).model_copy(update={"acts": (act,)}))
    assert "(from the page opened afresh): STOPPED" in told
    assert '  NOT DONE: press the button "Save": gone' in told
    assert 'went no further (target gone): the button "Save" is not on the page' in told
    assert "nothing changed" in told


def test_what_showed_nothing_is_counted_and_what_was_violated_is_told() -> None:
    """By who tried it; ways to states are nobody's trials; own ones are told whatever they showed; the newest last."""

    def tried(by: str, result: str, name: str = "Add") -> object:
        made = trial(pressed(name), asserts=(GROWS,), by=by)
        return record(made, EMPTY, EMPTY, (GROWS, result, "it has 0"))

    records = [
        *(tried("added_item_appears", "held") for _ in range(3)), tried("added_item_appears", "cannot tell"),
        tried("way", "held"),
        tried("added_item_appears", "violated"), tried("added_item_appears", "violated"), tried("model", "held"),
            tried("model", "cannot tell", "Clear"),
    ]  # fmt: skip
    lines = telling.history(records).splitlines()  # type: ignore[arg-type]
    assert lines[0] == "added_item_appears: 3 held, 1 cannot tell"
    assert lines[1] == ('[added_item_appears] press the button "Add" → violated: the list "Tasks" grows by 1 – it has 0 (×2)')
    assert lines[2:] == ['[model] press the button "Clear" → cannot tell']  # what held is told by what it was about
    assert len(lines) == 3
    assert telling.history(()) == "(nothing yet)"


def test_a_long_history_does_not_grow_without_end() -> None:
    """Only the latest lines are told, and how many were before."""
    records = [
        record(made, EMPTY, EMPTY, (GROWS, "violated", str(number)))
        for number in range(60)
        for made in (trial(pressed(f"B{number}"), asserts=(GROWS,), by="some_relation"),)
    ]
    told = telling.history(records)
    assert "(50 earlier ones)" in told
    assert "B59" in told
    assert len(told) < 4000


def test_many_differences_are_counted() -> None:
    """A page that changed altogether is told in a few lines."""
    own = trial(pressed("Add"), asserts=(GROWS,))
    fields = [part(Field, f"F{number}", kind="text", value="x") for number in range(40)]
    before = todo(fields=[field.model_copy(update={"value": ""}) for field in fields])
    lines = telling.changes_of(record(own, before, todo(fields=fields)))
    assert len(lines) == telling.MOST_CHANGES + 1
    assert lines[-1] == "… 24 more differences"


def test_two_long_texts_are_told_from_where_they_differ() -> None:
    """A card's name is told by what became of it, not by its beginning twice."""
    own = trial(pressed("Save"), asserts=(GROWS,))
    name = "Push notifications setup Configure Firebase Cloud Messaging for both platforms"
    cards = [part(Button, f"{name} {priority}", key="card", node="card", role="button") for priority in ("Medium", "High")]
    before, after = (todo(buttons=[card]) for card in cards)
    [line] = telling.changes_of(record(own, before, after))
    assert line.endswith(': "…both platforms Medium" → "…both platforms High"')


def test_what_was_in_a_dialog_goes_with_it() -> None:
    """That it closed says enough."""
    own = trial(pressed("Cancel"), asserts=(GROWS,))
    layer = dialog("Edit task")
    fields = [part(Field, "Title", kind="text", layer=layer.key), part(Field, "Below", kind="text")]
    lines = telling.changes_of(record(own, todo(layers=[layer], fields=fields), todo(fields=[])))
    assert lines == ['closed: "Edit task"', 'gone: "Below"']


def test_what_a_trial_says_of_a_requirement_is_what_the_verdict_will_make_of_it() -> None:
    """That something is there decides nothing, here as there; what held or was violated does, each by its own assertions."""
    there, gone = Somewhere(names=("Report",)), CountIs(target=TASKS, count=1)
    own = trial(pressed("Add"), asserts=(there, GROWS, gone), requirements=("c1", "c2", "c3"), about=(("c1",), ("c2",), ("c3",)))
    found = telling.standing([record(own, EMPTY, ONE, (there, "held", "Report"), (GROWS, "held", "1"), (gone, "violated", "2"))])
    assert found == {"c1": UNTOLD, "c2": "held", "c3": "VIOLATED"}
