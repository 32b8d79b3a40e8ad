"""Trust is earned: for each relation and probe, how often it was right, wrong and silent on labelled apps, and what follows.

An accusation is right when it was paired with a failing label, wrong when it was paired with one that holds or, where
labels tell of all that is wrong, with none. What is unsure counts as neither. Intervals are Wilson's (1927), 95 %.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluator.calibration.items import Judged
from evaluator.calibration.matching import Pairing
from evaluator.scoring.trust import AppTally, Trust, TrustTable


def table_from(judged: Sequence[Judged], *, date: str, leave_out: Mapping[str, Sequence[str]] | None = None) -> TrustTable:
    """The trust table from judged works. `leave_out`: corpus → apps that are held back; they give no evidence.

    `date` is written into the table (ISO, the day of the measurement).
    """
    held = {(corpus, app) for corpus, apps in (leave_out or {}).items() for app in apps}
    used = [one for one in judged if one.scored and (one.work.corpus, one.work.app) not in held]
    tallies: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for one in used:
        app = f"{one.work.corpus}/{one.work.app}"
        for pairing in one.pairings:
            verdict = _truth(pairing, complete=one.work.complete)
            if verdict is None:
                continue
            for name in pairing.accusers:
                tallies[name][app][0 if verdict else 1] += 1
    apps = {f"{one.work.corpus}/{one.work.app}" for one in used}
    known = {
        name: Trust(
            name=name,
            apps=tuple(AppTally(app=app, right=right, wrong=wrong) for app, (right, wrong) in sorted(found.items())),
            silent=len(apps - set(found)),
        )
        for name, found in sorted(tallies.items())
    }
    corpora = sorted({one.work.corpus for one in used})
    return TrustTable(date=date, corpora=tuple(corpora), works=len(used), accusers=known)


def _truth(pairing: Pairing, *, complete: bool) -> bool | None:
    if not pairing.sure:
        return None
    if pairing.right is not None:
        return pairing.right
    return False if complete else None


def as_toml(table: TrustTable) -> str:
    """The table as it is written to `configs/trust.toml`. Of the figures only the counts by app are read again."""
    lines = [
        "# How often each relation and probe was right, wrong and silent on labelled apps. Made by: assay calibrate trust",
        f"# What is accused takes points where the lower bound is ≥ {table.wanted}, on {table.fewest_apps} apps or more.",
        "",
        f'date = "{table.date}"',
        f"corpora = [{', '.join(_quoted(name) for name in table.corpora)}]",
        f"works = {table.works}",
    ]
    for name, trust in table.accusers.items():
        low, high = trust.bounds()
        lines += [
            "",
            f"[accusers.{_quoted(name)}]",
            f"right = {trust.right}",
            f"wrong = {trust.wrong}",
            f"silent = {trust.silent}",
            f"low = {low:.3f}",
            f"high = {high:.3f}",
            f"low_leaving_one_app_out = {trust.low_leaving_one_out():.3f}",
            "apps = {" + ", ".join(f"{_quoted(one.app)} = [{one.right}, {one.wrong}]" for one in trust.apps) + "}",
        ]
    text = "\n".join(lines) + "\n"
    tomllib.loads(text)  # what is written can be read
    return text


def write_table(table: TrustTable, path: Path) -> None:
    """Write the table to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(as_toml(table), encoding="utf-8")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
