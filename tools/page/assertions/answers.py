"""Assertions about whether an act is answered: something a person could notice, new words, a page that still stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal
from urllib.parse import urldefrag

from tools.evidence.frozen import Frozen
from tools.evidence.rows import Box
from tools.page.assertions.base import Lines, Outcome, Scene, Target, cannot_tell, held, judged, new_words, violated
from tools.page.changes import Change, Witness
from tools.page.model import PageModel
from tools.page.parts import Field, Figure, Part, Process, Text
from tools.page.quantities import number_of

_CONTROLS = ("buttons", "links", "toggles", "fields")
_OWN_PX = 24.0
_BESIDE_PX = 60.0
"""So far from a field what shows its value is its readout: a row of a form, and the label above it."""
"""How far around a control its own look reaches: a shadow, a ring, and the margin by which changed pixels are joined."""


class Noticed(Frozen):
    """Something that a person could notice comes of the acts (or, `yes=False`, nothing does).

    That counts: any part of the page, its address, what is painted, sound, storage, requests, what leaves the page (a download,
    another tab, a print, the clipboard). What only controls look like may be the pointer's doing, and tells nothing.
    """

    kind: Literal["noticed"] = "noticed"
    target: Target | None = None
    """The control that was used; None: keys were pressed."""
    yes: bool = True
    here: bool = False
    """It is to come here, on the page: a print or the clipboard would be no answer."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where one instrument saw nothing and another was not there; surely nothing where no code ran either."""
        if scene.before is None or scene.change is None:
            return cannot_tell("the page was not seen before")
        answer = _of_page(scene.change, scene) or _of_witness(scene.witness)
        answer = answer or (_focus(scene.before, scene.after) if self.target is None else "") or self._of_picture(scene)
        if answer:
            return judged(self.yes, answer)
        watched = scene.witness
        if watched.ran == ():
            return judged(not self.yes, "nothing changed, and none of the app's own code ran")
        instruments = ("picture", "requests", "storage", *(() if self.here else ("sound", "outside")))
        blind = [name for name in instruments if getattr(watched, name) is None]
        if scene.before.scroll != scene.after.scroll:
            blind.append("picture")  # all of it moved under the hand
        if blind:
            return cannot_tell(f"nothing was noticed, but not watched: {', '.join(blind)}")
        return judged(not self.yes, "nothing changed that could be noticed")

    def _of_picture(self, scene: Scene) -> str:
        """What was painted outside of all controls: on them it may be the pointer that came to one and left another."""
        before = scene.before
        if before is None:
            return ""
        if before.scroll != scene.after.scroll:
            used = self.target.find(before) if self.target is not None else None
            seen = f"the page scrolled to {scene.after.scroll[0]:.0f},{scene.after.scroll[1]:.0f}"
            return seen if used is not None and used.in_view else ""  # else the hand brought it into view
        controls = [part.box for page in (before, scene.after) for kind in _CONTROLS for part in getattr(page, kind)]
        for region in scene.witness.picture or ():
            if not _inside(region, _around([box for box in controls if region.meets(box)])):
                return f"the picture changed at {region.x:.0f},{region.y:.0f} ({region.width:.0f} × {region.height:.0f} px)"
        return ""

    def words(self) -> str:
        """One clause."""
        return f"{'something' if self.yes else 'nothing'} comes of {self.target.words() if self.target else 'it'}"

    def playwright(self) -> Lines:
        """As lines of a test. It cannot hear, nor see what leaves the page."""
        check = f"assert (noticeable(page) != before) is {self.yes}"
        return Lines(before=("before = noticeable(page)",), after=(check,), helpers=("noticeable",))


def _focus(before: PageModel, after: PageModel) -> str:
    """That a field has the focus which had not: what a shortcut to it comes to. A press gives it to what was pressed anyway."""
    had = {field.key for field in before.fields if field.focused}
    return next((f'"{field.name[:60]}" has the focus' for field in after.fields if field.focused and field.key not in had), "")


def _around(boxes: list[Box]) -> Box:
    """The smallest box around all of them; nothing for none."""
    if not boxes:
        return Box(x=0, y=0, width=0, height=0)
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    return Box(x=left, y=top, width=right - left, height=bottom - top)


def _inside(region: Box, box: Box) -> bool:
    return (
        region.x >= box.x - _OWN_PX
        and region.y >= box.y - _OWN_PX
        and region.x + region.width <= box.x + box.width + _OWN_PX
        and region.y + region.height <= box.y + box.height + _OWN_PX
    )


def _of_page(change: Change, scene: Scene, but: frozenset[str] = frozenset()) -> str:
    """The first difference of the page that can be noticed; a piece of the address after `#` alone cannot, nor a transition.

    `but`: keys of parts that are left out.
    """
    if urldefrag(change.url[0]).url != urldefrag(change.url[1]).url:
        return f"the address became {change.url[1]}"

    def shown(key: str) -> bool:
        found = scene.after.of(key) or (scene.before.of(key) if scene.before else None)
        return not isinstance(found, Process) or found.kind == "media"

    for verb, refs in (("came", (*change.opened, *change.appeared)), ("went", (*change.closed, *change.gone))):
        for ref in refs:
            if ref.key not in but and (ref.kind != "processes" or shown(ref.key)):
                return f'"{ref.name[:80]}" {verb}'
    for delta in change.deltas:
        if delta.what != "moved" and delta.key not in but:
            return f'{delta.what} of "{delta.name[:60]}" went from "{delta.before[:60]}" to "{delta.after[:60]}"'
    return "items of a list changed" if any(each_list.key not in but for each_list in change.lists) else ""


def _of_witness(witness: Witness) -> str:
    """The first thing that another instrument saw."""
    if witness.sound:
        return "there is sound"
    for what, seen in (("left the page", witness.outside), ("was sent", witness.requests), ("was stored", witness.storage)):
        if seen:
            return f"{seen[0][:100]} {what}"
    return ""


class ChangesBeside(Frozen):
    """Something changes on the page beside a choice or field itself (or, `yes=False`, nothing does).

    What only shows a field's own value again ("4 px" beside a slider) is no answer of the page's.
    """

    kind: Literal["changes beside"] = "changes beside"
    target: Target
    yes: bool = True

    def evaluate(self, scene: Scene) -> Outcome:
        """By what is shown and painted, not by what is stored. Cannot tell where the choice is not there any more."""
        if scene.before is None or scene.change is None:
            return cannot_tell("the page was not seen before")
        parts = [self.target.find(page) for page in (scene.before, scene.after)]
        boxes = [part.box for part in parts if part is not None]
        if parts[0] is None:
            return cannot_tell(f"{self.target.words()} was not on the page")
        boxes += [part.box for part in _echoes(parts, scene.before, scene.after)]
        own = frozenset(
            part.key
            for page in (scene.before, scene.after)
            for part in page.parts()
            if any(_inside(part.box, box) for box in boxes)
        )
        answer = _of_page(scene.change, scene, own) or ("there is sound" if scene.witness.sound else "")
        if answer:
            return judged(self.yes, answer)
        if scene.witness.picture is None or scene.before.scroll != scene.after.scroll:
            return cannot_tell("the picture was not seen twice")
        # On other controls it may be the focus that left them, or the pointer on its way.
        controls = [part.box for page in (scene.before, scene.after) for kind in _CONTROLS for part in getattr(page, kind)]
        for region in scene.witness.picture:
            if not _inside(region, _around([box for box in (*boxes, *controls) if region.meets(box)])):
                return judged(self.yes, f"the picture changed at {region.x:.0f},{region.y:.0f}")
        return judged(not self.yes, f"nothing changed beside {self.target.words()}")

    def words(self) -> str:
        """One clause."""
        return f"{'something' if self.yes else 'nothing'} beside {self.target.words()} changes"

    def playwright(self) -> Lines:
        """As lines of a test."""
        place = self.target.locator()
        return Lines(
            before=(f"before = beside({place})",),
            after=(f"assert (beside({place}) != before) is {self.yes}",),
            helpers=("beside",),
        )


def _echoes(parts: list[Part | None], before: PageModel, after: PageModel) -> Iterator[Part]:
    """Texts and figures beside a field that showed its value before, and show its new one now: further off they tell of it."""
    old, new = parts
    if not isinstance(old, Field) or not isinstance(new, Field) or old.value == new.value:
        return
    values = number_of(old.value, before.language), number_of(new.value, after.language)
    for part in (*after.figures, *after.texts, *after.fields):
        was = before.of(part.key)
        if None in values or was is None or part.key == new.key or not part.box.meets(new.box, _BESIDE_PX):
            continue
        if values[0] in _numbers(was, before.language) and values[1] in _numbers(part, after.language):
            yield part


def _numbers(part: Part, language: str) -> set[Decimal | None]:
    shown = part.quantity.text if isinstance(part, Figure) else part.value if isinstance(part, Field) else part.name
    shown = part.text if isinstance(part, Text) else shown
    return {number_of(word, language) for word in re.findall(r"-?[\d.,]*\d", shown)}


class Tells(Frozen):
    """The page says something that it did not say before, outside of its lists' items."""

    kind: Literal["tells"] = "tells"

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell without what was before."""
        if scene.before is None:
            return cannot_tell("the page was not seen before")
        new = new_words(scene)
        return judged(bool(new), f'the page says "{new[0][:120]}"' if new else "the page says nothing new")

    def words(self) -> str:
        """One clause."""
        return "the page says something new"

    def playwright(self) -> Lines:
        """As lines of a test."""
        return Lines(
            before=('before = page.locator("body").inner_text().splitlines()',),
            after=('assert set(page.locator("body").inner_text().splitlines()) - set(before)',),
        )


class NotBlank(Frozen):
    """Something is on the page, and it is not the server's word that what was there just now is not there."""

    kind: Literal["not blank"] = "not blank"
    main: bool = False
    """Asks that the page's main part is not empty, whatever it was before."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where it was blank before the acts already.

        What a link leads to and the server does not have is a failed request, and told as one; that what was there just now is
        not there when it is opened anew is told here.
        """
        if self.main:
            return judged(
                not scene.after.hollow, "its main part is empty" if scene.after.hollow else "its main part has something in it"
            )
        if scene.before is not None and (_blank(scene.before) or scene.before.refused):
            return cannot_tell("the page was blank, or not to be had, before already")
        if _blank(scene.after):
            return violated(f"nothing is on the page at {scene.after.url}")
        again = scene.before is not None and urldefrag(scene.before.url).url == urldefrag(scene.after.url).url
        if again and scene.after.refused:
            return violated(f"the page could not be had again: the server answered {scene.after.refused}")
        return held("something is on the page")

    def words(self) -> str:
        """One clause."""
        return "the page's main part is not empty" if self.main else "the page is not blank"

    def playwright(self) -> Lines:
        """As lines of a test."""
        if self.main:
            return Lines(after=('expect(page.get_by_role("main").first).not_to_be_empty()',))
        return Lines(after=("assert not_blank(page)",), helpers=("not_blank",))


def _blank(page: PageModel) -> bool:
    return not page.unread and next((part for part in page.parts() if not isinstance(part, Process)), None) is None
