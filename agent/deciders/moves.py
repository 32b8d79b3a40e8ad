"""What a model may do, as tools: human acts, proposals of the skills, the wish to conclude; and the rules that bind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.addresses import origin
from agent.conduct import normalised, repeats
from agent.deciders.protocol import Decision, Expectation, View
from agent.skills.controls import external
from agent.skills.survey import Candidate
from tools.browser.actions import (
    Action,
    Click,
    Drag,
    GoBack,
    Goto,
    Hover,
    Pinch,
    Press,
    Reload,
    Scroll,
    Select,
    SetValue,
    Swipe,
    Tap,
    Target,
    Type,
    Wait,
)
from tools.browser.marks import Mark
from tools.models.protocol import Tool
from tools.text import printable

MOST_TYPED = 500
LONGEST_WAIT_MS = 10_000.0
SAME_ACT_HERE = 2
"""Two well-formed attempts tell that something is dead; a third tells nothing new."""
SAME_PRESSES_HERE = 6
LEAST_SHARE = 0.5
"""Of its steps a model must have used before it may leave promises untried that proposals could still try."""
WORDS = 300


class Objection(ValueError):
    """Why a move is not made; in our own words only, for they go back to the model."""


class _Move(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    why: str = Field(default="", description="Your reason, one short sentence.")
    expect: str = Field(default="", description="What should be seen afterwards if the app is right.")


class _At(_Move):
    mark: str = Field(description="Id of a mark, for example m7.")
    dx: float = Field(default=0, ge=-0.5, le=0.5, description="Right of its middle, in shares of its width (canvases).")
    dy: float = Field(default=0, ge=-0.5, le=0.5, description="Below its middle, in shares of its height.")


class Clicking(_At):
    """Click a mark."""

    count: int = Field(default=1, ge=1, le=3, description="2 for a double click.")
    button: Literal["left", "right", "middle"] = "left"


class Hovering(_At):
    """Rest the pointer on a mark."""


class Typing(_Move):
    """Type into a field; what it holds is replaced."""

    mark: str = Field(description="Id of the field.")
    text: str
    submit: bool = Field(default=False, description="Press Enter afterwards.")


class Choosing(_Move):
    """Choose an option of a select."""

    mark: str
    option: str = Field(description="The option's name as shown.")


class Setting(_Move):
    """Set a slider, date, time or colour field to a value."""

    mark: str
    value: str


class Pressing(_Move):
    """Press keys one after another, as ArrowLeft, Space, Enter, Control+z."""

    keys: tuple[str, ...] = Field(min_length=1, max_length=30)
    hold_ms: float = Field(default=60, ge=0, le=5000)


class Dragging(_Move):
    """Drag a mark onto another one, or by a distance in pixels."""

    mark: str
    onto: str = Field(default="", description="Id of the mark to let go on.")
    right_px: float = 0
    down_px: float = 0


class Touching(_Move):
    """Use fingers on a mark: tap, swipe by a distance, or pinch."""

    mark: str
    gesture: Literal["tap", "swipe", "pinch"] = "tap"
    right_px: float = 0
    down_px: float = 0
    scale: float = Field(default=2, ge=0.2, le=5, description="Of a pinch: above 1 spreads.")


class Scrolling(_Move):
    """Turn the wheel over the page or over a mark."""

    down_px: float = 600
    right_px: float = 0
    mark: str = ""


class Waiting(_Move):
    """Let app time pass and watch."""

    seconds: float = Field(default=2, ge=0.1, le=LONGEST_WAIT_MS / 1000)


class Reloading(_Move):
    """Load the page again."""


class GoingBack(_Move):
    """Go one step back in the history."""


class Opening(_Move):
    """Open an address of the same site."""

    address: str


class Taking(_Move):
    """Do what a proposal says, with its check."""

    proposal: int = Field(ge=1, description="Number of the proposal.")


class Concluding(_Move):
    """End the exploration: nothing that matters is left."""


MOVES: dict[str, type[_Move]] = {
    "take_proposal": Taking,
    "click": Clicking,
    "hover": Hovering,
    "type_text": Typing,
    "choose_option": Choosing,
    "set_value": Setting,
    "press_keys": Pressing,
    "drag": Dragging,
    "touch": Touching,
    "scroll": Scrolling,
    "wait": Waiting,
    "reload": Reloading,
    "go_back": GoingBack,
    "open_address": Opening,
    "conclude": Concluding,
}
TOOLS = tuple(Tool(name, (one.__doc__ or "").strip(), one) for name, one in MOVES.items())


@dataclass(frozen=True)
class Board:
    """What a move is made on: the view, the proposals as they were numbered, and everything the skills would do."""

    view: View
    proposals: tuple[Candidate, ...]
    known: tuple[Candidate, ...]
    """All that the skills propose here, those they would not do themselves included: their checks fit the same act by hand."""


def decision_of_move(name: str, arguments: dict[str, Any], board: Board) -> Decision:
    """The decision a tool call stands for. Raises `Objection` where it can't be made or the rules of conduct forbid it."""
    move = MOVES[name].model_validate(arguments)
    why = printable(move.why, WORDS) or "no reason given"
    if move.expect:
        why = f"{why} Expects: {printable(move.expect, WORDS)}"
    if isinstance(move, Concluding):
        _may_conclude(board)
        return Decision(action=None, why=why, stop="covered")
    if isinstance(move, Taking):
        if move.proposal > len(board.proposals):
            raise Objection(f"There are {len(board.proposals)} proposals.")
        chosen = board.proposals[move.proposal - 1].decision
        return Decision(chosen.action, f"{why} ({chosen.why})", chosen.skill, chosen.expectations)
    action = _action(move, board.view)
    _may_act(action, board.view)
    known = _same(action, board.known)
    if known is not None:
        return Decision(action, why, known.skill, known.expectations)
    return Decision(action, why, "by hand", _checks(action))


def _action(move: _Move, view: View) -> Action:  # noqa: C901, PLR0911, PLR0912 - one line for each kind of move
    match move:
        case Clicking():
            target = _aim(move.mark, view, move.dx, move.dy)
            return Click(target=target, count=move.count, button=move.button)
        case Hovering():
            return Hover(target=_aim(move.mark, view, move.dx, move.dy))
        case Typing():
            if len(move.text) > MOST_TYPED:
                raise Objection(f"Type at most {MOST_TYPED} characters: ordinary input, as a person would.")
            return Type(target=_aim(move.mark, view), text=move.text, submit=move.submit)
        case Choosing():
            return _choice(move, view)
        case Setting():
            return SetValue(target=_aim(move.mark, view), value=move.value[:100])
        case Pressing():
            return Press(keys=move.keys, hold_ms=move.hold_ms)
        case Dragging():
            to = _aim(move.onto, view) if move.onto else None
            return Drag(target=_aim(move.mark, view), to=to, by=(move.right_px, move.down_px))
        case Touching(gesture="tap"):
            return Tap(target=_aim(move.mark, view))
        case Touching(gesture="swipe"):
            return Swipe(target=_aim(move.mark, view), by=(move.right_px, move.down_px))
        case Touching():
            return Pinch(target=_aim(move.mark, view), scale=move.scale)
        case Scrolling():
            target = _aim(move.mark, view) if move.mark else None
            return Scroll(dx=move.right_px, dy=move.down_px, target=target)
        case Waiting():
            return Wait(ms=move.seconds * 1000)
        case Reloading():
            return Reload()
        case GoingBack():
            return GoBack()
        case Opening():
            if origin(move.address) != origin(view.entry_url):
                raise Objection("Only addresses of the app's own site can be opened.")
            return Goto(url=move.address)
        case _:
            raise Objection("That is no act.")


def _choice(move: Choosing, view: View) -> Select:
    mark = _mark(move.mark, view)
    names = mark.option_names or mark.options
    for value, name in zip(mark.options, names, strict=False):
        if move.option in (name, value):
            return Select(target=Target.of(mark), value=value)
    raise Objection(f"{mark.id} has no such option; it has {len(mark.options)}.")


def _mark(given: str, view: View) -> Mark:
    mark = view.now.mark(given.strip().strip("[]"))
    if mark is None:
        raise Objection(f"There is no such mark now; there are {len(view.now.marks)}, named m1, m2 and so on.")
    return mark


def _aim(given: str, view: View, dx: float = 0, dy: float = 0) -> Target:
    mark = _mark(given, view)
    if mark.disabled:
        raise Objection(f"{mark.id} is disabled.")
    if mark.covered:
        raise Objection(f"{mark.id} is covered by something else: deal with that first.")
    return Target.of(mark, dx=dx, dy=dy)


def _may_act(action: Action, view: View) -> None:
    """The rules of conduct that a model might forget."""
    target = getattr(action, "target", None)
    if isinstance(action, Click | Tap) and target is not None:
        mark = next((one for one in view.now.marks if one.selector == target.selector and one.frame == target.frame), None)
        if mark is not None and external(mark, view.entry_url or view.now.url):
            raise Objection("That link leads to another site; other sites are not followed.")
    if isinstance(action, Wait | Scroll):
        return
    most = SAME_PRESSES_HERE if isinstance(action, Press) else SAME_ACT_HERE
    if repeats(view, action) >= most:
        raise Objection(f"That act was done {most} times on this very state of the page without a new outcome.")


def _may_conclude(board: Board) -> None:
    """Leaving early is refused while something promised is untried that could be tried."""
    view = board.view
    if not board.proposals:
        return
    settled = {told.promise for step in view.steps for told in step.outcomes if told.held is not None}
    open_ones = [promise.id for promise in view.plan.promises if promise.id not in settled]
    total = len(view.steps) + view.steps_left
    early = len(view.steps) < total * LEAST_SHARE
    if early and (open_ones or len(view.steps) < 3):
        raise Objection(
            f"Too early to conclude: {view.steps_left} steps are left, {len(open_ones)} promises are not tried yet "
            f"({', '.join(open_ones[:8])}), and there are proposals."
        )


def _same(action: Action, known: tuple[Candidate, ...]) -> Decision | None:
    """What a skill would have meant by the same act."""
    wanted = normalised(action)
    return next(
        (one.decision for one in known if one.decision.action is not None and normalised(one.decision.action) == wanted), None
    )


def _checks(action: Action) -> tuple[Expectation, ...]:
    """The check that fits an act that no skill proposed: something has to react to a press of a control."""
    if isinstance(action, Click | Tap) and action.target.role in ("button", "link", "tab", "checkbox", "switch", "menuitem"):
        return (Expectation("responds", f'pressing "{action.target.name}" has an effect'),)
    return ()
