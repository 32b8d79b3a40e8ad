"""The closed set of statements about a page and its changes. Each is judged, said in words, and written as Playwright code."""

from __future__ import annotations

from typing import Annotated, get_args

from pydantic import Field as Discriminated
from pydantic import TypeAdapter

from tools.page.assertions.amounts import AmountIs, CountOf, MakesSense, Sensible, ShowsAmount
from tools.page.assertions.answers import ChangesBeside, NotBlank, Noticed, Tells
from tools.page.assertions.anywhere import Shown, Somewhere
from tools.page.assertions.base import Lines, Outcome, Scene, Target
from tools.page.assertions.copying import Copies
from tools.page.assertions.entries import ListedAtMost, NoneAdded, Refused, Restored
from tools.page.assertions.errors import SaysError
from tools.page.assertions.items import Lists, Loses, NewItems, OnlyItem, Replaces
from tools.page.assertions.lists import Contains, CountBy, CountIs, Ordered, SameItems, Subset, TotalOf
from tools.page.assertions.others import OwnAssertion, SeenByOther
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

Assertion = Annotated[OwnAssertion | SeenByOther, Discriminated(discriminator="kind")]
KINDS = get_args(get_args(Assertion)[0])
"""The class of each kind."""
ASSERTION: TypeAdapter[Assertion] = TypeAdapter(Assertion)
"""Reads an assertion from a row, a file or a model's answer."""

__all__ = [
    "ASSERTION", "KINDS", "AmountIs", "Appears", "AsFast", "Assertion", "Changes", "ChangesBeside", "Chosen", "Clean", "Contains",
    "Copies", "CountBy", "CountIs", "CountOf", "DrawnAt", "Enabled", "GoesOn", "Gone", "HasValue", "InRange", "InView", "IsOn",
    "Kept", "Legible", "Lines", "ListedAtMost", "Lists", "Loses", "MakesSense", "MovedBy", "Moves", "Navigates", "NewItems",
    "NoneAdded", "NotBlank", "NotBoth", "Noticed", "OnlyItem", "Ordered", "Outcome", "OwnAssertion", "Pace", "ProductOf",
    "Refused", "Replaces", "Restored", "SameItems", "SaysError", "Scene", "SeenByOther", "Sensible", "Shown", "ShowsAmount",
    "Somewhere",
    "Sounds", "Stays", "Still", "StillOffered", "Stores", "Subset", "SumOf", "Target", "Tells", "TotalOf", "Unchanged",
]  # fmt: skip
