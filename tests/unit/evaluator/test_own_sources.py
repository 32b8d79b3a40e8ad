"""What is read of an app's source: what its people wrote, what decides first, in few words."""

from __future__ import annotations

from evaluator.record.own_sources import LONGEST_LINE, condensed, to_be_read
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
    assert [one.path for one in to_be_read(files)] == ["src/store.tsx", "src/App.tsx"]


def test_a_few_files_in_a_folder_called_ui_are_the_apps_own() -> None:
    """Only a whole kit is generated; what a page was served with is read where nothing else is known."""
    assert [one.path for one in to_be_read([source("src/ui/board.tsx", STORE)])] == ["src/ui/board.tsx"]
    assert [one.path for one in to_be_read([source("/app.js", STORE, "javascript")])] == ["/app.js"]


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
    assert lines[-1] == "9|);"
