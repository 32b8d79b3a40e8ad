"""Apps behind a log-in, on a small one whose server keeps the sessions: log-ins, storage states, HTTP, codes, banners."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pyotp
import pytest

from agent.run.evaluation import evaluate, prove_again
from agent.trials.written import read_trials
from agent.tryouts.trying import TriedAll, Wish, try_app
from configs.settings import Settings
from tests.integration.page.conftest import Runner, run_exported
from tests.secret_leaks import leaks_in
from tests.standins.members_app import Members, served
from tools.errors import SubjectError, UserError
from tools.evidence.record import Record
from tools.evidence.rows import ConsentAnswered, LetIn
from tools.secrets import SECRETS

pytestmark = pytest.mark.long  # a browser for each log-in

__all__ = ["run_exported"]
USER, PASSWORD = "mara-Kq81x", 'p&7"Xw\\q9-Trk'
LOGIN = """
[[trial]]
why = "A member logs in"
do = [{ fill_form = { "User name" = { secret = "SHOP_USER" }, "Password" = { secret = "SHOP_PASSWORD" } }, submit = "Log in" }]
expect = [{ appears = "EXPECTED" }]
"""
CODE = """
[[trial]]
why = "The second step"
do = [{ fill = "One-time code", with = { code = "SHOP_TOTP" } }, { press = "Continue" }]
expect = [{ appears = "Log out" }]
"""
TRIALS = """
[[trial]]
why = "A note that is added stands in the list"
do = [{ fill_form = { "New note" = "Water plants" }, submit = "Add note" }]
expect = [{ contains = "Water plants", in = "Notes" }]
"""


@pytest.fixture(autouse=True)
def the_shops_secrets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Right ones, in the environment; none of another test is hidden."""
    SECRETS.forget()
    monkeypatch.setenv("SHOP_USER", USER)
    monkeypatch.setenv("SHOP_PASSWORD", PASSWORD)
    yield
    SECRETS.forget()


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The trials that log in, with a code and without, and those that are tried."""
    made = {
        "login": LOGIN.replace("EXPECTED", "Log out"),
        "codes": LOGIN.replace("EXPECTED", "One more step") + CODE,
        "trials": TRIALS,
    }
    for name, text in made.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return {name: tmp_path / f"{name}.toml" for name in made}


async def tried(url: str, files: dict[str, Path], run: Path, export: Path | None = None, **access: Any) -> TriedAll:
    """A note added behind the log-in."""
    settings = Settings.model_validate({"access": access, "rhythm": 0})
    return await try_app(url, read_trials(files["trials"]), settings, Wish(export=export, out=run))


async def test_who_logs_in_is_evaluated_behind_it(
    files: dict[str, Path], tmp_path: Path, run_exported: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a wrong password one line says so; with the right one the trial holds, and its exported test logs in by names."""
    with served(Members({USER: PASSWORD}, echoes=True)) as url:
        monkeypatch.setenv("SHOP_PASSWORD", "not the password")
        with pytest.raises(
            UserError, match=r"The log-in did not work: .*login\.toml, trial 1: the text \"Log out\" appears: violated"
        ):
            await tried(url, files, tmp_path / "wrong", login=files["login"])
        SECRETS.forget()
        monkeypatch.setenv("SHOP_PASSWORD", PASSWORD)
        done = await tried(url, files, tmp_path / "run", tmp_path / "tests", login=files["login"])
        assert [trial.record.result for trial in done.trials] == ["held"]
        let_in = [body for _, body in Record.read(done.run_dir).of(LetIn)]
        assert [(trial.how, trial.secrets) for trial in let_in] == [(("log-in",), ("SHOP_USER", "SHOP_PASSWORD"))]
        source = next((tmp_path / "tests").glob("*.py")).read_text(encoding="utf-8")
        monkeypatch.setenv("SHOP_USER", USER)
        monkeypatch.setenv("SHOP_PASSWORD", PASSWORD)
        assert run_exported(source) == ""
        monkeypatch.setenv("SHOP_PASSWORD", "not the password")
        assert run_exported(source) != ""
    assert leaks_in(tmp_path / "run", [USER, PASSWORD]) == []
    assert leaks_in(tmp_path / "tests", [USER, PASSWORD]) == []


async def test_a_session_from_a_file_is_put_in_before_the_first_page(files: dict[str, Path], tmp_path: Path) -> None:
    """One that the server knows lets in, and its cookie is in no file; one that it does not know is one line."""
    app, sid = Members({USER: PASSWORD}), secrets.token_urlsafe(18)
    app.sessions[sid] = USER
    with served(app) as url:
        state = tmp_path / "state.json"
        cookie = {
            "name": "sid",
            "value": sid,
            "domain": "127.0.0.1",
            "path": "/",
            "expires": -1,
            "httpOnly": True,
            "secure": False,
        }
        stored = {"origin": url.rstrip("/"), "localStorage": [{"name": "consent", "value": "none"}]}
        state.write_text(json.dumps({"cookies": [{**cookie, "sameSite": "Lax"}], "origins": [stored]}), encoding="utf-8")
        done = await tried(url, files, tmp_path / "run", storage_state=state)
        assert [trial.record.result for trial in done.trials] == ["held"]
        assert leaks_in(tmp_path / "run", [sid]) == []
        app.sessions.clear()
        with pytest.raises(UserError, match=r"state\.json does not log in: the app asks for a password\."):
            await tried(url, files, tmp_path / "over", storage_state=state)
    assert app.logins == 0


async def test_http_credentials_are_given_to_who_asks(
    files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without them, and with wrong ones, one line; with the right ones, and a log-in behind them, the trial holds."""
    with served(Members({USER: PASSWORD}, http="gate:harbour-Tulip-47")) as url:
        with pytest.raises(SubjectError, match=r"asks for a user name and a password \(status 401\)\. --http-credentials NAME"):
            await tried(url, files, tmp_path / "none")
        monkeypatch.setenv("SHOP_GATE", "gate:wrong-password")
        with pytest.raises(SubjectError, match="refuses the user name and password of the secret SHOP_GATE"):
            await tried(url, files, tmp_path / "wrong", http_credentials="SHOP_GATE")
        SECRETS.forget()
        monkeypatch.setenv("SHOP_GATE", "gate:harbour-Tulip-47")
        done = await tried(url, files, tmp_path / "run", http_credentials="SHOP_GATE", login=files["login"])
        assert [trial.record.result for trial in done.trials] == ["held"]
    assert leaks_in(tmp_path / "run", ["harbour-Tulip-47", PASSWORD]) == []


async def test_a_one_time_code_is_typed_and_hidden(
    files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second step of a log-in; neither the code nor what it is made from is in a file."""
    key = pyotp.random_base32()
    monkeypatch.setenv("SHOP_TOTP", key)
    app = Members({USER: PASSWORD}, totp_key=key)
    with served(app) as url:
        done = await tried(url, files, tmp_path / "run", login=files["codes"])
    assert [trial.record.result for trial in done.trials] == ["held"]
    assert (app.logins, app.refused) == (1, 0)
    assert leaks_in(tmp_path / "run", [USER, PASSWORD, key, *app.codes]) == []


@pytest.mark.parametrize(
    ("kind", "pressed", "answer"),
    [
        ("docked", "Reject all", "refused"),
        ("dialog", "Nur notwendige Cookies", "refused"),
        ("shadow", "OK, j'ai compris", "accepted"),
    ],
)
async def test_a_banner_is_answered_once(
    files: dict[str, Path], tmp_path: Path, kind: Literal["docked", "dialog", "shadow"], pressed: str, answer: str
) -> None:
    """Docked at an edge, a dialog over the page in another language, inside of a shadow root with nothing to refuse."""
    with served(Members({USER: PASSWORD}, consent=kind)) as url:
        done = await tried(url, files, tmp_path / "run", login=files["login"])
        assert [trial.record.result for trial in done.trials] == ["held"]
        answered = [body for _, body in Record.read(done.run_dir).of(ConsentAnswered)]
        assert [(trial.pressed, trial.answer) for trial in answered] == [(pressed, answer)]


async def test_a_banner_that_comes_late_is_answered_before_anything_is_tried(tmp_path: Path) -> None:
    """After the first impression, and again wherever the app is opened as for the first time."""
    settings = Settings.model_validate({"budget": {"max_acts": 2, "prove": False}, "recording": {"capture": "none"}})
    with served(Members({USER: PASSWORD}, consent="late")) as url:
        await evaluate(url, "A list of notes for members", settings, run_dir=tmp_path / "run")
    answered = [body for _, body in Record.read(tmp_path / "run").of(ConsentAnswered)]
    assert [(item.pressed, item.answer) for item in answered] == [("Reject all", "refused")] * 2


@pytest.mark.timeout(900)
async def test_no_file_of_a_whole_evaluation_holds_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the app tells again, in text, attributes, addresses, storage, the console, an error.

    The fault behind the log-in is proved in a fresh browser that logs in, too, and again by `prove`, which gets the secrets anew.
    """
    user, password, gate = (f"{word}-{secrets.token_hex(4)}\"&'\\{secrets.token_urlsafe(6)}" for word in ("User", "pass", "gate"))
    user, key = user.replace("'", "").replace('"', "").replace("\\", "").replace("&", ""), pyotp.random_base32()
    told = {"SHOP_USER": user, "SHOP_PASSWORD": password, "SHOP_TOTP": key, "SHOP_GATE": f"door:{gate}"}
    file = tmp_path / "keys.env"
    file.write_text("".join(f"{name}={json.dumps(value)}\n" for name, value in told.items()), encoding="utf-8")
    login = tmp_path / "login.toml"
    login.write_text(LOGIN.replace("EXPECTED", "One more step") + CODE, encoding="utf-8")
    app = Members({user: password}, totp_key=key, http=f"door:{gate}", consent="docked", echoes=True, loses=True)
    access = {"login": login, "secrets": file, "http_credentials": "SHOP_GATE"}
    settings = Settings.model_validate({"access": access, "budget": {"max_acts": 6}})
    with served(app) as url:
        result = await evaluate(
            url, "A list of notes: members log in and add notes, which stand in the list", settings, run_dir=tmp_path / "run"
        )
        assert result.verdict is not None
        proved = [failure for failure in result.verdict.failures if failure.proof.status == "confirmed" and failure.proof.script]
        assert proved, result.verdict.model_dump_json(indent=1)
        SECRETS.forget()
        proofs, _ = await prove_again(tmp_path / "run")
        assert "confirmed" in {failure.status for failure in proofs.values()}
    assert leaks_in(tmp_path / "run", [user, password, key, gate, *app.codes, *app.sessions]) == []
    assert app.refused == 0
