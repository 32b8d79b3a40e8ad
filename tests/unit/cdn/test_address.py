"""What addresses of CDNs ask for."""

from __future__ import annotations

import re

import pytest

from tools.browser.cdn.address import (
    Text,
    Wanted,
    WantedFont,
    WantedModule,
    WantedSheet,
    WantedTogether,
    hosts,
    knows_host,
    read_address,
)
from tools.browser.cdn.faults import Absent, Withheld
from tools.browser.cdn.table import table

JSDELIVR = "https://cdn.jsdelivr.net"
CDNJS = "https://cdnjs.cloudflare.com/ajax/libs"


def wanted(url: str) -> Wanted:
    """What an address asks for, if it is a file."""
    address = read_address(url)
    assert isinstance(address, Wanted)
    return address


def module(url: str) -> WantedModule:
    """What an address asks for, if it is a module."""
    address = read_address(url)
    assert isinstance(address, WantedModule)
    return address


@pytest.mark.parametrize(
    ("url", "package", "spec", "path"),
    [
        (f"{JSDELIVR}/npm/three@0.128.0/build/three.min.js", "three", "0.128.0", "build/three.min.js"),
        (f"{JSDELIVR}/npm/chart.js", "chart.js", "", ""),
        (f"{JSDELIVR}/npm/@popperjs/core@2/dist/umd/popper.min.js", "@popperjs/core", "2", "dist/umd/popper.min.js"),
        ("https://unpkg.com/@babel/standalone/babel.min.js", "@babel/standalone", "", "babel.min.js"),
        ("https://unpkg.com/react@18/umd/react.production.min.js", "react", "18", "umd/react.production.min.js"),
        (f"{CDNJS}/three.js/r128/three.min.js", "three", "0.128.0", "build/three.min.js"),
        (f"{CDNJS}/three.js/0.150.1/three.min.js", "three", "0.150.1", "build/three.min.js"),
        (f"{CDNJS}/font-awesome/4.7.0/css/font-awesome.min.css", "font-awesome", "4.7.0", "css/font-awesome.min.css"),
        (f"{CDNJS}/font-awesome/6.4.0/css/all.min.css", "@fortawesome/fontawesome-free", "6.4.0", "css/all.min.css"),
        (f"{CDNJS}/numeric/1.2.6/numeric.min.js", "numeric", "1.2.6", "numeric-1.2.6.min.js"),
        (f"{CDNJS}/Chart.js/2.9.4/Chart.min.js", "chart.js", "2.9.4", "dist/Chart.min.js"),
        ("https://cdn.bootcdn.net/ajax/libs/jquery/3.6.0/jquery.min.js", "jquery", "3.6.0", "dist/jquery.min.js"),
        ("https://ajax.googleapis.com/ajax/libs/threejs/r84/three.min.js", "three", "0.84.0", "build/three.min.js"),
        ("https://cdn.plot.ly/plotly-latest.min.js", "plotly.js-dist-min", "1.58.5", "plotly.min.js"),
        ("https://cdn.plot.ly/plotly-basic-2.4.1.min.js", "plotly.js-basic-dist-min", "2.4.1", "plotly-basic.min.js"),
        ("https://code.jquery.com/jquery-3.6.0.slim.min.js", "jquery", "3.6.0", "dist/jquery.slim.min.js"),
        ("https://d3js.org/d3.v7.min.js", "d3", "7", "dist/d3.min.js"),
        ("https://d3js.org/d3.v4.min.js", "d3", "4", "build/d3.min.js"),
        ("https://threejs.org/examples/jsm/math/Octree.js", "three", "latest", "examples/jsm/math/Octree.js"),
        ("https://cdn.mathjax.org/mathjax/latest/MathJax.js?config=TeX", "mathjax", "2.7.9", "MathJax.js"),
        ("https://maxcdn.bootstrapcdn.com/bootstrap/4.5.2/js/bootstrap.js", "bootstrap", "4.5.2", "dist/js/bootstrap.js"),
        ("https://cdn.babylonjs.com/babylon.js", "babylonjs", "", "babylon.js"),
        ("https://aframe.io/releases/1.4.0/aframe.min.js", "aframe", "1.4.0", "dist/aframe.min.js"),
        (f"{JSDELIVR}/gh/mrdoob/three.js@r128/build/three.js", "three", "0.128.0", "build/three.js"),
        (f"{JSDELIVR}/gh/highlightjs/cdn-release@11.9.0/build/es/core.js", "@highlightjs/cdn-assets", "11.9.0", "es/core.js"),
        (f"{JSDELIVR}/pyodide/v0.23.4/full/pyodide.js", "pyodide", "0.23.4", "pyodide.js"),
    ],
)  # fmt: skip
def test_packages_and_files(url: str, package: str, spec: str, path: str) -> None:
    """Each CDN's way to write a package, a version and a file is understood."""
    address = wanted(url)
    assert (address.packages[0], address.spec, address.paths[0]) == (package, spec, path)


def test_unlisted_libraries_are_looked_for_under_both_names() -> None:
    """A library of cdnjs that the table does not list may be called with or without `.js`, and nothing about it is certain."""
    address = wanted(f"{CDNJS}/some-thing.js/1.2/thing.min.js")
    assert address.packages == ("some-thing", "some-thing.js")
    assert address.spec == "1.2.0"
    assert "dist/thing.min.js" in address.paths
    assert not address.certain


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://esm.sh/react@18.2.0", ("react", "18.2.0", "", False)),
        ("https://esm.sh/v135/react-dom@18.2.0/client?dev", ("react-dom", "18.2.0", "client", False)),
        ("https://esm.sh/stable/react@18.2.0/es2022/react.mjs", ("react", "18.2.0", "", True)),
        ("https://esm.sh/react-dom@18.2.0/es2022/client.development.mjs", ("react-dom", "18.2.0", "client", True)),
        ("https://esm.sh/@scope/name@1/deep/file.js", ("@scope/name", "1", "deep/file.js", False)),
        (f"{JSDELIVR}/npm/d3@7/+esm", ("d3", "7", "", False)),
        (f"{JSDELIVR}/npm/three@0.160.0/examples/jsm/controls/OrbitControls.js/+esm",
         ("three", "0.160.0", "examples/jsm/controls/OrbitControls.js", False)),
        ("https://esm.run/canvas-confetti@1", ("canvas-confetti", "1", "", False)),
        ("https://cdn.skypack.dev/three@0.136.0", ("three", "0.136.0", "", False)),
        ("https://cdn.skypack.dev/-/preact@v10.5.5-3ldBcDYkPMHJ8tLLbNnL/dist=es2019,mode=imports/optimized/preact/hooks.js",
         ("preact", "10.5.5", "preact/hooks", True)),
        ("https://unpkg.com/lit@2?module", ("lit", "2", "", False)),
    ],
)  # fmt: skip
def test_modules(url: str, expected: tuple[str, str, str, bool]) -> None:
    """Addresses of ES modules, with and without an exact version."""
    address = module(url)
    assert (address.package, address.spec, address.path, address.built) == expected


def test_options_of_esm() -> None:
    """Versions of dependencies, names left outside, the development build."""
    address = module("https://esm.sh/swr@2?deps=react@18.2.0,react-dom@18.2.0&external=lodash&dev&alias=react:preact/compat")
    assert address.pins == (("react", "18.2.0"), ("react-dom", "18.2.0"))
    assert address.outside == ("lodash",)
    assert address.aliases == (("react", "preact/compat"),)
    assert address.development
    assert module("https://esm.sh/*swr@2").outside == ("*",)


def test_combined_files() -> None:
    """JsDelivr's combined addresses are several files."""
    address = read_address(f"{JSDELIVR}/combine/npm/jquery@3.6.0,npm/bootstrap@5/dist/js/bootstrap.min.js")
    assert isinstance(address, WantedTogether)
    assert [part.packages[0] for part in address.parts] == ["jquery", "bootstrap"]


def test_polyfills_call_back() -> None:
    """The polyfill services answer with next to nothing, and call the function they are told to."""
    address = read_address("https://polyfill.io/v3/polyfill.min.js?features=es6&callback=go")
    assert isinstance(address, Text)
    assert "typeof go === 'function' && go();" in address.body
    evil = read_address("https://cdnjs.cloudflare.com/polyfill/v3/polyfill.min.js?callback=alert(1)//")
    assert isinstance(evil, Text)
    assert "alert" not in evil.body


def test_fonts() -> None:
    """Sheets and font files of Google Fonts."""
    assert isinstance(read_address("https://fonts.googleapis.com/css2?family=Inter"), WantedSheet)
    assert isinstance(read_address("https://fonts.gstatic.com/s/inter/v13/UcCO3.woff2"), WantedFont)


@pytest.mark.parametrize(
    "url",
    [
        "https://cdn.plot.ly/plotly-latest.min.css",
        f"{CDNJS}/three.js",
        f"{JSDELIVR}/nothing/here.js",
        f"{JSDELIVR}/npm/..%2f..%2fetc/passwd",
        "https://unpkg.com/",
        "https://polyfill.io/other.js",
    ],
)
def test_what_the_cdn_does_not_have(url: str) -> None:
    """Addresses that no file can lie at are the page's own mistake."""
    with pytest.raises(Absent):
        read_address(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://kit.fontawesome.com/abc123.js",
        f"{JSDELIVR}/gh/somebody/something@1.0/file.js",
        "https://esm.sh/gh/user/repo",
        "https://ga.jspm.io/npm:react@18.2.0/index.js",
        "https://cdn.plotly.com/plotly-latest.min.js",
    ],
)
def test_what_cannot_be_had_here(url: str) -> None:
    """What exists, or may exist, elsewhere than on npm is the environment's failing."""
    with pytest.raises(Withheld):
        read_address(url)


@pytest.mark.parametrize(
    "url",
    ["https://example.org/x.js", "https://picsum.photos/200", "data:text/plain,x", "https://[bad", "https://jsdelivr.net.evil.example/x"],
)  # fmt: skip
def test_other_hosts_are_left_alone(url: str) -> None:
    """Hosts that are no CDN known here are somebody else's business."""
    assert read_address(url) is None


def test_hosts() -> None:
    """The hosts are those of the table and of the code."""
    assert {"cdn.jsdelivr.net", "unpkg.com", "esm.sh", "cdn.plot.ly", "fonts.gstatic.com", "polyfill.io"} <= hosts()
    assert knows_host("UNPKG.com")
    assert not knows_host("evil.example")


def test_no_library_is_listed_twice() -> None:
    """For each name, catalogue and major version one entry counts; a second one would never be reached."""
    seen: dict[tuple[str, str], list[tuple[int, ...]]] = {}
    for item in table().library:
        for name in item.names:
            key = (name.lower(), item.catalogue)
            for majors in seen.get(key, []):
                assert item.majors, (name, item.catalogue)
                assert majors, (name, item.catalogue)
                assert not set(majors) & set(item.majors), (name, item.catalogue)
            seen.setdefault(key, []).append(item.majors)


def test_rules_name_what_they_use() -> None:
    """Every rule's package, version and files can be filled in from its own expression."""
    for rule in table().rule:
        names = dict.fromkeys(re.compile(rule.path).groupindex, "1")
        for text in (rule.package, rule.version, *rule.files):
            text.format(**{"version": "", **names})
