"""The audit on Manim's own example scenes: what is found, and how much of it a person who looks at the frame calls a defect.

    python -m tests.benchmarks.manim_real [--out FOLDER] [--jobs 2] [--only N]

Prints every finding with the judgement from `manim_judged.toml` (made by eye, from the stills) and writes `real.json`. A finding
nobody has judged counts as a false alarm.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.benchmarks.manim_examples import Example, examples
from tools.manim.audit import audit
from tools.manim.pool import Pool
from tools.manim.recording import load
from tools.manim.sandbox import Limits


def run(chosen: list[Example], out: Path, jobs: int) -> list[dict[str, Any]]:
    """Record and audit each example; recordings that are there already are used again."""
    out.mkdir(parents=True, exist_ok=True)
    with Pool(out / ".workers", warm=jobs, limits=Limits(wall_s=120)) as pool, ThreadPoolExecutor(jobs) as threads:

        def one(example: Example) -> dict[str, Any]:
            folder = out / example.name
            if not (folder / "run.json").is_file():
                pool.run(example.source, folder, name=f"{example.name}.py")
            outcome, outlines = load(folder)
            audits = [audit(scene, outlines, folder) for scene in outcome.scenes] if outcome.status == "rendered" else []
            return {
                "name": example.name,
                "module": example.module,
                "status": outcome.status,
                "reason": outcome.reason,
                "audited": bool(audits) and all(entry.audited for entry in audits),
                "findings": [finding.model_dump(mode="json") for entry in audits for finding in entry.findings],
            }

        return list(threads.map(one, chosen))


def main() -> None:
    """See the top of the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, default=None, help="the first N examples")
    options = parser.parse_args()
    judged = tomllib.loads(Path(__file__).with_name("manim_judged.toml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as scratch:
        out = options.out or Path(scratch)
        rows = run(examples()[: options.only], out, options.jobs)
        (out / "real.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False), encoding="utf-8")
    false: set[str] = set()
    for row in rows:
        for finding in row["findings"]:
            verdict = judged.get(row["name"], {}).get(finding["kind"], "not judged")
            if not verdict.startswith("true"):
                false.add(row["name"])
            sys.stdout.write(f"{row['name']:28} {finding['kind']:13} {finding['message'][:90]:90} | {verdict}\n")
    audited = [row for row in rows if row["audited"]]
    sys.stdout.write(f"{len(rows)} examples: {dict(Counter(row['status'] for row in rows))}\n")
    sys.stdout.write(
        f"{len(audited)} audited, {sum(bool(row['findings']) for row in audited)} with findings, "
        f"{len(false)} with a false alarm ({len(false) / max(len(audited), 1):.1%})\n"
    )


if __name__ == "__main__":
    main()
