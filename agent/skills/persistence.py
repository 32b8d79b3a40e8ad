"""Reloads: near the end, what was made, changed or set must be as it was left; after a switch of the theme, the theme."""

from __future__ import annotations

import re

from agent.deciders.protocol import Expectation
from agent.skills.checks.kept import made, makers
from agent.skills.checks.stayed import changed_rows, changed_settings, packed_settings
from agent.skills.controls import forms
from agent.skills.lists import entries
from agent.skills.survey import Candidate, Survey, candidate, expects
from agent.words import concepts, keywords, says
from tools.browser.actions import Reload
from tools.evidence.rows import Promise

BEFORE_THE_DESTRUCTIVE, WHEN_TIME_IS_SHORT, AFTER_THE_SWITCH = 21.0, 97.0, 91.0
STEPS_SHORT, SECONDS_SHORT = 4, 8.0
_WITHOUT = re.compile(
    r"\b(?:without|no|never)\b[^.;,]{0,40}\b(?:re(?:load|fresh)\w*|saved?|stor\w+|persist\w*)|(?:无需|不用|无|不必|不需要?)(?:页面)?(?:刷新|保存|存储)",
    re.IGNORECASE,
)


def propose(survey: Survey) -> list[Candidate]:
    """The reload after a switch of the theme, and the one near the end."""
    return [*_after_the_switch(survey), *_near_the_end(survey)]


def _near_the_end(survey: Survey) -> list[Candidate]:
    """One reload, when something was made that could be kept and the brief or the app suggests that it is."""
    if survey.count("reload to see what is kept"):
        return []
    promised = _promised(survey)
    stored = any(step.acted.changes.storage for step in survey.steps)
    if not (promised or stored or says("persist_hint", survey.view.brief)):
        return []
    short = survey.view.steps_left <= STEPS_SHORT or survey.view.seconds_left <= SECONDS_SHORT
    told = _told(survey, promised)
    if not told:
        return []
    why = "the brief promises that entries are kept" if promised else "the app stores what was entered"
    priority = WHEN_TIME_IS_SHORT if short and promised else BEFORE_THE_DESTRUCTIVE
    return [candidate(priority, Reload(), why, "reload to see what is kept", *told)]


def _promised(survey: Survey) -> Promise | None:
    """The first promise that something is kept; what is to work without a reload promises nothing of the kind."""
    kept = (one for one in survey.view.plan.promises if one.aspect == "persistence" and not _WITHOUT.search(one.text))
    return next(kept, None)


def _told(survey: Survey, promised: Promise | None) -> list[Expectation]:
    """What the reload has to keep: the latest entry, what was made; what became of rows, and settings, where it is promised."""
    added, identity, told = entries(survey), promised.id if promised else "", list[Expectation]()
    seen = {one.id: one for one in (*survey.view.past, survey.now)}
    first = survey.view.past[0] if survey.view.past else survey.now
    if added:
        text = f'"{added[-1]}" is still there after a reload'
        told.append(expects("persists", text, identity, text=added[-1], promised=float(bool(promised))))
    if promised is None:
        return told
    if not added and "theme" not in concepts(promised.text):
        found = made(survey.steps, seen, first, _about(survey, promised))
        if found:
            by = " ".join(makers(survey.steps, seen, first, _about(survey, promised), found[0]))
            text = "what was made is still there after a reload"
            told.append(expects("kept", text, identity, made="\n".join(found), made_by=by))
    rows = changed_rows(survey.steps, seen, ticked="complete" in concepts(survey.view.brief))
    if rows and not _is_about_settings(promised):
        text = "what was changed of an entry is still so after a reload"
        told.append(expects("stayed", text, identity, rows="\n".join(rows)))
    taken_in = {mark.signature for form in forms(survey.usable) for mark in (*form.fields, *form.choices)}
    changed = [mark for mark in changed_settings(survey.steps, first, survey.now) if mark.signature not in taken_in]
    settings = [mark for mark in changed if _named(promised, mark.name)]
    if settings:
        text = "what was set is still so after a reload"
        told.append(expects("settings_stay", text, identity, settings=packed_settings(settings, first)))
    return told


def _about(survey: Survey, promised: Promise) -> frozenset[str]:
    """Words of the sentence that promises it: "a history lists the last results, is kept on reload"."""
    sentences = re.split(r"(?<=[.!?;])\s+|[。！？；\n]", survey.view.brief)
    whole = next((one for one in sentences if promised.text and promised.text in " ".join(one.split())), promised.text)
    return frozenset(keywords(whole))


def _is_about_settings(promised: Promise) -> bool:
    return says("settings", promised.text) or "theme" in concepts(promised.text)


def _named(promised: Promise, name: str) -> bool:
    """Whether the promise is about settings at large, or names this one."""
    return says("settings", promised.text) or bool(set(keywords(name)) & set(keywords(promised.text)))


def _after_the_switch(survey: Survey) -> list[Candidate]:
    """Right after a switch of the theme that repainted the page: is it still so after a reload, where the brief says so?"""
    last = survey.last
    if last is None or last.decision.skill != "switch the theme" or survey.count("reload to see the theme"):
        return []
    promised = [
        one
        for one in survey.view.plan.promises
        if one.aspect == "persistence" and "theme" in concepts(one.text) and not _WITHOUT.search(one.text)
    ]
    if not promised or not any(told.held for told in last.outcomes if told.oracle == "theme_changes"):
        return []
    share = last.acted.changes.picture or 0.0
    told = expects("theme_stays", "the theme is as chosen after a reload", promised[0].id, picture=share)
    why = "the brief promises that the theme is remembered"
    return [candidate(AFTER_THE_SWITCH, Reload(), why, "reload to see the theme", told)]
