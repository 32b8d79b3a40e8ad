"""A toggle turned twice is as it was."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.requirements.deeds import bare_name
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Changes, Gone, IsOn, Target
from tools.page.model import PageModel
from tools.page.parts import Toggle
from tools.page.trials import Control, Press, Trial

_FIGURES = re.compile(r"\d+")


@relation(about=("toggles",), category=Category.wrong_result, severity=Severity.major, shows=("mark", "choose"))
class TwiceIsBack:
    """A toggle that is pressed turns, and pressed again is as it was before."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two a toggle: once, and twice."""
        targets = [Target.of(each_toggle, ground.page) for each_toggle in ground.page.toggles]
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
            # "Next month" of a library says that it is not pressed, and never says anything else.
            works = Control(
                explains="it does its work, and tells no state",
                acts=(),
                asserts=(Changes(),),
            )
            yield Trial(
                why=f"{called(toggle, ground.page)} turns when it is pressed",
                acts=(Press(target=target),),
                asserts=(IsOn(target=target, yes=not toggle.on),),
                control=works if toggle.role == "button" else gone,
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
        seen = [each_toggle for page in ground.earlier if isinstance(each_toggle := page.of(toggle.key), Toggle)]
        if all(item.on is not False for item in seen):
            return True
    pages = (page for page in ground.earlier if page.of(toggle.key) is not None)
    return _one_of_several(toggle, ground.page) or any(_one_of_several(toggle, page) for page in pages)


def _one_of_several(toggle: Toggle, page: PageModel) -> bool:
    """It is a button of a row, or one in each item of a list, of which just one is on: pressed again, a colour stays chosen.

    The only item's is one of several to come.
    """
    if toggle.role != "button":
        return False
    row = [
        each_toggle for each_toggle in page.toggles if each_toggle.role == "button" and _parent(each_toggle) == _parent(toggle)
    ]
    if len(row) > 1 and sum(each_toggle.on is True for each_toggle in row) == 1:
        return True
    name = bare_name(toggle, page)
    like = [
        each_toggle
        for each_toggle in page.toggles
        if each_toggle.collection == toggle.collection and bare_name(each_toggle, page) == name
    ]
    return toggle.item >= 0 and toggle.on is True and sum(each_toggle.on is True for each_toggle in like) == 1


def _parent(toggle: Toggle) -> tuple[str, str]:
    return toggle.frame, toggle.selector.rpartition(" > ")[0] or toggle.section
