"""Finding a part by what a person, or a model, calls it."""

from __future__ import annotations

import re

from tools.page.parts import Button, Collection, Field, Part

_SHORT, _WORDS = 2, re.compile(r"\w+")
"""Letters up to which a name is looked for as a whole word."""


def found_by_name(name: str, kind: str, parts: tuple[Part, ...]) -> Part | None:
    """The only one of that name whatever its case, else the only one whose name, label or section has it.

    A field is also called by what stands in it, where that is said to be a field.
    """
    name = name.casefold()
    if not name:
        return parts[0] if kind and len(parts) == 1 else None

    def has(text: str) -> bool:
        """A word or two letters are a part of many names: the button "2" is not the link "2024 in review"."""
        return name in text if len(name) > _SHORT or not name.isascii() else name in _WORDS.findall(text)

    tests = (
        lambda part: part.name.casefold() == name,
        lambda part: has(part.name.casefold()),
        lambda part: bool(name) and name in (pictured(part), pictured(part).partition(" ")[0]),
        lambda part: has(f"{getattr(part, 'placeholder', '')} {part.section}".casefold()),
        lambda part: kind == "fields" and isinstance(part, Field) and has(part.value.casefold()),
    )
    for fits in tests:
        found = _outermost([part for part in parts if fits(part)])
        if found:
            return found[0] if len({(part.selector, part.frame) for part in found}) == 1 else None
    return None


def pictured(part: Part) -> str:
    """What an icon set calls the picture of a button that has no name."""
    return part.icon.casefold() if isinstance(part, Button) and not part.name else ""


def _outermost(found: list[Part]) -> list[Part]:
    """Of lists those that lie in no other one of them: within a row of a list, another may bear the same section's name."""
    lists = [collection for collection in found if isinstance(collection, Collection)]
    return [part for part in found if not any(_lies_in(part, other) for other in lists)] if len(lists) == len(found) else found


def _lies_in(part: Part, other: Part) -> bool:
    """Whether it lies within another, smaller one."""
    inner, outer = part.box, other.box
    smaller = inner.width * inner.height < outer.width * outer.height
    return (
        smaller
        and inner.x >= outer.x
        and inner.y >= outer.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )
