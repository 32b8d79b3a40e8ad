"""What kind of run the tests of the reports make."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass
class Plot:
    """What kind of run is made."""

    steps: int = 12
    video: bool = True
    status: Literal["complete", "not_enough_seen", "no_artifact", "incomplete"] = "complete"
    failures: bool = True
    page_text: dict[str, str] = field(default_factory=dict)
    """Text that stands in for the app's own: `title`, `console`, `name`, `dialog`, `finding`, `source`, `network`, `brief`."""
    checks: int = 1
    """Checks after each step that worked."""
    always: str = ""
    """A promise that every step that worked shows."""
    code: tuple[str, ...] = ()
    """Functions that run in every step; for the first time in the second."""
    distinct: bool = False
    """Every step's picture differs from every other."""

    def says(self, what: str, otherwise: str) -> str:
        """The app's text at that place."""
        return self.page_text.get(what, otherwise)
