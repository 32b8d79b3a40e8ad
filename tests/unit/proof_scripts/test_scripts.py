"""Scripts as text: they compile, hold what they use and nothing of Assay, and say what they cannot check."""

from __future__ import annotations

import ast
import builtins
from typing import Any

import pytest

from evaluator.proof_scripts.script import Where, hanging_at_once, static_script
from evaluator.proof_scripts.seen import Unscripted
from evaluator.verdict.model import Failure, Place
from evaluator.verdict.taxonomy import Blame, Category, Scale, Severity
from tools.evidence.rows import Finding

WHERE = Where(subject="/srv/app", run="r1")


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


def test_a_script_stands_alone_and_holds_no_more_than_it_uses() -> None:
    """It names everything it calls and nothing of Assay, whatever the page's words are, and leaves out what it has no use for."""
    finding = Finding(probe="contrast", symptom="contrast.low", message="“Price”: contrast 1.80:1", selector="#a")
    made = static_script(_failure(Category.low_contrast), [finding], [], WHERE)
    assert isinstance(made, str)
    assert not _undefined(made)
    assert "assay" not in made.casefold()
    assert "contrast(app, '#a') >= 3" in made
    assert "def overlap(" not in made
    assert "def contrast(" in made


def test_errors_are_recognised_without_what_browsers_put_around_them() -> None:
    """The same error is met again, whatever stands before it."""
    made = static_script(_failure(), [], ["Uncaught ReferenceError: card is not defined\n    at save"], WHERE)
    assert isinstance(made, str)
    assert not _undefined(made)
    assert "any('ReferenceError: card is not defined' in error for error in app.errors)" in made


def test_pages_that_hang_are_opened_in_a_process_of_their_own() -> None:
    """Nobody answers on a page that hangs: the script has a child, and a limit."""
    made = hanging_at_once(_failure(Category.crash_or_hang), WHERE)
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
