"""Each probe against pages on which everything is marked: `bad-*` must be found, `ok-*` must not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tools.evidence.rows import Finding
from tools.probes.page import audit_page
from tools.probes.protocol import Result, Viewport

if TYPE_CHECKING:
    from .conftest import Audit, PlaywrightView

PAGES = Path(__file__).parents[2] / "fixtures" / "probes"

MARK = re.compile(r"#((?:bad|ok|low|weak)-[\w-]+)")


def marks(findings: Iterable[Finding]) -> set[str]:
    """Ids of the marked elements that the findings name."""
    named: set[str] = set()
    for finding in findings:
        text = f"{finding.selector} {finding.measured.get('other', '')} {finding.measured.get('within', '')}"
        named |= set(MARK.findall(text))
    return named


def symptoms(result: Result) -> set[str]:
    """Names of the symptoms found."""
    return {finding.symptom for finding in result.findings}


def messages(result: Result, symptom: str) -> list[str]:
    """What the findings of one symptom say."""
    return [finding.message for finding in result.findings if finding.symptom == symptom]


async def test_overlaps_are_found_and_layers_are_not(audit: Audit) -> None:
    """Texts and buttons on top of each other; badges, labels, slides, menus and decorations are meant."""
    result = (await audit("layout.html", "layout"))["layout"]
    assert result.measured
    found = marks(result.findings)
    assert not {name for name in found if name.startswith("ok")}
    wanted = [
        {"bad-text-a", "bad-text-b"},
        {"bad-pulled-a", "bad-pulled-b"},
        {"bad-under", "bad-over"},
        {"bad-button-a", "bad-button-b"},
        {"bad-tall", "bad-below"},
        {"bad-tick-a", "bad-tick-b"},
        {"bad-far-a", "bad-far-b"},
        {"bad-sunk", "bad-lid"},
        {"bad-lamp", "bad-bulb"},
        {"bad-shone-on", "bad-glow"},
        {"bad-field", "bad-beside"},
        {"bad-label", "bad-value"},
    ]
    assert [pair for pair in wanted if pair <= found] == wanted
    assert len(result.findings) == len(wanted)
    for finding in result.findings:
        assert finding.box is not None
        assert float(finding.measured["overlap_px2"]) >= 24
        assert 0 < float(finding.measured["share"]) <= 1


async def test_text_that_does_not_fit_is_found(audit: Audit) -> None:
    """Cut, spilled and half-outside text; ellipses, clamps, teasers, scrollers and drawers are meant."""
    result = (await audit("overflow.html", "overflow"))["overflow"]
    by_symptom = {
        symptom: marks(finding for finding in result.findings if finding.symptom == symptom) for symptom in symptoms(result)
    }
    assert by_symptom == {
        "overflow.text_clipped": {"bad-nowrap", "bad-button", "bad-midline", "bad-figure", "bad-tick"},
        "overflow.text_spill": {"bad-chip", "bad-tallbox"},
        "overflow.unreachable": {"bad-left", "bad-out"},
    }


async def test_sideways_scrolling_names_its_cause(audit: Audit) -> None:
    """The element that makes the page too wide is named; a scroller of its own is not."""
    result = (await audit("overflow_wide.html", "overflow"))["overflow"]
    (finding,) = result.findings
    assert finding.symptom == "overflow.horizontal"
    assert finding.selector == "#bad-row"
    assert finding.measured["excess_px"] == 1510 - 1280
    narrow = (await audit("overflow_wide.html", "overflow", viewport="mobile"))["overflow"]
    assert {finding.symptom for finding in narrow.findings} == {"overflow.horizontal"}
    assert narrow.findings[0].viewport == "mobile"


async def test_a_page_that_must_not_scroll_hides_its_end(audit: Audit) -> None:
    """With overflow hidden on the page, what lies below the window can never be reached; a list's own scrolling is fine."""
    result = (await audit("overflow_locked.html", "overflow"))["overflow"]
    assert marks(result.findings) == {"bad-bottom"}
    assert symptoms(result) == {"overflow.unreachable"}


async def test_what_lies_behind_a_dialog_may_wait(audit: Audit) -> None:
    """A page that can't be scrolled while a dialog lies over it can be once that is closed."""
    assert (await audit("overflow_behind.html", "overflow"))["overflow"].findings == ()


async def test_what_a_phone_cuts_off(audit: Audit) -> None:
    """With sideways scrolling off, what a wide layout puts beyond the edge is lost: links of a fixed header, a chart."""
    result = (await audit("phone_cut.html", "overflow", viewport="mobile"))["overflow"]
    assert marks(result.findings) == {"bad-link", "bad-chart"}
    assert symptoms(result) == {"overflow.unreachable"}
    wide = (await audit("phone_cut.html", "overflow"))["overflow"]
    assert wide.findings == ()


async def test_a_row_of_controls_that_a_phone_cuts(audit: Audit) -> None:
    """Seats past the edge of their hall cannot be pressed; rows that scroll, wrap, fade or are a shelf's are meant."""
    result = (await audit("phone_rows.html", "overflow", viewport="mobile"))["overflow"]
    assert marks(result.findings) == {"bad-seat"}
    assert symptoms(result) == {"overflow.text_clipped"}
    assert result.findings[0].measured["within"]
    assert (await audit("phone_rows.html", "overflow"))["overflow"].findings == ()


@pytest.mark.parametrize("viewport", ["desktop", "mobile"])
async def test_a_modern_page_is_left_in_peace(audit: Audit, viewport: Viewport) -> None:
    """Gradients, glass, carousels, badges, floating labels, drawers, odometers and teasers: no finding at either width."""
    results = await audit("modern.html", viewport=viewport)
    assert [result.reason for result in results.values() if not result.measured] == []
    assert [(finding.symptom, finding.message) for result in results.values() for finding in result.findings] == []


async def test_contrast_is_measured_on_what_is_really_behind(audit: Audit) -> None:
    """Flat colours, translucency, groups, pictures, gradients and siblings behind; exemptions stay silent."""
    result = (await audit("contrast.html", "contrast"))["contrast"]
    low = marks(finding for finding in result.findings if finding.symptom == "contrast.low")
    weak = marks(finding for finding in result.findings if finding.symptom == "contrast.weak")
    assert low == {
        "low-grey",
        "low-alpha",
        "low-group",
        "low-oklch",
        "low-button",
        "low-picture",
        "low-gradient",
        "low-veiled",
        "low-far",
    }
    assert weak == {"weak-grey"}
    ratios = {MARK.search(finding.selector).group(1): finding.measured["ratio"] for finding in result.findings}  # type: ignore[union-attr]
    assert ratios["low-grey"] == pytest.approx(2.32, abs=0.02)
    assert ratios["weak-grey"] == pytest.approx(4.48, abs=0.02)
    methods = {MARK.search(finding.selector).group(1): finding.measured["method"] for finding in result.findings}  # type: ignore[union-attr]
    assert methods["low-grey"] == "styles"
    assert methods["low-veiled"] == "picture"
    assert result.values["unmeasured"] == 1, "text over a layer below the fold cannot be measured, and must be counted"


async def test_media_that_did_not_come(audit: Audit) -> None:
    """Broken, empty and undecodable images, films, canvases and icons; hidden, lazy and decorative ones are fine."""
    result = (await audit("media.html", "media"))["media"]
    found = {symptom: marks(f for f in result.findings if f.symptom == symptom) for symptom in symptoms(result)}
    assert found == {
        "media.broken_image": {"bad-missing", "bad-empty", "bad-data"},
        "media.broken_background": {"bad-back"},
        "media.failed": {"bad-video"},
        "media.canvas_empty": {"bad-canvas"},
        "media.drawing_empty": {"bad-drawing"},
        "media.icon_font": {"bad-icon", "bad-ligature"},
    }
    inline = {
        marks([finding]).pop(): finding.measured.get("inline") for finding in result.findings if "inline" in finding.measured
    }
    assert inline["bad-data"] is True
    assert inline["bad-missing"] is False


async def test_code_and_raw_values_on_the_page(audit: Audit) -> None:
    """Fences, style rules, script, markup, unfilled templates, NaN and its kin; a page about such things is left alone."""
    found = (await audit("values.html", "code"))["code"]
    assert marks(found.findings) == {
        "bad-undefined",
        "bad-nan",
        "bad-object",
        "bad-null",
        "bad-date",
        "bad-mustache",
        "bad-dollar",
        "bad-value",
        "bad-css",
        "bad-js",
        "bad-markup",
    }
    assert {finding.measured["form"] for finding in found.findings if finding.symptom == "code.visible"} == {
        "style rules",
        "script",
        "markup",
    }
    innocent = (await audit("values_ok.html", "code"))["code"]
    assert innocent.measured
    assert innocent.findings == ()


async def test_a_model_answer_served_as_it_came(audit: Audit) -> None:
    """Fences around a page that renders, and a file that is no page at all."""
    fence = (await audit("fence.html", "code"))["code"]
    assert symptoms(fence) == {"code.visible"}
    assert "fence" in str(fence.findings[0].measured["form"])
    bare = (await audit("notes.txt", "code"))["code"]
    assert bare.findings[0].measured["form"] == "bare document"


async def test_placeholders_and_their_innocent_twins(audit: Audit) -> None:
    """Filler, announcements and placeholder images; a to-do app may say todo."""
    result = (await audit("placeholder.html", "placeholder"))["placeholder"]
    text = marks(finding for finding in result.findings if finding.symptom == "placeholder.text")
    assert text == {"bad-lorem", "bad-fill", "bad-todo", "bad-zh"}
    unbuilt = {finding.selector for finding in result.findings if finding.symptom == "placeholder.unbuilt"}
    assert unbuilt == {"#soon", "#soon-zh"}
    assert [f.selector for f in result.findings if f.symptom == "placeholder.image"] == ["#image"]
    innocent = (await audit("placeholder_ok.html", "placeholder"))["placeholder"]
    assert innocent.findings == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "chinese.html",
            {"zh-CN": {"language.attribute"}, "en": {"language.mismatch", "language.attribute"}},
        ),
        ("english.html", {"en": set(), "zh": {"language.mismatch"}, "ru": {"language.mismatch"}}),
        ("spanish.html", {"es": set(), "en": {"language.mismatch"}, "pt": set()}),
    ],
)
async def test_language_against_the_brief(view: PlaywrightView, name: str, expected: dict[str, set[str]]) -> None:
    """A page in another language is found, also within one script; close relatives are not told apart."""
    await view.page.set_content((PAGES / name).read_text(encoding="utf-8"))
    for brief, wanted in expected.items():
        (result,) = await audit_page(view, viewport="desktop", brief_language=brief, only=["language"])
        assert result.measured
        assert symptoms(result) == wanted, brief


async def test_language_is_not_guessed(audit: Audit) -> None:
    """Without the brief's language or without enough text there is no answer, and the reason is given."""
    unknown = (await audit("english.html", "language", brief_language=""))["language"]
    assert not unknown.measured
    assert "not known" in unknown.reason
    assert unknown.values["language"] == "en"
    short = (await audit("minimal.html", "language"))["language"]
    assert not short.measured
    assert "too little text" in short.reason


async def test_unstyled_page(audit: Audit) -> None:
    """Bare elements score high and name the style sheet that failed; the same page styled scores near nothing."""
    bare = (await audit("unstyled.html", "unstyled"))["unstyled"]
    (finding,) = bare.findings
    assert finding.symptom == "unstyled.page"
    assert float(finding.measured["score"]) > 0.9
    assert finding.measured["sheets_failed"] == 1
    styled = (await audit("styled.html", "unstyled"))["unstyled"]
    assert styled.findings == ()
    assert float(styled.values["score"]) < 0.2
    printed = (await audit("unstyled_print.html", "unstyled"))["unstyled"]
    assert [finding.symptom for finding in printed.findings] == ["unstyled.page"]
    canvas = (await audit("dark_game.html", "unstyled"))["unstyled"]
    assert not canvas.measured


async def test_small_screens(audit: Audit) -> None:
    """No viewport declaration, tiny text, crowded targets; a page made for phones has none of it."""
    bad = (await audit("phone_bad.html", "responsive", viewport="mobile"))["responsive"]
    assert symptoms(bad) == {"responsive.no_viewport_meta", "responsive.small_text", "responsive.tap_targets"}
    good = (await audit("phone_good.html", "responsive", viewport="mobile"))["responsive"]
    assert good.measured
    assert good.findings == ()
    assert good.values["targets"] == 7


async def test_a_part_that_a_phone_loses(audit: Audit) -> None:
    """Links still lead to it; hints, and a button that stands elsewhere too, may go."""
    lost = (await audit("phone_lost.html", "responsive", viewport="mobile"))["responsive"]
    assert [(finding.symptom, finding.selector) for finding in lost.findings] == [("responsive.lost_part", "#basket")]
    assert (await audit("phone_lost.html", "responsive"))["responsive"].findings == ()
    # Views that a bar at the bottom brings up, one at a time, are all still there.
    assert (await audit("phone_views.html", "responsive", viewport="mobile"))["responsive"].findings == ()


@pytest.mark.parametrize(
    ("style", "told"),
    [
        (":focus-visible { outline: none }", True),
        ("button, a { outline: 0 } input:focus { outline: none }", True),
        ("* { outline: none } :focus-visible { outline: 2px solid blue }", False),
        ("button:focus, a:focus, input:focus { outline: none; box-shadow: 0 0 0 3px blue }", False),
        ("button:focus { outline: none }", False),
        ("", False),
    ],
)
async def test_focus_that_cannot_be_seen(audit: Audit, style: str, told: bool) -> None:
    """All of it taken away and nothing put in its place; a page that shows it somewhere has a way of its own."""
    controls = "<button>Save</button> <a href='#x'>More</a> <input aria-label=Name><p id=x>Words to read</p>"
    body = f"<!doctype html><html lang=en><title>Focus here</title><style>{style}</style>{controls}</html>"
    found = symptoms((await audit("", "markup", body=body))["markup"])
    assert ("markup.unseen_focus" in found) is told


_SKIPPED = "".join(f"<button class=day tabindex=-1>{day}</button>" for day in range(1, 8))


@pytest.mark.parametrize(
    ("group", "told"),
    [
        (f"<div>{_SKIPPED}</div>", True),
        (f"<div role=grid>{_SKIPPED}</div>", False),
        (f"<div tabindex=0>{_SKIPPED}</div>", False),
        (f"<div>{_SKIPPED}<button class=day>8</button></div>", False),
        (f"<div>{_SKIPPED}</div><script>onkeydown = (e) => e.key === 'ArrowLeft'</script>", False),
        ("<div><button tabindex=-1>+</button><button tabindex=-1>-</button></div>", False),
    ],
)
async def test_controls_the_tab_key_leaves_out(audit: Audit, group: str, told: bool) -> None:
    """A whole group of like buttons without a stop and without another way to them."""
    body = f"<!doctype html><html lang=en><title>Days here</title>{group}<p>Words to read</p></html>"
    found = symptoms((await audit("", "markup", body=body))["markup"])
    assert ("markup.unreached" in found) is told


async def test_markup(audit: Audit) -> None:
    """Dead links, ids given twice where it matters, the scaffold's title."""
    result = (await audit("markup.html", "markup"))["markup"]
    dead = marks(finding for finding in result.findings if finding.symptom == "markup.dead_link")
    assert dead == {"bad-hash", "bad-void"}
    assert [f.measured["id"] for f in result.findings if f.symptom == "markup.duplicate_id"] == ["twin"]
    assert marks(finding for finding in result.findings if finding.symptom == "markup.no_keyframes") == {"bad-still"}
    assert messages(result, "meta.title") == ["The title is the scaffold's: “Vite + React”."]
    innocent = (await audit("styled.html", "markup"))["markup"]
    assert innocent.findings == ()


async def test_axe(audit: Audit) -> None:
    """Grave violations become one finding a rule; contrast is left to the contrast probe."""
    result = (await audit("axe.html", "axe"))["axe"]
    by_name = {finding.symptom: finding for finding in result.findings}
    assert {"axe.button-name", "axe.image-alt", "axe.label"} <= set(by_name)
    assert "axe.color-contrast" not in by_name
    assert by_name["axe.button-name"].measured["count"] == 2
    assert by_name["axe.button-name"].selector == "#nameless"
    assert str(by_name["axe.button-name"].measured["impact"]) in {"serious", "critical"}


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("blank.html", {"blank.picture", "blank.dom", "blank.page"}),
        ("dark_game.html", {"blank.picture"}),
        ("minimal.html", {"blank.picture"}),
        ("styled.html", set()),
    ],
)
async def test_blank(audit: Audit, page: str, expected: set[str]) -> None:
    """Only a page on which picture and document agree is blank; dark games and minimal pages are not."""
    assert symptoms((await audit(page, "blank"))["blank"]) == expected


async def test_text_that_is_not_there_to_be_read_now_has_no_contrast_to_speak_of(audit: Audit) -> None:
    """Behind a dialog's translucent veil, struck out as done; the dialog's own pale text is told."""
    body = """<!DOCTYPE html><html lang="en"><body style="margin:0;font:16px sans-serif;background:#fff;color:#767676">
      <p style="margin:20px">Behind the veil</p>
      <p style="margin:20px;position:relative;z-index:2;color:#ddd;text-decoration:line-through">Done and gone</p>
      <div style="position:fixed;inset:0;background:rgba(0,0,0,.4);z-index:1"><div role="dialog"
      style="margin:200px auto;width:300px;padding:20px;background:#fff"><p style="color:#ccc">Pale in the dialog</p></div></div>
      </body></html>"""
    found = (await audit("", "contrast", body=body))["contrast"].findings
    assert [(item.symptom, "Pale in the dialog" in item.message) for item in found] == [("contrast.low", True)]


async def test_what_a_dialog_dims_is_not_hard_to_read(audit: Audit) -> None:
    """Though its library takes the pointer from the whole page, so that nothing under it is met at its place."""
    result = (await audit("barred.html", "contrast"))["contrast"]
    assert marks(result.findings) == {"bad-faint"}
