"""What was not sent is not added."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import Filled, fill_whole
from evaluator.relations.base import Ground, relation
from evaluator.relations.forms.unsent import meanwhile, unsent
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Contains, ListedAtMost, Target
from tools.page.parts import Collection
from tools.page.trials import Control, Keys, Reload, Trial


@relation(about=("forms", "fields", "collections"), category=Category.wrong_result, severity=Severity.major)
class UnsentIsNotAdded:
    """What is typed and not sent is listed nowhere, whatever else is done, unless leaving the field sends it."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """At most three a form."""
        for filled, listed in unsent(ground):
            left = _left(filled, listed, ground)
            for act, words in meanwhile(listed, ground) if left is not None else ():
                yield Trial(
                    why=f'"{filled.typed}", typed and not sent, is not added when {words}',
                    acts=(filled.unsent, act),
                    asserts=(ListedAtMost(texts=(filled.typed,)),),
                    control=left,
                    requirements=ground.asked.about(filled.form, listed),
                )


def _left(filled: Filled, listed: Collection, ground: Ground) -> Control | None:
    other = fill_whole(ground, filled.form, filled.sender, nth=1)
    if other is None:
        return None
    return Control(
        explains="what is typed is added as soon as the field is left",
        precondition=(Reload(),),
        acts=(other.unsent, Keys(keys=("Tab",))),
        asserts=(Contains(target=Target.of(listed, ground.page), texts=(other.typed,)),),
    )
