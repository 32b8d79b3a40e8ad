"""Several things started at once, and taking leave of what may be stuck."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from playwright.async_api import Error as PlaywrightError


async def together(*work: Coroutine[Any, Any, Any]) -> list[Any]:
    """Run at once and wait for all, then raise the first fault: nothing may still be starting while the rest is ended."""
    results = await asyncio.gather(*work, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return list(results)


async def both(first: Coroutine[Any, Any, Any], second: Coroutine[Any, Any, Any]) -> list[Any]:
    """Two that count as one among others."""
    return await together(first, second)


async def nothing() -> None:
    """In place of work that is not wanted."""
    return


async def within(limit_s: float, farewell: Callable[[], Awaitable[object]]) -> None:
    """Take leave of something that may be gone or stuck."""
    with contextlib.suppress(PlaywrightError, TimeoutError, OSError):
        await asyncio.wait_for(farewell(), limit_s)
