"""What is typed arrives exactly, and every key says what a keyboard would."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from Xlib import X
from Xlib.display import Display

from tests.integration.looking import Scene, Way
from tools.browser.acting.keys import Key
from tools.browser.acting.xtest import XTestInput
from tools.browser.actions import Press, Target, Type

WAYS = pytest.mark.parametrize("way", ["xtest", "cdp"])
TEXT = "Hello, World! ~`@#$%^&*()_+-={}|[]\\:\";'<>?,./ Zz09 你好 日本語 é ñ 👩‍👩‍👧 🇨🇭 end"

KEYS = [
    ("a", "a", "KeyA", 65),
    ("A", "A", "KeyA", 65),
    ("7", "7", "Digit7", 55),
    ("&", "&", "Digit7", 55),
    ("ArrowLeft", "ArrowLeft", "ArrowLeft", 37),
    ("ArrowUp", "ArrowUp", "ArrowUp", 38),
    ("ArrowRight", "ArrowRight", "ArrowRight", 39),
    ("ArrowDown", "ArrowDown", "ArrowDown", 40),
    ("Space", " ", "Space", 32),
    ("Enter", "Enter", "Enter", 13),
    ("Escape", "Escape", "Escape", 27),
    ("Backspace", "Backspace", "Backspace", 8),
    ("Delete", "Delete", "Delete", 46),
    ("Home", "Home", "Home", 36),
    ("PageDown", "PageDown", "PageDown", 34),
    ("F1", "F1", "F1", 112),
    ("F5", "F5", "F5", 116),
    ("F12", "F12", "F12", 123),
    ("-", "-", "Minus", 189),
    ("?", "?", "Slash", 191),
    ("'", "'", "Quote", 222),
    ("Numpad5", "5", "Numpad5", 101),
]


@WAYS
async def test_text_arrives_exactly(scene: Scene, way: Way) -> None:
    """Capitals, symbols, Chinese, Japanese, accents, emoji of several code points."""
    await scene.open("deeds.html")
    done = await scene.act(way, Type(target=Target(selector="#field"), text=TEXT))
    assert (done.delivered, done.problem, done.hit) == (True, "", "#field")
    assert await scene.script("field.value") == TEXT
    assert await scene.script("log.every((entry) => entry.at(-1) === true)")


@WAYS
async def test_fields_of_all_kinds(scene: Scene, way: Way) -> None:
    """What was there is replaced; lines in a text area; rich text; a field in a closed shadow root; Enter submits."""
    await scene.open("deeds.html")
    await scene.act(way, Type(target=Target(selector="#full"), text="New"))
    assert await scene.script("full.value") == "New"
    await scene.act(way, Type(target=Target(selector="#full"), text=" more", clear=False))
    assert "New" in str(await scene.script("full.value"))
    await scene.act(way, Type(target=Target(selector="#area"), text="One\nTwo 三"))
    assert await scene.script("area.value") == "One\nTwo 三"
    await scene.act(way, Type(target=Target(selector="#rich"), text="Rich Ü"))
    assert await scene.script("rich.textContent") == "Rich Ü"
    inner = Target(selector="#shadow >>> input")
    assert (await scene.act(way, Type(target=inner, text="Deep"))).delivered
    seen = await scene.stage.observe("typed")
    assert [mark.value for mark in seen.marks if mark.name == "inner"] == ["Deep"]
    await scene.act(way, Type(target=Target(selector="#wanted"), text="go", submit=True))
    assert ["submit", "go"] in await scene.script("log")


@WAYS
async def test_what_a_field_holds_is_typed_over(scene: Scene, way: Way) -> None:
    """It is never empty in between: an app may put a number there at once, and the new one would be added to that."""
    await scene.open("deeds.html")
    await scene.script("full.oninput = () => { if (!full.value) full.value = '1'; }")
    await scene.act(way, Type(target=Target(selector="#full"), text="9"))
    assert await scene.script("full.value") == "9"
    await scene.script("full.oninput = null")
    await scene.act(way, Type(target=Target(selector="#full"), text=""))
    assert await scene.script("full.value") == ""


@WAYS
async def test_keys_say_what_a_keyboard_says(scene: Scene, way: Way) -> None:
    """`key`, `code` and `keyCode` of the whole table; nothing of it reaches the browser itself."""
    await scene.open("deeds.html")
    await scene.script("document.activeElement.blur()")
    done = await scene.act(way, Press(keys=tuple(name for name, *_ in KEYS), hold_ms=20, gap_ms=10))
    assert (done.delivered, done.problem) == (True, "")
    heard = [entry for entry in await scene.script("log") if entry[0] == "keydown" and entry[1] != "Shift"]
    assert [tuple(entry[1:4]) for entry in heard] == [key[1:] for key in KEYS]
    assert all(entry[5] for entry in heard)
    assert scene.stage.page.url.endswith("deeds.html")


@WAYS
async def test_chords(scene: Scene, way: Way) -> None:
    """Modifiers are down around the key; what edits text edits it; a chord of the browser's own reaches only the page."""
    await scene.open("deeds.html")
    await scene.act(way, Type(target=Target(selector="#field"), text="abc"))
    await scene.script("log.length = 0")
    await scene.act(way, Press(keys=("Control+a", "Backspace"), hold_ms=20))
    assert await scene.script("field.value") == ""
    first = [entry[1] for entry in await scene.script("log") if entry[0] in {"keydown", "keyup"}][:4]
    assert first == ["Control", "a", "a", "Control"]
    await scene.script("log.length = 0")
    await scene.act(way, Press(keys=("Control+p", "Control+Shift+k", "Alt+ArrowLeft"), hold_ms=20))
    downs = [entry[1] for entry in await scene.script("log") if entry[0] == "keydown"]
    assert downs == ["Control", "p", "Control", "Shift", "K", "Alt", "ArrowLeft"]


@WAYS
async def test_a_held_key_is_held_and_repeats(scene: Scene, way: Way) -> None:
    """The key is down as long as asked, with repeats after the first half second, and comes up once."""
    await scene.open("deeds.html")
    await scene.script("document.activeElement.blur()")
    await scene.act(way, Press(keys=("ArrowRight",), hold_ms=1100))
    log = [entry for entry in await scene.script("log") if entry[1] == "ArrowRight"]
    repeats = [entry for entry in log if entry[0] == "keydown" and entry[4]]
    assert log[0][0] == "keydown"
    assert not log[0][4]
    assert len(repeats) >= 3
    assert [entry[0] for entry in log].count("keyup") == 1


async def test_a_key_that_is_let_go_late_types_no_more_than_once(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a second of wall time lies between press and release: how long that is, is no affair of the text's."""
    let_go = XTestInput.key_up

    async def late(self: XTestInput, key: Key) -> None:
        await asyncio.sleep(0.9)
        await let_go(self, key)

    monkeypatch.setattr(XTestInput, "key_up", late)
    await scene.open("deeds.html")
    assert scene.stage.display is not None
    with contextlib.closing(Display(scene.stage.display)) as another:
        another.change_keyboard_control(auto_repeat_mode=X.AutoRepeatModeOn)
        another.sync()
    await scene.act("xtest", Type(target=Target(selector="#field"), text="kettle"))
    assert await scene.script("field.value") == "kettle"


@WAYS
async def test_an_unknown_key_is_said_and_not_pressed(scene: Scene, way: Way) -> None:
    """A malformed act is the agent's fault."""
    await scene.open("deeds.html")
    done = await scene.act(way, Press(keys=("NoSuchKey",)))
    assert not done.delivered
    assert "NoSuchKey" in done.problem
    assert await scene.script("log.length") == 0
