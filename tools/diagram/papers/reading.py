"""Reads a paper – PDF, Markdown or plain text – into sections. No model: sizes of letters, numbers of headings, blank lines."""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tools.errors import UserError

READ_S = 60.0
MAX_BYTES = 100_000_000
MAX_TEXT = 5_000_000

_NUMBERED = re.compile(
    r"(?P<number>(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}|[A-H])\.?)\s+(?P<title>[A-Z\u4e00-\u9fff][^.!?]{1,80})\Z"
)
_KNOWN = re.compile(
    r"(?:abstract|introduction|background|related works?|preliminaries"
    r"|(?:proposed )?(?:methods?|methodology|approach|model|architecture|framework|system)(?: overview)?"
    r"|experiments?|experimental (?:setup|results)|evaluation|results|discussion|limitations|conclusions?|acknowledge?ments?"
    r"|references|bibliography|appendix|摘要|引言|相关工作|方法|实验|结论|参考文献)\Z",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"(?:Fig(?:ure|\.)|Table|图|表)\s*\d+\s*[.:：]\s*\S", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"(?:page\s+)?\d{1,4}(?:\s*/\s*\d+)?\Z", re.IGNORECASE)


class Section(BaseModel):
    """A heading with what stands below it, up to the next heading of any level."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heading: str
    level: int
    paragraphs: tuple[str, ...]
    page: int = 0
    """Where it begins, from 1; 0 where there are no pages."""


class Paper(BaseModel):
    """A paper's text in order."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    title: str
    sections: tuple[Section, ...]
    captions: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class _Line(BaseModel):
    page: int
    size: float
    text: str


def read_paper(path: Path) -> Paper:
    """Reads a paper. Raises `UserError` if it is not there, too big, no text or a PDF that can't be read within limits."""
    try:
        with path.open("rb") as stream:
            size, head = path.stat().st_size, stream.read(1024)
    except OSError as error:
        raise UserError(f"{path} can't be read: {error}.") from error
    if size > MAX_BYTES:
        raise UserError(f"{path} has {size / 1e6:.0f} MB.", hint=f"At most {MAX_BYTES // 1_000_000} MB are read.")
    if b"%PDF-" in head:
        return _from_pdf(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is neither a PDF nor text in UTF-8.") from error
    return paper_of(text, str(path))


def paper_of(text: str, source: str = "text") -> Paper:
    """A paper from Markdown or plain text. Raises `UserError` for an empty or endless one."""
    if not text.strip() or len(text) > MAX_TEXT:
        raise UserError(
            "The paper is empty." if not text.strip() else "The paper is too long.", hint=f"Up to {MAX_TEXT:,} signs."
        )
    sections, captions = _markdown(text) if re.search(r"^#{1,6}\s+\S", text, re.MULTILINE) else _plain(text)
    title = sections[0].heading if sections and sections[0].level == 1 else _first_line(text)
    return Paper(source=source, title=title, sections=tuple(sections), captions=tuple(captions))


def _first_line(text: str) -> str:
    return next(line.strip().lstrip("# ") for line in text.splitlines() if line.strip())[:200]


def _markdown(text: str) -> tuple[list[Section], list[str]]:
    sections: list[Section] = []
    heading, level, kept = "", 0, list[str]()
    captions: list[str] = []
    fenced = False

    def close() -> None:
        paragraphs = _paragraphs("\n".join(kept))
        captions.extend(paragraph for paragraph in paragraphs if _CAPTION.match(paragraph))
        body = tuple(paragraph for paragraph in paragraphs if not _CAPTION.match(paragraph))
        if heading or body:
            sections.append(Section(heading=heading, level=level, paragraphs=body))

    for line in text.splitlines():
        fenced ^= line.lstrip().startswith("```")
        match = None if fenced else re.match(r"(#{1,6})\s+(.*?)\s*#*\Z", line)
        if match:
            close()
            heading, level, kept = match.group(2).strip(), len(match.group(1)), []
        elif not fenced and not line.lstrip().startswith("```"):
            kept.append(line)
    close()
    return sections, captions


def _paragraphs(text: str) -> list[str]:
    found = []
    for block in re.split(r"\n\s*\n", text):
        # Items of a list are sentences of their own.
        pieces = re.split(r"\n\s*(?=[-*+•]\s|\d{1,2}[.)]\s)", block)
        found += [re.sub(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+", "", " ".join(piece.split())) for piece in pieces if piece.strip()]
    return [text for text in found if text]


def _plain(text: str) -> tuple[list[Section], list[str]]:
    lines = [_Line(page=0, size=0, text=line.strip()) for line in text.splitlines()]
    return _sections(lines, body=0)


def _from_pdf(path: Path) -> Paper:
    """Letters and sizes come from a program of its own, so that a bad file can take neither time nor memory without end."""
    root = Path(__file__).resolve().parents[3]
    env = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(root), "LANG": "C.UTF-8", "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "tools.diagram.papers.pdf_lines", str(path.resolve())]
    try:
        done = subprocess.run(command, capture_output=True, timeout=READ_S, check=False, env=env)
    except subprocess.TimeoutExpired as error:
        raise UserError(f"{path} could not be read in {READ_S:g} s.") from error
    if done.returncode != 0:
        reason = done.stderr.decode(errors="replace").strip().splitlines()
        raise UserError(f"{path} is no PDF that can be read ({reason[-1][:160] if reason else 'it ended without a word'}).")
    told = json.loads(done.stdout)
    lines = [_Line(page=page, size=size, text=text) for page, size, text in told["lines"]]
    if not lines:
        raise UserError(f"{path} has no text.", hint="Scanned pages have to be read by OCR first.")
    lines = _without_margins(lines)
    body = statistics.median(line.size for line in lines for _ in range(max(1, len(line.text) // 20)))
    sections, captions = _sections(lines, body=body)
    read = max(line.page for line in lines)
    remarks = (f"read {read} of {told['pages']} pages",) if read < told["pages"] else ()
    return Paper(source=str(path), title=_title(lines), sections=tuple(sections), captions=tuple(captions), remarks=remarks)


def _title(lines: list[_Line]) -> str:
    """The largest letters of the first page."""
    first = [line for line in lines if line.page == 1][:60]
    largest = max((line.size for line in first), default=0)
    return " ".join(line.text for line in first if line.size >= largest - 0.1)[:300]


def _without_margins(lines: list[_Line]) -> list[_Line]:
    """Without page numbers and what is repeated on most pages."""
    pages = max(line.page for line in lines)
    again = Counter(re.sub(r"\d+", "#", text) for _, text in {(line.page, line.text) for line in lines})
    often = {text for text, count in again.items() if pages >= 3 and count > pages / 2}
    return [line for line in lines if not _PAGE_NUMBER.match(line.text) and re.sub(r"\d+", "#", line.text) not in often]


def _heading(line: _Line, body: float, *, alone: bool) -> tuple[str, int] | None:
    """Title and level, if a line is a heading: numbered, a known word, or set larger than the text."""
    text = line.text.strip()
    if not 2 <= len(text) <= 100 or text.endswith((",", ";", "-")):
        return None
    larger = body > 0 and line.size > body * 1.08
    numbered = _NUMBERED.match(text)
    if numbered and (larger or body == 0 or len(text.split()) <= 9):
        return numbered.group("title").strip(), numbered.group("number").rstrip(".").count(".") + 2
    if _KNOWN.match(text.rstrip(":.")):
        return text.rstrip(":."), 2
    if larger and alone and not text.endswith(".") and any(sign.isalpha() for sign in text):
        return text, 2
    if body == 0 and alone and text.isupper() and any(sign.isalpha() for sign in text) and len(text.split()) <= 8:
        return text.title(), 2
    return None


def _sections(lines: list[_Line], body: float) -> tuple[list[Section], list[str]]:
    sections: list[Section] = []
    captions: list[str] = []
    heading, level, page, kept = "", 1, 0, list[str]()

    def close() -> None:
        paragraphs = [_mended(block) for block in _blocks(kept)]
        captions.extend(paragraph for paragraph in paragraphs if _CAPTION.match(paragraph))
        rest = tuple(paragraph for paragraph in paragraphs if paragraph and not _CAPTION.match(paragraph))
        if heading or rest:
            sections.append(Section(heading=heading, level=level, paragraphs=rest, page=page))

    for at, line in enumerate(lines):
        before = lines[at - 1].text if at else ""
        alone = body > 0 or not before.strip()
        found = _heading(line, body, alone=alone) if line.text.strip() else None
        if found:
            close()
            (heading, level), page, kept = found, line.page, []
        else:
            kept.append(line.text)
    close()
    return sections, captions


def _blocks(lines: list[str]) -> list[list[str]]:
    """Lines of one paragraph: parted by blank lines, and before captions."""
    found: list[list[str]] = [[]]
    for line in lines:
        if not line.strip():
            found.append([])
            continue
        if _CAPTION.match(line):
            found.append([])
        found[-1].append(line)
        if found[-1] and _CAPTION.match(found[-1][0]) and line.rstrip().endswith("."):
            found.append([])
    return [block for block in found if block]


def _mended(lines: list[str]) -> str:
    """A paragraph in one line; words that were parted at line ends are joined (PDF marks some with a noncharacter)."""
    text = ""
    for line in lines:
        stripped = line.strip()
        if text.endswith(("-", "\u00ad", "\ufffe", "\x02")) and stripped[:1].islower():
            text = text[:-1] + stripped
        else:
            text = f"{text} {stripped}" if text else stripped
    return " ".join(re.sub("[\u00ad\ufffe\x02]\\s?", "", text).split())
