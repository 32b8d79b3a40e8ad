"""A batch that is struck again and again comes to the same results as one that is left alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.benchmarks.batch import STRIKES, Command, entries_of, lay_out, problems, small_disk, strike_at
from tests.integration.batch.watching import signatures

pytestmark = [pytest.mark.long, pytest.mark.timeout(1500)]
APPS, MODELS = 3, 2
PAUSE_S = (3.0, 12.0)


def test_kills_leave_every_job_in_one_state_with_the_verdict_it_would_have_had(tmp_path: Path) -> None:
    """`kill -9` of supervisor, evaluation, browser and recorder at random moments; the same command again each time it died."""
    batch = lay_out(tmp_path / "set", APPS, MODELS)
    plain = tmp_path / "plain"
    assert Command(batch.arguments(plain, 2), tmp_path / "plain.log").wait(700).code == 0
    undisturbed = signatures(plain, entries_of(plain))
    chance = random.Random(11)
    strikes = list(STRIKES)
    chance.shuffle(strikes)
    (tmp_path / "chaos").mkdir()
    chaos = strike_at(batch, tmp_path / "chaos" / "out", 2, strikes, chance, PAUSE_S)
    assert sorted(chaos.strikes) == sorted(STRIKES)
    assert chaos.commands == 2
    assert chaos.left == []
    assert problems(tmp_path / "chaos" / "out", APPS * MODELS, undisturbed) == []


def test_a_disk_that_fills_up_is_told_in_one_line_and_costs_nothing(tmp_path: Path) -> None:
    """The batch ends with 3, the line says what to do, and after room was made the same command does the rest."""
    batch = lay_out(tmp_path / "set", 2, 1)
    try:
        with small_disk(tmp_path / "disk", 700) as disk:
            chaos = strike_at(batch, disk / "out", 2, ["disk"], random.Random(5), PAUSE_S)
            assert chaos.disk_full.startswith("3: assay: The disk that holds")
            assert "same command" in chaos.disk_full
            assert chaos.left == []
            assert problems(disk / "out", 2) == []
            assert all(entry.attempts == 1 for entry in entries_of(disk / "out"))
    except PermissionError as error:
        pytest.skip(f"no file system can be mounted here: {error}")
