# ruff: noqa: E501 - pages stand in whole lines
"""What is dragged, on a board that does right, on ones that do not, and on their innocent twins."""

from __future__ import annotations

import pytest

from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Tryout, told
from tools.page.assertions import Target
from tools.page.trials import Press

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

BOARD = html(
    "Repairs",
    """<h1>Repairs</h1><style>main{display:flex;gap:16px}section{width:220px}ul{min-height:200px;padding:8px;background:#eee;list-style:none}li{background:#fff;margin:4px;padding:8px}</style><main id="board"></main><p id="said"></p>""",
    """let cards = JSON.parse(localStorage.cards ?? "null") ?? [["Bicycle", "New"], ["Kettle", "New"], ["Lamp", "Doing"], ["Radio", "Doing"], ["Toaster", "Done"], ["Clock", "Done"]].map(([name, at]) => ({ name, at }));
let held = null;
let drop = (card, at) => { card.at = at; };
let draggable = true;
const render = () => board.replaceChildren(...["New", "Doing", "Done"].map((at) => {
  const column = document.createElement("section"); column.innerHTML = `<h2>${at}</h2><ul aria-label="${at}"></ul>`;
  const list = column.querySelector("ul");
  list.append(...cards.filter((one) => one.at === at).map((one) => { const li = document.createElement("li"); li.textContent = one.name; li.draggable = draggable; li.ondragstart = (event) => { event.dataTransfer.setData("text", one.name); held = one; }; return li; }));
  list.ondragover = (event) => event.preventDefault();
  list.ondrop = (event) => { event.preventDefault(); if (held) { drop(held, at); held = null; render(); } };
  return column; }));
render();""",
)


def board(**parts: str) -> str:
    """The board with other code: `drop` what a drop does."""
    made = BOARD
    if "drop" in parts:
        made = made.replace("card.at = at;", parts["drop"])
    if parts.get("draggable") == "false":
        made = made.replace("let draggable = true", "let draggable = false")
    assert made != BOARD or not parts
    return made


LOST = board(drop="if (at === 'Done') cards = cards.filter((one) => one !== card); else card.at = at;")
TWICE = board(drop="if (at === 'Done') cards.push({ ...card, at }); else card.at = at;")
DEAD = board(drop="if (at !== 'Done') card.at = at;")
FIXED = board(drop="void 0;")
FULL = board(drop="if (at !== 'Done') card.at = at; else said.textContent = 'Done is full: two at most';")
OTHER = board(drop="card.at = at === 'Done' ? 'Doing' : at;")

NUMBERED = BOARD.replace(".map((one) => { const li", ".map((one, at) => { const li").replace(
    "li.textContent = one.name", "li.innerHTML = `<b>${at + 1}</b> <span>${one.name}</span>`"
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (BOARD, {"held"}),
        (NUMBERED, {"held"}),
        (LOST, {"held", "violated"}),
        (TWICE, {"held", "violated"}),
        (DEAD, {"held", "violated"}),
        (OTHER, {"held", "violated"}),
        (FULL, {"held", "cannot tell"}),
        (FIXED, {"explained"}),
        (board(draggable="false"), set[str]()),
    ],
    ids=[
        "right",
        "the others are numbered anew",
        "it is lost",
        "it is there twice",
        "one list takes nothing",
        "it lands elsewhere",
        "it is refused in words",
        "nothing can be moved",
        "says nothing of dragging",
    ],
)
async def test_what_is_dragged_is_moved(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """Each list's item to each list beside it; what moves nowhere may be fixed."""
    records = await tryout.tried("dragged_is_moved", page)
    assert results(records) == wanted, told(records)


KEPT = board(drop="card.at = at; localStorage.cards = JSON.stringify(cards);")
UNREAD = board(drop="card.at = at; localStorage.board = JSON.stringify(cards);")


@pytest.mark.parametrize(
    ("page", "wanted"),
    [(KEPT, {"held"}), (UNREAD, {"violated"}), (BOARD, {"explained"}), (FIXED, {"held"})],
    ids=["right", "it is stored where nobody reads it", "nothing is stored", "nothing can be moved"],
)
async def test_what_was_dragged_is_not_back_after_a_reload(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """By what dragging writes down."""
    records = await tryout.tried("dragged_survives", page)
    assert results(records) == wanted, told(records)


async def test_another_view_after_the_reload_tells_nothing(tryout: Tryout) -> None:
    """The app begins elsewhere again: the list may be as it was left."""
    closed = UNREAD.replace(
        '<main id="board">', '<button onclick="board.hidden = false">Board</button><main id="board" hidden>'
    ).replace("main{", "main:not([hidden]){")
    records = await tryout.tried("dragged_survives", closed, lambda page: Press(target=Target.of(page.buttons[0], page)))
    assert results(records) == {"cannot tell"}, told(records)


STEPS = html(
    "Recipe",
    """<h1>Recipe</h1><ol id="list" aria-label="Steps"></ol>""",
    """let steps = ["Chop the onions", "Heat the oil", "Add the rice", "Pour the broth"], held = -1;
const render = () => list.replaceChildren(...steps.map((step, at) => { const li = document.createElement("li"); li.innerHTML = `<b>${at + 1}</b> <span>${step}</span>`; li.draggable = true;
  li.ondragstart = (event) => { event.dataTransfer.setData("text", step); held = at; }; li.ondragover = (event) => event.preventDefault();
  li.ondrop = (event) => { event.preventDefault(); const [step] = steps.splice(held, 1); put(step, at); render(); }; return li; }));
let put = (step, at) => { steps.splice(at, 0, step); };
render();""",
)
DROPPED = STEPS.replace("steps.splice(at, 0, step);", "if (at < 2) steps.splice(at, 0, step);")
ASKED = "Steps of a recipe. They can be reordered by drag and drop."


@pytest.mark.parametrize(
    ("page", "brief", "wanted"),
    [(STEPS, ASKED, {"held"}), (DROPPED, ASKED, {"violated"}), (DROPPED, "Steps of a recipe.", set[str]())],
    ids=["right", "it is lost", "nobody asked for it"],
)
async def test_what_is_put_elsewhere_in_its_list_stays_in_it(tryout: Tryout, page: str, brief: str, wanted: set[str]) -> None:
    """Numbers before the items change with it."""
    records = await tryout.tried("dragged_is_moved", page, brief=brief)
    assert results(records) == wanted, told(records)
