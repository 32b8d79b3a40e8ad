"""Explores an app by trials until its budget of acts is used or everything was tried.

observe → relations and the stubborn tester offer trials → the one worth most here, or the way to where there is one → carry out

A decider (a model, a file, another run's record) offers trials, too: alone, or beside the relations. Beside them it is asked once
relations have shown what there is (`ITS_TURN`), and for its share of the acts.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from agent.deciders.protocol import Decider, Offered, View
from agent.explorer.agenda import Agenda, Offer
from agent.explorer.deciding import seen_after_all, still_open
from agent.explorer.judging import demands, shown_too, watched
from agent.explorer.lost_controls import AT_MOST, from_the_start
from agent.explorer.seen_once import OpenedChoices, is_about_it, passes
from agent.explorer.states import States, aliases
from agent.explorer.stubborn import stubborn
from agent.trials.carrying import carry_out, open_afresh
from agent.trials.settled import quiet, undisturbed
from agent.trials.writing import TrialWriter
from evaluator.relations.base import NOTHING_ASKED, Brief, Ground, Registered
from evaluator.requirements import Requirements
from tools.browser.stage import Stage
from tools.browser.tab import TabCrashed, TabHung
from tools.evidence.trial_rows import Noted, Withdrawn
from tools.media.image import Picture
from tools.page.assertions import Clean, Somewhere
from tools.page.model import PageModel
from tools.page.trial_records import TrialRecord, hand_filled
from tools.page.trials import Act, FillForm, Reload, Resize, Trial, own_act

FIRST, LATEST = 6, 40
"""Observations that relations may look back at: how the app began, and what it was lately."""
FAR = 1.0
"""How much more a trial in another state must be worth than the best one here."""
LOST_AT_MOST = 3
"""Ways that did not lead where they should before a state is given up."""
WAITING_AT_MOST = 12
"""Trials that wait and are named to a decider."""
ITS_TURN, ITS_SHARE, ASKED_AT_MOST = 0.3, 0.5, 8
"""Shares of the acts after which a decider beside the relations is asked, and that its trials may take; how often it is asked."""
LISTED_TURN, LISTED_SHARE, LISTED_ASKED = 0.12, 0.75, 10
"""The same where a checklist was given: each of its items is the decider's to try."""

End = Literal[
    "everything was tried", "the checklist is decided", "the budget of acts is used", "the page crashed or hung", "told to stop"
]
Thinking = Callable[[], contextlib.AbstractAsyncContextManager[None]]
"""Entered while a decider thinks: the app's time stands, and somebody counts what it takes."""


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
class Explorer:
    """One exploration of one app on one stage."""

    stage: Stage
    entry: str
    relations: Iterable[Registered]
    today: date
    budget: int
    """Acts."""
    asked: Brief = NOTHING_ASKED
    stop: Callable[[], bool] = lambda: False
    """Asked between trials: whether somebody wants it to end."""
    heard: Callable[[Tried], None] | None = None
    """Told of each trial."""
    decider: Decider | None = None
    brief: str = ""
    """Its words, for the decider."""
    suspicions: tuple[str, ...] = ()
    """What whoever read the source suspects, for the decider."""
    hints: list[str] = field(default_factory=list[str])
    """Advice typed by a person who watches, for the decider."""
    thinking: Thinking = contextlib.nullcontext
    offered: list[Offered] = field(default_factory=list[Offered])
    """What the decider answered, each time it was asked."""
    states: States = field(default_factory=States)
    agenda: Agenda = field(default_factory=Agenda)
    tried: list[Tried] = field(default_factory=list[Tried])
    acts: int = 0
    withdrawn: frozenset[str] = frozenset()
    """Ids of trials whose expectation the decider took back."""
    failed: dict[str, str] = field(default_factory=dict[str, str])
    """Relations that could not be asked, with the reason."""

    def __post_init__(self) -> None:
        """Nothing is done yet."""
        every = tuple(self.relations)
        self.relations = tuple(registered for registered in every if not registered.always)
        self.always = tuple(assertion for registered in every for assertion in registered.watches)
        self.writer = TrialWriter(self.stage.ledger)
        self.earlier: list[PageModel] = []
        self.history: tuple[Act, ...] = ()
        self.hand_filled: frozenset[tuple[str, str]] = frozenset()
        self.typed = 0
        self.lost: dict[str, int] = {}
        self.page: PageModel | None = None
        self.read_ms = 0.0
        """App time at which `page` was read."""
        self.queue: deque[Trial] = deque()
        self.opened_choices = OpenedChoices()
        self.agenda.hints = self.hints
        self.its_acts = 0
        self.opened, self.began_again = False, 0
        self.opened_at = 0
        """How many observations are of earlier openings."""

    async def run(self) -> End:
        """Explore from the page as it is opened afresh. Why it ended."""
        while (end := await self.turn()) is None:
            if self.stop():
                return "told to stop"
        return end

    async def turn(self) -> End | None:
        """One trial, or the way to one; why nothing more is tried, None while something may be."""
        try:
            if self.page is None:
                self.page = await self._afresh()
            elif self.stage.clock.now_ms() != self.read_ms:
                self.page = await quiet(self.stage)  # somebody else let time pass meanwhile
            if self.acts >= self.budget:
                return "the budget of acts is used"
            state = self._offer(self.page)
            offer = self._next(state)
            if self.decider is not None and await self._has_one(offer):
                self.page = await self._try_its(self.queue.popleft(), state)
                return None
            if offer is None:
                return None if self._may_be_asked_again() else "everything was tried"
            if self._is_decided():
                return "the checklist is decided"
            if passes(self.page, self.stage) and not is_about_it(offer, state, self.page):
                self.page = await undisturbed(self.stage, self.page)
                return None  # what can be tried then is another question
            self.page = await (self._try(offer) if offer.state == state else self._go(offer.state))
        except (TabHung, TabCrashed):
            return "the page crashed or hung"
        finally:
            self.read_ms = self.stage.clock.now_ms()
        return None if self.stage.state == "live" else "the page crashed or hung"

    # ---- one turn -------------------------------------------------------------------------------------------------------

    def _offer(self, page: PageModel) -> str:
        """Take a look: which state it is, and what can be tried there."""
        state, _ = self.states.enter(page)
        page, left_out = self.opened_choices.shown_in(page), max(0, len(self.earlier) - FIRST - LATEST)
        ground = Ground(
            page=page,
            today=self.today,
            asked=self.asked.on(page),
            earlier=self._seen(),
            gap=FIRST if len(self.earlier) > FIRST + LATEST else 0,
            opened_at=self.opened_at if self.opened_at <= FIRST else max(FIRST, self.opened_at - left_out),
            hand_filled=self.hand_filled,
            typed=self.typed,
            exercised=frozenset(self.agenda.exercised),
        )
        if self.decider is None or not self.decider.alone:
            trials = [trial for relation in self.relations for trial in self._of(relation, ground)]
            self.agenda.offer(state, [*trials, *stubborn(ground)], aliases(page, self.states.paths))
        return state

    def _seen(self) -> tuple[PageModel, ...]:
        """What relations may look back at, oldest first."""
        return (*self.earlier[:FIRST], *self.earlier[FIRST:][-LATEST:])

    def _of(self, relation: Registered, ground: Ground) -> list[Trial]:
        """A relation's trials. One that fails is our own fault: it is set aside, and said so, and the others go on."""
        if relation.name in self.failed:
            return []
        try:
            trials = list(relation.trials(ground))
            return [trial for trial in trials if trial.requirements] if relation.only_asked else trials
        except Exception as error:  # noqa: BLE001 - whatever a relation trips over, the run must not end by it
            self.failed[relation.name] = f"{type(error).__name__}: {error}"
            return []

    def _next(self, state: str) -> Offer | None:
        here, others = self.agenda.best(state), self.agenda.elsewhere(state)
        there = others[0] if others else None
        if here is None or (there is not None and self.agenda.worth(there) > self.agenda.worth(here) + FAR):
            return there or here
        return here

    async def _try(self, offer: Offer) -> PageModel:
        """Carry a trial out, of those with the same acts the one that wants most to be looked at; the page after it."""
        offer = max((offer, *self.agenda.alike(offer)), key=lambda each_offer: demands(each_offer.trial))
        record = await self._carry(watched(offer.trial, self.always), offer.state)
        tried = self.tried[-1]
        for other in self.agenda.alike(offer):
            if (shown := shown_too(watched(other.trial, self.always), record, self.writer)) is not None:
                self._keep(replace(self.tried[-1], record=shown))
                self.agenda.note(other, shown, self.asked.exercised((shown,)))
        if self.began_again < AT_MOST and (again := from_the_start(record, tried.way, self.entry)) is not None:
            self.began_again += 1
            self.page = await self._afresh()
            record = await self._carry(self._begun(again), self.states.enter(self.page)[0])
        self.agenda.note(offer, record, self.asked.exercised((record,)))
        return await self._now(record)

    async def _carry(self, trial: Trial, state: str) -> TrialRecord:
        """Carry a trial out in the state that the page is in, and keep account of it."""
        known = tuple(self.states.pages.values()) if any(isinstance(assertion, Somewhere) for assertion in trial.asserts) else ()
        record = await carry_out(self._begun(trial), self.stage, page=self.page, writer=self.writer, known=known)
        done = tuple(seen.act for seen in record.acts if seen.delivered and seen.during != "control")
        if record.scene is not None and record.scene.reloaded is not None:
            done += (Reload(),)  # an assertion asked for it, and the control began after it
        done += tuple(seen.act for seen in record.during("control") if seen.delivered)
        way = self.states.way(self.states.entry, state)
        tried = Tried(record, state, self.history if way is None else way, self.history)
        self.acts += max(1, len(record.acts))
        self.typed += sum(isinstance(own_act(act), FillForm) for act in done)
        self.history += done
        here = state
        for seen in record.own:
            self.earlier.append(seen.before)
            self.hand_filled = hand_filled(self.hand_filled, seen)
            self.opened_choices.note(seen.after)
            to, _ = self.states.enter(seen.after)
            if seen.delivered:
                self.states.led(here, (seen.act,), to)
            here = to
        self._keep(tried)
        return record

    def _keep(self, tried: Tried) -> None:
        self.tried.append(tried)
        if self.heard:
            self.heard(tried)

    def _begun(self, trial: Trial) -> Trial:
        """The trial, saying so where the page was just opened afresh for it: a replay does so, too."""
        opened, self.opened = self.opened, False
        return trial.model_copy(update={"afresh": True}) if opened and not trial.afresh else trial

    def _is_decided(self) -> bool:
        """Whether a checklist was given and nothing that is left to try would say more of its items."""
        items = [asked.id for asked in self.asked if asked.listed] if isinstance(self.asked, Requirements) else []
        if not items or (self.decider is not None and not self._its_part_is_over(self.decider)):
            return False
        records = [trial.record for trial in self.tried if trial.record.id not in self.withdrawn]
        answered = any(not offered.trouble for offered in self.offered)
        return not still_open(items, records, self.agenda.about(), over=answered)

    def look_back(self) -> None:
        """Take back what a trial called missing and some view shows. At the end: only then is every view known."""
        records = [each_trial.record for each_trial in self.tried if each_trial.record.id not in self.withdrawn]
        for trial, reason in seen_after_all(records).items():
            self.withdrawn |= {trial}
            self.stage.ledger.append(Withdrawn(reason=reason[:300]), producer="explorer", parent=trial)

    # ---- a decider's turn -------------------------------------------------------------------------------------------------

    async def _has_one(self, offer: Offer | None) -> bool:
        """Whether a trial of the decider's is next; it is asked where it is its turn."""
        decider = self.decider
        if decider is None or self.queue:
            return bool(self.queue)
        if self._its_part_is_over(decider) or (not decider.alone and not self._its_turn(offer)):
            return False
        picture = await self.stage.picture() if decider.sees else None
        view = self._view(picture)
        async with self.thinking():
            offered = await decider.offer(view)
        self.offered.append(offered)
        for note in offered.notes:
            parent = self.tried[-1].record.id if self.tried else None
            body = Noted(what=note.what, where=note.where, requirement=note.requirement, severity=note.severity)
            self.stage.ledger.append(body, producer=f"decider.{decider.name}", parent=parent)
        for mistaken in offered.mistaken:
            self.withdrawn |= {mistaken.trial}
            self.stage.ledger.append(Withdrawn(reason=mistaken.reason), producer=f"decider.{decider.name}", parent=mistaken.trial)
        self.queue.extend(offered.trials)
        return bool(self.queue)

    def _its_turn(self, offer: Offer | None) -> bool:
        return offer is None or self.acts >= self._shares[0] * self.budget

    def _its_part_is_over(self, decider: Decider) -> bool:
        """It has ended, or it has had its share beside the relations."""
        _, share, often = self._shares
        ended = bool(self.offered) and not self.offered[-1].trials and bool(self.offered[-1].why)
        return ended or (not decider.alone and (len(self.offered) >= often or self.its_acts >= share * self.budget))

    @property
    def _shares(self) -> tuple[float, float, int]:
        listed = isinstance(self.asked, Requirements) and any(requirement.listed for requirement in self.asked)
        return (LISTED_TURN, LISTED_SHARE, LISTED_ASKED) if listed else (ITS_TURN, ITS_SHARE, ASKED_AT_MOST)

    def _view(self, picture: Picture | None) -> View:
        assert self.page is not None  # noqa: S101 - a turn begins with a look
        return View(
            brief=self.brief,
            requirements=self.asked if isinstance(self.asked, Requirements) else Requirements(),
            page=self.page,
            picture=picture,
            tried=tuple(trial.record for trial in self.tried),
            withdrawn=self.withdrawn,
            exercised=frozenset(self.agenda.exercised),
            never_ran=self.stage.code.never_ran(),
            waiting=tuple(self.left()[:WAITING_AT_MOST]),
            states=len(self.states.pages),
            acts_left=self._acts_left(),
            calls_left=max(1, self._shares[2] - len(self.offered)),
            suspicions=self.suspicions,
            entry_url=self.entry,
            hints=tuple(self.hints),
        )

    def _may_be_asked_again(self) -> bool:
        """A decider that is alone was in trouble this time, and has not given up."""
        last = self.offered[-1] if self.offered and self.decider is not None and self.decider.alone else None
        return last is not None and bool(last.trouble) and not last.why

    def _acts_left(self) -> int:
        left = self.budget - self.acts
        alone = self.decider is None or self.decider.alone
        return left if alone else min(left, max(0, round(self._shares[1] * self.budget) - self.its_acts))

    async def _try_its(self, trial: Trial, state: str) -> PageModel:
        if trial.afresh and not self.opened:
            self.page = await self._afresh()
            state, _ = self.states.enter(self.page)
        record = await self._carry(watched(trial, self.always), state)
        self.its_acts += max(1, len(record.acts))
        self.agenda.exercised |= self.asked.exercised((record,))
        return await self._now(record)

    async def _now(self, record: TrialRecord) -> PageModel:
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
        return await self._afresh() if broken or empty else page

    # ---- ways -----------------------------------------------------------------------------------------------------------

    async def _afresh(self) -> PageModel:
        await open_afresh(self.stage, self.entry)
        self.history, self.opened, self.opened_at = (), True, len(self.earlier)
        return await quiet(self.stage)

    async def _go(self, state: str) -> PageModel:
        """The way to a state: from here, else from a fresh page. Where it is missed, the state is given up in the end."""
        now = self.page or await quiet(self.stage)
        here, _ = self.states.enter(now)
        legs = self.states.legs(here, state)
        if legs is None and self.states.legs(self.states.entry, state) is None:
            self.agenda.drop(state)  # no way is left: what it cost to find that out again would be wasted
            return now
        if legs is None:
            now = await self._afresh()
            self.acts += 1
            here, _ = self.states.enter(now)
            legs = self.states.legs(here, state)
        if legs:
            way = tuple(act for leg in legs for act in leg.acts)
            walk = self._begun(Trial(why="the way to a state", acts=way, asserts=(Clean(),), by="way"))
            record = await carry_out(walk, self.stage, page=now, writer=self.writer)
            self.acts += len(record.acts)
            self.history += tuple(seen.act for seen in record.acts if seen.delivered)
            self.states.missed(here, legs, [seen.after for seen in record.acts if seen.delivered])
            now = await self._now(record)
        if self.states.enter(now)[0] != state:
            self.lost[state] = self.lost.get(state, 0) + 1
            if self.lost[state] >= LOST_AT_MOST or legs is None:
                self.agenda.drop(state)
        return now

    def left(self) -> list[str]:
        """What was not tried, in words, the most worth first."""
        return [offer.trial.words() for offer in self.agenda.rest()]
