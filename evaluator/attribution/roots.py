"""Errors as root causes: what a script that failed brought about is one failure, not one for each control it left dead.

An uncaught error counts only if something visible broke: a blank page, unfilled templates, a trial that was violated by the same
act, a press or an entry that threw it and changed nothing, controls that a script which stopped while loading never wired, or
work that a mistake in the program cuts short on every tick. What trials showed and it brought about is told with it. Everything
else that the console says is listed and costs nothing (spec: "only JavaScript errors that visibly break something count").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from evaluator.attribution.environment import Environment, is_environment
from evaluator.attribution.signals import Aside, Key, Signal, with_key
from evaluator.attribution.symptoms import Meaning, Taxonomy
from evaluator.record.naming import clean, name_stem, path_of, stem
from evaluator.record.sealed import Act, Reading
from evaluator.verdict.model import Claim, Failure
from evaluator.verdict.taxonomy import Blame, Scale
from tools.evidence.rows import ConsoleMessage, NetworkFailure, PageError, Row

HARMLESS = re.compile(r"ResizeObserver loop|^Script error\.?$|AbortError|The play\(\) request was interrupted", re.IGNORECASE)
"""Errors that browsers report and that break nothing."""
LONGEST_LIST = 40
"""Distinct console lines or failed requests that are listed; the rest is counted."""
UNSEEN = "nothing that was seen broke through it"
_MISTAKE = re.compile(r"^(?:ReferenceError|TypeError)\b|is not defined|is not a function|Cannot (?:read|set) propert")
_RELENTLESS, _RELENTLESS_ACTS = 8, 2
"""How often, and in how many acts, a mistake is met that cuts work short on every tick."""
_DEEDS = frozenset({"press", "fill", "fill form", "choose", "switch", "keys", "drag", "point", "paste"})
_MOST_PLACES = 2
UNIMPORTANT = ("favicon.ico", ".map")


@dataclass
class Root:
    """One error, however often it was thrown: where pages were loading, and in the windows of which acts."""

    key: Key
    symptom: str
    message: str
    rows: list[Row] = field(default_factory=list)
    pages: set[str] = field(default_factory=set)
    acts: set[int] = field(default_factory=set)

    def behind(self, signal: Signal, reading: Reading) -> bool:
        """Whether the signal shows what this error broke."""
        final = signal.final
        if final is not None and final.number in self.acts:
            return True
        if "script" not in signal.meaning.follows:
            return False
        if final is not None and self._alike(_led_to(final, reading), reading):
            return True
        page = reading.page_before(final) if final is not None else reading.page_of(signal.row)
        return page in self.pages

    def brought_about(self, failure: Failure, taxonomy: Taxonomy, reading: Reading) -> bool:
        """Whether what trials showed is what this error broke."""
        acts = [act for act in map(reading.act, failure.step_ids) if act is not None]
        if any(act.number in self.acts for act in acts if act.body.during == "acts"):
            return True
        if "script" not in taxonomy.rule(failure.category).follows:
            return False
        if self._alike(acts, reading):
            return True
        row = reading.record.row(failure.evidence[0])
        page = reading.page_before(acts[-1]) if acts else reading.page_of(row) if row is not None else ""
        return page in self.pages

    def _alike(self, led: Sequence[Act], reading: Reading) -> bool:
        """Whether an act like one that threw it before (a card like that card) is among those that led to a sighting.

        Many handlers throw once and leave the page in a state in which nothing is thrown any more, and nothing works.
        """
        threw = {_like(reading.acts[own]) for own in self.acts if led and own < led[-1].number}
        return bool((threw & {_like(act) for act in led}) - {""})

    def relentless(self) -> bool:
        """Whether a mistake in the program is met over and over in several acts: what throws on every tick does no work."""
        return len(self.acts) >= _RELENTLESS_ACTS and len(self.rows) >= _RELENTLESS and _MISTAKE.search(self.message) is not None

    def broke_an_act(self, reading: Reading) -> bool:
        """Whether a press, a key or an entry threw it and brought about nothing else.

        What is thrown while pages load, or by acts of many kinds, may have a rhythm of its own.
        """
        acts = [act for act in reading.acts if act.number in self.acts]
        places = {act.place for act in acts}
        if self.pages or len(places) > _MOST_PLACES:
            return False
        return any(act.kind in _DEEDS and act.delivered and not act.shows for act in acts)


def _led_to(act: Act, reading: Reading) -> list[Act]:
    """The act and those before it in its trial."""
    trial = reading.trial_of(act)
    return [each_act for each_act in trial.acts if each_act.number <= act.number] if trial is not None else [act]


def _like(act: Act) -> str:
    """What was acted on, equal for things of a kind; empty for acts on nothing in particular."""
    if act.kind not in _DEEDS or not act.delivered or not act.target:
        return ""
    return f"{act.target.get('kind', '')}:{stem(act.place)}:{name_stem(str(act.target.get('name', '')))}"


def link(
    reading: Reading, taxonomy: Taxonomy, environment: Environment, signals: Sequence[Signal], tried: Sequence[Failure]
) -> tuple[list[Signal], list[Aside]]:
    """Tie each signal, and what trials showed, to the app's errors behind it; the rest of the errors is only told.

    One more signal is made for each error that broke something. What of `tried` it brought about it holds itself (`broke`).
    """
    asides: list[Aside] = []
    roots: dict[Key, Root] = {}
    for row, error in reading.of(PageError):
        if row.id in environment.foreign_errors:
            continue
        if HARMLESS.search(error.message):
            asides.append(aside(f"Error: {error.message}", "browsers report it though nothing broke", Blame.app, (row.id,)))
        else:
            _thrown(reading, roots, row, error)
    _missing_scripts(reading, roots)
    found = list(signals)
    for key in sorted(roots):
        root = roots[key]
        behind = [position for position, signal in enumerate(found) if root.behind(signal, reading)]
        for position in behind:
            found[position] = with_key(found[position], root.key)
        broke = tuple(failure for failure in tried if root.brought_about(failure, taxonomy, reading))
        if behind or broke or root.broke_an_act(reading) or root.relentless():
            found.append(_signal(reading, taxonomy, root, broke))
        else:
            words = "Error" if root.symptom == "event.page_error" else "Missing"
            evidence = tuple(row.id for row in root.rows)
            asides.append(aside(f"{words}: {root.message}", UNSEEN, Blame.app, evidence))
    return found, asides


def _thrown(reading: Reading, roots: dict[Key, Root], row: Row, error: PageError) -> None:
    key: Key = ("error", clean(error.message, 120), path_of(error.url) if error.url else "")
    root = roots.setdefault(key, Root(key, "event.page_error", clean(error.message).removeprefix("Uncaught ")))
    root.rows.append(row)
    act = reading.act_at(row)
    if act is None:
        root.pages.add(reading.page_of(row))
        return
    root.acts.add(act.number)
    if act.opens_page or reading.page_before(act) != reading.page_after(act):
        root.pages.add(reading.page_after(act))


def _missing_scripts(reading: Reading, roots: dict[Key, Root]) -> None:
    """Scripts of the app's own that are not there are root causes, too."""
    for row, body in reading.of(NetworkFailure):
        if body.resource != "script" or is_environment(body):
            continue
        path = path_of(body.url)
        answer = f"status {body.status}" if body.status else clean(body.reason, 60)
        key: Key = ("missing", path)
        root = roots.setdefault(key, Root(key, "event.script_missing", f"{clean(path, 100)} ({answer})"))
        root.rows.append(row)
        act = reading.act_at(row)
        root.pages.add(reading.page_of(row) if act is None else reading.page_after(act))


def _signal(reading: Reading, taxonomy: Taxonomy, root: Root, broke: tuple[Failure, ...]) -> Signal:
    meaning: Meaning | None = taxonomy.meaning(root.symptom)
    if meaning is None:
        raise ValueError(f"taxonomy.toml has no entry for {root.symptom}")
    first = min(root.rows, key=lambda row: (row.app_ms if row.app_ms is not None else -1.0, reading.index(row.id)))
    act = reading.act_at(first)
    trial = reading.trial_of(act) if act is not None else None
    return Signal(
        symptom=root.symptom,
        meaning=meaning,
        row=first,
        static=act is None,
        observed=root.message,
        expected=meaning.expected,
        keys=(root.key, *(("broke", failure.id) for failure in broke)),
        name=f"{root.message} {root.key[-1]}",
        moment=act.started_ms if act else first.app_ms,
        acts=(act,) if act else (),
        more=(*((trial.row,) if trial else ()), *((act.row,) if act else ()), *(row for row in root.rows if row is not first)),
        broke=broke,
    )


def aside(text: str, reason: str, blame: Blame, evidence: tuple[str, ...]) -> Aside:
    """Something that is told and costs nothing."""
    claim = Claim(text=clean(text), reason=clean(reason), blame=blame, evidence=evidence)
    return Aside(claim, counted=False, scale=Scale.functionality)


def console_asides(reading: Reading, cited: frozenset[str]) -> list[Aside]:
    """Errors that the page logged and that no failure cites, each text once."""
    lines: dict[str, list[Row]] = {}
    for row, body in reading.of(ConsoleMessage):
        if body.level in {"error", "assert"} and row.id not in cited:
            lines.setdefault(clean(body.text), []).append(row)
    return _list("Console", lines)


def network_asides(reading: Reading, cited: frozenset[str]) -> list[Aside]:
    """Requests that failed through the app's fault and that no failure cites, each address once."""
    lines: dict[str, list[Row]] = {}
    for row, body in reading.of(NetworkFailure):
        path = path_of(body.url)
        # Missing scripts are root causes, told of with what they broke or did not break.
        if is_environment(body) or row.id in cited or body.resource == "script" or path.endswith(UNIMPORTANT):
            continue
        answer = f"status {body.status}" if body.status else clean(body.reason, 60)
        lines.setdefault(clean(f"{body.method} {path if body.own_site else body.url}: {answer}"), []).append(row)
    return _list("Request", lines)


def _list(word: str, lines: dict[str, list[Row]]) -> list[Aside]:
    asides = [
        aside(
            f"{word}: {text}" + (f" (×{len(rows)})" if len(rows) > 1 else ""),
            UNSEEN,
            Blame.app,
            tuple(row.id for row in rows[:5]),
        )
        for text, rows in sorted(lines.items())
    ]
    rest = len(asides) - LONGEST_LIST
    if rest > 0:
        others = tuple(row.id for _, rows in sorted(lines.items())[LONGEST_LIST:] for row in rows[:1])[:5]
        return [*asides[:LONGEST_LIST], aside(f"{word}: {rest} more like these", "they are in the ledger", Blame.app, others)]
    return asides


def console_rows(reading: Reading, acts: Iterable[int]) -> dict[int, list[Row]]:
    """Error lines of the console by the act in whose window they were written."""
    wanted = set(acts)
    found: dict[int, list[Row]] = {}
    for row, body in reading.of(ConsoleMessage):
        if body.level in {"error", "assert"}:
            act = reading.act_at(row)
            if act is not None and act.number in wanted:
                found.setdefault(act.number, []).append(row)
    return found
