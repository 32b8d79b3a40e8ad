"""What a failure is about, so that it is known again in another run: never its title, which quotes what one run saw.

The keys are those by which sightings of one run are folded into one failure (`evaluator.findings.trial_failures.keys_of`,
`evaluator.attribution.defect_keys`): the same relation at the same part, the same acts, the same error, the same ink. Ids of
requirements are replaced by their words, since a changed brief is numbered anew. Weaker ones name the part instead of its
place in the document, which any change of the markup moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evaluator.attribution.defect_keys import of_finding
from evaluator.findings.trial_failures import Key, Sighting, keys_of, sightings
from evaluator.record.naming import name_stem, path_of, stem
from evaluator.record.sealed import Reading
from evaluator.relations.base import relations
from evaluator.verdict.model import Failure
from tools.evidence.rows import Finding, Gap, NetworkFailure, PageError, PageEvent, Row
from tools.evidence.trial_rows import AssertionJudged

_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|‘[^’]*’')
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class About:
    """What one failure is about."""

    by: str
    """The relation or probe that showed it first, or who tried it; empty where the ledger does not say."""
    keys: frozenset[Key] = frozenset()
    """Any of them in common: the same failure."""
    names: frozenset[Key] = frozenset()
    """The same relation or symptom at a part of the same kind and name: the same failure, where the requirement agrees."""
    requirement: str = ""
    signs: frozenset[str] = frozenset()
    """In what way its assertions were violated, see `sign`; empty where it was measured or thrown."""

    def seen_otherwise(self, other: About) -> bool:
        """Whether the two fail the same check, each in a way of its own: a new fault may hide behind an old one."""
        return bool(self.signs and other.signs) and not self.signs & other.signs


def about_all(reading: Reading, failures: Iterable[Failure]) -> dict[str, About]:
    """Of each failure, by its id."""
    seen: dict[str, list[Sighting]] = {}
    for sighting in sightings(reading, relations()):
        seen.setdefault(sighting.begun.id, []).append(sighting)
    return {failure.id: _about(reading, failure, seen) for failure in failures}


def keys_in(reading: Reading) -> frozenset[Key]:
    """The keys of what was violated in a record."""
    return frozenset(key for sighting in sightings(reading, relations()) for key in _in_words(keys_of(sighting), reading))


def signs_in(reading: Reading) -> frozenset[str]:
    """The ways in which assertions were violated in a record."""
    return frozenset(
        sign(judged) for sighting in sightings(reading, relations()) if sighting.own for _, judged in sighting.violated
    )


def sign(judged: AssertionJudged) -> str:
    """In what way an assertion was violated: its kind and the words that are ours, without what they quote of the page.

    `no item shows "Garden rake"` → `replaces no item shows …`; what follows a colon is the page's, too.
    """
    ours = _QUOTED.sub("…", judged.seen).partition(":")[0]
    return f"{judged.assertion.get('kind')} {_DIGITS.sub('#', ours).strip().casefold()}"


def _about(reading: Reading, failure: Failure, seen: dict[str, list[Sighting]]) -> About:
    rows = [row for row in map(reading.record.row, failure.evidence) if row is not None]
    shown = [sighting for row in rows for sighting in seen.get(row.id, ())]
    keys = {key for sighting in shown for key in _in_words(keys_of(sighting), reading)}
    names = {name for sighting in shown for name in _names(sighting)}
    for row in rows:
        keys |= set(_measured(row))
        names |= set(_named(row))
    promise = reading.promises.get(failure.promise)
    probes = [row.body.probe for row in rows if isinstance(row.body, Finding)]
    by = [sighting.by for sighting in shown] + probes + [row.kind for row in rows[:1]]
    signs = frozenset(sign(judged) for sighting in shown if sighting.own for _, judged in sighting.violated)
    asked = promise.text if promise is not None else ""
    return About(by[0] if by else "", frozenset(keys), frozenset(names), asked, signs)


def _in_words(keys: Iterable[Key], reading: Reading) -> Iterator[Key]:
    """The keys with requirements in words; what is about one that nobody knows is no key of two runs."""
    words = {name: promise.text for name, promise in reading.promises.items()}
    for key in keys:
        match key[0]:
            case "said":
                yield (*key[:-1], words.get(key[-1], ""))
            case "asked":
                if all(name in words for name in key[1:]):
                    yield ("asked", *(words[name] for name in key[1:]))
            case _:
                yield key


def _names(sighting: Sighting) -> Iterator[Key]:
    """A relation's part by kind and name."""
    name = name_stem(str(sighting.target.get("name", "")))
    if sighting.own and name:
        kind = str(sighting.violated[0][1].assertion.get("kind"))
        yield ("named", sighting.by, kind, str(sighting.target.get("kind", "")), name)


def _measured(row: Row) -> Iterator[Key]:
    """What was measured or reported without a trial."""
    match row.body:
        case Finding() as found:
            yield from of_finding(found)
            yield ("measured", found.symptom, stem(found.selector), found.viewport)
        case PageError() as error:
            yield ("thrown", stem(error.message))
        case PageEvent(event="hang" | "crash" | "dialog_storm") as event:
            yield ("broke down", event.event)
        case Gap(what="site") as gap:
            yield ("site", gap.reason.partition(":")[0])
        case NetworkFailure() as failed:
            yield ("network", path_of(failed.url))
        case _:
            pass


def _named(row: Row) -> Iterator[Key]:
    """A measured part by what it says."""
    if isinstance(row.body, Finding):
        for told in ("text", "name"):
            words = row.body.measured.get(told)
            if isinstance(words, str) and words.strip():
                yield ("says", row.body.symptom, name_stem(words), row.body.viewport)
