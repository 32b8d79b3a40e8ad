"""Recall and precision of the spatial audit on planted defects and look-alikes, with the released auditor's rules beside it.

    python -m tests.benchmarks.manim_seeded [--seed 2] [--jobs 2] [--out FOLDER]

Prints a table and writes `seeded.json`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.benchmarks.manim_seeds import Case, draw
from tools.manim.audit import audit
from tools.manim.contract import Finding
from tools.manim.pool import Pool
from tools.manim.recording import load
from tools.manim.runner import Job
from tools.manim.sandbox import Limits


def run(cases: list[Case], out: Path, jobs: int) -> list[dict[str, Any]]:
    """Record and judge every case; recordings that are there already are used again."""
    out.mkdir(parents=True, exist_ok=True)
    with Pool(out / ".workers", warm=jobs, limits=Limits(wall_s=90)) as pool, ThreadPoolExecutor(jobs) as threads:

        def one(case: Case) -> dict[str, Any]:
            folder = out / case.name
            if not (folder / "run.json").is_file():
                pool.run(case.source, folder, name=f"{case.name}.py", job=Job())
            return judged(case, folder)

        return list(threads.map(one, cases))


def judged(case: Case, folder: Path) -> dict[str, Any]:
    """What both ways of judging say of a recorded case."""
    outcome, outlines = load(folder)
    row: dict[str, Any] = {"case": case.name, "defect": case.defect, "status": outcome.status, "reason": outcome.reason}
    for compat in ("assay", "prism"):
        found = [finding for scene in outcome.scenes for finding in audit(scene, outlines, folder, compat).findings]
        hits = [finding for finding in found if about(case, finding)]
        row[compat] = {
            "found": len(found),
            "hit": bool(hits),
            "told": [f"{finding.kind}: {finding.message}" for finding in found],
        }
    return row


def about(case: Case, finding: Finding) -> bool:
    """Whether a finding is the planted defect: of a fitting kind, and with one of the planted things."""
    if finding.kind not in case.kinds:
        return False
    named = [party.name.split("[")[0] for parties in (finding.parties, *finding.alike) for party in parties]
    return any(name in case.names for name in named) or any(not name for name in named)


def table(rows: list[dict[str, Any]], compat: str) -> dict[str, float | int]:
    """Figures of one way of judging. A look-alike with a finding is a false alarm."""
    defects = [row for row in rows if row["defect"]]
    fine = [row for row in rows if not row["defect"]]
    hits = sum(row[compat]["hit"] for row in defects)
    alarms = sum(row[compat]["found"] > 0 for row in fine)
    return {
        "planted": len(defects),
        "found": hits,
        "look-alikes": len(fine),
        "false_alarms": alarms,
        "recall": round(hits / len(defects), 4),
        "precision": round(hits / (hits + alarms), 4) if hits + alarms else 0.0,
    }


def main() -> None:
    """See the top of the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--each", type=int, default=5)
    parser.add_argument("--out", type=Path, default=None)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        out = options.out or Path(scratch)
        rows = run(draw(options.seed, options.each, options.each), out, options.jobs)
        result = {"seed": options.seed, "assay": table(rows, "assay"), "prism": table(rows, "prism"), "rows": rows}
        (out / "seeded.json").write_text(json.dumps(result, indent=1, ensure_ascii=False), encoding="utf-8")
    for row in rows:
        wrong = row["status"] != "rendered" or (not row["assay"]["hit"] if row["defect"] else row["assay"]["found"])
        if wrong:
            sys.stdout.write(f"{row['case']}: {row['status']} {row['reason']} {row['assay']['told'][:2]}\n")
    for name in ("assay", "prism"):
        sys.stdout.write(f"{name:7} {result[name]}\n")


if __name__ == "__main__":
    main()
