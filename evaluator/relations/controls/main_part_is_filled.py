"""The page's main part has something in it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urljoin

from evaluator.relations.base import Ground, relation
from evaluator.relations.controls.leads_somewhere import own
from evaluator.relations.shape import usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import NotBlank, Target
from tools.page.model import PageModel
from tools.page.parts import Button, Link
from tools.page.trials import Act, Agree, Control, Press, Trial, Wait

LATER_MS = 4000
"""App time after which what is loaded is there as well."""
PRESSED = 5
"""Controls that may fill it, at most."""


@relation(about=("buttons", "links"), category=Category.missing_feature, severity=Severity.critical)
class MainPartIsFilled:
    """Where a page states which is its main part (`main`), something is in there: at once, later, or once somebody chooses it.

    Not beside fields, choices and drawings: what is found, or drawn, may come in there.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One, as the page stands; its control presses what may fill the part."""
        page = ground.page
        if not page.hollow or page.fields or page.choices or page.surfaces or page.layers or page.processes or page.unread:
            return
        filled = NotBlank(main=True)
        yield Trial(
            why="the page's main part shows something",
            acts=(Wait(app_ms=LATER_MS),),
            asserts=(filled,),
            control=Control(explains="it is filled once something is chosen", acts=_choices(page), asserts=(filled,)),
            requirements=(),
        )


def _choices(page: PageModel) -> tuple[Act, ...]:
    """Press each of the first few buttons and links of the page's own. Where one leads away, the control can't tell."""
    free: list[Button | Link] = [button for button in page.buttons if usable(button)]
    free += [link for link in page.links if usable(link) and link.href and own(urljoin(page.url, link.href), page)]
    pressed = [act for part in free[:PRESSED] for act in (Press(target=Target.of(part, page)), Agree())]
    return (*pressed, Wait(app_ms=LATER_MS))
