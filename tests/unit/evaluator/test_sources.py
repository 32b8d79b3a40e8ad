"""Finding things in the app's own source: script blocks, selectors, CSS rules, error lines, what a refusal leaves dead."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from evaluator.attribution.environment import Environment, is_environment
from evaluator.attribution.source_place import Causes
from evaluator.record.dom import Dom, compounds
from evaluator.record.naming import clean, label, name_stem, path_of, stem
from evaluator.record.sealed import Reading, document_of
from evaluator.record.sources import Sources, inline_texts
from evaluator.verdict.taxonomy import Category
from tests.unit.evaluator.records import SITE, Run
from tools.evidence.rows import PageError

HTML = """<html><head>
<style>
/* notes; and more */
@media (max-width: 600px) { .card p { color: red } }
.card p.note, aside p { color: #ccc; }
p { color: #333 } .gone p { color: #fff !important }
#main .note { margin: 0; opacity: .4 } #main { color: #999 }
</style></head>
<body><div id="main" class="card"><p>first</p><p class="note">second</p>
<button id="go" onclick="start()">Go</button><button data-testid="save item">Save</button>
<button id="lost" onclick="nowhere()">Lost</button><span class="plain-text">Only here</span></div>
<script>
function start() { run(); }
const save = document.querySelector('[data-testid="save item"]');
save.addEventListener('click', store);
const store = () => 1;
</script></body></html>"""


def reading(folder: Path, html: str = HTML, **files: str) -> Reading:
    """A sealed run over one page and further script files."""
    run = Run(folder, source=html)
    for path, text in files.items():
        run.source(path.replace("_", "."), text, "javascript")
    return Reading(run.seal())


@pytest.fixture
def causes(tmp_path: Path) -> Causes:
    """Causes over the page above."""
    read = reading(tmp_path, app_js="let a = 1;\nboom(a);\n")
    return Causes(read, Sources(read))


def test_inline_scripts_and_styles_are_found_as_browsers_find_them() -> None:
    """Upper-case tags, an end tag within a string's text, comments, a torn end; scripts with src hold no text of their own."""
    found = inline_texts(
        "<!-- <script>no</script> --><SCRIPT type=module>\nlet a = '</div>';\n</SCRIPT><style>p{}</style>"
        "<script src='x.js'></script><scripted>no</scripted><script>torn"
    )
    assert [(item.tag, item.text.strip()) for item in found] == [
        ("script", "let a = '</div>';"),
        ("style", "p{}"),
        ("script", ""),
        ("script", "torn"),
    ]
    assert found[0].attributes == {"type": "module"}


def test_pages_made_to_stall_a_parser_do_not() -> None:
    """Hundreds of thousands of open tags, comments and braces are read in a moment."""
    begun = time.process_time()
    for text in ("<style>" * 100_000, "<script " * 100_000, "<!-- " * 100_000):
        inline_texts(text)
        Dom(text)
    assert time.process_time() - begun < 5.0


def test_selectors_find_what_they_name() -> None:
    """Ids, classes, attributes, positions and combinators; what is not understood finds nothing."""
    dom = Dom(HTML)
    for selector, text in (
        ("#main > p:nth-of-type(2)", "second"),
        ("div.card p", "first"),
        ("p.note", "second"),
        ('[data-testid="save item"]', "Save"),
        ("body > div > button:nth-child(3)", "Go"),
    ):
        element = dom.find(selector)
        assert element is not None, selector
        assert element.text == text
    for selector in ("#none", "p:hover", "x-app >>> button", "", "p[", "a b c"):
        assert dom.find(selector) is None, selector
    assert compounds("a > b.c")[1].child


def test_visible_text_leaves_scripts_out() -> None:
    """The text of the page is what stands between its tags, not its programs."""
    text = Dom(HTML).text()
    assert "second" in text
    assert "function" not in text
    assert "opacity" not in text


def test_css_rules_are_weighed_as_browsers_weigh_them(causes: Causes) -> None:
    """The rule that fits and sets the property, by specificity; rules for other properties or elements are passed over."""
    contrast = causes.of_style("#main > p:nth-of-type(2)", Category.low_contrast)
    assert (contrast.line, contrast.excerpt) == (7, "#main .note { margin: 0; opacity: .4 }")
    first = causes.of_style("#main > p:nth-of-type(1)", Category.low_contrast)
    assert first.excerpt == ".card p { color: red }"
    inherited = causes.of_style("span.plain-text", Category.low_contrast)
    assert inherited.excerpt == "#main { color: #999 }"
    nothing = causes.of_style("#go", Category.layout_overlap)
    assert not nothing.known
    assert "no rule" in nothing.note
    assert causes.of_style("", Category.low_contrast).note == "the finding names no element"


def test_controls_are_followed_to_their_handlers(causes: Causes) -> None:
    """From an inline handler or a listener to the function; a handler that is defined nowhere is named."""
    inline = causes.of_control("#go", "Go", dead=True)
    assert (inline.line, inline.note) == (13, "its handler")
    listener = causes.of_control('[data-testid="save item"]', "Save", dead=True)
    assert (listener.line, listener.note) == (16, "the function that handles it")
    lost = causes.of_control("#lost", "Lost", dead=True)
    assert lost.note == "its handler nowhere is defined in no source"
    assert lost.line == 11
    plain = causes.of_control("span.plain-text", "Only here", dead=True)
    assert (plain.line, plain.note) == (11, "where it is written; no script names it")
    unknown = causes.of_control("#ghost", "Ghost", dead=True)
    assert not unknown.known


def test_a_control_that_scripts_know_by_its_name(tmp_path: Path) -> None:
    """A key of a calculator has no id; the line that compares its text is found."""
    read = reading(tmp_path, "<html><body><button>=</button><script>\nif (key === '=') solve();\n</script></body></html>")
    cause = Causes(read, Sources(read)).of_control("body > button", "=", dead=False)
    assert (cause.line, cause.note) == (2, "the script that knows it by its name")


def test_a_submit_button_is_wired_by_its_form(tmp_path: Path) -> None:
    """A button without a handle of its own is followed to its form's listener; a class that scripts only set leads nowhere."""
    page = """<html><body><form id="expense"><button class="primary" type="submit">Add expense</button></form>
<canvas width="900"></canvas><script>
make("button", { class: "primary" });
document.getElementById("expense").addEventListener("submit", store);
function store(event) { total += 1; }
</script></body></html>"""
    read = reading(tmp_path, page)
    causes = Causes(read, Sources(read))
    cause = causes.of_control("#expense > button", "Add expense", dead=False)
    assert (cause.line, cause.note) == (5, "the function that handles it")
    canvas = causes.of_style("body > canvas", Category.not_responsive)
    assert (canvas.line, canvas.note) == (2, "where its attributes set it")


def test_a_class_counts_where_a_script_selects_by_it(tmp_path: Path) -> None:
    """A property of the same name is none: neither in what a template computes nor behind a text that ends before it."""
    page = """<html><body><article class="card">Plant</article><script>
toast.textContent = `“${removed.card.title}” deleted`;
el('toast').hidden = removed.card;
list.addEventListener('drop', move);
const target = event.target.closest('.card');
</script></body></html>"""
    read = reading(tmp_path, page)
    cause = Causes(read, Sources(read)).of_control("body > article", "Plant", dead=False)
    assert cause.line == 5


def test_errors_lead_to_the_line_they_name(causes: Causes) -> None:
    """By address and line, by the frames of the stack, and not at all when the file was not kept."""
    at = PageError(message="boom", stack="", url=f"{SITE}app.js", line=2)
    assert causes.of_error(at).excerpt == "boom(a);"
    framed = PageError(message="boom", stack=f"Error: boom\n    at f (https://cdn.example/x.js:1:1)\n    at {SITE}app.js:1:5")
    assert causes.of_error(framed).excerpt == "let a = 1;"
    foreign = PageError(message="boom", stack="", url="https://cdn.example/x.js", line=2)
    assert not causes.of_error(foreign).known


def test_texts_lead_to_their_lines(causes: Causes) -> None:
    """A text that the page shows is sought in the sources."""
    assert causes.of_text(["Only here"]).line == 11
    assert not causes.of_text(["not there at all", ""]).known


def test_excerpts_of_minified_lines_are_windows(tmp_path: Path) -> None:
    """Of a line of thousands of characters, the part around the column is shown, at most 200 characters."""
    read = reading(tmp_path, app_js="x" * 3000 + "boom()" + "y" * 3000)
    error = PageError(message="boom", stack="", url=f"{SITE}app.js", line=1, column=3001)
    excerpt = Causes(read, Sources(read)).of_error(error).excerpt
    assert "boom()" in excerpt
    assert len(excerpt) <= 200


def test_addresses_lead_to_files(tmp_path: Path) -> None:
    """An entry without a file name is its index page; a path is found by its end; others are not guessed."""
    read = reading(tmp_path, app_js="let a;")
    sources = Sources(read)
    for url, path in ((SITE, "index.html"), (f"{SITE}index.html?x=1#top", "index.html"), (f"{SITE}static/app.js", "app.js")):
        found = sources.resolve(url)
        assert found is not None, url
        assert found.path == path
    assert sources.resolve(f"{SITE}other.js") is None
    assert sources.spot(f"{SITE}app.js", 99) is None


def test_what_counts_as_environment() -> None:
    """Refused, unreachable, throttled or a back end: the environment's. A missing file: the page's."""
    failed = Run.failed
    assert is_environment(failed("https://cdn.example/a.js", "script", status=None, blocked=True, own=False))
    assert is_environment(failed("https://cdn.example/a.js", "script", status=429, own=False))
    assert is_environment(failed("https://cdn.example/a.js", "script", status=503, own=False))
    assert not is_environment(failed("https://cdn.example/a.js", "script", status=404, own=False))
    assert not is_environment(failed(f"{SITE}a.js", "script", status=404))
    assert is_environment(failed(f"{SITE}api/items", "fetch", status=404))
    assert not is_environment(failed(f"{SITE}data/items.json", "fetch", status=404))


@pytest.mark.parametrize(
    ("message", "line", "foreign"),
    [
        ("ReferenceError: THREE is not defined", 0, True),
        ("Uncaught TypeError: THREE.OrbitControls is not a constructor", 0, True),
        ("TypeError: Cannot read properties of undefined (reading 'Scene')", 2, True),
        ("TypeError: Cannot read properties of undefined (reading 'Scene')", 3, False),
        ("ReferenceError: total is not defined", 0, False),
        ("TypeError: list.map is not a function", 0, False),
        ("ReferenceError: physijs is not defined", 0, True),
    ],
)
def test_which_errors_follow_from_a_refusal(tmp_path: Path, message: str, line: int, *, foreign: bool) -> None:
    """Errors that name a refused library's globals, its file, or stand in a line that uses it; others stay the app's."""
    run = Run(tmp_path, source=None)
    run.source("app.js", "let a = 1;\nconst scene = new window.THREE.Scene || THREE.Scene;\nlist.Scene();\n", "javascript")
    run.refused("https://unpkg.com/three@0.158.0/build/three.module.js")
    run.refused("https://cdnjs.cloudflare.com/ajax/libs/p5.js/1.4.0/p5.js")
    run.refused("https://cdn.example/physi.js")
    run.error(message, line=line, url=f"{SITE}app.js")
    read = Reading(run.seal())
    environment = Environment(read, Sources(read))
    assert bool(environment.foreign_errors) is foreign


def test_what_a_dead_block_defines_is_missing_too(tmp_path: Path) -> None:
    """A class in a script that a refusal stopped is not defined elsewhere either: the second error follows from the first."""
    page = "<html><body><script>\nconst s = THREE.X;\nclass Game {}\n</script><script>\nnew Game();\n</script></body></html>"
    run = Run(tmp_path, source=page)
    run.refused("https://unpkg.com/three@0.158.0/build/three.module.js")
    run.error("ReferenceError: THREE is not defined", line=2)
    run.error("ReferenceError: Game is not defined", line=5)
    read = Reading(run.seal())
    environment = Environment(read, Sources(read))
    assert len(environment.foreign_errors) == 2
    assert 0.5 < environment.dead_share < 0.9


def test_names_that_compare() -> None:
    """Positions, numbers and ports do not make two things of one."""
    assert stem("ul > li:nth-of-type(3) > #b17") == stem("ul > li:nth-of-type(12) > #b2")
    assert name_stem("Delete item 3") == name_stem("delete  item 14")
    assert path_of("http://127.0.0.1:40001/a/b?c=1#d") == "/a/b?c=1"
    assert document_of(SITE) == document_of(f"{SITE}index.html") == document_of(f"{SITE}route/1") == "/"
    assert document_of(f"{SITE}about.html") == "/about.html"


def test_names_for_people() -> None:
    """A thing is called by its role and name, else by its selector; long texts are cut."""
    assert label("button", "Add", "#add") == "button “Add”"
    assert label("", "", "#add > i") == "#add > i"
    assert label("", "", "") == "the page"
    assert len(clean("x" * 5000)) == 160
