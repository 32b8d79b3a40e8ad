"""A shelf of books, and what may be wrong with it: small versions of one app, and trials of it written by hand."""

from __future__ import annotations

from pathlib import Path

BRIEF = "A shelf of books: users can add a book by its title, and clear the shelf. The number of books is shown."
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Shelf</title><style>
body { font: 18px/1.5 sans-serif; margin: 40px; background: #fff; color: #111; }
button, input { font: inherit; padding: 6px 12px; }
</style></head><body>
<h1>Shelf</h1>
<form id="form"><label>Title <input id="title"></label> <button id="add">Add</button></form>
<p>Books: <b id="count">2</b></p>
<h2 id="heading">Books</h2>
<ul id="books" aria-labelledby="heading"><li>Rivers</li><li>Oak and ash</li></ul>
<button id="clear" type="button">Clear the shelf</button>
EXTRA
<script>
const books = document.getElementById("books");
function count() { document.getElementById("count").textContent = books.children.length; }
document.getElementById("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const title = document.getElementById("title");
  if (title.value.trim()ONLY_IF) {
    const line = document.createElement("li");
    line.textContent = title.value.trim();
    books.append(line);
  }
  title.value = "";
  count();
});
document.getElementById("clear").addEventListener("click", () => { books.replaceChildren(); count(); });
</script></body></html>
"""
RIGHT = PAGE.replace("ONLY_IF", "").replace("EXTRA", "")
WRONG = PAGE.replace("ONLY_IF", ' && !title.value.includes(" ")').replace("EXTRA", "")
"""Titles of two words are lost."""
LENDING = PAGE.replace("ONLY_IF", "").replace("EXTRA", '<button id="lend" type="button">Lend</button>')
"""Has a button more than `RIGHT`, which does nothing."""

ADDING = """
[[trial]]
why = "A book of two words stands on the shelf"
do = [{ fill_form = { Title = "Amber Lake" }, submit = "Add" }]
expect = [{ contains = ["Amber Lake"], in = "Books" }]
"""
CLEARING = """
[[trial]]
why = "The shelf is cleared"
do = [{ press = "Clear the shelf" }]
expect = [{ appears = "Books: 0" }]
"""
LENT = """
[[trial]]
why = "A book is lent"
do = [{ press = "Lend" }]
expect = [{ appears = "is lent" }]
"""


def write(folder: Path, page: str) -> Path:
    """The app in a folder; returns its file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "index.html"
    path.write_text(page, encoding="utf-8")
    return path


def trials(path: Path, *texts: str) -> str:
    """A file of these trials, as `--decider` names it."""
    path.write_text("".join(texts), encoding="utf-8")
    return f"scripted:{path}"
