"""Amounts of things in lists, and whether they are added up when the same is added once more."""

from __future__ import annotations

from agent.skills.checks.case import Case, Told
from agent.skills.checks.listed import contents
from agent.words import folded, numbers
from tools.browser.marks import Observation


def amounts(page: Observation) -> dict[tuple[str, str], dict[str, float]]:
    """By list (selector, frame): the first number of each row by what else the row says first; rows without one are left out."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for listing in contents(page):
        rows: dict[str, float] = {}
        for row in listing.items:
            names = [folded(cell) for cell in row if cell.strip("☑☐ ") and not numbers(cell)]
            told = [numbers(cell) for cell in row if numbers(cell)]
            if names and told and len(told[0]) == 1:
                rows[names[0]] = told[0][0]
        found[listing.selector, listing.frame] = rows
    return found


def added_up(case: Case) -> Told:
    """Added once more, the amounts of what is there already are greater. As they were, or there twice: `wrong_result`."""
    before, after = amounts(case.before), amounts(case.after)
    places = [place for place, rows in before.items() if rows and set(rows) == set(after.get(place, {}))]
    grown = [(place, name) for place in places for name, value in before[place].items() if after[place][name] > value]
    if grown:
        place, name = grown[0]
        return Told(True, f'"{name}" {before[place][name]:g} became {after[place][name]:g}')
    filled = {tuple(line.split("\t")) for line in case.word("lists").splitlines()}
    stays = [place for place in places if place in filled and before[place] == after[place]]
    if not stays:
        return Told(None, "no list holds the same things with their amounts", attempts=0)
    name, value = next(iter(before[stays[0]].items()))
    return Told(False, f'added once more, "{name}" is still {value:g}', "wrong_result", attempts=2)
