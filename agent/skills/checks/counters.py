"""Counters a page shows: they count what is done, run while time passes, and begin anew where everything does.

Whether a number has to change is known
only from what its label says and what was done, so each check names the labels it is about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from agent.skills.checks.case import VISIBLE, Case, Told, effect, lack, redrawn
from agent.skills.checks.labelled import figures
from agent.skills.controls import Kind, kind_of
from agent.words import clock_times, concepts, folded, says
from tools.browser.marks import Observation

NEEDED = {"moves": 4, "cart": 2, "chosen": 2, "rounds": 2}
"""Presses that had an effect and left the counter as it was, until that is told; a move may take two presses."""
_SETS = frozenset({Kind.range, Kind.number, Kind.select, Kind.text})
_SIZES = re.compile(r"\b(?:size|max|maximum|limit|total|rows|columns|width|height)\b|大小|上限|总", re.IGNORECASE)
_ORDERED = re.compile(
    r"\bthank(?:s| you)\b.*\b(?:order|purchase)|\b(?:order|purchase)\b.*\b(?:placed|confirmed|received|on its way|successful)"
    r"|下单成功|订单已|(?:感谢|谢谢).*(?:购买|下单|订)",
    re.IGNORECASE,
)
LEAST_PASSED_MS = 2000.0
_LARGE, _SEVERAL_STAY = 1000.0, 2
_LEAST_STEPS, _MOST_STEPS = 3, 12
_FIGURE = re.compile(r"\d+")
_WHOSE_TURN = re.compile(r"\bturn\b|轮到", re.IGNORECASE)
"""Says who moves, and counts nothing; what counts says `turns`."""


def _names(of: str) -> Callable[[str], bool]:
    """Whether a label names such a counter."""
    if of == "cart":
        return lambda label: "cart" in concepts(label)
    return lambda label: says(f"counter_{of}", label) and not _WHOSE_TURN.search(label)


def counts(case: Case) -> Told:
    """The counter of `of` (moves, cart, chosen, rounds) goes on when what it counts is done; left as it was: `state_not_updated`.

    It can be told only where one such label is shown before and after, and the act itself had an effect.
    """
    of = case.word("of")
    names, before, after = _names(of), figures(case.before), figures(case.after)
    labels = [label for label in before if label in after and names(label)]
    if len(labels) != 1:
        return Told(None, "no such counter is shown", attempts=0)
    one, other = before[labels[0]], after[labels[0]]
    if one != other:
        return Told(True, f'"{labels[0]}" {one:g} became {other:g}')
    if case.action.act != "wait" and not _did_more_than_run(case):
        return Told(None, "the act itself had no effect", attempts=0)
    if says("game_over", case.after.text):
        return Told(None, "the round is over", attempts=0)
    return lack(case, "state_not_updated", f'"{labels[0]}" is still {one:g}', needs=NEEDED.get(of, 2))


_SPREAD = re.compile(r"\b(?:by|per|each|pro|je|nach|par|por|cada|chaque)\b|按|每|各", re.IGNORECASE)
"""What is counted for each of several (days, kinds) has several numbers."""


def done_counted(case: Case) -> Told:
    """The number of things done goes on when one is ticked off; as it was, ticked on and off: `state_not_updated`."""
    before, after = figures(case.before), figures(case.after)
    labels = [label for label in before if label in after and "complete" in concepts(label) and not _SPREAD.search(label)]
    box, now = case.mark, case.mark_after
    if len(labels) != 1 or box is None or now is None or box.checked == now.checked:
        return Told(None, "no number of things done is shown, or nothing was ticked", attempts=0)
    one, other = before[labels[0]], after[labels[0]]
    if one != other:
        return Told(True, f'"{labels[0]}" {one:g} became {other:g}')
    return lack(case, "state_not_updated", f'"{labels[0]}" is still {one:g}')


def _did_more_than_run(case: Case) -> bool:
    """Whether the act had an effect beside figures that may run by themselves."""
    changes = case.changes
    if changes.storage or changes.url or changes.dialogs:
        return True
    before, after = (Counter(_FIGURE.sub("", folded(line)) for line in _readable(page)) for page in (case.before, case.after))
    return bool(effect(case).definite) and before != after


def _readable(page: Observation) -> list[str]:
    return [*page.text.splitlines(), *(f"{mark.name} {mark.checked}" for mark in page.marks)]


def basket_emptied(case: Case) -> Told:
    """After the thanks for an order the basket counts nothing any more. As much as before: `state_not_updated`."""
    before, after = figures(case.before), figures(case.after)
    labels = [label for label, value in before.items() if value > 0 and value == int(value) and "cart" in concepts(label)]
    _, new = case.lines
    thanks = " ".join(new)
    if not labels or not _ORDERED.search(thanks) or says("validation", thanks):
        return Told(None, "no order was taken, or nothing counts what is in the basket", attempts=0)
    label = labels[0]
    if after.get(label, 0.0) == before[label]:
        return Told(False, f'the order is taken ("{thanks[:60]}"), and "{label}" is still {before[label]:g}', "state_not_updated")
    return Told(True, f'"{label}" {before[label]:g} became {after.get(label, 0.0):g}')


def figures_follow(case: Case) -> Told:
    """A choice that is to hold for everything changes the figures shown.

    None of two or more does, at two choices, though something else follows: `state_not_updated`. So is it where several exact
    figures (an amount with cents, thousands) stay to the digit while another follows: they would not by chance.
    """
    before, after = _unnumbered(figures(case.before)), figures(case.after)
    labels = [label for label in before if label in after and len(label) > 2 and label not in ("page", "pages")]
    moved = [label for label in labels if before[label] != after[label]]
    exact = [label for label in labels if label not in moved and (abs(before[label]) >= _LARGE or before[label] % 1)]
    if moved and len(exact) >= _SEVERAL_STAY and len(exact) >= len(moved):
        stay = ", ".join(f'"{label}"' for label in exact[:3])
        told = f'{stay} stay to the digit although "{moved[0]}" follows and the choice is to hold for everything'
        return lack(case, "state_not_updated", told)
    if moved:
        return Told(True, f'"{moved[0]}" {before[moved[0]]:g} became {after[moved[0]]:g}')
    if len(labels) < 2 or not effect(case).definite:
        return Told(None, "no figures are shown, or nothing changed at all", attempts=0)
    told = ", ".join(f'"{label}"' for label in labels[:3])
    return lack(case, "state_not_updated", f"{told} stay as they were although the choice is to hold for everything")


def _unnumbered(shown: dict[str, float]) -> dict[str, float]:
    """Without figures that only number what they stand at, in order: the steps of a form (`2 Experience`, `3 The job`)."""
    labels = list(shown)
    numbered: set[str] = set()
    for at in range(len(labels) - 1):
        if shown[labels[at + 1]] == shown[labels[at]] + 1 and 1 <= shown[labels[at]] < _MOST_STEPS:
            numbered |= {labels[at], labels[at + 1]}
    return {label: value for label, value in shown.items() if label not in numbered or len(numbered) < _LEAST_STEPS}


def time_counts(case: Case) -> Told:
    """The time a game or a task took runs while it is played: `Time 0` that stays 0, twice: `animation_frozen`."""
    before, after = figures(case.before), figures(case.after)
    labels = [label for label in before if label in after and says("counter_time", label) and not says("record_figure", label)]
    if clock_times(case.before.text) or len(labels) != 1:
        return Told(None, "no running time is shown", attempts=0)
    one, other = before[labels[0]], after[labels[0]]
    if one != other:
        return Told(True, f'"{labels[0]}" {one:g} became {other:g}')
    passed_ms = case.after.app_ms - case.before.app_ms
    if says("game_over", case.after.text) or passed_ms < LEAST_PASSED_MS:
        return Told(None, "it was not watched long enough, or nothing runs any more", attempts=0)
    return lack(case, "animation_frozen", f'"{labels[0]}" is still {one:g} after {passed_ms / 1000:.1f} s')


def begins_anew(case: Case) -> Told:
    """A new round sets its counters back to what they were at first (`first`: `label=value` lines); one that stays is told.

    Best scores, wins and the like are kept from round to round and are left out.
    """
    first = {label: float(value) for label, _, value in (line.rpartition("=") for line in case.word("first").splitlines())}
    before, after = figures(case.before), figures(case.after)
    played = [
        label
        for label, value in first.items()
        if label in before
        and label in after
        and before[label] != value
        and _of_a_round(label)
        and not _is_set(label, case.before)
    ]
    if not played or not (case.changes.text or case.changes.dom or (case.changes.picture or 0.0) > 0.001):
        return Told(None, "no counter of the round before is shown", attempts=0)
    stuck = [label for label in played if after[label] == before[label]]
    if stuck and _covered(case.after) > _covered(case.before):
        return Told(None, "something lies over the page, perhaps a question", attempts=0)
    if stuck:
        told = f'"{stuck[0]}" is still {after[stuck[0]]:g} in a new round; it began at {first[stuck[0]]:g}'
        return lack(case, "state_not_updated", told, needs=1)
    back = [label for label in played if after[label] == first[label]]
    return Told(True, f'"{back[0]}" is {after[back[0]]:g} again') if back else Told(None, "the counters changed", attempts=0)


def lives_anew(case: Case) -> Told:
    """A new game begins with the lives (`of`) that the first one began with (`first`). None, as the last one ended: told."""
    label, first = case.word("of"), case.number("first")
    before, after = figures(case.before).get(label), figures(case.after).get(label)
    if before is None or after is None or before > 0 or not (case.changes.text or case.changes.dom):
        return Told(None, "the lives left are not shown, or no game was over", attempts=0)
    if after > 0:
        return Told(True if after == first else None, f'"{label}" is {after:g} in a new game', attempts=int(after == first))
    if _covered(case.after) > _covered(case.before) or case.after.moving <= 0:
        return Told(None, "no new game runs", attempts=0)
    told = f'"{label}" is still {after:g} in a new game; the first one began with {first:g}'
    return lack(case, "state_not_updated", told, needs=1)


def _covered(page: Observation) -> int:
    return sum(1 for mark in page.marks if mark.covered and mark.in_view)


def cleared_counts(case: Case) -> Told:
    """A board that was cleared counts nothing, and begins to count anew. As much on it as before, or as far: `state_not_updated`.

    Told only where the press changed a drawing or the page besides, of the counts of what is on the board (painted pixels,
    living cells) and of the rounds it went through (`first`: `label=value` lines, as they stood at first).
    """
    first = {label: float(value) for label, _, value in (line.rpartition("=") for line in case.word("first").splitlines())}
    before, after = figures(case.before), figures(case.after)
    on_it = [label for label, value in before.items() if value > 0 and label in after and _on_board(label, case.before)]
    rounds = [label for label, value in first.items() if label in after and before.get(label, value) > value]
    rounds = [label for label in rounds if says("counter_rounds", label)]
    if not (on_it or rounds) or not (redrawn(case) or case.changes.dom or (case.changes.picture or 0.0) > VISIBLE):
        return Told(None, "nothing is counted, or nothing was cleared", attempts=0)
    stuck = [label for label in (*on_it, *rounds) if after[label] == before[label]]
    if stuck:
        return Told(False, f'"{stuck[0]}" is still {after[stuck[0]]:g} on a cleared board', "state_not_updated")
    label = (*on_it, *rounds)[0]
    return Told(True, f'"{label}" {before[label]:g} became {after[label]:g}')


def _on_board(label: str, page: Observation) -> bool:
    """Whether a label counts what is on a board, and is not that of a control which sets how many there are, or how large."""
    return says("populated", label) and not _SIZES.search(label) and not _is_set(label, page)


def _is_set(label: str, page: Observation) -> bool:
    """Whether a label is that of a control which sets the figure: a speed in years per second is no time that runs."""
    return any(label in folded(mark.name) for mark in page.marks if kind_of(mark) in _SETS)


MOST_OF_A_ROUND = 4
"""Words; a longer label says what a figure means ("the cross marks the balance point")."""


def _of_a_round(label: str) -> bool:
    named = any(says(f"counter_{of}", label) for of in ("moves", "time", "score", "rounds"))
    return named and len(label.split()) <= MOST_OF_A_ROUND and not says("counter_kept", label)


def as_lines(page: Observation) -> str:
    """The counters of a round on a page, as `begins_anew` reads them."""
    return "\n".join(f"{label}={value:g}" for label, value in figures(page).items() if _of_a_round(label))
