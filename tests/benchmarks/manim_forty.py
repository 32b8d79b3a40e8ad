"""The audit on forty scenes that no rule was made on: precision, recall, findings a defect, and its time beside a plain render's.

    python -m tests.benchmarks.manim_forty [--part seen|held|all|fresh] [--out FOLDER] [--render]

Truth stands in `manim_forty.toml`, written from plain renders before the checker saw the scenes. A finding is right where its
parties and its time are those of a defect; whatever else is told is wrong. `fresh` are scenes that were written later
(`manim_fresh.txt`). `--render` also renders every scene by `manim render` in the same run and prints both times: wall seconds,
the checker's those of a warm worker in a batch (recording and audit), the render's those of a process of its own.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

from tests.benchmarks.manim_forty_scenes import Forty, forty, fresh
from tools.manim.check import Wish, judge
from tools.manim.contract import Finding, Party
from tools.manim.pool import Pool
from tools.manim.sandbox import Limits

TRUTH = Path(__file__).with_name("manim_forty.toml")
LATE_S = 0.3
"""How far a finding's time may lie off the truth's."""


def said(party: Party) -> set[str]:
    """What a defect in the truth may call a party: its text, its class, its variable with and without a place in it."""
    return {" ".join(party.text.split()), party.kind, party.name, re.sub(r"\[.*", "", party.name)} - {""}


def meets(finding: Finding, defect: dict[str, Any]) -> bool:
    """Whether a finding tells this defect."""
    if not any(span.begin_s <= defect["to_s"] + LATE_S and span.end_s >= defect["from_s"] - LATE_S for span in finding.spans):
        return False
    suffers, by = set(defect["suffers"]), set(defect["by"])
    for parties in (finding.parties, *finding.alike):
        names = [said(party) for party in parties]
        if len(names) == 1 and not by and names[0] & suffers:
            return True
        if len(names) == 2 and any(name & suffers and two & by for name, two in (names, names[::-1])):
            return True
    return False


def rendered_s(scene: Forty, folder: Path) -> float:
    """Wall seconds of a plain render of the scene at low quality."""
    script = folder / f"{scene.name}.py"
    script.write_text(scene.source, encoding="utf-8")
    match = re.search(r"^class (\w+)", scene.source, re.MULTILINE)
    assert match is not None
    began = time.perf_counter()
    options = ["-ql", "--disable_caching", "--media_dir", str(folder / "media")]
    line = [sys.executable, "-m", "manim", "render", *options, str(script), match[1]]
    subprocess.run(line, check=True, capture_output=True, timeout=300)
    return time.perf_counter() - began


def main() -> None:
    """See the top of the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", choices=("seen", "held", "all", "fresh"), default="seen")
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--render", action="store_true")
    options = parser.parse_args()
    later = options.part == "fresh"
    truth = tomllib.loads((TRUTH.with_name("manim_fresh.toml") if later else TRUTH).read_text(encoding="utf-8"))
    chosen = fresh() if later else [scene for scene in forty() if options.part in ("all", "held" if scene.held else "seen")]
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as scratch:
        out = options.out or Path(scratch)
        out.mkdir(parents=True, exist_ok=True)
        with Pool(out / ".workers", warm=1, limits=Limits(wall_s=120)) as pool:
            for scene in chosen:
                pool.warm_up()
                began = time.perf_counter()
                recording = pool.run(scene.source, out / scene.name, name=f"{scene.name}.py")
                check = judge(recording, Wish())
                took_s = time.perf_counter() - began
                found = [finding for audit in check.audits for finding in audit.findings]
                plain_s = rendered_s(scene, out) if options.render else 0.0
                rows.append(_row(scene, check.outcome.status, found, truth.get(scene.name, []), took_s, plain_s))
                _tell(rows[-1])
        (out / "forty.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False), encoding="utf-8")
    _sum("seen", [row for row in rows if not row["held"]])
    _sum("fresh" if later else "held", [row for row in rows if row["held"]])


def _row(
    scene: Forty, status: str, found: list[Finding], defects: list[dict[str, Any]], took_s: float, plain_s: float
) -> dict[str, Any]:
    met = [[number for number, defect in enumerate(defects) if meets(finding, defect)] for finding in found]
    return {
        "name": scene.name,
        "held": scene.held,
        "status": status,
        "findings": [finding.message for finding in found],
        "right": [bool(numbers) for numbers in met],
        "missed": [defect["why"] for number, defect in enumerate(defects) if not any(number in numbers for numbers in met)],
        "defects": len(defects),
        "check_s": took_s,
        "render_s": plain_s,
    }


def _tell(row: dict[str, Any]) -> None:
    times = f"{row['check_s']:.1f} s" + (f", rendered in {row['render_s']:.1f} s" if row["render_s"] else "")
    sys.stdout.write(f"{row['name']} ({row['status']}, {times})\n")
    for message, right in zip(row["findings"], row["right"], strict=True):
        sys.stdout.write(f"    {'right' if right else 'WRONG'}  {message}\n")
    for why in row["missed"]:
        sys.stdout.write(f"    MISSED {why}\n")
    sys.stdout.flush()


def _sum(part: str, rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    told = [right for row in rows for right in row["right"]]
    defects = sum(row["defects"] for row in rows)
    found = defects - sum(len(row["missed"]) for row in rows)
    sys.stdout.write(
        f"{part}: {len(rows)} scenes, {defects} defects, {len(told)} findings: "
        f"precision {sum(told) / max(len(told), 1):.2f}, recall {found / max(defects, 1):.2f}, "
        f"{sum(told) / max(found, 1):.2f} findings a defect found, at most {max(len(row['right']) for row in rows)} in a scene\n"
    )
    timed = [row for row in rows if row["render_s"]]
    if timed:
        ratio = statistics.median(row["check_s"] / row["render_s"] for row in timed)
        sys.stdout.write(
            f"{part}: check {statistics.median(row['check_s'] for row in timed):.2f} s, plain render "
            f"{statistics.median(row['render_s'] for row in timed):.2f} s (medians), "
            f"ratio of each scene's two {ratio:.2f} (median)\n"
        )


if __name__ == "__main__":
    main()
