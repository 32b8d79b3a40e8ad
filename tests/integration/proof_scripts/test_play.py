"""Scripts of planted faults, played without Assay: they fail on the faulty app and pass on the clean one."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page

from evaluator.calibration.suite import Variant, load, shipped
from evaluator.proof_scripts.script import Where, hanging_at_once, interactive_script, reader, static_script
from evaluator.proof_scripts.seen import Seen, Told
from evaluator.taxonomy import Blame, Category, Severity, scale_of
from evaluator.verdict import Failure, Place
from tests.benchmarks.proof_scripts import DEFECT_THERE, HOLDS, NOT_PLAYED, play
from tools.browser.launch import find_chromium
from tools.evidence.rows import Finding

pytestmark = pytest.mark.long  # of the skills and oracles that relations are to replace


def _on(selector: str, role: str = "", name: str = "") -> dict[str, Any]:
    return {"selector": selector, "role": role, "name": name}


def _click(selector: str, role: str = "button", name: str = "") -> dict[str, Any]:
    return {"act": "click", "target": _on(selector, role, name)}


def _type(selector: str, text: str, name: str = "", *, submit: bool = False) -> dict[str, Any]:
    return {"act": "type", "target": _on(selector, "textbox", name), "text": text, "submit": submit}


def _told(oracle: str, symptom: str, expected: str = "", observed: str = "nothing changed", **params: Any) -> Told:
    return Told(oracle, expected or "what should hold", observed, symptom, params)


@dataclass(frozen=True)
class Planted:
    """A fault of the suite, and how it was seen."""

    key: str
    category: Category
    acts: tuple[dict[str, Any], ...] = ()
    told: Told | None = None
    finding: tuple[str, dict[str, Any]] = ("", {})
    selector: str = ""
    viewport: str = "desktop"
    message: str = ""
    mended: int = HOLDS
    """What the script ends in on the clean app: what is not there any more cannot be looked at."""
    more: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.key


_PLANTS = (("Snake plant", "€ 18.00"), ("Bird of paradise", "€ 45.00"))
QUICK = (
    Planted("kanban/new-dead", Category.dead_control, (_click("#new", name="New card"),), _told("responds", "dead_control")),
    Planted("calculator/keys-unreadable", Category.low_contrast, finding=("contrast.low", {}), selector="[data-key='7']"),
)
THOROUGH = (
    Planted(
        "calculator/minus-adds",
        Category.wrong_result,
        tuple(_click(f"[data-key='{key}']") for key in ("7", "−", "2", "=")),
        _told("equals", "wrong_result", sum="7-2", value=5.0),
    ),
    Planted(
        "pomodoro/add-dead",
        Category.dead_control,
        (_type("#task", "Water the plants", "New task", submit=True),),
        _told("text_appears", "state_not_updated", text="Water the plants"),
    ),
    Planted(
        "pomodoro/tasks-lost",
        Category.persistence_lost,
        (_type("#task", "Water the plants", "New task", submit=True), {"act": "reload"}),
        _told("persists", "persistence_lost", text="Water the plants"),
    ),
    Planted("pomodoro/theme-dead", Category.dead_control, (_click("#theme"),), _told("theme_changes", "dead_control")),
    Planted("pomodoro/clock-stands", Category.animation_frozen, (_click("#go"),), _told("ticks", "state_not_updated")),
    Planted(
        "pomodoro/modes-wrong",
        Category.wrong_result,
        (_click("[data-minutes='5']"),),
        _told("shows_duration", "wrong_result", minutes=5),
    ),
    Planted(
        "pomodoro/delete-hangs",
        Category.crash_or_hang,
        (_type("#task", "Water the plants", "New task", submit=True), _click("#tasks button")),
        more={"broke_down": True},
    ),
    Planted(
        "kanban/filter-dead",
        Category.input_ignored,
        (_type("#find", "zzzz", "Filter cards"),),
        _told("filtered", "input_ignored", word="zzzz"),
    ),
    Planted("shop/apply-crashes", Category.runtime_error, (_type("#code", "GREEN10"), _click("#apply")), more={"thrown": True}),
    Planted("kanban/count-all", Category.wrong_result, ({"act": "wait", "ms": 100},), _told("counts_agree", "wrong_result")),
    Planted("metronome/silent", Category.audio_missing, (_click("#play"),), _told("audible", "audio_missing")),
    Planted(
        "metronome/mute-dead",
        Category.state_not_updated,
        (_click("#play"), _click("#mute")),
        _told("silent_when_muted", "state_not_updated"),
    ),
    Planted(
        "metronome/wrong-rate",
        Category.wrong_result,
        (_click("#play"),),
        _told("beat_agrees", "wrong_result", "100 beats a minute are heard as such"),
    ),
    Planted("pendulum/jank", Category.timing_jank, (_click("#run"),), _told("even", "timing_jank")),
    Planted("pendulum/frozen", Category.animation_frozen, (_click("#run"),), _told("moves", "animation_frozen")),
    Planted("landing/no-styles", Category.unstyled, finding=("unstyled.page", {})),
    Planted(
        "landing/picture-missing",
        Category.broken_media,
        finding=("media.broken_image", {}),
        selector="img",
        mended=NOT_PLAYED,
    ),
    Planted("kanban/columns-on-phones", Category.not_responsive, finding=("overflow.horizontal", {}), viewport="mobile"),
    Planted("ledger/in-english", Category.language_mismatch, finding=("language.mismatch", {"brief_language": "zh"})),
    Planted("wizard/labels-loose", Category.inaccessible, finding=("axe.label", {})),
)


def _variants(key: str) -> tuple[Variant, Variant]:
    app, _, fault = key.partition("/")
    found = {one.key: one for one in load(shipped()).variants()}
    return found[f"{app}/fault-{fault}"], found[f"{app}/clean"]


def _failure(planted: Planted) -> Failure:
    return Failure(
        id="f-123456",
        category=planted.category,
        severity=Severity.major,
        scale=scale_of(planted.category),
        blame=Blame.app,
        title=f"Planted: {planted.key}",
        expected="what the clean app does",
        observed="what the faulty app does",
        origin="new",
        place=Place(selector=planted.selector),
        steps=(),
        step_ids=(),
        evidence=("e000001",),
        confidence=0.9,
    )


async def _folder(root: Path, name: str, variant: Variant) -> Path:
    folder = root / name
    folder.mkdir()
    (folder / "index.html").write_text(variant.html, encoding="utf-8")
    return folder


async def _seen(planted: Planted, page: Page, faulty: Path) -> Seen:
    """As a replay would have it: what the faulty page shows, or throws, in the end."""
    more = dict(planted.more)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(error.message))
    await page.goto((faulty / "index.html").as_uri())
    if more.get("thrown") or planted.category is Category.input_ignored:
        for act in planted.acts:
            place = page.locator(act["target"]["selector"]).first
            await (place.fill(act["text"]) if act["act"] == "type" else place.click())
    if more.get("thrown"):
        more["thrown"] = errors[0]
    lines = () if more.get("broke_down") else tuple(await page.evaluate(reader()))
    return Seen(planted.acts, tuple(str(act["act"]) for act in planted.acts), planted.told, lines, **more)


async def _script(planted: Planted, page: Page, faulty: Path) -> str:
    failure, where = _failure(planted), Where(subject=str(faulty))
    symptom, measured = planted.finding
    if symptom:
        finding = Finding(
            probe=symptom.split(".")[0],
            symptom=symptom,
            message=planted.message,
            selector=planted.selector,
            viewport=planted.viewport,
            measured=measured,
        )
        made = static_script(failure, [finding], [], where)
    else:
        made = interactive_script(failure, await _seen(planted, page, faulty), where)
    assert isinstance(made, str), made
    return made


@pytest.mark.parametrize("planted", [*QUICK, *(pytest.param(one, marks=pytest.mark.long) for one in THOROUGH)], ids=str)
async def test_it_fails_on_the_faulty_app_and_passes_on_the_clean_one(planted: Planted, page: Page, tmp_path: Path) -> None:
    """The script names the defect where it is, and says nothing where it is not."""
    bad, good = _variants(planted.key)
    faulty, clean = await _folder(tmp_path, "faulty", bad), await _folder(tmp_path, "clean", good)
    script = tmp_path / "f-123456.py"
    script.write_text(await _script(planted, page, faulty), encoding="utf-8")
    code, told = await asyncio.to_thread(play, script, faulty)
    assert (code, f"Planted: {planted.key}" in told) == (DEFECT_THERE, True), told
    code, told = await asyncio.to_thread(play, script, clean)
    assert code == planted.mended, told


async def test_a_key_that_a_game_does_not_know_is_told_though_the_game_never_stands_still(page: Page, tmp_path: Path) -> None:
    """By which keys the page keeps from the browser: that something moves says nothing."""
    _, good = _variants("snake/start-dead")
    bad = good.html.replace("ArrowRight", "Rightwards")
    assert bad != good.html
    clean, faulty = await _folder(tmp_path, "clean", good), tmp_path / "faulty"
    faulty.mkdir()
    (faulty / "index.html").write_text(bad, encoding="utf-8")
    observed = "the page takes ArrowLeft and leaves ArrowRight to the browser"
    told = _told("keys_alike", "key_unknown", observed=observed)
    keys = {"act": "press", "keys": ["ArrowLeft", "ArrowRight"], "hold_ms": 140, "gap_ms": 260}
    planted = Planted("snake/right-unknown", Category.input_ignored, (_click("#start"), keys), told)
    seen = Seen(planted.acts, ("click", "press"), told, moving=True)
    made = interactive_script(_failure(planted), seen, Where(subject=str(faulty)))
    assert isinstance(made, str), made
    script = tmp_path / "f-123456.py"
    script.write_text(made, encoding="utf-8")
    code, told_words = await asyncio.to_thread(play, script, faulty)
    assert (code, f"Planted: {planted.key}" in told_words) == (DEFECT_THERE, True), told_words
    code, told_words = await asyncio.to_thread(play, script, clean)
    assert code == HOLDS, told_words


@pytest.mark.long
async def test_pytest_runs_it_too(page: Page, tmp_path: Path) -> None:
    """The same file is a test: with its own subject it fails, with APP it passes on another app."""
    bad, good = _variants(QUICK[0].key)
    faulty, clean = await _folder(tmp_path, "faulty", bad), await _folder(tmp_path, "clean", good)
    script = tmp_path / "f-123456.py"
    script.write_text(await _script(QUICK[0], page, faulty), encoding="utf-8")
    on_faulty = await asyncio.to_thread(_pytest, script, {})
    assert on_faulty.returncode == 1
    assert "Planted: kanban/new-dead" in on_faulty.stdout
    on_clean = await asyncio.to_thread(_pytest, script, {"APP": str(clean)})
    assert on_clean.returncode == 0, on_clean.stdout


def _pytest(script: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(script)]
    known = {**os.environ, "CHROMIUM": str(find_chromium()), **env}
    return subprocess.run(line, cwd=script.parent, env=known, capture_output=True, text=True, timeout=120, check=False)


async def test_without_an_app_it_says_so(tmp_path: Path) -> None:
    """Nothing at the place it names: one line, and neither a pass nor a failure."""
    script = tmp_path / "f-123456.py"
    script.write_text(hanging_at_once(_failure(QUICK[0]), Where(subject=str(tmp_path / "gone"))), encoding="utf-8")
    code, told = await asyncio.to_thread(play, script, tmp_path / "gone")
    assert code == 2
    assert "say where the app is" in told
    assert "Traceback" not in told
