"""A search that is said to look through several parts of its items finds them by each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evaluator.relations.base import Ground, relation
from evaluator.relations.collections.search_finds import searched
from evaluator.relations.shape import called, searching, title_column
from evaluator.requirements.grammar import grammar_of, spaceless
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Contains, Target
from tools.page.parts import Collection, Field
from tools.page.trials import Control, Trial

_BETWEEN = re.compile(r"\s*[·•|/,，、;–—]\s*|\s+-\s+")
"""What parts the words of one cell: "Ada Lin · No. 1024"."""
_LISTED = re.compile(r"[,，、;/]")
LEAST = 2
"""So many parts are an enumeration."""
TELLS = 0.6
"""Share of the items that must differ in a part for it to say which item it is; a state ("lent") is the same in many."""
SHORTEST = 3
"""Letters of what is searched for, in scripts with spaces."""


@relation(about=("collections", "fields"), category=Category.wrong_result, severity=Severity.major, shows=("search",))
class SearchReachesEachPart:
    """A search "by title, author or number" finds an item by its title, by its author, and by its number.

    Only where the field's hint or the brief enumerates just as many parts as tell the items of the list from each other: which
    words stand for which part of an item nobody says, but then it is all of them.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One for each part but the title, which other relations search for."""
        page = ground.page
        for listed, field in searched(ground, in_pages=True):
            title = title_column(listed)
            parts = [_parts(item.text for item in row.cells) for row in listed.items]
            telling = _telling(parts)
            if field.value or title < 0 or len(telling) < LEAST or len(telling) not in _enumerated(field, ground):
                continue
            target = Target.of(listed, page)
            for place in telling:
                found = _sought(parts, place, listed, title)
                if found is None:
                    continue
                word, whole, name = found
                yield Trial(
                    why=f'a search for "{word}", which stands in "{name}", finds it in {called(listed, page)}',
                    acts=searching(field, word, page),
                    asserts=(Contains(target=target, texts=(name,)),),
                    control=Control(
                        explains="only what was typed whole is found",
                        acts=searching(field, whole, page),
                        asserts=(Contains(target=target, texts=(name,)),),
                    ),
                    requirements=ground.asked.about(field, listed),
                )


def _parts(cells: Iterator[str]) -> tuple[str, ...]:
    return tuple(part for cell in cells for part in _BETWEEN.split(cell))


def _telling(rows: Sequence[tuple[str, ...]]) -> list[int]:
    """Places of the parts with letters that tell most of the items apart, where all items have as many parts."""
    width = len(rows[0]) if rows and len({len(row) for row in rows}) == 1 else 0
    found = []
    for place in range(width):
        texts = [row[place] for row in rows]
        wordy = all(any(sign.isalpha() for sign in text) and not text[:1].isdigit() for text in texts)
        if wordy and len(set(texts)) >= TELLS * len(texts):
            found.append(place)
    return found


def _enumerated(field: Field, ground: Ground) -> set[int]:
    """How many things the hint, or what the brief says of searching, enumerates."""
    words = ground.asked.words()
    told = [field.placeholder, field.name, *(words[name] for name in ground.asked.of("search"))]
    language = ground.page.language or "en"
    return {many for text in told if (many := _many(text, language)) >= LEAST}


def _many(text: str, language: str) -> int:
    joins = grammar_of("zh" if spaceless(text) and not language.startswith("ja") else language).joins
    return sum(any(sign.isalpha() for sign in part) for whole in _LISTED.split(text) for part in joins.split(whole))


def _sought(rows: Sequence[tuple[str, ...]], place: int, listed: Collection, title: int) -> tuple[str, str, str] | None:
    """A word of that part of the last item whose title does not hold it, the whole part, and the item's title."""
    texts = [row[place].split() for row in rows]
    for at in reversed(range(len(rows))):
        name = listed.items[at].cells[title].text
        own = [
            word
            for word in texts[at]
            if (len(word) >= SHORTEST or spaceless(word)) and not all(word in other for other in texts) and word not in name
        ]
        if own:
            return max(own, key=len), rows[at][place], name
    return None
