"""What well-known calculators compute, done again: a loan's instalment, a body mass index, a tip, how far a throw goes.

The formulas are textbook ones (`configs/formulas.toml`), found by the names of fields and figures on the page. A figure
is held against its formula only in the act that changed it, for until a button is pressed it may be the result of older values.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from agent.skills.checks.case import VISIBLE, Case, Told, lack
from agent.skills.checks.labelled import figures, unpacked
from agent.skills.controls import Kind, kind_of
from agent.words import Phrases, keywords, numbers
from tools.browser.marks import Mark, Observation

MOST_OTHER_WORDS = 2
"""Words a label may have beside the quantity's: "Interest rate (per year)"."""
_PER_CENT = re.compile(r"%|\bper\s?cent|百分", re.IGNORECASE)
_IN_PER_CENT = frozenset({"rate", "tip", "discount"})
_MAY_BE_0 = frozenset({"down", "tip", "discount"})
_MONTHS, _YEARS = re.compile(r"\bmonths?\b|个月|月", re.IGNORECASE), re.compile(r"\b(?:years?|yrs?|annual)\b|年", re.IGNORECASE)
_VALUED = frozenset({Kind.number, Kind.range, Kind.select, Kind.text})
TALLEST_M = 3.0
"""A height up to this is in metres, not in centimetres."""
_Values = Mapping[str, float]


@dataclass(frozen=True)
class Formula:
    """One line of the file."""

    result: Phrases
    needs: tuple[str, ...]
    may: tuple[str, ...]
    way: str
    within: float
    unless: Phrases


@cache
def formulas() -> tuple[Formula, ...]:
    """The formulas that ship with Assay."""
    return tuple(
        Formula(
            Phrases({"result": one["result"]}),
            tuple(one["needs"]),
            tuple(one.get("may", ())),
            one["way"],
            float(one.get("within", 0.005)),
            Phrases({"unless": one.get("unless", ())}),
        )
        for one in _book()["formula"]
    )


@cache
def _book() -> dict[str, Any]:
    return tomllib.loads((files("configs") / "formulas.toml").read_text(encoding="utf-8"))


@cache
def quantities() -> Phrases:
    """What fields for each quantity are called."""
    return Phrases(_book()["quantities"])


def formula_holds(case: Case) -> Told:
    """A figure that this act changed is what its formula gives for the values in the fields. Wrong for two sets: `wrong_result`.

    Nothing is told where a field stands for something that no formula knows, a box is ticked, or the page moves by itself.
    """
    page = case.after
    if page.moving > VISIBLE or page.animated or any(mark.checked and kind_of(mark) is Kind.checkbox for mark in page.marks):
        return Told(None, "more is in play than a formula knows", attempts=0)
    values = entered(page)
    if values is None:
        return Told(None, "more is in play than a formula knows", attempts=0)
    before, after = figures(case.before), figures(page)
    told = [one for formula in formulas() if (one := _told(case, formula, values, before, after)) is not None]
    wrong = next((one for one in told if not one.held), None)
    return wrong or next(iter(told), Told(None, "no figure with a known formula changed", attempts=0))


def _told(case: Case, formula: Formula, values: _Values, before: _Values, after: _Values) -> Told | None:
    labels = [label for label in after if _called(label, formula.result)]
    beside = {name for name, value in values.items() if value} - {*formula.needs, *formula.may}
    if len(labels) != 1 or beside or any(need not in values for need in formula.needs) or formula.unless.within(case.after.text):
        return None
    label = labels[0]
    shown = after[label]
    if before.get(label) == shown or not all(values[need] > 0 for need in formula.needs if need not in _MAY_BE_0):
        return None
    right = _WAYS[formula.way]({**dict.fromkeys(formula.may, 0.0), **values})
    if any(_near(shown, one, formula.within) for one in right):
        return Told(True, f'"{label}" {shown:g} is what the formula gives')
    given = ", ".join(f"{need} {values[need]:g}" for need in formula.needs)
    ignored = _ignored(case, formula, values, shown)
    if ignored:
        told = f'"{label}" is {shown:g}, what it is for {ignored} as at first, though {ignored} is {values[ignored]:g} now'
        return lack(case, "input_ignored", told)
    return lack(case, "wrong_result", f'"{label}" is {shown:g}, but for {given} it is {right[0]:.2f}')


def _ignored(case: Case, formula: Formula, values: _Values, shown: float) -> str:
    """The one quantity whose value at first (`first`: as `packed`) explains the figure; empty where none or several do."""
    first = unpacked(case.word("first"))
    found = []
    for need in formula.needs:
        if need in first and first[need] != values[need] and (first[need] > 0 or need in _MAY_BE_0):
            right = _WAYS[formula.way]({**dict.fromkeys(formula.may, 0.0), **values, need: first[need]})
            if any(_near(shown, one, formula.within) for one in right):
                found.append(need)
    return found[0] if len(found) == 1 else ""


def _near(shown: float, right: float, within: float) -> bool:
    """Whether a figure is right as far as its decimals tell."""
    rounding = 0.51 if shown == int(shown) else 0.051
    return abs(shown - right) <= rounding + within * abs(right)


def entered(page: Observation) -> _Values | None:
    """Quantity → value in its field; None where a field with a figure is called by none of them, or two of one differ."""
    found: dict[str, float] = {}
    for mark in page.marks:
        if kind_of(mark) not in _VALUED or mark.frame or mark.readonly or mark.disabled:
            continue
        shown = _value(mark)
        names = quantities().labels(_label(mark))[:1] if _called(_label(mark), quantities()) else ()  # a rate per year is a rate
        if shown is None:
            if kind_of(mark) is Kind.select and not names:
                return None
            continue
        if not names:
            if shown:
                return None
            continue
        for name in names:
            if name not in _IN_PER_CENT and _PER_CENT.search(mark.name):
                continue  # the same in another unit: a down payment in per cent
            value = _in_unit(name, shown, mark)
            if found.setdefault(name, value) != value:
                return None
    return found


def _called(label: str, words: Phrases) -> bool:
    """Whether a label is that name with few other words."""
    own = [word for word in keywords(label) if word.isalpha()]
    return words.within(label) and len(own) <= MOST_OTHER_WORDS + 2


def _label(mark: Mark) -> str:
    return re.sub(r"[\d.,]+", " ", f"{mark.name}").strip() or mark.placeholder


def _value(mark: Mark) -> float | None:
    """The figure in a field, or in what a select has chosen."""
    told = numbers(re.sub(r"[$€£¥￥%\s]", "", mark.value))
    if len(told) != 1 and kind_of(mark) is Kind.select:
        told = numbers(dict(zip(mark.options, mark.option_names, strict=False)).get(mark.value, ""))
    return told[0] if len(told) == 1 else None


def _in_unit(name: str, value: float, mark: Mark) -> float:
    """Years for months, degrees as they are."""
    words = f"{mark.name} {dict(zip(mark.options, mark.option_names, strict=False)).get(mark.value, '')}"
    if name == "years" and _MONTHS.search(words) and not _YEARS.search(words):
        return value / 12
    return value


# ---- the formulas: all values that are right, the most likely first ------------------------------------------------------------


def _loan(of: _Values) -> float:
    return of["loan"] if "loan" in of else of["price"] - of["down"]


def _instalment(of: _Values) -> float:
    rate, months = of["rate"] / 1200, of["years"] * 12
    return _loan(of) * rate / (1 - (1 + rate) ** -months) if rate else _loan(of) / months


def _repaid(of: _Values) -> tuple[float, ...]:
    paid = _instalment(of) * of["years"] * 12
    return paid, paid + of.get("down", 0.0)


def _interest(of: _Values) -> tuple[float, ...]:
    return (_instalment(of) * of["years"] * 12 - _loan(of),)


def _bmi(of: _Values) -> tuple[float, ...]:
    metres = of["height"] if of["height"] <= TALLEST_M else of["height"] / 100
    return of["weight"] / metres**2, 703 * of["weight"] / of["height"] ** 2


def body_mass_index(page: Observation) -> tuple[float, ...] | None:
    """The index for the weight and height in the fields of a page, metric and imperial; None where other fields count, too."""
    values = entered(page)
    if values is None or not (values.get("weight", 0.0) > 0 and values.get("height", 0.0) > 0):
        return None
    return _bmi(values)


def _with_tip(of: _Values) -> tuple[float, ...]:
    total = of["bill"] * (1 + of["tip"] / 100)
    return (total, total / of["people"]) if of["people"] else (total,)


def _radians(of: _Values) -> float:
    return math.radians(of["angle"])


_WAYS: Mapping[str, Callable[[_Values], tuple[float, ...]]] = MappingProxyType(
    {
        "instalment": lambda of: (_instalment(of),),
        "interest": _interest,
        "repaid": _repaid,
        "borrowed": lambda of: (of["price"] - of["down"],),
        "tip": lambda of: (of["bill"] * of["tip"] / 100,),
        "with_tip": _with_tip,
        "share": lambda of: (of["bill"] * (1 + of["tip"] / 100) / of["people"],),
        "bmi": _bmi,
        "reduced": lambda of: (of["original"] * (1 - of["discount"] / 100), of["original"] - of["discount"]),
        "saved": lambda of: (of["original"] * of["discount"] / 100, of["discount"]),
        "throw_range": lambda of: (of["speed"] ** 2 * math.sin(2 * _radians(of)) / of["gravity"],),
        "throw_height": lambda of: ((of["speed"] * math.sin(_radians(of))) ** 2 / (2 * of["gravity"]),),
        "throw_time": lambda of: (2 * of["speed"] * math.sin(_radians(of)) / of["gravity"],),
        "spring_period": lambda of: (2 * math.pi * math.sqrt(of["mass"] / of["stiffness"]),),
        "current": lambda of: (of["voltage"] / of["resistance"],),
    }
)
