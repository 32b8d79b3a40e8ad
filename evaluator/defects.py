"""Folding: what shows the same defect is one failure, however often and in however many ways it shows.

Signals that share a key are one defect: the same act, the same place, the same error, the same kind of thing all over the page.
The symptom nearest to the cause names it (ranks in `configs/taxonomy.toml`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.reading import Reading
from evaluator.rubric import Rubric
from evaluator.signals import Key, Signal
from evaluator.symptoms import Taxonomy
from evaluator.taxonomy import Category, Severity

ROOT_CAUSES = frozenset({"event.page_error", "event.script_missing"})
"""Symptoms that name a cause and show nothing by themselves."""
LARGE_SHARE = 0.1
"""Share of the window from which on a thing counts as large."""
_LOWER = {Severity.critical: Severity.major, Severity.major: Severity.minor, Severity.minor: Severity.minor}

PART_OF_IT = "language_mixed"
"""Some of a page is in another language: that costs what it is worth, not what a page costs that nobody can read."""


@dataclass(frozen=True)
class Defect:
    """Signals of one defect, in the order they showed. `root` names it, `face` is where a person sees it.

    `proved`: at least one signal has the attempts it needs and is more than a suspicion; only such signals name and weigh it.
    """

    root: Signal
    face: Signal
    signals: tuple[Signal, ...]
    proved: bool

    @property
    def category(self) -> Category:
        """Its category."""
        return self.root.category

    @property
    def visible(self) -> tuple[Signal, ...]:
        """The signals that show it."""
        return tuple(one for one in self.signals if one.symptom not in ROOT_CAUSES)

    @property
    def attempts(self) -> int:
        """Well-formed attempts behind it."""
        return _attempts(self.signals)

    @property
    def weighing(self) -> tuple[Signal, ...]:
        """The signals that weigh."""
        return tuple(one for one in self.signals if not self.proved or _counts(one, self.attempts))

    @property
    def tried(self) -> int:
        """Different things that were tried and failed through it."""
        return len({(one.category, one.subject) for one in self.visible if one.acts or one.oracle})

    @property
    def occurrences(self) -> int:
        """How often it was seen; a probe that counts the places of one symptom says so itself."""
        counts = [one.measured.get("count") for one in self.signals]
        seen = [one for one in self.visible if not one.secondary]
        return max(len(seen), 1, *(int(one) for one in counts if isinstance(one, int | float)))

    @property
    def identity(self) -> str:
        """Same in every run that finds it: category, symptom, and what it is about."""
        subject = min(one.subject for one in self.signals if one.symptom == self.root.symptom)
        return hashlib.sha256(f"{self.category.value}\n{self.root.symptom}\n{subject}".encode()).hexdigest()


def fold(signals: Sequence[Signal], taxonomy: Taxonomy) -> list[Defect]:
    """Signals with a common key become one defect."""
    leader = list(range(len(signals)))

    def find(position: int) -> int:
        while leader[position] != position:
            leader[position] = leader[leader[position]]
            position = leader[position]
        return position

    holders: dict[Key, int] = {}
    for position, signal in enumerate(signals):
        for key in signal.keys:
            leader[find(position)] = find(holders.setdefault(key, position))
    groups: dict[int, list[Signal]] = {}
    for position, signal in enumerate(signals):
        groups.setdefault(find(position), []).append(signal)
    return [_defect(group, taxonomy) for group in groups.values()]


def _attempts(signals: Sequence[Signal]) -> int:
    """Well-formed attempts: what the oracles count, or the different acts that were judged."""
    finals = {one.final.row.id for one in signals if one.final is not None and one.symptom not in ROOT_CAUSES}
    return max(len(finals), *(one.attempts for one in signals))


def _counts(signal: Signal, attempts: int) -> bool:
    """Whether a signal speaks for itself: a suspicion does not, nor does a control that was tried too seldom."""
    suspicion = signal.meaning.strength == "suspicion" and not signal.anchor
    return not suspicion and signal.meaning.attempts <= attempts


def _defect(group: list[Signal], taxonomy: Taxonomy) -> Defect:
    group.sort(key=lambda one: (one.secondary, one.order))
    counting = [one for one in group if _counts(one, _attempts(group))]
    root = min(
        counting or group,
        key=lambda one: (taxonomy.rule(one.category).rank, one.secondary, one.meaning.strength != "strong", one.order),
    )
    visible = [one for one in counting if one.symptom not in ROOT_CAUSES]
    visible = visible or [one for one in group if one.symptom not in ROOT_CAUSES]
    # What a person should be shown: the thing itself; for a cause without a face, the first thing that it broke.
    faces = [one for one in visible if one.category is root.category] or visible or group
    return Defect(root, faces[0], tuple(group), proved=bool(counting))


@dataclass(frozen=True)
class Gravity:
    """How grave defects are under one rubric, given what the brief asks for and what was seen to work."""

    reading: Reading
    rubric: Rubric
    held: frozenset[tuple[str, str]]
    """Pairs of promise and oracle that were seen to hold."""
    working: int
    """How many different things were seen to work."""

    def points(self, defect: Defect) -> float:
        """What a defect takes off its scale before the limit of its category.

        A cause counts as much as all that it broke within the limits of their categories, and at most as the worst critical
        failure.
        """
        if defect.root.symptom not in ROOT_CAUSES:
            return max(self._signal_points(one) for one in defect.weighing)
        broken: dict[str, dict[tuple[str, str], float]] = {}
        for one in defect.visible:
            subjects = broken.setdefault(self.rubric.limit_of(one.category).words, {})
            key = (one.category.value, one.subject)
            subjects[key] = max(subjects.get(key, 0.0), self._signal_points(one))
        rooms = {limit.words: limit.points for limit in self.rubric.limit}
        total = sum(min(sum(subjects.values()), rooms[words]) for words, subjects in broken.items())
        own = self._signal_points(defect.root)
        if self.working == 0 and defect.tried and defect.root.static:
            # The script stopped while loading and nothing that was tried works: that is the core, whatever the brief calls it.
            own = self.rubric.points.critical
        return min(self.rubric.points.critical_worst, max(own, total))

    def _signal_points(self, signal: Signal) -> float:
        if signal.category is Category.language_mismatch and signal.symptom != PART_OF_IT:
            english = self.reading.started.brief_language.lower().startswith("en")
            return self.rubric.language.brief_english if english else self.rubric.language.brief_other
        for figure in (signal.points, signal.meaning.points):
            if figure is not None:
                return figure
        return self.rubric.points_of(self.severity(signal))

    def severity(self, signal: Signal) -> Severity:
        """How grave one sighting is: by its kind, its size, and how central the brief makes what it is about.

        A central promise that was never seen to hold makes it critical; what nobody asked for weighs one step less.
        """
        severity = signal.meaning.severity
        if signal.meaning.large is not None and signal.box is not None:
            width, height = self._window(signal.viewport)
            if signal.box.area >= LARGE_SHARE * width * height:
                severity = signal.meaning.large
        if not signal.meaning.promised:
            return severity
        if signal.promise is not None:
            worked = (signal.promise.id, signal.oracle) in self.held
            return Severity.critical if signal.promise.central and not worked else severity
        return _LOWER[severity] if self.reading.promises else severity

    def _window(self, viewport: str) -> tuple[float, float]:
        sizes = self.reading.started.settings.get("mobile" if viewport == "mobile" else "viewport", {})
        fallback = (390.0, 844.0) if viewport == "mobile" else (1280.0, 800.0)
        if not isinstance(sizes, dict):
            return fallback
        return float(sizes.get("width", fallback[0])), float(sizes.get("height", fallback[1]))
