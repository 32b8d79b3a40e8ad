"""What an oracle finds can be counted: the category of its symptom takes an outcome for evidence."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]

_WORD = re.compile(r'"([a-z_]+)"')


def test_the_category_of_every_oracles_symptom_takes_outcomes() -> None:
    """Told by an oracle and refused for want of a finding, a failure would be lost without a word in the verdict."""
    taxonomy = tomllib.loads((ROOT / "configs" / "taxonomy.toml").read_text(encoding="utf-8"))
    sources = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "agent" / "skills").rglob("*.py"))
    words = set(_WORD.findall(sources))
    rules = {one["name"]: one["evidence"] for one in taxonomy["category"]}
    told = {name: one["category"] for one in taxonomy["symptom"] if "category" in one for name in one["match"] if name in words}
    assert len(told) > 10
    refused = {name: category for name, category in told.items() if any("outcome" not in kinds for kinds in rules[category])}
    # An error is met as an error of the page, which the record has as a row of its own.
    assert {name for name, category in refused.items() if category != "runtime_error"} == set()
