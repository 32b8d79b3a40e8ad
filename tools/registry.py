"""Instruments, each registered once as a typed function; every face is derived from that one registration.

    @instrument("read_text")
    def read_text(wish: ReadText) -> Given: ...

The function takes one pydantic value and returns what it has to say in words (`content`) beside the whole result (`artifact`).
From its name, its docstring and its parameter's fields follow the tool of a model (`as_langchain`), the row of the docs, the verb
and the MCP tool (`agent/mcp`). Errors are `AssayError`s: `kind`, `retryable` and `hint` go to whoever called (`told`), never a
bare string. What takes long tells its `Caller` how far it is, and stops when that one has gone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from pydantic import BaseModel

from tools.errors import AssayError

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool

W = TypeVar("W", bound=BaseModel)


@dataclass(frozen=True)
class Given:
    """What an instrument found: for reading, and as a value."""

    content: str
    artifact: Any = None


@dataclass(frozen=True)
class Failed:
    """An instrument's error as a value."""

    kind: str
    message: str
    hint: str
    retryable: bool


@dataclass(frozen=True)
class Caller:
    """Who waits for an instrument: `tell` says in a line how far it is, `gone` whether nobody waits any more."""

    tell: Callable[[str], None] = lambda _: None
    gone: Callable[[], bool] = lambda: False


CALLER: ContextVar[Caller] = ContextVar("CALLER", default=Caller())  # noqa: B039 - frozen
"""Of the instrument that runs in this context; a face that can tell and be left sets it."""


@dataclass(frozen=True)
class Instrument:
    """One registered function. `wish` is the type of its parameter, `summary` the first line of its docstring."""

    name: str
    summary: str
    description: str
    wish: type[BaseModel]
    function: Callable[[Any], Given]

    def use(self, **values: Any) -> Given:
        """Call it with plain values. Raises pydantic's `ValidationError` and what the function raises."""
        return self.function(self.wish.model_validate(values))

    def as_langchain(self) -> StructuredTool:
        """A LangChain tool that gives content and artifact; an `AssayError` becomes words and a `Failed`."""
        from langchain_core.tools import StructuredTool  # noqa: PLC0415 - heavy

        def call(**values: Any) -> tuple[str, Any]:
            try:
                given = self.use(**values)
            except AssayError as error:
                return told(error), failed(error)
            return given.content, given.artifact

        return StructuredTool.from_function(
            func=call, name=self.name, description=self.description, args_schema=self.wish, response_format="content_and_artifact"
        )


_INSTRUMENTS: dict[str, Instrument] = {}


def instrument(name: str) -> Callable[[Callable[[W], Given]], Callable[[W], Given]]:
    """Registers the function below under a name. Raises `ValueError` for a second one of that name or a wrong signature."""

    def register(function: Callable[[W], Given]) -> Callable[[W], Given]:
        if name in _INSTRUMENTS:
            raise ValueError(f"there is an instrument {name!r} already")
        hints = get_type_hints(function)
        parameters = list(inspect.signature(function).parameters)
        wish = hints.get(parameters[0]) if len(parameters) == 1 else None
        if not (isinstance(wish, type) and issubclass(wish, BaseModel)) or hints.get("return") is not Given:
            raise ValueError(f"{name}: an instrument takes one pydantic model and returns Given")
        description = inspect.getdoc(function) or ""
        if not description:
            raise ValueError(f"{name}: an instrument has a docstring")
        _INSTRUMENTS[name] = Instrument(name, description.splitlines()[0], description, wish, function)
        return function

    return register


def registered() -> dict[str, Instrument]:
    """Those that were registered so far, by name."""
    return dict(sorted(_INSTRUMENTS.items()))


def failed(error: AssayError) -> Failed:
    """An error as a value."""
    return Failed(error.kind, error.message, error.hint, error.retryable)


def told(error: AssayError) -> str:
    """An error in one line for a model or a person."""
    again = "the same call may succeed later" if error.retryable else "the same call will fail again"
    return f"{error.kind}: {error.message} {error.hint} ({again})".replace("  ", " ")
