"""Set-up: what it says when it cannot go on, and that a second call is a no-op."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from setup.environment import BASE_PYTHON, trusting
from setup.log import Log, counted, reason

ROOT = Path(__file__).parents[3]
COPIED = ("Makefile", "README.md", "agent", "configs", "evaluator", "prompts", "pyproject.toml", "setup", "tools", "uv.lock")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what set-up needs, without an environment."""
    for name in COPIED:
        source, target = ROOT / name, tmp_path / "checkout" / name
        target.parent.mkdir(exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        else:
            shutil.copy(source, target)
    return tmp_path / "checkout"


def _set_up(folder: Path, *arguments: str, bare: bool = False, **variables: str) -> subprocess.CompletedProcess[str]:
    """`bare`: the environment is what a fresh log-in has, without a word about certificates, proxies or caches."""
    given = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ} if bare else dict(os.environ)
    return subprocess.run(
        ["/bin/sh", "setup/run", *arguments], cwd=folder, env={**given, **variables}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


def test_a_python_that_will_not_do_is_refused(checkout: Path) -> None:
    """A named Python that is none, or none of the right version, ends in words that say what to do; nothing is made."""
    done = _set_up(checkout, PYTHON="/bin/false")
    assert done.returncode == 1
    assert "Assay needs Python 3.11, 3.12 or 3.13" in done.stderr
    assert "PYTHON=/bin/false is none" in done.stderr
    assert not (checkout / ".venv").exists()


def test_an_unknown_group_is_refused(checkout: Path) -> None:
    """Asking for packages of a part there is none of is a wrong call."""
    done = _set_up(checkout, "--with", "bogus")
    assert (done.returncode, done.stderr.strip().splitlines()[-1]) == (2, "make setup: error: there is no group bogus")
    assert not (checkout / ".venv").exists()


def test_a_machine_that_lacks_something_is_told_so(checkout: Path, tmp_path: Path) -> None:
    """Where nothing can be installed, what is missing is named with its use, and nothing half-done is left."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("dirname", "mkdir"):
        (programs / name).symlink_to(shutil.which(name) or name)
    done = _set_up(checkout, PATH=str(programs), PYTHON=BASE_PYTHON)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "setup: This machine lacks ffmpeg" in done.stderr
    assert "ffmpeg (required): records screen and sound" in done.stderr
    assert "then call make setup again" in done.stderr
    assert not (checkout / ".venv").exists()


@pytest.mark.long
def test_from_nothing_and_again(checkout: Path) -> None:
    """A copy is set up from nothing; a second call takes under two seconds; a broken environment is made anew.

    Byte code of what an evaluation imports is kept even where the environment forbids it. What is fetched is fetched in the bare
    environment: where the network's certificates are the system's own, uv must look there.
    """
    done = _set_up(checkout, bare=True, PYTHONDONTWRITEBYTECODE="1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (checkout / ".venv" / "bin" / "assay").is_file()
    assert list((checkout / ".venv").glob("lib/*/site-packages/langgraph/__pycache__/*.pyc"))
    assert list((checkout / "evaluator" / "__pycache__").glob("*.pyc"))
    started = time.monotonic()
    assert _set_up(checkout).stdout == "setup: ready\n"
    assert time.monotonic() - started < 2
    (checkout / ".venv" / "bin" / "python").unlink()
    done = _set_up(checkout)
    assert done.returncode == 0
    assert "environment   .venv with Python" in done.stdout
    moved = checkout.with_name("moved")
    checkout.rename(moved)
    assert "environment   .venv with Python" in _set_up(moved).stdout
    helped = subprocess.run([moved / ".venv" / "bin" / "assay", "--help"], capture_output=True, timeout=60, check=False)
    assert helped.returncode == 0


def test_the_systems_certificates_are_trusted_unless_the_user_says_otherwise() -> None:
    """Programs that bring certificates of their own are told; a user's own word stands; nothing is named that is not there."""
    told = trusting({"PATH": "/bin"}, "/etc/some.crt")
    assert told == {"PATH": "/bin", "UV_SYSTEM_CERTS": "1", "NODE_EXTRA_CA_CERTS": "/etc/some.crt"}
    assert trusting({"UV_SYSTEM_CERTS": "0"}, "/etc/some.crt")["UV_SYSTEM_CERTS"] == "0"
    assert trusting({"PATH": "/bin"}, "") == {"PATH": "/bin"}


def test_the_reason_of_a_failure_is_one_line() -> None:
    """Out of pages of output comes the line that says what went wrong."""
    assert reason("reading\nE: Unable to locate package x\nN: see the manual\n") == "E: Unable to locate package x"
    assert reason("  one\n\n two \n") == "two"
    assert reason("") == "it printed nothing"
    assert len(reason("error: " + "x" * 5000)) == 300


def test_names_are_counted() -> None:
    """Long lists are cut and say by how much."""
    assert counted(["a"]) == "a"
    assert counted(list("abcd")) == "a, b, c, d"
    assert counted(list("abcdef")) == "a, b, c, d and 2 more"


def test_programs_are_bounded_and_logged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Output, exit code, time-out and a missing program end up in the log; the terminal has one line a step."""
    log = Log(tmp_path / "log")
    with log.step("talking", "to programs"):
        assert log.run(["sh", "-c", "echo out; echo err >&2; exit 3"], timeout_s=20) == (3, "out\nerr\n")
        assert log.run(["sleep", "60"], timeout_s=0.2)[0] == 124
        assert log.run(["no-such-program-here"], timeout_s=1)[0] == 127
    log.close()
    assert capsys.readouterr().out.startswith("  talking       to programs  ")
    written = (tmp_path / "log").read_text(encoding="utf-8")
    assert "$ sh -c echo out" in written
    assert "no end after" in written
