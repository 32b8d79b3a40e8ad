"""A field that says it is required is."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, Filled, fill_whole, forms_that
from evaluator.relations.base import Ground, relation
from evaluator.relations.refusing import goes, refused, takes_what_is_right, typed
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ListedAtMost, NoneAdded
from tools.page.parts import Choice, Field, Form
from tools.page.trials import Choose, Fill, Trial


@relation(
    about=("forms", "fields"),
    category=Category.validation_missing,
    severity=Severity.major,
    shows=("validate",),
    says=("required fields must be filled in",),
)
class RequiredIsRequired:
    """A form is not accepted while a field that is marked as required is blank."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """At most three a form: each with another required field blank, the others filled."""
        for form, submit in forms_that(ground, SENDS):
            for field in _required(form, ground)[:3]:
                filled = _without(field, fill_whole(ground, form, submit, instead={field.key: ""}), ground)
                if filled is None:
                    continue
                # What a form that goes takes need not be listed in sight.
                control = takes_what_is_right(form, submit, ground) if goes(form, ground) else None
                listed = ListedAtMost(texts=(filled.typed,)) if filled.typed else NoneAdded()
                told = control is not None and bool(typed(filled, ground.page))
                yield Trial(
                    why=f"{called(submit, ground.page)} refuses a blank {called(field, ground.page)}, which is required",
                    acts=(filled.act,),
                    asserts=(refused(filled, ground.page) if told else listed,),
                    control=control if told else None,
                    requirements=ground.asked.about(form, field),
                )


def _required(form: Form, ground: Ground) -> list[Field]:
    parts = [ground.page.of(key) for key in form.fields]
    return [part for part in parts if isinstance(part, Field) and part.required and not part.disabled and not part.read_only]


def _without(field: Field, filled: Filled | None, ground: Ground) -> Filled | None:
    """The filled form with that field blank: emptied where it is typed in, not chosen where it is a choice without one."""
    if filled is None:
        return None
    fills = []
    for fill in filled.act.fills:
        part = fill.target.find(ground.page)
        if isinstance(part, Choice) and part.selector == field.selector:
            continue
        fills.append(fill)
    if field.kind in {"select", "combobox"}:
        choice = next((each_choice for each_choice in ground.page.choices if each_choice.selector == field.selector), None)
        chosen = [option for option in choice.options if option.chosen] if choice else []
        if any(option.value for option in chosen) or not fills:
            return None
    elif not any(isinstance(fill, Fill | Choose) and fill.target.find(ground.page) == field for fill in fills):
        return None
    return Filled(filled.form, filled.sender, filled.act.model_copy(update={"fills": tuple(fills)}), filled.typed)
