"""What is added stands in the list."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import fill_whole, forms_that
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Appears, SaysError, Target
from tools.page.model import PageModel
from tools.page.trials import Control, Trial


@relation(
    about=("forms", "fields"),
    category=Category.state_not_updated,
    severity=Severity.major,
    shows=("add", "submit"),
    says=("a new entry appears in the list",),
)
class AddedItemAppears:
    """What a form adds is to be seen, with the words that were typed.

    Only of forms whose button, or whose dialog, says that they add; a search, a log-in or a message to somebody shows nothing of
    the kind. It must be seen anywhere on the page: which list a form feeds is a guess, and no accusation rests on it.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form: filled whole with values never typed before."""
        for form, submit in forms_that(ground):
            filled = fill_whole(ground, form, submit)
            if filled is None or not filled.typed or (form.layer and _elsewhere(ground.page)):
                continue
            yield Trial(
                why=f"what {called(submit, ground.page)} adds is shown",
                acts=(filled.act,),
                asserts=(Appears(target=Target(kind="texts", name=filled.typed)),),
                control=Control(
                    explains="the page refused the values, and said so", acts=(), asserts=(SaysError(or_keeps=True),)
                ),
                requirements=ground.asked.about(form, submit),
            )


def _elsewhere(page: PageModel) -> bool:
    """Whether what a dialog adds may be shown in another part of the app: there are such parts, or nothing is listed here."""
    parts = any(choice.kind in {"tabs", "links", "menu"} and not choice.layer for choice in page.choices)
    ways = any(link.item < 0 and not link.layer and link.there is None and link.href.strip("#") for link in page.links)
    return parts or ways or not any(listed.count and not listed.layer for listed in page.collections)
