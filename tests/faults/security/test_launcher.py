"""The launcher itself: refused where it can't hold, ended in whatever way, with and without what the machine may lack."""

# Programs in JavaScript are a line each.
# ruff: noqa: E501

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.faults.command import command, environment
from tests.faults.security.conftest import alive, gone, opened, write_project
from tools.confinement.crossing import CannotEnter, Crossing
from tools.confinement.groups import Group
from tools.confinement.launcher import Command, Sandbox, lacking
from tools.confinement.limits import Limits
from tools.errors import EnvironmentFault

SERVER = """require("http").createServer((q, r) => { r.setHeader("Content-Type", "text/html"); r.end("<p>up"); }).listen(process.env.PORT);"""
needs_sandbox = pytest.mark.skipif(bool(lacking()), reason=f"no sandbox here: {lacking()}")


def path_without(tmp_path: Path, *left_out: str) -> str:
    """A search path with everything but those programs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for place in ("/usr/local/bin", "/usr/bin", "/bin"):
        for program in Path(place).iterdir() if Path(place).is_dir() else ():
            if program.name not in left_out and not (folder / program.name).exists():
                (folder / program.name).symlink_to(program)
    return str(folder)


@pytest.mark.parametrize("kind", ["project", "answer"])
def test_without_a_sandbox_a_project_is_refused_in_one_line(kind: str, tmp_path: Path) -> None:
    """Nothing of it is run; the line says what is missing and how to go on all the same."""
    ran = tmp_path / "ran.txt"
    code = f"require('fs').writeFileSync({str(ran)!r}, 'x');" + SERVER
    if kind == "project":
        subject = write_project(tmp_path / "p", {"server.js": code})
    else:
        subject = tmp_path / "answer.md"
        package = '{"name": "p", "scripts": {"dev": "node server.js"}}'
        subject.write_text(f"`package.json`\n```json\n{package}\n```\n\n`server.js`\n```js\n{code}\n```\n", encoding="utf-8")
    done = subprocess.run(
        command(
            "eval", str(subject), "--brief", "An app", "--out", str(tmp_path / "run"), "--max-acts", "1", "--capture", "none"
        ),
        capture_output=True,
        text=True,
        timeout=120,
        env={**environment(secrets.token_hex(4)), "PATH": path_without(tmp_path, "bwrap"), "ASSAY_TRUST_PROJECT": "false"},
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 3, done.stdout + done.stderr
    assert "bubblewrap is not installed" in done.stderr
    assert "--trust-project" in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2
    assert not ran.exists()


def start_in_sandbox(box: Sandbox, *program: str, log: Path | None = None) -> tuple[subprocess.Popen[bytes], Command]:
    """Something running inside."""
    made = box.command(program, log=log)
    return subprocess.Popen(made.words, stdout=subprocess.DEVNULL), made


@needs_sandbox
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_whatever_way_the_keeper_ends_nothing_is_left(number: signal.Signals, tmp_path: Path) -> None:
    """Asked or killed: the sandbox and its daemons end with it."""
    mark = f"9{secrets.randbelow(10**8):08d}"
    with Sandbox(tmp_path) as box:
        box.hand_over()
        daemon = f"setsid env -i sleep {mark} & setsid sleep {mark} & trap '' TERM HUP INT; sleep {mark}"
        keeper, _ = start_in_sandbox(box, "sh", "-c", daemon)
        limit = time.monotonic() + 10
        while len(alive(mark)) < 4 and time.monotonic() < limit:
            time.sleep(0.02)
        assert len(alive(mark)) >= 3
        keeper.send_signal(number)
        keeper.wait(timeout=10)
        assert gone(mark), alive(mark)


@needs_sandbox
def test_kill_9_of_run_and_supervisor_leaves_nothing(tmp_path: Path) -> None:
    """Both nets are gone; the kernel's own holds: five seconds later no process of the project lives."""
    mark = f"8{secrets.randbelow(10**8):08d}"
    code = f"""require("child_process").spawn("setsid", ["env", "-i", "sleep", "{mark}"], {{ detached: true, stdio: "ignore", env: {{}} }}).unref();"""
    project = write_project(tmp_path / "p", {"server.js": code + SERVER})
    script = f"""
import asyncio, sys
from pathlib import Path
from configs.settings import Settings
from tools.app.site import open_site
from tools.app.subject import recognise
from tools.processes import ProcessList
async def main():
    processes = ProcessList(Path({str(tmp_path / "run")!r}))
    site = await open_site(recognise({str(project)!r}), run_dir=Path({str(tmp_path / "run")!r}), processes=processes, settings=Settings())
    print(processes.supervisor_pid, site.pid, flush=True)
    await asyncio.sleep(300)
asyncio.run(main())
"""
    (tmp_path / "run").mkdir()
    run = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=environment(mark), start_new_session=True
    )
    assert run.stdout is not None
    reaper, keeper = map(int, run.stdout.readline().split())
    assert alive(mark)
    for pid in (reaper, run.pid):
        os.kill(pid, signal.SIGKILL)
    run.wait(timeout=10)
    run.stdout.close()
    assert gone(mark), alive(mark)
    limit = time.monotonic() + 5
    while Path(f"/proc/{keeper}").exists() and time.monotonic() < limit:
        time.sleep(0.05)
    assert not Path(f"/proc/{keeper}").exists()
    assert not (tmp_path / "run" / "work").is_symlink()


@needs_sandbox
@pytest.mark.skipif(os.geteuid() != 0, reason="hiding control groups takes root")
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("const k = []; (function m() { k.push(Buffer.alloc(8 << 20, 1)); setTimeout(m, 5); })();", "memory"),
        (
            "for (let n = 0; n < 200; n++) require('child_process').spawn('sleep', ['60']).on('error', () => {}); setInterval(() => {}, 1000);",
            "processes",
        ),
    ],
)
def test_limits_hold_without_control_groups(code: str, words: str, tmp_path: Path) -> None:
    """Where none can be made the processes are counted one by one."""
    with Sandbox(tmp_path, limits=Limits(memory_mb=300 if words == "memory" else 4000, processes=100)) as box:
        box.hand_over()
        made = box.command(["node", "-e", code])
        hide = 'mount -t tmpfs none /sys/fs/cgroup && exec "$@"'
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", hide, "sh", *made.words], timeout=30, check=False, capture_output=True
        )
        told = made.state()
    assert not told.group
    assert words in told.stopped
    assert done.returncode != 0


@needs_sandbox
def test_groups_of_ended_sandboxes_are_removed(tmp_path: Path) -> None:
    """Nothing stays in the kernel's tree either."""
    if (probe := Group.make(f"assay-box-test-{os.getpid()}", memory_mb=64, processes=16)) is None:
        pytest.skip("no control groups here")
    probe.remove()
    with Sandbox(tmp_path) as box:
        box.hand_over()
        made = box.command(["true"])
        assert subprocess.run(made.words, timeout=20, check=False).returncode == 0
        name = box.name
    assert made.state_file.parent.name.startswith("assay-")
    assert not [path for path in Path("/sys/fs/cgroup").glob(f"**/assay-box-{name}*") if path.is_dir()]


LOOKS_ROUND = """
import subprocess, sys, tempfile
from pathlib import Path
from tools.confinement.launcher import Sandbox, lacking
if reason := lacking():
    sys.exit("no sandbox: " + reason)
with tempfile.TemporaryDirectory() as folder, Sandbox(Path(folder)) as box:
    box.hand_over()
    look = 'cat /etc/shadow; ls /root /tmp /home; grep CapEff /proc/self/status; ls /proc | grep -c "^[0-9]"; touch /assay-work/made; touch /usr/x'
    made = box.command(["sh", "-c", look])
    print(subprocess.run(made.words, capture_output=True, text=True).stdout, Path(folder, "made").exists())
"""
SERVES = """
import subprocess, sys, tempfile, time, urllib.request
from pathlib import Path
from tools.confinement.crossing import Crossing
from tools.confinement.launcher import Sandbox, lacking
if reason := lacking():
    sys.exit("no sandbox: " + reason)

def soon(test):
    limit = time.monotonic() + 20
    while not (found := test()) and time.monotonic() < limit:
        time.sleep(0.02)
    return found

def inside(mark):
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (path / "cmdline").read_bytes().split(b"\\0") and (path / "comm").read_text().strip() == "python3":
                return int(path.name)
        except OSError:
            continue

with tempfile.TemporaryDirectory() as folder, Sandbox(Path(folder)) as box:
    Path(folder, "page").write_text("came")
    box.hand_over()
    serve = ["python3", "-m", "http.server", "8123", "--bind", "127.0.0.1"]
    made = box.command(serve, publish=True)
    keeper = subprocess.Popen(made.words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    port = (soon(lambda: made.state().ports) or {}).get(8123, 0)
    print("page", urllib.request.urlopen(f"http://127.0.0.1:{port}/page").read().decode() if port else made.state())
    keeper.terminate()
    keeper.wait()
    # Whenever it is entered: here when all has long been made that bubblewrap makes.
    late = subprocess.Popen(box.command(serve).words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    crossing = Crossing(soon(lambda: inside(b"8123")), user_namespace=True)
    print("late", soon(crossing.ports))
    crossing.close()
    late.terminate()
    late.wait()
"""


def as_an_ordinary_user(tmp_path: Path, script: str) -> str:
    """What a program prints that uses a copy of the launcher, and is nobody in particular."""
    root = Path(__file__).parents[3]
    copy = tmp_path / "assay" / "tools"
    shutil.copytree(root / "tools" / "confinement", copy / "confinement")
    for name in ("__init__.py", "errors.py", "reaper.py"):
        shutil.copyfile(root / "tools" / name, copy / name)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == 0 and Path(tempfile.gettempdir()) in folder.parents:
            folder.chmod(0o755)
    who = ["--reuid", "2000059999", "--regid", "2000059999", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all"]
    done = subprocess.run(
        ["setpriv", *who, "/usr/bin/python3", "-c", script],
        capture_output=True,
        text=True,
        timeout=90,
        cwd=tmp_path / "assay",
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
    if "no sandbox: bubblewrap makes no sandbox" in done.stderr and "Operation not permitted" in done.stderr:
        pytest.skip("ordinary users may make no namespaces here")
    assert done.returncode == 0, done.stderr
    return done.stdout


becomes_another = pytest.mark.skipif(
    os.geteuid() != 0 or not Path("/usr/bin/python3").exists(), reason="becoming an ordinary user takes root"
)


@needs_sandbox
@becomes_another
def test_an_ordinary_user_has_a_sandbox_too(tmp_path: Path) -> None:
    """Without root the sandbox has a user namespace; what it holds is the same."""
    told = as_an_ordinary_user(tmp_path, LOOKS_ROUND)
    words = told.split()
    assert "CapEff:" in words
    assert words[words.index("CapEff:") + 1].strip("0") == ""
    assert "root:" not in told
    assert words[-1] == "True"


@needs_sandbox
@becomes_another
def test_an_ordinary_users_server_is_found(tmp_path: Path) -> None:
    """The network belongs to a user namespace around the server's own: it is entered by that one, early or late."""
    assert as_an_ordinary_user(tmp_path, SERVES).split("\n")[:2] == ["page came", "late [8123]"]


def test_a_network_that_cannot_be_entered_is_told() -> None:
    """Not taken for one in which nothing listens."""
    ended = subprocess.Popen(["true"])
    ended.wait()
    with pytest.raises(CannotEnter, match="No such file"):
        Crossing(ended.pid, user_namespace=False)


@needs_sandbox
async def test_a_sandbox_that_fails_is_not_the_apps_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was there when it was asked for and is not when it is needed: the run is refused in one line, no verdict is given."""
    project = write_project(tmp_path / "p", {"server.js": SERVER})
    broken = tmp_path / "bin" / "bwrap"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{broken.parent}:{os.environ['PATH']}")
    with pytest.raises(EnvironmentFault, match="no sandbox could be made") as refused:
        await opened(project, tmp_path / "run")
    assert "\n" not in refused.value.message
