"""What a model is asked and what it answers, whoever serves it: frozen values and one protocol."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pydantic import BaseModel

from prompts import Prompt, Safe

Role = Literal[
    "decider",
    "planner",
    "static_reader",
    "problem_finder",
    "scorer",
    "checklist_writer",
    "brief_analyst",
    "diagram",
    "builder",
    "test_writer",
]
"""Rows of the role table in `configs/models.toml`: each can have a model of its own."""


@dataclass(frozen=True)
class Text:
    """Words. Foreign ones are inside a fence: the type is `Safe`, made by `prompts.ours`, `prompts.fenced`, `prompts.joined`."""

    text: Safe


@dataclass(frozen=True)
class Picture:
    """A picture (PNG, JPEG or WebP bytes). `label` (our words) is put before it as text; sizes are pixels, 0 if unknown."""

    data: bytes = field(repr=False)
    label: Safe
    media_type: str = "image/png"
    width: int = 0
    height: int = 0


@dataclass(frozen=True)
class Video:
    """A video (MP4 bytes), for models whose capabilities say that they take one."""

    data: bytes = field(repr=False)
    label: Safe
    media_type: str = "video/mp4"
    seconds: float = 0.0


@dataclass(frozen=True)
class Sound:
    """A sound track (WAV or MP3 bytes), for models whose capabilities say that they take one."""

    data: bytes = field(repr=False)
    label: Safe
    media_type: str = "audio/wav"
    seconds: float = 0.0


Part = Text | Picture | Video | Sound


@dataclass(frozen=True)
class Tool:
    """Something the model may call. `arguments` is a pydantic model; its docstrings and field descriptions are sent along."""

    name: str
    description: str
    arguments: type[BaseModel]


@dataclass(frozen=True)
class Call:
    """A tool call as the model made it; `arguments` are validated against the tool's model."""

    id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Turn:
    """One exchange after an ask's parts: what the model said, then the results of its calls (one each) and our next words."""

    text: str
    calls: tuple[Call, ...] = ()
    results: tuple[tuple[Part, ...], ...] = ()
    reply: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Usage:
    """Tokens of a call, as reported by whoever served it. `cached` were read from the prompt cache and are part of `input`."""

    input: int = 0
    output: int = 0
    cached: int = 0
    written: int = 0
    """Tokens written to the prompt cache; part of `input`."""
    reported: bool = False
    """False: no figures came with the reply, these are estimates."""


@dataclass(frozen=True)
class Answer:
    """What a model answered, and what that cost."""

    text: str
    call_id: str
    """Ledger id of the call's row: `e000042`, or `judging/e000003` for calls made after the run was sealed."""
    model: str
    data: BaseModel | None = None
    """The reply as the schema that was asked for; None if none was."""
    calls: tuple[Call, ...] = ()
    usage: Usage = Usage()
    cost_usd: float | None = None
    """None: the price is not known."""
    seconds: float = 0.0
    attempts: int = 1
    """Requests it took: retries and the repair included."""
    from_cache: bool = False
    note: str = ""
    """What was done to get it: `repaired`, `no native schema: JSON in text` … Empty for a plain reply."""


@dataclass(frozen=True)
class Ask:
    """One question to a role's model.

    The messages are: system = `prompt.prefix`; user = `prompt.setting`, `prompt.tail`, then `parts` in order; then `turns`.
    """

    role: Role
    prompt: Prompt
    parts: tuple[Part, ...] = ()
    schema: type[BaseModel] | None = None
    """The reply must be this (`Answer.data`). Sent natively where the model can, otherwise described in the text."""
    tools: tuple[Tool, ...] = ()
    must_call: bool = False
    """Exactly one of the tools must be called. Where the model has no tools, a JSON object takes their place."""
    stage: str = "explore"
    """Budget it is charged to: `explore`, `judge`, or another word of the settings."""
    turns: tuple[Turn, ...] = ()
    max_tokens: int | None = None
    """Of the reply; None: as the role table says."""
    temperature: float | None = None
    sample: int = 0
    """Number of the vote: equal asks with different samples are different calls, also in the reply cache."""
    check: Callable[[Answer], str] | None = None
    """Looks whether an answer that fits its schema makes sense; returns what is wrong in words (our own words), empty if nothing.
    It is asked again once with these words."""


@dataclass(frozen=True)
class Capabilities:
    """What a role's model takes and gives, found by probing or stated in `configs/models.toml`."""

    model: str
    pictures: bool
    video: bool
    sound: bool
    schema: Literal["native", "tool", "text"]
    """How a reply is made to fit a schema: by the endpoint, by a forced tool call, or described in words and checked here."""
    tools: bool
    context_tokens: int
    output_tokens: int
    forces: bool = True
    """A tool can be demanded, and calls of earlier turns can be handed back as such."""
    source: str = ""
    """Where each fact is from: stated, probed, assumed."""


@dataclass(frozen=True)
class Spent:
    """What was spent so far in this run. `cost_usd` is None as soon as one call had no known price."""

    calls: int = 0
    input: int = 0
    output: int = 0
    cached: int = 0
    cost_usd: float | None = 0.0
    seconds: float = 0.0


class Models(Protocol):
    """Models by role. Every call is budgeted beforehand and written down afterwards, whatever became of it."""

    async def ask(self, ask: Ask) -> Answer:
        """The answer, fitting its schema, calls or check.

        Raises `ModelTrouble` (after retries and one repair), `BudgetSpent` (before the call) or `NoModel`.
        """
        ...

    async def capabilities(self, role: Role) -> Capabilities:
        """What the role's model can do; the first question may cost a probe. Raises as `ask` does."""
        ...

    def spent(self) -> Spent:
        """Totals of this run."""
        ...
