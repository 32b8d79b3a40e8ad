"""Numbers of displays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.browser import display


def test_a_number_whose_socket_was_left_is_not_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another account's socket can't be removed: a server that drew its number did not start."""
    drawn = iter([7, 7, 8])
    monkeypatch.setattr(display, "_SOCKETS", tmp_path)
    monkeypatch.setattr(display.secrets, "randbelow", lambda _: next(drawn))
    (tmp_path / f"X{display._LOWEST + 7}").touch()
    assert display._free_number() == display._LOWEST + 8
