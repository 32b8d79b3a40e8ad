"""What the local CDN answers, with packages from the registry."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.browser.cdn.answer import Cdn, Served
from tools.browser.cdn.faults import Absent, Withheld
from tools.browser.cdn.packages import Packages
from tools.browser.cdn.pins import Pin

JSDELIVR = "https://cdn.jsdelivr.net/npm"


async def served(cdn: Cdn, url: str, method: str = "GET") -> Served:
    """The answer to an address of a CDN that is known."""
    answer = await cdn.serve(url, method)
    assert answer is not None
    return answer


async def test_a_file_is_the_packages_own(cdn: Cdn) -> None:
    """Type and headers as a CDN sends them, bytes as the package has them, so that integrity attributes hold."""
    answer = await served(cdn, f"{JSDELIVR}/normalize.css@8.0.1/normalize.css")
    headers = dict(answer.headers)
    assert (answer.status, answer.blame) == (200, "")
    assert headers["content-type"] == "text/css; charset=utf-8"
    assert headers["access-control-allow-origin"] == "*"
    assert headers["x-content-type-options"] == "nosniff"
    # The hash that cdnjs and jsDelivr publish for this file.
    digest = base64.b64encode(hashlib.sha256(answer.body).digest()).decode()
    assert digest == "WAgYcAck1C1/zEl5sBl5cfyhxtLgKGdpI3oKyJffVRI="
    assert answer.origin.integrity.startswith("sha512-")
    assert (answer.origin.package, answer.origin.version) == ("normalize.css", "8.0.1")


async def test_offline_from_the_cache(cdn: Cdn, cut_off: Callable[[], Cdn]) -> None:
    """What was asked for once is there without npm, the same bytes; what was not is the environment's failing."""
    url = f"{JSDELIVR}/normalize.css@8.0.1/normalize.css"
    first = await served(cdn, url)
    alone = cut_off()
    second = await served(alone, url)
    assert first.body == second.body
    assert not second.origin.fetched
    missing = await served(alone, f"{JSDELIVR}/classnames@2.3.1/index.js")
    assert (missing.status, missing.blame) == (503, "environment")
    assert "can't be reached" in missing.note or "could not be fetched" in missing.note


async def test_ranges_are_pinned(cdn: Cdn, cut_off: Callable[[], Cdn]) -> None:
    """A range means the same version ever after, offline as well."""
    first = await served(cdn, f"{JSDELIVR}/normalize.css@8/normalize.css")
    assert first.origin.version.startswith("8.")
    assert cdn.packages.pins.get("normalize.css@8") is not None
    alone = cut_off()
    assert (await served(alone, f"{JSDELIVR}/normalize.css@8/normalize.css")).body == first.body
    assert alone.packages.here("normalize.css", first.origin.version)


@pytest.mark.parametrize(
    ("url", "status", "blame"),
    [
        (f"{JSDELIVR}/normalize.css@8.0.1/no-such-file.js", 404, "app"),
        (f"{JSDELIVR}/normalize.css@99.0.0/normalize.css", 404, "app"),
        ("https://cdnjs.cloudflare.com/ajax/libs/normalize/8.0.1/other/thing.css", 503, "environment"),
        ("https://kit.fontawesome.com/123.js", 503, "environment"),
    ],
)
async def test_whose_failing_it_is(cdn: Cdn, url: str, status: int, blame: str) -> None:
    """What the CDN does not have is the page's mistake, what cannot be had here is not."""
    answer = await served(cdn, url)
    assert (answer.status, answer.blame) == (status, blame)
    assert answer.note


async def test_methods(cdn: Cdn) -> None:
    """HEAD has no body; nobody can write to a CDN."""
    url = f"{JSDELIVR}/normalize.css@8.0.1/normalize.css"
    assert (await served(cdn, url, "HEAD")).body == b""
    assert (await served(cdn, url, "POST")).status == 405
    assert await cdn.serve("https://example.org/x.js") is None


async def test_unpkg_moves_on(cdn: Cdn) -> None:
    """Unpkg sends the browser to the exact version and file, which then is served."""
    moved = await served(cdn, "https://unpkg.com/classnames@2.3.2")
    assert (moved.status, dict(moved.headers)["location"]) == (302, "/classnames@2.3.2/index.js")
    assert b"classNames" in (await served(cdn, "https://unpkg.com/classnames@2.3.2/index.js")).body


async def test_minified_and_combined(cdn: Cdn) -> None:
    """JsDelivr makes `x.min.css` of `x.css`, and one file of several."""
    whole = await served(cdn, f"{JSDELIVR}/normalize.css@8.0.1/normalize.css")
    small = await served(cdn, f"{JSDELIVR}/normalize.css@8.0.1/normalize.min.css")
    assert 500 < len(small.body) < len(whole.body) * 0.6
    assert "integrity" in small.note
    both = await served(cdn, "https://cdn.jsdelivr.net/combine/npm/classnames@2.3.2/index.js,npm/classnames@2.3.2/bind.js")
    assert both.body.count(b"classNames") > 4
    assert dict(both.headers)["content-type"].startswith("text/javascript")


async def test_one_fetch_for_many(cache: Path) -> None:
    """Twenty requests for one package at the same time are one fetch."""
    packages = Packages(cache / "many")
    got = await asyncio.gather(*(packages.get("classnames", "2.3.2") for _ in range(20)))
    assert len({id(item.package) for item in got}) == 1
    assert len(list((cache / "many" / "packages").iterdir())) == 1
    assert list((cache / "many" / "coming").iterdir()) == []


async def test_other_bytes_than_pinned(cache: Path) -> None:
    """A registry that gives other bytes than those pinned is not believed."""
    packages = Packages(cache / "pinned")
    packages.pins.add({"classnames@2.3.2": Pin("2.3.2", "sha512-" + base64.b64encode(bytes(64)).decode())})
    with pytest.raises(Withheld, match="other bytes"):
        await packages.get("classnames", "2.3.2")


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("classnames", "file:../x"),
        ("classnames", "git+ssh://x/y"),
        ("../x", "1"),
        ("-g", "1"),
        ("a b", "1"),
        ("classnames", "--help"),
    ],
)
async def test_npm_is_told_names_only(cache: Path, name: str, spec: str) -> None:
    """Nothing in an address makes npm read a folder, a URL or an option."""
    packages = Packages(cache / "names")
    with pytest.raises(Absent):
        await packages.get(name, spec)
    assert not (cache / "names").exists()
