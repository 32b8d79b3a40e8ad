"""Dialogs that came up while a list behind them was narrowed: what they add need not show there, so that nothing can be tried.

Each is opened once more from a page on which nothing was chosen, searched or switched yet.
"""

from __future__ import annotations

from evaluator.relations.adding import narrowed
from evaluator.relations.base import Ground
from tools.page.model import PageModel
from tools.page.trial_records import TrialRecord
from tools.page.trials import Act, Press

AT_MOST = 3
"""How often a run does this: it costs an opening and an act."""


def opener(record: TrialRecord, ground: Ground) -> tuple[str, Act] | None:
    """The name of a dialog with a form that a press has opened on a narrowed page, and that press; None where there is none.

    Nor where the list is in pages: it is narrowed from the beginning.
    """
    page = ground.page
    if any(collection.pages for collection in page.collections):
        return None
    for form in page.forms:
        layer = page.of(form.layer) if form.layer else None
        if layer is None or not layer.name or not narrowed(form, ground):
            continue
        for seen in reversed(record.own):
            if _came(form.layer, seen.before, seen.after) and isinstance(seen.act, Press) and not seen.act.target.within:
                return layer.name, seen.act
    return None


def _came(layer: str, before: PageModel, after: PageModel) -> bool:
    return before.of(layer) is None and after.of(layer) is not None
