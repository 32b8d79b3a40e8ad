"""Which runs the list shows, in which order, and in which folders. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from agent.view.summaries import STATUSES, Summary

VERDICTS: dict[str, tuple[str, Callable[[Summary], bool]]] = {
    "failures": ("with failures", lambda summary: summary.failures > 0),
    "suspected": ("suspicions only", lambda summary: not summary.failures and summary.suspected > 0),
    "clean": ("nothing found", lambda summary: summary.functionality is not None and not summary.titles),
    "unmarked": ("with failures not marked yet", lambda summary: len(summary.titles) > summary.marked),
    "wrong": ("with one marked wrong", lambda summary: summary.wrong > 0),
}
"""Ways to choose by what was found: address → words, rule."""
_NEVER = datetime.min.replace(tzinfo=UTC)
_SORTS: dict[str, tuple[str, Callable[[Summary], Any], bool]] = {
    "when": ("newest first", lambda summary: summary.began or _NEVER, True),
    "oldest": ("oldest first", lambda summary: summary.began or _NEVER, False),
    "worst": ("lowest functionality first", lambda summary: _value(summary.functionality, 9.0), False),
    "best": ("highest functionality first", lambda summary: _value(summary.functionality, -1.0), True),
    "failures": ("most failures first", lambda summary: (summary.failures, summary.suspected), True),
    "name": ("by name", lambda summary: summary.name.casefold(), False),
}
SORTS = {key: words for key, (words, _, _) in _SORTS.items()}
PAGE = 100
"""Runs on one page of the list."""


@dataclass(frozen=True)
class Wish:
    """What a reader wants to see; what is not known counts as not given."""

    status: str = ""
    text: str = ""
    verdict: str = ""
    folder: str = ""
    sort: str = "when"
    page: int = 1

    @property
    def filters(self) -> bool:
        """Whether anything is left out."""
        return bool(self.status in STATUSES or self.text.strip() or self.verdict in VERDICTS or self.folder)


@dataclass(frozen=True)
class Group:
    """Runs of one folder. `name` is empty for those that lie in the folder of runs itself."""

    name: str
    runs: tuple[Summary, ...]


@dataclass(frozen=True)
class Listing:
    """A page of the list."""

    groups: tuple[Group, ...]
    matching: int
    """Runs that fit the wish, on all pages."""
    page: int
    pages: int


def listed(runs: Sequence[Summary], wish: Wish) -> Listing:
    """The runs that fit, in the order wished, those of one folder together: folders in the order of their first run."""
    fitting = [run for run in runs if _fits(run, wish)]
    _, key, falling = _SORTS.get(wish.sort, _SORTS["when"])
    ordered = sorted(sorted(fitting, key=lambda summary: summary.name), key=key, reverse=falling)
    places = {name: at for at, name in reversed(list(enumerate(summary.group for summary in ordered)))}
    together = sorted(ordered, key=lambda summary: (summary.group != "", places[summary.group]))
    pages = max(1, -(-len(together) // PAGE))
    page = min(max(1, wish.page), pages)
    shown = together[(page - 1) * PAGE : page * PAGE]
    groups = tuple(Group(name, tuple(members)) for name, members in groupby(shown, key=lambda summary: summary.group))
    return Listing(groups, len(together), page, pages)


def _fits(summary: Summary, wish: Wish) -> bool:
    if wish.status in STATUSES and summary.status != wish.status:
        return False
    if wish.verdict in VERDICTS and not VERDICTS[wish.verdict][1](summary):
        return False
    if wish.folder and summary.group != wish.folder and not summary.group.startswith(f"{wish.folder}/"):
        return False
    words = wish.text.casefold().split()
    if not words:
        return True
    said = " ".join((summary.name, summary.subject, summary.brief, *summary.titles)).casefold()
    return all(word in said for word in words)


def _value(score: Any, otherwise: float) -> float:
    return otherwise if score is None else score.value
