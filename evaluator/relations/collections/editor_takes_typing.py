"""An editor that opens in place takes what is typed."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.collections.edited_is_just_that import edited_item
from evaluator.relations.deeds import does
from evaluator.relations.shape import open_lists
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import Changes, Target, Unchanged
from tools.page.model import PageModel
from tools.page.parts import Collection
from tools.page.trials import Control, Keys, Press, Trial

LETTER = "q"


@relation(about=("collections", "fields"), category=Category.input_ignored, severity=Severity.minor, shows=("edit",))
class EditorTakesTyping:
    """Where one act opened a field with an item's words in the item's own place, what is typed next goes into it.

    A person who double-clicks words types over them at once; what a button opens or a dialog holds waits to be pressed.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One, while such a field stands open and nothing has the focus."""
        page = ground.page
        before = ground.earlier[-1] if ground.earlier else None
        if before is None or before.document != page.document or any(one.focused for one in page.fields):
            return
        for listed in open_lists(page):
            if _edited_by_button(listed, before):
                continue
            for field in page.fields:
                fresh = field.item >= 0 and not field.layer and before.of(field.key) is None
                if not fresh or edited_item(field, listed, ground) is None:
                    continue
                target, typing = Target.of(field, page), Keys(keys=(LETTER,))
                yield Trial(
                    why=f'what is typed goes into "{field.name or field.value}", which was just opened',
                    acts=(typing,),
                    asserts=(Changes(target=target),),
                    control=Control(
                        explains="it takes no typing at all",
                        acts=(Press(target=target), typing),
                        asserts=(Unchanged(target=target),),
                    ),
                    requirements=ground.asked.about(listed),
                )
                return


def _edited_by_button(listed: Collection, before: PageModel) -> bool:
    """Whether its items had buttons that may be for editing: by their names, or without one."""
    buttons = [one for one in before.buttons if one.collection == listed.key]
    return any(not one.name or does(one, "edit", page=before) for one in buttons)
