"""What a verdict says about its own reach: how much was covered, and what this judge cannot know."""

from __future__ import annotations

from evaluator.record.code_run import code_run
from evaluator.record.naming import clean, stem
from evaluator.record.sealed import Reading
from evaluator.scoring.uncertainty import exercised, untried
from evaluator.verdict.model import Coverage
from tools.evidence.rows import Audited, Observed, StageOpened
from tools.evidence.trial_rows import PageModelSeen

LISTED_AT_MOST = 5


def coverage(reading: Reading) -> Coverage:
    """How much of the app was seen, from the exploration's own account and, where that is missing, from its acts."""
    covered = reading.covered
    code = code_run(reading)
    tried = {stem(act.place) for act in reading.acts if act.delivered} - {""}
    return Coverage(
        requirements=len(reading.promises),
        requirements_exercised=len(exercised(reading)),
        controls_found=covered.controls_found if covered else max((body.marks for _, body in reading.observations), default=0),
        controls_tried=covered.controls_tried if covered else len(tried),
        states=max(covered.states if covered else 0, len({(body.url, body.fingerprint) for _, body in reading.observations})),
        steps=len(reading.acts),
        code_share=code.share,
        functions=code.functions,
        functions_run=code.functions_run,
        never_ran=tuple(clean(name, 80) for name in code.never_ran),
        code_note=clean(code.note, 400),
        code_mixed=code.mixed,
        stop_reason=covered.stop_reason if covered else "",
        not_tested=tuple(clean(text, 240) for text in covered.not_tested) if covered else (),
    )


def unknown(reading: Reading, broken: frozenset[str], *, on_topic: bool, senses: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """What a judge cannot know about this run, each line with what it means here.

    `senses` are those of a judge with a model: `taste` (it saw pictures), `film` (it saw frames of the recording), `sound` (it
    heard it or read what it sounds like).
    """
    if not reading.observations:
        return ("everything about the app itself: it was never seen",)
    lines = [
        "whether what the page says is true: its texts were read for language and placeholders, not checked against facts",
        "whether anything that was not tried works",
    ]
    if "taste" not in senses:
        lines.insert(
            1, f"taste: nothing was measured that says whether the design is good beyond its measured defects; {_looks(reading)}"
        )
    if not reading.started.brief.strip():
        lines.append("whether this is the app that was asked for: there was no brief")
    elif not reading.promises:
        lines.append("whether the brief is met: nothing in it could be read as a requirement")
    elif not on_topic:
        lines.append("whether this is the app that was asked for: none of the brief's words was found on the page")
    left = untried(reading, broken)
    if left:
        names = "; ".join(f"“{clean(each_promise.text, 70)}”" for each_promise in left[:LISTED_AT_MOST])
        more = f" and {len(left) - LISTED_AT_MOST} more" if len(left) > LISTED_AT_MOST else ""
        lines.append(f"whether these requirements are met, as nothing bears on them: {names}{more}")
    aspects = {promise.aspect for promise in reading.promises.values()}
    if "sound" in aspects and "sound" not in senses:
        lines.append("whether the sound is right: this judge does not listen to the recording")
    if "motion" in aspects and "film" not in senses:
        lines.append("whether the motion is smooth: this judge does not look at the recording's frames")
    lines += _instruments(reading)
    return tuple(lines)


def _looks(reading: Reading) -> str:
    measured = sorted({body.probe for _, body in reading.audits if body.measured})
    return f"measured were: {', '.join(measured)}" if measured else "no probe was run"


def _instruments(reading: Reading) -> list[str]:
    lines: list[str] = []
    failed = sorted({f"{body.probe} ({body.viewport})" for _, body in reading.of(Audited) if not body.measured})
    if failed:
        lines.append(f"what these probes would have found, as they could not be run: {', '.join(failed)}")
    stage = reading.last(StageOpened)
    if stage is not None and stage.cannot_stop:
        sources = ", ".join(stage.cannot_stop[:8])
        lines.append(
            f"what moved while the agent deliberated through time sources that the {stage.clock} clock lets run: {sources}"
        )
    seen = [body.url for kind in (Observed, PageModelSeen) for _, body in reading.of(kind)]
    pages = {url.partition("#")[0] for url in seen}
    if len(pages) > 1:
        lines.append(f"how pages other than the first look on a phone: {len(pages)} addresses were seen, one was audited")
    return lines
