"""The report as people meet it: asks for nothing, runs nothing of the page's, can be read by everyone on every screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe

from evaluator.reports.as_html import write_html
from tests.integration.reports.conftest import Opened, OpenReport
from tests.unit.reports.plot import Plot
from tests.unit.reports.run_folder import make_run

PHONE = {"width": 390, "height": 844}
HOSTILE = (
    "</script><script>window.pwned=1</script><img src='https://evil.example/x.png' onerror='window.pwned=1'>"
    "<svg onload=window.pwned=1></svg>\"' onmouseover=window.pwned=1 x='\u202e\u2028\x00\x1b[31m]]><!--"
    "<style>*{display:none}</style>"
)
PLACES = ("title", "console", "name", "dialog", "finding", "source", "network", "brief", "subject", "claim")


async def _accused(opened: Opened, *rules: str) -> list[str]:
    """What axe-core finds, of any weight, by all its rules or only those."""
    only = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    results = await Axe().run(opened.page, options={"resultTypes": ["violations"], **only})
    return [
        f"{found['impact']} {found['id']}: {node['html'][:160]} {node['any'][0]['message'] if node['any'] else ''}"
        for found in results.response["violations"]
        for node in found["nodes"]
    ]


async def test_it_asks_for_nothing_and_complains_of_nothing(report_file: Path, open_report: OpenReport) -> None:
    """Going through the whole page loads only the file itself and what is inside it; the console stays empty."""
    opened = await open_report(report_file)
    await opened.ready()
    folded = opened.page.locator("details:not([open]) > summary")
    while await folded.count():
        await folded.first.click()
    await opened.page.locator(".cite").first.click()
    await opened.page.keyboard.press("Escape")
    await opened.page.locator(".thumb").first.click()
    await opened.page.keyboard.press("Escape")
    await opened.page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    assert {url.split(":")[0] for url in opened.requests} <= {"file", "data", "blob"}
    assert [url for url in opened.requests if url.startswith("file:")] == [report_file.as_uri()]
    assert opened.complaints == []


@pytest.mark.parametrize("viewport", [{"width": 1600, "height": 1000}, PHONE], ids=["wide", "phone"])
async def test_everyone_can_read_it(viewport: dict[str, int], report_file: Path, open_report: OpenReport) -> None:
    """axe-core finds nothing, in light and in dark, with everything opened."""
    opened = await open_report(report_file, viewport=viewport, color_scheme="light")
    await opened.ready()
    await opened.page.evaluate("() => document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    assert await _accused(opened) == []
    await opened.page.locator("#theme").click()
    assert await opened.page.evaluate("() => document.documentElement.dataset.theme") == "dark"
    assert await _accused(opened, "color-contrast") == []


async def test_the_dialogs_can_be_read_too(report_file: Path, open_report: OpenReport) -> None:
    """The evidence drawer and the viewer pass as well, and give the focus back when they close."""
    opened = await open_report(report_file, color_scheme="dark")
    await opened.ready()
    await opened.page.locator("#failure-f1 .more > summary").click()
    cite = opened.page.locator("#failure-f1 footer .cite").first
    await cite.click()
    assert await _accused(opened) == []
    assert "Kind\nact\n" in await opened.page.locator("#drawer-body").inner_text()
    await opened.page.keyboard.press("Escape")
    assert await cite.evaluate("(element) => element === document.activeElement")
    await opened.page.locator("#steps > details > summary").click()
    await opened.page.locator("#step-3 .thumb").first.click()
    assert await _accused(opened) == []
    assert "Step 3, before (1 of 2)" in await opened.page.locator("#viewer-title").inner_text()
    await opened.page.keyboard.press("ArrowRight")
    assert "Step 3, after (2 of 2)" in await opened.page.locator("#viewer-title").inner_text()


async def test_every_picture_is_there(report_file: Path, open_report: OpenReport) -> None:
    """Pictures that stand twice are shown twice though their bytes are there once."""
    opened = await open_report(report_file)
    broken = await opened.page.evaluate(
        """async () => {
          const images = [...document.querySelectorAll('main img')];
          await Promise.all(images.map((image) => image.decode().catch(() => {})));
          return [images.length, images.filter((image) => !image.naturalWidth).map((image) => image.alt)];
        }"""
    )
    assert broken[0] > 24
    assert broken[1] == []


async def test_it_fits_the_window(report_file: Path, open_report: OpenReport) -> None:
    """The page never scrolls sideways, and the player stands beside the failures where there is room."""
    opened = await open_report(report_file)
    for width in (390, 720, 1180, 1600):
        await opened.page.set_viewport_size({"width": width, "height": 900})
        assert await opened.page.evaluate("() => document.documentElement.scrollWidth") <= width
        film = await opened.page.locator("video").bounding_box()
        card = await opened.page.locator(".card").first.bounding_box()
        assert film is not None
        assert card is not None
        assert (film["x"] > card["x"] + card["width"]) == (width > 1180), width


async def test_the_theme_follows_the_system_until_it_is_chosen(report_file: Path, open_report: OpenReport) -> None:
    """Dark by the system's wish, light by a click, and kept when the page is loaded again."""
    opened = await open_report(report_file, color_scheme="dark")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    dark = await opened.page.evaluate(ground)
    await opened.page.locator("#theme").click()
    light = await opened.page.evaluate(ground)
    assert light != dark
    await opened.page.reload()
    assert await opened.page.evaluate(ground) == light


async def test_hostile_text_is_inert(tmp_path: Path, open_report: OpenReport) -> None:
    """Text from the page runs, loads and hides nothing, in the page as in the drawer, and is seen for what it is."""
    run = make_run(tmp_path / "run", Plot(video=False, page_text=dict.fromkeys(PLACES, HOSTILE)))
    opened = await open_report(write_html(run))
    await opened.page.evaluate("() => document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    for cite in await opened.page.locator("#failures footer .cite").all():
        await cite.click()
        await opened.page.keyboard.press("Escape")
    await opened.page.locator("h3[id='t-f1']").hover()
    assert await opened.page.evaluate("() => window.pwned") is None
    assert [url for url in opened.requests if not url.startswith(("data:", run.as_uri()))] == []
    assert opened.complaints == []
    heading = opened.page.locator("h3[id='t-f1']")
    assert await heading.is_visible()
    shown = await heading.inner_text()
    assert shown.startswith("</script><script>window.pwned=1")
    assert "⟦U+202E⟧" in shown
    assert await opened.page.locator("img[src*='evil']").count() == 0


async def test_the_verdict_can_be_read_without_javascript(report_file: Path, open_report: OpenReport) -> None:
    """Scores, arithmetic, failures and steps are there, the player is replaced by a link, and no dead control is shown."""
    opened = await open_report(report_file, java_script_enabled=False)
    page = opened.page
    assert await page.locator("h1").is_visible()
    assert "4.5" in await page.locator(".value").first.inner_text()
    assert await page.locator(".sum li").count() >= 7
    assert await page.locator("#failure-f1 .versus").is_visible()
    await page.locator("#steps > details > summary").click()
    assert await page.locator("#step-5").is_visible()
    assert (await page.locator("#failure-f1 .watch").get_attribute("href") or "").startswith("video.mp4#t=")
    assert await page.locator("noscript a").get_attribute("href") == "video.mp4"
    assert not await page.locator("#theme").is_visible()
    assert not await page.locator("#play").is_visible()


async def test_on_paper_everything_is_open_and_the_player_is_left_out(report_file: Path, open_report: OpenReport) -> None:
    """Printing opens what was folded; the result is a document of several pages."""
    opened = await open_report(report_file, color_scheme="dark")
    await opened.ready()
    printed = await opened.page.pdf(format="A4")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") >= 3
    await opened.page.emulate_media(media="print")
    assert not await opened.page.locator("#recording").is_visible()
    assert await opened.page.evaluate("() => [...document.querySelectorAll('main details')].every((details) => details.open)")
    assert await opened.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


async def test_a_drawer_closed_before_its_row_is_there_stays_closed(report_file: Path, open_report: OpenReport) -> None:
    """It opens in the click itself, not when the ledger is unpacked: Escape finds it open, and nothing opens it again."""
    opened = await open_report(report_file)
    await opened.ready()
    seen = await opened.page.evaluate(
        """async () => {
          const drawer = document.querySelector('#drawer');
          document.querySelector('#failure-f1 footer .cite').click();
          const atOnce = drawer.open;
          drawer.close();
          await new Promise((done) => setTimeout(done, 1500));
          return [atOnce, drawer.open];
        }"""
    )
    assert seen == [True, False]


async def test_the_drawer_leads_from_row_to_row(report_file: Path, open_report: OpenReport) -> None:
    """From an act to the trial it is of, and from a row to its moment."""
    opened = await open_report(report_file)
    await opened.ready()
    await opened.page.locator("#steps > details > summary").click()
    await opened.page.locator("#step-7 .step-no .cite").first.click()
    drawer = opened.page.locator("#drawer-body")
    await drawer.get_by_text("act", exact=True).wait_for()
    assert "Kind\nact\n" in await drawer.inner_text()
    await drawer.locator(".cite").first.click()
    await drawer.get_by_text("trial", exact=True).first.wait_for()
    assert "Kind\ntrial\n" in await drawer.inner_text()
    await drawer.locator(".jump").click()
    assert not await opened.page.locator("#drawer").is_visible()


async def test_the_first_screen_says_how_good_how_sure_and_what_is_broken(report_file: Path, open_report: OpenReport) -> None:
    """Status, scores with their intervals and a cause with its picture lie above the fold, the details within six screens."""
    opened = await open_report(report_file, viewport={"width": 1280, "height": 800})
    ways = (".cause .watch >> nth=0", '.cause a[href^="#try-"] >> nth=0', '.cause a[href^="#test-"] >> nth=0')
    for part in (".status", "h1", ".score .interval >> nth=1", ".cause >> nth=0", ".cause .peek >> nth=0", *ways):
        box = await opened.page.locator(part).bounding_box()
        assert box is not None, part
        assert 0 < box["height"] <= box["y"] + box["height"] <= 800, part
    assert "failure" in await opened.page.locator("h1").inner_text()
    for width, height in ((1280, 800), (390, 844)):
        await opened.page.set_viewport_size({"width": width, "height": height})
        top = await opened.page.evaluate("() => document.querySelector('#details').getBoundingClientRect().top + scrollY")
        assert top <= 6 * height * (1 if width > 390 else 1.4), width


async def test_a_clip_plays_its_five_seconds_in_the_card(report_file: Path, open_report: OpenReport) -> None:
    """It begins before the failure's moment, runs, takes the picture's place, and goes away by the same button."""
    opened = await open_report(report_file, viewport=PHONE)
    await opened.ready()
    watch = opened.page.locator("#failure-f1 .watch")
    begins, ends = [float(await watch.get_attribute(name) or "nan") for name in ("data-from", "data-to")]
    assert ends - begins == pytest.approx(5.0)
    await watch.click()
    at = await opened.page.evaluate(
        """(from) => new Promise((done) => {
          const clip = document.querySelector('#failure-f1 .clip-video');
          clip.addEventListener('timeupdate', () => { if (clip.currentTime > from + 0.3) done(clip.currentTime); });
          setTimeout(() => done(-1), 10000);
        })""",
        begins,
    )
    assert begins < at <= ends
    assert not await opened.page.locator("#failure-f1 .cutout").is_visible()
    await watch.click()
    assert await opened.page.locator(".clip-video").count() == 0
    assert await opened.page.locator("#failure-f1 .cutout").is_visible()


async def test_what_is_folded_opens_when_it_is_led_to(report_file: Path, open_report: OpenReport) -> None:
    """By a link of the page with the keyboard alone, and by an address."""
    opened = await open_report(report_file)
    assert not await opened.page.locator("#step-5").is_visible()
    link = opened.page.locator("#map a[href^='#step-']").first
    await link.focus()
    number = (await link.get_attribute("href") or "")[1:]
    await opened.page.keyboard.press("Enter")
    await opened.page.locator(f"#{number}").wait_for(state="visible", timeout=20_000)
    await opened.page.wait_for_function(
        "(id) => { const top = document.getElementById(id).getBoundingClientRect().top; return top >= 0 && top < innerHeight; }",
        arg=number,
        timeout=20_000,
    )
    await opened.page.goto(report_file.as_uri() + "#run")
    assert await opened.page.locator("#run > details").evaluate("(details) => details.open")


async def test_the_first_screen_shows_each_cause_in_place(report_file: Path, open_report: OpenReport) -> None:
    """A clip plays in the tile; "try it" and the test lead, by keys alone, to what is folded below, and open it."""
    opened = await open_report(report_file, viewport={"width": 1280, "height": 800})
    await opened.ready()
    tile = opened.page.locator(".cause", has=opened.page.locator("a[href='#failure-f1']"))
    await tile.locator(".watch").focus()
    await opened.page.keyboard.press("Enter")
    await opened.page.wait_for_function("() => document.querySelector('.cause .clip-video')?.currentTime > 0", timeout=20_000)
    assert not await tile.locator(".peek").is_visible()
    for way, shown in (("#try-f1", ".repro"), ("#test-f1", "pre")):
        await tile.locator(f"a[href='{way}']").focus()
        await opened.page.keyboard.press("Enter")
        await opened.page.locator(f"{way} {shown}").wait_for(state="visible", timeout=20_000)
    assert opened.complaints == []


async def test_all_that_can_be_pressed_is_reached_by_keys_and_seen(report_file: Path, open_report: OpenReport) -> None:
    """Tab goes through every link and control once, each with an outline while it has the focus."""
    opened = await open_report(report_file, viewport={"width": 1280, "height": 800})
    await opened.ready()
    wanted = await opened.page.evaluate(
        """() => [...document.querySelectorAll('a[href], button, summary, select, [tabindex="0"]')]
          .filter((one) => one.getClientRects().length && one.checkVisibility({ visibilityProperty: true })
            && !one.closest('details:not([open]) > :not(summary)')).length"""
    )
    met = 0
    unseen: list[str] = []
    for _ in range(wanted + 20):
        await opened.page.keyboard.press("Tab")
        focused = await opened.page.evaluate(
            """() => {
              const one = document.activeElement;
              if (one === document.body || one.dataset.met) return null;
              one.dataset.met = 'yes';
              const style = getComputedStyle(one);
              return [one.outerHTML.slice(0, 90), style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1];
            }"""
        )
        if focused is None:
            break
        met += 1
        unseen += [] if focused[1] else [focused[0]]
    assert unseen == []
    assert met >= wanted > 40


async def test_a_phone_gets_the_map_when_it_asks(report_file: Path, open_report: OpenReport) -> None:
    """It is folded at a phone's width and open at a desk's; a link to it opens it."""
    opened = await open_report(report_file, viewport=PHONE)
    drawing = opened.page.locator("#map svg.map")
    assert not await drawing.is_visible()
    await opened.page.goto(report_file.as_uri() + "#map")
    await drawing.wait_for(state="visible", timeout=20_000)
    wide = await open_report(report_file)
    assert await wide.page.locator("#map svg.map").is_visible()
