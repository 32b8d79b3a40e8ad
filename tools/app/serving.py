"""Serving files: which folder is shown to the page, at which prefix, and the server process for it."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from tools.app import static_server
from tools.app.http_probe import Answer, ask
from tools.app.markup import references
from tools.errors import EnvironmentFault
from tools.processes import ProcessList

MAX_TREE_FILES = 2_000
MAX_TREE_BYTES = 500_000_000
START_S = 15.0
_NAMED_ASSETS = frozenset(
    {
        ".css",
        ".js",
        ".mjs",
        ".png",
        ".jpg",
        ".jpeg",
        ".gif",
        ".webp",
        ".svg",
        ".ico",
        ".woff",
        ".woff2",
        ".mp3",
        ".mp4",
        ".webm",
        ".wav",
    }
)


@dataclass(frozen=True)
class Plan:
    """What to serve: `root` at `prefix`, of it `only` those relative paths (None: all), opening `entry` (relative to root)."""

    root: Path
    entry: str
    prefix: str = "/"
    only: frozenset[str] | None = None
    charset: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Served:
    """A running static server."""

    base_url: str
    entry: str
    pid: int


def plan_page(page: Path) -> Plan:
    """How to serve a single page file.

    Its folder is served with it only where that is harmless: not a home, download or temporary folder, and small. Otherwise a
    hostile page could read whatever lies beside it, so it gets itself and the assets that its markup names in its own folder.
    """
    folder = page.parent
    text = page.read_text(encoding="utf-8", errors="replace")
    if _is_small(folder) and folder not in _private_folders():
        above = folder.parent
        limit = above if above not in _private_folders() and _is_small(above) else folder
        plan = _mounted(folder, page, text, limit=limit)
        return replace(plan, notes=(*plan.notes, f"{plan.root} is served with the page"))
    named = {reference.local_path for reference in references(text) if reference.kind != "page"}
    only = {page.name}
    for name in named:
        asset = folder / name
        inside = not name.startswith("/") and ".." not in Path(name).parts and asset.suffix.lower() in _NAMED_ASSETS
        if inside and asset.is_file():
            only.add(Path(name).as_posix())
    beside = f" and {len(only) - 1} files it names" if len(only) > 1 else ""
    note = f"{folder} is private or large: only {page.name}{beside} is served"
    return Plan(folder, page.name, only=frozenset(only), notes=(note, "to serve more, put the page into a folder of its own"))


def plan_folder(folder: Path, page: Path) -> Plan:
    """How to serve a folder whose page was found; the page's own folder is the root unless its addresses say otherwise."""
    text = page.read_text(encoding="utf-8", errors="replace")
    plan = _mounted(page.parent, page, text, limit=folder)
    where = page.relative_to(folder).as_posix()
    notes = () if where == "index.html" else (f"the page opened is {where}",)
    return replace(plan, notes=(*notes, *plan.notes))


def _mounted(root: Path, page: Path, text: str, *, limit: Path) -> Plan:
    """Where root-relative addresses (`/assets/x.js`) lead to files: the page's folder, one below a prefix, or one above."""
    wanted = sorted({ref.local_path for ref in references(text) if ref.kind != "page" and ref.local_path.startswith("/")})
    entry = page.relative_to(root).as_posix()
    missing = [path for path in wanted if not (root / path.lstrip("/")).is_file()]
    if not missing:
        return Plan(root, entry)
    prefix = _common_prefix(root, wanted)
    if prefix:
        return Plan(root, entry, prefix, notes=(f"the page is made to live at {prefix}/; it is served there",))
    above = root
    while above != limit and limit in above.parents:
        above = above.parent
        if all((above / path.lstrip("/")).is_file() for path in wanted):
            note = f"addresses that begin with / lead into {above}; it is the root"
            return Plan(above, page.relative_to(above).as_posix(), notes=(note,))
    shown = ", ".join(missing[:4]) + (" …" if len(missing) > 4 else "")
    return Plan(root, entry, notes=(f"the page refers to {shown}, which is not in {root}",))


def _common_prefix(root: Path, wanted: list[str]) -> str:
    """The leading folders that, taken off every address, make all of them lead to files; empty if there are none."""
    parts = wanted[0].strip("/").split("/")
    for count in range(1, min(len(parts), 4)):
        prefix = "/" + "/".join(parts[:count])
        if all(path.startswith(prefix + "/") and (root / path[len(prefix) + 1 :]).is_file() for path in wanted):
            return prefix
    return ""


def _private_folders() -> frozenset[Path]:
    home = Path.home()
    named = {home / name for name in ("Desktop", "Documents", "Downloads", "Pictures", "Music", "Videos")}
    return frozenset({home, Path("/"), home.parent, Path(tempfile.gettempdir()).resolve(), Path("/tmp"), *named})  # noqa: S108 - not used as one


def _is_small(folder: Path) -> bool:
    """Whether a folder tree has at most 2,000 files and 500 MB."""
    files = size = 0
    waiting = [str(folder)]
    while waiting:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
                files += 1
            elif entry.is_file(follow_symlinks=False):
                files += 1
                size += entry.stat(follow_symlinks=False).st_size
            if files > MAX_TREE_FILES or size > MAX_TREE_BYTES:
                return False
    return True


async def serve(plan: Plan, *, log: Path, processes: ProcessList) -> Served:
    """Start the server and wait until it answers. Raises `EnvironmentFault` if it does not, which says nothing about the app."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(128)
        port = int(listening.getsockname()[1])
        config = {
            "fd": listening.fileno(),
            "root": str(plan.root),
            "prefix": plan.prefix,
            "only": None if plan.only is None else sorted(plan.only),
            "charset": plan.charset,
        }
        command = [sys.executable, "-I", "-S", static_server.__file__, json.dumps(config)]
        process = processes.spawn(
            "static server", command, env={"PATH": os.environ.get("PATH", "")}, log=log, pass_fds=[listening.fileno()]
        )
    base = f"http://127.0.0.1:{port}/"
    prefix = plan.prefix.strip("/")
    mount = base + (quote(prefix) + "/" if prefix else "")
    entry = mount + ("" if plan.entry == "index.html" else quote(plan.entry))
    answer = await ask(entry, timeout_s=START_S)
    if not isinstance(answer, Answer) or answer.status != 200:
        await processes.end(process.pid)
        what = f"status {answer.status}" if isinstance(answer, Answer) else answer.reason
        raise EnvironmentFault(f"The static server for {plan.root} did not start: {what}.", hint=f"See {log}")
    return Served(base, entry, process.pid)
