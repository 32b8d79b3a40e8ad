"""Rows in one line each: for lists, indexes and logs."""

from __future__ import annotations

from evaluator.reports.model import LogLine
from tools.evidence.code_rows import CodeRan, CodeSeen
from tools.evidence.rows import (
    AccessibilityTree,
    Audited,
    Body,
    ClockKept,
    ConsentAnswered,
    ConsoleMessage,
    Covered,
    DialogShown,
    DomSnapshot,
    Finding,
    Gap,
    LetIn,
    LibraryServed,
    ModelCalled,
    MotionTrack,
    NetworkFailure,
    Observed,
    PageError,
    PageEvent,
    Planned,
    Recorded,
    Resumed,
    Row,
    RunStarted,
    Screenshot,
    Sealed,
    ServerLog,
    SiteServed,
    SoundTrack,
    SourceFile,
    StageOpened,
    Steered,
)
from tools.evidence.trial_rows import (
    ActDone,
    AssertionJudged,
    Noted,
    PageModelSeen,
    ReadFirst,
    TrialBegun,
    TrialEnded,
    WayKnown,
    Withdrawn,
)

LIMIT = 240


def one_line(body: Body) -> str:
    """What a row says, in at most 240 characters, white space folded."""
    text = " ".join(_text(body).split())
    return text if len(text) <= LIMIT else text[: LIMIT - 1] + "…"


def _text(body: Body) -> str:  # noqa: C901, PLR0911, PLR0912 - one line for each kind of row
    match body:
        case RunStarted():
            return f"{body.subject}: {body.brief}"
        case Resumed():
            return f"after {body.after_node} {body.repaired}"
        case SiteServed():
            return f"{body.variety} at {body.base_url}"
        case LetIn():
            return f"let in by {', '.join(body.how)}; secrets: {', '.join(body.secrets) or 'none'}"
        case ConsentAnswered():
            return f'{body.answer} by "{body.pressed}": {body.layer}'
        case StageOpened():
            return f"{body.browser}, clock {body.clock}, capture {body.capture}"
        case ClockKept():
            return f"clock {body.clock}, {len(body.spans)} changes of its rate"
        case SourceFile():
            return f"{body.path} ({body.language})"
        case Screenshot():
            return f"{body.label}, {body.width}×{body.height}{' (full page)' if body.full_page else ''}"
        case DomSnapshot():
            return f"{body.nodes} nodes, {body.text_length} characters of text"
        case AccessibilityTree():
            return f"{body.nodes} nodes"
        case ConsoleMessage():
            return f"{body.level}: {body.text}"
        case PageError():
            return body.message
        case NetworkFailure():
            return f"{body.method} {body.url}: {body.status or ''} {body.reason}"
        case LibraryServed():
            return f"{body.url}: {body.status} {body.package}{'@' if body.package else ''}{body.version} {body.note}"
        case DialogShown():
            return f"{body.variety}: {body.message} (answered: {body.answer})"
        case PageEvent():
            return f"{body.event}: {body.detail}"
        case ServerLog():
            return f"{body.lines} lines: {body.excerpt}"
        case Finding():
            return f"{body.symptom}: {body.message}"
        case Audited():
            return f"{body.probe}: {f'{body.findings} findings' if body.measured else f'not measured: {body.reason}'}"
        case Planned():
            return f"{body.domain}: {len(body.promises)} requirements"
        case Observed():
            return f"{body.title or body.url}: {body.marks} marks"
        case Steered():
            return f"a person who watched: {body.wish.replace('_', ' ')} {body.text}"
        case ModelCalled():
            return f"{body.role}: {body.model} {body.outcome}, {body.tokens_in} tokens in, {body.tokens_out} out"
        case Covered():
            return f"{body.stop_reason}: {body.controls_tried} of {body.controls_found} controls tried"
        case Recorded():
            return f"{body.file}, {body.duration_s:.1f} s, {body.frames} frames{', with sound' if body.sound else ''}"
        case SoundTrack():
            return f"{body.audible_s:.1f} s audible, {body.onsets} onsets, peak {body.peak_dbfs:.0f} dBFS"
        case MotionTrack():
            freeze = f"longest still {body.longest_freeze_s:.1f} s"
            return f"{body.moving_s:.1f} s of motion at {body.distinct_fps:.0f} frames a second, {freeze}, {body.stalls} stalls"
        case CodeSeen():
            return f"{body.functions} functions of its own in {body.size} characters, {body.libraries} libraries set aside"
        case CodeRan():
            if not body.measured:
                return body.reason
            names = ", ".join(function.name for function in body.functions[:8])
            return f"step {body.step}: {body.ran} own functions ran, {body.first} of them new: {names}"
        case PageModelSeen():
            return f"{body.url}{' (as a difference)' if body.since else ''}"
        case TrialBegun():
            return body.words
        case ActDone():
            return f"{body.words}{'' if body.delivered else f' (not delivered: {body.problem})'}"
        case AssertionJudged():
            return f"{'control: ' if body.control else ''}{body.words}: {body.result}; {body.seen}"
        case TrialEnded():
            return f"{body.result} {body.stopped}"
        case WayKnown():
            return "; ".join(body.words) or "from the first page"
        case Withdrawn():
            return f"withdrawn: {body.reason}"
        case ReadFirst():
            return f"{body.model}: {body.reply.get('summary', '')}; {len(body.reply.get('suspicions', ()))} suspicions"
        case Noted():
            return f"{body.what} {body.where}"
        case Gap():
            return f"{body.what}: {body.reason}"
        case Sealed():
            return f"{body.rows} rows, {body.blobs} blobs, {'complete' if body.complete else 'incomplete'}"


def log_line(row: Row, video_s: float | None) -> LogLine | None:
    """A row of the console, the network, the dialogs, the page's events or the server as a log line; None for other kinds."""
    body = row.body
    match body:
        case ConsoleMessage():
            level, text, where = body.level, body.text, _place(body.url, body.line)
        case PageError():
            level, text, where = "uncaught", body.stack or body.message, _place(body.url, body.line, body.column)
            text = text if body.message in text else f"{body.message}\n{text}"
        case NetworkFailure():
            level = "blocked" if body.blocked else str(body.status or "failed")
            text, where = f"{body.method} {body.url}", f"{body.resource}: {body.reason}" if body.reason else body.resource
        case DialogShown():
            level, text, where = body.variety, body.message, f"answered: {body.answer}"
        case PageEvent():
            level, text, where = body.event, body.detail, ""
        case ServerLog():
            level, text, where = "server", body.excerpt, f"{body.lines} lines"
        case _:
            return None
    return LogLine(
        id=row.id,
        kind=body.kind,
        level=level,
        text=text,
        where=where,
        phase=row.phase.value,
        app_ms=row.app_ms,
        video_s=video_s,
    )


def _place(url: str, line: int, column: int = 0) -> str:
    if not url:
        return ""
    return url + (f":{line}" if line else "") + (f":{column}" if line and column else "")
