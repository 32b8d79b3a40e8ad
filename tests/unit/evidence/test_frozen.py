"""Values that are copied with other values."""

from __future__ import annotations

from functools import cached_property

from tools.evidence.frozen import Frozen


class _Square(Frozen):
    side: int

    @cached_property
    def area(self) -> int:
        return self.side**2


def test_a_copy_does_not_keep_what_was_reckoned_from_the_old_values() -> None:
    """`model_copy` of pydantic takes cached properties along."""
    small = _Square(side=2)
    assert small.area == 4
    large = small.model_copy(update={"side": 3})
    assert large.area == 9
    assert small.area == 4
