"""What is being typed stays."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import free_text
from evaluator.relations.base import Ground, relation
from evaluator.relations.forms.unsent import meanwhile, unsent
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import HasValue, Target, Unchanged
from tools.page.trials import Control, Trial


@relation(about=("forms", "fields", "collections"), category=Category.input_ignored, severity=Severity.minor)
class UnsentStays:
    """What is typed and not sent yet is still there after something else was done to the list below.

    Where the field itself goes (another view, another page), nothing is asked.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """At most three a form: the list is shown otherwise, an item is marked, one is deleted."""
        page = ground.page
        for one, listed in unsent(ground):
            field = free_text(one.form, page)
            if field is None or field.value:
                continue
            target = Target.of(field, page)
            for act, words in meanwhile(listed, ground):
                yield Trial(
                    why=f'"{one.typed}", typed and not sent, stays when {words}',
                    acts=(one.unsent, act),
                    asserts=(HasValue(target=target, value=one.typed),),
                    control=Control(explains="the field takes no text", acts=(one.unsent,), asserts=(Unchanged(target=target),)),
                    requirements=ground.asked.about(one.form, listed),
                )
