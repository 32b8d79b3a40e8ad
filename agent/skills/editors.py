"""Editors: a plain line is written and chosen, a tool is used on it, and what was done is taken back.

A tool for text (bold, a heading) or Undo, pressed by itself, may rightly do nothing; here it has something to work on, so that
nothing coming of it is a fault.
"""

from __future__ import annotations

import re

from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts, target_of
from agent.words import concepts, says
from tools.browser.actions import Click, Drag, Press, Target, Type
from tools.browser.marks import Mark

TAKES_BACK = "take back"
WRITE, CHOOSE, USE, TAKE_BACK = 66.0, 97.0, 97.0, 96.0
MOST_TOOLS = 3
EDITOR_SHARE = 0.08
"""Share of the viewport from which on a field is what one writes in."""
_SHORT = frozenset({"b", "i", "u", "s", "h1", "h2", "h3"})
_LINES = ("A plain line", "Some other words", "A third short line")
_WRITE, _CHOOSE, _USE = "write a plain line", "choose all that is written", "use a tool on the text"
PREPARES = frozenset({_WRITE, _CHOOSE})
"""What a tool needs to have something to work on."""
UNDO = "undo"
_RENDER = "write Markdown"
_SAMPLES = (("# Garden plan", "- Oat milk"), ("## Lake trip", "- Rye bread"))
"""What is typed, first and last line."""
_BROKEN = "Roses grow\nby the\nold stone wall"
"""Words on lines of their own, by which ways of counting them differ."""
_STYLES = ((re.compile(r"\bbold\b|粗体|加粗"), "**Fresh**"), (re.compile(r"\bitalics?\b|斜体"), "*green*"))
_SIGNS = re.compile(r"^#+ |^- |\*+")


_GOAL = re.compile(r"\b(?:as|to|into)\s+(?:a\s+)?markdown\b|(?:导出|复制|转)(?:为|成)?\s*markdown", re.IGNORECASE)
"""What is made into Markdown is not written as such."""


def is_text_tool(mark: Mark) -> bool:
    """Whether a button formats text."""
    return kind_of(mark) is Kind.button and (mark.name.strip().casefold() in _SHORT or says("text_tool", mark.name))


def propose(survey: Survey) -> list[Candidate]:
    """The next move with an editor's tools, and taking back what was just done."""
    return [*_take_back(survey), *_markdown(survey), *_tools(survey)]


def _markdown(survey: Survey) -> list[Candidate]:
    """A heading and a list, written once, a second time otherwise where nothing could be seen of them: are they rendered?"""
    editor, times = editor_of(survey), survey.count(_RENDER)
    asked = survey.promise_about("preview rendered live markdown 预览", frozenset({"feature", "control", "content"}))
    if (
        editor is None
        or editor.tag != "textarea"
        or not says("markdown", _GOAL.sub(" ", survey.view.brief))
        or times >= len(_SAMPLES)
    ):
        return []
    written = [step for step in survey.steps if step.decision.skill == _RENDER]
    undecided = bool(written) and any(
        told.oracle == "rendered" and told.held is None and told.attempts for told in written[-1].outcomes
    )
    if written and not undecided:
        return []
    first, last = _SAMPLES[times]
    styled = " ".join(sample for named, sample in _STYLES if named.search(survey.view.brief.casefold()))
    lines = [first, *([f"{styled} herbs"] if styled else []), _BROKEN, last]
    text, plain = "\n\n".join(lines), "\n".join(_SIGNS.sub("", line) for line in "\n".join(lines).split("\n"))
    told = expects(
        "rendered", "what is written is shown as it should look", asked.id, text=text, plain=plain, key="rendered text"
    )
    act = Type(target=Target.of(editor), text=text)
    why = because(asked, survey, "Markdown is there to be rendered")
    return [candidate(survey.worth(WRITE + 2, editor), act, why, _RENDER, told)]


def _tools(survey: Survey) -> list[Candidate]:
    editor = editor_of(survey)
    tools = [mark for mark in survey.usable if is_text_tool(mark)] if editor is not None else []
    used = survey.count(_USE)
    left = [mark for mark in tools if not _used(survey, mark)]
    if editor is None or not left or used >= MOST_TOOLS:
        return []
    last = survey.last
    skill = last.decision.skill if last is not None and last.acted.delivered else ""
    if skill == _WRITE:
        return [candidate(CHOOSE, Press(keys=("Control+a",)), "a tool works on what is chosen", _CHOOSE, checked=False)]
    tool = left[0]
    match = survey.match(tool)
    if skill == _CHOOSE:
        oracle = "formats" if editor.tag == "textarea" else "responds"
        told = expects(oracle, f'"{tool.name}" changes the chosen text', match.id, key=f"tool {tool.name}")
        return [candidate(USE, Click(target=Target.of(tool)), because(match, survey, "a tool for text"), _USE, told)]
    if survey.count(_WRITE) > used + 1:
        return []  # what was written could not be chosen: it would not be the next time
    line = _LINES[used % len(_LINES)]
    told = expects("value_kept", "the editor shows what was typed", value=line)
    write = Type(target=Target.of(editor), text=line)
    return [candidate(survey.worth(WRITE, editor), write, "tools for text need some to work on", _WRITE, told)]


def _used(survey: Survey, tool: Mark) -> bool:
    """Whether this skill has used the tool; a press by another one had nothing to work on."""
    return any(step.decision.skill == _USE for step in survey.tried(tool))


def editor_of(survey: Survey) -> Mark | None:
    """The largest field for text of several lines."""
    width, height = survey.now.viewport
    fields = [
        mark
        for mark in survey.usable
        if kind_of(mark) is Kind.text
        and (mark.tag == "textarea" or "contenteditable" in mark.evidence)
        and not mark.readonly
        and mark.box.area >= EDITOR_SHARE * width * height
    ]
    return max(fields, key=lambda mark: mark.box.area, default=None)


def _take_back(survey: Survey) -> list[Candidate]:
    """Undo, once, right after something was written, drawn, moved or added."""
    last = survey.last
    if last is None or not last.acted.delivered or survey.count(TAKES_BACK):
        return []
    changes = last.acted.changes
    if not (changes.text or changes.dom or changes.value or (changes.picture or 0.0) > 0) or not _edits(survey):
        return []
    for mark in survey.usable:
        if kind_of(mark) in (Kind.button, Kind.other) and "undo" in mark_concepts(mark) and not says("redo", mark.name):
            match = survey.match(mark)
            told = expects("taken_back", f'"{mark.name}" takes back what was just done', match.id, key=UNDO, **_done(survey))
            why = because(match, survey, "there is something to take back")
            return [candidate(TAKE_BACK, Click(target=Target.of(mark)), why, TAKES_BACK, told)]
    return []


def _done(survey: Survey) -> dict[str, str | float | bool]:
    """Where what was just done shows: in words, or in a drawing."""
    last = survey.last
    before = survey.observation(last.acted.before) if last is not None else None
    if before is None:
        return {}
    drawn = {one.selector: one.digest for one in before.drawings if one.digest}
    changed = (one.selector for one in survey.now.drawings if one.digest and drawn.get(one.selector, one.digest) != one.digest)
    return {"words": float(before.text_sha256 != survey.now.text_sha256), "drawing": next(changed, "")}


def _edits(survey: Survey) -> bool:
    """Whether the last step made something that an app which knows Undo can take back."""
    last = survey.last
    if last is None:
        return False
    action, target = last.decision.action, target_of(last)
    if isinstance(action, Drag) or last.decision.skill == _USE:
        return True
    return isinstance(action, Click) and target is not None and "add" in concepts(target.name)
