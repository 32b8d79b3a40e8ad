"""What another person's page is asked: the same as one's own, in a browser of their own."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field as Discriminated
from pydantic import model_validator

from tools.evidence.frozen import Frozen
from tools.page.assertions.amounts import AmountIs, CountOf, MakesSense, Sensible, ShowsAmount
from tools.page.assertions.answers import ChangesBeside, NotBlank, Noticed, Tells
from tools.page.assertions.anywhere import Shown, Somewhere
from tools.page.assertions.base import Lines, Outcome, Scene, cannot_tell
from tools.page.assertions.copying import Copies
from tools.page.assertions.entries import ListedAtMost, NoneAdded, Refused, Restored
from tools.page.assertions.errors import SaysError
from tools.page.assertions.items import Lists, Loses, NewItems, OnlyItem, Replaces
from tools.page.assertions.lists import Contains, CountBy, CountIs, Ordered, SameItems, Subset, TotalOf
from tools.page.assertions.places import MovedBy
from tools.page.assertions.presence import (
    Appears,
    Clean,
    Enabled,
    Gone,
    InView,
    Legible,
    Navigates,
    Sounds,
    Stays,
    Stores,
)
from tools.page.assertions.running import AsFast, DrawnAt, GoesOn, Pace
from tools.page.assertions.shared import NotBoth, StillOffered
from tools.page.assertions.sums import ProductOf, SumOf
from tools.page.assertions.values import Changes, Chosen, HasValue, InRange, IsOn, Kept, Moves, Still, Unchanged
from tools.page.persons import persons_swapped

OwnAssertion = (
    Appears | Gone | Stays | Enabled | InView | Navigates | Legible | Clean | Sounds | SaysError | HasValue | IsOn | Chosen
    | Unchanged | Changes | Moves | Still | Kept | Contains | Loses | CountIs | CountBy | TotalOf | Ordered | Subset | SameItems
    | ListedAtMost | NoneAdded | Refused | Restored | AmountIs | CountOf | Sensible | MakesSense | ShowsAmount | Stores
    | Noticed | ChangesBeside | Tells | NotBlank | Lists | Replaces | OnlyItem | NewItems | Pace | GoesOn | AsFast | DrawnAt
    | InRange | Shown | Somewhere | SumOf | MovedBy | Copies | ProductOf | NotBoth | StillOffered
)  # fmt: skip
"""What is asked of one person's page."""
OF_ONE = (Kept, AsFast, Sounds, NotBoth)
"""What is not asked of the other person's page: it needs a reload or waits of its own, sound is the whole browser's, and the last
is of both already."""


class SeenByOther(Frozen):
    """The same of the page of another person, who has the app open in a browser of their own."""

    kind: Literal["seen by other"] = "seen by other"
    that: Annotated[OwnAssertion, Discriminated(discriminator="kind")]

    @model_validator(mode="after")
    def _can_be_asked(self) -> Self:
        if isinstance(self.that, OF_ONE):
            raise ValueError(f"the other person's page is not asked whether it {self.that.kind}")  # noqa: TRY004 - what pydantic tells of
        return self

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where no other person was there."""
        if scene.others is None:
            return cannot_tell("no other person's page was seen")
        return self.that.evaluate(scene.others)

    def words(self) -> str:
        """One clause."""
        return f"for the other person {self.that.words()}"

    def playwright(self) -> Lines:
        """As lines of a test, in which the other person's page is called `other`."""
        lines = self.that.playwright()
        before, after = (tuple(map(persons_swapped, some)) for some in (lines.before, lines.after))
        return lines.model_copy(update={"before": before, "after": after})
