"""A network with nothing in it but doors: ports on its loopback that lead to named services outside, and to nothing else.

Also a program, which holds one and passes connections on until it is ended: `enclosure.py TOLD DOORS`. `TOLD` is a descriptor
for what came of it, as JSON (`process`: whose network it is; `ports`: of the doors, in their order; or `problem`), `DOORS` a list
of `[port inside or 0, host, port]`. Needs to be root. Whatever enters that network (`unprivileged.py --network`) has no other
way out of it, whatever it does: there is no device that leads anywhere. Standard library only, so that it starts in milliseconds.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import functools
import json
import os
import signal
import socket
import struct
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.confinement.forwarding import Forwarding, connected

Door = tuple[int, str, int]
"""Port inside (0: any), host and port outside."""
_NEW_NET = 0x40000000
_SET_PDEATHSIG = 1
_GET_FLAGS, _SET_FLAGS, _UP, _RUNNING = 0x8913, 0x8914, 0x1, 0x40
_SET_ADDRESS, _SET_NETMASK = 0x8916, 0x891C
_RUNNING_S = 5.0
_NEW_LINK, _REQUEST, _ACKNOWLEDGE, _CREATE_ONLY = 16, 1, 4, 0x600
_LINK_NAME, _LINK_INFO, _INFO_KIND = 3, 18, 1
_LINK = "net0"
_TUN, _TUN_SET, _TAP_WITHOUT_HEADER = "/dev/net/tun", 0x400454CA, 0x1002
_MOST_DOORS = 16
_READY = b"ready"


def main(arguments: Sequence[str]) -> None:
    """Make the network, tell, and pass connections on."""
    told, doors = int(arguments[0]), [(int(inside), str(host), int(port)) for inside, host, port in json.loads(arguments[1])]
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    holder = os.fork()
    if holder == 0:
        ours.close()
        _hold(theirs, [inside for inside, _, _ in doors])
    theirs.close()
    said, descriptors, _, _ = socket.recv_fds(ours, 1024, _MOST_DOORS)
    if said != _READY or len(descriptors) != len(doors):
        answer = {"problem": said.decode(errors="replace") or "it could not be made"}
    else:
        forwarding, ports = Forwarding(), []
        for descriptor, (_, host, port) in zip(descriptors, doors, strict=True):
            listening = socket.socket(fileno=descriptor)
            ports.append(int(listening.getsockname()[1]))
            forwarding.serve(listening, functools.partial(connected, host, port))
        answer = {"process": holder, "ports": ports}
    os.write(told, json.dumps(answer).encode("ascii") + b"\n")
    os.close(told)
    while "problem" not in answer:
        signal.pause()


def _hold(parent: socket.socket, ports: Sequence[int]) -> NoReturn:
    """The child's life: it lives in the new network, and that lives as long as it does."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        _checked(libc.unshare(_NEW_NET))
        _bring_up("lo")
        _seem_connected()
        doors = [socket.create_server(("127.0.0.1", port)) for port in ports]
        socket.send_fds(parent, [_READY], [door.fileno() for door in doors])
        for door in doors:
            door.close()
        parent.recv(1)  # its end is the parent's
    except OSError as error:
        with contextlib.suppress(OSError):
            parent.send(str(error).encode("utf-8", "replace")[:500] or b"unknown")
            time.sleep(0.1)
    finally:
        os._exit(0)


def _checked(result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _seem_connected() -> None:
    """A device that leads nowhere: to a browser without any the machine is off line, and pages would say so to their users.

    Nothing may change in this network later: a browser that sees an address come gives up what it was just loading. Raises
    `OSError` where there is no such device to be had.
    """
    for place in ("all", "default"):
        # The device would give itself an address a second or two later.
        with contextlib.suppress(FileNotFoundError):
            Path(f"/proc/sys/net/ipv6/conf/{place}/disable_ipv6").write_text("1", encoding="ascii")
    try:
        _add_link("dummy")
    except OSError:
        _pair_or_tap()
    # A browser counts what has an address. This one belongs to nobody, and to itself alone (RFC 5737).
    for request, address in ((_SET_ADDRESS, "192.0.2.1"), (_SET_NETMASK, "255.255.255.255")):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            shown = struct.pack("16sHH4s16x", _LINK.encode(), socket.AF_INET, 0, socket.inet_aton(address))
            fcntl.ioctl(asked, request, shown)
    _bring_up(_LINK)
    limit = time.monotonic() + _RUNNING_S
    while not _flags(_LINK) & _RUNNING:
        if time.monotonic() > limit:
            raise OSError("the device in it does not come up")
        time.sleep(0.005)


def _pair_or_tap() -> None:
    """What there is in the place of a dummy: two devices that lead to each other, or one that leads to a descriptor."""
    try:
        _add_link("veth")
        _bring_up("veth0")
    except OSError:
        device = os.open(_TUN, os.O_RDWR)
        fcntl.ioctl(device, _TUN_SET, struct.pack("16sh22x", _LINK.encode(), _TAP_WITHOUT_HEADER))


def _add_link(kind: str) -> None:
    """`ip link add net0 type KIND`, which not every machine has a program for. Raises `OSError`."""
    info = _attribute(_LINK_INFO, _attribute(_INFO_KIND, kind.encode() + b"\0"))
    body = struct.pack("BxHiII", 0, 0, 0, 0, 0) + _attribute(_LINK_NAME, _LINK.encode() + b"\0") + info
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW) as kernel:
        head = struct.pack("IHHII", 16 + len(body), _NEW_LINK, _REQUEST | _ACKNOWLEDGE | _CREATE_ONLY, 1, 0)
        kernel.send(head + body)
        (code,) = struct.unpack("i", kernel.recv(4096)[16:20])
    if code:
        raise OSError(-code, os.strerror(-code))


def _attribute(kind: int, value: bytes) -> bytes:
    size = 4 + len(value)
    return struct.pack("HH", size, kind) + value + bytes(-size % 4)


def _bring_up(link: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        fcntl.ioctl(asked, _SET_FLAGS, struct.pack("16sh22x", link.encode(), _flags(link) | _UP))


def _flags(link: str) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        (flags,) = struct.unpack("16xh22x", fcntl.ioctl(asked, _GET_FLAGS, struct.pack("16sh22x", link.encode(), 0)))
    return int(flags)


if __name__ == "__main__":
    main(sys.argv[1:])
