"""Instruments as tools of an MCP server: names, words and schemas from their registration, results as text and as values.

What an instrument read (pages, pictures, sources) may address whoever reads it. The text goes out inside a fence; in the values
control tokens and invisible signs are escaped.
"""

# An extra: without it nothing here is imported.
# pyright: reportMissingImports=false

from __future__ import annotations

import asyncio
import threading
from importlib.metadata import version
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, TypeAdapter, ValidationError

import agent.mcp.instruments  # noqa: F401 - registers them
from prompts.fencing import escaped, fenced
from tools.catalogue import instruments
from tools.errors import AssayError
from tools.registry import CALLER, Caller, Failed, Given, Instrument, failed, told

MOST_VALUES = 400_000
"""Characters of a result's values; a larger one is told in words only."""
WORDS = (
    "Assay tells how good a web app really is: it uses it in a real browser, records everything and judges with proof. "
    "evaluate_app does all of that; the other tools are its instruments. Paths are those of the machine the server runs on."
)
_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)


def make_server(*, at_once: int = 2) -> Server[Any]:
    """A server with every instrument as a tool; so many calls are carried out at once, more wait."""
    tools = {instrument.name: instrument for instrument in instruments()}
    room = anyio.CapacityLimiter(at_once)

    async def list_tools(_: ServerRequestContext[Any], __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(tool) for tool in tools.values()])

    async def call_tool(context: ServerRequestContext[Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        instrument = tools.get(params.name)
        if instrument is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}. There are: {', '.join(tools)}.")
        try:
            wish = instrument.wish.model_validate(params.arguments or {})
        except ValidationError as error:
            return _refused(Failed("user_error", _unfit(error), "See the tool's schema.", retryable=False))
        try:
            given = await _used(instrument, wish, context, room)
        except AssayError as error:
            return _refused(failed(error), told(error))
        return types.CallToolResult(
            content=[_text(fenced(f"what {instrument.name} tells", given.content))], structured_content=_values(given)
        )

    return Server("assay", version=version("assay"), instructions=WORDS, on_list_tools=list_tools, on_call_tool=call_tool)


def _tool(instrument: Instrument) -> types.Tool:
    return types.Tool(name=instrument.name, description=instrument.description, input_schema=instrument.wish.model_json_schema())


async def _used(
    instrument: Instrument, wish: BaseModel, context: ServerRequestContext[Any], room: anyio.CapacityLimiter
) -> Given:
    """Use an instrument in a thread of its own, which hears when nobody waits any more; how far it is goes to the client."""
    loop, gone = asyncio.get_running_loop(), threading.Event()
    lines, heard = anyio.create_memory_object_stream[str](1000)

    def tell(words: str) -> None:
        if not gone.is_set():
            loop.call_soon_threadsafe(_put, lines, words)

    async def report() -> None:
        count = 0
        async for words in heard:
            count += 1
            await context.session.report_progress(count, None, words)

    async def watch() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            gone.set()

    def use() -> Given:
        CALLER.set(Caller(tell, gone.is_set))
        return instrument.function(wish)

    found: list[Given] = []
    with lines, heard:
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(report)
                group.start_soon(watch)
                # The thread is waited for even when the call is cancelled: it ends what it started.
                found.append(await anyio.to_thread.run_sync(use, limiter=room))
                group.cancel_scope.cancel()
        except BaseExceptionGroup as errors:
            expected, _ = errors.split(AssayError)
            raise (expected.exceptions[0] if expected is not None else errors) from None
    return found[0]


def _put(lines: Any, words: str) -> None:
    try:
        lines.send_nowait(words)
    except (anyio.WouldBlock, anyio.BrokenResourceError, anyio.ClosedResourceError):
        return  # nobody hears it any more


def _refused(error: Failed, words: str = "") -> types.CallToolResult:
    line = words or f"{error.kind}: {error.message} {error.hint}"
    values = {"error": {"kind": error.kind, "message": error.message, "hint": error.hint, "retryable": error.retryable}}
    return types.CallToolResult(content=[_text(escaped(line))], structured_content=_harmless(values), is_error=True)


def _unfit(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the arguments'}: {first['msg']}."


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)


def _values(given: Given) -> dict[str, Any]:
    data = _ANYTHING.dump_json(given.artifact, fallback=str)
    if len(data) > MOST_VALUES:
        return {"result": None, "left_out": f"{len(data)} bytes are more than a result holds"}
    return {"result": _harmless(_ANYTHING.validate_json(data))}


def _harmless(value: Any) -> Any:
    match value:
        case str():
            return escaped(value)
        case list():
            return [_harmless(item) for item in value]
        case dict():
            return {escaped(str(key)): _harmless(item) for key, item in value.items()}
        case _:
            return value
