"""Row 8: what a page imports is fetched as anybody would, never with the operator's log-in."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.faults.security.serving import Silent, serving
from tools.browser.cdn.faults import Absent, Withheld
from tools.browser.cdn.packages import REGISTRY, Packages, anonymous


@pytest.fixture
def registry() -> Iterator[tuple[str, list[str]]]:
    """A registry on loopback that has nothing: its address, and for each request its path and what it carried as a log-in."""
    heard: list[str] = []

    class Listening(Silent, BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(f"{self.path} {self.headers.get('Authorization', '')}".strip())
            self.send_error(404)

    with serving(Listening) as port:
        yield f"http://127.0.0.1:{port}/", heard


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
async def test_a_scoped_package_is_asked_for_without_the_operators_token(
    registry: tuple[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the scope's own registry nor the token of the user's .npmrc is used, wherever that file lies."""
    address, heard = registry
    host = address.removeprefix("http:")
    rc = f"@secret:registry={address}private/\n{host}:_authToken=operators-token\n{host}private/:_authToken=operators-token\n"
    (tmp_path / ".npmrc").write_text(rc, encoding="utf-8")
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("npm_config_registry", address)
    monkeypatch.setenv("npm_config_@secret:registry", f"{address}private/")
    packages = Packages(tmp_path / "cdn")
    with pytest.raises((Absent, Withheld)):
        await packages.get("@secret/thing", "1.0.0")
    await packages.close()
    assert heard
    assert not [item for item in heard if "private" in item or "operators-token" in item]


def test_npm_gets_no_setting_that_carries_a_login(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Certificates, scopes and user files of the environment are left out; a registry with credentials in it is not used."""
    for name in ("npm_config_cert", "npm_config_key", "npm_config_userconfig", "npm_config_@a:registry", "NPM_TOKEN"):
        monkeypatch.setenv(name, "operators")
    monkeypatch.setenv("npm_config_registry", "https://me:operators@registry.example/")
    env = anonymous(tmp_path)
    assert "operators" not in str(env)
    assert env["npm_config_registry"] == REGISTRY
