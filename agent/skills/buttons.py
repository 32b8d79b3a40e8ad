"""Things to press that no other skill knows better: each once, samples of repeated ones, destructive ones late."""

from __future__ import annotations

import re

from agent.planning import promised_sound
from agent.skills import clearing, mines
from agent.skills.boards import board_of
from agent.skills.checks import reviewed
from agent.skills.checks.chosen import chosen_among, deletes
from agent.skills.checks.sized import size_of
from agent.skills.controls import Kind, beside, external, forms, is_chip, is_submit, kind_of, patterned, semantic
from agent.skills.coupons import per_cent_of, wants_code
from agent.skills.defaults import set_back
from agent.skills.games import is_game
from agent.skills.parting import chips, parts
from agent.skills.playing import over
from agent.skills.survey import ENTRY, Candidate, Match, Survey, because, candidate, expects, mark_concepts, target_of
from agent.skills.tallies import orders, tallies
from agent.words import concepts, folded, lexicon, numbers, says
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark

BASE = 45.0
LATE = 14.0
"""Priority of what would undo the work of others: after everything else, but still tried."""
DESTRUCTIVE = frozenset({"delete", "clear", "reset"})
_LEAVES = frozenset({"login", "pay", "print", "upload", "download", "share", "permission", "fullscreen"})
_SAID = frozenset({"status", "alert", "log"})
"""Roles of what the page says; it may listen, and is no control."""
_OF_OTHERS = frozenset({"theme"})
MOST_OF_A_GROUP = 3
MOST_STEPS_ON, MOST_SLIDES = 5, 2
_SHOWS_SLIDES = frozenset({"landing", "gallery", "shop", "chart", "calendar"})
"""Where a step on shows more of the same."""
LESS_EACH, ALIKE_LESS = 7.0, 20.0
_SORTS, _BACK, _STEPS, _CHOOSES = "sort by a column", "step back", "step a number", "choose an entry to delete"
ENOUGH_STEPS = 3
FIGURES_FIRST, BOTH_WAYS = 20.0, 2
_ARROWS = re.compile(r"[\u2190-\u21ff\u25b2-\u25c5\u2b06\u2b07⬍⇅]")
SOUNDS_FIRST = 24.0
MAKES_FIRST = 18.0
ORDER_FIRST, GOODS_FIRST, STEP_FIRST, BACK_AGAIN = 40.0, 26.0, 50.0, 87.0
LATER_PART, ENOUGH_CELLS = 8.0, 6
MOST_NAMES, MOST_TEXTS = 3, 2
"""A control is pressed under so many names: a switch that says what it will do next, an entry that is called by its text."""
DOWNLOADS_LATER = 8.0
LEAST_FELLOWS = 3
"""Controls called alike, itself included, that stand at the entries of a list."""
_PRESSES = frozenset({"click", "dblclick", "keydown"})
STEPS_LATER = 26.0
_STEP = re.compile(r"(?:step|schritt|[ée]tape|paso)\s*\d|第.{1,2}步", re.IGNORECASE)
ENOUGH_OPENED = 2
"""So many of what opens one and the same dialog (a calendar's events) are opened."""
WHOLE_GROUP = 4
"""Groups up to this size are tried whole."""


def propose(survey: Survey) -> list[Candidate]:
    """One candidate for each thing that can be pressed and was not."""
    steppers, playing = _steppers(survey.usable), is_game(survey)
    board = frozenset(mark.id for mark in board_of(survey)) if playing else frozenset[str]()
    found = []
    for mark in survey.usable:
        if kind_of(mark) is Kind.dragged and _pressed_too(survey, mark):
            found.append(_press(survey, mark, ""))
        if kind_of(mark) not in (Kind.button, Kind.tab, Kind.option, Kind.other):
            continue
        if survey.tried(mark):
            found += [*_step_on(survey, mark), *_step_back(survey, mark)]
            continue
        if mark.id in board or (playing and "restart" in mark_concepts(mark)):
            continue  # the games skill plays a round first
        if _fills_again(survey, mark):
            found.append(_press(survey, mark, ""))
            continue
        if board and _waits_for_a_round(survey, mark):
            continue
        if (
            sampled(survey, mark)
            or sampled_at_entries(survey, mark)
            or survey.opened_alike(mark) >= ENOUGH_OPENED
            or _sorts_by(survey, mark) >= BOTH_WAYS
            or _holds_others(survey, mark)
            or (mark_concepts(mark) & _OF_OTHERS and not is_chip(mark, survey.now.marks))
            or external(mark, survey.now.url)
            or mark.role in _SAID
            or survey.renamed(mark) >= (MOST_NAMES if mark_concepts(mark) and semantic(mark) else MOST_TEXTS)
        ):
            continue
        found.append(_press(survey, mark, steppers.get(mark.id, "")))
    return found


def _pressed_too(survey: Survey, mark: Mark) -> bool:
    """Whether what can be dragged listens for presses as well, and few of its kind were pressed: a board's card."""
    if not _PRESSES & set(mark.listeners) or survey.opened_alike(mark) >= ENOUGH_OPENED:
        return False
    clicked = [
        target for step in survey.steps if isinstance(step.decision.action, Click) and (target := target_of(step)) is not None
    ]
    alike = [one for one in clicked if one.role == mark.role and patterned(one) == patterned(mark)]
    return len(alike) < ENOUGH_OPENED and all(one.selector != mark.selector for one in alike)


def _waits_for_a_round(survey: Survey, mark: Mark) -> bool:
    """Whether pressing it first would stand in the way of a round: another size of the board, flags instead of moves."""
    if survey.count("play a cell") >= ENOUGH_CELLS or over(survey):
        return False
    return size_of(mark.name, survey.view.brief) is not None or (mines.plays(survey) and mines.sets_flags(mark))


def sampled(survey: Survey, mark: Mark) -> bool:
    """Whether enough of its group was tried: all of a small one, three of a large one, fewer still of one that never reacted."""
    if not mark.group:
        return False
    siblings = [other for other in survey.now.marks if other.group == mark.group]
    tried = [other for other in siblings if survey.tried(other)]
    if mark_concepts(mark) & DESTRUCTIVE:
        return bool(tried)
    return len(siblings) > WHOLE_GROUP and len(tried) >= MOST_OF_A_GROUP


def sampled_at_entries(survey: Survey, mark: Mark) -> bool:
    """Whether enough of its kind was tried at other entries of a list, whatever these are called and wherever they stand now.

    Its name has its entry's words in it (`Move Milk to the left`), or is that of all its fellows. Of what deletes one is enough.
    """
    name = survey.of_any_entry(mark.name)
    if ENTRY in name:
        acted = [
            target for target in survey.acted_targets if (target.role, survey.of_any_entry(target.name)) == (mark.role, name)
        ]
    else:
        fellows, acted = survey.parts_like(mark)
        acted = [target for target in acted if target.name == mark.name]
        if len(fellows) < LEAST_FELLOWS or any(other.name != mark.name for other in fellows):
            return False
    if len(acted) == MOST_OF_A_GROUP - 1 and not mark_concepts(mark) & {"add", "cart"} and _all_worked(survey, acted):
        return True  # a third would tell the same again; what fills a basket is counted
    return len(acted) >= (1 if mark_concepts(mark) & DESTRUCTIVE else MOST_OF_A_GROUP)


def _all_worked(survey: Survey, targets: list[Target]) -> bool:
    """Whether what was acted on did what was expected of it, each time, as far as it could be told."""
    steps = [step for step in survey.steps if target_of(step) in targets and step.acted.delivered]
    return bool(steps) and all(step.outcomes and all(told.held for told in step.outcomes) for step in steps)


def _holds_others(survey: Survey, mark: Mark) -> bool:
    """Whether it is a box around other controls that merely listens on their behalf."""
    if semantic(mark):
        return False
    box = mark.box
    inside = 0
    for other in survey.now.marks:
        x, y = other.box.centre
        inside += (
            other.id != mark.id
            and other.box.area < box.area
            and box.x <= x <= box.x + box.width
            and box.y <= y <= box.y + box.height
        )
    return inside >= 2


def _in_basket(survey: Survey, mark: Mark) -> bool:
    """Whether a button that steps a number stands in a basket; on a shelf it only says how many will be put in."""
    if survey.domain == "shop" and "cart" in concepts(mark.context):
        return True
    fills = any({"add", "cart"} <= mark_concepts(other) for other in survey.now.marks)
    return not fills and "cart" in concepts(f"{mark.context} {survey.view.brief}")


def _step(survey: Survey, mark: Mark, direction: str, match: Match, base: float) -> Candidate:
    """A press that raises or lowers a number, with what has to follow it."""
    act, why = Click(target=Target.of(mark)), because(match, survey, f"a {kind_of(mark).value} that was not tried yet")
    told = expects("number_changes", f"a number goes {direction}", match.id, direction=direction)
    # In a cart they come before the order is sent off, which empties it; more before less, so that something is left.
    first = (STEP_FIRST if survey.domain == "shop" else 0.0) + (1.0 if direction == "up" else 0.0)
    also = [expects("column_total", "what adds a column up follows", match.id, key="column total")]
    if _in_basket(survey, mark):
        also.append(expects("bill_follows", "what the basket costs follows", match.id, key="bill"))
        off = per_cent_of(survey.view.brief)
        if off and any(one.oracle == "coupon_agrees" and one.held for step in survey.steps for one in step.outcomes):
            also.append(expects("coupon_keeps", f"{off:g} % are taken off still", match.id, percent=off, key="coupon keeps"))
    # One more thing in the basket is like the ones before it.
    alike = ALIKE_LESS * max(survey.count(_STEPS) - ENOUGH_STEPS, 0) if len(also) > 1 else 0.0
    return candidate(survey.worth(base + 2 + first - alike, mark, match), act, why, _STEPS, told, *also)


def _press(survey: Survey, mark: Mark, direction: str) -> Candidate:
    found = mark_concepts(mark)
    match = survey.match(mark, () if mark.expanded is None else ("open", "accordion"))
    base = _base(survey, mark, found)
    act = Click(target=Target.of(mark))
    why = because(match, survey, f"a {kind_of(mark).value} that was not tried yet")
    if direction and not found & DESTRUCTIVE:
        return _step(survey, mark, direction, match, base)
    if found & DESTRUCTIVE:
        return _destroy(survey, mark, match)
    if "previous" in found and _filled_before(survey):
        return _back(survey, mark, match, survey.worth(base + 18, mark, match))
    if "close" in found and survey.layered:
        told = expects("dialog_closes", "what lies over the page closes", match.id)
    elif mark.expanded is False or found & {"open", "menu", "modal", "accordion"}:
        told = expects("dialog_opens", f'"{mark.name}" opens something', match.id)
    else:
        told = expects("responds", f'pressing "{mark.name}" has an effect', match.id)
    if mark.role == "tab" and not mark.checked:
        shown = expects("tab_shows", f'"{mark.name}" shows what it stands for', match.id)
        return candidate(survey.worth(base, mark, match), act, why, "press a button", told, shown, *tallies(survey, mark))
    ordered = orders(survey, mark)
    also = (*tallies(survey, mark), *ordered)
    if "download" in found and semantic(mark):  # not what says that something was downloaded
        given = expects("downloaded", f'"{mark.name}" gives a file with what is shown', match.id, key=f"file {mark.signature}")
        also = (*also, given)
    if ordered and _cart_filled(survey):
        base += ORDER_FIRST  # before the cart is closed again
    if _heads_a_column(survey, mark):
        order = expects("ordered", f'the list is in the order of "{mark.name}"', match.id, by=mark.name, key=f"sort {mark.name}")
        # Two or three columns, and one of them the other way round, tell enough.
        base += 2 + (FIGURES_FIRST if _of_figures(survey, mark) else 0.0)
        base -= LESS_EACH * (survey.count(_SORTS) + _sorts_by(survey, mark))
        return candidate(survey.worth(base, mark, match), act, why, _SORTS, told, order)
    also = (*also, *parts(survey, mark), *chips(survey, mark))
    part, others = _part_edited(survey, mark)
    if part:
        text = f'editing "{part}" shows its fields'
        also = (*also, expects("leads_to_part", text, match.id, part=part, others="\n".join(others), key=f"edit {part}"))
        # All of them leading to the first step would be right for the first one.
        base += LATER_PART if next(iter(reviewed.parts(survey.usable).values())) != part else 0.0
    return candidate(survey.worth(base, mark, match), act, why, "press a button", told, *also)


def _part_edited(survey: Survey, mark: Mark) -> tuple[str, list[str]]:
    """`(the part of a review that an edit button stands at, the other parts)`; empty for any other button."""
    named = reviewed.parts(survey.usable) if says("summary", f"{survey.view.brief}\n{survey.now.text}") else {}
    part = named.get(mark.id, "")
    return part, [other for other in named.values() if part and other != part]


def _heads_a_column(survey: Survey, mark: Mark) -> bool:
    """Whether it is the head of a column of a list shown, so that pressing it sorts."""
    name = _bare(mark.name)
    return bool(name) and any(name == _bare(head) for listing in survey.now.lists for head in listing.columns)


def _bare(head: str) -> str:
    """The head of a column without the arrow that says which way it is sorted."""
    return folded(_ARROWS.sub("", head)).strip()


def _sorts_by(survey: Survey, mark: Mark) -> int:
    """How often the list was sorted by this column, whatever arrow stood there."""
    names = [target.name for step in survey.steps if step.decision.skill == _SORTS and (target := target_of(step)) is not None]
    return sum(1 for name in names if _bare(name) == _bare(mark.name))


def _of_figures(survey: Survey, mark: Mark) -> bool:
    """Whether the column holds figures, which are sorted wrongly more easily than names; numbers of orders are none."""
    for listing in survey.now.lists:
        for place, head in enumerate(listing.columns):
            cells = [row[place] for row in listing.items if place < len(row)]
            if _bare(head) == _bare(mark.name) and cells:
                return all(len(numbers(cell)) == 1 and not cell.startswith("#") for cell in cells)
    return False


def _step_on(survey: Survey, mark: Mark) -> list[Candidate]:
    """What leads on (the next question, slide, month) may be pressed again, as long as it does something."""
    pressed = survey.tried(mark)
    works = any(step.acted.changes.text or step.acted.changes.dom or step.acted.changes.url for step in pressed)
    act = Click(target=Target.of(mark))
    if survey.last is pressed[-1]:
        return []  # something is done in between: an answer chosen, a slide looked at
    most = MOST_SLIDES if survey.domain in _SHOWS_SLIDES else MOST_STEPS_ON
    if not mark_concepts(mark) & {"next", "answer"} or not works or len(pressed) > most or survey.repeats(act):
        return []
    match = survey.match(mark)
    told = expects("responds", f'pressing "{mark.name}" leads on', match.id)
    return [candidate(survey.worth(BASE + 4, mark, match), act, because(match, survey, "it leads on"), "step on", told)]


def _step_back(survey: Survey, mark: Mark) -> list[Candidate]:
    """What was tried before anything was filled in goes back once more right after a step was: is it kept?"""
    last = survey.last
    if last is None or not last.decision.skill.startswith("submit form") or survey.count(_BACK):
        return []
    if "previous" not in mark_concepts(mark) or not any(told.held for told in last.outcomes if told.oracle == "accepted"):
        return []
    return [_back(survey, mark, survey.match(mark), BACK_AGAIN)]


def _back(survey: Survey, mark: Mark, match: Match, priority: float) -> Candidate:
    told = expects("kept_on_return", "a step back shows what was entered", match.id)
    return candidate(priority, Click(target=Target.of(mark)), because(match, survey, "it leads back"), _BACK, told)


def _filled_before(survey: Survey) -> bool:
    """Whether a step of several was taken in, so that a step back leads to it; a code or a search sent off before is none."""
    sent = [step for step in survey.steps if step.decision.skill.startswith("submit form") and step.acted.delivered]
    return any((target := target_of(step)) is not None and says("next_like", target.name) for step in sent)


def _base(survey: Survey, mark: Mark, found: frozenset[str]) -> float:
    """How worth pressing this kind of thing is before the brief is looked at."""
    base = BASE if semantic(mark) else BASE - 14
    if not mark.name:
        base -= 6
    if found & _LEAVES:
        # What is downloaded can be read; where it leads elsewhere there is nothing to be seen.
        base -= DOWNLOADS_LATER if "download" in found else 22
    if found & {"sound", "start"} and promised_sound(survey.view.plan) is not None and not survey.count("listen"):
        # What makes it heard comes first; until then nothing tells whether a mute mutes.
        base += SOUNDS_FIRST if "start" in found else -SOUNDS_FIRST if says("mute", mark.name) else 0.0
    if "add" in found and kind_of(mark) is Kind.button:
        # What is made anew can be worked on afterwards, and by what is known of it; where entries are what it is all about, soon.
        begun = any(step.decision.skill.startswith("submit form") for step in survey.steps)
        soon = "add" in lexicon().core.get(survey.domain, ()) and not begun and not survey.view.hints
        base += MAKES_FIRST if soon else 6.0
    if found & {"close", "cancel"}:
        base -= 14
    if _STEP.match(mark.name) and any(form.stepwise for form in forms(survey.usable)):
        base -= STEPS_LATER  # a step is finished before one goes about in the list of them
    if "cart" in found:
        base += _goods_first(survey, mark)
    if "current" in mark.evidence:
        base -= 14  # what is chosen already can't show much
    if is_submit(mark) and any(not other.value and kind_of(other) is Kind.text for other in survey.usable):
        base -= 16  # the forms skill presses it once its fields are filled
    if mark.group:
        siblings = [other for other in survey.now.marks if other.group == mark.group]
        base -= 5.0 * sum(1 for other in siblings if survey.tried(other)) * (1.0 if len(siblings) > WHOLE_GROUP else 0.3)
    else:
        base -= 6.0 * max(len(beside(mark, survey.tried_marks)) - 2, 0)
    if kind_of(mark) is Kind.tab:
        base += -10 if mark.checked else 4
    return base


def _fills_again(survey: Survey, mark: Mark) -> bool:
    """Whether it puts into a cart what an order emptied, for the first time since: what is in it then is to be kept."""
    if not {"add", "cart"} <= mark_concepts(mark) or survey.promise_of("persistence").id == "":
        return False
    emptied = [step.number for step in survey.steps for one in step.outcomes if one.oracle == "basket_emptied" and one.held]
    since = [step for step in survey.steps if emptied and step.number > emptied[-1]]
    return bool(emptied) and not any(one.oracle == "counts" for step in since for one in step.decision.expectations)


def _cart_filled(survey: Survey) -> bool:
    """Whether something was put into a cart, as was seen, and no code for a discount is left to be tried."""
    filled = any(one.oracle == "counts" and one.held for step in survey.steps for one in step.outcomes)
    return filled and not any(wants_code(mark) and not survey.tried(mark) for mark in survey.usable)


def _goods_first(survey: Survey, mark: Mark) -> float:
    """Something is put into a cart before the cart is looked into: empty, it shows nothing that could be checked."""
    filled = any(one.oracle == "counts" for step in survey.steps for one in step.decision.expectations)
    fills = any(one.oracle == "counts" for one in tallies(survey, mark))
    if fills:
        return 0.0 if filled else GOODS_FIRST
    adds = any("add" in mark_concepts(other) for other in survey.untried())
    return -GOODS_FIRST if adds and not filled else 0.0


def _destroy(survey: Survey, mark: Mark, match: Match) -> Candidate:
    """Deleting, clearing and resetting come last; once each, and the brief's wish moves them up only among themselves.

    Where the first entry of a list is the chosen one, another is chosen first: which of them goes would tell nothing.
    """
    if "delete" in mark_concepts(mark) and mark.group:
        told = expects("text_disappears", "one entry goes", match.id)
    else:
        told = expects("responds", f'pressing "{mark.name}" has an effect', match.id)
    why = because(match, survey, "it may undo what others need, so it comes late")
    priority = LATE + match.bonus / 4 - 0.01 * survey.place(mark)
    emptied = clearing.leaves(survey, mark)
    first = clearing.one_round_first(survey, emptied)
    if first is not None:
        return candidate(
            priority, Click(target=Target.of(first)), "a count that begins anew has to stand elsewhere", clearing.ROUND
        )
    also = [*set_back(survey, mark), *emptied]
    among = chosen_among(survey.now, mark) if deletes(mark) else None
    if among is not None:
        entries, place = among
        if place == 0 and not survey.count(_CHOOSES):
            other = entries[len(entries) // 2]
            return candidate(priority, Click(target=Target.of(other)), "another than the first is to be deleted", _CHOOSES)
        also.append(expects("chosen_goes", f'"{entries[place].name}", which is chosen, is what goes', match.id))
    return candidate(priority, Click(target=Target.of(mark)), why, "press a destructive button", told, *also)


def _turned(mark: Mark, one: str, other: str) -> str:
    """A name with its one word changed for another; empty where it does not have that word."""
    words = folded(mark.name).split()
    return " ".join(other if word == one else word for word in words) if one in words else ""


def _steppers(marks: tuple[Mark, ...]) -> dict[str, str]:
    """Pairs of buttons in one row that raise and lower a number: id → `up` or `down`."""
    buttons = [mark for mark in marks if kind_of(mark) is Kind.button]
    names = {folded(mark.name) for mark in buttons}
    # `One bicycle more` says so only beside `One bicycle less`.
    ups = [one for one in buttons if "increase" in mark_concepts(one) or _turned(one, "more", "less") in names]
    downs = [one for one in buttons if "decrease" in mark_concepts(one) or _turned(one, "less", "more") in names]
    if sum(1 for mark in marks if folded(mark.name).isdigit() and len(folded(mark.name)) == 1) >= 8:
        return {}  # the keys of a calculator
    found: dict[str, str] = {}
    for up in ups:
        near = [
            down
            for down in downs
            if abs(down.box.centre[1] - up.box.centre[1]) < 60 and abs(down.box.centre[0] - up.box.centre[0]) < 500
        ]
        if near:
            found[up.id] = "up"
            found[near[0].id] = "down"
    return found
