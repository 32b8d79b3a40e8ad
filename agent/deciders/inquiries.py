"""What a model may ask before it offers trials: a look at the picture, text or a diagram in it, more of the page."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from PIL import Image
from pydantic import BaseModel, ConfigDict, Field

from agent.deciders import telling, wording
from agent.deciders.board import Board
from agent.deciders.marked import as_jpeg
from agent.deciders.protocol import View
from prompts import Safe, fenced, ours
from tools import catalogue, registry
from tools.errors import AssayError
from tools.evidence.ledger import LEDGER_FILE
from tools.evidence.record import Record
from tools.evidence.rows import Box, SourceFile
from tools.media.image import Picture, encode
from tools.models.protocol import Part, Text, Tool
from tools.models.protocol import Picture as Shown
from tools.page.parts import Part as PagePart

MOST_WORDS = 6000
LONGEST_S = 60.0
LEAST_PX, ENLARGED_PX, MARGIN_PX = 4, 640, 24
"""Side of what can be looked into; sides up to which a small part is enlarged; what is shown around it."""


class Unanswered(Exception):
    """Why a question has no answer, in our own words: they go back to the model."""


class _Inquiry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Looking(_Inquiry):
    """See the window as it is now without numbers drawn, or one part enlarged."""

    part: int = Field(default=0, description="Number of the part; 0: the whole window.")


class Reading(_Inquiry):
    """Read the text in the picture (OCR), for canvases and pictures."""

    part: int = Field(default=0, description="Only inside this part; 0: the whole window.")


class Diagram(_Inquiry):
    """Read the graph out of a diagram in the picture, as Mermaid."""

    part: int = Field(default=0, description="Only inside this part; 0: the whole window.")


class Animation(_Inquiry):
    """Run one of the app's Manim scripts in a sandbox and tell what its film shows."""

    script: str = Field(description="Path of the script among the app's source files.")


class Detail(_Inquiry):
    """More of what is known: all controls and list items, the whole text, one part, the last trials in full, the source files."""

    of: Literal["controls", "text", "part", "trials", "sources"]
    part: int = Field(default=0, description="For `part`: its number.")


INQUIRIES: dict[str, type[_Inquiry]] = {
    "look": Looking,
    "read_text": Reading,
    "parse_diagram": Diagram,
    "check_animation": Animation,
    "ask_for_detail": Detail,
}
TOOLS = tuple(Tool(name, (kind.__doc__ or "").strip(), kind) for name, kind in INQUIRIES.items())


def offered(desk: Desk) -> tuple[Tool, ...]:
    """The questions that make sense: of a diagram where there is a drawing, of an animation where there is a script."""
    senseless = {"parse_diagram": not desk.view.page.surfaces, "check_animation": not desk.scripts}
    return tuple(tool for tool in TOOLS if not senseless.get(tool.name, False))


@dataclass(frozen=True)
class Desk:
    """What inquiries are answered from."""

    view: View
    board: Board
    run_dir: Path

    @cached_property
    def scripts(self) -> frozenset[str]:
        """Python scripts among the app's source files."""
        record = Record.read(self.run_dir) if (self.run_dir / LEDGER_FILE).is_file() else None
        return (
            frozenset(source_file.path for _, source_file in record.of(SourceFile) if source_file.path.endswith(".py"))
            if record
            else frozenset()
        )

    @property
    def picture(self) -> Picture:
        """The window. Raises `Unanswered` where there is no picture of it."""
        if self.view.picture is None:
            raise Unanswered("There is no picture of the page now.")
        return self.view.picture


async def answer(name: str, arguments: dict[str, object], desk: Desk) -> tuple[Part, ...]:
    """The answer to an inquiry, fenced where it holds the page's words. Never raises for what an instrument can't do."""
    wish = INQUIRIES[name].model_validate(arguments)
    try:
        async with asyncio.timeout(LONGEST_S):
            match wish:
                case Looking(part=number):
                    return (_looked(number, desk),)
                case Detail():
                    return (Text(_detail(wish, desk)),)
                case Animation():
                    return (Text(await asyncio.to_thread(_animation, wish.script, desk)),)
                case Reading(part=number) | Diagram(part=number):
                    return (Text(await asyncio.to_thread(_read, name, number, desk)),)
                case _:
                    return (Text(ours("There is no such question.")),)
    except Unanswered as reason:
        return (Text(ours(str(reason))),)
    except AssayError as error:
        return (Text(fenced(f"{name} failed", registry.told(error), 600)),)
    except TimeoutError:
        return (Text(ours(f"{name} took longer than {LONGEST_S:g} s and was given up.")),)


def _looked(number: int, desk: Desk) -> Shown:
    image = Image.fromarray(desk.picture).convert("RGB")
    label = "The window now, without numbers:"
    if number:
        box, label = _box(number, desk), f"Part {number}, with a little around it:"
        image = image.crop(
            (
                max(0, int(box.x) - MARGIN_PX),
                max(0, int(box.y) - MARGIN_PX),
                min(image.width, int(box.x + box.width) + MARGIN_PX),
                min(image.height, int(box.y + box.height) + MARGIN_PX),
            )
        )
        if (side := max(image.size)) < ENLARGED_PX:
            times = ENLARGED_PX / side
            image = image.resize((round(image.width * times), round(image.height * times)), Image.Resampling.LANCZOS)
    return Shown(as_jpeg(image), ours(label), "image/jpeg", *image.size)


def _read(name: str, number: int, desk: Desk) -> Safe:
    box = _box(number, desk) if number else None
    with tempfile.TemporaryDirectory(prefix="assay-look-") as folder:
        path = Path(folder) / "page.png"
        path.write_bytes(encode(desk.picture))
        given = catalogue.find(name).use(picture=path, box=box)
    label = "text read in the picture" if name == "read_text" else "graph read in the picture"
    return fenced(label, given.content, MOST_WORDS)


def _animation(script: str, desk: Desk) -> Safe:
    record = Record.read(desk.run_dir)
    for row, source in record.of(SourceFile):
        if source.path == script and source.path.endswith(".py") and row.blob is not None:
            with tempfile.TemporaryDirectory(prefix="assay-script-") as folder:
                path = Path(folder) / Path(source.path).name
                path.write_bytes(record.blobs.get(row.blob))
                return fenced("what the animation shows", catalogue.find("check_manim").use(script=path).content, MOST_WORDS)
    raise Unanswered("There is no such script among the app's source files.")


def _part(number: int, desk: Desk) -> PagePart:
    part = desk.board.part(number)
    if part is None:
        raise Unanswered("No part has that number now.")
    return part


def _box(number: int, desk: Desk) -> Box:
    part = _part(number, desk)
    if not part.in_view:
        raise Unanswered("That part is not in the window: a trial that scrolls brings it there.")
    if part.box.width < LEAST_PX or part.box.height < LEAST_PX:
        raise Unanswered("That part is too small to be looked into.")
    return part.box


def _detail(wish: Detail, desk: Desk) -> Safe:
    match wish.of:
        case "controls":
            return fenced("all controls and items", wording.page(desk.board, text=0, rows=200), 12_000)
        case "text":
            return fenced("the whole visible text", desk.view.page.text, 12_000)
        case "part":
            return fenced("one part", _part(wish.part, desk).model_dump_json(exclude_defaults=True), 3000)
        case "trials":
            last = [telling.in_full(record) for record in desk.view.tried[-4:]]
            return fenced("the last trials in full", "\n".join(last) or "(none)", 12_000)
        case "sources":
            paths = [source.path for _, source in Record.read(desk.run_dir).of(SourceFile)]
            return fenced("the app's source files", "\n".join(paths[:100]) or "(none known)", MOST_WORDS)
