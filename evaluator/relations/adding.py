"""Forms that add things, filled: what the relations on forms and on storage share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from evaluator.relations.base import Ground
from evaluator.relations.deeds import Deed, does
from evaluator.relations.values import filled, shown_values
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.parts import Button, Field, Form
from tools.page.trials import Choose, Fill, FillForm, Switch

ADDS: tuple[Deed, ...] = ("add",)
SENDS: tuple[Deed, ...] = ("add", "send", "save", "order")
"""Forms whose button says that what they hold is kept somewhere."""


@dataclass(frozen=True)
class Filled:
    """A form filled whole with fitting values, to be sent by its button."""

    form: Form
    submit: Button
    act: FillForm
    typed: str
    """Free text among them that would be shown as it was typed; empty where there is none."""

    @property
    def unsent(self) -> FillForm:
        """The same values, not sent."""
        return self.act.model_copy(update={"submit": None, "by_enter": False})


def forms_that(ground: Ground, deeds: tuple[Deed, ...] = ADDS) -> Iterator[tuple[Form, Button]]:
    """Open forms whose button surely does one of these."""
    for form in ground.page.forms:
        submit = ground.page.of(form.submit) if form.submit else None
        if isinstance(submit, Button) and not submit.covered and not form.covered and does(submit, *deeds):
            yield form, submit


def fill_whole(
    ground: Ground, form: Form, submit: Button, nth: int = 0, instead: Mapping[str, str] | None = None, leave: Iterable[str] = ()
) -> Filled | None:
    """The form with the `nth` set of values that were not typed yet; None where nothing in it can be filled."""
    act = filled(form, ground.page, ground.typed + nth, today=ground.today, instead=dict(instead or {}), leave=leave)
    if act is None:
        return None
    fills = tuple(with_value(fill, ground.page, instead or {}) for fill in act.fills)
    act = act.model_copy(update={"fills": fills, "submit": Target.of(submit, ground.page), "by_enter": False})
    given = {ground.page.of(key) for key in instead or {}}
    others = act.model_copy(update={"fills": tuple(fill for fill in fills if fill.target.find(ground.page) not in given)})
    return Filled(form, submit, act, next(iter(shown_values(others, ground.page)), ""))


def with_value(fill: Fill | Choose | Switch, page: PageModel, instead: Mapping[str, str]) -> Fill | Choose | Switch:
    """The act with the value that is given for its field, also an empty one."""
    part = fill.target.find(page) if isinstance(fill, Fill) else None
    return fill.model_copy(update={"value": instead[part.key]}) if part is not None and part.key in instead else fill


def open_fields(form: Form, page: PageModel) -> list[Field]:
    """Its fields that can be typed in."""
    found = [page.of(key) for key in form.fields]
    closed = {"select", "combobox", "file", "color", "slider"}
    return [one for one in found if isinstance(one, Field) and not one.disabled and not one.read_only and one.kind not in closed]


def free_text(form: Form, page: PageModel) -> Field | None:
    """The field whose words would be shown as they are typed: the first of free text."""
    return next((one for one in open_fields(form, page) if one.kind in {"text", "multiline"}), None)


def kept_apart(filled_form: Filled, page: PageModel) -> tuple[Field, ...]:
    """Fields of the form that were given a text."""
    parts = [fill.target.find(page) for fill in filled_form.act.fills if isinstance(fill, Fill)]
    return tuple(part for part in parts if isinstance(part, Field))
