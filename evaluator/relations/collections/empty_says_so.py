"""Where nothing is left, the page says so."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.collections.search_finds import NO_WORD, searched
from evaluator.relations.shape import likeness, open_lists, searching, usable
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import CountIs, Target, Tells
from tools.page.trials import Act, Agree, Control, Press, Trial

FEW = 3
_SAYS = ("an empty list says that it is empty",)
_HIDDEN = ("hidden while there are none", "the list is hidden when it is empty", "not shown until there is something")
_SURE, _APART = 0.6, 0.1


@relation(
    about=("collections",),
    category=Category.state_not_updated,
    severity=Severity.minor,
    only_asked=True,
    says=_SAYS,
)
class EmptySaysSo:
    """A list with nothing left in it, after a search or after the last item was removed, is not just blank.

    Unless the brief wants it hidden then.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One by a search, and one by removing all of a list of a few."""
        page = ground.page
        if ground.once("hidden when empty", lambda: any(map(_is_hidden, ground.asked.words().values()))):
            return
        for listed, field in searched(ground):
            target = Target.of(listed, page)
            acts: tuple[Act, ...] = searching(field, NO_WORD, page)
            yield self._trial(f'a search that finds nothing in "{listed.name}" says so', acts, target)
        for listed in open_lists(page):
            mine = [
                next(
                    (
                        button
                        for button in page.buttons
                        if (button.collection, button.item) == (listed.key, at)
                        and usable(button)
                        and does(button, "delete", page=page)
                    ),
                    None,
                )
                for at in range(listed.count)
            ]
            removing = [button for button in mine if button is not None]
            if len(removing) != listed.count or listed.count > FEW:
                continue
            acts = tuple(act for button in removing for act in (Press(target=Target.of(button, page)), Agree()))
            yield self._trial(f'"{listed.name}" says so when it is empty', acts, Target.of(listed, page))

    @staticmethod
    def _trial(why: str, acts: tuple[Act, ...], target: Target) -> Trial:
        still = Control(explains="the list is not empty", acts=(), asserts=(CountIs(target=target, count=0, yes=False),))
        return Trial(why=why, acts=acts, asserts=(Tells(),), control=still)


def _is_hidden(words: str) -> bool:
    hidden = likeness(words, *_HIDDEN)
    return hidden >= _SURE and hidden - likeness(words, *_SAYS) >= _APART
