"""Running other programs for a subject: package managers, builds, servers. Bounded, logged, in the run's process list.

They run code that a stranger wrote, so their environment is chosen from a list: no key or token of the user's is in it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.confinement.printed import plain
from tools.processes import ProcessList

_PASSED_ON = frozenset(
    {
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "TMP",
        "TEMP",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
    }
    | {"NODE_EXTRA_CA_CERTS", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "NVM_DIR", "VOLTA_HOME", "COREPACK_HOME"}
    | {"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy"}
)
QUIET = {
    "NO_COLOR": "1",
    "FORCE_COLOR": "0",
    "DO_NOT_TRACK": "1",
    "NEXT_TELEMETRY_DISABLED": "1",
    "NUXT_TELEMETRY_DISABLED": "1",
    "ASTRO_TELEMETRY_DISABLED": "1",
    "GATSBY_TELEMETRY_DISABLED": "1",
    "STORYBOOK_DISABLE_TELEMETRY": "1",
    "NG_CLI_ANALYTICS": "false",
    "npm_config_update_notifier": "false",
    "COREPACK_ENABLE_DOWNLOAD_PROMPT": "0",
}


def environment(**extra: str) -> dict[str, str]:
    """The environment for a subject's programs: what they need to run, nothing that is secret, telemetry and colours off."""
    passed = {name: value for name, value in os.environ.items() if name in _PASSED_ON or name.startswith(("LC_", "npm_config_"))}
    # Settings of npm may carry log-ins; npm itself still reads the user's own file where it needs them.
    passed = {name: value for name, value in passed.items() if "auth" not in name.lower() and "password" not in name.lower()}
    return passed | QUIET | extra


def cache_dir() -> Path:
    """Where things that can be fetched or built again are kept between runs: `~/.cache/assay`, or under `XDG_CACHE_HOME`."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".cache") / "assay"


def mark_used(kept: Path) -> None:
    """What lies in a cache was used now: the caches' bound takes what has not been used for longest."""
    with contextlib.suppress(OSError):
        os.utime(kept)


@dataclass(frozen=True)
class Finished:
    """How a program ended. `code` is None when it was ended because its time was up."""

    code: int | None
    output: str
    """What it printed, without control sequences, at most the last 200,000 characters."""
    stopped: str = ""
    """The limit of its sandbox that it broke, in words that go on after "it was stopped: "; empty if none."""

    @property
    def ok(self) -> bool:
        """Whether it ended by itself without an error."""
        return self.code == 0

    def tail(self, lines: int = 25) -> str:
        """Its last non-empty lines."""
        return last_lines(self.output, lines)


async def run(
    name: str,
    command: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    log: Path,
    processes: ProcessList,
    timeout_s: float,
) -> Finished:
    """Run a program to its end, or to the end of its time; then its whole process group is ended.

    Its output is appended to `log`. Raises `MissingProgram` if there is no such program.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    before = log.stat().st_size if log.exists() else 0
    process = processes.spawn(name, command, cwd=cwd, env=env, log=log)
    code: int | None = None
    try:
        code = await asyncio.to_thread(_wait, process, timeout_s)
    finally:
        await processes.end(process.pid)
    return Finished(code, read_log(log, start=before))


def _wait(process: subprocess.Popen[bytes], timeout_s: float) -> int | None:
    try:
        return process.wait(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        return None


def read_log(log: Path, *, start: int = 0, limit: int = 200_000) -> str:
    """What a log holds from byte `start` on, at most its last `limit` bytes, without control sequences."""
    try:
        with log.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(start, size - limit))
            return plain(stream.read().decode("utf-8", "replace"))
    except OSError:
        return ""


def last_lines(text: str, lines: int = 25, *, width: int = 400) -> str:
    """The last non-empty lines of a text, each cut to `width` characters."""
    kept = [line.rstrip()[:width] for line in text.split("\n") if line.strip()]
    return "\n".join(kept[-lines:])
