"""What stands in an item concerns that item."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import by_itself, called, open_lists, usable
from evaluator.requirements.deeds import bare_name, does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import OnlyItem, Target
from tools.page.parts import Button, Toggle
from tools.page.trials import Press, Trial

LIKE_AT_MOST = 3
"""Kinds of control that are tried in one list."""


@relation(about=("collections",), category=Category.wrong_result, severity=Severity.major, shows=("mark",))
class ItemButtonStaysThere:
    """A button or box in an item of a list changes no other item in its stead, and turns no other one with it."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """In the middle item of three or more; what deletes is tried by another relation."""
        page = ground.page
        for listed in open_lists(page):
            if listed.count < 3:
                continue
            middle, tried = listed.count // 2, set[str]()
            for part in (*page.toggles, *page.buttons):
                mine = isinstance(part, Toggle | Button) and (part.collection, part.item) == (listed.key, middle) and usable(part)
                name = bare_name(part, page)
                if not mine or name in tried or len(tried) >= LIKE_AT_MOST or does(part, "delete", "clear", page=page):
                    continue
                tried.add(name)
                yield Trial(
                    why=f'"{name}" concerns just its item of {called(listed, page)}',
                    acts=(Press(target=Target.of(part, page)),),
                    asserts=(OnlyItem(target=Target.of(listed, page), item=listed.items[middle].text),),
                    control=by_itself(listed, page),
                    requirements=ground.asked.about(part, listed),
                )
