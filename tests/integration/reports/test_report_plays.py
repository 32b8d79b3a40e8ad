"""The recording in the report: it plays from disk, and everything that names a moment jumps to it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from evaluator.reports import recording
from evaluator.reports.as_html import write_html
from evaluator.reports.as_json import write_json
from tests.integration.reports.conftest import Opened, OpenReport
from tests.unit.reports.app_pictures import FPS, number_in
from tests.unit.reports.run_folder import make_run

CLOSE_S = 0.05

SOUGHT = """() => new Promise((done, failed) => {
  const video = document.querySelector('video');
  if (!video.seeking) return done();
  video.addEventListener('seeked', () => done(), { once: true });
  setTimeout(() => failed(new Error('the recording did not get there in 15 s')), 15000);
})"""


async def _at(opened: Opened) -> float:
    return await opened.page.evaluate("() => document.querySelector('video').currentTime")


async def _frame_shown(opened: Opened) -> int:
    """Number that the frame on screen carries."""
    await opened.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
    data = await opened.page.locator("video").screenshot()
    return number_in(np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8))


@pytest.fixture(scope="module")
def moments(report_file: Path) -> dict[str, float]:
    """Where the failures show, as report.json has it."""
    report = json.loads(write_json(report_file.parent).read_text(encoding="utf-8"))
    steps = {step["id"]: step["video_s"] for step in report["steps"]}
    found = {failure["id"]: failure for failure in report["verdict"]["failures"]}
    return {
        "f1": found["f1"]["place"]["video_s"],
        "f2": steps[found["f2"]["step_ids"][-1]],
        "step-9": report["steps"][8]["video_s"],
        "step-5": report["steps"][4]["video_s"],
    }


async def test_it_plays_from_disk(report_file: Path, open_report: OpenReport) -> None:
    """The recording inside the page has a picture, its length, and runs."""
    opened = await open_report(report_file)
    await opened.ready()
    facts = await opened.page.evaluate("() => { const v = document.querySelector('video'); return [v.videoWidth, v.duration]; }")
    assert facts[0] == 640
    assert facts[1] == pytest.approx(37.0, abs=0.2)
    await opened.page.locator("#play").click()
    advanced = await opened.page.evaluate(
        """() => new Promise((done) => {
          const video = document.querySelector('video');
          video.addEventListener('timeupdate', () => { if (video.currentTime > 0.5) done(video.currentTime); });
          setTimeout(() => done(video.currentTime), 15000);
        })"""
    )
    assert advanced > 0.5
    assert await opened.page.locator("#play").get_attribute("aria-label") == "Pause"
    await opened.page.keyboard.press("Escape")
    await opened.page.locator("#play").click()
    assert await opened.page.evaluate("() => document.querySelector('video').paused")
    assert opened.complaints == []


async def test_a_click_on_a_failure_jumps_to_its_moment(
    report_file: Path, open_report: OpenReport, moments: dict[str, float]
) -> None:
    """The video stands within 50 ms of the failure, and the picture on screen is the frame of that moment."""
    opened = await open_report(report_file)
    await opened.ready()
    for failure in ("f1", "f2"):
        await opened.page.locator(f"#failure-{failure} .jump").click()
        await opened.page.evaluate(SOUGHT)
        assert await _at(opened) == pytest.approx(moments[failure], abs=CLOSE_S)
        assert await _frame_shown(opened) / FPS == pytest.approx(moments[failure], abs=CLOSE_S)


async def test_a_click_on_a_tick_jumps_to_its_moment(
    report_file: Path, open_report: OpenReport, moments: dict[str, float]
) -> None:
    """Ticks of steps and failures lead to the beginning of what they stand for, also when they are hit at their edge."""
    opened = await open_report(report_file)
    await opened.ready()
    for target, moment in (("step-9", "step-9"), ("failure-f1", "f1"), ("step-5", "step-5")):
        tick = opened.page.locator(f'.tick[data-goes="{target}"]')
        await tick.scroll_into_view_if_needed()
        box = await tick.bounding_box()
        assert box is not None
        await opened.page.mouse.click(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2)
        await opened.page.evaluate(SOUGHT)
        assert await _at(opened) == pytest.approx(moments[moment], abs=CLOSE_S)


async def test_a_click_between_ticks_goes_to_that_very_place(report_file: Path, open_report: OpenReport) -> None:
    """The bar over the lanes seeks like any player's."""
    opened = await open_report(report_file)
    await opened.ready()
    await opened.page.locator("#scrub").scroll_into_view_if_needed()
    box = await opened.page.locator("#scrub").bounding_box()
    assert box is not None
    await opened.page.mouse.click(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)
    await opened.page.evaluate(SOUGHT)
    assert await _at(opened) == pytest.approx(37.0 * 0.75, abs=0.1)


async def test_hovering_tells_what_happened(report_file: Path, open_report: OpenReport) -> None:
    """The tip names time and event, within the window."""
    opened = await open_report(report_file)
    await opened.ready()
    await opened.page.locator('.tick[data-goes="failure-f1"]').hover()
    tip = opened.page.locator("#tip")
    assert "The footer goes on counting" in await tip.inner_text()
    box = await tip.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1600
    await opened.page.mouse.move(10, 300)
    assert not await tip.is_visible()


async def test_the_keyboard_steps_through(report_file: Path, open_report: OpenReport, moments: dict[str, float]) -> None:
    """Arrows go from step to step, j and k from frame to frame, space plays and pauses."""
    opened = await open_report(report_file)
    await opened.ready()
    for _ in range(5):
        await opened.page.keyboard.press("ArrowRight")
        await opened.page.evaluate(SOUGHT)
    assert await _at(opened) == pytest.approx(moments["step-5"], abs=CLOSE_S)
    await opened.page.keyboard.press("k")
    await opened.page.evaluate(SOUGHT)
    assert await _at(opened) == pytest.approx(moments["step-5"] + 1 / FPS, abs=0.005)
    await opened.page.keyboard.press("j")
    await opened.page.keyboard.press("ArrowLeft")
    await opened.page.evaluate(SOUGHT)
    assert await _at(opened) == pytest.approx(moments["step-5"] - 2.9, abs=CLOSE_S)
    await opened.page.keyboard.press(" ")
    assert not await opened.page.evaluate("() => document.querySelector('video').paused")
    await opened.page.keyboard.press(" ")
    assert await opened.page.evaluate("() => document.querySelector('video').paused")
    assert await opened.page.evaluate("() => scrollY") == 0


async def test_the_current_step_is_marked_in_both_lists(report_file: Path, open_report: OpenReport) -> None:
    """The list beside the player and the steps themselves show where the recording stands."""
    opened = await open_report(report_file)
    await opened.ready()
    await opened.page.locator("#steps > details > summary").click()
    await opened.page.locator("#step-9 .jump").click()
    await opened.page.evaluate(SOUGHT)
    marked = await opened.page.evaluate(
        "() => [...document.querySelectorAll('[aria-current]')].map((e) => e.id || e.dataset.moment)"
    )
    assert sorted(marked) == ["9", "step-9"]
    await opened.page.locator("#moments li[data-moment='2'] .moment").click()
    await opened.page.evaluate(SOUGHT)
    assert await opened.page.locator("#step-2").get_attribute("aria-current") == "step"


async def test_a_linked_recording_plays_from_the_file_beside_the_page(
    tmp_path: Path, report_file: Path, open_report: OpenReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recording that is too large for the page plays and seeks from disk under the page's own policy."""
    monkeypatch.setattr(recording, "EMBED_BYTES", 1000)
    run = make_run(tmp_path / "run", film=report_file.parent / "video.mp4")
    opened = await open_report(write_html(run))
    await opened.ready()
    await opened.page.locator("#failure-f1 .jump").click()
    await opened.page.evaluate(SOUGHT)
    assert await _at(opened) == pytest.approx(19.7, abs=CLOSE_S)
    assert {url for url in opened.requests if not url.startswith("data:")} == {
        (run / "report.html").as_uri(),
        (run / "video.mp4").as_uri(),
    }
    assert opened.complaints == []


async def test_a_recording_torn_by_a_crash_still_seeks(tmp_path: Path, report_file: Path, open_report: OpenReport) -> None:
    """The last fragments and the index are gone; what was recorded until then can be gone through."""
    whole = (report_file.parent / "video.mp4").read_bytes()
    torn = tmp_path / "torn.mp4"
    torn.write_bytes(whole[: len(whole) * 8 // 10])
    opened = await open_report(write_html(make_run(tmp_path / "run", film=torn)))
    await opened.ready()
    await opened.page.locator("#failure-f2 .jump").click()
    await opened.page.evaluate(SOUGHT)
    assert await _frame_shown(opened) / FPS == pytest.approx(15.6, abs=CLOSE_S)
