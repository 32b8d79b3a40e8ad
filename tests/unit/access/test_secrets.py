"""Secrets: hidden in every form, revealed again, read by name, too short ones refused, one-time codes given out once."""

from __future__ import annotations

import base64
import html
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import pyotp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyotp.totp import TOTP

from tools import one_time_codes
from tools.errors import UserError
from tools.one_time_codes import one_time_code, totp_of
from tools.secrets import SECRETS, SHORTEST, Secrets, read_secrets

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=8, max_size=24).filter(
    lambda item: "⟨" not in item
)


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    """No secret of one test is hidden in another."""
    SECRETS.forget()
    yield
    SECRETS.forget()


@given(secret=TEXT, before=st.text(max_size=6), after=st.text(max_size=6))
def test_no_form_of_a_secret_is_left(secret: str, before: str, after: str) -> None:
    """As it is, in an address, JSON, HTML and base64 at any place: its name stands there instead."""
    kept = Secrets()
    kept.keep("NAME", secret)
    around = f"{before}{secret}{after}"
    written = [
        around, quote(around), quote_plus(around), html.escape(around), json.dumps(around),
        json.dumps(around, ensure_ascii=False),
        quote(around, safe="/?:@&=+$,#-_"), quote(around, safe="!$%&()*+,-./:;=?@[\\]^_`{|}~"),
        base64.b64encode(around.encode()).decode(), base64.urlsafe_b64encode(around.encode()).decode(), secret.upper(),
    ]  # fmt: skip
    for text in written:
        hidden = kept.hidden(text)
        assert "⟨NAME" in hidden, text
        assert secret not in hidden


@given(secret=TEXT, words=st.lists(st.text(st.characters(exclude_characters="⟨⟩"), max_size=10), max_size=4))
def test_what_goes_back_into_the_page_is_the_secret_again(secret: str, words: list[str]) -> None:
    """Hiding can be undone: a selector that holds a secret finds its part."""
    kept = Secrets()
    kept.keep("NAME", secret)
    value = {"selector": f"#u-{secret} > a", "words": [*words, secret.upper(), quote(secret)], secret: 3}
    assert kept.revealed_in(kept.hidden_in(value)) == value


def test_what_holds_no_secret_is_the_very_same() -> None:
    """Nothing is copied where nothing is hidden: page models are large."""
    kept = Secrets()
    kept.keep("NAME", "harbour-tulip-47")
    value = {"a": ["b", {"c": 1}]}
    assert kept.hidden_in(value) is value


def test_a_secret_too_short_to_be_kept_out_is_refused() -> None:
    """Three letters stand in every other word of a page."""
    with pytest.raises(UserError, match=r"The secret PIN has 3 characters"):
        Secrets().keep("PIN", "a" * (SHORTEST - 1))


def test_secrets_come_from_the_key_file_then_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key file goes first; what came from the environment is taken out of it, so that no child has it."""
    file = tmp_path / "keys.env"
    file.write_text("# of the shop\nSHOP_PASSWORD='from the file'\n", encoding="utf-8")
    monkeypatch.setenv("SHOP_PASSWORD", "from the environment")
    monkeypatch.setenv("SHOP_USER", "mara")
    assert read_secrets(["SHOP_USER", "SHOP_PASSWORD"], file) == {"SHOP_USER": "mara", "SHOP_PASSWORD": "from the file"}
    assert "SHOP_USER" not in os.environ


def test_a_missing_secret_is_named_in_one_line(tmp_path: Path) -> None:
    """And so is a key file that can't be read."""
    with pytest.raises(UserError, match=r"^The secret NOWHERE_TO_BE_FOUND is not set\. Put it into the environment"):
        read_secrets(["NOWHERE_TO_BE_FOUND"], None)
    with pytest.raises(UserError, match=r"The key file .*none\.env can't be read: No such file"):
        read_secrets(["ANY"], tmp_path / "none.env")


async def test_a_one_time_code_is_given_out_once_and_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one is of the next period, which is waited for; both are hidden."""
    key, now_s, slept = pyotp.random_base32(), [1_000_000_005.0], list[float]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now_s[0] += seconds

    monkeypatch.setattr(one_time_codes.asyncio, "sleep", sleep)
    monkeypatch.setattr(time, "time", lambda: now_s[0])
    monkeypatch.setattr(TOTP, "now", lambda self: self.at(int(now_s[0])))
    SECRETS.keep("TOTP", key)
    first, second = await one_time_code("TOTP"), await one_time_code("TOTP")
    assert first != second
    assert second == TOTP(key).at(int(now_s[0]))
    assert 0 < sum(slept) <= 31
    assert first not in SECRETS.hidden(f"code {first}")
    assert second not in SECRETS.hidden(f"code {second}")


@pytest.mark.parametrize("value", ["not base32!", "otpauth://hotp/a?secret=JBSWY3DPEHPK3PXP&counter=1", "otpauth://nothing"])
def test_what_gives_no_codes_is_refused(value: str) -> None:
    """In one line that names the secret and not its value."""
    with pytest.raises(UserError) as refused:
        totp_of("TOTP", value)
    assert str(refused.value).startswith("The secret TOTP gives no one-time codes.")
    assert value not in str(refused.value)
