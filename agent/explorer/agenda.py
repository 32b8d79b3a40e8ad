"""The agenda: trials that were offered, what each is worth, and which is next.

What a trial is worth follows from what the app was asked for, from what it would show for the first time, from what its relation
has brought in this run, and from its cost. There are no priorities set by hand for relations.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agent.explorer.stubborn import BY
from evaluator.requirements.deeds import deed_of
from tools.page.assertions import Target
from tools.page.trial_records import TrialRecord
from tools.page.trials import Act, Agree, ByOther, FillForm, Press, Reload, Trial

ASKED = 3.0
"""Worth (points, as all below) of a trial about a requirement that nothing has exercised yet. What a relation tried n times in
vain for a requirement is worth a part in n and one of that the next time."""
MIDDLING = 0.6
"""How central a requirement is for which `ASKED` stands; one on which all depends is worth half as much again."""
ASKED_AGAIN = 0.5
"""Worth of a trial about a requirement that was exercised already."""
UNTOUCHED = 2.0
"""Worth of a trial that touches a part that no act has touched."""
UNTOUCHED_BY_CHANCE = 1.0
"""Worth of touching an untouched option, or words, where nothing is known of what should come of it. A button or a form that no
reason leads to is pressed or sent all the same, as anybody would: that has `UNTOUCHED`."""
SIBLINGS = 3
"""So many touched parts in one place of the page's structure halve what touching the next one is worth: the tenth module to be
chosen, the tenth day of a month, the amount of the tenth line bring little that is new."""
ALIKE = 0.2
"""Taken off for each time that its relation was tried in that place, whichever of the like parts it was, what they were called
then, and in which state."""
ALIKE_AT_MOST = 10
"""Times that are counted so at most."""
EXPLAINED = 4
"""Times that a trial counts for which its control explained: the page stores nothing, say, and will not the next time either."""
NEW_RELATION = 3.0
"""Worth of the first trial of a relation; the nth has an nth of it. What is tried by chance has none."""
BROUGHT = 1.0
"""Worth of every violation that its relation has brought, up to two."""
SEEN_BROKEN = 6.0
"""Worth of a trial whose acts were taken for another one, and showed it violated: its control is still to be asked."""
TOLD = 2.0
"""Taken off where that was on these very parts: once told is enough, and what else is wrong is not known yet."""
HINTED, HINT_LETTERS = 4.0, 4
"""Worth of a trial whose words share one of so many letters at least with the advice of a person who watches."""
FAR_ACTS, SENT_FAR = 4, 2.0
"""In a state that so many acts lead to, what sends a form as it should be is worth that much less: it leads away, and whatever
else is to be tried on the form, what it must refuse above all, would cost the way again."""
DEEP, WAY_AT_MOST = 2, 8
"""In a state that so many acts lead to, what stands on the first page as well is worth less by each of these acts, up to so many:
there it can be tried for nothing, and from here it leads away."""
LOGS_OUT = 4.0
"""Taken off where it logs out: whoever does has to log in again to come to anything else."""
PER_ACT, DEAREST = 0.25, 4
"""Taken off for each act, up to so many acts: the keys of a keypad are quick."""
_WORDS, _WHICH = re.compile(r"\w+"), re.compile(r":nth-of-type\(\d+\)|\d+")
_NOT_TAKEN = frozenset({"refused", "none added", "listed at most", "says error"})
"""Kinds of assertions about what is given and must not be taken."""
STATES_AT_MOST, BY_CHANCE_AT_MOST = 5, 3
"""In so many states the same thing is tried with a reason, and by chance."""
LISTED_AT_MOST = 4
"""So often a relation is tried on like parts of a list's items, of which what its control explained counts double: the size of
the eleventh bicycle says no more than that of the fourth."""
AGAIN = 0.75
"""Taken off for each time that the same was done in another state."""
LIKE = 0.5
"""Taken off for each time that its relation was tried on the same parts (another option of a choice, another value), up to four
times."""


@dataclass(frozen=True)
class Offer:
    """A trial for one state."""

    trial: Trial
    state: str
    number: int
    """In the order of being offered: of two that are worth the same, the earlier one is first."""
    identity: str
    """What is tried, whatever the values and in whichever of several like items: that in another state is the same again."""
    touches: frozenset[str]
    """Keys of the parts that its acts aim at, like parts of items by one key."""
    does: str = ""
    """What is done, whoever tries it."""
    row: str = ""
    """The place of its first part in the page's structure, whichever of its siblings it is."""
    presses: bool = False
    """That part is a button or toggle."""
    leads_away: float = 0.0
    """What is taken off for the way back, which is lost by it."""
    logs_out: bool = False


def identity(trial: Trial, alias: Mapping[str, str]) -> str:
    """What a trial tries. `alias`: one key for like parts, see `states.aliases`."""
    said = [f"{assertion.kind}:{_key(getattr(assertion, 'target', None), alias)}" for assertion in trial.asserts]
    return "|".join((trial.by, doing(trial, alias), *said))


def doing(trial: Trial, alias: Mapping[str, str]) -> str:
    """What a trial does, whoever tries it. A form filled so that it must not be taken is not yet a form filled."""
    wrong = [assertion.kind for assertion in trial.asserts if assertion.kind in _NOT_TAKEN][:1]
    return "|".join((*(_said(act, alias) for act in (*trial.precondition, *trial.acts)), *wrong))


def _said(act: Act, alias: Mapping[str, str]) -> str:
    if isinstance(act, ByOther):
        return f"{act.kind} {_said(act.act, alias)}"
    if isinstance(act, FillForm):
        return f"{act.kind}:{','.join(_key(fill.target, alias) for fill in act.fills)}:{_key(act.submit, alias)}"
    if isinstance(act, Reload):
        return f"{act.kind}:{alias.get('', '')}"  # one address is not another
    more = [str(getattr(act, name)) for name in ("option", "keys", "on", "times", "path", "address") if hasattr(act, name)]
    return f"{act.kind}:{_key(getattr(act, 'target', None), alias)}:{','.join(more)}"


def _key(target: Target | None, alias: Mapping[str, str]) -> str:
    return alias.get(target.key, target.key) if target is not None else ""


def cost(trial: Trial) -> int:
    """Acts that it takes, a whole form being one."""
    return len(trial.precondition) + len(trial.acts)


def touched(acts: Iterable[Act], alias: Mapping[str, str]) -> frozenset[str]:
    """Keys of the parts that acts aim at; an option of a choice is a part of its own."""
    keys: set[str] = set()
    for act in acts:
        if isinstance(act, FillForm):
            keys |= {_key(fill.target, alias) for fill in act.fills} | ({_key(act.submit, alias)} if act.submit else set())
        elif isinstance(act, Reload):
            keys.add(f"address {alias.get('', '')}")
        elif (target := getattr(act, "target", None)) is not None:
            option = getattr(act, "option", "")
            keys.add(f"{_key(target, alias)}={option}" if option else _key(target, alias))
    return frozenset(keys)


def _first(acts: Iterable[Act]) -> Target | None:
    """What is aimed at first."""
    for act in acts:
        if isinstance(act, FillForm):
            return act.fills[0].target if act.fills else act.submit
        if (target := getattr(act, "target", None)) is not None:
            return target
    return None


def _row(target: Target | None) -> str:
    """The place of a part in the page's structure, whichever of its siblings it is; empty for what names none."""
    return f"{target.kind} {target.role} {_WHICH.sub('', target.selector)}" if target is not None and target.selector else ""


def _logs_out(acts: Iterable[Act]) -> bool:
    return any(isinstance(act, Press) and deed_of(act.target.name) == "log out" for act in acts)


def _repeats(trial: Trial) -> bool:
    return any(isinstance(act, Press) and act.times > 1 for act in trial.acts)


def _is_spent(record: TrialRecord) -> bool:
    """Whether what its first act pressed can't be pressed again where that led."""
    first = next(iter(record.during("acts")), None)
    if first is None or not isinstance(first.act, Press) or not first.delivered or record.trial.precondition:
        return False
    part = first.act.target.find(first.after)
    return part is None or part.covered or bool(getattr(part, "disabled", False))


def _sends(acts: Iterable[Act]) -> bool:
    return any(isinstance(act, FillForm) and (act.submit is not None or act.by_enter) for act in acts)


def _leads_away(trial: Trial, far: int, at_first: Container[str]) -> float:
    """What is taken off in a state so far from the start for what leads away from it."""
    first = _first(trial.acts)
    filled = any(isinstance(act, FillForm) for act in trial.precondition) and isinstance(next(iter(trial.acts), None), Press)
    sends = _sends(trial.acts) or (filled and first is not None and deed_of(first.name) != "next")
    if far >= FAR_ACTS and sends and not any(assertion.kind in _NOT_TAKEN for assertion in trial.asserts):
        return SENT_FAR
    return PER_ACT * min(far, WAY_AT_MOST) if far >= DEEP and first is not None and first.key in at_first else 0.0


def _taken(trial: Trial) -> tuple[tuple[Act, ...], tuple[Act, ...]]:
    return trial.precondition, tuple(act for act in trial.acts if not isinstance(act, Agree))


def _whole(touches: frozenset[str]) -> frozenset[str]:
    """The parts themselves, whichever of their options is meant."""
    return frozenset(key.partition("=")[0] for key in touches)


@dataclass
class Agenda:
    """What is still to be tried."""

    offers: dict[tuple[str, str], Offer] = field(default_factory=dict[tuple[str, str], Offer])
    """By state and identity."""
    done: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """By state and identity, and by state and what was done."""
    times: Counter[str] = field(default_factory=Counter[str])
    """How often each identity was tried, in whatever state."""
    of_relation: Counter[str] = field(default_factory=Counter[str])
    on_parts: Counter[tuple[str, frozenset[str]]] = field(default_factory=Counter[tuple[str, frozenset[str]]])
    """How often a relation was tried on these parts, whichever of their options was chosen."""
    brought: Counter[str] = field(default_factory=Counter[str])
    told: set[tuple[str, frozenset[str]]] = field(default_factory=set[tuple[str, frozenset[str]]])
    """Relations that were seen broken, each with the parts on which."""
    seen_broken: set[str] = field(default_factory=set[str])
    """What the acts of other trials showed violated, by identity: it is tried next."""
    touched: set[str] = field(default_factory=set[str])
    exercised: set[str] = field(default_factory=set[str])
    """Requirements that a trial with a result was about."""
    in_vain: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """How often a relation tried a requirement without exercising it: what it asserts may not be what would show it."""
    rows: Counter[str] = field(default_factory=Counter[str])
    """How many parts of a row were touched."""
    of_row: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """How often a relation was tried in a row, on whichever of its parts and in whatever state."""
    once: set[tuple[str, frozenset[str]]] = field(default_factory=set[tuple[str, frozenset[str]]])
    """Parts that are gone or of no use once they were pressed in a state: to press them seven times there can't be done."""
    central: Mapping[str, float] = field(default_factory=dict[str, float])
    """How much of the app depends on each requirement, 0–1: what it is all about is tried before its trimmings."""
    hints: Sequence[str] = ()
    """What a person who watches said."""
    _count: int = 0

    def offer(
        self, state: str, trials: Iterable[Trial], alias: Mapping[str, str], far: int = 0, at_first: Container[str] = ()
    ) -> None:
        """What can be tried in a state as it is now: it takes the place of what was offered there before.

        `far`: acts that lead to it from the page as it opens; `at_first`: keys of the parts that stand there.

        Of trials that are the same but for which of several like items they choose, the first is taken.
        """
        fresh: dict[tuple[str, str], Offer] = {}
        for trial in trials:
            key, does = (state, identity(trial, alias)), doing(trial, alias)
            often = BY_CHANCE_AT_MOST if trial.by == BY else STATES_AT_MOST
            if key in self.done or key in fresh or self.times[key[1]] >= often:
                continue
            if _repeats(trial) and (state, touched(trial.acts, alias)) in self.once:
                continue
            # By chance only what nobody with a reason does or did here.
            if trial.by == BY and ((state, does) in self.done or any(each_offer.does == does for each_offer in fresh.values())):
                continue
            touches, first = touched(trial.acts, alias), _first(trial.acts)
            listed = first is not None and " > " in alias.get(first.key, "")
            if listed and trial.by != BY and self.on_parts[trial.by, _whole(touches)] >= LISTED_AT_MOST:
                continue
            known = self.offers.get(key)
            self._count += known is None
            number = known.number if known else self._count
            presses = first is not None and first.kind in {"buttons", "toggles"}
            away = _leads_away(trial, far, at_first)
            fresh[key] = Offer(trial, state, number, key[1], touches, does, _row(first), presses, away, _logs_out(trial.acts))
        self.drop(state)
        self.offers |= fresh

    def worth(self, offer: Offer) -> float:
        """How much one would learn from it, for what it costs."""
        trial = offer.trial
        asked, whole = set(trial.requirements), _whole(offer.touches)
        value = max((self._asked(name, trial.by) for name in asked), default=0.0)
        if offer.touches - self.touched:
            new = UNTOUCHED if trial.by != BY or offer.presses or _sends(trial.acts) else UNTOUCHED_BY_CHANCE
            value += new * SIBLINGS / (SIBLINGS + self.rows[offer.row]) if offer.row else new
        value += NEW_RELATION / (1 + self.of_relation[trial.by]) if trial.by != BY else 0.0
        value += BROUGHT * min(2, self.brought[trial.by]) if (trial.by, whole) not in self.told else -TOLD
        value += HINTED if self._hinted(trial) else 0.0
        value += SEEN_BROKEN if offer.identity in self.seen_broken else 0.0
        value -= LOGS_OUT if offer.logs_out else 0.0
        value -= offer.leads_away
        value -= LIKE * min(4, self.on_parts[trial.by, whole])
        value -= ALIKE * min(ALIKE_AT_MOST, self.of_row[trial.by, offer.row]) if offer.row else 0.0
        return value - PER_ACT * min(DEAREST, cost(trial)) - AGAIN * self.times[offer.identity]

    def _asked(self, name: str, by: str) -> float:
        if name in self.exercised:
            return ASKED_AGAIN
        weight = 1.0 + (self.central.get(name, MIDDLING) - MIDDLING) / 2 / (1 - MIDDLING)
        return max(ASKED_AGAIN, ASKED * weight / (1 + self.in_vain[name, by]))

    def _hinted(self, trial: Trial) -> bool:
        if not self.hints:
            return False
        said = set(_WORDS.findall(trial.words().casefold()))
        return any(len(word) >= HINT_LETTERS and word in said for hint in self.hints for word in _WORDS.findall(hint.casefold()))

    def best(self, state: str) -> Offer | None:
        """The offer of a state that is worth most."""
        here = (offer for offer in self.offers.values() if offer.state == state)
        return max(here, key=lambda offer: (self.worth(offer), -offer.number), default=None)

    def alike(self, offer: Offer) -> list[Offer]:
        """Other offers of its state that take the very same acts, whether or not they agree where somebody asks back."""
        wanted = _taken(offer.trial)
        return [
            each_offer
            for each_offer in self.offers.values()
            if each_offer.state == offer.state and each_offer.identity != offer.identity and _taken(each_offer.trial) == wanted
        ]

    def elsewhere(self, state: str) -> list[Offer]:
        """The best offer of each other state, the most worth first.

        In one pass: a page with hundreds of parts has thousands of offers in dozens of states.
        """
        best: dict[str, tuple[float, int, Offer]] = {}
        for offer in self.offers.values():
            if offer.state != state:
                found = self.worth(offer), -offer.number, offer
                best[offer.state] = max(best.get(offer.state, found), found, key=lambda known: known[:2])
        return [each_offer for _, _, each_offer in sorted(best.values(), key=lambda known: known[:2], reverse=True)]

    def drop(self, state: str) -> int:
        """A state that can't be reached any more; how many offers go with it."""
        gone = [key for key in self.offers if key[0] == state]
        for key in gone:
            del self.offers[key]
        return len(gone)

    def note(self, offer: Offer, record: TrialRecord, exercised: frozenset[str] = frozenset()) -> None:
        """What came of an offer. `exercised`: the requirements that it exercised."""
        key = offer.state, offer.identity
        self.offers.pop(key, None)
        self.seen_broken.discard(offer.identity)
        self.done |= {key, (offer.state, offer.does)}
        self.times[offer.identity] += 1
        self.of_relation[offer.trial.by] += 1
        self.on_parts[offer.trial.by, _whole(offer.touches)] += 1 + (record.result == "explained")
        self.rows[offer.row] += bool(offer.touches - self.touched)
        self.of_row[offer.trial.by, offer.row] += 1 + EXPLAINED * (record.result == "explained")
        self.touched |= offer.touches
        if _is_spent(record):
            self.once.add((offer.state, offer.touches))
            for other in [
                each_offer
                for each_offer in self.offers.values()
                if _repeats(each_offer.trial) and (each_offer.state, each_offer.touches) in self.once
            ]:
                del self.offers[other.state, other.identity]
        if record.result == "violated":
            self.brought[offer.trial.by] += 1
            if offer.touches:  # without acts it is about whatever it looks at
                self.told.add((offer.trial.by, _whole(offer.touches)))
        self.exercised |= exercised
        self.in_vain.update((name, offer.trial.by) for name in offer.trial.requirements if name not in self.exercised)

    def about(self) -> frozenset[str]:
        """Requirements that what waits is about."""
        return frozenset(name for offer in self.offers.values() for name in offer.trial.requirements)

    def rest(self) -> list[Offer]:
        """What was never tried, the most worth first."""
        return sorted(self.offers.values(), key=lambda offer: (-self.worth(offer), offer.number))
