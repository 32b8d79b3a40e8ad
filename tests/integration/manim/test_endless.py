"""Scripts that never end are told so with their line, and slow ones are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.manim.pool import Pool
from tools.manim.sandbox import Limits

HEAD = "from manim import *\nimport itertools, time\n\nclass Demo(Scene):\n    def construct(self):\n        self.add(Dot())\n"


BODIES = {
    "no way out": "while True:\n            self.wait(0.1)",
    "computes": "n = 0\n        while True:\n            n += 1\n            if n < 0:\n                break",
    "waits": "time.sleep(3600)",
    "plays on": "for n in range(10**9):\n            self.wait(60)",
    "never told": (
        "class Unsayable(Exception):\n            @property\n            def name(self):\n                while True:\n"
        "                    pass\n        raise Unsayable"
    ),
    "catches": "try:\n            while True:\n                pass\n        except Exception:\n            pass",
}


@pytest.mark.parametrize(
    ("name", "wall_s", "words"),
    [
        ("no way out", 180, ("nothing leaves `while True`", "(line 7)")),
        ("computes", 24, ("showed nothing new", "(line ")),
        ("waits", 24, ("waiting", "(line 7)")),
        ("plays on", 24, ("minutes long", "(line 8)")),
        ("never told", 24, ("showed nothing new", "(line 1")),
        ("catches", 24, ("showed nothing new",)),
    ],
)
def test_a_script_that_never_ends_gets_its_line(
    pool: Pool, tmp_path: Path, name: str, wall_s: float, words: tuple[str, ...]
) -> None:
    """Long before its time is up; how long it may show nothing is a twelfth of that."""
    limits = Limits(wall_s=wall_s, cpu_s=wall_s)
    outcome = pool.run(f"{HEAD}        {BODIES[name]}\n", tmp_path / "run", limits=limits).outcome
    assert outcome.status == "timeout", outcome.reason
    assert all(word in outcome.reason for word in words), outcome.reason
    assert outcome.usage.cpu_s < 20


def test_a_slow_script_is_left_alone(pool: Pool, tmp_path: Path) -> None:
    """It computes for as long between its plays as one that never ends, and shows something in between."""
    body = (
        "for n in range(3):\n            until = time.process_time() + 1.2\n"
        "            while time.process_time() < until:\n                pass\n"
        "            self.play(FadeIn(Square()), run_time=0.2)"
    )
    outcome = pool.run(HEAD + "        " + body + "\n", tmp_path / "run", limits=Limits(wall_s=24, cpu_s=24)).outcome
    assert outcome.status == "rendered", outcome.reason


def test_an_exception_that_raises_when_it_is_asked_is_told(pool: Pool, tmp_path: Path) -> None:
    """By its type: what ended the script is known, whatever its parts do."""
    body = (
        "class Unsayable(Exception):\n            @property\n            def name(self):\n                raise self\n"
        "            obj = name\n            def __str__(self):\n                raise self\n        raise Unsayable"
    )
    outcome = pool.run(HEAD + "        " + body + "\n", tmp_path / "run", limits=Limits(wall_s=24, cpu_s=24)).outcome
    assert outcome.status == "failed", outcome.reason
    assert outcome.error is not None
    assert outcome.error.type == "Unsayable"
