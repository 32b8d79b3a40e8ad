"""Human rhythm as the page feels it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.integration.looking import Scene, Way
from tools.browser.actions import Click, Target, Type


@pytest.mark.parametrize("way", ["xtest", pytest.param("cdp", marks=pytest.mark.long)])
async def test_the_page_feels_a_persons_movement(scene: Scene, way: Way) -> None:
    """Many moves about a frame apart, fast in the middle, a press of 60–120 ms, keys a tenth of a second apart."""
    await scene.open("deeds.html")
    hands = scene.hands(way, rhythm=1.0)
    await hands.perform(Click(target=Target(selector="#field")))
    await scene.script("moves.length = 0; downs.length = 0")
    await hands.perform(Click(target=Target(selector="#scroller")))
    moves = await scene.script("moves")
    assert len(moves) >= 8
    began, ended = moves[0][0], moves[-1][0]
    assert 300 < ended - began < 3000
    steps = [(b[0], ((b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2) ** 0.5) for a, b in pairwise(moves)]
    middle = sum(step for at, step in steps if 0.25 < (at - began) / (ended - began) < 0.75)
    assert middle > 0.5 * sum(step for _, step in steps), "slow, fast, slow: most of the way in the middle half of the time"
    assert max(step for _, step in steps) < 0.6 * sum(step for _, step in steps)
    (_, pressed, _), (_, let_go, _) = await scene.script("downs")
    assert 55 <= let_go - pressed <= 400
    await scene.script("log.length = 0; window.times = []; addEventListener('keydown', (event) => times.push(event.timeStamp))")
    await hands.perform(Type(target=Target(selector="#field"), text="the quick fox"))
    times = await scene.script("times")
    gaps = [b - a for a, b in pairwise(times)]
    assert 60 < sum(gaps) / len(gaps) < 260
    assert len({round(gap / 10) for gap in gaps}) > 4
