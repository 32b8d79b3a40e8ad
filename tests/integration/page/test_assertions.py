"""Every kind of assertion on two real pages, one that does right and one that does not: judged, and run as an exported test.

A case is a fixture, the assertion that is made on it, and what its button does on the right and on the wrong page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.async_api import Page

from configs.settings import Timeouts
from tests.integration.page.conftest import Runner, fixture_path
from tools.browser.tab import Tab
from tools.evidence.rows import Box
from tools.page import assertions as a
from tools.page.assertions import Assertion, Scene, Target
from tools.page.changes import Beat, Witness
from tools.page.exporting import as_playwright
from tools.page.model import PageModel
from tools.page.reading import read_page
from tools.page.trials import Press, Trial

NOTHING = "0"
STORED = "Object.keys(localStorage).map((key) => `local:${key}`)"
CLIPBOARD = "navigator.clipboard?.readText().catch(() => '')"
ADD = 'add("Water plants")'
TONE = """(() => {
  const samples = 8000, bytes = new Uint8Array(44 + samples), view = new DataView(bytes.buffer);
  const put = (at, text) => [...text].forEach((sign, i) => { bytes[at + i] = sign.charCodeAt(0); });
  put(0, "RIFF"); put(8, "WAVEfmt "); put(36, "data");
  [[4, 36 + samples], [16, 16], [24, 8000], [28, 8000], [40, samples]].forEach(([at, value]) => view.setUint32(at, value, true));
  [[20, 1], [22, 1], [32, 1], [34, 8]].forEach(([at, value]) => view.setUint16(at, value, true));
  for (let i = 0; i < samples; i += 1) bytes[44 + i] = 128 + 90 * Math.sin(i / 3);
  const audio = document.createElement("audio");
  audio.src = URL.createObjectURL(new Blob([bytes], { type: "audio/wav" }));
  audio.loop = true;
  document.body.append(audio);
  audio.play();
})()"""


@dataclass(frozen=True)
class Case:
    """One assertion and the two pages."""

    fixture: str
    make: Callable[[PageModel], Assertion]
    words: str
    right: str
    """What the page's script does when the button is pressed."""
    wrong: str
    start: str = ""
    """What both do as they load."""


def _list(page: PageModel) -> Target:
    return Target.of(page.collections[0], page)


def _button(name: str) -> Callable[[PageModel], Target]:
    return lambda page: Target.of(next(button for button in page.buttons if button.name == name), page)


def _of_item(page: PageModel, name: str, item: int) -> Target:
    return Target.of(next(button for button in page.buttons if button.name == name and button.item == item), page)


def _field(page: PageModel, name: str) -> Target:
    return Target.of(next(field for field in page.fields if field.name == name), page)


def _time(page: PageModel) -> Target:
    return Target.of(next(figure for figure in page.figures if figure.quantity.measure == "duration"), page)


def _figure(page: PageModel, name: str) -> Target:
    return Target.of(next(figure for figure in page.figures if figure.name == name), page)


RENAME = 'list.children[%d].querySelector("label").textContent = "Buy oats"'
ADD_STORED = f'{ADD}, localStorage.added = "Water plants"'
CASES = {
    "appears": Case(
        "dialog",
        lambda _: a.Appears(target=Target(kind="layers", name="Delete report.pdf?", role="dialog")),
        'the layer "Delete report.pdf?" appears',
        "sure.showModal()",
        NOTHING,
        "sure.close()",
    ),
    "gone": Case(
        "toast",
        lambda _: a.Gone(target=Target(kind="texts", name="You are offline.")),
        'the text "You are offline." is gone',
        'document.querySelector("[role=alert]").remove()',
        NOTHING,
    ),
    "enabled": Case(
        "toast",
        lambda page: a.Enabled(target=_button("Save")(page), yes=False),
        'the button "Save" is disabled',
        "save.disabled = true",
        NOTHING,
    ),
    "in view": Case(
        "toast",
        lambda page: a.InView(target=_button("Save")(page)),
        'the button "Save" is in view',
        NOTHING,
        'save.style.cssText = "position:absolute;top:3000px"',
    ),
    "navigates": Case(
        "dialog", lambda _: a.Navigates(to="#help"), "the page goes to #help", 'location.hash = "help"', NOTHING, "sure.close()"
    ),
    "legible": Case(
        "toast",
        lambda _: a.Legible(),
        "all text in view can be read (contrast ≥ 4.5)",
        'red.style.color = "#900"',
        'red.style.color = "#ddd"',
    ),
    "clean": Case(
        "toast",
        lambda _: a.Clean(),
        "nothing fails: no exception, no console error, no failed request",
        NOTHING,
        'console.error("no such note")',
    ),
    "sounds": Case("toast", lambda _: a.Sounds(), "there is sound", TONE, NOTHING),
    "says error": Case(
        "toast",
        lambda _: a.SaysError(),
        "the page says what is wrong",
        'n.setAttribute("aria-invalid", "true"); n.setAttribute("aria-describedby", "red")',
        NOTHING,
        'document.querySelector("[role=alert]").remove(); red.style.color = ""',
    ),
    "has value": Case(
        "native_form",
        lambda page: a.HasValue(target=_field(page, "Seats"), value="3"),
        'the field "Seats" has the value "3"',
        'seats.value = "3"',
        'seats.value = "4"',
    ),
    "is on": Case(
        "native_form",
        lambda page: a.IsOn(target=Target.of(page.toggles[0], page), yes=False),
        'the toggle "Send me news" is off',
        'document.querySelector("[name=news]").checked = false',
        NOTHING,
    ),
    "chosen": Case(
        "aria_tabs",
        lambda page: a.Chosen(target=Target.of(page.choices[0], page), option="Password"),
        '"Password" is chosen in the choice "Account settings"',
        'pick(document.querySelectorAll("[role=tab]")[1])',
        NOTHING,
    ),
    "unchanged": Case(
        "native_form",
        lambda page: a.Unchanged(target=_field(page, "Full name")),
        'the field "Full name" stays as it was',
        NOTHING,
        'who.value = "Ada"',
    ),
    "changes": Case(
        "canvas",
        lambda page: a.Changes(target=Target.of(page.surfaces[0], page)),
        'the drawing "Board" changes',
        "x = 90; draw()",
        NOTHING,
    ),
    "moves": Case(
        "canvas",
        lambda page: a.Moves(target=Target.of(page.surfaces[0], page), wait_ms=300),
        'the drawing "Board" moves by itself',
        "start.click()",
        NOTHING,
    ),
    "still": Case(
        "canvas",
        lambda page: a.Still(target=_figure(page, "Score"), wait_ms=300),
        'the figure "Score" stands still',
        NOTHING,
        "setInterval(() => { s.textContent = +s.textContent + 1; }, 40)",
    ),
    "kept after reload": Case(
        "enter_only",
        lambda page: a.Kept(target=_list(page)),
        'the list "todos" is kept after a reload',
        ADD_STORED,
        ADD,
        "if (localStorage.added) add(localStorage.added)",
    ),
    "contains": Case(
        "enter_only",
        lambda page: a.Contains(target=_list(page), texts=("Water plants",)),
        'the list "todos" contains "Water plants"',
        ADD,
        NOTHING,
    ),
    "loses": Case(
        "enter_only",
        lambda page: a.Loses(target=_list(page), item="Buy milk"),
        'the list "todos" loses "Buy milk" and nothing else',
        "list.children[0].remove()",
        "list.children[1].remove()",
    ),
    "count": Case(
        "enter_only", lambda page: a.CountIs(target=_list(page), count=3), 'the list "todos" has 3 items', ADD, f"{ADD}, {ADD}"
    ),
    "count by": Case(
        "enter_only", lambda page: a.CountBy(target=_list(page), by=1), 'the list "todos" grows by 1', ADD, f"{ADD}, {ADD}"
    ),
    "total of": Case(
        "money_table",
        lambda page: a.TotalOf(target=_list(page), column=3, figure=_figure(page, "Gesamtbetrag"), language="de"),
        'the figure "Gesamtbetrag" is the total of column 4 of the list "Posten"',
        'bill.tBodies[0].rows[0].cells[3].textContent = "1.000,00 €"; sum.textContent = "1.765,50 €"',
        'bill.tBodies[0].rows[0].cells[3].textContent = "1.000,00 €"',
    ),
    "order": Case(
        "money_table",
        lambda page: a.Ordered(target=_list(page), column=3, language="de"),
        'the list "Posten" rises by column 4',
        "bill.tBodies[0].append(bill.tBodies[0].rows[2], bill.tBodies[0].rows[0])",
        NOTHING,
    ),
    "product of": Case(
        "money_table",
        lambda page: a.ProductOf(target=_list(page), column=3, factors=(1, 2), language="de"),
        'in each item of the list "Posten" column 4 is column 2 × column 3',
        NOTHING,
        'bill.tBodies[0].rows[0].cells[3].textContent = "1.000,00 €"',
        "[...bill.tBodies[0].rows].forEach((row, i) => { row.cells[1].textContent = i + 2; row.cells[2].textContent = '3,5'; "
        "row.cells[3].textContent = `${((i + 2) * 3.5).toFixed(2).replace('.', ',')} €`; })",
    ),
    "subset": Case(
        "chips",
        lambda page: a.Subset(target=_list(page), fits="Indoor"),
        'the list "Plants" lists some of what it did before, just those that show "Indoor"',
        "chips.children[1].click()",
        "chips.children[2].click()",
    ),
    "stays": Case(
        "toast",
        lambda _: a.Stays(target=Target(kind="texts", name="You are offline.")),
        'the text "You are offline." is still shown',
        NOTHING,
        'document.querySelector("[role=alert]").remove()',
    ),
    "stores": Case("enter_only", lambda _: a.Stores(lasting=True), "the page stores something", ADD_STORED, ADD),
    "listed at most": Case(
        "enter_only",
        lambda _: a.ListedAtMost(texts=("Water plants",), count=1, exact=True),
        'at most one item of any list is "Water plants"',
        ADD,
        f"{ADD}, {ADD}",
    ),
    "none added": Case("enter_only", lambda _: a.NoneAdded(bare=True), "no list gains a bare item", NOTHING, 'add(" ")'),
    "refused": Case(
        "enter_only",
        lambda page: a.Refused(fields=(Target.of(page.fields[0], page),), values=("Iron",)),
        'a form with "Iron" is not accepted',
        'document.getElementById("new").value = "Iron"',
        'add("Iron")',
    ),
    "restored": Case(
        "enter_only",
        lambda page: a.Restored(target=_list(page), items=("Call Ada", "Buy milk")),
        'the list "todos" is as it was at first',
        "list.append(list.children[0])",
        "list.children[0].remove()",
    ),
    "amount is": Case(
        "canvas",
        lambda page: a.AmountIs(target=_figure(page, "Score"), value=Decimal("2.54")),
        'the figure "Score" shows 2.54',
        's.textContent = "2.5"',
        's.textContent = "2.6"',
    ),
    "sum of": Case(
        "canvas",
        lambda page: a.SumOf(target=_figure(page, "Score"), parts=(_figure(page, "Best"), _figure(page, "Coins")), each=True),
        'the figure "Score" is what the figure "Best" and the figure "Coins" come to',
        's.textContent = "51"',
        's.textContent = "49"',
        start="""document.querySelector("h1").insertAdjacentHTML("afterend", "<p>Best: <b>30</b></p><p>Coins: <b>21</b></p>")""",
    ),
    "moved by": Case(
        "enter_only",
        lambda page: a.MovedBy(target=_list(page), item="Buy milk", by=1),
        'in the list "todos" "Buy milk" goes 1 place down',
        "list.children[1].after(list.children[0])",
        "list.children[2].after(list.children[0])",
        start='add("Water plants")',
    ),
    "copies": Case(
        "enter_only",
        lambda _: a.Copies(texts=("Buy milk",), others=("Call Ada",)),
        '"Buy milk" is put on the clipboard',
        'navigator.clipboard.writeText("Buy milk: 2 litres")',
        'navigator.clipboard.writeText("Call Ada")',
    ),
    "count of": Case(
        "enter_only",
        lambda page: a.CountOf(target=_list(page), figure=_figure(page, "items left")),
        'the figure "items left" is the number of items of the list "todos"',
        ADD,
        "list.children[0].remove()",
    ),
    "sensible": Case(
        "canvas",
        lambda _: a.Sensible(),
        "no NaN, undefined, [object …] or Invalid Date is to be seen afterwards",
        's.textContent = "7"',
        's.textContent = "NaN"',
    ),
    "makes sense": Case(
        "enter_only",
        lambda page: a.MakesSense(target=_list(page)),
        'the list "todos" shows something that makes sense',
        RENAME % 0,
        'list.children[0].querySelector("label").textContent = "undefined"',
    ),
    "shows amount": Case(
        "canvas",
        lambda _: a.ShowsAmount(value=Decimal(83)),
        "83 is shown",
        's.textContent = "83"',
        's.textContent = "83.5"',
    ),
    "same items": Case(
        "money_table",
        lambda page: a.SameItems(target=_list(page)),
        'the list "Posten" lists the same items',
        "bill.tBodies[0].append(bill.tBodies[0].rows[0])",
        "bill.tBodies[0].rows[0].remove()",
    ),
    "noticed": Case(
        "canvas",
        lambda page: a.Noticed(target=_button("Start")(page)),
        'something comes of the button "Start"',
        's.textContent = "13"',
        NOTHING,
        'document.querySelector("div[style*=spin]").remove()',
    ),
    "changes beside": Case(
        "aria_tabs",
        lambda page: a.ChangesBeside(target=Target.of(page.choices[0], page)),
        'something beside the choice "Account settings" changes',
        'document.querySelector("h2").textContent = "Your password"',
        'pick(document.querySelectorAll("[role=tab]")[1])',
    ),
    "tells": Case("toast", lambda _: a.Tells(), "the page says something new", 'red.textContent = "Nothing was found"', NOTHING),
    "not blank": Case("toast", lambda _: a.NotBlank(), "the page is not blank", NOTHING, "document.body.replaceChildren()"),
    "lists": Case(
        "enter_only",
        lambda page: a.Lists(target=_list(page), items=("Call Ada", "Buy milk")),
        'the list "todos" lists just "Call Ada" · "Buy milk"',
        NOTHING,
        ADD,
    ),
    "replaces": Case(
        "enter_only",
        lambda page: a.Replaces(target=_list(page), item="Buy milk", texts=("Buy oats",)),
        'in the list "todos" just "Buy milk" changes, to "Buy oats"',
        RENAME % 0,
        RENAME % 1,
    ),
    "only item": Case(
        "enter_only",
        lambda page: a.OnlyItem(target=_list(page), item="Buy milk"),
        'of the list "todos" only "Buy milk" changes',
        RENAME % 0,
        RENAME % 1,
    ),
    "new items": Case(
        "enter_only",
        lambda page: a.NewItems(target=_list(page), keeps=True),
        'the list "todos" lists more items, none twice',
        ADD,
        'add("Buy milk")',
    ),
    "pace": Case(
        "canvas",
        lambda page: a.Pace(target=_time(page), low=0, high=1.02, wait_ms=2000),
        'the figure "Snake" runs at most 1.02 seconds a second',
        NOTHING,
        "let t = 60; setInterval(() => { t -= 0.1; clock.textContent = `00:${t.toFixed(1)}`; }, 40)",
        'clock.textContent = "00:59.9"',
    ),
    "goes on": Case(
        "canvas",
        lambda page: a.GoesOn(target=_time(page)),
        'the figure "Snake" goes on from where it was',
        'clock.textContent = "02:29"',
        'clock.textContent = "02:10"',
    ),
    "as fast": Case(
        "canvas",
        lambda _: a.AsFast(),
        "what runs by itself runs less than 1.35 times as often as before",
        NOTHING,
        "setInterval(beat, 100)",
        "window.beats = 0; window.beat = function beat() { window.beats += 1; }; setInterval(beat, 100)",
    ),
    "shown": Case(
        "toast",
        lambda _: a.Shown(target=Target(kind="texts", name="Nothing was found")),
        'the text "Nothing was found" is shown',
        'red.textContent = "Nothing was found"',
        NOTHING,
    ),
    "somewhere": Case(
        "toast",
        lambda _: a.Somewhere(names=("Archive", "Old tasks")),
        "something is called “Archive” or “Old tasks”",
        'document.body.append(Object.assign(document.createElement("button"), { textContent: "Archive" }))',
        NOTHING,
    ),
    "still offered": Case(
        "chips",
        lambda page: a.StillOffered(target=_of_item(page, "Water", 1)),
        'the button "Water" of "Basil" is still offered',
        NOTHING,
        "document.querySelectorAll('.card button')[1].disabled = true",
    ),
    "in range": Case(
        "canvas",
        lambda page: a.InRange(target=_figure(page, "Score"), low=0),
        'the figure "Score" is at least 0',
        's.textContent = "3"',
        's.textContent = "-3"',
    ),
    "drawn at": Case(
        "canvas",
        lambda page: a.DrawnAt(target=Target.of(page.surfaces[0], page), path=((0.3, 0.35), (0.6, 0.35))),
        'what is drawn on the drawing "Board" lies under the pointer',
        'pen.fillStyle = "red"; pen.fillRect(90, 66, 90, 8)',
        'pen.fillStyle = "red"; pen.fillRect(90, 160, 90, 8)',
        'document.querySelector("div[style*=spin]").remove()',
    ),
}


def _written(case: Case, act: str, folder: Path, name: str) -> str:
    """The fixture as a page with a button that does that; its address. It stores under its own name: files share one storage."""
    script = f'<script>{case.start};document.getElementById("act").onclick = () => {{ {act}; }};</script>'
    script = script.replace("localStorage.added", f"localStorage.{name}_added")
    source = fixture_path(case.fixture).read_text(encoding="utf-8")
    button = '<button id="act" style="position:fixed;right:0;top:0;z-index:9999">Act</button>'
    page = folder / f"{name}.html"
    page.write_text(source.replace("</body>", f"{button}{script}</body>"), encoding="utf-8")
    return page.as_uri()


def test_every_kind_has_its_two_pages() -> None:
    """A kind that is added without a case is noticed here; those of two persons are tried in `tests/integration/two_persons`."""
    assert {kind.model_fields["kind"].default for kind in a.KINDS} == set(CASES) | {"seen by other", "not both"}


def _differing(one: bytes, two: bytes) -> tuple[Box, ...]:
    """What two screenshots differ in, as one box."""
    first, second = (cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR) for picture in (one, two))
    if first is None or second is None or first.shape != second.shape:
        return ()
    ys, xs = np.nonzero((first != second).any(axis=2))
    if not len(xs):
        return ()
    return (Box(x=xs.min(), y=ys.min(), width=xs.max() - xs.min() + 1, height=ys.max() - ys.min() + 1),)


async def _scene(page: Page, url: str, make: Callable[[PageModel], Assertion]) -> tuple[Assertion, Scene]:
    """The assertion as it is made on the page, and what was seen around the press of its button."""
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text) if message.type == "error" else None)
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.goto(url)
    tab = await Tab.attach(page, Timeouts())
    before = await read_page(tab)
    made = make(before)
    idle = await _beat(page)
    picture = await page.screenshot()
    stored = await page.evaluate(STORED)
    await page.locator("#act").dispatch_event("click")
    await page.wait_for_timeout(60)
    after = await read_page(tab)
    regions = _differing(picture, await page.screenshot())
    sound = await page.evaluate("[...document.querySelectorAll('audio')].some((one) => !one.paused)")
    kept = set(await page.evaluate(STORED)) - set(stored)
    await page.wait_for_timeout(300)
    later = await read_page(tab)
    beats = tuple(filter(None, (await _beat(page),)))
    copied = await page.evaluate(CLIPBOARD)
    await page.reload()
    witness = Witness(
        console=tuple(console), failed=(), sound=bool(sound), requests=(), storage=tuple(sorted(kept)), outside=(), ran=("act",),
        picture=regions, beats=beats, copied=(copied,) if copied else None,
    )  # fmt: skip
    seen = Scene(before=before, after=after, later=later, reloaded=await read_page(tab), witness=witness, idle=idle)
    return made, seen


async def _beat(page: Page) -> Beat | None:
    """How often the page's own counting function runs in a second; None where it has none."""
    beats = "window.beats"
    first = await page.evaluate(beats)
    if first is None:
        return None
    await page.wait_for_timeout(1000)
    return Beat(app_ms=1000, calls=(("page.html:1:0 beat", await page.evaluate(beats) - first),))


@pytest.mark.parametrize("kind", sorted(CASES))
async def test_it_holds_on_the_right_page_and_not_on_the_wrong_one(kind: str, page: Page, tmp_path: Path) -> None:
    """Judged by models, in words a person understands; read back from JSON it is the same."""
    case = CASES[kind]
    right, wrong = _written(case, case.right, tmp_path, "right"), _written(case, case.wrong, tmp_path, "wrong")
    assertion, seen = await _scene(page, right, case.make)
    assert assertion.words() == case.words
    outcome = assertion.evaluate(seen)
    assert outcome.result == "held", outcome.seen
    same, seen = await _scene(page, wrong, case.make)
    outcome = same.evaluate(seen)
    assert outcome.result == "violated", outcome.seen
    assert outcome.seen
    assert a.ASSERTION.validate_json(assertion.model_dump_json()) == assertion


@pytest.mark.long
@pytest.mark.parametrize("kind", sorted(CASES))
async def test_exported_it_tells_the_right_page_from_the_wrong_one(
    kind: str, page: Page, tmp_path: Path, run_exported: Runner
) -> None:
    """The exported test passes on the right page and fails on the other."""
    case = CASES[kind]
    right, wrong = _written(case, case.right, tmp_path, "right"), _written(case, case.wrong, tmp_path, "wrong")
    assertion, _ = await _scene(page, right, case.make)
    act = Press(target=Target(kind="buttons", name="Act", role="button", selector="#act"))
    trial = Trial(why=f"Shows that {kind} is exported", acts=(act,), asserts=(assertion,))
    assert run_exported(as_playwright(trial, right)) == ""
    assert run_exported(as_playwright(trial, wrong)) != ""


async def test_in_view_from_side_to_side(page: Page, tmp_path: Path, run_exported: Runner) -> None:
    """What sticks out at a side is not, though most of it is in the window; what lies below it is."""
    told = {
        "right": NOTHING,
        "below": 'save.style.cssText = "position:absolute;top:3000px"',
        "wrong": 'save.style.cssText = "position:fixed;left:-20px"',
    }
    results, words = {}, ""
    for name, script in told.items():
        url = _written(CASES["in view"], script, tmp_path, name)
        made, seen = await _scene(page, url, lambda model: a.InView(target=_button("Save")(model), sideways=True))
        act = Press(target=Target(kind="buttons", name="Act", role="button", selector="#act"))
        exported = as_playwright(Trial(why="Shows the sides", acts=(act,), asserts=(made,)), url)
        results[name], words = (made.evaluate(seen).result, run_exported(exported) == ""), made.words()
    assert results == {"right": ("held", True), "below": ("held", True), "wrong": ("violated", False)}
    assert words == 'the button "Save" is in view from side to side'


async def test_what_was_not_observed_cannot_be_told(page: Page, tmp_path: Path) -> None:
    """Without the model before, a second look, a reload, a recorded sound or a watched console nothing is held or violated."""
    case = CASES["changes"]
    made, seen = await _scene(page, _written(case, case.right, tmp_path, "page"), case.make)
    assert isinstance(made, a.Changes)
    assert made.target is not None
    blind = Scene(after=seen.after)
    unknown: list[Assertion] = [
        made, a.Unchanged(), a.Moves(target=made.target), a.Still(target=made.target), a.Kept(target=made.target),
        a.Sounds(), a.Clean(), a.Navigates(), a.Gone(target=made.target),
        a.Enabled(target=Target(kind="buttons", name="Nowhere")),
        a.CountBy(target=Target(kind="collections", name="Nowhere"), by=1),
    ]  # fmt: skip
    assert {item.evaluate(blind).result for item in unknown} == {"cannot tell"}


async def test_several_assertions_remember_apart_in_one_exported_test(page: Page, tmp_path: Path, run_exported: Runner) -> None:
    """Two that each remember a list's items, and words with names of ours in them."""
    case = CASES["contains"]
    url = _written(case, 'add("before count")', tmp_path, "page")
    await page.goto(url)
    model = await read_page(await Tab.attach(page, Timeouts()))
    target, figure = _list(model), _figure(model, "items left")
    asserts = (
        a.CountBy(target=target, by=1), a.Unchanged(target=Target(kind="texts", name="Buy milk")), a.Changes(target=figure),
        a.Contains(target=target, texts=("before count",)),
    )  # fmt: skip
    act = Press(target=Target(kind="buttons", name="Act", role="button", selector="#act"))
    source = as_playwright(Trial(why="Adds", acts=(act,), asserts=asserts), url)
    assert "before_2 = " in source
    assert '"before count"' in source
    assert run_exported(source) == ""
