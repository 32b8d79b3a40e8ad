"""What pages try on the person or the machine in front of them, and what must come of it. Shared by tests and benchmark."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass

from tests.integration.stage.conftest import Opened
from tools.browser.faults import CommandRefused, TabBusy, TabCrashed
from tools.evidence.rows import Row

SOON_S = 12.0


@dataclass(frozen=True)
class Trick:
    """One attempt. Each expectation that is not empty must hold; `says` are the page's own words, any of which will do."""

    name: str
    says: tuple[str, ...] = ()
    kind: str = ""
    """Kind of a row that must be written, with its event or level after a space."""
    words: str = ""
    """Text that row must contain."""
    becomes: str = "live"
    """State of the tab afterwards."""
    most_rows: int = 0
    """Where a flood is tried: how many rows of that kind may be written; 0 is not looked at."""

    @property
    def fatal(self) -> bool:
        """Whether the tab is ended."""
        return self.becomes != "live"


TRICKS = (
    Trick("alert", ("read",), "dialog", "one"),
    Trick("confirm", ("True",), "dialog", "sure?"),
    Trick("prompt", ("Assay",), "dialog", "name?"),
    Trick("alert burst", ("through",), "page_event dialog_storm"),
    Trick("popup", ("True",), "page_event popup", "looked at and closed"),
    Trick("popup away", ("True",), "page_event popup", "refused"),
    Trick("download", (), "page_event download", "a.txt"),
    Trick("endless download", (), "page_event download", "endless.bin"),
    Trick("file chooser", ("cancelled",), "page_event file_chooser", "cancelled"),
    Trick("directory picker", ("AbortError",), "page_event file_chooser", "cancelled"),
    Trick("print", ("printed",)),
    Trick("away from the site", (), "page_event navigation", "example.com/away"),
    Trick("file:", (), "console error", "local resource"),
    Trick("file: window", ("False",), "console error", "local resource"),
    Trick("file: frame", (), "console error", "local resource"),
    Trick("chrome:", (), "console error", "local resource"),
    Trick("view-source:", (), "console error", "local resource"),
    Trick("devtools:", (), "console error", "local resource"),
    Trick("mailto:", (), "page_event navigation", "program outside"),
    Trick("program:", (), "page_event navigation", "program outside"),
    Trick("geolocation", ("code 1",)),
    Trick("camera", ("NotFoundError", "NotAllowedError")),
    Trick("microphone", ("NotFoundError", "NotAllowedError")),
    Trick("screen", ("NotAllowedError",)),
    Trick("notification", ("denied",)),
    Trick("clipboard read", ("NotAllowedError",)),
    Trick("midi", ("NotAllowedError", "SecurityError")),
    Trick("usb", ("NotFoundError",)),
    Trick("hid", ("0 devices", "NotAllowedError")),
    Trick("serial", ("NotFoundError",)),
    Trick("bluetooth", ("NoBluetooth", "NotFoundError")),
    Trick("payment", ("NotSupportedError",)),
    Trick("credentials", ("SecurityError", "NotAllowedError")),
    Trick("debugger", ("through",)),
    Trick("close", ("still here",), "console warning", "close"),
    Trick("history flood", ("through",)),
    Trick("title flood", ("through",)),
    Trick("console flood", ("through",), "console log", "line 0", most_rows=210),
    Trick("error flood", ("through",), "page_error", "number 0", most_rows=210),
    Trick("request flood", ("through",), "network", "10.0.0.1", most_rows=210),
    Trick("quota, storage", ("QuotaExceededError",)),
    Trick("full screen", (), "page_event full_screen"),
    Trick("pointer lock", ("locked",), "page_event pointer_lock"),
    Trick("beforeunload", (), "dialog"),
    Trick("blank page", (), "page_event navigation", "brought back"),
    Trick("dialog storm", (), "page_event hang", "endless loop of alert dialogs", "hung"),
    Trick("popup storm", (), "page_event hang", "endless loop of new windows", "hung"),
    Trick("endless navigation", (), "page_event hang", "endless loop of navigations", "hung"),
    Trick("hang", (), "page_event hang", "no answer", "hung"),
    Trick("memory bomb", (), "page_event crash", "MB of memory", "crashed"),
    # Where there is much memory, Chromium keeps blobs there for long: whichever bound is met first must end it.
    Trick("disk bomb", (), "page_event crash", "a run may", "crashed"),
)


@dataclass(frozen=True)
class Outcome:
    """What came of a trick: what is not as it must be (empty if all is), and the row that tells of it."""

    wrong: str
    row: str
    state: str
    took_s: float


async def play(opened: Opened, trick: Trick, site: str) -> Outcome:
    """Arm the page, click for real, and wait until everything expected has come about (at most `SOON_S`, fatal ones longer)."""
    began = time.monotonic()
    if not opened.stage.page.url.startswith(site + "tricks.html"):
        await opened.stage.goto(site + "tricks.html")
    await opened.stage.clock.release()
    before = len(opened.all_rows())
    await opened.stage.evaluate("() => 0")
    await opened.stage.page.evaluate("(name) => arm(name)", trick.name)
    await click(opened)
    limit = time.monotonic() + (40.0 if trick.fatal else SOON_S)
    wrong, row = "nothing was looked at", ""
    while wrong and time.monotonic() < limit:
        wrong, row = await _look(opened, trick, before)
        if wrong:
            await asyncio.sleep(0.1)
    return Outcome(wrong, row, opened.stage.state, time.monotonic() - began)


async def click(opened: Opened) -> None:
    """A trusted click on the button, which does not wait for what it sets off."""
    place = await opened.stage.evaluate(
        "() => { const box = document.getElementById('go').getBoundingClientRect(); "
        "return [box.x + box.width / 2, box.y + box.height / 2]; }"
    )
    for kind in ("mousePressed", "mouseReleased"):
        event = {"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1}
        with contextlib.suppress(TabBusy, TabCrashed):
            await opened.stage.tab.send("Input.dispatchMouseEvent", event)


async def _look(opened: Opened, trick: Trick, before: int) -> tuple[str, str]:
    if trick.fatal and opened.stage.state == "live":
        with contextlib.suppress(TabBusy, TabCrashed, CommandRefused):
            await opened.stage.evaluate("() => 0")  # a page that hangs is found out when something is wanted of it
    if opened.stage.state != trick.becomes:
        return f"the tab is {opened.stage.state}, not {trick.becomes}", ""
    rows = opened.all_rows()[before:]
    flood = sum(row.body.kind == trick.kind.partition(" ")[0] for row in rows)
    if trick.most_rows and flood > trick.most_rows:
        return f"{flood} rows were written", ""
    told = next((row for row in rows if _fits(row, trick)), None) if trick.kind else None
    if trick.kind and told is None:
        return f"no {trick.kind} row", ""
    if trick.says:
        said = list(
            map(
                str,
                await opened.stage.page.evaluate(
                    "said.map((word) => typeof word === 'boolean' ? (word ? 'True' : 'False') : word)"
                ),
            )
        )
        if not any(word in said for word in trick.says):
            return f"the page said {said[:3]}", _text(told)
    return "", _text(told)


def _fits(row: Row, trick: Trick) -> bool:
    kind, _, variety = trick.kind.partition(" ")
    body = row.body
    named = getattr(body, "event", "") or getattr(body, "level", "")
    return body.kind == kind and variety in ("", named) and trick.words in body.model_dump_json()


def _text(row: Row | None) -> str:
    if row is None:
        return ""
    body = row.body
    words = next((str(getattr(body, name)) for name in ("detail", "message", "text", "url") if getattr(body, name, "")), "")
    return f"{body.kind}{' ' + getattr(body, 'event', '') if getattr(body, 'event', '') else ''}: {words[:70]}"
