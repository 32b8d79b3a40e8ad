"""Do the proof scripts of a calibration fail on the faulty app and pass on the clean one?

    python -m tests.benchmarks.proof_scripts FOLDER [--only APP] [--json]

FOLDER is what `assay calibrate --out` made. Every confirmed failure that names the planted fault (or could be taken for it) is
asked for its script, which is run by itself, in a process of its own that knows nothing of Assay: against the faulty variant,
where it must exit with 1 and name the defect, and against the clean app, where it must exit with 0.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

from evaluator.calibration.suite import load, shipped
from evaluator.verdict.families import related
from evaluator.verdict.model import Failure, Verdict
from tools.browser.launch import find_chromium

LIMIT_S = 120.0
DEFECT_THERE, HOLDS, NOT_PLAYED = 1, 0, 2


@dataclass(frozen=True)
class Played:
    """What became of one failure's script."""

    key: str
    category: str
    title: str
    script: bool
    reason: str = ""
    on_faulty: int | None = None
    on_clean: int | None = None
    names_it: bool = False
    told: str = ""

    @property
    def right(self) -> bool:
        """It fails where the defect is, says so, and passes where it is not."""
        return self.on_faulty == DEFECT_THERE and self.on_clean == HOLDS and self.names_it


def play(script: Path, app: Path, *, limit_s: float = LIMIT_S) -> tuple[int, str]:
    """Run a script against an app, from an empty folder; exit code and what it said. A script that does not end is -1."""
    with tempfile.TemporaryDirectory() as elsewhere:
        env = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "APP"}}
        env["CHROMIUM"] = str(find_chromium())
        try:
            done = subprocess.run(
                [sys.executable, "-P", str(script), str(app)],
                cwd=elsewhere,
                env=env,
                capture_output=True,
                text=True,
                timeout=limit_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return -1, "it did not end"
    return done.returncode, (done.stdout + done.stderr).strip()


def _one(key: str, run: Path, failure: Failure, faulty: Path, clean: Path) -> Played:
    about = (key, failure.category.value, failure.title)
    if not failure.proof.script:
        return Played(*about, script=False, reason=failure.proof.reason.partition("not scripted: ")[2])
    script = run / failure.proof.script
    on_faulty, told = play(script, faulty)
    on_clean, told_clean = play(script, clean)
    named = failure.title.split("“")[0].strip()[:20] in told
    said = told if on_faulty != DEFECT_THERE else told_clean if on_clean != HOLDS else ""
    return Played(*about, script=True, on_faulty=on_faulty, on_clean=on_clean, names_it=named, told=said[-300:])


def measure(folder: Path, only: list[str]) -> list[Played]:
    """Every script of the folder's faulty variants, played twice."""
    found: list[Played] = []
    with tempfile.TemporaryDirectory() as place:
        for app in load(shipped()).apps:
            clean = Path(place) / app.name
            clean.mkdir()
            (clean / "index.html").write_text(app.html, encoding="utf-8")
            for fault in app.fault:
                key = f"{app.name}/fault-{fault.name}"
                path = folder / key / "run" / "verdict.json"
                if not path.is_file() or (only and app.name not in only):
                    continue
                verdict = Verdict.model_validate_json(path.read_text(encoding="utf-8"))
                for failure in verdict.failures:
                    if failure.proof.status == "confirmed" and related(failure.category, fault.category):
                        found.append(_one(key, path.parent, failure, folder / key / "site", clean))
                        sys.stderr.write(f"{key} {failure.category.value}: {found[-1].on_faulty} {found[-1].on_clean}\n")
    return found


def _print(found: list[Played]) -> None:
    out = sys.stdout.write
    groups: dict[str, list[Played]] = defaultdict(list)
    for item in found:
        groups[item.category].append(item)
    out(f"{'category':22}{'confirmed':>10}{'scripted':>10}{'fails, names it':>17}{'passes clean':>14}{'both':>6}\n")
    for name, group in [*sorted(groups.items()), ("all", found)]:
        scripted = [item for item in group if item.script]
        fails = sum(item.on_faulty == DEFECT_THERE and item.names_it for item in scripted)
        passes, right = sum(item.on_clean == HOLDS for item in scripted), sum(item.right for item in scripted)
        out(f"{name:22}{len(group):10}{len(scripted):10}{fails:17}{passes:14}{right:6}\n")
    for item in found:
        if not item.right:
            out(
                f"\n{item.key}: {item.title}\n  {item.reason or f'faulty {item.on_faulty}, clean {item.on_clean}: {item.told}'}\n"
            )


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.folder, options.only)
    _print(found) if not options.json else sys.stdout.write(json.dumps([asdict(item) for item in found], indent=2) + "\n")


if __name__ == "__main__":
    main()
