"""What is new in a state of a page: kinds of things, not texts."""

from __future__ import annotations

from tests.integration.probes.conftest import PlaywrightView
from tools.probes.kinds import Shown, kinds_shown

PAGE = """<!DOCTYPE html><html lang="en"><head><title>Kinds</title><style>
body { margin: 0; font: 16px sans-serif; background: #fff; color: #222; }
body.dark { background: #111; color: #eee; }
button:hover, button:focus { background: #cde; }
.error { color: #a00; }
</style></head><body><main><h1>Notes</h1><p id="said">Hello</p><button id="add">Add</button><ul id="list"></ul>
<dialog id="ask" aria-labelledby="title"><h2 id="title">New task</h2><input></dialog></main></body></html>"""


async def _after(view: PlaywrightView, script: str) -> tuple[Shown, frozenset[str]]:
    await view.page.set_content(PAGE)
    before = await kinds_shown(view)
    await view.page.evaluate(script)
    after = await kinds_shown(view)
    return after, after.kinds - before.kinds


async def test_another_text_brings_no_news(view: PlaywrightView) -> None:
    """Nor does one that went away."""
    _, news = await _after(view, "() => { said.textContent = 'Goodbye'; add.textContent = 'Add one more'; }")
    assert news == frozenset()
    _, news = await _after(view, "() => said.remove()")
    assert news == frozenset()


async def test_a_control_in_hand_brings_no_news(view: PlaywrightView) -> None:
    """The look of a control with the pointer on it, or the focus, is a moment of it."""
    await view.page.set_content(PAGE)
    before = await kinds_shown(view)
    await view.page.hover("#add")
    await view.page.focus("#add")
    assert (await kinds_shown(view)).kinds <= before.kinds


async def test_a_dialog_is_new_and_has_a_title(view: PlaywrightView) -> None:
    """By its label, and only while it is open."""
    shown, news = await _after(view, "() => ask.showModal()")
    assert news
    assert shown.dialog == "New task"
    shown, _ = await _after(view, "() => { ask.showModal(); ask.close(); }")
    assert shown.dialog is None


async def test_another_theme_is_new(view: PlaywrightView) -> None:
    """Every text has another paint, and the page is told to be dark."""
    shown, news = await _after(view, "() => document.body.classList.add('dark')")
    assert news
    assert shown.dark


async def test_an_error_is_new(view: PlaywrightView) -> None:
    """Marked up as an alert, it is told as one."""
    script = "() => said.insertAdjacentHTML('afterend', '<p class=error role=alert>Too short</p>')"
    shown, news = await _after(view, script)
    assert news
    assert shown.fault


async def test_many_of_a_kind_and_a_long_word_are_new(view: PlaywrightView) -> None:
    """A list that was filled, a word without an end: that is where a layout breaks. A second entry is not."""
    add = "(count) => { for (let at = 0; at < count; at += 1) list.insertAdjacentHTML('beforeend', '<li>Milk</li>'); }"
    await view.page.set_content(PAGE)
    await view.page.evaluate(add, 1)
    first = await kinds_shown(view)
    await view.page.evaluate(add, 1)
    assert (await kinds_shown(view)).kinds == first.kinds
    await view.page.evaluate(add, 12)
    assert (await kinds_shown(view)).kinds - first.kinds
    _, news = await _after(view, "() => { said.textContent = 'm'.repeat(40); }")
    assert news
