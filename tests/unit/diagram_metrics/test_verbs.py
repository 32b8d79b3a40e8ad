"""The verbs `assay diagram score`, `convert`, `prompt` and `bench`, as a person types them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.unit.diagram_metrics.test_graphs import graph
from tools.diagram.formats.convert import write_text


def assay(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the command; its standard output and error as text."""
    code = "from agent.cli.main import main; main()"
    root = str(Path(__file__).parents[3])
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {root!r}); {code}", "diagram", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=90, check=False)


def test_score_and_convert(tmp_path: Path) -> None:
    """Two graphs in two formats are compared; one is written in another; errors are one line and exit with 2."""
    (tmp_path / "gold.json").write_text(graph("AB", "BC").to_json(), encoding="utf-8")
    (tmp_path / "mine.mmd").write_text(write_text(graph("AB", "CB"), "mermaid"), encoding="utf-8")
    done = assay("score", "mine.mmd", "gold.json", "--exact", "--json", folder=tmp_path)
    told = json.loads(done.stdout)
    assert (told["nodes"]["f1"], told["edges"]["f1"], told["s_graph"]) == (1, 0.5, 0.7)
    assert told["s_overall"]["value"] is None
    assert "no picture models" in told["s_overall"]["reason"]
    drawn = assay("convert", "mine.mmd", "--to", "dot", folder=tmp_path)
    assert '"C" -> "B"' in drawn.stdout
    for wrong in (
        ("score", "none.json", "gold.json"),
        ("score", "mine.mmd", "gold.json", "--compat", "--paths"),
        ("convert", "gold.json", "--to", "tikz"),
    ):
        failed = assay(*wrong, folder=tmp_path)
        assert failed.returncode == 2
        assert len(failed.stderr.strip().splitlines()) == 1


def test_prompt(tmp_path: Path) -> None:
    """A paper's method as a prompt and as a graph."""
    (tmp_path / "paper.md").write_text("# P\n\n## Method\nThe Page Reader feeds into the Graph Builder.\n", encoding="utf-8")
    assert "- from Page Reader to Graph Builder" in assay("prompt", "paper.md", folder=tmp_path).stdout
    assert assay("prompt", "paper.md", "--to", "mermaid", folder=tmp_path).stdout.startswith("flowchart LR")
