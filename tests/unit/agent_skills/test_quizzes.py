"""A quiz is gone through to its end: what is said of each answer is what it counts and what the result says."""

from __future__ import annotations

import pytest

from agent.deciders.curious import rank
from agent.deciders.protocol import Step
from agent.skills import quizzes
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, view
from tools.browser.actions import Wait
from tools.browser.marks import Mark, Observation

BRIEF = "A quiz about space with ten questions, a score and a result at the end."
NEXT = mark("Next question", at=(300, 500))


def asked(number: int, *, text: str = "", marks: tuple[Mark, ...] = (), prefix: str = "Answer", at: int = 0) -> Observation:
    """A question with four answers."""
    shown = [mark(f"{prefix} {number}-{place}", at=(100, 100.0 + 40 * place)) for place in range(4)]
    return page(*shown, *marks, text=f"Question {number} of 3\nWhich one is it?\n{text}", number=at or number)


def chosen(before: Observation, after: Observation, *history: Step) -> Step:
    """A question answered."""
    return did(decided(on(before.marks[0]), "answered", skill=quizzes.ANSWER, key="q"), before, after, *history)


def test_a_question_is_answered_and_left() -> None:
    """One answer of those in sight; then on; nothing of the kind where no quiz is asked for."""
    first = asked(1)
    found = quizzes.propose(see(*first.marks, brief=BRIEF, text=first.text))
    assert [one.decision.skill for one in found] == [quizzes.ANSWER]
    told = asked(1, text="Correct!\nScore: 1", marks=(NEXT,), at=5)
    step = chosen(first, told)
    assert aims(quizzes.propose(Survey(view(told, brief=BRIEF, steps=(step,), past=(first,))))) == ["Next question"]
    assert not quizzes.propose(see(*first.marks, brief="A shop.", text=first.text))
    by_itself = asked(1, text="Correct!", at=5)
    (wait,) = quizzes.propose(Survey(view(by_itself, brief=BRIEF, steps=(chosen(first, by_itself),), past=(first,))))
    assert isinstance(wait.decision.action, Wait)
    second = asked(2)
    later = Survey(view(second, brief=BRIEF, steps=(chosen(first, second),), past=(first,)))
    assert [one.decision.skill for one in quizzes.propose(later)] == [quizzes.ANSWER]


def test_ten_questions_are_gone_through_by_one_button() -> None:
    """It leads to another question each time; other buttons are pressed less often."""
    steps: list[Step] = []
    pages = [asked(number, marks=(NEXT,), at=number) for number in range(11)]
    for number in range(9):
        step = did(decided(on(NEXT), skill=quizzes.GO_ON), pages[number], pages[number + 1], *steps)
        steps.append(step)
    answered = chosen(pages[9], pages[9].model_copy(update={"id": "after"}), *steps)
    now = pages[9].model_copy(update={"id": "after"})
    best = next(rank(Survey(view(now, brief=BRIEF, steps=(*steps, answered), past=tuple(pages[:10])))))
    assert (aims([best]), best.decision.skill) == (["Next question"], quizzes.GO_ON)


@pytest.mark.parametrize(
    ("said", "scores", "told"),
    [
        ("Correct!", (0, 1, 1, 2), (True, "")),
        ("Correct!", (0, 0, 0, 0), (False, "state_not_updated")),
        ("Correct!", (0, 0, 1, 1), (True, "")),
        ("Sorry, the correct answer is Mars.", (0, 0, 0, 0), (True, "")),
        ("Sorry, the correct answer is Mars.", (0, 1, 1, 2), (False, "wrong_result")),
    ],
)
def test_the_score_follows_what_is_said_of_an_answer(said: str, scores: tuple[int, ...], told: tuple[bool, str]) -> None:
    """Told at the second answer; a score that is counted when one goes on follows, too."""
    steps: list[Step] = []
    for number in (1, 2):
        one, other = scores[2 * number - 2 : 2 * number]
        before = asked(number, text=f"Score: {one}", at=2 * number)
        after = asked(number, text=f"Score: {other}\n{said}", marks=(NEXT,), at=2 * number + 1)
        steps.append(chosen(before, after, *steps))
    assert [(one.held, one.symptom) for one in steps[-1].outcomes] == [told]


@pytest.mark.parametrize(
    ("line", "told"), [("You scored 1 of 2", True), ("Your result: 2 / 2", False), ("Points 10 of 20", None)]
)
def test_the_result_is_the_number_of_right_answers(line: str, told: bool | None) -> None:
    """Each answer was judged; the result says so many. What counts something else tells nothing."""
    steps: list[Step] = []
    for number, said in ((1, "Correct!"), (2, "Wrong.")):
        before, after = asked(number, at=2 * number), asked(number, text=said, marks=(NEXT,), at=2 * number + 1)
        steps.append(chosen(before, after, *steps))
    last = asked(2, text="Wrong.", marks=(NEXT,), at=5)
    (on_,) = quizzes.propose(Survey(view(last, brief=BRIEF, steps=tuple(steps), past=(asked(1, at=2), asked(2, at=4)))))
    step = did(on_.decision, last, page(mark("Play again"), text=f"The end\n{line}", number=9), *steps)
    held = [(one.held, one.symptom) for one in step.outcomes if one.oracle == "quiz_result"]
    assert held == ([] if told is None else [(told, "" if told else "wrong_result")])
    over = page(mark("Play again"), text=f"The end\n{line}", number=9)
    again = quizzes.propose(Survey(view(over, brief=BRIEF, steps=(*steps, step), past=(asked(1, at=2), last))))
    assert aims(again) == ["Play again"]
