"""Figures a page shows under a name: "Score: 30", "Time 12.4 s", a card with its figure below or above its label."""

from __future__ import annotations

import re

from agent.words import clock_times, folded, keywords
from tools.browser.marks import Observation

MOST_WORDS = 4
"""A label is short; a sentence with a number in it is none."""
_NUMBER = r"[-−+]?\s*[$€£¥￥₹]?\s*[-−]?\d[\d,]*(?:\.\d+)?"
_UNIT = r"(?:[^\W\d_]{1,4}|[%°℃¥元$€£])(?:[/·]?[^\W\d_]{1,4})?[²³]?"
_FIGURE = re.compile(rf"^({_NUMBER})\s*(?:{_UNIT})?$")
_NAME = r"(.*?[^\W\d_].*?)"
_INLINE = re.compile(rf"^{_NAME}\s*[:：=≈]?\s+({_NUMBER})\s*(?:{_UNIT})?$|^{_NAME}\s*[:：=≈]\s*({_NUMBER})\s*(?:{_UNIT})?$")


def figures(page: Observation) -> dict[str, float]:
    """Label → figure, of those that are shown exactly once. Times of a clock are in seconds."""
    found: dict[str, list[float]] = {}
    for label, value in _pairs([line for line in (folded(raw) for raw in page.text.splitlines()) if line]):
        found.setdefault(label, []).append(value)
    return {label: values[0] for label, values in found.items() if len(values) == 1}


def _pairs(lines: list[str]) -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []
    run: list[str | float] = []

    def close() -> None:
        # Labels and figures in turn: cards begin either with their label or with their figure.
        if len(run) % 2 and isinstance(run[0], str):
            run.pop()  # a label without a figure
        names, values = [one for one in run if isinstance(one, str)], [one for one in run if not isinstance(one, str)]
        if len(names) == len(values):
            found.extend(zip(names, values, strict=True))
        run.clear()

    for line in lines:
        inline = _INLINE.match(line)
        value = _value(line)
        if value is not None:
            if run and not isinstance(run[-1], str):
                close()
            run.append(value)
        elif inline and _is_label(name := inline.group(1) or inline.group(3)):
            close()
            found.append((_bare(name), _number(inline.group(2) or inline.group(4))))
        elif _is_label(line):
            if run and isinstance(run[-1], str):
                run.pop() if len(run) % 2 else close()
            run.append(_bare(line))
        else:
            close()
    close()
    return found


def _value(line: str) -> float | None:
    times = clock_times(line)
    if times and times[0] == line:
        return seconds(line)
    found = _FIGURE.match(line)
    return _number(found.group(1)) if found else None


def _is_label(text: str) -> bool:
    words = keywords(text)
    return bool(words) and len(words) <= MOST_WORDS and len(text) <= 40 and not any(sign.isdigit() for sign in text)


def _bare(label: str) -> str:
    return label.strip(" :：=≈·-–—|")


def _number(text: str) -> float:
    value = float(re.sub(r"[^\d.]", "", text))
    return -value if re.match(r"\D*[-−]", text) else value


def seconds(time: str) -> float:
    """Of `25:00`, `1:02:03` or `00:01.37`."""
    total = 0.0
    for part in time.replace(",", ".").split(":"):
        total = total * 60 + float(part)
    return total


def packed(shown: dict[str, float]) -> str:
    """Figures as one parameter of an expectation."""
    return "\n".join(f"{value!r} {label}" for label, value in shown.items())


def unpacked(text: str) -> dict[str, float]:
    """What `packed` made."""
    pairs = (line.split(" ", 1) for line in text.splitlines() if " " in line)
    return {label: float(value) for value, label in pairs}
