"""Scripts that attack the machine or the measurement: contained, told as what they did, nothing left behind."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from tools.confinement.launcher import lacking
from tools.manim.pool import Pool, manim_installed
from tools.manim.runner import Job, Recording
from tools.manim.sandbox import Limits

if not manim_installed():
    pytest.skip("Manim is not installed", allow_module_level=True)
if lacking():
    pytest.skip(f"no sandbox here: {lacking()}", allow_module_level=True)

LIMITS = Limits(wall_s=25, cpu_s=20, memory_mb=1500, folder_mb=64, file_mb=32, processes=24)
SECRET = "assay-test-secret-7f3a"  # noqa: S105 - bait
HEAD = "from manim import *\nimport os, sys, json, socket, subprocess, time, ctypes, signal\n\n"
SCENE = "\n\nclass Demo(Scene):\n    def construct(self):\n        self.add(Square())\n        self.wait(0.1)\n"


def inside(body: str) -> str:
    """A scene whose `construct` does this, then shows a square."""
    lines = "".join(f"        {line}\n" for line in body.strip().splitlines())
    return f"{HEAD}class Demo(Scene):\n    def construct(self):\n{lines}        self.add(Square())\n        self.wait(0.1)\n"


@dataclass
class Lab:
    """A pool of workers, a place that must not change, a server that must not be reached."""

    pool: Pool
    folder: Path
    canary: Path
    port: int
    visitors: list[str] = field(default_factory=list)
    runs: int = 0

    def run(self, source: str, limits: Limits = LIMITS) -> Recording:
        """Run a script and see to it that none of its processes lives afterwards."""
        self.runs += 1
        before = self.canary.read_text()
        recording = self.pool.run(source, self.folder / f"run-{self.runs}", job=Job(stills="none"), limits=limits)
        assert self.canary.read_text() == before
        assert not self.visitors
        assert wait_for(lambda: not strangers()), f"left behind: {strangers()}"
        return recording


MARK = "assay-hostile-7f3a"


def strangers() -> list[list[str]]:
    """Command lines of processes that a script of these tests started and that still live."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        line = process.info["cmdline"] or []
        if any(MARK in word for word in line) and process.info["status"] != psutil.STATUS_ZOMBIE and process.pid != os.getpid():
            found.append(line)
    return found


def wait_for(test, limit_s: float = 10.0) -> bool:
    """Whether the test comes true in time."""
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        if test():
            return True
        threading.Event().wait(0.05)
    return bool(test())


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """One pool for all tests of the module; a listening socket on all addresses of this machine."""
    os.environ["ASSAY_TEST_SECRET"] = SECRET
    folder = tmp_path_factory.mktemp("hostile")
    folder.chmod(0o755)
    canary = folder / "canary.txt"
    canary.write_text("untouched")
    canary.chmod(0o666)
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(0.2)
    over = threading.Event()
    with Pool(folder / "pool", warm=1, limits=LIMITS) as pool:
        made = Lab(pool, folder, canary, server.getsockname()[1])

        def listen() -> None:
            while not over.is_set():
                try:
                    connection, address = server.accept()
                except TimeoutError:
                    continue
                made.visitors.append(str(address))
                connection.close()

        watch = threading.Thread(target=listen, daemon=True)
        watch.start()
        yield made
        over.set()
        watch.join(timeout=2)
    server.close()
    del os.environ["ASSAY_TEST_SECRET"]


REACH = """
told = {{}}
def attempt(name, act):
    try:
        told[name] = str(act())[:300]
    except BaseException as error:
        told[name] = "refused " + type(error).__name__
def write(path):
    with open(path, "a") as file:
        file.write("was here")
    return "written"
attempt("shadow", lambda: open("/etc/shadow").read())
attempt("passwd", lambda: [line for line in open("/etc/passwd") if not line.startswith(("root:", "assay:"))][0])
attempt("canary", lambda: write({canary!r}))
attempt("usr", lambda: write("/usr/local/bin/evil"))
attempt("tmp", lambda: os.listdir({folder!r}))
attempt("package", lambda: write(sys.modules["manim"].__file__))
attempt("assay", lambda: write({worker!r}))
attempt("environment", lambda: dict(os.environ).get("ASSAY_TEST_SECRET", "refused none"))
def secrets_of(process):
    found = open(f"/proc/{{process}}/environ").read()
    return found if {secret!r} in found else "refused none"
attempt("init_environment", lambda: secrets_of(1))
attempt("parent_environment", lambda: secrets_of(os.getppid()))
attempt("loopback", lambda: socket.create_connection(("127.0.0.1", {port}), 2))
attempt("outside", lambda: socket.create_connection(("192.0.2.1", 80), 2))
attempt("name", lambda: socket.getaddrinfo("localhost.example", 80))
def through_link():
    os.symlink({canary!r}, "link.txt")
    return write("link.txt")
attempt("symlink", through_link)
def through_folder():
    os.symlink({folder!r}, "media")
    return os.listdir("media")
attempt("symlinked_media", through_folder)
def hard_link():
    os.link({canary!r}, "hard.txt")
    return write("hard.txt")
attempt("hard_link", hard_link)
attempt("mount", lambda: ctypes.CDLL(None).mount(b"none", b"/work", b"tmpfs", 0, None) and 1 / 0)
attempt("root", lambda: os.setuid(0))
attempt("kill_parent", lambda: os.kill(os.getppid(), signal.SIGKILL) if os.getppid() > 1 else 1 / 0)
attempt("kill_assay", lambda: os.kill({pid}, signal.SIGKILL))
attempt("device", lambda: open("/dev/sda", "rb").read(1))
attempt("memory", lambda: open("/proc/kcore", "rb").read(1))
attempt("more_memory", lambda: __import__("resource").setrlimit(__import__("resource").RLIMIT_AS, (-1, -1)))
print("TOLD" + json.dumps(told))
"""


def test_nothing_outside_can_be_reached(lab: Lab) -> None:
    """Secrets, files outside, links to them, packages, network, devices, other processes: every single try is refused."""
    worker = str(Path(__file__).parents[2] / "tools/manim/worker.py")
    body = REACH.format(
        canary=str(lab.canary), folder=str(lab.folder), worker=worker, secret=SECRET, port=lab.port, pid=os.getpid()
    )
    recording = lab.run(inside(body))
    assert recording.outcome.status == "rendered", recording.outcome
    line = next((line for line in recording.outcome.log.splitlines() if line.startswith("TOLD")), "TOLD{}")
    told: dict[str, str] = json.loads(line[4:])
    let_through = {name: said for name, said in told.items() if not said.startswith("refused")}
    assert not let_through
    assert len(told) == 23
    assert SECRET not in recording.outcome.log


def test_a_faked_report_is_only_print(lab: Lab) -> None:
    """What a script prints is its log, never its result: the failure stands, the printed pass does not."""
    fake = '{"outcome": {"status": "rendered"}, "spatial_pass": true, "last": {"error": null}}'
    recording = lab.run(inside(f"print('''{fake}''')\nsys.stdout.flush()\nraise RuntimeError('the truth')"))
    assert recording.outcome.status == "failed"
    assert recording.outcome.error is not None
    assert recording.outcome.error.type == "RuntimeError"
    assert "spatial_pass" in recording.outcome.log


def test_writing_to_the_recordings_channel_is_noticed(lab: Lab) -> None:
    """A forged ending on every open descriptor is no ending."""
    body = """
payload = json.dumps({"error": None, "tampered": None, "cpu_s": 0, "peak_memory_mb": 0}).encode()
import struct
import time
for number in range(3, 4096):  # a descriptor keeps the number that it had in the process that handed it on
    for attempt in range(200):
        try:
            os.write(number, struct.pack("!4sI16s", b"last", len(payload), bytes(16)) + payload)
        except BlockingIOError:  # the reader is behind; what was never written could not be noticed
            time.sleep(0.01)
            continue
        except OSError:
            pass
        break
"""
    recording = lab.run(inside(body))
    assert recording.outcome.status == "tampered"


def test_ending_itself_is_no_success(lab: Lab) -> None:
    """`os._exit(0)` in the middle of a scene: died, with the reason."""
    outcome = lab.run(inside("os._exit(0)")).outcome
    assert (outcome.status, "ended itself" in outcome.reason) == ("died", True)


HOOKS = {
    "play_replaced": "Scene.play = lambda self, *a, **k: None\nself.play(Create(Circle()))",
    "methods_deleted": (
        "import manim.scene.scene as s\nfor name in ('play', 'wait', 'add', 'remove', 'clear'):\n    try:\n"
        "        delattr(s.Scene, name)\n    except AttributeError:\n        pass\n"
        "Scene.add = lambda self, *m: self\nScene.wait = lambda self, *a: None"
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", HOOKS)
def test_removed_instruments_are_noticed(lab: Lab, name: str) -> None:
    """A script that takes the hooks away is not audited as clean: it is told as tampered with."""
    assert lab.run(inside(HOOKS[name])).outcome.status == "tampered"


RESOURCES = {
    "endless_loop": ("while True:\n    pass", ("timeout",)),
    "sleeping": ("time.sleep(3600)", ("timeout",)),
    "ignores_signals": ("signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True:\n    pass", ("timeout",)),
    "ten_gigabytes": ("hoard = bytearray(10 * 2**30)\nhoard[::4096] = b'x' * len(hoard[::4096])", ("memory", "died")),
    "memory_in_steps": ("hoard = []\nwhile True:\n    hoard.append(os.urandom(2**20) * 8)", ("memory", "died")),
    "memory_in_children": (
        "line = [sys.executable, '-c', \"import time; x = bytearray(b'x') * (400 * 2**20); time.sleep(60)  # " + MARK + '"]\n'
        "family = [subprocess.Popen(line) for _ in range(6)]\ntime.sleep(60)",
        ("memory", "died", "limit", "failed"),
    ),
    "fork_bomb": (
        "while True:\n    try:\n        os.fork()\n    except OSError:\n        time.sleep(0.01)",
        ("limit", "timeout", "died", "tampered", "memory"),
    ),
    "fills_the_disk": (
        "for number in range(10_000):\n    with open(f'fill-{number}', 'wb') as file:\n        file.write(bytes(16 * 2**20))",
        ("failed", "limit", "died"),
    ),
    "one_large_file": (
        "with open('large', 'wb') as file:\n    for _ in range(4096):\n        file.write(bytes(2**20))",
        ("failed", "limit", "died"),
    ),
    "many_descriptors": ("files = [open('/dev/null') for _ in range(100_000)]", ("failed",)),
    "daemon": (
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)  # " + MARK + "'], start_new_session=True)",
        ("rendered",),
    ),
    "kills_its_group": ("os.killpg(0, signal.SIGKILL)", ("died",)),
    "kills_everything": ("os.kill(-1, signal.SIGKILL)", ("died", "rendered", "failed")),
    "closes_all": ("os.closerange(3, 256)", ("died", "failed")),
    "crash": ("ctypes.string_at(0)", ("died",)),
    "deep": ("sys.setrecursionlimit(10**9)\ndef f():\n    return f()\nf()", ("died", "failed", "memory")),
}


@pytest.mark.long
@pytest.mark.parametrize("name", RESOURCES)
def test_resources_run_out_for_the_script_alone(lab: Lab, name: str) -> None:
    """Loops, hoards, bombs and crashes end within the limit, are told as what they are, and leave no process."""
    body, allowed = RESOURCES[name]
    began = time.monotonic()
    outcome = lab.run(inside(body)).outcome
    assert outcome.status in allowed, (outcome.status, outcome.reason)
    assert time.monotonic() - began < LIMITS.wall_s + 60
    assert outcome.status == "rendered" or outcome.reason


@pytest.mark.long
def test_at_import_and_after_the_scenes(lab: Lab) -> None:
    """The same at the top level and in exit handlers: nothing runs on after the report."""
    atexit = HEAD + "import atexit\natexit.register(lambda: time.sleep(600))\n" + SCENE
    assert lab.run(atexit).outcome.status == "rendered"
    threads = HEAD + "import threading\nthreading.Thread(target=lambda: time.sleep(600)).start()\n" + SCENE
    assert lab.run(threads).outcome.status == "rendered"
    assert lab.run(HEAD + "sys.exit(0)\n" + SCENE).outcome.status == "failed"


@pytest.mark.long
def test_control_codes_in_the_log_are_harmless(lab: Lab) -> None:
    """What reaches a terminal carries no escape sequences."""
    log = lab.run(inside("print('\\x1b]0;owned\\x07\\x1b[2J red')")).outcome.log
    assert "\x1b" not in log
    assert "\x07" not in log


@pytest.mark.long
def test_the_next_script_finds_nothing(lab: Lab) -> None:
    """What one script writes, another does not see."""
    lab.run(inside("open('/work/left.txt', 'w').write('x')\nopen('/tmp/left.txt', 'w').write('x')"))
    log = lab.run(inside("print('SEEN', os.path.exists('/work/left.txt'), os.path.exists('/tmp/left.txt'))")).outcome.log
    assert "SEEN False False" in log
