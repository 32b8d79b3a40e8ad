"""What a decider sees, and what it offers: trials. Relations need none; a model, a file and another run's record are deciders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from evaluator.requirements import Requirements
from tools.media.image import Picture
from tools.page.model import PageModel
from tools.page.trial_records import TrialRecord
from tools.page.trials import Trial


@dataclass(frozen=True)
class View:
    """What a decider may look at while the app's time stands."""

    brief: str
    requirements: Requirements
    page: PageModel
    """As it is now."""
    picture: Picture | None = None
    """The window as it is now; None for a decider that does not look (`sees`)."""
    tried: tuple[TrialRecord, ...] = ()
    """All trials so far, those of relations among them, oldest first."""
    withdrawn: frozenset[str] = frozenset()
    """Ids of the trials that were taken back."""
    exercised: frozenset[str] = frozenset()
    """Ids of the requirements that an assertion of a trial was about."""
    never_ran: tuple[str, ...] = ()
    """Names of the app's own functions that nothing has run yet."""
    waiting: tuple[str, ...] = ()
    """What relations would try next, in words, the most worth first."""
    states: int = 1
    """Different states of the app that were seen."""
    acts_left: int = 0
    """Of the decider's own share, where relations go on beside it."""
    calls_left: int = 1
    """How often it will be asked yet, this time included."""
    suspicions: tuple[str, ...] = ()
    """What whoever read the source suspects, a line each, `S1 …`."""
    entry_url: str = ""
    hints: tuple[str, ...] = ()
    """Advice typed by a person who watches."""


@dataclass(frozen=True)
class Note:
    """Something odd that was seen, which no assertion says."""

    what: str
    where: str = ""
    requirement: str = ""
    severity: Literal["", "critical", "major", "minor"] = ""


@dataclass(frozen=True)
class Mistaken:
    """A trial of its own whose expectation a decider takes back: id of the trial's row."""

    trial: str
    reason: str


@dataclass(frozen=True)
class Offered:
    """Trials for the page as it is now, carried out in this order.

    Without trials and with `why` the decider has ended; without either it was in trouble, and may be asked again.
    """

    trials: tuple[Trial, ...] = ()
    why: str = ""
    notes: tuple[Note, ...] = ()
    mistaken: tuple[Mistaken, ...] = ()
    trouble: str = ""
    """Why the decider could not be asked; empty where it could."""
    beside: tuple[Trial, ...] = ()
    """What is judged by the acts of the only trial that is offered, too."""


class Decider(Protocol):
    """Offers trials. Keeps no state that `View` does not hold, so that a resumed run goes on the same."""

    name: str
    alone: bool
    """Nobody else offers trials: relations do not go on beside it."""
    sees: bool
    """It wants a picture."""

    async def offer(self, view: View) -> Offered:
        """What to try next."""
        ...
