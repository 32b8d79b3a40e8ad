"""Of a row of keys for a row of buttons each one works."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Noticed
from tools.page.model import PageModel
from tools.page.parts import Button
from tools.page.trials import Control, Keys, Trial

_LEAST = 3
"""Digits in a row that are asked for."""


@relation(about=("buttons",), category=Category.input_ignored, severity=Severity.major, only_asked=True, shows=("keyboard",))
class KeysChooseAll:
    """Where the keys 1–4 are asked for and four buttons stand in a row, 2 and 4 do something if 1 does."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two a row: its last key, its second one."""
        page = ground.page
        if any(layer.kind in {"dialog", "overlay"} for layer in page.layers) or any(field.focused for field in page.fields):
            return
        for name, keys in ground.asked.keys().items():
            row = [key for key in keys if key.isdigit()]
            if len(row) < _LEAST or row != [str(number) for number in range(1, len(row) + 1)] or len(row) not in _rows(page):
                continue
            for key in (row[-1], row[1]):
                yield Trial(
                    why=f"the key {key} does something, as the key 1 does",
                    acts=(Keys(keys=(key,)),),
                    asserts=(Noticed(here=True),),
                    control=Control(
                        explains="nor does the key 1: they are for something else",
                        acts=(Keys(keys=("1",)),),
                        asserts=(Noticed(yes=False, here=True),),
                    ),
                    requirements=(name,),
                )


def _rows(page: PageModel) -> set[int]:
    """How many buttons stand side by side in each of the page's rows of buttons that can all be pressed."""
    rows = defaultdict[tuple[str, str], list[Button]](list)
    for button in page.buttons:
        rows[button.frame, button.selector.rpartition(" > ")[0]].append(button)
    return {len(row) for row in rows.values() if all(map(usable, row))}
