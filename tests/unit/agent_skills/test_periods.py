"""Buttons called after spans of time over a chart: the chart follows, not only their own mark."""

from __future__ import annotations

from agent.skills import buttons
from tests.unit.agent_skills.scenes import decided, did, on, page, see, tell, twice
from tests.unit.agent_skills.scenes import mark as made
from tools.browser.marks import Drawing, Mark, Observation

NAMES = ("1W", "1M", "1Y")
ROW = tuple(made(name, at=(100.0 + 130 * n, 60.0), checked=n == 0) for n, name in enumerate(NAMES))


def shown(chosen: int, curve: str, *more: Mark, text: str = "1W\n1M\n1Y\nValue 100", number: int = 0) -> Observation:
    """The row with one of them chosen, over a chart that shows `curve`."""
    row = tuple(one.model_copy(update={"checked": n == chosen}) for n, one in enumerate(ROW))
    look = Drawing(selector="#line", digest=curve)
    return page(*row, *more, text=text, number=number, drawings=(look,), dom_sha256=f"{chosen}{curve}")


def test_a_row_of_spans_over_a_chart_is_asked_for_the_chart() -> None:
    """Of a row that counts fields or names prices nothing is asked."""
    survey = see(*ROW, drawings=(Drawing(selector="#line", digest="a"),))
    told = {wish.oracle for one in buttons.propose(survey) for wish in one.decision.expectations}
    assert "period_follows" in told
    for names in (("3 x 3", "4 x 4"), ("1W", "Save")):
        row = [made(name, at=(100.0 + 130 * n, 60.0)) for n, name in enumerate(names)]
        found = buttons.propose(see(*row, drawings=(Drawing(selector="#line", digest="a"),)))
        assert "period_follows" not in {wish.oracle for one in found for wish in one.decision.expectations}


def test_a_button_that_only_takes_the_mark_is_dead() -> None:
    """Told at the second; a chart drawn anew, or words that changed, are an effect."""
    one, other = twice(on(ROW[1]), shown(0, "a"), shown(1, "a", number=1), "period_follows", changes={"picture": 0.001}, key="k")
    assert (one.held, other.held, other.symptom) == (None, False, "dead_control")
    assert tell(on(ROW[1]), shown(0, "a"), shown(1, "b", number=1), "period_follows").held is True
    worded = shown(1, "a", text="1W\n1M\n1Y\nValue 100\nno trades in this month", number=1)
    assert tell(on(ROW[1]), shown(0, "a"), worded, "period_follows").held is True


def test_what_cannot_be_told_is_not() -> None:
    """Figures that may run by themselves, a picture that changed at large, the span that was chosen already, nothing at all."""
    figures = shown(1, "a", text="1W\n1M\n1Y\nValue 101", number=1)
    wish = decided(on(ROW[1]), "period_follows")
    assert did(wish, shown(0, "a"), figures, picture=0.001).outcomes == ()
    assert did(decided(on(ROW[0]), "period_follows"), shown(0, "a"), shown(0, "a", number=1)).outcomes == ()
    assert tell(on(ROW[1]), shown(0, "a"), shown(1, "a", number=1), "period_follows", changes={"picture": 0.3}).held is True
