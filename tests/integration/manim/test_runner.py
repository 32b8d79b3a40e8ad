"""Running scripts: what they may do, how they end, and that nothing of them is left."""

from __future__ import annotations

import json
import os
from pathlib import Path

import psutil
import pytest

from tools.confinement.launcher import lacking
from tools.errors import UserError
from tools.manim.check import Wish, check_all, check_script
from tools.manim.pool import Pool
from tools.manim.runner import Job
from tools.manim.sandbox import Limits

GOOD = (
    'from manim import *\n\nclass Demo(Scene):\n    def construct(self):\n        self.play(FadeIn(Text("fine")), run_time=0.3)\n'
)
FOUR = """
from manim import *
import os, socket, sys


class Demo(Scene):
    def construct(self):
        told = {"shadow": "", "net": "", "write": "", "secret": os.environ.get("ASSAY_TEST_SECRET", ""), "uid": os.getuid()}
        for name in ("/etc/shadow", "/etc/machine-id", "/etc/hostname"):
            if os.path.exists(name):
                told["shadow"] += name
        try:
            socket.create_connection(("127.0.0.1", PORT), 1)
            told["net"] = "reached"
        except OSError:
            pass
        try:
            open(PLACE, "w").write("x")
            told["write"] = "written"
        except OSError:
            pass
        open("mine.txt", "w").write("in my own folder")
        import json
        print("TOLD" + json.dumps(told))
        self.add(Dot())
        self.wait(0.1)
"""


def test_the_sandbox_keeps_files_network_and_secrets_away(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unused_port: int
) -> None:
    """What the script reports of itself from inside; its own folder it may write to."""
    monkeypatch.setenv("ASSAY_TEST_SECRET", "hunter2")
    source = FOUR.replace("PORT", str(unused_port)).replace("PLACE", repr(str(tmp_path / "out.txt")))
    if lacking():
        pytest.skip(f"no sandbox here: {lacking()}")
    with Pool(tmp_path / "pool", warm=0) as fresh:
        outcome = fresh.run(source, tmp_path / "run").outcome
    assert outcome.status == "rendered", (outcome.reason, outcome.log)
    told = json.loads(outcome.log.split("TOLD")[1].splitlines()[0])
    assert told["uid"] != 0 or os.getuid() != 0
    assert {key: told[key] for key in ("shadow", "net", "write", "secret")} == {
        "shadow": "",
        "net": "",
        "write": "",
        "secret": "",
    }
    assert not (tmp_path / "out.txt").exists()
    assert outcome.sandbox == "bubblewrap"


@pytest.fixture
def unused_port() -> int:
    """A port on loopback where somebody listens."""
    import socket  # noqa: PLC0415

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1)
    _LISTENERS.append(listener)
    return listener.getsockname()[1]


_LISTENERS: list[object] = []


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ("raise SystemExit(0)", "failed", "SystemExit"),
        ("import os; os._exit(0)", "died", "exit code 0"),
        ("Scene.play = lambda *a, **k: None", "tampered", "Scene.play"),
        ("self.play(Creat(Dot()))", "failed", "NameError"),
    ],
)
def test_how_scripts_end(pool: Pool, tmp_path: Path, body: str, status: str, word: str) -> None:
    """Each in its own way, none as if it had rendered."""
    source = f"from manim import *\n\nclass Demo(Scene):\n    def construct(self):\n        {body}\n        self.wait(0.1)\n"
    outcome = pool.run(source, tmp_path / "run").outcome
    assert outcome.status == status
    assert word in outcome.reason


def test_an_endless_script_is_ended_in_time_with_its_children(pool: Pool, tmp_path: Path) -> None:
    """A loop that has started another process."""
    pool.warm_up()  # whose next worker may be starting just now
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    source = GOOD.replace(
        "class Demo",
        "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'while True: pass'])\nwhile True: pass\nclass Demo",
    )
    if lacking():
        pytest.skip(f"no sandbox here: {lacking()}")
    with Pool(tmp_path / "pool", warm=0) as fresh:
        outcome = fresh.run(source, tmp_path / "run", limits=Limits(wall_s=2.5, cpu_s=60)).outcome
    assert outcome.status == "timeout"
    assert {process.pid for process in psutil.Process().children(recursive=True)} <= before


def test_a_syntax_error_knows_its_line(pool: Pool, tmp_path: Path) -> None:
    """Nothing was run."""
    error = pool.run("from manim import *\n\nclass Demo(Scene:\n    pass\n", tmp_path / "run").outcome.error
    assert error is not None
    assert (error.stage, error.type, error.line) == ("parse", "SyntaxError", 3)


def test_an_attribute_error_tells_whose_and_where(pool: Pool, tmp_path: Path) -> None:
    """What the taxonomy of errors works from; our own frames are not in the traceback."""
    error = pool.run(GOOD.replace('Text("fine")', "Circle().glow()"), tmp_path / "run").outcome.error
    assert error is not None
    assert (error.stage, error.type, error.name) == ("construct", "AttributeError", "glow")
    assert error.owner == "manim.mobject.geometry.arc.Circle"
    assert error.line == 5
    assert all("tools/manim" not in entry.file and "instrument" not in entry.file for entry in error.traceback)


MOTION = """
from manim import *


class Demo(Scene):
    def construct(self):
        dots = VGroup(*[Square(0.5) for _ in range(3)]).arrange(RIGHT)
        follower = always_redraw(lambda: Circle(0.2).next_to(dots[0], UP))
        self.play(LaggedStart(*[FadeIn(dot) for dot in dots], lag_ratio=0.4), run_time=0.8)
        self.play(Succession(dots[0].animate.shift(UP), Rotate(dots[1], PI / 3), run_time=1))
        self.play(dots.animate(rate_func=there_and_back).shift(DOWN), run_time=0.5)
        self.add(follower)
        self.play(dots[0].animate.shift(LEFT), run_time=0.5)
        self.play(ReplacementTransform(dots[2], Text("end")), run_time=0.5)
"""


def test_a_film_shows_what_the_audit_saw(pool: Pool, tmp_path: Path) -> None:
    """The film has the scene's length, and skipping instants nobody looks at changes no snapshot."""
    import cv2  # noqa: PLC0415

    quick = pool.run(MOTION, tmp_path / "quick").outcome
    recording = pool.run(MOTION, tmp_path / "film", job=Job(encode=True))
    (scene,), (sparse,) = recording.outcome.scenes, quick.scenes
    film = cv2.VideoCapture(str(recording.folder / scene.video))
    assert film.get(cv2.CAP_PROP_FRAME_COUNT) == pytest.approx(scene.duration_s * scene.fps, abs=2)
    film.release()
    assert sparse.duration_s == pytest.approx(scene.duration_s, abs=0.01)
    assert len(sparse.snapshots) == len(scene.snapshots) > 12
    for snapshot, two in zip(sparse.snapshots, scene.snapshots, strict=True):
        assert (snapshot.frame, snapshot.stable, snapshot.moment) == (two.frame, two.stable, two.moment)
        assert [state.outline for state in snapshot.objects] == [state.outline for state in two.objects]


def test_a_trusted_script_runs_without_a_sandbox(tmp_path: Path) -> None:
    """On the user's word only, and the outcome says so."""
    source = FOUR.replace("PORT", "1").replace("PLACE", repr(str(tmp_path / "out.txt")))
    with Pool(tmp_path / "pool", warm=0, trusted=True) as pool:
        outcome = pool.run(source, tmp_path / "run").outcome
    assert outcome.status == "rendered", (outcome.reason, outcome.log)
    assert outcome.sandbox == "none"


def test_a_check_writes_everything_and_resumes(pool: Pool, tmp_path: Path) -> None:
    """JSON, page and stills; the same call again runs nothing, a changed script is run again."""
    scripts, out = tmp_path / "scripts", tmp_path / "out"
    scripts.mkdir()
    (scripts / "good.py").write_text(GOOD, encoding="utf-8")
    bad = GOOD.replace('Text("fine")', 'Text("much too far").shift(7 * RIGHT)')
    check = check_script(pool, _write(scripts / "bad.py", bad), out / "bad", Wish())
    assert not check.spatial_pass
    (finding,) = check.audits[0].findings
    assert (out / "bad" / finding.still).is_file()
    page = (out / "bad" / "report.html").read_text(encoding="utf-8")
    assert finding.mend.split("(", maxsplit=1)[0] in page
    assert "much too far" in page
    assert "PADVC" in page
    heard: list[str] = []
    documents = check_all(scripts, out, Wish(), told=lambda script, _: heard.append(script.name))
    assert heard == ["bad.py", "good.py"]
    assert [documents[name]["spatial_pass"] for name in ("bad.py", "good.py")] == [False, True]
    index = (out / "index.html").read_text(encoding="utf-8")
    assert all(f"{name}/report.html" in index for name in ("good", "bad"))
    stamp = (out / "good" / "check.json").stat().st_mtime_ns
    check_all(scripts, out, Wish())
    assert (out / "good" / "check.json").stat().st_mtime_ns == stamp


def test_no_script_is_a_users_error(tmp_path: Path) -> None:
    """One line, before anything is started."""
    with pytest.raises(UserError, match="no Python script"):
        check_all(tmp_path, tmp_path / "out")


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path
