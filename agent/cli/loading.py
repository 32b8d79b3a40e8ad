"""Verbs that load when they are called: what `assay --help` lists is a table of names and lines, not the verbs themselves."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from tools import extras

_UNUSED = {"rich.markdown": "Markdown", "rich.traceback": "Traceback"}
"""What Typer takes for help in Markdown and for tracebacks of its own, and brings markdown-it, Pygments and attrs along:
170 ms of the 240 ms that its help takes to load. The help here is in Rich's markup, tracebacks are Python's."""


class Verb(TyperCommand):
    """A verb's name and line of help, and where it is.

    Args:
        name: As it is typed.
        place: `module:attribute`; the attribute is a function with options as parameters, or a `typer.Typer` of several verbs.
        line: What `assay --help` says of it: the first paragraph of what `assay NAME --help` says, which a test compares.
        full: All that the verb's own help says, where that is not the function's docstring.
    """

    def __init__(self, name: str, place: str, line: str, *, full: str | None = None) -> None:
        super().__init__(name=name, help=line)
        self._module, _, self._attribute = place.partition(":")
        self._full = full

    def loaded(self) -> Any:
        """The command itself, with its options; its module is imported."""
        target = getattr(importlib.import_module(self._module), self._attribute)
        if isinstance(target, typer.Typer):
            command: Any = get_group(target)
        else:
            alone = typer.Typer(add_completion=False)
            alone.command(self.name, help=self._full)(target)
            command = get_command(alone)
        command.name = self.name
        return command


class VerbGroup(TyperGroup):
    """The program, with the verbs of its class's table in their order."""

    verbs: Sequence[Verb] = ()

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands.update({verb.name or "": verb for verb in self.verbs})

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The list of verbs, as Typer writes it."""
        with _unused_left_out():
            import typer.rich_utils  # noqa: F401, PLC0415 - what Typer itself imports in the next line
        super().format_help(ctx, formatter)

    def invoke(self, ctx: Any) -> Any:
        """Carry the command out; a library that is in an extra, and missing, is told in one line."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            verb = ctx.invoked_subcommand or ""
            lack = extras.missing_for(verb, (error.name or "").partition(".")[0], verb=verb)
            if lack is None:
                raise
            raise lack from error

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is to be carried out, loaded."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.loaded() if isinstance(command, Verb) else command, rest


@contextmanager
def _unused_left_out() -> Iterator[None]:
    """While `typer.rich_utils` is imported, the unused modules are stand-ins; who imports them afterwards gets the real ones."""
    added = [name for name in _UNUSED if name not in sys.modules and "typer.rich_utils" not in sys.modules]
    for name in added:
        sys.modules[name] = _stand_in(name, _UNUSED[name])
    try:
        yield
    finally:
        for name in added:
            del sys.modules[name]


def _stand_in(module: str, name: str) -> ModuleType:
    """A module with one class in it that becomes the real one where it is used after all."""

    class Deferred:
        def __new__(cls, *arguments: Any, **named: Any) -> Any:
            return getattr(importlib.import_module(module), name)(*arguments, **named)

    stand_in = ModuleType(module)
    setattr(stand_in, name, Deferred)
    return stand_in
