"""The page of reference on relations, made from the registry: `python -m evaluator.relations.reference > docs/relations.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby

from evaluator.relations.base import Registered, relations

_HEAD = """# Relations

General truths about apps. Each makes trials on whatever page has what it needs; what it accuses is asked again by a control
experiment and met again in a fresh browser. Made from the code by `python -m evaluator.relations.reference > docs/relations.md`;
how to add one is in [ARCHITECTURE.md](../ARCHITECTURE.md).
"""


def page() -> str:
    """The whole page, as Markdown."""
    return "\n".join((_HEAD, *_rooms()))


def _rooms() -> Iterator[str]:
    listed = sorted(relations().values(), key=lambda registered: (_room(registered), registered.name))
    for room, members in groupby(listed, key=_room):
        yield f"## {room.capitalize()}\n"
        yield "| relation | what holds | needs | severity | category |"
        yield "| --- | --- | --- | --- | --- |"
        for member in members:
            asked = " (only where asked for)" if member.only_asked else " (of every act)" if member.always else ""
            cells = (
                f"`{member.name}`",
                member.holds + asked,
                ", ".join(member.about) or "–",
                member.severity.value,
                member.category.value,
            )
            yield f"| {' | '.join(cells)} |"
        yield ""


def _room(registered: Registered) -> str:
    return registered.module.split(".")[2]


if __name__ == "__main__":
    sys.stdout.write(page())
