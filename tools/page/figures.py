"""Figures: the values that a page shows outside of its lists, each with the words that say what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from tools.page.parts import Figure, Quantity
from tools.page.quantities import find_quantity, number_of


class Make(Protocol):
    """Makes the figure of a part, given its label and what else it has."""

    def __call__(self, item: Mapping[str, Any], words: str, /, *, quantity: Quantity) -> Figure:
        """The figure."""
        ...


_LABEL_LIMIT, _WORD_LIMIT, _SIGN_LIMIT = 60, 8, 2
_STEPS = 3
"""So many bare numbers one after another, from one on, are the numbers of steps."""
_VALUE_AFTER_LABEL = re.compile(r"[:：]\s*\D{0,4}\d[\d.,\s]*\D{0,4}$")
"""`Limit: € 2,400`: the label of a slider shows its value; `Postcode (5 digits)` shows none."""


def figures_of(raw: Mapping[str, Any], language: str, make: Make) -> list[Figure]:
    """The figures of a frame, from its texts and its meters. `make` makes one, given the label."""
    found = []
    for entry, label, quantity in _shown(raw, language):
        found.append(make(entry, label, quantity=quantity))
    for item in raw["meters"]:
        value = number_of(item["value"]) if item["value"] and item["item"] < 0 else None
        if value is not None:
            quantity = Quantity(measure="ratio", value=value, unit=item["maximum"], text=item["shown"] or item["value"])
            found.append(make(item, item["name"], quantity=quantity))
    return found


def _shown(raw: Mapping[str, Any], language: str) -> Iterator[tuple[Mapping[str, Any], str, Quantity]]:
    texts = raw["texts"]
    steps = _steps(texts)
    for text in texts:
        if text["item"] >= 0 or text["node"] in steps or (text["label"] and not _VALUE_AFTER_LABEL.search(text["text"])):
            continue
        sign = text["before"].strip()
        money = sign if len(sign) <= _SIGN_LIMIT and not any(letter.isalnum() for letter in sign) else ""
        read = find_quantity(f"{money}{text['text']}", language)  # "€" and "1,264.50" in elements of their own
        if read is None:
            continue
        quantity, rest = read
        counted = quantity.unit if quantity.measure == "quantity" and quantity.unit.isalpha() else ""
        if len(counted) > 3 and len(rest) <= 1:
            rest = counted.removeprefix("个")  # "3 items": what is counted is what it is of; a classifier is no part of it
        label = rest if any(sign.isalpha() for sign in rest) else _label(text)
        if len(label) <= _LABEL_LIMIT and len(label.split()) <= _WORD_LIMIT and not label.startswith("©"):
            yield text, label, quantity


def _steps(texts: list[Mapping[str, Any]]) -> set[int]:
    """Nodes of the numbers that steps of a process are counted with: 1, 2, 3 in the like places of one part of the page."""
    counted: list[int] = []
    homes: list[str] = []
    found: set[int] = set()
    for text in texts:
        plain, home = text["text"], re.sub(r":nth-of-type\(\d+\)", "", text["selector"])
        if plain == str(len(counted) + 1) and (not homes or home == homes[0]):
            counted.append(text["node"])
            homes.append(home)
            if len(counted) >= _STEPS:
                found |= set(counted)
        elif plain.isdecimal():
            counted, homes = ([text["node"]], [home]) if plain == "1" else ([], [])
    return found


def _label(entry: Mapping[str, Any]) -> str:
    """Words beside a bare value: its own, those before it, after it, above its box, of its style sheet, the heading above."""
    for words in (entry["aria"], entry["before"], entry["after"], entry["above"], entry["drawn"], entry["section"]):
        plain = words.strip(" :：")
        if (
            any(sign.isalpha() for sign in plain)
            and len(plain) <= _LABEL_LIMIT
            and (words is entry["section"] or not any(sign.isdigit() for sign in plain))
        ):
            return plain
    return ""
