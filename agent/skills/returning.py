"""Back to what was seen in passing: a button that was never pressed is reached again by the way that led to it.

A wizard's last button, what a drawer held, a mode on the start screen: each was in sight once, something else was done first,
and the way there is known, for it was walked. What does not tell here is left to `revisiting`: one press that shows a view.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agent.skills import buttons
from agent.skills.controls import Kind, in_page, kind_of, semantic
from agent.skills.survey import GENERAL, Candidate, Survey, candidate, mark_concepts, target_of
from agent.words import concepts, says
from tools.browser.actions import Click, Reload, Target
from tools.browser.marks import Mark, Observation

ON_THE_WAY, THERE, FROM_THE_START = 33.0, 99.5, 10.5
SKILL, BEGIN = "go back to what was not tried", "reload to begin again"
ALIKE = 0.7
"""Share of two observations' controls that are in both, from which on they are one view."""
ALWAYS = 0.9
"""What is in sight in so many of the observations belongs to all views: a head, a menu."""
LONGEST_WAY, MOST_STEPS, MOST_WAYS = 5, 8, 3
ENDS = frozenset({"submit", "confirm", "pay", "save", "start"})
A_DETOUR_S = 14.0
"""Wall time that a correction and the way back take."""
_LAST = frozenset({"submit", "confirm", "pay"})
_FINISHES, _BEGUN = 14.0, 40.0
"""What the end of something gains: all that was done before it was done for its sake. What a way gains once it is begun."""
_NOT_WORTH = buttons.DESTRUCTIVE | frozenset(
    {
        *("close", "cancel", "previous", "pause", "stop", "resume", "restart", "undo", "sound", "theme", "increase", "decrease"),
        *("login", "print", "upload", "share", "permission", "fullscreen", "copy"),
    }
)


@dataclass(frozen=True)
class _Left:
    """What was left: a control, and the view (its number) it was seen in."""

    mark: Mark
    view: int


def propose(survey: Survey) -> list[Candidate]:
    """The next press of the shortest way known to what was left untried; that itself once it is in sight; a reload at last."""
    if survey.layered or not survey.steps:
        return []
    arrived = _arrived(survey) or _before_the_end_again(survey)
    if arrived:
        return arrived
    gone = _gone(survey) if survey.count(SKILL) < MOST_STEPS else []
    if not gone:
        return []
    views = _Views(survey)
    left = list(_left(survey, views, gone))
    if not left:
        return []
    ways = [found for one in left if (found := _on(survey, views, one)) is not None]
    if ways:
        return sorted(ways, key=lambda one: -one.priority)[:MOST_WAYS]
    first = views.of(survey.view.past[0])
    if survey.count(BEGIN) or views.now == first or not any(one.view == first for one in left):
        return []
    name = next(one.mark.name for one in left if one.view == first)
    return [candidate(FROM_THE_START, Reload(), f'"{name[:40]}" was there at first and never pressed', BEGIN, checked=False)]


class _Views:
    """Observations told apart by what can be pressed on them; numbered in the order they were first seen."""

    def __init__(self, survey: Survey) -> None:
        pages = (*survey.view.past, survey.now)
        shown = [frozenset(mark.signature for mark in page.marks if not mark.covered and not mark.group) for page in pages]
        often = Counter(signature for one in shown for signature in one)
        always = {signature for signature, times in often.items() if times >= ALWAYS * len(pages)}
        self._kinds: list[frozenset[str]] = []
        self._of = {page.id: self._number(one - always) for page, one in zip(pages, shown, strict=True)}
        self.now = self._of[survey.now.id]

    def _number(self, shown: frozenset[str]) -> int:
        for number, known in enumerate(self._kinds):
            if len(shown & known) >= ALIKE * len(shown | known):
                return number
        self._kinds.append(shown)
        return len(self._kinds) - 1

    def of(self, page: Observation | None) -> int:
        """The number of the view that an observation shows; −1 for none."""
        return self._of.get(page.id, -1) if page is not None else -1


def _gone(survey: Survey) -> list[tuple[Mark, Observation]]:
    """What could be pressed when it was last seen, was not and is not in sight, with the page it was seen on."""
    known = {target.signature for target in survey.acted_targets} | {mark.signature for mark in survey.now.marks}
    found = list[tuple[Mark, Observation]]()
    for page in reversed(survey.view.past):
        for mark in page.marks:
            if mark.signature not in known:
                known.add(mark.signature)
                if _worth(mark, survey):
                    found.append((mark, page))
    return found


def _left(survey: Survey, views: _Views, gone: list[tuple[Mark, Observation]]) -> Iterator[_Left]:
    """What of it is not in the present view under another name, and in whose place nothing was pressed."""
    pressed = {(views.of(page), target.selector, target.frame) for page, target in _presses(survey)}
    for mark, page in gone:
        number = views.of(page)
        if number != views.now and (number, mark.selector, mark.frame) not in pressed:
            yield _Left(mark, number)


def _presses(survey: Survey) -> Iterator[tuple[Observation | None, Target]]:
    """What was acted on, each with the page it was acted on."""
    for step in survey.steps:
        target = target_of(step)
        if target is not None and step.acted.delivered:
            yield survey.observation(step.acted.before), target


def _worth(mark: Mark, survey: Survey) -> bool:
    """Whether it is a control of its own that does something; of what stands at each entry a sample was tried."""
    if mark.disabled or mark.covered or mark.group or not mark.name or not semantic(mark) or mark_concepts(mark) & _NOT_WORTH:
        return False
    kind = kind_of(mark)
    if kind not in (Kind.button, Kind.tab) and not (kind is Kind.link and in_page(mark, survey.now.url)):
        return False
    return not buttons.sampled_at_entries(survey, mark)


def _on(survey: Survey, views: _Views, left: _Left) -> Candidate | None:
    """The first press of the shortest way from here to the view it was seen in; None where no way is known."""
    way = _way(survey, views, left.view)
    if not way:
        return None
    mark = next((one for one in survey.usable if (one.signature, one.selector) == (way[0].signature, way[0].selector)), None)
    if mark is None:
        return None
    meant = mark_concepts(left.mark)
    match = survey.promise_about(left.mark.name, GENERAL, meant)
    worth = ON_THE_WAY + match.bonus / 2 + (_FINISHES if meant & ENDS else 0.0) - len(way)
    worth += _BEGUN if survey.last is not None and survey.last.decision.skill == SKILL else 0.0
    why = f'"{left.mark.name[:40]}" was in sight and never pressed; this led there'
    return candidate(worth, Click(target=Target.of(mark)), why, SKILL)


def _way(survey: Survey, views: _Views, to: int) -> list[Target]:
    """Targets of the presses of the shortest way from the present view to another one, as they were done before."""
    edges: dict[int, list[tuple[Target, int]]] = {}
    for step in survey.steps:
        target, before, after = target_of(step), survey.observation(step.acted.before), step.acted.after
        if target is None or before is None or not isinstance(step.decision.action, Click) or not step.acted.delivered:
            continue
        reached = views.now if after == survey.now.id else views.of(survey.observation(after))
        if reached >= 0 and reached != views.of(before) and step.decision.action.button == "left":
            edges.setdefault(views.of(before), []).append((target, reached))
    open_ways, seen = deque([(views.now, list[Target]())]), {views.now}
    while open_ways:
        view, way = open_ways.popleft()
        if view == to:
            return way
        for target, reached in edges.get(view, []) if len(way) < LONGEST_WAY else []:
            if reached not in seen:
                seen.add(reached)
                open_ways.append((reached, [*way, target]))
    return []


def _arrived(survey: Survey) -> list[Candidate]:
    """Right after the last press of the way: what it was walked for, before anything else leads away again."""
    last = survey.last
    if last is None or last.decision.skill != SKILL or not last.acted.delivered:
        return []
    earlier = [page for page in survey.view.past if page.id != last.acted.before]
    seen = {mark.signature for page in earlier for mark in page.marks}
    before = survey.observation(last.acted.before)
    seen -= {mark.signature for mark in before.marks} if before is not None else set[str]()
    found = [one for one in buttons.propose(survey) if getattr(_aim(one), "signature", "") in seen]
    ends = [one for one in found if concepts(getattr(_aim(one), "name", "")) & ENDS]
    return [replace(one, priority=max(one.priority, THERE)) for one in (ends or found)[:1]]


def _aim(one: Candidate) -> Target | None:
    """What a proposal is aimed at, if at something."""
    return getattr(one.decision.action, "target", None)


def _before_the_end_again(survey: Survey) -> list[Candidate]:
    """What ends a form of several steps, when one stands before it a second time, or when little time is left.

    The first time something else may be looked at; whoever leaves it again for another correction may never come to its end.
    """
    led_on = (step for step in survey.steps if step.decision.skill.startswith("submit form") and step.acted.delivered)
    if not any((target := target_of(step)) is not None and says("next_like", target.name) for step in led_on):
        return []
    found = []
    for one in buttons.propose(survey):
        target = _aim(one)
        if target is None or not concepts(target.name) & _LAST or one.decision.skill != "press a button":
            continue
        shown = [any(mark.signature == target.signature for mark in page.marks) for page in survey.view.past]
        again = True in shown and False in shown[shown.index(True) :]
        if again or survey.view.seconds_left < A_DETOUR_S:
            found.append(replace(one, priority=max(one.priority, THERE - 1)))
    return found[:1]
