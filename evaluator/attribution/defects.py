"""Folding: what shows the same defect is one failure, however often and in however many ways it shows.

Signals that share a key are one defect: the same act, the same place, the same error, the same kind of thing all over the page.
The symptom nearest to the cause names it (ranks in `configs/taxonomy.toml`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.attribution.signals import Key, Signal
from evaluator.attribution.symptoms import Taxonomy
from evaluator.record.sealed import Reading
from evaluator.relations.base import relations
from evaluator.scoring.rubric import Rubric
from evaluator.verdict.model import Failure
from evaluator.verdict.taxonomy import Category, Scale, Severity

ROOT_CAUSES = frozenset({"event.page_error", "event.script_missing"})
"""Symptoms that name a cause and show nothing by themselves."""
LARGE_SHARE = 0.1
"""Share of the window from which on a thing counts as large."""


@dataclass(frozen=True)
class Defect:
    """Signals of one defect, in the order they showed. `root` names it, `face` is where a person sees it.

    `proved`: at least one signal is more than a suspicion; only such signals name and weigh it.
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
        """Different acts after which it was seen."""
        return len({one.final.row.id for one in self.signals if one.final is not None and one.symptom not in ROOT_CAUSES})

    @property
    def broke(self) -> tuple[Failure, ...]:
        """What trials showed and it brought about, the error itself among it where a trial met it."""
        return tuple({failure.id: failure for one in self.signals for failure in one.broke}.values())

    @property
    def consequences(self) -> tuple[Failure, ...]:
        """The same without the error itself."""
        return tuple(one for one in self.broke if one.category is not Category.runtime_error)

    @property
    def weighing(self) -> tuple[Signal, ...]:
        """The signals that weigh."""
        return tuple(one for one in self.signals if not self.proved or _counts(one))

    @property
    def tried(self) -> int:
        """Different things that were tried and failed through it."""
        return len({(one.category, one.subject) for one in self.visible if one.acts and not one.state}) + len(self.consequences)

    @property
    def occurrences(self) -> int:
        """How often it was seen; a probe that counts the places of one symptom says so itself."""
        counts = [one.measured.get("count") for one in self.signals]
        seen = [one for one in self.visible if not one.secondary]
        return max(len(seen) + len(self.consequences), 1, *(int(one) for one in counts if isinstance(one, int | float)))

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


def _counts(signal: Signal) -> bool:
    """Whether a signal speaks for itself: a suspicion does not."""
    return signal.meaning.strength != "suspicion" or bool(signal.anchor)


def _defect(group: list[Signal], taxonomy: Taxonomy) -> Defect:
    group.sort(key=lambda one: (one.secondary, one.order))
    counting = [one for one in group if _counts(one)]
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
    kept: frozenset[str]
    """Promises that a trial about them was seen to keep."""
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
        for failure in defect.consequences:
            broken.setdefault(self.rubric.limit_of(failure.category).words, {})["tried", failure.id] = failure.points
        for one in defect.visible:
            subjects = broken.setdefault(self.rubric.limit_of(one.category).words, {})
            key = (one.category.value, one.subject)
            subjects[key] = max(subjects.get(key, 0.0), self._signal_points(one))
        rooms = {limit.words: limit.points for limit in self.rubric.limit}
        total = sum(min(sum(subjects.values()), rooms[words]) for words, subjects in broken.items())
        own = self._signal_points(defect.root)
        if self.working == 0 and defect.root.static and (defect.tried or self._stopped_by_exceptions()):
            # The script stopped while loading and nothing that was tried works: that is the core, whatever the brief calls it.
            own = self.rubric.points.critical
        return min(self.rubric.points.critical_worst, max(own, total))

    def _stopped_by_exceptions(self) -> bool:
        """Whether a relation's trial could go no further because the page threw: what it was about does not work either."""
        known = relations()
        ended = [one.ended for one in self.reading.trials if one.by in known and one.ended is not None]
        return any(one.stopped.startswith("exception") for one in ended)

    def _signal_points(self, signal: Signal) -> float:
        if signal.category is Category.language_mismatch:
            english = self.reading.started.brief_language.lower().startswith("en")
            return self.rubric.language.brief_english if english else self.rubric.language.brief_other
        for figure in (signal.points, signal.meaning.points):
            if figure is not None:
                return figure
        return self.rubric.points_of(self.severity(signal))

    def severity(self, signal: Signal) -> Severity:
        """How grave one sighting is: by its kind and its size."""
        if signal.meaning.large is not None and signal.box is not None:
            width, height = self._window(signal.viewport)
            if signal.box.area >= LARGE_SHARE * width * height:
                return signal.meaning.large
        return signal.meaning.severity

    def of_trial(self, failure: Failure) -> Failure:
        """What trials showed, critical where it is a major failure of a central promise that no trial was seen to keep.

        What holds of every act, and was violated on the way of a trial about a promise, says nothing of that promise. What
        whoever made the trial says of its gravity stands.
        """
        promise = self.reading.promises.get(failure.promise)
        own = _by_its_own_relation(failure, self.reading)
        missed = promise is not None and promise.central and promise.id not in self.kept
        if _graded(failure, self.reading):
            return failure
        if not missed or not own or failure.severity is not Severity.major or failure.scale is not Scale.functionality:
            return failure
        points = self.rubric.points_of(Severity.critical)
        return failure.model_copy(update={"severity": Severity.critical, "points": points})

    def _window(self, viewport: str) -> tuple[float, float]:
        sizes = self.reading.started.settings.get("mobile" if viewport == "mobile" else "viewport", {})
        fallback = (390.0, 844.0) if viewport == "mobile" else (1280.0, 800.0)
        if not isinstance(sizes, dict):
            return fallback
        return float(sizes.get("width", fallback[0])), float(sizes.get("height", fallback[1]))


def _graded(failure: Failure, reading: Reading) -> bool:
    """Whether whoever made the first trial that it cites said how grave it is."""
    trial = next((found for one in failure.evidence if (found := reading.trial(one)) is not None), None)
    return trial is not None and bool(trial.severity)


def _by_its_own_relation(failure: Failure, reading: Reading) -> bool:
    """Whether the first trial that a failure cites was made to show it."""
    trial = next((found for one in failure.evidence if (found := reading.trial(one)) is not None), None)
    relation = relations().get(trial.by) if trial is not None else None
    return trial is not None and (relation is None or relation.category is failure.category)
