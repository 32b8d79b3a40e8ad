"""An observation, a step and a proposal in few words, for a model to read. Everything here holds a page's words: fence it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent.deciders.protocol import Step, View
from agent.skills.survey import Candidate
from tools.browser.actions import describe
from tools.browser.marks import Listing, Mark, Observation
from tools.text import printable

MOST_MARKS = 70
MOST_TEXT = 1800
MOST_OPTIONS = 8
MOST_LINES = 24
"""Steps told one by one; those before are told by number, so that a long run's prompts do not grow without end."""
MOST_PROPOSALS = 12


def page(now: Observation, earlier: Observation | None = None, *, marks: int = MOST_MARKS, text: int = MOST_TEXT) -> str:
    """A page in words: where it is, its marks, its lists, its text. What `earlier` did not show is called new."""
    known = {mark.signature for mark in earlier.marks} if earlier is not None else None
    chosen = _chosen(now.marks, marks)
    lines = [_place(now), *(_mark(mark, now, new=known is not None and mark.signature not in known) for mark in chosen)]
    left = max(now.marks_found, len(now.marks)) - len(chosen)
    if left > 0:
        lines.append(f"… and {left} marks more (ask for detail)")
    lines += [_listing(one) for one in now.lists[:3]]
    shown = " / ".join(part for part in (line.strip() for line in now.text.splitlines()) if part)
    lines.append(f"text: {printable(shown, text)}")
    return "\n".join(lines)


def _place(now: Observation) -> str:
    facts = [f"{printable(now.url, 160)} “{printable(now.title, 80)}”"]
    width, height = now.viewport
    facts.append(f"window {width}×{height}, scrolled to {now.scroll[1]:.0f} of {now.page_size[1]:.0f} px")
    if now.language:
        facts.append(f"lang {printable(now.language, 12)}")
    if now.dialog_open:
        facts.append("a native dialog is open")
    if now.animated or now.moving > 0.0005:
        facts.append("moves by itself")
    if "keydown" in now.listens or "keyup" in now.listens:
        facts.append("listens to keys")
    if now.logs.errors:
        facts.append(f"{len(now.logs.errors)} new errors in the log")
    return " · ".join(facts)


def _chosen(marks: Sequence[Mark], most: int) -> list[Mark]:
    """Marks in view first, of repeated ones four of a kind; in reading order."""
    seen: dict[str, int] = {}
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda one: (not one.in_view, one.covered)):
        if mark.group:
            seen[mark.group] = seen.get(mark.group, 0) + 1
            if seen[mark.group] > 4 and len(marks) > most:
                continue
        kept.append(mark)
    chosen = {mark.id for mark in kept[:most]}
    return [mark for mark in marks if mark.id in chosen]


def _mark(mark: Mark, now: Observation, *, new: bool) -> str:
    facts = [f'{mark.id} {mark.role or mark.tag} "{printable(mark.name, 60)}"']
    if mark.value:
        facts.append(f"value={printable(mark.value, 40)!r}")
    if mark.placeholder and not mark.name.startswith(mark.placeholder):
        facts.append(f"hint={printable(mark.placeholder, 30)!r}")
    if mark.options:
        names = mark.option_names or mark.options
        facts.append("options=" + "|".join(printable(name, 24) for name in names[:MOST_OPTIONS]))
    if mark.minimum or mark.maximum:
        facts.append(f"range={mark.minimum}…{mark.maximum}")
    flags = {
        "checked": mark.checked is True,
        "unchecked": mark.checked is False,
        "disabled": mark.disabled,
        "covered": mark.covered,
        "open": mark.expanded is True,
        "closed": mark.expanded is False,
        "focused": mark.id == now.focused,
        "draggable": mark.draggable,
        "out of view": not mark.in_view,
        "NEW": new,
    }
    facts += [name for name, holds in flags.items() if holds]
    if mark.in_view:
        x, y = mark.box.centre
        facts.append(f"@{x:.0f},{y:.0f}")
    return " ".join(facts)


def _listing(listing: Listing) -> str:
    rows = "; ".join(" | ".join(printable(cell, 30) for cell in item) for item in listing.items[:4])
    return f"list “{printable(listing.title, 40)}” of {listing.count}: {rows}" + (" …" if listing.count > 4 else "")


def history(steps: Sequence[Step]) -> str:
    """The steps so far, one line each; the oldest of a long run only counted."""
    if not steps:
        return "(none yet)"
    left = len(steps) - MOST_LINES
    counted = [f"({left} earlier steps)"] if left > 0 else []
    return "\n".join([*counted, *(_step(step) for step in steps[-MOST_LINES:])])


def _step(step: Step) -> str:
    acted = step.acted
    if not acted.delivered:
        result = f"did not reach the page: {printable(acted.problem, 60)}"
    else:
        result = "changed: " + ", ".join(changed(step)) if changed(step) else "nothing changed"
    told = [
        f"{'as expected' if one.held else 'NOT as expected'}: {printable(one.expectation, 60)}"
        + ("" if one.held else f" – {printable(one.observed, 60)}")
        for one in step.outcomes
        if one.held is not None
    ]
    return f"{step.number}. {printable(acted.description, 90)} → {'; '.join([result, *told[:2]])}"


def changed(step: Step) -> list[str]:
    """What an act changed, in words."""
    changes = step.acted.changes
    flags = {
        "address": changes.url,
        "text": changes.text,
        "structure": changes.dom and not changes.text,
        "values": changes.value,
        "storage": changes.storage,
        "scroll position": changes.scroll,
        "a dialog": changes.dialogs > 0,
        "errors in the log": changes.errors > 0,
        "requests": changes.network > 0,
    }
    named = [name for name, holds in flags.items() if holds]
    seen = changes.picture is not None and changes.picture > 0.0005
    return [*named, f"{changes.picture:.1%} of the picture"] if seen and changes.picture is not None else named


def promises(view: View) -> str:
    """The promises with their ids."""
    lines = [f"{one.id}{' (central)' if one.central else ''}: {printable(one.text, 160)}" for one in view.plan.promises]
    return "\n".join(lines) or "(nothing that could be told apart)"


def proposals(candidates: Iterable[Candidate]) -> str:
    """What the skills propose, best first, by the numbers they are taken by."""
    lines = []
    for number, one in enumerate(candidates, start=1):
        decision = one.decision
        act = describe(decision.action) if decision.action is not None else "stop"
        for_promise = next((f" [{told.promise}]" for told in decision.expectations if told.promise), "")
        lines.append(f"{number}. {printable(act, 90)} – {decision.skill}{for_promise}")
    return "\n".join(lines) or "(none)"
