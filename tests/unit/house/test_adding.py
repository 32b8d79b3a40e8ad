"""What docs/adding.md shows can be done today: each of its diffs still fits the code."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
DIFFS = re.findall(r"```diff\n(.*?)```", (ROOT / "docs" / "adding.md").read_text(encoding="utf-8"), re.DOTALL)


def test_there_is_one_for_each_kind() -> None:
    """Relation, assertion, probe, judge, kind of subject, tool, format of the report."""
    assert len(DIFFS) == 7


@pytest.mark.parametrize("number", range(len(DIFFS)))
def test_the_diff_applies(number: int, tmp_path: Path) -> None:
    """To a copy of the files that it changes, with nothing but these around."""
    changed = re.findall(r"^--- a/(\S+)$", DIFFS[number], re.MULTILINE)
    assert changed
    for name in changed:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    done = subprocess.run(["git", "apply", "-"], input=DIFFS[number], cwd=tmp_path, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
