"""Carries a trial out on a stage: its acts, what the page was between them, its assertions, and on a violation its control.

What that amounts to (held, violated, explained …): `tools/page/trial_records.py: TrialRecord.result`.
App time stands between acts. Every wait ends when the page is quiet in app time: a slow machine sees what a fast one does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from agent.trials.persons import Person, joined, of_others, others_later
from agent.trials.settled import later, quiet
from agent.trials.stops import Stop
from agent.trials.writing import TrialWriter
from tools.browser.actions import Reload
from tools.browser.stage import Stage
from tools.browser.tab import TabCrashed, TabHung
from tools.evidence.rows import DialogShown, PageEvent
from tools.page import trials
from tools.page.assertions import (
    AsFast,
    Assertion,
    Kept,
    Moves,
    Outcome,
    Pace,
    Scene,
    SeenByOther,
    Shown,
    Somewhere,
    Still,
    Target,
)  # fmt: skip
from tools.page.assertions.base import cannot_tell
from tools.page.assertions.values import BEFORE_RELOAD_MS
from tools.page.changes import Beat, Witness, all_of
from tools.page.login_acts import ToLogIn
from tools.page.model import PageModel
from tools.page.trial_records import ActSeen, Judged, Stopped, TrialRecord
from tools.page.trial_records import Stage as During
from tools.page.trials import Act, ByOther, Trial, has_other, own_act

PATIENCE_MS = (400.0, 1_200.0, 3_000.0)
"""App time that an assertion which does not hold is given, look after look: what is late is not missing."""
_QUESTIONS = frozenset({"confirm", "prompt", "beforeunload"})
_LED_AWAY = frozenset({"target gone", "navigated"})
_LEAD_ELSEWHERE = (
    trials.Press,
    trials.FillForm,
    trials.Choose,
    trials.Keys,
    trials.Reload,
    trials.Back,
    trials.NewTab,
    trials.Visit,
    trials.Forget,
    trials.Point,
    ToLogIn,
)
"""Acts after which another page is no surprise."""
NOT_WAITED_FOR = (Moves, Still, Pace, Kept, AsFast)
"""What these say needs a look of its own, or was measured already."""


async def carry_out(
    trial: Trial,
    stage: Stage,
    *,
    fresh: str = "",
    page: PageModel | None = None,
    writer: TrialWriter | None = None,
    known: Iterable[PageModel] = (),
) -> TrialRecord:
    """What came of a trial, also written into the stage's ledger.

    `fresh`: an address that is opened first with nothing stored, from which the precondition leads to the state; empty: the trial
    begins in the state the page is in. `page`: that state, where it was read and app time stands since; None: it is looked at.
    App time stands when this returns. `writer` keeps the page models of several trials of one stage apart from each other by
    their differences; give the same one each time. `known`: other views of the app that were seen, for what is looked for
    anywhere. Raises nothing for what the page does.
    """
    return await _Carrying(trial, stage, writer or TrialWriter(stage.ledger), tuple(known)).run(fresh, page)


async def open_afresh(stage: Stage, address: str) -> None:
    """Open an address as for the first time: of what the site stored only what let the browser in is left, if anything did.

    What its server keeps is not undone.
    """
    await stage.clock.release()
    await stage.auth.put_back(stage.tab)
    await stage.goto(address)
    if stage.arrived is not None:
        await stage.arrived()


@dataclass
class _Carrying:
    """One trial under way."""

    trial: Trial
    stage: Stage
    writer: TrialWriter
    known: tuple[PageModel, ...] = ()
    acts: list[ActSeen] = field(default_factory=list[ActSeen])
    noted: list[str] = field(default_factory=list[str])
    typed: dict[str, None] = field(default_factory=dict[str, None])
    """Texts that were typed so far, in order."""
    other: Person | None = None
    """Another one, where the trial needs one."""

    async def run(self, fresh: str, page: PageModel | None) -> TrialRecord:
        self.me = Person(self.stage)
        row = self.writer.begin(self.trial)
        record = TrialRecord(trial=self.trial, id=row)
        try:
            record = await self._whole(record, fresh, page)
        except Stop as stop:
            record = record.model_copy(update={"stopped": self._stopped(stop, "precondition")})
        except (TabHung, TabCrashed) as fault:
            why = "hung" if isinstance(fault, TabHung) else "crashed"
            record = record.model_copy(update={"stopped": self._stopped(Stop(why, fault.message), "acts")})
        finally:
            self.me.watch.close()
            if self.other is not None:
                await self.other.stage.close()
        left = self.me.left if self.stage.state == "live" else None
        record = record.model_copy(update={"acts": tuple(self.acts), "noted": tuple(dict.fromkeys(self.noted)), "left": left})
        self.writer.end(record)
        return record

    async def _whole(self, record: TrialRecord, fresh: str, page: PageModel | None) -> TrialRecord:
        if fresh:
            await open_afresh(self.stage, fresh)
        if fresh or page is None:
            page = await quiet(self.stage)
        self.me.left = page
        if has_other(self.trial):
            self.other = await joined(self.stage, fresh or self.stage.entry)
            page = await self.me.look()
        page, stopped = await self._do(self.trial.precondition, "precondition", page)
        before, led = page, len(self.acts)
        self._begin()
        if stopped is None:
            page, stopped = await self._do(self.trial.acts, "acts", page)
        update: dict[str, Any] = {"stopped": stopped}
        if stopped is None:
            scene, late_ms = await self._scene(self.trial.asserts, before, page, led)
            update |= {"scene": scene, "late_ms": late_ms, "judged": self._judge(self.trial.asserts, scene)}
        else:
            scene = Scene(before=before, after=page, witness=self._witness("acts"))
            update |= {"scene": scene, "judged": self._cut_short(scene, stopped)}
        record = record.model_copy(update=update)
        if (
            stopped is None
            and self.trial.control is not None
            and any(judgement.outcome.result == "violated" for judgement in record.judged)
        ):
            record = record.model_copy(update={"control": await self._control(self.trial.control, record.scene)})
        return record

    # ---- acts -----------------------------------------------------------------------------------------------------------

    async def _do(self, acts: tuple[Act, ...], during: During, page: PageModel) -> tuple[PageModel, Stopped | None]:
        """One act after the other; the page after them, and why it went no further."""
        for number, act in enumerate(acts):
            last = during != "precondition" and all(isinstance(own_act(each_act), trials.Wait) for each_act in acts[number + 1 :])
            who, page_there = (self.other, self.other.left) if self.other and isinstance(act, ByOther) else (self.me, page)
            before, began_ms = page_there or await who.look(), self.stage.clock.now_ms()
            try:
                seen, stop = await self._one(act, who, during, before)
                if self.other is not None:
                    await (self.me if who is self.other else self.other).look()
            except (TabHung, TabCrashed) as fault:
                self._fell(act, during, before, began_ms, fault)
                raise
            self.acts.append(seen.model_copy(update={"id": self.writer.act(seen, who.watch.readings, who.watch.after)}))
            agrees = number + 1 < len(acts) and isinstance(own_act(acts[number + 1]), trials.Agree)
            stop = stop or self._surprise(seen, who, last=last, foreseen=agrees)
            page = self.me.left or page
            if stop is not None:
                return page, self._stopped(stop, during, number)
        return page, None

    def _begin(self) -> None:
        """From here on the acts count, or those of the control."""
        for person in filter(None, (self.me, self.other)):
            person.begin()

    async def _one(self, act: Act, who: Person, during: During, page: PageModel) -> tuple[ActSeen, Stop | None]:
        """One act as it was carried out, and why it was not. `page`: of who does it."""
        began_ms, elsewhere = self.stage.clock.now_ms(), self.me if who is self.other else self.other
        await who.watch.begin()
        who.left = None
        stop, done = None, own_act(act)
        try:
            before = [act_seen.before for act_seen in self.acts if act_seen.by_other == (who is self.other)]
            who.actor.earlier = before[-1] if before else None
            who.actor.followed = elsewhere.left.url if elsewhere is not None and elsewhere.left is not None else ""
            done = await who.actor.carry_out(done, page)
        except Stop as reason:
            stop = reason
        done_ms = self.stage.clock.now_ms()
        after = who.left = await quiet(who.stage, page)
        self.typed |= dict.fromkeys(texts_of(done))
        idle_ms = self.stage.clock.now_ms() - began_ms if isinstance(done, trials.Wait) else 0.0
        witness = await who.watch.end(self.typed, idle_ms=idle_ms)
        who.seen.append((page, witness))
        seen = ActSeen(
            act=ByOther(act=done) if who is self.other else done, during=during, problem="; ".join(who.actor.problems),
            delivered=stop is None, before=page, after=after, witness=witness, started_ms=began_ms,
            ended_ms=self.stage.clock.now_ms(), waited_ms=self.stage.clock.now_ms() - done_ms,
        )  # fmt: skip
        return seen, stop

    def _fell(self, act: Act, during: During, page: PageModel, began_ms: float, fault: TabHung | TabCrashed) -> None:
        """The act after which the page answered no more: it is what broke it, and the page after it was not seen."""
        seen = ActSeen(
            act=act, during=during, problem=fault.message, before=page, after=page,
            started_ms=began_ms, ended_ms=self.stage.clock.now_ms(),
        )  # fmt: skip
        self.acts.append(seen.model_copy(update={"id": self.writer.act(seen)}))

    def _surprise(self, seen: ActSeen, who: Person, *, last: bool, foreseen: bool = False) -> Stop | None:
        """What happened that the trial does not foresee; with `foreseen`, a question is.

        After its last act, waits aside, it is only noted: the assertions can be judged.
        """
        found: list[Stop] = [Stop("exception", message) for message in who.watch.thrown()]
        for dialog in who.watch.heard(DialogShown):
            words = f'the page asked by {dialog.variety}: "{dialog.message[:120]}"; it was answered with {dialog.answer}'
            self.noted.append(words)
            if dialog.variety in _QUESTIONS and not foreseen:
                found.append(Stop("dialog", words))
        for event in who.watch.heard(PageEvent):
            self.noted.append(f"{event.event}: {event.detail}"[:200])
            if event.event == "navigation" and "refused" in event.detail:
                found.append(Stop("navigated", event.detail))
        elsewhere = seen.before.document != seen.after.document and not isinstance(own_act(seen.act), _LEAD_ELSEWHERE)
        if elsewhere:
            found.append(Stop("navigated", f"{seen.act.words()} led to {seen.after.url}"))
        self.noted += [stop.words for stop in found]
        return found[0] if found and not last else None

    def _stopped(self, stop: Stop, during: During, number: int | None = None) -> Stopped:
        act = number if number is not None else max(0, len([act_seen for act_seen in self.acts if act_seen.during == during]) - 1)
        return Stopped(why=stop.why, during=during, act=act, words=stop.words)

    # ---- judging --------------------------------------------------------------------------------------------------------

    async def _scene(
        self, asserts: tuple[Assertion, ...], before: PageModel, after: PageModel, led: int, during: During = "acts"
    ) -> tuple[Scene, float]:
        """What the assertions need, and the app time that late results were waited for. `led`: acts that led to `before`.

        A later look, and a reload, only where an assertion asks for it.
        """
        began_ms = self.stage.clock.now_ms()
        anywhere = any(isinstance(assertion, Somewhere) for assertion in asserts)
        way = (*self.known, *(act.before for act in self.acts if not act.by_other)) if anywhere else ()
        scene = Scene(before=before, after=after, way=way, witness=self._witness(during), idle=self._idle(led))
        scene = scene.model_copy(update={"others": self.other.scene()}) if self.other is not None else scene
        patient = [
            assertion
            for assertion in asserts
            if not isinstance(unwrapped(assertion), NOT_WAITED_FOR) and not said_in_passing(assertion, after)
        ]
        for more_ms in PATIENCE_MS:
            if not any(assertion.evaluate(scene).result == "violated" for assertion in patient):
                break
            scene = scene.model_copy(update={"after": await self._later(more_ms), "at_once": after})
            if self.other is not None:
                await self.other.look()
                scene = scene.model_copy(update={"others": self.other.scene()})
        late_ms = self.stage.clock.now_ms() - began_ms
        waits = [assertion.wait_ms for assertion in asserts if isinstance(assertion, Moves | Still | Pace)]
        if waits:
            scene = scene.model_copy(update={"later": await self._later(max(waits))})
        if self.other is not None and scene.others is not None and of_others(asserts):
            scene = scene.model_copy(update={"others": await others_later(self.other, asserts, scene.others)})
        if any(isinstance(assertion, Kept) for assertion in asserts):
            await later(self.stage, BEFORE_RELOAD_MS)
            self.me.left = None
            await self.me.actor.do(Reload())
            self.me.left = await quiet(self.stage)
            scene = scene.model_copy(update={"reloaded": self.me.left})
        return scene, late_ms

    async def _later(self, app_ms: float) -> PageModel:
        self.me.left = await later(self.stage, app_ms)
        return self.me.left

    def _idle(self, led: int) -> Beat | None:
        """What ran when the app was last left alone, of the first so many acts."""
        own = (seen for seen in reversed(self.acts[:led]) if not seen.by_other)
        return next((seen.witness.beats[-1] for seen in own if seen.witness.beats), None)

    def _witness(self, during: During) -> Witness:
        return all_of(act.witness for act in self.acts if act.during == during and not act.by_other)

    def _judge(self, asserts: Iterable[Assertion], scene: Scene, *, control: bool = False) -> tuple[Judged, ...]:
        found = []
        for assertion in asserts:
            named = found_on(assertion, scene)
            judged = Judged(assertion=named, outcome=named.evaluate(scene))
            found.append(judged.model_copy(update={"id": self.writer.assertion(judged, scene, control=control)}))
        return tuple(found)

    def _cut_short(self, scene: Scene, stopped: Stopped) -> tuple[Judged, ...]:
        """A trial that went no further says nothing about what should have come at its end."""
        found = []
        for assertion in self.trial.asserts:
            outcome: Outcome = cannot_tell(f"the trial went no further: {stopped.words}")
            if assertion.kind == "clean" and stopped.during == "acts" and assertion.evaluate(scene).result == "violated":
                outcome = assertion.evaluate(scene)
            judged = Judged(assertion=assertion, outcome=outcome)
            found.append(judged.model_copy(update={"id": self.writer.assertion(judged, scene, control=False)}))
        return tuple(found)

    async def _control(self, control: trials.Control, seen: Scene | None) -> tuple[Judged, ...]:
        """The experiment that would explain a violation, from the very state in which it was seen.

        Without acts of its own it is judged by what the trial saw.
        """
        if seen is not None and not control.acts:
            return self._judge(control.asserts, seen, control=True)
        page = self.me.left or await quiet(self.stage)
        before, stopped = await self._do(control.precondition, "control", page)
        led = len(self.acts)
        self._begin()
        after = before
        if stopped is None:
            after, stopped = await self._do(control.acts, "control", before)
        if stopped is not None:
            self.noted.append(f"the control went no further: {stopped.words}")
            done = any(act.delivered for act in self.acts if act.during == "control")
            if control.otherwise and done and stopped.why in _LED_AWAY and seen is not None and seen.witness.ran == ():
                others = Scene(before=page, after=before, witness=self._witness("control"))
                return self._judge(control.otherwise, others, control=True)
            outcome = cannot_tell(stopped.words)
            return tuple(Judged(assertion=assertion, outcome=outcome) for assertion in control.asserts)
        scene, _ = await self._scene(control.asserts, before, after, led, "control")
        scene = scene.model_copy(update={"witness": all_of(act.witness for act in self.acts[led:] if not act.by_other)})
        return self._judge(control.asserts, scene, control=True)


def unwrapped(assertion: Assertion) -> Assertion:
    """The assertion itself, where it is asked of another person's page."""
    return assertion.that if isinstance(assertion, SeenByOther) else assertion


def said_in_passing(assertion: Assertion, page: PageModel) -> bool:
    """Whether it says that words are not shown which a message shows now: that the message goes by itself does not unsay them."""
    words = assertion.target.name.casefold() if isinstance(assertion, Shown) and not assertion.yes else ""
    return bool(words) and any(layer.kind == "toast" and words in layer.text.casefold() for layer in page.layers)


def texts_of(act: Act) -> list[str]:
    """What an act types, a text a field."""
    fills = act.fills if isinstance(act, trials.FillForm) else (act,)
    return [fill.value for fill in fills if isinstance(fill, trials.Fill) and fill.value]


def found_on(assertion: Assertion, scene: Scene) -> Assertion:
    """The assertion with its targets as they stand on the page, after the acts or before, so that it can be exported."""
    if isinstance(assertion, SeenByOther):
        that = found_on(assertion.that, scene.others) if scene.others is not None else assertion.that
        return assertion.model_copy(update={"that": that})
    update: dict[str, Any] = {}
    for name in type(assertion).model_fields:
        target = getattr(assertion, name)
        if not isinstance(target, Target) or target.kind == "texts":
            continue
        for page in (scene.after, scene.before):
            part = target.find(page) if page is not None else None
            if page is not None and part is not None:
                update[name] = Target.of(part, page)
                break
    return assertion.model_copy(update=update)
