"""A box that was ticked is ticked after a reload."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.keeping import asked_to_keep, kept_later
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Kept, Stores, Target
from tools.page.assertions.values import BEFORE_RELOAD_MS
from tools.page.parts import Toggle
from tools.page.trials import Control, Press, Trial, Wait


@relation(about=("toggles",), category=Category.persistence_lost, severity=Severity.major, shows=("persist",))
class SwitchedSurvives:
    """What was switched on or off is so after a reload, where switching it writes anything into the browser's stores."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two of the toggles in items, and two others, each once, and the first of both twice: back as it was."""
        fit = [
            each_toggle
            for each_toggle in ground.page.toggles
            if not each_toggle.disabled and not each_toggle.covered and each_toggle.on is not None and not each_toggle.layer
        ]
        inside, outside = (
            [each_toggle for each_toggle in fit if each_toggle.collection],
            [each_toggle for each_toggle in fit if not each_toggle.collection],
        )
        within_forms = {key for form in ground.page.forms for key in form.toggles}
        others = [each_toggle for each_toggle in outside if each_toggle.key not in within_forms]
        for toggle in (*inside[:2], *others[:2]):
            yield _after(ground, toggle, 1)
        for toggle in (*inside[:1], *others[:1]):
            yield _after(ground, toggle, 2)


def _after(ground: Ground, toggle: Toggle, times: int) -> Trial:
    target = Target.of(toggle, ground.page)
    kept, listed = Kept(target=target, beside=target), ground.page.of(toggle.collection) if toggle.collection else None
    asked = asked_to_keep(ground, listed) if listed is not None else ()
    acts = (Press(target=target),) * times
    return Trial(
        why=f"{called(toggle, ground.page)} is as it was left after a reload{', switched twice' if times > 1 else ''}",
        acts=acts,
        asserts=(kept,),
        control=kept_later(ground, acts, kept)
        if asked
        else Control(
            explains="switching it stores nothing",
            acts=(*acts, Wait(app_ms=BEFORE_RELOAD_MS)),
            asserts=(Stores(yes=False),),
        ),
        requirements=tuple(dict.fromkeys((*asked, *ground.asked.about(toggle)))),
    )
