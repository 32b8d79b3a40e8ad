"""What controls are for, by their names."""

from __future__ import annotations

import pytest

from evaluator.requirements.deeds import deed_of


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
    ],
)
def test_a_sign_beside_words_is_no_part_of_what_they_say(name: str, deed: str | None) -> None:
    """Signs before and after; what is nothing but a sign is read as one."""
    assert deed_of(name) == deed
