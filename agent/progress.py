"""One line an event while an evaluation runs, for terminals and logs alike."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape

from tools.text import printable

NODES = {
    "launch": "the app is up",
    "perceive": "first impression taken",
    "prove": "failures replayed",
}


class Progress:
    """Prints what happens as it happens. Text from the page is stripped of control characters and markup."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def __call__(self, event: dict[str, Any]) -> None:
        """Print the event's line, if it is one that people want."""
        line = self._line(event)
        if line:
            self._console.print(f"[dim]{event['at_s']:6.1f} s[/]  {line}", highlight=False, soft_wrap=True)

    def _line(self, event: dict[str, Any]) -> str:
        match event["event"]:
            case "node":
                return NODES.get(str(event["node"]), "")
            case "plan":
                return f"the brief promises {event['promises']} thing(s)"
            case "step":
                return self._step(event)
            case "sealed":
                return f"evidence sealed: {event['rows']} rows ({event['stop']})"
            case "scored":
                return f"judged: {event['failures']} failure(s)"
            case "proved":
                return f"{event['confirmed']} of {event['of']} confirmed in a fresh browser"
            case _:
                return ""

    @staticmethod
    def _step(event: dict[str, Any]) -> str:
        did = escape(printable(str(event["did"])))
        if not event["delivered"]:
            return f"{event['step']:>3}. {did} [yellow]· did not reach the page[/]"
        broken = "; ".join(escape(printable(str(one))) for one in event["broken"])
        if broken:
            return f"{event['step']:>3}. {did} [red]· expected: {broken}[/]"
        return f"{event['step']:>3}. {did}" + ("" if event["changed"] else " [dim]· nothing changed[/]")
