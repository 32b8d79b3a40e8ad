"""What one person may see and have beside another: right apps, those with the fault, and innocent ones unlike both."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from tests.integration.page.conftest import Runner
from tests.integration.two_persons.conftest import House, Lead, Make, told
from tests.standins.booking_app import HOURS, Booking
from tests.standins.notebook_app import Notebook
from tests.standins.small_server import Answer, page
from tools.page.assertions import Target
from tools.page.exporting import as_playwright
from tools.page.trials import Fill, FillForm, Press, Visit

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

NAME, PASSWORD, NOTE = "mara77", "Harbor-Tulip-99x", "Amber lighthouse"


def members() -> dict[str, str]:
    """Who has an account already."""
    return {NAME: PASSWORD}


def filled(send: str, **values: str) -> Lead:
    """Fill a form and send it."""
    fills = tuple(Fill(target=Target(kind="fields", name=name.replace("_", " ")), value=value) for name, value in values.items())
    return lambda _: FillForm(fills=fills, submit=Target(kind="buttons", name=send))


LOG_IN = filled("Log in", User_name=NAME, Password=PASSWORD)
ADD = filled("Add note", New_note=NOTE)
SEE_SIGN_UP: tuple[Lead, Lead] = (lambda _: Visit(address="/signup"), lambda _: Visit(address="/"))
ITEM: tuple[Lead, ...] = (*SEE_SIGN_UP, LOG_IN, ADD, lambda _: Press(target=Target(kind="links", name=NOTE)))


@dataclass
class Wall:
    """A public wall: who is logged in may write on it, and everybody reads it."""

    notebook: Notebook
    kept: list[str] = field(default_factory=list)

    def get(self, path: str, who: str) -> Answer:
        """The wall, with the notebook's doors beside it."""
        user = self.notebook.sessions.get(who, "")
        if path == "/signup" or (path == "/" and not user):
            return self.notebook.get(path, who)
        rows = "".join(f"<li>{item}</li>" for item in self.kept)
        form = (
            "<form method=post action=/wall><label>New note <input name=title required></label><button>Add note</button></form>"
        )
        out = "<form method=post action=/logout><button>Log out</button></form>"
        if path == "/":
            return Answer(to="/wall")
        return page("Wall", f"<h1>The wall</h1>{out + form if user else '<a href=/>Log in</a>'}<ul>{rows}</ul>", stored=True)

    def post(self, path: str, who: str, told: dict[str, str]) -> Answer:
        """Write on it."""
        if path == "/wall" and self.notebook.sessions.get(who):
            self.kept.append(told["title"])
            return Answer(to="/wall")
        return self.notebook.post(path, who, told)


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda: Notebook(members()), ["held"]),
        (lambda: Notebook(members(), stored=True), ["violated"]),
        (lambda: Wall(Notebook(members())), ["explained"]),
    ],
    ids=["asked anew", "shown again", "anybody may read it"],
)
async def test_back_after_a_log_out(house: House, make: Make, wanted: list[str]) -> None:
    """What the browser keeps of pages behind the log-in is shown to whoever comes next."""
    found = await house.tried("log_out_then_back", make, LOG_IN)
    assert [item.result for item in found] == wanted, told(found)


class OnOneDevice:
    """The same hours without a server: what is booked is kept in this browser alone."""

    def get(self, path: str, who: str) -> Answer:
        """The page."""
        del path, who
        rows = "".join(f"<li><b>{hour}</b> <span></span><button>Book</button></li>" for hour in HOURS)
        script = """<script>const mine = JSON.parse(localStorage.mine ?? '[]');
          for (const row of document.querySelectorAll('li')) { const name = row.querySelector('b').textContent;
            const draw = () => { if (mine.includes(name)) { row.querySelector('span').textContent = 'Yours'; row.querySelector('button')?.remove(); } };
            row.querySelector('button').onclick = () => { mine.push(name); localStorage.mine = JSON.stringify(mine); draw(); }; draw(); }
          </script>"""  # noqa: E501 - a script
        return page("Hours", f"<h1>My hours</h1><ul>{rows}</ul>{script}")

    def post(self, path: str, who: str, told: dict[str, str]) -> Answer:
        """Nothing is sent."""
        del path, who, told
        return Answer(to="/")


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (Booking, {"held"}),
        (lambda: Booking(twice=True), {"violated"}),
        (lambda: Booking(live=True), {"stopped", "held"}),
        (lambda: Booking(places=3), {"cannot tell"}),
        (lambda: Booking(alike=True), {"cannot tell"}),
        (lambda: Booking(twice=True, alike=True), {"cannot tell"}),
        (OnOneDevice, {"cannot tell"}),
    ],
    ids=["once", "twice", "the other sees it go", "three places each", "not whose", "twice, not whose", "without a server"],
)
async def test_what_is_booked_is_nobody_elses(house: House, make: Make, wanted: set[str]) -> None:
    """Only where the app tells whose an hour is, and one has it alone; another device is no other customer."""
    found = await house.tried("booked_twice", make)
    assert len(found) == 1, told(found)
    assert found[0].result in wanted, told(found)


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda: Notebook(members()), ["held", "held"]),
        (lambda: Notebook(members(), leaks_to="members"), ["held", "violated"]),
        (lambda: Notebook(members(), leaks_to="anybody"), ["violated", "violated"]),
        (lambda: Notebook(members(), leaks_to="anybody", says="Published."), []),
        (lambda: Notebook(members(), lists_all=True), ["held", "explained"]),
    ],
    ids=["private", "to members", "to anybody", "nobody says so", "listed for all"],
)
async def test_what_is_private_is_not_shown_by_its_address(house: House, make: Make, wanted: list[str]) -> None:
    """To a stranger and to another member; what nobody calls private, and what is listed for all, accuses nobody."""
    found = await house.tried("private_by_address", make, *ITEM)
    assert [item.result for item in found] == wanted, told(found)


@pytest.mark.parametrize(
    ("relation", "leads", "right", "wrong"),
    [
        ("booked_twice", (), Booking, lambda: Booking(twice=True)),
        ("log_out_then_back", (LOG_IN,), lambda: Notebook(members()), lambda: Notebook(members(), stored=True)),
        ("private_by_address", ITEM, lambda: Notebook(members()), lambda: Notebook(members(), leaks_to="anybody")),
    ],
)
async def test_exported_tests_fail_where_the_app_does(
    house: House, run_exported: Runner, relation: str, leads: tuple[Lead, ...], right: Make, wrong: Make
) -> None:
    """Every trial that was violated, as a test of its own: on the app with the fault, and on the one without."""
    found = await house.tried(relation, wrong, *leads)
    violated = [item for item in found if item.result == "violated"]
    assert violated, told(found)
    for record in violated:
        source = as_playwright(record.for_export, house.session.entry)
        house.switch.now = wrong()
        assert await asyncio.to_thread(run_exported, source), source
        house.switch.now = right()
        assert await asyncio.to_thread(run_exported, source) == "", source
