"""How grave a failure is: where minor, major and critical come from.

A measured defect begins with its symptom's severity (`configs/taxonomy.toml`), by its kind and size; what a trial showed with its
relation's own (`@relation(severity=…)`), what a model noted or claimed with what it said. Here that is weighed by what the brief
asks for and by what was seen to work. `Rubric.severity_of` turns points into a word again where several sightings were summed.
"""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.attribution.defects import ROOT_CAUSES, Defect
from evaluator.attribution.signals import Signal
from evaluator.record.sealed import Reading
from evaluator.relations.base import relations
from evaluator.verdict.model import Failure
from evaluator.verdict.rubric import Rubric
from evaluator.verdict.taxonomy import Category, Scale, Severity

LARGE_SHARE = 0.1
"""Share of the window from which on a thing counts as large."""


@dataclass(frozen=True)
class SeverityRules:
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
            return max(self._signal_points(each_signal) for each_signal in defect.weighing)
        broken: dict[str, dict[tuple[str, str], float]] = {}
        for failure in defect.consequences:
            broken.setdefault(self.rubric.limit_of(failure.category).words, {})["tried", failure.id] = failure.points
        for signal in defect.visible:
            subjects = broken.setdefault(self.rubric.limit_of(signal.category).words, {})
            key = (signal.category.value, signal.subject)
            subjects[key] = max(subjects.get(key, 0.0), self._signal_points(signal))
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
        ended = [trial.ended for trial in self.reading.trials if trial.by in known and trial.ended is not None]
        return any(trial_ended.stopped.startswith("exception") for trial_ended in ended)

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
    trial = next((found for text in failure.evidence if (found := reading.trial(text)) is not None), None)
    return trial is not None and bool(trial.severity)


def _by_its_own_relation(failure: Failure, reading: Reading) -> bool:
    """Whether the first trial that a failure cites was made to show it."""
    trial = next((found for text in failure.evidence if (found := reading.trial(text)) is not None), None)
    relation = relations().get(trial.by) if trial is not None else None
    return trial is not None and (relation is None or relation.category is failure.category)
