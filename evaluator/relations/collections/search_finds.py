"""A search finds what is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.paging import on_first_page
from evaluator.relations.shape import all_shown, called, open_lists, search_fields, searching, title_column
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Contains, SameItems, Target, Unchanged
from tools.page.parts import Collection, Field
from tools.page.trials import Control, Trial

NO_WORD = "zqxvkj"
_EVERYWHERE = (
    "a search that finds every match of a player",
    "search for a person wherever the name stands",
    "search by either name",
)


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
        for listed, field in searched(ground, in_pages=True):
            column = title_column(listed)
            if field.value:
                continue
            yield from _by_names(listed, field, ground)
            if column < 0:
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
                asserts=tuple(Contains(target=target, texts=(text,), yes=False) for text in _titles(listed, column)),
                control=Control(
                    explains="the search is not about this list",
                    acts=searching(field, word, page),
                    asserts=(Unchanged(target=target),),
                ),
                requirements=asked,
            )
            for other_column in stated(listed, field, ground)[:2]:
                if other_column == column or not (found := word_of(listed.items[-1].cells[other_column].text)):
                    continue
                yield Trial(
                    why=f'a search for "{found}", "{listed.columns[other_column]}" of "{title}", finds it',
                    acts=searching(field, found, page),
                    asserts=(Contains(target=target, texts=(title,)),),
                    control=Control(
                        explains="only what was typed whole is found",
                        acts=searching(field, listed.items[-1].cells[other_column].text, page),
                        asserts=(Contains(target=target, texts=(title,)),),
                    ),
                    requirements=asked,
                )
            if not (all_shown(listed, ground) or on_first_page(listed, ground)):
                continue
            yield Trial(
                why=f"all of {called(listed, page)} is back when the search is cleared",
                acts=(*searching(field, word, page), *searching(field, "", page)),
                asserts=(SameItems(target=target),),
                requirements=asked,
            )


def _by_names(listed: Collection, field: Field, ground: Ground) -> Iterator[Trial]:
    """Of items that hold names of one kind in two columns, "Ada – Ben", "Ben – Cleo": one of each is found.

    Only where the brief says so: a search may be for senders alone.
    """
    page = ground.page
    if not ground.asked.saying(_EVERYWHERE):
        return
    for column, other in _of_one_kind(listed):
        apart = [item for item in listed.items if item.cells[column].text != item.cells[other].text]
        for item, at in ((apart[-1:], column), (apart[:1], other)):
            if not item or not (word := word_of(name := item[0].cells[at].text)):
                continue
            target = Target.of(listed, page)
            yield Trial(
                why=f'a search for "{word}" finds "{item[0].text}" in {called(listed, page)}',
                acts=searching(field, word, page),
                asserts=(Contains(target=target, texts=(item[0].text,)),),
                control=Control(
                    explains="only whole names are found",
                    acts=searching(field, name, page),
                    asserts=(Contains(target=target, texts=(item[0].text,)),),
                ),
                requirements=ground.asked.about(field, listed),
            )
        return


def _of_one_kind(listed: Collection) -> Iterator[tuple[int, int]]:
    """Pairs of columns of words with some in common: the same persons or places stand in both."""
    width = min((len(item.cells) for item in listed.items), default=0)
    texts = [{item.cells[at].text for item in listed.items} for at in range(width)]
    wordy = [at for at, of in enumerate(texts) if len(of) > 1 and all(any(sign.isalpha() for sign in text) for text in of)]
    for at, column in enumerate(wordy):
        yield from ((column, other) for other in wordy[at + 1 :] if len(texts[column] & texts[other]) >= 2)


def _titles(listed: Collection, column: int) -> list[str]:
    """The first and the last one: what says that nothing was found may be an item of the list, too."""
    titles = [item.cells[column].text for item in (listed.items[0], listed.items[-1]) if column < len(item.cells)]
    return [title for title in dict.fromkeys(titles) if title]


def word_of(text: str) -> str:
    """The longest word of a text, of three letters or in a script of words without spaces; empty where there is none.

    Of several the first is only taken where no other will do: who searches for the beginning of words only finds that one.
    """
    words = [word for word in map(_bare, text.split()) if word.isalpha() and _will_do(word)]
    return max(words[1:] or words, key=len, default="")


def _will_do(word: str) -> bool:
    return len(word) >= 3 or any(ord(sign) > 0x2E80 for sign in word)


def _bare(word: str) -> str:
    """Without the signs around it: quotation marks, brackets, a comma."""
    inside = [at for at, sign in enumerate(word) if sign.isalnum()]
    return word[inside[0] : inside[-1] + 1] if inside else ""


def stated(listed: Collection, field: Field, ground: Ground) -> list[int]:
    """Columns of which the field's hint, or what the brief says of searching, says that they are searched."""
    words = ground.asked.words()
    said = " ".join([field.placeholder, field.name, *(words[text] for text in ground.asked.of("search"))]).casefold()
    width = min((len(item.cells) for item in listed.items), default=0)
    named = [(at, name.casefold().strip()) for at, name in enumerate(listed.columns[:width])]
    return [at for at, name in named if len(name) >= 2 and re.search(rf"(?<!\w){re.escape(name)}(?:e?s)?(?!\w)", said)]


def searched(ground: Ground, *, in_pages: bool = False) -> Iterator[tuple[Collection, Field]]:
    """Lists and the search that is about them; with `in_pages` also lists of which only a page is shown."""
    page = ground.page
    lists = [
        collection for collection in open_lists(page) if collection.count > 1 and (in_pages or all_shown(collection, ground))
    ]
    fields = search_fields(page)
    for listed in lists:
        own = [
            each_field
            for each_field in fields
            if each_field.key in listed.searches and _longest(each_field, ground) in {"", listed.key}
        ]
        for field in (own or (fields if len(lists) == 1 else []))[:1]:
            yield listed, field


def _longest(field: Field, ground: Ground) -> str:
    """The list of a search that ever was the longest: tiles that stand beside it are tied to its search as well."""
    pages = (*ground.earlier, ground.page)
    seen = [(listed.count, listed.key) for page in pages for listed in page.collections if field.key in listed.searches]
    return max(seen, default=(0, ""))[1]
