"""npm packages by name and version, range or tag: from the store, or fetched once with the npm client and pinned by hash.

`npm pack` does everything in one bounded call (resolves, downloads, checks the registry's own hash); no script of a package runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tools.app.programs import cache_dir, environment
from tools.browser.cdn.faults import Absent, Withheld
from tools.browser.cdn.pins import Pin, Pins
from tools.browser.cdn.store import Package, Store
from tools.processes import ProcessList

FETCH_S = 150.0
"""Longest time for one package; the largest fonts are 100 MB."""
AT_ONCE = 3
"""Packages that are fetched at the same time."""
REST_S = 60.0
"""After npm could not be reached, it is not tried again for so long: a page must not wait for each of its files."""

REGISTRY = "https://registry.npmjs.org/"
_OWN_NPM = frozenset(
    f"npm_config_{name}"
    for name in ("cache", "fetch_retries", "fetch_timeout", "fetch_retry_mintimeout", "audit", "fund", "update_notifier")
)

NAME = re.compile(r"(?:@[a-z0-9~][a-z0-9._~-]*/)?[a-z0-9~][a-z0-9._~-]*", re.IGNORECASE)
_EXACT = re.compile(r"v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)")
# Nothing that npm could take for a folder, a URL or another package: no slash, no colon.
_SPEC = re.compile(r"[0-9A-Za-z.^~<>=|*+ _-]{1,80}")
_MISSING = frozenset({"ETARGET", "E404", "ENOVERSIONS"})


@dataclass(frozen=True)
class Obtained:
    """A package and how it was come by."""

    package: Package
    fetched: bool
    """Whether npm was asked for it since these `Packages` were made; otherwise it was in the store."""


class Packages:
    """Gets packages; requests for the same one at the same time wait for the same fetch."""

    def __init__(self, root: Path | None = None, *, processes: ProcessList | None = None) -> None:
        self.store = Store(root if root is not None else cache_dir() / "cdn")
        self.pins = Pins(self.store.root / "lock.json")
        self.asked: set[str] = set()
        """Every `name@spec` that was asked for."""
        self._processes = processes
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._coming: dict[str, asyncio.Task[Obtained]] = {}
        self._fetched: set[str] = set()
        self._unreachable_s = -REST_S
        self._trouble = ""

    async def get(self, name: str, spec: str) -> Obtained:
        """The package that `name@spec` means. Raises `Absent` if there is none, `Withheld` if it can't be had."""
        wanted = f"{name}@{canonical(name, spec)}"
        self.asked.add(wanted)
        if wanted not in self._coming:
            task = asyncio.ensure_future(self._get(wanted))
            self._coming[wanted] = task
            task.add_done_callback(lambda done: self._arrived(wanted, done))
        # Shielded: that one of those who wait gives up is no reason to stop for the others.
        return await asyncio.shield(self._coming[wanted])

    def here(self, name: str, spec: str) -> bool:
        """Whether it can be had without npm."""
        pin = self.pins.get(f"{name}@{canonical(name, spec)}")
        return pin is not None and bool(pin.missing or self.store.package(pin.integrity))

    async def close(self) -> None:
        """Stop what is being fetched."""
        for task in list(self._coming.values()):
            task.cancel()
        await asyncio.gather(*self._coming.values(), return_exceptions=True)

    def _arrived(self, wanted: str, task: asyncio.Task[Obtained]) -> None:
        self._coming.pop(wanted, None)
        if not task.cancelled():
            task.exception()  # looked at, should nobody be waiting any more

    async def _get(self, wanted: str) -> Obtained:
        pin = self.pins.get(wanted)
        if pin is not None and not pin.missing:
            package = await asyncio.to_thread(self.store.package, pin.integrity)
            if package is not None:
                return Obtained(package, fetched=package.integrity in self._fetched)
            name = wanted.rpartition("@")[0]
            return await self._fetch(f"{name}@{pin.version}", wanted, pin)
        if pin is not None and not (pin.stale and self._reachable):
            raise Absent(f"{wanted}: {_told(pin.missing)}")
        return await self._fetch(wanted, wanted, pin)

    @property
    def _reachable(self) -> bool:
        return time.monotonic() - self._unreachable_s >= REST_S

    async def _fetch(self, what: str, wanted: str, pin: Pin | None) -> Obtained:
        async with self._gate:
            if not self._reachable:
                raise Withheld(f"{what} is not in the cache, and npm can't be reached ({self._trouble})")
            partial = self.store.root / "coming" / f"{os.getpid()}.{secrets.token_hex(4)}"
            partial.mkdir(parents=True)
            try:
                about = await self._pack(what, partial)
                if "error" in about:
                    return self._refused(wanted, pin, about["error"])
                return await self._take(partial / str(about["filename"]), about, wanted, pin)
            finally:
                await asyncio.to_thread(shutil.rmtree, partial, ignore_errors=True)

    async def _take(self, tarball: Path, about: dict[str, Any], wanted: str, pin: Pin | None) -> Obtained:
        name, version = str(about["name"]), str(about["version"])
        package = await asyncio.to_thread(self.store.add, tarball, name, version)
        if pin is not None and pin.integrity and pin.integrity != package.integrity:
            raise Withheld(f"{package.title}: npm gave other bytes than those that are pinned ({pin.integrity[:24]}…)")
        if pin is None or pin.missing:
            fresh = Pin(version, package.integrity, asked=_today())
            await asyncio.to_thread(self.pins.add, {wanted: fresh, package.title: fresh})
        self._fetched.add(package.integrity)
        return Obtained(package, fetched=True)

    def _refused(self, wanted: str, pin: Pin | None, error: dict[str, Any]) -> Obtained:
        code, summary = str(error.get("code", "")), str(error.get("summary", "")).split("\n")[0][:200]
        if code in _MISSING and (pin is None or pin.missing):
            self.pins.add({wanted: Pin(missing=code, asked=_today())})
            raise Absent(f"{wanted}: {_told(code)}")
        if code not in _MISSING:
            self._unreachable_s, self._trouble = time.monotonic(), code or summary
        raise Withheld(f"{wanted} could not be fetched: {summary or code}")

    async def _pack(self, what: str, folder: Path) -> dict[str, Any]:
        """`npm pack`: what it says about the tarball, or `{"error": {"code", "summary"}}`."""
        if shutil.which("npm") is None:
            return {"error": {"code": "NO_NPM", "summary": "npm is not installed"}}
        command = ["npm", "pack", what, "--json", "--ignore-scripts", "--pack-destination", str(folder)]
        env = await asyncio.to_thread(anonymous, folder)
        process = await asyncio.create_subprocess_exec(
            *command, cwd=folder, env=env, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, start_new_session=True
        )
        if self._processes is not None:
            self._processes.adopt("npm", process.pid)
        try:
            async with asyncio.timeout(FETCH_S):
                output, _ = await process.communicate()
        except TimeoutError:
            return {"error": {"code": "SLOW", "summary": f"it took longer than {FETCH_S:g} s"}}
        finally:
            await end(process, self._processes)
        return _read_answer(output)


def anonymous(folder: Path) -> dict[str, str]:
    """The environment of npm for what a page asks for: the registry everybody has, nobody's log-in.

    The page chooses the name, and gets what comes back. So npm reads no `.npmrc` (of the user, of the machine, of a folder above)
    and none of the `npm_config_…` that send a scope to a private registry or carry a log-in or a certificate. Scoped packages,
    too, are asked for at the one registry: the mirror `npm_config_registry`, if it holds no credentials, or the public one.
    """
    given = next((value for name, value in os.environ.items() if name.lower() == "npm_config_registry"), "")
    parts = urlsplit(given)
    mirror = given if parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc else REGISTRY
    # A package.json stops npm from looking for a project, and its .npmrc, in the folders above; a cache of npm's own would keep
    # every tarball a second time.
    (folder / "package.json").write_text("{}", encoding="utf-8")
    for name in ("user.npmrc", "global.npmrc"):
        (folder / name).touch()
    env = environment(
        npm_config_cache=str(folder / "npm"), npm_config_fetch_retries="1", npm_config_fetch_timeout="60000",
        npm_config_fetch_retry_mintimeout="500", npm_config_audit="false", npm_config_fund="false",
    )  # fmt: skip
    kept = {name: value for name, value in env.items() if not name.lower().startswith("npm_config_") or name in _OWN_NPM}
    return kept | {
        "HOME": str(folder),
        "npm_config_userconfig": str(folder / "user.npmrc"),
        "npm_config_globalconfig": str(folder / "global.npmrc"),
        "npm_config_registry": mirror,
    }


async def end(process: Process, processes: ProcessList | None) -> None:
    """End a program and what it started; it was started in a session of its own."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
    if processes is not None:
        await processes.end(process.pid, grace_s=0.0)


def canonical(name: str, spec: str) -> str:
    """A spec as npm takes it: exact versions without `v`, no spec is `latest`. Raises `Absent` for what no CDN takes."""
    spec = unquote(spec).strip()
    if not NAME.fullmatch(name) or len(name) > 214:
        raise Absent(f"{name[:80]} is no package's name")
    if not spec:
        return "latest"
    if not _SPEC.fullmatch(spec) or spec.startswith("-"):
        raise Absent(f"{name}@{spec[:80]} is no version")
    exact = _EXACT.fullmatch(spec)
    return exact.group(1) if exact else spec


def is_exact(spec: str) -> bool:
    """Whether a spec names one version."""
    return _EXACT.fullmatch(spec) is not None


def _read_answer(output: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(output)
    except ValueError:
        return {"error": {"code": "NPM", "summary": "npm ended without an answer"}}
    if isinstance(answer, dict) and "error" not in answer:
        # Newer clients key the answers by package.
        answer = [entry for entry in answer.values() if isinstance(entry, dict)]
    if isinstance(answer, list):
        answer = answer[0] if answer else {}
    known = isinstance(answer, dict) and ("error" in answer or {"name", "version", "filename"} <= answer.keys())
    return answer if known else {"error": {"code": "NPM", "summary": "npm gave an answer that is not understood"}}


def _told(code: str) -> str:
    return "there is no such package" if code == "E404" else "there is no such version"


def _today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d}"
