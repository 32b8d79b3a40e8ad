"""Rows about trials: the page models they saw (as differences), what was done, what was found.

What a trial, an act or an assertion is, `tools.page` says; here they are JSON values, which `tools.page.rows` reads back.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from tools.evidence.frozen import Frozen


class PageModelSeen(Frozen):
    """What the page was at one instant. Blob where `since` is empty: the whole model, JSON."""

    kind: Literal["page_model"] = "page_model"
    url: str
    since: str = ""
    """Id of the row of the model that this one is told by its difference from."""
    changed: dict[str, Any] = Field(default={})
    """Name of a kind of part → how its list is made of the earlier one's, see `tools.page.rows`; other names → their value."""


class TrialBegun(Frozen):
    """A trial is carried out. The rows of its acts and assertions have this one as their parent."""

    kind: Literal["trial"] = "trial"
    trial: dict[str, Any]
    """As it was made (`tools.page.trials.Trial`), without what is left at its default."""
    words: str
    acts_of: str = ""
    """Id of the trial by whose acts it was judged, for they are its own, too; empty: it was carried out itself."""


class ActDone(Frozen):
    """One act of a trial."""

    kind: Literal["act"] = "act"
    during: Literal["precondition", "acts", "control"]
    act: dict[str, Any]
    words: str
    delivered: bool
    problem: str
    before: str
    after: str
    """Ids of the page models' rows."""
    witness: dict[str, Any]
    """What the other instruments saw (`tools.page.changes.Witness`)."""
    started_ms: float
    ended_ms: float
    screenshot: str = ""
    """Id of the row of the picture after it."""


class AssertionJudged(Frozen):
    """One assertion of a trial, or of its control experiment."""

    kind: Literal["assertion"] = "assertion"
    control: bool = False
    assertion: dict[str, Any]
    words: str
    result: Literal["held", "violated", "cannot tell"]
    seen: str
    models: tuple[str, ...]
    """Ids of the rows of the page models it was judged by."""


class TrialEnded(Frozen):
    """What a trial came to."""

    kind: Literal["trial_ended"] = "trial_ended"
    result: Literal["held", "violated", "explained", "cannot tell", "stopped"]
    stopped: str = ""
    """Why it went no further, as `why: words`."""
    noted: tuple[str, ...] = ()


class WayKnown(Frozen):
    """How one comes to where a trial was tried. Its parent is the trial's row."""

    kind: Literal["trial_way"] = "trial_way"
    way: tuple[dict[str, Any], ...]
    """Acts (`tools.page.trials.Act`) from a fresh page to its state, over the fewest states known."""
    history: tuple[dict[str, Any], ...]
    """All acts since the page was opened afresh; none where only the shortest way was kept: of what held."""
    words: tuple[str, ...]
    """The way's, in words."""


class Withdrawn(Frozen):
    """Whoever made a trial says that its expectation was wrong: it accuses nobody. Its parent is the trial's row."""

    kind: Literal["trial_withdrawn"] = "trial_withdrawn"
    reason: str


class ReadFirst(Frozen):
    """What a model made of the app's source and its untouched page before anybody used it."""

    kind: Literal["first_reading"] = "first_reading"
    model: str
    reply: dict[str, Any]
    """Its answer (`evaluator.judges.replies.StaticReply`) as JSON."""
    rows: tuple[str, ...]
    """Ids of what it was shown."""


class Noted(Frozen):
    """Something odd that whoever explores saw and no assertion says. Its parent is the row of the trial it was seen in."""

    kind: Literal["noted"] = "noted"
    what: str
    where: str = ""
    requirement: str = ""
    """Id of the requirement that it is about."""
    severity: Literal["", "critical", "major", "minor"] = ""
    """How grave whoever saw it calls it; empty: it does not say."""
