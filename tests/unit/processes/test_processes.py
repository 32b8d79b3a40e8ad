"""A run's processes: written down, ended with their groups, and never anybody else's."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tools import reaper
from tools.errors import MissingProgram
from tools.processes import MARKER_FILE, ProcessList, reap

ROOT = Path(__file__).parents[3]
LIMIT_S = 20.0

TREE = """
import os, signal, subprocess, sys, time
kind = sys.argv[1]
child = "import signal, sys, time; "
if kind != "plain":
    child += "signal.signal(signal.SIGTERM, signal.SIG_IGN); "
child += "print('up', flush=True); time.sleep(600)"
grandchild = subprocess.Popen([sys.executable, "-c", child], stdout=subprocess.PIPE, start_new_session=kind == "daemon")
grandchild.stdout.readline()
if kind == "deaf leader":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
with open(sys.argv[2] + ".partial", "w") as stream:
    stream.write(f"{os.getpid()} {grandchild.pid}")
os.rename(sys.argv[2] + ".partial", sys.argv[2])
if kind == "leader gone":
    os._exit(0)
time.sleep(600)
"""


def _until(condition: Callable[[], bool], limit_s: float = LIMIT_S) -> bool:
    """Whether the condition came true within the limit."""
    limit = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > limit:
            return False
        time.sleep(0.01)
    return True


def _gone(*pids: int) -> Callable[[], bool]:
    """True once none of the processes runs any more (zombies do not run)."""
    return lambda: not any(reaper.alive(pid, reaper.start_time(pid)) for pid in pids)


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[ProcessList]:
    """The process list of a new run."""
    with ProcessList(tmp_path / "run") as opened:
        yield opened


def _tree(processes: ProcessList, tmp_path: Path, kind: str) -> tuple[int, int]:
    """Start a leader with a child in its group; returns both ids."""
    told = tmp_path / "tree"
    processes.spawn("tree", [sys.executable, "-c", TREE, kind, str(told)])
    assert _until(told.exists)
    leader, grandchild = told.read_text(encoding="utf-8").split()
    return int(leader), int(grandchild)


@pytest.mark.parametrize("kind", ["plain", "deaf child", "deaf leader", "leader gone", "daemon"])
async def test_end_takes_the_whole_group(processes: ProcessList, tmp_path: Path, kind: str) -> None:
    """A leader's children end with it: deaf ones, orphans, daemons with a session of their own."""
    leader, grandchild = _tree(processes, tmp_path, kind)
    if kind == "leader gone":
        assert _until(_gone(leader))
    await processes.end(leader, grace_s=0.3)
    assert _until(_gone(leader, grandchild))
    assert processes.running() == {}
    assert str(leader) not in (tmp_path / "run" / MARKER_FILE).read_text(encoding="utf-8")


def test_end_all_takes_everything_and_leaves_no_marker(tmp_path: Path) -> None:
    """Leaving the list ends every group and the reaper, twice without harm."""
    with ProcessList(tmp_path / "run") as processes:
        leader, grandchild = _tree(processes, tmp_path, "plain")
        other = processes.spawn("other", ["sleep", "600"])
        assert processes.running() == {leader: "tree", other.pid: "other"}
        keeper = processes._supervisor.pid
    assert _until(_gone(leader, grandchild, other.pid, keeper))
    assert not (tmp_path / "run" / MARKER_FILE).exists()
    processes.end_all()


async def test_a_stopped_group_ends_too(processes: ProcessList, tmp_path: Path) -> None:
    """Processes held with SIGSTOP (the app's time stands still) are continued so that they can end."""
    leader, grandchild = _tree(processes, tmp_path, "plain")
    os.killpg(leader, signal.SIGSTOP)
    started = time.monotonic()
    await processes.end(leader, grace_s=5)
    assert _until(_gone(leader, grandchild))
    assert time.monotonic() - started < 4, "it was killed after the grace time instead of continued"


async def test_a_willing_process_is_not_waited_for(processes: ProcessList) -> None:
    """The grace time is an upper bound, not a sleep."""
    process = processes.spawn("sleeper", ["sleep", "600"])
    started = time.monotonic()
    await processes.end(process.pid, grace_s=30)
    assert time.monotonic() - started < 10
    assert process.returncode == -signal.SIGTERM


OWNER = """
import os, sys, time
from pathlib import Path
from tools.processes import ProcessList
processes = ProcessList(Path(sys.argv[1]))
processes.spawn("tree", [sys.executable, "-c", sys.argv[3], sys.argv[4], sys.argv[2]])
dropped = processes.spawn("short", ["true"])
print(processes._supervisor.pid, flush=True)
time.sleep(600)
"""


def _owner(tmp_path: Path, kind: str) -> tuple[subprocess.Popen[bytes], int, int, int]:
    """Another process that owns a run with a tree; returns it, the reaper, the leader and its child."""
    told = tmp_path / "tree"
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path / "run"), str(told), TREE, kind], cwd=ROOT, stdout=subprocess.PIPE
    )
    assert owner.stdout is not None
    keeper = int(owner.stdout.readline())
    owner.stdout.close()
    assert _until(told.exists)
    leader, grandchild = told.read_text(encoding="utf-8").split()
    return owner, keeper, int(leader), int(grandchild)


@pytest.mark.parametrize("kind", ["plain", "deaf child", "leader gone", "daemon"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_supervisor_ends_what_a_killed_owner_left(tmp_path: Path, kind: str, number: signal.Signals) -> None:
    """When the run's process dies in whatever way, its groups end, and the reaper after them."""
    owner, keeper, leader, grandchild = _owner(tmp_path, kind)
    owner.send_signal(number)
    owner.wait(LIMIT_S)
    assert _until(_gone(leader, grandchild, keeper))


OUTER = """
import sys, time
from pathlib import Path
from tools.processes import ProcessList
processes = ProcessList(Path(sys.argv[1]))
deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)" + sys.argv[2]
processes.spawn("inner", [sys.executable, "-c", deaf, *sys.argv[3:]])
time.sleep(600)
"""


def test_a_run_within_a_run_ends_with_the_outer_one(tmp_path: Path) -> None:
    """A batch killed while an evaluation is deaf to requests: the evaluation's own processes end, too.

    Its reaper was started under the outer run's mark; were it ended for that mark, nobody would be left to end the rest.
    """
    told = tmp_path / "tree"
    arguments = [str(tmp_path / "outer"), OWNER, str(tmp_path / "inner"), str(told), TREE, "daemon"]
    outer = subprocess.Popen([sys.executable, "-c", OUTER, *arguments], cwd=ROOT)
    assert _until(told.exists)
    leader, grandchild = (int(word) for word in told.read_text(encoding="utf-8").split())
    outer.kill()
    outer.wait(LIMIT_S)
    assert _until(_gone(leader, grandchild))


def test_reap_ends_what_was_left_when_the_supervisor_died_too(tmp_path: Path) -> None:
    """Owner and reaper killed together: the kernel ends what they started, the next run what that had started."""
    owner, keeper, leader, grandchild = _owner(tmp_path, "deaf child")
    os.kill(keeper, signal.SIGKILL)
    owner.kill()
    owner.wait(LIMIT_S)
    assert _until(_gone(leader))
    assert not _gone(grandchild)()
    ended = reap(tmp_path)
    assert ended == [f"tree (process {leader}, run run)"]
    assert _until(_gone(leader, grandchild))
    assert not (tmp_path / "run" / MARKER_FILE).exists()
    assert reap(tmp_path) == []


@pytest.mark.parametrize("kind", ["leader gone", "daemon"])
def test_reap_ends_what_outlived_its_leader(tmp_path: Path, kind: str) -> None:
    """A child that outlived its leader, its owner and the reaper is found by its group, or by its mark if it left that."""
    owner, keeper, leader, grandchild = _owner(tmp_path, kind)
    os.kill(keeper, signal.SIGKILL)
    owner.kill()
    owner.wait(LIMIT_S)
    if kind == "daemon":
        os.kill(leader, signal.SIGKILL)
    # A leader that ends by itself has told its number before it is gone.
    assert _until(_gone(leader))
    assert not _gone(grandchild)()
    assert len(reap(tmp_path / "run")) == 1
    try:
        assert _until(_gone(grandchild))
    finally:
        if not _gone(grandchild)():
            os.kill(grandchild, signal.SIGKILL)


def test_reap_leaves_a_living_run_alone(processes: ProcessList, tmp_path: Path) -> None:
    """The processes of a run whose own process lives are not touched."""
    process = processes.spawn("sleeper", ["sleep", "600"])
    assert reap(tmp_path) == []
    assert processes.running() == {process.pid: "sleeper"}


async def test_a_daemon_ends_with_its_own_process_only(processes: ProcessList, tmp_path: Path) -> None:
    """Ending one process leaves the daemons of the others alone."""
    leader, grandchild = _tree(processes, tmp_path, "daemon")
    other = processes.spawn("other", ["sleep", "600"])
    await processes.end(other.pid)
    assert not _gone(leader)()
    assert not _gone(grandchild)()
    assert other.returncode == -signal.SIGTERM


def test_a_folder_that_is_missing_is_not_a_missing_program(processes: ProcessList, tmp_path: Path) -> None:
    """Starting a program in a folder that does not exist is our mistake, and not told as a program to install."""
    with pytest.raises(FileNotFoundError):
        processes.spawn("lost", ["true"], cwd=tmp_path / "none")


def _stranger() -> subprocess.Popen[bytes]:
    return subprocess.Popen(["sleep", "600"], start_new_session=True)


def _marker_of_this_machine(tmp_path: Path) -> dict[str, Any]:
    with ProcessList(tmp_path / "other"):
        return json.loads((tmp_path / "other" / MARKER_FILE).read_text(encoding="utf-8"))


@pytest.mark.parametrize(("changed", "marker_left"), [(0, False), (1, True)], ids=["reboot", "other container"])
def test_a_marker_from_another_boot_or_container_ends_nothing(tmp_path: Path, changed: int, marker_left: bool) -> None:
    """The same numbers on another machine are strangers; a marker of another living container stays where it is."""
    stranger = _stranger()
    try:
        here = _marker_of_this_machine(tmp_path)
        here["machine"][changed] = "elsewhere"
        started = reaper.start_time(stranger.pid)
        marker = {**here, "owner": [999_999_999, "1"], "processes": [[stranger.pid, started, "old"]]}
        (tmp_path / MARKER_FILE).write_text(json.dumps(marker), encoding="utf-8")
        assert reap(tmp_path) == []
        assert stranger.poll() is None
        assert (tmp_path / MARKER_FILE).exists() == marker_left
    finally:
        stranger.kill()
        stranger.wait(LIMIT_S)


def test_a_number_given_to_somebody_else_is_left_alone(tmp_path: Path) -> None:
    """A marker that names a living process with another start time ends nothing."""
    stranger = _stranger()
    try:
        here = _marker_of_this_machine(tmp_path)
        marker = {**here, "owner": [999_999_999, "1"], "processes": [[stranger.pid, "1", "old"]]}
        (tmp_path / MARKER_FILE).write_text(json.dumps(marker), encoding="utf-8")
        assert reap(tmp_path) == []
        reaper.end({stranger.pid: "1"}, grace_s=0.1)
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait(LIMIT_S)


def test_the_supervisor_checks_the_start_time_too(tmp_path: Path) -> None:
    """The reaper ends the process it was told of, not a later one with its number."""
    ours, stranger = _stranger(), _stranger()
    try:
        lines = f"add {ours.pid} {reaper.start_time(ours.pid)}\nadd {stranger.pid} 1\nnonsense\n"
        subprocess.run([sys.executable, "-I", "-S", reaper.__file__], input=lines.encode(), timeout=LIMIT_S, check=True)
        assert ours.wait(LIMIT_S) == -signal.SIGTERM
        assert stranger.poll() is None
    finally:
        for process in (ours, stranger):
            process.kill()
            process.wait(LIMIT_S)


def test_a_dropped_process_is_not_the_supervisors_any_more() -> None:
    """What was dropped from the list survives the end of the run."""
    kept = _stranger()
    try:
        lines = f"add {kept.pid} {reaper.start_time(kept.pid)}\ndrop {kept.pid}\n"
        subprocess.run([sys.executable, "-I", "-S", reaper.__file__], input=lines.encode(), timeout=LIMIT_S, check=True)
        assert kept.poll() is None
    finally:
        kept.kill()
        kept.wait(LIMIT_S)


@pytest.mark.parametrize("marker", ["", "{", "[]", '{"owner": 3, "processes": []}', '{"owner": [1, "1"], "processes": [[1]]}'])
def test_reap_survives_a_broken_marker(tmp_path: Path, marker: str) -> None:
    """A marker cut short by a crash stops nobody from starting the next run."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / MARKER_FILE).write_text(marker, encoding="utf-8")
    assert reap(tmp_path) == []


def test_reap_of_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    """Before the first run there is no folder of runs, and nothing to end."""
    assert reap(tmp_path / "none") == []


def test_output_goes_to_the_log(processes: ProcessList, tmp_path: Path) -> None:
    """Standard output and error are appended to the log in order."""
    log = tmp_path / "log"
    log.write_text("before\n", encoding="utf-8")
    process = processes.spawn("talker", ["sh", "-c", "echo out; echo err >&2"], log=log)
    assert process.wait(LIMIT_S) == 0
    assert log.read_text(encoding="utf-8") == "before\nout\nerr\n"


def test_a_missing_program_is_named(processes: ProcessList) -> None:
    """A program that is not installed is an error with a hint, and nothing is written down for it."""
    with pytest.raises(MissingProgram, match="no-such-program-here is not installed"):
        processes.spawn("none", ["no-such-program-here"])
    assert processes.running() == {}


def test_a_process_of_somebody_elses_making_is_adopted(processes: ProcessList, tmp_path: Path) -> None:
    """An adopted process ends with the run; adopting one that is gone already is no error."""
    other = _stranger()
    processes.adopt("browser", other.pid)
    assert processes.running() == {other.pid: "browser"}
    processes.adopt("gone", 999_999_999)
    processes.end_all()
    assert other.wait(LIMIT_S) == -signal.SIGTERM


def test_start_time_and_alive() -> None:
    """A zombie and a process that never was do not live; a name with brackets and spaces does not confuse."""
    process = subprocess.Popen(["true"])
    started = reaper.start_time(process.pid)
    assert _until(lambda: Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z")
    assert started
    assert not reaper.alive(process.pid, started)
    process.wait(LIMIT_S)
    assert reaper.start_time(process.pid) == ""
    assert reaper.start_time(999_999_999) == ""


def test_a_name_with_brackets_is_parsed(tmp_path: Path) -> None:
    """The program's own name stands in the file that is parsed, and may hold brackets and spaces."""
    odd = tmp_path / "a) R (b"
    odd.symlink_to("/bin/sleep")
    process = subprocess.Popen([str(odd), "600"], start_new_session=True)
    started = reaper.start_time(process.pid)
    try:
        assert started.isdigit()
        assert _until(lambda: reaper.alive(process.pid, started))
    finally:
        reaper.end({process.pid: started}, grace_s=1)
        assert process.wait(LIMIT_S) == -signal.SIGTERM


def test_a_killed_supervisor_does_not_break_the_run(processes: ProcessList) -> None:
    """Without its reaper the list still starts and ends processes."""
    processes._supervisor.kill()
    processes._supervisor.wait(LIMIT_S)
    first = processes.spawn("one", ["sleep", "600"])
    second = processes.spawn("two", ["sleep", "600"])
    processes.end_all()
    assert (first.returncode, second.returncode) == (-signal.SIGTERM, -signal.SIGTERM)


def test_what_an_outer_block_stopped_stays_stopped_after_an_inner_one(tmp_path: Path) -> None:
    """Suspending everything for a moment inside a block that suspends one process does not wake that one."""
    with ProcessList(tmp_path) as processes:
        kept = processes.spawn("kept", ["sleep", "60"], log=tmp_path / "kept.log")
        outer = processes.spawn("outer", ["sleep", "60"], log=tmp_path / "outer.log")

        def states() -> tuple[bool, bool]:
            found = [
                Path(f"/proc/{item.pid}/stat").read_text(encoding="ascii").split(")")[-1].split()[0] for item in (kept, outer)
            ]
            return found[0] == "T", found[1] == "T"

        with processes.suspended(keep={"kept"}):
            with processes.suspended():
                assert _until(lambda: states() == (True, True))
            assert _until(lambda: states() == (False, True))
        assert _until(lambda: states() == (False, False))


async def test_a_process_number_given_a_second_time_ends_nobody_else(
    processes: ProcessList, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long run starts more programs than the machine has numbers: the neighbour of one that ends goes on."""
    again = list[int]()

    class Reused(subprocess.Popen[bytes]):
        """Its number is that of an earlier one until it is put on the list."""

        def __getattribute__(self, name: str) -> Any:
            return again[0] if name == "pid" and again else super().__getattribute__(name)

    first = processes.spawn("first", ["sleep", "600"])
    number = first.pid
    await processes.end(number)
    monkeypatch.setattr("tools.processes.subprocess.Popen", Reused)
    again.append(number)
    second = processes.spawn("second", ["sleep", "600"])
    again.clear()
    processes.adopt("second", second.pid)
    third = processes.spawn("third", ["sleep", "600"])
    fourth = processes.spawn("fourth", ["sleep", "600"])
    await processes.end(third.pid)
    states = second.poll(), fourth.poll()
    for item in (second, fourth):
        item.kill()
        item.wait()
    assert states == (None, None)
