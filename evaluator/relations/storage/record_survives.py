"""A record is there after a reload, where that is asked for."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.keeping import KEPT, SURE, asked_to_keep, saved_and_waited
from evaluator.relations.shape import called, likeness
from evaluator.relations.time.record_is_kept import RECORDS, is_record
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Kept, Target
from tools.page.parts import Figure
from tools.page.trials import Trial

MEANT = 0.33
"""Likeness with a record's name from which words that ask to keep something speak of it ("the high score has to survive a reload"
.41, in Chinese .34; a list that is kept, a theme that is remembered: .1)."""


@relation(
    about=("figures",),
    category=Category.persistence_lost,
    severity=Severity.major,
    only_asked=True,
    says=("the high score survives a reload",),
)
class RecordSurvives:
    """A high score that the brief wants kept is what it was after a reload."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a record that is more than nothing."""
        page = ground.page
        for figure in page.figures:
            if not is_record(figure) or not figure.quantity.value or not (asked := _asked(figure, ground)):
                continue
            kept = Kept(target=Target.of(figure, page))
            yield Trial(
                why=f"{called(figure, page)} is the same after a reload",
                # No control could tell afterwards: what is lost is nothing by then, and nothing is kept.
                acts=saved_and_waited(ground),
                asserts=(kept,),
                requirements=tuple(dict.fromkeys((*asked, *ground.asked.about(figure)))),
            )


def _asked(figure: Figure, ground: Ground) -> tuple[str, ...]:
    """What asks for everything to be kept, or for the record."""
    words = ground.asked.words()
    keep = [text for text in ground.asked.of("persist") if likeness(words[text], *KEPT) >= SURE]
    meant = (text for text in keep if likeness(words[text], figure.name, *RECORDS) >= MEANT)
    return tuple(dict.fromkeys((*asked_to_keep(ground, figure), *meant)))
