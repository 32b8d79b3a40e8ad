"""What a script calls its mobjects: its variables, the attributes of its scene, places in lists. Runs inside the sandbox."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from manim.mobject.mobject import Mobject


def named(frames: Iterable[dict[str, Any]], scene: Any) -> dict[int, str]:
    """Names in the script, by the address of the mobject: variables of the frames given, then the scene's attributes."""
    names: dict[int, str] = {}
    frames = list(frames)
    for variables in frames:
        # A name of its own says more than a place in a list.
        names |= {
            id(value): name for name, value in list(variables.items())[::-1] if isinstance(value, Mobject) and name != "self"
        }
    for variables in frames:
        for name, value in list(variables.items()):
            if name not in ("self", "__builtins__") and not name.startswith("__"):
                _name(names, name, value, 0)
    for name, value in list(vars(scene).items()):
        if name not in _SCENES_OWN and not name.startswith("_"):
            _name(names, f"self.{name}", value, 0)
    return names


_SCENES_OWN = {
    "mobjects",
    "foreground_mobjects",
    "moving_mobjects",
    "static_mobjects",
    "animations",
    "camera",
    "renderer",
    "meshes",
}
_LIST_MOST = 200


def _name(names: dict[int, str], name: str, value: Any, depth: int) -> None:
    if isinstance(value, Mobject):
        names.setdefault(id(value), name)
        if depth < 2:
            for place, child in enumerate(value.submobjects[:_LIST_MOST]):
                _name(names, f"{name}[{place}]", child, depth + 1)
    elif isinstance(value, list | tuple) and depth < 2:
        for place, item in enumerate(value[:_LIST_MOST]):
            _name(names, f"{name}[{place}]", item, depth + 1)
    elif isinstance(value, dict) and depth < 2:
        for key, item in list(value.items())[:_LIST_MOST]:
            _name(names, f"{name}[{key!r}]"[:60], item, depth + 1)
