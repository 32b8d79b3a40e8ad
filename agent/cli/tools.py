"""The verb `assay tools`: every instrument by name, straight from its registration."""

# A verb imports what it needs: `assay --help` must answer at once.
# ruff: noqa: PLC0415

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from agent.cli.printing import JsonFlag, print_json, say
from tools.errors import UserError


def tools(
    name: Annotated[str, typer.Argument(help="The tool to use; without one all are listed.")] = "",
    values: Annotated[list[str] | None, typer.Argument(metavar="[KEY=VALUE]...", help="What it takes: picture=shot.png")] = None,
    as_json: JsonFlag = False,
) -> None:
    """List the instruments that agents get as tools, or use one: assay tools audit_page page=index.html language=en."""
    import agent.mcp.instruments  # noqa: F401 - registers those that need the whole house
    from tools.catalogue import instruments

    known = {instrument.name: instrument for instrument in instruments()}
    if not name:
        _list(known, as_json=as_json)
        return
    if name not in known:
        raise UserError(f"There is no tool {name!r}.", hint=f"There are: {', '.join(known)}.")
    given = _use(known[name], values or [])
    if as_json:
        from pydantic import TypeAdapter

        print_json(json.loads(TypeAdapter(Any).dump_json(given.artifact, fallback=str)))
    else:
        say(_harmless(given.content))


def _list(known: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        about = [(entry.name, entry.description, entry.wish.model_json_schema()) for entry in known.values()]
        print_json([{"name": name, "description": words, "takes": schema} for name, words, schema in about])
        return
    for item in known.values():
        say(f"{item.name}\n  {item.summary}")
        for field, about in item.wish.model_fields.items():
            say(f"    {field}{'' if about.is_required() else '?'}: {about.description}")


def _use(item: Any, values: list[str]) -> Any:
    from pydantic import ValidationError

    wish: dict[str, Any] = {}
    for word in values:
        key, sign, value = word.partition("=")
        if not sign:
            takes = ", ".join(item.wish.model_fields)
            raise UserError(f"{word!r} is not understood.", hint=f"KEY=VALUE; {item.name} takes: {takes}.")
        wish[key] = value
    try:
        return item.use(**{key: _read(item, key, value) for key, value in wish.items()})
    except ValidationError as error:
        first = error.errors()[0]
        takes = ", ".join(item.wish.model_fields)
        raise UserError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}.", hint=f"{item.name} takes: {takes}.") from error


def _read(item: Any, key: str, value: str) -> Any:
    """A word as what the field takes: a text as it is, anything else as JSON."""
    field = item.wish.model_fields.get(key)
    if field is None or field.annotation is str:
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _harmless(text: str) -> str:
    """What was read may hold signs that a terminal obeys; they are left out, the lines' layout stays."""
    return "\n".join("".join(sign for sign in line if sign.isprintable()) for line in text.split("\n"))
