"""What every decider sees and says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from tools.browser.actions import Action
from tools.browser.marks import Observation
from tools.evidence.rows import Acted, Outcome, Planned


@dataclass(frozen=True)
class Step:
    """One finished step: what was decided, what was done, what an oracle said of it."""

    number: int
    decision: Decision
    acted: Acted
    acted_id: str
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True)
class View:
    """What a decider may look at: the brief, the plan, what is seen now, and what was done so far."""

    brief: str
    plan: Planned
    now: Observation
    steps: tuple[Step, ...] = ()
    steps_left: int = 0
    seconds_left: float = 0.0
    """App seconds."""
    entry_url: str = ""
    hints: tuple[str, ...] = ()
    """Advice typed by a person who watches."""
    past: tuple[Observation, ...] = ()
    """Observations before `now`, oldest first, as far as they are known: what is new on the page is told from them."""


@dataclass(frozen=True)
class Expectation:
    """What should hold after the action. `oracle` names the check in `agent/skills/oracles.py`; `params` are its arguments."""

    oracle: str
    text: str
    params: dict[str, str | float | bool] = field(default_factory=dict)
    promise: str = ""


@dataclass(frozen=True)
class Decision:
    """One action, why, and what should change; or, with `action` None, the wish to stop with a reason."""

    action: Action | None
    why: str
    skill: str = ""
    expectations: tuple[Expectation, ...] = ()
    stop: str = ""
    """`covered` when there is nothing left worth trying."""
    fallback: str = ""
    """Who decided instead of the decider that was asked, and why; empty when it decided itself."""
    calls: tuple[str, ...] = ()
    """Ledger ids of the model calls it came from."""


class Decider(Protocol):
    """Chooses the next action. Keeps no state that `View` does not hold, so that a resumed run decides the same."""

    name: str

    async def decide(self, view: View) -> Decision:
        """The next step."""
        ...
