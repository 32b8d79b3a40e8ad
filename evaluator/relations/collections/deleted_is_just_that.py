"""What stands in an item concerns that item."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.deeds import does
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import Loses, Target
from tools.page.trials import Agree, Press, Trial


@relation(about=("collections", "buttons"), category=Category.wrong_result, severity=Severity.major)
class DeletedIsJustThat:
    """Deleting an item removes that item, and the others stand in their order."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """The middle one of three or more: with first or last an index that is wrong by one may be right."""
        for listed in ground.page.collections:
            if listed.count < 3 or listed.count > len(listed.items) or listed.covered:
                continue
            middle = listed.items[listed.count // 2]
            mine = [one for one in ground.page.buttons if (one.collection, one.item) == (listed.key, listed.count // 2)]
            for button in mine:
                if button.disabled or not does(button, "delete", page=ground.page):
                    continue
                yield Trial(
                    why=f'"{button.name}" removes just its item of "{listed.name}"',
                    acts=(Press(target=Target.of(button, ground.page)), Agree()),
                    asserts=(Loses(target=Target.of(listed, ground.page), item=middle.text),),
                    requirements=ground.asked.about(button, listed),
                )
