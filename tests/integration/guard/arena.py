"""Where pages attack: their own site, which helps them, and a neighbour on another port that notices every visitor."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.conftest import FIXTURES

ATTACKS = FIXTURES / "attacks"
_TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript"}


class Neighbour:
    """Somebody else's server on every address of this machine, TCP and UDP at one port. It answers nobody and counts all."""

    def __init__(self) -> None:
        self._tcp, self._udp, self.port = _bound()
        self.visits = 0
        self._ended = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while not self._ended:
            ready, _, _ = select.select([self._tcp, self._udp], [], [], 0.05)
            for item in ready:
                with contextlib.suppress(OSError):
                    if item is self._tcp:
                        self._tcp.accept()[0].close()
                    else:
                        self._udp.recv(2048)
                    self.visits += 1

    def close(self) -> None:
        """Shut the doors."""
        self._ended = True
        self._thread.join(timeout=2)
        self._tcp.close()
        self._udp.close()


def _bound() -> tuple[socket.socket, socket.socket, int]:
    """A listening TCP and a UDP socket with the same number, for IPv4 and IPv6."""
    for _ in range(20):
        tcp = socket.create_server(("", 0), family=socket.AF_INET6, dualstack_ipv6=True)
        port = int(tcp.getsockname()[1])
        udp = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        udp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        with contextlib.suppress(OSError):
            udp.bind(("", port))
            return tcp, udp, port
        tcp.close()
        udp.close()
    raise OSError("no port is free for both")


def serve_attacks() -> ThreadingHTTPServer:
    """The attackers' own site: their pages, `redirect?to=`, `reporting?to=`, and a download that never ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    return server


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        to = parse_qs(parts.query).get("to", [""])[0]
        match parts.path:
            case "/redirect":
                self._answer(302, b"", {"Location": to})
            case "/reporting":
                policy = f"default-src 'none'; report-uri {to}; report-to there"
                more = {"Content-Security-Policy": policy, "Reporting-Endpoints": f'there="{to}"', "Content-Type": "text/html"}
                self._answer(200, b"<img src='/x.png'>", more)
            case "/endless":
                self._flow()
            case path:
                file = ATTACKS / path.lstrip("/")
                if file.is_file() and file.parent == ATTACKS:
                    self._answer(200, file.read_bytes(), {"Content-Type": _TYPES.get(file.suffix, "text/plain")})
                else:
                    self._answer(404, b"nothing here", {})

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body)), "Cache-Control": "no-store"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _flow(self) -> None:
        """A file without an end, until the other side hangs up."""
        self.send_response(200)
        for name, value in {"Content-Type": "application/octet-stream", "Connection": "close"}.items():
            self.send_header(name, value)
        self.send_header("Content-Disposition", 'attachment; filename="endless.bin"')
        self.end_headers()
        self.close_connection = True
        limit = time.monotonic() + 30
        with contextlib.suppress(OSError):
            while time.monotonic() < limit:
                self.wfile.write(bytes(65536))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@dataclass
class Arena:
    """The attackers' site and the neighbour."""

    site: str
    neighbour: Neighbour
    _end: list[Callable[[], None]] = field(default_factory=list)

    def close(self) -> None:
        """End both."""
        for end in self._end:
            end()


@contextlib.contextmanager
def arena() -> Iterator[Arena]:
    """Both, while inside."""
    server, neighbour = serve_attacks(), Neighbour()
    try:
        yield Arena(f"http://127.0.0.1:{server.server_address[1]}/", neighbour)
    finally:
        neighbour.close()
        server.shutdown()
        server.server_close()


def own_address() -> str:
    """This machine's address in its network; empty if it has none."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing
        return str(probe.getsockname()[0])
    return ""


def places(port: int) -> dict[str, str]:
    """Names under which the neighbour, or somebody in the local network, could be asked for."""
    named = {
        "127.0.0.1": f"http://127.0.0.1:{port}/",
        "localhost": f"http://localhost:{port}/",
        "sub.localhost": f"http://sub.localhost:{port}/",
        "[::1]": f"http://[::1]:{port}/",
        "0.0.0.0": f"http://0.0.0.0:{port}/",
        "127.1 (short)": f"http://127.1:{port}/",
        "2130706433 (decimal)": f"http://2130706433:{port}/",
        "0x7f000001 (hexadecimal)": f"http://0x7f000001:{port}/",
        "0177.0.0.1 (octal)": f"http://0177.0.0.1:{port}/",
        "[::ffff:127.0.0.1] (mapped)": f"http://[::ffff:127.0.0.1]:{port}/",
        "10.0.0.1": "http://10.0.0.1/",
        "192.168.1.1": "http://192.168.1.1/",
        "169.254.169.254 (metadata)": "http://169.254.169.254/latest/meta-data/",
        "[fd00:ec2::254] (metadata)": "http://[fd00:ec2::254]/",
        "metadata.google.internal": "http://metadata.google.internal/computeMetadata/v1/",
        "127.0.0.1.nip.example (name)": f"http://127.0.0.1.nip.example:{port}/",
    }
    own = own_address()
    return named | ({f"{own} (this machine)": f"http://{own}:{port}/"} if own else {})


def pages(folder: Path = ATTACKS) -> list[str]:
    """Names of the attack pages."""
    return sorted(path.name for path in folder.glob("*.html"))
