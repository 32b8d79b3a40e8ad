"""What the attacks aim at: a key, a checkout, other runs, services, processes – all of this machine's, none of the project's."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from configs.settings import SandboxLimits, Settings, Timeouts
from tools.app.site import Site, open_site
from tools.app.subject import recognise
from tools.confinement.launcher import lacking
from tools.processes import ProcessList

ROOT = Path(__file__).parents[3]
GONE_S = 5.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where this machine makes no sandbox, projects are refused: that has its own tests, and these have nothing to attack."""
    reason = lacking()
    for item in items:
        if reason and Path(__file__).parent in item.path.parents and "bait" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason=f"no sandbox here: {reason}"))


@dataclass
class Bait:
    """Things of this machine's that no project may read, change or reach. `visits`: who came all the same."""

    folder: Path
    run_dir: Path
    secret: str
    port: int
    abstract: str
    bystander: int
    """A process of this machine's, with the secret in its environment."""
    visits: list[str] = field(default_factory=list)

    @property
    def key(self) -> Path:
        """A private key's file, for its owner only."""
        return self.folder / "id_ed25519"

    @property
    def other_run(self) -> Path:
        """Another run's folder, open to all."""
        return self.folder / "runs" / "other"

    def described(self) -> str:
        """For the attacking program, as JSON."""
        return json.dumps(
            {
                "key": str(self.key),
                "other": str(self.other_run),
                "run": str(self.run_dir),
                "port": self.port,
                "abstract": self.abstract,
                "pid": self.bystander,
                "checkout": str(ROOT),
                "home": str(Path.home()),
                "addresses": _own_addresses(),
                "hostname": socket.gethostname(),
                "secret_name": "ANTHROPIC_API_KEY",
            }
        )


def _own_addresses() -> list[str]:
    """Of this machine's interfaces, other than loopback."""
    found = [entry.address for entries in psutil.net_if_addrs().values() for entry in entries if entry.family == socket.AF_INET]
    return [address for address in found if not address.startswith("127.")]


@pytest.fixture(scope="module")
def bait(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bait]:
    """Key, other run, services on all addresses, a bystander process with a secret; and a check that all is as it was."""
    folder = tmp_path_factory.mktemp("machine")
    folder.parent.chmod(0o755)
    folder.chmod(0o755)
    secret = f"sk-{secrets.token_hex(12)}"
    (folder / "runs" / "other").mkdir(parents=True)
    (folder / "runs" / "other" / "ledger.jsonl").write_text(secret)
    service = socket.create_server(("0.0.0.0", 0))
    abstract = f"assay-bait-{secrets.token_hex(4)}"
    local = socket.socket(socket.AF_UNIX)
    local.bind(f"\0{abstract}")
    local.listen()
    bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env={"ANTHROPIC_API_KEY": secret})
    found = Bait(folder, folder / "runs" / "mine", secret, int(service.getsockname()[1]), abstract, bystander.pid)
    found.run_dir.mkdir()
    found.key.write_text(secret)
    found.key.chmod(0o600)
    for listening in (service, local):
        threading.Thread(target=_welcome, args=(listening, found), daemon=True).start()
    before = _snapshot(folder / "runs" / "other")
    yield found
    assert bystander.poll() is None, "a process of this machine's was ended"
    bystander.communicate(b"\n", timeout=10)
    service.close()
    local.close()
    assert _snapshot(folder / "runs" / "other") == before
    assert found.key.read_text() == secret
    assert found.visits == []


def _welcome(listening: socket.socket, bait: Bait) -> None:
    while True:
        try:
            near, whence = listening.accept()
        except OSError:
            return
        bait.visits.append(str(whence))
        near.close()


def _snapshot(folder: Path) -> dict[str, str]:
    return {str(path): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def write_project(folder: Path, files: dict[str, str], **package: object) -> Path:
    """A project whose `dev` script runs `server.js`."""
    folder.mkdir(parents=True, exist_ok=True)
    about = {"name": "p", "private": True, "scripts": {"dev": "node server.js"}, **package}
    for name, text in {"package.json": json.dumps(about), **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def limits(**changed: int) -> Settings:
    """Settings with short waits and a small sandbox."""
    small = {"memory_mb": 400, "processes": 150, "folder_mb": 64, "folder_files": 3000, "log_mb": 1, **changed}
    return Settings(timeouts=Timeouts(server_start_s=20.0, install_s=60.0), sandbox=SandboxLimits(**small))


@dataclass
class Opened:
    """A project that was opened and closed again."""

    site: Site
    body: str
    seconds: float


Open = Callable[..., Opened]


async def opened(subject: Path, run_dir: Path, settings: Settings | None = None, *, mark: str = "") -> Opened:
    """Open a subject, fetch its page, end it; nothing whose command line has `mark` may live five seconds later."""
    run_dir.mkdir(parents=True, exist_ok=True)
    body = ""
    began = time.monotonic()
    with ProcessList(run_dir) as processes:
        site = await open_site(recognise(str(subject)), run_dir=run_dir, processes=processes, settings=settings or limits())
        if site.problem is None:
            body = await asyncio.to_thread(_fetch, site.entry)
    if mark:
        assert gone(mark), f"left behind: {alive(mark)}"
    return Opened(site, body, time.monotonic() - began)


def _fetch(address: str) -> str:
    with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310 - a server of the test's own
        return answer.read().decode()


def alive(mark: str) -> list[str]:
    """Command lines of this machine's living processes that have the mark in them."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        line = " ".join(process.info["cmdline"] or [])
        if mark in line and process.info["status"] != psutil.STATUS_ZOMBIE and process.pid != os.getpid():
            found.append(line)
    return found


def gone(mark: str) -> bool:
    """Whether, within five seconds, none of them lives any more."""
    limit = time.monotonic() + GONE_S
    while time.monotonic() < limit:
        if not alive(mark):
            return True
        threading.Event().wait(0.05)
    return not alive(mark)
