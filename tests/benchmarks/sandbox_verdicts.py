"""Does the sandbox change a verdict? Projects are evaluated in it and, trusted, without it; the two verdicts are held together.

python -m tests.benchmarks.sandbox_verdicts --apps FOLDER [--seed 9] [--count 3] [--acts 24] [--again 2] [--keep FOLDER]

FOLDER is WebTestBench: `apps/*.zip` and `labels.jsonl`, whose `instruction` is the brief. Which apps is drawn by the seed.
Compared is what the verdicts say: status, both scores, every failure's title and whether it was confirmed. Runs are made by
turns, each in a process of its own; those that lie in `--keep` with a verdict are not made again. Two runs of one app may differ
by themselves (see `determinism.py`): where the verdicts do, it is evaluated without the sandbox again, `--again` times at most,
until one says what the run inside says; what is told then is that it differs without the sandbox, too.
"""

from __future__ import annotations

import argparse
import json
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
        (path.parent for path in folder.rglob("package.json") if not DEADS & set(path.parts)), key=lambda item: len(item.parts)
    )
    if not found:
        raise ValueError(f"{archive} holds no project")
    return found[0]


def evaluated(project: Path, brief: Path, run: Path, *, acts: int, seed: int, trusted: bool) -> Said:
    """Evaluate it with the command line; exits with what it said if it gives no verdict."""
    line = command("eval", str(project), "--brief", f"@{brief}", "--out", str(run), "--seed", str(seed), "--max-acts", str(acts))
    line += ["--capture", "none", "--json", *(["--trust-project"] if trusted else [])]
    began = time.monotonic()
    if (run / "verdict.json").is_file():
        verdict: dict[str, Any] = json.loads((run / "verdict.json").read_text(encoding="utf-8"))
    else:
        done = subprocess.run(line, capture_output=True, text=True, timeout=MOST_S, check=False, cwd=run.parent)
        try:
            verdict = json.loads(done.stdout)["verdict"]
        except (ValueError, KeyError):
            sys.exit(f"{project.name}: no verdict ({done.returncode}): {done.stderr[-800:]}")
    served = [body.variety for _, body in Record.read(run).of(SiteServed)]
    functionality, aesthetics = ((verdict[scale] or {}).get("value") for scale in ("functionality", "aesthetics"))
    return Said(
        verdict["status"],
        functionality,
        aesthetics,
        tuple(sorted((item["title"], item["proof"]["status"] == "confirmed") for item in verdict["failures"])),
        ", ".join(served) or "nothing served",
        time.monotonic() - began,
    )


def compared(archive: Path, brief: str, kept: Path, *, acts: int, seed: int, again: int) -> str:
    """Evaluate an app both ways and tell; whether the verdicts are the `same`, `differ`, or differ by `chance`."""
    folder = kept / archive.stem
    folder.mkdir(parents=True, exist_ok=True)
    project = unpacked(archive, folder / "app")
    (folder / "brief.txt").write_text(brief, encoding="utf-8")

    def said(name: str, *, trusted: bool) -> Said:
        found = evaluated(project, folder / "brief.txt", folder / name, acts=acts, seed=seed, trusted=trusted)
        sys.stdout.write(f"{archive.stem}  {'without' if trusted else 'inside '}  {found}\n")
        sys.stdout.flush()
        return found

    bare, inside = said("trusted", trusted=True), said("sandboxed", trusted=False)
    if bare.verdict() == inside.verdict():
        sys.stdout.write(f"{archive.stem}  the same verdict\n")
        return "same"
    for item, other, where in ((bare, inside, "without"), (inside, bare, "inside")):
        for title, sure in sorted(set(item.failures) - set(other.failures)):
            sys.stdout.write(f"    only {where}: {'confirmed' if sure else 'not confirmed'}: {title}\n")
    for number in range(again):
        if said(f"trusted-{number + 2}", trusted=True).verdict() == inside.verdict():
            sys.stdout.write(f"{archive.stem}  differs by chance: without the sandbox it was both verdicts\n")
            return "chance"
    sys.stdout.write(f"{archive.stem}  ANOTHER VERDICT\n")
    return "differs"


def main() -> int:
    """See the top of the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--apps", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--acts", type=int, default=24)
    parser.add_argument("--again", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="where the runs stay")
    given = parser.parse_args()
    labels = [json.loads(line) for line in (given.apps / "labels.jsonl").read_text(encoding="utf-8").splitlines() if line.strip()]
    briefs = {str(label["index"]): str(label["instruction"]) for label in labels}
    here = sorted(path for path in (given.apps / "apps").glob("*.zip") if path.stem in briefs)
    chosen = random.Random(given.seed).sample(here, given.count)
    sys.stdout.write(f"drawn with seed {given.seed}: {', '.join(path.stem for path in chosen)}\n")
    with tempfile.TemporaryDirectory(prefix="assay-verdicts-") as scratch:
        kept = given.keep or Path(scratch)
        came = [compared(path, briefs[path.stem], kept, acts=given.acts, seed=given.seed, again=given.again) for path in chosen]
    sys.stdout.write(
        f"of {len(came)} apps {came.count('same')} have the same verdict inside the sandbox as without it, "
        f"{came.count('chance')} one that it has without it, too, {came.count('differs')} another\n"
    )
    return 1 if "differs" in came else 0


if __name__ == "__main__":
    sys.exit(main())
