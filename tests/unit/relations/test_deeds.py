"""What controls are for, by their names."""

from __future__ import annotations

import pytest

from evaluator.requirements.deeds import deed_of, does
from tools.evidence.rows import Box
from tools.page.parts import Button


@pytest.mark.parametrize(
    ("name", "deed"),
    [
        ("▶ Start", "start"),
        ("▶ Play", "play"),
        ("Spielen", "play"),
        ("Stop simulation", None),
        ("■ Stop", "stop"),
        ("← Back", "previous"),
        ("Next →", "next"),
        ("➕ New task", "add"),
        ("Play melody", "play sound"),
        ("🎲 Random", None),
        ("→", None),
        ("Add timer", "add"),
        ("Edit timer", "edit"),
        ("Remove all", "clear"),
        ("Undo delete", "undo"),
        ("Abbrechen", "cancel"),
        ("Rückgängig", "undo"),
        ("Deshacer", "undo"),
        ("Abmelden", "log out"),
        ("Timekeeping", None),
        ("Send report", "send"),
        ("Show more", "more"),
        ("Show less", "less"),
        ("Voir moins", "less"),
        ("清除筛选", "clear"),
    ],
)
def test_a_sign_beside_words_is_no_part_of_what_they_say(name: str, deed: str | None) -> None:
    """Signs before and after; what is nothing but a sign is read as one."""
    assert deed_of(name) == deed


@pytest.mark.parametrize(("sign", "item", "deed"), [("×", 2, True), ("✕", 0, True), ("×", -1, False), ("∅", 0, False)])
def test_a_cross_in_an_item_takes_it_away(sign: str, item: int, deed: bool) -> None:
    """Outside of items it may close what it stands in."""
    box = Box(x=0, y=0, width=9, height=9)
    cross = Button(key=sign, node="1", name=sign, selector="#x", box=box, in_view=True, role="button", collection="l", item=item)
    assert does(cross, "delete") is deed
