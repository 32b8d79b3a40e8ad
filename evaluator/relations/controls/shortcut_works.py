"""A key that the brief names does something."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import another_state, likeness, usable
from evaluator.requirements.deeds import deed_of
from evaluator.requirements.reader import said_of_key
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Noticed, Target
from tools.page.model import PageModel
from tools.page.parts import Field
from tools.page.trials import Control, Keys, Trial

_EVERYWHERE = frozenset({"Tab", "Enter", "Escape", "Space", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"})
"""Keys that work by where the focus is, or only while something is open or runs: other relations try them."""
_SURE, _STEM = 0.6, 4
"""Likeness of what a letter is said to do and a button's name, and letters with which both begin, "Undo" and "undoes"."""


@relation(about=("buttons",), category=Category.input_ignored, severity=Severity.major, only_asked=True, shows=("keyboard",))
class ShortcutWorks:
    """A shortcut that is asked for brings about something that a person could notice, in one state or in another.

    What is said of a letter, "E edits", it does where there is a button for it. Of digits another relation asks.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a requirement, with the first key that it names; of letters each that has its button."""
        page = ground.page
        # What is pressed in a field is typed there.
        if any(layer.kind in {"dialog", "overlay"} for layer in page.layers) or any(field.focused for field in page.fields):
            return
        for name, keys in ground.asked.keys().items():
            said = ground.asked.words().get(name, "")
            usual = [key for key in keys if key not in _EVERYWHERE and not said_of_key(said, key) and not key.isdigit()]
            for key in (*usual[:1], *(key for key in keys if _has_its_button(said_of_key(said, key), page))):
                yield self._trial(key, name, ground)

    def _trial(self, key: str, name: str, ground: Ground) -> Trial:
        page = ground.page
        act, editor = Keys(keys=(key,)), _editor(page) if "+" in key else None
        again = act if editor is None else Keys(keys=(key,), target=Target.of(editor, page))
        return Trial(
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


def _has_its_button(deed: str, page: PageModel) -> bool:
    """Whether the page has a button that can be pressed for that."""
    names = [button.name for button in page.buttons if usable(button) and button.item < 0 and button.name] if deed else []
    stem = deed.casefold()[:_STEM]
    return any(
        (len(stem) == _STEM and name.casefold().startswith(stem))
        or deed_of(deed) == deed_of(name) is not None
        or likeness(name, deed) >= _SURE
        for name in names
    )


def _editor(page: PageModel) -> Field | None:
    """Where a chord may have to be pressed to do anything: what makes words bold is for the text."""
    fields = [
        field for field in page.fields if usable(field) and not field.read_only and field.kind in {"multiline", "text", "rich"}
    ]
    return next((field for field in fields if field.kind != "text"), next(iter(fields), None))
