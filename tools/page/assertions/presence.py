"""Assertions about what is there, what it can be used for, and where the page is."""

from __future__ import annotations

from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.assertions.anywhere import bearing, plain_words, says
from tools.page.assertions.base import Lines, Outcome, Scene, Target, cannot_tell, held, judged, quoted, violated
from tools.page.model import PageModel
from tools.page.parts import Collection, Text

_ROUNDING = 2
"""CSS pixels by which something may stick out of the window."""


class Appears(Frozen):
    """The target is shown, and was not before. Words also as those of a control, or in a field that has come."""

    kind: Literal["appears"] = "appears"
    target: Target
    yes: bool = True
    """False: it does not."""
    listed: Target | None = None
    """Words: among the items of this list alone, whatever else tells of them."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where it stood there before already; nor of words, where a dialog came up that asks for more first."""
        if self.listed is not None:
            before, found = (self._among_items(self.listed, page) for page in (scene.before, scene.after))
            if before:
                return cannot_tell(f"{self._name()} was there before already")
            return judged(found == self.yes, f"{self._name()} is {'shown' if found else 'not shown'}")
        if scene.before is not None and (self._there(scene.before) or self._on_a_control(scene.before)):
            return cannot_tell(f"{self.target.words()} was there before already")
        found = self._there(scene.after) or self._on_a_control(scene.after) or self._in_a_new_field(scene)
        if self.yes and not found and self.target.kind == "texts" and (asked := _asked_first(scene)):
            return cannot_tell(f'{self.target.words()} is not shown, but a dialog came up: "{asked[:60]}"')
        return judged(found == self.yes, f"{self.target.words()} is {'shown' if found else 'not shown'}")

    def _among_items(self, listed: Target, page: PageModel | None) -> bool:
        part, words = listed.find(page) if page else None, self.target.name.casefold()
        return isinstance(part, Collection) and any(words in item.text.casefold() for item in part.items)

    def _name(self) -> str:
        return f"{self.target.words()} in {self.listed.words()}" if self.listed else self.target.words()

    def _there(self, page: PageModel) -> bool:
        """It is found; or it was named by hand, and several bear the name."""
        several = (
            () if self.target.key or self.target.kind == "texts" else bearing(self.target, page, (self.target.kind or "buttons",))
        )
        return self.target.find(page) is not None or len(several) > 1

    def _on_a_control(self, page: PageModel) -> bool:
        """A card that can be pressed is a button with all of its words."""
        words, controls = self.target.name.casefold(), (*page.buttons, *page.links, *page.toggles)
        return self.target.kind == "texts" and any(words in control.name.casefold() for control in controls)

    def _in_a_new_field(self, scene: Scene) -> bool:
        """What was added can be edited in its place. The field in which it was typed may just hold it still."""
        known = {field.key for field in scene.before.fields} if scene.before is not None else set[str]()
        came = [field for field in scene.after.fields if field.key not in known]
        return self.target.kind == "texts" and any(self.target.name == field.value for field in came)

    def words(self) -> str:
        """One clause."""
        return f"{self._name()} {'appears' if self.yes else 'does not appear'}"

    def playwright(self) -> Lines:
        """As lines of a test."""
        if self.listed is not None:
            items = f"{self.listed.items()}.filter(has_text={quoted(self.target.name)})"
            return Lines(after=(f"expect({items}).{'not_to' if self.yes else 'to'}_have_count(0)",))
        return Lines(after=(f"expect({self.target.locator()}).to_be_{'visible' if self.yes else 'hidden'}()",))


def _asked_first(scene: Scene) -> str:
    """The words of a dialog that was not there before and keeps from all else, or has fields to fill; empty if there is none."""
    known = {layer.key for layer in scene.before.layers} if scene.before is not None else set[str]()
    new = [layer for layer in scene.after.layers if layer.kind == "dialog" and layer.key not in known]
    # Not every library says that its dialogs are modal.
    asking = {part.layer for part in (*scene.after.fields, *scene.after.choices)}
    return next((layer.name or layer.text or "no words" for layer in new if layer.modal or layer.key in asking), "")


class Gone(Frozen):
    """The target was shown and is not any more."""

    kind: Literal["gone"] = "gone"
    target: Target

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where it was not seen before. What stands in its place under another name is another one."""
        was = self.target.find(scene.before) if scene.before is not None else None
        if was is None:
            return cannot_tell(f"{self.target.words()} was not seen before")
        found = self.target.find(scene.after)
        there = found is not None and (found.node == was.node or found.name == was.name)
        return judged(not there, f"{self.target.words()} is {'still shown' if there else 'gone'}")

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} is gone"

    def playwright(self) -> Lines:
        """As lines of a test."""
        return Lines(after=(f"expect({self.target.locator()}).to_be_hidden()",))


class Stays(Frozen):
    """The target was shown and still is."""

    kind: Literal["stays"] = "stays"
    target: Target
    beside: Target | None = None
    """What stands there in the same view of the app: where it is not shown either, another view is."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where it was not seen before."""
        if scene.before is None or self.target.find(scene.before) is None:
            return cannot_tell(f"{self.target.words()} was not seen before")
        if self.beside is not None and self.beside.find(scene.after) is None:
            return cannot_tell(f"{self.beside.words()} is not shown: it may be another view")
        found = self.target.find(scene.after) is not None or (not self.target.key and self._borne(scene.after))
        return judged(found, f"{self.target.words()} is {'still shown' if found else 'gone'}")

    def _borne(self, page: PageModel) -> bool:
        """Several bear the name; or, of words, a control does, or what stands in a field: a message had said them before."""
        if self.target.kind == "texts":
            return says(page, plain_words(self.target.name))
        return bool(bearing(self.target, page, (self.target.kind or "texts",)))

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} is still shown"

    def playwright(self) -> Lines:
        """As lines of a test."""
        return Lines(after=(f"expect({self.target.locator()}).to_be_visible()",))


class Enabled(Frozen):
    """The target can (or, `yes=False`, cannot) be used."""

    kind: Literal["enabled"] = "enabled"
    target: Target
    yes: bool = True

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where it is not on the page."""
        found = self.target.find(scene.after)
        if found is None:
            return cannot_tell(f"{self.target.words()} is not on the page")
        return judged(found.disabled != self.yes, f"{self.target.words()} is {'disabled' if found.disabled else 'enabled'}")

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} is {'enabled' if self.yes else 'disabled'}"

    def playwright(self) -> Lines:
        """As lines of a test."""
        return Lines(after=(f"expect({self.target.locator()}).to_be_{'enabled' if self.yes else 'disabled'}()",))


class InView(Frozen):
    """The target lies in the window, and nothing over it. `sideways`: whole between the window's left and right side."""

    kind: Literal["in view"] = "in view"
    target: Target
    sideways: bool = False

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where it is not on the page."""
        found = self.target.find(scene.after)
        if found is None:
            return cannot_tell(f"{self.target.words()} is not on the page")
        where = "in the window" if found.in_view else f"outside of the window, at {found.box.x:.0f},{found.box.y:.0f}"
        if self.sideways:
            right, wide = found.box.x + found.box.width, scene.after.viewport[0]
            return judged(
                found.box.x >= -_ROUNDING and right <= wide + _ROUNDING,
                f"{self.target.words()} lies from {found.box.x:.0f} to {right:.0f} px of {wide:.0f}",
            )
        return judged(
            found.in_view and not found.covered, f"{self.target.words()} lies {'under a layer' if found.covered else where}"
        )

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} is in view" + (" from side to side" if self.sideways else "")

    def playwright(self) -> Lines:
        """As lines of a test."""
        if self.sideways:
            box = "const r = el.getBoundingClientRect();"
            shows = f"(el) => {{ {box} return r.left >= -{_ROUNDING} && r.right <= innerWidth + {_ROUNDING}; }}"
            return Lines(after=(f"assert {self.target.locator()}.evaluate({quoted(shows)})",))
        return Lines(after=(f"expect({self.target.locator()}).to_be_in_viewport(ratio=0.5)",))


class Navigates(Frozen):
    """The page is at another address, one that holds `to`, and something is on it."""

    kind: Literal["navigates"] = "navigates"
    to: str = ""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell without what was before."""
        if scene.before is None:
            return cannot_tell("the address before is not known")
        if scene.before.url == scene.after.url:
            return violated(f"the address is still {scene.after.url}")
        if self.to not in scene.after.url:
            return violated(f"the address is {scene.after.url}")
        blank = next(scene.after.parts(), None) is None
        return judged(not blank, f"the address is {scene.after.url}" + (", and the page is blank" if blank else ""))

    def words(self) -> str:
        """One clause."""
        return f"the page goes to {self.to}" if self.to else "the page goes to another address"

    def playwright(self) -> Lines:
        """As lines of a test."""
        blank = 'expect(page.locator("body")).not_to_be_empty()'
        if self.to:
            return Lines(after=(f"expect(page).to_have_url(re.compile(re.escape({quoted(self.to)})))", blank))
        return Lines(before=("address = page.url",), after=("expect(page).not_to_have_url(address)", blank))


class Legible(Frozen):
    """Text can be read on what it stands on: contrast of at least `ratio`, 3 for headings (WCAG 2.2, 1.4.3)."""

    kind: Literal["legible"] = "legible"
    target: Target | None = None
    """A text; None: all that is in view."""
    ratio: float = 4.5

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where text stands on pictures, or there is none."""
        found = self.target.find(scene.after) if self.target else None
        if self.target and found is None:
            return cannot_tell(f"{self.target.words()} is not on the page")
        texts = [found] if isinstance(found, Text) else [text for text in scene.after.texts if text.in_view]
        known = [(text.contrast, text) for text in texts if text.contrast is not None and not text.disabled]
        if not known:
            return cannot_tell("what the text stands on is a picture, or there is no text")
        faint = [(ratio, text) for ratio, text in known if ratio < (min(3.0, self.ratio) if text.level else self.ratio)]
        if not faint:
            return held(f"the faintest of {len(known)} texts has a contrast of {min(ratio for ratio, _ in known):.1f}")
        ratio, text = min(faint, key=lambda entry: entry[0])
        return violated(f'"{text.text[:60]}" has a contrast of {ratio:.1f}')

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words() if self.target else 'all text in view'} can be read (contrast ≥ {self.ratio})"

    def playwright(self) -> Lines:
        """As lines of a test."""
        where = self.target.locator() if self.target else 'page.locator("body")'
        return Lines(after=(f"assert faintest_contrast({where}) >= {self.ratio}",), helpers=("faintest_contrast",))


class Clean(Frozen):
    """No exception, no failed request of the page's own, and with `complaints` no error on the console either."""

    kind: Literal["clean"] = "clean"
    complaints: bool = True

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where the console or the network was not watched."""
        told, failed = (scene.witness.console if self.complaints else scene.witness.thrown), scene.witness.failed
        if told or failed:
            return violated((*(told or ()), *(failed or ()))[0][:200])
        if told is None or failed is None:
            return cannot_tell("console and network were not both watched")
        return held("no error on the console, no failed request")

    def words(self) -> str:
        """One clause."""
        return f"nothing fails: no exception, {'no console error, ' if self.complaints else ''}no failed request"

    def playwright(self) -> Lines:
        """As lines of a test."""
        start = f"trouble = watch_for_trouble(page, complaints={self.complaints})"
        return Lines(before=(start,), after=("assert trouble == []",), helpers=("watch_for_trouble",))


class Sounds(Frozen):
    """Something is to be heard (or, `yes=False`, nothing)."""

    kind: Literal["sounds"] = "sounds"
    yes: bool = True

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where nobody listened."""
        heard = scene.witness.sound
        if heard is None:
            return cannot_tell("the sound was not recorded")
        return judged(heard == self.yes, "there is sound" if heard else "there is silence")

    def words(self) -> str:
        """One clause."""
        return "there is sound" if self.yes else "there is silence"

    def playwright(self) -> Lines:
        """As lines of a test. It sees audio and video elements; a test without a sound card cannot hear Web Audio."""
        return Lines(after=(f"assert media_sounds(page) is {self.yes}",), helpers=("media_sounds",))


class Stores(Frozen):
    """The page keeps something in the browser (or, `yes=False`, nothing); `lasting`: in what other tabs know, too.

    With `text`: something in which that text stands, which was typed before.
    """

    kind: Literal["stores"] = "stores"
    yes: bool = True
    lasting: bool = False
    text: str = ""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where the stores were not watched."""
        keys = scene.witness.storage
        if keys is None:
            return cannot_tell("what is stored was not watched")
        kept = [key for key in keys if not self.lasting or key.startswith("local:")]
        if self.text and kept and self.text not in (scene.witness.wrote or ()):
            return judged(not self.yes, f'stored: {", ".join(kept[:6])}, without "{self.text}"')
        return judged(bool(kept) == self.yes, f"stored: {', '.join(kept[:6]) or 'nothing'}")

    def words(self) -> str:
        """One clause."""
        if self.text:
            return f'the page {"stores" if self.yes else "does not store"} "{self.text}"'
        return f"the page stores {'something' if self.yes else 'nothing'}"

    def playwright(self) -> Lines:
        """As lines of a test."""
        call = f"stored(page, {self.lasting})"
        if self.text:
            return Lines(after=(f"assert ({quoted(self.text)} in {call}) is {self.yes}",), helpers=("stored",))
        return Lines(before=(f"known = {call}",), after=(f"assert ({call} != known) is {self.yes}",), helpers=("stored",))
