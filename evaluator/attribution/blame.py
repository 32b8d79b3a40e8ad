"""Whose fault is it? Takes away from the signals what is the agent's, the environment's, or nobody's; the rest is the app's.

What is taken away is told with its reason, and with how far it could lower the score if it were the app's after all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.attribution.environment import Environment, Refusal
from evaluator.attribution.roots import HARMLESS
from evaluator.attribution.signals import Aside, Signal, with_key
from evaluator.attribution.source_place import Causes
from evaluator.attribution.symptoms import Taxonomy
from evaluator.record.naming import clean, place_of
from evaluator.record.sealed import WALK, Act, Reading, TrialSeen
from evaluator.record.sources import Sources
from evaluator.relations.base import relations
from evaluator.verdict.model import Claim, Failure
from evaluator.verdict.rubric import Rubric
from evaluator.verdict.taxonomy import Blame, Category, Scale
from tools.evidence.film_rows import SoundTrack
from tools.evidence.rows import NetworkFailure, PageError, Row
from tools.evidence.trial_rows import AssertionJudged
from tools.page.assertions.amounts import leaks

EMPTY = frozenset({"media.canvas_empty", "media.drawing_empty"})
"""Suspicions that an error thrown while the page loaded makes more than suspicions."""
SILENT = frozenset({"markup.dead_link"})
"""Suspicions that a control does nothing: a sound that it sets off speaks against them."""
RINGS_MS = 600.0
"""A sound begins at most so long after the act that set it off."""


@dataclass(frozen=True)
class Triage:
    """Sorts signals. `environment` and `causes` are those of the same reading."""

    reading: Reading
    environment: Environment
    causes: Causes
    rubric: Rubric
    taxonomy: Taxonomy

    def sort(self, signals: Sequence[Signal]) -> tuple[list[Signal], list[Aside]]:
        """The signals that speak against the app, and what is told besides."""
        kept: list[Signal] = []
        asides: list[Aside] = []
        gone = any(signal.anchor in {"blank", "absent"} and self._refusal(signal) is None for signal in signals)
        missing = self._missing()
        for signal in signals:
            judged = self._judge(signal, gone=gone)
            if isinstance(judged, Aside):
                asides.append(judged)
            else:
                kept.append(_with_files(judged, missing))
        return kept, asides

    def _judge(self, signal: Signal, *, gone: bool) -> Signal | Aside:
        if signal.blocked_by:
            return self._told(signal, f"the act that should show it missed the page: {signal.blocked_by}", Blame.agent)
        if signal.meaning.strength == "note" and not signal.anchor:
            return self._told(signal, "a blemish that costs nothing by itself", Blame.app)
        refusal = self._refusal(signal)
        if refusal is not None:
            down = self.points(signal)
            return self._told(signal, refusal.told, Blame.environment, down=down, more=(refusal.row,))
        if gone and signal.static and not signal.anchor and _about_looks(signal):
            return self._told(signal, "the page as a whole is not there; this only follows from it", Blame.app)
        if signal.meaning.strength == "suspicion" and not signal.anchor:
            return self._suspicion(signal)
        return signal

    def points(self, signal: Signal) -> float:
        """What the signal would cost by itself."""
        for figure in (signal.points, signal.meaning.points):
            if figure is not None:
                return figure
        return self.rubric.points_of(signal.meaning.severity)

    def _refusal(self, signal: Signal) -> Refusal | None:
        """What the environment did not give and the signal may follow from."""
        environment = self.environment
        final = signal.final
        if final is not None and signal.category is not Category.crash_or_hang:
            refusal = environment.foreign_acts.get(final.number) or environment.explains_data(signal.acts)
            if refusal is not None:
                return refusal
        for cause in signal.meaning.follows:
            match cause:
                case "script":
                    refusal = environment.explains_script(self.causes.handles(signal.selector) if final is not None else ())
                case "style":
                    refusal = environment.explains_style(signal.selector)
                case "font":
                    refusal = environment.explains_font()
            if refusal is not None:
                return refusal
        if signal.category is Category.broken_media:
            texts = (signal.observed, *(str(value) for value in signal.measured.values()))
            return environment.explains_media(tuple(text for text in texts if isinstance(text, str)))
        return None

    def withheld(self, failure: Failure) -> Aside | None:
        """What is told instead of what trials showed, where it may follow from what the environment did not give."""
        acts = tuple(act for act in map(self.reading.act, failure.step_ids) if act is not None)
        refusal = next((found for act in acts if (found := self.environment.foreign_acts.get(act.number))), None)
        refusal = refusal or self.environment.explains_data(acts)
        if refusal is None and "script" in self.taxonomy.rule(failure.category).follows:
            refusal = self.environment.explains_script(self.causes.handles(failure.place.selector))
        if refusal is None:
            return None
        claim = Claim(
            text=clean(failure.title, 240),
            reason=clean(refusal.told, 240),
            blame=Blame.environment,
            evidence=tuple(dict.fromkeys((*failure.evidence, refusal.row.id))),
        )
        return Aside(claim, counted=False, scale=failure.scale, down=failure.points, tried=True)

    def written_so(self, failure: Failure, sources: Sources) -> Aside | None:
        """What is told of words that look like a leaked value and stand so in the app's own source: they are its content.

        All of them must: beside a text that speaks of programs a real value may leak.
        """
        judged = [row.body for row in map(self.reading.record.row, failure.evidence) if row is not None]
        sensible = [
            each_row
            for each_row in judged
            if isinstance(each_row, AssertionJudged) and each_row.assertion.get("kind") == "sensible"
        ]
        page = self.reading.models.page(sensible[0].models[-1]) if sensible and sensible[0].models else None
        shown = leaks(page) if page is not None else {}
        if not shown or not all(" " in text.strip() and any(text in file.text for file in sources.files) for text in shown):
            return None
        claim = Claim(
            text=clean(failure.title, 240),
            reason="the words stand so in the app's own source: they are what it tells, no value that leaked",
            blame=Blame.evaluator,
            evidence=failure.evidence,
        )
        return Aside(claim, counted=False, scale=failure.scale)

    def _sounded(self, signal: Signal, acts: Sequence[Act]) -> Row | None:
        """The sound track, where one of the acts set off a sound after silence: what the part does is heard."""
        if signal.symptom not in SILENT:
            return None
        for row, track in self.reading.of(SoundTrack):
            for act in acts:
                begun, until = act.started_ms, act.ended_ms + RINGS_MS
                before = any(start < begun and end > begun - RINGS_MS for start, end in track.audible_spans)
                if not before and any(begun <= start <= until for start, _ in track.audible_spans):
                    return row
        return None

    def _suspicion(self, signal: Signal) -> Signal | Aside:
        """A suspicion from the static reading: withdrawn, confirmed or left open by what the exploration saw there.

        Using a thing settles what its script does; how it looks stays as suspect as before.
        """
        if "script" not in signal.meaning.follows:
            reason = "weak by itself, and nothing else shows it"
            return self._told(signal, reason, Blame.ambiguous, counted=True, down=self.points(signal))
        acts = [act for act in self.reading.acts if signal.selector and act.place == signal.selector and act.delivered]
        trial = self.shown_by(signal)
        if trial is not None:
            # Told with the trial's failure: it is what was suspected.
            return self._told(signal, "a trial of it was violated, see what that shows", Blame.app, more=(trial.row,))
        for act in acts:
            trial = self.reading.trial_of(act)
            if act.changed or (trial is not None and trial.result == "held" and trial.by in relations()):
                return self._told(signal, "when it was tried, it did something", Blame.app, counted=True, more=(act.row,))
        heard = self._sounded(signal, acts)
        if heard is not None:
            return self._told(signal, "it was heard, though nothing could be seen of it", Blame.app, more=(heard,))
        if signal.symptom in EMPTY and self._threw_at_load(signal):
            return signal
        reason = "suspected from the page alone; it was not tried"
        return self._told(signal, reason, Blame.ambiguous, counted=True, down=self.points(signal))

    def _threw_at_load(self, signal: Signal) -> bool:
        """Whether a script of the app's own stopped while the page loaded, before it could fill what is empty."""
        page = self.reading.page_of(signal.row)
        return any(
            self.reading.act_at(row) is None and self.reading.page_of(row) == page
            for row, error in self.reading.of(PageError)
            if row.id not in self.environment.foreign_errors and not HARMLESS.search(error.message)
        )

    def shown_by(self, signal: Signal) -> TrialSeen | None:
        """The first violated trial of the very part that a suspicion is about: its last act, or what was violated, was on it."""
        if signal.meaning.strength != "suspicion" or "script" not in signal.meaning.follows or not signal.selector:
            return None
        for trial in self.reading.trials:
            if trial.result == "violated" and signal.selector in _places(trial):
                return trial
        return None

    def _missing(self) -> list[tuple[Row, NetworkFailure]]:
        """Style sheets, pictures, films and sounds of the app's own that did not come."""
        return [
            (row, body)
            for row, body in self.reading.of(NetworkFailure)
            if body.own_site and body.resource in {"stylesheet", "image", "media"}
        ]

    def _told(
        self,
        signal: Signal,
        reason: str,
        blame: Blame,
        *,
        counted: bool = False,
        down: float = 0.0,
        more: tuple[Row, ...] = (),
    ) -> Aside:
        evidence = tuple(dict.fromkeys(row.id for row in (signal.row, *signal.more, *more)))
        text = f"{signal.title}: {signal.observed}" if signal.observed not in signal.title else signal.title
        claim = Claim(text=clean(text, 240), reason=clean(reason, 240), blame=blame, evidence=evidence)
        return Aside(
            claim,
            counted=counted,
            scale=signal.scale,
            down=down,
            page=signal.anchor in {"blank", "absent"},
        )


def _with_files(signal: Signal, missing: Sequence[tuple[Row, NetworkFailure]]) -> Signal:
    """Adds the missing files that the symptom shows: any style sheet for bare looks, for media the one that it names."""
    wanted = {"stylesheet"} if "style" in signal.meaning.follows else set[str]()
    if signal.category is Category.broken_media:
        wanted = {"image", "media"}
    texts = [signal.observed, *(str(value) for value in signal.measured.values())]
    rows = tuple(
        row
        for row, body in missing
        if body.resource in wanted
        and (body.resource == "stylesheet" or any(body.url.rpartition("/")[2] in text for text in texts))
    )
    return with_key(signal, signal.keys[0], more=rows) if rows else signal


def _places(trial: TrialSeen) -> set[str]:
    looked = (body.assertion.get("target") for _, body in trial.violated)
    return {*(act.place for act in trial.own_acts[-1:]), *(place_of(entry) for entry in looked if isinstance(entry, dict))}


def _about_looks(signal: Signal) -> bool:
    return signal.scale is Scale.aesthetics or signal.category is Category.inaccessible


def undelivered(reading: Reading) -> list[Row]:
    """Acts that missed the page: the agent's failing, not the app's.

    Not those of a way to a state: it led elsewhere since, was sought anew or given up, and nothing was to be seen by it.
    """
    ways = {trial.row.id for trial in reading.trials if trial.by == WALK}
    return [act.row for act in reading.acts if not act.delivered and act.row.parent not in ways]


def broken_unshown(reading: Reading) -> list[str]:
    """Promises that the exploration calls broken though no violated trial is about them: an opinion, and no evidence."""
    covered = reading.covered
    if covered is None:
        return []
    shown = {requirement for trial in reading.trials if trial.violated for requirement in trial.requirements}
    return sorted(text for text, state in covered.promises.items() if state == "broken" and text not in shown)
