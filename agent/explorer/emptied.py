"""What empties an app: whoever goes on from there finds nothing that could be filtered, sorted, edited or deleted."""

from __future__ import annotations

from evaluator.requirements.deeds import deed_of
from tools.page.model import PageModel
from tools.page.trial_records import TrialRecord
from tools.page.trials import Press

LEAST, SHARE = 3, 0.5
"""Items that were listed before, and the share of them that must be gone."""


def empties(record: TrialRecord) -> bool:
    """Whether a press of what clears, resets or begins anew took most items of the page with it."""
    for seen in record.own:
        act = seen.act
        if not isinstance(act, Press) or not seen.delivered or act.target.within:
            continue
        if deed_of(act.target.name) in {"clear", "reset"} and _lost(seen.before, seen.after):
            return True
    return False


def _lost(before: PageModel, after: PageModel) -> bool:
    old, new = _listed(before), _listed(after)
    gone = [text for text in old if text not in new]
    return len(old) >= LEAST and len(gone) >= SHARE * len(old)


def _listed(page: PageModel) -> list[str]:
    return [item.text for listed in page.collections if not listed.collection for item in listed.items]
