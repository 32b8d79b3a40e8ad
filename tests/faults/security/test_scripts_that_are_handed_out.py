"""Row 16: tests that Assay writes for others to run hold a page's words as literals, never as code, and nothing unseen."""

from __future__ import annotations

import ast
import types
import typing
from decimal import Decimal
from typing import Any, Literal

import pydantic
import pytest

from evaluator.proof_scripts import statics
from evaluator.proof_scripts.script import Where, hanging_at_once, static_script
from evaluator.proof_scripts.seen import Unscripted
from evaluator.proof_scripts.statics import static_check
from evaluator.verdict.model import Failure, Place
from evaluator.verdict.taxonomy import Blame, Category, Scale, Severity
from tools.evidence.rows import Finding
from tools.page.assertions import Assertion, Target
from tools.page.exporting import as_playwright
from tools.page.trials import Act, Trial

HOSTILE = (
    "'); import os; os.system('x') #",
    '"""\nimport os\nos.system("x")\n"""',
    "'''\\",
    "a\nimport os",
    "a\rimport os",
    "{__import__('os')}",
    "\\",
    '\\"',
    "\u2028import os",
    "\x1b[2J\x00\x07",
    "\u202eos",
    "\ud800",
)
HARMLESS = "words"


def shape(script: str) -> tuple[set[str], set[str], set[str]]:
    """Names, attributes and imports of a script, apart from what its own functions are called."""
    nodes = list(ast.walk(ast.parse(script)))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    imports = {alias.name for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names}
    return names - own, {node.attr for node in nodes if isinstance(node, ast.Attribute)}, imports


def assert_no_code(hostile: str, *harmless: str) -> None:
    """What the hostile script can do is no more than what the harmless ones do; and it can be read."""
    for some, *known in zip(shape(hostile), *map(shape, harmless), strict=True):
        assert some - set().union(*known) == set()
    assert all(item.isprintable() or item == "\n" for item in hostile)
    hostile.encode("utf-8")


def failure(words: str) -> Failure:
    """One that says nothing but these words."""
    return Failure(
        id="f-123456",
        category=Category.dead_control,
        severity=Severity.major,
        scale=Scale.functionality,
        blame=Blame.app,
        title=words,
        expected=words,
        observed=words,
        origin="new",
        place=Place(selector=words),
        steps=(),
        step_ids=(),
        evidence=("e000001",),
        confidence=0.9,
    )


def where(words: str) -> Where:
    """An app and a run that are called so."""
    return Where(subject=words, entry=words, run=words)


@pytest.mark.parametrize("symptom", [*sorted(statics._WAYS), "axe.…"])
def test_no_words_become_code_in_a_check_of_a_measurement(symptom: str) -> None:
    """Selectors, quoted texts, rules and figures of a finding."""

    def lines(words: str) -> str:
        measured: dict[str, Any] = {"other": words, "within": words, "brief_language": "zh", "overlap_px2": 30, "lost_px": 8}
        named = symptom.replace("…", words)
        check = static_check([Finding(probe=words, symptom=named, message=f"“{words}”", selector=words, measured=measured)])
        return "" if isinstance(check, Unscripted) else "\n".join(check.then)

    for hostile in HOSTILE:
        assert_no_code(lines(hostile), lines(HARMLESS))


@pytest.mark.parametrize("hostile", HOSTILE, ids=repr)
def test_no_words_become_code_in_a_whole_proof(hostile: str) -> None:
    """What is said about the failure, the error it threw, and the names of app and run."""

    def scripts(words: str) -> list[str]:
        found = Finding(probe="contrast", symptom="contrast.low", message=words, selector=words)
        return [
            str(static_script(failure(words), [found], [words], where(words))),
            hanging_at_once(failure(words), where(words)),
        ]

    for told, known in zip(scripts(hostile), scripts(HARMLESS), strict=True):
        assert_no_code(told, known)


def filled(kind: Any, words: str) -> Any:
    """A value of that type in which every text is these words."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is str:
        return words
    if origin is Literal:
        return inner[0]
    if origin is typing.Annotated:
        return filled(inner[0], words)
    if origin in {typing.Union, types.UnionType}:
        return filled(next(item for item in inner if item is not type(None)), words)
    if origin is tuple:
        return (filled(inner[0], words),) * 2 if inner[-1] is ... else tuple(filled(item, words) for item in inner)
    if kind is Target:
        return Target(kind="buttons", key=words, name=words, role=words, selector=words, frame=words, item_path=words)
    if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
        hints = typing.get_type_hints(kind, include_extras=True)
        return kind(**{name: filled(hints[name], words) for name in kind.model_fields})
    return {bool: True, int: 2, float: 1.5, Decimal: Decimal("1.5")}[kind]


def kinds(union: Any) -> list[Any]:
    """The members of a union of values."""
    return list(typing.get_args(typing.get_args(union)[0]))


@pytest.mark.parametrize("kind", [*kinds(Act), *kinds(Assertion)], ids=lambda kind: kind.__name__)
def test_no_words_become_code_in_an_exported_trial(kind: Any) -> None:
    """Every act and every assertion, each text in them, the reason, the address."""

    def script(words: str) -> str:
        value = filled(kind, words)
        done = {"acts": (value,)} if kind in kinds(Act) else {"asserts": (value,)}
        plain = {"acts": (filled(kinds(Act)[0], HARMLESS),), "asserts": (filled(kinds(Assertion)[0], HARMLESS),)}
        given: dict[str, Any] = {"precondition": (), "why": words, **plain, **done}
        return as_playwright(Trial.model_construct(None, **given), f"http://a.example/{words}")

    for hostile in HOSTILE:
        assert_no_code(script(hostile), script(HARMLESS))
