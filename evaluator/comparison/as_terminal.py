"""A comparison for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from evaluator.comparison.gate import Ruling, is_worse
from evaluator.comparison.model import Comparison, Difference, Total, Works
from evaluator.comparison.wording import GROUP, apart, costs, counted, meaning, shift, tried_there, works_counted
from tools.text import printable

ENDINGS = {0: ("nothing is worse", "good"), 1: ("something is worse", "bad"), 3: ("not all could be compared", "open")}
"""Words and tone of an exit code."""
_STYLES = {"bad": "bold red", "good": "green", "open": "yellow", "same": ""}


def as_tables(comparison: Comparison, ruling: Ruling) -> RenderableType:
    """Two runs: the scores, each failure, what there is to say beside."""
    parts: list[RenderableType | None] = [_scores([comparison.functionality, comparison.aesthetics])]
    if comparison.unscored:
        parts.append(Text(f"The scores are not compared: {comparison.unscored}."))
    parts.append(_items(comparison) if comparison.items else Text("No failure in either."))
    parts += [Text(printable(line, 400)) for line in remarks(comparison)]
    parts.append(_ending(counted(comparison), ruling))
    return Group(*(part for part in parts if part is not None))


def as_works(works: Works, ruling: Ruling) -> RenderableType:
    """Two folders: one row a work, and the total."""
    table = Table(title="Works: functionality and aesthetics, 0–8, B minus A", title_justify="left", padding=(0, 1))
    table.add_column("work", overflow="fold", min_width=12)
    for name in ("functionality", "aesthetics"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("failures", overflow="fold", min_width=16)
    for work in works.works:
        name = Text(printable(work.name, 60))
        if work.comparison is None:
            told = f"only in {work.only_in.upper()}" if work.only_in else printable(work.problem, 200)
            table.add_row(name, "–", "–", Text(told, style="yellow"))
            continue
        found = work.comparison
        worse = any(is_worse(item) for item in found.items)
        style = "bold red" if worse else ""
        table.add_row(name, _moved(found.functionality), _moved(found.aesthetics), Text(counted(found), style=style))
    if works.totals:
        table.add_section()
        means = {total.scale.value: total for total in works.totals}
        table.add_row("mean", _mean(means.get("functionality")), _mean(means.get("aesthetics")), works_counted(works))
    return Group(table, _ending(works_counted(works), ruling))


def remarks(comparison: Comparison, *, briefly: bool = False) -> list[str]:
    """What the reader must know beside, a line each. `briefly`: without the trials that have pictures elsewhere."""
    lines = [f"A's app: {comparison.a.closed}"] * bool(comparison.a.closed) + [f"B's app: {comparison.b.closed}"] * bool(
        comparison.b.closed
    )
    lines += [
        *comparison.notes,
        *(f"Held on A, not told on B: {odd.why}. On A: {odd.a}. On B: {odd.b}." for odd in comparison.otherwise if not briefly),
    ]
    more = comparison.suspicions
    if more.only_a or more.only_b or more.both:
        told = f"{more.both} in both, {len(more.only_a)} only in A, {len(more.only_b)} only in B"
        lines.append(f"Suspected, costs nothing, not replayed: {told}.")
    return lines


def _scores(scales: Sequence[Difference | None]) -> RenderableType | None:
    told = [scale for scale in scales if scale is not None]
    if not told:
        return None
    table = Table(title="Scores, 0–8, with what missing evidence leaves open", title_justify="left", padding=(0, 1))
    table.add_column("scale")
    for name in ("A", "B", "B − A"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", overflow="fold")
    for difference in told:
        style = "bold red" if difference.lower else "green" if difference.higher else ""
        spans = [f"{span.value:.2f}\n{span.low:.2f}–{span.high:.2f}" for span in (difference.a, difference.b)]
        table.add_row(
            difference.scale.value, *spans, Text(apart(difference).replace(" (", "\n(")), Text(meaning(difference), style=style)
        )
    return table


def _items(comparison: Comparison) -> Table:
    table = Table(title="Failures", title_justify="left", padding=(0, 1), show_lines=True)
    table.add_column("", no_wrap=False, min_width=8)
    table.add_column("what", overflow="fold", ratio=3)
    table.add_column("costs", justify="right", no_wrap=True)
    table.add_column("how that is known", overflow="fold", ratio=2)
    for item in comparison.items:
        group, lead = GROUP[item.state], item.lead
        tone = "bad" if is_worse(item) else group.tone
        label = f"{group.label}\n(new part)" if item.part_missing and item.state == "not_seen_before" else group.label
        what = f"{printable(lead.title, 200)} [{lead.severity.value} {lead.category.value.replace('_', ' ')}]"
        table.add_row(Text(label, style=_STYLES[tone]), Text(what), costs(item), Text(printable(tried_there(item), 220)))
    return table


def _ending(said: str, ruling: Ruling) -> Text:
    words, tone = ENDINGS[ruling.exit_code]
    return Text.assemble(f"{said[:1].upper()}{said[1:]}: ", (words, _STYLES[tone]), f" (exit code {ruling.exit_code})")


def _mean(total: Total | None) -> str:
    """The mean difference with its bootstrap interval over works."""
    told = total.difference if total is not None else None
    if told is None or told.value is None:
        return "–"
    span = "" if told.low is None or told.high is None else f"\n{shift(told.low)} to {shift(told.high)}"
    return shift(told.value) + span


def _moved(difference: Difference | None) -> str:
    return "–" if difference is None else f"{shift(difference.value)}\n{shift(difference.low)} to {shift(difference.high)}"
