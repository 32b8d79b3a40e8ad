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
from typing import Any

from tools.browser.display import first_line
from tools.browser.egress import Egress, site_address
from tools.browser.network import Policy
from tools.confinement import enclosure
from tools.confinement.unprivileged import Account
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


@dataclass(frozen=True)
class WaysOut:
    """How a browser comes to its site, and to nothing else."""

    policy: Policy
    egress: Egress
    enclosed: Enclosed | None
    """Its own network; None: it has this machine's."""
    problem: str = ""
    """Why it has no network of its own although it has a user of its own."""

    @property
    def flags(self) -> list[str]:
        """Chromium's command line for it."""
        if self.enclosed is None:
            return self.policy.flags(self.egress.port, address=self.egress.address)
        return self.policy.flags(self.enclosed.proxy_port, doors=self.enclosed.ports)

    def within(self, account: Account | None) -> Account | None:
        """The browser's user, in its network."""
        return account if account is None or self.enclosed is None else account.within(self.enclosed.holder)

    def check(self, browser: int) -> None:
        """Raises `StageFault` if that process is not in the network that was made for it."""
        if self.enclosed is not None and not self.enclosed.holds(browser):
            raise StageFault("The browser is not in the network that was made for it.")


async def open_ways_out(
    processes: ProcessList, policy: Policy, account: Account | None, *, public_only: bool, log: Path
) -> WaysOut:
    """Open the egress proxy, and a network for a browser with an account. Close `egress`, and end `enclosed`, after it.

    Raises `StageFault` for a site that is not public where only those may be gone to.
    """
    egress = Egress(policy, address=await site_address(policy, public_only=public_only))
    await egress.open()
    if account is None:
        return WaysOut(policy, egress, None)
    try:
        made = await enclose(processes, policy, proxy_port=egress.port, address=egress.address, log=log)
    except StageFault as fault:
        return WaysOut(policy, egress, None, fault.message)
    return WaysOut(policy, egress, made)


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
    made: dict[str, Any] = json.loads(told) if told.startswith("{") else {"problem": "it did not start"}
    if "problem" in made:
        await processes.end(process.pid)
        raise StageFault(f"The browser got no network of its own: {made['problem']}.", hint=f"See {log}.")
    *ports, proxy = made["ports"]
    return Enclosed(process.pid, int(made["process"]), int(proxy), dict(zip(policy.own_ports, ports, strict=True)))
