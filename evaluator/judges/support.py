"""Does the record bear what somebody who looked claims? First the ids, then what the record itself says against the claim.

`evaluator.citations.check` asks whether cited rows exist, fit and lie in the right place; here is asked what they *say*: an act
that changed the page is no dead control, sound that was recorded is not missing, one attempt is not two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.judges.figures import Figures
from evaluator.naming import target_of
from evaluator.reading import Act, Reading
from evaluator.signals import place_of
from evaluator.symptoms import Taxonomy
from evaluator.taxonomy import Category
from tools.evidence.film_rows import MotionTrack, SoundTrack
from tools.evidence.rows import Outcome, Row

_CITATION = re.compile(r"\b(e\d{6,})(?:@(\d+(?:\.\d+)?))?")
LISTENING_MS = 2000.0
"""How long after an act its sound or motion may begin."""
NO_EFFECT = frozenset({Category.dead_control, Category.input_ignored})
UNCHANGED = frozenset({Category.dead_control, Category.input_ignored, Category.state_not_updated})
SMOOTH_FPS = 24.0


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


def acts_named(names: Sequence[str], reading: Reading) -> tuple[Act, ...]:
    """The acts among cited ids, each once, in the order in which they were done."""
    ids = {found.group(1) for name in names if (found := _CITATION.search(name))}
    return tuple(act for act in reading.acts if act.row.id in ids)


def attempts(acts: Sequence[Act]) -> int:
    """Well-formed attempts behind a claim: delivered acts of the last one's kind on the last one's target."""
    if not acts:
        return 1
    last = acts[-1]
    target = place_of(target_of(last.body.action))
    same = [act for act in acts if act.kind == last.kind and place_of(target_of(act.body.action)) == target]
    return max(sum(act.body.delivered for act in same), 1)


def contradiction(category: Category, acts: Sequence[Act], rows: Sequence[Row], promise: str, reading: Reading) -> str:
    """What the record says against a claim; empty when nothing does."""
    final = acts[-1] if acts else None
    if final is not None and category in UNCHANGED:
        held = _held(final, reading)
        if held is not None:
            return f"{held.id} saw that act work"
    if final is not None and category in NO_EFFECT and final.body.delivered and final.body.changes.any:
        return f"the page changed after {final.row.id}"
    match category:
        case Category.audio_missing:
            return _heard(acts, reading)
        case Category.animation_frozen:
            return _moved(acts, reading)
        case Category.timing_jank:
            return _smooth(rows)
        case Category.persistence_lost:
            gone = any(act.opens_page and act.body.delivered for act in acts)
            return "" if gone else "none of its acts opens the page anew"
        case Category.missing_feature:
            held = next((row for row, body in reading.outcomes if body.held and promise and body.promise == promise), None)
            return f"{held.id} saw that promise kept" if held is not None else ""
    return ""


def worked_elsewhere(acts: Sequence[Act], reading: Reading) -> bool:
    """Whether an oracle saw the last act's target do what it should at some moment."""
    if not acts:
        return False
    target = place_of(target_of(acts[-1].body.action))
    for _, body in reading.outcomes:
        last = reading.act(body.steps[-1]) if body.steps else None
        if body.held and last is not None and target and place_of(target_of(last.body.action)) == target:
            return True
    return False


def refutes(rows: Sequence[Row]) -> bool:
    """Whether rows can show that something measured is not so: somebody looked at it, or an oracle saw it hold."""
    return any(row.kind in {"screenshot", "recording"} or (isinstance(row.body, Outcome) and row.body.held) for row in rows)


def shown_kinds(shown: frozenset[str], reading: Reading) -> dict[str, int]:
    """How many rows of each kind may be cited."""
    kinds: dict[str, int] = {}
    for row_id in sorted(shown):
        row = reading.record.row(row_id)
        if row is not None:
            kinds[row.kind] = kinds.get(row.kind, 0) + 1
    return dict(sorted(kinds.items()))


def bearable(category: Category, kinds: frozenset[str], figures: Figures, taxonomy: Taxonomy) -> bool:
    """Whether a failure of a category could be claimed when only rows of some kinds are shown."""
    rules = figures.support.get(category) or taxonomy.rule(category).evidence
    return all(kinds & set(fitting) for fitting in rules)


def _held(act: Act, reading: Reading) -> Row | None:
    judged = [(row, body) for row, body in reading.outcomes if body.steps and body.steps[-1] == act.row.id]
    if not judged or any(body.held is False for _, body in judged):
        return None
    return next((row for row, body in judged if body.held), None)


def _window(acts: Sequence[Act]) -> tuple[float, float] | None:
    return (acts[0].body.started_ms, acts[-1].body.ended_ms + LISTENING_MS) if acts else None


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
