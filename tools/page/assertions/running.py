"""Assertions about what runs by itself and where things are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Literal

from tools.evidence.frozen import Frozen
from tools.evidence.rows import Box
from tools.page.assertions.base import Lines, Outcome, Scene, Target, cannot_tell, held, judged, quoted, violated
from tools.page.model import PageModel
from tools.page.parts import Figure, Surface

_JUMP = 3.0
"""A figure that goes faster than this many seconds a second jumps to another span, or shows another time than ours."""
_FRESH_S = 3
"""A time that shows more than this, and of which nothing earlier is known, may run down as well as up."""
_ASTRAY_PX = 14.0
"""How far from the pointer's way what it draws may begin: half a broad brush."""
_OFTEN = 5
"""Calls from which a function counts as one that runs by itself, again and again."""
_ALONG = 0.5
"""Share of the pointer's way along which something must be drawn: what flies through it on a canvas that moves by itself is
no stroke, and one that begins late or is dotted still is one."""
_ALIKE_PX = 40.0
"""By which the extent of a stroke may differ from that of the pointer's way: its width on both sides, and joined pixels."""


def seconds_of(figure: object) -> Decimal | None:
    """The time that a figure shows, in seconds; None where it shows none."""
    if not isinstance(figure, Figure) or figure.quantity.value is None:
        return None
    if figure.quantity.measure == "duration" or figure.quantity.unit.casefold() in {"s", "sec", "secs", "seconds"}:
        return figure.quantity.value
    return None


class Pace(Frozen):
    """A shown time runs so many seconds a second, up or down, within what it is rounded to."""

    kind: Literal["pace"] = "pace"
    target: Target
    low: float = 0.98
    high: float = 1.02
    wait_ms: int = 6000

    def evaluate(self, scene: Scene) -> Outcome:
        """From `after` to `later`. Cannot tell where it does not run, comes to its end meanwhile, or jumps."""
        if scene.later is None or scene.after.at_ms is None or scene.later.at_ms is None:
            return cannot_tell("the page was not seen twice, or not when")
        first, second = (self.target.find(page) for page in (scene.after, scene.later))
        decimal, two = seconds_of(first), seconds_of(second)
        passed_s = (scene.later.at_ms - scene.after.at_ms) / 1000
        if decimal is None or two is None or not isinstance(first, Figure) or passed_s <= 0:
            return cannot_tell(f"{self.target.words()} shows no time")
        if decimal == two and self.low > 0:
            return cannot_tell(f"{self.target.words()} stands still")
        start = _shown(self.target, scene.before) if _same_document(scene) else None
        # Between two looks a time that runs down may have ended and begun another span.
        near_end = two < decimal <= Decimal(passed_s) * Decimal(_JUMP)
        # One that showed the same before the acts may run either way, unless it shows nothing yet.
        turned = two > decimal and (
            decimal > _FRESH_S if start is None else decimal < start or (decimal == start and decimal > 0)
        )
        if near_end or turned:
            return cannot_tell(f"{self.target.words()} may have come to its end and begun anew")
        rate, slack = float(abs(two - decimal)) / passed_s, 10**-first.quantity.decimals / passed_s
        if rate > _JUMP:
            return cannot_tell(f"{self.target.words()} jumps")
        seen = f"{self.target.words()} goes from {decimal} s to {two} s in {passed_s:.1f} s"
        return judged(self.low - slack <= rate <= self.high + slack, seen)

    def words(self) -> str:
        """One clause."""
        span = f"{self.low:g} to {self.high:g}" if self.low else f"at most {self.high:g}"
        return f"{self.target.words()} runs {span} seconds a second"

    def playwright(self) -> Lines:
        """As lines of a test."""
        rate = f"pace({self.target.locator()}, {self.wait_ms})"
        slack = 1000 / self.wait_ms
        return Lines(after=(f"assert {self.low - slack:.3f} <= {rate} <= {self.high + slack:.3f}",), helpers=("pace",))


class GoesOn(Frozen):
    """After the acts a shown time is at most as far from where it was as time has passed meanwhile: it did not begin anew."""

    kind: Literal["goes on"] = "goes on"
    target: Target

    def evaluate(self, scene: Scene) -> Outcome:
        """By the last look there is. Cannot tell where it shows no time, or when it was seen is not known."""
        last = scene.later or scene.after
        if scene.before is None or scene.before.at_ms is None or last.at_ms is None:
            return cannot_tell("the page was not seen twice, or not when")
        decimal, two = _shown(self.target, scene.before), _shown(self.target, last)
        passed_s = (last.at_ms - scene.before.at_ms) / 1000
        figure = self.target.find(last)
        if decimal is None or two is None or not isinstance(figure, Figure):
            return cannot_tell(f"{self.target.words()} shows no time")
        slack = 10**-figure.quantity.decimals
        seen = f"{self.target.words()} went from {decimal} s to {two} s in {passed_s:.1f} s"
        on = float(abs(two - decimal)) <= passed_s * 1.02 + slack
        if not on and two > decimal and float(decimal) <= passed_s + slack:
            return cannot_tell(f"{seen}: it may have run out, and the next one begun")
        return judged(on, seen)

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} goes on from where it was"

    def playwright(self) -> Lines:
        """As lines of a test. A test's acts take less than two seconds."""
        place = self.target.locator()
        return Lines(
            before=(f"before = seconds({place})",), after=(f"assert abs(seconds({place}) - before) <= 2",), helpers=("seconds",)
        )


class AsFast(Frozen):
    """What runs by itself runs no more often a second after the acts than before them, by the app's own functions.

    Both times are those in which the app was last left alone (`Wait`). All functions that ran regularly must have sped up: what
    depends on how much there is to draw is not taken for the clock.
    """

    kind: Literal["as fast"] = "as fast"
    most: float = 1.35
    """So many times as often is too often."""
    yes: bool = True
    """False: it runs more often than that."""

    def evaluate(self, scene: Scene) -> Outcome:
        """By the function that sped up least, one beat too many or too few left aside. Cannot tell where none runs regularly."""
        beats = scene.witness.beats
        if scene.idle is None or not beats:
            return cannot_tell("what runs by itself was not measured both before and after")
        first, now, calls = scene.idle, beats[-1], dict(beats[-1].calls)
        regular = [(name, many) for name, many in first.calls if many >= _OFTEN]
        if not regular:
            return cannot_tell("nothing of the app's own ran regularly")
        seconds, now_s = first.app_ms / 1000, now.app_ms / 1000
        name, many = min(regular, key=lambda entry: calls.get(entry[0], 0) / entry[1])
        again, beat = calls.get(name, 0), _calls_a_beat(name, dict(first.calls), calls)
        seen = f"{name.rsplit(' ', 1)[-1]} ran {many / seconds:.1f} times a second before, {again / now_s:.1f} times after"
        return judged(((again - beat) / now_s <= self.most * (many + beat) / seconds) is self.yes, seen)

    def words(self) -> str:
        """One clause."""
        return f"what runs by itself runs {'less' if self.yes else 'more'} than {self.most:g} times as often as before"

    def playwright(self) -> Lines:
        """As lines of a test."""
        sign = "<=" if self.yes else ">"
        return Lines(
            before=("ran = calls(page)",), after=(f"assert times_as_often(ran, calls(page)) {sign} {self.most}",),
            helpers=("calls", "times_as_often"),
        )  # fmt: skip


def _calls_a_beat(name: str, first: Mapping[str, int], now: Mapping[str, int]) -> int:
    """How often something is called at a time: as often as it is called for each call of another function, before and after.

    What looks up ten elements whenever a second has passed runs twenty or thirty times in two and a half seconds.
    """
    many, again = first.get(name, 0), now.get(name, 0)
    others = [(first[text], now[text]) for text in first.keys() & now.keys() if text != name]
    return min(
        (many // number for number, two in others if 0 < number < many and many % number == 0 and many * two == again * number),
        default=1,
    )


def _same_document(scene: Scene) -> bool:
    return scene.before is not None and scene.before.document == scene.after.document


def _shown(target: Target, page: PageModel | None) -> Decimal | None:
    return seconds_of(target.find(page)) if page is not None else None


class DrawnAt(Frozen):
    """What the pointer draws lies where it went; points are shares of the surface, 0–1 from its top left.

    `yes=False`: nothing is drawn there by it; also where more of the surface changed than along its way: that moves by itself.
    """

    kind: Literal["drawn at"] = "drawn at"
    target: Target
    path: tuple[tuple[float, float], ...]
    yes: bool = True

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where nothing changed on the surface, or what did has not the extent of the pointer's way."""
        part = self.target.find(scene.after)
        if not isinstance(part, Surface) or scene.witness.picture is None:
            return cannot_tell(f"{self.target.words()} is not on the page, or its picture was not seen")
        way, regions = way_of(part.box, self.path), [box for box in scene.witness.picture if box.meets(part.box)]
        if not self.yes:
            inside = [box for box in regions if Box(x=box.centre[0], y=box.centre[1], width=0, height=0).meets(part.box)]
            only = bool(inside) and all(region.meets(way, _ASTRAY_PX) for region in inside)
            return judged(
                not only, "just where the pointer went something was drawn" if only else "it drew nothing there, or more"
            )
        if _share_along(way, [box for box in regions if box.meets(way, _ASTRAY_PX)]) >= _ALONG:
            return held("it is drawn where the pointer went")
        for region in regions:
            if abs(region.width - way.width) <= _ALIKE_PX and abs(region.height - way.height) <= _ALIKE_PX:
                (x, y), (to_x, to_y) = region.centre, way.centre
                return violated(f"it is drawn {x - to_x:.0f} px to the right of and {y - to_y:.0f} px below the pointer's way")
        return cannot_tell("nothing of the extent of the pointer's way was drawn")

    def words(self) -> str:
        """One clause."""
        told = "lies under the pointer" if self.yes else "is not the pointer's doing"
        return f"what is drawn on {self.target.words()} {told}"

    def playwright(self) -> Lines:
        """As lines of a test. Of a canvas."""
        place, path = self.target.locator(), quoted_path(self.path)
        return Lines(
            before=(f"before = {place}.evaluate({quoted('(el) => el.toDataURL()')})",),
            after=(f"assert drawn_along({place}, before, {path}) is {self.yes}",),
            helpers=("drawn_along",),
        )


def _share_along(way: Box, regions: list[Box]) -> float:
    """How much of a way's longer side regions lie beside, together, 0–1; one that goes nowhere counts as met by any."""
    across = way.width >= way.height
    start, length = (way.x, way.width) if across else (way.y, way.height)
    spans = sorted((region.x, region.x + region.width) if across else (region.y, region.y + region.height) for region in regions)
    if length <= 0:
        return float(bool(spans))
    reached, covered = start, 0.0
    for begin, end in spans:
        until = min(end, start + length)
        covered += max(until - max(begin, reached), 0.0)
        reached = max(reached, until)
    return covered / length


def quoted_path(path: tuple[tuple[float, float], ...]) -> str:
    """As a Python list of pairs."""
    return f"[{', '.join(f'({x}, {y})' for x, y in path)}]"


def way_of(box: Box, path: tuple[tuple[float, float], ...]) -> Box:
    """What the pointer's way takes up, in CSS pixels of the window."""
    xs, ys = [box.x + x * box.width for x, _ in path], [box.y + y * box.height for _, y in path]
    return Box(x=min(xs), y=min(ys), width=max(xs) - min(xs), height=max(ys) - min(ys))
