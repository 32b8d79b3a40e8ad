"""What the sandbox costs: a Vite project's start-up with and without it, by turns, in one run.

python -m tests.benchmarks.sandbox [--turns 10] [--project FOLDER]

Start-up is from the call that starts the dev server to the first page that was answered, packages being there already; then one
page with all its modules is fetched, and the whole is reported, too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import statistics
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from urllib.parse import urljoin

from configs.settings import Settings
from tools.app.project import open_project
from tools.processes import ProcessList

PACKAGE = {
    "name": "bench",
    "private": True,
    "type": "module",
    "scripts": {"dev": "vite"},
    "dependencies": {"react": "^18", "react-dom": "^18"},
    "devDependencies": {"vite": "^5", "@vitejs/plugin-react": "^4"},
}
FILES = {
    "index.html": '<!doctype html><div id="root"></div><script type="module" src="/src/main.jsx"></script>',
    "vite.config.js": "import react from '@vitejs/plugin-react';\nexport default { plugins: [react()] };\n",
    "src/main.jsx": "import { createRoot } from 'react-dom/client';\n"
    + "".join(f"import Part{n} from './Part{n}.jsx';\n" for n in range(40))
    + "createRoot(document.getElementById('root')).render(<>"
    + "".join(f"<Part{n} />" for n in range(40))
    + "</>);\n",
    **{f"src/Part{n}.jsx": f"export default function Part{n}() {{ return <p>part {n}</p>; }}\n" for n in range(40)},
}
_IMPORT = re.compile(r"""(?:from|import|src=)\s*["']([^"']+)["']""")


def write_project(folder: Path) -> None:
    """A React project of some forty modules."""
    for name, text in {"package.json": json.dumps(PACKAGE), **FILES}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


async def start(project: Path, *, trusted: bool) -> tuple[float, float]:
    """Seconds until the first page, and until it and all its modules were there."""
    settings = Settings(trust_project=trusted)
    with tempfile.TemporaryDirectory() as scratch, ProcessList(Path(scratch)) as processes:
        began = time.perf_counter()
        site = await open_project(project, run_dir=Path(scratch) / "run", processes=processes, settings=settings)
        up_s = time.perf_counter() - began
        if site.problem is not None:
            sys.exit(site.problem.message)
        modules = await asyncio.to_thread(fetch_all, site.entry)
        whole_s = time.perf_counter() - began
        if modules < 40:
            sys.exit(f"only {modules} modules came")
        return up_s, whole_s


def fetch_all(entry: str) -> int:
    """Fetch a page and all modules it imports; returns how many."""
    waiting, seen = [entry], set[str]()
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        seen.add(address)
        with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310 - a server of this benchmark's own
            text = answer.read().decode("utf-8", "replace")
        waiting += [urljoin(address, name) for name in _IMPORT.findall(text) if name.startswith(("/", "."))]
    return len(seen)


async def install(project: Path) -> None:
    """Let the launcher install the packages, and keep them in the project."""
    with tempfile.TemporaryDirectory() as scratch, ProcessList(Path(scratch)) as processes:
        run_dir = Path(scratch) / "run"
        began = time.perf_counter()
        site = await open_project(project, run_dir=run_dir, processes=processes, settings=Settings())
        if site.problem is not None:
            sys.exit(f"{site.problem.message}\n{site.problem.log_excerpt}")
        sys.stdout.write(f"installed and up in {time.perf_counter() - began:.1f} s: {'; '.join(site.notes)}\n")
        shutil.copytree(run_dir / "work" / "node_modules", project / "node_modules", symlinks=True)


async def measure(project: Path, turns: int) -> None:
    """By turns, so that what else the machine does falls on both alike."""
    found: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for _ in range(turns):
        for trusted in (True, False):
            found[trusted].append(await start(project, trusted=trusted))
    for index, what in enumerate(("start-up", "with all modules")):
        bare, boxed = ([turn[index] for turn in found[trusted]] for trusted in (True, False))
        ratio = statistics.median(boxed) / statistics.median(bare)
        sys.stdout.write(
            f"{what:18} without {statistics.median(bare):.2f} s ({min(bare):.2f}–{max(bare):.2f}), "
            f"in the sandbox {statistics.median(boxed):.2f} s ({min(boxed):.2f}–{max(boxed):.2f}): {ratio:.2f} ×, "
            f"best against best {min(boxed) / min(bare):.2f} ×\n"
        )


async def main() -> None:
    """See the top of the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--project", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as scratch:
        project = given.project or Path(scratch) / "p"
        if given.project is None:
            write_project(project)
            await install(project)
        await measure(project, given.turns)


if __name__ == "__main__":
    asyncio.run(main())
