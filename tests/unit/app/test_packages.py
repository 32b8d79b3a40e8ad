"""Installing: commands, and whose fault a failure is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.app.packages import PackageManager, dependencies, explain, install_commands, is_installed
from tools.app.programs import environment, last_lines, plain


@pytest.mark.parametrize(
    ("output", "blame", "words"),
    [
        (
            "npm error code E404\nnpm error 404  The requested resource 'left-padd@1.0.0' could not be found",
            "app",
            "left-padd@1.0.0",
        ),
        ("npm ERR! code ETARGET\nnpm ERR! notarget No matching version found for react@99.0.0.\n", "app", "react@99.0.0"),
        ("npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree", "app", "contradict"),
        ("npm error code EJSONPARSE", "app", "not valid JSON"),
        ("npm error code ENOTFOUND\nnpm error network request failed", "environment", "ENOTFOUND"),
        ("npm error code ECONNREFUSED\nnpm warn 404 mentioned", "environment", "ECONNREFUSED"),
        ("npm error code E401\nnpm error Incorrect or missing password", "environment", "E401"),
        ("npm error code E503", "environment", "E503"),
        (
            "npm warn EBADENGINE Unsupported engine\nnpm error code E404\nnpm error 404 'x@1' is not in this registry",
            "app",
            "does not exist",
        ),
        ("npm error code ENOSPC", "environment", "ENOSPC"),
        ("npm error code EUNSUPPORTEDPROTOCOL", "environment", "EUNSUPPORTEDPROTOCOL"),
        (" ERR_PNPM_FETCH_404  GET x: Not Found - 404", "app", "does not exist"),
        (" ERR_PNPM_META_FETCH_FAIL  GET x: request failed, reason: ENOTFOUND", "environment", "ERR_PNPM_META_FETCH_FAIL"),
        ("segmentation fault", "environment", "does not name"),
        ("npm error code EWHATEVER", "environment", "EWHATEVER"),
    ],
)
def test_blame(output: str, blame: str, words: str) -> None:
    """A package that does not exist is the app's doing, a registry out of reach is not; the unknown counts against nobody."""
    message, found = explain(output)
    assert found == blame
    assert words in message


def test_commands(tmp_path: Path) -> None:
    """Lock files are kept to first; scripts are off unless allowed; peers and optional parts are not left out."""
    npm = PackageManager("npm", ("npm",))
    (plainly,) = install_commands(tmp_path, npm, scripts=False)
    assert plainly[:2] == ["npm", "install"]
    assert {"--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--include=dev"} <= set(plainly)
    assert "--ignore-scripts" not in install_commands(tmp_path, npm, scripts=True)[0]
    (tmp_path / "package-lock.json").write_text("{}")
    assert [command[1] for command in install_commands(tmp_path, npm, scripts=False)] == ["ci", "install"]
    pnpm = install_commands(tmp_path, PackageManager("pnpm", ("corepack", "pnpm")), scripts=False)
    assert [command[-1] for command in pnpm] == ["--frozen-lockfile", "--no-frozen-lockfile"]
    assert pnpm[0][:3] == ["corepack", "pnpm", "install"]
    yarn = PackageManager("yarn", ("yarn",))
    assert "--ignore-scripts" in install_commands(tmp_path, yarn, scripts=False)[0]
    (tmp_path / "yarn.lock").write_text("__metadata:\n  version: 8\n")
    assert install_commands(tmp_path, yarn, scripts=False) == [["yarn", "install", "--mode=skip-build"]]


def test_script_arguments() -> None:
    """Only npm wants two dashes before a script's own arguments."""
    assert PackageManager("npm", ("npm",)).script("dev", ("--x",)) == ["npm", "run", "dev", "--", "--x"]
    assert PackageManager("npm", ("npm",)).script("dev", ()) == ["npm", "run", "dev"]
    assert PackageManager("pnpm", ("pnpm",)).script("dev", ("--x",)) == ["pnpm", "run", "dev", "--x"]


def test_installed_means_every_package(tmp_path: Path) -> None:
    """One missing package makes an installation incomplete."""
    package: dict[str, object] = {"dependencies": {"a": "1"}, "devDependencies": {"@s/b": "1"}, "scripts": {}}
    assert dependencies(package) == {"a", "@s/b"}
    for name in ("a", "@s/b"):
        assert not is_installed(tmp_path, package)
        (tmp_path / "node_modules" / name).mkdir(parents=True)
        (tmp_path / "node_modules" / name / "package.json").write_text("{}")
    assert is_installed(tmp_path, package)


def test_no_secret_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strangers' programs see what they need to run and no key, token or log-in of the user's."""
    for name in ("OPENAI_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "npm_config__auth", "NODE_OPTIONS", "PYTHONPATH"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("npm_config_registry", "http://registry.test/")
    env = environment(PORT="1")
    assert "secret" not in env.values()
    assert env["PATH"]
    assert env["PORT"] == "1"
    assert env["npm_config_registry"] == "http://registry.test/"


def test_logs_become_plain_text() -> None:
    """Colours, cursor movements, titles and control signs go; text and its lines stay."""
    assert plain("\x1b[1;32m➜\x1b[0m  Local:\x1b]0;title\x07 ok\r\n\x1b[2K\x1b[1Gdone\x00\x07\n") == "➜  Local: ok\ndone\n"
    assert last_lines("a\n\n  b  \nc\n", 2) == "  b\nc"
