"""A sealed record told as facts, for somebody who judges: acts with their observed results, logs, tracks, what was measured.

Nothing the agent thought is among them: no reasons, no expectations of its own, no summary. Every line begins with the id of its
row, which is what a claim cites.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.judges.figures import Figures
from evaluator.naming import clean
from evaluator.reading import Act, Reading
from evaluator.verdict import Failure
from tools.evidence.film_rows import MotionTrack, Recorded, SoundTrack
from tools.evidence.rows import (
    Audited,
    Changes,
    ConsoleMessage,
    DialogShown,
    Finding,
    Gap,
    NetworkFailure,
    Observed,
    PageError,
    PageEvent,
    Phase,
    Row,
)

CONSOLE_KINDS = frozenset({"error", "assert"})
LINES = 400
"""Characters of one line."""
SPANS_AT_MOST = 40


@dataclass(frozen=True)
class Told:
    """Lines of one kind, and the rows they tell of."""

    lines: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)

    def within(self, tokens: int, figures: Figures) -> Told:
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
        return Told((*kept, f"({missing} further lines left out)"), tuple(row for row in self.rows if row in named))


def acts(reading: Reading, tokens: int, figures: Figures, shown: frozenset[str] = frozenset()) -> Told:
    """Each act: when, what, whether it reached the page, what changed, what oracles found afterwards.

    `shown` are the screenshots that can be named. Where not all fits, acts without a visible result and without an outcome shrink
    to one short line each, the oldest first.
    """
    outcomes = _outcomes_by_act(reading)
    whole = [list(_act(reading, act, outcomes.get(act.row.id, []), shown)) for act in reading.acts]
    rows = [act.row.id for act in reading.acts] + [row.id for found in outcomes.values() for row in found]
    size = sum(figures.tokens(line) + 1 for lines in whole for line in lines)
    for place, act in enumerate(reading.acts):
        if size <= tokens:
            break
        if act.row.id not in outcomes and act.body.delivered:
            short = [clean(f"{act.row.id} #{act.body.step} {act.body.description}; {_changed(act.body.changes)}", 100)]
            size -= sum(figures.tokens(line) for line in whole[place]) - figures.tokens(short[0])
            whole[place] = short
    return Told(tuple(line for lines in whole for line in lines), tuple(rows)).within(tokens, figures)


def _outcomes_by_act(reading: Reading) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row, body in reading.outcomes:
        last = next((one for one in reversed(body.steps or ((row.parent,) if row.parent else ())) if reading.act(one)), "")
        found.setdefault(last, []).append(row)
    return found


def _act(reading: Reading, act: Act, outcomes: Sequence[Row], shown: frozenset[str]) -> Iterator[str]:
    body = act.body
    at = f"{body.started_ms / 1000:.2f}–{body.ended_ms / 1000:.2f} s"
    seen = reading.video_s(act.row, body.started_ms)
    film = f", film {seen:.1f} s" if seen is not None else ""
    result = _changed(body.changes) if body.delivered else f"NEVER REACHED THE PAGE ({body.problem or 'no reason known'})"
    named = [
        f"{when} {picture}"
        for when, observation in (("before", body.before), ("after", body.after))
        if (picture := _picture(reading, observation)) in shown
    ]
    pictures = f"; pictures: {', '.join(named)}" if named else ""
    yield clean(f"{act.row.id} #{body.step} [{at}{film}] {body.description}; {result}{pictures}", LINES)
    for row in outcomes:
        yield f"  {_outcome(row)}"


def _picture(reading: Reading, observation: str) -> str:
    row = reading.record.row(observation) if observation else None
    return row.body.screenshot if row is not None and isinstance(row.body, Observed) else ""


def _outcome(row: Row) -> str:
    body = row.body
    assert body.kind == "outcome"  # noqa: S101 - rows of `reading.outcomes`
    held = {True: "HELD", False: "DID NOT HOLD", None: "could not be told"}[body.held]
    tried = f", {body.attempts} attempts" if body.attempts > 1 else ""
    promise = f", promise {body.promise}" if body.promise else ""
    return clean(f"{row.id} oracle {body.oracle}{tried}{promise}: {held}: {body.expectation} — {body.observed}", LINES)


def _changed(changes: Changes) -> str:
    """What changed, in words; what does not move by itself only."""
    said = [
        name
        for name, changed in (
            ("address", changes.url),
            ("text", changes.text),
            ("structure", changes.dom),
            ("storage", changes.storage),
            ("scroll position", changes.scroll),
            ("focus", changes.focus),
            ("a field's value", changes.value),
        )
        if changed
    ]
    if changes.picture is not None and changes.picture > 0.0005:
        said.append(f"{changes.picture:.1%} of the picture")
    if changes.network:
        said.append(f"{changes.network} requests")
    if changes.dialogs:
        said.append(f"{changes.dialogs} dialogs")
    if changes.errors:
        said.append(f"{changes.errors} uncaught errors")
    return f"changed: {', '.join(said)}" if said else "nothing changed"


def promises(reading: Reading) -> Told:
    """What the brief promises, as it was read by rule: ids to refer to. Whether they were kept is for the judge to see."""
    return Told(
        tuple(
            clean(f"{one.id} ({'central' if one.central else one.aspect}) {one.text}", 240) for one in reading.promises.values()
        )
    )


def measured(failures: Sequence[Failure], tokens: int, figures: Figures) -> Told:
    """The failures that instruments established: each must be answered, so each is told, in short where they are many."""
    rows = tuple(dict.fromkeys(row for one in failures for row in one.evidence[:8]))
    whole: list[str] = []
    for one in failures:
        weight = f"[{one.severity.value} {one.category.value}, {one.scale.value}, {one.points:g} points]"
        said = f"{one.id} {weight} {one.title}. Expected: {one.expected or '–'} Observed: {one.observed}"
        steps = f"; acts {', '.join(one.step_ids[-6:])}" if one.step_ids else ""
        whole += [clean(said, LINES), f"  evidence {', '.join(one.evidence[:8])}{steps}"]
    if figures.tokens("\n".join(whole)) <= tokens:
        return Told(tuple(whole), rows)
    short = [clean(f"{one.id} [{one.category.value}] {one.title} ({', '.join(one.evidence[:2])})", 140) for one in failures]
    return Told(tuple(short), tuple(dict.fromkeys(row for one in failures for row in one.evidence[:2])))


def findings(reading: Reading, *, phases: frozenset[Phase]) -> Told:
    """What the probes measured in some phases; probes that could not run; values that are no defects."""
    lines, rows = [], []
    for row, body in reading.of(Finding):
        if row.phase in phases:
            lines.append(clean(f"{row.id} {body.symptom} ({body.viewport}) {body.message} {body.selector}", 240))
            rows.append(row.id)
    for _, body in reading.audits:
        if not body.measured:
            lines.append(clean(f"not measured: {body.probe} ({body.viewport}): {body.reason}", 160))
    return Told(tuple(lines), tuple(rows))


def values(reading: Reading) -> Told:
    """Measures of the untouched page that are no defects."""
    lines = []
    for row, body in reading.of(Audited):
        if body.measured and body.values and row.phase is Phase.perceive:
            said = ", ".join(f"{key} {value}" for key, value in sorted(body.values.items())[:8])
            lines.append(clean(f"{row.id} {body.probe} ({body.viewport}): {said}", 200))
    return Told(tuple(lines))


def logs(reading: Reading, *, each: int = 5) -> Told:
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
    return Told((*lines, *more), tuple(rows))


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


def gaps(reading: Reading) -> Told:
    """Evidence that is missing, and whose failing that is."""
    lines, rows = [], []
    for row, body in reading.of(Gap):
        lines.append(clean(f"{row.id} missing: {body.what}: {body.reason} (blame: {body.blame})", 220))
        rows.append(row.id)
    covered = reading.covered
    if covered is not None:
        lines += [clean(f"not tested: {one}", 200) for one in covered.not_tested[:8]]
    return Told(tuple(lines), tuple(rows))


def motion(reading: Reading) -> Told:
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
    return Told(tuple(lines), tuple(rows))


def sound(reading: Reading) -> Told:
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
    return Told(tuple(lines), tuple(rows))
