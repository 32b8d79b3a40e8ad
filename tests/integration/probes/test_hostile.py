"""Pages that are huge, deep, nested in shadow roots, that lie, or that stop answering."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from tools.errors import UserError
from tools.probes.page import PROBES, audit_page

if TYPE_CHECKING:
    from .conftest import Audit, PlaywrightView

CARDS = 400


async def test_a_page_that_hides_the_browser_from_scripts(audit: Audit) -> None:
    """Form fields named like DOM properties and patched prototypes change nothing."""
    results = await audit("clobbered.html", "code", "contrast", "layout", "overflow", "markup", "media", "axe", "unstyled")
    assert [result.reason for result in results.values() if not result.measured] == []
    assert [finding.selector for finding in results["code"].findings] == ["#nan"]
    assert "#pale" in {finding.selector for finding in results["contrast"].findings}


async def test_a_huge_page_is_sampled(audit: Audit) -> None:
    """Work stays bounded, and every probe that walks says that it sampled."""
    body = "<!doctype html><html lang=en><title>Rows</title><body style='font:14px sans-serif'><h1>Rows</h1>"
    body += "".join(f"<p>Row <b>{number}</b></p>" for number in range(10_000))
    began = time.monotonic()
    results = await audit(body=body)
    assert time.monotonic() - began < 60
    assert [name for name, result in results.items() if not result.measured] == ["axe"]
    assert "more than" in results["axe"].reason
    assert all(result.values["sampled"] for name, result in results.items() if name != "axe")


async def test_a_thousand_levels_do_not_overflow_the_stack(view: PlaywrightView) -> None:
    """A DOM twice as deep as the parser allows is walked all the same (at 3,000 levels Chromium itself crashes)."""
    await view.page.evaluate(
        """() => {
            let at = document.body;
            for (let i = 0; i < 1000; i += 1) at = at.appendChild(document.createElement("div"));
            at.textContent = "Total: NaN";
            at.style.color = "#bbb";
        }"""
    )
    results = await audit_page(view, viewport="desktop", brief_language="en", only=["code", "contrast", "layout", "overflow"])
    assert [result.reason for result in results if not result.measured] == []
    assert [finding.symptom for finding in results[0].findings] == ["value.nan"]


async def test_shadow_roots_are_looked_into(view: PlaywrightView) -> None:
    """Text within open shadow roots is measured and found again by its path."""
    await view.page.set_content(
        "<!doctype html><html lang=en><title>Parts</title><div id=host><p slot=in>Slotted words</p></div>"
    )
    await view.page.evaluate(
        """() => { const root = document.getElementById("host").attachShadow({ mode: "open" });
        root.innerHTML = "<p style='color:#bbb'>Pale words in the shadow</p><slot name=in></slot><p>Total: NaN</p>"; }"""
    )
    results = await audit_page(view, viewport="desktop", brief_language="en", only=["code", "contrast"])
    by_probe = {result.probe: result for result in results}
    assert [f.selector for f in by_probe["code"].findings] == ["#host >>> p:nth-of-type(2)"]
    assert [f.selector for f in by_probe["contrast"].findings] == ["#host >>> p:nth-of-type(1)"]


async def test_a_probe_that_fails_is_a_result(view: PlaywrightView) -> None:
    """An exception of the view costs the probes that need it, with the reason; the others go on."""

    class NoPicture:
        async def evaluate(self, function: str, arg: object = None, *, timeout_s: float | None = None) -> Any:
            return await view.evaluate(function, arg, timeout_s=timeout_s)

        async def picture(self) -> Any:
            raise OSError("the display is gone")

    await view.page.set_content("<!doctype html><html lang=en><title>Shop</title><p>Total: NaN</p>")
    results = await audit_page(NoPicture(), viewport="desktop", brief_language="en", only=["blank", "code"])
    assert [(result.probe, result.measured) for result in results] == [("blank", False), ("code", True)]
    assert "the display is gone" in results[0].reason
    assert len(results[1].findings) == 1


async def test_a_page_that_stops_answering_ends_the_audit(view: PlaywrightView) -> None:
    """A view that hangs is given up after one probe and one short question, not after one wait a probe."""
    asked: list[float] = []

    class Hung:
        async def evaluate(self, function: str, arg: object = None, *, timeout_s: float | None = None) -> Any:
            del function, arg
            asked.append(timeout_s or 0.0)
            raise TimeoutError("the page does not answer")

        async def picture(self) -> Any:
            return await view.picture()

    results = await audit_page(Hung(), viewport="desktop", brief_language="en")
    assert len(asked) == 2
    assert not any(result.measured for result in results)
    assert "does not answer" in results[0].reason
    assert all(result.reason.startswith("not tried") for result in results[1:])


async def test_only_known_probes_may_be_picked(view: PlaywrightView) -> None:
    """A wrong name is the caller's error, with the names there are."""
    with pytest.raises(UserError, match="no probe called 'colour'"):
        await audit_page(view, viewport="desktop", brief_language="en", only=["colour"])


async def test_which_probes_run_at_which_width(audit: Audit) -> None:
    """Every probe is asked at one width at least; those that depend on the width at both."""
    desktop = await audit("styled.html")
    mobile = await audit("styled.html", viewport="mobile")
    assert set(desktop) | set(mobile) == set(PROBES)
    assert set(mobile) == {"blank", "layout", "overflow", "contrast", "responsive", "craft"}
    assert "responsive" not in desktop


async def test_an_audit_leaves_no_trace(view: PlaywrightView) -> None:
    """Nothing is added to the page, focused, scrolled or requested."""
    await view.page.set_content("<!doctype html><html lang=en><title>Still</title><body><button>Press</button><p>Some words</p>")
    await view.page.evaluate(
        """() => {
            window.seen = [];
            const watch = new MutationObserver((list) => window.seen.push(...list.map((one) => one.type)));
            watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
            for (const kind of ["scroll", "focusin", "click", "mousemove", "resize"])
                addEventListener(kind, () => window.seen.push(kind), true);
        }"""
    )
    requests: list[str] = []
    view.page.on("request", lambda request: requests.append(request.url))
    await audit_page(view, viewport="desktop", brief_language="en")
    assert await view.page.evaluate("() => window.seen") == []
    assert requests == []
    assert await view.page.evaluate("() => typeof window.axe") == "undefined"


async def test_the_audit_is_quick(view: PlaywrightView) -> None:
    """Two thousand elements within a few seconds, axe-core apart; bounded loosely, because the machine is shared."""
    card = (
        "<section class=c><h3>Card {0}</h3><p>Some words about it <a href='/x{0}'>more</a></p><button>Buy {0}</button></section>"
    )
    style = "<style>body{font:15px sans-serif}.c{display:inline-block;width:220px;margin:8px;padding:8px;background:#eef}</style>"
    cards = "".join(card.format(number) for number in range(CARDS))
    await view.page.set_content(f"<!doctype html><html lang=en><title>Cards</title>{style}<h1>Cards</h1>{cards}")
    await audit_page(view, viewport="desktop", brief_language="en", only=["language"])
    began = time.monotonic()
    results = await audit_page(view, viewport="desktop", brief_language="en", only=[name for name in PROBES if name != "axe"])
    took_s = time.monotonic() - began
    assert all(result.measured for result in results)
    assert not any(result.values["sampled"] for result in results)
    assert took_s < 10
