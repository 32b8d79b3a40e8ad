"""A toggle turned twice is as it was."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.deeds import bare_name
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Gone, IsOn, Target
from tools.page.model import PageModel
from tools.page.parts import Toggle
from tools.page.trials import Control, Press, Trial

_FIGURES = re.compile(r"\d+")


@relation(about=("toggles",), category=Category.wrong_result, severity=Severity.major, shows=("mark", "choose"))
class TwiceIsBack:
    """A toggle that is pressed turns, and pressed again is as it was before."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two a toggle: once, and twice."""
        targets = [Target.of(one, ground.page) for one in ground.page.toggles]
        like = Counter(map(_who, targets))
        for toggle, target in zip(ground.page.toggles, targets, strict=True):
            if toggle.disabled or toggle.covered or toggle.on is None or _stays_on(toggle, ground):
                continue
            if toggle.item >= 0 and like[_who(target)] > 1:
                continue  # once a list is in another order nobody knows which of them it was
            asked = ground.asked.about(toggle)
            gone = Control(
                explains="pressing it moved or removed what it belongs to",
                acts=(),
                asserts=(Gone(target=target),),
            )
            yield Trial(
                why=f"{called(toggle, ground.page)} turns when it is pressed",
                acts=(Press(target=target),),
                asserts=(IsOn(target=target, yes=not toggle.on),),
                control=gone,
                requirements=asked,
            )
            yield Trial(
                why=f"{called(toggle, ground.page)} pressed twice is as it was",
                acts=(Press(target=target), Press(target=target)),
                asserts=(IsOn(target=target, yes=toggle.on),),
                control=gone,
                requirements=asked,
            )


def _who(target: Target) -> tuple[str, str]:
    """What tells a toggle from others wherever it stands: its name, and its item's words without figures, which may follow it."""
    return target.name, _FIGURES.sub("", target.within)


def _stays_on(toggle: Toggle, ground: Ground) -> bool:
    """It is, or was, one of several of which just one is on, or it is a button that is on and was never seen to be off."""
    if toggle.role == "button" and toggle.on:
        seen = [one for page in ground.earlier if isinstance(one := page.of(toggle.key), Toggle)]
        if all(one.on is not False for one in seen):
            return True
    pages = (page for page in ground.earlier if page.of(toggle.key) is not None)
    return _one_of_several(toggle, ground.page) or any(_one_of_several(toggle, page) for page in pages)


def _one_of_several(toggle: Toggle, page: PageModel) -> bool:
    """It is a button of a row, or one in each item of a list, of which just one is on: pressed again, a colour stays chosen.

    The only item's is one of several to come.
    """
    if toggle.role != "button":
        return False
    row = [one for one in page.toggles if one.role == "button" and _parent(one) == _parent(toggle)]
    if len(row) > 1 and sum(one.on is True for one in row) == 1:
        return True
    name = bare_name(toggle, page)
    like = [one for one in page.toggles if one.collection == toggle.collection and bare_name(one, page) == name]
    return toggle.item >= 0 and toggle.on is True and sum(one.on is True for one in like) == 1


def _parent(toggle: Toggle) -> tuple[str, str]:
    return toggle.frame, toggle.selector.rpartition(" > ")[0] or toggle.section
