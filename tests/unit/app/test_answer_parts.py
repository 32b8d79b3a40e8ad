"""The smaller readers: fences, thinking, JSON, patches, shells."""

from __future__ import annotations

import json

import pytest

from tools.app import shells
from tools.app.answer.bundles import files_added, tagged_files
from tools.app.answer.fences import split
from tools.app.answer.text import split_thinking, unescape_literal, unescape_whole, unwrap_json
from tools.app.artifact import language_of_writing, safe_name


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```js\na\n```", [("js", "", "a", True)]),
        ("~~~JS\na\n~~~", [("js", "", "a", True)]),
        ("````html\n```\n````", [("html", "", "```", True)]),
        ("```js\na", [("js", "", "a", False)]),
        ("```js\na\n````", [("js", "", "a", True)]),
        ("```js title='x/y.js'\na\n```", [("js", "x/y.js", "a", True)]),
        ("```src/App.jsx\na\n```", [("", "src/App.jsx", "a", True)]),
        ("```css:a.css\na\n```\n```js // b.js\nb\n```", [("css", "a.css", "a", True), ("js", "b.js", "b", True)]),
        ("**a.css**\n\n```css\na\n```", [("css", "a.css", "a", True)]),
        ("1. Create `a.css` now:\n```css\na\n```", [("css", "a.css", "a", True)]),
        ("Put a.css beside b.css:\n```css\na\n```", [("css", "", "a", True)]),
        ("Save as index.html, then:\n```js\na\n```", [("js", "", "a", True)]),
        ("With Three.js:\n```js\na\n```", [("js", "", "a", True)]),
        ("```js\n// lib/a.js\na\n```", [("js", "lib/a.js", "// lib/a.js\na", True)]),
        ("> ```js\n> a\n> ```", [("js", "", "a", True)]),
        ("- ```js\n  a\n  ```", [("js", "", "a", True)]),
        ("inline ```code``` here", []),
        ("``` not `a` fence", []),
        ("```js\n```python\n```", [("js", "", "```python", True)]),
        ("```js\r\na\r\n```".replace("\r\n", "\n"), [("js", "", "a", True)]),
    ],
)
def test_fences(text: str, found: list[tuple[str, str, str, bool]]) -> None:
    """Blocks come with language, name, text and whether they were closed."""
    assert [(block.language, block.name, block.text, block.closed) for block in split(text).blocks] == found


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<think>a</think>b", "b"),
        ("  <THINKING>\na\n</THINKING>\nb", "\nb"),
        ("<think>a</think><think>c</think>b", "b"),
        ("a\n</think>\nb", "\nb"),
        ("<think>a", ""),
        ("◁think▷a◁/think▷b", "b"),
        ("plain", "plain"),
        ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", "b"),
        ("the tag </think> inside a line", "the tag </think> inside a line"),
        ("```html\nx</think>\n```", "```html\nx</think>\n```"),
        ("<!DOCTYPE html><p>\n</think>\n</p>", "<!DOCTYPE html><p>\n</think>\n</p>"),
    ],
)
def test_thinking(text: str, answer: str) -> None:
    """Thinking is set apart only where it is thinking."""
    assert split_thinking(text).answer == answer


def test_unescaping_only_what_was_escaped_as_a_whole() -> None:
    """One real tag is enough to leave every reference as it is; a second layer of escapes stays."""
    assert unescape_whole("&lt;div&gt;&amp;lt;b&amp;gt;&lt;/div&gt;") == "<div>&lt;b&gt;</div>"
    assert unescape_whole("<div>&lt;div&gt;</div>") is None
    assert unescape_whole("a &lt; b") is None
    assert unescape_literal('<html>\\n<p class=\\"a\\">\\n</p>\\n</html>') == '<html>\n<p class="a">\n</p>\n</html>'
    assert unescape_literal('<html>\n<script>"\\n\\n\\n"</script>\n<p>\n</p></html>') is None


@pytest.mark.parametrize(
    ("value", "files", "text"),
    [
        ({"html": "<p>", "css": "a", "js": "", "other": 3}, {"index.html": "<p>", "style.css": "a"}, ""),
        ({"files": {"a.html": "x", "b.js": {"content": "y"}, "c.js": None}}, {"a.html": "x", "b.js": "y"}, ""),
        ({"files": [{"name": "a.html", "content": "x"}, {"path": "b", "code": "y"}, 7]}, {"a.html": "x", "b": "y"}, ""),
        ({"index.html": "x", "note": "y"}, {"index.html": "x"}, ""),
        ({"result": {"answer": "```html\nx\n```"}}, {}, "```html\nx\n```"),
        ([{"message": {"content": "hello"}}], {}, "hello"),
    ],
)
def test_json_wrappings(value: object, files: dict[str, str], text: str) -> None:
    """The usual shapes of JSON answers are unwrapped."""
    unwrapped = unwrap_json(json.dumps(value))
    assert unwrapped is not None
    assert (dict(unwrapped.files), unwrapped.text) == (files, text)


@pytest.mark.parametrize(
    "text", ['{"name": "x", "scripts": {"dev": "vite"}}', "{", "[1, 2]", "{}", "[" * 100_000, "plain", '{"a": 1}']
)
def test_json_that_wraps_nothing(text: str) -> None:
    """Data, a package.json and broken JSON are not wrappings."""
    assert unwrap_json(text) is None


def test_patches_and_tags() -> None:
    """Only files that are new as a whole come out of a patch; tagged files need a path; the last of a name counts."""
    patch = (
        "--- /dev/null\n+++ b/a.js\n@@ -0,0 +1,3 @@\n+one\n+--- two\n+three\n"
        "--- a/old.js\n+++ b/old.js\n@@ -1,1 +1,1 @@\n-x\n+y\n"
    )
    assert files_added(patch) == {"a.js": "one\n--- two\nthree\n"}
    tagged = '<file path="a.js">\n```js\n1\n```\n</file><file>x</file><file path="b.css">b</file>'
    assert tagged_files(tagged) == {"a.js": "1\n", "b.css": "b\n"}
    tagged += '<file path="a.js">2</file><file path="c.js">open'
    assert tagged_files(tagged) == {"a.js": "2\n", "b.css": "b\n", "c.js": "open\n"}


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("index.html", "index.html"), ("./src/App.jsx", "src/App.jsx"), ("/abs/x.js", "abs/x.js"), ("../../x.js", "x.js"),
        ("C:\\a\\b.css", "a/b.css"), ("a/../../b", "a/b"), ("", ""), ("..", ""), ("a\x00b.js", "ab.js"),
        ("x" * 300 + "/y.js", "x" * 100 + "/y.js"),
    ],
)  # fmt: skip
def test_names_stay_in_their_folder(name: str, safe: str) -> None:
    """Whatever an answer calls its files, they lie in its folder."""
    assert safe_name(name) == safe


def test_shell_language() -> None:
    """The page around a component is labelled by its script, so that the label counts for nobody."""
    assert language_of_writing("<p>Hello</p>") == "en"
    assert language_of_writing("<p>这是一个待办事项列表应用</p>") == "zh"
    assert language_of_writing("<p>これはやることリストです</p>") == "ja"
    assert language_of_writing("<p>Это список задач</p>") == "ru"


def test_default_exports() -> None:
    """A component without an export gets one; one with any export is left alone; line numbers stay."""
    code = "function Item() {}\nconst App = () => null;\nfunction Other() {}"
    assert shells.with_default_export(code) == code + "\nexport default App;\n"
    assert shells.with_default_export("const A = 1;\nfunction Last() {}").endswith("export default Last;\n")
    for exported in ("export default App", "export { App as default }", "export function App() {}", "export const App = 1"):
        assert shells.with_default_export(exported) == exported


def test_tailwind_is_told_by_its_classes() -> None:
    """Utility classes count; a page's own class names do not."""
    utility = {"App.jsx": '<div className="flex p-4 bg-blue-500 hover:bg-blue-600 text-xl rounded-lg md:grid-cols-3">'}
    own = {"App.jsx": '<div className="card card-body hero navbar btn btn-primary sidebar">'}
    assert shells.tailwind_classes(utility) >= 5
    assert shells.tailwind_classes(own) == 0
    kept, css = shells.split_tailwind_css(
        {"a.css": '@import "f.css";\n@tailwind base;\n@tailwind utilities;\n.x { @apply p-4; }', "b.css": ".y {}"}
    )
    assert kept["b.css"] == ".y {}"
    assert kept["a.css"].startswith('@import "f.css";')
    assert "@apply p-4" in css
    assert "@tailwind" not in css
    assert "@import" not in css


def test_pages_with_import_maps_are_left_alone() -> None:
    """An import map resolves names in the browser; without one a bare import must be bundled; local imports need nothing."""
    bare = '<html><body><script type="module">import * as T from "three";</script></body></html>'
    assert shells.page_bundle({"index.html": bare}).entries
    mapped = bare.replace("<body>", '<body><script type="importmap">{"imports": {"three": "https://cdn.test/three.js"}}</script>')
    assert not shells.page_bundle({"index.html": mapped}).entries
    local = bare.replace('"three"', '"./three.js"')
    assert not shells.page_bundle({"index.html": local, "three.js": "export {}"}).entries
    remote = bare.replace('"three"', '"https://cdn.test/three.js"')
    assert not shells.page_bundle({"index.html": remote}).entries
    typed = '<html><body><script src="main.ts"></script></body></html>'
    assert shells.page_bundle({"index.html": typed, "main.ts": "let a: number = 1"}).entries == {"script-1": "main.ts"}
