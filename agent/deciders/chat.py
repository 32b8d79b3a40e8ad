"""The decider that asks a chat model, which offers trials while app time stands.

Each question stands by itself: what was tried, what came of the model's last trials, and the page as it is. The model answers by
calling one tool, if need be after up to three questions of its own. What it may do is bound in `bounds`, whatever it says. Where
it can't be had, or gives nothing usable after one repair, the answer says so and offers nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agent.deciders import inquiries, marked, offering, telling, wording
from agent.deciders.board import Board
from agent.deciders.offering import CONCLUDE, OFFER, Read, read_offer
from agent.deciders.protocol import Mistaken, Offered, View
from evaluator.judges.first_reading import named_in
from prompts import Prompt, Safe, ours, render
from prompts.fencing import escaped
from tools.models.protocol import Answer, Ask, Models, Part, Picture, Turn
from tools.models.trouble import BudgetSpent, ModelTrouble, NoModel
from tools.page.model import PageModel
from tools.page.trial_records import TrialRecord
from tools.page.trials import Trial
from tools.text import printable

MOST_INQUIRIES = 3
GIVE_UP_AFTER = 3
"""After so many turns in a row without an answer it is asked no more."""
IN_FULL = 4
"""Trials of its own that are told in full: those of its last turn."""
MOST_NEVER_RAN, MOST_WAITING = 24, 4
ROOM = 8
"""Acts that must be left for suspicions to be worth asking after."""
_FOR_GOOD = ("no_model", "not_authorised", "budget", "not_recorded")
TROUBLE = 300
"""Characters of a reason."""


class Chat:
    """Offers what a model answers. Beside the view it keeps which turn it is and the page it last showed, only to word them."""

    name = "chat"
    sees = True

    def __init__(self, models: Models, run_dir: Path, *, decide_s: float = 120.0, step: bool = False) -> None:
        self.alone = step
        self._step = step
        """One act a decision, and no relations beside it."""
        self._models = models
        self._run_dir = run_dir
        self._decide_s = decide_s
        self._told = 0
        """Trials that there were when it was asked last."""
        self._shown: PageModel | None = None
        self._troubles = 0
        self._asked_after: frozenset[str] = frozenset()
        """Suspicions that it was asked after when it wanted to end: once each."""
        self._given_up = ""
        self._unread: tuple[str, ...] = ()
        """What was wrong with trials of the last answer that were left out."""

    async def offer(self, view: View) -> Offered:
        """The model's trials and notes, or why there are none. `why` is empty where it may be asked again. Raises nothing."""
        if self._given_up:
            return Offered(why=self._given_up, trouble=self._given_up)
        trouble = ""
        try:
            async with asyncio.timeout(self._decide_s):
                read, why = await self._asked(view)
        except TimeoutError:
            trouble = f"timeout: no answer within {self._decide_s:g} s"
        except (ModelTrouble, BudgetSpent, NoModel) as error:
            trouble = f"{error.kind}: {error.message}"
        else:
            self._troubles = 0
            self._told, self._shown, self._unread = len(view.tried), view.page, read.wrong
            return Offered(read.trials, why, read.notes, taken_back(read.withdrawn, view.tried))
        return self._troubled(printable(trouble, TROUBLE))

    def _troubled(self, trouble: str) -> Offered:
        """No answer this time; after several in a row, or where it can't get better, no more is asked."""
        self._troubles += 1
        if trouble.startswith(_FOR_GOOD):
            self._given_up = f"given up: {trouble}"
        elif self._troubles >= GIVE_UP_AFTER:
            self._given_up = f"given up: {GIVE_UP_AFTER} turns in a row had no answer of the model's; last {trouble}"
        return Offered(why=self._given_up, trouble=self._given_up or trouble)

    async def _asked(self, view: View) -> tuple[Read, str]:
        """What the model answers, and the reason where it has no trials."""
        board = Board(view.page)
        ask = self._ask(view, board)
        left_out = () if self._step else tuple(name for name in _left_out(view) if name not in self._asked_after)
        reading = _Reading(board, tuple(view.requirements.words()), left_out, step=self._step)
        desk = inquiries.Desk(view, board, self._run_dir)
        turns: list[Turn] = []
        for inquiry in range(MOST_INQUIRIES + 1):
            more = inquiries.offered(desk) if inquiry < MOST_INQUIRIES and view.picture is not None else ()
            given = replace(ask, tools=(*offering.TOOLS, *more), turns=tuple(turns), check=reading.objection)
            answer = await self._models.ask(given)
            call = answer.calls[0]
            if call.name in {OFFER, CONCLUDE}:
                read = reading.read(answer)
                self._asked_after |= frozenset(reading.asked_after)
                return read, printable(str(call.arguments.get("why", "")), TROUBLE) or ("" if read.trials else "nothing is left")
            found = await inquiries.answer(call.name, call.arguments, desk)
            turns.append(Turn(answer.text, answer.calls[:1], (found,), ()))
        raise ModelTrouble("malformed", "it kept asking and offered nothing")

    def _ask(self, view: View, board: Board) -> Ask:
        """The question of a turn. Nothing in it depends on wall time or on ids of rows."""
        new = view.picture is not None and not wording.same(self._shown, view.page)
        parts: tuple[Part, ...] = ()
        if new and view.picture is not None:
            height, width = view.picture.shape[:2]
            label = ours("The window now, with the numbers of its parts:")
            parts = (Picture(marked.draw(view.picture, board), label, "image/jpeg", *marked.scaled(width, height)),)
        prompt = self._prompt(view, board)
        return Ask("decider", prompt, parts, must_call=True, stage="explore", sample=len(view.tried))

    def _prompt(self, view: View, board: Board) -> Prompt:
        made = [trial for trial in view.tried if trial.trial.by == telling.OWN]
        own = [trial for trial in made if trial.id not in view.withdrawn]
        known = [trial.taken_back() if trial.id in view.withdrawn else trial for trial in made]
        names, last = telling.names(view.tried), last_own(view.tried, self._told)
        return render(
            "decider",
            "offer",
            brief=view.brief or "(none was given)",
            suspicions="\n".join(untried(view.suspicions, own)),
            requirements=wording.requirements(view.requirements, view.exercised, telling.standing(known)),
            history=telling.history([trial for trial in view.tried if trial.id not in view.withdrawn]),
            own="\n\n".join((*self._not_done(), *(telling.in_full(item, names.get(item.id, "")) for item in last))),
            never_ran=wording.names(view.never_ran, MOST_NEVER_RAN),
            waiting=wording.waiting(view.waiting, MOST_WAITING),
            page=wording.page(board, wording.Known.of(self._shown, view.page)),
            left=self._left(view),
            advice=ours(escaped("\n".join(view.hints))),
        )

    def _not_done(self) -> tuple[str, ...]:
        """What of its last offer could not be read and was left out."""
        return (f"NOT CARRIED OUT: {' '.join(self._unread)}",) if self._unread else ()

    def _left(self, view: View) -> Safe:
        if self._step:
            return ours(
                f"Step mode: offer one trial with one act, and see what comes of it. Left for you: {view.acts_left} acts."
            )
        last = " This is the last call: offer what matters most." if view.calls_left == 1 else ""
        return ours(f"Left for you: {view.acts_left} acts, {view.calls_left} calls, this one included.{last}")


@dataclass
class _Reading:
    """Reads the answers of one turn: the trials that can be read are taken. Where there are none, what is wrong is told."""

    board: Board
    requirements: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    """Suspicions about requirements that it could still try, by their names."""
    step: bool = False
    """Just one trial of one act may be offered."""
    told: bool = False
    asked_after: tuple[str, ...] = ()
    """Suspicions that its answer was objected to for."""

    def read(self, answer: Answer) -> Read:
        """Of a call that offers or concludes."""
        read = read_offer(answer.calls[0].arguments, self.board, self.requirements)
        if not self.step or all(_one_act(trial) for trial in read.trials[:1]):
            return replace(read, trials=read.trials[:1]) if self.step else read
        return replace(
            read, trials=(), wrong=(*read.wrong, "This is step mode: one trial, with one act in `do` and none in `first`.")
        )

    def objection(self, answer: Answer) -> str:
        """What is to be mended, in our own words; empty if nothing, or if enough can be used."""
        if answer.calls[0].name == CONCLUDE and self.left_out and not self.told:
            self.told, self.asked_after = True, self.left_out
            return f"Not tried yet: {', '.join(self.left_out)}. Offer a trial for each, or conclude again where none can tell."
        if answer.calls[0].name != OFFER:
            return ""
        read = self.read(answer)
        if read.trials:
            return ""  # what could not be read is told with the next page: a question more costs more than a trial less
        return " ".join(read.wrong)


def _one_act(trial: Trial) -> bool:
    """A whole form filled is one act; that somebody looks, and does nothing, is none."""
    return len(trial.acts) <= 1 and not trial.precondition


def last_own(tried: Sequence[TrialRecord], since: int) -> list[TrialRecord]:
    """The model's own trials that were carried out since it was asked, at most those of one turn."""
    return [trial for trial in tried[since:] if trial.trial.by == telling.OWN][-IN_FULL:]


def untried(suspicions: Sequence[str], own: Sequence[TrialRecord]) -> list[str]:
    """Suspicions that no trial of the model's names at the beginning of its `why`; one that could not tell settles nothing."""
    told = [trial.trial.why for trial in own if trial.result not in {"stopped", "cannot tell"}]
    named = {name for why in told for name in named_in(why)}
    return [suspicion for suspicion in suspicions if suspicion.partition(" ")[0] not in named]


def _left_out(view: View) -> tuple[str, ...]:
    """Names of the suspicions about a requirement that nobody tried, where there is room for it."""
    if view.calls_left < 2 or view.acts_left < ROOM:
        return ()
    own = [trial for trial in view.tried if trial.trial.by == telling.OWN and trial.id not in view.withdrawn]
    ids = view.requirements.words()
    return tuple(text.split()[0] for text in untried(view.suspicions, own) if any(word in ids for word in text.split()[1:2]))


def taken_back(names: Sequence[str], tried: Sequence[TrialRecord]) -> tuple[Mistaken, ...]:
    """The model's own trials of these names; others are not its to take back."""
    ids = {name: number for number, name in telling.names(tried).items()}
    return tuple(Mistaken(ids[name], "the model takes its expectation back") for name in dict.fromkeys(names) if name in ids)
