"""`summary.md`: a comparison for the summary of a workflow, or for a comment on a pull request.

Titles quote pages that strangers may have written: nothing in them is markup, a link, a mention or a reference.
"""

from __future__ import annotations

import re

from evaluator.comparison.as_terminal import remarks
from evaluator.comparison.gate import Ruling, is_worse
from evaluator.comparison.model import Comparison, Difference, Item, Works
from evaluator.comparison.wording import GROUP, apart, costs, counted, meaning, tried_there, works_counted
from tools.text import printable

ITEMS_AT_MOST = 100
"""A summary holds a megabyte at most."""
_MARKUP = re.compile(r"([\\`*_{}\[\]()<>#+!|~$])")
_JOINER = "\u2060"
"""A sign without width: behind it GitHub sees no mention, no issue and no address."""
_ENDINGS = {0: "✅ Nothing is worse", 1: "❌ Something is worse", 3: "⚠️ Not all could be compared"}


def summary(comparison: Comparison, ruling: Ruling) -> str:
    """Of two runs."""
    return (
        "\n".join([f"## {_ENDINGS[ruling.exit_code]}", "", f"{_sentence(counted(comparison))}.", "", *_whole(comparison)]) + "\n"
    )


def summary_of_works(works: Works, ruling: Ruling) -> str:
    """Of two folders: the works, then what changed in each."""
    lines = [f"## {_ENDINGS[ruling.exit_code]}", "", f"{_sentence(works_counted(works))}.", ""]
    lines += ["| work | functionality | aesthetics | failures |", "| --- | ---: | ---: | --- |"]
    for work in works.works:
        found = work.comparison
        if found is None:
            told = f"only in {work.only_in.upper()}" if work.only_in else plain(work.problem, 200)
            lines.append(f"| {plain(work.name, 80)} | – | – | {told} |")
            continue
        mark = "**" if any(is_worse(item) for item in found.items) else ""
        cells = (_cell(found.functionality), _cell(found.aesthetics), f"{mark}{counted(found)}{mark}")
        lines.append(f"| {plain(work.name, 80)} | {' | '.join(cells)} |")
    for total in works.totals:
        lines += ["", f"Mean {total.scale.value}: {total.a:.2f} → {total.b:.2f}, difference {total.difference}."]
    for comparison in works.compared:
        if any(item.state != "both" for item in comparison.items):
            lines += ["", f"### {plain(comparison.name, 80)}", "", *_whole(comparison)]
    return "\n".join(lines) + "\n"


def _whole(comparison: Comparison) -> list[str]:
    lines: list[str] = []
    apart_ = [found for found in (comparison.functionality, comparison.aesthetics) if found is not None]
    if apart_:
        lines += ["| scale | A | B | B − A | |", "| --- | ---: | ---: | ---: | --- |"]
        lines += [
            f"| {found.scale.value} | {found.a.value:.2f} | {found.b.value:.2f} | {apart(found)} | {meaning(found)} |"
            for found in apart_
        ]
        lines.append("")
    elif comparison.unscored:
        lines += [f"The scores are not compared: {plain(comparison.unscored, 300)}.", ""]
    if comparison.items:
        lines += ["| | failure | costs | how that is known |", "| --- | --- | ---: | --- |"]
        lines += [_row(item) for item in comparison.items[:ITEMS_AT_MOST]]
        if len(comparison.items) > ITEMS_AT_MOST:
            lines.append(f"| … | {len(comparison.items) - ITEMS_AT_MOST} more are on the page | | |")
        lines.append("")
    lines += [f"- {plain(line, 400)}" for line in remarks(comparison)]
    return lines


def _row(item: Item) -> str:
    lead, group = item.lead, GROUP[item.state]
    label = f"**{group.label}**" if is_worse(item) else group.label
    kind = f"{lead.severity.value} {lead.category.value.replace('_', ' ')}"
    return f"| {label} | {plain(lead.title, 240)} <sub>{kind}</sub> | {costs(item)} | {plain(tried_there(item), 300)} |"


def plain(text: str, limit: int) -> str:
    """One line of text in which nothing means anything to Markdown, nor to GitHub."""
    line = _MARKUP.sub(r"\\\1", printable(text, limit))
    line = re.sub(r"([@#])(?=\w)", rf"\1{_JOINER}", line)
    return re.sub(r"(?i)(:)(?=//)|\b(www)(?=\.)", rf"\1\2{_JOINER}", line)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _cell(difference: Difference | None) -> str:
    return "–" if difference is None else apart(difference)
