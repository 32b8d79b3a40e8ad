"""Scripts as text: they compile, hold what they use and nothing of Assay, and say what they cannot check."""

from __future__ import annotations

import ast
import builtins
from dataclasses import replace
from typing import Any

import pytest

from evaluator.proof_scripts.acts import Things, line_of
from evaluator.proof_scripts.checks import check_of
from evaluator.proof_scripts.script import Where, hanging_at_once, interactive_script, reader, static_script
from evaluator.proof_scripts.seen import Check, Seen, Told, Unscripted
from evaluator.taxonomy import Blame, Category, Scale, Severity
from evaluator.verdict import Failure, Place
from tools.evidence.rows import Finding

SAVE = {"selector": "#save", "role": "button", "name": "Save"}
CLICK = {"act": "click", "target": SAVE}
WHERE = Where(subject="/srv/app", run="r1")

ACTS: tuple[dict[str, Any], ...] = (
    CLICK,
    {"act": "click", "target": {"selector": "canvas", "dx": 0.25}, "count": 2, "button": "right"},
    {"act": "hover", "target": SAVE},
    {"act": "type", "target": SAVE, "text": 'it\'s "quoted"\\', "clear": False, "submit": True},
    {"act": "type", "target": None, "text": "x"},
    {"act": "select", "target": SAVE, "value": "a"},
    {"act": "set_value", "target": SAVE, "value": "7"},
    {"act": "press", "keys": ["ArrowLeft", "Control+z"], "hold_ms": 700, "gap_ms": 80},
    {"act": "drag", "target": SAVE, "to": {"selector": "#there"}},
    {"act": "drag", "target": SAVE, "by": [3, 4]},
    {"act": "tap", "target": SAVE, "count": 2},
    {"act": "swipe", "target": SAVE, "by": [0, -90]},
    {"act": "scroll", "dx": 0, "dy": 300, "target": None},
    {"act": "wait", "ms": 1500},
    {"act": "reload"},
    {"act": "back"},
    {"act": "goto", "url": "http://127.0.0.1:4711/page?x=1#y"},
    {"act": "resize", "width": 400, "height": 700},
)


def _failure(category: Category = Category.dead_control, title: str = 'Button “Save” does "nothing" \\ at all') -> Failure:
    return Failure(
        id="f-123456",
        category=category,
        severity=Severity.major,
        scale=Scale.functionality,
        blame=Blame.app,
        title=title,
        expected='"Save" has an effect',
        observed="nothing changed\n'''\"\"\"",
        origin="new",
        place=Place(selector="#save"),
        steps=(),
        step_ids=(),
        evidence=("e000001",),
        confidence=0.9,
    )


def _undefined(code: str) -> set[str]:
    """Names that a script uses and nobody defines."""
    tree = ast.parse(code)
    known = set(dir(builtins)) | {"__file__", "__name__"}
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                known.add(node.name)
            case ast.arg():
                known.add(node.arg)
            case ast.Name(ctx=ast.Store()):
                known.add(node.id)
            case ast.alias():
                known.add((node.asname or node.name).partition(".")[0])
            case ast.ExceptHandler(name=str(name)):
                known.add(name)
            case _:
                pass
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - known


def _told(oracle: str, symptom: str = "wrong_result", observed: str = "nothing changed", **params: Any) -> Told:
    return Told(oracle, "what should hold", observed, symptom, params)


def _seen(told: Told | None = None, *acts: dict[str, Any], **more: Any) -> Seen:
    done = acts or (CLICK,)
    plain: dict[str, Any] = {"lines": ("Basket", "Total 45"), **more}
    return Seen(acts=done, descriptions=tuple(str(act["act"]) for act in done), told=told, **plain)


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act["act"])
def test_every_act_becomes_a_line(act: dict[str, Any]) -> None:
    """The line is Python, and whatever is quoted in it comes back as it was."""
    things = Things()
    line = line_of(act, things)
    assert isinstance(line, str)
    tree = ast.parse(line)
    words = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    if "text" in act:
        assert act["text"] in words
    if act["act"] == "goto":
        assert "/page?x=1#y" in words


def test_what_no_person_does_is_not_scripted() -> None:
    """Pinching takes more than Playwright's hands: a reason instead of a line."""
    assert isinstance(line_of({"act": "pinch", "target": SAVE, "scale": 2}, Things()), Unscripted)


ORACLES = (
    _told("responds", "dead_control"),
    _told("theme_changes", "dead_control"),
    _told("value_kept", "value_not_kept", value="Ann"),
    _told("text_appears", "state_not_updated", text="Milk"),
    _told("text_contains", text="Milk"),
    _told("text_disappears", text="Milk"),
    _told("filtered", "input_ignored", word="fern"),
    _told("persists", "persistence_lost", text="Milk"),
    _told("came_back", "persistence_lost", text="Milk"),
    _told("sane"),
    _told("equals", value=5.0, sum="2+3"),
    _told("sums_agree", observed="the total shown is 45, but 50 − 10 = 40.00"),
    _told("number_changes", direction="up"),
    _told("follows", "state_not_updated", result=1),
    _told("ordered", by="Price: low to high", chosen=1),
    _told("moves", "animation_frozen"),
    _told("ticks", "wrong_result", rate=1),
    _told("ticks", "state_not_updated"),
    _told("shows_duration", minutes=5),
    _told("still", "state_not_updated"),
    _told("audible", "audio_missing"),
    _told("silent_when_muted", "state_not_updated"),
    Told("beat_agrees", "120 beats a minute are heard as such", "beats come every 1 s", "wrong_result"),
    _told("even", "timing_jank"),
    _told("an oracle of tomorrow", "dead_control"),
    _told("another oracle of tomorrow", "wrong_result"),
)


@pytest.mark.parametrize("told", ORACLES, ids=lambda told: f"{told.oracle}-{told.symptom}")
@pytest.mark.parametrize("act", [CLICK, {"act": "wait", "ms": 4000}, {"act": "type", "target": SAVE, "text": "fern"}], ids=str)
def test_scripts_stand_alone(told: Told, act: dict[str, Any]) -> None:
    """Every oracle's script compiles, defines all it uses, and imports nothing but the standard library and Playwright."""
    rows = (("Fern", "€ 5"), ("Cactus", "€ 7"), ("Orchid", "€ 9"))
    seen = _seen(told, CLICK, act, before=(rows,), after=((("Plant", "Price"), rows),))
    made = interactive_script(_failure(), seen, WHERE)
    assert isinstance(made, str), made
    assert not _undefined(made)
    imported = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name) or ""
        for node in ast.walk(ast.parse(made))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert not {name for name in imported if name.split(".")[0] in {"agent", "evaluator", "tools", "configs", "prompts"}}
    assert "def test_" in made
    assert "DEFECT" in made


def test_a_script_holds_no_more_than_it_uses() -> None:
    """A dead control's script neither listens nor measures contrast, and one that needs no chance plants none."""
    made = interactive_script(_failure(), _seen(_told("responds", "dead_control")), WHERE)
    assert isinstance(made, str)
    assert "AudioNode" not in made
    assert "def contrast" not in made
    assert "SEED" not in made
    by_chance = interactive_script(_failure(), _seen(_told("responds", "dead_control")), replace(WHERE, seed=0))
    assert isinstance(by_chance, str)
    assert "first=[plant]" in by_chance
    assert not _undefined(by_chance)


def test_what_few_lines_cannot_say_is_compared_and_the_file_says_so() -> None:
    """An oracle without a way of its own compares the page; one that goes on changing by itself is not scripted at all."""
    told = _told("summarised", "state_not_updated")
    made = interactive_script(_failure(), _seen(told), WHERE)
    assert isinstance(made, str)
    assert "more than a few lines can say" in made
    assert "'Total 45'" in made
    moving = interactive_script(_failure(), _seen(told, moving=True), WHERE)
    assert isinstance(moving, Unscripted)
    assert "by itself" in moving.reason


def test_that_nothing_came_of_a_key_is_not_scripted_where_the_page_moves_by_itself() -> None:
    """Such a test could not fail. A still page is looked at."""
    told = _told("steered", "keyboard_ignored")
    assert isinstance(check_of(_seen(told, moving=True), Things()), Unscripted)
    still = check_of(_seen(told), Things())
    assert isinstance(still, Check)
    assert "has_effect" in still.then[0]


def test_a_deletion_names_what_must_go_and_what_must_stay() -> None:
    """From the list before the act: the entry that was meant is gone, its neighbours are there."""
    rows = (("Milk", "Delete"), ("Bread", "Delete"), ("Eggs", "Delete"))
    check = check_of(_seen(_told("text_disappears", text="Bread"), before=(rows,)), Things())
    assert isinstance(check, Check)
    assert "not shows(app, 'Bread')" in check.then[0]
    assert "'Milk', 'Eggs'" in check.then[1]


def test_errors_are_recognised_without_what_browsers_put_around_them() -> None:
    """The same error is met again, whatever stands before it."""
    check = check_of(_seen(None, thrown="Uncaught ReferenceError: card is not defined\n    at save"), Things())
    assert isinstance(check, Check)
    assert "'ReferenceError: card is not defined'" in check.then[0]


def test_pages_that_hang_are_played_in_a_process_of_their_own() -> None:
    """Nobody answers on a page that hangs: the script has a child, and a limit."""
    for made in (
        interactive_script(_failure(Category.crash_or_hang), _seen(None, broke_down=True), WHERE),
        hanging_at_once(_failure(Category.crash_or_hang), WHERE),
    ):
        assert isinstance(made, str)
        assert not _undefined(made)
        assert "apart(30)" in made


@pytest.mark.parametrize(
    ("symptom", "measured", "message"),
    [
        ("contrast.low", {"ratio": 1.8}, "“Price”: contrast 1.80:1"),
        ("layout.overlap", {"other": "#b", "overlap_px2": 300}, ""),
        ("overflow.horizontal", {"excess_px": 90}, ""),
        ("overflow.text_clipped", {"lost_px": 12, "within": "#box"}, ""),
        ("overflow.unreachable", {}, ""),
        ("media.broken_image", {"url": "x.png"}, ""),
        ("unstyled.page", {"rules": 0}, ""),
        ("placeholder.text", {}, "Filler text: “Lorem ipsum dolor”."),
        ("language.mismatch", {"brief_language": "zh"}, ""),
        ("responsive.small_text", {}, ""),
        ("responsive.no_viewport_meta", {}, ""),
        ("blank.page", {}, ""),
        ("axe.label", {}, ""),
    ],
)
def test_what_probes_measure_is_measured_again(symptom: str, measured: dict[str, Any], message: str) -> None:
    """A script for each symptom that few lines can measure, at the width at which it was found."""
    finding = Finding(
        probe=symptom.split(".", maxsplit=1)[0],
        symptom=symptom,
        message=message,
        selector="#a",
        viewport="mobile",
        measured=measured,
    )
    made = static_script(_failure(Category.low_contrast), [finding], [], WHERE)
    assert isinstance(made, str), made
    assert not _undefined(made)
    assert "opened(390, 844)" in made


def test_what_takes_more_than_a_few_lines_is_not_scripted() -> None:
    """A reason that names the symptom, instead of a script that pretends."""
    finding = Finding(probe="media", symptom="media.icon_font", message="", selector="i")
    made = static_script(_failure(), [finding], [], WHERE)
    assert isinstance(made, Unscripted)
    assert "media.icon_font" in made.reason


def test_the_reader_is_the_harness_own() -> None:
    """A replay reads the page with the very function that the script will use."""
    assert reader().startswith("(own) =>")
    assert "innerText" in reader()
