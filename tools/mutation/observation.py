"""What a page shows after an act of the reference script, as typed values, and in what two of them differ."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

Aspect = Literal[
    "act", "text", "figure", "collection", "field", "storage", "address", "dialog", "sound", "error", "picture", "page"
]
ORDER: tuple[Aspect, ...] = (
    "page",
    "act",
    "figure",
    "text",
    "collection",
    "field",
    "dialog",
    "storage",
    "address",
    "sound",
    "error",
    "picture",
)
"""What is told first of several differences after one act: what a person can name before what is only seen."""
PICTURE = (128, 80)
"""Width and height of a small picture, in cells."""
_NOTICEABLE = 14.0
"""Difference of a cell, mean over its channels, 0–255. Text that moves by a pixel stays below."""
_FEWEST_CELLS = 3
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_WHOLE = 0.34
"""A page that has texts at less than this share of the places where the original has some is another page."""


class Act(BaseModel):
    """One act of a reference script."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["open", "click", "double_click", "fill", "press", "select", "reload", "wait", "resize"]
    target: str = ""
    """CSS path of what is acted on; empty for the page."""
    value: str = ""
    """What is filled in or chosen, the key, the milliseconds waited."""
    label: str = ""
    """What a person would call the target."""
    over: str = ""
    """CSS path of what has to be pointed at first, for controls that show only then."""

    @property
    def words(self) -> str:
        """For people."""
        said = {
            "open": "opening the page",
            "click": f"clicking {self.label!r}",
            "double_click": f"double-clicking {self.label!r}",
            "fill": f"filling {self.label!r} with {self.value!r}",
            "press": f"pressing {self.value}" + (f" in {self.label!r}" if self.label else ""),
            "select": f"choosing {self.value!r} in {self.label!r}",
            "reload": "loading the page again",
            "wait": f"waiting {self.value} ms",
            "resize": f"making the window {self.value}",
        }
        return said[self.kind]


class Observation(BaseModel):
    """A page after an act. Places are CSS paths."""

    model_config = ConfigDict(frozen=True)

    done: bool = True
    """Whether the act could be carried out."""
    address: str = ""
    """Path, query and fragment."""
    texts: tuple[tuple[str, str], ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    collections: tuple[tuple[str, int], ...] = ()
    """Places that hold several of a kind, and how many."""
    storage: tuple[tuple[str, str], ...] = ()
    dialogs: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    sounds: int = 0
    picture: str = ""
    """A small picture, compressed; see `packed`."""


class Difference(BaseModel):
    """In what a mutant's page differs from the original's after one act."""

    model_config = ConfigDict(frozen=True)

    aspect: Aspect
    place: str = ""
    before: str = ""
    after: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What it is about, whatever the values."""
        return self.aspect, self.place


def packed(picture: np.ndarray) -> str:
    """A picture of `PICTURE` cells (height × width × 3, bytes) as text."""
    return base64.b64encode(zlib.compress(picture.astype(np.uint8).tobytes(), 6)).decode("ascii")


def unpacked(text: str) -> np.ndarray:
    """The reverse of `packed`."""
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8).reshape(PICTURE[1], PICTURE[0], 3)


def cells_that_differ(text: str, other: str) -> set[int]:
    """Cells of two small pictures that differ noticeably; all of them where only one of the two is there."""
    if text == other:
        return set()
    if not text or not other:
        return set(range(PICTURE[0] * PICTURE[1]))
    apart = np.abs(unpacked(text).astype(np.int16) - unpacked(other)).mean(axis=2)
    return {int(at) for at in np.flatnonzero(apart > _NOTICEABLE)}


def differences(right: Observation, seen: Observation) -> list[Difference]:
    """All differences but the picture's, in `ORDER`. `right` is the original's."""
    found: list[Difference] = []
    if right.done != seen.done:
        found.append(Difference(aspect="act", before=_possible(right.done), after=_possible(seen.done)))
    places = dict(right.texts).keys()
    if len(places & dict(seen.texts).keys()) < _WHOLE * len(places):
        share = f"{len(seen.texts)} texts"
        found.append(Difference(aspect="page", place="body", before=f"{len(right.texts)} texts", after=share))
    found.extend(_of_texts(right.texts, seen.texts))
    found.extend(_of_pairs("collection", right.collections, seen.collections))
    found.extend(_of_pairs("field", right.fields, seen.fields))
    found.extend(_of_pairs("storage", right.storage, seen.storage))
    found.extend(_of_lists("dialog", right.dialogs, seen.dialogs))
    found.extend(_of_lists("error", right.errors, seen.errors))
    if right.address != seen.address:
        found.append(Difference(aspect="address", before=right.address, after=seen.address))
    if right.sounds != seen.sounds:
        found.append(Difference(aspect="sound", before=str(right.sounds), after=str(seen.sounds)))
    return sorted(found, key=lambda difference: ORDER.index(difference.aspect))


def _possible(done: bool) -> str:
    return "possible" if done else "not possible"


def _of_texts(right: Sequence[tuple[str, str]], seen: Sequence[tuple[str, str]]) -> Iterator[Difference]:
    here, there = dict(right), dict(seen)
    for place in dict.fromkeys([*here, *there]):
        before, after = here.get(place, ""), there.get(place, "")
        if before == after:
            continue
        numbers = _FIGURE.search(before) is not None and _FIGURE.sub("#", before) == _FIGURE.sub("#", after)
        yield Difference(aspect="figure" if numbers else "text", place=place, before=before, after=after)


def _of_pairs(aspect: Aspect, right: Sequence[tuple[str, object]], seen: Sequence[tuple[str, object]]) -> Iterator[Difference]:
    here, there = dict(right), dict(seen)
    for place in dict.fromkeys([*here, *there]):
        before, after = str(here.get(place, "")), str(there.get(place, ""))
        if before != after:
            yield Difference(aspect=aspect, place=place, before=before, after=after)


def _of_lists(aspect: Aspect, right: Sequence[str], seen: Sequence[str]) -> Iterator[Difference]:
    if list(right) != list(seen):
        yield Difference(aspect=aspect, before=" · ".join(right), after=" · ".join(seen))


class Noise(BaseModel):
    """What differs between two runs of the original after one act: it says nothing about a mutant."""

    model_config = ConfigDict(frozen=True)

    keys: frozenset[tuple[str, str]] = frozenset()
    cells: frozenset[int] = frozenset()

    def told(self, right: Observation, seen: Observation) -> list[Difference]:
        """The differences beyond noise; the picture's only where nothing else differs, for it follows from the rest."""
        found = [difference for difference in differences(right, seen) if difference.key not in self.keys]
        if found or not right.picture or not seen.picture:
            return found
        cells = cells_that_differ(right.picture, seen.picture) - self.cells
        if len(cells) < _FEWEST_CELLS:
            return []
        rows, columns = [at // PICTURE[0] for at in cells], [at % PICTURE[0] for at in cells]
        box = f"{min(columns) * 10},{min(rows) * 10},{(max(columns) + 1) * 10},{(max(rows) + 1) * 10}"
        return [Difference(aspect="picture", place=box, before="as recorded", after=f"{len(cells)} cells of 10 px differ")]


def noise_between(observation: Observation, other: Observation) -> Noise:
    """The noise that two observations of the same original show."""
    return Noise(
        keys=frozenset(found.key for found in differences(observation, other)),
        cells=frozenset(_around(cells_that_differ(observation.picture, other.picture))),
    )


def _around(cells: set[int]) -> Iterator[int]:
    """Cells with those beside them: letters that are drawn by chance do not differ everywhere in each of a few runs."""
    for cell in cells:
        row, column = divmod(cell, PICTURE[0])
        for down in (-1, 0, 1):
            for right in range(-4, 5):
                if 0 <= row + down < PICTURE[1] and 0 <= column + right < PICTURE[0]:
                    yield (row + down) * PICTURE[0] + column + right
