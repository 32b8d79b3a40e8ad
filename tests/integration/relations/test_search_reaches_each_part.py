# ruff: noqa: E501 - pages stand in whole lines
"""A search by several parts of an item, on a library in two languages: right, with one part left out, and where less is said."""

from __future__ import annotations

import pytest

from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Tryout, told

pytestmark = pytest.mark.long  # each trial waits for what is late

_SCRIPT = """const books = BOOKS; const draw = () => {
  const word = q.value.trim().toLowerCase();
  const found = books.filter((book) => [FIELDS].some((text) => text.toLowerCase().includes(word)));
  list.innerHTML = found.map((book) => `<li><h3>${book.name}</h3><p>${book.by} · MARK ${book.code}</p><p>${book.state}</p></li>`).join("");
  none.textContent = found.length ? "" : "–"; };
q.oninput = draw; draw();"""
_ENGLISH = """[{name: "Letters from the hills", by: "Ada Lin", code: "A1024", state: "here"},
{name: "The tea road", by: "Ben Zhou", code: "B2071", state: "lent"}, {name: "The watchmaker", by: "Cleo Shen", code: "A1177", state: "here"},
{name: "Rainy kitchen", by: "Ada Lin", code: "C3003", state: "lent"}, {name: "Rivers", by: "Dan Wu", code: "C3110", state: "here"}]"""
_CHINESE = """[{name: "《山中来信》", by: "林远舟", code: "A1024", state: "在馆"}, {name: "《茶马古道》", by: "周砚秋", code: "B2071", state: "借出"},
{name: "《修表匠》", by: "沈知夏", code: "A1177", state: "在馆"}, {name: "《雨季厨房》", by: "林远舟", code: "C3003", state: "借出"},
{name: "《河流简史》", by: "吴立", code: "C3110", state: "在馆"}]"""
ALL, NO_AUTHOR = "book.name, book.by, book.code", "book.name, book.code"


def library(books: str, mark: str, hint: str, fields: str) -> str:
    """Five books."""
    script = _SCRIPT.replace("BOOKS", books).replace("MARK", mark).replace("FIELDS", fields)
    body = f'<h1>Library</h1><input id="q" type="search" aria-label="Search" placeholder="{hint}"><ul id="list"></ul><p id="none"></p>'
    return html("Library", body, script)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (library(_ENGLISH, "No.", "Title, author or number", ALL), {"held"}),
        (library(_ENGLISH, "No.", "Title, author or number", NO_AUTHOR), {"held", "violated"}),
        (library(_ENGLISH, "No.", "Title or number", NO_AUTHOR), set()),
        (library(_ENGLISH, "No.", "Search the library", NO_AUTHOR), set()),
        (library(_CHINESE, "书号", "输入书名、作者或书号", ALL), {"held"}),
        (library(_CHINESE, "书号", "输入书名、作者或书号", NO_AUTHOR), {"held", "violated"}),
    ],
    ids=["right", "not by author", "author is not searched", "nothing is said", "right, Chinese", "not by author, Chinese"],
)
async def test_a_search_by_three_parts_finds_by_each(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """Said by the field's own hint; where fewer are named than tell the items apart nobody knows which."""
    records = await tryout.tried("search_reaches_each_part", page)
    assert results(records) == wanted, told(records)
