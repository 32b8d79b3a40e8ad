"""The progress of a session of cards (`2 of 6 done`) goes on with each that is answered or graded as known."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told, lack
from agent.words import folded
from tools.browser.marks import Observation

_PROGRESS = re.compile(r"(?<![\d.,:/])(\d{1,3})\s*(?:of|/|／|von|sur|de|共)\s*(\d{1,3})(?![\d.,:/])")


def progress(page: Observation) -> tuple[int, int] | None:
    """`(so many, of so many)`, where one line of the page says so."""
    found = {(int(done), int(all_)) for line in page.text.splitlines() for done, all_ in _PROGRESS.findall(folded(line))}
    told = [(done, all_) for done, all_ in found if all_ > 1 and done <= all_]
    return told[0] if len(told) == 1 else None


def progress_moves(case: Case) -> Told:
    """After a card that was known another one is shown, and one more is done. As many as before, twice: `state_not_updated`."""
    before, after = progress(case.before), progress(case.after)
    if before is None or after is None or before[1] != after[1]:
        return Told(None, "no progress is shown", attempts=0)
    if before[0] != after[0]:
        return Told(True, f"{before[0]} of {before[1]} became {after[0]}")
    gone, new = case.lines
    if not gone or not new:
        return Told(None, "nothing else is shown now", attempts=0)
    return lack(case, "state_not_updated", f"it is still {before[0]} of {before[1]}, though the next one is shown")
