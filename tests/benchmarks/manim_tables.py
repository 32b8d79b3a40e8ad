"""Tables 1 and 2 over sets of scripts.

    python -m tests.benchmarks.manim_tables NAME=FOLDER … [--out FOLDER] [--render] [--json FILE]

Each FOLDER holds one model's scripts; NAME heads its row. Without folders, the scripts of `tests/fixtures/manim_broken`
are the set, a row for each split, so that the second table can be compared with their labels.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.manim_errors import broken
from tools.manim.check import Wish, check_all, with_film
from tools.manim.runner import Job
from tools.manim.sandbox import Limits
from tools.manim.tables import as_json, as_text, failure_table, generation_table


def main() -> None:
    """Check everything, print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="NAME=FOLDER")
    parser.add_argument("--out", type=Path, help="where results go; calling again with the same folder resumes")
    parser.add_argument("--render", action="store_true", help="films too: PADVC and TD")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        sets = dict(entry.split("=", 1) for entry in given.sets) or _labelled(Path(scratch) / "scripts")
        out = given.out or Path(scratch) / "results"
        wish = Wish(job=Job(stills="none"), limits=Limits(wall_s=120))
        wish = with_film(wish) if given.render else wish
        groups = {name: list(check_all(Path(folder), out / name, wish).values()) for name, folder in sets.items()}
    tables = generation_table(groups), failure_table(groups)
    sys.stdout.write("\n\n".join(as_text(table) for table in tables) + "\n")
    if given.json:
        given.json.write_text(json.dumps([as_json(table) for table in tables], indent=1), encoding="utf-8")


def _labelled(folder: Path) -> dict[str, str]:
    for script in broken():
        path = folder / script.split / f"{script.id}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script.source, encoding="utf-8")
    return {path.name: str(path) for path in sorted(folder.iterdir())}


if __name__ == "__main__":
    main()
