"""Acts of a trial, run as the lines they are exported as."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from pydantic import ValidationError

from tests.integration.page.conftest import Read, Runner, fixture_path
from tools.page import assertions as a
from tools.page.assertions import Target
from tools.page.exporting import as_playwright
from tools.page.model import PageModel
from tools.page.trials import ACT, Choose, Fill, FillForm, Keys, Paste, Point, Press, Reload, Resize, Switch, Trial, Wait

Opened = Callable[[str], Awaitable[Read]]


def _field(page: PageModel, name: str) -> Target:
    return Target.of(next(field for field in page.fields if field.name == name), page)


def _choice(page: PageModel, kind: str) -> Target:
    return Target.of(next(choice for choice in page.choices if choice.kind == kind), page)


async def test_a_whole_form_is_filled_and_sent_by_its_button(opened: Opened, run_exported: Runner) -> None:
    """Text, e-mail, number, date, select, radio and box, by their names; the page then says so."""
    model = await (await opened("native_form"))()
    form = model.forms[0]
    submit = model.of(form.submit)
    assert submit is not None
    act = FillForm(
        fills=(
            Fill(target=_field(model, "Full name"), value='Ada "Countess" Lovelace'),
            Fill(target=_field(model, "E-mail"), value="ada@example.org"),
            Fill(target=_field(model, "Born"), value="1990-12-10"),
            Fill(target=_field(model, "Seats"), value="3"),
            Choose(target=_choice(model, "select"), option="Basic", how="select"),
            Choose(target=_choice(model, "radio"), option="Invoice"),
            Switch(target=Target.of(model.toggles[0], model), on=False),
        ),
        submit=Target.of(submit, model),
    )
    asserts = (
        a.Appears(target=Target(kind="texts", name='Welcome, Ada "Countess" Lovelace')),
        a.HasValue(target=_field(model, "Plan"), value="Basic"),
        a.HasValue(target=_field(model, "Seats"), value="3"),
        a.IsOn(target=Target.of(model.toggles[0], model), yes=False),
        a.Chosen(target=_choice(model, "radio"), option="Invoice"),
    )
    trial = Trial(why="A member can join", acts=(act,), asserts=asserts)
    source = as_playwright(trial, fixture_path("native_form").as_uri())
    assert 'page.get_by_label("Full name").fill("Ada \\"Countess\\" Lovelace")' in source
    assert 'page.get_by_role("button", name="Create account", exact=True).click()' in source
    assert run_exported(source) == ""
    assert trial.words().startswith('fill the field "Full name" with "Ada')


async def test_a_field_without_a_button_is_sent_by_enter(opened: Opened, run_exported: Runner) -> None:
    """One item more, with the words that were typed; without Enter there is none."""
    model = await (await opened("enter_only"))()
    target, url = Target.of(model.collections[0], model), fixture_path("enter_only").as_uri()
    typed = Fill(target=Target.of(model.fields[0], model), value="Water plants")
    asserts = (a.CountBy(target=target, by=1), a.Contains(target=target, texts=("Water plants",)))
    sent = FillForm(fills=(typed,), by_enter=True)
    assert run_exported(as_playwright(Trial(why="Adds", acts=(sent,), asserts=asserts), url)) == ""
    assert run_exported(as_playwright(Trial(why="Adds", acts=(typed,), asserts=asserts), url)) != ""


async def test_keys_pasting_pointing_resizing_and_reloading_are_exported(opened: Opened, run_exported: Runner) -> None:
    """Each does on a page what it says."""
    form = await (await opened("native_form"))()
    name = _field(form, "Full name")
    acts = (
        Paste(target=name, text="Ada"),
        Keys(keys=("End", "Backspace"), target=name),
        Resize(width=800, height=600),
        Wait(app_ms=20),
    )
    trial = Trial(why="Types", acts=acts, asserts=(a.HasValue(target=name, value="Ad"),))
    assert run_exported(as_playwright(trial, fixture_path("native_form").as_uri())) == ""
    canvas = await (await opened("canvas"))()
    board, start = Target.of(canvas.surfaces[0], canvas), Target.of(canvas.buttons[0], canvas)
    drag = Point(target=board, path=((0.2, 0.5), (0.8, 0.5)))
    moving = Trial(why="Runs", acts=(Press(target=start), drag), asserts=(a.Moves(target=board, wait_ms=300),))
    assert run_exported(as_playwright(moving, fixture_path("canvas").as_uri())) == ""
    still = Trial(why="Stops", acts=(Press(target=start), Reload()), asserts=(a.Still(target=board, wait_ms=300),))
    assert run_exported(as_playwright(still, fixture_path("canvas").as_uri())) == ""


def test_a_trial_without_an_assertion_is_refused() -> None:
    """It could not fail; what is wrong is said."""
    with pytest.raises(ValidationError, match="needs at least one assertion"):
        Trial(why="Nothing", acts=(Reload(),), asserts=())


def test_acts_and_trials_are_read_back_from_json() -> None:
    """As rows and files hold them."""
    act = Choose(target=Target(kind="choices", name="Plan"), option="Basic", how="select")
    assert ACT.validate_json(act.model_dump_json()) == act
    trial = Trial(why="Chooses", acts=(act, Keys(keys=("Escape",))), asserts=(a.Clean(),))
    assert Trial.model_validate_json(trial.model_dump_json()) == trial
