"""What the brief wants to be steered by the arrow keys answers to them."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import another_state, drawings, starter
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Noticed
from tools.page.trials import Control, Keys, Trial

_ARROWS = frozenset({"ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"})


@relation(about=(), category=Category.input_ignored, severity=Severity.critical, only_asked=True, shows=("keyboard",))
class SteeredByKeys:
    """Of the arrow keys that are asked for, pressed one after the other, one brings about something that a person could notice.

    Not where something waits to be started, or is open over the page; and not of a drawing: one that moves by itself answers to
    nothing that anybody could tell.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a requirement, all the arrow keys that it names at once: in a corner of a board only some do anything."""
        page = ground.page
        waits = starter(page) is not None or any(layer.kind in {"dialog", "overlay"} for layer in page.layers)
        if waits or drawings(page) or any(field.focused for field in page.fields):
            return
        for name, keys in ground.asked.keys().items():
            arrows = tuple(key for key in keys if key in _ARROWS)
            if not arrows:
                continue
            act = Keys(keys=arrows)
            yield Trial(
                why="the arrow keys do something",
                acts=(act,),
                asserts=(Noticed(),),
                control=Control(
                    explains="there was nothing to steer yet",
                    precondition=another_state(page, ground),
                    acts=(act,),
                    asserts=(Noticed(),),
                ),
                requirements=(name,),
            )
