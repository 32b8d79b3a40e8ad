"""The page in a raw answer: as InteractScience's released code takes it (*compat*), or as Assay does (*strict*)."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict

from tools.app.answer.extract import extract

_FENCE = re.compile(r"```html\s*\n(.*?)\s*```", re.DOTALL)


class Page(BaseModel):
    """One answer's page. `html` None: there is none, and every test of the problem fails."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    html: str | None
    notes: tuple[str, ...] = ()


def page_of(problem: str, answer: str, mode: Literal["strict", "compat"]) -> Page:
    """The page. Compat: the first closed fence ```html, its entities resolved – which alters the code of many pages.

    Strict: the app as `assay eval` takes it out of an answer, if it is one page.
    """
    if mode == "compat":
        match = _FENCE.search(answer)
        return Page(id=problem, html=html.unescape(match[1]) if match else None)
    found = extract(answer)
    name = (
        found.entry
        if found.entry in found.files
        else next((path for path in found.files if path.endswith((".html", ".htm"))), "")
    )
    if not name:
        return Page(id=problem, html=None, notes=found.notes)
    return Page(id=problem, html=found.files[name], notes=found.notes)


def write_pages(pages: Sequence[Page], folder: Path) -> list[str]:
    """Write `ID.html` for each page there is; returns the ids without one."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in pages:
        if page.html is not None:
            (folder / f"{quote(page.id, safe=' ')}.html").write_text(page.html, encoding="utf-8", newline="\n")
    return [page.id for page in pages if page.html is None]
