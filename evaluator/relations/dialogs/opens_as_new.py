"""A dialog that added something opens empty the next time."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import free_text, opens, refusals
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.relations.values import filled, shown_values
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import HasValue, ListedAtMost, Target
from tools.page.model import PageModel
from tools.page.parts import Button, Form
from tools.page.trials import Control, Press, Trial


@relation(about=("buttons",), category=Category.state_not_updated, severity=Severity.minor, shows=("open",))
class OpensAsNew:
    """A dialog in which something was added does not hold it any more when it is opened again.

    What is in a dialog is known once it was seen open.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a dialog."""
        told: set[str] = set()
        for earlier in reversed(ground.earlier):
            for form in earlier.forms:
                if not form.layer or form.key in told or ground.page.of(form.layer) is not None:
                    continue
                told.add(form.key)
                yield from self._of(form, earlier, ground)

    def _of(self, form: Form, seen: PageModel, ground: Ground) -> Iterator[Trial]:
        submit = seen.of(form.submit) if form.submit else None
        text, act = free_text(form, seen), filled(form, seen, ground.typed, today=ground.today, refused=refusals(form, ground))
        layer = seen.of(form.layer)
        opener = next((button for button in ground.page.buttons if opens(button, layer.name if layer else "")), None)
        if not isinstance(submit, Button) or not does(submit, "add", "save") or text is None or act is None or opener is None:
            return
        typed = shown_values(act, seen)
        if text.value or not typed:
            return
        press = Press(target=Target.of(opener, ground.page))
        yield Trial(
            why=f"{called(opener, ground.page)} opens empty after something was added",
            acts=(press, act.model_copy(update={"submit": Target.of(submit, seen), "by_enter": False}), press),
            asserts=(HasValue(target=Target.of(text, seen), value=""),),
            control=Control(explains="nothing was added", acts=(), asserts=(ListedAtMost(texts=(typed[0],)),)),
            requirements=ground.asked.about(opener),
        )
