"""Which addresses a page may reach.

The rules are enforced in Chromium's network service, where pages, workers, service workers, web sockets and prefetches all end
up, twice: everything but the site's own goes to a proxy (`egress.py`) that refuses it and says so, or, in the mode `open`, looks
at the resolved address first; and resolver rules map every host and port but the site's to nowhere, literal addresses included,
for what would not take the proxy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol
from urllib.parse import urlsplit

from tools.addresses import is_private

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
    """Gives pages what they ask of hosts outside their site without a network (`tools/cdn`)."""

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
    def origin(self) -> str:
        """The site's origin, as in `https://host:port`."""
        parts = urlsplit(self.site)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"

    @property
    def loopback(self) -> bool:
        """The site runs on this machine or in a private network, so that its ports are all that may be reached of it."""
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

    def flags(self, proxy_port: int | None = None, *, address: str = "", doors: Mapping[int, int] | None = None) -> list[str]:
        """Chromium's command line for this policy.

        `proxy_port` is the egress proxy's: what is not the site's goes there, to be refused and noted (in the mode `open`, to be
        let out if its address is public). `address` is what the site's name stood for when the run began: it is kept, so that
        the name cannot be pointed at somebody else meanwhile. `doors`: the browser has a network of its own, in which these ports
        of loopback lead to the site's (see `enclosed.py`); `proxy_port` is one of them then. Raises `ValueError` for the mode
        `open` without a proxy: nobody would look at the resolved addresses.
        """
        if proxy_port is None and self.mode == "open":
            raise ValueError("the mode open needs the egress proxy")
        flags = []
        if proxy_port is not None:
            bypass = ";".join(["<-loopback>", *self._own_origins()])
            flags += [f"--proxy-server=http://127.0.0.1:{proxy_port}", f"--proxy-bypass-list={bypass}"]
        rules = self._resolver_rules(address) if doors is None else self._door_rules(doors)
        if self.mode != "open":
            proxy = [f"MAP 127.0.0.1:{proxy_port} 127.0.0.1:{proxy_port}"] if proxy_port is not None else []
            rules = [*proxy, *rules]
        elif not address and doors is None:
            return flags
        else:
            rules = [rule for rule in rules if "~NOTFOUND" not in rule]
        return [*flags, f"--host-resolver-rules={','.join(rules)}"]

    def _own_origins(self) -> list[str]:
        """The site's `host:port` under all its names."""
        if self.host in _LOOPBACK_NAMES:
            return [f"{_bracketed(name)}:{self.port}" for name in _LOOPBACK_NAMES]
        return [f"{_bracketed(self.host)}:{port}" for port in self.own_ports]

    @property
    def own_ports(self) -> list[int]:
        """The site's ports."""
        return [self.port] if self.loopback else sorted({self.port, 80, 443})

    def _door_rules(self, doors: Mapping[int, int]) -> list[str]:
        kept = (f"MAP {origin} 127.0.0.1:{doors[int(origin.rpartition(':')[2])]}" for origin in self._own_origins())
        return [*kept, "MAP * ~NOTFOUND"]

    def _resolver_rules(self, address: str) -> list[str]:
        target = _bracketed(self.host)
        if self.loopback and not address:
            return [*(f"MAP {origin} {target}:{self.port}" for origin in self._own_origins()), "MAP * ~NOTFOUND"]
        if address:
            kept = (f"MAP {origin} {_bracketed(address)}:{origin.rpartition(':')[2]}" for origin in self._own_origins())
            return [*kept, "MAP * ~NOTFOUND"]
        return ["MAP * ~NOTFOUND", f"EXCLUDE {target}"]


def place_of(url: str) -> tuple[str, int]:
    """Host and port that a URL leads to; an empty host if it leads nowhere."""
    parts = _split(url)
    return (parts[1], parts[2]) if parts is not None else ("", 0)


def _split(url: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(url)
        return parts.scheme.lower(), (parts.hostname or "").lower(), parts.port or _PORTS.get(parts.scheme.lower(), 0)
    except ValueError:
        return None


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
