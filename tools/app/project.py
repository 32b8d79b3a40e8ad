"""Opening a project folder: copied, its packages installed, its dev server started or its build served.

The user's folder is never written to. The project is copied into the run's folder without version control, caches and – unless
they are complete – its packages. Copied, not linked: dev servers write into `node_modules`, and tools refuse files outside the
project.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from configs.settings import Settings
from tools.app import dev_server, packages, sources
from tools.app.dev_command import HOST, DevCommand, dev_command
from tools.app.dev_server import ServerDown, ServerUp
from tools.app.packages import PackageManager
from tools.app.place import Place, place_for, run_in
from tools.app.programs import environment, last_lines, run
from tools.app.served import Site, SiteProblem
from tools.app.serving import plan_folder, serve
from tools.app.subject import OUTPUT_FOLDERS, find_page, is_complete_page, only_builds, scripts_of, serving_scripts
from tools.confinement import launcher
from tools.errors import SubjectError
from tools.processes import ProcessList

MAX_COPY_FILES = 50_000
MAX_COPY_BYTES = 2_000_000_000
_NOT_COPIED = frozenset(
    {".git", ".hg", ".svn", "node_modules", ".next", ".nuxt", ".output", ".cache", ".parcel-cache", ".turbo", ".vite", ".venv"}
)
_OTHER_SYSTEM = re.compile(
    r"Cannot find module '?(?:@rollup/rollup-|@esbuild/|@swc/core-|@tailwindcss/oxide-|lightningcss|@parcel/watcher-)"
    r"|Cannot find module '?@rspack/binding-|invalid ELF header|wrong ELF class|installed esbuild for another platform"
    r"|@rollup/rollup-\S+ is not installed"
)
"""Packages whose native parts are for another system."""

_OLD_OPENSSL = "ERR_OSSL_EVP_UNSUPPORTED"
_SURROUNDINGS = re.compile(
    r"Could not locate the bindings file|Node Sass does not yet support your current environment"
    r"|prisma generate|did not initialize yet|Node\.js version \S+ (?:or|is) "
    r"|requires? Node\.js|Unsupported engine|EBADENGINE|crypto\.hash is not a function|ENOSPC|EMFILE|EACCES|ENOMEM"
    r"|heap out of memory|ECONNREFUSED [\d.:]*:(?:5432|3306|27017|6379|9200)\b|\bENOTFOUND\b|\bEAI_AGAIN\b"
)
"""What in a server's log is not the app's doing: missing native parts, another Node.js, limits of the machine, no database."""


@dataclass
class _Opening:
    """What the steps of opening one project share."""

    folder: Path
    work: Path
    run_dir: Path
    processes: ProcessList
    settings: Settings
    place: Place
    package: dict[str, object]
    manager: PackageManager | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def log(self) -> Path:
        """What the project's own server prints."""
        return self.run_dir / "logs" / "server.log"

    @property
    def install_log(self) -> Path:
        """What installing and building print."""
        return self.run_dir / "logs" / "install.log"


class _Failed(Exception):
    """Carries the problem out of the steps."""

    def __init__(self, problem: SiteProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


async def open_project(folder: Path, *, run_dir: Path, processes: ProcessList, settings: Settings) -> Site:
    """Serve a project. What keeps it from being served is the site's `problem`. Raises `SubjectError` if it is too large."""
    work = run_dir / "work"
    try:
        package = packages.read_package(folder)
    except ValueError as error:
        return Site("none", "", "", problem=SiteProblem("server_failed", f"The project's {error}.", "app"))
    if not settings.trust_project:
        launcher.demand()
    await asyncio.to_thread(copy_project, folder, work, run_dir)
    opening = _Opening(folder, work, run_dir, processes, settings, place_for(work, processes, settings), package)
    if settings.trust_project:
        opening.notes.append("it is trusted: its programs ran outside of a sandbox")
    found = sources.of_folder(folder, project=True)
    try:
        await _provide_packages(opening)
        up = await _serve(opening)
    except _Failed as failed:
        log = opening.log if opening.log.is_file() else None
        return Site("none", "", "", found, tuple(opening.notes), failed.problem, log)
    if isinstance(up, ServerUp):
        return Site("project", up.base_url, up.entry, found, tuple(opening.notes), None, opening.log, up.pid)
    return Site("project", up.base_url, up.entry, found, (*opening.notes, *up.notes), None, None, up.pid)


def copy_project(folder: Path, work: Path, run_dir: Path) -> None:
    """Copy a project without its packages, version control and caches. Raises `SubjectError` if it is too large.

    Runs may be kept inside the project (`assay eval .` in its folder): those are left out, or the copy would contain itself.
    """
    runs = {run_dir, run_dir.parent} - {folder, *folder.parents}

    def left_out(current: str, names: list[str]) -> set[str]:
        here = Path(current)
        odd = {name for name in names if not ((here / name).is_symlink() or (here / name).is_file() or (here / name).is_dir())}
        return {name for name in names if name in _NOT_COPIED or here / name in runs} | odd

    files = size = 0
    for current, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _NOT_COPIED and Path(current) / name not in runs]
        files += len(names)
        for name in names:
            try:
                size += (Path(current) / name).lstat().st_size
            except OSError:
                continue
        if files > MAX_COPY_FILES or size > MAX_COPY_BYTES:
            so_far = f"{files:,} files, {size / 1e6:,.0f} MB so far"
            raise SubjectError(f"{folder} is too large to be copied ({so_far}).", hint="Give a smaller folder.")
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(folder, work, symlinks=True, ignore=left_out)


# --- packages -------------------------------------------------------------------------------------------------------------------


async def _provide_packages(opening: _Opening) -> None:
    """Copy complete packages from the project, or install them."""
    if not packages.dependencies(opening.package) and "workspaces" not in opening.package:
        return
    if packages.is_installed(opening.folder, opening.package):
        copied = await run(
            "copy packages",
            ["cp", "-a", "--", str(opening.folder / "node_modules"), str(opening.work / "node_modules")],
            cwd=opening.work,
            env=environment(),
            log=opening.install_log,
            processes=opening.processes,
            timeout_s=opening.settings.timeouts.install_s,
        )
        # Links that led out of the project (a workspace's packages) are broken in the copy; then they are installed after all.
        opening.place.hand_over()
        if copied.ok and packages.is_installed(opening.work, opening.package):
            opening.notes.append("packages were there and complete; nothing was installed")
            return
        await asyncio.to_thread(shutil.rmtree, opening.work / "node_modules", ignore_errors=True)
    await _install(opening)


async def _install(opening: _Opening) -> None:
    timeouts, scripts = opening.settings.timeouts, opening.settings.allow_install_scripts
    manager = await _manager(opening)
    began = time.monotonic()
    done = await packages.install(
        opening.place,
        manager,
        scripts=scripts,
        log=opening.install_log,
        processes=opening.processes,
        timeout_s=timeouts.install_s,
    )
    opening.notes += done.notes
    if not done.ok:
        raise _Failed(
            SiteProblem("install_failed", f"Installing the project failed: {done.message}.", done.blame, done.log_excerpt)
        )
    off = "" if scripts else ", install scripts off"
    opening.notes.append(f"packages installed in {time.monotonic() - began:.1f} s{off}")


async def _manager(opening: _Opening) -> PackageManager:
    if opening.manager is None:
        opening.manager = await packages.choose(
            opening.place, opening.package, log=opening.install_log, processes=opening.processes
        )
        if opening.manager.note:
            opening.notes.append(opening.manager.note)
    return opening.manager


# --- serving --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _BuiltSite:
    base_url: str
    entry: str
    pid: int
    notes: tuple[str, ...]


async def _serve(opening: _Opening) -> ServerUp | _BuiltSite:
    """Try the serving scripts in turn; a project that has only a build is built and its pages served."""
    down: ServerDown | None = None
    for script in serving_scripts(opening.package):
        outcome = await _run_script(opening, script, {})
        if isinstance(outcome, ServerDown):
            outcome = await _mended(opening, script, outcome)
        if isinstance(outcome, ServerUp):
            return outcome
        down = outcome
        opening.notes.append(f'script "{script}" serves nothing: {down.reason}')
        if down.code is None:
            break  # it ran for the whole time; another script would take as long again
    if down is None:
        return await _serve_build(opening)
    if is_complete_page(opening.work) and only_builds(opening.package):
        opening.notes.append("its scripts are a build tool's and its page lacks nothing: the folder is served as it is")
        return await _serve_folder(opening, opening.work / "index.html")
    raise _Failed(_server_problem(opening, down))


async def _run_script(opening: _Opening, script: str, extra: dict[str, str]) -> ServerUp | ServerDown:
    manager = await _manager(opening)
    port = free_port()
    command = dev_command(scripts_of(opening.package), script, port)
    built = (opening.work / ".next").is_dir() or any((opening.work / name / "index.html").is_file() for name in OUTPUT_FOLDERS)
    if command.needs_build and not built:
        await _build(opening)
    _rewrite_script(opening.place, command)
    told = {"PORT": str(port), "HOST": HOST, "BROWSER": "none", "CI": "true", **extra}
    up = await dev_server.start(
        opening.place, manager.script(command.script, ()), extra=told, port=port, log=opening.log, processes=opening.processes,
        timeout_s=opening.settings.timeouts.server_start_s,
    )  # fmt: skip
    if isinstance(up, ServerUp):
        where = "" if up.port == port else f", at port {up.port} of its own choice"
        opening.notes.append(f'served by script "{command.script}": {command.text}{where}')
        if up.status >= 400:
            opening.notes.append(f"its first answer had status {up.status}")
    return up


async def _mended(opening: _Opening, script: str, down: ServerDown) -> ServerUp | ServerDown:
    """One more try where the failure has a known remedy outside the app."""
    if _OLD_OPENSSL in down.output:
        opening.notes.append("the tool is older than this Node.js; old ciphers were allowed")
        return await _run_script(opening, script, {"NODE_OPTIONS": "--openssl-legacy-provider"})
    if _OTHER_SYSTEM.search(down.output):
        opening.notes.append("the packages were made for another system; they were installed anew without the lock file")
        await asyncio.to_thread(shutil.rmtree, opening.work / "node_modules", ignore_errors=True)
        for lock in packages.LOCKS:
            (opening.work / lock).unlink(missing_ok=True)
        await _install(opening)
        return await _run_script(opening, script, {})
    return down


def _rewrite_script(place: Place, command: DevCommand) -> None:
    """Put the command with our host and port into the copy's `package.json`."""
    try:
        package = packages.read_package(place.work)
    except ValueError as error:
        raise _Failed(SiteProblem("server_failed", f"The project's {error}.", "app")) from error
    scripts = scripts_of(package)
    if scripts.get(command.script) != command.text:
        package["scripts"] = {**scripts, command.script: command.text}
        place.write("package.json", json.dumps(package, indent=2))


def free_port() -> int:
    """A port of loopback that is free now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _server_problem(opening: _Opening, down: ServerDown) -> SiteProblem:
    """The dev server's failure. It counts as the app's unless its log names something outside."""
    outside = _SURROUNDINGS.search(down.output)
    message = f"The project's server does not come up: {down.reason}."
    if outside is not None:
        message += f" Its log points outside the app: {outside.group(0).strip()}."
        if not opening.settings.allow_install_scripts and "bindings" in outside.group(0) + down.output:
            message += " Install scripts were off; allow them to let packages build their native parts."
    page = next((opening.folder / name for name in OUTPUT_FOLDERS if (opening.folder / name / "index.html").is_file()), None)
    if page is not None:
        message += f" A built page lies in {page}; to evaluate that, give it as the subject."
    return SiteProblem("server_failed", message, "environment" if outside is not None else "app", down.excerpt)


async def _build(opening: _Opening) -> None:
    manager = await _manager(opening)
    # CI is not set: some tools turn warnings into errors under it.
    done = await run_in(
        opening.place, "build", manager.script("build", ()), log=opening.install_log, processes=opening.processes,
        timeout_s=opening.settings.timeouts.install_s,
    )  # fmt: skip
    if not done.ok:
        why = "took too long" if done.code is None else f"ended with code {done.code}"
        why = f"was stopped: {done.stopped}" if done.stopped else why
        blame = (
            "environment"
            if done.code is None or _SURROUNDINGS.search(done.output) or _OTHER_SYSTEM.search(done.output)
            else "app"
        )
        last = last_lines(done.output, 1, width=200)
        raise _Failed(SiteProblem("build_failed", f"The project's build {why}: {last}", blame, done.tail()))
    opening.notes.append('script "build" was run')


async def _serve_build(opening: _Opening) -> _BuiltSite:
    await _build(opening)
    output = next((opening.work / name for name in OUTPUT_FOLDERS if (opening.work / name / "index.html").is_file()), None)
    page = find_page(output) if output is not None else find_page(opening.work)
    if page is None or not page.resolve().is_relative_to(opening.work.resolve()):
        led = " of its own" if page is not None else ""
        raise _Failed(SiteProblem("build_failed", f"The project's build produced no page{led}.", "app", ""))
    built = await _serve_folder(opening, page, output)
    return replace(built, notes=(f"the build's page {page.relative_to(opening.work).as_posix()} is served", *built.notes))


async def _serve_folder(opening: _Opening, page: Path, folder: Path | None = None) -> _BuiltSite:
    plan = plan_folder(folder or page.parent, page)
    served = await serve(plan, log=opening.run_dir / "logs" / "static.log", processes=opening.processes)
    return _BuiltSite(served.base_url, served.entry, served.pid, plan.notes)


def discard_packages(run_dir: Path) -> None:
    """Remove the copied or installed packages of a project once its server has ended; everything else of the run stays."""
    shutil.rmtree(run_dir / "work" / "node_modules", ignore_errors=True)
