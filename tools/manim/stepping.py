"""What the running animations of a scene change, and whether instants between may be skipped. Runs inside the sandbox."""

from __future__ import annotations

from typing import Any

from manim.animation.animation import Animation, Wait
from manim.animation.composition import AnimationGroup
from manim.animation.speedmodifier import ChangeSpeed
from manim.animation.updaters.update import UpdateFromFunc

STATEFUL = (UpdateFromFunc, ChangeSpeed)
"""Animations that may depend on every instant before."""


def steppable(scene: Any) -> bool:
    """Whether the state at an instant depends on that instant alone: no updaters, nothing waited for, only Manim's animations."""
    if scene.updaters or scene.stop_condition is not None:
        return False
    if any(member.updaters for mobject in scene.mobjects for member in mobject.get_family()):
        return False
    queue = list(scene.animations or ())
    while queue:
        animation = queue.pop()
        if isinstance(animation, AnimationGroup):
            queue += list(animation.animations)
        if isinstance(animation, STATEFUL) or not type(animation).__module__.startswith("manim."):
            return False
        if animation.mobject is not None and any(member.updaters for member in animation.mobject.get_family()):
            return False
    return True


def changing(scene: Any) -> dict[int, str]:
    """Mobjects that the running animations change, by address, with the animation's name."""
    found: dict[int, str] = {}
    queue: list[Animation] = list(scene.animations or ())
    while queue:
        animation = queue.pop()
        if isinstance(animation, AnimationGroup):
            queue += list(animation.animations)
            continue
        if isinstance(animation, Wait) or animation.mobject is None:
            continue
        name = type(animation).__name__
        for member in animation.mobject.get_family():
            found[id(member)] = name
    return found
