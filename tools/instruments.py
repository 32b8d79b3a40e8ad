"""The instruments that anybody may call by name: agents as tools, people as verbs. Each is usable without a run."""

# Instruments import what they need: a model that is offered them all must not load them all.
# ruff: noqa: PLC0415

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from tools.errors import UserError
from tools.evidence.rows import Box
from tools.registry import Given, instrument

if TYPE_CHECKING:
    from tools.media.image import Picture

MOST_LINES = 120


class InPicture(BaseModel):
    """A picture, or a part of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    picture: Path = Field(description="PNG, JPEG or WebP file.")
    box: Box | None = Field(default=None, description="Part to look at, in pixels; the whole picture if left out.")


class Script(BaseModel):
    """A Manim script."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    script: Path = Field(description="Python file that uses Manim.")


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
    from tools.manim.check import check_script, rows
    from tools.manim.pool import Pool

    with tempfile.TemporaryDirectory(prefix="assay-manim-") as scratch, Pool(Path(scratch) / "pool") as pool:
        check = check_script(pool, wish.script, Path(scratch) / "check")
    found = list(rows({wish.script.name: check.model_dump(mode="json")}))
    lines = ["; ".join(f"{key}={value}" for key, value in row.items() if value not in (None, "", [])) for row in found[:40]]
    return Given("\n".join(lines) or "nothing was found", check)


def _opened(wish: InPicture) -> Picture:
    from tools.media.image import crop, decode

    try:
        picture = decode(wish.picture.read_bytes())
    except (OSError, ValueError) as error:
        raise UserError(f"{wish.picture.name} can't be read as a picture: {error}.") from error
    return picture if wish.box is None else crop(picture, wish.box)
