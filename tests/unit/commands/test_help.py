"""`assay --help` and that of every verb; the version."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import pytest
from typer.main import get_command

from agent.cli.loading import Verb
from agent.cli.main import Verbs, app, main

FIRST = ["eval", "watch", "try", "verify", "rescore", "prove", "report", "view", "sign", "compare", "batch", "results", "agree"]
LISTING = {"entry", "loading", "main", "printing"}
"""What `assay --help` needs of `agent.cli`."""
UNLOADED = {
    "PIL", "aiosqlite", "anthropic", "asyncio", "attr", "babel", "cryptography", "cv2", "fastapi", "jinja2",
    "langchain_anthropic", "langchain_core", "langchain_openai", "langgraph", "markdown_it", "networkx", "numpy",
    "onnxruntime", "openai", "paddle", "paddleocr", "pandas", "playwright", "psutil", "pyarrow", "pydantic", "pygments",
    "scipy", "skimage", "sqlalchemy", "statsmodels", "torch", "uvicorn",
}  # fmt: skip


def _inner(command: Any) -> dict[str, Any]:
    """The verbs below a group, loaded; none below a verb."""
    return {
        name: inner.loaded() if isinstance(inner, Verb) else inner for name, inner in getattr(command, "commands", {}).items()
    }


def _verbs(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for name, inner in _inner(command).items():
        yield from _verbs(inner, (*path, name))


def _said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["assay", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


@pytest.mark.parametrize("verb", list(_verbs(get_command(app))), ids=" ".join)
def test_every_verb_explains_itself(
    verb: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Usage with the verb's name, a sentence on what it does, and a word on each option."""
    monkeypatch.setenv("COLUMNS", "130")
    code, out, err = _said(monkeypatch, capsys, *verb, "--help")
    assert (code, err) == (0, "")
    assert f"Usage: {' '.join(('assay', *verb))}" in out
    command: Any = get_command(app)
    for name in verb:
        command = _inner(command)[name]
    assert (command.help or "").strip(), "says what it does"
    silent = [param.name for param in command.params if not (getattr(param, "help", "") or "").strip()]
    assert silent == []


def test_the_verbs_stand_in_the_order_in_which_they_are_met() -> None:
    """Evaluating first, then what is done with a run, then many."""
    command: Any = get_command(app)
    assert list(command.commands)[: len(FIRST)] == FIRST


@pytest.mark.parametrize("verb", Verbs.verbs, ids=lambda verb: verb.name)
def test_the_list_of_verbs_says_what_each_verb_says_itself(verb: Verb) -> None:
    """A verb's line in the table is the first paragraph of its own help."""
    own = verb.loaded()
    assert " ".join((own.help or "").split("\n\n")[0].split()) == verb.help
    assert own.name == verb.name


def test_help_lists_verbs_without_loading_them() -> None:
    """A program that tells its verbs has none of their libraries, nor what Typer only wants for Markdown and tracebacks."""
    code = (
        "import sys; from agent.cli.entry import main; sys.argv[1:] = ['--help']\n"
        "try: main()\n"
        "finally: sys.stderr.write(' '.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "Evaluate one app and write its report." in done.stdout
    loaded = set(done.stderr.split())
    assert {name for name in loaded if name.startswith("agent.cli.")} <= {f"agent.cli.{name}" for name in LISTING}
    assert loaded & UNLOADED == set()


def test_what_help_leaves_out_is_there_for_others() -> None:
    """After the list is written, Rich's Markdown is Rich's, for all that import it."""
    code = (
        "import sys; from agent.cli.entry import main; sys.argv[1:] = ['--help']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "import rich.markdown, typer.rich_utils\n"
        "from rich.markdown import Markdown; from rich.traceback import Traceback\n"
        "assert Markdown.__module__ == 'rich.markdown' and Traceback.__module__ == 'rich.traceback'\n"
        "assert isinstance(typer.rich_utils.Markdown('text'), Markdown)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_it_tells_its_version(flag: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Name and version, as installed."""
    assert _said(monkeypatch, capsys, flag) == (0, f"assay {version('assay')}\n", "")


@pytest.mark.parametrize("group", ["diagram", "manim", "protocol", "cdn"])
def test_a_group_without_a_verb_shows_its_help_and_nothing_else(
    group: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The list of its verbs, and no empty complaint after it."""
    code, out, err = _said(monkeypatch, capsys, group)
    assert code == 2
    assert "Usage: assay " in out
    assert err == ""
