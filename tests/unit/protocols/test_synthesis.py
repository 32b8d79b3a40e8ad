"""Scripts from cases, pages that are wrong on purpose, and what is refused before a browser is asked."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from pydantic import ValidationError

from agent.protocols.synthesis import read_demo
from evaluator.protocols.interactscience.synthesis.mutants import deaf
from evaluator.protocols.interactscience.synthesis.scripts import pft_spec, plan_spec, vqt_spec
from evaluator.protocols.interactscience.synthesis.trying import same
from evaluator.protocols.interactscience.synthesis.values import Demo, PftCase, Plan, VqtCase, wrong_plan, wrong_steps
from tests.integration.synthesis.demo import GOOD_MOON, GOOD_SLIDER, PAGE, plan, step
from tools.errors import UserError

PLAN = Plan.model_validate(plan())


def parses(script: str) -> bool:
    """Whether Node takes it for JavaScript."""
    done = subprocess.run(["node", "--check", "-"], input=script, capture_output=True, text=True, timeout=30, check=False)
    return done.returncode == 0


def case(steps: list[dict[str, Any]], title: str = "a test") -> PftCase:
    """A functional case."""
    return PftCase.model_validate({"component": "height", "title": title, "steps": steps})


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_scripts_are_javascript_in_the_published_layout() -> None:
    """Each act and expectation once; pages and pictures lie where the published specs have them."""
    spec = pft_spec(
        "Free-fall", [case(GOOD_SLIDER), case(GOOD_MOON), case([step("drag", "scene", "10,-5", ("scene", "redrawn", ""))])]
    )
    assert "'@playwright/test'" in spec
    assert '"../pages/Free-fall.html"' in spec
    assert spec.count("test.describe(") == 1
    assert spec.count("  test(") == 3
    shots = vqt_spec("Free-fall", [VqtCase.model_validate({"title": "x", "steps": [step("hover", "moon", "")], "shows": "y"})])
    assert '"./snapshots/Free-fall-1.png"' in shots
    assert all(parses(item) for item in (spec, shots, plan_spec("Free-fall", PLAN)))


WORDS = st.text(alphabet=st.sampled_from([*"'\"`\\${}</script>\n\r;()é", "\u2028", "\u202e"]), max_size=40)


@given(WORDS, WORDS)
def test_words_of_a_model_stay_words_in_a_script(title: str, value: str) -> None:
    """Whatever stands in a title or a value is one string literal of the script, and reads back as it was."""
    spec = pft_spec("x", [case([step("fill", "height", value, ("time", "text", value))], title)])
    assert f".fill({json.dumps(value)})" in spec
    assert f"test({json.dumps(f'1 {title}')}," in spec
    assert "\u2028" not in spec
    plain = pft_spec("x", [case([step("fill", "height", "1", ("time", "text", "1"))], "t")])
    assert len(spec.splitlines()) == len(plain.splitlines())


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"components": [{**plan()["components"][0], "id": "a b"}]}, "an id that HTML and CSS do not take"),
        ({"components": [plan()["components"][0]] * 2}, "component 2 has the id of an earlier one"),
        ({"components": plan()["components"][2:]}, "no component can be operated"),
        ({"drawing": []}, "the part drawing is empty"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_without_a_browser(changes: dict[str, Any], told: str) -> None:
    """By our own words, which go back to the model."""
    assert wrong_plan(PLAN) == ""
    assert told in wrong_plan(Plan.model_validate({**plan(), **changes}))


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([], "it has no step"),
        ([step("click", "nowhere", "")], "step 1 operates a component that the plan does not have"),
        ([step("none", "", "", ("nowhere", "visible", ""))], "step 1 looks at a component"),
        ([step("drag", "scene", "far")], "a drag's value"),
        ([step("press", "height", "")], "press needs a value"),
        ([step("none", "", "", ("scene", "redrawn", ""))], "nothing is redrawn without an act"),
    ],
)
def test_a_case_that_cannot_be_is_refused_without_a_browser(steps: list[dict[str, Any]], told: str) -> None:
    """The same for steps."""
    assert wrong_steps(case(GOOD_SLIDER).steps, PLAN) == ""
    assert told in wrong_steps(case(steps).steps, PLAN)


def test_a_deaf_page_differs_by_one_script_before_all_others() -> None:
    """It comes first in the head; a page without one gets it at its beginning."""
    changed = deaf(PAGE, "height")
    assert changed.index("<script>") < changed.index("<meta")
    assert changed.replace(changed[changed.index("<script>") : changed.index("</script>") + 9], "", 1) == PAGE
    assert deaf("<p>x", "height").startswith("<script>")


def test_pictures_are_the_same_up_to_noise(tmp_path: Path) -> None:
    """A few pixels are noise, a square is not, another size is another picture."""
    plain = Image.new("RGB", (100, 100), "white")
    paths = {name: tmp_path / f"{name}.png" for name in ("plain", "noise", "square", "wide")}
    plain.save(paths["plain"])
    noisy = plain.copy()
    noisy.putpixel((3, 3), (0, 0, 0))
    noisy.save(paths["noise"])
    squared = plain.copy()
    squared.paste((0, 0, 0), (10, 10, 20, 20))
    squared.save(paths["square"])
    Image.new("RGB", (120, 100), "white").save(paths["wide"])
    assert [same(paths["plain"], paths[name]) for name in paths] == [True, True, False, False]


def test_a_demo_is_read_with_its_files(tmp_path: Path) -> None:
    """Paths are relative to the file; what is missing or wrong is told in one line."""
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    file = tmp_path / "demo.json"
    told = {"name": "Free-fall", "title": "Free fall", "description": "A body falls.", "page": "page.html"}
    file.write_text(json.dumps(told), encoding="utf-8")
    assert read_demo(file).page == str((tmp_path / "page.html").resolve())
    for changes, said in (({"page": "none.html"}, "no file"), ({"name": "../x"}, "name:"), ({"colour": 1}, "colour")):
        file.write_text(json.dumps({**told, **changes}), encoding="utf-8")
        with pytest.raises(UserError, match=said):
            read_demo(file)
    with pytest.raises(ValidationError):
        Demo.model_validate({**told, "description": ""})
