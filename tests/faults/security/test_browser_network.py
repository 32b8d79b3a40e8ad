"""Row 12: the browser has a user and a network of its own; whatever breaks out of a page finds neither services nor runs."""

from __future__ import annotations

import asyncio
import functools
import json
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from agent.serve.unpacking import write_files
from configs.settings import Recording, Settings
from tests.faults.security.conftest import Bait
from tests.faults.security.receiving import received_run
from tests.faults.security.serving import serving
from tools.browser.enclosed import Enclosed
from tools.browser.stage import Stage
from tools.confinement import unprivileged
from tools.confinement.unprivileged import Account
from tools.evidence.ledger import Ledger
from tools.processes import ProcessList

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives the browser a user and a network of its own")

PAGES = Path(__file__).parents[2] / "fixtures" / "pages" / "stage"


@dataclass
class Opened:
    """A stage on a site of the test's, and what holds it."""

    stage: Stage
    site: str
    run_dir: Path
    account: Account
    network: Enclosed

    def inside(self, program: str, *arguments: str) -> Any:
        """What a program prints as JSON that has the browser's network, and is root: it may do all that that may."""
        command = [sys.executable, "-I", "-S", unprivileged.__file__, "--network", str(self.network.holder), "0", "--"]
        done = subprocess.run(
            [*command, sys.executable, "-I", "-c", program, *arguments], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture(scope="module", name="opened")
async def _opened(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Opened]:
    """One for all that is looked at here. The run's folder was there before, and open to all."""
    home = tmp_path_factory.mktemp("enclosed")
    run_dir = home / "runs" / "mine"
    run_dir.mkdir(parents=True)
    for folder in (run_dir, run_dir.parent, home, home.parent, home.parent.parent):
        folder.chmod(0o755)
    async with AsyncExitStack() as stack:
        site = stack.enter_context(served())
        processes = stack.enter_context(ProcessList(run_dir))
        ledger = Ledger.create(run_dir)
        stack.callback(ledger.close)
        stage = await Stage.open(
            ledger=ledger,
            settings=Settings(recording=Recording(sound=False)),
            site=site,
            run_dir=run_dir,
            processes=processes,
            record=False,
        )
        stack.push_async_callback(stage.close)
        account, network = stage._parts.run_user.account, stage._parts.ways.enclosed
        assert account is not None
        assert network is not None
        yield Opened(stage, site, run_dir, account, network)


@contextmanager
def served() -> Iterator[str]:
    """The pages, on loopback."""
    with serving(functools.partial(Quiet, directory=str(PAGES))) as port:
        yield f"http://127.0.0.1:{port}/"


class Quiet(SimpleHTTPRequestHandler):
    """Says nothing."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Not even of errors."""


CONNECT = """
import json, socket, sys
def tried(kind, family, address):
    with socket.socket(family, socket.SOCK_STREAM) as one:
        one.settimeout(3)
        try:
            one.connect(address)
        except OSError as error:
            return type(error).__name__ if not error.errno else error.errno
        return "open"
inet, inet6, local = socket.AF_INET, socket.AF_INET6, socket.AF_UNIX
print(json.dumps([tried(kind, *(family, tuple(at) if isinstance(at, list) else at))
    for kind, family, at in [(k, {"4": inet, "6": inet6, "u": local}[k], a) for k, a in json.loads(sys.argv[1])]]))
"""
LOOK_ROUND = """
import json, socket
names = [line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]]
kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
kernel.bind((0, 1 | 0x10 | 0x40 | 0x100 | 0x400))  # links, addresses and routes of both kinds
kernel.settimeout(3)
try:
    changed = len(kernel.recv(65536))
except TimeoutError:
    changed = 0
print(json.dumps({"devices": names, "routes": len(open("/proc/net/route").readlines()) - 1,
    "inet6": open("/proc/net/if_inet6").read(), "changed": changed}))
"""


async def test_nothing_of_this_machine_is_in_the_browsers_network(opened: Opened, bait: Bait) -> None:
    """No service under any address, no abstract socket, no name server: the site, and the proxy, which refuses the rest."""
    site_port, egress = int(opened.site.split(":")[2].strip("/")), opened.stage._parts.ways.egress
    own = [entry for entry in json.loads(bait.described())["addresses"] if entry != "0.0.0.0"]
    closed: list[tuple[str, Any]] = [
        *(("4", ["127.0.0.1", port]) for port in (bait.port, egress.port, 22, 53, 631)),
        *(("4", [address, bait.port]) for address in (*own, "0.0.0.0", "169.254.169.254", "10.0.0.1", "93.184.215.14")),
        *(("6", ["::1", port]) for port in (bait.port, egress.port)),
        ("u", f"\0{bait.abstract}"),
    ]
    answers = opened.inside(CONNECT, json.dumps(closed))
    assert [(where, answer) for (_, where), answer in zip(closed, answers, strict=True) if answer == "open"] == []
    inner = opened.network.ports[site_port]
    assert opened.inside(CONNECT, json.dumps([("4", ["127.0.0.1", port]) for port in (inner, opened.network.proxy_port)])) == [
        "open",
        "open",
    ]
    asked = """
import json, socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5) as one:
    one.sendall(b"CONNECT 127.0.0.1:%s HTTP/1.1\\r\\n\\r\\n" % sys.argv[2].encode())
    print(json.dumps(one.recv(100).decode()))
"""
    # It is this process that answers: not in the way of its own loop.
    told: list[str] = []
    asking = threading.Thread(target=lambda: told.append(opened.inside(asked, str(opened.network.proxy_port), str(bait.port))))
    asking.start()
    while asking.is_alive():
        await opened.stage.page.evaluate("1")
    assert told[0].startswith("HTTP/1.1 403")
    assert bait.visits == []


async def test_the_browser_is_in_it_and_does_not_notice(opened: Opened) -> None:
    """It loads its site, it is on line, and no device, address or route comes or goes, which would break off what it loads."""
    browser = opened.stage._parts.launched.pid
    assert Path(f"/proc/{browser}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()
    assert opened.network.holds(browser)
    assert await opened.stage.goto(opened.site + "still.html")
    assert await opened.stage.page.evaluate("navigator.onLine")
    round_ = opened.inside(LOOK_ROUND)
    assert "lo" in round_["devices"]
    assert len(round_["devices"]) <= 3
    assert (round_["routes"], round_["inet6"], round_["changed"]) == (0, "", 0)
    assert await opened.stage.page.evaluate("navigator.onLine")


async def test_runs_and_submissions_are_closed_to_the_browsers_user(opened: Opened, tmp_path: Path) -> None:
    """Its own run's folder, though it was open to all before; another's; what was submitted to a server."""
    other = received_run(opened.run_dir.with_name("other"))
    tmp_path.chmod(0o755)
    sent = write_files({"index.html": b"<p>mine"}, tmp_path / "submitted" / "key")
    paths = [opened.run_dir, opened.run_dir / "ledger.jsonl", other, other / "ledger.jsonl", sent, sent / "index.html"]
    for path in paths:
        look = (
            'test -e "$1" && echo seen; ls "$1" 2>/dev/null; cat "$1" 2>/dev/null; echo x > "$1/new" 2>/dev/null && echo written'
        )
        command = opened.account.command(["/bin/sh", "-c", look, "sh", str(path)])
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=20, check=False, cwd="/")
        assert done.stdout.strip() in {"", "seen"} if path in {opened.run_dir, other, sent} else done.stdout == "", path
