"""Back to a view that was left with things untried: a tab, a menu's page, a part that another press hides again."""

from __future__ import annotations

from agent.skills.buttons import DESTRUCTIVE, sampled_at_entries
from agent.skills.controls import FIELDS, PRESSABLE, Kind, in_page, kind_of
from agent.skills.survey import Candidate, Survey, candidate, mark_concepts, target_of
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark

BASE = 34.0
MOST_COUNTED = 6
MOST_VISITS = 2
LEAST_REVEALED = 2
"""A plain button led to a view only if more than one thing came up with it: one alone may be an entry that has a new name."""
_SKILL = "go back to a view"
_ELSEWHERE = DESTRUCTIVE | {"add", "submit", "start", "theme", "close", "cancel", "next", "previous", "sound", "generate", "save"}


def propose(survey: Survey) -> list[Candidate]:
    """A press on what led to the view with most controls untried that are not in sight now; nothing where there is none."""
    if survey.layered:
        return []
    tried = frozenset(target.signature for step in survey.steps if (target := target_of(step)) is not None)
    known = tried | {mark.signature for mark in survey.now.marks}
    found: dict[str, tuple[int, Mark]] = {}
    for step in survey.steps:
        target, after = target_of(step), survey.observation(step.acted.after)
        if target is None or after is None or not isinstance(step.decision.action, Click) or not step.acted.changes.dom:
            continue
        way = next((one for one in survey.usable if (one.signature, one.selector) == (target.signature, target.selector)), None)
        if way is None or not _leads(way, survey):
            continue
        if step.acted.changes.storage and not _is_view(way, survey):
            continue  # what is stored was done, not shown
        left = [mark for mark in after.marks if mark.signature not in known and _worth(mark, survey, tried)]
        if len(left) >= (1 if _is_view(way, survey) else LEAST_REVEALED):
            found[way.signature] = (min(len(left), MOST_COUNTED), way)
    best = max(found.values(), key=lambda one: (one[0], -survey.place(one[1])), default=None)
    if best is None:
        return []
    count, way = best
    why = f"{count} or more controls were not tried there"
    return [candidate(BASE + count, Click(target=Target.of(way)), why, _SKILL)]


def _leads(mark: Mark, survey: Survey) -> bool:
    """Whether it shows a view rather than doing something, and was not gone back to too often."""
    kind, visits = kind_of(mark), sum(1 for step in survey.tried(mark) if step.decision.skill == _SKILL)
    if visits >= MOST_VISITS or "current" in mark.evidence or (mark.checked and kind is Kind.tab):
        return False
    if _is_view(mark, survey):
        return True
    return kind in (Kind.button, Kind.option, Kind.other) and not mark_concepts(mark) & _ELSEWHERE


def _is_view(mark: Mark, survey: Survey) -> bool:
    """Whether it is made to show a view: a tab, a link within the page or the site."""
    return kind_of(mark) is Kind.tab or (kind_of(mark) is Kind.link and in_page(mark, survey.now.url))


def _worth(mark: Mark, survey: Survey, tried: frozenset[str]) -> bool:
    """Whether it is a control of its own that could be tried; of repeated things one tried is enough."""
    kinds = PRESSABLE | FIELDS | {Kind.checkbox, Kind.range}
    if mark.disabled or mark.covered or not mark.name or kind_of(mark) not in kinds or mark_concepts(mark) & {"close", "cancel"}:
        return False
    if sampled_at_entries(survey, mark):
        return False
    seen = (one for page in (*survey.view.past, survey.now) for one in page.marks) if mark.group else ()
    return not any(one.group == mark.group and one.signature in tried for one in seen)
