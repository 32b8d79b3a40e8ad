"""Which acts of a run lead up to one of them: since the page was last loaded, since the beginning, those that made its target."""

from __future__ import annotations

from collections.abc import Sequence

from agent.deciders.protocol import Step
from tools.browser.actions import Type
from tools.evidence.record import Record
from tools.evidence.rows import Acted

_LOADS = frozenset({"reload", "goto"})
_LEAST_NAMED = 3
_FILLING, _SENDING = "fill form", "submit form"
MOST_SENT_AFTER = 10
"""Acts between what was typed and the press that sent it."""


def since_load(record: Record, last: str) -> list[str]:
    """Ids of the acts since the page was last loaded, up to the act `last`; those that were not delivered are left out."""
    chain: list[str] = []
    for row, acted in record.of(Acted):
        if acted.action.get("act") in _LOADS and row.id != last:
            chain.clear()
        elif acted.delivered:
            chain.append(row.id)
        if row.id == last:
            break
    return chain


def since_start(record: Record, last: str) -> list[str]:
    """Ids of all acts up to the act `last` that were delivered; none where no reload is among them that keeps what was stored."""
    rows = [(row.id, acted) for row, acted in record.of(Acted)]
    chain = rows[: next((place + 1 for place, (row_id, _) in enumerate(rows) if row_id == last), 0)]
    reloaded = any(acted.action.get("act") == "reload" for _, acted in chain[:-1])
    return [row_id for row_id, acted in chain if acted.delivered] if reloaded else []


def with_maker(everything: Sequence[Step], judged: Sequence[Step]) -> list[Step]:
    """The steps, after those that entered what the first of them is about: its target's name has what was typed into a form.

    Empty where nothing it names was typed before it.
    """
    target = getattr(judged[0].decision.action, "target", None)
    name = target.name if target is not None else ""
    earlier = [step for step in everything if step.number < judged[0].number and step.acted.delivered]
    typed = next((place for place in range(len(earlier) - 1, -1, -1) if _names(earlier[place], name)), None)
    if typed is None:
        return []
    if earlier[typed].decision.skill.startswith(_SENDING):  # typed with Enter
        return [earlier[typed], *judged]
    begun = typed
    while begun and earlier[begun - 1].decision.skill.startswith(_FILLING):
        begun -= 1
    after = range(typed + 1, min(len(earlier), typed + MOST_SENT_AFTER))
    sent = next((place for place in after if earlier[place].decision.skill.startswith(_SENDING)), None)
    return [*earlier[max(0, begun - 1) : sent + 1], *judged] if sent is not None else []


def _names(step: Step, name: str) -> bool:
    action = step.decision.action
    filled = step.decision.skill.startswith((_FILLING, _SENDING))
    return isinstance(action, Type) and filled and len(action.text.strip()) >= _LEAST_NAMED and action.text.strip() in name
