"""Package managers: which one a project wants, installing with scripts off, and whose fault it is when that fails."""

from __future__ import annotations

import json
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tools.app import npmrc
from tools.app.place import Place, run_in
from tools.app.programs import Finished, cache_dir
from tools.errors import MissingProgram, why
from tools.processes import ProcessList

Blame = Literal["app", "environment"]

LOCKS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "package-lock.json": "npm", "npm-shrinkwrap.json": "npm"}
PROBE_S = 20.0
"""Longest wait for a manager to tell its version; corepack may fetch it first."""

_OUTSIDE = re.compile(
    r"\b(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ESOCKETTIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR"
    r"|E401|E403|E407|E5\d\d|ENEEDAUTH|EINTEGRITY|ENOTCACHED|ENOSPC|EACCES|EPERM|EROFS|EMFILE|EBADENGINE|CERT_[A-Z_]+|SELF_SIGNED_CERT\w*"
    r"|UNABLE_TO_\w+|DEPTH_ZERO\w*|EPROTO|EUNSUPPORTEDPROTOCOL|EUNKNOWNTYPE|ERR_PNPM_META_FETCH_FAIL|ERR_PNPM_FETCH_5\d\d"
    r"|ERR_PNPM_FETCH_40[13]|ERR_PNPM_UNSUPPORTED_ENGINE)\b"
)
_ITS_OWN = re.compile(
    r"\b(E404|ETARGET|ENOVERSIONS|ERESOLVE|EJSONPARSE|EINVALIDPACKAGENAME|EINVALIDTAGNAME|ERR_PNPM_FETCH_404|ERR_PNPM_NO_MATCHING_VERSION"
    r"|ERR_PNPM_JSON_PARSE|ERR_PNPM_PEER_DEP_ISSUES)\b"
)

_WHICH = re.compile(
    r"requested resource '([^'\s]+)'|No matching version found for (\S+?)\.?(?:\s|$)|'((?:@[\w.-]+/)?[\w.-]+@[^'\s]*)' is not in"
    r"|([\w@/.-]+): Not Found - 404"
)
"""The package a manager complains about."""


_REGISTRIES = re.compile(
    r"https?://(?:registry\.npmjs\.org|registry\.yarnpkg\.com|registry\.npmmirror\.com|registry\.npm\.taobao\.org"
    r"|mirrors\.cloud\.tencent\.com/npm|repo\.huaweicloud\.com/repository/npm)/"
)
"""Public registries that hold the same packages at the same paths; lock files name the one they were made with."""


@dataclass(frozen=True)
class PackageManager:
    """A package manager that runs on this machine."""

    name: Literal["npm", "pnpm", "yarn"]
    command: tuple[str, ...]
    note: str = ""

    def script(self, script: str, arguments: tuple[str, ...]) -> list[str]:
        """The command that runs a script of `package.json`; only npm wants `--` before the script's own arguments."""
        between = ("--",) if self.name == "npm" and arguments else ()
        return [*self.command, "run", script, *between, *arguments]


@dataclass(frozen=True)
class Installed:
    """How an installation went. `blame` is set where it failed."""

    ok: bool
    notes: tuple[str, ...] = ()
    message: str = ""
    blame: Blame = "environment"
    log_excerpt: str = ""


def read_package(folder: Path) -> dict[str, object]:
    """`package.json` as a mapping. Raises `ValueError` with one line when it cannot be read as one."""
    if (folder / "package.json").is_symlink():
        raise ValueError("package.json is a link, which is not followed")
    try:
        value = json.loads((folder / "package.json").read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"package.json cannot be read: {why(error)}") from error
    if not isinstance(value, dict):
        raise ValueError("package.json is not an object")  # noqa: TRY004 - for the caller it is bad content, whatever its type
    return value


def dependencies(package: dict[str, object]) -> set[str]:
    """Names of the packages a project needs to run and to be built."""
    names: set[str] = set()
    for key in ("dependencies", "devDependencies"):
        group = package.get(key)
        if isinstance(group, dict):
            names |= {str(name) for name in group}
    return names


def is_installed(folder: Path, package: dict[str, object]) -> bool:
    """Whether `node_modules` holds every package the project names."""
    modules = folder / "node_modules"
    return modules.is_dir() and all((modules / name / "package.json").is_file() for name in dependencies(package))


async def choose(place: Place, package: dict[str, object], *, log: Path, processes: ProcessList) -> PackageManager:
    """The manager a project was written for, by its lock file or its `packageManager` field, if this machine has it; else npm.

    Raises `MissingProgram` without npm.
    """
    declared = str(package.get("packageManager", "")).split("@")[0]
    wanted = next((name for lock, name in LOCKS.items() if (place.work / lock).is_file()), declared)
    if wanted in {"pnpm", "yarn"}:
        name: Literal["pnpm", "yarn"] = "pnpm" if wanted == "pnpm" else "yarn"
        for command in ((name,), ("corepack", name)):
            if shutil.which(command[0]) is None:
                continue
            probe = await run_in(
                place, "version", [*command, "--version"], extra=install_environment(place), log=log, processes=processes,
                timeout_s=PROBE_S, installs=True,
            )  # fmt: skip
            if probe.ok:
                return PackageManager(name, command)
    if shutil.which("npm") is None:
        raise MissingProgram("npm is not installed; it is needed for projects and component answers.", hint="Run: assay doctor")
    note = (
        f"the project is written for {wanted}, which this machine does not have; npm was used"
        if wanted in {"pnpm", "yarn"}
        else ""
    )
    return PackageManager("npm", ("npm",), note)


def _npm(*verb: str, scripts: bool) -> list[str]:
    flags = ["--no-audit", "--no-fund", "--prefer-offline", "--no-progress", "--include=dev", "--loglevel=warn"]
    return ["npm", *verb, *flags, *([] if scripts else ["--ignore-scripts"])]


def install_environment(place: Place) -> dict[str, str]:
    """What installing has in its environment: the registry's mirror, hooks off, few retries (one out of reach must show soon)."""
    told = {
        "npm_config_fetch_retries": "1",
        "npm_config_fetch_retry_mintimeout": "1000",
        "npm_config_fetch_timeout": "60000",
        "CI": "true",
        # What a project says about where yarn itself is to be found is code of the project's.
        "YARN_IGNORE_PATH": "1",
    }
    if not place.registry:
        return told | {"npm_config_cache": str(cache_dir() / "npm")}
    return told | {
        "npm_config_registry": place.registry,
        "npm_config_replace_registry_host": "always",
        "YARN_REGISTRY": place.registry,
        "YARN_NPM_REGISTRY_SERVER": place.registry,
        "YARN_UNSAFE_HTTP_WHITELIST": "127.0.0.1",
        "YARN_ENABLE_TELEMETRY": "0",
        "COREPACK_NPM_REGISTRY": place.registry.rstrip("/"),
    }


def point_locks(place: Place) -> None:
    """Let the copy's lock files name the registry that is to be had inside, instead of those they were made with."""
    for name in LOCKS if place.registry else ():
        lock = place.work / name
        if lock.is_file() and not lock.is_symlink():
            text = lock.read_text(encoding="utf-8", errors="surrogateescape")
            if (pointed := _REGISTRIES.sub(place.registry, text)) != text:
                place.write(name, pointed)


def install_commands(folder: Path, manager: PackageManager, *, scripts: bool) -> list[list[str]]:
    """Commands to try in turn: first the one that keeps to the lock file, then one that may leave it."""
    off = [] if scripts else ["--ignore-scripts"]
    if manager.name == "pnpm":
        base = [
            *manager.command,
            "install",
            "--prefer-offline",
            "--reporter=append-only",
            "--prod=false",
            "--ignore-pnpmfile",
            *off,
        ]
        return [[*base, "--frozen-lockfile"], [*base, "--no-frozen-lockfile"]]
    if manager.name == "yarn":
        lock = folder / "yarn.lock"
        if lock.is_file() and "__metadata:" in lock.read_text(encoding="utf-8", errors="replace")[:2000]:
            return [[*manager.command, "install", *([] if scripts else ["--mode=skip-build"])]]
        return [
            [*manager.command, "install", "--non-interactive", "--prefer-offline", "--no-progress", "--production=false", *off]
        ]
    locked = any((folder / name).is_file() for name in ("package-lock.json", "npm-shrinkwrap.json"))
    return ([_npm("ci", scripts=scripts)] if locked else []) + [_npm("install", scripts=scripts)]


async def install(
    place: Place, manager: PackageManager, *, scripts: bool, log: Path, processes: ProcessList, timeout_s: float
) -> Installed:
    """Install a project's dependencies in its place, all tries together within `timeout_s`."""
    limit = time.monotonic() + timeout_s
    folder = place.work
    notes: list[str] = npmrc.tame(place) if place.registry else []
    point_locks(place)
    last = Finished(None, "")
    commands = install_commands(folder, manager, scripts=scripts)
    while commands:
        command = commands.pop(0)
        left_s = limit - time.monotonic()
        if left_s <= 0:
            break
        last = await run_in(
            place,
            "install",
            command,
            extra=install_environment(place),
            log=log,
            processes=processes,
            timeout_s=left_s,
            installs=True,
        )
        if last.ok:
            return Installed(ok=True, notes=tuple(notes))
        if last.code is None or last.stopped:
            break
        if command[0] == "npm" and "ERESOLVE" in last.output and "--legacy-peer-deps" not in command:
            notes.append("peer dependencies contradict each other; installed with --legacy-peer-deps")
            commands = [[*_npm("install", scripts=scripts), "--legacy-peer-deps"]]
        elif commands:
            notes.append("the lock file could not be kept to; installed without it")
        elif manager.name != "npm" and command[0] != "npm" and shutil.which("npm") is not None:
            notes.append(f"{manager.name} could not install the packages; npm was used")
            shutil.rmtree(folder / "node_modules", ignore_errors=True)
            commands = [_npm("install", scripts=scripts)]
    if last.code is None:
        return Installed(False, tuple(notes), f"installing took longer than {timeout_s:g} s", "environment", last.tail())
    if last.stopped:
        return Installed(False, tuple(notes), f"it was stopped: {last.stopped}", "app", last.tail())
    message, blame = explain(last.output)
    return Installed(False, tuple(notes), message, blame, last.tail())


def explain(output: str) -> tuple[str, Blame]:
    """Why an installation failed, in one line, and whether the project or the surroundings are the reason.

    Where neither shows, the surroundings are: only what is surely the app's own doing counts against it.
    """
    named = re.search(r"npm (?:error|ERR!) code (\w+)", output)
    told = named.group(1) if named else ""
    own, outside = _ITS_OWN.search(told or output), _OUTSIDE.search(told or output)
    if own is None and outside is not None:
        return f"the packages could not be fetched or written ({outside.group(1)})", "environment"
    if own is None:
        return f"the package manager failed for a reason it does not name{f' ({told})' if told else ''}", "environment"
    detail = _WHICH.search(output)
    which = next((group for group in detail.groups() if group), "") if detail else ""
    reasons = {
        "E404": "a package it depends on does not exist",
        "ERR_PNPM_FETCH_404": "a package it depends on does not exist",
        "ETARGET": "a version it depends on does not exist",
        "ENOVERSIONS": "a package it depends on has no versions",
        "ERR_PNPM_NO_MATCHING_VERSION": "a version it depends on does not exist",
        "ERESOLVE": "its dependencies contradict each other",
        "EJSONPARSE": "its package.json is not valid JSON",
        "ERR_PNPM_JSON_PARSE": "its package.json is not valid JSON",
    }
    reason = reasons.get(own.group(1), "its dependencies cannot be resolved")
    return f"{reason}{': ' + which if which else ''} ({own.group(1)})", "app"
