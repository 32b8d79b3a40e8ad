"""Dialogs that came up while a list behind them was narrowed: what they add need not show there, so that nothing can be tried.

Each is opened once more from a page on which nothing was chosen, searched or switched yet: the nearest one known on which what
opens it stands.
"""

from __future__ import annotations

from agent.explorer.states import States
from evaluator.relations.adding import narrowed
from evaluator.relations.base import Ground
from evaluator.relations.shape import usable
from tools.page.model import PageModel
from tools.page.parts import Button, Link
from tools.page.trial_records import TrialRecord
from tools.page.trials import Press

AT_MOST = 3
"""How often a run does this: it costs an opening and an act."""


def opener(record: TrialRecord, ground: Ground) -> tuple[str, Press] | None:
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


def where(press: Press, states: States) -> str | None:
    """The known state nearest to the app as it opens in which that press can be made: the less was done, the less is narrowed."""
    stands = [state for state, page in states.pages.items() if _can_be_made(press, page)]
    far = {state: len(way) for state in stands if (way := states.way(states.entry, state)) is not None}
    return min(far, key=lambda state: far[state], default=None)


def _can_be_made(press: Press, page: PageModel) -> bool:
    part = press.target.find(page)
    return isinstance(part, Button | Link) and usable(part)


def _came(layer: str, before: PageModel, after: PageModel) -> bool:
    return before.of(layer) is None and after.of(layer) is not None
