"""What an item copies is its own."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.meanings import means
from evaluator.relations.shape import called, open_lists
from evaluator.requirements.deeds import bare_name
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Copies, Target
from tools.page.parts import Item
from tools.page.trials import Press, Trial

_COPY = ("Copy", "Copy the code", "Copy to the clipboard", "Copy the text")
_NOT = ("Share", "Duplicate", "Make a copy", "Download")
_LEAST = 2
"""Letters of a text that tells an item from another."""


@relation(
    about=("collections", "buttons"),
    category=Category.wrong_result,
    severity=Severity.major,
    says=("a button copies it to the clipboard",),
)
class CopiedIsItsOwn:
    """What a copy button in an item of a list puts on the clipboard is of that item, not of another one."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """The second item and the last one of each list: at an end an index that is wrong may be right."""
        page = ground.page
        for listed in open_lists(page):
            for at in sorted({1, listed.count - 1} if listed.count > 1 else set[int]()):
                mine = [button for button in page.buttons if (button.collection, button.item) == (listed.key, at)]
                copies = [button for button in mine if not button.disabled and means(bare_name(button, page), _COPY, _NOT)]
                own = _texts(listed.items[at])
                elsewhere = {text for place, item in enumerate(listed.items) if place != at for text in _texts(item)}
                if len(copies) != 1 or not own - elsewhere:
                    continue
                yield Trial(
                    why=f"{called(copies[0], page)} copies what its item of {called(listed, page)} shows",
                    acts=(Press(target=Target.of(copies[0], page)),),
                    asserts=(Copies(texts=tuple(sorted(own)), others=tuple(sorted(elsewhere - own))[:40]),),
                    requirements=ground.asked.about(copies[0], listed),
                )


def _texts(item: Item) -> set[str]:
    """What the item shows, in pieces."""
    return {cell.text for cell in item.cells if len(cell.text) >= _LEAST}
