"""How late the recorder's sound is against its picture: flashes with beeps, shown before the app is opened and cut off the film.

Sound and picture reach the film by different ways (mixer, sound server and its monitor; compositor, display and the frames' own
rhythm), so that one is some 20 ms behind the other, differently from start to start but evenly from then on. An empty page shows
black and white in turn and beeps at each change; afterwards the film is searched for both.

The page's frames come twice as often as the film's, which meets every other one: between two changes lies an odd number of
them, so that either kind is met equally often and the mean is not off by half a frame.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tools.browser.faults import CommandRefused, TabBusy, TabCrashed, TabHung
from tools.browser.recorder.stamps import Heard
from tools.errors import EnvironmentFault
from tools.evidence.film_rows import SoundOffset
from tools.media.sound_track import hear
from tools.media.video import grey_frames, packets, samples

FRAMES_APART = (5, 7, 5, 9, 5, 5, 7, 7, 9, 5, 5, 7)
"""Frames of the page (60 a second) before each change: no two stretches alike, so that no row of them looks like another."""
LIMIT_S = 8.0
_LEAST = 6
_NEAR_S = 0.2
"""An offset larger than this is taken for no offset but a mistake."""
_SAME_S = 0.025
_MOST_SD_S = 0.02

# In a world that the page cannot see. Nothing stays: no node, no sound, no storage, no entry in the history.
_SHOW = """async (frames) => {
  const audio = new AudioContext({ latencyHint: 'interactive' });
  const tone = audio.createOscillator(), gate = audio.createGain();
  gate.gain.value = 0;
  tone.frequency.value = 1000;
  tone.connect(gate).connect(audio.destination);
  tone.start();
  const board = document.createElement('div');
  board.style.cssText = 'position:fixed;inset:0;background:#000;z-index:2147483647';
  document.documentElement.append(board);
  const frame = () => new Promise((next) => requestAnimationFrame(next));
  try {
    // Until sound really flows the first beep would be swallowed.
    for (let waited = 0; audio.currentTime < 0.08; waited++) {
      if (waited > 90) return 0;
      await frame();
    }
    let white = false;
    for (const count of frames) {
      for (let passed = 0; passed < count; passed++) await frame();
      white = !white;
      board.style.background = white ? '#fff' : '#000';
      gate.gain.setValueAtTime(0.4, audio.currentTime);
      gate.gain.setValueAtTime(0, audio.currentTime + 0.03);
    }
    for (let passed = 0; passed < 6; passed++) await frame();
    return frames.length;
  } finally {
    board.remove();
    await audio.close();
    // What was shown last must have left the screen.
    for (let passed = 0; passed < 4; passed++) await frame();
  }
}"""


class Page(Protocol):
    """What is needed of a tab."""

    async def evaluate(self, function: str, arg: object = None, *, timeout_s: float | None = None) -> Any:
        """Run JavaScript in a world of our own."""
        ...


async def show(page: Page) -> str:
    """Show flashes and beeps on the empty page, for 1.5 s of its time. Returns why there were none; empty if there were."""
    try:
        shown = await page.evaluate(_SHOW, list(FRAMES_APART), timeout_s=LIMIT_S)
    except (CommandRefused, TabBusy, TabHung, TabCrashed) as fault:
        return f"the calibration page did not run: {fault.message}"
    return "" if shown else "the browser's sound did not start"


def measure(take: Path, sound: Heard | None, from_s: float, until_s: float) -> SoundOffset:
    """Find them in a take between two positions. Never raises for what is not there: then it is not measured."""
    if sound is None:
        return SoundOffset(measured=False, reason="the recording has no sound")
    try:
        seen = _flashes(take, from_s, until_s)
        found = _beeps(take, sound, from_s, until_s)
    except EnvironmentFault as fault:
        return SoundOffset(measured=False, reason=fault.message)
    return compare(seen, found)


def compare(seen_s: NDArray[np.float64], heard_s: NDArray[np.float64]) -> SoundOffset:
    """The offset between two lists of moments, by the shift at which most of them meet."""
    apart = (heard_s[None, :] - seen_s[:, None]).ravel()
    apart = apart[np.abs(apart) <= _NEAR_S]
    meet = [int(np.count_nonzero(np.abs(apart - shift) <= _SAME_S)) for shift in apart]
    if not meet or max(meet) < _LEAST:
        return SoundOffset(
            measured=False, reason=f"{len(seen_s)} flashes and {len(heard_s)} beeps were found, which do not match"
        )
    # Among shifts that are equally good, the middle one.
    shift = float(np.median(apart[np.array(meet) == max(meet)]))
    pairs = apart[np.abs(apart - shift) <= _SAME_S]
    sd_s = float(pairs.std(ddof=1))
    if sd_s > _MOST_SD_S:
        return SoundOffset(measured=False, n=len(pairs), sd_ms=round(sd_s * 1000, 1), reason="flashes and beeps lie too unevenly")
    return SoundOffset(measured=True, offset_ms=round(float(pairs.mean()) * 1000, 1), n=len(pairs), sd_ms=round(sd_s * 1000, 1))


def _flashes(take: Path, from_s: float, until_s: float) -> NDArray[np.float64]:
    at_s = packets(take, "v").at_s
    light = np.array([frame.mean() for frame in grey_frames(take, (16, 10), before=("-t", f"{until_s + 0.5:.3f}"))])
    at_s, light = at_s[: len(light)], light[: len(at_s)]
    changed = np.flatnonzero((light[1:] > 128) != (light[:-1] > 128)) + 1
    moments = at_s[changed]
    # The board itself is black on white: it comes and goes like a flash, but without a beep.
    return moments[(moments >= from_s) & (moments <= until_s)]


def _beeps(take: Path, sound: Heard, from_s: float, until_s: float) -> NDArray[np.float64]:
    parts = list(samples(take, filters="asetpts=N/SR/TB", before=("-t", f"{until_s + 0.5:.3f}")))
    if not parts:
        return np.zeros(0)
    moments = np.array([onset.at_s + sound.first_s for onset in hear(np.concatenate(parts)).onsets])
    return moments[(moments >= from_s - _NEAR_S) & (moments <= until_s + _NEAR_S)]
