# ruff: noqa: E501 - pages stand in whole lines
"""Relations about sound, on a page that does right, on one that does not, and on its innocent twin."""

from __future__ import annotations

import pytest

from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Tryout, told

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

PLAYER = html(
    "Tune",
    """<h1>Tune</h1><button id="play">Play music</button> <button id="halt">Stop</button>""",
    """let made = null, tone = null;
const begin = () => { made ??= new AudioContext(); tone?.stop(); tone = made.createOscillator(); const gain = made.createGain(); gain.gain.value = 0.4; tone.connect(gain).connect(made.destination); tone.start(made.currentTime + 0); };
play.onclick = begin;
halt.onclick = () => { tone?.stop(); tone = null; };""",
)

MUTED = html(
    "Beat",
    """<h1>Beat</h1><button id="play">Play music</button> <button id="mute">Mute</button>""",
    """let made = null, gain = null, off = false;
play.onclick = () => { made = new AudioContext(); const tone = made.createOscillator(); gain = made.createGain(); gain.gain.value = 0.4; tone.connect(gain).connect(made.destination); tone.start(); ENDS };
mute.onclick = () => { off = !off; mute.textContent = off ? "Unmute" : "Mute"; gain.gain.value = off ? 0 : 0.4; };""",
)
UNMUTES = MUTED.replace("ENDS", "")


async def test_two_buttons_that_mute_and_unmute_are_not_taken_for_one(tryout: Tryout) -> None:
    """Pressed twice, the one that mutes stays mute."""
    assert (
        await tryout.tried(
            "unmuted_is_heard", UNMUTES.replace('<button id="mute">', '<button>Unmute</button> <button id="mute">')
        )
        == []
    )


@pytest.mark.parametrize(
    ("relation", "page", "wanted"),
    [
        ("playing_sounds", PLAYER, "held"),
        ("playing_sounds", PLAYER.replace("connect(made.destination)", "connect(made.createGain())"), "violated"),
        ("playing_sounds", PLAYER.replace("made.currentTime + 0", "made.currentTime + 2.5"), "explained"),
        ("unmuted_is_heard", UNMUTES, "held"),
        ("unmuted_is_heard", UNMUTES.replace("gain.gain.value = off ? 0 : 0.4", "if (off) gain.gain.value = 0"), "violated"),
        ("unmuted_is_heard", MUTED.replace("ENDS", "tone.stop(made.currentTime + 1.5);"), "explained"),
        ("stopped_is_silent", PLAYER, "held"),
        ("stopped_is_silent", PLAYER.replace("tone?.stop(); tone = null; };", "tone = null; };"), "violated"),
    ],
    ids=["is heard", "is not heard", "begins with a rest", "unmutes", "stays mute", "is over", "stops", "goes on"],
)
async def test_what_plays_is_heard_and_what_is_stopped_is_not(tryout: Tryout, relation: str, page: str, wanted: str) -> None:
    """Where this machine can listen; where it cannot, nothing is told."""
    records = await tryout.tried(relation, page)
    if tryout.bench.stage.ear is None:
        assert results(records) == {"cannot tell"}, told(records)
        pytest.skip("this machine has no ear")
    assert results(records) == {wanted}, told(records)
