"""One-time codes (TOTP, RFC 6238) of secrets, each given out once: servers refuse a code that was used."""

from __future__ import annotations

import asyncio
import binascii
import time

from pyotp import parse_uri
from pyotp.totp import TOTP

from tools.errors import UserError
from tools.secrets import SECRETS

LEFT_S = 3.0
"""A code that is good for less long is not begun to be typed."""
LONGEST_S = 120.0
"""Period of a code at most: nobody waits longer for the next one."""
_used: dict[str, str] = {}


def totp_of(name: str, value: str) -> TOTP:
    """The generator that a secret is for: a key in base32, or an `otpauth://totp/…` address. Raises `UserError`."""
    try:
        made = parse_uri(value) if value.startswith("otpauth:") else TOTP("".join(value.split()).upper())
        if isinstance(made, TOTP) and 0 < made.interval <= LONGEST_S and made.now():
            return made
    except (ValueError, binascii.Error):
        pass
    hint = "It should be a key in base32, or an otpauth://totp/… address."
    raise UserError(f"The secret {name} gives no one-time codes.", hint=hint)


async def one_time_code(name: str) -> str:
    """The code of now, or of the next period where that one was used or is about to end; it is a secret itself.

    Waits a period at most. Raises `UserError` for a secret that nobody gave, or that gives no codes.
    """
    totp = totp_of(name, SECRETS.value(name))
    left_s = totp.interval - time.time() % totp.interval
    if left_s < LEFT_S or totp.now() == _used.get(name):
        await asyncio.sleep(left_s + 0.1)
    code = _used[name] = totp.now()
    SECRETS.keep_also(f"{name}_CODE_{int(time.time()) // totp.interval}", code)
    return code
