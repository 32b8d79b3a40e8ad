"""Which addresses a page may reach.

The rules are enforced in Chromium's network service, where pages, workers, service workers, web sockets and prefetches all end
up: for an app on loopback with resolver rules that map every host and port but the site's own to nowhere, literal addresses
included; in the mode `open` with a proxy that looks at the resolved address (`egress.py`).
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Literal, Protocol
from urllib.parse import urlsplit

Mode = Literal["none", "cdn", "open"]
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_LOCAL_SCHEMES = frozenset({"data", "about", "javascript", "chrome-error"})
_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Answer:
    """A response given in place of the network's."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Answerer(Protocol):
    """Gives pages what they ask of hosts outside their site without a network (the local CDN of part 2)."""

    patterns: tuple[str, ...]
    """URL patterns it is asked about, `*` and `?` as wildcards: `https://cdn.jsdelivr.net/*`."""

    async def answer(self, method: str, url: str) -> Answer | None:
        """The response, or None to refuse."""
        ...


@dataclass(frozen=True)
class Policy:
    """The site's own origin and what else is allowed.

    A server on loopback is reached under the names `localhost`, `127.0.0.1` and `::1` at the same port, which are one server.
    """

    site: str
    mode: Mode = "cdn"

    @property
    def host(self) -> str:
        """The site's host, without brackets."""
        return (urlsplit(self.site).hostname or "").lower()

    @property
    def port(self) -> int:
        """The site's port, the scheme's own if the URL names none."""
        parts = urlsplit(self.site)
        return parts.port or _PORTS.get(parts.scheme, 80)

    @property
    def loopback(self) -> bool:
        """The site runs on this machine."""
        return self.host in _LOOPBACK_NAMES or is_private(self.host)

    def own(self, url: str) -> bool:
        """Whether the URL belongs to the site; data, blob and about URLs do."""
        parts = _split(url.removeprefix("blob:"))
        if parts is None:
            return False
        scheme, host, port = parts
        if scheme in _LOCAL_SCHEMES or (scheme == "null" and url.startswith("blob:")):
            return True
        if scheme not in _PORTS:
            return False
        if self.host in _LOOPBACK_NAMES:
            return host in _LOOPBACK_NAMES and port == self.port
        same = host == self.host
        # A public site may move between http and https on its own host.
        return same and (port == self.port or (not self.loopback and port in (80, 443)))

    def allows(self, url: str) -> bool:
        """Whether a page may ask for the URL, as far as the URL tells."""
        if self.own(url):
            return True
        parts = _split(url)
        return self.mode == "open" and parts is not None and parts[0] in _PORTS and not is_private(parts[1])

    def refusal(self) -> str:
        """Why a request was refused, for the ledger."""
        if self.mode == "open":
            return "refused by Assay: addresses of private networks are not reachable"
        return f"refused by Assay: the network is limited to the app's own site (--network {self.mode})"

    def flags(self, proxy_port: int | None = None) -> list[str]:
        """Chromium's command line for this policy; `proxy_port` is the egress proxy's, needed in the mode `open`."""
        names = list(_LOOPBACK_NAMES) if self.host in _LOOPBACK_NAMES else [self.host]
        own = [f"{_bracketed(name)}:{self.port}" for name in names]
        if self.mode == "open":
            if proxy_port is None:
                raise ValueError("the mode open needs the egress proxy")
            bypass = ";".join(["<-loopback>", *own])
            return [f"--proxy-server=http://127.0.0.1:{proxy_port}", f"--proxy-bypass-list={bypass}"]
        target = _bracketed(self.host)
        if self.loopback:
            rules = [f"MAP {origin} {target}:{self.port}" for origin in own]
            return [f"--host-resolver-rules={','.join([*rules, 'MAP * ~NOTFOUND'])}"]
        return [f"--host-resolver-rules=MAP * ~NOTFOUND,EXCLUDE {target}"]


def is_private(host: str) -> bool:
    """Whether a host is a literal address that does not belong to the public internet, or a local name."""
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return True
    try:
        return not ipaddress.ip_address(host.strip("[]").partition("%")[0]).is_global
    except ValueError:
        return False


def _split(url: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(url)
        return parts.scheme.lower(), (parts.hostname or "").lower(), parts.port or _PORTS.get(parts.scheme.lower(), 0)
    except ValueError:
        return None


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
