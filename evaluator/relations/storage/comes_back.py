"""What was added is there again when one comes back to it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urljoin

from evaluator.relations.base import Ground, relation
from evaluator.relations.choices.remembers import elsewhere
from evaluator.relations.controls.leads_somewhere import leaves
from evaluator.relations.shape import choosing, offered, open_lists, title_column, usable
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import Changes, Contains, Target
from tools.page.parts import Collection, Link
from tools.page.trials import Act, Back, Control, Press, Trial


@relation(about=("collections",), category=Category.persistence_lost, severity=Severity.major, shows=("persist", "navigate"))
class ComesBack:
    """What was added to a list is still in it after a visit to another part of the app.

    Of apps whose parts are views of one page: where each part is a page of its own, nothing need be kept.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a list and way there and back, with an item that it did not have when it was first seen."""
        page = ground.page
        for listed in open_lists(page):
            title = _added(listed, ground)
            if not title:
                continue
            target = Target.of(listed, page)
            for name, goes in _ways(listed, ground):
                yield Trial(
                    why=f'"{title}" is still in "{listed.name}" after a visit to "{name}"',
                    acts=goes,
                    asserts=(Contains(target=target, texts=(title,)),),
                    control=Control(
                        explains="what is listed differs at each visit", acts=goes, asserts=(Changes(target=target),)
                    ),
                    requirements=ground.asked.about(listed),
                )
                break


def _added(listed: Collection, ground: Ground) -> str:
    """The title of an item that came into the list since it was first seen on this page; empty for none."""
    column = title_column(listed)
    seen = [one for page in ground.earlier if isinstance(one := page.of(listed.key), Collection) and one.count == len(one.items)]
    if column < 0 or not seen:
        return ""
    first = {item.text for item in seen[0].items}
    return next((item.cells[column].text for item in listed.items if item.text not in first and len(item.cells) > column), "")


def _ways(listed: Collection, ground: Ground) -> Iterator[tuple[str, tuple[Act, ...]]]:
    """Where one can go, where the list is not, and the acts that lead there and back."""
    page = ground.page
    for way in page.choices:
        away = elsewhere(way, ground)
        if away is not None and away[0].document == page.document and away[0].of(listed.key) is None:
            back = next(one for one in offered(way) if one.chosen)
            yield away[1].name, (choosing(way, away[1], page), choosing(way, back, page))
    for link in page.links:
        if usable(link) and link.item < 0 and leaves(link, page) and _is_view(link, listed, ground):
            yield link.name, (Press(target=Target.of(link, page)), Back())


def _is_view(link: Link, listed: Collection, ground: Ground) -> bool:
    """Whether where it leads was seen to be another view of the same page, where the list is not."""
    place = urljoin(ground.page.url, link.href)
    return any(
        one.document == two.document and two.url == place != one.url and two.of(listed.key) is None for one, two in ground.steps()
    )
