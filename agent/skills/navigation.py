"""Links: follow those of the site, see that something is there, come back. Links to other sites are not followed."""

from __future__ import annotations

from agent.addresses import document
from agent.deciders.protocol import Step
from agent.skills.buttons import sampled
from agent.skills.controls import Kind, addressed, external, in_page, kind_of
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts
from agent.words import folded
from tools.browser.actions import Click, GoBack, Target
from tools.browser.marks import Mark

BASE = 40.0
RETURN, RETURN_NOW = 50.0, 92.0
SAME_PART = 18.0
"""What a link loses whose part of the page another link led to: a button after every price, all to one form."""
MOST_STEPS_AWAY = 5
"""Steps spent on a page one came to by a link before going back."""
_FILES = (".zip", ".pdf", ".dmg", ".exe", ".tar.gz", ".csv", ".xlsx", ".docx", ".mp3", ".mp4", ".apk")


def propose(survey: Survey) -> list[Candidate]:
    """A candidate for each untried link of the site, and the way back from another page."""
    links = [mark for mark in survey.untried() if kind_of(mark) is Kind.link and _worth_following(survey, mark)]
    found = [_follow(survey, mark) for mark in links]
    back = _return(survey)
    return [*found, back] if back is not None else found


def _worth_following(survey: Survey, mark: Mark) -> bool:
    if external(mark, survey.now.url) or sampled(survey, mark):
        return False
    if document(mark.href).casefold().endswith(_FILES):
        return False
    return "skip to" not in folded(mark.name)


def _follow(survey: Survey, mark: Mark) -> Candidate:
    match = survey.match(mark, ("menu",))
    inside = in_page(mark, survey.now.url)
    base = BASE + (3 if inside else 0) - (8 if not mark.name else 0)
    if not addressed(mark, survey.now.url) or mark_concepts(mark) & {"share", "login", "pay", "download"}:
        base -= 18
    if inside and mark.href and any(_href(step) == mark.href for step in survey.steps):
        base -= SAME_PART
    told = expects(
        "navigates", f'"{mark.name}" leads somewhere', match.id, href=mark.href, key=f"link {mark.signature} {mark.selector}"
    )
    why = because(match, survey, "a link of the site that was not followed yet")
    return candidate(survey.worth(base, mark, match), Click(target=Target.of(mark)), why, "follow a link", told)


def _href(step: Step) -> str:
    """Where the link led that a step followed; empty if it followed none."""
    told = (one for one in step.decision.expectations if one.oracle == "navigates" and step.acted.delivered)
    return next((str(one.params.get("href", "")) for one in told), "")


def _return(survey: Survey) -> Candidate | None:
    """Back to the page one came from, sooner the longer one is away; not from views that the app itself switches."""
    left = _left_behind(survey)
    if left is None:
        return None
    url, away = left
    priority = RETURN_NOW if away >= MOST_STEPS_AWAY else RETURN + 4.0 * away
    told = expects("returns", "the page before is shown again", url=url)
    return candidate(priority, GoBack(), f"the exploration goes on at {url}", "come back", told)


def _left_behind(survey: Survey) -> tuple[str, int] | None:
    """`(address of the page before, steps since)` when a link led to another document whose way back was not taken yet."""
    here = document(survey.now.url)
    for back, step in enumerate(reversed(survey.steps), start=1):
        before = survey.observation(step.acted.before)
        if before is None or not step.acted.changes.url:
            continue
        if step.decision.skill == "come back":
            return None
        there = document(before.url)
        if step.decision.skill == "follow a link" and there != here:
            return before.url, back - 1
        return None
    return None
