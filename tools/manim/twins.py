"""Copies of mobjects as Manim makes them, made quickly.

Manim copies a mobject, with everything below it, once or more for every animation, and `copy.deepcopy` spends most of that time
on values that need no copying: numbers, names, colours, parsed paths. Runs inside the sandbox, and only where no film is made;
`tests/integration/manim/test_runner.py` holds such a run against one with a film.
"""

from __future__ import annotations

import copy
import enum
from pathlib import PosixPath
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np
import svgelements
from manim.mobject.mobject import Mobject
from manim.utils.color import ManimColor

_SHARED: set[type] = {
    *(int, float, bool, str, bytes, complex, type(None), type, FunctionType, BuiltinFunctionType, PosixPath),
    *(np.float64, np.float32, np.int64, np.bool_),
    # Made once, read ever after: colours, and what a glyph's path was parsed from, which is the largest part of a text.
    *(ManimColor, svgelements.Path),
}
"""What a copy may share with its original; enumerations are added as they are met."""


def twin(mobject: Mobject, memo: dict[int, Any]) -> Mobject:
    """What `Mobject.__deepcopy__` gives. `memo` is `copy.deepcopy`'s: copies by the address of their originals."""
    cls = mobject.__class__
    made = cls.__new__(cls)
    memo[id(mobject)] = made
    for name, value in mobject.__dict__.items():
        setattr(made, name, value if type(value) in _SHARED else _copied(value, memo))
    made.original_id = str(id(mobject))
    return made


def _copied(value: Any, memo: dict[int, Any]) -> Any:
    known = memo.get(id(value))
    if known is not None:
        return known
    kind = type(value)
    if kind is np.ndarray and not value.dtype.hasobject:
        memo[id(value)] = made = value.copy("K")
        return made
    if kind is list:
        items: list[Any] = []
        memo[id(value)] = items
        items.extend(item if type(item) in _SHARED else _copied(item, memo) for item in value)
        return items
    if kind is dict:
        entries: dict[Any, Any] = {}
        memo[id(value)] = entries
        for key, item in value.items():
            entries[key if type(key) in _SHARED else _copied(key, memo)] = item if type(item) in _SHARED else _copied(item, memo)
        return entries
    if kind is tuple:
        same = all(type(item) in _SHARED for item in value)
        return value if same else tuple(item if type(item) in _SHARED else _copied(item, memo) for item in value)
    if isinstance(value, Mobject):
        memo[id(value)] = other = value.__deepcopy__(memo)
        return other
    if issubclass(kind, enum.Enum):
        _SHARED.add(kind)
        return value
    return copy.deepcopy(value, memo)
