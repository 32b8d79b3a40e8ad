"""What the skills read off a view, worked out once a decision: what was tried, what is new, what the brief asks of each mark."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from agent.conduct import done_here, eventless_run, normalised
from agent.deciders.protocol import Decision, Expectation, Step, View
from agent.planning import word_weights
from agent.skills.controls import part_of, patterned
from agent.words import concepts, folded, keywords, says
from tools.browser.actions import Action, Target
from tools.browser.marks import Mark, Observation
from tools.evidence.rows import Promise

NEW_BONUS = 20.0
CENTRAL_BONUS = 24.0
OTHER_BONUS = 12.0
HINT_BONUS = 40.0
BESIDE = Target(selector="body", dx=-0.49, dy=-0.49)
"""The corner of the page, where mostly nothing is."""
LANGUAGE_LATE = 45.0
"""What a switch to another language waits for: all that comes after it would be in that language."""
MOST_SHARED = 12
_CODE = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})\b")
"""The code of a colour, by which a thing is called that may have another one at any moment."""
LEAST_OPENED, LEAST_WORDS = 3, 2
"""Controls that come up with a dialog worth the name."""
ENTRY, LEAST_NAME = "…", 3
"""Stands for what an entry is called; fewer signs are no name."""
THRESHOLD = 0.6
"""A mark answers a promise from this relevance on: one word of its own that no other promise has, or several shared ones."""

_SOURCES = ((1.0, 9.0), (0.65, 1.3), (1 / 3, 0.3))
"""Weight of a word, and most that all words together count: of the mark's name, of the intention, of the mark's context."""

GENERAL = frozenset({"feature", "control"})
"""Aspects that an ordinary control may answer; the others belong to the skills that can show them."""


@dataclass(frozen=True)
class Candidate:
    """One thing that could be done next; the highest priority is. 100 and more: repairs; 0: last resort."""

    priority: float
    decision: Decision


@dataclass(frozen=True)
class Match:
    """The promise a mark answers best (`id` empty if none) and what that adds to its priority."""

    id: str = ""
    bonus: float = 0.0


@dataclass(frozen=True)
class Survey:
    """A view, and what follows from it. Every property is computed at most once."""

    view: View
    seed: int = 0
    again: bool = False
    """It is a second round: other values are chosen than in the first."""
    _matches: dict[tuple[str, frozenset[str], frozenset[str]], Match] = field(default_factory=dict)

    @property
    def now(self) -> Observation:
        """What is seen now."""
        return self.view.now

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What leads the exploration: the brief's promises; without a brief, what the page says about its own use."""
        return self.view.plan.promises or self.view.plan.directions

    @property
    def steps(self) -> tuple[Step, ...]:
        """Steps done so far."""
        return self.view.steps

    @property
    def last(self) -> Step | None:
        """The step before this decision."""
        return self.view.steps[-1] if self.view.steps else None

    @cached_property
    def usable(self) -> tuple[Mark, ...]:
        """Marks a person could act on now: neither disabled nor covered, and not twice found unreachable."""
        free = (mark for mark in self.now.marks if not mark.disabled and not mark.covered and self.missed(mark) < 2)
        return tuple(mark for mark in free if mark.in_view or not self._behind(mark))

    def _behind(self, mark: Mark) -> bool:
        """Whether a mark out of sight was there before what lies over the page came up: scrolled to, it would be covered."""
        return self.layered and self._births.get(mark.id, 0) < self._layered_since

    @cached_property
    def _layered_since(self) -> int:
        """Index of the first of the observations up to now in all of which something lay over the page."""
        since = len(self.view.past)
        while since and is_layered(self.view.past[since - 1]):
            since -= 1
        return since

    @cached_property
    def _signatures(self) -> Counter[str]:
        return Counter(mark.signature for mark in self.now.marks)

    @cached_property
    def _by_signature(self) -> dict[str, list[Step]]:
        found: dict[str, list[Step]] = {}
        for step in self.steps:
            target = target_of(step)
            if target is not None:
                found.setdefault(target.signature or target.selector, []).append(step)
        return found

    def acts_on(self, mark: Mark) -> list[Step]:
        """Steps aimed at this mark, delivered or not. Marks that share a signature are told apart by their selector."""
        steps = self._by_signature.get(mark.signature, [])
        if self._signatures[mark.signature] <= 1:
            return steps
        return [step for step in steps if _same_place(target_of(step), mark)]

    def tried(self, mark: Mark) -> list[Step]:
        """Delivered steps aimed at this mark; resting the pointer on it is a try only of what is drawn."""
        drawn = mark.kind == "canvas"
        return [
            step
            for step in self.acts_on(mark)
            if step.acted.delivered and (drawn or step.decision.action is None or step.decision.action.act != "hover")
        ]

    def renamed(self, mark: Mark) -> int:
        """Under how many other names a control in this mark's place was acted on (an entry called by its text)."""
        return len({*self._acted_at.get((mark.selector, mark.frame), ())} - {mark.signature})

    @cached_property
    def _acted_at(self) -> dict[tuple[str, str], list[str]]:
        """By selector and frame: signatures of what was acted on there."""
        found: dict[tuple[str, str], list[str]] = {}
        for step in self.steps:
            target = target_of(step)
            if target is not None and step.acted.delivered:
                found.setdefault((target.selector, target.frame), []).append(target.signature)
        return found

    @cached_property
    def tried_marks(self) -> tuple[Mark, ...]:
        """Marks in sight that an act was delivered to."""
        return tuple(mark for mark in self.now.marks if self.tried(mark))

    def missed(self, mark: Mark) -> int:
        """How often an act aimed at this mark did not reach it."""
        return sum(1 for step in self.acts_on(mark) if not step.acted.delivered)

    def parts_like(self, mark: Mark) -> tuple[list[Mark], list[Target]]:
        """Marks in sight that stand in other entries as this one does in its own, and what was acted on that stood so."""
        part = part_of(mark)
        return self._parts.get(part, []), self._acted_parts.get(part, [])

    def opened_alike(self, mark: Mark) -> int:
        """How many things that stand as this one does opened the same dialog, told by what came up with it."""
        if len(mark.name.split()) < LEAST_WORDS:
            return 0  # a command of its own, not what an entry is called
        opened = Counter(came for pattern, came in self._opened if pattern == patterned(mark))
        return max(opened.values(), default=0)

    @cached_property
    def _opened(self) -> list[tuple[str, frozenset[tuple[str, str]]]]:
        found = dict[str, tuple[str, frozenset[tuple[str, str]]]]()
        for step in self.steps:
            target, before, after = target_of(step), self.observation(step.acted.before), self.observation(step.acted.after)
            if target is None or before is None or after is None or _covered(after) < _covered(before) + 2:
                continue
            known = {mark.signature for mark in before.marks}
            came = frozenset(
                (mark.role, mark.selector) for mark in after.marks if mark.signature not in known and not mark.covered
            )
            if len(came) >= LEAST_OPENED:
                found.setdefault(target.selector + target.signature, (patterned(target), came))
        return list(found.values())

    @cached_property
    def _parts(self) -> dict[tuple[str, str, str], list[Mark]]:
        found: dict[tuple[str, str, str], list[Mark]] = {}
        for mark in self.now.marks:
            found.setdefault(part_of(mark), []).append(mark)
        return found

    @cached_property
    def _acted_parts(self) -> dict[tuple[str, str, str], list[Target]]:
        found: dict[tuple[str, str, str], list[Target]] = {}
        for target in self.acted_targets:
            found.setdefault(part_of(target), []).append(target)
        return found

    @cached_property
    def acted_targets(self) -> tuple[Target, ...]:
        """What acts were delivered to."""
        return tuple(target for step in self.steps if step.acted.delivered and (target := target_of(step)) is not None)

    def of_any_entry(self, name: str) -> str:
        """A control's name with what its entry is called left open: `Move … to the left`."""
        if name not in self._left_open:
            text = _CODE.sub(ENTRY, folded(name))
            self._left_open[name] = next((text.replace(one, ENTRY) for one in self._entries if one in text and one != text), text)
        return self._left_open[name]

    @cached_property
    def _left_open(self) -> dict[str, str]:
        return {}

    @cached_property
    def _entries(self) -> tuple[str, ...]:
        """What the entries of lists in sight are called, the longest first."""
        lists = (listing for listing in self.now.lists if not listing.pressable)
        called = {folded(cell) for listing in lists for row in listing.items for cell in row if len(cell) >= LEAST_NAME}
        return tuple(sorted(called, key=lambda one: (-len(one), one)))

    def untried(self, marks: Iterable[Mark] | None = None) -> list[Mark]:
        """Usable marks no act was delivered to yet, in reading order."""
        return [mark for mark in (self.usable if marks is None else marks) if not self.tried(mark)]

    @cached_property
    def _first_seen(self) -> dict[str, list[int]]:
        """Per signature: index of the first observation that held one, two, three … such marks."""
        seen: dict[str, list[int]] = {}
        for index, observation in enumerate(self.view.past):
            for signature, count in Counter(mark.signature for mark in observation.marks).items():
                births = seen.setdefault(signature, [])
                births.extend([index] * (count - len(births)))
        return seen

    @cached_property
    def _births(self) -> dict[str, int]:
        births: dict[str, int] = {}
        ordinal: Counter[str] = Counter()
        for mark in self.now.marks:
            known = self._first_seen.get(mark.signature, [])
            place = ordinal[mark.signature]
            births[mark.id] = known[place] if place < len(known) else len(self.view.past)
            ordinal[mark.signature] += 1
        return births

    def age(self, mark: Mark) -> int | None:
        """Steps since an action brought this mark up (0: the last one did); None when it was there from the start."""
        born = self._births.get(mark.id, 0)
        return None if born == 0 else len(self.view.past) - born

    def novelty(self, mark: Mark) -> float:
        """Bonus for what an action revealed: depth before breadth, wearing off over six steps."""
        age = self.age(mark)
        return 0.0 if age is None else max(NEW_BONUS - 3.0 * age, 4.0)

    @cached_property
    def _index(self) -> dict[str, list[tuple[int, float]]]:
        """Keyword → (place of a promise, weight)."""
        weights = word_weights(self.promises)
        index: dict[str, list[tuple[int, float]]] = {}
        for place, promise in enumerate(self.promises):
            for word in set(promise.keywords):
                index.setdefault(word, []).append((place, weights[word]))
        # A word that a dozen promises share does not tell them apart.
        return {word: places for word, places in index.items() if len(places) <= MOST_SHARED}

    def match(self, mark: Mark, extra: Iterable[str] = (), aspects: frozenset[str] = GENERAL) -> Match:
        """The promise this mark answers best, with `extra` concepts of what is to be done with it."""
        key = (mark.id, frozenset(extra), aspects)
        if key not in self._matches:
            own = set(keywords(f"{mark.name} {mark.placeholder}")) | {f"@{concept}" for concept in mark_concepts(mark)}
            meant = {f"@{concept}" for concept in key[1]} - own
            around = set(keywords(mark.context)) | {f"@{concept}" for concept in concepts(mark.context)}
            self._matches[key] = self._best((own, meant, around - own - meant), aspects)
        return self._matches[key]

    def promise_about(self, words: str, aspects: frozenset[str], extra: Iterable[str] = ()) -> Match:
        """The promise that a text (and concepts) answers best."""
        own = set(keywords(words)) | {f"@{concept}" for concept in concepts(words) | frozenset(extra)}
        return self._best((own,), aspects)

    def promise_of(self, *aspects: str) -> Match:
        """The first promise of one of these aspects."""
        for promise in self.promises:
            if promise.aspect in aspects:
                return Match(promise.id, self._bonus(promise.id, central=promise.central))
        return Match()

    def _best(self, sources: tuple[set[str], ...], aspects: frozenset[str]) -> Match:
        """The promise with the best score over words of its own, of what is meant to be done, and of what is around it."""
        scores: dict[int, float] = {}
        for words, (share, most) in zip(sources, _SOURCES, strict=False):
            found: dict[int, float] = {}
            for word in words:
                for place, weight in self._index.get(word, ()):
                    found[place] = min(found.get(place, 0.0) + weight * share, most)
            for place, score in found.items():
                scores[place] = scores.get(place, 0.0) + score
        promises = self.promises
        fitting = [(score, -place) for place, score in scores.items() if promises[place].aspect in aspects]
        score, place = max(fitting, default=(0.0, 0))
        if score < THRESHOLD:
            return Match()
        promise = promises[-place]
        return Match(promise.id, self._bonus(promise.id, central=promise.central) + min(score, 3.0))

    def _bonus(self, promise: str, *, central: bool) -> float:
        bonus = CENTRAL_BONUS if central else OTHER_BONUS
        return bonus / 3 if promise in self.settled else bonus

    @cached_property
    def settled(self) -> frozenset[str]:
        """Promises that an oracle has already shown or found broken."""
        told = (outcome for step in self.steps for outcome in step.outcomes if outcome.held is not None)
        return frozenset(outcome.promise for outcome in told if outcome.promise)

    def worth(self, base: float, mark: Mark, match: Match | None = None) -> float:
        """Priority of acting on a mark: its kind's base, what the brief asks, how new it is, what a person hinted."""
        found = self.match(mark) if match is None else match
        held_back = LANGUAGE_LATE if names_language(mark) else 0.0
        return base + found.bonus + self.novelty(mark) + self._hint(mark) - held_back - 0.01 * self.place(mark)

    def place(self, mark: Mark) -> int:
        """Place in reading order, from 0."""
        return self._places.get(mark.id, 0)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {mark.id: place for place, mark in enumerate(self.now.marks)}

    def _hint(self, mark: Mark) -> float:
        if not self.view.hints:
            return 0.0
        wanted = set(keywords(" ".join(self.view.hints)))
        return HINT_BONUS if wanted & set(keywords(f"{mark.name} {mark.placeholder}")) and not self.tried(mark) else 0.0

    @cached_property
    def domain(self) -> str:
        """What kind of app the brief names."""
        return self.view.plan.domain

    @cached_property
    def layered(self) -> bool:
        """Something lies over most of the page: a dialog, a drawer."""
        return is_layered(self.now)

    @cached_property
    def stagnation(self) -> int:
        """How many delivered actions in a row changed nothing."""
        return eventless_run(self.steps)

    @cached_property
    def _done_here(self) -> Counter[str]:
        return done_here(self.view)

    def repeats(self, action: Action) -> int:
        """How often the same act was done on the same state of the page."""
        return self._done_here[normalised(action)] if self._done_here else 0

    def count(self, skill: str) -> int:
        """Delivered steps of a skill."""
        return sum(1 for step in self.steps if step.decision.skill == skill and step.acted.delivered)

    def since(self, skill: str) -> int | None:
        """How many steps ago a skill was last delivered (1: the last step); None if never."""
        for back, step in enumerate(reversed(self.steps), start=1):
            if step.decision.skill == skill and step.acted.delivered:
                return back
        return None

    def observation(self, row_id: str) -> Observation | None:
        """A past observation by its id, as far as it is known."""
        return next((seen for seen in self.view.past if seen.id == row_id), None)

    @cached_property
    def shown(self) -> str:
        """What is readable now outside of fields, folded: visible text and names of marks."""
        return folded(f"{self.now.text} {' '.join(mark.name for mark in self.now.marks)}")


def _covered(page: Observation) -> int:
    return sum(1 for mark in page.marks if mark.covered)


def is_layered(page: Observation) -> bool:
    """Whether something lies over most of what could be acted on in sight."""
    shown = [mark for mark in page.marks if mark.in_view]
    covered = sum(1 for mark in shown if mark.covered)
    return covered >= 2 and covered >= len(shown) / 2


def target_of(step: Step) -> Target | None:
    """What a step was aimed at, if at something."""
    action = step.decision.action
    return getattr(action, "target", None)


def names_language(mark: Mark) -> bool:
    """Whether a control is called after a language and nothing else (`Deutsch`, `English (UK)`); no field for words of it."""
    short = len(mark.name) <= 24 and len(mark.name.split()) <= 3
    return short and mark.role != "textbox" and says("languages", mark.name)


def _same_place(target: Target | None, mark: Mark) -> bool:
    return target is not None and target.selector == mark.selector and target.frame == mark.frame


def mark_concepts(mark: Mark) -> frozenset[str]:
    """Concepts a mark's name (or, without one, its placeholder) stands for."""
    return concepts(mark.name or mark.placeholder)


def readable(observation: Observation, without: str = "") -> str:
    """Visible text, names and values of marks (but of the one called `without`), folded into one line."""
    values = (f"{mark.name} {mark.value}" for mark in observation.marks if mark.signature != without)
    return folded(f"{observation.text} {' '.join(values)}")


def expects(oracle: str, text: str, promise: str = "", /, **params: str | float | bool) -> Expectation:
    """An expectation; `params` are the oracle's arguments."""
    return Expectation(oracle=oracle, text=text, params=params, promise=promise)


def candidate(
    priority: float, action: Action, why: str, skill: str, *expectations: Expectation, checked: bool = True
) -> Candidate:
    """A candidate whose step also watches for values spilled onto the page (`checked`)."""
    told = (*expectations, expects("sane", "no raw value is spilled onto the page")) if checked else expectations
    return Candidate(priority, Decision(action=action, why=why, skill=skill, expectations=told))


def because(match: Match, survey: Survey, otherwise: str) -> str:
    """Why a mark is tried: the promise it answers, in the brief's words, or another reason."""
    promise = next((promise for promise in survey.promises if promise.id == match.id), None)
    if promise is None:
        return otherwise
    return f'{"the brief asks" if survey.view.plan.promises else "the page says"}: "{promise.text[:80]}"'


def label_follows(survey: Survey, mark: Mark, match: Match) -> Expectation:
    """That the figure beside a slider is its value; with it goes the promise that calls the slider by its name."""
    text = next((one.text for one in survey.promises if one.id == match.id), "")
    said = text if set(keywords(mark.name)) & set(keywords(text)) else ""
    return expects("label_follows", "the figure beside the slider is its value", match.id, said=said)
