"""The instruments that anybody may call by name: agents as tools, people as verbs. Each is usable without a run."""

# Instruments import what they need: a model that is offered them all must not load them all.
# ruff: noqa: PLC0415

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from tools.errors import UserError, why
from tools.evidence.rows import Box
from tools.registry import Given, instrument

if TYPE_CHECKING:
    from tools.media.image import Picture
    from tools.probes.protocol import Viewport

MOST_LINES = 120
MOST_FINDINGS = 80


class InPicture(BaseModel):
    """A picture, or a part of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    picture: Path = Field(description="PNG, JPEG or WebP file.")
    box: Box | None = Field(default=None, description="Part to look at, in pixels; the whole picture if left out.")


class Script(BaseModel):
    """A Manim script."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    script: Path = Field(description="Python file that uses Manim.")


class InFilm(BaseModel):
    """A film."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    film: Path = Field(description="Any film that ffmpeg reads: an animation, or the recording of a session.")
    prompt: str = Field(default="", description="What it was asked to show; PADVC is reckoned against it.")
    find_text: bool = Field(default=False, description="Look for text in it (OCR, takes long); without it PADVC is not measured.")


class OfPage(BaseModel):
    """A page to look at."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    page: str = Field(description="Address, HTML file, folder, project with package.json, or a saved raw model answer.")
    language: str = Field(default="", description="Code of the language it should be in (en, zh …); empty: not known.")
    width: Literal["both", "desktop", "mobile"] = Field(default="both", description="Width of the window it is looked at in.")


@instrument("read_text")
def read_text(wish: InPicture) -> Given:
    """Reads the text in a picture (OCR, English and Chinese, also turned by 90°), line by line in reading order."""
    from tools.media.ocr import read_text as ocr

    lines = ocr(_opened(wish))
    shown = [f"{line.text}  ({line.score:.2f})" for line in lines[:MOST_LINES]]
    more = [f"… {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    return Given("\n".join([*shown, *more]) or "no text was found", lines)


@instrument("parse_diagram")
def parse_diagram(wish: InPicture) -> Given:
    """Reads the graph out of a picture of a diagram: nodes with labels, edges with directions and labels, as Mermaid."""
    from tools.diagram.parser import parse_fully

    parsed = parse_fully(_opened(wish))
    return Given(parsed.mermaid or "no diagram was found", parsed.diagram)


@instrument("check_manim")
def check_manim(wish: Script) -> Given:
    """Runs a Manim script in a sandbox and tells what its film shows: overlaps, things out of frame, leftovers, errors."""
    from tools.manim.check import check_script
    from tools.manim.overview import rows
    from tools.manim.pool import Pool

    with tempfile.TemporaryDirectory(prefix="assay-manim-") as scratch, Pool(Path(scratch) / "pool") as pool:
        check = check_script(pool, wish.script, Path(scratch) / "check")
    found = list(rows({wish.script.name: check.model_dump(mode="json")}))
    lines = ["; ".join(f"{key}={value}" for key, value in row.items() if value not in (None, "", [])) for row in found[:40]]
    return Given("\n".join(lines) or "nothing was found", check)


@instrument("measure_motion")
def measure_motion(wish: InFilm) -> Given:
    """Measures what moves in a film: share of the picture that changes, when it moves and stands still, stalls, TD and PADVC."""
    from tools.media.motion_track import course
    from tools.media.motion_track import measure_motion as track
    from tools.media.padvc import measure_dynamics

    if not wish.film.is_file():
        raise UserError(f"There is no film {wish.film}.")
    find = None
    if wish.find_text:
        from tools.media.ocr import detect as find
    motion = track(wish.film)
    summed = course(motion.at_s, motion.changed)
    dynamics = measure_dynamics(wish.film, wish.prompt, find_text=find)
    moving = ", ".join(f"{begin:.2f}–{end:.2f} s" for begin, end in summed.moving[:MOST_LINES])
    td = "not measured: the film has one frame" if dynamics.td is None else f"{dynamics.td:.5f} of the picture a second"
    padvc = "not measured: it needs the text in the film (find_text)" if dynamics.padvc is None else f"{dynamics.padvc:.5f}"
    lines = [
        f"{summed.frames} frames, {summed.distinct} of them new, {dynamics.duration_s:.2f} s",
        f"moves: {moving or 'never'} ({summed.distinct_fps:.1f} new frames a second meanwhile)",
        f"longest time without change: {summed.freeze[0]:.2f}–{summed.freeze[1]:.2f} s",
        f"stalls inside a motion: {summed.stalls}, the longest {summed.longest_stall_s:.2f} s",
        f"TD: {td}",
        f"PADVC: {padvc}",
    ]
    return Given("\n".join(lines), {"course": summed, "dynamics": dynamics})


@instrument("audit_page")
def audit_page(wish: OfPage) -> Given:
    """Opens a page in a browser and measures it without touching it: contrast, overlaps, overflow, media, language, axe-core."""
    import asyncio

    from tools.auditing import audit

    sizes: tuple[Viewport, ...] = ("desktop", "mobile") if wish.width == "both" else (wish.width,)
    audited = asyncio.run(audit(wish.page, language=wish.language, sizes=sizes))
    lines = [
        f"{size}: {finding.symptom}: {finding.message}" + (f" [{finding.selector}]" if finding.selector else "")
        for size, result in audited.results
        for finding in result.findings
    ]
    blind = [f"{size}: {result.probe} not measured: {result.reason}" for size, result in audited.results if not result.measured]
    more = [f"… {len(lines) - MOST_FINDINGS} more"] if len(lines) > MOST_FINDINGS else []
    told = f"{len(audited.results) - len(blind)} probes measured {audited.entry}, {len(lines)} findings"
    return Given("\n".join([told, *audited.problems, *lines[:MOST_FINDINGS], *more, *blind]), audited)


def _opened(wish: InPicture) -> Picture:
    from tools.media.image import crop, decode

    try:
        picture = decode(wish.picture.read_bytes())
    except (OSError, ValueError) as error:
        raise UserError(f"{wish.picture.name} can't be read as a picture: {why(error)}.") from error
    return picture if wish.box is None else crop(picture, wish.box)
