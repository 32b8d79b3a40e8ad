"""The role table: which model serves a role, how it is reached, and what is known of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, SecretStr

from tools import keys
from tools.models.protocol import Role
from tools.models.trouble import NoModel

OFFLINE_WAY = "Without a model: --decider library --judge rubric (the default)."


class Known(BaseModel):
    """What is stated of models whose name matches; None is not stated and has to be probed or assumed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    match: str
    pictures: bool | None = None
    video: bool | None = None
    sound: bool | None = None
    schema_: Literal["native", "tool", "text"] | None = None
    tools: bool | None = None
    forces: bool = True
    context_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True)
class Spec:
    """One model as a role uses it."""

    provider: str
    wire: Literal["anthropic", "openai"]
    name: str
    base_url: str
    max_tokens: int
    temperature: float | None
    key_variable: str
    needs_key: bool
    known: Known

    @property
    def id(self) -> str:
        """`provider:name`: as prices, budgets and the ledger call it."""
        return f"{self.provider}:{self.name}"

    @property
    def endpoint(self) -> str:
        """Scheme and host it is sent to; the vendor's name where that is left to its SDK."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc}" if self.base_url else self.provider

    def key(self, environment: Mapping[str, str] | None = None) -> SecretStr:
        """The key, from where `tools.keys` finds it. Raises `NoModel` with the model-free way where one is needed."""
        found = keys.key(self.key_variable) if environment is None else environment.get(self.key_variable, "").strip()
        if found:
            return SecretStr(found)
        if self.needs_key and not _local(self.base_url):
            raise NoModel(
                f"{self.id} needs a key and {self.key_variable} is not set.",
                hint=f"Set {self.key_variable}, or {self.key_variable}_FILE. {OFFLINE_WAY}",
            )
        return SecretStr("none-needed")


class RoleTable:
    """Roles and their models, from `configs/models.toml` and what a run was told.

    `model` serves every role that `roles` does not name. Both are `provider:name[@base-url]`; `base_url` is for those without.
    """

    def __init__(self, model: str, roles: Mapping[str, str] | None = None, base_url: str = "") -> None:
        self._model = model
        self._roles = dict(roles or {})
        self._base_url = base_url
        for role in self._roles:
            if role not in get_args(Role):
                raise NoModel(f"{role!r} is no role.", hint=f"There are: {', '.join(get_args(Role))}.")
        for given in (*filter(None, [model]), *self._roles.values()):
            _split(given)

    def spec(self, role: str) -> Spec:
        """The model of a role. Raises `NoModel` when none is configured."""
        given = self._roles.get(role) or self._model
        if not given:
            raise NoModel(
                f"No model is set for {role}.", hint=f"--model PROVIDER:NAME or --role-model {role}=PROVIDER:NAME. {OFFLINE_WAY}"
            )
        provider, name, own_url = _split(given)
        table = _table()
        row: dict[str, Any] = table["providers"][provider]
        limits: dict[str, Any] = table["roles"].get(role, {})
        base_url = own_url or self._base_url or str(row.get("base_url", ""))
        return Spec(
            provider=provider,
            wire=row["wire"],
            name=name,
            base_url=_checked_url(base_url),
            max_tokens=int(limits.get("max_tokens", 2000)),
            temperature=limits.get("temperature"),
            key_variable=str(row.get("key", f"{provider.upper()}_API_KEY")),
            needs_key=bool(row.get("needs_key", False)),
            known=_known(name),
        )


def _split(given: str) -> tuple[str, str, str]:
    provider, colon, rest = given.partition(":")
    name, at, url = rest.rpartition("@http")
    name, url = (name, f"http{url}") if at else (rest, "")
    providers = _table()["providers"]
    if not colon or not name or provider not in providers:
        raise NoModel(
            f"{given!r} names no model.",
            hint=f"Write PROVIDER:NAME, for example openai:gpt-4o; providers: {', '.join(providers)}.",
        )
    return provider, name, url


def _checked_url(url: str) -> str:
    """A base URL without credentials in it: it is written into the ledger."""
    if not url:
        return ""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NoModel(f"{url!r} is no base URL.", hint="For example: http://127.0.0.1:8000/v1")
    if parts.username or parts.password or parts.query:
        raise NoModel(
            "The base URL holds credentials, which would be written into the run.", hint="Put the key into the environment."
        )
    return url


def _local(url: str) -> bool:
    return (urlsplit(url).hostname or "") in ("127.0.0.1", "localhost", "::1")


def _known(name: str) -> Known:
    for row in _table()["models"]:
        if fnmatchcase(name.rpartition("/")[2], row["match"]):
            return Known(**{"schema_" if key == "schema" else key: value for key, value in row.items()})
    return Known(match="*", video=False, sound=False)


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((files("configs") / "models.toml").read_text(encoding="utf-8"))
