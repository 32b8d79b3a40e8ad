"""A bundle taken apart: which of its source files are the app's own, and which part of it each one became."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tools.browser.coverage.maps import Original, SourceMap
from tools.browser.coverage.origin import library_path

_SCHEME = re.compile(r"^[a-z][\w+.-]*://[^/]*/", re.IGNORECASE)


class Sources:
    """The source files of one bundle. `label` is the bundle's own name, which relative names begin from."""

    def __init__(self, found: SourceMap, label: str) -> None:
        self._map = found
        self.labels = tuple(_label(source, label) for source in found.sources)
        self.own = tuple(not library_path(source) for source in found.sources)
        self._starts: dict[int, list[int]] = {}

    def origin(self, line: int, column: int) -> Original | None:
        """Where a place of the bundle comes from, both from 0."""
        return self._map.at(line, column)

    def place(self, origin: Original) -> tuple[str, int]:
        """The source file's text and the offset of a place in it; `("", 0)` where the map does not have the text."""
        text = self._map.contents[origin.source]
        starts = self._starts.get(origin.source)
        if starts is None:
            starts = [0, *(found.end() for found in re.finditer("\n", text))]
            self._starts[origin.source] = starts
        if origin.line > len(starts):
            return "", 0
        return text, min(starts[origin.line - 1] + origin.column, len(text))

    def own_mask(self, lines: Sequence[int], size: int) -> NDArray[np.bool_]:
        """Which characters of the bundle come from the app's own files. `lines`: offset at which each line begins."""
        mask = np.zeros(size, np.bool_)
        places, origins = self._map.places, self._map.origins
        for at, ((line, column), origin) in enumerate(zip(places, origins, strict=True)):
            if origin is None or not self.own[origin.source] or line >= len(lines):
                continue
            end = size
            if at + 1 < len(places) and places[at + 1][0] < len(lines):
                end = lines[places[at + 1][0]] + places[at + 1][1]
            mask[lines[line] + column : end] = True
        return mask


def _label(source: str, bundle: str) -> str:
    """A source file's name for people: no scheme, no way up out of the site."""
    inside = _SCHEME.sub("", source)
    path = inside if inside != source else posixpath.join(posixpath.dirname(bundle), source)
    parts = posixpath.normpath(path.partition("?")[0]).split("/")
    return "/".join(part for part in parts if part not in {"", "..", "."}) or bundle
