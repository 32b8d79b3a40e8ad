"""A sign that looks like another is what the other names say it is."""

from __future__ import annotations

import pytest

from tools.diagram.model.blackboard import Agent, NodeNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.text.lookalikes import settled


def _labels(*names: str) -> list[str]:
    frame = Frame(x=0, y=0, width=40, height=20)
    nodes = [
        NodeNote(writer=Agent.fusion_arbiter, pixels=frame, id=f"n{i}", label=name, shape=Shape.rectangle, outline=())
        for i, name in enumerate(names)
    ]
    return [node.label for node in settled(nodes)]


def test_digits_among_letters_are_letters() -> None:
    """Where every other name is one letter; where a digit stands among them, or few names are known, nothing is said."""
    assert _labels(*"abcdKLMN01") == [*"abcdKLMNOl"]
    assert _labels(*"abcdKLM301") == [*"abcdKLM301"]
    assert _labels(*"abc01") == [*"abc01"]


def test_a_nought_before_a_number_is_the_letter_that_others_have() -> None:
    """In a list of letters with numbers; numbers by themselves keep it."""
    assert _labels("n14", "a1", "i9", "015", "s19") == ["n14", "a1", "i9", "o15", "s19"]
    assert _labels("N14", "A1", "I9", "015", "S19")[3] == "O15"
    assert _labels("14", "1", "9", "015", "19")[3] == "015"


@pytest.mark.parametrize(
    ("read", "meant"), [("0xygen", "Oxygen"), ("0ld 0rder", "Old Order"), ("0xfade", "0xfade"), ("10th", "10th")]
)
def test_no_word_begins_with_a_nought(read: str, meant: str) -> None:
    """Hexadecimal numbers do."""
    assert _labels(read) == [meant]
