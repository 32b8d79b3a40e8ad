"""The app breaking down as a whole: it cannot be served, does not load, hangs, crashes, or floods the user with dialogs."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.attribution.signals import AT_LOAD, Aside, Key, Signal
from evaluator.attribution.symptoms import Taxonomy
from evaluator.record.naming import clean, in_words, path_of
from evaluator.record.sealed import Reading
from evaluator.verdict.model import Claim
from evaluator.verdict.rubric import Rubric
from evaluator.verdict.taxonomy import Blame, Scale
from tools.evidence.rows import Gap, NetworkFailure, PageEvent, Row, ServerLog, SiteServed

FATAL = {"hang": "The page hangs", "crash": "The page crashes", "dialog_storm": "The page opens dialogs without end"}
PAGE_GONE = ("observation", "static", "perception")
"""First words of what is missing when the page could no longer be looked at."""


def from_breakdowns(reading: Reading, taxonomy: Taxonomy, rubric: Rubric) -> Iterator[Signal | Aside]:
    """Every way in which the page as a whole broke down through the app's fault."""
    fatal = [(row, body) for row, body in reading.of(PageEvent) if body.event in FATAL]
    for row, body in fatal:
        yield _event(reading, taxonomy, rubric, row, f"event.{body.event}", FATAL[body.event], clean(body.detail, 200))
    for row, gap in reading.of(Gap):
        if gap.blame != "app":
            continue
        first = gap.what.split(" ", 1)[0].lower()
        if gap.what == "site":
            yield _absent(reading, taxonomy, row, gap)
        elif first in PAGE_GONE:
            yield _event(
                reading, taxonomy, rubric, row, "event.hang", "The page can no longer be looked at", clean(gap.reason, 200)
            )
        else:
            text = f"{gap.what}: {gap.reason}"
            claim = Claim(text=clean(text), reason="the evidence for it is missing", blame=Blame.app, evidence=(row.id,))
            yield Aside(claim, counted=True, scale=Scale.functionality, down=rubric.points.minor)
    yield from _not_loaded(reading, taxonomy)


def _event(reading: Reading, taxonomy: Taxonomy, rubric: Rubric, row: Row, symptom: str, words: str, detail: str) -> Signal:
    meaning = taxonomy.meaning(symptom)
    if meaning is None:
        raise ValueError(f"taxonomy.toml has no entry for {symptom}")
    act = reading.act_at(row)
    when = f"after: {in_words(act.words)}" if act else "as soon as it is opened"
    key: Key = ("breakdown", act.row.id) if act else AT_LOAD
    target = act.target if act else {}
    led = (act.trial, act.row) if act is not None and act.trial is not None else ()
    return Signal(
        symptom=symptom,
        meaning=meaning,
        row=row,
        static=act is None,
        observed=f"{words} {when}" + (f": {detail}" if detail else ""),
        short=f"{words} {when}",
        expected=meaning.expected,
        keys=(key, ("act", act.row.id)) if act else (key,),
        moment=act.started_ms if act else row.app_ms,
        acts=(act,) if act else (),
        more=led,
        points=None if act else rubric.points.critical_worst,
        # A page that broke down before it could be looked at was never there.
        anchor="" if act else "hung" if reading.observations else "absent",
        selector=act.place if act else "",
        role=str(target.get("role", "")),
        name=str(target.get("name", "")),
    )


def _absent(reading: Reading, taxonomy: Taxonomy, row: Row, gap: Gap) -> Signal:
    meaning = taxonomy.meaning("event.site_absent")
    if meaning is None:
        raise ValueError("taxonomy.toml has no entry for event.site_absent")
    return Signal(
        symptom="event.site_absent",
        meaning=meaning,
        row=row,
        static=True,
        observed=clean(gap.reason, 300),
        expected=meaning.expected,
        keys=(AT_LOAD,),
        moment=row.app_ms,
        more=tuple(log for log, _ in reading.of(ServerLog)),
        anchor=meaning.anchor,
    )


def _not_loaded(reading: Reading, taxonomy: Taxonomy) -> Iterator[Signal]:
    """The entry page is answered with an error or not at all, and what came instead offers nothing to do."""
    site = reading.last(SiteServed)
    meaning = taxonomy.meaning("event.not_loaded")
    if site is None or meaning is None or len(reading.first_marks) > 2:
        return
    for row, body in reading.of(NetworkFailure):
        failed = body.status is None or body.status >= 400
        if body.resource != "document" or not body.own_site or body.blocked or not failed or reading.act_at(row) is not None:
            continue
        if path_of(body.url) == path_of(site.entry):
            answer = f"status {body.status}" if body.status else clean(body.reason, 100) or "no answer"
            yield Signal(
                symptom="event.not_loaded",
                meaning=meaning,
                row=row,
                static=True,
                observed=f"{clean(path_of(body.url), 100)} is answered with {answer}",
                expected=meaning.expected,
                keys=(AT_LOAD,),
                moment=row.app_ms,
                anchor=meaning.anchor,
            )
