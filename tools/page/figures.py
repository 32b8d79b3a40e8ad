"""Figures: the values that a page shows outside of its lists, each with the words that say what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tools.page.parts import Figure, Quantity
from tools.page.quantities import find_quantity, number_of

Common = Callable[[Mapping[str, Any], str], dict[str, Any]]
_LABEL_LIMIT = 60


def figures_of(raw: Mapping[str, Any], language: str, common: Common) -> list[Figure]:
    """The figures of a frame, from its texts and its meters. `common` makes what every part has, given the label."""
    found = []
    for one, label, quantity in _shown(raw, language):
        own = common(one, label) | {"name": label}
        found.append(Figure(**own, quantity=quantity))
    for one in raw["meters"]:
        value = number_of(one["value"]) if one["value"] else None
        if value is not None:
            shown = one["shown"] or one["value"]
            found.append(
                Figure(
                    **common(one, one["name"]), quantity=Quantity(measure="ratio", value=value, unit=one["maximum"], text=shown)
                )
            )
    return found


def _shown(raw: Mapping[str, Any], language: str) -> Iterator[tuple[Mapping[str, Any], str, Quantity]]:
    texts = raw["texts"]
    for one in texts:
        if one["label"] or (one["item"] >= 0):
            continue
        read = find_quantity(one["text"], language)
        if read is None:
            continue
        quantity, rest = read
        if quantity.measure == "quantity" and not rest and quantity.unit.isalpha() and len(quantity.unit) > 3:
            rest = quantity.unit  # "3 items": what is counted is what it is of
        label = rest or _label(one)
        if len(label) <= _LABEL_LIMIT:
            yield one, label, quantity


def _label(one: Mapping[str, Any]) -> str:
    """Words beside a bare value: a label of its own, what stands before it, what stands after it, the heading above."""
    for words in (one["aria"], one["before"], one["after"], one["section"]):
        plain = words.strip(" :：")
        if plain and len(plain) <= _LABEL_LIMIT and (words is one["section"] or not any(sign.isdigit() for sign in plain)):
            return plain
    return ""
