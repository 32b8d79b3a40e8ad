"""What the tests of serving share: a run folder with its process list, and small requests over sockets."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from configs.settings import Settings, Timeouts
from tools.processes import ProcessList


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    """The folder of a run."""
    folder = tmp_path / "run"
    folder.mkdir()
    return folder


@pytest.fixture
def processes(run_dir: Path) -> Iterator[ProcessList]:
    """The run's processes; all are ended after the test, and none may be left."""
    with ProcessList(run_dir) as opened:
        yield opened
    assert not opened.running()


@pytest.fixture
def settings() -> Settings:
    """Settings with time-outs fit for tests."""
    return Settings(timeouts=Timeouts(server_start_s=30.0, install_s=120.0))


@dataclass(frozen=True)
class Reply:
    """One HTTP reply, headers by lower-case name."""

    status: int
    headers: dict[str, str]
    body: bytes


@pytest.fixture
def get() -> Callable[..., Reply]:
    """Sends one request as it stands: no redirects followed, no path tidied up."""

    def send(url: str, path: str | None = None, *, method: str = "GET", **headers: str) -> Reply:
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=20)
        try:
            connection.request(
                method,
                path if path is not None else (parts.path or "/"),
                headers={k.replace("_", "-"): v for k, v in headers.items()},
            )
            response = connection.getresponse()
            return Reply(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()

    return send
