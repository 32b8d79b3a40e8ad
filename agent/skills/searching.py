"""Search fields: type a word that is on the page, see the list shrink, then empty the field again."""

from __future__ import annotations

import re

from agent.deciders.protocol import Expectation
from agent.skills.checks.listed import contents, searchable
from agent.skills.controls import Kind, is_search, kind_of
from agent.skills.narrowing import restores
from agent.skills.survey import Candidate, Match, Survey, because, candidate, expects, mark_concepts
from agent.skills.values import holds_all, search_word, tells
from agent.words import concepts, folded, keywords
from tools.browser.actions import Click, Target, Type
from tools.browser.marks import Mark, Observation

BASE, CLEAR = 50.0, 88.0
ANOTHER_PART, ALL_AGAIN = "search by another part", "empty a search field again"
NOTHING, NO_WORD = "search for nothing", "qx(zv"
"""Found nowhere; a pattern made of it without care is none, and throws."""
MOST_PARTS, LEAST_CELLS, LEAST_LETTERS = 2, 3, 4
_CLAUSE = re.compile(r"(?<=[.!?;,])\s+|[。！？；，\n]")
_SEVERAL = re.compile(r"\b(?:or|and|oder|und|ou|et|o|y)\b|[/,、或和及]", re.IGNORECASE)
_PEOPLE = re.compile(
    r"\b(?:authors?|artists?|customers?|clients?|people|persons?|autor(?:en|in|a|es)?|kunden?|interpreten?|auteurs?|artistes?|autores?)\b"
    r"|作者|客户|艺人|姓名",
    re.IGNORECASE,
)
_FULL_NAME = re.compile(r"(?:von |by |de |par )?[A-ZÀ-Þ][\w.'’-]+(?: (?:[A-ZÀ-Þ][\w.'’-]*|von|van|de|du|la)){1,3}")


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
        return _by_another_part(survey, mark, match, why) or _for_nothing(survey, mark, match)
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


def _by_another_part(survey: Survey, mark: Mark, match: Match, why: str) -> list[Candidate]:
    """Where one may search by several parts of an entry (`title or author`), two words of another part than the first one's."""
    words = [one.decision.action.text for one in survey.acts_on(mark) if isinstance(one.decision.action, Type)]
    sentence = parts_named(f"{mark.placeholder}. {mark.name}. {survey.view.brief}")
    done = [step for step in survey.acts_on(mark) if step.decision.skill == ANOTHER_PART]
    if done and survey.last is done[-1] and mark.value:
        return [candidate(CLEAR - 4, Type(target=Target.of(mark), text=""), "the whole list is wanted again", ALL_AGAIN)]
    decided = any(told.held is not None for step in done for told in step.outcomes if told.oracle == "filtered")
    if not sentence or not words or len(done) >= MOST_PARTS or decided or mark.value:
        return []
    word = next((one for one in other_words(survey.now, words[0], sentence) if one not in words), "")
    if not word:
        return []
    text = f'only what holds "{word}" is shown'
    told = expects("filtered", text, match.id, word=word, sure=1.0, whole=1.0, key=f"search part {mark.signature}")
    act = Type(target=Target.of(mark), text=word)
    return [
        candidate(survey.worth(BASE - 4, mark, match), act, f"{why}; one may search by another part, too", ANOTHER_PART, told)
    ]


def _for_nothing(survey: Survey, mark: Mark, match: Match) -> list[Candidate]:
    """A word that nothing holds: the page says so, or shows nothing, and no sum of nothing is spilled."""
    if survey.last is not None and survey.last.decision.skill == NOTHING and mark.value:
        return [candidate(CLEAR - 4, Type(target=Target.of(mark), text=""), "the whole list is wanted again", ALL_AGAIN)]
    tried = [told for step in survey.acts_on(mark) for told in step.outcomes if told.oracle == "filtered"]
    if survey.count(NOTHING) or mark.value:
        return []
    act = Type(target=Target.of(mark), text=NO_WORD)
    if any(told.held for told in tried):
        return [candidate(survey.worth(BASE - 12, mark, match), act, "a search that finds nothing", NOTHING)]
    asked = any({"search", "filter"} & concepts(one.text) for one in survey.promises)
    if not asked or len(tried) < 2 or any(told.held is not None for told in tried) or _button(survey, mark) is not None:
        return []
    # Nothing was narrowed by a word that all entries may hold; this one none of them holds.
    text = f'no entry is left by "{NO_WORD}"'
    told = expects("filtered", text, match.id, word=NO_WORD, nothing=1.0, key=f"search {mark.signature}")
    act = Type(target=Target.of(mark), text=NO_WORD, submit=True)
    return [candidate(survey.worth(BASE, mark, match), act, "a search that finds nothing", NOTHING, told)]


def parts_named(text: str) -> str:
    """The first clause that names several parts of an entry to search by; empty if none does."""
    clauses = _CLAUSE.split(" ".join(text.split()))
    return next((one for one in clauses if "search" in concepts(one) and _SEVERAL.search(one)), "")


def other_words(page: Observation, first: str, sentence: str) -> list[str]:
    """A word of each of two entries, out of a column that the sentence names, or of people's names if it speaks of people."""
    found = list[str]()
    for listing in contents(page):
        for place, head in enumerate(listing.columns):
            cells = [row[place] for row in listing.items if place < len(row) and row[place]]
            named = bool(set(keywords(head)) & set(keywords(sentence)))
            people = _PEOPLE.search(sentence) and sum(1 for one in cells if _FULL_NAME.fullmatch(one)) >= max(
                LEAST_CELLS, len(cells) * 0.7
            )
            if len(set(cells)) < LEAST_CELLS or any(folded(first) in folded(one) for one in cells) or not (named or people):
                continue
            last_words = [one.split()[-1].strip(".,;") for one in (*cells[1:], cells[0])]
            found += [word for word in last_words if word.isalpha() and len(word) >= LEAST_LETTERS and searchable(page, word)][:2]
    return found


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
