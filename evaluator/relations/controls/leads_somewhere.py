"""A link leads to something."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urldefrag, urljoin, urlsplit

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import NotBlank, Noticed, Target
from tools.page.model import PageModel
from tools.page.parts import Link
from tools.page.trials import Control, Press, Trial


@relation(about=("links",), category=Category.broken_navigation, severity=Severity.major, shows=("navigate",))
class LeadsSomewhere:
    """A link of the app's own leads to a page with something on it, or to a place on this one that there is."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a link and address; of those to a place on this page only those whose place is not there: code may serve them."""
        page, known = ground.page, {ground.page.url}
        for link in page.links:
            place = urljoin(page.url, link.href)
            if not usable(link) or not link.href or place in known or not own(place, page):
                continue
            known.add(place)
            here = urldefrag(place).url == urldefrag(page.url).url
            if here and (link.there is not False or _there_already(link, place, page)):
                continue
            target = Target.of(link, page)
            yield Trial(
                why=f"{called(link, page)} leads somewhere",
                acts=(Press(target=target),),
                asserts=(Noticed(target=target),) if here else (NotBlank(), Noticed(target=target)),
                control=_from_elsewhere(link, page) if here else None,
                requirements=ground.asked.about(link),
            )


def _there_already(link: Link, place: str, page: PageModel) -> bool:
    """Whether it leads to the view that is shown: to the first one, which has no name of its own, or to what is chosen."""
    names = (urldefrag(text).fragment.strip("!/") for text in (place, page.url))
    chosen = any(option.chosen and option.selector == link.selector for choice in page.choices for option in choice.options)
    return chosen or not any(names)


def _from_elsewhere(link: Link, page: PageModel) -> Control | None:
    """From where another link of its row leads, it may well lead back: then it was there already."""
    row = (
        each_link
        for each_link in page.links
        if usable(each_link) and each_link.section == link.section and each_link.there is False
    )
    other = next((each_link for each_link in row if each_link.href != link.href), None)
    if other is None:
        return None
    target = Target.of(link, page)
    return Control(
        explains="what it leads to was shown already",
        precondition=(Press(target=Target.of(other, page)),),
        acts=(Press(target=target),),
        asserts=(Noticed(target=target),),
    )


def own(place: str, page: PageModel) -> bool:
    """An address on the page's own site."""
    there, here = urlsplit(place), urlsplit(page.url)
    return there.scheme in {"http", "https", "file"} and there.netloc == here.netloc


def leaves(link: Link, page: PageModel) -> bool:
    """It leads to another document or another address within the app."""
    place = urljoin(page.url, link.href)
    return bool(link.href) and own(place, page) and place != page.url
