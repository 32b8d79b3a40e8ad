"""Records a reference script: a long exploration of an original, as a stubborn tester would, the same for the same seed."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tools.browser.reference.player import Player
from tools.mutation.observation import Act, Observation

_TEXTS = ("Alpha", "Beta 2", "Gamma and some more words", "7", "Delta", "12.5", "0", "Epsilon")
_NUMBERS = ("3", "12", "0", "2.5", "100", "7")
_FILLED = {
    "email": ("ann@example.org", "bob@example.org"),
    "password": ("Secret-12", "Secret-12"),
    "tel": ("+49 30 123456",),
    "url": ("https://example.org/a",),
    "date": ("2026-05-20", "2026-06-01"),
    "time": ("09:30", "18:00"),
    "datetime-local": ("2026-05-20T09:30",),
    "month": ("2026-06",),
    "week": ("2026-W22",),
    "color": ("#336699", "#aa2200"),
}
_KEYS = ("Escape", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Space", "Enter", "p", "1", "Tab")
_NO_TEXT = frozenset({"button", "submit", "reset", "checkbox", "radio", "image", "file", "hidden"})
_NUMBERED = re.compile(r":nth-of-type\(\d+\)")
_RELOAD_EVERY = 13
_WAIT_EVERY = 9
_SMALL_AT = 0.9
"""Share of the script after which the window is made as narrow as a phone."""


class Explorer:
    """Chooses the next act from what can be acted on. Least tried kinds first, forms filled whole before they are sent."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)  # noqa: S311 - the same acts for the same seed, no secret
        self._used: Counter[tuple[str, str, str]] = Counter()
        self._filled: Counter[str] = Counter()
        self._values = 0
        self._pending: list[Act] = []

    def next(self, at: int, most: int, controls: list[Mapping[str, Any]]) -> Act:
        """The act number `at` of `most`."""
        if self._pending:
            return self._pending.pop(0)
        if at == int(most * _SMALL_AT):
            return Act(kind="resize", value="390×800")
        if at % _RELOAD_EVERY == 0:
            return Act(kind="reload")
        if at % _WAIT_EVERY == 0:
            return Act(kind="wait", value="3000" if at % (2 * _WAIT_EVERY) else "1000")
        offers = list(self._offers(controls))
        if not offers:
            return self._keyed()
        fewest = min(self._times(key) for key, _ in offers)
        best = [offer for offer in offers if self._times(offer[0]) == fewest]
        # All is tried that often: keys that nobody shows come in between.
        if fewest >= 2 and self._draw.random() < 0.2:
            return self._keyed()
        key, act = best[0] if self._draw.random() < 0.6 else self._draw.choice(best)
        self._used[key] += 1
        if act.kind == "fill":
            self._values += 1
            if self._draw.random() < 0.7:
                self._pending.append(Act(kind="press", target=act.target, value="Enter", label=act.label))
        return act

    def _times(self, key: tuple[str, str, str]) -> int:
        """How often a kind of act was done; a double click, which few things answer, counts as if it were done once."""
        return self._used[key] + (key[0] == "double_click")

    def _keyed(self) -> Act:
        key = min(_KEYS, key=lambda text: (self._used["key", text, ""], _KEYS.index(text)))
        self._used["key", key, ""] += 1
        return Act(kind="press", value=key)

    def _offers(self, controls: list[Mapping[str, Any]]) -> Iterator[tuple[tuple[str, str, str], Act]]:
        for control in controls:
            kind = self._kind(control)
            name, place = str(control["name"]), str(control["place"])
            key = kind, _NUMBERED.sub("", place), "" if kind in {"fill", "double_click"} else re.sub(r"\d+", "#", name)
            value = self._value(control) if kind == "fill" else ""
            if kind == "select":
                options = [option for option in control["options"] if option != control["value"]]
                if not options:
                    continue
                value = options[self._used[key] % len(options)]
            yield key, Act(kind=kind, target=place, value=value, label=name, over=str(control["over"]))

    def _kind(self, entry: Mapping[str, Any]) -> Any:
        if entry["tag"] == "select":
            return "select"
        if entry["editable"] or entry["tag"] == "textarea" or (entry["tag"] == "input" and entry["type"] not in _NO_TEXT):
            return "fill"
        return "double_click" if entry["passive"] else "click"

    def _value(self, entry: Mapping[str, Any]) -> str:
        kind = entry["type"]
        if kind == "range":
            low, high = _number(entry["low"], 0.0), _number(entry["high"], 100.0)
            return f"{low + (high - low) * (0.75 if self._values % 2 else 0.25):g}".split(".")[0]
        if kind == "number":
            low = _number(entry["low"], None)
            value = _NUMBERS[self._values % len(_NUMBERS)]
            return value if low is None or float(value) >= low else entry["low"]
        choice = _FILLED.get(kind, _TEXTS)
        return choice[self._values % len(choice)]


def _number(text: str, otherwise: Any) -> Any:
    try:
        return float(text)
    except ValueError:
        return otherwise


async def explore(player: Player, *, acts: int, seed: int) -> list[tuple[Act, Observation]]:
    """Explore an original that is not opened yet, `acts` acts long. Acts that could not be carried out are left out."""
    explorer = Explorer(seed)
    opening = Act(kind="open")
    recorded = [(opening, await player.play(opening))]
    at = 1
    for _ in range(2 * acts):
        if len(recorded) >= acts or not recorded[0][1].done:
            break
        act = explorer.next(at, acts, await player.controls())
        at += 1
        seen = await player.play(act)
        if seen.done:
            recorded.append((act, seen))
    return recorded
