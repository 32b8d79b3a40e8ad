"""What only some verbs need is an extra, told in one line where it is missing; the table of dependencies is true."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import grimp
import pytest
from packaging.requirements import Requirement

from tools.errors import MissingProgram
from tools.extras import INCLUDED, MODULES, brought_by, missing_for, require

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FIXED = {
    "langgraph", "langchain-core", "playwright", "anthropic", "openai", "ffmpeg-python", "opencv-python", "paddleocr", "pydantic",
    "rich",
}  # fmt: skip
PLAIN = ("cdn", "diagram", "doctor", "eval", "options", "prune", "runs", "try_trials")
"""Verbs that work after a plain `pip install assay`."""
RATINGS = "query_id,model,rater,score\n" + "".join(
    f"q{query},m{model},{rater},{(query + model) % 5}\n" for query in range(3) for model in range(3) for rater in "ab"
)


def _names(requirements: list[str]) -> set[str]:
    return {Requirement(text).name for text in requirements}


def test_each_extra_brings_what_the_code_says_it_brings() -> None:
    """`tools/extras.py` names the modules of the distributions that `pyproject.toml` lists, and which extra includes which."""
    owners = metadata.packages_distributions()
    extras = PROJECT["optional-dependencies"]
    for extra, modules in MODULES.items():
        others = {name for text in extras[extra] if Requirement(text).name == "assay" for name in Requirement(text).extras}
        assert others == ({INCLUDED[extra]} if extra in INCLUDED else set())
        held = {owner.lower() for module in modules for owner in owners[module]}
        assert held == _names(extras[extra]) - {"assay"}, extra


def test_an_extra_is_no_plain_dependency() -> None:
    """What an extra brings is not installed without it; what the users asked for always is."""
    plain = _names(PROJECT["dependencies"])
    brought = {name for extra in MODULES for name in _names(PROJECT["optional-dependencies"][extra])}
    assert plain & brought == set()
    assert plain >= FIXED


def test_the_plain_verbs_need_no_extra() -> None:
    """Not even by way of others, nor in a function: so says the graph of imports."""
    graph = grimp.build_graph("agent", "configs", "evaluator", "prompts", "tools", include_external_packages=True, cache_dir=None)
    extra = {module for name in MODULES for module in MODULES[name]} & graph.modules
    assert extra >= {"pyarrow", "statsmodels", "tree_sitter"}
    for module in (*(f"agent.cli.{name}" for name in PLAIN), "agent.run.evaluation", "agent.batch.worker"):
        assert graph.find_upstream_modules(module) & extra == set(), module


@pytest.mark.parametrize(
    ("words", "module", "extra"),
    [
        ("agree ratings.csv ratings.csv", "statsmodels", "statistics"),
        ("agree ratings.csv ratings.csv", "krippendorff", "statistics"),
        ("agree verdicts.parquet ratings.csv", "pyarrow", "batch"),
        ("batch starter --answers .", "sqlalchemy", "batch"),
        ("results .", "pyarrow", "batch"),
        ("serve --port 0", "fastapi", "serve"),
        ("serve --port 0", "sqlalchemy", "serve"),
        ("view .", "fastapi", "serve"),
        ("mcp", "mcp", "mcp"),
        ("calibrate mutants page.html", "tree_sitter", "calibrate"),
        ("protocol artifactsbench queries starter", "datasketch", "protocol"),
    ],
)
def test_a_missing_extra_is_one_line(words: str, module: str, extra: str, tmp_path: Path) -> None:
    """The verb says what is missing and what installs it, and ends with 3."""
    (tmp_path / "ratings.csv").write_text(RATINGS, encoding="utf-8")
    (tmp_path / "verdicts.parquet").write_bytes(b"PAR1")
    (tmp_path / "page.html").write_text("<title>A page</title>", encoding="utf-8")
    code = f"import sys; sys.modules[{module!r}] = None; from agent.cli.entry import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *words.split()], cwd=tmp_path, capture_output=True, text=True, timeout=90, check=False
    )
    assert (done.returncode, done.stdout) == (3, ""), done.stderr
    assert done.stderr.count("\n") == 1
    assert f"assay[{extra}]" in done.stderr


def test_what_no_extra_brings_is_no_matter_of_extras() -> None:
    """A module of ours that cannot be imported is a mistake of ours."""
    assert missing_for("agree", "evaluator") is None


def test_a_verbs_own_extra_is_advised() -> None:
    """`serve` needs what `batch` needs, and its own extra brings it."""
    lack = missing_for("serve", "sqlalchemy", verb="serve")
    assert lack is not None
    assert "assay[serve]" in lack.hint
    assert set(brought_by("mcp")) > set(brought_by("serve")) > set(brought_by("batch"))


def test_long_work_asks_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there is passed over in silence; what is not is told before anything begins."""
    require("batch", "batch")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingProgram, match="batch needs pyarrow"):
        require("batch", "batch")


def test_the_table_of_dependencies_is_whole() -> None:
    """ARCHITECTURE.md says of each direct dependency, and of no other, what it is for and why it and not another."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = text.partition("## Dependencies\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("| ")]
    names = [name for row in rows[1:] for name in re.findall(r"`([^`]+)`", row[0])]
    optional = {name for texts in PROJECT["optional-dependencies"].values() for name in _names(texts)} - {"assay"}
    assert sorted(names) == sorted(_names(PROJECT["dependencies"]) | optional)
    assert [row for row in rows if len(row) != 3 or not all(row)] == []
