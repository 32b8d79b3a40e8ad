"""Watches a script's scenes from outside: hooks on Manim's own classes, put in before the script is loaded.

Runs inside the sandbox. The script's source is not touched and nothing of Manim's interface is added, dropped or changed: each
hook calls what it stands for. When nothing is encoded, frames that nobody looks at are not drawn, and instants nobody looks at
are skipped where the state depends on the instant alone; where there are updaters, the scene still advances frame by frame.
"""

from __future__ import annotations

import functools
import math
import sys
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np
from manim.mobject.mobject import Mobject
from manim.mobject.text.tex_mobject import MathTex, SingleStringMathTex
from manim.mobject.text.text_mobject import MarkupText, Text
from manim.renderer.cairo_renderer import CairoRenderer
from manim.scene.scene import Scene

from tools.manim.naming import named
from tools.manim.scenegraph import Describer, home_frame, shown, words
from tools.manim.stepping import changing, steppable
from tools.manim.twins import twin

DEEPEST = 80
"""Stack frames looked at for the script's own lines."""
LINES_MOST = 6


class InstrumentFault(Exception):
    """The instruments failed, not the script."""


@dataclass(frozen=True)
class Plan:
    """What to record."""

    script: str
    """Path under which the script was compiled: its frames on the stack are told by it."""
    encode: bool = False
    """Draw and write every frame (a film), not only those that are looked at."""
    sample_s: float = 0.25
    """Scene time between snapshots inside an animation."""
    samples_most: int = 16
    """Of one play or wait."""
    snapshots_most: int = 600
    """Of one scene; past it only stable frames are recorded."""
    stills: str = "stable"
    """Which snapshots get a picture: `stable`, `all`, `none`."""


class Recorder:
    """Takes the snapshots of one scene after the other and hands them to `emit`, pictures to `emit_still`."""

    def __init__(
        self,
        plan: Plan,
        emit: Callable[[dict[str, Any]], None],
        emit_outline: Callable[[str, bytes], None],
        emit_still: Callable[[str, np.ndarray], None],
    ) -> None:
        self.plan = plan
        self._emit = emit
        self._emit_outline = emit_outline
        self._emit_still = emit_still
        self._originals: dict[tuple[type, str], Any] = {}
        self._hooks: dict[tuple[type, str], Any] = {}
        self._describer: Describer | None = None
        self._home = home_frame()
        self._scene: Any | None = None
        self._moment = ""
        self._line: int | None = None
        self._depth = 0
        self._plays = 0
        self._taken = 0
        self._time = 0.0
        self._frame = 0
        self._due: list[int] = []
        self._step = 0
        self._sparse = False
        self._start = 0
        self._chosen: list[int] = []
        self._names: dict[int, str] = {}
        self._drawn: tuple[str, np.ndarray] | None = None
        self.doubts: list[str] = []

    # ---- hooks ---------------------------------------------------------------------------------------------------------------

    def install(self) -> None:
        """Put the hooks in."""
        self._wrap(Scene, "play", self._play)
        self._wrap(Scene, "play_internal", self._play_internal)
        self._wrap(Scene, "_get_animation_time_progression", self._progression)
        self._wrap(CairoRenderer, "render", self._render)
        self._wrap(CairoRenderer, "update_frame", self._update_frame)
        self._wrap(CairoRenderer, "freeze_current_frame", self._freeze)
        self._wrap(CairoRenderer, "save_static_frame_data", self._static)
        self._wrap(Mobject, "__init__", self._made)
        self._wrap(Mobject, "copy", self._copied)
        for kind in (Text, MarkupText, SingleStringMathTex, MathTex):
            self._wrap(kind, "__init__", self._text_made)
        if not self.plan.encode:
            Mobject.__deepcopy__ = twin  # type: ignore[method-assign,assignment]

    def _wrap(self, owner: type, name: str, hook: Callable[..., Any]) -> None:
        original = owner.__dict__[name]
        self._originals[owner, name] = original

        @functools.wraps(original)
        def replacement(*args: Any, **kwargs: Any) -> Any:
            return hook(original, *args, **kwargs)

        setattr(owner, name, replacement)
        self._hooks[owner, name] = replacement

    def tampered(self) -> str:
        """Which hook the script removed or replaced; empty if all are in place."""
        for (owner, name), hook in self._hooks.items():
            # Constructors may be replaced rightly: that is how Manim's own `set_default` works.
            if name not in ("__init__", "copy") and owner.__dict__.get(name) is not hook:
                return f"{owner.__name__}.{name}"
        if self._scene is not None and self._depth == 0 and self._plays != self._scene.renderer.num_plays:
            return f"{self._scene.renderer.num_plays - self._plays} plays that went past Scene.play"
        return ""

    # ---- one scene -------------------------------------------------------------------------------------------------------------

    def begin(self, scene: Any) -> None:
        """A scene is about to be rendered."""
        self._home = home_frame()
        self._describer = Describer(self._emit_outline, self._home)
        self._scene = scene
        self._plays = self._taken = self._frame = self._depth = 0
        self._time = 0.0
        self._drawn = None
        self.doubts = []

    def end(self, scene: Any) -> None:
        """It has run to its end. What is added after the last play is in no film; a scene without plays is one picture."""
        if self._plays == 0:
            self._moment, self._line = "end", None
            self._snapshot(scene, stable=True)
        if self._describer is not None and self._describer.cut:
            self.doubts.append("a snapshot had more objects than are recorded; the rest were left out")

    @property
    def progress(self) -> tuple[int, int, int, int]:
        """Differs whenever the script has shown something new."""
        return id(self._scene), self._plays, self._taken, self._frame

    @property
    def duration_s(self) -> float:
        """Scene time so far."""
        return self._time

    def _play(self, original: Callable[..., Any], scene: Any, *args: Any, **kwargs: Any) -> Any:
        if scene is not self._scene or self._depth:
            return original(scene, *args, **kwargs)
        self._line = (self._script_lines(sys._getframe(2)) or (None,))[0]  # noqa: SLF001 - the stack is what is asked for
        self._names = named(self._script_variables(sys._getframe(2)), scene)  # noqa: SLF001
        index, begin = self._plays, self._time
        self._depth += 1
        try:
            result = original(scene, *args, **kwargs)
        finally:
            self._depth -= 1
        self._plays += 1
        kinds = tuple(type(animation).__name__ for animation in scene.animations or ())
        waiting = kinds == ("Wait",)
        self._moment = "wait" if waiting else "play " + ",".join(kinds)
        skipped = bool(scene.renderer.skip_animations)
        self._emit(
            {
                "play": {
                    "index": index,
                    "kind": "wait" if waiting else "play",
                    "animations": kinds,
                    "begin_s": begin,
                    "end_s": self._time,
                    "line": self._line,
                }
            }
        )
        if not skipped:
            self._snapshot(scene, stable=True, play=index)
        return result

    def _play_internal(self, original: Callable[..., Any], scene: Any, *args: Any, **kwargs: Any) -> Any:
        if scene is not self._scene or self._depth != 1:
            return original(scene, *args, **kwargs)
        rate = scene.renderer.camera.frame_rate
        count = max(int(scene.get_run_time(scene.animations) * rate), 1)
        wanted = min(max(int(count / rate / self.plan.sample_s), min(3, count - 2)), self.plan.samples_most)
        self._due = sorted({round(count * (place + 1) / (wanted + 1)) for place in range(max(wanted, 0))})
        self._step = 0
        self._sparse = not self.plan.encode and not scene.renderer.skip_animations and steppable(scene)
        begin, began = self._frame, scene.renderer.time
        try:
            return original(scene, *args, **kwargs)
        finally:
            if self._sparse:
                self._frame = begin + max(math.ceil(scene.get_run_time(scene.animations) * rate - 1e-6), 1)
                self._time = self._frame / rate
                scene.renderer.time = began + (self._frame - begin) / rate
            self._sparse = False

    def _progression(self, original: Callable[..., Any], scene: Any, *args: Any, **kwargs: Any) -> Any:
        """The instants of an animation; where nothing depends on having passed all of them, only those that are looked at."""
        instants = original(scene, *args, **kwargs)
        if scene is not self._scene or not self._sparse:
            return instants
        every = list(instants)
        instants.close()
        chosen = [step for step in self._due if step < len(every)]
        self._start, self._chosen = self._frame, chosen
        return _Instants([every[step] for step in chosen] or every[-1:])

    def _render(self, original: Callable[..., Any], renderer: Any, scene: Any, when: float, moving: Any = None) -> None:
        if scene is not self._scene:
            original(renderer, scene, when, moving)
            return
        if self.plan.encode:
            original(renderer, scene, when, moving)
        elif not renderer.skip_animations:
            renderer.time += 1 / renderer.camera.frame_rate
        if renderer.skip_animations:
            return
        step, self._step = self._step, self._step + 1
        if self._sparse:
            step = self._chosen[step] if step < len(self._chosen) else 0
            self._frame = self._start + step
        self._frame += 1
        self._time = self._frame / renderer.camera.frame_rate
        if self._due and step >= self._due[0]:
            self._due.pop(0)
            if self._taken < self.plan.snapshots_most:
                self._moment = "during " + ",".join(type(animation).__name__ for animation in scene.animations or ())
                self._snapshot(scene, stable=False, play=self._plays)

    def _update_frame(self, original: Callable[..., Any], renderer: Any, scene: Any, *args: Any, **kwargs: Any) -> None:
        if self.plan.encode or scene is not self._scene or not self._depth:
            original(renderer, scene, *args, **kwargs)

    def _static(self, original: Callable[..., Any], renderer: Any, scene: Any, mobjects: Any) -> Any:
        if self.plan.encode or scene is not self._scene:
            return original(renderer, scene, mobjects)
        renderer.static_image = None
        return None

    def _freeze(self, original: Callable[..., Any], renderer: Any, duration: float) -> None:
        count = int(duration * renderer.camera.frame_rate + 1e-9)
        if self.plan.encode:
            original(renderer, duration)
        elif not renderer.skip_animations:
            renderer.time += count / renderer.camera.frame_rate
        if not renderer.skip_animations:
            self._frame += count
            self._time = self._frame / renderer.camera.frame_rate

    # ---- snapshots -------------------------------------------------------------------------------------------------------------

    def _snapshot(self, scene: Any, *, stable: bool, play: int | None = None) -> None:
        if self._describer is None:
            return
        try:
            camera, objects = self._describer.describe(scene, self._names, {} if stable else changing(scene))
        except Exception as error:
            raise InstrumentFault(f"{type(error).__name__}: {error}") from error
        name = ""
        if self.plan.stills == "all" or (self.plan.stills == "stable" and stable):
            name = self._still(self._picture(scene))
        self._emit(
            {
                "snapshot": {
                    "index": self._taken,
                    "at_s": self._time,
                    "frame": self._frame,
                    "play": self._plays if play is None else play,
                    "stable": stable,
                    "moment": self._moment,
                    "line": self._line,
                    "camera": camera,
                    "objects": objects,
                    "still": name,
                }
            }
        )
        self._taken += 1

    def _still(self, pixels: np.ndarray) -> str:
        """Hand over a picture, unless it is the last one again; its name."""
        if self._drawn is None or not np.array_equal(self._drawn[1].view(np.uint32), pixels.view(np.uint32)):
            self._drawn = f"{self._taken:04d}", pixels.copy()
            self._emit_still(self._drawn[0], pixels[:, :, :3])
        return self._drawn[0]

    def _picture(self, scene: Any) -> np.ndarray:
        """The frame as the viewer sees it now, drawn whole; height × width × 4 (red, green, blue, opacity)."""
        renderer = scene.renderer
        if not self.plan.encode or renderer.skip_animations or not self._depth:
            renderer.camera.reset()
            renderer.camera.capture_mobjects(shown(scene))
        return np.ascontiguousarray(renderer.camera.pixel_array)

    # ---- where things come from ------------------------------------------------------------------------------------------------

    def _made(self, original: Callable[..., Any], mobject: Mobject, *args: Any, **kwargs: Any) -> None:
        if "_assay_lines" not in mobject.__dict__:
            mobject.__dict__["_assay_lines"] = self._script_lines(sys._getframe(2))  # noqa: SLF001
        original(mobject, *args, **kwargs)

    def _copied(self, original: Callable[..., Any], mobject: Mobject, *args: Any, **kwargs: Any) -> Any:
        twin = original(mobject, *args, **kwargs)
        if lines := self._script_lines(sys._getframe(2)):  # noqa: SLF001
            twin.__dict__["_assay_lines"] = lines
        return twin

    def _text_made(self, original: Callable[..., Any], text: Any, *args: Any, **kwargs: Any) -> None:
        original(text, *args, **kwargs)
        owner = (id(text), type(text).__name__, words(text), text.__dict__.get("_assay_lines", ()))
        for glyph in text.get_family()[1:]:
            glyph.__dict__["_assay_owner"] = owner

    def _script_lines(self, frame: FrameType | None) -> tuple[int, ...]:
        """Lines of the script on the stack, innermost first."""
        lines: list[int] = []
        for _ in range(DEEPEST):
            if frame is None or len(lines) >= LINES_MOST:
                break
            if frame.f_code.co_filename == self.plan.script:
                lines.append(frame.f_lineno)
                if frame.f_code.co_name == "construct":
                    break
            frame = frame.f_back
        return tuple(lines)

    def _script_variables(self, frame: FrameType | None) -> list[dict[str, Any]]:
        """Local variables of the script's frames on the stack, outermost first."""
        found: list[dict[str, Any]] = []
        for _ in range(DEEPEST):
            if frame is None:
                break
            if frame.f_code.co_filename == self.plan.script and frame.f_code.co_name != "<module>":
                found.append(frame.f_locals)
            frame = frame.f_back
        return found[::-1]


class _Instants(list[float]):
    """Instants of an animation where Manim expects its progress bar."""

    def close(self) -> None:
        """There is no bar to close."""


def packed(picture: np.ndarray) -> bytes:
    """A picture (height × width × 3) as the pixels of a PNG: each row after a zero, deflated."""
    height, width = picture.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)
    rows[:, 1:] = picture.reshape(height, -1)
    squeeze = zlib.compressobj(1, strategy=zlib.Z_RLE)
    return squeeze.compress(rows.data) + squeeze.flush()


def clock() -> float:
    """Seconds on a clock that only runs forward; kept here because scripts may replace `time`."""
    return _perf_counter()


_perf_counter = time.perf_counter
