"""Which acts of a run lead up to one of them: since the page was last loaded, and since the beginning."""

from __future__ import annotations

from tools.evidence.record import Record
from tools.evidence.rows import Acted

_LOADS = frozenset({"reload", "goto"})


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
