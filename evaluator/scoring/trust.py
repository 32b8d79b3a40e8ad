"""Trust in relations and probes, as scoring reads it: whether what one of them says may take points, and by which table.

A table is made by `assay calibrate trust` and read with `--trust-table`; without one, whatever a fresh browser confirms takes
points. The rule: a lower bound of precision of at least .9, on at least three apps; below, what it says is
a note without points. On an app that the table knows, that app's own evidence is left out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from evaluator.relations.base import always_watched, relations
from evaluator.statistics.shares import wilson
from tools.errors import UserError
from tools.evidence.record import Record
from tools.evidence.rows import Finding
from tools.evidence.trial_rows import AssertionJudged, TrialBegun

WANTED, FEWEST_APPS = 0.9, 3


class AppTally(BaseModel):
    """How often something was right and wrong on one app."""

    model_config = ConfigDict(frozen=True)

    app: str
    """Corpus and app: `cases/06-packing-list`."""
    right: int
    wrong: int


class Trust(BaseModel):
    """What is known of one relation, probe or event."""

    model_config = ConfigDict(frozen=True)

    name: str
    """As `accusers` names it."""
    apps: tuple[AppTally, ...]
    silent: int
    """Apps on which it accused of nothing."""

    @property
    def right(self) -> int:
        """Accusations that a label confirms."""
        return sum(app.right for app in self.apps)

    @property
    def wrong(self) -> int:
        """Accusations that the labels contradict."""
        return sum(app.wrong for app in self.apps)

    def without(self, app: str) -> Trust:
        """The same without one app's evidence."""
        return self.model_copy(update={"apps": tuple(app_tally for app_tally in self.apps if app_tally.app != app)})

    def bounds(self) -> tuple[float, float]:
        """Wilson's interval of its precision, 95 %; 0–1 where there is no evidence."""
        of = self.right + self.wrong
        return wilson(self.right, of) if of else (0.0, 1.0)

    def low_leaving_one_out(self) -> float:
        """The smallest lower bound that remains when any one app is left out: what does not hang on a single app."""
        return min((self.without(app.app).bounds()[0] for app in self.apps), default=0.0)


class TrustTable(BaseModel):
    """A dated table."""

    model_config = ConfigDict(frozen=True)

    date: str
    corpora: tuple[str, ...]
    works: int
    accusers: dict[str, Trust]
    wanted: float = WANTED
    fewest_apps: int = FEWEST_APPS

    @property
    def name(self) -> str:
        """What a verdict says it used."""
        return f"trust of {self.date} ({', '.join(self.corpora)}; {self.works} works)"

    def why_not(self, name: str, *, on_app: str = "") -> str:
        """Why what an accuser says is a note only, for people; empty where it earns points."""
        trust = self.accusers.get(name)
        if trust is None:
            return f"{name} accused of nothing on the labelled apps, so nothing is known of it"
        known = trust.without(on_app) if on_app else trust
        if len(known.apps) < self.fewest_apps:
            return f"{name} has evidence of {len(known.apps)} apps; {self.fewest_apps} are needed"
        low, _ = known.bounds()
        if low < self.wanted:
            return f"{name} was right {known.right} of {known.right + known.wrong} times (lower bound {low:.2f} < {self.wanted})"
        return ""

    def notes(self, names: Iterable[str], *, on_app: str = "") -> str:
        """Why an accusation that several made is a note only: empty if any of them earns points."""
        reasons = [self.why_not(name, on_app=on_app) for name in names]
        if not reasons:
            return "nothing in the record says what made it"
        return "" if "" in reasons else reasons[0]

    def against(self, record: Record, evidence: Iterable[str]) -> str:
        """Why a failure that rests on such rows takes no points; empty where it may.

        The table is about relations and probes. What a model or a person expects of an app is proved by its own trial alone.
        """
        names = [name for name in accusers(record, evidence) if name in relations() or ":" in name]
        return self.notes(names) if names else ""


def load_trust(path: Path) -> TrustTable:
    """The table at `path`. Raises `UserError` for a file that is none or can't be read."""
    try:
        return _table(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise UserError(f"{path} can't be read: {error.strerror}", hint="Make it: assay calibrate trust --to FILE") from error
    except (tomllib.TOMLDecodeError, ValidationError, KeyError, TypeError, ValueError) as error:
        line = str(error).splitlines()[0]
        raise UserError(f"{path} is no table of trust: {line}", hint="Make it anew: assay calibrate trust") from error


def _table(told: dict[str, Any]) -> TrustTable:
    accusers = {
        name: Trust(
            name=name,
            apps=tuple(AppTally(app=app, right=right, wrong=wrong) for app, (right, wrong) in item["apps"].items()),
            silent=item["silent"],
        )
        for name, item in told.get("accusers", {}).items()
    }
    return TrustTable(date=told["date"], corpora=tuple(told["corpora"]), works=told["works"], accusers=accusers)


def accusers(record: Record, evidence: Iterable[str]) -> tuple[str, ...]:
    """What made a failure, by the rows it cites: relations by name, probes as `probe:symptom`, events; sorted, each once.

    Of a violated trial it is the relation whose assertion was violated: that which made the trial, or one that holds always.
    """
    found: set[str] = set()
    for row in (row for row in map(record.row, evidence) if row is not None):
        body = row.body
        if isinstance(body, AssertionJudged) and body.result == "violated" and not body.control:
            begun = record.row(row.parent or "")
            by = str(begun.body.trial.get("by", "")) if begun is not None and isinstance(begun.body, TrialBegun) else ""
            found.add(always_watched().get(str(body.assertion.get("kind")), by) or "somebody")
        elif isinstance(body, Finding):
            found.add(f"probe:{body.symptom}")
        elif body.kind in {"page_error", "network", "console"}:
            found.add(f"event:{body.kind}")
    return tuple(sorted(found))
