"""Going back leads back."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urldefrag

from evaluator.relations.base import Ground, relation
from evaluator.relations.controls.leads_somewhere import leaves
from evaluator.relations.shape import called, usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Changes, NotBlank, Target, Unchanged
from tools.page.parts import Link
from tools.page.trials import Back, Control, Press, Reload, Trial


@relation(about=("links", "texts"), category=Category.broken_navigation, severity=Severity.minor, shows=("navigate",))
class BackReturns:
    """After a link and a step back the page shows its headings again."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a page, by its first link to elsewhere, judged by its first heading."""
        page = ground.page
        heading = next((text for text in page.texts if text.level and text.item < 0), None)
        links = (link for link in page.links if usable(link) and link.item < 0 and leaves(link, page))
        link = next((each_link for each_link in links if not _scrolls(each_link)), None)
        if heading is None or link is None:
            return
        yield Trial(
            why=f"going back from {called(link, page)} returns",
            acts=(Press(target=Target.of(link, page)), Back()),
            asserts=(NotBlank(), Unchanged(target=Target.of(heading, page))),
            control=Control(
                explains="the heading differs from time to time",
                precondition=(Reload(),),
                acts=(Reload(),),
                asserts=(Changes(target=Target.of(heading, page)),),
            ),
            requirements=ground.asked.about(link),
        )


def _scrolls(link: Link) -> bool:
    """It leads to a place on this page: it may only scroll there, and going back then leads to the page before this one."""
    return bool(link.there) or urldefrag(link.href).fragment == "top"
