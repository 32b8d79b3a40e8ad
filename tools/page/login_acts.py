"""The act that goes from a sign-up that was accepted to the log-in, whatever lies between."""

from __future__ import annotations

from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.assertions import Target


class ToLogIn(Frozen):
    """After a sign-up: log out where it logged in, open the log-in where it is not there.

    Goes no further where the sign-up was refused, or asks for something that only the person could do (to confirm a message).
    """

    kind: Literal["to log in"] = "to log in"
    fields: tuple[Target, ...] = ()
    values: tuple[str, ...] = ()
    """The sign-up's fields, and what was typed into each of them."""
    pressed: tuple[Target, ...] = ()
    """What was pressed on the way, once it was carried out."""

    def words(self) -> str:
        """One clause."""
        return "go to the log-in, logging out first where one is logged in"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        return tuple(f"{target.locator()}.click()" for target in self.pressed)
