"""A form with an address takes nothing for one that is none."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import Filled, fill_whole, open_fields
from evaluator.relations.base import Ground, relation
from evaluator.relations.deeds import does
from evaluator.relations.values import purpose
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import Refused
from tools.page.model import PageModel
from tools.page.parts import Button, Field
from tools.page.trials import Control, Fill, Reload, Trial

NO_ADDRESS = "anna@"
_FREE = {"text", "email", "tel", "multiline", "password"}


@relation(about=("forms", "fields"), category=Category.validation_missing, severity=Severity.major, shows=("validate", "account"))
class WrongIsNotAccepted:
    """A form in which one gives an e-mail address is not accepted with half an address, nor without one that is required.

    A form is accepted where it goes, or is emptied, and nothing is said of an error. One with that field alone is left out: pages
    empty it whatever was typed.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """At most two a form. What it makes of right values is its control."""
        page = ground.page
        for form in page.forms:
            submit = page.of(form.submit) if form.submit else None
            addresses = [one for one in open_fields(form, page) if one.kind == "email" or purpose(one.name) == "email address"]
            if (
                form.covered
                or not isinstance(submit, Button)
                or does(submit, "search", "log in", "cancel", "next")
                or not addresses
            ):
                continue
            right, first = fill_whole(ground, form, submit), ground.earlier[0] if ground.earlier else page
            if right is None or len(_typed(right, page)) < 2 or first.of(form.key) is None:
                continue
            wrong = [NO_ADDRESS, *([""] if addresses[0].required else [])]
            for number, value in enumerate(wrong, start=1):
                one = fill_whole(ground, form, submit, number, instead={addresses[0].key: value})
                if one is None:
                    continue
                yield Trial(
                    why=f'"{submit.name}" does not accept "{value}" as "{addresses[0].name}"',
                    acts=(one.act,),
                    asserts=(_refused(one, page),),
                    control=Control(
                        explains="it does not accept what is right either",
                        precondition=(Reload(),),
                        acts=(right.act,),
                        asserts=(_refused(right, page),),
                    ),
                    requirements=ground.asked.about(form, addresses[0]),
                )


def _typed(one: Filled, page: PageModel) -> list[Fill]:
    fills = [fill for fill in one.act.fills if isinstance(fill, Fill) and fill.value]
    return [fill for fill in fills if isinstance(part := fill.target.find(page), Field) and part.kind in _FREE]


def _refused(one: Filled, page: PageModel) -> Refused:
    typed = _typed(one, page)
    return Refused(fields=tuple(fill.target for fill in typed), values=tuple(fill.value for fill in typed))
