"""What is being typed stays."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import free_text
from evaluator.relations.base import Ground, relation
from evaluator.relations.forms.unsent import meanwhile, unsent
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import HasValue, Target, Unchanged
from tools.page.changes import state_of
from tools.page.parts import Collection
from tools.page.trials import Control, Trial, Wait


@relation(about=("forms", "fields", "collections"), category=Category.input_ignored, severity=Severity.minor)
class UnsentStays:
    """What is typed and not sent yet is still there after something else was done to the list below.

    Only where the list was seen to change in place: what loads the page anew empties its fields. Where the field itself goes
    (another view), nothing is asked.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """At most three a form: the list is shown otherwise, an item is marked, one is deleted."""
        page = ground.page
        for filled, listed in unsent(ground):
            field = free_text(filled.form, page)
            if field is None or not _in_place(listed, ground):
                continue
            target = Target.of(field, page)
            for act, words in meanwhile(listed, ground):
                yield Trial(
                    why=f'"{filled.typed}", typed and not sent, stays when {words}',
                    acts=(filled.unsent, act),
                    asserts=(HasValue(target=target, value=filled.typed),),
                    control=Control(
                        explains="what is typed there does not last, whether anything is done or not",
                        acts=(filled.unsent, Wait(app_ms=1500)),
                        asserts=(Unchanged(target=target),),
                    ),
                    requirements=ground.asked.about(filled.form, listed),
                )


def _in_place(listed: Collection, ground: Ground) -> bool:
    """Whether one act changed what is listed while the document stayed."""
    for page, two in ground.steps():
        old, new = page.of(listed.key), two.of(listed.key)
        if page.document == two.document and old is not None and new is not None and state_of(old) != state_of(new):
            return True
    return False
