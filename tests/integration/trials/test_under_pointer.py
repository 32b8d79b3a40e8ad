"""Controls that come up only under the pointer: pressed by hand, as a person does."""

from __future__ import annotations

import pytest

from tests.integration.trials.conftest import Tries
from tools.page import assertions as a
from tools.page.assertions import Target
from tools.page.trials import Press

PAGE = "page_models/library_controls"


@pytest.mark.parametrize("name", ["Rename", "Throw away"])
async def test_what_comes_up_under_the_pointer_is_pressed(tries: Tries, name: str) -> None:
    """Laid out nowhere until then, or transparent: the pointer goes over its row first, then to it."""
    record = await tries(PAGE, [Press(target=Target(kind="buttons", name=name))], [a.Clean()])
    assert record.stopped is None, record.words()
    [seen] = record.own
    assert seen.delivered
    shown = any("Rolls" in text.text for text in seen.after.texts)
    assert shown is (name == "Rename")
