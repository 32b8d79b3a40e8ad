"""Values that pass between the rooms of the Manim checker: what a run yielded, what it showed, what is wrong with it.

Frozen, plain and serialisable. Geometry is not in here: an `ObjectState` names its outline by a key into the recording
(`tools/manim/recording.py`). Lengths are *view units*: the frame the viewer sees is always `view_width × view_height` around
the origin (14.22 × 8 at Manim's defaults), whatever the camera does in the scene; y points up.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


Status = Literal["rendered", "failed", "timeout", "memory", "limit", "died", "tampered", "environment"]
"""How a run ended.

`rendered`: every scene asked for ran to its end; `failed`: the script raised; `timeout`: wall or processor time ran out;
`memory`: the memory limit was hit; `limit`: too many processes, files or bytes; `died`: the process ended by itself
(`os._exit`, a signal); `tampered`: the instruments were removed or their channel was written to; `environment`: this machine
lacks something that the script may rightly use (LaTeX), or Assay's own part failed – never the script's fault.
"""

Stage = Literal["read", "parse", "import", "discover", "construct", "render", "environment"]
"""Where it ended: reading the file, compiling it, running its top level, looking for scenes, inside `construct` (user code on
the stack), inside Manim's drawing without user code, outside the script."""


class TracebackEntry(_Frozen):
    """One frame of a traceback, outermost first."""

    file: str
    """`scene.py` for the script itself; `manim/…` for Manim; otherwise the path as Python gives it."""
    line: int
    function: str
    code: str = ""
    """The source line, stripped."""


class ScriptError(_Frozen):
    """The exception that ended a script, or the reason it never began."""

    stage: Stage
    type: str
    """Name of the exception's class: `AttributeError`."""
    message: str
    line: int | None = None
    """Line of the script nearest to where it was raised."""
    offset: int | None = None
    """Column, for syntax errors."""
    traceback: tuple[TracebackEntry, ...] = ()
    chain: tuple[str, ...] = ()
    """`Type: message` of the exceptions this one was raised from, nearest first."""
    name: str | None = None
    """The missing name of a `NameError`, `AttributeError`, `ImportError`, if Python tells it."""
    owner: str | None = None
    """Qualified name of the class (or module) of the object that lacks the attribute."""
    missing_program: str | None = None
    """A program that is not installed here (`latex`, `dvisvgm`, `ffmpeg`): the environment's failure."""
    scene: str | None = None


class Camera(_Frozen):
    """What the camera of a scene looks at, in scene units."""

    kind: Literal["plain", "moving", "three_d", "multi"]
    center: tuple[float, float, float] = (0.0, 0.0, 0.0)
    width: float
    height: float
    phi: float = 0.0
    theta: float = 0.0
    gamma: float = 0.0
    """Angles of a three-dimensional camera, in radians."""


class ObjectState(_Frozen):
    """One mobject in one snapshot: a node of the scene graph. `id` is the same in all snapshots of its scene."""

    id: int
    parent: int | None = None
    kind: str
    """Class name."""
    bases: tuple[str, ...] = ()
    """Names of its Manim base classes, nearest first."""
    name: str = ""
    """Variable or attribute that holds it in the script (`title`, `self.axes`, `boxes[2]`), if one does."""
    text: str = ""
    """What it says: the string of a text, the source of a formula, the digits of a number."""
    line: int | None = None
    """Line of the script that created it."""
    lines: tuple[int, ...] = ()
    """All script lines on the stack when it was created, innermost first."""
    outline: str = ""
    """Key of its own points in the recording; empty where it has none (a group)."""
    box: tuple[float, float, float, float] | None = None
    """Left, bottom, right, top of its points and its descendants' points, in view units, without the stroke."""
    order: int = -1
    """Place in the order of drawing, 0 first (furthest back); -1 where it is not drawn."""
    z_index: float = 0.0
    fill: str = ""
    """`#rrggbb`, if it has a fill."""
    fill_opacity: float = 0.0
    stroke: str = ""
    stroke_opacity: float = 0.0
    stroke_width: float = 0.0
    """In view units."""
    background_stroke: str = ""
    background_stroke_width: float = 0.0
    background_stroke_opacity: float = 0.0
    fixed: Literal["", "frame", "orientation"] = ""
    """Exempt from a three-dimensional camera: fixed in the frame, or its orientation only."""
    image: bool = False
    """A picture: its outline is the rectangle's corners."""
    curved: bool = True
    """Its points are cubic Bézier handles, four a curve; otherwise (dots of a cloud, corners of a picture) plain points."""
    animation: str = ""
    """Name of the animation that is changing it at this instant (`FadeOut`), inside plays."""
    updater: bool = False
    owner: int | None = None
    """For pieces of a text or formula that are in the scene by themselves: a number they share."""


class Snapshot(_Frozen):
    """The scene at one instant."""

    index: int
    at_s: float
    """Seconds of the scene's own time."""
    frame: int
    """Number of the video frame, counted at the run's frame rate."""
    play: int
    """Which play or wait it belongs to, from 0."""
    stable: bool
    """After a play or wait; otherwise sampled inside one."""
    moment: str
    """What has just happened: `play FadeIn,Write`, `wait`, `end`."""
    line: int | None = None
    """Script line of the play or wait."""
    camera: Camera
    objects: tuple[ObjectState, ...] = ()
    still: str = ""
    """Name of the picture in the recording, if one was taken."""


class Play(_Frozen):
    """One play or wait of a scene."""

    index: int
    kind: Literal["play", "wait"]
    animations: tuple[str, ...] = ()
    begin_s: float
    end_s: float
    line: int | None = None


class SceneRecord(_Frozen):
    """One scene that was run, to its end or to where it failed."""

    name: str
    bases: tuple[str, ...] = ()
    line: int | None = None
    completed: bool
    duration_s: float = 0.0
    """Length of the animation."""
    wall_s: float = 0.0
    fps: float
    view_width: float
    view_height: float
    pixel_width: int
    pixel_height: int
    background: str = "#000000"
    plays: tuple[Play, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()
    video: str = ""
    """Path of the film inside the recording's folder, if one was rendered."""
    doubts: tuple[str, ...] = ()
    """What could not be recorded, and why."""


class Usage(_Frozen):
    """What a run cost."""

    wall_s: float = 0.0
    cpu_s: float = 0.0
    """Of the script and what it started, without the import of Manim; 0 where it did not come to its end."""
    peak_memory_mb: float = 0.0
    warm: bool = False
    """The worker had Manim imported before the script arrived."""


class Outcome(_Frozen):
    """What running one script yielded."""

    script: str
    """Name of the file."""
    sha256: str
    status: Status
    error: ScriptError | None = None
    scenes: tuple[SceneRecord, ...] = ()
    usage: Usage = Usage()
    manim_version: str = ""
    sandbox: Literal["bubblewrap", "namespaces", "limits", "none"] = "none"
    """What shut the script off; `limits` means resource limits only: files and network were within its reach."""
    log: str = ""
    """What the script printed, at most 20,000 characters, stripped of control codes."""
    reason: str = ""
    """One line for people: why the status is not `rendered`."""
    folder: str = ""
    """The recording's folder: `snapshots.jsonl`, `outlines.bin`, `stills/`, films."""


FindingKind = Literal["overlap", "out_of_bounds", "leak", "occluded", "invisible"]
"""`overlap`: two things collide so that information suffers; `occluded`: one is (almost) wholly hidden by others;
`out_of_bounds`: its main body leaves the frame; `leak`: text out of its box, entries out of their brackets;
`invisible`: text that is drawn but cannot be told from what is behind it."""


class Party(_Frozen):
    """An object that takes part in a finding."""

    id: int
    kind: str
    name: str = ""
    text: str = ""
    line: int | None = None
    box: tuple[float, float, float, float] | None = None


class Span(_Frozen):
    """A stretch of a scene's time in which a finding holds. `stable` if it is seen in a stable frame."""

    begin_s: float
    end_s: float
    begin_frame: int
    end_frame: int
    stable: bool


class Finding(_Frozen):
    """One cause of one scene's defects, over all the time it lasts."""

    id: str
    scene: str
    kind: FindingKind
    parties: tuple[Party, ...]
    alike: tuple[tuple[Party, ...], ...] = ()
    """Parties of what else has the same cause and is not told again: at most twenty."""
    amount: float
    """Worst share seen: of the smaller thing covered, of the body outside, of the text out of its box (0–1)."""
    distance: float = 0.0
    """How far it reaches over the edge at worst, in view units (out of bounds, leak)."""
    spans: tuple[Span, ...]
    total_s: float
    stable: bool
    """Seen in at least one stable frame; those alone decide the spatial pass."""
    worst_snapshot: int
    region: tuple[float, float, float, float] | None = None
    """Where, in view units."""
    sides: tuple[Literal["left", "right", "top", "bottom"], ...] = ()
    message: str
    """One sentence for people: what is wrong."""
    mend: str
    """One sentence: what to change in the script."""
    still: str = ""
    """Marked-up picture, a path beside the report."""


class Exempted(_Frozen):
    """A suspicion that a named rule took back; kept, so that every silence can be explained."""

    rule: str
    kind: FindingKind
    scene: str
    parties: tuple[Party, ...]
    amount: float
    snapshot: int


class SceneAudit(_Frozen):
    """What the spatial audit says of one scene."""

    scene: str
    audited: bool
    """False where nothing could be judged (no stable frame): that is not a pass."""
    stable_frames: int
    clean_frames: int
    sampled_frames: int
    findings: tuple[Finding, ...] = ()
    exempted: tuple[Exempted, ...] = ()
    empty: bool = False
    """No stable frame shows anything."""
    compat: Literal["assay", "prism"] = "assay"
    doubts: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Audited, and every stable frame is clean."""
        return self.audited and self.clean_frames == self.stable_frames


class Check(_Frozen):
    """Everything `assay manim check` says of one script."""

    outcome: Outcome
    audits: tuple[SceneAudit, ...] = ()
    category: str = ""
    """Paper category of the error, see `tools/manim/errors.py`; empty if it rendered."""
    cause: str = ""
    """The finer category."""
    spatial_pass: bool = Field(default=False)
    """Rendered, every scene audited, and every stable frame clean."""
    metrics: dict[str, float | None] = Field(default_factory=dict)
    """PADVC, TD, TextExpand … where measured."""
    notes: tuple[str, ...] = ()
