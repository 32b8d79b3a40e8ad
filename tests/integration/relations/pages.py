"""Pages for tests of relations, and what came of the trials on them."""

from __future__ import annotations

from tools.page.trial_records import TrialRecord


def html(title: str, body: str, script: str = "", style: str = "") -> str:
    """A page."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{style}</style></head>'
        f"<body>{body}<script>{script}</script></body></html>"
    )


def results(records: list[TrialRecord]) -> set[str]:
    """What came of them."""
    return {record.result for record in records}
