"""A receipt adds up."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.figures.parts_make_the_whole import LATER_MS
from evaluator.relations.meanings import means
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import SumOf, Target
from tools.page.parts import Figure
from tools.page.trials import Control, Trial, Wait

WHOLE = ("Total", "Grand total", "Total to pay", "Order total", "Amount due")
FIRST = ("Subtotal", "Sub-total", "Sum of items")
ADDED = ("Tax", "VAT", "Sales tax", "Shipping", "Delivery fee", "Service fee", "Tip", "Cleaning fee", "Packaging")
TAKEN = ("Discount", "Voucher", "Coupon", "You save", "Promo code discount", "Rebate")
EITHER = ("Deposit", "Credit", "Balance", "Paid", "Items", "Price per night")
"""What may be added, taken off, or neither."""
_FAR = 600.0
"""CSS pixels between a receipt's first and last line."""


@relation(
    about=("figures",),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("calculate",),
    says=("subtotal, tax and total are shown",),
)
class ReceiptAddsUp:
    """Where a subtotal, what comes on top and what is taken off stand together, the total is what they come to."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """As the page stands, one a subtotal; of what is the only one of its kind there."""
        page = ground.page
        for first in page.figures:
            if not _named(first, FIRST, (*WHOLE, *ADDED, *TAKEN, *EITHER)):
                continue
            beside = [figure for figure in page.figures if figure is not first and _beside(figure, first)]
            wholes = [figure for figure in beside if _named(figure, WHOLE, (*FIRST, "Total items", *ADDED, *TAKEN))]
            added = [figure for figure in beside if _named(figure, ADDED, (*WHOLE, *FIRST, *TAKEN, *EITHER))]
            taken = [figure for figure in beside if _named(figure, TAKEN, (*WHOLE, *FIRST, *ADDED, *EITHER))]
            if len(wholes) != 1 or not (added or taken) or not all(_like(figure, first) for figure in (*added, *taken, *wholes)):
                continue
            rule = SumOf(
                target=Target.of(wholes[0], page),
                parts=tuple(Target.of(figure, page) for figure in (first, *added)),
                less=tuple(Target.of(figure, page) for figure in taken),
                language=page.language or "en",
            )
            yield Trial(
                why=f"{called(wholes[0], page)} is what the lines above it come to",
                acts=(),
                asserts=(rule,),
                control=Control(explains="it comes a while later", acts=(Wait(app_ms=LATER_MS),), asserts=(rule,)),
                requirements=ground.asked.about(wholes[0], first, *added, *taken),
            )


def _named(figure: Figure, like: tuple[str, ...], unlike: tuple[str, ...]) -> bool:
    return bool(figure.name) and means(figure.name, like, unlike)


def _beside(figure: Figure, first: Figure) -> bool:
    """In the same part of the page: under the subtotal's heading, not far from it."""
    near = abs(figure.box.y - first.box.y) < _FAR and abs(figure.box.centre[0] - first.box.centre[0]) < _FAR
    return near and (figure.layer, figure.section, figure.collection) == (first.layer, first.section, first.collection)


def _like(figure: Figure, first: Figure) -> bool:
    """It shows an amount of the subtotal's unit; a share of it, a word like "free" or nothing is none that could be added."""
    here, there = figure.quantity, first.quantity
    return here.value is not None and (here.measure, here.unit) == (there.measure, there.unit) and here.measure != "percent"
