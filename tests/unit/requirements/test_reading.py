"""How briefs are read: what is cut, what is not, what it is about, and where it stands."""

from __future__ import annotations

import pytest

from evaluator.relations.base import relations
from evaluator.requirements import read_requirements


def _words(brief: str) -> list[str]:
    return [requirement.words for requirement in read_requirements(brief)]


@pytest.mark.parametrize(
    ("brief", "words"),
    [
        ("A notes app where users can add, edit and delete notes.", ["add notes", "edit notes", "delete notes"]),
        (
            "Eine Notiz-App. Nutzer können Notizen anlegen, bearbeiten und löschen.",
            ["Notizen anlegen", "Notizen bearbeiten", "Notizen löschen"],
        ),
        ("做一个笔记网页。用户可以添加、编辑和删除笔记。", ["添加笔记", "编辑笔记", "删除笔记"]),
        ("メモアプリを作ってください。メモの追加、編集、削除ができること。", ["メモの追加", "メモの編集", "メモの削除ができること"]),  # noqa: E501
        ("أريد تطبيقًا للملاحظات. يمكن للمستخدم إضافة ملاحظة، وحذف ملاحظة.", ["إضافة ملاحظة", "حذف ملاحظة"]),
    ],
)  # fmt: skip
def test_verbs_that_share_an_object_are_apart(brief: str, words: list[str]) -> None:
    """In languages whose verbs come first, and in those whose verbs come last."""
    assert _words(brief) == words


@pytest.mark.parametrize(
    "words",
    [
        "enter a date, a time and the party size to reserve a table",
        "filter by colour, size or brand",
        "A switch toggles between light and dark mode",
        "reorder tasks by drag and drop",
        "choose bubble, selection or insertion sort",
    ],
)
def test_what_belongs_together_stays(words: str) -> None:
    """Lists of data, both sides of "between", fixed compounds."""
    assert len(_words(f"A small web app. Visitors can {words}.")) == 1


def test_markdown_is_read_by_its_structure() -> None:
    """Items are requirements; headings and code are none, but say how central what is below them is."""
    brief = "# Stock\n\n## Must have\n- Add articles\n- Search articles by name\n\n## Nice to have\n- **Export** as CSV\n"
    brief += "\n```js\nlet x = 1\n```\n"
    read = list(read_requirements(brief))
    assert [item.words for item in read] == ["Add articles", "Search articles by name", "Export as CSV"]
    assert [item.behaviour for item in read] == ["add", "search", "transfer"]
    assert read[0].central > read[2].central
    assert read_requirements(brief).whole == "Stock"


def test_spans_are_places_in_the_brief() -> None:
    """What stands there is the requirement's own words; what a verb shares stands elsewhere."""
    brief = "A **recipe** page.\n\n- Rate recipes\n- Print and share recipes\n"
    for requirement in read_requirements(brief):
        own = brief[requirement.span[0] : requirement.span[1]]
        assert own.split()[0].lower() in requirement.words.lower()
        assert requirement.words.startswith(own) or own in requirement.words


def test_roles_and_reasons_of_user_stories_are_no_requirements() -> None:
    """What is asked for stands between "I want to" and "so that"."""
    assert _words("As a member, I want to search books by title so that I find them quickly.") == ["search books by title"]


@pytest.mark.parametrize("name", ["A to-do list", "A how-to guide"])
def test_a_joining_word_inside_of_a_name_joins_nothing(name: str) -> None:
    """What is "to" in it is not what it is for."""
    read = read_requirements(f"{name}. Entries can be added and deleted.")
    assert read.whole == name
    assert _words(f"{name}. Entries can be added and deleted.")[0].startswith("Entries")


def test_an_app_is_named_once() -> None:
    """Its name is a requirement only where nothing else is said."""
    alone = read_requirements("Make a chess game.")
    assert [item.behaviour for item in alone] == ["whole"]
    more = read_requirements("Make a chess game. Players can undo a move.")
    assert [item.behaviour for item in more] == ["undo"]
    assert "chess" in more.whole


@pytest.mark.parametrize("brief", ["", "   \n", "###", "-", "!!!", "🎉"])
def test_a_brief_that_asks_for_nothing(brief: str) -> None:
    """No requirement, no error."""
    assert len(read_requirements(brief)) == 0


def test_keys_are_named_as_playwright_names_them() -> None:
    """Of requirements about the keyboard only: "enter a name" names no key."""
    read = read_requirements(
        "A drawing page. Press Escape to cancel the shape. Ctrl+Z takes the last step back. Users can enter a name."
    )
    assert [item.keys for item in read] == [("Escape",), ("Control+z",), ()]


def test_letters_and_digits_are_keys_where_their_sentence_is_about_keys() -> None:
    """Not in a rating, a vitamin or a plan."""
    read = read_requirements("A trainer for words. Keyboard: Space shows the answer, 1–3 grade, U undoes, E edits.")
    assert [key for item in read for key in item.keys] == ["Space", "u", "1", "2", "3", "e"]
    plain = read_requirements("A shop. Customers rate it from 1–5 stars. They compare plan B with plan C. Press Space to pause.")
    assert [item.keys for item in plain if item.keys] == [("Space",)]


def test_a_hostile_brief_is_only_text() -> None:
    """Endless brackets and lists take no endless time, and no more is read than the most."""
    assert len(read_requirements("A page. " + "(" * 5000)) <= 1
    assert len(read_requirements("\n".join(f"- add item {number}" for number in range(200)))) == 60


@pytest.mark.parametrize(
    ("brief", "words"),
    [
        (
            "A round clock. Start, Stop and Lap buttons; there is a list of laps.",
            ["Start, Stop and Lap buttons", "list of laps"],
        ),
        (
            "A door lock app. Six dots show how many digits are in, OK checks the code, C clears it.",
            ["Six dots show how many digits are in", "OK checks the code", "C clears it"],
        ),
        ("Map of a park: drag to pan, + and − to zoom.", ["drag to pan", "+ and − to zoom"]),
        ("Timer for runs. After Stop, Start should begin anew.", ["Stop, Start should begin anew"]),
        ("make a small maze game. 3 lives. show the score", ["3 lives", "show the score"]),
    ],
    ids=["components of one kind", "what stands on a control", "signs", "when it holds", "no capitals"],
)
def test_terse_briefs(brief: str, words: list[str]) -> None:
    """Of those who write as they speak."""
    assert _words(brief) == words


@pytest.mark.parametrize(
    ("brief", "relation"),
    [
        ("A sign-up form for a course. The Send button stays off until all fields are valid.", "opens_when_whole"),
        ("Darts counter. The best result of all rounds survives a reload.", "record_survives"),
        ("Eine Stoppuhr. Nach einer Pause läuft sie mit der verbliebenen Zeit weiter.", "resume_goes_on"),
        ("A form for lost property. After sending, a thank-you page is shown.", "filled_form_is_answered"),
        ("Shopping list. Items can be added. Pictures of shops are shown.", ""),
    ],
)
def test_a_requirement_that_says_what_a_relation_holds_is_its(brief: str, relation: str) -> None:
    """By meaning, whatever kind of behaviour it was read as."""
    tried = {"opens_when_whole", "record_survives", "resume_goes_on", "filled_form_is_answered"}
    asked = read_requirements(brief)
    said = {name for name, item in relations().items() if name in tried and asked.saying(item.says)}
    assert said == ({relation} if relation else set())
