"""Serving scripts as authors write them, and what becomes of them."""

from __future__ import annotations

import pytest

from tools.app.dev_command import dev_command, tool_of


@pytest.mark.parametrize(
    ("script", "rewritten"),
    [
        ("vite", "vite --host 127.0.0.1 --port 4321 --strictPort"),
        ("vite --host", "vite --host 127.0.0.1 --port 4321 --strictPort"),
        ("vite --host 0.0.0.0 --port=5173 --open /x", "vite /x --host 127.0.0.1 --port 4321 --strictPort"),
        ("vite --port 3000 --mode staging", "vite --mode staging --host 127.0.0.1 --port 4321 --strictPort"),
        ("vite preview --port 8080", "vite preview --host 127.0.0.1 --port 4321 --strictPort"),
        ("tsc -b && vite", "tsc -b && vite --host 127.0.0.1 --port 4321 --strictPort"),
        (
            "cross-env NODE_ENV=development npx vite",
            "cross-env NODE_ENV=development npx vite --host 127.0.0.1 --port 4321 --strictPort",
        ),
        (
            "node ./node_modules/vite/bin/vite.js",
            "node ./node_modules/vite/bin/vite.js --host 127.0.0.1 --port 4321 --strictPort",
        ),
        ("next dev -p 3001 --turbo", "next dev --turbo --hostname 127.0.0.1 --port 4321"),
        ("vue-cli-service serve --open", "vue-cli-service serve --host 127.0.0.1 --port 4321"),
        ("webpack serve --mode development --open", "webpack serve --mode development --host 127.0.0.1 --port 4321 --no-open"),
        ("webpack-dev-server --port 9000", "webpack-dev-server --host 127.0.0.1 --port 4321"),
        ("parcel src/index.html -p 1234", "parcel src/index.html --host 127.0.0.1 --port 4321"),
        ("http-server ./dist -p 8080 -o -a 0.0.0.0", "http-server ./dist -a 127.0.0.1 -p 4321 -c-1"),
        ("serve -s build -l 5000", "serve -s build -l tcp://127.0.0.1:4321 --no-clipboard"),
        ("live-server public --port=8080", "live-server public --host=127.0.0.1 --port=4321 --no-browser"),
        ("ng serve -o", "ng serve --host 127.0.0.1 --port 4321"),
        ("astro dev", "astro dev --host 127.0.0.1 --port 4321"),
        ("PORT=3000 react-scripts start", "PORT=3000 react-scripts start"),
        ("node server.js", "node server.js"),
        ("nodemon index.js", "nodemon index.js"),
        ("vite build", "vite build"),
        ("webpack --watch", "webpack --watch"),
        ('concurrently "vite" "node api.js"', 'concurrently "vite" "node api.js"'),
        ("node api.js & vite", "node api.js & vite"),
        ("vite | tee log", "vite | tee log"),
    ],
)
def test_scripts(script: str, rewritten: str) -> None:
    """Known tools get our host and port in place of the author's; what cannot be told is left as it is."""
    assert dev_command({"dev": script}, "dev", 4321).text == rewritten


def test_calls_of_other_scripts_are_followed() -> None:
    """A script that only calls another is that other one; circles end."""
    scripts = {
        "dev": "npm run serve",
        "serve": "pnpm start",
        "start": "vite",
        "loop": "yarn loop",
        "a": "npm run b",
        "b": "npm run a",
    }
    command = dev_command(scripts, "dev", 1)
    assert (command.script, command.tool) == ("start", "vite")
    assert dev_command(scripts, "loop", 1).script == "loop"
    assert dev_command(scripts, "a", 1).tool == ""


@pytest.mark.parametrize(
    ("script", "needed"),
    [
        ("vite preview", True),
        ("next start", True),
        ("serve -s build", True),
        ("vite", False),
        ("npm run build && vite preview", False),
        ("serve .", False),
    ],
)
def test_what_a_build_must_precede(script: str, needed: bool) -> None:
    """Scripts that serve a build's output say so."""
    assert dev_command({"start": script, "build": "x"}, "start", 1).needs_build is needed
    assert dev_command({"start": script}, "start", 1).needs_build is False


def test_wrappers_are_stepped_over() -> None:
    """Variables, npx and the like are not the tool."""
    assert tool_of("FOO=1 BAR='a b' npx --yes vite dev")[0] == "vite"
    assert tool_of("node --inspect server.js")[0] == "node"
    assert tool_of("./node_modules/.bin/next dev")[0] == "next"
    assert tool_of("")[0] == ""
