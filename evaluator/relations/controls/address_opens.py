"""What an address shows can be opened by it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from evaluator.relations.base import Ground, relation
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import NotBlank
from tools.page.trials import Reload, Trial


@relation(about=("texts",), category=Category.broken_navigation, severity=Severity.major, shows=("navigate",))
class AddressOpens:
    """An address that the app led to shows something when it is opened by itself, too.

    What it shows may well be another thing: who is not logged in any more is asked to. What comes late is waited for, and right
    before the same page was seen not to be blank.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One an address, but for that in which the app opens and for places on a page."""
        first, here = (urlsplit(page.url) for page in ((*ground.earlier, ground.page)[0], ground.page))
        view = here.fragment.startswith(("/", "!"))
        if (here.path, here.query) == (first.path, first.query) and not view:
            return
        yield Trial(
            why=f'"{here.path}{"#" + here.fragment if view else ""}" opens by itself, too',
            acts=(Reload(),),
            asserts=(NotBlank(),),
        )
