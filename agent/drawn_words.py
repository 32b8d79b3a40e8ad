"""Words drawn on a game's canvas: score, lives, "game over", "press Enter", read off the picture where no element holds them.

They join the observation's text, behind the page's own, so that everything that reads a game's state reads them, too. What
moves is left out of the digests as before: a drawn word never says that an act changed the page's text.
"""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agent.skills.checks.labelled import figures
from agent.words import concepts, says
from tools.browser.eyes import Look
from tools.browser.marks import BAND_PX, Drawing, Mark, Observation
from tools.errors import MissingProgram
from tools.probes.graders import DEMAND

if TYPE_CHECKING:
    from agent.context import RunContext
    from tools.browser.stage import Stage

LEAST_SHARE = 0.1
"""Share of the window from which on a canvas is what a game is played on."""
LEAST_SCORE = 0.85
MOST_READINGS = 12
LONGEST = 60
_TELLING = ("counter_score", "counter_time", "lives", "round", "game_over", "start_hint")
_CONCEPTS = frozenset({"score", "pause", "restart", "start", "resume"})


@dataclass
class DrawnWords:
    """Reads the canvas of the game that a brief names; each picture once, and not many of them."""

    brief: str
    read: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What was read, by the drawing's digest."""

    async def join(self, look: Look, stage: Stage) -> Look:
        """The look with what is drawn on its canvas as further lines of its text; app time stands while it is read."""
        surface = self._surface(look.observation)
        if surface is None or "game" not in concepts(self.brief) | concepts(look.observation.title):
            return look
        drawing, mark = surface
        if drawing.digest not in self.read and self._worth_reading(look.observation):
            async with stage.deliberating():
                self.read[drawing.digest] = await asyncio.to_thread(read_surface, look, drawing, mark)
        lines = self.read.get(drawing.digest, ())
        if not lines:
            return look
        seen = look.observation
        # A paused game and a running one are two states of the page, though no element tells them apart.
        state = hashlib.sha256("\n".join((seen.fingerprint, *lines)).encode()).hexdigest()
        joined = {"text": "\n".join((seen.text, *lines)), "fingerprint": state}
        return replace(look, observation=seen.model_copy(update=joined))

    def _surface(self, seen: Observation) -> tuple[Drawing, Mark] | None:
        """The largest canvas that is in sight as a whole."""
        known = {drawing.selector: drawing for drawing in seen.drawings if drawing.rows}
        room = LEAST_SHARE * seen.viewport[0] * seen.viewport[1]
        found = [
            (known[mark.selector], mark)
            for mark in seen.marks
            if mark.kind == "canvas" and not mark.frame and mark.selector in known and mark.box.area >= room
        ]
        return max(found, key=lambda one: one[1].box.area, default=None)

    def _worth_reading(self, seen: Observation) -> bool:
        """While a game runs only its figures matter, and those are known where the page itself shows them."""
        if len(self.read) >= MOST_READINGS:
            return False
        return not seen.moving or not any(says("counter_score", label) or says("lives", label) for label in figures(seen))


async def with_drawn_words(context: RunContext, seen: Look) -> Look:
    """The look with the words that the game under evaluation draws on its canvas."""
    if context.stage is None:
        return seen
    if context.notebook.drawn is None:
        context.notebook.drawn = DrawnWords(context.brief)
    return await context.notebook.drawn.join(seen, context.stage)


def read_surface(look: Look, drawing: Drawing, mark: Mark) -> tuple[str, ...]:
    """Lines of the canvas that tell a game's state; none where nothing can read them here."""
    from tools.media.ocr import read_text  # noqa: PLC0415 - loads OpenCV and the models, which most apps need not

    left, top = max(round(mark.box.x), 0), max(round(mark.box.y), 0)
    height, width = len(drawing.rows) * BAND_PX, len(drawing.columns) * BAND_PX
    try:
        found = read_text(look.picture[top : top + height, left : left + width], least_score=LEAST_SCORE)
    except MissingProgram:
        return ()
    return tuple(line.text for line in found if tells(line.text))


def tells(line: str) -> bool:
    """Whether a line is about the game's state: letters seen in rocks and walls are not, nor is what is said to graders."""
    if len(line) > LONGEST or DEMAND.search(line):
        return False
    return any(says(group, line) for group in _TELLING) or bool(concepts(line) & _CONCEPTS)
