"""One expectation beside what was seen before and after, and what can be told of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agent.deciders.protocol import Expectation, Step
from agent.words import clock_times, folded, numbers
from tools.browser.actions import Action, Target
from tools.browser.marks import Mark, Observation
from tools.evidence.rows import Acted, Box, Changes

VISIBLE = 0.0005
"""Share of pixels from which on a person would notice a change (half a thousandth: a line of text)."""
STORED = "something was stored"
"""An effect that nobody sees."""
HALO_PX = 24.0
"""How far a control's own hover, focus or pressed look (shadow, ring, lift) may reach beyond its box."""
UNKNOWN_HALO_PX2 = 6000.0
"""Allowed for the un-hovering of a thing whose place is not known any more: a large button."""


@dataclass(frozen=True)
class Told:
    """What an oracle can say. `held` None: it cannot be told. `attempts` 0: the act was no well-formed attempt at it."""

    held: bool | None
    observed: str
    symptom: str = ""
    attempts: int = 1
    weak: bool = False
    """It rests on figures that were never seen to agree in this run, and no known slip explains them: they may be misread."""


@dataclass(frozen=True)
class Case:
    """One expectation with its evidence."""

    expectation: Expectation
    before: Observation
    after: Observation
    acted: Acted
    acted_id: str
    history: Sequence[Step]
    action: Action

    @property
    def changes(self) -> Changes:
        """The measured difference."""
        return self.acted.changes

    @property
    def target(self) -> Target | None:
        """What was acted on."""
        return getattr(self.action, "target", None)

    @cached_property
    def mark(self) -> Mark | None:
        """The mark acted on, as it was before; for keys, the one that had the focus."""
        return found(self.before, self.target) if self.target is not None else self.before.mark(self.before.focused)

    @cached_property
    def mark_after(self) -> Mark | None:
        """The mark acted on, as it is after; None when it is gone."""
        return found(self.after, self.target)

    def word(self, name: str, default: str = "") -> str:
        """A parameter as text."""
        return str(self.expectation.params.get(name, default))

    def number(self, name: str, default: float = 0.0) -> float:
        """A parameter as a number; the default where it is not one."""
        value = self.expectation.params.get(name, default)
        return float(value) if isinstance(value, int | float) else default

    @cached_property
    def earlier(self) -> tuple[str, ...]:
        """Ids of earlier well-formed attempts at the same thing that could not yet be told apart from bad luck.

        The same thing: the same oracle on the same target, or with the same `key` where one is given.
        """
        key = self.expectation.params.get("key")
        ids: list[str] = []
        for step in self.history:
            keys = {
                told.text: told.params.get("key") for told in step.decision.expectations if told.oracle == self.expectation.oracle
            }
            for outcome in step.outcomes:
                if outcome.oracle != self.expectation.oracle or outcome.expectation not in keys:
                    continue
                same = keys[outcome.expectation] == key if key is not None else self._same(step)
                if same and outcome.held is True:
                    ids.clear()
                elif same and outcome.held is None and outcome.attempts > 0 and step.acted_id not in ids:
                    ids.append(step.acted_id)
        return tuple(ids)

    def _same(self, step: Step) -> bool:
        """Whether a step was aimed at what this act is aimed at; under another name too, where it went by one (`renamed` 1)."""
        other = getattr(step.decision.action, "target", None)
        if self.number("renamed") and self.mark is not None and other is not None and stands_for(self.mark, other):
            return True
        return _same_target(step, self.target)

    @cached_property
    def moved_before(self) -> bool:
        """Whether the page changed by itself before the act, so that a change after it may be nobody's doing."""
        return self.before.moving > VISIBLE or self.before.animated

    @cached_property
    def ran_before(self) -> bool:
        """Whether what is drawn, or a figure, went on by itself in a wait right before: by steps a look may not meet."""
        last = self.history[-1] if self.history else None
        if last is None or last.acted.action.get("act") != "wait":
            return False
        return last.acted.changes.text or (last.acted.changes.picture or 0.0) > VISIBLE

    @cached_property
    def reached_for(self) -> bool:
        """Whether the hands had to scroll the page to get there, so that scrolling, and what it repaints, is their doing."""
        return self.mark is not None and not self.mark.in_view and self.changes.scroll

    @property
    def flashed(self) -> bool:
        """Whether something changed right after the press, though it may have changed back since: a key that lights up."""
        return self.before.url == self.after.url and self.after.stirs > self.before.stirs

    @cached_property
    def lines(self) -> tuple[Counter[str], Counter[str]]:
        """Lines of text `(gone, new)` with how often each."""
        before, after = text_lines(self.before), text_lines(self.after)
        return before - after, after - before


def found(observation: Observation, target: Target | None) -> Mark | None:
    """The mark a target means in an observation: by signature and place, else by signature if only one has it, else by place."""
    if target is None:
        return None
    placed = [mark for mark in observation.marks if mark.selector == target.selector and mark.frame == target.frame]
    signed = [mark for mark in observation.marks if target.signature and mark.signature == target.signature]
    both = [mark for mark in placed if mark in signed]
    if both:
        return both[0]
    if len(signed) == 1:
        return signed[0]
    alike = [mark for mark in placed if not target.role or mark.role == target.role]
    return alike[0] if alike else None


def stands_for(mark: Mark, target: Target) -> bool:
    """Whether a mark is of the target's role and has its place, whatever it is called."""
    return (mark.selector, mark.frame, mark.role) == (target.selector, target.frame, target.role)


def text_lines(observation: Observation) -> Counter[str]:
    """Lines of visible text, folded, empty ones left out."""
    return Counter(line for line in (folded(raw) for raw in observation.text.splitlines()) if line)


def shown_numbers(observation: Observation) -> tuple[float, ...]:
    """Numbers in the visible text and in read-only fields (displays of calculators)."""
    displays = " ".join(mark.value for mark in observation.marks if mark.value and (mark.readonly or mark.disabled))
    return numbers(f"{observation.text}\n{displays}")


def _same_target(step: Step, target: Target | None) -> bool:
    other = getattr(step.decision.action, "target", None)
    if target is None or other is None:
        return target is None and other is None
    if target.signature or other.signature:
        return target.signature == other.signature and (target.selector == other.selector or not target.selector)
    return target.selector == other.selector and target.frame == other.frame


def lack(case: Case, symptom: str, observed: str, *, needs: int = 2) -> Told:
    """Nothing came of a well-formed attempt: told only once `needs` such attempts were made in different ways."""
    attempts = len(case.earlier) + 1
    if attempts >= needs:
        return Told(False, observed, symptom, attempts)
    return Told(None, f"{observed} (attempt {attempts} of {needs})", "", attempts)


def lack_of_agreement(case: Case, observed: str, *, agreed: bool, slip: str = "", needs: int = 2) -> Told:
    """Figures do not agree: `wrong_result`. Weak unless they `agreed` in another state, or a known `slip` explains them."""
    told = lack(case, "wrong_result", f"{observed}: {slip}" if slip else observed, needs=needs)
    return replace(told, weak=told.held is False and not agreed and not slip)


def held_before(case: Case, words: str = "") -> bool:
    """Whether this oracle told, at any act so far, that it held; of what begins with these words, if there are any."""
    oracle = case.expectation.oracle
    told = [outcome for step in case.history for outcome in step.outcomes if outcome.oracle == oracle and outcome.held]
    return any(words in outcome.observed for outcome in told)


@dataclass(frozen=True)
class Effect:
    """What came of an act, in words: surely (`definite`), or perhaps, for the page moves by itself (`doubtful`)."""

    definite: str = ""
    doubtful: str = ""


def effect(case: Case) -> Effect:
    """What an act changed beyond its control's own hover and focus look."""
    changes = case.changes
    sure = [
        (changes.url, "the address changed"),
        (changes.dialogs > 0, "a dialog was shown"),
        (bool(case.after.logs.events), "the page asked the browser for a file, a window or the like"),
        (changes.storage, STORED),
        (changes.value, "a control's value changed"),
        (changes.scroll and not case.reached_for, "the page scrolled"),
        (case.after.moving > VISIBLE and not case.moved_before, "things began to move"),
        (redrawn(case), "a drawing changed"),
    ]
    definite = [words for told, words in sure if told]
    doubtful: list[str] = []
    if changes.text:
        (doubtful if _only_clocks(case) else definite).append(_text_change(case))
    if changes.network > 0:
        (doubtful if case.moved_before and case.before.pending_requests else definite).append("a request was sent")
    if changes.dom:
        (doubtful if case.moved_before or case.reached_for else definite).append("the page's structure changed")
    if beyond_own_look(case) and not case.reached_for:
        (doubtful if case.moved_before else definite).append(f"{(changes.picture or 0) * 100:.1f} % of the picture changed")
    return Effect("; ".join(definite), "; ".join(doubtful))


def redrawn(case: Case) -> bool:
    """Whether a chart or canvas shows something else, however little of the picture that is. Not told of one that moves."""
    if case.moved_before or case.after.moving > VISIBLE or case.reached_for:
        return False
    before = {drawing.selector: drawing.digest for drawing in case.before.drawings if drawing.digest}
    return any(before.get(one.selector, one.digest) != one.digest for one in case.after.drawings if one.digest)


def beyond_own_look(case: Case) -> bool:
    """Whether more of the picture changed than the hover, focus and pressed look of what was and is pointed at can explain."""
    picture = case.changes.picture
    if picture is None or picture <= VISIBLE:
        return False
    if case.mark is not None and case.mark.kind == "canvas":
        return True
    width, height = case.before.viewport
    return picture * width * height > reach_of(case, [case.mark] if case.mark is not None else [])


def reach_of(case: Case, marks: Sequence[Mark]) -> float:
    """Pixels that the looks of these marks, and of what had the pointer or the focus before, may take by another colour."""
    allowed = sum(_halo(mark.box) for mark in marks) + _previously_pointed(case)
    if case.before.focused:
        focused = case.before.mark(case.before.focused)
        allowed += _halo(focused.box) if focused is not None else UNKNOWN_HALO_PX2
    return allowed


def _previously_pointed(case: Case) -> float:
    for step in reversed(case.history):
        target = getattr(step.decision.action, "target", None)
        if target is not None:
            mark = found(case.before, target)
            return _halo(mark.box) if mark is not None else UNKNOWN_HALO_PX2
    return 0.0


def _halo(box: Box) -> float:
    return (box.width + 2 * HALO_PX) * (box.height + 2 * HALO_PX)


def _only_clocks(case: Case) -> bool:
    """Whether, on a page that moves, all text that changed is figures that may run by themselves."""
    if not case.moved_before and not clock_times(case.before.text):
        return False
    gone, new = case.lines
    strip = str.maketrans("", "", "0123456789:.,%- ")
    return Counter(line.translate(strip) for line in gone.elements()) == Counter(line.translate(strip) for line in new.elements())


def _text_change(case: Case) -> str:
    gone, new = case.lines
    if new:
        return f'the text "{_short(next(iter(new)))}" appeared'
    return f'the text "{_short(next(iter(gone)))}" went' if gone else "the text changed"


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"


def threw(case: Case) -> bool:
    """Whether the page reported errors at this act or at one before it: what goes wrong then may be their doing."""
    return bool(case.changes.errors) or any(step.acted.changes.errors for step in case.history)
