"""From a fresh page to a failure: the acts that someone has to repeat to see it."""

from __future__ import annotations

from evaluator.naming import name_stem, target_of
from evaluator.reading import Act, Reading, document_of
from evaluator.signals import Signal
from evaluator.taxonomy import Category
from tools.evidence.rows import SiteServed

IDLE = frozenset({"hover", "scroll"})
"""Acts that can be left out when nothing changed through them."""


def route(reading: Reading, signal: Signal) -> tuple[Act, ...]:
    """The shortest chain of acts that is known to lead to a sighting; empty for what shows without any act.

    If everything it was done with stood on the untouched page, its own acts; else everything since the page was last opened.
    For something that was entered and is gone later, its own acts begin with entering it.
    """
    if not signal.acts:
        return ()
    own = tuple(sorted(signal.acts, key=lambda act: act.number))
    if signal.category is Category.missing_feature:
        return own  # what is nowhere is not on the untouched page either
    if signal.category is Category.persistence_lost and own[0] is not own[-1]:
        return own  # it was named what made it; where that does not do, everything since the page was opened is repeated
    entered = _entered(reading, signal, own[0])
    if entered:
        own = tuple({act.number: act for act in (*entered, *own)}.values())
    aimed = [act for act in own if target_of(act.body.action)]
    # At another width of the window the untouched page may show what it did not show before.
    narrowed = own[0].kind == "resize" and own[0] is not own[-1]
    if aimed and (narrowed or all(_at_hand(reading, act) or act.kind == "press" for act in own)):
        return own
    start = _last_opening(reading, own[0])
    chain = reading.acts[start : own[-1].number + 1]
    numbers = {act.number for act in own}
    return tuple(act for act in chain if act.number in numbers or (act.body.delivered and not _idle(act)))


def _entered(reading: Reading, signal: Signal, first: Act) -> tuple[Act, ...]:
    """The last typing, before the first act, of a text that the expectation quotes, and the act that sent it off."""
    if signal.category is not Category.persistence_lost:
        return ()
    for act in reversed(reading.acts[: first.number]):
        text = act.body.action.get("text")
        if act.kind == "type" and act.body.delivered and act.stage == first.stage and text and str(text) in signal.expected:
            sent = reading.acts[act.number + 1 : first.number]
            return (act, *([] if act.body.action.get("submit") else sent[:1]))
    return ()


def _at_hand(reading: Reading, act: Act) -> bool:
    """Whether the act can be done on the untouched page: on what stands there under the name that it was done on."""
    if act.kind in {"reload", "wait", "resize", "goto"}:
        return True
    target = target_of(act.body.action)
    if not target:
        return False
    place, name = (target.get("selector"), target.get("frame", "")), str(target.get("name", ""))
    there = [mark for mark in reading.first_marks if (mark.get("selector"), mark.get("frame", "")) == place]
    return any(not name or name_stem(str(mark.get("name", ""))) == name_stem(name) for mark in there)


def _idle(act: Act) -> bool:
    return act.kind in IDLE and not act.body.changes.any


def _last_opening(reading: Reading, act: Act) -> int:
    """Number of the first act after the page was last opened afresh, or of the act that opened another page by its address."""
    site = reading.last(SiteServed)
    entry = document_of(site.entry) if site is not None else "/"
    for number in range(act.number - 1, -1, -1):
        before = reading.acts[number]
        if before.stage != act.stage:
            return number + 1
        if before.kind == "goto":
            return number
        if before.kind == "reload" and reading.page_after(before) == entry:
            return number + 1
    return 0
