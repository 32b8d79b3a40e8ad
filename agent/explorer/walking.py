"""Carries trials out on an app's page one after another, and keeps account of where one is and how one came there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, field

from agent.explorer.seen_once import OpenedChoices
from agent.explorer.states import States, signature
from agent.trials.carrying import carry_out, open_afresh
from agent.trials.settled import quiet
from agent.trials.writing import TrialWriter
from evaluator.relations.adding import refused_on
from tools.browser.stage import Stage
from tools.browser.tab import TabCrashed
from tools.page.assertions import Somewhere
from tools.page.assertions.values import BEFORE_RELOAD_MS
from tools.page.model import PageModel
from tools.page.trial_records import ActSeen, TrialRecord, hand_filled
from tools.page.trials import Act, FillForm, Press, Reload, Resize, Trial, Wait, own_act

FIRST, LATEST = 6, 40
"""Observations that relations may look back at: how the app began, and what it was lately."""


@dataclass(frozen=True)
class Tried:
    """A trial that was carried out, and how one comes to where it was."""

    record: TrialRecord
    state: str
    way: tuple[Act, ...]
    """From a fresh page to its state, by the shortest way known."""
    history: tuple[Act, ...]
    """All acts since the page was opened afresh."""


@dataclass
class Walker:
    """Where one is in an app, on one stage, and what was done there."""

    stage: Stage
    entry: str
    _: KW_ONLY
    heard: Callable[[Tried], None] | None = None
    """Told of each trial."""
    states: States = field(default_factory=States)
    tried: list[Tried] = field(default_factory=list[Tried])
    acts: int = 0
    page: PageModel | None = None
    """As it was read last."""
    earlier: list[PageModel] = field(default_factory=list[PageModel])
    """Each observation before an act, oldest first."""
    history: tuple[Act, ...] = ()
    """Acts since the page was opened afresh."""
    hand_filled: frozenset[tuple[str, str]] = frozenset()
    refused: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """What was called wrong in fields, by key."""
    typed: int = 0
    """Forms that were filled."""
    opened: bool = False
    """The page was opened afresh, and nothing was done since."""
    opened_at: int = 0
    """How many observations are of earlier openings."""
    opened_choices: OpenedChoices = field(default_factory=OpenedChoices)

    def __post_init__(self) -> None:
        """Nothing is done yet."""
        self.writer = TrialWriter(self.stage.ledger)

    def looked_back(self, until: int | None = None) -> tuple[PageModel, ...]:
        """What relations may look back at, oldest first; of the first `until` observations, where that is given."""
        seen = self.earlier[:until]
        return (*seen[:FIRST], *seen[FIRST:][-LATEST:])

    async def carry(self, trial: Trial, state: str) -> TrialRecord:
        """Carry a trial out in the state that the page is in, and keep account of it."""
        known = tuple(self.states.pages.values()) if any(isinstance(assertion, Somewhere) for assertion in trial.asserts) else ()
        record = await carry_out(self.begun(trial), self.stage, page=self.page, writer=self.writer, known=known)
        done = landed(seen for seen in record.acts if seen.during != "control")
        if record.scene is not None and record.scene.reloaded is not None:
            done += (Wait(app_ms=BEFORE_RELOAD_MS), Reload())  # an assertion asked for it, and the control began after it
        done += landed(record.during("control"))
        way = self.states.way(self.states.entry, state)
        tried = Tried(record, state, self.history if way is None else way, self.history)
        self.acts += max(1, len(record.acts))
        self.typed += sum(isinstance(own_act(act), FillForm) for act in done)
        before, here = self.history, state
        self.history += done
        for number, seen in enumerate(record.acts, start=1):
            if seen.by_other:
                continue
            self.earlier.append(seen.before)
            self._note(seen)
            to, _ = self.states.enter(seen.after)
            if seen.delivered:
                self.states.led(here, (seen.act,), to)
            if seen.delivered and seen.during != "control":
                self.states.came(to, (*before, *landed(record.acts[:number])))
            here = to
        self.keep(tried)
        return record

    def went(self, record: TrialRecord) -> None:
        """Keep account of a way: what was typed on it, too, was typed by hand."""
        self.acts += len(record.acts)
        self.history += tuple(seen.act for seen in record.acts if seen.delivered)
        for seen in record.own:
            self._note(seen)

    def _note(self, seen: ActSeen) -> None:
        self.hand_filled = hand_filled(self.hand_filled, seen)
        self.opened_choices.note(seen.after)
        for key, value in refused_on(seen.after):
            self.refused[key] = self.refused.get(key, frozenset()) | {value}

    def keep(self, tried: Tried) -> None:
        """Add a trial to what was tried, and tell of it."""
        self.tried.append(tried)
        if self.heard:
            self.heard(tried)

    def begun(self, trial: Trial) -> Trial:
        """The trial, saying so where the page was just opened afresh for it: a replay does so, too."""
        opened, self.opened = self.opened, False
        return trial.model_copy(update={"afresh": True}) if opened and not trial.afresh else trial

    async def now(self, record: TrialRecord) -> PageModel:
        """The page as the trial left it, in a window of the usual size: opened afresh where it fell."""
        if self.stage.state != "live":
            raise TabCrashed("the page is gone")
        page, usual = record.left or await quiet(self.stage), self.stage.settings.viewport
        if page.viewport != (usual.width, usual.height):
            await self.stage.resize(usual)
            self.history += (Resize(width=usual.width, height=usual.height),)
            page = await quiet(self.stage)
        broken = record.stopped is not None and record.stopped.why in {"crashed", "hung"}
        empty = not any((page.texts, page.buttons, page.fields, page.links, page.surfaces))
        return await self.afresh() if broken or empty else page

    async def afresh(self) -> PageModel:
        """Open the app anew; the page as it opens."""
        await open_afresh(self.stage, self.entry)
        self.history, self.opened, self.opened_at = (), True, len(self.earlier)
        return await quiet(self.stage)


def landed(acts: Iterable[ActSeen]) -> tuple[Act, ...]:
    """Acts as far as they came.

    What a first press opens covers the button, so that the second of seven is not delivered: it was pressed once.
    """
    found: list[Act] = []
    for seen in acts:
        if seen.delivered:
            found.append(seen.act)
        elif isinstance(seen.act, Press) and seen.act.times > 1 and signature(seen.before) != signature(seen.after):
            found.append(seen.act.model_copy(update={"times": 1}))
    return tuple(found)
