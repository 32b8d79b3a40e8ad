"""From a defect to a failure: category, severity, blame, place, moment, steps, cause and evidence."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evaluator.attribution.defects import ROOT_CAUSES, Defect
from evaluator.attribution.roots import console_rows
from evaluator.attribution.severity import SeverityRules
from evaluator.attribution.signals import Aside, Signal
from evaluator.attribution.source_place import Causes
from evaluator.record.naming import clean, path_of
from evaluator.record.sealed import Act, Reading
from evaluator.record.steps import route
from evaluator.verdict.model import Cause, Claim, Failure, Place
from evaluator.verdict.rubric import Rubric
from evaluator.verdict.taxonomy import Blame, Category, Scale, scale_of
from tools.evidence.rows import ConsoleMessage, PageError, Row

EVIDENCE_AT_MOST = 60
"""Ids that one failure cites; a defect that shows more often says how often."""
LISTED_AT_MOST = 5
SAID = "seen."
"""How the symptoms begin that a judge with a model names (`evaluator/judges/claims.py`): its word seals nothing."""
INTERACTIVE = frozenset(
    {
        Category.dead_control,
        Category.input_ignored,
        Category.state_not_updated,
        Category.wrong_result,
        Category.broken_navigation,
        Category.validation_missing,
        Category.persistence_lost,
        Category.animation_frozen,
        Category.audio_missing,
        Category.crash_or_hang,
        Category.missing_feature,
    }
)


@dataclass(frozen=True)
class Attribution:
    """Attributes defects to the app."""

    reading: Reading
    causes: Causes
    rubric: Rubric
    severity: SeverityRules

    def decide(self, defect: Defect) -> Failure | Aside:
        """A failure, or what is told instead when the evidence does not suffice."""
        if not defect.proved:
            return self._open(defect, "suspected from the page alone; what was tried there could not be told")
        return self._failure(defect)

    def _open(self, defect: Defect, reason: str) -> Aside:
        evidence = tuple(row.id for row in self._rows(defect))
        claim = Claim(text=f"{defect.root.title}: {defect.root.observed}", reason=reason, evidence=evidence)
        down = self.severity.points(defect) * self.rubric.doubt.unproved_share
        return Aside(claim, counted=True, scale=scale_of(defect.category), down=down)

    def _failure(self, defect: Defect) -> Failure:
        face, root = defect.face, defect.root
        points = self.severity.points(defect)
        led = route(self.reading, face.acts)
        shown = defect.broke[0] if defect.broke and not face.acts else None
        promise = next((signal.promise.id for signal in (face, *defect.signals) if signal.promise is not None), "")
        promise = promise or next((failure.promise for failure in defect.broke if failure.promise), "")
        return Failure(
            id=f"f-{defect.identity[:6]}",
            category=defect.category,
            severity=self.rubric.severity_of(points),
            scale=scale_of(defect.category),
            blame=Blame.app,
            title=self._title(defect),
            expected=face.expected or root.expected,
            observed=self._observed(defect),
            origin=_origin(defect),
            place=Place(
                selector=face.selector,
                box=face.box,
                viewport=face.viewport,
                url=self.reading.url_at(face.row),
                app_ms=face.moment,
                video_s=self.reading.video_s(face.row, face.moment),
            ),
            steps=shown.steps if shown is not None else led.words,
            step_ids=shown.step_ids if shown is not None else tuple(act.row.id for act in led.acts),
            cause=self._cause(defect),
            evidence=tuple(row.id for row in self._rows(defect)),
            confidence=self._confidence(defect),
            promise=promise,
            occurrences=defect.occurrences,
            points=points,
            sealed=_sealed(defect),
        )

    def _title(self, defect: Defect) -> str:
        title = defect.root.title
        if defect.root.symptom in ROOT_CAUSES and defect.tried > 1:
            return clean(f"{title} – {defect.tried} things do not work because of it")
        if defect.occurrences > 1 and not defect.root.anchor:
            return clean(f"{clean(title, 140)} (×{defect.occurrences})")
        return title

    def _observed(self, defect: Defect) -> str:
        """What was seen, the symptoms of a cause listed."""
        if defect.root.symptom not in ROOT_CAUSES:
            return clean(defect.root.observed, 400)
        seen = list(dict.fromkeys(consequence.title for consequence in (*defect.visible, *defect.consequences)))
        if not seen:
            return clean(defect.root.observed, 400)
        rest = f", and {len(seen) - LISTED_AT_MOST} more" if len(seen) > LISTED_AT_MOST else ""
        return clean(f"{defect.root.observed}. Through it: {'; '.join(seen[:LISTED_AT_MOST])}{rest}", 600)

    def _rows(self, defect: Defect) -> list[Row]:
        """The rows it rests on in the order of the ledger: those that name and show it first when there are too many."""
        rows: dict[str, Row] = {}
        for failure in defect.broke:
            for row in map(self.reading.record.row, failure.evidence):
                if row is not None and row.kind in {"trial", "assertion"}:
                    rows.setdefault(row.id, row)
        for signal in (defect.root, defect.face, *defect.signals):
            for row in (signal.row, *signal.more):
                rows.setdefault(row.id, row)
        finals = {each_signal.final.number for each_signal in defect.signals if each_signal.final is not None}
        for logged in console_rows(self.reading, finals).values():
            for row in logged[:3]:
                rows.setdefault(row.id, row)
        return sorted(list(rows.values())[:EVIDENCE_AT_MOST], key=lambda row: self.reading.index(row.id))

    def _confidence(self, defect: Defect) -> float:
        figures = self.rubric.confidence
        if defect.category in {Category.crash_or_hang, Category.runtime_error}:
            return figures.event
        face = defect.face
        if face.acts:
            return figures.repeated if defect.attempts > 1 else figures.outcome
        return figures.weak if face.meaning.strength == "weak" else figures.static

    def _cause(self, defect: Defect) -> Cause:
        face = defect.face
        if defect.root.symptom in ROOT_CAUSES:
            return self._of_root(defect.root)
        if defect.category in INTERACTIVE and face.final is not None:
            return self._of_interaction(defect, face)
        if defect.category is Category.crash_or_hang:
            return self._of_breakdown(defect.root)
        if defect.root.anchor == "blank":
            return Cause(note="no error was thrown that would say why nothing is drawn")
        if defect.category is Category.unstyled:
            return Cause(note="" if self.causes.sources.styles else "the sources hold no style sheet")
        if scale_of(defect.category) is Scale.aesthetics:
            return self.causes.of_style(face.selector, defect.category)
        if defect.category is Category.inaccessible:
            return self.causes.of_control(face.selector, "", dead=False)
        return self.causes.of_text(_texts(face))

    def _of_root(self, root: Signal) -> Cause:
        if isinstance(root.row.body, PageError):
            return self.causes.of_error(root.row.body)
        return self.causes.of_text([root.observed.partition(" ")[0].rpartition("/")[2]])

    def _of_breakdown(self, root: Signal) -> Cause:
        if root.symptom in {"event.site_absent", "event.not_loaded"}:
            return Cause(note="the app did not start; see what its server printed")
        return self.causes.of_breakdown(dialogs=root.symptom == "event.dialog_storm")

    def cause_of_trial(self, failure: Failure) -> Cause:
        """The likely cause of what trials showed: of what their last own act was aimed at, else of what they looked at."""
        acts = [act for act in map(self.reading.act, failure.step_ids) if act is not None]
        aimed = next((act for act in reversed(acts) if act.target), None)
        last = aimed or (acts[-1] if acts else None)
        if failure.category not in INTERACTIVE:
            return Cause()
        return self._of_act(failure.category, last, failure.place.selector, "")

    def _of_interaction(self, defect: Defect, face: Signal) -> Cause:
        return self._of_act(defect.category, face.final, face.selector, face.name)

    def _of_act(self, category: Category, act: Act | None, selector: str, name: str) -> Cause:
        """The line that logged an error in the act, else that which wires what it was aimed at (or the part of that selector)."""
        if category is Category.persistence_lost:
            return self.causes.of_storage()
        logged = console_rows(self.reading, [act.number] if act else []).values()
        for row in (row for rows in logged for row in rows):
            body = row.body
            spot = self.causes.sources.spot(body.url, body.line) if isinstance(body, ConsoleMessage) and body.url else None
            if spot is not None:
                note = "the line that logged an error in the same moment"
                return Cause(known=True, file=spot.source.path, line=spot.line, excerpt=spot.excerpt(), note=note)
        if act is not None and act.target:
            selector, name = act.place, str(act.target.get("name", ""))
        if not selector and not name:
            return Cause(note="the act had no target whose source could be sought")
        return self.causes.of_control(selector, name, dead=category in {Category.dead_control, Category.input_ignored})


def _texts(signal: Signal) -> list[str]:
    """Texts of the page that a finding quotes, longest first: its measures, and what stands in quotation marks in its message."""
    found = [str(value) for value in signal.measured.values() if isinstance(value, str)]
    for opening, closing in (("“", "”"), ('"', '"'), ("‘", "’"), ("'", "'"), ("`", "`")):
        _, mark, rest = signal.observed.partition(opening)
        quoted, end, _ = rest.partition(closing)
        if mark and end:
            found.append(quoted.rstrip("…"))
    paths = [path_of(text).rpartition("/")[2] for text in found if "/" in text]
    return sorted({*found, *paths}, key=lambda text: (-len(text), text))


def _origin(defect: Defect) -> Literal["new", "confirmed", "static"]:
    """Seen in interaction, seen on the untouched page, or both."""
    static = any(signal.static for signal in defect.signals)
    active = bool(defect.broke) or any(not signal.static for signal in defect.signals)
    return "confirmed" if static and active else "static" if static else "new"


def _sealed(defect: Defect) -> bool:
    """Whether the record shows it without an act: what instruments saw on the untouched page, and no model's word."""
    telling = [signal for signal in defect.signals if signal.static and not signal.acts and not signal.symptom.startswith(SAID)]
    seen_in_use = bool(defect.face.acts or defect.broke)
    return bool(telling) and not seen_in_use and not defect.root.symptom.startswith(SAID)


def unique_ids(failures: Sequence[Failure], identities: Sequence[str]) -> list[Failure]:
    """Other ids for the few failures that would share one: numbered by what they say, so that they too are the same next time."""
    order = sorted(
        range(len(failures)), key=lambda number: (identities[number], failures[number].observed, failures[number].place.selector)
    )
    taken: dict[str, int] = {}
    ids: dict[int, str] = {}
    for position in order:
        short = identities[position][:6]
        taken[short] = taken.get(short, 0) + 1
        again = f"{identities[position]}\n{taken[short]}"
        ids[position] = short if taken[short] == 1 else hashlib.sha256(again.encode()).hexdigest()[:12]
    return [failure.model_copy(update={"id": f"f-{ids[position]}"}) for position, failure in enumerate(failures)]
