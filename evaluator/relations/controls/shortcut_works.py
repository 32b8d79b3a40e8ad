"""A key that the brief names does something."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import another_state
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import Noticed
from tools.page.trials import Control, Keys, Trial

_EVERYWHERE = frozenset({"Tab", "Enter", "Escape", "Space", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"})
"""Keys that work by where the focus is, or only while something is open or runs: other relations try them."""


@relation(about=("buttons",), category=Category.input_ignored, severity=Severity.major, only_asked=True, shows=("keyboard",))
class ShortcutWorks:
    """A shortcut that is asked for brings about something that a person could notice, in one state or in another."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a requirement, with the first key that it names."""
        page = ground.page
        # What is pressed in a field is typed there.
        if any(layer.kind in {"dialog", "overlay"} for layer in page.layers) or any(one.focused for one in page.fields):
            return
        for name, keys in ground.asked.keys().items():
            key = next((one for one in keys if one not in _EVERYWHERE), None)
            if key is None:
                continue
            act = Keys(keys=(key,))
            yield Trial(
                why=f"the key {key} does something",
                acts=(act,),
                asserts=(Noticed(),),
                control=Control(
                    explains="there was nothing to do for it yet",
                    precondition=another_state(page, ground),
                    acts=(act,),
                    asserts=(Noticed(),),
                ),
                requirements=(name,),
            )
