"""Does the record bear what somebody who looked claims? First the ids, then what the record itself says against the claim.

`evaluator.attribution.citations.check` asks whether cited rows exist, fit and lie in the right place; here is asked what they
*say*: an act that changed the page is no dead control, sound that was recorded is not missing, what a trial
showed to be there is there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.attribution.symptoms import Taxonomy
from evaluator.findings.held import held_trials, holding
from evaluator.record.sealed import Act, Reading, TrialSeen
from evaluator.verdict.taxonomy import Category
from tools.evidence.film_rows import MotionTrack, SoundTrack
from tools.evidence.rows import Row
from tools.evidence.trial_rows import ActDone, AssertionJudged, TrialBegun

_CITATION = re.compile(r"\b(e\d{6,})(?:@(\d+(?:\.\d+)?))?")
LISTENING_MS = 2000.0
"""How long after an act its sound or motion may begin."""
NO_EFFECT = frozenset({Category.dead_control, Category.input_ignored})
SMOOTH_FPS = 24.0
_OF_TRIALS = (TrialBegun, ActDone, AssertionJudged)


@dataclass(frozen=True)
class Cited:
    """The rows of a claim that it may cite, and what is wrong with the others."""

    rows: tuple[Row, ...]
    moment_ms: float | None
    """The latest moment of the recording that it names."""
    problems: tuple[str, ...]


def cited(names: Sequence[str], reading: Reading, shown: frozenset[str]) -> Cited:
    """Reads citations as `e000045` or `e000210@12345`. What was not shown cannot be cited, whether it exists or not."""
    rows: dict[str, Row] = {}
    moments: list[float] = []
    problems: list[str] = []
    for name in names:
        found = _CITATION.search(name)
        row = reading.record.row(found.group(1)) if found else None
        if found is None or row is None:
            problems.append(f"{_word(name)} is not in the ledger")
        elif row.id not in shown:
            problems.append(f"{row.id} was not shown to the judge")
        else:
            rows.setdefault(row.id, row)
            if found.group(2):
                moments.append(float(found.group(2)))
    return Cited(tuple(rows.values()), max(moments, default=None), tuple(dict.fromkeys(problems)))


def trials_named(names: Sequence[str], reading: Reading) -> tuple[TrialSeen, ...]:
    """The trials among cited ids: named themselves, by an act or by an assertion of theirs; each once, in order."""
    ids = {found.group(1) for name in names if (found := _CITATION.search(name))}
    rows = [row for row in map(reading.record.row, ids) if row is not None]
    named = {row.id if isinstance(row.body, TrialBegun) else row.parent for row in rows if isinstance(row.body, _OF_TRIALS)}
    return tuple(trial for trial in reading.trials if trial.row.id in named)


def acts_named(names: Sequence[str], reading: Reading) -> tuple[Act, ...]:
    """The acts among cited ids, each once, in the order in which they were done; of a trial without any, all that are its own."""
    ids = {found.group(1) for name in names if (found := _CITATION.search(name))}
    found = [act for act in reading.acts if act.row.id in ids]
    known = {act.row.parent for act in found}
    whole = [act for trial in trials_named(names, reading) if trial.row.id not in known for act in trial.own_acts]
    return tuple(sorted([*found, *whole], key=lambda act: act.number))


def contradiction(category: Category, acts: Sequence[Act], rows: Sequence[Row], promise: str, reading: Reading) -> str:
    """What the record says against a claim; empty when nothing does."""
    final = acts[-1] if acts else None
    if final is not None and category in NO_EFFECT:
        same = next((act for act in reading.acts if act.delivered and act.changed and _is_like(act, final)), None)
        if same is not None:
            return f"the page changed after {same.row.id}"
    match category:
        case Category.audio_missing:
            return _heard(acts, reading)
        case Category.animation_frozen:
            return _moved(acts, reading)
        case Category.timing_jank:
            return _smooth(rows)
        case Category.persistence_lost:
            gone = any(act.opens_page and act.delivered for act in acts)
            return "" if gone else "none of its acts opens the page anew"
        case Category.missing_feature:
            held = holding(promise, reading)
            return f"{held.row.id} saw that requirement kept" if held is not None else ""
    return ""


def _is_like(act: Act, other: Act) -> bool:
    """The same kind of act on the same thing; of what is aimed at nothing, the same act."""
    return act.kind == other.kind and (act.place == other.place if other.place else act.words == other.words)


def worked_elsewhere(acts: Sequence[Act], reading: Reading) -> bool:
    """Whether a trial of a relation that acted on the last act's target held at some moment."""
    place = acts[-1].place if acts else ""
    return bool(place) and any(act.place == place for trial in held_trials(reading) for act in trial.own_acts)


def refutes(rows: Sequence[Row]) -> bool:
    """Whether rows can show that something measured is not so: somebody looked at it, or an assertion about it held."""
    held = (isinstance(row.body, AssertionJudged) and row.body.result == "held" and not row.body.control for row in rows)
    return any(row.kind in {"screenshot", "recording"} for row in rows) or any(held)


def shown_kinds(shown: frozenset[str], reading: Reading) -> dict[str, int]:
    """How many rows of each kind may be cited."""
    kinds: dict[str, int] = {}
    for row_id in sorted(shown):
        row = reading.record.row(row_id)
        if row is not None:
            kinds[row.kind] = kinds.get(row.kind, 0) + 1
    return dict(sorted(kinds.items()))


def bearable(category: Category, kinds: frozenset[str], taxonomy: Taxonomy) -> bool:
    """Whether a failure of a category could be claimed when only rows of some kinds are shown."""
    return all(kinds & set(fitting) for fitting in taxonomy.for_looking().rule(category).evidence)


def _window(acts: Sequence[Act]) -> tuple[float, float] | None:
    return (acts[0].started_ms, acts[-1].ended_ms + LISTENING_MS) if acts else None


def _heard(acts: Sequence[Act], reading: Reading) -> str:
    track = next(((row, body) for row, body in reading.of(SoundTrack)), None)
    if track is None:
        return "the sound was not measured"
    span = _window(acts)
    for start, end in track[1].audible_spans:
        if span is None or (start < span[1] and end > span[0]):
            return f"{track[0].id} holds sound from {start / 1000:.2f} s"
    return ""


def _moved(acts: Sequence[Act], reading: Reading) -> str:
    track = next(((row, body) for row, body in reading.of(MotionTrack)), None)
    span = _window(acts)
    if track is None or span is None:
        return ""
    for start, end in track[1].motion_spans:
        if start < span[1] and end > span[0] and end - start > LISTENING_MS / 4:
            return f"{track[0].id} holds motion from {start / 1000:.2f} s"
    return ""


def _smooth(rows: Sequence[Row]) -> str:
    for row in rows:
        if isinstance(row.body, MotionTrack) and not row.body.stalls and row.body.distinct_fps >= SMOOTH_FPS:
            return f"{row.id} holds {row.body.distinct_fps:.0f} distinct pictures a second and no stall"
    return ""


def _word(name: str) -> str:
    return re.sub(r"[^\w@.-]+", " ", name).strip()[:24] or "an empty id"
