"""The price of what was chosen: each choice that names its own price is in it, times the people where it says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.labelled import figures
from agent.skills.controls import Kind, kind_of
from agent.skills.values import field_kind
from agent.words import folded, says, with_points
from tools.browser.marks import Mark

_MONEY = re.compile(r"[$€£¥￥₹]\s*(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s*(?:元|usd\b|eur\b|[€£])", re.IGNORECASE)
_EACH = re.compile(
    r"\b(?:an?|per|each|every)[\s-]+(?:person|guest|ticket|head|adult|people)\b|/\s*(?:person|pp)\b|\beach\b|每人|/人",
    re.IGNORECASE,
)
_PRICE = re.compile(r"\b(?:price|cost|total|amount due|to pay)\b|总价|价格|费用|合计|总计|应付", re.IGNORECASE)
_PIECES = re.compile(
    r"\b(?:tickets?|quantity|qty|nights|seats|pieces|copies|how many(?! (?:years|months|weeks|days|hours|minutes)))\b"
    r"|\b(?:anzahl|wie viele|combien|cuánt[oa]s)\b|数量|张数|件数|份数|晚数|几张",
    re.IGNORECASE,
)
_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_MANY = rf"(\d{{1,2}}|{'|'.join(_WORDS)})"
_GROUP = re.compile(
    rf"\bfrom {_MANY}\s+\w+(?: on| upwards)?\b[^.;]{{0,40}}?(\d{{1,2}})\s*%"
    rf"|(\d{{1,2}})\s*%[^.;]{{0,50}}?\b(?:from|for|with|at|when[^.;]{{0,16}})\s+{_MANY}\s+"
    r"(?:\w+ )?(?:on|or more|and more|upwards)\b"
    r"|(\d{1,2})\s*[张件份个]\s*(?:及|或)?(?:以上|起)[^。；]{0,8}?([1-9])\s*折",
    re.IGNORECASE,
)
_CENT = 0.011
_ONCE = re.compile(r"\b(?:once|one[- ]time|flat|per (?:stay|booking|order|trip|event))\b|一次性|每次", re.IGNORECASE)
MOST_CHOICES, A_RANGE = 5, 2


def priced(case: Case) -> Told:
    """The price that comes up with a summary is made of the prices of what was chosen before: `wrong_result`.

    Any choice may count once or for all people, or for each night and the like; one that says "a person" counts for all. It
    can't be told where taxes, fees or discounts are in play, or more than one price is shown.
    """
    before, shown = figures(case.before), figures(case.after)
    prices = {label: value for label, value in shown.items() if label not in before and _PRICE.search(label)}
    chosen = list(_chosen(case))
    told = f"{case.after.text}\n{case.word('brief')}"
    if len(prices) != 1 or not 0 < len(chosen) <= MOST_CHOICES or says("discount", told) or says("fee", told) or "%" in told:
        return Told(None, "no price of what was chosen is shown", attempts=0)
    (label, price), *_ = prices.items()
    people, others = _amounts(case)
    if any(each for _, each in chosen) and people is None:
        return Told(None, "for how many it is was not entered", attempts=0)
    if any(abs(total - price) < _CENT for total in _totals(chosen, people or 1.0, others)):
        return Told(True, f'"{label}" {price:g} is what was chosen')
    parts = " + ".join(f"{value:g}{' each' if each else ''}" for value, each in chosen)
    count = f" for {people:g} people" if people else ""
    return Told(False, f'"{label}" is {price:g}, but {parts}{count} was chosen', "wrong_result")


def names_price(mark: Mark) -> float | None:
    """What a box to tick says that it costs; None where it names no price, or several."""
    found = _MONEY.findall(with_points(mark.name))
    return float((found[0][0] or found[0][1]).replace(",", "")) if len(found) == 1 and "%" not in mark.name else None


def costs_as_said(case: Case) -> Told:
    """A box that names its price (`Sauna ($40)`) changes the price shown by that, once or times the people, nights and the like.

    By something else, or (`live` 1: the brief wants it to follow at once) not at all, twice: `wrong_result`, `state_not_updated`.
    """
    mark, now = case.mark, case.mark_after
    named = names_price(mark) if mark is not None else None
    if mark is None or now is None or named is None or not named or mark.checked == now.checked:
        return Told(None, "no box that names its price was ticked", attempts=0)
    before, after = figures(case.before), figures(case.after)
    prices = [label for label in before if label in after and _PRICE.search(label)]
    moved = [label for label in prices if before[label] != after[label]]
    if len(prices) == 1 and not moved and before[prices[0]] and case.number("live"):
        return lack(case, "state_not_updated", f'"{prices[0]}" stays {before[prices[0]]:g} although "{mark.name}" was ticked')
    told = f"{case.after.text}\n{case.word('brief')}"
    if len(moved) != 1 or says("discount", told) or "%" in told:
        return Told(None, "no price that follows is shown", attempts=0)
    by = abs(after[moved[0]] - before[moved[0]])
    people, others = _amounts(case)
    factors = {1.0} if _ONCE.search(mark.name) else {1.0, people or 1.0, *others, *((people or 1.0) * other for other in others)}
    if any(abs(by - named * factor) < _CENT for factor in factors):
        return Told(True, f'"{moved[0]}" changed by {by:g}')
    days = sum(1 for one in case.before.marks if kind_of(one) is Kind.date)
    if days >= A_RANGE and not _ONCE.search(mark.name) and abs(by / named - round(by / named)) < _CENT:
        return Told(None, "it may count for each day between two dates", attempts=0)
    return lack(case, "wrong_result", f'"{moved[0]}" changed by {by:g} with "{mark.name}"')


def counts_pieces(name: str) -> bool:
    """Whether a field asks how many of something that is paid for there are."""
    return _PIECES.search(name) is not None


def names_total(label: str) -> bool:
    """Whether a figure is what is to be paid."""
    return _PRICE.search(label) is not None


def multiplied(case: Case) -> Told:
    """The total (`label`), which follows other choices at once, follows how many there are. As before, twice: `input_ignored`.

    `number`, `total`: how many there were and what they cost, where that was changed a step before: many pages reckon anew only
    once the field is left.
    """
    label, mark = case.word("label"), case.mark
    places = {(one.selector, one.frame): one for one in case.after.marks}
    now = places.get((mark.selector, mark.frame)) if mark is not None else None
    before, after = figures(case.before), figures(case.after)
    was = case.number("total", before.get(label, 0.0))
    if mark is None or now is None or label not in after or not was:
        return Told(None, "no total is shown", attempts=0)
    try:
        one, other = case.number("number", float(mark.value)), float(now.value)
    except ValueError:
        return Told(None, "no number stood there", attempts=0)
    if one == other or not other:
        return Told(None, "the number is as before", attempts=0)
    right = _for_many(case, other)
    if was != after[label]:
        became = f'"{label}" {was:g} became {after[label]:g}'
        if right and not any(abs(total - after[label]) < _CENT for total in right):
            wanted = " or ".join(f"{total:g}" for total in sorted(right)[:2])
            return Told(False, f"{became}, but {other:g} of what was chosen are {wanted}", "wrong_result")
        return Told(True, became)
    if case.changes.dialogs or says("validation", " ".join(case.lines[1])):
        return Told(None, "the page objects", attempts=0)
    return lack(case, "input_ignored", f'"{label}" stays {after[label]:g} although "{mark.name}" went from {one:g} to {other:g}')


def group_discount(brief: str) -> tuple[int, float] | None:
    """`(from how many, share that is left to be paid)` of the one discount that a brief gives for many; None if it gives none."""
    found = set[tuple[int, float]]()
    for first, first_share, share, second, pieces, tenths in _GROUP.findall(brief):
        many = first or second or pieces
        least = int(many) if many.isdigit() else _WORDS.index(many.casefold()) + 2
        found.add((least, float(tenths) / 10 if tenths else round(1 - float(first_share or share) / 100, 4)))
    return found.pop() if len(found) == 1 else None


def _for_many(case: Case, many: float) -> set[float]:
    """What so many of the one priced choice cost, with what else is ticked; empty where the brief gives no discount for many.

    The discount may hold for all or for the choice alone, and what is ticked may count once or for each.
    """
    discount = group_discount(case.word("brief"))
    marks = [mark for mark in case.after.marks if kind_of(mark) in (Kind.radio, Kind.checkbox) and mark.checked]
    prices = [(kind_of(mark), price) for mark in marks if (price := names_price(mark)) is not None]
    chosen = [price for kind, price in prices if kind is Kind.radio]
    if discount is None or len(chosen) != 1 or says("fee", case.after.text):
        return set()
    left = discount[1] if many >= discount[0] else 1.0
    whole, extra = chosen[0] * many, sum(price for kind, price in prices if kind is Kind.checkbox)
    return {total for more in (extra, extra * many) for total in (whole * left + more, (whole + more) * left)}


def _chosen(case: Case) -> Iterator[tuple[float, bool]]:
    """`(price, for each person)` of what is chosen right before the act: options, ticked boxes, radio buttons."""
    for mark in case.before.marks:
        text = _choice(mark)
        found = _MONEY.search(with_points(text))
        if found:
            yield float((found.group(1) or found.group(2)).replace(",", "")), _EACH.search(text) is not None


def _choice(mark: Mark) -> str:
    """The words of what a control has chosen; empty if it has nothing chosen."""
    if kind_of(mark) is Kind.select:
        return dict(zip(mark.options, mark.option_names, strict=False)).get(mark.value, "") if mark.value else ""
    return mark.name if kind_of(mark) in (Kind.checkbox, Kind.radio) and mark.checked else ""


def _amounts(case: Case) -> tuple[float | None, tuple[float, ...]]:
    """How many people, and other numbers that were entered, by the fields' labels."""
    typed: dict[str, tuple[bool, float]] = {}
    for step in case.history:
        action = step.decision.action
        target, text = getattr(action, "target", None), str(getattr(action, "text", getattr(action, "value", "")))
        if target is None or not step.acted.delivered or not text.strip().isdigit():
            continue
        mark = next((one for one in case.before.marks if one.signature == target.signature), None)
        typed[target.signature] = (_counts_people(target.name, mark), float(text))
    for mark in case.before.marks:
        if kind_of(mark) is Kind.number and mark.value.strip().isdigit():
            typed[mark.signature] = (_counts_people(mark.name, mark), float(mark.value))
    people = [value for named, value in typed.values() if named]
    others = tuple(value for named, value in typed.values() if not named)
    return (people[-1] if people else None), others[:2]


def _counts_people(name: str, mark: Mark | None) -> bool:
    return says("people", folded(name)) or (mark is not None and field_kind(mark) == "people")


def _totals(chosen: list[tuple[float, bool]], people: float, others: tuple[float, ...]) -> Iterator[float]:
    """All sums that could be meant."""
    factors = {1.0, people, *others, *(people * other for other in others)}
    ways = [
        [value * factor for factor in ({people, *(people * other for other in others)} if each else factors)]
        for value, each in chosen
    ]
    return (sum(way) for way in product(*ways))
