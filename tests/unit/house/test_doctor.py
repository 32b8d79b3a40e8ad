"""The examination of this machine, and the list of what it should offer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from rich.console import Console

from tools import system
from tools.doctor import browser, machine
from tools.doctor.check import Check
from tools.doctor.examine import WHOLE_S, examine
from tools.doctor.table import as_table

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def checks() -> list[Check]:
    """What the examination of this machine found."""
    return examine()


def test_every_need_is_checked_once(checks: list[Check]) -> None:
    """Each thing of the data file has its check, and no name stands twice."""
    names = [check.name for check in checks]
    assert len(names) == len(set(names))
    assert {need.name for need in system.needs(None)} <= set(names)


def test_what_the_tests_need_is_here(checks: list[Check]) -> None:
    """After `make setup` everything that is required is there; the tests could not run otherwise."""
    required = [check for check in checks if check.required]
    assert {"Python", "OpenCV", "Chromium", "ffmpeg", "loopback"} <= {check.name for check in checks if check.ok}
    assert [check for check in required if not check.ok] == []


def test_every_check_says_what_it_costs_and_what_mends_it(checks: list[Check]) -> None:
    """Nothing is reported as missing without its cost and its cure, and no cure is told for what is well."""
    for check in checks:
        assert check.detail
        assert check.cost_if_missing
        assert bool(check.mend) == (not check.ok), check


def test_a_display_is_really_opened() -> None:
    """The display's check starts an X server, and none of it is left afterwards."""
    before = _servers()
    assert browser.display().ok
    assert _servers() <= before


def _servers() -> set[int]:
    """X servers that this process started."""
    return {child.pid for child in psutil.Process().children(recursive=True) if child.name() == "Xvfb"}


def test_the_table_names_everything(checks: list[Check]) -> None:
    """Every check is in the table, and each cure in full."""
    console = Console(width=200, record=True, file=Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    console.print(as_table(checks))
    told = " ".join(console.export_text().split())
    console.file.close()
    for check in checks:
        assert check.name in told
        assert " ".join(check.mend.split()) in told


EXAMINE = "import json; from tools.doctor.examine import examine; print(json.dumps([vars(check) for check in examine()]))"


def _examined(path: str) -> dict[str, Check]:
    """What another process finds with that search path."""
    done = subprocess.run(
        [sys.executable, "-c", EXAMINE], cwd=ROOT, env={**os.environ, "PATH": path}, capture_output=True, timeout=60, check=True
    )
    return {values["name"]: Check(**values) for values in json.loads(done.stdout)}


def test_a_machine_without_programs(tmp_path: Path) -> None:
    """With nothing on the search path the missing programs are named as such, each with its weight."""
    checks = _examined(str(tmp_path))
    assert (checks["ffmpeg"].ok, checks["ffmpeg"].required, checks["ffmpeg"].detail) == (False, True, "not found")
    assert (checks["Node.js"].ok, checks["Node.js"].required) == (False, False)
    assert not checks["display"].ok
    assert not checks["CJK fonts"].ok
    assert "it lacks libx264, aac" in checks["recording"].detail
    assert checks["Python"].ok


def test_programs_that_hang_or_fail_do_not_stop_the_examination(tmp_path: Path) -> None:
    """Programs that never answer or cannot start are not ok, and the whole ends within its bound."""
    for name, script in {"ffmpeg": "exec sleep 60", "Xvfb": "exec sleep 60", "node": "exit 3", "npm": ":"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
        (tmp_path / name).chmod(0o755)
    started = time.monotonic()
    checks = _examined(f"{tmp_path}:{os.environ['PATH']}")
    assert time.monotonic() - started < WHOLE_S + 2, "it waited for a program that hangs"
    for name in ("ffmpeg", "recording", "display", "Node.js", "npm"):
        assert not checks[name].ok, name
    assert "does not start" in checks["Node.js"].detail
    assert checks["loopback"].ok


def test_a_runs_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """A folder below a file cannot hold runs; one that is not made yet can."""
    (tmp_path / "file").touch()
    assert machine.runs_folder(tmp_path / "new" / "runs").ok
    broken = machine.runs_folder(Path("/proc/runs"))
    assert (broken.ok, broken.required) == (False, True)


def test_the_list_of_needs_is_whole() -> None:
    """Everything in the data file can be found, can be installed on Debian, and says why it is wanted."""
    everything = system.needs(None, platform="linux")
    assert len({need.name for need in everything}) == len(everything)
    for need in everything:
        assert need.programs or need.files or need.font, need.name
        assert need.apt, need.name
        assert need.why, need.name
        assert need.without, need.name
        assert not need.version or need.programs, need.name
    assert {need.level for need in everything if need.group == "core"} == {"required", "recommended", "optional"}
    assert {need.level for need in everything if need.group != "core"} == {"optional"}


def test_needs_are_chosen_by_group_and_platform() -> None:
    """Core by default, others by name; what makes no sense on a platform is not asked for there."""
    assert {need.group for need in system.needs()} == {"core"}
    assert {need.group for need in system.needs(("core", "manim"))} == {"core", "manim"}
    assert "Xvfb" not in {need.name for need in system.needs(None, platform="darwin")}
    with pytest.raises(KeyError, match="bogus"):
        system.needs(("core", "bogus"))


def test_install_lines() -> None:
    """One line to paste, for each package manager, with sudo only where it is needed."""
    needs = {need.name: need for need in system.needs(None, platform="linux")}
    some = [needs["ffmpeg"], needs["Chromium"]]
    assert system.install_line(some, "apt", root=True) == (
        "apt-get update && apt-get install -y --no-install-recommends ffmpeg chromium chromium-sandbox"
    )
    assert system.install_line(some, "apt", root=False).count("sudo ") == 2
    assert system.install_line(some, "dnf", root=False) == "sudo dnf install -y ffmpeg-free chromium"
    assert system.install_line(some, "brew", root=False) == "brew install ffmpeg && brew install --cask google-chrome"
    assert system.install_line([needs["Node.js"], needs["npm"]], "brew", root=False) == "brew install node"
    assert system.install_line(some, "", root=False) == ""
    assert system.install_line([], "apt", root=True) == ""


def test_asking_is_bounded_and_never_raises() -> None:
    """A program that is missing, fails or hangs answers nothing."""
    started = time.monotonic()
    assert system.ask(["no-such-program-here"]) == ""
    assert system.ask(["false"]) == ""
    assert system.ask(["sleep", "60"], timeout_s=0.2) == ""
    assert time.monotonic() - started < 10
    assert system.ask(["echo", "hello"]) == "hello"
