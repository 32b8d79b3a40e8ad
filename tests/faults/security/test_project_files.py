"""Files that a project brings to lead package managers, builds or Assay itself astray."""

# Programs in JavaScript are a line each.
# ruff: noqa: E501

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.faults.security.conftest import Bait, limits, opened, write_project
from tools.errors import SubjectError

SERVER = """require("http").createServer((q, r) => { r.setHeader("Content-Type", "text/html"); r.end("<p>up"); }).listen(process.env.PORT);"""


def hook(bait: Bait) -> str:
    """Code that takes the key wherever it can, tells, and calls the service."""
    return f"""const fs = require("fs"); let told = "ran;";
try {{ told += fs.readFileSync({json.dumps(str(bait.key))}, "utf8"); }} catch (error) {{ told += error.code; }}
try {{ fs.writeFileSync({json.dumps(str(bait.other_run / "hooked"))}, told); }} catch {{}}
fs.writeFileSync(process.cwd() + "/hooked.txt", told);
require("net").connect({bait.port}, "127.0.0.1").on("error", () => {{}});
"""


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({".npmrc": "registry=http://127.0.0.1:PORT/\n"}, id="registry in .npmrc"),
        pytest.param({".npmrc": "script-shell=/assay-work/evil.sh\nignore-scripts=false\n"}, id="shell in .npmrc"),
        pytest.param(
            {".npmrc": "git=/assay-work/evil.sh\n//registry.npmjs.org/:_authToken=${ANTHROPIC_API_KEY}\n"}, id="log-in in .npmrc"
        ),
        pytest.param({".npmrc": "node-options=--require /assay-work/evil.js\n"}, id="options of Node.js in .npmrc"),
        pytest.param({".yarnrc": 'yarn-path "./evil.js"\n', "yarn.lock": ""}, id="yarn of its own in .yarnrc"),
        pytest.param({".yarnrc.yml": "yarnPath: ./evil.js\nplugins: [./evil.js]\n", "yarn.lock": ""}, id="plugin in .yarnrc.yml"),
        pytest.param({".pnpmfile.cjs": "EVIL", "pnpm-lock.yaml": "lockfileVersion: '9.0'\n"}, id="hook in .pnpmfile.cjs"),
    ],
)
async def test_settings_of_package_managers_are_not_followed(files: dict[str, str], bait: Bait, tmp_path: Path) -> None:
    """No hook of theirs gets at anything, the registry they name is not asked; the app comes up, and a note names what was left out."""
    evil = hook(bait)
    laid = {name: text.replace("PORT", str(bait.port)).replace("EVIL", evil) for name, text in files.items()}
    laid |= {"server.js": SERVER, "evil.js": evil, "evil.sh": "#!/bin/sh\nnode /assay-work/evil.js\n"}
    laid |= {"dep/package.json": '{"name": "dep", "version": "1.0.0"}'}
    project = write_project(tmp_path / "p", laid, dependencies={"dep": "file:./dep"})
    (project / "evil.sh").chmod(0o755)
    done = await opened(project, tmp_path / "run")
    assert done.site.problem is None, done.site.problem
    named = next(iter(files))
    assert any("were ignored" in note and named in note for note in done.site.notes), done.site.notes
    said = tmp_path / "run" / "work" / "hooked.txt"
    assert not said.exists() or bait.secret not in said.read_text()
    assert bait.visits == []


async def test_allowed_install_scripts_are_confined_too(bait: Bait, tmp_path: Path) -> None:
    """A postinstall script that may run runs in the same place as everything else."""
    files = {"server.js": SERVER, "evil.js": hook(bait), "dep/package.json": '{"name": "dep", "version": "1.0.0"}'}
    scripts = {"dev": "node server.js", "postinstall": "node evil.js"}
    project = write_project(tmp_path / "p", files, scripts=scripts, dependencies={"dep": "file:./dep"})
    settings = limits().model_copy(update={"allow_install_scripts": True})
    done = await opened(project, tmp_path / "run", settings)
    assert done.site.problem is None, done.site.problem
    assert (tmp_path / "run" / "work" / "hooked.txt").read_text() == "ran;ENOENT"
    assert bait.visits == []


async def test_a_build_is_confined(bait: Bait, tmp_path: Path) -> None:
    """What a build script finds is nothing of this machine's."""
    files = {"build.js": hook(bait) + "fs.mkdirSync('dist'); fs.writeFileSync('dist/index.html', '<p>' + told);"}
    project = write_project(tmp_path / "p", files, scripts={"build": "node build.js"})
    done = await opened(project, tmp_path / "run")
    assert done.site.problem is None, done.site.problem
    assert done.body == "<p>ran;ENOENT"
    assert bait.visits == []


@pytest.mark.parametrize("link", ["dist", "dist/index.html"])
async def test_a_build_that_is_a_link_is_not_served(link: str, bait: Bait, tmp_path: Path) -> None:
    """Assay, which may read everything, does not follow a link that a build left."""
    bait_page = bait.folder / "index.html"
    bait_page.write_text(f"<p>{bait.secret}")
    target = bait.folder if link == "dist" else bait_page
    make = "" if link == "dist" else "fs.mkdirSync('dist');"
    files = {"build.js": f"const fs = require('fs'); {make} fs.symlinkSync({json.dumps(str(target))}, {json.dumps(link)});"}
    project = write_project(tmp_path / "p", files, scripts={"build": "node build.js"})
    done = await opened(project, tmp_path / "run")
    assert bait.secret not in done.body
    assert done.site.problem is not None
    assert done.site.problem.kind == "build_failed"
    assert "\n" not in done.site.problem.message


async def test_a_description_that_is_a_link_is_refused(bait: Bait, tmp_path: Path) -> None:
    """Its text would end up in the project, where the project's programs read it."""
    victim = bait.folder / "settings.json"
    victim.write_text(json.dumps({"scripts": {"dev": "vite"}, "token": bait.secret}))
    project = write_project(tmp_path / "p", {"server.js": SERVER})
    (project / "package.json").unlink()
    (project / "package.json").symlink_to(victim)
    with pytest.raises(SubjectError, match="link"):
        await opened(project, tmp_path / "run")


async def test_a_description_that_becomes_a_link_is_not_followed(bait: Bait, tmp_path: Path) -> None:
    """Neither read nor written to: a build may make `package.json` lead to a file of the user's."""
    victim = bait.folder / "settings.json"
    victim.write_text(json.dumps({"scripts": {"preview": "vite preview"}, "token": bait.secret}))
    before = victim.read_text()
    build = f"const fs = require('fs'); fs.unlinkSync('package.json'); fs.symlinkSync({json.dumps(str(victim))}, 'package.json');"
    scripts = {"preview": "vite preview", "build": "node build.js"}
    project = write_project(tmp_path / "p", {"build.js": build}, scripts=scripts)
    done = await opened(project, tmp_path / "run")
    assert done.site.problem is not None
    assert "link" in done.site.problem.message
    assert victim.read_text() == before
    left = tmp_path / "run" / "work" / "package.json"
    assert left.is_symlink() or bait.secret not in left.read_text()


async def test_links_of_a_project_lead_nowhere(bait: Bait, tmp_path: Path) -> None:
    """A link in the given folder is copied as a link; where it leads does not exist inside."""
    code = """const fs = require("fs"); let told = "held"; try { told = fs.readFileSync("led", "utf8"); } catch {}
require("http").createServer((q, r) => { r.setHeader("Content-Type", "text/html"); r.end(told); }).listen(process.env.PORT);"""
    project = write_project(tmp_path / "p", {"server.js": code})
    (project / "led").symlink_to(bait.key)
    done = await opened(project, tmp_path / "run")
    assert done.body == "held"


async def test_programs_of_others_rights_do_not_stay(tmp_path: Path) -> None:
    """A set-uid program left in the work folder is none when the folder becomes the user's again."""
    code = """const fs = require("fs"); fs.copyFileSync("/bin/true", "tool"); fs.chmodSync("tool", 0o6755);""" + SERVER
    project = write_project(tmp_path / "p", {"server.js": code})
    done = await opened(project, tmp_path / "run")
    assert done.site.problem is None
    left = (tmp_path / "run" / "work" / "tool").stat()
    assert left.st_uid == os.getuid()
    assert left.st_mode & 0o6000 == 0


async def test_an_answer_takes_in_only_what_is_its_own(bait: Bait, tmp_path: Path) -> None:
    """A component that imports a file of this machine's does not build, and one line says why."""
    (bait.folder / "any.json").write_text(json.dumps({"key": bait.secret}))
    up = "../" * 12 + str(bait.folder / "any.json").lstrip("/")
    code = f'import kept from "{up}";\nexport default function App() {{ return <p>{{kept.key}}</p>; }}\n'
    answer = tmp_path / "answer.md"
    answer.write_text(f"```jsx\n{code}```\n", encoding="utf-8")
    done = await opened(answer, tmp_path / "run")
    assert done.site.problem is not None
    assert done.site.problem.kind == "build_failed"
    assert "lies outside of the answer" in done.site.problem.message
    assert "\n" not in done.site.problem.message
    assert not any(bait.secret in path.read_text(errors="replace") for path in (tmp_path / "run").rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "line",
    [
        'import "./a.css";',
        'import kept from "./b.json?raw"; void kept;',
        'import * as kept from "/etc/hostname"; void kept;',
        'const kept = require("../../../../../../../../etc/hostname"); void kept;',
        'new URL("../../../../../../../../etc/hostname", import.meta.url);',
    ],
)
async def test_no_other_way_in_takes_a_file(line: str, bait: Bait, tmp_path: Path) -> None:
    """Style sheets, queries, `require` and addresses are ways in, too."""
    away = "../" * 12 + str(bait.key).lstrip("/")
    code = f"{line}\nexport default function App() {{ return <p>up</p>; }}\n"
    style = f'@import "{away}";\n.a {{ background: url("{away}"); }}\n'
    answer = tmp_path / "answer.md"
    answer.write_text(f"`App.jsx`\n```jsx\n{code}```\n\n`a.css`\n```css\n{style}```\n", encoding="utf-8")
    await opened(answer, tmp_path / "run")
    names = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    machine = Path("/etc/hostname").read_text(encoding="utf-8").strip() if Path("/etc/hostname").exists() else ""
    assert not any(bait.secret in path.read_text(errors="replace") for path in names)
    assert len(machine) < 6 or not any(machine in path.read_text(errors="replace") for path in names)


@pytest.mark.long
@pytest.mark.parametrize("config", ["vite.config.js", "postcss.config.js"])
async def test_a_hostile_configuration_is_confined(config: str, bait: Bait, tmp_path: Path) -> None:
    """Vite runs what its settings, or those of a plug-in, say: in the sandbox."""
    evil = (
        hook(bait)
        .replace('require("fs")', 'process.getBuiltinModule("fs")')
        .replace('require("net")', 'process.getBuiltinModule("net")')
    )
    files = {
        "index.html": '<!doctype html><link rel="stylesheet" href="/a.css"><p>up',
        "a.css": "p { color: red }",
        config: evil + "export default {};\n",
    }
    project = write_project(tmp_path / "p", files, type="module", scripts={"dev": "vite"}, devDependencies={"vite": "^5"})
    shutil.rmtree(tmp_path / "run", ignore_errors=True)
    done = await opened(project, tmp_path / "run", limits(memory_mb=2000, processes=500, folder_mb=500, folder_files=50_000))
    assert done.site.problem is None, done.site.problem
    assert (tmp_path / "run" / "work" / "hooked.txt").read_text() == "ran;ENOENT"
    assert bait.visits == []
