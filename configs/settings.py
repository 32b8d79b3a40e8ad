"""Settings of a run: defaults, then a profile, then the environment (`ASSAY_…`), then the command line."""

from __future__ import annotations

import os
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict


class Size(BaseModel):
    """A viewport in CSS pixels."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    width: int = Field(ge=100, le=4096)
    height: int = Field(ge=100, le=4096)


REMOVED = {
    "budget.explore_s": "the exploration is bounded by budget.max_acts and, in app seconds, by budget.explore_app_s",
    "budget.max_steps": "the exploration is bounded by budget.max_acts",
    "budget.max_trial_acts": "the exploration is bounded by budget.max_acts",
    "second_round": "every trial is made in every state, as long as there are acts",
    "budget.total_s": "wall time is bounded by budget.watchdog_s alone",
    "budget.prove_s": "proofs always get the time they need: budget.prove = false leaves them out",
    "models.think_s": "app time stands while a model thinks, and no budget of the exploration is wall time",
}
"""Settings that there were once → what took their place."""


class Budget(BaseModel):
    """What one evaluation may spend: acts and app time, so that a busy machine does what an idle one does."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_acts: int = Field(default=100, ge=0, le=2000)
    """Acts of the exploration's trials. A whole form filled is one, and so is a trial that only looks."""
    max_states: int = Field(default=16, ge=0, le=200)
    """Later states of the page that are audited as the first one is. An audit takes no act and no app time."""
    explore_app_s: float = Field(default=600.0, gt=0)
    """App seconds after which the exploration is concluded. An act takes some 1 to 4 of them, one that watches a timer up to 60:
    the acts are what ends an exploration, this bounds one whose every act waits."""
    prove: bool = True
    """Meet what the app is accused of again in a fresh browser. Without it nothing that was seen in use takes points."""
    prove_watchdog_s: float = Field(default=900.0, ge=60)
    """Wall seconds after which proving is broken off. Proofs are bounded by acts: a failure's trial is
    made again by the shortest way, and after all that was done before it; on an idle machine seldom more than a minute."""
    watchdog_s: float = Field(default=1200.0, ge=60)
    """Wall seconds, without what a model thought and a person paused, after which the exploration is broken off: sealed as it
    stands and called incomplete. 100 acts take some 2 minutes on an idle machine; one ten times slower still ends by its acts."""

    memory_mb: int = Field(default=3000, ge=500)
    """Memory of the browser (its processes' proportional share); a page that takes more is ended and has crashed."""
    disk_mb: int = Field(default=1000, ge=50)
    """What the browser may store; a page is offered a tenth of it, and one that gets past all of it has crashed."""


class Timeouts(BaseModel):
    """Upper bounds of single waits, in wall-clock seconds. Nothing waits longer than its bound."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    install_s: float = Field(default=240.0, gt=0)
    """Installing a project's packages."""
    server_start_s: float = Field(default=60.0, gt=0)
    """Until a project's own server answers."""
    launch_s: float = Field(default=30.0, gt=0)
    """Until the browser can be talked to."""
    navigate_s: float = Field(default=20.0, gt=0)
    """Until an address has answered with a document."""
    settle_s: float = Field(default=6.0, gt=0)
    """Longest wait for 'network quiet and frames stable' after a navigation."""
    settle_action_s: float = Field(default=1.5, gt=0)
    """The same after an action."""
    command_s: float = Field(default=8.0, gt=0)
    """One browser command; a page that does not answer in this time is hung."""


class SandboxLimits(BaseModel):
    """What a project's programs may use up, all of them together. Breaking one ends the project, and says so."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory_mb: int = Field(default=4096, ge=64)
    processes: int = Field(default=1024, ge=16)
    """Threads count: Node.js alone has eleven."""
    folder_mb: int = Field(default=4096, ge=16)
    folder_files: int = Field(default=400_000, ge=100)
    log_mb: int = Field(default=16, ge=1)


class Recording(BaseModel):
    """How the session is captured."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    capture: Literal["auto", "x11", "screencast", "none"] = "auto"
    """`x11`: Xvfb, x11grab and PulseAudio; `screencast`: CDP frames without sound; `auto`: the best there is."""
    fps: int = Field(default=30, ge=1, le=60)
    crf: int = Field(default=23, ge=0, le=51)
    sound: bool = True


class ModelSettings(BaseModel):
    """Which language models serve which roles, and what they may cost. Keys come from the environment and are never written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = ""
    """`provider:name[@base-url]` for every role that has none of its own; empty: no model."""
    base_url: str = ""
    """Where models are reached that name no address."""
    roles: dict[str, str] = {}
    """Role → `provider:name[@base-url]`."""
    run_usd: float | None = Field(default=None, gt=0)
    """US dollars that one evaluation may spend; None: no limit."""
    run_tokens: int | None = Field(default=3_000_000, gt=0)
    """Tokens in and out that one evaluation may use; None: no limit."""
    stage_usd: dict[str, float] = {}
    """Budgets of the stages `explore`, `judge` and `probe`, in US dollars."""
    stage_tokens: dict[str, int] = {}
    """The same in tokens."""
    batch_usd: float | None = Field(default=None, gt=0)
    """US dollars that a whole batch may spend; None: no limit."""
    batch_file: Path | None = None
    """Where the evaluations of a batch add up what they spend."""
    prices: dict[str, tuple[float, float]] = {}
    """`provider:name` → US dollars per million tokens in, out; goes before `configs/prices.toml`."""
    cassette: Path | None = None
    """A folder of recorded replies."""
    cassette_mode: Literal["auto", "play", "record"] = "auto"
    at_once: int = Field(default=8, ge=1, le=64)
    """Requests at once at most; fewer where an endpoint is crowded."""
    tries: int = Field(default=4, ge=1, le=10)
    """How often a request is sent in all, where an endpoint is crowded or fails for a moment."""
    backoff_s: float = Field(default=0.5, ge=0, le=60)
    """Seconds before the second try, twice as many before each further one, unless the endpoint names its own."""
    first_s: float = Field(default=60.0, gt=0)
    """Wall seconds until a reply begins."""
    gap_s: float = Field(default=30.0, gt=0)
    """Between two pieces of it."""
    total_s: float = Field(default=180.0, gt=0)
    """Until it is whole."""
    decide_s: float = Field(default=120.0, gt=0, le=280)
    """For one offer of trials, all its questions together; past it relations go on alone."""

    @field_validator("model", "base_url", "roles")
    @classmethod
    def _without_credentials(cls, given: str | dict[str, str]) -> str | dict[str, str]:
        """Settings are written into the ledger; keys must not be."""
        for text in given.values() if isinstance(given, dict) else [given]:
            if re.search(r"//[^/\s]*@", text):
                raise ValueError(
                    "an address holds credentials, which would be written into the run; put the key into the environment"
                )
        return given


class Access(BaseModel):
    """How the browser gets into the app. Secrets are named here, never told: they come from the environment or a key file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    storage_state: Path | None = None
    """A file of Playwright's: cookies and storage, put in before the first navigation."""
    login: Path | None = None
    """A file of trials that log in, before anything is recorded; in a fresh browser again where that is not logged in."""
    http_credentials: str = ""
    """Name of the secret `user:password` for HTTP authentication, given to the app's own origin only."""
    secrets: Path | None = None
    """A key file: lines `NAME=value`, read before the environment."""
    consent: bool = True
    """Answer a banner about cookies or consent once, unless the brief asks for one."""

    @field_validator("storage_state", "login", "secrets")
    @classmethod
    def _from_anywhere(cls, given: Path | None) -> Path | None:
        """The run may be gone on with from another folder."""
        return given.expanduser().absolute() if given is not None else None

    @field_validator("http_credentials")
    @classmethod
    def _a_name(cls, given: str) -> str:
        """The settings are written into the ledger: what is no name may be the secret itself, which an error must not repeat."""
        if given and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,80}", given):
            raise ValueError("Input should be the name of a secret, as SHOP_HTTP, not the secret")
        return given


class Settings(BaseSettings):
    """Everything that can be set for one evaluation."""

    model_config = SettingsConfigDict(
        env_prefix="ASSAY_", env_nested_delimiter="__", frozen=True, extra="forbid", nested_model_default_partial_update=True
    )

    seed: int = 0
    decider: str = "library"
    """Who offers trials. `library`: relations alone; `chat`: a language model beside them; `chat:step`: it
    alone, one act a decision, as in protocols that were published; `replay:RUN`: what another run tried;
    `scripted:FILE`: the trials of a file."""
    judge: Literal["rubric", "chat", "panel"] = "rubric"
    trust_table: Path | None = None
    """What `assay calibrate trust` measured: relations and probes that were not right often enough take no points."""
    judge_input: Literal["whole", "three-screenshots", "screenshot"] = "whole"
    """What a chat judge sees; the latter two are baselines."""
    votes: int = Field(default=1, ge=1, le=9)
    abstain_below: float = Field(default=0.4, ge=0, le=1)
    """A chat judge abstains below this confidence."""
    referees: tuple[str, ...] = ()
    """Of a panel: each `provider:name`, or `rubric`."""
    clock: Literal["auto", "held", "page", "wall"] = "auto"
    pace: Literal["auto"] | Annotated[float, Field(ge=0.05, le=16)] = "auto"
    """App seconds per wall second: `auto` runs as fast as everything keeps up where nothing is done but waiting, else at 1.

    Any other pace than 1 needs the held clock.
    """
    seeded: bool = True
    """What pages draw by chance (`Math.random`, `crypto`) follows from `seed`."""
    coverage: bool = True
    """Which of the app's own code runs is read after every act; without, the verdict says that it was not measured."""
    network: Literal["none", "cdn", "open"] = "cdn"
    access: Access = Access()
    private_addresses: bool = True
    """Whether a subject given by URL may lie on this machine or in one of its own networks; `serve --no-private` says no."""
    hands: Literal["auto", "xtest", "cdp"] = "auto"
    """`xtest`: real pointer and keyboard of the run's display; `cdp`: events through the browser; `auto`: the best there is."""
    rhythm: float = Field(default=0.5, ge=0, le=10)
    """Human pauses and movement times are multiplied by this; 0 acts without waiting, still with every intermediate move.

    1 is the quickest tenth of typists (CHI 2018), half of it a practised person in a hurry. More than half of the wall time of an
    exploration was the hands' (the demo, 2026-11).
    """
    allow_install_scripts: bool = False
    sandbox: SandboxLimits = SandboxLimits()
    trust_project: bool = False
    """Projects, and answers that are projects, run outside of a sandbox, with the rights of whoever runs Assay."""
    runs_dir: Path = Path("recordings")
    viewport: Size = Size(width=1280, height=800)
    mobile: Size = Size(width=390, height=844)
    budget: Budget = Budget()
    timeouts: Timeouts = Timeouts()
    recording: Recording = Recording()
    models: ModelSettings = ModelSettings()

    @field_validator("decider")
    @classmethod
    def _known_decider(cls, given: str) -> str:
        if not re.fullmatch(r"library|chat(:step)?|(replay|scripted):.+", given):
            raise ValueError("Input should be library, chat, chat:step, replay:RUN or scripted:FILE")
        return given

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The command line (init) wins over the environment; files are merged in by `load`."""
        del settings_cls, dotenv_settings, file_secret_settings
        return init_settings, env_settings


_OWN = ("trust_project", "sandbox")


def of_record(told: dict[str, Any]) -> Settings:
    """The settings a run was made with, also one made when there were those in `REMOVED`. Raises pydantic's `ValidationError`.

    Whether a project is trusted, and what it may use up, is never taken from a run's folder, which may be a stranger's: that is
    as this machine's environment says.
    """
    kept = {
        key: {inner: item for inner, item in value.items() if f"{key}.{inner}" not in REMOVED}
        if isinstance(value, dict)
        else value
        for key, value in told.items()
        if key not in _OWN and key not in REMOVED
    }
    here = EnvSettingsSource(Settings)()
    return Settings.model_validate(kept | {key: here[key] for key in _OWN if key in here})


def profiles() -> list[str]:
    """Names of the profiles that ship with Assay."""
    folder = files("configs") / "profiles"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def load(profile: str | None = None, overrides: dict[str, Any] | None = None) -> Settings:
    """Settings for a run.

    `profile` is the name of a shipped profile or the path of a TOML file; `overrides` are nested keys from the command
    line. Raises `ValueError` for an unknown profile or variable, `OSError` for a file that cannot be read and pydantic's
    `ValidationError` for a bad value.
    """
    chosen = _read_profile(profile) if profile else {}
    _refuse_unknown_variables()
    return Settings(**merged(merged(chosen, EnvSettingsSource(Settings)()), overrides or {}))


def _refuse_unknown_variables() -> None:
    """A misspelt `ASSAY_…` would otherwise be passed over in silence."""
    prefix = Settings.model_config.get("env_prefix", "")
    for name in os.environ:
        field = name.upper().removeprefix(prefix).split("__")[0].lower()
        if name.upper().startswith(prefix) and field not in Settings.model_fields:
            raise ValueError(
                f"{name} is no setting; there are: {', '.join(prefix + key.upper() for key in Settings.model_fields)}."
            )


def _read_profile(profile: str) -> dict[str, Any]:
    if profile.endswith(".toml"):
        try:
            return tomllib.loads(Path(profile).read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"The profile {profile} can't be read as TOML: {error}.") from error
    if profile not in profiles():
        raise ValueError(
            f"There is no profile called {profile!r}. There are: {', '.join(profiles())}; a file's name ends in .toml."
        )
    return tomllib.loads((files("configs") / "profiles" / f"{profile}.toml").read_text(encoding="utf-8"))


def merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Nested values with others laid over them."""
    both = dict(base)
    for key, value in over.items():
        inner = both.get(key)
        both[key] = merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return both
