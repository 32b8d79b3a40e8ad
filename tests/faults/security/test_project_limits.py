"""A project that uses the machine up: ended at its limit, with one line that says which, and nothing of it left."""

# Programs in JavaScript are a line each.
# ruff: noqa: E501

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.faults.security.conftest import alive, gone, limits, opened, write_project
from tools.app.site import open_site
from tools.app.subject import recognise
from tools.confinement.launcher import lacking
from tools.processes import ProcessList

pytestmark = pytest.mark.skipif(bool(lacking()), reason=f"no sandbox here: {lacking()}")

FORKS = """const { spawn } = require("child_process");
(function more() { for (let n = 0; n < 20; n++) spawn(process.execPath, [__filename, MARK], { stdio: "ignore" }).on("error", () => {}); setTimeout(more, 20); })();"""
MEMORY = """const kept = []; (function more() { kept.push(Buffer.alloc(32 << 20, 1)); setImmediate(more); })();"""
SHARED = """const { spawn } = require("child_process");
for (let n = 0; n < 6; n++) spawn(process.execPath, ["-e", "const k = []; (function m() { k.push(Buffer.alloc(8 << 20, 1)); if (k.length < 12) setImmediate(m); })(); setInterval(() => {}, 1000)", MARK]);
setInterval(() => {}, 1000);"""
DISK = """const fs = require("fs"); const piece = Buffer.alloc(1 << 20, 1); let n = 0;
(function more() { fs.writeFileSync("fill" + n++, Buffer.concat(Array(8).fill(piece))); setImmediate(more); })();"""
HOME = DISK.replace('"fill"', 'process.env.HOME + "/fill"')
FILES = """const fs = require("fs"); let n = 0; (function more() { for (let i = 0; i < 200; i++) fs.writeFileSync("f" + n++, ""); setImmediate(more); })();"""
# Whoever becomes a parent and then `tail` never asks how its child ended; the mark is a file that is not there, about which `tail` only complains.
ZOMBIES = """const { spawn } = require("child_process");
spawn("sh", ["-c", "while :; do (sleep 0 & exec tail -f /dev/null MARK) & done"], { stdio: "ignore" }); setInterval(() => {}, 1000);"""


def comes_true(test: Callable[[], bool]) -> bool:
    """Whether it does within ten seconds."""
    limit = time.monotonic() + 10
    while not test() and time.monotonic() < limit:
        time.sleep(0.05)
    return test()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        pytest.param(FORKS, "processes", id="fork bomb"),
        pytest.param(ZOMBIES, "processes", id="zombie maker"),
        pytest.param(MEMORY, "memory", id="memory bomb"),
        pytest.param(SHARED, "memory", id="memory bomb of many processes"),
        pytest.param(DISK, "folder", id="disk filler"),
        pytest.param(HOME, "folder", id="disk filler at home"),
        pytest.param(FILES, "files", id="maker of files"),
    ],
)
async def test_a_project_is_ended_at_its_limit(code: str, words: str, tmp_path: Path) -> None:
    """One line says which limit; within five seconds nothing of it is left."""
    mark = f"assay-limit-{secrets.token_hex(6)}"
    project = write_project(tmp_path / "p", {"server.js": code.replace("MARK", mark if code == ZOMBIES else f'"{mark}"')})
    done = await opened(project, tmp_path / "run", mark=mark)
    problem = done.site.problem
    assert problem is not None
    assert "it was stopped: it" in problem.message
    assert words in problem.message
    assert "\n" not in problem.message
    assert problem.blame == "app"
    assert done.seconds < 25


async def test_a_flood_of_words_is_kept_short(tmp_path: Path) -> None:
    """The log has its bound and says so; the server goes on as if everything was read."""
    code = """const line = "x".repeat(60000) + "\\n"; let left = 100;
(function more() { if (left-- > 0) process.stdout.write(line, more); else serve(); })();
function serve() { require("http").createServer((q, r) => { r.setHeader("Content-Type", "text/html"); r.end("<p>up"); }).listen(process.env.PORT); }"""
    project = write_project(tmp_path / "p", {"server.js": code})
    done = await opened(project, tmp_path / "run", limits(log_mb=1))
    assert done.site.problem is None
    assert done.body == "<p>up"
    log = tmp_path / "run" / "logs" / "server.log"
    assert log.stat().st_size < 2 * 2**20
    assert "the rest is left out" in log.read_text()


async def test_a_full_temporary_folder_is_the_projects_own_trouble(tmp_path: Path) -> None:
    """`/tmp` and shared memory are the sandbox's, in memory, with a size: what is too much is refused there."""
    code = """const fs = require("fs"); let told = "";
for (const folder of ["/tmp", "/dev/shm"]) { try { for (let n = 0; n < 2000; n++) fs.writeFileSync(folder + "/f" + n, Buffer.alloc(1 << 20)); told += "endless "; } catch (error) { told += error.code + " "; } }
require("http").createServer((q, r) => { r.setHeader("Content-Type", "text/html"); r.end(told); }).listen(process.env.PORT);"""
    project = write_project(tmp_path / "p", {"server.js": code})
    before = psutil.virtual_memory().shared
    done = await opened(project, tmp_path / "run", limits(memory_mb=2000))
    assert done.site.problem is None
    assert done.body.split() == ["ENOSPC", "ENOSPC"]
    # What such folders hold counts as shared memory; of all memory other programs may take as much meanwhile.
    assert await asyncio.to_thread(comes_true, lambda: psutil.virtual_memory().shared < before + 300 * 2**20)


async def test_limits_hold_while_an_app_is_used(tmp_path: Path) -> None:
    """A server that answers first and misbehaves later is ended, too."""
    mark = f"assay-later-{secrets.token_hex(6)}"
    code = f"""require("http").createServer((q, r) => {{ r.setHeader("Content-Type", "text/html"); r.end("<p>up"); setTimeout(bomb, 200); }}).listen(process.env.PORT);
function bomb() {{ const {{ spawn }} = require("child_process"); for (let n = 0; n < 200; n++) spawn("sleep", ["300", "{mark}"]).on("error", () => {{}}); }}"""
    project = write_project(tmp_path / "p", {"server.js": code.replace(f'"300", "{mark}"', '"300"') + f"// {mark}"})
    with ProcessList(tmp_path) as processes:
        site = await open_site(recognise(str(project)), run_dir=tmp_path / "run", processes=processes, settings=limits())
        assert site.problem is None
        assert await asyncio.to_thread(comes_true, lambda: site.pid not in processes.running())
    assert "processes and threads" in (tmp_path / "run" / "logs" / "server.log").read_text()
    assert gone(mark), alive(mark)
