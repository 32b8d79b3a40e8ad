"""Vectors that are kept between processes."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest

from tools.encoder import SentenceEncoder
from tools.vectors import VectorStore

MAKER = "encoder 1"


def _vector(first: float) -> numpy.ndarray:
    return numpy.array([first, 0.1, 1 / 3, -2e-300])


def test_what_was_kept_is_found_to_the_last_bit(tmp_path: Path) -> None:
    """By another process, whatever the text."""
    file = tmp_path / "kept" / "vectors.sqlite"
    store = VectorStore(file, MAKER, 4)
    for first, text in enumerate(("Add to cart", "删除", "", "\udcff half a sign")):
        store.put(text, _vector(first))
    again = VectorStore(file, MAKER, 4)
    for first, text in enumerate(("Add to cart", "删除", "", "\udcff half a sign")):
        found = again.get(text)
        assert found is not None
        assert found.tobytes() == _vector(first).tobytes()
    assert again.get("add to cart") is None


def test_what_another_version_made_is_not_found(tmp_path: Path) -> None:
    """Nor what has another length."""
    file = tmp_path / "vectors.sqlite"
    VectorStore(file, MAKER, 4).put("Save", _vector(1))
    assert VectorStore(file, "encoder 2", 4).get("Save") is None
    assert VectorStore(file, MAKER, 5).get("Save") is None


def test_a_file_that_is_no_store_costs_time_only(tmp_path: Path) -> None:
    """Damaged, or a folder where a file should be: nothing is found, nothing is kept, nothing fails."""
    file = tmp_path / "vectors.sqlite"
    file.write_bytes(b"this is no database" * 100)
    for place in (file, tmp_path, tmp_path / "vectors.sqlite" / "below"):
        store = VectorStore(place, MAKER, 4)
        store.put("Save", _vector(1))
        assert store.get("Save") is None


def test_it_keeps_within_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that came first go when it is opened again."""
    file = tmp_path / "vectors.sqlite"
    first = VectorStore(file, MAKER, 4)
    for number in range(30):
        first.put(f"text {number}", _vector(number))
    monkeypatch.setattr("tools.vectors.ROWS_MOST", 10)
    again = VectorStore(file, MAKER, 4)
    assert again.get("text 5") is None
    assert again.get("text 29") is not None


def test_what_is_kept_is_what_is_computed(tmp_path: Path) -> None:
    """The second encoder never loads its model, and says the same to the last bit."""
    file = tmp_path / "vectors.sqlite"
    computed = SentenceEncoder(VectorStore(file, MAKER, 512)).encode(["Remove", "Löschen"])
    second = SentenceEncoder(VectorStore(file, MAKER, 512))
    assert second.encode(["Remove", "Löschen"]).tobytes() == computed.tobytes()
    assert second._model is None
    assert SentenceEncoder().encode(["Löschen"]).tobytes() == computed[1:].tobytes()
