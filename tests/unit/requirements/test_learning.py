"""What was learned is what the examples say, and carries over to what they do not say."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

from evaluator.requirements.classes import BEHAVIOURS
from evaluator.requirements.learning import examples, labelled
from evaluator.requirements.reader import behaviour_of


def test_learned_from_these_examples() -> None:
    """As many vectors as examples, the same classes: run `python -m evaluator.requirements.learning` after a change."""
    with (files("evaluator.requirements") / "learned.npz").open("rb") as file:
        book = np.load(file, allow_pickle=False)
        for kind, pairs in labelled().items():
            assert len(book[f"{kind}_vectors"]) == len(book[f"{kind}_weights"]) == len(pairs)
            assert book[f"{kind}_names"].tolist() == list(dict.fromkeys(name for _, name in pairs))


def test_every_behaviour_has_examples() -> None:
    """And only those, but for what asks for nothing."""
    assert set(examples()["behaviours"]) == {*BEHAVIOURS, "context"}


@pytest.mark.parametrize(
    ("words", "behaviour"),
    [
        ("throw away old invoices", "delete"),
        ("zobacz wykres słupkowy wydatków", "chart"),
        ("de gebruiker kan een afspraak verwijderen", "delete"),
        ("pesquisar músicas pelo título", "search"),
        ("cursor keys steer the spaceship", "keyboard"),
        ("bookings are still there when the page is loaded again", "persist"),
    ],
)
def test_carries_over(words: str, behaviour: str) -> None:
    """To other words and other languages."""
    assert behaviour_of(words) == behaviour
