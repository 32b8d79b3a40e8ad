"""Going back in a form of several steps keeps what was typed."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import open_fields
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.relations.values import filled
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import HasValue, Target
from tools.page.parts import Button, Form
from tools.page.trials import Fill, Press, Trial


@relation(about=("forms", "fields", "buttons"), category=Category.wrong_result, severity=Severity.major)
class BackKeeps:
    """In a form of several steps, next and back again, the fields hold what was typed.

    That there is a way back is known only once the next step was seen.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form that is sent on by "next"."""
        page = ground.page
        for form in page.forms:
            submit = page.of(form.submit) if form.submit else None
            back = _way_back(ground, form)
            if not isinstance(submit, Button) or submit.covered or not does(submit, "next", "resume", "start") or back is None:
                continue
            act = filled(form, page, ground.typed, today=ground.today)
            if act is None:
                continue
            fields = {field.key: field for field in open_fields(form, page)}
            typed = [(fill.target, fill.value) for fill in act.fills if isinstance(fill, Fill) and fill.target.key in fields]
            if not typed:
                continue
            yield Trial(
                why=f'"{back.name}" after {called(submit, page)} shows what was typed',
                acts=(act.model_copy(update={"submit": Target.of(submit, page), "by_enter": False}), Press(target=back)),
                asserts=tuple(HasValue(target=target, value=value) for target, value in typed[:4]),
                requirements=ground.asked.about(form, submit),
            )


def _way_back(ground: Ground, form: Form) -> Target | None:
    """The button that leads back from another step, which was seen before."""
    for earlier in reversed(ground.earlier):
        if not any(earlier.of(key) for key in form.fields):
            for button in earlier.buttons:
                if not button.disabled and does(button, "previous"):
                    return Target.of(button, earlier)
    return None
