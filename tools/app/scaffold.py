"""Building component answers (React, Vue, modules that import packages) with esbuild from npm, in a cache shared by all runs.

Everything fetched or built lies under `~/.cache/assay/scaffold`, named by a hash of what it was made from: tools by their pinned
versions, packages by the set asked for (their versions are those of the first fetch), finished builds by the answer's files.
Install scripts never run, and the answer's own code never runs here: it is parsed, not executed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from configs.settings import Settings
from tools.app import shells
from tools.app.artifact import Artifact
from tools.app.packages import Installed, PackageManager, install
from tools.app.place import place_for, run_in
from tools.app.programs import cache_dir, mark_used
from tools.app.served import SiteProblem
from tools.errors import MissingProgram
from tools.processes import ProcessList

TOOLS = {"esbuild": "0.28.2", "@vue/compiler-sfc": "3.5.45", "@tailwindcss/browser": "4.3.4"}
SASS = {"sass": "1.108.2"}
REACT = {"react": "19.3.1", "react-dom": "19.3.1"}
OLD_REACT = {"react": "18.3.1", "react-dom": "18.3.1"}
VUE = {"vue": "3.5.45"}
BUNDLE_SCRIPT = Path(__file__).with_name("bundle.mjs")
BUILD_S = 60.0
"""Longest time for one pass of the bundler; it takes well under a second for an answer's few files."""
MAX_PACKAGES = 40
_PACKAGE_NAME = re.compile(r"(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*", re.IGNORECASE)


@dataclass(frozen=True)
class Built:
    """A built answer in `run_dir/site`, to be opened at `entry` – or the problem that kept it from being built."""

    entry: str
    notes: tuple[str, ...] = ()
    problem: SiteProblem | None = None


class _Failed(Exception):
    """Carries the problem out of the steps of a build."""

    def __init__(self, problem: SiteProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def needs_build(artifact: Artifact) -> bool:
    """Whether a browser cannot run the artifact as it stands."""
    return artifact.kind in {"react", "vue"} or (artifact.kind == "html" and bool(shells.page_bundle(artifact.files).entries))


async def build(artifact: Artifact, *, run_dir: Path, processes: ProcessList, settings: Settings) -> Built:
    """Build an artifact into `run_dir/site`; one built before comes from the cache. Raises `MissingProgram` without Node.js."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise MissingProgram(f"{program} is not installed; component answers are built with it.", hint="Run: assay doctor")
    site = run_dir / "site"
    kept = _root() / "built" / _key(artifact)
    if (kept / "built.json").is_file():
        mark_used(kept)
        about = json.loads((kept / "built.json").read_text(encoding="utf-8"))
        shutil.copytree(kept / "site", site, dirs_exist_ok=True)
        return Built(about["entry"], (*about["notes"], "built before; taken from the cache"))
    builder = _Builder(artifact, run_dir, processes, settings)
    try:
        built = await (builder.component() if artifact.kind in {"react", "vue"} else builder.pages())
    except _Failed as failed:
        return Built("", tuple(builder.notes), failed.problem)
    _keep(kept, site, built)
    return built


def _root() -> Path:
    return cache_dir() / "scaffold"


def _key(artifact: Artifact) -> str:
    parts = [artifact.kind, artifact.entry, sorted(artifact.files.items()), TOOLS, SASS, REACT, OLD_REACT, VUE]
    code = "".join(path.read_text(encoding="utf-8") for path in (BUNDLE_SCRIPT, Path(shells.__file__), Path(__file__)))
    return hashlib.sha256(json.dumps([*parts, code], sort_keys=True).encode()).hexdigest()[:24]


def _keep(kept: Path, site: Path, built: Built) -> None:
    """Put a finished build into the cache at once or not at all."""
    partial = kept.with_name(f"{kept.name}.{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(site, partial / "site")
    (partial / "built.json").write_text(json.dumps({"entry": built.entry, "notes": built.notes}), encoding="utf-8")
    _move_in(partial, kept)


def _move_in(partial: Path, place: Path) -> None:
    try:
        partial.rename(place)
    except OSError:
        if not place.is_dir():
            raise
        shutil.rmtree(partial, ignore_errors=True)  # somebody else was faster


class _Builder:
    """The steps of one build, sharing where things lie."""

    def __init__(self, artifact: Artifact, run_dir: Path, processes: ProcessList, settings: Settings) -> None:
        self.artifact = artifact
        self.processes = processes
        self.settings = settings
        self.work = (run_dir / "scaffold").resolve()
        self.source = self.work / "source"
        self.site = run_dir / "site"
        self.log = run_dir / "logs" / "build.log"
        self.notes: list[str] = []

    async def component(self) -> Built:
        """Build a React or Vue component into a page."""
        artifact = self.artifact
        files, tailwind_css = shells.split_tailwind_css(artifact.files)
        tailwind = bool(tailwind_css) or shells.tailwind_classes(files) >= 5
        code = files[artifact.entry]
        main, mount = artifact.entry, shells.mount_point(code, "app" if artifact.kind == "vue" else "root")
        if not shells.mounts(code):
            main = "assay-main.jsx"
            if artifact.kind == "react":
                files[artifact.entry] = shells.with_default_export(code)
            files[main] = shells.entry_code(artifact.kind, artifact.entry, mount)
        inject = []
        if artifact.kind == "react" and shells.uses_globals(files):
            files["assay-globals.js"] = shells.GLOBALS_CODE
            inject.append("assay-globals.js")
            self.notes.append("React was taken from a global variable; it was given one")
        self._write(files)
        base = VUE if artifact.kind == "vue" else OLD_REACT if shells.wants_old_react(files) else REACT
        await self._bundle({"app": main}, base, inject)
        self._copy_assets(files)
        style = (self.site / "assay" / "app.css").is_file()
        page = shells.component_page(artifact, mount=mount, style=style, tailwind=tailwind, tailwind_css=tailwind_css)
        (self.site / "index.html").write_text(page, encoding="utf-8")
        if tailwind:
            await self._add_tailwind()
        loose = [
            name
            for name in files
            if name.endswith(".css") and not any(name.rsplit("/", 1)[-1] in text for text in files.values())
        ]
        if loose:
            self._link_styles(loose)
        self.notes.insert(
            0, f"a {'Vue' if artifact.kind == 'vue' else 'React'} component was built with esbuild and put into a page"
        )
        return Built("index.html", tuple(self.notes))

    async def pages(self) -> Built:
        """Bundle the module scripts of pages that import packages by name."""
        plan = shells.page_bundle(self.artifact.files)
        self._write({**self.artifact.files, **plan.inline})
        await self._bundle(plan.entries, {}, [])
        self._copy_assets(self.artifact.files, code_too=True)
        for name, page in plan.pages.items():
            (self.site / name).write_text(page, encoding="utf-8")
        self.notes.insert(0, "modules that import packages by name, which no browser resolves, were bundled with esbuild")
        return Built(self.artifact.entry, tuple(self.notes))

    def _write(self, files: Mapping[str, str]) -> None:
        shutil.rmtree(self.work, ignore_errors=True)
        write_files(self.source, files)
        (self.site / "assay").mkdir(parents=True, exist_ok=True)

    async def _bundle(self, entries: Mapping[str, str], base: Mapping[str, str], inject: Sequence[str]) -> None:
        """Find out what is imported, install it, build."""
        sass = any(name.endswith((".scss", ".sass")) for name in self.artifact.files) or any(
            re.search(r"<style[^>]*lang=[\"']s[ac]ss", text) for text in self.artifact.files.values()
        )
        tools = await self._installed("tools", TOOLS | (SASS if sass else {}))
        listed = await self._esbuild(tools, "", entries, inject, list_only=True)
        wanted = [name for name in listed["packages"] if name not in base]
        bad = [name for name in wanted if not _PACKAGE_NAME.fullmatch(name)]
        if bad or len(wanted) > MAX_PACKAGES:
            why = f"{bad[0]!r} is no name of a package" if bad else f"it imports {len(wanted)} packages"
            raise _Failed(SiteProblem("build_failed", f"The answer cannot be built: {why}.", "app"))
        specs = {**base, **dict.fromkeys(wanted, "latest")}
        dependencies = await self._installed("packages", specs) if specs else None
        if dependencies is not None:
            self.notes.append("packages: " + ", ".join(_versions(dependencies, specs)))
        done = await self._esbuild(tools, str(dependencies or ""), entries, inject, list_only=False)
        if done["emptied"]:
            self.notes.append(f"it imports {', '.join(done['emptied'][:5])}, which the answer does not contain; left empty")

    async def _esbuild(
        self, tools: Path, dependencies: str, entries: Mapping[str, str], inject: Sequence[str], *, list_only: bool
    ) -> dict[str, list[str]]:
        request, result, made = self.work / "request.json", self.work / "result.json", self.work / "bundled"
        result.unlink(missing_ok=True)
        shown = [tools, BUNDLE_SCRIPT, *([Path(dependencies)] if dependencies else [])]
        place = place_for(self.work, self.processes, self.settings, show=shown)
        source = place.inside(self.source)
        order = {
            "tools": str(tools),
            "dependencies": dependencies,
            "source": source,
            "entries": {output: f"{source}/{name}" for output, name in entries.items()},
            "inject": [f"{source}/{name}" for name in inject],
            "outdir": place.inside(made),
            "listOnly": list_only,
        }
        request.write_text(json.dumps(order), encoding="utf-8")
        place.hand_over()
        command = ["node", str(BUNDLE_SCRIPT), place.inside(request), place.inside(result)]
        try:
            finished = await run_in(place, "bundler", command, log=self.log, processes=self.processes, timeout_s=BUILD_S)
        finally:
            place.close()
        if not finished.ok or not result.is_file():
            why = (
                "took too long"
                if finished.code is None
                else f"was stopped ({finished.stopped})"
                if finished.stopped
                else "stopped"
            )
            raise _Failed(
                SiteProblem("build_failed", f"The bundler {why} for a reason of its own.", "environment", finished.tail())
            )
        outcome: dict[str, list[str]] = json.loads(result.read_text(encoding="utf-8"))
        if not list_only and made.is_dir():
            shutil.copytree(made, self.site / "assay", dirs_exist_ok=True)
        if outcome["errors"]:
            excerpt = "\n".join(outcome["errors"][:10])
            first = outcome["errors"][0].split("\n")[0]
            raise _Failed(SiteProblem("build_failed", f"The answer does not build: {first}", "app", excerpt))
        return outcome

    async def _installed(self, kind: str, specs: Mapping[str, str]) -> Path:
        """A folder of the cache in which those packages are installed."""
        name = hashlib.sha256(json.dumps(dict(specs), sort_keys=True).encode()).hexdigest()[:24]
        place = _root() / kind / name
        if (place / "node_modules").is_dir():
            mark_used(place)
            return place
        partial = place.with_name(f"{name}.{os.getpid()}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        package = {"name": "scaffold", "private": True, "dependencies": dict(specs)}
        (partial / "package.json").write_text(json.dumps(package), encoding="utf-8")
        where = place_for(partial, self.processes, self.settings)
        try:
            done: Installed = await install(
                where, PackageManager("npm", ("npm",)), scripts=False, log=self.log, processes=self.processes,
                timeout_s=self.settings.timeouts.install_s,
            )  # fmt: skip
        finally:
            where.close()
        if not done.ok:
            shutil.rmtree(partial, ignore_errors=True)
            # The tools' and frameworks' versions are ours: if those do not exist, it is not the answer's doing.
            blame = done.blame if kind == "packages" and any(spec == "latest" for spec in specs.values()) else "environment"
            problem = "build_failed" if blame == "app" else "install_failed"
            raise _Failed(SiteProblem(problem, f"The packages the answer imports: {done.message}.", blame, done.log_excerpt))
        self.notes += done.notes
        _move_in(partial, place)
        return place

    def _copy_assets(self, files: Mapping[str, str], *, code_too: bool = False) -> None:
        """Lay beside the page what a page may ask for by address; `public/x` is served as `x`, as the common set-ups do."""
        skipped = () if code_too else shells.SCRIPT_SUFFIXES
        assets = {name: text for name, text in files.items() if not name.endswith(skipped or ("\0",)) and name != "index.html"}
        assets |= {name.removeprefix("public/"): text for name, text in assets.items() if name.startswith("public/")}
        write_files(self.site, assets | ({"index.html": files["index.html"]} if code_too and "index.html" in files else {}))

    async def _add_tailwind(self) -> None:
        tools = await self._installed("tools", TOOLS)
        shutil.copyfile(tools / "node_modules/@tailwindcss/browser/dist/index.global.js", self.site / "assay" / "tailwind.js")
        self.notes.append(
            f"Tailwind is expected and not included; @tailwindcss/browser {TOOLS['@tailwindcss/browser']} was added to the page"
        )

    def _link_styles(self, names: Sequence[str]) -> None:
        """Make the page load style sheets that nothing in the answer imports."""
        path = self.site / "index.html"
        links = "".join(f'<link rel="stylesheet" href="/{name}">\n' for name in names)
        path.write_text(shells.insert_in_head(path.read_text(encoding="utf-8"), links), encoding="utf-8")
        self.notes.append(f"{', '.join(names)} is imported by nothing; the page was made to load it")


def _versions(folder: Path, specs: Mapping[str, str]) -> list[str]:
    found: list[str] = []
    for name in specs:
        try:
            version = json.loads((folder / "node_modules" / name / "package.json").read_text(encoding="utf-8"))["version"]
        except (OSError, ValueError, KeyError):
            continue
        found.append(f"{name} {version}")
    return found


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write an answer's files; a file whose name is another's folder is left out. Names must be safe already."""
    for name, text in sorted(files.items()):
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="replace", newline="")
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            continue
