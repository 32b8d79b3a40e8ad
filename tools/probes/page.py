"""Audit a page: run the probes, each on its own, and let none fail in silence."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from tools.errors import UserError
from tools.probes import (
    axe,
    blank,
    code,
    contrast,
    craft,
    language,
    layout,
    markup,
    media,
    overflow,
    placeholder,
    responsive,
    unstyled,
)
from tools.probes.look import Look
from tools.probes.protocol import PageView, Result, Viewport
from tools.text import printable

ANSWER_TIMEOUT_S = 3.0

Probe = Callable[[Look], Awaitable[Result]]

PROBES: dict[str, Probe] = {
    "blank": blank.probe,
    "code": code.probe,
    "placeholder": placeholder.probe,
    "language": language.probe,
    "layout": layout.probe,
    "overflow": overflow.probe,
    "contrast": contrast.probe,
    "media": media.probe,
    "unstyled": unstyled.probe,
    "responsive": responsive.probe,
    "markup": markup.probe,
    "craft": craft.probe,
    "axe": axe.probe,
}
"""In the order they run; axe-core last, because it is the one that takes long on a large page."""

MOBILE_ONLY = frozenset({"responsive"})
DESKTOP_ONLY = frozenset({"code", "placeholder", "language", "media", "unstyled", "markup", "axe"})
"""Probes whose answer hardly depends on the width: asked once, so that one defect is not reported twice."""


@dataclass(frozen=True)
class _Outcome:
    result: Result
    answered: bool


async def audit_page(
    view: PageView, *, viewport: Viewport, brief_language: str, only: Sequence[str] | None = None
) -> list[Result]:
    """Measure the page with every probe that applies at this width; one result a probe, in a fixed order.

    `brief_language` is a language code (`en`, `zh-CN`), "" where unknown. `only` picks probes by name and then also runs those
    that would not apply at this width. Passive: nothing is clicked, scrolled or fetched. A probe that fails gives a result with
    `measured=False`; once the page no longer answers at all, the remaining ones are not tried. Raises `UserError` for a name
    that no probe has.
    """
    chosen = _choose(viewport, only)
    look = Look(view, viewport, brief_language)
    results: list[Result] = []
    silent_since = ""
    for name in chosen:
        if silent_since:
            results.append(
                Result(name, measured=False, reason=f"not tried: the page stopped answering during the probe {silent_since}")
            )
            continue
        outcome = await _run(name, look)
        results.append(outcome.result)
        if not outcome.answered:
            silent_since = name
    return results


def _choose(viewport: Viewport, only: Sequence[str] | None) -> list[str]:
    if only is not None:
        unknown = [name for name in only if name not in PROBES]
        if unknown:
            raise UserError(f"There is no probe called {unknown[0]!r}.", hint=f"There are: {', '.join(PROBES)}.")
        return [name for name in PROBES if name in only]
    skipped = MOBILE_ONLY if viewport == "desktop" else DESKTOP_ONLY
    return [name for name in PROBES if name not in skipped]


async def _run(name: str, look: Look) -> _Outcome:
    try:
        return _Outcome(await PROBES[name](look), answered=True)
    except Exception as error:  # noqa: BLE001 - the boundary between one probe and the rest: a failed probe is a result
        reason = printable(f"{type(error).__name__}: {error}", 300)
        return _Outcome(Result(name, measured=False, reason=reason), answered=await _answers(look))


async def _answers(look: Look) -> bool:
    """Whether the page still runs a script at all."""
    try:
        return await look.evaluate("() => true", timeout_s=ANSWER_TIMEOUT_S) is True
    except Exception:  # noqa: BLE001 - whatever was raised, the answer is no
        return False
