"""A page in words: parts by number, lists by row, constraints, labels, not raw values; what lies under a dialog is left out."""

from __future__ import annotations

from agent.deciders import wording
from agent.deciders.board import Board
from evaluator.requirements import read_requirements
from tests.unit.deciders.scenes import BRIEF, dialog, listing, part, text, todo
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.parts import Button, Choice, Error, Field, Link, Option, Toggle


def words(page: PageModel, earlier: PageModel | None = None) -> str:
    """The page, as it is told to a model that saw `earlier`."""
    return wording.page(Board(page), wording.Known.of(earlier, page))


def test_a_page_is_told_by_its_parts() -> None:
    """Each control with its number, a list's items with theirs, figures with their values."""
    told = words(todo("Buy milk", "Call Ada"))
    assert '1 "New task" text [required, at most 40 characters] empty' in told
    assert '3 (button without a name) under "Tools"' in told
    assert '"Show" tabs: *All | Done' in told
    assert 'list "Tasks": 2 items' in told
    assert '  2. Call Ada — 7 "Complete Call Ada" off, 8 "Delete"' in told
    assert "figures: tasks left = 2" in told
    assert told.startswith('/ "Tasks" · window 1280×800')


def test_of_a_long_list_a_few_items_are_told() -> None:
    """The others have the same controls."""
    told = words(todo(*(f"Task {number}" for number in range(30))))
    assert "6. Task 5" in told
    assert "7. Task 6" not in told
    assert "… 24 more" in told


def test_controls_in_items_of_a_list_within_a_list_are_told() -> None:
    """What has a number in the picture stands in words, too; the inner list itself is not told."""
    inner = listing("Skills", "Weaving", collection="collection Tasks", item=0)
    switch = part(Toggle, "Weaving", (20, 420), on=True, role="switch", collection=inner.key, item=0)
    base = todo("Buy milk")
    told = words(todo("Buy milk", collections=[*base.collections, inner], toggles=[*base.toggles, switch]))
    assert 'toggles in items: 7 "Weaving" on' in told
    assert 'list "Skills"' not in told
    assert "in items" not in words(base)


def test_what_a_field_wants_and_what_it_says() -> None:
    """Bounds, pattern, hint, the error tied to it."""
    field = part(
        Field, "Seats", kind="number", required=True, minimum="1", maximum="8", step="1", placeholder="How many?", value="9",
        error="At most 8", invalid=True,
    )  # fmt: skip
    told = words(todo(fields=[field], errors=[part(Error, "", text="Check the form")]))
    assert '"Seats" number [required, 1 to 8, step 1, marked invalid] hint "How many?" = "9" says "At most 8"' in told
    assert 'error shown: "Check the form"' in told


def test_labels_stand_for_raw_values_and_passwords_are_covered() -> None:
    """A select's value is what a person reads."""
    field = part(Field, "Plan", kind="select", role="combobox", value="plan_id_0x7f", selector="#plan")
    options = [Option(name="Basic", chosen=True, value="plan_id_0x7f"), Option(name="Team", chosen=False, value="plan_id_0x80")]
    choice = part(Choice, "Plan", kind="select", role="combobox", options=options, selector="#plan")
    secret = part(Field, "Password", kind="password", value="hunter2")
    told = words(todo(fields=[field, secret], choices=[choice]))
    assert '"Plan" select of *Basic | Team = "Basic"' in told
    assert "plan_id" not in told
    assert "hunter2" not in told
    assert told.count('"Plan"') == 1


def test_what_lies_under_a_dialog_is_left_out() -> None:
    """Only the dialog's own parts can be used."""
    layer = dialog("Delete task?")
    page = todo("Buy milk")
    own = part(Button, "Yes, delete", role="button", layer=layer.key)
    told = words(page.model_copy(update={"layers": (layer,), "buttons": (*page.buttons, own)}))
    assert 'dialog "Delete task?" lies over the page' in told
    assert 'buttons: 1 "Yes, delete"' in told
    assert '"Add"' not in told
    assert "New task" not in told
    covered = part(Button, "Behind", role="button", covered=True)
    assert "Behind" not in words(todo(buttons=[covered]))


def test_what_is_new_since_it_was_asked_is_marked() -> None:
    """And what something was; another view altogether is not marked all over."""
    before = todo("Buy milk")
    after = todo(
        "Buy milk", fields=[part(Field, "New task", kind="text", value="Ada")], texts=[text("My tasks"), text("Saved for later")]
    )
    told = words(after, before)
    assert '"New task" text = "Ada" (was "")' in told
    assert "NEW texts: Saved for later" in told
    assert '"Add"' in told
    other = todo(
        fields=[], buttons=[part(Button, "Pay", role="button")], choices=[], figures=[], collections=[],
        texts=[text(f"Line {number}") for number in range(9)],
    )  # fmt: skip
    assert "NEW" not in words(other, before)


def test_a_page_is_the_same_whatever_time_it_was_read() -> None:
    """By what it shows, not by when or how far it is scrolled."""
    page = todo("Buy milk")
    assert wording.same(page, page.model_copy(update={"at_ms": 900.0, "scroll": (0, 40)}))
    assert not wording.same(page, todo("Buy oats"))
    assert not wording.same(None, page)


def test_addresses_of_the_app_have_no_port() -> None:
    """It differs from run to run; another site's address stays."""
    assert wording.nearby("GET http://127.0.0.1:40123/cart: 404") == "GET /cart: 404"
    assert wording.nearby("https://example.org/x") == "https://example.org/x"


def test_long_things_are_shortened() -> None:
    """A long page's words stay a page's words."""
    page = todo(
        *(f"Task {number} " + "very long " * 40 for number in range(60)),
        texts=[text("word " * 400 + str(number)) for number in range(50)],
        links=[part(Link, f"Link {number} " + "x" * 300, role="link") for number in range(150)],
        collections=[listing(f"List {number}", *(f"Item {row}" * 30 for row in range(50))) for number in range(12)],
    )
    assert len(words(page)) < 14_000


def test_a_button_without_a_name_is_told_by_its_picture() -> None:
    """And can be named by it, whichever of an icon set's bins it is."""
    page = todo(buttons=[part(Button, "", (500, 100), role="button", icon="trash 2")])
    assert '(button without a name, picture "trash 2")' in words(page)
    assert Target(kind="buttons", name="trash").find(page) is not None
    assert Target(kind="buttons", name="pencil").find(page) is None


def test_requirements_are_told_with_what_is_still_open() -> None:
    """Open ones first; wishes about looks are no trial's business."""
    asked = read_requirements(BRIEF + " It must look modern.")
    first = asked.testable[0].id
    lines = wording.requirements(asked, frozenset({first})).splitlines()
    assert len(lines) == len(asked.testable)
    assert lines[-1].startswith(first)
    assert "exercised" in lines[-1]
    assert "OPEN" in lines[0]


def test_what_its_own_trials_named_is_said_whatever_they_showed() -> None:
    """What could not be told is open still, after what nobody has tried."""
    asked = read_requirements(BRIEF)
    first = asked.testable[0].id
    lines = wording.requirements(asked, frozenset(), {first: "could not be told"}).splitlines()
    assert lines[-1].startswith(first)
    assert "OPEN, tried by you: could not be told" in lines[-1]
    held = wording.requirements(asked, frozenset(), {first: "held"}).splitlines()
    assert "exercised, tried by you: held" in held[-1]


def test_what_waits_and_what_never_ran_is_told_without_noise() -> None:
    """No places in the document, no names that a bundler made up, like trials once."""
    words = "press the button at #root > div:nth-of-type(2) > button → something comes of it"
    assert wording.waiting([words, "press Add"], 6) == "press the button without a name → something comes of it\npress Add"
    same = 'fill the field "Add a tag and press Enter..." with "Amber Lake"; press "Cancel" → nothing'
    assert wording.waiting([same, same.replace("Amber Lake", "Birch Moor")], 6).count("\n") == 0
    assert wording.names(["addTask", "_c8", "x", "src/a.ts:4", "removeTask"], 9) == "addTask, removeTask"


def test_a_dialog_that_bars_the_page_without_saying_so() -> None:
    """It covers controls: that is enough."""
    layer = dialog("Edit task", modal=False, covers=("button Add",))
    own = part(Button, "Save", role="button", layer=layer.key)
    page = todo("Buy milk")
    told = words(page.model_copy(update={"layers": (layer,), "buttons": (*page.buttons, own)}))
    assert 'buttons: 1 "Save"' in told
    assert '"Add"' not in told
