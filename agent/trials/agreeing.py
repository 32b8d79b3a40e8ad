"""Which button goes on where the page asks back: in a dialog, in the item itself, or on the button that was pressed."""

from __future__ import annotations

from evaluator.relations.shape import likeness
from evaluator.requirements.deeds import Deed, bare_name, does
from tools.page.model import PageModel
from tools.page.parts import Button

GOES_ON: tuple[Deed, ...] = ("agree", "delete", "clear", "reset")
YES, NO = ("Yes", "Confirm", "Delete", "OK", "Reset", "Clear", "Continue"), ("No", "Cancel", "Keep", "Back")
BUTTONS_AT_MOST = 3
"""Buttons that a question in the page itself brings up: yes, no, and one more."""


def goes_on(page: PageModel, earlier: PageModel | None) -> Button | None:
    """The button that goes on with what the act before began; `earlier`: the page before it. None where nothing was asked."""
    known = {layer.key for layer in earlier.layers} if earlier else set[str]()
    asked = [layer for layer in page.layers if layer.kind == "dialog" and layer.key not in known]
    if not asked:
        return _in_place(page, earlier) if earlier is not None else None
    own = [button for button in page.buttons if button.layer == asked[-1].key and not button.disabled]
    on = [button for button in own if does(button, *GOES_ON) and not declines(button.name)]
    # The button that goes on stands last in nearly every dialog.
    plain = [button for button in own if not does(button, "cancel", "close")]
    return (on or plain or [None])[-1]


def _in_place(page: PageModel, earlier: PageModel) -> Button | None:
    """Where a question came up in the page itself: "Delete? Yes No" in an item, "Sure?" on the button.

    By names without the words of items: what moved up from the next page has a "Delete" of its own, which asks nothing.
    """
    known = {bare_name(button, earlier) for button in earlier.buttons}
    new = [
        button for button in page.buttons if bare_name(button, page) not in known and not button.disabled and not button.covered
    ]
    on = [button for button in new if does(button, *GOES_ON, page=page) and not declines(button.name)]
    return on[-1] if on and len(new) <= BUTTONS_AT_MOST else None


def declines(name: str) -> bool:
    """Whether a name is nearer to "No" than to "Yes": as deeds both are answers to a question."""
    return likeness(name, *NO) > likeness(name, *YES)
