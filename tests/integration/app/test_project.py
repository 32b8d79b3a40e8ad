"""Projects with real dev servers: found, installed, started at our port, watched, and let go again."""

from __future__ import annotations

import json
import os
import socket
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

from configs.settings import Settings, Timeouts
from tools.app.project import discard_packages
from tools.app.site import open_site
from tools.app.subject import only_builds, recognise
from tools.errors import SubjectError
from tools.processes import ProcessList

Get = Callable[..., Any]

SERVER = """
const http = require("http");
const port = PORT;
http.createServer((request, response) => {
  response.setHeader("Content-Type", "text/html");
  response.end(`<!doctype html><title>app</title><p>${request.url}</p>`);
}).listen(port, "127.0.0.1", () => console.log(`\\u001b[32mListening\\u001b[0m on http://localhost:${port}/`));
"""


def write_project(folder: Path, scripts: dict[str, str], files: dict[str, str], **package: object) -> Path:
    """A project with those scripts and files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(json.dumps({"name": "p", "private": True, "scripts": scripts, **package}))
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return folder


def snapshot(folder: Path) -> dict[str, int]:
    """Every file of a folder with its time of change."""
    return {str(path): path.lstat().st_mtime_ns for path in folder.rglob("*")}


async def test_plain_node_server_takes_the_port_it_is_given(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, get: Get, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PORT is honoured; keys of the user's are not in the server's environment; its folder is not touched; its log is kept."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    monkeypatch.setenv("NPM_TOKEN", "npm-secret")
    code = (
        SERVER.replace("PORT;", "process.env.PORT || 3000;")
        + "console.log(JSON.stringify(process.env)); require('fs').writeFileSync('made.txt', 'x');"
    )
    project = write_project(
        tmp_path / "p", {"start": "node server.js"}, {"server.js": code, "public/a.css": "p { color: red }", ".git/x": "x"}
    )
    before = snapshot(project)
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert site.problem is None
    assert site.variety == "project"
    assert b"<title>app</title>" in get(site.entry).body
    assert site.log is not None
    log = site.log.read_text()
    assert "Listening" in log
    assert "secret" not in log
    assert snapshot(project) == before
    assert (run_dir / "work" / "made.txt").is_file()
    assert not (run_dir / "work" / ".git").exists()
    assert {source.path for source in site.sources} == {"server.js", "public/a.css"}
    assert site.pid in processes.running()


async def test_a_port_of_its_own_choice_is_found(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, get: Get
) -> None:
    """A server that ignores PORT is found by where its session listens, even behind a script that calls another one."""
    project = write_project(
        tmp_path / "p",
        {"dev": "npm run go", "go": "node server.js"},
        {"server.js": SERVER.replace("PORT;", "0;").replace("${port}", "?")},
    )
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert site.problem is None
    assert get(site.entry).status == 200
    assert any("of its own choice" in note for note in site.notes)


async def test_the_page_is_preferred_to_the_api_and_its_base_path_is_opened(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, get: Get
) -> None:
    """Of two ports the one with a page is taken though the API is up first; the path that the log names is opened."""
    code = """
    const http = require("http");
    http.createServer((q, r) => { r.setHeader("Content-Type", "application/json"); r.end("[]"); }).listen(0, "127.0.0.1");
    setTimeout(() => {
      const pages = http.createServer((q, r) => {
        r.setHeader("Content-Type", "text/html");
        r.statusCode = q.url.startsWith("/base/") ? 200 : 404;
        r.end("<p>page</p>");
      });
      pages.listen(0, "::1", () => console.log(`Local: http://localhost:${pages.address().port}/base/`));
    }, 700);
    """
    project = write_project(tmp_path / "p", {"dev": "node server.js"}, {"server.js": code})
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert site.problem is None
    assert site.entry.endswith("/base/")
    assert urlsplit(site.base_url).hostname == "127.0.0.1"
    assert get(site.entry).body == b"<p>page</p>"


async def test_somebody_elses_server_is_not_taken_for_it(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings
) -> None:
    """A log that names a port where another program answers fools nobody: the server itself never listened."""
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        port = stranger.getsockname()[1]
        code = f'console.log("ready on http://localhost:{port}/"); setTimeout(() => {{}}, 60000);'
        project = write_project(tmp_path / "p", {"dev": "node server.js"}, {"server.js": code})
        quick = settings.model_copy(update={"timeouts": Timeouts(server_start_s=3.0)})
        site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=quick)
    assert site.problem is not None
    assert "listens on no port" in site.problem.message


async def test_a_server_that_never_comes_up(tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings) -> None:
    """It is given its time and no more, then ended with all it started; the last lines of its log are in the problem."""
    code = 'require("child_process").spawn("sleep", ["300"]); console.log("warming up …"); setInterval(() => {}, 1000);'
    project = write_project(tmp_path / "p", {"dev": "node server.js", "start": "node server.js"}, {"server.js": code})
    quick = settings.model_copy(update={"timeouts": Timeouts(server_start_s=6.0)})
    began = time.monotonic()
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=quick)
    assert time.monotonic() - began < 25
    assert site.problem is not None
    assert (site.problem.kind, site.problem.blame) == ("server_failed", "app")
    assert "warming up" in site.problem.log_excerpt
    assert "after 6 s" in site.problem.message
    assert site.entry == ""
    assert not processes.running()
    assert not _at_work_in(run_dir)


def _at_work_in(folder: Path) -> list[str]:
    """Processes whose working directory lies in a folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.cwd().startswith(str(folder)) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.name())
        except psutil.Error:
            continue
    return found


async def test_a_server_that_exits_at_once(tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings) -> None:
    """Its exit is noticed without waiting for the time-out; the error is quoted; a built page is pointed out."""
    project = write_project(
        tmp_path / "p",
        {"dev": "node server.js"},
        {"server.js": 'throw new Error("no config today");', "dist/index.html": "<p>x</p>"},
    )
    began = time.monotonic()
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert time.monotonic() - began < 20
    assert site.problem is not None
    assert (site.problem.kind, site.problem.blame) == ("server_failed", "app")
    assert "ended with code 1" in site.problem.message
    assert "no config today" in site.problem.log_excerpt
    assert "dist" in site.problem.message


async def test_a_finished_page_does_not_need_its_build_tool(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, get: Get
) -> None:
    """Where a task runner breaks down, a page that lacks nothing is served as it is; one that lacks a script is not."""
    page = {"index.html": '<!doctype html><link rel="stylesheet" href="a.css"><script src="a.js"></script>', "a.css": "p {}"}
    project = write_project(tmp_path / "p", {"start": "node gulp watch"}, {**page, "a.js": "1;"})
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert site.problem is None
    assert any("served as it is" in note for note in site.notes)
    assert get(site.entry).status == 200
    source = {"index.html": page["index.html"] + '<script type="text/jsx" src="b.jsx"></script>', "a.js": "1;", "b.jsx": "<b/>;"}
    project = write_project(tmp_path / "r", {"start": "node gulp watch"}, page | source)
    site = await open_site(recognise(str(project)), run_dir=run_dir / "r", processes=processes, settings=settings)
    assert site.problem is None
    project = write_project(tmp_path / "q", {"start": "node gulp watch"}, page)
    site = await open_site(recognise(str(project)), run_dir=run_dir / "q", processes=processes, settings=settings)
    assert site.problem is not None
    assert site.problem.kind == "server_failed"
    assert only_builds({"scripts": {"start": "node_modules/.bin/gulp watch", "dev": "sass --watch a.scss && postcss a.css"}})
    assert not only_builds({"scripts": {"start": "sass a.scss a.css && node server.js"}})


async def test_the_next_script_is_tried_when_one_is_no_server(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, get: Get
) -> None:
    """`dev` that only compiles and ends does not keep `start` from being found."""
    code = SERVER.replace("PORT;", "process.env.PORT;")
    project = write_project(tmp_path / "p", {"dev": "node -e 0", "start": "node server.js"}, {"server.js": code})
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert site.problem is None
    assert get(site.entry).status == 200


async def test_a_missing_database_is_not_the_apps_failing(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings
) -> None:
    """A server that dies because no database answers is blamed on the surroundings."""
    code = 'throw new Error("connect ECONNREFUSED 127.0.0.1:5432");'
    project = write_project(tmp_path / "p", {"dev": "node server.js"}, {"server.js": code})
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert site.problem is not None
    assert site.problem.blame == "environment"


async def test_install_scripts_stay_off(tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings) -> None:
    """A package's own install script does not run unless it is allowed, nor does the project's."""
    code = SERVER.replace("PORT;", "process.env.PORT;")
    project = write_project(
        tmp_path / "p",
        {"start": "node server.js", "postinstall": "node -e \"require('fs').writeFileSync('ran.txt','x')\""},
        {"server.js": code, "dep/package.json": json.dumps({"name": "dep", "version": "1.0.0"})},
        dependencies={"dep": "file:./dep"},
    )
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert site.problem is None
    assert (run_dir / "work" / "node_modules" / "dep" / "package.json").is_file()
    assert not (run_dir / "work" / "ran.txt").exists()
    assert any("install scripts off" in note for note in site.notes)
    other = run_dir.parent / "other"
    allowed = settings.model_copy(update={"allow_install_scripts": True})
    site = await open_site(recognise(str(project)), run_dir=other, processes=processes, settings=allowed)
    assert site.problem is None
    assert (other / "work" / "ran.txt").is_file()


async def test_complete_packages_are_used_and_given_back(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings
) -> None:
    """With all packages there nothing is installed; what the server writes into them stays in the copy."""
    code = (
        SERVER.replace("PORT;", "process.env.PORT;") + "require('fs').writeFileSync('node_modules/dep/written', require('dep'));"
    )
    project = write_project(
        tmp_path / "p",
        {"start": "node server.js"},
        {
            "server.js": code,
            "node_modules/dep/package.json": '{"name": "dep", "version": "9.9.9"}',
            "node_modules/dep/index.js": 'module.exports = "kept";',
        },
        dependencies={"dep": "9.9.9"},
    )
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert site.problem is None
    assert any("nothing was installed" in note for note in site.notes)
    assert (run_dir / "work" / "node_modules" / "dep" / "written").read_text() == "kept"
    assert not (project / "node_modules" / "dep" / "written").exists()
    discard_packages(run_dir)
    assert not (run_dir / "work" / "node_modules").exists()
    assert (run_dir / "work" / "server.js").is_file()


async def test_a_package_that_does_not_exist(tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings) -> None:
    """An invented dependency is the app's failing, and it is named."""
    project = write_project(
        tmp_path / "p", {"dev": "node x.js"}, {"x.js": ""}, dependencies={"assay-test-no-such-package-5f1c": "^1.0.0"}
    )
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert site.problem is not None
    assert (site.problem.kind, site.problem.blame) == ("install_failed", "app")
    assert "assay-test-no-such-package-5f1c" in site.problem.message


async def test_a_registry_out_of_reach(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When nothing can be fetched the surroundings are to blame, and it is known within seconds."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        monkeypatch.setenv("npm_config_registry", f"http://127.0.0.1:{closed.getsockname()[1]}/")
    project = write_project(
        tmp_path / "p",
        {"dev": "node x.js"},
        {"x.js": ""},
        dependencies={"assay-test-never-fetched-77aa": "1.0.0"},
    )
    began = time.monotonic()
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert time.monotonic() - began < 30
    assert site.problem is not None
    assert (site.problem.kind, site.problem.blame) == ("install_failed", "environment")
    assert "E502" in site.problem.message


async def test_a_build_without_a_server_is_served(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, get: Get
) -> None:
    """A project that can only be built is built, and what it produced is served as files."""
    build = "const fs = require('fs'); fs.mkdirSync('dist'); fs.writeFileSync('dist/index.html', '<p>built</p>');"
    project = write_project(tmp_path / "p", {"build": "node build.js"}, {"build.js": build})
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert site.problem is None
    assert get(site.entry).body == b"<p>built</p>"
    assert site.log is None
    assert not (project / "dist").exists()


async def test_a_build_that_fails(tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings) -> None:
    """Its last words are the problem's."""
    project = write_project(
        tmp_path / "p", {"build": "node build.js"}, {"build.js": "console.error('syntax is off'); process.exit(3);"}
    )
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert site.problem is not None
    assert (site.problem.kind, site.problem.blame) == ("build_failed", "app")
    assert "syntax is off" in site.problem.log_excerpt


async def test_runs_kept_inside_the_project(tmp_path: Path, settings: Settings) -> None:
    """With the run's folder inside the project the copy does not contain itself; odd files are left out."""
    project = write_project(
        tmp_path / "p", {"start": "node server.js"}, {"server.js": SERVER.replace("PORT;", "process.env.PORT;")}
    )
    os.mkfifo(project / "pipe")
    (project / "recordings" / "older").mkdir(parents=True)
    inside = project / "recordings" / "run"
    inside.mkdir()
    with ProcessList(inside) as processes:
        site = await open_site(recognise(str(project)), run_dir=inside, processes=processes, settings=settings)
        assert site.problem is None
    assert {path.name for path in (inside / "work").iterdir()} == {"package.json", "server.js"}


async def test_broken_package_json(tmp_path: Path) -> None:
    """It is a user error with one line, or a plain folder if there is a page."""
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "package.json").write_text("{ nope")
    with pytest.raises(SubjectError, match=r"package\.json cannot be read"):
        recognise(str(folder))
    (folder / "index.html").write_text("<p>x</p>")
    assert recognise(str(folder)).variety == "folder"


async def test_a_vite_project_from_npm(
    tmp_path: Path, run_dir: Path, processes: ProcessList, settings: Settings, get: Get
) -> None:
    """A real Vite project: installed from the registry, served at our port whatever its script says, its modules transformed."""
    project = write_project(
        tmp_path / "p",
        {"dev": "vite --host 0.0.0.0 --port 5173 --open", "build": "vite build"},
        {
            "index.html": '<!doctype html><div id="app"></div><script type="module" src="/src/main.ts"></script>',
            "src/main.ts": 'const answer: number = 42;\ndocument.getElementById("app")!.textContent = `n=${answer}`;',
            "vite.config.js": "export default { base: '/shop/' };",
        },
        type="module",
        devDependencies={"vite": "^6.0.0"},
    )
    site = await open_site(recognise(str(project)), run_dir=run_dir, processes=processes, settings=settings)
    assert site.problem is None, site.problem
    assert site.entry.endswith("/shop/")
    assert b"/shop/src/main.ts" in get(site.entry).body
    module = get(site.base_url, "/shop/src/main.ts")
    assert b"const answer = 42" in module.body
    assert [source.path for source in site.sources] == ["index.html", "vite.config.js", "src/main.ts"]
    leader = psutil.Process(site.pid or 0)
    ports = {
        c.laddr.ip for p in [leader, *leader.children(recursive=True)] for c in p.net_connections("tcp") if c.status == "LISTEN"
    }
    assert ports == {"127.0.0.1"}
    await processes.end(site.pid or 0)
    assert not _at_work_in(run_dir)
