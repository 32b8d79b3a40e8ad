"""An editor that opens in place takes what is typed."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import open_lists
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Changes, Target, Unchanged
from tools.page.model import PageModel
from tools.page.parts import Collection, Field, Text
from tools.page.trials import Control, Keys, Press, Trial

LETTER = "q"


@relation(about=("collections", "texts"), category=Category.input_ignored, severity=Severity.minor, shows=("edit",))
class EditorTakesTyping:
    """Where a double click on an item's words opens a field with them, what is typed next goes into it.

    A person who double-clicks words types over them at once; what a button opens waits to be pressed, and is not meant.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One, of the item whose words were seen to become a field's, whatever it is called now."""
        page = ground.page
        for listed in open_lists(page):
            for seen, field in _opened(listed, ground):
                there = [text for text in page.texts if text.collection == listed.key and text.item == field.item]
                if len(there) != 1 or page.of(field.key) is not None:
                    continue
                words = there[0]
                target, typing = Target.of(field, seen), Keys(keys=(LETTER,))
                yield Trial(
                    why=f'what is typed goes into the field that a double click on "{words.text}" opens',
                    precondition=(Press(target=Target.of(words, page), double=True),),
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


def _opened(listed: Collection, ground: Ground) -> Iterator[tuple[PageModel, Field]]:
    """Fields that one act brought up in an item of the list, with words that the item showed until then."""
    for page, two in ground.steps():
        for field in two.fields if page.document == two.document else ():
            fresh = field.collection == listed.key and not field.layer and page.of(field.key) is None
            if fresh and field.value.strip() and any(text.collection == listed.key and _says(text, field) for text in page.texts):
                yield two, field


def _says(text: Text, field: Field) -> bool:
    return text.text.strip().casefold() == field.value.strip().casefold()
