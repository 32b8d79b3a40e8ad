"""A project's own programs try to get at the machine: nothing comes through, nothing is left."""

# Programs in JavaScript are a line each.
# ruff: noqa: E501

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import pytest_asyncio

from tests.faults.security.conftest import Bait, alive, gone, opened, write_project

ATTACKS = Path(__file__).with_name("attacks.js")
NAMES = sorted(
    {
        *re.findall(r'\battempt\("(\w+)"', ATTACKS.read_text(encoding="utf-8")),
        *re.findall(r'\b(?:knock|ask)\("(\w+)"', ATTACKS.read_text(encoding="utf-8")),
    }
    - {"own_address_"}
)
DAEMON = "98765"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def tried(bait: Bait, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """What each attempt of a dev server got. The project is closed again by then."""
    files = {"server.js": ATTACKS.read_text(encoding="utf-8"), "bait.json": bait.described()}
    project = write_project(tmp_path_factory.mktemp("project"), files)
    done = await opened(project, bait.run_dir)
    assert done.site.problem is None, done.site.problem
    return json.loads(done.body)


def test_there_are_enough_ways() -> None:
    """The suite is what it says it is."""
    assert len(NAMES) >= 25


@pytest.mark.parametrize("name", NAMES)
def test_a_project_does_not_get_through(name: str, tried: dict[str, dict[str, object]]) -> None:
    """Files, network, processes and environment of this machine's are out of its reach."""
    assert not tried[name]["through"], tried[name]["told"]


def test_this_machines_other_addresses_are_out_of_reach(tried: dict[str, dict[str, object]]) -> None:
    """Nor are services on the addresses of its interfaces reached."""
    assert [name for name, told in tried.items() if name.startswith("own_address_") and told["through"]] == []


def test_a_daemon_without_environment_ends_with_the_run(tried: dict[str, dict[str, object]]) -> None:
    """It has its own session and no mark; five seconds after the run it is gone all the same."""
    assert tried
    assert gone(DAEMON), alive(DAEMON)


async def test_an_answer_that_is_a_project_is_no_freer(bait: Bait, tmp_path: Path) -> None:
    """A model's raw reply with a package.json runs in the same place."""
    fence = "```"
    code = f"""const fs = require("fs"); let told = "held";
try {{ told = fs.readFileSync({json.dumps(str(bait.key))}, "utf8"); }} catch {{}}
require("http").createServer((q, r) => {{ r.setHeader("Content-Type", "text/html"); r.end("<p>" + told); }}).listen(process.env.PORT);
"""
    package = json.dumps({"name": "p", "scripts": {"start": "node server.js"}})
    answer = tmp_path / "answer.md"
    answer.write_text(
        f"The app:\n\n`package.json`\n{fence}json\n{package}\n{fence}\n\n`server.js`\n{fence}js\n{code}\n{fence}\n",
        encoding="utf-8",
    )
    done = await opened(answer, tmp_path / "run")
    assert done.site.problem is None, done.site.problem
    assert "held" in done.body
    assert bait.secret not in done.body
