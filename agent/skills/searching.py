"""Search fields: type a word that is on the page, see the list shrink, then empty the field again."""

from __future__ import annotations

from agent.deciders.protocol import Expectation
from agent.skills.controls import Kind, is_search, kind_of
from agent.skills.narrowing import restores
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts
from agent.skills.values import holds_all, search_word, tells
from tools.browser.actions import Click, Target, Type
from tools.browser.marks import Mark

BASE, CLEAR = 50.0, 88.0


def propose(survey: Survey) -> list[Candidate]:
    """Searching once (a second time with Enter or the button when nothing happened), then emptying the field."""
    found: list[Candidate] = []
    for mark in survey.usable:
        if is_search(mark) and not mark.readonly:
            found += _search(survey, mark)
    return found


def _search(survey: Survey, mark: Mark) -> list[Candidate]:
    match = survey.match(mark, ("search", "filter"))
    why = because(match, survey, "a search field")
    searched = [step for step in survey.tried(mark) if step.decision.skill in ("search", "search with Enter")]
    if not searched:
        word = search_word(survey.now, mark)
        if not word:
            return []
        told = [
            expects("value_kept", f'the field keeps "{word}"', value=word, submitted=0.0),
            _shrinks(survey, word, match.id, mark),
        ]
        return [candidate(survey.worth(BASE, mark, match), Type(target=Target.of(mark), text=word), why, "search", *told)]
    if _cleared(survey, mark):
        return []
    last = searched[-1]
    word = str(next((told.params.get("word", "") for told in last.decision.expectations if told.oracle == "filtered"), ""))
    undecided = any(told.oracle == "filtered" and told.held is None and told.attempts > 0 for told in last.outcomes)
    if undecided and len(searched) < 2 and word:
        told = _shrinks(survey, word, match.id, mark)
        button = _button(survey, mark)
        if button is not None and mark.value:
            return [
                candidate(
                    CLEAR, Click(target=Target.of(button)), f"{why}; its button starts the search", "search by button", told
                )
            ]
        return [
            candidate(
                CLEAR,
                Type(target=Target.of(mark), text=word, submit=True),
                f"{why}; Enter starts the search",
                "search with Enter",
                told,
            )
        ]
    if mark.value and not survey.layered:
        return [
            candidate(
                CLEAR - 4,
                Type(target=Target.of(mark), text="", clear=True),
                "the whole list is wanted again",
                "empty a search field",
                *restores(survey, searched),
            )
        ]
    return []


def _shrinks(survey: Survey, word: str, promise: str, mark: Mark) -> Expectation:
    # What is searched may lie elsewhere, unless the brief speaks of it; and all of it may hold the word.
    sure = float(tells(survey.now, word) or (bool(promise) and not holds_all(survey.now, word)))
    return expects(
        "filtered", f'only what holds "{word}" is shown', promise, word=word, sure=sure, key=f"search {mark.signature}"
    )


def _button(survey: Survey, mark: Mark) -> Mark | None:
    for other in survey.usable:
        near = abs(other.box.centre[1] - mark.box.centre[1]) < 60
        if near and "search" in mark_concepts(other) and kind_of(other) is Kind.button and not survey.tried(other):
            return other
    return None


def _cleared(survey: Survey, mark: Mark) -> bool:
    return any(step.decision.skill == "empty a search field" for step in survey.acts_on(mark))
