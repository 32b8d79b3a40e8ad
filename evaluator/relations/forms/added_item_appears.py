"""What is added stands in the list."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.deeds import does
from evaluator.relations.values import filled, shown_values
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import Appears, SaysError, Target
from tools.page.trials import Control, Trial


@relation(about=("forms", "fields"), category=Category.state_not_updated, severity=Severity.major)
class AddedItemAppears:
    """What a form adds is to be seen, with the words that were typed.

    Only of forms whose button says that they add; a search, a log-in or a message to somebody shows nothing of the kind. It must
    be seen anywhere on the page: which list a form feeds is a guess, and no accusation rests on it.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form: filled whole with values never typed before."""
        for form in ground.page.forms:
            submit = ground.page.of(form.submit) if form.submit else None
            if submit is None or submit.disabled or form.covered or not does(submit, "add"):
                continue
            act = filled(form, ground.page, ground.typed, today=ground.today)
            typed = shown_values(act, ground.page) if act else ()
            if act is None or not typed:
                continue
            yield Trial(
                why=f'what "{submit.name}" adds is shown',
                acts=(act,),
                asserts=(Appears(target=Target(kind="texts", name=typed[0])),),
                control=Control(explains="the page refused the values, and said so", acts=(), asserts=(SaysError(),)),
                requirements=ground.asked.about(form, submit),
            )
