"""What a probe looks at and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from tools.evidence.rows import Finding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Viewport = Literal["desktop", "mobile"]
Figure = float | int | str | bool
"""A measure as rows carry it; its name has the unit."""


class PageView(Protocol):
    """A loaded page as the probes see it; the stage is one. Nothing here sends input or changes the page."""

    async def evaluate(self, function: str, arg: object = None, *, timeout_s: float | None = None) -> Any:
        """Run the JS source of a function `(arg) => value` (may be async) in an isolated world of the main frame.

        Returns the JSON value. Raises whatever the view raises when the script throws or does not answer within `timeout_s`.
        """
        ...

    async def picture(self) -> NDArray[np.uint8]:
        """The viewport as RGB, shape (height, width, 3), one pixel a CSS pixel."""
        ...


@dataclass(frozen=True)
class Result:
    """What one probe says of a page. `measured` False: it could not tell, and `reason` says why; then there are no findings."""

    probe: str
    measured: bool
    reason: str
    findings: tuple[Finding, ...] = ()
    values: dict[str, Figure] = field(default_factory=dict)
    """Measures that are not defects, for the audit's row."""
