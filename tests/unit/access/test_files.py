"""What lets a run in, read from files: trials that name secrets, storage states, settings; each wrong one is one line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from agent.access.access import read_access
from agent.access.log_in import door
from agent.trials.written import NotATrial, read_trials, trial_of
from configs.settings import Settings
from tools.browser.auth import Auth, Credentials, read_state, tokens_in
from tools.errors import UserError
from tools.evidence.rows import Box
from tools.page.assertions import Appears, Target
from tools.page.exporting import as_playwright
from tools.page.getting_in import GettingIn, from_environment
from tools.page.model import PageModel
from tools.page.parts import Field
from tools.page.secret_fills import secrets_in
from tools.page.trials import Press, Trial
from tools.secrets import SECRETS

LOGIN = """
[[trial]]
why = "A member logs in"
do = [{ fill_form = { "User" = { secret = "SHOP_USER" }, "Password" = { secret = "SHOP_PASSWORD" } }, submit = "Log in" }]
expect = [{ appears = "Log out" }]

[[trial]]
why = "The second step"
do = [{ fill = "Code", with = { code = "SHOP_TOTP" } }, { press = "Continue" }]
expect = [{ appears = "Log out" }]
"""


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    """No secret of one test is hidden in another."""
    SECRETS.forget()
    yield
    SECRETS.forget()


@pytest.fixture
def login(tmp_path: Path) -> Path:
    """A log-in with a second step."""
    path = tmp_path / "login.toml"
    path.write_text(LOGIN, encoding="utf-8")
    return path


def test_a_persons_trials_name_secrets(login: Path) -> None:
    """By the name of a value, or of what one-time codes are made from; their words say no more."""
    trials = read_trials(login)
    assert secrets_in(trials) == {"SHOP_USER": "secret", "SHOP_PASSWORD": "secret", "SHOP_TOTP": "code"}
    assert "with the secret SHOP_PASSWORD" in trials[0].words()
    assert "with the one-time code of SHOP_TOTP" in trials[1].words()


def test_nobody_else_may_name_a_secret() -> None:
    """A model, or a page that talks to it, would have the operator's keys typed somewhere."""
    entry = {"why": "x", "do": [{"fill": "Note", "with": {"secret": "AWS_SECRET"}}], "expect": [{"appears": "x"}]}
    with pytest.raises(NotATrial, match="a secret is nothing that may be typed here"):
        trial_of(entry, by="model")


@pytest.mark.parametrize(
    "given", ["{ secret = 3 }", '{ secret = "A", code = "B" }', '{ password = "A" }', '{ secret = "with space" }']
)
def test_a_secret_that_is_no_name_is_told_with_its_line(tmp_path: Path, given: str) -> None:
    """The line stands in front."""
    path = tmp_path / "login.toml"
    path.write_text(
        f'[[trial]]\nwhy = "x"\ndo = [\n{{ fill = "P", with = {given} }}]\nexpect = [{{ appears = "y" }}]\n', encoding="utf-8"
    )
    with pytest.raises(UserError, match=r"login\.toml:\d: .*a secret is named as"):
        read_trials(path)


def test_the_door_is_what_the_log_in_begins_with(login: Path) -> None:
    """Both fields are there: not logged in. One alone, as in many a form, is no door."""
    box = Box(x=0, y=0, width=200, height=30)
    names = ("User", "Password")
    user, password = (
        Field(key=name, role="textbox", name=name, kind="text", node=name, selector=f"#{name}", box=box, in_view=True)
        for name in names
    )
    trials = read_trials(login)
    assert door(trials, PageModel(url="http://a", viewport=(1280, 800), fields=(user, password)))
    assert not door(trials, PageModel(url="http://a", viewport=(1280, 800), fields=(user,)))
    assert not door((), PageModel(url="http://a", viewport=(1280, 800), fields=(user, password)))


def test_what_is_missing_is_said_before_anything_is_started(login: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first secret that is not set, by its name."""
    monkeypatch.setenv("SHOP_USER", "mara-1")
    with pytest.raises(UserError, match="The secret SHOP_PASSWORD is not set"):
        read_access(Settings.model_validate({"access": {"login": login}}))


def test_http_credentials_are_named_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no name is refused without being repeated; what is no user:password, too."""
    with pytest.raises(ValidationError, match="the name of a secret"):
        Settings.model_validate({"access": {"http_credentials": "mara:harbour-tulip"}})
    monkeypatch.setenv("SHOP_HTTP", "harbour-tulip")
    with pytest.raises(UserError, match=r"The secret SHOP_HTTP is no user name and password\. Write it as user:password"):
        read_access(Settings.model_validate({"access": {"http_credentials": "SHOP_HTTP"}}))
    monkeypatch.setenv("SHOP_HTTP", "mara:harbour-tulip")
    access = read_access(Settings.model_validate({"access": {"http_credentials": "SHOP_HTTP"}}))
    assert access.auth.credentials == Credentials("SHOP_HTTP", "mara", "harbour-tulip")
    assert SECRETS.hidden("Basic bWFyYTpoYXJib3VyLXR1bGlw harbour-tulip") == "Basic ⟨SHOP_HTTP:base0⟩ ⟨SHOP_HTTP_PASSWORD⟩"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "it is not JSON"),
        ("[]", "is not as Playwright writes it"),
        ('{"cookies": [{"name": "a"}]}', r"cookies\.0\.value is not as Playwright writes it"),
        ('{"cookies": [], "origins": []}', "is empty"),
    ],
)
def test_a_storage_state_that_is_none_is_one_line(tmp_path: Path, content: str, words: str) -> None:
    """With a hint how to write one."""
    path = tmp_path / "state.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match=words) as refused:
        read_state(path)
    assert "storage_state(path=" in refused.value.hint


def test_tokens_of_a_state_are_hidden_and_plain_settings_are_not(tmp_path: Path) -> None:
    """A theme or a number in the storage is no secret; a cookie and a token in JSON are."""
    path = tmp_path / "state.json"
    stored = [{"name": "theme", "value": "dark"}, {"name": "auth", "value": json.dumps({"token": "eyJhbGciOi.J9x3", "age": 3})}]
    cookie = {"name": "sid", "value": "s3ss10n-of-mara", "domain": "127.0.0.1", "path": "/"}
    theme = {"name": "theme", "value": "darkest-of-all", "domain": "127.0.0.1", "path": "/", "httpOnly": False}
    whole = {"cookies": [cookie, theme], "origins": [{"origin": "http://127.0.0.1", "localStorage": stored}]}
    path.write_text(json.dumps(whole), encoding="utf-8")
    Auth(state=read_state(path)).keep_values()
    assert (
        SECRETS.hidden("darkest-of-all dark s3ss10n-of-mara eyJhbGciOi.J9x3 3")
        == "darkest-of-all dark ⟨COOKIE_sid⟩ ⟨STORED_auth⟩ 3"
    )
    assert list(tokens_in("https://example.org/path-1234567890")) == []


def test_an_exported_test_reads_secrets_where_it_runs(login: Path) -> None:
    """It is given the storage state, logs in by names, and holds no secret, also where the page's words hold one."""
    SECRETS.keep("SHOP_USER", "mara-1")
    trial = Trial(
        why="Greets", acts=(Press(target=Target(kind="buttons", name="Hello ⟨SHOP_USER⟩")),),
        asserts=(Appears(target=Target(kind="texts", name="Hi ⟨SHOP_USER:upper⟩")),),
    )  # fmt: skip
    source = as_playwright(
        trial, "http://127.0.0.1:1/", GettingIn(tuple(read_trials(login)), "/s.json", "SHOP_HTTP", "http://127.0.0.1:1")
    )
    compile(source, "exported.py", "exec")
    assert 'os.environ["SHOP_USER"]' in source
    assert '("Hello " + os.environ["SHOP_USER"])' in source
    assert '("Hi " + os.environ["SHOP_USER"].upper())' in source
    assert 'else pyotp.TOTP(os.environ["SHOP_TOTP"])).now()' in source
    assert 'os.environ["SHOP_HTTP"].partition(":")[0]' in source
    assert "mara-1" not in source
    assert "⟨" not in source
    assert from_environment('f("⟨COOKIE_sid⟩")') == 'f("⟨COOKIE_sid⟩")'
