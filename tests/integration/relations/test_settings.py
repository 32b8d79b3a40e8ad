"""Settings that nothing sends, beyond what their fields state."""

# The pages are read more easily with a line a piece of theirs.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Tryout, told

pytestmark = pytest.mark.long  # each trial waits for what is late

TRAINER = """<h1>Metronome</h1><div><label>Until (BPM) <input id=b type=number min=30 max=240 value=120></label> <button>Start</button><p id=o></p></div>"""
KEEPS = "b.value = localStorage.bpm ?? 120; b.onchange = () => { FIRST localStorage.bpm = b.value; };"


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        (KEEPS.replace("FIRST", "b.value = Math.min(240, Math.max(30, b.value));"), {"held"}),
        (KEEPS.replace("FIRST", ""), {"violated"}),
        (
            KEEPS.replace("FIRST", "").replace(
                "b.onchange", "if (b.value > 240) o.textContent = 'Please choose 240 or less.'; b.onchange"
            ),
            {"explained", "violated"},
        ),
        ("", {"held"}),
    ],
    ids=["kept within", "any value", "the page says so", "nothing is kept"],
)
async def test_what_is_out_of_bounds_is_not_there_again(tryout: Tryout, script: str, wanted: set[str]) -> None:
    """After a reload: what the app put there itself it took for right."""
    records = await tryout.tried("settings_keep_bounds", html("Metronome", TRAINER, script))
    assert records
    assert results(records) <= wanted, told(records)


async def test_what_a_form_sends_is_not_asked(tryout: Tryout) -> None:
    """There it is refused when it is sent."""
    inner = "<form><label>Seats <input type=number min=1 max=9 value=2></label><button>Book</button></form>"
    assert not await tryout.tried("settings_keep_bounds", html("Ferry", inner, ""))
