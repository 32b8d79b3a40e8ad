"""A sealed record told as facts, for somebody who judges: trials with their acts and what was seen, logs, tracks, measurements.

Nothing the agent thought is among them: no notes, no plan, no summary. Every line begins with the id of its row, which is what a
claim cites.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.judges.figures import Figures
from evaluator.record.naming import clean
from evaluator.record.sealed import Act, Reading, TrialSeen
from evaluator.relations.base import always_watched, relations
from evaluator.verdict.model import Failure
from tools.evidence.film_rows import MotionTrack, Recorded, SoundTrack
from tools.evidence.rows import (
    ConsoleMessage,
    DialogShown,
    Finding,
    Gap,
    NetworkFailure,
    PageError,
    PageEvent,
    Phase,
    Row,
)
from tools.evidence.trial_rows import AssertionJudged
from tools.text import how_many

CONSOLE_KINDS = frozenset({"error", "assert"})
LINES = 400
"""Characters of one line."""
SPANS_AT_MOST = 40


@dataclass(frozen=True)
class Facts:
    """Lines of one kind, and the rows they tell of."""

    lines: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)

    def within(self, tokens: int, figures: Figures) -> Facts:
        """As many lines as fit, from the front; how many were left out is said in the last one. Rows are those still named."""
        kept: list[str] = []
        left = tokens
        for line in self.lines:
            left -= figures.tokens(line) + 1
            if left < 0:
                break
            kept.append(line)
        missing = len(self.lines) - len(kept)
        if not missing:
            return self
        named = "\n".join(kept)
        return Facts((*kept, f"({missing} further lines left out)"), tuple(row for row in self.rows if row in named))


def trials(reading: Reading, tokens: int, figures: Figures, shown: frozenset[str] = frozenset()) -> Facts:
    """Each trial: what was tried, its acts with what changed, its assertions with what was seen, what it came to.

    `shown` are the screenshots that can be named. Where not all fits, trials that held shrink to one short line each, the oldest
    first, then those that could not be told.
    """
    whole = [list(_trial(reading, trial, shown)) for trial in reading.trials]
    size = sum(figures.tokens(line) + 1 for lines in whole for line in lines)
    order = sorted(range(len(whole)), key=lambda place: (reading.trials[place].result != "held", place))
    for place in order:
        if size <= tokens:
            break
        trial = reading.trials[place]
        if trial.result != "violated" or trial.withdrawn:
            short = [clean(f"{trial.row.id} {_came_to(trial)}: {trial.why or trial.body.words}", 100)]
            size -= sum(figures.tokens(line) + 1 for line in whole[place]) - figures.tokens(short[0]) - 1
            whole[place] = short
    lines = [_told_once(), *(line for lines in whole for line in lines)] if whole else []
    named = "\n".join(lines)
    rows = tuple(row for trial in reading.trials for row in _rows(trial) if row in named)
    return Facts(tuple(lines), rows).within(tokens, figures)


def _told_once() -> str:
    held = "; ".join(dict.fromkeys(watch.words() for relation in relations().values() for watch in relation.watches))
    return f"Of every act it was asserted, too: {held}. That is told only where it did not hold."


def _rows(trial: TrialSeen) -> Iterator[str]:
    yield trial.row.id
    yield from (act.row.id for act in trial.acts)
    yield from (row.id for row, _ in trial.judged)


_RESULTS = {
    "held": "HELD",
    "violated": "VIOLATED",
    "explained": "violated, but its control explains it",
    "cannot tell": "could not be told",
    "stopped": "stopped",
    "": "broken off",
}


def _came_to(trial: TrialSeen) -> str:
    """What a trial says; one that was taken back says nothing of what it expected."""
    return "taken back by who made it, its expectation was wrong" if trial.withdrawn else _RESULTS[trial.result]


def _trial(reading: Reading, trial: TrialSeen, shown: frozenset[str]) -> Iterator[str]:
    why = trial.why or trial.body.words
    about = f", about {', '.join(trial.requirements)}" if trial.requirements else ""
    stopped = f" ({trial.ended.stopped})" if trial.ended is not None and trial.ended.stopped else ""
    yield clean(f"{trial.row.id} trial{about}: {why}: {_came_to(trial)}{stopped}", LINES)
    for control in (False, True):
        for act in trial.acts:
            if act.in_control is control:
                yield f"  {_act(reading, act, shown)}"
        for row, body in trial.judged if not trial.withdrawn else ():
            if trial.result == "stopped" and body.result == "cannot tell":
                continue  # which only says again that it went no further
            if body.control is control and not (body.result == "held" and body.assertion.get("kind") in always_watched()):
                yield f"  {_assertion(row, body)}"


def _act(reading: Reading, act: Act, shown: frozenset[str]) -> str:
    at = f"{act.started_ms / 1000:.2f}–{act.ended_ms / 1000:.2f} s"
    seen = reading.video_s(act.row, act.started_ms)
    film = f", film {seen:.1f} s" if seen is not None else ""
    result = _changed(act) if act.delivered else f"NEVER REACHED THE PAGE ({act.problem or 'no reason known'})"
    picture = f"; picture after it: {act.body.screenshot}" if act.body.screenshot in shown else ""
    control = "control: " if act.in_control else ""
    return clean(f"{act.row.id} #{act.number + 1} [{at}{film}] {control}{act.words}; {result}{picture}", LINES)


def _assertion(row: Row, body: AssertionJudged) -> str:
    control = "control assertion" if body.control else "assertion"
    said = {"held": "HELD", "violated": "DID NOT HOLD", "cannot tell": "could not be told"}[body.result]
    return clean(f"{row.id} {control} {said}: {body.words} — {body.seen}", LINES)


def _changed(act: Act) -> str:
    """What came of an act, in words."""
    seen = act.body.witness
    said = ["the page"] if act.shows else []
    said += ["storage"] if seen.get("storage") else []
    for name, word in (("requests", "request"), ("dialogs", "dialog"), ("thrown", "uncaught error")):
        said += [how_many(len(seen[name]), word)] if seen.get(name) else []
    said += ["sound"] if seen.get("sound") else []
    said += [f"left the page: {', '.join(map(str, seen['outside']))}"] if seen.get("outside") else []
    return f"changed: {', '.join(said)}" if said else "nothing changed"


def promises(reading: Reading) -> Facts:
    """What the brief promises, as it was read by rule: ids to refer to. Whether they were kept is for the judge to see."""
    return Facts(
        tuple(
            clean(f"{promise.id} ({'central' if promise.central else promise.aspect}) {promise.text}", 240)
            for promise in reading.promises.values()
        )
    )


def measured(failures: Sequence[Failure], tokens: int, figures: Figures) -> Facts:
    """What instruments and trials established: each must be answered, so each is told, in short where they are many."""
    rows = tuple(dict.fromkeys(row for each_failure in failures for row in each_failure.evidence[:8]))
    whole: list[str] = []
    for failure in failures:
        weight = f"[{failure.severity.value} {failure.category.value}, {failure.scale.value}, {failure.points:g} points]"
        said = f"{failure.id} {weight} {failure.title}. Expected: {failure.expected or '–'} Observed: {failure.observed}"
        steps = f"; acts {', '.join(failure.step_ids[-6:])}" if failure.step_ids else ""
        whole += [clean(said, LINES), f"  evidence {', '.join(failure.evidence[:8])}{steps}"]
    if figures.tokens("\n".join(whole)) <= tokens:
        return Facts(tuple(whole), rows)
    short = [
        clean(
            f"{each_failure.id} [{each_failure.category.value}] {each_failure.title} ({', '.join(each_failure.evidence[:2])})",
            140,
        )
        for each_failure in failures
    ]
    return Facts(tuple(short), tuple(dict.fromkeys(row for each_failure in failures for row in each_failure.evidence[:2])))


def findings(reading: Reading, *, phases: frozenset[Phase]) -> Facts:
    """What the probes measured in some phases; probes that could not run; values that are no defects."""
    lines, rows = [], []
    for row, body in reading.of(Finding):
        if row.phase in phases:
            lines.append(clean(f"{row.id} {body.symptom} ({body.viewport}) {body.message} {body.selector}", 240))
            rows.append(row.id)
    for _, body in reading.audits:
        if not body.measured:
            lines.append(clean(f"not measured: {body.probe} ({body.viewport}): {body.reason}", 160))
    return Facts(tuple(lines), tuple(rows))


def logs(reading: Reading, *, each: int = 5) -> Facts:
    """The first errors of each kind: uncaught ones, console, failed requests, dialogs, what policy dealt with."""
    lines, rows = [], []
    kinds: dict[str, int] = {}
    for row in reading.record.rows:
        said = _log(row)
        if not said or row.phase is Phase.prove:
            continue
        kinds[row.kind] = kinds.get(row.kind, 0) + 1
        if kinds[row.kind] <= each:
            when = "" if row.app_ms is None else f" [{row.app_ms / 1000:.2f} s]"
            lines.append(clean(f"{row.id}{when} {said}", 260))
            rows.append(row.id)
    more = [f"({count - each} further {kind} rows)" for kind, count in sorted(kinds.items()) if count > each]
    return Facts((*lines, *more), tuple(rows))


def _log(row: Row) -> str:
    body = row.body
    match body:
        case PageError():
            return f"uncaught: {body.message} ({body.url.rpartition('/')[2]}:{body.line})"
        case ConsoleMessage() if body.level in CONSOLE_KINDS:
            return f"console {body.level}: {body.text}"
        case NetworkFailure():
            whose = "the app's own" if body.own_site else "refused here" if body.blocked else "foreign"
            return f"request failed ({whose}): {body.method} {body.url} {body.status or body.reason}"
        case DialogShown():
            return f"dialog {body.variety}: {body.message} (answered {body.answer})"
        case PageEvent():
            return f"{body.event}: {body.detail}"
    return ""


def gaps(reading: Reading) -> Facts:
    """Evidence that is missing, and whose failing that is."""
    lines, rows = [], []
    for row, body in reading.of(Gap):
        lines.append(clean(f"{row.id} missing: {body.what}: {body.reason} (blame: {body.blame})", 220))
        rows.append(row.id)
    covered = reading.covered
    if covered is not None:
        lines += [clean(f"not tested: {text}", 200) for text in covered.not_tested[:8]]
    return Facts(tuple(lines), tuple(rows))


def motion(reading: Reading) -> Facts:
    """What moves in the recording, in app time."""
    lines, rows = [], []
    for row, body in reading.of(MotionTrack):
        spans = "; ".join(f"{start / 1000:.2f}–{end / 1000:.2f}" for start, end in body.motion_spans[:SPANS_AT_MOST])
        lines.append(
            f"{row.id} motion: {body.moving_s:.1f} s in all, {body.distinct_fps:.0f} distinct pictures a second while it lasts, "
            f"{body.stalls} stalls (longest {body.longest_stall_ms:.0f} ms), longest standstill {body.longest_freeze_s:.1f} s "
            f"from {body.freeze_from_ms / 1000:.2f} s; moving at (s): {spans or 'never'}"
        )
        rows.append(row.id)
    return Facts(tuple(lines), tuple(rows))


def sound(reading: Reading) -> Facts:
    """What the recording sounds like, in app time; that there is no measurement, where there is none."""
    lines, rows = [], []
    for row, body in reading.of(SoundTrack):
        spans = "; ".join(f"{start / 1000:.2f}–{end / 1000:.2f}" for start, end in body.audible_spans[:SPANS_AT_MOST])
        onsets = ", ".join(f"{at / 1000:.2f}" for at in body.first_onsets_ms[:SPANS_AT_MOST])
        lines.append(
            f"{row.id} sound: audible for {body.audible_s:.1f} s, loudest window {body.loudest_dbfs:.0f} dBFS, peak "
            f"{body.peak_dbfs:.0f} dBFS, {body.onsets} onsets; audible at (s): {spans or 'never'}; "
            f"onsets at (s): {onsets or 'none'}"
        )
        rows.append(row.id)
    if not lines:
        recorded = [body for _, body in reading.of(Recorded)]
        why = "the recording has no sound track" if recorded else "nothing was recorded"
        lines.append(f"sound: not measured, {why}")
    return Facts(tuple(lines), tuple(rows))
