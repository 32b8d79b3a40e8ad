"""Acts as lines of a test: `click(app, SAVE)`, and the things they are aimed at as constants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from evaluator.proof_scripts.seen import Act, Unscripted


class Things:
    """Names for what the acts are aimed at, unique within one script and none of them taken by Python or the harness."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def name(self, target: Mapping[str, Any]) -> str:
        """The variable for a target."""
        made = _thing(target)
        if made not in self._known:
            words = re.sub(r"[^a-z0-9]+", "_", str(target.get("name") or "").casefold()).strip("_")[:30].strip("_")
            role = re.sub(r"[^a-z]+", "_", str(target.get("role") or "thing"))
            stem = f"{role}_{words}" if words else f"the_{role}"
            number, taken = 2, stem
            while taken in self._known.values():
                taken, number = f"{stem}_{number}", number + 1
            self._known[made] = taken
        return self._known[made]

    @property
    def lines(self) -> list[str]:
        """Their definitions."""
        return [f"{name} = {made}" for made, name in self._known.items()]


def _thing(target: Mapping[str, Any]) -> str:
    parts = [
        f"{name}={value!r}"
        for name, value in (
            ("role", target.get("role", "")),
            ("name", target.get("name", "")),
            ("css", target.get("selector", "")),
            ("frame", target.get("frame", "")),
            ("dx", target.get("dx", 0.0)),
            ("dy", target.get("dy", 0.0)),
        )
        if value
    ]
    return f"Thing({', '.join(parts)})"


def line_of(act: Act, things: Things) -> str | Unscripted:
    """The act as a line of Python. Nothing of it stands there unquoted: texts as literals, figures as numbers."""
    try:
        return _line_of(act, things)
    except (TypeError, ValueError):
        return Unscripted("an act's figures are no numbers")


def _line_of(act: Act, things: Things) -> str | Unscripted:  # noqa: C901, PLR0911, PLR0912 - one line for each kind of act
    kind = str(act.get("act", ""))
    target = act.get("target")
    aim = things.name(target) if isinstance(target, Mapping) else "None"
    match kind:
        case "click":
            more = "".join(
                f", {name}={act[name]!r}" for name, usual in (("count", 1), ("button", "left")) if act.get(name, usual) != usual
            )
            return f"click(app, {aim}{more})"
        case "hover":
            return f"hover(app, {aim})"
        case "type":
            more = ("" if act.get("clear", True) else ", clear=False") + (", submit=True" if act.get("submit") else "")
            return f"write(app, {aim}, {act.get('text', '')!r}{more})"
        case "select":
            return f"choose(app, {aim}, {act.get('value', '')!r})"
        case "set_value":
            return f"put(app, {aim}, {act.get('value', '')!r})"
        case "press":
            held = f", hold_ms={act['hold_ms']:g}" if act.get("hold_ms", 60) != 60 else ""
            return f"press(app, {', '.join(repr(key) for key in act.get('keys', ()))}{held}, gap_ms={act.get('gap_ms', 80):g})"
        case "drag":
            to = act.get("to")
            where = f"to={things.name(to)}" if isinstance(to, Mapping) else f"by={_pair(act.get('by'))}"
            return f"drag(app, {aim}, {where})"
        case "tap":
            return f"tap(app, {aim}, {int(act.get('count', 1))})"
        case "swipe":
            return f"swipe(app, {aim}, {_pair(act.get('by'))})"
        case "scroll":
            return f"scroll(app, {act.get('dx', 0):g}, {act.get('dy', 0):g}{'' if aim == 'None' else ', ' + aim})"
        case "wait":
            return f"wait(app, {act.get('ms', 0):g})"
        case "reload":
            return "reload(app)"
        case "back":
            return "back(app)"
        case "goto":
            return f"goto(app, {_path(str(act.get('url', '')))!r})"
        case "resize":
            return f"resize(app, {int(act.get('width', 0))}, {int(act.get('height', 0))})"
        case _:
            return Unscripted(f"no script can {kind or 'do nothing'} as a person does")


def _pair(given: Any) -> str:
    x, y = given or (0, 0)
    return repr((_number(x), _number(y)))


def _number(given: Any) -> float:
    """A figure. Raises `TypeError` for what only looks like one in a script."""
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise TypeError(given)
    return given


def _path(url: str) -> str:
    """Without host and port, which are others in every run."""
    return re.sub(r"^https?://(127\.0\.0\.1|localhost)(:\d+)?", "", url) or "/"
