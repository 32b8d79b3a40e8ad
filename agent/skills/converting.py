"""Converters: each quantity once, and each both ways; a calculator of the body mass index once more for another class."""

from __future__ import annotations

from agent.skills.checks.classes import names_classes
from agent.skills.checks.converted import unit_of
from agent.skills.checks.formulas import body_mass_index
from agent.skills.controls import Kind, kind_of
from agent.skills.quiet import SWAPS
from agent.skills.survey import Candidate, Survey, because, candidate, expects, target_of
from agent.words import folded, says
from tools.browser.actions import Click, Select, Target, Type
from tools.browser.marks import Mark

OTHER_WAY, OTHER_KIND, OTHER_CLASS = 58.0, 54.0, 60.0
LEAST_UNITS, MOST_KINDS = 2, 6
_KIND, _CLASS, _SWAP = "convert another quantity", "give another class", "convert the other way"
_CLOTHES = frozenset({"xs", "s", "m", "l", "xl", "xxl", "xxxl"})
_FAR = (1.6, 0.65)
"""Times the weight that stands there: far into another class, whichever it was."""


def propose(survey: Survey) -> list[Candidate]:
    """What a converter or a calculator has not shown yet."""
    return [*_both_ways(survey), *_another_class(survey)]


def _both_ways(survey: Survey) -> list[Candidate]:
    pair = _pair(survey)
    if pair is None:
        return []
    units, found = pair[0].options, list[Candidate]()
    swap = next((mark for mark in survey.usable if kind_of(mark) is Kind.button and SWAPS.search(mark.name)), None)
    skill = f"{_SWAP}: {units[0]}"
    if swap is not None and pair[0].value != pair[1].value and not survey.count(skill):
        match = survey.match(swap)
        told = expects("responds", f'"{swap.name}" has an effect', match.id)
        why = because(match, survey, "what is right one way may be wrong the other way")
        found.append(candidate(OTHER_WAY + match.bonus, Click(target=Target.of(swap)), why, skill, told))
    kinds = next((mark for mark in survey.usable if _chooses_the_kind(mark, pair)), None)
    if kinds is not None and survey.count(_KIND) < MOST_KINDS:
        done = {getattr(step.decision.action, "value", "") for step in survey.tried(kinds)} | {kinds.value}
        fresh = [value for value in kinds.options if value and value not in done]
        # What every unit has its own zero for goes wrong most easily.
        names = dict(zip(kinds.options, kinds.option_names, strict=False))
        fresh.sort(key=lambda value: not says("temperature", names.get(value, value)))
        if fresh:
            match = survey.match(kinds)
            told = expects("value_kept", f'"{names.get(fresh[0], fresh[0])}" is chosen', match.id, value=fresh[0])
            act = Select(target=Target.of(kinds), value=fresh[0])
            found.append(candidate(OTHER_KIND + match.bonus, act, "a quantity that was not converted yet", _KIND, told))
    return found


def _pair(survey: Survey) -> tuple[Mark, Mark] | None:
    """Two selects with the same options, most of which are units; sizes of clothes (S, M, L) on each of many things are none."""
    selects = [mark for mark in survey.usable if kind_of(mark) is Kind.select and len(mark.options) >= LEAST_UNITS]
    for place, one in enumerate(selects):
        for other in selects[place + 1 :]:
            if one.options == other.options and not _sizes(one) and _units(one) >= max(LEAST_UNITS, len(one.options) / 2):
                return one, other
    return None


def _sizes(mark: Mark) -> bool:
    return {folded(option) for option in mark.options if option} <= _CLOTHES


def _units(mark: Mark) -> int:
    names = dict(zip(mark.options, mark.option_names, strict=False))
    return sum(1 for value in mark.options if unit_of(names.get(value, value)) or unit_of(value))


def _chooses_the_kind(mark: Mark, pair: tuple[Mark, Mark]) -> bool:
    """Whether a select is that of the quantity: it stands by the two, and none of its options is a unit."""
    beside = mark.frame == pair[0].frame and mark.id not in (pair[0].id, pair[1].id)
    return kind_of(mark) is Kind.select and beside and len(mark.options) >= LEAST_UNITS and not _units(mark)


def _another_class(survey: Survey) -> list[Candidate]:
    """A weight far from the one there, and one on the other side, where the page names the class of the index."""
    done = survey.count(_CLASS)
    if done >= len(_FAR) or body_mass_index(survey.now) is None or not names_classes(survey.now):
        return []
    mark = next(
        (one for one in survey.usable if says("body_weight", one.name) and kind_of(one) in (Kind.number, Kind.text)), None
    )
    if mark is None or (done and _same(survey, mark)):
        return []
    try:
        value = f"{float(mark.value) * _FAR[done] / (_FAR[0] if done else 1.0):.0f}"
    except ValueError:
        return []
    match = survey.match(mark)
    kept = expects("value_kept", f'the field keeps "{value}"', match.id, value=value)
    act = Type(target=Target.of(mark), text=value)
    return [candidate(OTHER_CLASS + match.bonus, act, "another class has to be named for it", _CLASS, kept)]


def _same(survey: Survey, mark: Mark) -> bool:
    """Whether the first of the two was typed into another field than this one."""
    first = next(step for step in survey.steps if step.decision.skill == _CLASS)
    target = target_of(first)
    return target is None or folded(target.selector) != folded(mark.selector)
