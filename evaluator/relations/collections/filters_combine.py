"""Two filters leave what fits both."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.collections.filter_leaves_what_fits import filters_of, fitting_items, shows_all
from evaluator.relations.collections.search_finds import searched, word_of
from evaluator.relations.shape import all_shown, called, filtering, offered, open_lists, ranked, searching, title_column
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Chosen, Subset, Target
from tools.page.parts import Choice, Collection, Option
from tools.page.trials import Act, Control, Trial


@relation(about=("collections", "choices"), category=Category.wrong_result, severity=Severity.major, shows=("filter", "search"))
class FiltersCombine:
    """What a filter left out is not brought back by a search or by another filter beside it, while the first one is on."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two a list: a filter that leaves some items out, then a search for one of those, then another filter."""
        page = ground.page
        for listed in open_lists(page):
            if listed.count < 2 or ranked(listed) or not all_shown(listed, ground):
                continue
            filters = list(filters_of(listed, ground))
            for choice in filters[:1]:
                option, out = _leaves_out(choice, listed)
                if option is None:
                    continue
                target, off = (
                    Target.of(listed, page),
                    next(each_option for each_option in offered(choice) if each_option.name in choice.chosen),
                )
                for name, acts in _others(listed, out, filters[1:], ground):
                    yield Trial(
                        why=f'{name} brings nothing back that "{option.name}" left out of {called(listed, page)}',
                        precondition=filtering(choice, option, page),
                        acts=acts,
                        asserts=(Subset(target=target),),
                        control=Control(
                            explains=f'it takes the place of "{option.name}"',
                            acts=(),
                            asserts=(Chosen(target=Target.of(choice, page), option=off.name, place=off.selector),),
                        ),
                        requirements=ground.asked.about(choice, listed),
                    )


def _leaves_out(choice: Choice, listed: Collection) -> tuple[Option | None, tuple[str, ...]]:
    """An option that surely leaves some items and not all, by what they say, and the items that it leaves out."""
    for option in offered(choice):
        fits = fitting_items(listed, choice, option) if not shows_all(option.name, choice) else None
        if fits and len(fits) < listed.count:
            return option, tuple(item.text for item in listed.items if item.text not in fits)
    return None, ()


def _others(
    listed: Collection, out: tuple[str, ...], filters: list[Choice], ground: Ground
) -> Iterator[tuple[str, tuple[Act, ...]]]:
    """A search for an item that was left out, and the last option of another filter."""
    page, column = ground.page, title_column(listed)
    lost = next((item for item in listed.items if item.text in out), None)
    for own, field in searched(ground):
        if own.key == listed.key and lost is not None and column >= 0 and (word := word_of(lost.cells[column].text)):
            yield f'a search for "{word}"', searching(field, word, page)
            break
    for other in filters[:1]:
        option = next(
            (
                each_option
                for each_option in reversed(offered(other))
                if not each_option.chosen and not shows_all(each_option.name, other)
            ),
            None,
        )
        if option is not None:
            yield f'"{option.name}"', filtering(other, option, page)
