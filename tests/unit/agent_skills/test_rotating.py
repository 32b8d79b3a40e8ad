"""What the brief says changes by itself is watched, and accused only where it could have been seen."""

from __future__ import annotations

import pytest

from agent.skills import rotating
from tests.unit.agent_skills.scenes import acts, did, mark, page, see
from tools.browser.actions import Hover, Wait

BRIEF = "A site of three pages. The pictures page has a slideshow on top that changes by itself every few seconds."
PAUSE, HOME = mark("Pause", at=(600, 300)), mark("Ilse Varga", "a", at=(20, 20))


@pytest.mark.parametrize(
    ("brief", "every_s"),
    [
        (BRIEF, 4.0),
        ("Quotes rotate automatically", 4.0),
        ("The hero image switches every 6 seconds", 6.0),
        ("Prices update every two seconds", 2.0),
        ("首页有自动轮播的图片", 4.0),
        ("The draft is saved automatically every 5 seconds", None),
        ("The total updates automatically when a price changes", None),
        ("A new enemy is spawned every 3 seconds", None),
        ("The image changes when a thumbnail is clicked", None),
        ("Pictures open large, with previous and next", None),
    ],
)
def test_the_interval_is_read_from_the_brief(brief: str, every_s: float | None) -> None:
    """Only what changes without anybody's doing; what follows an act, or happens in a game, is something else."""
    assert rotating.interval_s(brief) == every_s


def test_a_slideshow_that_stands_still_is_told_with_the_pointer_aside() -> None:
    """Watched, the pointer moved away, watched again: then it is told, and no sooner."""
    first = rotating.propose(see(PAUSE, HOME, brief=BRIEF))[0].decision
    assert isinstance(first.action, Wait)
    assert first.action.ms >= 2 * 4000
    start, still = page(PAUSE, HOME), page(PAUSE, HOME, number=1)
    watched = did(first, start, still)
    assert watched.outcomes[0].held is None
    (aside,) = rotating.propose(see(PAUSE, HOME, brief=BRIEF, steps=(watched,), past=(start,)))
    assert isinstance(aside.decision.action, Hover)
    assert aside.decision.action.target.name == "Ilse Varga"
    moved = did(aside.decision, still, page(PAUSE, HOME, number=2), watched)
    (again,) = rotating.propose(see(PAUSE, HOME, brief=BRIEF, steps=(watched, moved), past=(start, still)))
    told = did(again.decision, page(PAUSE, HOME, number=2), page(PAUSE, HOME, number=3), watched, moved).outcomes[0]
    assert (told.held, told.symptom) == (False, "animation_frozen")


def test_one_that_changes_is_left_alone() -> None:
    """A changed picture is enough, and nothing is watched again."""
    first = rotating.propose(see(PAUSE, HOME, brief=BRIEF))[0].decision
    start, other = page(PAUSE, HOME), page(PAUSE, HOME, number=1)
    watched = did(first, start, other, picture=0.2)
    assert watched.outcomes[0].held is True
    assert rotating.propose(see(PAUSE, HOME, brief=BRIEF, steps=(watched,), past=(start,))) == []


def test_what_may_be_out_of_sight_or_waits_to_be_started_is_not_watched() -> None:
    """Far down a long page, or behind Play: nothing could be said of it."""
    assert acts(rotating.propose(see(HOME, brief=BRIEF, page_size=(1280, 4000)))) == []
    assert acts(rotating.propose(see(HOME, mark("Play slideshow"), brief=BRIEF))) == []
    assert acts(rotating.propose(see(PAUSE, HOME, brief="A snake game; food changes by itself every 5 seconds"))) == []
