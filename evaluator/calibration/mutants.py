"""What became of the mutants of an app: which show, which don't, which break everything – and the truth that each is known by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from tools.mutation.mutant import Mutant
from tools.mutation.observation import Act, Difference, Observation

Fate = Literal["observable", "breaks_everything", "not_observable", "unsteady", "over_the_cap", "not_served"]
"""`unsteady`: a second replay differed elsewhere or not at all, so that chance may have done it. `not_served`: the server
served another text than was mutated, so nothing was tried."""

CAP = 0.1
"""Largest share of mutants that may break everything: they are found by whoever opens the page."""
_MOST_DIFFERENCES = 12


class Truth(BaseModel):
    """The difference from the original that was seen first: what a report on the mutant is matched against."""

    model_config = ConfigDict(frozen=True)

    at: int
    """Number of the act in the reference script; 0 is opening the page."""
    act: Act
    found: tuple[Difference, ...]
    """In the order in which a person would name them; at most twelve."""

    @property
    def words(self) -> str:
        """For people, and for matching by meaning."""
        first = self.found[0]
        place = f" at {first.place}" if first.place and first.aspect != "picture" else ""
        return f"after {self.act.words}, {first.aspect}{place}: {first.before or 'nothing'!r} became {first.after or 'nothing'!r}"

    @property
    def takes(self) -> Literal["glance", "act", "time", "reload", "narrow"]:
        """What it took to see it first."""
        if self.at == 0:
            return "glance"
        kinds: dict[str, Literal["time", "reload", "narrow"]] = {"wait": "time", "reload": "reload", "resize": "narrow"}
        return kinds.get(self.act.kind, "act")


class Tried(BaseModel):
    """A mutant and what became of it."""

    model_config = ConfigDict(frozen=True)

    app: str
    mutant: Mutant
    fate: Fate
    truth: Truth | None = None
    seconds: float


class Made(BaseModel):
    """All mutants that were tried of one app."""

    model_config = ConfigDict(frozen=True)

    app: str
    possible: int
    """Places and operators in the app's own code."""
    never_ran: int
    """Of these, in code that the reference script does not run; they can't be observed and are not tried."""
    files: tuple[str, ...]
    """Own files that were served."""
    acts: int
    prepared_s: float
    tried: tuple[Tried, ...]

    @property
    def kept(self) -> tuple[Tried, ...]:
        """Those that an evaluation is measured on."""
        return tuple(trial for trial in self.tried if trial.fate in {"observable", "breaks_everything"})


def fate_of(at: int | None, found: Sequence[Difference], original: Observation | None, seen: Observation | None) -> Fate:
    """What a replay says. A mutant breaks everything if the page can't be opened, or opens with hardly one of its texts."""
    if at is None:
        return "not_observable"
    if at > 0 or original is None or seen is None:
        return "observable"
    gone = original.done and not seen.done
    return "breaks_everything" if gone or any(difference.aspect == "page" for difference in found) else "observable"


def truth_of(at: int, act: Act, found: Sequence[Difference]) -> Truth:
    """The truth of a mutant that differs."""
    return Truth(at=at, act=act, found=tuple(found[:_MOST_DIFFERENCES]))


def table_of(made: Sequence[Made]) -> dict[str, Any]:
    """Figures by app and by operator: tried, observable, share, seconds a mutant."""
    apps = {
        each_made.app: _figures(each_made.tried) | {"possible": each_made.possible, "never_ran": each_made.never_ran}
        for each_made in made
    }
    everything = [tried for each_made in made for tried in each_made.tried]
    names = sorted({trial.mutant.operator for trial in everything})
    by_operator = {name: _figures([trial for trial in everything if trial.mutant.operator == name]) for name in names}
    takes = Counter(trial.truth.takes for trial in everything if trial.truth is not None)
    aspects = Counter(trial.truth.found[0].aspect for trial in everything if trial.truth is not None)
    return {
        "all": _figures(everything),
        "apps": apps,
        "operators": by_operator,
        "to_see_it_takes": dict(sorted(takes.items())),
        "seen_first": dict(sorted(aspects.items())),
    }


def _figures(tried: Sequence[Tried]) -> dict[str, Any]:
    fates = Counter(trial.fate for trial in tried)
    ran = [trial for trial in tried if trial.fate != "not_served"]
    observable = fates["observable"] + fates["breaks_everything"] + fates["over_the_cap"]
    return {
        "tried": len(tried),
        "observable": observable,
        "kept": fates["observable"] + fates["breaks_everything"],
        "break_everything": fates["breaks_everything"] + fates["over_the_cap"],
        "share_observable": round(observable / len(ran), 3) if ran else None,
        "seconds_each": round(sum(trial.seconds for trial in tried) / len(tried), 2) if tried else None,
    }
