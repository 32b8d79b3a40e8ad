"""A link leads to something."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urldefrag, urljoin, urlsplit

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import usable
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import NotBlank, Noticed, Target
from tools.page.model import PageModel
from tools.page.parts import Link
from tools.page.trials import Control, Keys, Press, Trial


@relation(about=("links",), category=Category.broken_navigation, severity=Severity.major)
class LeadsSomewhere:
    """A link of the app's own leads to a page with something on it, or to a place on this one that there is."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a link and address; where everything is in view, a link to a place on the page has nothing to show."""
        page, known = ground.page, set[str]()
        for link in page.links:
            place = urljoin(page.url, link.href)
            if not usable(link) or not link.href or place in known or not own(place, page):
                continue
            known.add(place)
            here = urldefrag(place).url == urldefrag(page.url).url
            if here and page.size[1] <= page.viewport[1] + 40:
                continue
            target = Target.of(link, page)
            yield Trial(
                why=f'"{link.name}" leads somewhere',
                acts=(Press(target=target),),
                asserts=(Noticed(target=target),) if here else (NotBlank(), Noticed(target=target)),
                control=Control(
                    explains="where it leads was in view already",
                    precondition=(Keys(keys=("End",)),) if page.scroll[1] < 10 else (Keys(keys=("Home",)),),
                    acts=(Press(target=target),),
                    asserts=(Noticed(target=target),),
                )
                if here
                else None,
                requirements=ground.asked.about(link),
            )


def own(place: str, page: PageModel) -> bool:
    """An address on the page's own site."""
    there, here = urlsplit(place), urlsplit(page.url)
    return there.scheme in {"http", "https", "file"} and there.netloc == here.netloc


def leaves(link: Link, page: PageModel) -> bool:
    """It leads to another document or another address within the app."""
    place = urljoin(page.url, link.href)
    return bool(link.href) and own(place, page) and place != page.url
