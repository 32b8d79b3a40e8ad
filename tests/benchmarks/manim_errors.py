"""Are the causes of failures told rightly? Runs the scripts of `tests/fixtures/manim_broken` and compares with their labels.

python -m tests.benchmarks.manim_errors            judges what was recorded
python -m tests.benchmarks.manim_errors --record   runs all scripts in the sandbox first (some minutes)
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tools.manim.contract import Outcome
from tools.manim.errors import CATEGORIES, diagnose

FIXTURES = Path(__file__).parents[1] / "fixtures" / "manim_broken"
RECORDED = FIXTURES / "recorded.json"
SPLITS = ("tuned", "unseen", "fresh", "sealed")


@dataclass(frozen=True)
class Broken:
    """One labelled script."""

    id: str
    category: str
    cause: str
    split: str
    source: str


def broken() -> list[Broken]:
    """All labelled scripts."""
    found = []
    for part in (FIXTURES / "scripts.txt").read_text(encoding="utf-8").split("%%%% ")[1:]:
        head, _, source = part.partition("\n")
        found.append(Broken(*(word.strip() for word in head.split("|")), source=source))
    return found


def recorded() -> dict[str, Outcome]:
    """How each script ended, by id."""
    entries = json.loads(RECORDED.read_text(encoding="utf-8"))
    return {name: Outcome.model_validate(entry) for name, entry in entries.items()}


def record(*, missing: bool) -> None:
    """Run every script (or those that were not recorded yet) in the sandbox and keep how it ended."""
    from tools.manim.pool import Pool  # noqa: PLC0415 - only where Manim is installed
    from tools.manim.runner import Job  # noqa: PLC0415 - only where Manim is installed
    from tools.manim.sandbox import Limits  # noqa: PLC0415

    endings = json.loads(RECORDED.read_text(encoding="utf-8")) if missing and RECORDED.is_file() else {}
    with tempfile.TemporaryDirectory() as scratch, Pool(Path(scratch) / "pool", warm=1) as pool:
        for script in broken():
            if script.id in endings:
                continue
            folder = Path(scratch) / script.id
            outcome = pool.run(script.source, folder, job=Job(stills="none"), limits=Limits(wall_s=90)).outcome
            kept = outcome.model_copy(update={"scenes": (), "folder": "", "log": "", "usage": outcome.usage.__class__()})
            endings[script.id] = json.loads(kept.model_dump_json())
            RECORDED.write_text(json.dumps(endings, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            sys.stderr.write(f"{script.id}: {outcome.status} {outcome.reason[:100]}\n")


def judge() -> list[tuple[Broken, str, str, str]]:
    """Every script that really failed, with the category, cause and reason that were found."""
    endings = recorded()
    rows = []
    for script in broken():
        if script.id not in endings:
            continue
        found = diagnose(endings[script.id], script.source)
        if found is not None:
            rows.append((script, found.category or "environment", found.cause, found.why))
    return rows


def accuracy(rows: list[tuple[Broken, str, str, str]], split: str) -> tuple[int, int]:
    """(right, all) of the categories in a split."""
    chosen = [(script, category) for script, category, _, _ in rows if script.split == split]
    return sum(script.category == category for script, category in chosen), len(chosen)


def main() -> None:
    """Print the table; JSON goes beside the call with --json FILE."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help="run all scripts first")
    parser.add_argument("--record-missing", action="store_true", help="run those that were not recorded yet")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    if given.record or given.record_missing:
        record(missing=not given.record)
    rows = judge()
    lines = []
    for split in SPLITS:
        right, count = accuracy(rows, split)
        causes = sum(script.cause == cause for script, _, cause, _ in rows if script.split == split)
        shares = f"category {right}/{count} = {right / max(count, 1):.3f}   cause {causes}/{count} = {causes / max(count, 1):.3f}"
        lines.append(f"{split:8} {shares}")
    confusion = Counter((script.category, category) for script, category, _, _ in rows)
    columns = [*CATEGORIES, "environment"]
    lines.append("label \\ found".ljust(22) + " ".join(name[:10].rjust(10) for name in columns))
    lines += [
        label.ljust(22) + " ".join(str(confusion[label, name] or ".").rjust(10) for name in columns) for label in CATEGORIES
    ]
    for script, category, cause, why in rows:
        if (script.category, script.cause) != (category, cause):
            mark = "WRONG " if script.category != category else "finer "
            lines.append(f"{mark}{script.split} {script.id}: {script.cause}, found {cause}: {why[:140]}")
    sys.stdout.write("\n".join(lines) + "\n")
    if given.json:
        summary = {split: accuracy(rows, split) for split in SPLITS}
        given.json.write_text(json.dumps({"accuracy": summary, "scripts": len(rows)}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
