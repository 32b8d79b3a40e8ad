"""What is read of an app's source: what its people wrote, what decides first, in few words."""

from __future__ import annotations

from evaluator.record.own_sources import LONGEST_LINE, condensed, fair_shares, telling, to_be_read
from evaluator.record.sources import Source

STORE = "const [n, setN] = useState(0);\nif (n > 3) { setN(0); }\nreturn <Button onClick={() => setN(n + 1)} />;"


def source(path: str, text: str = "export const x = 1;", language: str = "tsx") -> Source:
    """A file."""
    return Source(path, language, text, f"row of {path}")


def test_only_what_people_wrote_is_read_and_what_decides_comes_first() -> None:
    """No library, no generated kit, no configuration, no styles, nothing twice as a server compiled it."""
    kit = [source(f"src/components/ui/part{number}.tsx", STORE) for number in range(8)]
    files = [
        *kit,
        source("vite.config.ts", language="typescript"),
        source("src/vite-env.d.ts", language="typescript"),
        source("src/index.css", "p { color: red }", "css"),
        source("/node_modules/.vite/deps/react.js", STORE, "javascript"),
        source("/src/App.tsx", STORE, "javascript"),
        source("src/App.tsx"),
        source("src/store.tsx", STORE),
        source("bundle.js", "x=1;" * 9000, "javascript"),
    ]
    assert [file.path for file in to_be_read(files)] == ["src/store.tsx", "src/App.tsx"]


def test_a_few_files_in_a_folder_called_ui_are_the_apps_own() -> None:
    """Only a whole kit is generated; what a page was served with is read where nothing else is known."""
    assert [item.path for item in to_be_read([source("src/ui/board.tsx", STORE)])] == ["src/ui/board.tsx"]
    assert [item.path for item in to_be_read([source("/app.js", STORE, "javascript")])] == ["/app.js"]


def test_lines_keep_their_numbers_and_lose_what_decides_nothing() -> None:
    """Imports over several lines, empty lines, names of styles, the end of long prose."""
    text = (
        "import { a,\n  b } from 'x';\nimport './y.css';\n\nexport const F = () => (\n"
        '    <div className="p-4 text-lg" onClick={go}>\n'
        f"      {'word ' * 60}\n    </div>\n);"
    )
    lines = list(condensed(source("src/F.tsx", text)))
    assert lines[:2] == ["5|export const F = () => (", "6|  <div onClick={go}>"]
    assert lines[2].startswith("7|   word word")
    assert len(lines[2]) <= LONGEST_LINE + 8
    assert lines[-1] == lines[2], "what only closes is seen by the indentation"


def test_prose_in_a_literal_is_told_by_its_number_of_lines_and_decides_nothing() -> None:
    """Sample posts hold code that is none of the app's; a template with a value in it stays."""
    prose = "\n".join(["Use `useState`? Like this:".replace("`", "'"), "if (a && b) { find(c) }", "onClick={go}"] * 9)
    posts = f"export const posts = [\n  {{ body: `\n{prose}\n`, id: 1 }},\n];\n"
    assert list(condensed(source("src/data.ts", posts, "ts"))) == [
        "1|export const posts = [",
        "2| { body: `",
        "3|… 27 lines of text",
        "30|`, id: 1 },",
    ]
    assert [each_file.path for each_file in to_be_read([source("src/data.ts", posts), source("src/store.tsx", STORE)])] == [
        "src/store.tsx",
        "src/data.ts",
    ]
    greeting = "const text = `\none\ntwo ${name}\nthree\nfour\n`;"
    assert len(list(condensed(source("src/greeting.ts", greeting, "ts")))) == 6


def test_each_file_gets_its_fair_share() -> None:
    """What needs less than its share leaves it to the others."""
    assert fair_shares([10, 1000, 30, 1000], 240) == [10, 100, 30, 100]
    assert fair_shares([10, 20], 100) == [10, 20]
    assert fair_shares([], 100) == []


def test_of_a_file_too_long_what_decides_is_told_with_the_lines_beside_it() -> None:
    """Markup and data go first; what is left out is said, in place; the whole fits."""
    lines = [f"{number}|<p>words</p>" for number in range(1, 60)]
    lines[40] = "41|if (a && b) { localStorage.x = 1 }"
    told = telling(lines, 200)
    assert "41|if (a && b) { localStorage.x = 1 }" in told
    assert "40|<p>words</p>" in told
    assert told[-1] == f"… {59 - int(told[-2].partition('|')[0])} lines left out"
    assert sum(len(line) + 1 for line in told) <= 200
    assert telling(lines, 10_000) == lines
