"""What removes a row of fields removes that row, with what was typed in it."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import by_itself, called, usable
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Loses, Target
from tools.page.model import PageModel
from tools.page.parts import Button, Collection, Field
from tools.page.trials import Agree, Fill, FillForm, Press, Trial

WORDS = ("Amber lamp", "Birch table", "Cedar chair")


@relation(
    about=("collections", "fields", "buttons"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("delete",),
    says=("rows can be added and removed", "lines can be removed"),
)
class RemovedRowIsJustThat:
    """What removes a row of fields takes that row with what was typed in it, and the others hold what was typed in them."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a list of rows: of three or more the second, of two the first, which an index that is wrong would miss."""
        page = ground.page
        for listed in page.collections:
            if not 2 <= listed.count == len(listed.items) or listed.covered:
                continue
            fields = [_free(listed, at, page) for at in range(min(len(WORDS), listed.count))]
            at = 1 if listed.count >= len(WORDS) else 0
            button = _remove(listed, at, page)
            if button is None or not all(fields):
                continue
            fills = tuple(
                Fill(target=Target.of(field, page), value=word) for field, word in zip(fields, WORDS, strict=False) if field
            )
            # The row is called by what is typed in it: before that it may have been called nothing.
            target = Target.of(button, page).model_copy(update={"within": WORDS[at], "by_name": False})
            yield Trial(
                why=f"{called(button, page)} removes just its row of {called(listed, page)}",
                precondition=(FillForm(fills=fills),),
                acts=(Press(target=target), Agree()),
                asserts=(Loses(target=Target.of(listed, page), item=WORDS[at]),),
                control=by_itself(listed, page),
                requirements=ground.asked.about(button, listed),
            )


def _free(listed: Collection, at: int, page: PageModel) -> Field | None:
    """The row's first field for words."""
    mine = (field for field in page.fields if (field.collection, field.item) == (listed.key, at))
    return next((field for field in mine if usable(field) and not field.read_only and field.kind in {"text", "multiline"}), None)


def _remove(listed: Collection, at: int, page: PageModel) -> Button | None:
    """The row's only button to remove it; a cross is one where no other button of the row says so."""
    mine = [button for button in page.buttons if (button.collection, button.item) == (listed.key, at) and usable(button)]
    found = [button for button in mine if does(button, "delete", page=page)]
    crosses = [button for button in mine if button.name.strip() in {"×", "✕", "✖", "x", "X"}]
    return (found or crosses)[0] if len(found or crosses) == 1 else None
