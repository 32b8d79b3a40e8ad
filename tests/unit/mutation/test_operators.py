"""Operators: what each breaks, and what it leaves alone."""

from __future__ import annotations

import json

import pytest

from tools.mutation.grammar import parse
from tools.mutation.mutant import choose, mutants_of
from tools.mutation.operators import operators

SCRIPT = [
    ("handler-not-attached", "b.addEventListener('click', go)", "b"),
    ("handler-not-attached", "h('button', { onClick: () => go() })", "h('button', { onClick: undefined })"),
    ("handler-not-attached", "b.onclick = go", "b.onclick = null"),
    ("event-doubled", "b.onclick = go", "b.onclick = ((f) => (...a) => { f(...a); return f(...a); })(go)"),
    ("call-removed", "function f() { save(); }", "function f() { ; }"),
    ("prevent-default-dropped", "function f(e) { e.preventDefault(); }", "function f(e) { ; }"),
    ("await-dropped", "async function f() { const a = await g(); }", "async function f() { const a = (g()); }"),
    ("condition-negated", "if (a) b();", "if (!((a))) b();"),
    ("condition-negated", "list.filter((one) => one.id !== id)", "list.filter((one) => one.id === id)"),
    ("comparison-off-by-one", "const full = n >= 10", "const full = n > 10"),
    ("arithmetic-operator", "const total = price * amount", "const total = price / amount"),
    ("arithmetic-operator", "count += 1", "count -= 1"),
    ("early-return", "function f() { a(); b(); c(); }", "function f() { a(); return; b(); c(); }"),
    ("wrong-variable", "function f(a, b) { return g(a); }", "function f(a, b) { return g(b); }"),
    ("constant-changed", "const most = 10", "const most = 11"),
    ("constant-changed", "let open = false", "let open = true"),
    ("unit-or-rate", "const s = ms / 1000", "const s = ms / (1000 * 10)"),
    ("unit-or-rate", "setInterval(tick, 250)", "setInterval(tick, (250 * 10))"),
    ("wrong-element", "const first = items[0]", "const first = items[1]"),
    ("sort-comparator", "all.sort(byName)", "all.sort(((f) => (a, b) => f(b, a))(byName))"),
    ("set-but-not-shown", "function f() { n = 1; render(); }", "function f() { n = 1; void 0; }"),
    ("set-but-not-shown", "function f() { out.textContent = n; }", "function f() { void 0; }"),
    ("shown-but-not-set", "function f() { state.n = 1; }", "function f() { void 0; }"),
    ("shown-but-not-set", "const f = () => { setOpen(true); }", "const f = () => { void 0; }"),
    ("storage-write-dropped", "localStorage.setItem('k', v)", "void 0"),
    ("storage-read-dropped", "const v = localStorage.getItem('k')", "const v = null"),
    ("stale-closure", "useEffect(() => { g(n); }, [n])", "useEffect(() => { g(n); }, [])"),
    ("stale-closure", "const [n, setN] = s(0); setN((p) => p + 1)", "const [n, setN] = s(0); setN(((p) => p + 1)(n))"),
]  # fmt: skip
STYLE = [
    ("rule-dropped", ".a { color: red; }", ""),
    ("declaration-dropped", ".a { color: red; }", ".a {  }"),
    ("colour-near-ground", ".a { color: red; }", ".a { color: color-mix(in srgb, red 18%, transparent); }"),
    ("layer", ".a { z-index: 10; }", ".a { z-index: -1; }"),
    ("overflow", ".a { overflow: hidden; }", ".a { overflow: visible; }"),
    ("position", ".a { position: fixed; }", ".a { position: absolute; }"),
]
UNTOUCHED = [
    ("arithmetic-operator", "const s = 'a' + b + c"),
    ("arithmetic-operator", "for (let i = 0; i < n; i++) g(i)"),
    ("call-removed", "function f() { console.log(1); }"),
    ("constant-changed", "const o = { lineNumber: 12 }"),
    ("wrong-element", "const v = table['name']"),
    ("wrong-variable", "function f(a, b) { a = 1; }"),
    ("set-but-not-shown", "const shown = render()"),
    ("call-removed", "import * as RefreshRuntime from 'r';\nRefreshRuntime.validate(1)"),
    ("call-removed", "function App() { _s(); }"),
    ("constant-changed", "const a = _jsxDEV('p', {\n}, void 0, false, {\n}, this)"),
    ("early-return", "const f = () => { const a = 1; return a; }"),
]


def mutated(name: str, source: str, file: str) -> list[str]:
    """The source as an operator's mutants have it."""
    found = [item.apply(source.encode()) for item in mutants_of(file, source) if item.operator == name]
    return [item.decode() for item in found if item is not None]


@pytest.mark.parametrize(("name", "source", "expected"), SCRIPT)
def test_a_script_is_broken_as_named(name: str, source: str, expected: str) -> None:
    """The operator offers the change, and what it leaves can still be parsed."""
    found = mutated(name, source, "/app.js")
    assert expected in found
    assert parse(expected, "script").sound


@pytest.mark.parametrize(("name", "source", "expected"), STYLE)
def test_a_style_sheet_is_broken_as_named(name: str, source: str, expected: str) -> None:
    """The operator offers the change of the style sheet."""
    assert expected in mutated(name, source, "/app.css")


@pytest.mark.parametrize(("name", "source"), UNTOUCHED)
def test_what_would_be_no_fault_is_left_alone(name: str, source: str) -> None:
    """Joined texts, loops' counters, keys and the like are not mutated."""
    assert mutated(name, source, "/app.js") == []


def test_every_operator_has_an_example() -> None:
    """No operator without a test, and all that the design names are there."""
    assert {name for name, _, _ in SCRIPT + STYLE} == set(operators())


def test_inline_scripts_and_sheets_are_mutated_in_their_page() -> None:
    """Positions are the page's: line, column and bytes, with letters of several bytes before them."""
    page = "<!doctype html><title>Zähler – 计数</title>\n<style>.a { color: red; }</style>\n<script>\nlet n = 1;\n</script>"
    found = {first.operator: first for first in mutants_of("/", page, "text/html")}
    first = found["constant-changed"]
    assert (first.line, first.column, first.before, first.after, first.region) == (4, 9, "1", "2", (2, 8))
    changed = first.apply(page.encode())
    assert changed is not None
    assert changed.decode() == page.replace("n = 1", "n = 2")
    assert found["colour-near-ground"].line == 2


def test_scripts_that_only_carry_data_are_left_alone() -> None:
    """JSON, templates and scripts from elsewhere are no code of the page."""
    page = '<script type="application/json">{"n": 1}</script><script src="a.js">let n = 1</script>'
    assert mutants_of("/", page, "text/html") == ()


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_sheet_in_a_dev_servers_module_is_mutated_within_its_string(ascii_only: bool) -> None:
    """Vite serves style sheets as JSON strings in modules; what comes out is such a module again."""
    sheet = '.a::before { content: "ä\\201C"; }\n.b { z-index: 3; }\n'
    module = f"const __vite__css = {json.dumps(sheet, ensure_ascii=ascii_only)}\nupdate(__vite__css)"
    first = next(first for first in mutants_of("/src/a.css", module, "text/javascript") if first.operator == "layer")
    changed = first.apply(module.encode())
    assert changed is not None
    string = changed.decode().removeprefix("const __vite__css = ").splitlines()[0]
    assert json.loads(string) == sheet.replace("z-index: 3", "z-index: -1")
    assert first.line == 2


def test_another_text_than_was_mutated_stays_as_it_is() -> None:
    """A mutant knows what it replaces."""
    first = mutants_of("/a.js", "let n = 1")[0]
    assert first.apply(b"let m; n = 1") is None


def test_the_choice_is_by_seed_and_even_over_operators() -> None:
    """The same seed draws the same; a rare operator is not crowded out; a longer draw begins with the shorter one."""
    source = "".join(f"let n{i} = {i};\n" for i in range(60)) + "localStorage.setItem('a', n1);\nif (n1) g();\n"
    all_of_them = mutants_of("/a.js", source)
    first = choose(all_of_them, 8, seed=3)
    assert first == choose(all_of_them, 8, seed=3)
    assert first != choose(all_of_them, 8, seed=4)
    assert {"storage-write-dropped", "condition-negated", "constant-changed"} <= {item.operator for item in first}
    assert choose(all_of_them, 20, seed=3)[:3] == first[:3]
    assert len(choose(all_of_them, 10_000, seed=1)) == len(all_of_them)


def test_names_say_file_line_and_operator() -> None:
    """A mutant is named so that a person finds it, and no two of an app have one name."""
    found = mutants_of("/src/a.js", "let a = 1, b = 2;\nif (a) g(b);")
    assert len({item.name for item in found}) == len(found)
    assert "src_a.js-1-9-constant-changed" in {item.name for item in found}
