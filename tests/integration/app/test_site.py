"""Serving every other kind of subject, and looking at it in Chromium."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from configs.settings import Settings
from tools.app import serving
from tools.app import site as site_room
from tools.app.answer.extract import extract
from tools.app.scaffold import build
from tools.app.site import Site, open_site
from tools.app.subject import Subject, recognise
from tools.errors import SubjectError
from tools.processes import ProcessList

Get = Callable[..., Any]
ANSWERS = Path(__file__).parents[2] / "fixtures" / "app" / "answers"
Open = Callable[[str], Any]


@pytest.fixture
def open_answer(run_dir: Path, processes: ProcessList, settings: Settings) -> Open:
    """Opens an answer of the corpus, or any text."""

    async def start(name_or_text: str) -> Site:
        path = ANSWERS / f"{name_or_text}.md" if "\n" not in name_or_text else None
        text = path.read_text(encoding="utf-8") if path is not None else name_or_text
        return await open_site(Subject("answer", "-", path, text), run_dir=run_dir, processes=processes, settings=settings)

    return start


@pytest.fixture
async def problems(page: Page) -> AsyncIterator[list[str]]:
    """Errors of the page; the test fails if there are any at its end."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("requestfailed", lambda request: found.append(f"{request.url} failed"))
    page.on(
        "response",
        lambda response: (
            found.append(f"{response.url} {response.status}")
            if response.status >= 400 and "favicon" not in response.url
            else None
        ),
    )
    yield found
    assert not found


# --- answers --------------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("problems")
async def test_a_plain_answer_works(open_answer: Open, page: Page, run_dir: Path) -> None:
    """The page of an answer does what its script says; its source is there to be cited."""
    site = await open_answer("plain_fence")
    assert site.problem is None
    assert site.variety == "answer"
    await page.goto(site.entry)
    await page.locator("#bill").fill("100")
    await expect(page.locator("#total")).to_have_text("110.00")
    assert [(source.path, source.language) for source in site.sources] == [("index.html", "html")]
    assert "GET / 200" in (run_dir / "logs" / "static.log").read_text()


@pytest.mark.usefixtures("problems")
async def test_several_files_find_each_other(open_answer: Open, page: Page) -> None:
    """Modules in folders, named only in the fences, load each other."""
    site = await open_answer("named_in_info")
    await page.goto(site.entry)
    await page.locator("#roll").click()
    assert await page.title() in set("123456")


@pytest.mark.usefixtures("problems")
async def test_injected_parts_work(open_answer: Open, page: Page) -> None:
    """Style and script that no page refers to are made to load."""
    site = await open_answer("unnamed_not_referred")
    await page.goto(site.entry)
    await page.locator("#up").click()
    await expect(page.locator("#up")).to_have_text("1")
    await expect(page.locator("#up")).to_have_css("color", "rgb(102, 51, 153)")


@pytest.mark.usefixtures("problems")
async def test_what_follows_the_closing_tag_runs(open_answer: Open, page: Page) -> None:
    """A script after `</html>` belongs to the page."""
    site = await open_answer("after_closing_tag")
    await page.goto(site.entry)
    await expect(page.locator("#p")).to_have_text("changed by the tail")


@pytest.mark.usefixtures("problems")
async def test_text_is_utf_8_without_a_meta_tag(open_answer: Open, page: Page) -> None:
    """Text that came as text is not spoiled by serving it."""
    site = await open_answer(
        "```html\n<!DOCTYPE html><html><body><p id=p>größer – 你好 🎲</p><button>b</button></body></html>\n```"
    )
    await page.goto(site.entry)
    await expect(page.locator("#p")).to_have_text("größer – 你好 🎲")


@pytest.mark.usefixtures("problems")
async def test_a_picture_is_shown(open_answer: Open, page: Page) -> None:
    """An SVG answer is inline in a page, so that it can be seen and acted on; its source is the picture alone."""
    site = await open_answer("svg_only")
    await page.goto(site.entry)
    box = await page.locator("svg").first.bounding_box()
    assert box is not None
    assert box["width"] > 300
    assert [source.path for source in site.sources] == ["image.svg"]


@pytest.mark.parametrize(("name", "blame"), [("prose_only", "app"), ("python_only", "app"), ("svelte_only", "environment")])
async def test_no_artifact(open_answer: Open, processes: ProcessList, name: str, blame: str) -> None:
    """An answer without an app is a clear problem; a framework Assay cannot build is not the answer's failing."""
    site = await open_answer(name)
    assert site.problem is not None
    assert (site.problem.kind, site.problem.blame) == ("no_artifact", blame)
    assert (site.variety, site.entry, site.pid) == ("none", "", None)
    assert not processes.running()


@pytest.mark.usefixtures("problems")
async def test_a_react_answer_is_built(open_answer: Open, page: Page) -> None:
    """A component with hooks, an icon package and utility classes is built, styled, and works."""
    site = await open_answer("react_jsx")
    assert site.problem is None, site.problem
    notes = " ".join(site.notes)
    assert "lucide-react" in notes
    assert "Tailwind" in notes
    await page.goto(site.entry)
    await expect(page.get_by_role("heading")).to_have_css("font-weight", "700")
    await page.get_by_role("textbox").fill("bread")
    await page.get_by_role("button", name="Add").click()
    await expect(page.get_by_role("listitem")).to_have_text(["milk", "bread"])
    assert await page.locator("button svg").count() == 1
    assert [source.path for source in site.sources] == ["App.jsx"]


@pytest.mark.usefixtures("problems")
async def test_typescript_without_an_export_is_built(open_answer: Open, page: Page) -> None:
    """The component called App is mounted though nothing is exported."""
    site = await open_answer("react_tsx_no_export")
    assert site.problem is None, site.problem
    await page.goto(site.entry)
    await page.get_by_role("button").click()
    await expect(page.get_by_role("button")).to_have_text("clicked 4 times")


@pytest.mark.usefixtures("problems")
async def test_a_react_app_of_several_files(open_answer: Open, page: Page) -> None:
    """The answer's own page, entry, components and style sheet are put together."""
    site = await open_answer("react_files")
    assert site.problem is None, site.problem
    await page.goto(site.entry)
    assert await page.title() == "Colour mixer"
    await expect(page.locator(".swatch")).to_have_css("width", "100px")


@pytest.mark.usefixtures("problems")
async def test_react_18_style_and_globals(open_answer: Open, page: Page) -> None:
    """Code written for script tags (`React`, `ReactDOM.render`) gets the React that still has them."""
    site = await open_answer(
        "```jsx\nconst { useState } = React;\nfunction App() { const [n, set] = useState(0);\n"
        "  return <button onClick={() => set(n + 1)}>{n}</button>; }\n"
        "ReactDOM.render(<App />, document.getElementById('app-root'));\n```"
    )
    assert site.problem is None, site.problem
    await page.goto(site.entry)
    await page.get_by_role("button").click()
    await expect(page.get_by_role("button")).to_have_text("1")


@pytest.mark.usefixtures("problems")
@pytest.mark.parametrize("name", ["vue_sfc", "vue_in_html_fence"])
async def test_vue_answers_are_built(open_answer: Open, page: Page, name: str) -> None:
    """Composition API with scoped style, and options API, both from one file."""
    site = await open_answer(name)
    assert site.problem is None, site.problem
    await page.goto(site.entry)
    if name == "vue_sfc":
        await page.locator("textarea").fill("one two three")
        await expect(page.locator(".count")).to_have_text("3 words")
        await expect(page.locator(".count")).to_have_css("color", "rgb(46, 139, 87)")
    else:
        for _ in range(3):
            await page.get_by_role("button").click()
        await expect(page.locator("body")).to_contain_text("3many")


@pytest.mark.long
@pytest.mark.usefixtures("problems")
async def test_vue_with_typescript_and_sass(open_answer: Open, page: Page) -> None:
    """`lang="ts"` and `lang="scss"` are compiled."""
    site = await open_answer(
        '```vue\n<script setup lang="ts">\nimport { ref } from "vue";\nconst n = ref<number>(5);\n'
        "const twice = (x: number): number => x * 2;\n</script>\n"
        '<template><b class="x">{{ twice(n) }}</b></template>\n'
        '<style lang="scss" scoped>\n$c: rgb(1, 2, 3);\n.x { color: $c; }\n</style>\n```'
    )
    assert site.problem is None, site.problem
    await page.goto(site.entry)
    await expect(page.locator("b")).to_have_text("10")
    await expect(page.locator("b")).to_have_css("color", "rgb(1, 2, 3)")


@pytest.mark.usefixtures("problems")
async def test_a_module_that_imports_a_package(open_answer: Open, page: Page) -> None:
    """A page whose module imports by bare name is bundled; the source stays the author's."""
    site = await open_answer("module_bare_import")
    assert site.problem is None, site.problem
    await page.goto(site.entry)
    await expect(page.locator("#id")).to_have_text("ready:4")
    assert 'from "nanoid"' in site.sources[0].text


async def test_a_syntax_error_is_the_apps(open_answer: Open, processes: ProcessList) -> None:
    """The bundler's message, with file and line, is the problem; the source can still be cited."""
    site = await open_answer(
        "```jsx\nimport { useState } from 'react';\nexport default function App() {\n  return <div><p></div>;\n}\n```"
    )
    assert site.problem is not None
    assert (site.problem.kind, site.problem.blame) == ("build_failed", "app")
    assert "App.jsx:3" in site.problem.message
    assert [source.path for source in site.sources] == ["App.jsx"]
    assert not processes.running()


async def test_imports_that_lead_nowhere_are_the_apps(open_answer: Open) -> None:
    """A file the answer lacks, a Node module, an invented package: each is named."""
    frame = "```jsx\nimport x from '{}';\nexport default function App() {{ return <p>{{String(x)}}</p>; }}\n```"
    for wrong in ("./Missing", "@/components/ui/button", "fs", "assay-test-no-such-package-5f1c"):
        site = await open_answer(frame.format(wrong))
        assert site.problem is not None, wrong
        assert (site.problem.kind, site.problem.blame) == ("build_failed", "app")
        assert wrong in site.problem.message + site.problem.log_excerpt


async def test_the_second_build_is_quick(run_dir: Path, processes: ProcessList, settings: Settings) -> None:
    """An answer built before comes from the cache in under a second, the same to the byte."""
    fresh = extract(f"```jsx\nexport default function App() {{ return <p>{time.time_ns()}</p>; }}\n```")
    first = await build(fresh, run_dir=run_dir, processes=processes, settings=settings)
    code = (run_dir / "site" / "assay" / "app.js").read_bytes()
    shutil.rmtree(run_dir / "site")
    began = time.monotonic()
    second = await build(fresh, run_dir=run_dir, processes=processes, settings=settings)
    assert time.monotonic() - began < 1.0
    assert second.notes == (*first.notes, "built before; taken from the cache")
    assert (run_dir / "site" / "assay" / "app.js").read_bytes() == code


async def test_tools_out_of_reach_are_not_the_apps_failing(
    open_answer: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With an empty cache and no registry a component cannot be built, and the surroundings are to blame."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    site = await open_answer("react_no_fence")
    assert site.problem is not None
    assert (site.problem.kind, site.problem.blame) == ("install_failed", "environment")


async def test_an_answer_that_is_a_project(open_answer: Open, get: Get) -> None:
    """A patch that adds a package.json and a server becomes a project that is served by it."""
    site = await open_answer("project_patch")
    assert site.problem is None, site.problem
    assert site.variety == "project"
    assert get(site.entry).body == b"<h1>patched</h1>"


# --- pages, folders, pictures ---------------------------------------------------------------------------------------------------


async def _open(given: Path | str, run_dir: Path, processes: ProcessList, settings: Settings) -> Site:
    return await open_site(recognise(str(given)), run_dir=run_dir, processes=processes, settings=settings)


async def test_a_page_with_its_small_folder(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, get: Get
) -> None:
    """A page in a folder of its own is served with it, whatever the page's name and its letters."""
    folder = tmp_path / "app"
    (folder / "data").mkdir(parents=True)
    (folder / "mein spiel.html").write_text("<!doctype html><title>x</title>")
    (folder / "data" / "levels.json").write_text("[1]")
    site = await _open(folder / "mein spiel.html", run_dir, processes, settings)
    assert site.entry.endswith("/mein%20spiel.html")
    assert get(site.entry).status == 200
    assert get(site.base_url, "/data/levels.json").body == b"[1]"
    assert any("is served with the page" in note for note in site.notes)


async def test_a_page_in_a_private_folder_is_served_alone(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, get: Get, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a home folder a page gets itself and the assets its markup names, nothing else, and it is said."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    (home / "page.html").write_text(
        '<link rel="stylesheet" href="a.css"><script src="../x.js"></script><img src="tax.pdf"><a href="b.html">b</a>'
    )
    for name in ("a.css", "b.html", "tax.pdf", "photo.png"):
        (home / name).write_text("x")
    site = await _open(home / "page.html", run_dir, processes, settings)
    assert get(site.entry).status == 200
    assert get(site.base_url, "/a.css").status == 200
    assert {get(site.base_url, path).status for path in ("/b.html", "/tax.pdf", "/photo.png", "/")} == {404}
    assert any("only page.html and 1 files it names" in note for note in site.notes)
    assert [source.path for source in site.sources] == ["page.html", "a.css"]


async def test_a_page_among_many_files_is_served_alone(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, get: Get, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Past the limit of files the folder is not served."""
    monkeypatch.setattr(serving, "MAX_TREE_FILES", 20)
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(25):
        (folder / f"{number}.txt").write_text("x")
    (folder / "p.html").write_text("<p>x</p>")
    site = await _open(folder / "p.html", run_dir, processes, settings)
    assert get(site.entry).status == 200
    assert get(site.base_url, "/1.txt").status == 404


@pytest.mark.usefixtures("problems")
async def test_a_build_made_for_a_prefix(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, page: Page
) -> None:
    """A page whose assets are addressed below a prefix is served below that prefix."""
    dist = tmp_path / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / "assets" / "app.js").write_text("document.title = 'ran at ' + location.pathname")
    (dist / "index.html").write_text(
        '<!doctype html><title>no</title><script type="module" src="/shop/v2/assets/app.js"></script>'
    )
    site = await _open(dist, run_dir, processes, settings)
    await page.goto(site.entry)
    await expect(page).to_have_title("ran at /shop/v2/")
    assert any("/shop/v2/" in note for note in site.notes)


@pytest.mark.usefixtures("problems")
async def test_a_package_folder_with_its_page_in_a_subfolder(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, page: Page
) -> None:
    """A published package without a serving script is a folder; addresses from the root lead into the build folder."""
    (tmp_path / "pkg" / "dist" / "js").mkdir(parents=True)
    (tmp_path / "pkg" / "package.json").write_text('{"name": "game", "scripts": {"test": "jest"}}')
    (tmp_path / "pkg" / "dist" / "index.html").write_text('<!doctype html><title>no</title><script src="/js/a.js"></script>')
    (tmp_path / "pkg" / "dist" / "js" / "a.js").write_text("document.title = 'yes'")
    site = await _open(tmp_path / "pkg", run_dir, processes, settings)
    assert site.variety == "folder"
    await page.goto(site.entry)
    await expect(page).to_have_title("yes")
    assert {source.path for source in site.sources} == {"index.html", "js/a.js"}


@pytest.mark.usefixtures("problems")
async def test_a_page_whose_root_is_the_folder_above(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, page: Page
) -> None:
    """Addresses from the root that exist only above the page's folder move the root up, within the folder given."""
    (tmp_path / "site" / "pages").mkdir(parents=True)
    (tmp_path / "site" / "shared.js").write_text("document.title = 'shared'")
    (tmp_path / "site" / "pages" / "start.html").write_text('<!doctype html><title>no</title><script src="/shared.js"></script>')
    site = await _open(tmp_path / "site", run_dir, processes, settings)
    assert site.entry.endswith("/pages/start.html")
    await page.goto(site.entry)
    await expect(page).to_have_title("shared")


@pytest.mark.usefixtures("problems")
async def test_a_picture_file(tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, page: Page) -> None:
    """An SVG file with prologue is shown in a page."""
    path = tmp_path / "logo.svg"
    prologue = '<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">\n'
    path.write_text(f'{prologue}<svg viewBox="0 0 10 10" width="50"><circle r="4"/></svg>')
    site = await _open(path, run_dir, processes, settings)
    await page.goto(site.entry)
    assert await page.locator("body > svg > circle").count() == 1
    assert await page.evaluate("document.body.innerText.trim()") == ""
    assert site.sources[0].path == "logo.svg"


# --- addresses ------------------------------------------------------------------------------------------------------------------


class _Odd(BaseHTTPRequestHandler):
    """A server with a redirect, an error and a reply that never ends its headers."""

    def do_GET(self) -> None:
        """Answer by path."""
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/home?x=1")
            self.end_headers()
        elif self.path.startswith("/home"):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
        elif self.path == "/drip":
            with contextlib.suppress(OSError):
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                for number in range(200):
                    self.wfile.write(f"X-{number}: y\r\n".encode())
                    time.sleep(0.1)
        else:
            self.send_error(503)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture
def odd() -> Any:
    """That server's base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Odd)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


async def test_addresses_that_answer(odd: str, run_dir: Path, processes: ProcessList, settings: Settings) -> None:
    """An address that answers is the site; a redirect leads to the site that is meant, and the fragment is kept."""
    site = await _open(f"{odd}/home#/list", run_dir, processes, settings)
    assert (site.variety, site.entry, site.base_url, site.pid) == ("url", f"{odd}/home#/list", f"{odd}/", None)
    moved = await _open(f"{odd}/moved#/list", run_dir, processes, settings)
    assert moved.entry == f"{odd}/home?x=1#/list"
    assert moved.notes


async def test_addresses_that_do_not_answer(odd: str, run_dir: Path, processes: ProcessList, settings: Settings) -> None:
    """Error statuses, closed ports and unknown names are user errors of one line."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    wrong = {f"{odd}/x": "503", f"http://127.0.0.1:{port}/": "refused", "http://assay-no-such-host.invalid/": "Nothing answers"}
    for address, words in wrong.items():
        with pytest.raises(SubjectError, match=words) as raised:
            await _open(address, run_dir, processes, settings)
        assert "\n" not in raised.value.message
        assert raised.value.exit_code == 2


async def test_an_address_that_never_finishes(
    odd: str, run_dir: Path, processes: ProcessList, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that sends a header now and then does not hold the run past the bound."""
    monkeypatch.setattr(site_room, "PREFLIGHT_S", 1.5)
    began = asyncio.get_running_loop().time()
    with pytest.raises(SubjectError, match="no answer"):
        await _open(f"{odd}/drip", run_dir, processes, settings)
    assert asyncio.get_running_loop().time() - began < 4
