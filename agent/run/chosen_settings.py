"""Settings as a person or a client asked for them; what is wrong with them is said in one line, with what would be right."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from tools.errors import UserError

if TYPE_CHECKING:
    from pydantic import ValidationError

    from configs.settings import Settings

UNSAID = frozenset({"access.http_credentials"})
HINT = "See configs/settings.py for what is allowed."


def chosen(profile: str | None, options: dict[str, Any]) -> Settings:
    """Settings from a profile, the environment and `options`, nested as in `Settings`. Raises `UserError`."""
    from pydantic import ValidationError  # noqa: PLC0415 - verbs answer before the settings are loaded

    from configs.settings import load  # noqa: PLC0415

    try:
        return load(profile, options)
    except ValidationError as error:
        raise refusal(error) from error
    except OSError as error:
        raise UserError(f"The profile {profile} can't be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise UserError(str(error)) from error


def refusal(error: ValidationError) -> UserError:
    """What is wrong with the first setting that does not fit: its name, what it takes, what was given."""
    from configs.settings import REMOVED  # noqa: PLC0415

    first = error.errors()[0]
    names = _names(first["loc"])
    where = ".".join(names)
    if first["type"] == "extra_forbidden":
        if where in REMOVED:
            return UserError(f"There is no setting {where} any more.", hint=REMOVED[where][0].upper() + REMOVED[where][1:] + ".")
        near = _near(names)
        return UserError(f"There is no setting {where}.", hint=f"Did you mean {near}?" if near else HINT)
    # A setting of several kinds has a complaint of each.
    same = [error_details for error_details in error.errors() if _names(error_details["loc"]) == names]
    takes = ", or ".join(dict.fromkeys(error_details["msg"].removeprefix("Value error, ") for error_details in same))
    # What was given in place of a secret's name may be the secret.
    given = "" if where in UNSAID else f", not {first['input']!r}"
    return UserError(f"Setting {where}: {takes}{given}.", hint=HINT)


def _names(loc: tuple[str | int, ...]) -> list[str]:
    """The setting's path; what comes behind it names the kind of value that was tried."""
    from configs.settings import Settings  # noqa: PLC0415

    names: list[str] = []
    model: Any = Settings
    for part in loc:
        names.append(str(part))
        known = model.model_fields.get(str(part))
        model = known.annotation if known is not None else None
        if not hasattr(model, "model_fields"):
            break
    return names


def _near(names: list[str]) -> str:
    """The setting that may have been meant; empty if none is near."""
    from configs.settings import Settings  # noqa: PLC0415

    model: Any = Settings
    for name in names[:-1]:
        model = model.model_fields[name].annotation
    close = difflib.get_close_matches(names[-1], model.model_fields, n=1)
    return ".".join([*names[:-1], *close]) if close else ""
