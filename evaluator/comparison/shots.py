"""The pair of pictures of one failure: each version after the act that fails, on a way that begins on a fresh page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from evaluator.comparison.model import OutcomeOf, Shot
from evaluator.record.naming import clean, in_words
from evaluator.reports.pictures import screenshots_for
from evaluator.verdict.model import Failure
from tools.errors import RunError
from tools.evidence.record import Record
from tools.evidence.rows import Row, Screenshot
from tools.evidence.trial_rows import ActDone, TrialBegun, TrialEnded

MEASURED = "measured"
"""Label of the picture of a first page that was measured again."""
PROOFS = "proofs"
_AGREES: dict[OutcomeOf, tuple[str, ...]] = {
    "failed": ("violated",),
    "failed otherwise": ("violated",),
    "held": ("held",),
    "explained": ("explained",),
}
"""What a trial came to that shows an outcome."""


def own_shot(record: Record, failure: Failure, run: str) -> Shot | None:
    """Of the version that showed it: from its proof, which began on a fresh page as a replay does, else from the run itself."""
    folders = sorted((record.run_dir / PROOFS).glob(f"{failure.id}-*")) if record.run_dir.is_dir() else []
    proved = replay_shot([folder for folder in folders if folder.is_dir()], "failed", None)
    if proved is not None and failure.proof.status == "confirmed":
        return proved
    begun = next((row for row in map(record.row, failure.evidence) if row is not None and isinstance(row.body, TrialBegun)), None)
    if begun is not None and (shown := _after(record, begun)) is not None:
        return Shot(run=run, row=shown[0].id, words=shown[1])
    rows = screenshots_for(record, failure.evidence, failure.step_ids, failure.place.viewport)
    return Shot(run=run, row=rows[0].id, words="as it was seen") if rows else None


def replay_shot(folders: Sequence[Path], outcome: OutcomeOf, relative_to: Path | None) -> Shot | None:
    """Of a replay: after the last act of the trial that came to that outcome, else where the last one ended."""
    last: Shot | None = None
    agreeing: Shot | None = None
    for folder in folders:
        try:
            record = Record.read(folder)
        except RunError:
            continue
        for begun, ended in trials_in(record):
            shown = _after(record, begun)
            if shown is None:
                continue
            named = str(folder if relative_to is None else folder.relative_to(relative_to))
            last = Shot(run=named, row=shown[0].id, words=shown[1])
            if ended is not None and ended.result in _AGREES.get(outcome, ()):
                agreeing = last
        if (first := _first(record)) is not None and last is None:
            named = str(folder if relative_to is None else folder.relative_to(relative_to))
            last = Shot(run=named, row=first.id, words="as it is opened")
    return agreeing or last


def trial_shot(record: Record, begun: Row, run: str) -> Shot | None:
    """Of a run itself: after a trial's last act."""
    shown = _after(record, begun)
    return Shot(run=run, row=shown[0].id, words=shown[1]) if shown is not None else None


def trials_in(record: Record) -> Iterable[tuple[Row, TrialEnded | None]]:
    """The trials of a record, each with its end; None where it was broken off."""
    ended = {row.parent: body for row, body in record.of(TrialEnded)}
    return [(row, ended.get(row.id)) for row, _ in record.of(TrialBegun)]


def _after(record: Record, begun: Row) -> tuple[Row, str] | None:
    """The picture after the trial's last act, its control's aside, with words; of one without acts, the page it looked at."""
    own = begun.body.acts_of if isinstance(begun.body, TrialBegun) else ""
    acts = [
        row.body for row in record.children(own or begun.id) if isinstance(row.body, ActDone) and row.body.during != "control"
    ]
    told = next((act.words for act in reversed(acts) if act.act.get("kind") != "wait"), acts[-1].words if acts else "")
    for act in reversed(acts):
        if act.screenshot and (picture := record.row(act.screenshot)) is not None:
            return picture, f"after: {clean(in_words(told), 120)}"
    first = _first(record)
    return (first, "as it is opened") if first is not None and not acts else None


def _first(record: Record) -> Row | None:
    wanted = [row for row, body in record.of(Screenshot) if body.label in {MEASURED, "first"}]
    return wanted[-1] if wanted else None
