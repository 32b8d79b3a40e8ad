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
    used = [
        each_judgement
        for each_judgement in judged
        if each_judgement.scored and (each_judgement.work.corpus, each_judgement.work.app) not in held
    ]
    tallies: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for judgement in used:
        app = f"{judgement.work.corpus}/{judgement.work.app}"
        for pairing in judgement.pairings:
            verdict = _truth(pairing, complete=judgement.work.complete)
            if verdict is None:
                continue
            for name in pairing.accusers:
                tallies[name][app][0 if verdict else 1] += 1
    apps = {f"{each_judgement.work.corpus}/{each_judgement.work.app}" for each_judgement in used}
    known = {
        name: Trust(
            name=name,
            apps=tuple(AppTally(app=app, right=right, wrong=wrong) for app, (right, wrong) in sorted(found.items())),
            silent=len(apps - set(found)),
        )
        for name, found in sorted(tallies.items())
    }
    corpora = sorted({each_judgement.work.corpus for each_judgement in used})
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
            "apps = {" + ", ".join(f"{_quoted(app.app)} = [{app.right}, {app.wrong}]" for app in trust.apps) + "}",
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
