"""The main flow: what is open is answered, what leads on is pressed, and a circle ends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from agent.explorer.main_flow import IN_A_ROW, IN_VAIN_AT_MOST, MainFlow, face
from evaluator.relations.base import Ground
from tests.unit.explorer.test_agenda import BOX, button, page
from tools.page.model import PageModel
from tools.page.parts import Cell, Choice, Collection, Error, Item, Link, Option, Text, Toggle

TODAY = date(2026, 11, 30)


def question(words: str, *answers: str, chosen: str = "") -> PageModel:
    """A page of a quiz: a question, answers, a button that checks and one that ends it."""
    options = tuple(Option(name=answer, chosen=answer == chosen) for answer in answers)
    asked = Choice(
        key=f"radio choice {words}", node="q", name=words, selector="#q", box=BOX, in_view=True, kind="radio", options=options
    )
    large = button("Check").model_copy(update={"box": BOX.model_copy(update={"width": BOX.width * 2})})
    return page(button("Quit"), large, choices=(asked,))


def walked(flow: MainFlow, pages: Sequence[PageModel]) -> list[str]:
    """What is done on each of these pages, one after another."""
    trials = [flow.step(Ground(page=now, today=TODAY)) for now in pages]
    return [trial.acts[0].words() if trial is not None else "" for trial in trials]


def test_a_question_is_answered_and_then_checked() -> None:
    """The answer comes first; of two buttons the larger one leads on."""
    open_one, answered = (
        question("Which is the largest?", "Mars", "Jupiter"),
        question("Which is the largest?", "Mars", "Jupiter", chosen="Mars"),
    )
    told = walked(MainFlow(stops=False), [open_one, answered])
    assert told == ['choose "Mars" in the choice "Which is the largest?"', 'press the button "Check"']


def test_the_next_question_is_news_though_everything_else_is_the_same() -> None:
    """Its words are others; the same act is done again."""
    flow = MainFlow(stops=False)
    told = walked(flow, [question(words, "Yes", "No", chosen="Yes") for words in ("Is it far?", "Is it hot?", "Is it old?")])
    assert told == ['press the button "Check"'] * 3
    assert flow.in_vain == 0


def test_what_ends_a_round_or_leads_back_is_left_alone() -> None:
    """Cancel, log out, delete."""
    assert walked(MainFlow(stops=False), [page(button("Cancel"), button("Log out"), button("Delete"))]) == [""]


def test_a_circle_ends_it() -> None:
    """Two pages that lead to each other show nothing new after the first round."""
    flow, here, there = MainFlow(stops=False), page(button("Start")), page(button("Next"))
    told = walked(flow, [here, there] * (IN_VAIN_AT_MOST + 2))
    assert told[:2] == ['press the button "Start"', 'press the button "Next"']
    assert told[-1] == ""


def test_of_boxes_of_which_none_is_ticked_one_is() -> None:
    """A question of which several answers may be right; a single box is a setting."""
    boxes = tuple(
        Toggle(key=name, node=name, name=name, selector=f"#{name}", box=BOX, in_view=True, on=False, section="Which are stars?")
        for name in ("Vega", "Mars")
    )
    assert walked(MainFlow(stops=False), [page(button("Check"), toggles=boxes)]) == ['press the toggle "Vega"']
    assert walked(MainFlow(stops=False), [page(button("Check"), toggles=boxes[:1])]) == ['press the button "Check"']


def test_a_timer_is_no_news() -> None:
    """Numbers are left out of what is seen."""

    def shown(words: str) -> PageModel:
        text = Text(key=words, node="t", selector="p", box=BOX, in_view=True, text=words)
        return page(button("Start"), texts=(text,))

    assert face(shown("29 s left")) == face(shown("7 s left"))
    assert face(shown("29 s left")) != face(shown("Time is up"))


def towns(chosen: str) -> PageModel:
    """Four towns to choose from, and what is told of the chosen one."""
    names = ("Bern", "Chur", "Genf", "Zug")
    items = tuple(Item(key=name, node=name, cells=(Cell(text=name),), selector=f"#{name}", box=BOX) for name in names)
    told = {"key": "list Towns", "node": "l", "name": "Towns", "kind": "list", "selector": "ul", "box": BOX, "in_view": True}
    inside = [button(name, collection="list Towns", item=at) for at, name in enumerate(names)]
    said = Text(key="t", node="t", name="", text=f"Rain in {chosen}", selector="p", box=BOX, in_view=True)
    return page(*inside, button("Next"), collections=(Collection(items=items, count=4, **told),), texts=(said,))


def test_a_list_to_choose_from_leads_on_no_further_than_two_of_its_items_do() -> None:
    """Each town brings something new to sight; the flow goes on elsewhere."""
    flow = MainFlow(stops=False)
    told = walked(flow, [towns(name) for name in ("Bern", "Chur", "Genf", "Zug", "Bern")])
    assert sum("Next" not in words for words in told if words) <= 2


def test_a_further_item_is_no_news() -> None:
    """To add one after another leads nowhere: the flow ends."""
    names = ["Drums", "Bass", "Keys", "Flute", "Harp", "Oboe", "Horn"]

    def setlist(many: int) -> PageModel:
        told = {"key": "list", "node": "l", "name": "Setlist", "kind": "list", "selector": "ul", "box": BOX, "in_view": True}
        items = tuple(Item(key=name, node=name, cells=(Cell(text=name),), selector="li", box=BOX) for name in names[:many])
        told_of = [
            Text(key=f"t{at}", node=name, name="", text=name, selector="li", box=BOX, in_view=True, collection="list", item=at)
            for at, name in enumerate(names[:many])
        ]
        return page(button("Add song"), collections=(Collection(items=items, count=many, **told),), texts=tuple(told_of))

    assert walked(MainFlow(stops=False), [setlist(many) for many in range(1, 7)])[1:] == [""] * 5


def test_what_an_error_names_comes_next() -> None:
    """'Choose a rate in "Rates" first': whoever reads it goes there, also where that otherwise leads off."""
    large = button("Send").model_copy(update={"box": BOX.model_copy(update={"width": BOX.width * 2})})
    settings, words = button("Rate settings"), "Choose one under Rate settings first."
    error = Error(key="alert", node="alert", selector="#alert", box=BOX, in_view=True, text=words)
    assert walked(MainFlow(stops=False), [page(large, settings)]) == ['press the button "Send"']
    assert walked(MainFlow(stops=False), [page(large, settings, errors=(error,))]) == ['press the button "Rate settings"']


def test_a_link_is_followed_once() -> None:
    """Pages that lead to each other show figures and charts that are new each time: nobody comes to an end on them."""

    def overview(words: str) -> PageModel:
        links = tuple(
            Link(key=f"link {name}", node=name, name=name, selector=f"#{name}", box=BOX, in_view=True, href=f"/{name}")
            for name in "AB"
        )
        told = Text(key=words, node="t", selector="p", box=BOX, in_view=True, text=words)
        return page(links=links, texts=(told,))

    told = walked(MainFlow(stops=False), [overview(f"{words} are left") for words in ("Four", "Three", "Two")])
    assert told == ['press the link "A"', 'press the link "B"', ""]


def test_what_shows_something_else_for_ever_is_left_after_a_few_times() -> None:
    """A calendar turned month by month; an answer in between makes each press another step, as in a quiz."""

    def month(name: str) -> PageModel:
        text = Text(key="t", node="t", selector="p", box=BOX, in_view=True, text=name)
        return page(button("Next month"), button("Plan"), texts=(text,))

    months = ("May", "June", "July", "August", "September", "October", "November")
    told = walked(MainFlow(stops=False), [month(name) for name in months])
    assert told[:IN_A_ROW] == ['press the button "Next month"'] * IN_A_ROW
    assert told[IN_A_ROW] == 'press the button "Plan"'
