"""Changes: the typed difference of two page models, with what the stage's other instruments saw meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from tools.evidence.frozen import Frozen
from tools.evidence.rows import Box
from tools.page.model import KINDS, PageModel
from tools.page.parts import Choice, Collection, Field, Figure, Layer, Part, Process, Surface, Text, Toggle

What = Literal[
    "value", "name", "chosen", "on", "enabled", "expanded", "count", "order", "items", "figure", "drawing", "moved", "error"
]
MOVED_PX = 3.0


class Beat(Frozen):
    """How often the app's own functions ran while nothing was done for a while."""

    app_ms: float
    calls: tuple[tuple[str, int], ...]
    """Function (`src/app.js:12:4 tick`) and calls, the most first; those called once are left out."""


class Witness(Frozen):
    """What other instruments saw between two observations. None: not measured, which no assertion may take for "nothing"."""

    requests: tuple[str, ...] | None = None
    """`GET https://…` of the page's own requests."""
    failed: tuple[str, ...] | None = None
    """Those that failed, with status or reason."""
    storage: tuple[str, ...] | None = None
    """Keys that were written or removed, `local:theme`."""
    wrote: tuple[str, ...] | None = None
    """Which of the texts that were typed until then stand in what was written."""
    sound: bool | None = None
    """Something was to be heard."""
    outside: tuple[str, ...] | None = None
    """What left the page: a download, another tab, a print, something for the clipboard."""
    copied: tuple[str, ...] | None = None
    """Words that were put on the clipboard."""
    picture: tuple[Box, ...] | None = None
    """Regions of the picture that changed."""
    console: tuple[str, ...] | None = None
    """Errors: exceptions, rejections, `console.error`."""
    thrown: tuple[str, ...] | None = None
    """Of these the exceptions and rejections that nobody caught."""
    dialogs: tuple[str, ...] | None = None
    """Words of the browser's own dialogs that the page brought up: `alert: …`, `confirm: …`."""
    ran: tuple[str, ...] | None = None
    """Names of the app's own functions that ran."""
    ran_first: tuple[str, ...] | None = None
    """Those that ran for the first time."""
    beats: tuple[Beat, ...] | None = None
    """One for each act that only let time pass, in their order."""


class Ref(Frozen):
    """A part, named."""

    kind: str
    """One of `model.KINDS`."""
    key: str
    name: str = ""


class Delta(Frozen):
    """One property of one part: from → to."""

    kind: str
    key: str
    name: str = ""
    what: What
    before: str
    after: str


class ListDelta(Frozen):
    """Which items came and went."""

    key: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    reordered: bool = False
    """Those that stayed stand in another order."""


class Change(Frozen):
    """From one page model to the next."""

    url: tuple[str, str]
    same_document: bool
    appeared: tuple[Ref, ...] = ()
    gone: tuple[Ref, ...] = ()
    opened: tuple[Ref, ...] = ()
    """Layers."""
    closed: tuple[Ref, ...] = ()
    deltas: tuple[Delta, ...] = ()
    lists: tuple[ListDelta, ...] = ()
    witness: Witness = Witness()

    @property
    def empty(self) -> bool:
        """No part of the page differs, nor its address. Motion counts as no difference here."""
        shown = [delta for delta in self.deltas if delta.what != "moved"]
        return self.url[0] == self.url[1] and not (
            self.appeared or self.gone or self.opened or self.closed or shown or self.lists
        )

    def of(self, what: What) -> tuple[Delta, ...]:
        """The differences of one kind."""
        return tuple(delta for delta in self.deltas if delta.what == what)


def state_of(part: Part) -> str:
    """What a person would say the part's value is: what is typed, chosen, on, listed, shown, drawn."""
    match part:
        case Field():
            return part.value
        case Toggle():
            return {True: "on", False: "off", None: "neither"}[part.on]
        case Choice():
            return ", ".join(part.chosen)
        case Collection():
            return "\n".join(item.text for item in part.items) + (f"\n({part.count})" if part.count > len(part.items) else "")
        case Figure():
            return part.quantity.text
        case Surface():
            return part.digest
        case Text() | Layer():
            return part.text
        case _:
            return part.name


def _pairs(before: tuple[Part, ...], after: tuple[Part, ...]) -> tuple[list[tuple[Part, Part]], list[Part], list[Part]]:
    """Who is who: the same element, else the same key, else (a control renamed after a reload or redraw) the same place."""
    left, pairs = list(after), []
    rest: list[Part] = list(before)
    for same in (
        lambda old, new: old.node == new.node,
        lambda old, new: old.key == new.key,
        lambda old, new: (
            (old.selector, old.frame, old.role) == (new.selector, new.frame, new.role) and old.item < 0 and new.item < 0
        ),
    ):
        unpaired = []
        for old in rest:
            new = next((part for part in left if same(old, part)), None)
            if new is None:
                unpaired.append(old)
            else:
                pairs.append((old, new))
                left.remove(new)
        rest = unpaired
    return pairs, rest, left


def _list_delta(old: Collection, new: Collection) -> ListDelta | None:
    before, after = [item.text for item in old.items], [item.text for item in new.items]
    if before == after:
        return None
    added, removed = list(after), []
    for text in before:
        if text in added:
            added.remove(text)
        else:
            removed.append(text)
    stayed_before = [text for text in before if text in after]
    stayed_after = [text for text in after if text in before]
    return ListDelta(key=new.key, added=tuple(added), removed=tuple(removed), reordered=stayed_before != stayed_after)


def _differences(kind: str, old: Part, new: Part) -> Iterator[Delta]:
    def delta(what: What, before: object, after: object) -> Delta:
        return Delta(kind=kind, key=new.key, name=new.name or old.name, what=what, before=str(before), after=str(after))

    if isinstance(new, Collection) and isinstance(old, Collection):
        if old.count != new.count:
            yield delta("count", old.count, new.count)
        changed = _list_delta(old, new)
        if changed and changed.reordered:
            yield delta("order", " · ".join(item.key for item in old.items[:12]), " · ".join(item.key for item in new.items[:12]))
        elif changed:
            yield delta("items", "; ".join(changed.removed[:6]), "; ".join(changed.added[:6]))
    else:
        whats: dict[type[Part], What] = {Toggle: "on", Choice: "chosen", Figure: "figure", Surface: "drawing"}
        before, after = state_of(old), state_of(new)
        named = type(new) not in {Field, Toggle, Choice, Figure, Surface, Text, Layer}
        if before != after:
            yield delta("name" if named else whats.get(type(new), "value"), before, after)
    if old.disabled != new.disabled:
        yield delta("enabled", not old.disabled, not new.disabled)
    if getattr(old, "expanded", None) != getattr(new, "expanded", None):
        yield delta("expanded", getattr(old, "expanded", None), getattr(new, "expanded", None))
    if isinstance(old, Field) and isinstance(new, Field) and old.error != new.error:
        yield delta("error", old.error, new.error)
    if abs(old.box.x - new.box.x) > MOVED_PX or abs(old.box.y - new.box.y) > MOVED_PX:
        yield delta("moved", f"{old.box.x:.0f},{old.box.y:.0f}", f"{new.box.x:.0f},{new.box.y:.0f}")


def difference(before: PageModel, after: PageModel, witness: Witness | None = None) -> Change:
    """The change from one model to another. Parts in the window that only scrolled are not told as moved."""
    scrolled = before.scroll != after.scroll
    appeared, gone, opened, closed, deltas, lists = [], [], [], [], [], []
    for kind in KINDS:
        pairs, lost, new = _pairs(getattr(before, kind), getattr(after, kind))
        here, there = (opened, closed) if kind == "layers" else (appeared, gone)
        here += [Ref(kind=kind, key=part.key, name=part.name or state_of(part)[:80]) for part in new]
        there += [Ref(kind=kind, key=part.key, name=part.name or state_of(part)[:80]) for part in lost]
        for old, later in pairs:
            if isinstance(later, Process):
                continue  # that it goes on is no change
            deltas += [delta for delta in _differences(kind, old, later) if not (scrolled and delta.what == "moved")]
            if isinstance(old, Collection) and isinstance(later, Collection) and (each_delta := _list_delta(old, later)):
                lists.append(each_delta)
    return Change(
        url=(before.url, after.url), same_document=before.document == after.document, appeared=tuple(appeared), gone=tuple(gone),
        opened=tuple(opened), closed=tuple(closed), deltas=tuple(deltas), lists=tuple(lists), witness=witness or Witness(),
    )  # fmt: skip


def all_of(witnesses: Iterable[Witness]) -> Witness:
    """What was seen over several acts; what one of them could not measure is not known of all."""
    parts = list(witnesses)
    told: dict[str, Any] = {}
    for name in Witness.model_fields:
        values = [getattr(witness, name) for witness in parts]
        if not values or any(value is None for value in values):
            told[name] = None
        elif name == "sound":
            told[name] = any(values)
        elif name == "beats":
            told[name] = tuple(beat for value in values for beat in value)  # two that are alike are two
        else:
            told[name] = tuple(dict.fromkeys(entry for value in values for entry in value))
    if any(part.sound for part in parts):
        told["sound"] = True
    return Witness(**told)
