"""The browser's own network, where Assay is root: the site's server and the egress proxy are in it, nothing else of the machine.

Chromium's command line keeps pages to their site already (`network.py`); this holds for whatever breaks out of a page, too.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.browser.display import first_line
from tools.browser.network import Policy
from tools.confinement import enclosure
from tools.errors import StageFault
from tools.processes import ProcessList

_READY_S = 15.0


@dataclass(frozen=True)
class Enclosed:
    """A network that stands. `ports`: the site's ports, and those inside that lead there."""

    pid: int
    """The process that passes connections on."""
    holder: int
    """The process whose network it is."""
    proxy_port: int
    """The egress proxy's, inside."""
    ports: Mapping[int, int]

    def holds(self, browser: int) -> bool:
        """Whether that process is in it."""
        try:
            return Path(f"/proc/{browser}/ns/net").readlink() == Path(f"/proc/{self.holder}/ns/net").readlink()
        except OSError:
            return False


async def enclose(processes: ProcessList, policy: Policy, *, proxy_port: int, address: str, log: Path) -> Enclosed:
    """Make the network. `proxy_port` and `address` are the egress proxy's. Raises `StageFault` where that can't be done."""
    # A server on this machine keeps its port: its pages name it. The proxy takes what is left.
    outside = [(port, port if policy.loopback else 0) for port in policy.own_ports]
    doors = [(inside, address or policy.host, port) for port, inside in outside]
    read, write = os.pipe()
    try:
        process = processes.spawn(
            "network",
            [
                *(sys.executable, "-I", "-S", enclosure.__file__),
                *(str(write), json.dumps([*doors, (0, "127.0.0.1", proxy_port)])),
            ],
            env={"PATH": os.environ.get("PATH", "")},
            log=log,
            pass_fds=(write,),
        )
        os.close(write)
        write = -1
        told = await first_line(read, _READY_S)
    finally:
        os.close(read)
        if write >= 0:
            os.close(write)
    made = json.loads(told) if told.startswith("{") else {"problem": "it did not start"}
    if "problem" in made:
        await processes.end(process.pid)
        raise StageFault(f"The browser got no network of its own: {made['problem']}.", hint=f"See {log}.")
    *ports, proxy = made["ports"]
    return Enclosed(process.pid, int(made["process"]), int(proxy), dict(zip(policy.own_ports, ports, strict=True)))
