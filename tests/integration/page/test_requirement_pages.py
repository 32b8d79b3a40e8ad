"""The page models that requirements are matched on are what the reader makes of the pages beside them.

After a change of the reader: `ASSAY_SAVE_PAGES=1 .venv/bin/python -m pytest tests/integration/page/test_requirement_pages.py`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.async_api import Page

from configs.settings import Timeouts
from tests.conftest import FIXTURES
from tools.browser.tab import Tab
from tools.page.model import KINDS, PageModel
from tools.page.reading import read_page

PAGES = sorted((FIXTURES / "requirements/pages").glob("*.html"))


def _said(page: PageModel) -> dict[str, list[tuple[str, str]]]:
    return {kind: [(part.key, part.name) for part in getattr(page, kind)] for kind in KINDS}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
async def test_saved_models_are_what_the_reader_reads(page: Page, path: Path) -> None:
    """By keys and names of all parts."""
    await page.goto(path.as_uri())
    read = await read_page(await Tab.attach(page, Timeouts()))
    if os.environ.get("ASSAY_SAVE_PAGES"):
        path.with_suffix(".json").write_text(read.model_dump_json(exclude_defaults=True), encoding="utf-8")
    saved = PageModel.model_validate_json(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert _said(saved) == _said(read)
