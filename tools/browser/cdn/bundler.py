"""Runs `bundle.mjs` with esbuild and two lexers, all from npm and pinned; what is made is kept by a hash of what it is of."""

from __future__ import annotations

import asyncio
import hashlib
import json
import platform
import shutil
import stat
import sys
from asyncio.subprocess import DEVNULL, PIPE
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tools.app.programs import environment
from tools.browser.cdn.faults import Absent, Withheld
from tools.browser.cdn.packages import Packages, end
from tools.browser.cdn.store import Package
from tools.processes import ProcessList

TOOLS = {"esbuild": "0.28.2", "cjs-module-lexer": "1.4.3", "es-module-lexer": "1.7.0"}
BUILD_S = 60.0
"""Longest time for one module; large ones take two seconds."""
AT_ONCE = 2
SCRIPT = Path(__file__).with_name("bundle.mjs")
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


@dataclass(frozen=True)
class Made:
    """Code that was made of a package."""

    code: bytes
    path: str
    """The file of the package it is."""
    has_default: bool
    leaf: bool
    """It imports nothing, so that no option about dependencies bears on it."""


class Bundler:
    """Builds modules and minifies files; the same request at the same time is made once."""

    def __init__(self, packages: Packages, *, processes: ProcessList | None = None) -> None:
        self._packages = packages
        self._processes = processes
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._tools: dict[str, str] = {}

    async def minify(self, package: Package, path: str, body: bytes) -> bytes:
        """A script or style sheet, minified. Raises `Withheld` if that is not possible here."""
        loader = "css" if path.endswith(".css") else "js"
        request = {"op": "minify", "loader": loader, "code": body.decode("utf-8", "replace")}
        return (await self._make(request, f"{package.integrity} {path}")).code

    async def module(self, package: Package, request: dict[str, Any]) -> Made:
        """A module of a package; `request` as `bundle.mjs` takes it, without what the package itself says.

        Raises `Absent` if the package has no such module, `Withheld` if it can't be built.
        """
        about = {"name": package.name, "version": package.version, "root": str(package.root), "manifest": package.manifest}
        if package.name == "lodash":
            about["files"] = sorted(package.files)
        return await self._make({**request, **about}, package.integrity)

    async def _make(self, request: dict[str, Any], what: str) -> Made:
        unlike = {key: value for key, value in request.items() if key not in {"root", "manifest", "code", "files"}}
        text = json.dumps([what, unlike, TOOLS, _script_hash()], sort_keys=True)
        key = hashlib.sha256(text.encode()).hexdigest()
        kept = await asyncio.to_thread(self._packages.store.made, key)
        if kept is None:
            async with self._gate:
                kept = await self._run(request)
            answer = json.loads(kept)
            # Only what came out well is kept: a machine that lacked something may have it tomorrow.
            if "error" not in answer:
                await asyncio.to_thread(self._packages.store.keep, key, kept)
        answer = json.loads(kept)
        if answer.get("error") == "missing":
            raise Absent(f"{request['name']}@{request['version']} has no module {request.get('path') or 'of its own name'}")
        if "error" in answer:
            title = f"{request['name']}@{request['version']}/{request['path']}" if "name" in request else "a file"
            raise Withheld(f"{title} could not be built: {str(answer['error'])[:300]}")
        return Made(answer["code"].encode(), answer["path"], bool(answer["hasDefault"]), bool(answer["leaf"]))

    async def _run(self, request: dict[str, Any]) -> bytes:
        if shutil.which("node") is None:
            raise Withheld("Node.js is not installed; modules are built with it")
        tools = await self._get_tools()
        process = await asyncio.create_subprocess_exec(
            "node",
            str(SCRIPT),
            env=environment(ESBUILD_BINARY_PATH=tools["binary"]),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,
            limit=1 << 20,
        )
        if self._processes is not None:
            self._processes.adopt("node (CDN modules)", process.pid)
        try:
            async with asyncio.timeout(BUILD_S):
                output, _ = await process.communicate(json.dumps({**request, "tools": tools}).encode())
        except TimeoutError:
            return json.dumps({"error": f"it took longer than {BUILD_S:g} s"}).encode()
        finally:
            await end(process, self._processes)
        try:
            json.loads(output)
        except ValueError:
            return json.dumps({"error": "the bundler ended without an answer"}).encode()
        return output

    async def _get_tools(self) -> dict[str, str]:
        """Where the tools lie; fetched once like any other package."""
        if self._tools:
            return self._tools
        machine = f"{sys.platform}-{_MACHINES.get(platform.machine().lower(), platform.machine())}"
        names = {**TOOLS, f"@esbuild/{machine}": TOOLS["esbuild"]}
        try:
            got = await asyncio.gather(*(self._packages.get(name, version) for name, version in names.items()))
        except Absent as absent:
            raise Withheld(f"the bundler can't be had for this machine: {absent.note}") from absent
        main, cjs, esm, engine = (obtained.package for obtained in got)
        binary = engine.root / "bin" / "esbuild"
        if not binary.stat().st_mode & stat.S_IXUSR:
            binary.chmod(0o755)
        self._tools = {
            "esbuild": str(main.root / "lib" / "main.js"),
            "cjs": str(cjs.root / "lexer.js"),
            "esm": str(esm.root / "dist" / "lexer.js"),
            "binary": str(binary),
        }
        return self._tools


@cache
def _script_hash() -> str:
    return hashlib.sha256(SCRIPT.read_bytes()).hexdigest()
