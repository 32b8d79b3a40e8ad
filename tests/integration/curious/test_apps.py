"""Small real apps, each whole and with one planted defect, explored through the real stage: nothing is accused but the defect."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.integration.curious.driving import Explored, explore

pytestmark = pytest.mark.long  # of the skills and oracles that relations are to replace

APPS = Path(__file__).parents[2] / "fixtures" / "apps"

PLANTED = {
    "calculator": "equals: wrong_result",
    "contacts": "filtered: state_not_updated",
    "snake": "still: keyboard_ignored",
    "tabs": "responds: dead_control",
    "tip": "as_named: state_not_updated, follows: state_not_updated",
    "todo": "persists: persistence_lost",
    "wizard": "validation_shown: validation_missing",
}
"""The defect of each `broken.html`, as the oracle that must find it names it."""

LEAST_SHOWN = {"calculator": 6, "contacts": 3, "snake": 2, "tabs": 4, "tip": 2, "todo": 6, "wizard": 4}
"""Promises that the whole app must be seen to keep."""


async def explored(name: str, version: str, serve: Callable[[Path], str], tmp_path: Path) -> Explored:
    """Explore one version of an app against its brief."""
    folder = APPS / name
    brief = (folder / "brief.txt").read_text(encoding="utf-8")
    language = "zh" if name == "contacts" else "en"
    return await explore(f"{serve(folder)}{version}.html", brief, language, tmp_path / "run")


def check_whole(name: str, found: Explored) -> None:
    """Nothing is held against a whole app, and its promises are seen to be kept."""
    assert found.failed == [], found.account()
    assert "broken" not in found.covered.promises.values()
    assert sum(state == "shown" for state in found.covered.promises.values()) >= LEAST_SHOWN[name], found.account()
    assert found.covered.stop_reason in ("covered", "steps")


def check_broken(name: str, found: Explored) -> None:
    """The planted defect is found, once it is the only thing accused, and its steps are cited."""
    assert set(found.failed) == set(PLANTED[name].split(", ")), found.account()
    accused = [outcome for outcome in found.outcomes if outcome.held is False]
    assert all(set(outcome.steps) <= {step.acted_id for step in found.steps} and outcome.steps for outcome in accused)
    assert "broken" in found.covered.promises.values(), found.account()


@pytest.mark.parametrize("name", ["contacts"])
async def test_a_planted_defect_is_found_and_nothing_else(name: str, serve: Callable[[Path], str], tmp_path: Path) -> None:
    """The defect is found within the ordinary limits, and no whole part is accused."""
    check_broken(name, await explored(name, "broken", serve, tmp_path))


@pytest.mark.parametrize("name", ["todo"])
async def test_a_whole_app_is_not_accused(name: str, serve: Callable[[Path], str], tmp_path: Path) -> None:
    """Entries are added, checked off, deleted, filtered and kept, the theme goes there and back, and nothing is accused."""
    check_whole(name, await explored(name, "good", serve, tmp_path))


@pytest.mark.long
@pytest.mark.parametrize("version", ["good", "broken"])
@pytest.mark.parametrize("name", sorted(PLANTED))
async def test_every_app_in_both_versions(name: str, version: str, serve: Callable[[Path], str], tmp_path: Path) -> None:
    """The whole table."""
    found = await explored(name, version, serve, tmp_path)
    (check_whole if version == "good" else check_broken)(name, found)
