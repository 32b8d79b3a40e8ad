"""A search finds by each of the things that the brief names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.collections.search_finds import searched, title_column, word_of
from evaluator.relations.shape import called, searching
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Contains, Target
from tools.page.parts import Collection
from tools.page.quantities import find_quantity
from tools.page.trials import Control, Trial

_BY = r"(?:\b(?:by|nach|por|par)\s+|按照?|根据)"
_BETWEEN = r"(?:\s*[,、/]\s*(?:(?:and|or|und|oder|et|ou|y|o)\s+)?|\s+(?:and|or|und|oder|et|ou|y|o)\s+|\s*(?:或者?|和|以及)\s*)"
_THING = r"(?:(?!(?:and|or|und|oder|et|ou)\b)[^\W\d_]+(?:[ -](?!(?:and|or|und|oder|et|ou|y|o)\b)[^\W\d_]+)?)"
_NAMED = re.compile(rf"{_BY}({_THING}(?:{_BETWEEN}{_THING})+)", re.IGNORECASE)
_SPLIT = re.compile(_BETWEEN, re.IGNORECASE)
_PARTS = re.compile(r"\s+[·•|—–/]\s+|\n")
"""What stands between the parts of a line: "Ada Byrne · D4108"."""
_LEAST = 3
"""Items of which a part differs from one to the next."""


@relation(
    about=("collections", "fields"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("search",),
    says=("search by title, author or number",),
)
class SearchFindsByEach:
    """Where the brief names what is searched by, and items show as many parts as it names, each of those is found.

    Parts that say the same of many items (available, lent) are none of them, nor are amounts and days. Of a table whose heads say
    what its columns are another relation asks.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a part beside the title, by its longest word."""
        page, counts = ground.page, _named(ground)
        for listed, field in searched(ground):
            parts, column = _parts(listed), title_column(listed)
            if field.value or listed.columns or column < 0 or len(parts) not in counts:
                continue
            target = Target.of(listed, page)
            for texts in parts:
                at, word = next(((at, word) for at, text in enumerate(texts) if (word := _telling(text, texts))), (-1, ""))
                title = listed.items[at].cells[column].text if at >= 0 else ""
                if not word or word.casefold() in title.casefold():
                    continue
                yield Trial(
                    why=f'a search for "{word}" finds "{title}" in {called(listed, page)}',
                    acts=searching(field, word, page),
                    asserts=(Contains(target=target, texts=(title,)),),
                    control=Control(
                        explains="only what was typed whole is found",
                        acts=searching(field, texts[at], page),
                        asserts=(Contains(target=target, texts=(title,)),),
                    ),
                    requirements=ground.asked.about(field, listed),
                )


def _named(ground: Ground) -> frozenset[int]:
    """How many things the brief says that one can search by; not where it speaks of filters or an order in the same breath."""
    words, others = ground.asked.words(), {*ground.asked.of("filter"), *ground.asked.of("sort")}
    found = [_NAMED.search(words[name]) for name in ground.asked.of("search") if name not in others]
    return frozenset(len(_SPLIT.split(match[1])) for match in found if match)


def _parts(listed: Collection) -> list[list[str]]:
    """For each part that differs from item to item its text in every item; none where items have unlike many parts."""
    rows = [[part for cell in item.cells for part in _PARTS.split(cell.text)] for item in listed.items]
    if len(rows) < _LEAST or len({len(row) for row in rows}) != 1:
        return []
    columns = [list(column) for column in zip(*rows, strict=True)]
    return [texts for texts in columns if len(set(texts)) * 2 > len(texts) and not all(map(_is_amount, texts))]


def _is_amount(text: str) -> bool:
    found = find_quantity(text)
    return found is not None and not found[1].strip()


def _telling(text: str, texts: list[str]) -> str:
    """A word of one item's part alone."""
    word = word_of(text)
    return word if word and sum(word.casefold() in other.casefold() for other in texts) == 1 else ""
