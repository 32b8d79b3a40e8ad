"""The verdict in a terminal: scores as bars, failures as a table, what was not counted, and where everything lies."""

from __future__ import annotations

from pathlib import Path

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from evaluator.reports import wording
from evaluator.reports.facts import gather, moment_s, read_run
from evaluator.reports.model import Report
from evaluator.reports.visible import plain
from evaluator.verdict.model import Claim, Failure, Interval, Score, Verdict
from evaluator.verdict.taxonomy import Severity

BAR_CELLS = 24
CLAIMS = 5
"""Claims listed; the rest are counted."""
SEVERITY_STYLE = {Severity.critical: "bold red", Severity.major: "yellow", Severity.minor: "blue"}
STATUS_STYLE = {"complete": "green", "not_enough_seen": "yellow", "incomplete": "yellow", "no_artifact": "yellow"}
ITEM_STYLE = {"pass": "green", "fail": "bold red", "not judged": "dim"}
PROOF_STYLE = {
    "confirmed": "green",
    "explained": "dim",
    "not_reproduced": "yellow",
    "undecided": "yellow",
    "not_attempted": "dim",
}


def print_summary(run_dir: Path, console: Console) -> None:
    """Print a sealed and judged run's verdict. Raises `RunError`.

    Everything that came from the page or the brief is printed as plain text: no markup, no escape sequence, no override survives.
    """
    record, verdict = read_run(run_dir)
    report = gather(record, verdict)
    times = {failure.id: moment_s(record, verdict, failure.id) for failure in verdict.accused}
    console.print(Group(*_parts(report, times, Path(run_dir))), soft_wrap=False)


def _parts(report: Report, times: dict[str, float | None], run_dir: Path) -> list[RenderableType]:
    verdict = report.verdict
    parts: list[RenderableType] = [_head(report), _scores(verdict)]
    if verdict.failures:
        parts.append(_failures(verdict, verdict.failures, times))
    if verdict.suspected:
        parts += [Text("Suspected, nothing deducted", style="bold"), _failures(verdict, verdict.suspected, times)]
    if verdict.items:
        parts.append(_items(verdict))
    parts += _judging(verdict)
    parts.append(_coverage(verdict))
    parts += _claims("Not counted against the app", verdict.not_counted)
    parts += _claims("Asserted without support", verdict.unverifiable)
    parts += _claims("The page addresses graders", verdict.injection)
    if verdict.unknown:
        parts.append(_said("Cannot be known: ", "; ".join(plain(line, 200) for line in verdict.unknown)))
    parts += [_said("Evidence is missing: ", f"{plain(gap.what, 80)}: {plain(gap.reason, 200)}") for gap in report.gaps[:CLAIMS]]
    parts += _spending(report)
    parts.append(_paths(report, run_dir))
    return parts


def _head(report: Report) -> RenderableType:
    verdict = report.verdict
    first = Text()
    first.append(wording.STATUSES[verdict.status], style=f"bold {STATUS_STYLE[verdict.status]}")
    first.append(f": {wording.seen(verdict.coverage)}")
    return Group(
        first,
        Text(plain(report.run.subject, 200), style="dim"),
        Text(plain(wording.sentence(verdict), 600), style="bold"),
        Text(),
    )


def _scores(verdict: Verdict) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for name, score in (("Functionality", verdict.functionality), ("Aesthetics", verdict.aesthetics)):
        if score is not None:
            interval = f"{score.low:.1f}–{score.high:.1f}" if score.high - score.low > 0.005 else ""
            table.add_row(
                Text(name),
                Text(f"{wording.value_of(verdict, score)} / 8", style="bold"),
                Text(f"{wording.hundred_of(verdict, score)} / 100"),
                _bar(score),
                Text(interval if wording.is_known(verdict) else "", style="dim"),
            )
    return Group(table, Text()) if table.rows else Text("No score was given.\n")


def _bar(score: Score) -> Text:
    """The score as a bar; what the interval adds is drawn lighter, and survives without colour."""
    low, value, high = (round(at / wording.TOP * BAR_CELLS) for at in (score.low, score.value, score.high))
    bar = Text()
    bar.append("█" * low, style="yellow")
    bar.append("▓" * (value - low), style="yellow")
    bar.append("░" * (high - value), style="yellow")
    bar.append("·" * (BAR_CELLS - high), style="dim")
    return bar


def _failures(verdict: Verdict, failures: tuple[Failure, ...], times: dict[str, float | None]) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), expand=True)
    table.add_column("Points", justify="right", no_wrap=True)
    table.add_column("Severity", no_wrap=True)
    table.add_column("Failure", ratio=1, overflow="fold")
    table.add_column("Time", justify="right", no_wrap=True)
    table.add_column("Proof", no_wrap=True)
    for failure in failures:
        title = Text(plain(failure.title, 200))
        title.append(f" ({wording.in_words(failure.category)})", style="dim")
        table.add_row(
            Text(wording.signed(wording.points_of(verdict, failure))),
            Text(failure.severity.value, style=SEVERITY_STYLE[failure.severity]),
            title,
            Text(wording.at_time(times[failure.id])),
            Text(wording.PROOFS[failure.proof.status], style=PROOF_STYLE[failure.proof.status]),
        )
    return table


def _items(verdict: Verdict) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), expand=True)
    table.add_column("Item", no_wrap=True)
    table.add_column("Outcome", no_wrap=True)
    table.add_column("What is asked, and what was seen", ratio=1, overflow="fold")
    for item in verdict.items:
        told = Text(plain(item.text, 160))
        told.append(f" – {plain(item.why, 200)}", style="dim")
        table.add_row(Text(item.id), Text(item.outcome, style=ITEM_STYLE[item.outcome]), told)
    return Group(Text(f"Checklist: {wording.items_in_short(verdict)}", style="bold"), table)


def _judging(verdict: Verdict) -> list[RenderableType]:
    """Who else judged, and where a model's judging fell back, abstained or scattered."""
    lines: list[RenderableType] = []
    for referee in verdict.board.referees if verdict.board else ():
        said = f"functionality {_within(referee.functionality)}, aesthetics {_within(referee.aesthetics)}"
        told = said if referee.functionality or referee.aesthetics else f"{referee.status}: {plain(referee.reason, 160)}"
        lines.append(_said(f"Referee {plain(referee.name, 60)}: ", told))
    staging = verdict.staging
    if staging is None:
        return lines
    if staging.total_100 is not None:
        lines.append(_said("Checklist: ", f"{staging.total_100:.1f} of 100"))
    left = [stage for stage in staging.stages if stage.by == "rubric"]
    lines += [
        _said(f"{stage_facts.stage.capitalize()}: ", f"by the rubric judge, as {plain(stage_facts.note, 160)}")
        for stage_facts in left
    ]
    if staging.abstained:
        lines.append(_said("The judge abstains: ", plain(staging.abstained, 240)))
    for spread in staging.spread:
        if len(spread.votes) > 1:
            values = ", ".join(f"{value:.1f}" for value in spread.votes)
            lines.append(_said(f"Votes on {spread.scale.value}: ", f"{values} (median {spread.median:.1f})"))
    return lines


def _within(interval: Interval | None) -> str:
    return f"{interval.value:.1f} ({interval.low:.1f}–{interval.high:.1f})" if interval else "none"


def _coverage(verdict: Verdict) -> RenderableType:
    cover = verdict.coverage
    ended = f"; {plain(wording.stop_reason(cover), 120)}" if cover.stop_reason else ""
    line = _said("Seen: ", wording.seen(cover) + ended)
    never = ", ".join(plain(name, 60) for name in cover.never_ran[:CLAIMS])
    told = [f"never ran: {never}"] if never else []
    told += [f"code: {plain(cover.code_note, 200)}"] if cover.code_note else []
    code = [Padding(Text(text, style="dim"), (0, 0, 0, 2)) for text in told]
    not_tested = [
        Padding(Text("not tested: " + plain(text, 200), style="dim"), (0, 0, 0, 2)) for text in cover.not_tested[:CLAIMS]
    ]
    return Group(line, *code, *not_tested, *_more(len(cover.not_tested)))


def _claims(title: str, claims: tuple[Claim, ...]) -> list[RenderableType]:
    if not claims:
        return []
    lines: list[RenderableType] = [Text(title, style="bold")]
    for claim in claims[:CLAIMS]:
        line = Text(plain(claim.text, 200))
        line.append(f" ({claim.blame.value}: {plain(claim.reason, 160)})", style="dim")
        lines.append(Padding(line, (0, 0, 0, 2)))
    return [*lines, *_more(len(claims))]


def _spending(report: Report) -> list[RenderableType]:
    """What models cost together, and where several roles were asked, each of them."""
    if not report.spending:
        return []
    *roles, together = report.spending
    lines = [
        Padding(Text(f"{plain(role.role, 40)}: {wording.spent_in_short(role)}", style="dim"), (0, 0, 0, 2)) for role in roles
    ]
    return [_said("Models: ", wording.spent_in_short(together)), *(lines if len(roles) > 1 else ())]


def _more(number: int) -> list[RenderableType]:
    return [Padding(Text(f"and {number - CLAIMS} more", style="dim"), (0, 0, 0, 2))] if number > CLAIMS else []


def _said(title: str, text: str) -> Text:
    line = Text(title, style="bold")
    line.append(text, style="not bold")
    return line


def _paths(report: Report, run_dir: Path) -> RenderableType:
    """Paths of what lies in the folder, each on a line of its own and never broken, so that it can be copied."""
    names = ["report.html", "report.json", report.recording.file if report.recording else ""]
    found = [run_dir / name for name in names if name and (run_dir / name).is_file()]
    lines = [Text(plain(str(path), 4000), style="cyan", no_wrap=True, overflow="ignore") for path in found or [run_dir]]
    return Group(Text(), *lines, Text(f"seal {report.run.seal}", style="dim", no_wrap=True, overflow="ignore"))
