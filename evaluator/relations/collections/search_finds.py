"""A search finds what is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import all_shown, called, open_lists, search_fields, searching, title_column
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Contains, SameItems, Target, Unchanged
from tools.page.parts import Collection, Field
from tools.page.trials import Control, Trial

NO_WORD = "zqxvkj"
_PARTS = re.compile(r"\s*(?:[·•|\n]|\s[-–—]\s)\s*")
"""Between the parts of what a card says in one line."""
_LISTED = re.compile(
    r"\s*(?:[,，、/]|\s(?:or|and|oder|und|ou|et|o|y|e)\s|或者|或|和|または|や)\s*(?:(?:or|and|oder|und|ou|et|y)\s)?",
    re.IGNORECASE,
)
_LONG = 3
"""Words of which the name of a thing has no more."""


@relation(
    about=("collections", "fields"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("search",),
    says=("search by name while typing",),
)
class SearchFinds:
    """A search for a word of an item finds it, in capitals as well; what is no word finds nothing; cleared, all are back.

    Of other columns than the items' title only what the field's hint or the brief says is searched.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Four a search, by a word of the last item's title; of lists that stand alone or that the page ties to the search."""
        page = ground.page
        for listed, field in searched(ground):
            column = title_column(listed)
            if column < 0 or field.value:
                continue
            title = listed.items[-1].cells[column].text
            word = word_of(title)
            if not word:
                continue
            target, asked = Target.of(listed, page), ground.asked.about(field, listed)
            yield Trial(
                why=f'a search for "{word}" finds "{title}" in {called(listed, page)}',
                acts=searching(field, word, page),
                asserts=(Contains(target=target, texts=(title,)),),
                control=Control(
                    explains="only whole titles are found",
                    acts=searching(field, title, page),
                    asserts=(Contains(target=target, texts=(title,)),),
                ),
                requirements=asked,
            )
            other = word.upper() if word != word.upper() else word.lower()
            if other != word:
                yield Trial(
                    why=f'a search for "{other}" finds "{title}", too',
                    acts=searching(field, other, page),
                    asserts=(Contains(target=target, texts=(title,)),),
                    control=Control(
                        explains="the word is not found as it is written either",
                        acts=searching(field, word, page),
                        asserts=(Contains(target=target, texts=(title,), yes=False),),
                    ),
                    requirements=asked,
                )
            yield Trial(
                why=f"a search for what is no word finds nothing in {called(listed, page)}",
                acts=searching(field, NO_WORD, page),
                asserts=tuple(Contains(target=target, texts=(one,), yes=False) for one in _titles(listed, column)),
                control=Control(
                    explains="the search is not about this list",
                    acts=searching(field, word, page),
                    asserts=(Unchanged(target=target),),
                ),
                requirements=asked,
            )
            for what, text in _named_parts(listed, field, ground, column)[:2]:
                if not (found := word_of(text)):
                    continue
                yield Trial(
                    why=f'a search for "{found}", "{what}" of "{title}", finds it',
                    acts=searching(field, found, page),
                    asserts=(Contains(target=target, texts=(title,)),),
                    control=Control(
                        explains="only what was typed whole is found",
                        acts=searching(field, text, page),
                        asserts=(Contains(target=target, texts=(title,)),),
                    ),
                    requirements=asked,
                )
            yield Trial(
                why=f"all of {called(listed, page)} is back when the search is cleared",
                acts=(*searching(field, word, page), *searching(field, "", page)),
                asserts=(SameItems(target=target),),
                requirements=asked,
            )


def _titles(listed: Collection, column: int) -> list[str]:
    """The first and the last one: what says that nothing was found may be an item of the list, too."""
    titles = [item.cells[column].text for item in (listed.items[0], listed.items[-1]) if column < len(item.cells)]
    return [title for title in dict.fromkeys(titles) if title]


def word_of(text: str) -> str:
    """The longest word of a text, of three letters or in a script of words without spaces; empty where there is none."""
    words = [word for word in map(_bare, text.split()) if word.isalpha()]
    word = max(words, key=len, default="")
    return word if len(word) >= 3 or any(ord(sign) > 0x2E80 for sign in word) else ""


def _bare(word: str) -> str:
    """Without the signs around it: quotation marks, brackets, a comma."""
    inside = [at for at, sign in enumerate(word) if sign.isalnum()]
    return word[inside[0] : inside[-1] + 1] if inside else ""


def stated(listed: Collection, field: Field, ground: Ground) -> list[int]:
    """Columns of which the field's hint, or what the brief says of searching, says that they are searched."""
    words = ground.asked.words()
    said = " ".join([field.placeholder, field.name, *(words[one] for one in ground.asked.of("search"))]).casefold()
    width = min((len(item.cells) for item in listed.items), default=0)
    named = [(at, name.casefold().strip()) for at, name in enumerate(listed.columns[:width])]
    return [at for at, name in named if len(name) >= 2 and re.search(rf"(?<!\w){re.escape(name)}(?:e?s)?(?!\w)", said)]


def _named_parts(listed: Collection, field: Field, ground: Ground, title: int) -> list[tuple[str, str]]:
    """What else than its title is said to be searched, each with what the last item shows of it.

    By columns' names; of cards, which have none, the one thing that the hint names of which no label stands in the item, where
    just one part of the item has no label either.
    """
    last = listed.items[-1]
    columns = [at for at in stated(listed, field, ground) if at != title]
    if columns or any(listed.columns):
        return [(listed.columns[at], last.cells[at].text) for at in columns]
    things = _things_in(field.placeholder or field.name)
    own = {option.name for choice in ground.page.choices for option in choice.options} | {one.name for one in ground.page.buttons}
    parts = [text for text in _wordings(listed, title) if text not in own]
    labelled = [text for text in parts if any(thing.casefold() in text.casefold() for thing in things)]
    free = [text for text in parts if text not in labelled]
    unlabelled = [thing for thing in things if not any(thing.casefold() in text.casefold() for text in labelled)]
    # The first thing that is named is the title.
    return [(unlabelled[1], free[0])] if len(unlabelled) == 2 and len(free) == 1 else []


def _wordings(listed: Collection, title: int) -> list[str]:
    """What the last item says in words beside its title; what items say in few different ways is a state, not a name."""
    rows = [
        {(at, nth): text for at, cell in enumerate(item.cells) for nth, text in enumerate(_PARTS.split(cell.text))}
        for item in listed.items
    ]
    said = {place: {row.get(place, "") for row in rows} for place in rows[-1] if place[0] != title}
    return [rows[-1][place] for place, ways in said.items() if 2 * len(ways) > len(rows) and word_of(rows[-1][place])]


def _things_in(hint: str) -> list[str]:
    """What a hint says can be searched: "Search by title, author or number…" names three things."""
    parts = [one.strip(" .…:") for one in _LISTED.split(hint) if one.strip(" .…:")]
    if len(parts) < 2 or any(len(one.split()) > _LONG for one in parts[1:]):
        return []
    return [parts[0].split()[-1], *parts[1:]]


def searched(ground: Ground) -> Iterator[tuple[Collection, Field]]:
    """Lists and the search that is about them."""
    page = ground.page
    lists = [one for one in open_lists(page) if one.count > 1 and all_shown(one, ground)]
    fields = search_fields(page)
    for listed in lists:
        own = [one for one in fields if one.key in listed.searches] or (fields if len(lists) == 1 else [])
        for field in own[:1]:
            yield listed, field
