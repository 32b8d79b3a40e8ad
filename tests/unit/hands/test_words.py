"""Acts in words."""

from __future__ import annotations

import pytest

from tools.browser.actions import Action, Target, Type, describe

FIELD = Target(selector="#q", role="searchbox", name="Search cards", signature="s")


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Type(target=FIELD, text="tea"), "type 'tea' into searchbox \"Search cards\""),
        (Type(target=FIELD, text="tea", submit=True), "type 'tea' into searchbox \"Search cards\" and press Enter"),
        (Type(target=FIELD, text=""), 'clear searchbox "Search cards"'),
        (Type(text=""), "clear what has the focus"),
    ],
)
def test_typing_nothing_is_clearing(action: Action, words: str) -> None:
    """Two quotation marks with nothing between them look like one that was forgotten."""
    assert describe(action) == words
