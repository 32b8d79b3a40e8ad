"""Filters of a dashboard: dates within the data, and charts that follow what is chosen for everything."""

from __future__ import annotations

import pytest

from agent.skills import choices
from agent.skills.controls import forms
from agent.skills.values import nearby_date
from tests.unit.agent_skills.scenes import acts, decided, mark, on, page, see, stepped
from tools.browser.actions import SetValue
from tools.browser.marks import Drawing, Listing, Mark, Observation

FROM = mark("From", "input", input_type="date", value="2026-06-01")
TO = mark("To", "input", input_type="date", value="2026-06-30", at=(260, 100))
REGION = mark("Region", "select", options=("all", "n"), option_names=("All regions", "North"), value="all", at=(420, 100))
BRIEF = "A sales dashboard with a line chart. Filter by date range from and to; everything updates."


def test_filters_are_no_form() -> None:
    """Dates and a select without a button are tried one by one; with a text field or a button they are a form."""
    assert not forms((FROM, TO, REGION))
    assert forms((FROM, TO, mark("Search trips", at=(560, 100))))
    assert forms((mark("Name", "input", input_type="text"), FROM))


@pytest.mark.parametrize(("field", "turn", "value"), [(FROM, 0, "2026-06-11"), (TO, 0, "2026-06-20"), (TO, 1, "2026-06-16")])
def test_a_range_is_narrowed(field: Mark, turn: int, value: str) -> None:
    """From later, to earlier, never past one another; a lone date or a day's range gives none."""
    assert nearby_date(field, page(FROM, TO), turn=turn) == value
    assert not nearby_date(field, page(field))
    assert not nearby_date(FROM, page(FROM, TO.model_copy(update={"value": "2026-06-02"})))


def test_a_filter_s_date_is_moved_within_the_data() -> None:
    """Not to a year in which there is nothing to show."""
    wanted = acts(choices.propose(see(FROM, TO, brief=BRIEF, text="Revenue\n$300")))
    assert [act.value for act in wanted if isinstance(act, SetValue)] == ["2026-06-11", "2026-06-20"]


def _chart(digest: str) -> tuple[Drawing, ...]:
    return (Drawing(selector="#line", digest=digest), Drawing(selector="#logo", digest=""))


def test_a_chart_that_stays_while_figures_follow_is_told_at_the_second_choice() -> None:
    """One that changes with them is fine, and one of which nothing else follows tells nothing."""
    first = page(REGION, text="Revenue\n$300", drawings=_chart("a"))
    stale = page(REGION, text="Revenue\n$200", drawings=_chart("a"), number=1)
    wish = decided(on(REGION), "drawings_follow", key="drawings")
    one = stepped(wish, first, stale)
    two = stepped(wish, stale, page(REGION, text="Revenue\n$100", drawings=_chart("a"), number=2), (one,))
    assert [step.outcomes[0].held for step in (one, two)] == [None, False]
    assert two.outcomes[0].symptom == "state_not_updated"
    assert stepped(wish, first, page(REGION, text="Revenue\n$200", drawings=_chart("b"), number=1)).outcomes[0].held is True
    assert not stepped(wish, first, page(REGION, text="Revenue\n$300", drawings=_chart("a"), number=1)).outcomes


def _sales(total: int, *cells: int, number: int = 0, count: int = 0) -> Observation:
    rows = tuple((f"Product {place}", f"${cell}") for place, cell in enumerate(cells))
    table = Listing(selector="table", columns=("Product", "Revenue"), items=rows, count=count or len(rows))
    return page(REGION, text=f"Total revenue\n${total}", lists=(table,), number=number)


def test_a_total_follows_the_column_it_is_named_after() -> None:
    """It stays while the column adds up to something else, twice; a page of a longer table tells nothing."""
    wish = decided(on(REGION), "totals_follow", key="totals")
    first, second, third = _sales(300, 100, 200), _sales(300, 50, 60, number=1), _sales(300, 10, 20, number=2)
    one = stepped(wish, first, second)
    two = stepped(wish, second, third, (one,))
    assert [step.outcomes[0].held for step in (one, two)] == [None, False]
    assert stepped(wish, first, _sales(110, 50, 60, number=1)).outcomes[0].held is True
    assert not stepped(wish, _sales(300, 100, 200, count=9), _sales(300, 50, 60, number=1, count=9)).outcomes


def _paged(number: int, *orders: str) -> Observation:
    rows = tuple((order, "$20") for order in orders)
    table = Listing(selector="table", columns=("Order", "Amount"), items=rows, count=len(rows))
    return page(mark("Next"), text=f"Orders\n10\nPage {number + 1} of 3", lists=(table,), number=number)


def test_another_page_of_a_table_is_no_choice_that_totals_follow() -> None:
    """Neither after `Next` nor by the numbers of orders, which are nothing that adds up."""
    views = (_paged(0, "#1001", "#1002"), _paged(1, "#1003", "#1004"), _paged(2, "#1005", "#1006"))
    for act, shown in (
        (on(mark("Next")), views),
        (on(REGION), [view.model_copy(update={"text": "Orders\n10"}) for view in views]),
    ):
        wish = decided(act, "totals_follow", key="totals")
        one = stepped(wish, shown[0], shown[1])
        assert not [told for step in (one, stepped(wish, shown[1], shown[2], (one,))) for told in step.outcomes]


PATH = mark("Show predicted path", "input", input_type="checkbox", role="checkbox", checked=True)
OFF = PATH.model_copy(update={"checked": False})


def test_a_small_change_of_a_drawing_is_an_effect() -> None:
    """A thin line that goes is less than a button's own look, and yet it was the act's doing; not on a canvas that moves."""
    before, after = page(PATH, drawings=_chart("a")), page(PATH, drawings=_chart("b"), number=1)
    assert stepped(decided(on(PATH), "responds"), before, after).outcomes[0].held is True
    moving = page(PATH, drawings=_chart("b"), number=1, moving=0.01)
    told = stepped(decided(on(PATH), "responds"), page(PATH, drawings=_chart("a"), moving=0.01), moving).outcomes[0]
    assert told.held is None


@pytest.mark.parametrize(("digest", "held"), [("a", False), ("b", True), ("", None)])
def test_what_a_switch_shows_goes_with_it(digest: str, held: bool | None) -> None:
    """Nothing drawn otherwise, both ways, is a switch that is ignored; where no drawing is in view it can't be told."""
    seen = "a" if digest else ""
    ticked, unticked = page(PATH, drawings=_chart(seen)), page(OFF, drawings=_chart(digest), number=1)
    wish = decided(on(PATH), "switch_follows", key="s")
    one = stepped(wish, ticked, unticked, picture=0.0004)
    two = stepped(wish, unticked, page(PATH, drawings=_chart(seen), number=2), (one,), picture=0.0004)
    assert (one.outcomes[0].held, two.outcomes[0].held) == ((None, False) if held is False else (held, held))


def test_a_switch_is_asked_to_show() -> None:
    """Only one that says so, on a page that draws."""
    survey = see(PATH, brief="A simulation that shows the predicted path", drawings=_chart("a"))
    assert any(wish.oracle == "switch_follows" for one in choices.propose(survey) for wish in one.decision.expectations)
    plain = see(PATH.model_copy(update={"name": "Remember me"}), brief="A form", drawings=_chart("a"))
    assert not any(wish.oracle == "switch_follows" for one in choices.propose(plain) for wish in one.decision.expectations)
