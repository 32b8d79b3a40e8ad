"""What the brief promises to be kept over a reload, and when that has to be looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.skills.checks.listed import contents
from agent.skills.survey import Survey
from agent.words import concepts, folded, says
from tools.evidence.rows import Promise

EARLY = "reload before anything is deleted"
WITHOUT = re.compile(
    r"\b(?:without|no|never)\b[^.;,]{0,40}\b(?:re(?:load|fresh)\w*|saved?|stor\w+|persist\w*)|(?:无需|不用|无|不必|不需要?)(?:页面)?(?:刷新|保存|存储)",
    re.IGNORECASE,
)


def promised_kept(survey: Survey) -> Promise | None:
    """The first promise that something is kept; what is to work without a reload promises nothing of the kind."""
    kept = (one for one in survey.view.plan.promises if one.aspect == "persistence" and not WITHOUT.search(one.text))
    return next(kept, None)


def about_settings(promised: Promise) -> bool:
    """Whether it is settings that are kept, or the theme, rather than what is made."""
    return says("settings", promised.text) or "theme" in concepts(promised.text)


def due_before_a_deletion(survey: Survey, added: Sequence[str]) -> bool:
    """Whether what was added has yet to outlast a reload: a deletion may store what adding did not.

    Only of what stands in a list: the thanks for an order name the customer, too, and are not kept.
    """
    promised = promised_kept(survey)
    if promised is None or about_settings(promised) or not added:
        return False
    rows = (folded(" ".join(row)) for listing in contents(survey.now) for row in listing.items)
    if not any(folded(added[-1]) in row for row in rows):
        return False
    return not reloaded(survey)


def reloaded(survey: Survey) -> bool:
    """Whether the page was loaded anew."""
    return any(step.acted.action.get("act") == "reload" for step in survey.steps)
