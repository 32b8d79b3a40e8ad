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
from tools.page.trials import Press, Trial


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
            if here and link.there is not False:
                continue
            target = Target.of(link, page)
            yield Trial(
                why=f'"{link.name}" leads somewhere',
                acts=(Press(target=target),),
                asserts=(Noticed(target=target),) if here else (NotBlank(), Noticed(target=target)),
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
