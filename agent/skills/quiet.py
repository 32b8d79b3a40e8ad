"""Things that may rightly do nothing a person can see, each rule with its reason: what it excuses is never called dead."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.addresses import fragment
from agent.deciders.protocol import Step
from agent.skills.boards import LEAST_LIT, lit_of_switches
from agent.skills.checks.case import Case
from agent.skills.controls import (
    FIELDS,
    Kind,
    addressed,
    beside,
    external,
    in_page,
    is_search,
    kind_of,
    narrows,
    semantic,
    submits_by_type,
)
from agent.skills.editors import UNDO, is_text_tool
from agent.skills.untouched import untouched
from agent.words import clock_times, concepts, folded, lexicon
from tools.browser.actions import Click, Type
from tools.browser.marks import Mark, Observation

_NEEDS_INPUT = frozenset(
    {
        "submit",
        "next",
        "calculate",
        "convert",
        "search",
        "save",
        "add",
        "generate",
        "answer",
        "confirm",
        "comment",
        "login",
        "edit",
    }
)
NEAR_PX = 500.0
"""How far above or below its fields a form's button may stand."""
_MODES = frozenset({"filter", "select", "sort", "theme", "timer", "task", "complete"})
"""What the buttons of a row may stand for that choose one of several states; a verb of doing is none of these."""
TOOL_SHARE = 0.15
"""Share of the viewport from which on a canvas is what the page is about."""
_BACKEND = frozenset({"login", "pay"})
_OUTSIDE = {
    "copy": "what it copies goes to the clipboard",
    "download": "what it gives to be downloaded is looked at by itself",
    "upload": "uploads are not tested",
    "share": "sharing leads to other services",
    "print": "printing is outside the page",
    "fullscreen": "full screen depends on the window",
    "permission": "it needs a permission or a device that is not there",
    "sound": "its effect can be heard, not seen",
}
_EMPTYING = frozenset({"clear", "reset", "undo", "delete", "stop", "pause", "cancel", "restart"})
_ADDING = frozenset({"text_appears", "accepted"})
"""Oracles that saw an entry come."""
_STEPPING = frozenset({"previous", "next"})
OBJECTIONS = frozenset({"validation_shown", "refused"})
"""Oracles that hold where a form objects."""
WORDS_OF_A_VERB = 4
DIGITS_OF_A_KEYPAD = 8
SWAPS = re.compile(r"\b(?:swap|switch|exchange|flip|reverse|invert)\b|[⇄⇆↔⇋⇌⇅🔄🔁]|交换|互换|对调|调换|反转", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


def excuse(case: Case) -> str:
    """Why nothing had to happen; empty where something should have. Rules are tried in order."""
    mark = case.mark
    if mark is None:
        return "what was acted on is not among the marks, so nothing is known about it"
    return next((reason for rule in RULES if (reason := rule(case, mark))), "")


def _disabled(_case: Case, mark: Mark) -> str:
    return "it is disabled or read-only" if mark.disabled or mark.readonly else ""


def _looks_only(case: Case, mark: Mark) -> str:
    """A pointer cursor or a handler on a plain box may serve something else (closing on an outside click, hover effects)."""
    if case.word("key").startswith("board "):
        return ""  # cells of a board are mostly plain boxes
    return "" if semantic(mark) else "it only looks clickable; the markup does not call it a control"


def _outside_page(case: Case, mark: Mark) -> str:
    if external(mark, case.before.url):
        return "it leads to another site or program"
    return next((reason for concept, reason in _OUTSIDE.items() if concept in concepts(mark.name)), "")


def _backend(_case: Case, mark: Mark) -> str:
    found = concepts(mark.name) & _BACKEND
    return "log-in and payment need a back end, which is not tested" if found else ""


def _here_already(case: Case, mark: Mark) -> str:
    """The link to the page shown, to its top while at the top, or to a part that is in view."""
    if kind_of(mark) is not Kind.link or not mark.href or not in_page(mark, case.before.url):
        return ""
    part = fragment(mark.href)
    if not addressed(mark, case.before.url):
        return ""
    if not part or part == fragment(case.before.url):
        return "it leads to the page that is shown already"
    short = case.before.page_size[1] <= case.before.viewport[1] + 40
    return "the part it points to may be in view already" if short else ""


def _current(case: Case, mark: Mark) -> str:
    """The tab, filter or menu entry that is active already: the first of its row, then the last that was chosen."""
    kind = kind_of(mark)
    if (mark.checked and kind is not Kind.checkbox) or "current" in mark.evidence:
        return "it is selected already"
    siblings = beside(mark, case.before.marks)
    if kind not in (Kind.tab, Kind.button, Kind.option, Kind.link) or len(siblings) < 2:
        return ""
    chosen = [step for step in case.history if step.acted.delivered and _aimed_at(step.decision.action, siblings)]
    if case.word("key").startswith("tool "):
        return ""  # on text that is chosen, and was plain
    # A title of several words that holds a verb is an entry of a list, not a verb.
    plain = kind is not Kind.button or concepts(mark.name) <= _MODES or len(mark.name.split()) > WORDS_OF_A_VERB
    if siblings[0].id == mark.id and plain:
        return "it may be the active one of its row"
    worked = [step for step in chosen if step.acted.changes.dom or step.acted.changes.text]
    last = worked[-1].decision.action if worked else None
    same = isinstance(last, Click) and (last.target.signature, last.target.selector) == (mark.signature, mark.selector)
    return "it was chosen before, and may be the active one" if same else ""


def _page_shown(case: Case, mark: Mark) -> str:
    """The number of a page or slide, unless the last that had an effect was another: a search leads back to the first page."""
    named = _DIGITS.sub("#", mark.name)
    row = [other for other in beside(mark, case.before.marks) if _DIGITS.sub("#", other.name) == named]
    turns = any(concepts(other.name) & _STEPPING for other in case.before.marks if other.frame == mark.frame)
    if named == mark.name or len(row) < 2 or not (turns or mark.name.strip().isdigit()):
        return ""
    if sum(1 for other in case.before.marks if folded(other.name).isdigit()) >= DIGITS_OF_A_KEYPAD:
        return ""
    worked = [step for step in case.history if step.acted.delivered and (step.acted.changes.dom or step.acted.changes.text)]
    target = getattr(worked[-1].decision.action, "target", None) if worked else None
    turned = target is not None and target.name != mark.name and _DIGITS.sub("#", target.name) == named
    return "" if turned else "it may be the page or slide that is shown"


def _aimed_at(action: object, marks: list[Mark]) -> bool:
    return isinstance(action, Click) and any(
        mark.signature == action.target.signature and mark.selector == action.target.selector for mark in marks
    )


def _needs_input(case: Case, mark: Mark) -> str:
    """A button that takes values while a field near by is empty, or while nothing was chosen."""
    beside_field = kind_of(mark) is Kind.button and any(_adjoins(mark, other) for other in case.before.marks)
    if not concepts(mark.name) & _NEEDS_INPUT and not submits_by_type(mark) and not beside_field:
        return ""
    fields = [
        other
        for other in case.before.marks
        if kind_of(other) in FIELDS and not other.readonly and not (_looks_for(other) and "search" not in concepts(mark.name))
    ]
    # What is typed in this very act is no empty field.
    typed = case.mark if isinstance(case.action, Type) and case.action.text else None
    empty = [other for other in fields if not other.value and other is not typed and _near(other, mark)]
    if empty:
        return f'the field "{empty[0].name or empty[0].placeholder}" is empty, so there may be nothing to take'
    choices = [other for other in case.before.marks if kind_of(other) in (Kind.radio, Kind.option, Kind.checkbox)]
    if choices and not any(other.checked for other in choices) and concepts(mark.name) & {"next", "answer", "submit", "confirm"}:
        return "nothing was chosen, so there may be nothing to take"
    return ""


def _looks_for(field: Mark) -> bool:
    """Whether a field narrows down what is shown, so that only a search needs it filled."""
    return is_search(field) or "filter" in concepts(f"{field.name} {field.placeholder}")


def _adjoins(button: Mark, field: Mark) -> bool:
    """Whether a button stands right after a text field, as the icon of a search line does."""
    if kind_of(field) not in (Kind.text, Kind.number) or field.frame != button.frame:
        return False
    gap = button.box.x - (field.box.x + field.box.width)
    return -button.box.width - 8 <= gap <= 24 and abs(button.box.centre[1] - field.box.centre[1]) < 16


def _near(one: Mark, other: Mark) -> bool:
    return one.frame == other.frame and abs(one.box.centre[1] - other.box.centre[1]) < NEAR_PX


def _empty_search(case: Case, mark: Mark) -> str:
    if "search" not in concepts(mark.name):
        return ""
    return "" if any(is_search(other) and other.value for other in case.before.marks) else "nothing to search for was typed"


def _nothing_to_undo(case: Case, mark: Mark) -> str:
    """Clearing, resetting, undoing or stopping where nothing was done, entered or started since the page was loaded."""
    found = concepts(mark.name) & _EMPTYING
    if not found:
        return ""
    if found & {"pause", "stop"} and not (case.moved_before or clock_times(case.before.text)):
        return "nothing runs that could be paused or stopped"
    if found <= {"pause", "stop"}:
        return ""
    if case.word("key") == UNDO:
        return ""  # something was just done that can be taken back
    if "undo" in found:
        return "there may be nothing to take back"
    if found & {"clear", "reset"} and (_beside_filters(case, mark) or _no_filter_set(case, mark)):
        return "there may be no filter to clear"
    if any(other.value and kind_of(other) in (Kind.text, Kind.number) for other in case.before.marks):
        return ""
    done = any(step.acted.delivered and (step.acted.changes.dom or step.acted.changes.text) for step in case.history)
    lit = lit_of_switches(case.before.marks) if "clear" in found else None
    nothing = not done or ("restart" in found and untouched(case.history)) or (lit is not None and lit < LEAST_LIT)
    return "there may be nothing to clear, reset or take back" if nothing else ""


def _gone_with_a_reload(case: Case, mark: Mark) -> str:
    """Clearing after a reload that left no entry, with none added since: that they are lost is another failure."""
    found = concepts(mark.name) & _EMPTYING
    reloads = [place for place, step in enumerate(case.history) if step.acted.action.get("act") == "reload"]
    if not found or not found <= {"clear", "delete"} or not reloads:
        return ""
    since = (told for step in case.history[reloads[-1] + 1 :] for told in step.outcomes)
    added = any(told.held and told.oracle in _ADDING for told in since)
    left = any(one.count for one in case.before.lists if not one.pressable)
    return "" if added or left else "what could be cleared is gone since the reload"


def _beside_filters(case: Case, mark: Mark) -> bool:
    """Whether it stands in a row of filters of which the first is chosen, or none that tells."""
    row = [other for other in beside(mark, case.before.marks) if other.id != mark.id]
    filters = [other for other in row if other.checked is not None or "filter" in concepts(other.name)]
    searches = [other for other in case.before.marks if is_search(other) and other.value]
    return bool(filters) and not searches and not any(other.checked for other in filters[1:])


def _no_filter_set(case: Case, mark: Mark) -> bool:
    """Whether it clears filters by its name, and none in sight holds anything: each as it would be at first."""
    if "filter" not in concepts(mark.name):
        return False
    ticked = (kind_of(other) is Kind.checkbox and other.checked and _near(other, mark) for other in case.before.marks)
    return not (any(ticked) or any(narrows(other) for other in case.before.marks))


def _text_tool(case: Case, mark: Mark) -> str:
    """Bold or a heading needs chosen text; the editors skill sees to that."""
    return "" if case.word("key").startswith("tool ") or not is_text_tool(mark) else "a tool for text needs text to work on"


def _at_the_end(case: Case, mark: Mark) -> str:
    """A step back from the first slide or page, a step on after it has worked before (so the last may be reached)."""
    found = concepts(mark.name) & _STEPPING
    if not found:
        return ""
    went = [step for step in case.history if step.acted.delivered and not _kept_back(step)]
    moved = [step for step in went if step.acted.changes.dom or step.acted.changes.text]
    names = [concepts(target.name) for step in moved if (target := getattr(step.decision.action, "target", None)) is not None]
    forward = any("next" in name for name in names)
    return "there may be nothing further in that direction" if forward == ("next" in found) else ""


def _kept_back(step: Step) -> bool:
    """Whether a form objected to a press, or took its objection back and no more: nothing was left behind by it."""
    return any(
        (told.oracle in OBJECTIONS and told.held) or (told.oracle == "accepted" and not told.held) for told in step.outcomes
    )


def _running_already(case: Case, mark: Mark) -> str:
    return "it may be running already" if "start" in concepts(mark.name) and case.moved_before else ""


def _set_back_while_it_runs(case: Case, mark: Mark) -> str:
    """What runs by itself is left out of the comparison, so that its new beginning may not be seen; its counters tell that."""
    restarts = concepts(mark.name) & {"reset", "restart"}
    return "what it sets back runs by itself" if restarts and case.moved_before else ""


def _chance(_case: Case, mark: Mark) -> str:
    return "chance may give the same again" if "generate" in concepts(mark.name) else ""


def _sorted_already(_case: Case, mark: Mark) -> str:
    return "the order may be this one already" if "sort" in concepts(mark.name) else ""


def _same_on_both_sides(case: Case, mark: Mark) -> bool:
    """Whether two controls beside it that hold the same kind of value hold the same one."""
    held = [other for other in case.before.marks if kind_of(other) in FIELDS and other.value and _near(other, mark)]
    return any(
        one.value == other.value and one.tag == other.tag and one.options == other.options and one.id != other.id
        for one in held
        for other in held
    )


def _swaps(case: Case, mark: Mark) -> str:
    """Swapping two that are the same (pounds into pounds) leaves all as it was."""
    return "both sides are the same" if SWAPS.search(mark.name) and _same_on_both_sides(case, mark) else ""


def _saves_silently(_case: Case, mark: Mark) -> str:
    return "saving may show nothing" if concepts(mark.name) & {"save", "refresh", "like"} else ""


def _calculator_key(case: Case, mark: Mark) -> str:
    """A zero after a zero, clearing what is clear, an operator without a number."""
    keys = lexicon().calculator
    if sum(1 for other in case.before.marks if folded(other.name).isdigit()) < 8:
        return ""
    name = folded(mark.name)
    return (
        "a calculator's key may change nothing in this state"
        if name in ("0", "00", ".", "%", "+/-", "±", "⌫", "del") or name in keys
        else ""
    )


def _board_cell(case: Case, mark: Mark) -> str:
    """A cell of a board may be taken, out of turn or empty; a board is dead only if none of its cells ever answered."""
    if not mark.group:
        return ""
    key = case.word("key")
    if key.startswith("board "):
        answered = any(
            told.held and wish.params.get("key") == key
            for step in case.history
            for told in step.outcomes
            for wish in step.decision.expectations
            if told.oracle == wish.oracle
        )
        return "the board has answered before; this cell may be out of play" if answered else ""
    cells = [other for other in case.before.marks if other.group == mark.group]
    return "a cell of a board may be out of play" if len(cells) >= 9 and len(mark.name) <= 2 else ""


def _link_to_nowhere_known(case: Case, mark: Mark) -> str:
    """Footers and social icons are commonly left open in a sample page that nobody asked to link anywhere."""
    if kind_of(mark) is not Kind.link or addressed(mark, case.before.url):
        return ""
    low = folded(mark.context)
    return "a footer's link in a sample page" if "footer" in low or "contentinfo" in low or _at_foot(case.before, mark) else ""


def _at_foot(page: Observation, mark: Mark) -> bool:
    bottom = mark.box.y + page.scroll[1] + mark.box.height
    return page.page_size[1] > 2 * page.viewport[1] and bottom > page.page_size[1] - 400


def _tool(case: Case, mark: Mark) -> str:
    """Colours, brushes and other tools beside a large canvas show what they do only at the next stroke."""
    width, height = case.before.viewport
    surface = max((other.box.area for other in case.before.marks if kind_of(other) is Kind.canvas), default=0.0)
    if surface < TOOL_SHARE * width * height or kind_of(mark) not in (Kind.button, Kind.radio, Kind.option, Kind.colour):
        return ""
    return "" if concepts(mark.name) - {"draw", "select", "silent", "filter"} else "a tool shows what it does at the next stroke"


def _media(_case: Case, mark: Mark) -> str:
    return "its effect can be heard, not seen" if kind_of(mark) is Kind.media else ""


RULES: tuple[Callable[[Case, Mark], str], ...] = (
    _disabled,
    _looks_only,
    _outside_page,
    _backend,
    _here_already,
    _current,
    _page_shown,
    _empty_search,
    _needs_input,
    _nothing_to_undo,
    _gone_with_a_reload,
    _text_tool,
    _at_the_end,
    _running_already,
    _set_back_while_it_runs,
    _chance,
    _sorted_already,
    _swaps,
    _saves_silently,
    _calculator_key,
    _board_cell,
    _link_to_nowhere_known,
    _tool,
    _media,
)
"""Every rule, in the order they are tried."""
