"""A quiz: what an answer is called (right, wrong) is how it counts, and the result at the end is the number of right ones.

Source: the metamorphic relation of a whole and its parts (Segura et al., 2018): a score is the sum of what was said of the
answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.labelled import figures
from agent.words import folded, says

_WRONG = re.compile(
    r"\b(?:wrong|incorrect|not (?:quite|right|correct)|sorry|oops|nope)\b|\b(?:right|correct) answer\b"
    r"|错|不对|不正确|正确答案|可惜",
    re.IGNORECASE,
)
_RIGHT = re.compile(r"\b(?:correct|right|well done|exactly|great)\b|答对|正确|真棒|太棒", re.IGNORECASE)
_OF_ALL = re.compile(r"(?<![\d.,:/])(\d{1,3})\s*(?:of|out of|/|／|共)\s*(\d{1,3})(?![\d.,:/%])", re.IGNORECASE)
_QUESTION = re.compile(r"\bquestion\b|第.{0,4}题|题目", re.IGNORECASE)
_STILL = re.compile(r"is still (-?[\d.]+)")
MOST_SIGNS, MOST_OF_A_LINE = 120, 60
SAYS_RIGHT, SAYS_WRONG = "a right answer", "a wrong answer"


def said(lines: Iterable[str]) -> str:
    """`right` or `wrong`, as lines that came up say of an answer; empty for neither. Lines with figures only count."""
    told = [line for line in lines if len(line) <= MOST_SIGNS and not any(sign.isdigit() for sign in line)]
    if any(_WRONG.search(line) for line in told):
        return "wrong"
    return "right" if any(_RIGHT.search(line) for line in told) else ""


def answered(case: Case) -> Told:
    """The score follows what is said of an answer; one that follows only when one goes on to the next question does, too.

    A right one that leaves it, twice: `state_not_updated`; a wrong one that raises it, twice: `wrong_result`.
    """
    judged = said(case.lines[1])
    if not judged:
        return Told(None, "nothing is said of the answer", attempts=0)
    before, after = figures(case.before), figures(case.after)
    labels = [label for label in before if label in after and _scores(label)]
    words = SAYS_RIGHT if judged == "right" else SAYS_WRONG
    if len(labels) != 1:
        return Told(True, words)
    label, one, other = labels[0], before[labels[0]], after[labels[0]]
    if judged == "right" and other <= one:
        if _followed_later(case, one):
            return Told(True, f"{words}, counted when one goes on")
        return lack(case, "state_not_updated", f'{words}, and "{label}" is still {other:g}')
    if judged == "wrong" and other > one:
        return lack(case, "wrong_result", f'{words}, and "{label}" {one:g} became {other:g}')
    return Told(True, f'{words}: "{label}" {one:g}, then {other:g}')


def _scores(label: str) -> bool:
    good = says("counter_score", label) and not says("counter_kept", label)
    return good and not _WRONG.search(label) and "mistake" not in label


def _followed_later(case: Case, now: float) -> bool:
    """Whether the score that stayed at an earlier right answer stood higher by this one."""
    for step in case.history:
        for told in step.outcomes:
            found = _STILL.search(told.observed) if told.oracle == "answered" else None
            if found and now > float(found.group(1)):
                return True
    return False


def quiz_result(case: Case) -> Told:
    """The result at the end (`3 of 5`) is how many of the `answers` given in this round (`round`: act ids) were called right.

    Another number: `wrong_result`. Told only where each of them was called right or wrong, and one such result came up.
    """
    ids = set(case.word("round").split())
    outcomes = [told for step in case.history if step.acted_id in ids for told in step.outcomes]
    judged = [told.observed for told in outcomes if told.oracle == "answered"]
    right = sum(1 for words in judged if words.startswith(SAYS_RIGHT))
    shown = [
        (int(one), int(other))
        for line in case.lines[1]
        if len(line) <= MOST_OF_A_LINE and not _QUESTION.search(folded(line))
        for one, other in _OF_ALL.findall(line)
    ]
    results = {pair for pair in shown if pair[1] == len(judged) and pair[0] <= pair[1]}
    if len(judged) < 2 or len(judged) != case.number("answers") or not results:
        return Told(None, "no result of answers that were judged is shown", attempts=0)
    if any(one == right for one, _ in results):
        return Told(True, f"{right} of {len(judged)} were right, and so says the result")
    if len(results) > 1:
        return Told(None, "several results are shown", attempts=0)
    one, of = next(iter(results))
    return Told(False, f"the result says {one} of {of}, but {right} answers were called right", "wrong_result")
