"""A key that the brief names does something."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import another_state, usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Noticed, Target
from tools.page.model import PageModel
from tools.page.parts import Field
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
        if any(layer.kind in {"dialog", "overlay"} for layer in page.layers) or any(field.focused for field in page.fields):
            return
        for name, keys in ground.asked.keys().items():
            key = next((text for text in keys if text not in _EVERYWHERE), None)
            if key is None:
                continue
            act, editor = Keys(keys=(key,)), _editor(page) if "+" in key else None
            again = act if editor is None else Keys(keys=(key,), target=Target.of(editor, page))
            yield Trial(
                why=f"the key {key} does something",
                acts=(act,),
                asserts=(Noticed(),),
                control=Control(
                    explains="there was nothing to do for it yet, or it is for what is written",
                    precondition=another_state(page, ground),
                    acts=(again,),
                    asserts=(Noticed(),),
                ),
                requirements=(name,),
            )


def _editor(page: PageModel) -> Field | None:
    """Where a chord may have to be pressed to do anything: what makes words bold is for the text."""
    fields = [
        field for field in page.fields if usable(field) and not field.read_only and field.kind in {"multiline", "text", "rich"}
    ]
    return next((field for field in fields if field.kind != "text"), next(iter(fields), None))
