"""The stubborn tester: what is tried anyway, whatever anybody knows of the app.

Every control in every state it appears in, each option of each choice, each form filled whole and sent, twice. Nothing is known
of what should come of it but that the page survives.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from evaluator.relations.base import Ground
from evaluator.relations.values import filled
from tools.page.assertions import Clean, Target
from tools.page.model import PageModel
from tools.page.parts import Choice, Link, Part
from tools.page.trials import Act, Choose, Press, Trial

BY = "stubborn_tester"
SURVIVES = (Clean(),)


def stubborn(ground: Ground) -> Iterator[Trial]:
    """The trials for a page, forms first: what they bring is needed by most of the rest."""
    page = ground.page
    for form in page.forms:
        act = filled(form, page, ground.typed, today=ground.today)
        if act is not None and not form.covered:
            yield _survives(ground, f'the page survives the form "{form.name}"', (act,), form)
    for part in (*page.buttons, *page.toggles, *page.links):
        if usable(part) and not (isinstance(part, Link) and leads_away(part, page)) and _first_of_its_kind(part, page):
            yield _survives(ground, f'the page survives "{part.name}"', (Press(target=Target.of(part, page)),), part)
    for choice in page.choices:
        if usable(choice):
            for act in options(choice, page):
                yield _survives(ground, f'the page survives "{act.option}" of "{choice.name}"', (act,), choice)


def _survives(ground: Ground, why: str, acts: tuple[Act, ...], part: Part) -> Trial:
    return Trial(why=why, acts=acts, asserts=SURVIVES, by=BY, requirements=ground.asked.about(part))


def usable(part: Part) -> bool:
    """Whether it can be used as the page stands."""
    return not part.disabled and not part.covered


def leads_away(link: Link, page: PageModel) -> bool:
    """Whether a link leads to another site, or is for another program."""
    to = urlsplit(urljoin(page.url, link.href))
    return to.scheme not in {"http", "https", "file", "javascript", ""} or (
        to.netloc != urlsplit(page.url).netloc and bool(to.netloc)
    )


def _first_of_its_kind(part: Part, page: PageModel) -> bool:
    """Of ten like controls in ten items the first and the last one are enough."""
    if not part.collection:
        return True
    like = [
        one
        for one in (*page.buttons, *page.toggles, *page.links)
        if one.collection == part.collection and one.role == part.role and one.name == part.name
    ]
    if len(like) > 1:
        return part in (like[0], like[-1])
    return part.item <= 1


def options(choice: Choice, page: PageModel) -> Iterator[Choose]:
    """Acts that choose what is not chosen: at most four."""
    how = "select" if choice.kind == "select" else "open" if choice.kind == "combobox" else "press"
    for option in [one for one in choice.options if not one.chosen and not one.disabled][:4]:
        yield Choose(target=Target.of(choice, page), option=option.name, how=how, place=option.selector)
