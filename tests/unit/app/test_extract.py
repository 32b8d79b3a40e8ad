"""Taking apps out of answers: a corpus of answers, each with what must and must not come out, and properties over any text."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.app.answer.extract import extract
from tools.app.artifact import Artifact

ANSWERS = Path(__file__).parents[2] / "fixtures" / "app" / "answers"


@dataclass(frozen=True)
class Expected:
    """What an answer holds."""

    kind: str
    files: tuple[str, ...]
    entry: str = "index.html"
    has: tuple[str, ...] = ()
    """Each stands in the entry."""
    lacks: tuple[str, ...] = ()
    noted: str = ""


WHOLE = ('id="tip"', "</html>", 'field.addEventListener("input", update)')
ONE = ("index.html",)

CORPUS = {
    "after_closing_tag": Expected("html", ONE, has=("changed by the tail",)),
    "closing_tag_in_script": Expected("html", ONE, has=('id="last-element"', "saved ${page.length}</html>")),
    "closing_tag_in_script_no_fence": Expected("html", ONE, has=('id="after"',), lacks=("That is all", "Here you go")),
    "code_on_fence_line": Expected("html", ONE, has=WHOLE, lacks=("```",)),
    "elided_update": Expected("html", ONE, has=WHOLE, lacks=("New title",), noted="partial version of index.html"),
    "entities_stay": Expected("html", ONE, has=("&lt;b&gt;not bold", "&amp;amp;", '"a &lt; b"', "1 < 2 && 3 > 2")),
    "escaped_whole": Expected("html", ONE, has=WHOLE, lacks=("&lt;",), noted="escaped"),
    "escaped_whole_no_fence": Expected("html", ONE, has=WHOLE, lacks=("&lt;",), noted="escaped"),
    "explaining_excerpts": Expected("html", ONE, has=WHOLE, lacks=("serif; }\n</style>", "script.js"), noted="illustration"),
    "fragment": Expected("html", ONE, has=("<!doctype html>", '<form id="join">', "joined"), noted="fragment"),
    "fragment_no_fence": Expected("html", ONE, has=('<div id="board">', '"ready"'), lacks=("It needs nothing",)),
    "fragment_with_parts": Expected(
        "html", ("index.html", "script.js", "style.css"), has=('href="style.css"', 'src="script.js"')
    ),
    "glued_fences": Expected("html", ONE, has=WHOLE, lacks=("```", "Bye")),
    "inner_fence_same_length": Expected(
        "html", ONE, has=("More text", 'id="preview"', "</html>"), lacks=("starts with an example",)
    ),
    "json_chat_reply": Expected("html", ONE, has=WHOLE, noted="JSON"),
    "json_file_list": Expected("html", ("data/rates.json", "index.html"), has=WHOLE, noted="JSON"),
    "json_files": Expected("html", ("index.html", "x.css"), has=WHOLE, noted="JSON"),
    "json_html": Expected("html", ONE, has=WHOLE, noted="JSON"),
    "json_string": Expected("html", ONE, has=WHOLE, noted="JSON"),
    "library_name_heading": Expected(
        "html", ("index.html", "script.js"), has=('src="script.js"',), noted="script without a page"
    ),
    "list_indented_fence": Expected("html", ONE, has=(*WHOLE, "\n<h1>Tip calculator"), lacks=("Open it",)),
    "literal_escapes": Expected("html", ONE, has=WHOLE, lacks=('\\"',), noted="escapes"),
    "long_fence_with_inner": Expected("html", ONE, has=("inner fence\n```", "</html>")),
    "markdown_fence_too_short": Expected("html", ONE, has=WHOLE, lacks=("Done",)),
    "markdown_in_markdown": Expected("html", ONE, has=WHOLE, lacks=("The answer",)),
    "missing_closing_fence": Expected("html", ONE, has=WHOLE, lacks=("everything in one file",)),
    "module_bare_import": Expected("html", ONE, has=('from "nanoid"',)),
    "named_by_heading": Expected("html", ("index.html", "script.js", "style.css"), has=('id="time"',)),
    "named_in_comment": Expected("html", ("app.js", "index.html", "styles.css"), has=('id="notes"',)),
    "named_in_info": Expected("html", ("css/main.css", "index.html", "js/app.js", "js/dice.js"), has=('id="roll"',)),
    "no_fence": Expected("html", ONE, has=WHOLE, lacks=("Sure!", "Let me know")),
    "page_in_python": Expected("html", ONE, has=("<h1>From Flask</h1>",), lacks=("import Flask",), noted="another language"),
    "pages_in_one_fence": Expected("html", ("index.html", "two.html"), has=("to two",), lacks=("back",), noted="2 pages"),
    "path_escape": Expected("html", ("etc/index.html", "etc/style.css"), entry="etc/index.html", has=("in its folder",)),
    "plain_fence": Expected("html", ONE, has=WHOLE, lacks=("Open it in",)),
    "project": Expected("project", ("index.html", "package.json", "src/main.js"), entry="package.json", noted="project"),
    "project_patch": Expected(
        "project", ("package.json", "server.js"), entry="package.json", has=('"node server.js"',), lacks=("+",)
    ),
    "prose_only": Expected("none", (), entry=""),
    "python_only": Expected("none", (), entry="", noted="Python"),
    "react_files": Expected(
        "react",
        ("index.html", "src/App.css", "src/App.jsx", "src/components/Swatch.jsx", "src/main.jsx"),
        entry="src/main.jsx",
        has=("createRoot",),
    ),
    "react_jsx": Expected("react", ("App.jsx",), entry="App.jsx", has=("lucide-react", "Groceries"), lacks=("npm install",)),
    "react_no_fence": Expected("react", ("App.jsx",), entry="App.jsx", has=("import { useState }", "setOn(!on)")),
    "react_tsx_no_export": Expected("react", ("App.tsx",), entry="App.tsx", has=("interface Props",)),
    "second_version": Expected("html", ONE, has=(*WHOLE, "corrected"), noted="2 HTML documents"),
    "several_pages": Expected("html", ("about.html", "contact.html", "index.html"), has=("Bakery",), noted="3 pages"),
    "snippets_before": Expected("html", ONE, has=WHOLE),
    "svelte_only": Expected("none", (), entry="", noted="Svelte"),
    "svg_no_fence": Expected(
        "svg", ("image.svg", "index.html"), has=("<animateTransform", "</svg>\n</body>"), lacks=("turns once",)
    ),
    "svg_only": Expected("svg", ("image.svg", "index.html"), has=("<animateTransform", "</svg>\n</body>"), lacks=("<?xml",)),
    "svg_xml_fence": Expected("svg", ("image.svg", "index.html"), has=("<animateTransform",)),
    "tagged_files": Expected("html", ("index.html", "style.css", "timer.js"), has=('id="left"',), lacks=("boltAction",)),
    "thinking_closed_only": Expected("html", ONE, has=WHOLE, lacks=("I will use",), noted="thinking"),
    "thinking_first": Expected("html", ONE, has=WHOLE, lacks=("Draft",), noted="thinking"),
    "thinking_tag_in_app": Expected("html", ONE, has=("<think>first this</think>", 'split("</think>")', "</html>")),
    "thinking_unclosed": Expected("html", ONE, has=WHOLE, lacks=("improve the colours",), noted="never closed"),
    "tilde_fence": Expected("html", ONE, has=WHOLE, lacks=("~~~",)),
    "tiny_snippet_after": Expected("html", ONE, has=WHOLE, lacks=("iframe",)),
    "truncated": Expected("html", ONE, has=('id="tip"', "function update"), lacks=("```",), noted="cut off"),
    "unnamed_not_referred": Expected(
        "html", ("index.html", "script.js", "style.css"), has=('href="style.css"', 'src="script.js"')
    ),
    "unnamed_referred": Expected("html", ("assets/logic.js", "assets/look.css", "index.html"), noted="assets/look.css"),
    "upper_case_tags": Expected("html", ONE, has=('<DIV ID="lamp">', "</HTML>")),
    "vue_in_html_fence": Expected("vue", ("App.vue",), entry="App.vue", has=('v-if="n > 2"',)),
    "vue_sfc": Expected("vue", ("App.vue",), entry="App.vue", has=("<style scoped>", "\\s+")),
}


def _check_form(artifact: Artifact) -> None:
    """What holds for every artifact, whatever the text."""
    if artifact.kind == "none":
        assert not artifact.files
        assert not artifact.entry
        return
    assert artifact.entry in artifact.files
    for name, text in artifact.files.items():
        assert text.strip(), f"{name} is blank"
        parts = name.split("/")
        assert ".." not in parts
        assert "" not in parts
        assert not name.startswith("/")
        assert "\\" not in name
        assert "\x00" not in text
    if artifact.original:
        assert artifact.original in artifact.files


def test_every_answer_of_the_corpus_is_expected() -> None:
    """No fixture lies about unused, and none is missing."""
    assert {path.stem for path in ANSWERS.iterdir()} == set(CORPUS)


@pytest.mark.parametrize("name", sorted(CORPUS))
def test_corpus(name: str) -> None:
    """An answer of the corpus gives the files, the entry and the words it must, and none it must not."""
    expected = CORPUS[name]
    artifact = extract((ANSWERS / f"{name}.md").read_text(encoding="utf-8"))
    _check_form(artifact)
    assert artifact.kind == expected.kind
    assert tuple(sorted(artifact.files)) == tuple(sorted(expected.files))
    assert artifact.entry == expected.entry
    page = artifact.files.get(artifact.entry, "")
    for words in expected.has:
        assert words in page
    for words in expected.lacks:
        assert words not in page
    assert expected.noted.lower() in " ".join(artifact.notes).lower()


@pytest.mark.parametrize(
    "name", ["plain_fence", "named_by_heading", "react_files", "thinking_first", "json_files", "project_patch"]
)
def test_transport_does_not_change_what_is_found(name: str) -> None:
    """Carriage returns, a byte order mark and null characters give the same files as the clean text."""
    text = (ANSWERS / f"{name}.md").read_text(encoding="utf-8")
    clean = extract(text)
    if not name.startswith("json"):
        assert dict(extract("\ufeff" + text.replace("\n", "\r\n")).files) == dict(clean.files)
    spoiled = extract(text.replace("e", "e\x00"))
    assert dict(spoiled.files) == dict(clean.files)
    assert "null characters were removed" in spoiled.notes


def test_end_of_turn_marks_go() -> None:
    """What a chat template puts after an answer is not part of its last file."""
    artifact = extract("**index.html**\n```html\n<!DOCTYPE html><html><body><p>x</p><b>y</b></body></html> <|im_end|>\n</s> \n")
    assert artifact.files["index.html"].rstrip().endswith("</html>")


def test_windows_1252_debris_is_mended() -> None:
    """Control characters that are Windows-1252 bytes become the signs they stood for; other signs stay."""
    said = "It\x92s \x93fine\x94 \x96 5 \x80, na\u00efve \u4f60\u597d"
    page = f"<!DOCTYPE html><html><body><p>{said}</p><button>b</button></body></html>"
    artifact = extract(f"```html\n{page}\n```")
    assert "It’s “fine” – 5 €, naïve 你好" in artifact.files["index.html"]
    assert any("Windows-1252" in note for note in artifact.notes)


def test_css_and_js_keep_their_lines() -> None:
    """Separate files come out to the letter, so that a judge's line numbers are the author's."""
    artifact = extract((ANSWERS / "named_by_heading.md").read_text(encoding="utf-8"))
    assert artifact.files["script.js"].split("\n")[1].startswith('document.getElementById("start").onclick')
    assert artifact.files["style.css"] == "output { font-size: 4rem; }"


def test_a_missing_file_is_noted() -> None:
    """A page that refers to a file the answer lacks is kept as it is, and it is said."""
    artifact = extract('```html\n<!DOCTYPE html><html><head><script src="game.js"></script></head><body>b</body></html>\n```')
    assert 'src="game.js"' in artifact.files["index.html"]
    assert any("game.js" in note and "does not contain" in note for note in artifact.notes)


def test_longer_fence_language_wins_over_bigger_snippet_in_thinking() -> None:
    """Nothing in the thinking, however large, is taken while the answer has an app."""
    draft = "<!DOCTYPE html><html><body>" + "<p>draft</p>" * 5000 + "</body></html>"
    text = f"<thinking>{draft}</thinking>\n```html\n<!DOCTYPE html><html><body><h1>final</h1></body></html>\n```"
    assert "final" in extract(text).files["index.html"]
    assert "draft" not in extract(text).files["index.html"]


def test_hostile_sizes_stay_fast() -> None:
    """Long runs of what the readers look for take seconds at most, not hours."""
    pieces = [
        "```html\n",
        "<html>",
        "<script>",
        "<!--",
        "return " + " " * 3000,
        "\n" * 3000,
        "&lt;html",
        "<think>",
        "{" * 500,
        "<svg>",
        "`" * 400,
    ]
    for piece in pieces:
        text = piece * (100_000 // len(piece))
        started = time.monotonic()
        _check_form(extract(text))
        _check_form(extract("```jsx\n" + text))
        assert time.monotonic() - started < 8, f"{piece[:12]!r} took {time.monotonic() - started:.1f} s"


_WORDS = st.sampled_from(
    [
        "```html\n",
        "```",
        "\n```\n",
        "~~~\n",
        "````",
        "```jsx\n",
        "```vue\n",
        "```css style.css\n",
        "```js\n",
        "```json\n",
        "<!DOCTYPE html>",
        "<html>",
        "</html>",
        "<HTML>",
        "<body>",
        "</body>",
        "<head>",
        "</head>",
        "<div>",
        "</div>",
        "<script>",
        "</script>",
        "<style>",
        "</style>",
        "<svg>",
        "</svg>",
        "<svg/>",
        "<!--",
        "-->",
        "<template>",
        "</template>",
        "<think>",
        "</think>",
        "&lt;html&gt;",
        "&lt;div",
        "\n",
        " ",
        "export default",
        " function App() {",
        "return (<p/>)",
        "}",
        "import x from 'y'",
        '{"html": "',
        '"}',
        '{"files": {"a.html": "',
        "**index.html**\n",
        "### ../../x.css\n",
        "// app.js\n",
        "diff --git a/x b/x\n--- /dev/null\n+++ b/package.json\n@@ -0,0 +1,2 @@\n+{\n+}\n",
        "<file path='a.html'>",
        "</file>",
        "package.json\n",
        '{"scripts": {}}',
        "\r\n",
        "\x00",
        "\ufeff",
        "\x93",
        "…",
        "'",
        '"',
        "=",
        "/",
        "<",
        ">",
        "\\n",
        "a.b{c:d}",
    ]
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(_WORDS, st.text(max_size=6)), max_size=40).map("".join))
def test_any_text_gives_a_well_formed_artifact(text: str) -> None:
    """Extraction never raises, never gives a blank file, a name that leaves its folder, or an entry that is not there."""
    _check_form(extract(text))


@settings(max_examples=100, deadline=None)
@given(
    st.text(alphabet=st.characters(blacklist_characters="`~<>&\x00\r", blacklist_categories=("Cs", "Cc")), max_size=200),
    st.booleans(),
)
def test_a_fenced_page_comes_out_to_the_letter(words: str, closed: bool) -> None:
    """Whatever a page says, with or without a closing fence, it comes out unchanged."""
    page = f"<!DOCTYPE html>\n<html>\n<body>\n<p>{words}</p>\n<button>x</button>\n</body>\n</html>\n"
    artifact = extract(f"Here:\n\n```html\n{page}" + ("```\n" if closed else ""))
    assert artifact.files["index.html"] == page
