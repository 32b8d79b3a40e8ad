"""What is downloaded is read: is there a file, is anything in it, are it the entries and the figures that are shown."""

from __future__ import annotations

import pytest

from agent.skills import buttons
from agent.skills.checks.exported import is_bare
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, tell, twice
from tools.browser.marks import Downloaded, Listing, Observation
from tools.evidence.rows import Outcome

EXPORT = mark("Export CSV")
ROWS = (("Rent", "$900.00"), ("Tea, green", "$12.50"), ("Books", "$40.00"))
SPENT = Listing(selector="#spent", title="Spending", columns=("Name", "Amount"), items=ROWS, count=3)


def shown(*files: Downloaded, number: int = 0) -> Observation:
    """The page with its table, after some files were given."""
    return page(EXPORT, text="Spending", lists=(SPENT,), downloads=files, number=number)


def file(text: str, name: str = "spending.csv") -> Downloaded:
    """A file with this text."""
    return Downloaded(name=name, size=len(text.encode()), media_type="text/csv", text=text)


def told(text: str, name: str = "spending.csv") -> Outcome:
    """What is told of a file with this text."""
    return tell(on(EXPORT), shown(), shown(file(text, name), number=1), "downloaded")


WHOLE = 'Name,Amount\r\nRent,900\r\n"Tea, green",12.5\r\nBooks,40\r\n'


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        "Name;Amount\nBooks;40,00\nRent;900,00\nTea, green;12,50\nOld one;3,00\n",
        '[{"name":"Rent","amount":900},{"name":"Tea, green","amount":12.5},{"name":"Books","amount":40}]',
        '{"version":1,"items":[{"title":"Rent"},{"title":"Tea, green"},{"title":"Books"}]}',
        'Name,Amount\nRent,90000\n"Tea, green",1250\nBooks,4000\n',
        "id,sum\n1,900\n2,12.5\n3,40\n",
    ],
)
def test_a_file_with_what_is_shown_is_right(text: str) -> None:
    """In any order, with more in it, as JSON, in cents, under other names: nothing of that is wrong."""
    assert told(text).held is True


@pytest.mark.parametrize(
    ("text", "said", "weak"),
    [
        ("Name,Amount\n", "none of the 3", False),
        ("[]", "none of the 3", False),
        ('{"version":1,"items":[]}', "none of the 3", False),
        ('Name,Amount\nRent,900\n"Tea, green",12.5\n', '"Books"', False),
        ("Rent\nTea, green\n", '"Books"', True),
        ('Name,Amount\nRent,900\n"Tea, green",900\nBooks,40\n', '"Amount" of "Tea, green" is 900, but 12.5 is shown', False),
        ('Name,Amount\nRent,0\n"Tea, green",0\nBooks,0\n', "is 0, but 900", False),
    ],
)
def test_a_file_without_what_is_shown_is_wrong(text: str, said: str, weak: bool) -> None:
    """Empty, without the last entry, with another's figure; where the file may be about something else it weighs less."""
    outcome = told(text)
    assert (outcome.held, outcome.symptom, outcome.weak) == (False, "wrong_result", weak)
    assert said in outcome.observed


def test_no_file_comes() -> None:
    """Nothing at all at two presses; where something else happened, or nothing is there to be saved, nothing is said."""
    first, second = twice(on(EXPORT), shown(), shown(number=1), "downloaded", key="f")
    assert first.held is None
    assert (second.held, second.symptom) == (False, "dead_control")
    menu = page(EXPORT, mark("As JSON", at=(100, 200)), text="Spending\nAs JSON", lists=(SPENT,), number=1)
    for before, after in ((shown(), menu), (page(EXPORT), page(EXPORT, number=1))):
        assert not did(decided(on(EXPORT), "downloaded", key="f"), before, after).outcomes


def test_what_cannot_be_read_is_only_there() -> None:
    """A picture, a long text: that it came is all that is known."""
    picture = Downloaded(name="art.png", size=400, media_type="image/png")
    assert tell(on(EXPORT), shown(), shown(picture, number=1), "downloaded").held is True
    assert not is_bare("", 400)
    assert is_bare("", 0)
    assert not is_bare("just words", 10)


def test_what_saves_a_file_is_pressed_for_it() -> None:
    """The button is asked for the file, and not left to the very end."""
    (found,) = buttons.propose(see(EXPORT))
    assert "downloaded" in {one.oracle for one in found.decision.expectations}
    (print_it,) = buttons.propose(see(mark("Print")))
    assert found.priority > print_it.priority
