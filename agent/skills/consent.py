"""Boxes by which a person agrees to something: they have to be ticked before a form is sent, and belong to that sending alone."""

from __future__ import annotations

import re

from tools.browser.marks import Mark

_CONSENT = re.compile(
    r"\b(?:i (?:have )?(?:agree|accept|read|check|confirm|understand)\w*|ich (?:habe|stimme|akzeptiere|bestätige)|geprüft|gelesen"
    r"|j.accepte|j.ai (?:lu|vérifié)|je confirme|acepto|he leído|confirmo)\b|我已|同意|确认|已阅读",
    re.IGNORECASE,
)
"""What a box says that has to be ticked before a form is sent."""


def gives_consent(mark: Mark) -> bool:
    """Whether a box says that somebody agrees, has read, or confirms."""
    return _CONSENT.search(mark.name) is not None
