"""Each fault of an endpoint, through each vendor's SDK: how it ends, what it cost, and that it is written down."""

from __future__ import annotations

import json
import time
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from prompts import Prompt, fenced, ours
from tests.integration.models.conftest import Opens
from tests.standins.faults import FAULTS, Fault, spoiled
from tests.standins.server import KEY
from tests.standins.talk import Asked, Say
from tools.evidence.model_rows import ModelCalled
from tools.evidence.record import Record
from tools.models.protocol import Ask, Text
from tools.models.trouble import ModelTrouble

GRADE = '{"grade": 6, "reason": "' + "works as it should, with small flaws in its layout " * 3 + '"}'
PROMPT = Prompt("scorer", "score", 1, "0" * 64, ours("Grade the app."), ours("The brief."), ours("Now grade."))


class Grade(BaseModel):
    """A grade."""

    grade: int = Field(ge=0, le=8)
    reason: str


def good(asked: Asked) -> Say:
    """The grade, in the form asked for."""
    return Say(calls=(("answer", json.loads(GRADE)),)) if "answer" in asked.tools else Say(text=GRADE)


def ask() -> Ask:
    """One question with a schema."""
    return Ask("scorer", PROMPT, (Text(fenced("page", "An app.")),), schema=Grade, stage="judge")


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_a_fault_ends_as_it_should(fault: Fault, vendor: Literal["openai", "anthropic"], opened: Opens) -> None:
    """Answered, repaired, or given up with its kind; one row a call, with the figures; no key in it."""
    if vendor not in fault.vendors:
        pytest.skip("not one of this vendor's faults")
    models, standin, folder = opened(vendor, spoiled(fault, good), tries=3)
    begun_s = time.monotonic()
    if fault.becomes in ("answered", "repaired"):
        answer = await models.ask(ask())
        assert isinstance(answer.data, Grade)
        assert answer.data.grade == 6
        assert (answer.cost_usd or 0) > 0
        requests = answer.attempts
    else:
        with pytest.raises(ModelTrouble) as caught:
            await models.ask(ask())
        assert caught.value.kind == fault.becomes
        assert "\n" not in caught.value.message
        requests = caught.value.attempts
    assert time.monotonic() - begun_s < 15
    rows = [called for _, called in Record.read(folder).of(ModelCalled)]
    assert [row.outcome for row in rows] == [fault.becomes]
    assert rows[0].requests == requests == len(standin.asked)
    assert bool(rows[0].trouble) == (fault.name != "no token figures")
    assert KEY not in "".join(path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file())


async def test_retry_after_is_honoured(opened: Opens) -> None:
    """Two refusals that ask for a second each: the answer comes no sooner than that."""
    fault = next(item for item in FAULTS if item.name == "429 with Retry-After")
    models, standin, folder = opened("openai", spoiled(fault, good))
    begun_s = time.monotonic()
    await models.ask(ask())
    assert time.monotonic() - begun_s >= 2.0
    [(_, row)] = Record.read(folder).of(ModelCalled)
    assert len(standin.asked) == row.requests == 3
    assert all("again after 1." in line for line in row.trouble)


async def test_a_repair_says_what_was_wrong_and_keeps_the_question(opened: Opens) -> None:
    """The second request begins like the first, and ends with what to mend, in our own words."""
    fault = next(item for item in FAULTS if item.name == "wrong schema")
    models, standin, _ = opened("openai", spoiled(fault, good))
    answer = await models.ask(ask())
    first, second = standin.asked
    assert answer.note == "repaired: malformed"
    assert second.pieces[: len(first.pieces)] == first.pieces
    assert "grade: missing" in second.last
    assert "unknown" not in second.last
