"""Figures a page shows under a name: "Score: 30", "Moves: 3 · Cart (2)", a card with its figure below or above its label."""

from __future__ import annotations

import re
from collections import Counter

from agent.tongues import by_tongues
from agent.words import clock_times, folded, keywords, numbers, with_points
from tools.browser.marks import Observation

MOST_WORDS = 4
"""A label is short; a sentence with a number in it is none."""
_NUMBER = r"[-−+]?\s*[$€£¥￥₹]?\s*[-−]?\d[\d,]*(?:\.\d+)?"
_UNIT = r"(?:[^\W\d_]{1,4}|[%°℃¥元$€£])(?:[/·]?[^\W\d_]{1,4})?[²³]?"
_FIGURE = re.compile(rf"^({_NUMBER})\s*(?:{_UNIT})?$")
_NAME = r"(.*?[^\W\d_].*?)"
_INLINE = re.compile(rf"^{_NAME}\s*[:：=≈]?\s+({_NUMBER})\s*(?:{_UNIT})?$|^{_NAME}\s*[:：=≈]\s*({_NUMBER})\s*(?:{_UNIT})?$")
_SEVERAL = re.compile(r"([^\W\d_][^\d:：|•·()（）]{0,40}?)\s*[:：]?\s*[(（\[]?\s*[$€£¥￥₹]?([-−]?\d[\d,]*(?:\.\d+)?)\b(?![:.]\d)")
"""Pairs on one line, whatever stands between them."""
_EMPTY = re.compile(r"[:：]\s*[-–—]+(?:\s*[^\W\d_]{1,4})?$")
"""A label whose figure is not there yet: `Best: —`."""
_BREAK = "|"
"""Stands for what is neither a label nor a figure."""
_PAGES = 128
"""Pages whose figures are remembered: the skills ask for those of every page so far, at every step."""
MOST_LEFT = 2
"""Words (units) beside the pairs; a line with more is a sentence."""


def is_figure(line: str) -> bool:
    """Whether a line is a figure and perhaps its unit, and nothing else: "100 bpm"."""
    return _FIGURE.match(with_points(line)) is not None


def figures(page: Observation) -> dict[str, float]:
    """Label → figure, of those that are shown exactly once; names of controls count. Times of a clock are in seconds."""
    return dict(_figures(page.text, tuple(mark.name for mark in page.marks)))


def moved(before: Observation, after: Observation) -> list[str]:
    """Labels of the figures that are shown at both times, and are others."""
    one, other = figures(before), figures(after)
    return [label for label, value in one.items() if other.get(label, value) != value]


@by_tongues(_PAGES)
def _figures(shown: str, controls: tuple[str, ...]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    shown, controls = with_points(shown), tuple(map(with_points, controls))
    lines = [line for line in (folded(raw) for raw in shown.splitlines()) if line]
    keys = _keys(lines, controls)
    pairs = _pairs([_BREAK if line in keys else line for line in lines])
    text = folded(shown)
    names = [name for control in controls if (name := folded(control)) not in text and len(numbers(name)) == 1]
    for label, value in (*pairs, *(pair for name in names for pair in _several(name))):
        found.setdefault(label, []).append(value)
    return {label: values[0] for label, values in found.items() if len(values) == 1}


def _keys(lines: list[str], controls: tuple[str, ...]) -> frozenset[str]:
    """Figures that are but the names of controls (`10 %`, `15 %` to be chosen from): they stand under no label."""
    named = Counter(folded(control) for control in controls)
    shown = Counter(lines)
    return frozenset(name for name, times in named.items() if is_figure(name) and times >= shown[name])


def _pairs(lines: list[str]) -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []
    run: list[str | float] = []

    def close() -> None:
        # Labels and figures in turn: cards begin either with their label or with their figure.
        if len(run) % 2:
            run.pop()  # a label without a figure; where they begin with a figure, one that belongs to something else
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
        elif several := _several(line):
            close()
            found.extend(several)
        elif _is_label(line) and not _EMPTY.search(line):
            if line.endswith((":", "：")):
                close()  # its figure follows
            if run and isinstance(run[-1], str):
                run.pop() if len(run) % 2 else close()
            run.append(_bare(line))
        else:
            close()
    close()
    return found


def _several(line: str) -> list[tuple[str, float]]:
    left = re.findall(r"[^\W\d_]+", _SEVERAL.sub(" ", line))
    if clock_times(line) or len(left) > MOST_LEFT:
        return []
    return [(_bare(label), _number(shown)) for label, shown in _SEVERAL.findall(line) if _is_label(label)]


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
