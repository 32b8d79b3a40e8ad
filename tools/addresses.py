"""Which addresses belong to the public internet, and which to this machine or a network of its own."""

from __future__ import annotations

import ipaddress
import socket

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Private(OSError):
    """An address that is not a public one."""


def is_private(host: str) -> bool:
    """Whether a host is a literal address that does not belong to the public internet, or a local name.

    IPv6 addresses that carry an IPv4 one (mapped, 6to4, Teredo, NAT64) are judged by that one, too.
    """
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return True
    address = literal(host)
    return address is not None and any(not item.is_global or item.is_multicast or item.is_reserved for item in _meant(address))


def literal(host: str) -> _Address | None:
    """The address that a host is written as; None for a name."""
    try:
        return ipaddress.ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return None


def public_addresses(host: str, port: int | None) -> list[str]:
    """What a host's name stands for, best first. Raises `Private` if any of it is not public, `OSError` if it is not known."""
    found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if any(is_private(address) for address in found):
        raise Private(f"{host} is a private address")
    return found


def _meant(address: _Address) -> list[_Address]:
    """The address, and those that routers or the system take it for."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address in _NAT64:
        return [ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)]
    teredo = address.teredo or ()
    return [address, *(inner for inner in (address.sixtofour, *teredo) if inner is not None)]
