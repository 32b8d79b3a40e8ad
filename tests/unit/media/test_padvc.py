"""PADVC, TD, events and TextExpand: films whose figures are known, and the same film at other sizes and frame rates."""

from __future__ import annotations

import math
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tools.errors import UserError
from tools.media.events import EventFinder
from tools.media.padvc import EXPONENT, Dynamics, measure_dynamics, padvc
from tools.media.padvc_fit import PUBLISHED, Centre, fit, load_centres, save_centres
from tools.media.padvc_prompt import density, language_of
from tools.media.textexpand import text_expansion


def film(path: Path, *, width: int = 854, height: int = 480, fps: int = 15) -> Path:
    """6 s: a white box grows from the left at 1–2 s, another from the right at 3–4 s; both vanish at 5 s. Still in between."""
    grid_y, grid_x = np.mgrid[0:height, 0:width]
    across, down = grid_x / width, grid_y / height
    line = ["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{width}x{height}", "-r", str(fps), "-i", "-"]
    line += ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "18", "-pix_fmt", "yuv420p", str(path)]
    process = subprocess.Popen(line, stdin=subprocess.PIPE)
    assert process.stdin is not None
    for number in range(6 * fps):
        at_s = number / fps
        first, second = min(max(at_s - 1, 0), 1), min(max(at_s - 3, 0), 1)
        lit = (across < 0.4 * first) & (down > 0.2) & (down < 0.4) | (across > 1 - 0.4 * second) & (down > 0.6) & (down < 0.8)
        process.stdin.write((np.where(lit & (at_s < 5), 235, 16)).astype(np.uint8).tobytes())
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    return path


def nowhere(picture: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
    """Finds no text."""
    return []


def upper_left(picture: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
    """Says that the first box is text, as soon as something is there."""
    height, width = picture.shape[:2]
    if picture[int(0.3 * height), int(0.01 * width), 0] < 100:
        return []
    return [np.array([[0, 0.2], [0.4, 0.2], [0.4, 0.4], [0, 0.4]], np.float32) * np.array([width, height], np.float32)]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The film at 854 × 480, 15 frames a second."""
    return film(tmp_path_factory.mktemp("films") / "plain.mp4")


def test_events_and_density_of_a_known_film(plain: Path) -> None:
    """Two things appear, so there are two events, at their times; vanishing is none. TD is the area that changed a second."""
    found = measure_dynamics(plain, find_text=nowhere)
    assert len(found.events) == 2
    for event, begin in zip(found.events, (1.0, 3.0), strict=True):
        assert event.begin_s == pytest.approx(begin, abs=0.15)
        assert event.end_s == pytest.approx(begin + 1, abs=0.15)
    # Each box covers 8 % of the picture and appears and vanishes once: 32 % over 90 frames at 15 a second.
    assert found.td == pytest.approx(0.32 * 15 / 89, rel=0.05)
    # A box of 341 × 96 pixels: the Laplacian is one step on either side of each edge, except at the picture's border.
    step = (235 - 16) / 255
    perimeter = 2 * (2 * 0.4 * 854 + 0.2 * 480)
    for event in found.events:
        assert event.energy == pytest.approx(perimeter * step, rel=0.12)


def test_size_and_frame_rate_do_not_matter(tmp_path: Path, plain: Path) -> None:
    """The paper's variant gives the same events and nearly the same PADVC at other sizes and rates; a soft edge adds to TD."""
    base = measure_dynamics(plain, find_text=nowhere)
    assert base.padvc is not None
    for name, form in {
        "small": {"width": 428, "height": 240},
        "large": {"width": 1136, "height": 640},
        "fast": {"width": 428, "height": 240, "fps": 60},
    }.items():
        other = measure_dynamics(film(tmp_path / f"{name}.mp4", **form), find_text=nowhere)
        assert len(other.events) == len(base.events), name
        assert other.padvc == pytest.approx(base.padvc, rel=0.12), name
        assert other.td == pytest.approx(base.td, rel=0.2), name


def test_the_released_codes_events_depend_on_size() -> None:
    """A small change counts at 480 lines, not at 120, for the released code's fixed sum; the paper's variant sees both alike."""
    found: dict[str, list[bool]] = {"paper": [], "code": []}
    for height in (480, 120):
        still = np.zeros((height, height * 16 // 9), np.uint8)
        lit = still.copy()
        lit[: height // 10, : height // 10] = 200
        for variant in ("paper", "code"):
            finder = EventFinder(15.0, variant)
            events = [finder.feed(frame, number / 15) for number, frame in enumerate([still, still, lit, lit])]
            found[variant].append(events[-1] is not None)
    assert found == {"paper": [True, True], "code": [True, False]}


def test_text_is_taken_out_and_weighs(plain: Path) -> None:
    """What OCR calls text adds nothing to the drawing's energy and lowers the score by its boundary."""
    without, with_text = measure_dynamics(plain, find_text=nowhere), measure_dynamics(plain, find_text=upper_left)
    assert with_text.events[0].energy < 0.02 * without.events[0].energy
    assert with_text.events[1].energy == pytest.approx(without.events[1].energy, rel=0.01)
    assert with_text.text_burden == pytest.approx(2 * (2 * 0.4 * 854 + 0.2 * 480), rel=0.15)
    assert 0 < (with_text.padvc or 0) < 0.02 * (without.padvc or 0)
    assert with_text.text_looks <= 9


def test_without_ocr_padvc_is_not_measured(plain: Path) -> None:
    """No text finder, no PADVC; TD is measured all the same."""
    found: Dynamics = measure_dynamics(plain)
    assert found.padvc is None
    assert found.text_burden is None
    assert found.td is not None


def test_equation_two() -> None:
    """The formula, by hand; many small steps are worth more than one large one; only the code divides by their number."""
    assert padvc([1.0], 0.0, 0) == pytest.approx(1.0)
    assert padvc([4.0, 9.0], 2.0, 5) == pytest.approx((4**0.7 + 9**0.7) / (math.log(5 + math.e) * (1 + 2**0.7)))
    assert padvc([1.0] * 8, 0, 0) > padvc([8.0], 0, 0)
    assert padvc([3.0, 3.0], 1.0, 1, divide=True) == pytest.approx(padvc([3.0], 1.0, 1))
    assert padvc([], 1.0, 1, divide=True) == 0
    assert EXPONENT == 0.7


def test_centre_and_fit(tmp_path: Path) -> None:
    """A fitted centre gives back the distribution it was drawn from, survives the file, and scores 1 at its middle."""
    drawn = np.exp(np.random.default_rng(5).normal(-1.5, 0.6, 400))
    centre = fit(drawn.tolist(), 1e-8)
    assert centre.mu == pytest.approx(-1.5, abs=0.1)
    assert centre.sigma == pytest.approx(0.6, abs=0.06)
    assert centre.mu_interval is not None
    assert centre.mu_interval[0] < -1.5 < centre.mu_interval[1]
    assert centre.score(math.exp(centre.mu)) == pytest.approx(1)
    assert PUBLISHED["zh"]["td"].score(math.exp(-3.6128) - 9.81e-5) == pytest.approx(1)
    assert PUBLISHED["en"]["td"].score(0.0) < 0.05
    save_centres({"en": {"padvc": centre}}, tmp_path / "centres.json", variant="paper")
    back = load_centres(tmp_path / "centres.json")["en"]["padvc"]
    assert (back.mu, back.sigma) == (centre.mu, centre.sigma)
    assert isinstance(back, Centre)
    with pytest.raises(UserError, match="too few"):
        fit([1.0] * 3, 1e-8)


def test_prompt_density() -> None:
    """Headings, list items and words of action, in English and Chinese; ordinary words count nothing."""
    english = (
        "# Pendulum\n\n- Draw a rod and a bob.\n- The bob swings; trace its path.\n1. Highlight the angle.\nGravity is constant."
    )
    assert (density(english).structure, density(english).actions) == (4, 3)
    chinese = "## 二分查找\n1、画出数组\n2、高亮中间元素，比较后移动指针\n"
    assert (density(chinese).structure, density(chinese).actions) == (3, 4)
    assert density("A calm lake under the sky.").pvd == 0
    assert (language_of(english), language_of(chinese), language_of("用 Manim 画圆")) == ("en", "zh", "zh")


SCRIPT = """
from manim import *

LABELS = ["alpha", "beta"]

class Demo(Scene):
    def note(self, words, size=20):
        return Text(words, font_size=size, font="Fira Code")

    def construct(self):
        title = "Two words"
        self.add(Text(title, color="#ff0000"), MathTex(r"\\frac{a}{b} = \\alpha"))
        for name in LABELS:
            self.add(Text(f"Label {name}"))
        self.add(self.note("called here"), MarkupText("<b>bold</b>"))
        print("never shown")
        self.add(Text("两个字"))
"""


def test_text_expansion() -> None:
    """Literals are followed through variables, loops, f-strings and own functions; colours, fonts and prints are not shown."""
    found = text_expansion(SCRIPT, "Show two labels, please: alpha beta")
    assert found is not None
    unique = {"two", "words", "a", "b", "alpha", "label", "beta", "called", "here", "bold", "两", "个", "字"}
    assert found.shown_unique == len(unique)
    assert found.prompt_tokens == 6
    assert found.ratio == pytest.approx(len(unique) / 6)
    assert not any("shown" in text or "ff0000" in text or "Fira" in text for text in found.shown)
    assert text_expansion("def (", "x") is None
    empty = text_expansion("x = 1", "")
    assert empty is not None
    assert empty.ratio is None


def test_a_lone_frame_has_no_density(tmp_path: Path) -> None:
    """One frame: nothing changes from one to the next, which is not the same as no change."""
    picture = tmp_path / "one.png"
    cv2.imwrite(str(picture), np.zeros((48, 64, 3), np.uint8))
    path = tmp_path / "one.mp4"
    subprocess.run(["ffmpeg", "-v", "error", "-i", str(picture), "-pix_fmt", "yuv420p", str(path)], check=True, timeout=30)
    assert measure_dynamics(path).td is None
