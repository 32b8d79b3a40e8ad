"""What a model may ask before it decides: text in the picture, a diagram's graph, an animation's check, or more of the page."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.deciders import wording
from agent.deciders.moves import Objection
from agent.deciders.protocol import View
from prompts import Safe, fenced, ours
from tools import registry
from tools.browser.marks import Mark
from tools.errors import AssayError
from tools.evidence.record import Record
from tools.evidence.rows import Box, ConsoleMessage, DialogShown, NetworkFailure, PageError, SourceFile
from tools.media.image import Picture, encode
from tools.models.protocol import Tool

MOST_WORDS = 6000
LONGEST_S = 60.0


class _Inquiry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Reading(_Inquiry):
    """Read the text in the picture (OCR), for canvases and pictures. Changes nothing."""

    mark: str = Field(default="", description="Only inside this mark; empty: the whole window.")


class Diagram(_Inquiry):
    """Read the graph out of a diagram in the picture, as Mermaid. Changes nothing."""

    mark: str = Field(default="", description="Only inside this mark; empty: the whole window.")


class Animation(_Inquiry):
    """Run one of the app's Manim scripts in a sandbox and tell what its film shows."""

    script: str = Field(description="Path of the script among the app's source files.")


class Detail(_Inquiry):
    """See more of what is known: all marks, the whole text, the log since the last observation, one mark, the source files."""

    of: Literal["marks", "text", "log", "mark", "sources"]
    mark: str = Field(default="", description="For `mark`: its id.")


INQUIRIES: dict[str, type[_Inquiry]] = {
    "read_text": Reading,
    "parse_diagram": Diagram,
    "check_animation": Animation,
    "ask_for_detail": Detail,
}
TOOLS = tuple(Tool(name, (one.__doc__ or "").strip(), one) for name, one in INQUIRIES.items())


@dataclass(frozen=True)
class Desk:
    """What inquiries are answered from."""

    view: View
    picture: Picture
    run_dir: Path


async def answer(name: str, arguments: dict[str, object], desk: Desk) -> Safe:
    """The answer to an inquiry, fenced where it holds the page's words. Never raises for what an instrument can't do."""
    wish = INQUIRIES[name].model_validate(arguments)
    try:
        async with asyncio.timeout(LONGEST_S):
            match wish:
                case Detail():
                    return _detail(wish, desk)
                case Animation():
                    return await asyncio.to_thread(_animation, wish.script, desk)
                case Reading() | Diagram():
                    return await asyncio.to_thread(_seen, name, wish.mark, desk)
                case _:
                    return ours("There is no such question.")
    except Objection as objection:
        return ours(str(objection))
    except AssayError as error:
        return fenced(f"{name} failed", registry.told(error), 600)
    except TimeoutError:
        return ours(f"{name} took longer than {LONGEST_S:g} s and was given up.")


def _seen(name: str, mark_id: str, desk: Desk) -> Safe:
    box = _box(mark_id, desk.view) if mark_id else None
    with tempfile.TemporaryDirectory(prefix="assay-look-") as folder:
        path = Path(folder) / "page.png"
        path.write_bytes(encode(desk.picture))
        given = registry.find(name).use(picture=path, box=box)
    label = "text read in the picture" if name == "read_text" else "graph read in the picture"
    return fenced(label, given.content, MOST_WORDS)


def _animation(script: str, desk: Desk) -> Safe:
    record = Record.read(desk.run_dir)
    for row, source in record.of(SourceFile):
        if source.path == script and source.path.endswith(".py") and row.blob is not None:
            with tempfile.TemporaryDirectory(prefix="assay-script-") as folder:
                path = Path(folder) / Path(source.path).name
                path.write_bytes(record.blobs.get(row.blob))
                return fenced("what the animation shows", registry.find("check_manim").use(script=path).content, MOST_WORDS)
    raise Objection("There is no such script among the app's source files.")


def _mark(mark_id: str, view: View) -> Mark:
    mark = view.now.mark(mark_id.strip())
    if mark is None:
        raise Objection("There is no such mark now.")
    return mark


def _box(mark_id: str, view: View) -> Box:
    box = _mark(mark_id, view).box
    if box.width < 4 or box.height < 4:
        raise Objection("That mark is too small to be looked into.")
    return box


def _detail(wish: Detail, desk: Desk) -> Safe:
    now = desk.view.now
    match wish.of:
        case "marks":
            return fenced("all marks", wording.page(now, marks=300, text=0), 12_000)
        case "text":
            return fenced("the whole visible text", now.text, 12_000)
        case "mark":
            return fenced("one mark", _mark(wish.mark, desk.view).model_dump_json(exclude_defaults=True), 3000)
        case "log":
            return fenced("the log since the last observation", _log(desk) or "(nothing)", MOST_WORDS)
        case "sources":
            paths = [source.path for _, source in Record.read(desk.run_dir).of(SourceFile)]
            return fenced("the app's source files", "\n".join(paths[:100]) or "(none known)", MOST_WORDS)


def _log(desk: Desk) -> str:
    logs, record = desk.view.now.logs, Record.read(desk.run_dir)
    lines = []
    for row_id in (*logs.errors, *logs.console, *logs.network, *logs.dialogs)[:60]:
        row = record.row(row_id)
        match row.body if row is not None else None:
            case PageError(message=message):
                lines.append(f"uncaught error: {message}")
            case ConsoleMessage(level=level, text=text):
                lines.append(f"console {level}: {text}")
            case NetworkFailure() as failure:
                lines.append(f"request failed: {failure.url}")
            case DialogShown() as dialog:
                lines.append(f"dialog: {dialog.message}")
            case _:
                continue
    return "\n".join(line[:300] for line in lines)
