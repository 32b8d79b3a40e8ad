"""Assertions about values: what is typed, chosen, on, shown; whether it changes, goes on, stays, is kept."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.assertions.anywhere import plain_words, says
from tools.page.assertions.base import Lines, Outcome, Scene, Target, cannot_tell, judged, quoted
from tools.page.changes import state_of
from tools.page.parts import Choice, Field, Figure, Part, Text, Toggle
from tools.page.quantities import number_of, quantity_of


class HasValue(Frozen):
    """A field holds, or a figure or text shows, that value. Figures compare as quantities, rounded as they are."""

    kind: Literal["has value"] = "has value"
    target: Target
    value: str

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where the target is not on the page."""
        found = self.target.find(scene.after)
        if found is None:
            return cannot_tell(f"{self.target.words()} is not on the page")
        shown = state_of(found)
        return judged(
            shown == self.value or self._same(found, scene.after.language), f'{self.target.words()} has "{shown[:120]}"'
        )

    def _same(self, found: Part, language: str) -> bool:
        if not isinstance(found, Figure):
            return False
        wanted, shown = quantity_of(self.value, language), found.quantity
        if wanted is None or wanted.value is None or shown.value is None:
            return wanted is not None and bool(wanted.when) and wanted.when == shown.when
        units = {wanted.unit, shown.unit} - {""}
        return len(units) < 2 and abs(wanted.value - shown.value) * 2 * 10**shown.decimals <= (
            1 if wanted.decimals > shown.decimals else 0
        )

    def words(self) -> str:
        """One clause."""
        return f'{self.target.words()} has the value "{self.value}"'

    def playwright(self) -> Lines:
        """As lines of a test."""
        place = self.target.locator()
        if self.target.kind == "fields":
            return Lines(after=(f"assert value_of({place}) == {quoted(self.value)}",), helpers=("value_of",))
        return Lines(after=(f"expect({place}).to_contain_text({quoted(self.value)})",))


class InRange(Frozen):
    """A figure, or the number in a field, lies within bounds."""

    kind: Literal["in range"] = "in range"
    target: Target
    low: float | None = None
    high: float | None = None

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where it is not on the page, or is no number."""
        found = self.target.find(scene.after)
        text = found.quantity.text if isinstance(found, Figure) else found.value if isinstance(found, Field) else ""
        value = found.quantity.value if isinstance(found, Figure) else number_of(text, scene.after.language)
        if value is None:
            return cannot_tell(f"{self.target.words()} shows no number")
        inside = (self.low is None or value >= Decimal(str(self.low))) and (self.high is None or value <= Decimal(str(self.high)))
        return judged(inside, f'{self.target.words()} shows "{text}"')

    def words(self) -> str:
        """One clause."""
        low, high = ("" if bound is None else f"{bound:g}" for bound in (self.low, self.high))
        return f"{self.target.words()} is " + (
            f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}"
        )

    def playwright(self) -> Lines:
        """As lines of a test."""
        checks = [f"{self.low} <= " if self.low is not None else "", f" <= {self.high}" if self.high is not None else ""]
        place = self.target.locator()
        shown = f"{place}.input_value()" if self.target.kind == "fields" else f"{place}.inner_text()"
        number = f"first_number({shown})"
        return Lines(after=(f"assert {checks[0]}{number}{checks[1]}",), helpers=("first_number",))


class IsOn(Frozen):
    """A toggle is on (or, `yes=False`, off)."""

    kind: Literal["is on"] = "is on"
    target: Target
    yes: bool = True

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where there is no such toggle, or where the page says why it did not turn ("two at most")."""
        found = self.target.find(scene.after)
        if not isinstance(found, Toggle):
            return cannot_tell(f"{self.target.words()} is not on the page")
        known = {error.text for error in scene.before.errors} if scene.before else set[str]()
        said = [error.text for error in scene.after.errors if error.text not in known]
        if found.on is not self.yes and said:
            return cannot_tell(f'{self.target.words()} is {state_of(found)}; the page says "{said[0][:120]}"')
        return judged(found.on is self.yes, f"{self.target.words()} is {state_of(found)}")

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} is {'on' if self.yes else 'off'}"

    def playwright(self) -> Lines:
        """As lines of a test."""
        return Lines(after=(f"assert is_on({self.target.locator()}) is {self.yes}",), helpers=("is_on",))


class Chosen(Frozen):
    """That option, and of a single choice no other, is chosen."""

    kind: Literal["chosen"] = "chosen"
    target: Target
    option: str
    place: str = ""
    """Selector of the option, for the exported test; empty: found by its words in the choice."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where there is no such choice, or none of its options looks chosen for lack of any state."""
        found = self.target.find(scene.after)
        if not isinstance(found, Choice):
            return cannot_tell(f"{self.target.words()} is not on the page")
        if not found.chosen and found.by == "look":
            return cannot_tell("no option is painted unlike the others")
        right = self.option in found.chosen and (found.multiple or len(found.chosen) == 1)
        return judged(right, f"of {self.target.words()} {', '.join(found.chosen) or 'nothing'} is chosen")

    def words(self) -> str:
        """One clause."""
        return f'"{self.option}" is chosen in {self.target.words()}'

    def playwright(self) -> Lines:
        """As lines of a test."""
        where = f", {quoted(self.place)}" if self.place else ""
        return Lines(after=(f"assert is_chosen({self.target.locator()}, {quoted(self.option)}{where})",), helpers=("is_chosen",))


def _two(target: Target | None, first: Scene, *, later: bool = False) -> tuple[str, str] | Outcome:
    """What the target (or the whole page) shows at two moments; an outcome where it cannot be told."""
    each_page, two = (first.after, first.later) if later else (first.before, first.after)
    if each_page is None or two is None:
        return cannot_tell("the page was not seen twice")
    if target is None:
        if each_page.truncated or two.truncated:
            return cannot_tell("the page is too long to be read whole")
        shown = ["\n".join(f"{part.key}={state_of(part)}" for part in page.parts()) for page in (each_page, two)]
        return shown[0], shown[1]
    old, new = target.find(each_page), target.find(two)
    if old is None:
        return cannot_tell(f"{target.words()} was not on the page")
    if old.role == "canvas" and not state_of(old):
        return cannot_tell("the drawing cannot be read")
    place = [f" at {part.box.x:.0f},{part.box.y:.0f}" if later and part else "" for part in (old, new)]
    return state_of(old) + place[0], (state_of(new) if new else "(gone)") + place[1]


def _repainted(target: Target | None, scene: Scene) -> bool:
    """Whether the picture changed where a button, toggle or link stands, and stood before: its state may be told by its look."""
    if target is None or target.kind not in {"buttons", "toggles", "links"}:
        return False
    old, new = (target.find(page) if page else None for page in (scene.before, scene.after))
    if old is None or new is None or old.box != new.box or scene.before is None or scene.before.scroll != scene.after.scroll:
        return False
    return any(region.meets(new.box) for region in scene.witness.picture or ())


def _seen(target: Target | None, pair: tuple[str, str]) -> str:
    who = target.words() if target else "the page"
    if pair[0] == pair[1]:
        return f"{who} is as before" + (f': "{pair[0][:80]}"'.replace("\n", " · ") if target else "")
    if target:
        old, new = (shown.replace("\n", " · ") for shown in pair)
        return f'{who} went from "{old[:80]}" to "{new[:80]}"'
    old, new = pair[0].split("\n"), pair[1].split("\n")
    first = next(
        (f'"{b[:80]}"' for b in new if b not in old), next((f'no more "{a[:80]}"' for a in old if a not in new), "its order")
    )
    return f"the page changed: {first}"


def _name(target: Target | None) -> str:
    return target.words() if target else "the page"


def _place(target: Target | None) -> str:
    return target.locator() if target else 'page.locator("body")'


class Unchanged(Frozen):
    """The target, or the whole page, is as it was before the acts."""

    kind: Literal["unchanged"] = "unchanged"
    target: Target | None = None

    def evaluate(self, scene: Scene) -> Outcome:
        """By what it shows, holds and has chosen, not by where it stands. A button's state may be its look: then cannot tell."""
        pair = _two(self.target, scene)
        if isinstance(pair, Outcome):
            return pair
        if pair[0] == pair[1] and _repainted(self.target, scene):
            return cannot_tell(f"{_name(self.target)} shows what it did, but looks different")
        return judged(pair[0] == pair[1], _seen(self.target, pair))

    def words(self) -> str:
        """One clause."""
        return f"{_name(self.target)} stays as it was"

    def playwright(self) -> Lines:
        """As lines of a test."""
        place = _place(self.target)
        return Lines(before=(f"before = shown({place})",), after=(f"assert shown({place}) == before",), helpers=("shown",))


class Changes(Frozen):
    """The target, or the page, is not as it was before the acts."""

    kind: Literal["changes"] = "changes"
    target: Target | None = None

    def evaluate(self, scene: Scene) -> Outcome:
        """By what it shows, holds and has chosen. Cannot tell where a button looks different: that may be what was meant."""
        pair = _two(self.target, scene)
        if isinstance(pair, Outcome):
            return pair
        if pair[0] == pair[1] and _repainted(self.target, scene):
            return cannot_tell(f"{_name(self.target)} shows what it did, but looks different")
        return judged(pair[0] != pair[1], _seen(self.target, pair))

    def words(self) -> str:
        """One clause."""
        return f"{_name(self.target)} changes"

    def playwright(self) -> Lines:
        """As lines of a test."""
        place = _place(self.target)
        return Lines(before=(f"before = shown({place})",), after=(f"assert shown({place}) != before",), helpers=("shown",))


class Moves(Frozen):
    """The target goes on by itself: what it shows, or where it stands, differs after some app time without an act."""

    kind: Literal["moves"] = "moves"
    target: Target
    wait_ms: int = 1200

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell without a second look."""
        pair = _two(self.target, scene, later=True)
        return pair if isinstance(pair, Outcome) else judged(pair[0] != pair[1], _seen(self.target, pair))

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} moves by itself"

    def playwright(self) -> Lines:
        """As lines of a test."""
        return Lines(after=(f"assert moves({self.target.locator()}, {self.wait_ms})",), helpers=("shown", "moves"))


class Still(Frozen):
    """The target stands still: shows the same at the same place after some app time without an act."""

    kind: Literal["still"] = "still"
    target: Target
    wait_ms: int = 1200

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell without a second look."""
        pair = _two(self.target, scene, later=True)
        return pair if isinstance(pair, Outcome) else judged(pair[0] == pair[1], _seen(self.target, pair))

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} stands still"

    def playwright(self) -> Lines:
        """As lines of a test."""
        return Lines(after=(f"assert not moves({self.target.locator()}, {self.wait_ms})",), helpers=("shown", "moves"))


_SENTENCE = 3
"""Words beside a name from which on a text tells of it."""


BEFORE_RELOAD_MS = 1500
"""App time before a reload: nobody reloads sooner, and many an app stores once typing has paused for a second."""
_PAUSE = f"page.wait_for_timeout({BEFORE_RELOAD_MS})"


class Kept(Frozen):
    """What the target holds or shows after the acts is there again after a reload."""

    kind: Literal["kept after reload"] = "kept after reload"
    target: Target
    beside: Target | None = None
    """What stands there in the same view of the app: where it is not shown after the reload, another view is."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where the page was not reloaded, or the target was not there, or no more than told of.

        Words are there wherever they are: what was listed may be offered in a choice now.
        """
        if scene.reloaded is None or scene.reloaded.document == scene.after.document:
            return cannot_tell("the page was not reloaded")
        old, new = self.target.find(scene.after), self.target.find(scene.reloaded)
        if old is None:
            return cannot_tell(f"{self.target.words()} was not on the page")
        if self.beside is not None and self.beside.find(scene.reloaded) is None:
            return cannot_tell(f"after the reload {self.beside.words()} is not shown: it may be another view")
        if new is not None and new.covered and not old.covered:
            return cannot_tell(f"after the reload something lies over {self.target.words()}: the page may ask first")
        pair = state_of(old), state_of(new) if new else "(gone)"
        if isinstance(old, Text) and (new is not None or says(scene.reloaded, plain_words(self.target.name))):
            return judged(True, f"{self.target.words()} is there again")  # what stands beside those words may differ
        if isinstance(old, Text) and _tells_of(self.target.name, old):
            return cannot_tell(f'only a message told of it: "{old.text[:100]}"')
        return judged(pair[0] == pair[1], _seen(self.target, pair))

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} is kept after a reload"

    def playwright(self) -> Lines:
        """As lines of a test."""
        place = self.target.locator()
        if self.target.kind == "texts":
            seen = f"expect({place}).to_be_visible()"
            return Lines(after=(seen, _PAUSE, "page.reload()", seen))
        return Lines(
            after=(f"kept = shown({place})", _PAUSE, "page.reload()", f"assert shown({place}) == kept"), helpers=("shown",)
        )


def _tells_of(name: str, text: Text) -> bool:
    """Whether a text is a sentence that has that name in it, outside of all lists: "The track was saved as NAME"."""
    more = len(text.text.split()) - len(name.split())
    return bool(name) and not text.collection and more >= _SENTENCE
