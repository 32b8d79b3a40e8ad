"""What was deleted does not come back with a reload."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.keeping import asked_to_keep, kept_later
from evaluator.relations.shape import called
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Appears, Gone, Stores, Target
from tools.page.assertions.values import BEFORE_RELOAD_MS
from tools.page.model import PageModel
from tools.page.parts import Button, Collection
from tools.page.trials import Agree, Control, Press, Reload, Trial, Wait


@relation(about=("collections", "buttons"), category=Category.persistence_lost, severity=Severity.major, shows=("persist",))
class DeletedStaysAway:
    """What was deleted is not back after a reload, where deleting writes anything into the browser's stores."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a list: the first of two or more items."""
        page = ground.page
        for listed in page.collections:
            words = [_own_words(page, listed, at) for at in range(min(2, len(listed.items)))]
            if len(words) < 2 or not all(words) or listed.covered:
                continue
            first, second = _delete(ground, listed.key, 0), _delete(ground, listed.key, 1)
            if first is None or second is None:
                continue
            asked = asked_to_keep(ground, listed)
            yield Trial(
                why=f"what {called(first, page)} removes from {called(listed, page)} is not back after a reload",
                # What did not go at all was not deleted: it was taken out of a selection. A toast may tell of it for a while.
                precondition=(Press(target=Target.of(first, page)), Agree()),
                acts=(Wait(app_ms=BEFORE_RELOAD_MS), Reload()),
                asserts=(Appears(target=Target(kind="texts", name=words[0]), yes=False, listed=Target.of(listed, page)),),
                control=_gone_later(ground, second, words[1])
                if asked
                else Control(
                    explains="deleting stores nothing",
                    acts=(Press(target=Target.of(second, page)), Agree()),
                    asserts=(Stores(yes=False),),
                ),
                requirements=tuple(dict.fromkeys((*asked, *ground.asked.about(first, listed)))),
            )


def _own_words(page: PageModel, listed: Collection, at: int) -> str:
    """The first words of an item that stand nowhere else on the page; empty where there are none."""
    words = page.words_of_item(listed.key, at)
    return next((text for text in words if any(map(str.isalpha, text)) and page.text.count(text) == 1), "")


def _gone_later(ground: Ground, second: Button, words: str) -> Control:
    """It is gone after a reload once somebody has waited, and pressed what saves."""
    gone = Gone(target=Target(kind="texts", name=words))
    control = kept_later(ground, (Press(target=Target.of(second, ground.page)), Agree()), gone)
    return control.model_copy(update={"acts": (*control.acts, Reload())})


def _delete(ground: Ground, collection: str, item: int) -> Button | None:
    mine = [
        button
        for button in ground.page.buttons
        if (button.collection, button.item) == (collection, item) and does(button, "delete", page=ground.page)
    ]
    return mine[0] if len(mine) == 1 and not mine[0].disabled else None
