"""Text can be read on what it stands on."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import Legible
from tools.page.trials import Control, Trial, Wait

HARDLY = 2.0
"""Contrast below which words can hardly be made out at all."""


@relation(about=("texts",), category=Category.low_contrast, severity=Severity.major, always=True)
class NothingIsInvisible:
    """No words in view have nearly the colour of what they stand on."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One, judged in every state; what only fades in is waited for."""
        del ground
        yield Trial(why="no words are invisible", acts=(), asserts=(Legible(ratio=HARDLY),), control=_faded(HARDLY))


@relation(about=("texts",), category=Category.low_contrast, severity=Severity.minor, always=True)
class EverythingIsLegible:
    """All words in view have the contrast that WCAG 2.2 (1.4.3) asks for."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One, judged in every state."""
        del ground
        yield Trial(why="all words can be read", acts=(), asserts=(Legible(),), control=_faded(4.5))


def _faded(ratio: float) -> Control:
    return Control(explains="it was fading in", acts=(Wait(app_ms=1500),), asserts=(Legible(ratio=ratio),))
