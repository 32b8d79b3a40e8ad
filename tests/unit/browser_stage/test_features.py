"""Features of Chromium that are turned off: a list of our own replaces Playwright's, so it must hold all of that."""

from __future__ import annotations

import re
from pathlib import Path

import playwright

from tools.browser.launch import FEATURES_OFF


def test_what_playwright_turns_off_stays_off() -> None:
    """The switch that comes last is the one that counts; a newer Playwright's list must be taken over by hand."""
    bundle = Path(playwright.__file__).parent / "driver/package/lib/coreBundle.js"
    listed = re.search(r"disabledFeatures = \[(.*?)\]\.filter", bundle.read_text(encoding="utf-8"), re.DOTALL)
    assert listed is not None, "Playwright keeps its list elsewhere now"
    theirs = set(re.findall(r'^\s*"(\w+)"', listed[1], re.MULTILINE))
    assert len(theirs) > 5
    assert theirs <= set(FEATURES_OFF)
