"""A real `assay serve` in a process of its own, and a client for it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.faults.command import announced, command

UP_S = 60.0
WORDS = "I am sorry, I can't build that."
ENDED = {"scored", "incomplete", "failed", "cancelled"}


@dataclass
class Server:
    """A server that runs."""

    process: subprocess.Popen[str]
    url: str
    token: str
    mark: str

    def client(self, *, token: str | None = None) -> httpx.Client:
        """A client with the token (or another one)."""
        headers = {"Authorization": f"Bearer {self.token if token is None else token}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=60, trust_env=False)

    def kill(self) -> None:
        """`kill -9`."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(20)

    def stop(self) -> int:
        """As Ctrl+C does; returns the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(40)


@contextlib.contextmanager
def serving(out: Path, *options: str) -> Iterator[Server]:
    """A server on a free port of loopback with its folder at `out`."""
    mark = f"serve-{os.urandom(4).hex()}"
    line = command("serve", "--port", "0", "--out", str(out), "--set", "budget.max_acts=2", *options)
    with announced(line, mark, cwd=out.parent, up_s=UP_S) as (process, told):
        assert told.startswith("Serving at http"), told
        url = told.split()[2]
        limit = time.monotonic() + UP_S
        while True:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{url}/healthz", trust_env=False).status_code == 200:
                    break
            assert time.monotonic() < limit
            time.sleep(0.05)
        yield Server(process, url, (out / "token").read_text(encoding="ascii").strip(), mark)


def answer(text: str = WORDS, **more: Any) -> dict[str, Any]:
    """A submission of a raw answer."""
    return {"brief": "A counter", "language": "en", "subject": {"kind": "answer", "text": text}, **more}


def ended(client: httpx.Client, key: str, limit_s: float = 120.0) -> dict[str, Any]:
    """The evaluation once it has ended."""
    limit = time.monotonic() + limit_s
    while True:
        told = client.get(f"/v1/evaluations/{key}").json()
        if told["state"] in ENDED:
            return told
        assert time.monotonic() < limit, told
        time.sleep(0.1)
