"""An original, prepared once: served, explored, its own code read, its mutants listed. Kept, so that later runs begin there."""

from __future__ import annotations

import hashlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from configs.settings import Settings
from tools.app.project import discard_packages
from tools.app.site import open_site
from tools.app.subject import Subject
from tools.errors import SubjectError
from tools.mutation.mutant import Mutant, mutants_of
from tools.mutation.own_code import is_own, source_lines
from tools.mutation.serving import MutantServer
from tools.processes import ProcessList

if TYPE_CHECKING:
    from tools.browser.reference.player import Browser
    from tools.browser.reference.script import Script

FILE = "original.json"
_VERSION = 2


class Kept(BaseModel):
    """What is known of an original."""

    model_config = ConfigDict(frozen=True)

    key: str
    """Of subject, seed and length of the script; another key is another original."""
    script: str
    """The reference script, as JSON."""
    mutants: tuple[Mutant, ...]
    """Those whose place ran in the script, or of which that can't be told."""
    possible: int
    never_ran: int
    files: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Original:
    """A prepared original that is being served."""

    upstream: str
    """Its address."""
    kept: Kept
    script: Script


@asynccontextmanager
async def serving(subject: Subject, folder: Path, settings: Settings) -> AsyncIterator[str]:
    """Serve a subject for as long as the block lasts; gives its address. Raises `SubjectError` where it can't be served."""
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessList(folder) as processes:
        try:
            site = await open_site(subject, run_dir=folder, processes=processes, settings=settings)
            if site.problem is not None:
                raise SubjectError(f"{subject.given} can't be served: {site.problem.message}")
            yield site.entry
        finally:
            if subject.variety == "project":
                discard_packages(folder)


async def prepare(upstream: str, subject: Subject, folder: Path, browser: Browser, *, acts: int, seed: int) -> Original:
    """The original served at `upstream`; recorded if `folder` has no recording of it yet.

    Raises `SubjectError` where the page can't be opened or serves no code of its own.
    """
    from tools.browser.reference.script import Script  # noqa: PLC0415 - Playwright is loaded by those who need it

    key = _key(subject, acts, seed)
    kept = _read(folder / FILE)
    if kept is None or kept.key != key:
        kept = await _recorded(upstream, subject, browser, key, acts, seed)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE).write_text(kept.model_dump_json(), encoding="utf-8")
    return Original(upstream, kept, Script.model_validate_json(kept.script))


async def _recorded(upstream: str, subject: Subject, browser: Browser, key: str, acts: int, seed: int) -> Kept:
    from tools.browser.reference.script import ran_in, record, with_noise  # noqa: PLC0415

    began = time.monotonic()
    async with MutantServer(upstream) as original:
        base = original.url
        # A dev server compiles what is asked for when it is asked first, and may load the page again then.
        await record(browser, base, acts=1, seed=seed)
        recording = await record(browser, base, acts=acts, seed=seed)
        if not recording.steps[0][1].done:
            raise SubjectError(f"{subject.given} can't be opened.", hint="Open it in a browser and see what is wrong.")
        script = await with_noise(browser, base, recording.steps, seed)
    found: dict[tuple[str, int, str], Mutant] = {}
    files: dict[str, None] = {}
    for url, (media_type, text) in recording.served.items():
        path = unquote(urlsplit(url).path)
        if path in files or not is_own(url, base, text):
            continue
        lines = source_lines(text)
        for served in mutants_of(path, text, media_type):
            if lines is not None and served.line not in lines:
                continue
            mutant = served.in_source(lines) if lines is not None else served
            files[path] = None
            found[mutant.file, mutant.start, mutant.operator + mutant.after] = mutant
    if not found:
        raise SubjectError(f"{subject.given} serves no scripts or styles of its own.", hint="Minified code can't be mutated.")
    live = tuple(each_mutant for each_mutant in found.values() if ran_in(recording, each_mutant) is not False)
    return Kept(
        key=key,
        script=script.model_dump_json(),
        mutants=live,
        possible=len(found),
        never_ran=len(found) - len(live),
        files=tuple(files),
        seconds=round(time.monotonic() - began, 1),
    )


def _key(subject: Subject, acts: int, seed: int) -> str:
    """Changes with the subject's own files, the length of the script and the seed."""
    digest = hashlib.sha256(f"{_VERSION} {subject.given} {acts} {seed} {subject.text}".encode())
    path = subject.path
    if path is not None:
        listed = sorted(path.rglob("*")) if path.is_dir() else [path]
        for each_path in listed:
            if each_path.is_file() and "node_modules" not in each_path.parts and ".git" not in each_path.parts:
                state = each_path.stat()
                digest.update(f"{each_path.relative_to(path.parent)} {state.st_size} {state.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _read(path: Path) -> Kept | None:
    try:
        return Kept.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None
