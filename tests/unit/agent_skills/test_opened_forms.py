"""One dialog for new cards and for those that are edited: what was filled in for one is not filled in for the other."""

from __future__ import annotations

from agent.deciders.protocol import Step
from agent.skills import forms
from agent.skills.controls import forms as forms_of
from agent.skills.opened_forms import opening
from tests.unit.agent_skills.scenes import decided, mark, on, page, see, stepped
from tools.browser.actions import Target, Type
from tools.browser.marks import Mark

BRIEF = "A board. Cards can be created and edited (title, details)."
EDIT, NEW = mark("Edit Order chairs", at=(600, 100)), mark("New card", at=(40, 40))
SAVE, CANCEL = mark("Save", at=(400, 300)), mark("Cancel", at=(540, 300))


def fields(title: str = "", details: str = "") -> tuple[Mark, ...]:
    """The dialog, with what stands in its fields."""
    return (
        mark("Title", "input", at=(400, 100), value=title),
        mark("Details", "textarea", at=(400, 160), value=details),
        SAVE,
        CANCEL,
    )


def edited_and_saved() -> list[Step]:
    """An entry was opened, both fields filled, Save pressed; it was opened again, changed, and that cancelled; then New card."""
    board, opened = page(EDIT, NEW, number=0), page(EDIT, NEW, *fields("Order chairs", "Six of them"), number=1)
    steps = [stepped(decided(on(EDIT), skill="press a button"), board, opened)]
    key = f"form {forms_of(opened.marks)[0].key}"
    titled = page(EDIT, NEW, *fields("A walk", "Six of them"), number=2)
    title = Type(target=Target.of(opened.marks[2]), text="A walk", clear=True)
    steps.append(stepped(decided(title, "value_kept", skill=f"fill {key}", value="A walk"), opened, titled, steps))
    told = page(EDIT, NEW, *fields("A walk", "Roses"), number=3)
    details = Type(target=Target.of(opened.marks[3]), text="Roses", clear=True)
    steps.append(stepped(decided(details, "value_kept", skill=f"fill {key}", value="Roses"), titled, told, steps))
    saved = page(EDIT, NEW, text="A walk", number=4)
    steps.append(stepped(decided(on(SAVE), skill=f"submit {key}"), told, saved, steps))
    open_again = page(EDIT, NEW, *fields("A walk", "Roses"), number=5)
    steps.append(stepped(decided(on(EDIT), skill="edit an entry"), saved, open_again, steps))
    begun = page(EDIT, NEW, *fields("Plans", "Roses"), number=6)
    plans = Type(target=Target.of(open_again.marks[2]), text="Plans", clear=True)
    steps.append(stepped(decided(plans, "value_kept", skill="change what is cancelled", value="Plans"), open_again, begun, steps))
    cancelled = page(EDIT, NEW, text="A walk", number=7)
    steps.append(stepped(decided(on(CANCEL), skill="cancel a change"), begun, cancelled, steps))
    new = page(EDIT, NEW, *fields(), text="A walk", number=8)
    steps.append(stepped(decided(on(NEW), skill="press a button"), cancelled, new, steps))
    return steps


def test_a_new_entry_is_filled_in_where_another_was_edited_in_the_same_form() -> None:
    """Before that the same form, still empty, is sent once to see whether it objects; then it is filled, not sent as it is."""
    steps = edited_and_saved()
    closed = [page(EDIT, NEW, number=place) for place in (0, 4, 7)]
    opened = [page(EDIT, NEW, *fields("Order chairs", "Six of them"), number=place) for place in (1, 5)]
    shown = page(EDIT, NEW, *fields(), text="A walk", number=8)
    survey = see(*shown.marks, brief=BRIEF, steps=tuple(steps), past=(*closed, *opened))
    form = forms_of(survey.usable)[0]
    assert (opening(survey, form).kind, opening(survey, form).latest) == ("add", 8)
    refused = stepped(
        decided(on(SAVE), skill=f"submit empty form {form.key}"), shown, shown.model_copy(update={"id": "o9"}), steps
    )
    after = see(*shown.marks, brief=BRIEF, steps=(*steps, refused), past=(*survey.view.past, shown))
    found = [one.decision.action for one in forms.propose(after)]
    assert [type(one) for one in found] == [Type]
