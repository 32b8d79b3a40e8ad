"""The taxonomy of failures: categories of scripts that really failed, each cause, and the look-ups they rest on."""

from __future__ import annotations

import pytest

from tests.benchmarks.manim_errors import SPLITS, accuracy, broken, judge, recorded
from tools.manim.contract import Outcome, ScriptError, TracebackEntry
from tools.manim.errors import CATEGORIES, CATEGORY_OF, CAUSES, diagnose, explain
from tools.manim.errors_lookup import api
from tools.manim.errors_source import reads_as_prose, unmix


def test_twelve_causes_in_six_categories() -> None:
    """Every cause has a category, every category a cause, and every cause a script that shows it."""
    assert (len(CAUSES), len(CATEGORIES)) == (12, 6)
    assert set(CATEGORY_OF) == set(CAUSES)
    assert set(CATEGORY_OF.values()) == set(CATEGORIES)
    assert {script.cause for script in broken()} == set(CAUSES)
    assert all(CATEGORY_OF[script.cause] == script.category for script in broken())


@pytest.mark.parametrize("split", SPLITS)
def test_categories_of_recorded_failures(split: str) -> None:
    """At least 95 % of the scripts of each split, as they really ended in the sandbox, fall into the category on their label."""
    rows = judge()
    right, count = accuracy(rows, split)
    assert count >= 25
    assert right / count >= 0.95
    assert len(rows) >= 60


def test_recordings_are_of_these_scripts() -> None:
    """Each recorded ending belongs to the script as it stands in the file."""
    import hashlib  # noqa: PLC0415

    endings = recorded()
    for script in broken():
        assert endings[script.id].sha256 == hashlib.sha256(script.source.encode()).hexdigest(), script.id


def test_the_api_is_the_real_one() -> None:
    """Names, members and keywords of Manim 0.22, and where those went that it no longer has."""
    known = api("0.22.0")
    assert known.exact
    assert {"Circle", "RED", "smooth", "Create", "np", "UP"} <= known.current.exports
    assert not known.current.has_name("ShowCreation")
    assert "manim 0.2.0" in known.elsewhere_name("ShowCreation")
    assert known.current.has_member("Square", "next_to")
    assert not known.current.has_member("Square", "reveal_gently")
    assert known.current.accepts("Square", "fill_opacity") is True
    assert known.current.accepts("Square", "corner_softness") is False
    assert known.current.accepts("NoSuchThing", "x") is None
    assert "MovingCamera" in known.current.owners("frame")
    assert known.current.nearest("FadIn") == "FadeIn"
    assert not api("0.19.3").exact
    assert api("0.19.3").current.name == "manim 0.19.0"


def failure(kind: str, message: str, *, name: str | None = None, owner: str | None = None, code: str = "") -> ScriptError:
    """An exception raised on line 6 of a script."""
    entry = TracebackEntry(file="scene.py", line=6, function="construct", code=code)
    return ScriptError(stage="construct", type=kind, message=message, line=6, traceback=(entry,), name=name, owner=owner)


@pytest.mark.parametrize(
    ("version", "cause"), [("0.22.0", "wrong_version"), ("0.2.0", "own_bug")], ids=["where it is gone", "where it is real"]
)
def test_the_version_that_ran_decides(version: str, cause: str) -> None:
    """`ShowCreation` is another release's name in 0.22 and a forgotten import in 0.2."""
    source = "from manim import Scene\n\nclass Demo(Scene):\n    def construct(self):\n        self.play(ShowCreation(1))\n"
    error = failure("NameError", "name 'ShowCreation' is not defined", name="ShowCreation")
    assert explain(error, source, version).cause == cause


def test_invented_and_misused_are_told_apart_by_looking_up() -> None:
    """The same exception: a member that some class has is misuse, one that none ever had is hallucination."""
    source = "from manim import *\n\nclass Demo(Scene):\n    def construct(self):\n        Circle().{}()\n"
    found = {}
    for member in ("get_part_by_tex_like_nobody", "coords_to_point", "bloom"):
        error = failure(
            "AttributeError", f"Circle object has no attribute '{member}'", name=member, owner="manim.mobject.geometry.arc.Circle"
        )
        found[member] = explain(error, source.format(member), "0.22.0").category
    assert found == {
        "get_part_by_tex_like_nobody": "api_hallucination", "coords_to_point": "api_misuse", "bloom": "api_hallucination",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "message", "cause"),
    [
        ("float_", "`np.float_` was removed in the NumPy 2.0 release. Use `np.float64` instead.", "wrong_version"),
        ("float", "module 'numpy' has no attribute 'float'. `np.float` was a deprecated alias for the builtin", "wrong_version"),
        ("product", "module 'numpy' has no attribute 'product'", "wrong_version"),
        ("smoothed", "module 'numpy' has no attribute 'smoothed'", "own_bug"),
    ],
)
def test_names_that_numpy_no_longer_has_are_outdated(name: str, message: str, cause: str) -> None:
    """A name of an earlier NumPy is told as such; one that it never had is the script's own mistake."""
    source = f"from manim import *\n\nclass Demo(Scene):\n    def construct(self):\n        np.{name}(1)\n"
    found = explain(failure("AttributeError", message, name=name, owner="numpy"), source, "0.22.0")
    assert found.cause == cause
    assert found.why.startswith("outdated API") == (cause == "wrong_version")


def test_a_name_of_an_older_manim_is_outdated_and_one_of_a_newer_is_not() -> None:
    """The same name, asked for in a release after it went and in one before it came."""
    source = "from manim import *\n\nclass Demo(Scene):\n    def construct(self):\n        self.play({}(1))\n"
    old = explain(
        failure("NameError", "name 'ShowCreation' is not defined", name="ShowCreation"), source.format("ShowCreation"), "0.22.0"
    )
    new = explain(failure("NameError", "name 'LabeledDot' is not defined", name="Typst"), source.format("Typst"), "0.2.0")
    assert old.why.startswith("outdated API")
    assert new.cause == "wrong_version"
    assert not new.why.startswith("outdated API")


@pytest.mark.parametrize(("below", "cause"), [(True, "wrong_call"), (False, "unfinished")], ids=["in Manim", "in the script"])
def test_a_bare_not_implemented_error_is_no_wrong_value(*, below: bool, cause: str) -> None:
    """Nobody gave a wrong value: a method stands open, Manim's or the script's own."""
    error = failure("NotImplementedError", "")
    if below:
        inside = TracebackEntry(file="manim/mobject/graphing/coordinate_systems.py", line=161, function="coords_to_point")
        error = error.model_copy(update={"traceback": (*error.traceback, inside)})
    assert explain(error, "from manim import *\n", "0.22.0").cause == cause


def test_a_missing_program_is_the_environments_failure() -> None:
    """No LaTeX here says nothing of the script."""
    error = failure("FileNotFoundError", "No such file or directory: 'latex'").model_copy(update={"missing_program": "latex"})
    found = explain(error, "", "0.22.0")
    assert (found.cause, found.category) == ("environment", "")
    outcome = Outcome(script="a.py", sha256="", status="environment", reason="latex is not installed on this machine")
    told = diagnose(outcome, "")
    assert told is not None
    assert told.category == ""
    assert diagnose(outcome.model_copy(update={"status": "rendered"}), "") is None


PROSE = (
    "Here's the code you asked for:",
    "This scene draws a circle and waits.",
    "- Run it with manim",
    "**Note**",
    "Explanation:",
    "下面是代码：",
)
CODE = (
    "x = 1",
    "self.play(Create(c)",
    "for i in range(3)",
    "class A(Scene):",
    "else:",
    "return x y",
    "# a comment of three words",
    "a b",
)


def test_prose_and_code() -> None:
    """Lines that read as prose, and broken code that does not."""
    assert [line for line in PROSE if not reads_as_prose(line)] == []
    assert [line for line in CODE if reads_as_prose(line)] == []


def test_unmixing_keeps_line_numbers() -> None:
    """What is taken out leaves blank lines; broken code does not become sound by it."""
    apart = unmix("Sure, here it is:\n```python\nx = 1\n```\nEnjoy the animation!\n")
    assert apart is not None
    assert apart.foreign == (1, 2, 4, 5)
    assert apart.code.splitlines()[2] == "x = 1"
    assert unmix("x = 1") is None
    assert unmix("```python\nx = (1\n```\n") is None
