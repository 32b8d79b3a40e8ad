"""What an exploration covered: which controls were found and tried, which promises, and what was left out and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal

from agent.explorer.agenda import touched
from agent.explorer.ends import StopReason
from agent.explorer.explorer import Explorer
from agent.explorer.states import aliases
from agent.explorer.stubborn import leads_away, usable
from agent.explorer.walking import Tried
from evaluator.record.naming import clean
from tools.evidence.rows import Covered, Promise
from tools.page.model import PageModel
from tools.page.parts import Field, Link, Part
from tools.text import how_many

NAMED_AT_MOST, LINES_AT_MOST = 3, 40
_CONTROLS = ("fields", "buttons", "links", "toggles", "choices")
PromiseState = Literal["shown", "broken", "not_tested"]
_ENDED = {
    "steps": "the acts were used up first",
    "time": "the app time was used up first",
    "decided": "the exploration ended once the checklist was decided",
}
"""Why something was not tried, by what ended the exploration."""


def covered(explorer: Explorer | None, promises: Sequence[Promise], stop: StopReason, trouble: str) -> Covered:
    """The coverage of an exploration; of one that never began, that nothing was tried, and why (`trouble`)."""
    if explorer is None:
        return Covered(
            stop_reason=stop or "interrupted",
            controls_found=0,
            controls_tried=0,
            promises={promise.id: "not_tested" for promise in promises},
            not_tested=(f"everything: {trouble or 'the page could not be explored'}",),
        )
    paths = explorer.states.paths
    found = _found(explorer.states.pages.values(), paths)
    tried = _tried(explorer.tried, paths) & found.keys()
    states: dict[str, PromiseState] = {promise.id: _state(promise, explorer) for promise in promises}
    left = [place for key, place in found.items() if key not in tried]
    lines = [*_untested(promises, states, stop), *_by_reason(left, stop), *_rest(explorer, stop)]
    return Covered(
        stop_reason=stop or "interrupted",
        controls_found=len(found),
        controls_tried=len(tried),
        promises=states,
        not_tested=tuple(lines[:LINES_AT_MOST]),
        states=len(explorer.states.pages),
    )


def _found(pages: Iterable[PageModel], paths: Collection[str]) -> dict[str, tuple[Part, PageModel]]:
    """Every control by its key, like ones (`aliases`) by one key; links to other sites are none."""
    found: dict[str, tuple[Part, PageModel]] = {}
    for page in pages:
        alias = aliases(page, paths)
        for kind in _CONTROLS:
            for part in getattr(page, kind):
                if not (isinstance(part, Link) and leads_away(part, page)):
                    found.setdefault(alias.get(part.key, part.key), (part, page))
    return found


def _tried(records: Iterable[Tried], paths: Collection[str]) -> set[str]:
    keys: set[str] = set()
    for record in records:
        for seen in record.record.own:
            if seen.delivered:
                keys |= {key.partition("=")[0] for key in touched((seen.act,), aliases(seen.before, paths))}
    return keys


def _state(promise: Promise, explorer: Explorer) -> PromiseState:
    about = [trial.record.result for trial in explorer.tried if promise.id in trial.record.trial.requirements]
    if "violated" in about:
        return "broken"
    return "shown" if promise.id in explorer.agenda.exercised else "not_tested"


def _untested(promises: Sequence[Promise], states: dict[str, PromiseState], stop: StopReason) -> Iterator[str]:
    reasons = {
        "responsive": "judged from the pictures at mobile width, not by interaction",
        "language": "judged from the page's text, not by interaction",
    }
    ended = {**_ENDED, **dict.fromkeys(("covered", "decided"), "no trial that could tell was found for it")}
    for promise in promises:
        if states[promise.id] == "not_tested":
            why = reasons.get(promise.aspect) or ended.get(stop, f"the exploration ended early ({stop})")
            yield f'requirement "{clean(promise.text, 80)}": {why}'


def _by_reason(left: Iterable[tuple[Part, PageModel]], stop: StopReason) -> Iterator[str]:
    """One line for each reason to leave controls out, with how many and the first names."""
    reasons: dict[str, list[Part]] = {}
    for part, _ in left:
        reasons.setdefault(_reason(part, stop), []).append(part)
    for reason, parts in sorted(reasons.items()):
        names = ", ".join(f'"{clean(part.name, 30)}"' for part in parts[:NAMED_AT_MOST] if part.name)
        more = f" ({names}{' …' if len(parts) > NAMED_AT_MOST else ''})" if names else ""
        yield f"{len(parts)} × {reason}{more}"


def _reason(part: Part, stop: StopReason) -> str:
    if part.disabled:
        return "disabled control: it was never enabled"
    if isinstance(part, Field) and part.kind == "file":
        return "file input: nothing was uploaded"
    if not usable(part):
        return "covered control: it could not be reached where it was seen"
    if stop == "decided":
        return "control: not needed to decide the checklist"
    return "control: nothing was expected of it" if stop == "covered" else "control: not reached within the limits"


def _rest(explorer: Explorer, stop: StopReason) -> Iterator[str]:
    """The agenda's rest in one line: how many trials, why, and the first of them."""
    left = explorer.left()
    if left:
        first = "; ".join(clean(words, 90) for words in left[:NAMED_AT_MOST])
        more = " …" if len(left) > NAMED_AT_MOST else ""
        why = _ENDED.get(stop, f"the exploration ended early ({stop})")
        yield f"{how_many(len(left), 'trial')}: {why} ({first}{more})"
