"""Trials written by hand: what they mean, and the one line that says what is wrong with one and where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent.trials.persons_written import NotATrial
from agent.trials.written import PERSON, read_trials, trial_of
from tests.conftest import FIXTURES
from tools.errors import UserError
from tools.page import assertions as a
from tools.page import trials as t
from tools.page.assertions import Target
from tools.page.persons import persons_swapped
from tools.page.secret_fills import secrets_in

HEAD = '[[trial]]\nwhy = "Tries it"\n'


def _read(folder: Path, text: str) -> list[t.Trial]:
    path = folder / "trials.toml"
    path.write_text(text, encoding="utf-8")
    return read_trials(path)


def test_the_six_trials_of_the_garden_are_read() -> None:
    """Acts, parts by name or kind, assertions, what leads to the state."""
    trials = read_trials(FIXTURES / "trials" / "garden.toml")
    assert len(trials) == 6
    assert {trial.by for trial in trials} == {"person"}
    form = trials[0].acts[0]
    assert isinstance(form, t.FillForm)
    assert [fill.target.name for fill in form.fills] == ["Plant", "Price", "Place"]
    assert trials[2].acts == (t.Press(target=Target(name="Remove", within="Fern")),)
    assert trials[3].precondition[0] == t.Press(target=Target(kind="buttons", name="Dark"))
    assert trials[0].asserts[0] == a.Contains(target=Target(kind="collections", name="Plants"), texts=("Basil", "$2.50"))
    assert trials[5].words() == 'press "Water all" → the text "All plants were watered" appears'


EVERY_ACT = """[[trial]]
why = "Does all there is"
do = [
  { press = "Save", times = 2 }, { press = "Row", double = true }, { fill = "Name", with = "Ada" },
  { choose = "Basic", in = "Plan" },
  { turn_on = "News" }, { turn_off = "News" }, { keys = ["Control+a", "Delete"], in = "Name" }, { hover = "Menu" },
  { scroll = "Rows", by = 300 },
  { point = "Board", at = [0.5, 0.5] }, { drag = "A", to = "B" }, { upload = "Photo", files = "a.png" },
  { paste = "Notes", text = "x" }, { resize = [390, 844] }, { reload = true }, { back = true }, { new_tab = true },
  { agree = true },
  { wait = 1.5 }, { wait = true }, { fill_form = { Name = "Ada", News = true }, enter = true },
  { visit = "/notes" }, { forget = true }, { press = "Save", as = "other" },
]
expect = [{ appears = "Saved" }]
"""


def test_every_act_can_be_written(tmp_path: Path) -> None:
    """Each kind of act that there is, but for the one that only a relation has a use for."""
    acts = _read(tmp_path, EVERY_ACT)[0].acts
    assert {act.kind for act in acts} == {kind.model_fields["kind"].default for kind in t.KINDS} - {"to log in"}
    assert [act.app_ms for act in acts if isinstance(act, t.Wait)] == [1500, 0]


EVERY_ASSERTION = """[[trial]]
why = "Asserts all there is"
do = [{ reload = true }]
expect = [
  { appears = "Saved" }, { gone = { dialog = "Sure?" } }, { disabled = "Save" }, { in_view = "Save" }, { navigates = "/cart" },
  { legible = true }, { clean = true }, { sounds = false }, { says_error = "too short", about = "Name" },
  { has_value = "3", of = "Seats" }, { off = "News" }, { chosen = "Basic", in = "Plan" }, { unchanged = true },
  { changes = "Board" }, { moves = "Board", for = 0.5 }, { still = "Board" }, { kept = "Plants" }, { lacks = "x", in = "Plants" },
  { loses = "Fern", in = "Plants" }, { count = 3, in = "Plants" }, { shrinks = "Plants", by = 2 },
  { total = "Sum", column = 3, in = "Plants" }, { falls = "Plants", column = 2 }, { filtered = "Plants", to = "Indoor" },
  { same_items = "Plants" },
]
"""


BY_KIND = """[[trial]]
why = "Asserts what has no shorter form"
do = [{ press = "Save" }]
expect = [{ kind = "not blank" }, { kind = "noticed", target = { kind = "buttons", name = "Save" } }, { kind = "stores" }]
"""


def test_assertions_can_be_written(tmp_path: Path) -> None:
    """Those that people need in short, any other as the ledger writes it."""
    short = {item.kind for item in _read(tmp_path, EVERY_ASSERTION)[0].asserts}
    assert len(short) == 25
    assert short < {kind.model_fields["kind"].default for kind in a.KINDS}
    assert [item.kind for item in _read(tmp_path, BY_KIND)[0].asserts] == ["not blank", "noticed", "stores"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (HEAD + "do = [{ press = \"Save\" }\nexpect = []", 4, "Unclosed array"),
        (HEAD + 'do = [{ press = "Save", as = "Ada" }]\nexpect = [{ clean = true }]', 3, 'as is "other"'),
        (HEAD + 'do = [{ visit = 3 }]\nexpect = [{ clean = true }]', 3, "visit is an address"),
        (HEAD + 'do = [{ visit = "/", in = "x" }]\nexpect = [{ clean = true }]', 3, "visit has no in"),
        (HEAD + 'do = []\nexpect = [\n  { kept = "Rows", as = "other" },\n]', 5, "kept is not asked of"),
        (HEAD + 'do = [\n  { pres = "Save" },\n]\nexpect = [{ clean = true }]', 4, "there is no act pres"),
        (HEAD + 'do = [{ press = "Save", on = "x" }]\nexpect = [{ clean = true }]', 3, "press has no on"),
        (HEAD + 'do = [{ fill = "Name" }]\nexpect = [{ clean = true }]', 3, "fill needs with"),
        (HEAD + 'do = [{ reload = true }]\nexpect = [\n  { shines = "Save" },\n]', 5, "there is no assertion shines"),
        (HEAD + "do = [{ reload = true }]", 1, "needs at least one assertion"),
        (HEAD + 'do = [{ resize = ["wide", 3] }]\nexpect = [{ clean = true }]', 3, "resize: Input should be a valid integer"),
        (HEAD + 'do = [{ resize = 5 }]\nexpect = [{ clean = true }]', 3, "resize is not made of 5"),
        ('[[trial]]\ndo = []\nexpect = [{ clean = true }]', 1, "says in `why`"),
        (f'{HEAD}do = []\nexpect = [{{ clean = true }}]\n\n{HEAD}expects = []', 8, "a trial has no expects"),
        ('[trials]\nx = 1', 1, "there is no trials here"),
    ],
)  # fmt: skip
def test_a_bad_file_gets_one_line_with_its_number(tmp_path: Path, text: str, line: int, words: str) -> None:
    """The file, the line, what is wrong there."""
    with pytest.raises(UserError) as caught:
        _read(tmp_path, text)
    assert caught.value.message.startswith(f"{tmp_path / 'trials.toml'}:{line}: ")
    assert words in caught.value.message
    assert "\n" not in caught.value.message


def test_a_file_that_is_not_there_or_empty_is_told(tmp_path: Path) -> None:
    """Without a traceback."""
    with pytest.raises(UserError, match=r"can't be read"):
        read_trials(tmp_path / "none.toml")
    with pytest.raises(UserError, match="holds no trial"):
        _read(tmp_path, "")


TWO = (
    HEAD
    + """first = [{ visit = true, as = "other" }]
do = [{ fill = "Name", with = { secret = "SHOP_USER" }, as = "other" }, { reload = true }]
expect = [{ shown = "Ada", as = "other" }, { shown = "Ada" }, { kind = "not blank", as = "other" }]
control = { explains = "slow", do = [{ wait = 1, as = "other" }], expect = [{ shown = "Ada", as = "other" }] }
"""
)


def test_who_does_what_is_read(tmp_path: Path) -> None:
    """`as` marks the other person's acts and what their page is asked; all else is as without it."""
    [trial] = _read(tmp_path, TWO)
    assert trial.precondition == (t.ByOther(act=t.Visit()),)
    assert trial.acts == (t.ByOther(act=t.Fill(target=Target(name="Name"), value="SHOP_USER", names="secret")), t.Reload())
    shown = a.Shown(target=Target(kind="texts", name="Ada"))
    assert trial.asserts == (a.SeenByOther(that=shown), shown, a.SeenByOther(that=a.NotBlank()))
    assert trial.control is not None
    assert trial.control.acts == (t.ByOther(act=t.Wait(app_ms=1000)),)
    assert trial.control.asserts == (a.SeenByOther(that=shown),)
    assert t.has_other(trial)
    assert secrets_in([trial]) == {"SHOP_USER": "secret"}
    assert t.Trial.model_validate(t.plain(trial)) == trial


def test_a_trial_of_one_person_is_written_as_ever(tmp_path: Path) -> None:
    """Not a word of a second person is in its JSON, by which ledgers and cassettes know it."""
    [trial] = _read(tmp_path, HEAD + 'do = [{ press = "Save" }]\nexpect = [{ clean = true }]')
    assert not t.has_other(trial)
    assert t.plain(trial) == {
        "why": "Tries it", "by": "person", "asserts": [{"kind": "clean"}],
        "acts": [{"kind": "press", "target": {"kind": "", "name": "Save"}}],
    }  # fmt: skip


@pytest.mark.parametrize(
    "entry",
    [
        {"do": [{"press": "Save", "as": "other"}], "expect": [{"clean": True}]},
        {"do": [], "expect": [{"shown": "Ada", "as": "other"}]},
        {"do": [{"visit": "/admin"}], "expect": [{"clean": True}]},
        {
            "do": [],
            "expect": [{"clean": True}],
            "control": {"explains": "x", "do": [{"forget": True}], "expect": [{"clean": True}]},
        },
    ],
    ids=["acts", "asks", "visits", "forgets"],
)
def test_a_model_has_no_second_person(entry: dict[str, Any]) -> None:
    """Nor does it type addresses."""
    with pytest.raises(NotATrial, match="trials of a file"):
        trial_of({"why": "Tries it", **entry}, by="model")
    assert trial_of({"why": "Tries it", **entry}, by=PERSON).asserts


def test_the_two_pages_change_places_in_exported_lines() -> None:
    """Names are swapped, the app's own words and what merely has such a name in it are not."""
    line = 'page.goto(other.url); homepage = x.page; expect(page.get_by_text("other page")).to_have_text(page=1)'
    swapped = 'other.goto(page.url); homepage = x.page; expect(other.get_by_text("other page")).to_have_text(page=1)'
    assert persons_swapped(line) == swapped
    assert persons_swapped(swapped) == line
