"""Human acts the hands can carry out. Each is small, typed and can be replayed in a fresh browser."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from tools.browser.marks import Mark


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Target(_Frozen):
    """Where an act is aimed: an element found by selector, at an offset from its middle in shares of its size."""

    selector: str
    frame: str = ""
    role: str = ""
    name: str = ""
    signature: str = ""
    label: str = ""
    """What people call it; it only tells, nothing is found by it."""
    dx: float = Field(default=0.0, ge=-0.5, le=0.5)
    dy: float = Field(default=0.0, ge=-0.5, le=0.5)

    @classmethod
    def of(cls, mark: Mark, *, dx: float = 0.0, dy: float = 0.0) -> Target:
        """Aim at a mark; `dx`, `dy` from −0.5 (left, top) to 0.5 pick another place than its middle (for canvases)."""
        return cls(
            selector=mark.selector, frame=mark.frame, role=mark.role, name=mark.name, signature=mark.signature, dx=dx, dy=dy
        )


class Click(_Frozen):
    """Move there, press and let go. `count` 2 is a double click."""

    act: Literal["click"] = "click"
    target: Target
    button: Literal["left", "right", "middle"] = "left"
    count: int = Field(default=1, ge=1, le=3)


class Hover(_Frozen):
    """Move the pointer there and rest."""

    act: Literal["hover"] = "hover"
    target: Target


class Type(_Frozen):
    """Click into a field (if a target is given), clear it if asked, type with human rhythm, press Enter if asked."""

    act: Literal["type"] = "type"
    target: Target | None = None
    text: str
    clear: bool = True
    submit: bool = False
    names: Literal["", "secret", "code"] = ""
    """`text` is the name of a secret: it is typed, or the one-time code that it gives now; the field shows dots from then on."""


class Select(_Frozen):
    """Choose an option of a native select by its value."""

    act: Literal["select"] = "select"
    target: Target
    value: str


class SetValue(_Frozen):
    """Give a native range, date, time or colour input a value as its widget would: input and change events are fired."""

    act: Literal["set_value"] = "set_value"
    target: Target
    value: str


class Press(_Frozen):
    """Press keys one after another (Playwright names: `ArrowLeft`, `Space`, `Control+z`), each held for `hold_ms`."""

    act: Literal["press"] = "press"
    keys: tuple[str, ...]
    hold_ms: float = Field(default=60.0, ge=0, le=10_000)
    gap_ms: float = Field(default=80.0, ge=0, le=10_000)


class Drag(_Frozen):
    """Press at the target, move to another target or by an offset in CSS pixels with intermediate moves, let go."""

    act: Literal["drag"] = "drag"
    target: Target
    to: Target | None = None
    by: tuple[float, float] = (0.0, 0.0)
    via: tuple[tuple[float, float], ...] = ()
    """Offsets that it passes on its way."""


class Upload(_Frozen):
    """Press what opens a file chooser, and choose these files in it (absolute paths)."""

    act: Literal["upload"] = "upload"
    target: Target
    files: tuple[str, ...]


class Tap(_Frozen):
    """Touch it with a finger and let go. `count` 2 is a double tap."""

    act: Literal["tap"] = "tap"
    target: Target
    count: int = Field(default=1, ge=1, le=2)


class Swipe(_Frozen):
    """Put a finger on the target, draw it by that many CSS pixels, and let go while it moves."""

    act: Literal["swipe"] = "swipe"
    target: Target
    by: tuple[float, float]


class Pinch(_Frozen):
    """Two fingers on the target, moved apart (`scale` above 1) or together (below 1)."""

    act: Literal["pinch"] = "pinch"
    target: Target
    scale: float = Field(ge=0.2, le=5)


class Scroll(_Frozen):
    """Turn the wheel over the target or the middle of the window; CSS pixels, down and right are positive."""

    act: Literal["scroll"] = "scroll"
    dx: float = 0.0
    dy: float = 0.0
    target: Target | None = None


class Wait(_Frozen):
    """Let app time pass and watch."""

    act: Literal["wait"] = "wait"
    ms: float = Field(ge=0, le=60_000)


class Reload(_Frozen):
    """Load the page again."""

    act: Literal["reload"] = "reload"


class GoBack(_Frozen):
    """One step back in history."""

    act: Literal["back"] = "back"


class Goto(_Frozen):
    """Open an address of the site."""

    act: Literal["goto"] = "goto"
    url: str


class Resize(_Frozen):
    """Give the window another size (CSS pixels)."""

    act: Literal["resize"] = "resize"
    width: int = Field(ge=100, le=4096)
    height: int = Field(ge=100, le=4096)


Action = Annotated[
    Click
    | Hover
    | Type
    | Select
    | SetValue
    | Press
    | Drag
    | Upload
    | Tap
    | Swipe
    | Pinch
    | Scroll
    | Wait
    | Reload
    | GoBack
    | Goto
    | Resize,
    Field(discriminator="act"),
]


def describe(action: Action) -> str:  # noqa: C901, PLR0911, PLR0912 - one line for each kind of act
    """The act in one line for people: `click button "Add"`."""
    target = getattr(action, "target", None)
    where = (
        ""
        if target is None
        else f' {target.role or "element"} "{target.name}"'
        if target.name
        else f' "{target.label}"'
        if target.label
        else f" {target.role or target.selector}"
    )
    match action:
        case Click():
            verb = {1: "click", 2: "double-click", 3: "triple-click"}[action.count]
            return f"{'' if action.button == 'left' else action.button + '-'}{verb}{where}"
        case Type(text="", clear=True):
            return f"clear{where or ' what has the focus'}" + (" and press Enter" if action.submit else "")
        case Type():
            return f"type {action.text!r}" + (f" into{where}" if target else "") + (" and press Enter" if action.submit else "")
        case Select():
            return f"select {action.value!r} in{where}"
        case SetValue():
            return f"set{where} to {action.value!r}"
        case Press():
            held = f" for {action.hold_ms:.0f} ms" if action.hold_ms > 200 else ""
            return f"press {' '.join(action.keys)}{held}"
        case Drag():
            to = (
                f'onto {action.to.role or "element"} "{action.to.name}"'
                if action.to
                else f"by ({action.by[0]:.0f}, {action.by[1]:.0f}) px"
            )
            return f"drag{where} {to}"
        case Upload():
            return f"give {', '.join(action.files)} to{where}"
        case Tap():
            return f"{'double-tap' if action.count == 2 else 'tap'}{where}"
        case Swipe():
            return f"swipe{where} by ({action.by[0]:.0f}, {action.by[1]:.0f}) px"
        case Pinch():
            return f"{'spread' if action.scale > 1 else 'pinch'} two fingers on{where} to {action.scale:g} times"
        case Scroll():
            return f"scroll ({action.dx:.0f}, {action.dy:.0f}) px" + (f" over{where}" if target else "")
        case Wait():
            return f"wait {action.ms / 1000:g} s"
        case Goto():
            return f"open {action.url}"
        case Resize():
            return f"resize to {action.width}×{action.height}"
        case Hover():
            return f"hover over{where}"
        case Reload():
            return "reload the page"
        case GoBack():
            return "go back"
