"""Explores an app by trials until its budget of acts is used or everything was tried.

observe → relations and the stubborn tester offer trials → the one worth most here, or the way to where there is one → carry out

A decider (a model, a file, another run's record) offers trials, too: alone, or beside the relations. Beside them it is asked once
relations have shown what there is, and for its share of the acts (`deciding.Part`).
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from agent.deciders.protocol import Decider, Offered, View
from agent.explorer import narrowed_dialogs
from agent.explorer.agenda import PER_ACT, WAY_AT_MOST, Agenda, Offer
from agent.explorer.deciding import BESIDE_RELATIONS, OF_A_CHECKLIST, Part, seen_after_all, still_open
from agent.explorer.emptied import empties
from agent.explorer.judging import demands, seems_broken, shown_too, watched
from agent.explorer.lost_controls import AT_MOST, from_the_start
from agent.explorer.main_flow import ACTS_LEFT, FLOWS_AT_MOST, FLOWS_BEFORE_CHANCE, WORTH_A_STOP, MainFlow, face
from agent.explorer.seen_once import is_about_it, passes
from agent.explorer.states import aliases, signature
from agent.explorer.stubborn import BY, stubborn
from agent.explorer.walking import FIRST, LATEST, Walker
from agent.trials.carrying import carry_out
from agent.trials.settled import quiet, undisturbed
from evaluator.relations.base import NOTHING_ASKED, Brief, Ground, Registered
from evaluator.requirements import Requirements
from tools.browser.tab import TabCrashed, TabHung
from tools.evidence.trial_rows import Noted, Withdrawn
from tools.media.image import Picture
from tools.page.assertions import Clean
from tools.page.model import PageModel
from tools.page.trial_records import TrialRecord
from tools.page.trials import Trial

FAR = 1.0
"""How much more a trial in another state must be worth than the best one here; more, the longer the way that led here, which is
lost then, and the more ways were missed."""
LOST_AT_MOST = 3
"""Ways that did not lead where they should before a state is given up."""
WAITING_AT_MOST = 12
"""Trials that wait and are named to a decider."""

End = Literal[
    "everything was tried", "the checklist is decided", "the budget of acts is used", "the page crashed or hung", "told to stop"
]
Thinking = Callable[[], contextlib.AbstractAsyncContextManager[None]]
"""Entered while a decider thinks: the app's time stands, and somebody counts what it takes."""


@dataclass
class Explorer(Walker):
    """One exploration of one app on one stage."""

    relations: Iterable[Registered]
    today: date
    budget: int
    """Acts."""
    asked: Brief = NOTHING_ASKED
    stop: Callable[[], bool] = lambda: False
    """Asked between trials: whether somebody wants it to end."""
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
    agenda: Agenda = field(default_factory=Agenda)
    withdrawn: frozenset[str] = frozenset()
    """Ids of trials whose expectation the decider took back."""
    failed: dict[str, str] = field(default_factory=dict[str, str])
    """Relations that could not be asked, with the reason."""

    def __post_init__(self) -> None:
        """Nothing is done yet."""
        every = tuple(self.relations)
        self.relations = tuple(registered for registered in every if not registered.always)
        self.always = tuple(assertion for registered in every for assertion in registered.watches)
        super().__post_init__()
        self.lost: dict[str, int] = {}
        self.looked_at: set[str] = set()
        self.read_ms = 0.0
        """App time at which `page` was read."""
        self.queue: deque[Trial] = deque()
        self.beside: tuple[Trial, ...] = ()
        self.agenda.hints = self.hints
        if isinstance(self.asked, Requirements):
            self.agenda.central = {asked.id: asked.central for asked in self.asked}
        self.its_acts = 0
        self.began_again = 0
        self.opened_whole: set[str] = set()
        self.flow: MainFlow | None = None
        self.flows = 0

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
                self.page = await self.afresh()
            elif self.stage.clock.now_ms() != self.read_ms:
                self.page = await quiet(self.stage)  # somebody else let time pass meanwhile
            if self.acts >= self.budget:
                return "the budget of acts is used"
            state = self._offer(self.page)
            end = await (self._choose(self.page, state) if self.flow is None else self._follow(self.flow, self.page, state))
            if end is not None:
                return end
        except (TabHung, TabCrashed):
            return "the page crashed or hung"
        finally:
            self.read_ms = self.stage.clock.now_ms()
        return None if self.stage.state == "live" else "the page crashed or hung"

    # ---- one turn -------------------------------------------------------------------------------------------------------

    async def _choose(self, page: PageModel, state: str) -> End | None:
        """Carry out what is worth most, or go to where it is."""
        offer = self._next(state)
        if self.decider is not None and await self._has_one(offer):
            self.page = await self._try_its(self.queue.popleft(), state)
        elif self._may_follow(offer):
            self.page = await self._set_out()
        elif offer is None:
            return None if self._may_be_asked_again() else "everything was tried"
        elif self._is_decided():
            return "the checklist is decided"
        elif passes(page, self.stage) and not is_about_it(offer, state, page):
            self.page = await undisturbed(self.stage, page)  # what can be tried then is another question
        else:
            self.page = await (self._try(offer) if offer.state == state else self._go(offer.state))
        return None

    def _offer(self, page: PageModel, until: int | None = None) -> str:
        """Take a look: which state it is, and what can be tried there. `until`: as many observations had been made then."""
        state, _ = self.states.enter(page)
        self.looked_at.add(state)
        ground = self._ground(page, until)
        if self.decider is None or not self.decider.alone:
            trials = [trial for relation in self.relations for trial in self._of(relation, ground)]
            start = self.states.pages[self.states.entry]
            known = frozenset(part.key for kind in ("links", "buttons") for part in getattr(start, kind))
            trials += stubborn(ground)
            self.agenda.offer(state, trials, aliases(ground.page, self.states.paths), self._far(state), known)
        return state

    def _far(self, state: str) -> int:
        """Acts that lead to a state from the page as it opens, as far as a way is known."""
        return len(self.states.way(self.states.entry, state) or ())

    def _offer_passed(self, record: TrialRecord) -> None:
        """The same for the states that a trial only passed through: what is in a tab from which a reload led away again."""
        before = len(self.earlier) - len(record.own)
        for number, seen in enumerate(record.own, start=1):
            page = seen.after
            if seen.delivered and not page.layers and signature(page) not in self.looked_at:
                self._offer(page, before + number)

    def _ground(self, page: PageModel, until: int | None = None) -> Ground:
        made = len(self.earlier[:until])
        page, left_out = self.opened_choices.shown_in(page), max(0, made - FIRST - LATEST)
        return Ground(
            page=page,
            today=self.today,
            asked=self.asked.on(page),
            earlier=self.looked_back(until),
            gap=FIRST if made > FIRST + LATEST else 0,
            opened_at=self.opened_at if self.opened_at <= FIRST else max(FIRST, self.opened_at - left_out),
            hand_filled=self.hand_filled,
            refused=dict(self.refused),
            typed=self.typed,
            exercised=frozenset(self.agenda.exercised),
        )

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
        far = (FAR + PER_ACT * min(self._far(state), WAY_AT_MOST)) / self.states.share_found
        if here is None or (there is not None and self.agenda.worth(there) > self.agenda.worth(here) + far):
            return there or here
        return here

    async def _try(self, offer: Offer) -> PageModel:
        """Carry a trial out, of those with the same acts the one that wants most to be looked at; the page after it."""
        offer = max((offer, *self.agenda.alike(offer)), key=lambda each_offer: demands(each_offer.trial))
        record = await self.carry(watched(offer.trial, self.always), offer.state)
        tried = self.tried[-1]
        for other in self.agenda.alike(offer):
            if (shown := shown_too(watched(other.trial, self.always), record, self.writer)) is not None:
                self.keep(replace(self.tried[-1], record=shown))
                self.agenda.note(other, shown, self.asked.exercised((shown,)))
            elif not self.agenda.times[other.identity] and seems_broken(other.trial, record):
                self.agenda.seen_broken.add(other.identity)
        if self.began_again < AT_MOST and (again := from_the_start(record, tried.way, self.entry)) is not None:
            self.began_again += 1
            self.page = await self.afresh()
            record = await self.carry(self.begun(again), self.states.enter(self.page)[0])
        self.agenda.note(offer, record, self.asked.exercised((record,)))
        self._offer_passed(record)
        if self.began_again < AT_MOST and empties(record):
            self.began_again, self.acts = self.began_again + 1, self.acts + 1
            return await self.afresh()
        return await self._where_all_is_listed(record, await self.now(record))

    async def _where_all_is_listed(self, record: TrialRecord, page: PageModel) -> PageModel:
        """A dialog that has come up where a list is narrowed, opened once more where none is; else the page as it is."""
        found = narrowed_dialogs.opener(record, self._ground(page)) if page.layers else None
        if found is None or found[0] in self.opened_whole or len(self.opened_whole) >= narrowed_dialogs.AT_MOST:
            return page
        name, press = found
        if (where := narrowed_dialogs.where(press, self.states)) is None:
            return page
        self.opened_whole.add(name)
        self.acts, self.page = self.acts + 1, await self.afresh()
        if self.states.enter(self.page)[0] != where:
            self.page = await self._go(where)
        if press.target.find(self.page) is None:
            return self.page
        again = Trial(why=f'"{name}" is opened where everything is listed', acts=(press,), asserts=(Clean(),), by="way")
        return await self.now(await self.carry(self.begun(again), self.states.enter(self.page)[0]))

    def _may_follow(self, offer: Offer | None) -> bool:
        """Whether the main flow is followed now: nothing is left to try, or, the first time, nothing but by chance."""
        alone = self.decider is not None and self.decider.alone
        most = FLOWS_AT_MOST if offer is None else FLOWS_BEFORE_CHANCE if offer.trial.by == BY else 0
        return not alone and self.flows < most and self.budget - self.acts >= ACTS_LEFT

    async def _set_out(self) -> PageModel:
        self.flow = MainFlow(stops=self.flows > 0, known={face(page) for page in self.states.pages.values()})
        self.flows, self.acts = self.flows + 1, self.acts + 1
        return await self.afresh()

    async def _follow(self, flow: MainFlow, page: PageModel, state: str) -> None:
        """The next step of the main flow, or what is worth a stop on the way."""
        offer = self.agenda.best(state) if flow.stops else None
        if passes(page, self.stage):
            self.page = await undisturbed(self.stage, page)
        elif offer is not None and self.agenda.worth(offer) >= WORTH_A_STOP:
            self.page = await self._try(offer)
        elif (trial := flow.step(self._ground(page))) is None:
            self.flow = None
        else:
            record = await self.carry(watched(trial, self.always), state)
            self.agenda.exercised |= self.asked.exercised((record,))
            self.page = await self.now(record)

    def _is_decided(self) -> bool:
        """Whether a checklist was given and nothing that is left to try would say more of its items."""
        items = [asked.id for asked in self.asked if asked.listed] if isinstance(self.asked, Requirements) else []
        if not items or (self.decider is not None and not self._its_part_is_over(self.decider)):
            return False
        told = (trial.record for trial in self.tried)
        records = [record.taken_back() if record.id in self.withdrawn else record for record in told]
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
        view = self._view(await self.stage.picture() if decider.sees else None)
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
        self.beside = offered.beside
        return bool(self.queue)

    def _its_turn(self, offer: Offer | None) -> bool:
        return offer is None or self.acts >= self._part.turn * self.budget

    def _its_part_is_over(self, decider: Decider) -> bool:
        """It has ended, or it has had its share beside the relations."""
        part = self._part
        ended = bool(self.offered) and not self.offered[-1].trials and bool(self.offered[-1].why)
        return ended or (not decider.alone and (len(self.offered) >= part.asked or self.its_acts >= part.share * self.budget))

    @property
    def _part(self) -> Part:
        listed = isinstance(self.asked, Requirements) and any(requirement.listed for requirement in self.asked)
        return OF_A_CHECKLIST if listed else BESIDE_RELATIONS

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
            calls_left=max(1, self._part.asked - len(self.offered)),
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
        return left if alone else min(left, max(0, round(self._part.share * self.budget) - self.its_acts))

    async def _try_its(self, trial: Trial, state: str) -> PageModel:
        if trial.afresh and not self.opened:
            self.page = await self.afresh()
            state, _ = self.states.enter(self.page)
        record = await self.carry(watched(trial, self.always), state)
        for other in self.beside:
            if (shown := shown_too(watched(other, self.always), record, self.writer)) is not None:
                self.keep(replace(self.tried[-1], record=shown))
        self.its_acts += max(1, len(record.acts))
        self.agenda.exercised |= self.asked.exercised((record,))
        return await self.now(record)

    # ---- ways -----------------------------------------------------------------------------------------------------------

    async def _go(self, state: str) -> PageModel:
        """The way to a state: from here, else from a fresh page. Where it is missed, the state is given up in the end."""
        now = self.page or await quiet(self.stage)
        here, _ = self.states.enter(now)
        legs = self.states.legs(here, state)
        if legs is None and self.states.legs(self.states.entry, state) is None:
            self.agenda.drop(state)  # no way is left: what it cost to find that out again would be wasted
            return now
        if legs is None:
            self.acts, now = self.acts + 1, await self.afresh()
            here, _ = self.states.enter(now)
            legs = self.states.legs(here, state)
        if legs:
            way = tuple(act for leg in legs for act in leg.acts)
            walk = self.begun(Trial(why="the way to a state", acts=way, asserts=(Clean(),), by="way"))
            record = await carry_out(walk, self.stage, page=now, writer=self.writer)
            self.went(record)
            self.states.missed(here, legs, [seen.after for seen in record.acts if seen.delivered])
            now = await self.now(record)
        if self.states.enter(now)[0] != state:
            self.lost[state] = self.lost.get(state, 0) + 1
            if self.lost[state] >= LOST_AT_MOST or legs is None:
                self.agenda.drop(state)
        return now

    def left(self) -> list[str]:
        """What was not tried, in words, the most worth first."""
        return [offer.trial.words() for offer in self.agenda.rest()]
