"""Does the sandbox change a verdict? Projects are evaluated in it and, trusted, without it; the two verdicts are held together.

python -m tests.benchmarks.sandbox_verdicts --apps FOLDER [--seed 9] [--count 3] [--acts 24] [--keep FOLDER]

FOLDER is WebTestBench: `apps/*.zip` and `labels.jsonl`, whose `instruction` is the brief. Which apps is drawn by the seed.
Compared is what the verdicts say: status, both scores, every failure's title and whether it was confirmed. Runs are made by
turns, each in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.command import command
from tools.evidence.record import Record
from tools.evidence.rows import SiteServed

MOST_S = 1500
DEADS = {"node_modules", ".git"}


@dataclass(frozen=True)
class Said:
    """What a run says of an app."""

    status: str
    functionality: float | None
    aesthetics: float | None
    failures: tuple[tuple[str, bool], ...]
    """Titles, and whether each was confirmed."""
    served: str
    """What kind of site came up."""
    seconds: float

    def verdict(self) -> tuple[object, ...]:
        """What must be the same."""
        return self.status, self.functionality, self.aesthetics, self.failures

    def __str__(self) -> str:
        confirmed = sum(1 for _, sure in self.failures if sure)
        return (
            f"{self.status}, functionality {self.functionality}, aesthetics {self.aesthetics}, "
            f"{len(self.failures)} failures ({confirmed} confirmed), {self.served}, {self.seconds:.0f} s"
        )


def unpacked(archive: Path, folder: Path) -> Path:
    """The project in an archive. Raises `ValueError` if there is none."""
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
    found = sorted(
        (path.parent for path in folder.rglob("package.json") if not DEADS & set(path.parts)), key=lambda one: len(one.parts)
    )
    if not found:
        raise ValueError(f"{archive} holds no project")
    return found[0]


def evaluated(project: Path, brief: Path, run: Path, *, acts: int, seed: int, trusted: bool) -> Said:
    """Evaluate it with the command line; exits with what it said if it gives no verdict."""
    line = command("eval", str(project), "--brief", f"@{brief}", "--out", str(run), "--seed", str(seed), "--max-acts", str(acts))
    line += ["--capture", "none", "--json", *(["--trust-project"] if trusted else [])]
    began = time.monotonic()
    done = subprocess.run(line, capture_output=True, text=True, timeout=MOST_S, env=dict(os.environ), check=False, cwd=run.parent)
    try:
        verdict: dict[str, Any] = json.loads(done.stdout)["verdict"]
    except (ValueError, KeyError):
        sys.exit(f"{project.name}: no verdict ({done.returncode}): {done.stderr[-800:]}")
    served = [body.variety for _, body in Record.read(run).of(SiteServed)]
    functionality, aesthetics = ((verdict[scale] or {}).get("value") for scale in ("functionality", "aesthetics"))
    return Said(
        verdict["status"],
        functionality,
        aesthetics,
        tuple(sorted((one["title"], one["proof"]["status"] == "confirmed") for one in verdict["failures"])),
        ", ".join(served) or "nothing served",
        time.monotonic() - began,
    )


def compared(archive: Path, brief: str, kept: Path, *, acts: int, seed: int) -> bool:
    """Evaluate an app both ways and tell; whether the verdicts are the same."""
    folder = kept / archive.stem
    folder.mkdir(parents=True)
    project = unpacked(archive, folder / "app")
    (folder / "brief.txt").write_text(brief, encoding="utf-8")
    found: dict[bool, Said] = {}
    for trusted in (True, False):
        run = folder / ("trusted" if trusted else "sandboxed")
        found[trusted] = evaluated(project, folder / "brief.txt", run, acts=acts, seed=seed, trusted=trusted)
        sys.stdout.write(f"{archive.stem}  {'without' if trusted else 'inside '}  {found[trusted]}\n")
        sys.stdout.flush()
    same = found[True].verdict() == found[False].verdict()
    for trusted, where in ((True, "without"), (False, "inside")):
        for title, sure in sorted(set(found[trusted].failures) - set(found[not trusted].failures)):
            sys.stdout.write(f"    only {where}: {'confirmed' if sure else 'not confirmed'}: {title}\n")
    sys.stdout.write(f"{archive.stem}  {'the same verdict' if same else 'ANOTHER VERDICT'}\n")
    sys.stdout.flush()
    return same


def main() -> int:
    """See the top of the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--apps", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--acts", type=int, default=24)
    parser.add_argument("--keep", type=Path, help="where the runs stay")
    given = parser.parse_args()
    labels = [json.loads(line) for line in (given.apps / "labels.jsonl").read_text(encoding="utf-8").splitlines() if line.strip()]
    briefs = {str(one["index"]): str(one["instruction"]) for one in labels}
    here = sorted(path for path in (given.apps / "apps").glob("*.zip") if path.stem in briefs)
    chosen = random.Random(given.seed).sample(here, given.count)
    sys.stdout.write(f"drawn with seed {given.seed}: {', '.join(path.stem for path in chosen)}\n")
    with tempfile.TemporaryDirectory(prefix="assay-verdicts-") as scratch:
        kept = given.keep or Path(scratch)
        same = [compared(path, briefs[path.stem], kept, acts=given.acts, seed=given.seed) for path in chosen]
    sys.stdout.write(f"{sum(same)} of {len(same)} apps have the same verdict inside the sandbox as without it\n")
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
