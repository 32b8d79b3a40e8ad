"""Arithmetic a page claims: a bill's total, a balance, the sum over a list's lines. Figures are found by their labels."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

from agent.skills.checks.case import Case, Told, held_before, lack, lack_of_agreement, shown_numbers
from agent.skills.checks.listed import contents
from agent.skills.controls import Kind, kind_of
from agent.words import folded, keywords, numbers, says, sentences, with_points
from tools.browser.marks import Listing, Mark, Observation

_FIGURE = re.compile(r"^[-−+]?\s*[$€£¥￥₹]?\s*[-−]?\d[\d,]*(?:\.\d+)?\s*[$€£¥￥元]?$")
_TAKEN_OFF = re.compile(r"^[-−]\s*[$€£¥￥₹]?\s*\d[\d,]*(?:\.\d+)?\s*[$€£¥￥元]?$")
_CODE = re.compile(r"[^\W\d_]+\d{1,4}|[^\W\d_]{4,}\s+[^\W\d_]+\d{1,4}")
"""The code of a coupon, which may have a word before it."""
_NOTE = re.compile(r"[(（\[](?![^)）\]]*[$€£¥￥₹])(?!\s*[-−]?\d+\.\d\d\s*[)）\]])[^)）\]]*[)）\]]|[-−+]?\d+(?:\.\d+)?\s*%")
"""What a label says besides: `Tax (8%)`, `Subtotal (3 items)`, `VAT 19%`; an amount in brackets is none."""
_MOST_WORDS = 4
_CHOICES = frozenset({Kind.radio, Kind.checkbox, Kind.select, Kind.option, Kind.other, Kind.button})
_CENT = 0.011
_SHIPPING = re.compile(r"\b(?:shipping|ships?|delivery|postage)\b|运费|配送|包邮|免邮", re.IGNORECASE)
_FREE = re.compile(
    r"\bfree\b[^.;]{0,40}?\b(?:from|over|above|beyond)\s*[$€£]?\s*(\d[\d,]*(?:\.\d+)?)"
    r"|\b(?:from|over|above|beyond)\s*[$€£]?\s*(\d[\d,]*(?:\.\d+)?)\s*(?:€|euros?|dollars?)?[^.;\d]{0,30}\bfree\b"
    r"|满\s*[¥￥]?\s*(\d+(?:\.\d+)?)\s*元?\s*(?:起)?(?:包邮|免运费|免邮)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Figures:
    """The labelled figures of one view that a bill or a balance is made of; None where it is not shown exactly once."""

    subtotal: float | None
    total: float | None
    off: tuple[float, ...]
    """Discounts, as positive numbers."""
    fees: tuple[float, ...]
    income: float | None
    spending: float | None
    balance: float | None


class _Sum(Enum):
    """What is added up, as the words about it begin; by them it is known again in what was told before."""

    total = "the total"
    balance = "the balance"
    subtotal = "the subtotal"
    fee = "what is added"


@dataclass(frozen=True)
class _Claim:
    """Whether one sum is right, in words that begin with its name."""

    sum: _Sum
    right: bool
    rest: str

    @property
    def words(self) -> str:
        return f"{self.sum.value} {self.rest}"


def sums_agree(case: Case) -> Told:
    """What the page adds up is right: total = subtotal − discounts + fees; balance = income − spending; subtotal = its lines.

    Wrong where it was right before in this run, or in two states: `wrong_result`. Fees may be in the prices already, so any of
    them may be missing from the sum; discounts may not.
    """
    shown = _figures(case.after)
    told = [one for one in (_fee(case), _bill(shown), _balance(shown), _by_lines(case.after, shown)) if one is not None]
    if not told:
        return Told(None, "no figures that add up are shown", attempts=0)
    wrong = next((one for one in told if not one.right), None)
    if wrong is None:
        return Told(True, "; ".join(one.words for one in told))
    if _figures(case.before) == shown and not case.earlier:
        return Told(None, "the same figures as before", attempts=0)
    agreed = wrong.sum is _Sum.fee or held_before(case, wrong.sum.value)
    return lack_of_agreement(case, wrong.words, agreed=agreed, slip=_slip(shown, wrong.sum), needs=1 if held_before(case) else 2)


def _slip(shown: _Figures, wrong: _Sum) -> str:
    """A slip that explains a wrong figure to the cent: what should be taken off was added, or left alone."""
    if wrong is _Sum.balance:
        added = (shown.income or 0.0) + abs(shown.spending or 0.0)
        return "what was spent was added" if shown.balance is not None and abs(shown.balance - added) < _CENT else ""
    if wrong is _Sum.total and shown.subtotal is not None and shown.total is not None:
        apart = shown.total - shown.subtotal
        for count in range(len(shown.fees) + 1):
            for some in combinations(shown.fees, count):
                if shown.off and abs(apart - sum(some)) < _CENT:
                    return "nothing was taken off"
                if shown.off and abs(apart - sum(some) - sum(shown.off)) < _CENT:
                    return "what comes off was added"
    return ""


def coupon_agrees(case: Case) -> Told:
    """A coupon of `percent` takes that off the subtotal, as a discount of its own or off the total; else: `wrong_result`.

    Told only where a subtotal is shown that the coupon left as it was, and a discount or a total that it changed.
    """
    before, after, share = _figures(case.before), _figures(case.after), case.number("percent") / 100
    subtotal = after.subtotal
    if not share or not subtotal or before.subtotal != subtotal:
        return Told(None, "no subtotal is shown", attempts=0)
    off = sum(after.off) - sum(before.off)
    if not off and before.total is not None and after.total is not None:
        off = before.total - after.total
    if off <= 0:
        return Told(None, "nothing was taken off", attempts=0)
    wanted = subtotal * share
    words = f"{off:g} of {subtotal:g} are taken off"
    fees = {0.0, *(abs(one - other) for one in before.fees for other in after.fees), *before.fees, *after.fees}
    if any(abs(off - wanted - fee) < 1.0 or abs(off - wanted + fee) < 1.0 for fee in fees):
        return Told(True, words)
    return Told(False, f"{words}, which are not {share * 100:g} %", "wrong_result")


def coupon_keeps(case: Case) -> Told:
    """What a coupon of `percent` takes off goes with the goods. It was right for fewer or more of them, and is not now: told.

    Only where it was that share to the cent before, so that no limit to it lies in between.
    """
    before, after, share = _figures(case.before), _figures(case.after), case.number("percent") / 100
    was, now = (abs(sum(shown.off)) for shown in (before, after))
    if not share or not before.subtotal or not after.subtotal or before.subtotal == after.subtotal or not was or not now:
        return Told(None, "no discount is shown, or the goods cost what they cost", attempts=0)
    if abs(was - before.subtotal * share) >= 1.0:
        return Told(None, "it was not that share before", attempts=0)
    words = f"{now:g} of {after.subtotal:g} are taken off"
    if abs(now - after.subtotal * share) < 1.0:
        return Told(True, words)
    return Told(
        False, f"{words}, which are not {share * 100:g} %, as {was:g} of {before.subtotal:g} were", "wrong_result", attempts=2
    )


def coupon_once(case: Case) -> Told:
    """A coupon that is redeemed again takes nothing more off: `wrong_result`."""
    before, after = _figures(case.before), _figures(case.after)
    if before.total is None or after.total is None or before.subtotal != after.subtotal:
        return Told(None, "no total of the same goods is shown", attempts=0)
    if after.total < before.total - _CENT or sum(after.off) > sum(before.off) + _CENT > _CENT:
        return Told(False, f"redeemed again, it takes the total from {before.total:g} to {after.total:g}", "wrong_result")
    return Told(True, f"the total is {after.total:g} as before")


def bill_follows(case: Case) -> Told:
    """One more or less of something in a basket changes what the basket costs. It stays, twice: `wrong_result`."""
    before, after = _figures(case.before), _figures(case.after)
    was, now = (shown.subtotal if shown.subtotal is not None else shown.total for shown in (before, after))
    if not was or now is None or not _stepped(case):
        return Told(None, "no bill is shown, or no amount changed", attempts=0)
    if was != now:
        return Told(True, f"{was:g} became {now:g}")
    return lack(case, "wrong_result", f"an amount changed, and the sum stays {was:g}")


def shipping_free(case: Case) -> Told:
    """Above the amount from which shipping is free (`limit`) none is charged: in two states it is, `wrong_result`.

    Both the subtotal and what is left of it after discounts have to be above; a choice of ways to ship may cost all the same.
    """
    shown, limit = _figures(case.after), case.number("limit")
    fees = [value for label, value in _labelled(case.after) if _SHIPPING.search(label) and value != limit]
    if not limit or shown.subtotal is None or len(fees) > 1 or any(_ways_to_ship(mark) for mark in case.after.marks):
        return Told(None, "no bill with one way to ship is shown", attempts=0)
    least = shown.subtotal - sum(shown.off)
    if least < limit + _CENT or (_figures(case.before) == shown and case.earlier):
        return Told(None, "it is below what ships for nothing, or the same as before", attempts=0)
    if not fees or fees[0] < _CENT:
        return Told(True, f"{least:g} ships for nothing") if _SHIPPING.search(case.after.text) else Told(None, "", attempts=0)
    return lack(case, "wrong_result", f"shipping costs {fees[0]:g} for {least:g}, though it is free from {limit:g}")


def free_from(text: str) -> float:
    """The amount from which a text says that shipping is free; 0 where it names none, or several."""
    found = set[float]()
    for sentence in sentences(text):
        told = _FREE.search(with_points(sentence))
        if told and (told.group(3) or _SHIPPING.search(sentence)):
            found.add(float(next(one for one in told.groups() if one).replace(",", "")))
    return found.pop() if len(found) == 1 else 0.0


def _ways_to_ship(mark: Mark) -> bool:
    """Whether it chooses how something is shipped."""
    words = f"{mark.name} {mark.context} {' '.join(mark.option_names)}"
    return kind_of(mark) in (Kind.radio, Kind.select) and bool(_SHIPPING.search(words))


def _stepped(case: Case) -> bool:
    """Whether one small whole number became its neighbour."""
    before, after = Counter(shown_numbers(case.before)), Counter(shown_numbers(case.after))
    gone, new = list((before - after).elements()), list((after - before).elements())
    return any(one == int(one) and abs(one - other) == 1 for one in gone for other in new)


def _fee(case: Case) -> _Claim | None:
    """Another delivery or packing costs more or less, and so does the whole; None where no choice changed a fee alone."""
    if case.mark is None or kind_of(case.mark) not in _CHOICES or len(case.before.marks) != len(case.after.marks):
        return None
    before, after = _figures(case.before), _figures(case.after)
    if before.total is None or before.total != after.total or not before.subtotal:
        return None
    fees = sum(before.fees), sum(after.fees)
    if (before.subtotal, before.off) != (after.subtotal, after.off) or abs(fees[0] - fees[1]) < _CENT:
        return None
    told = f"to {after.subtotal:g} went from {fees[0]:g} to {fees[1]:g}, and the total stays {after.total:g}"
    return _Claim(_Sum.fee, right=False, rest=told)


def _bill(shown: _Figures) -> _Claim | None:
    if shown.subtotal is None or shown.total is None or not shown.subtotal:
        return None
    base = shown.subtotal - sum(shown.off)
    for count in range(len(shown.fees), -1, -1):
        for some in combinations(shown.fees, count):
            if abs(base + sum(some) - shown.total) < _CENT:
                return _Claim(_Sum.total, right=True, rest=f"{shown.total:g} is what its parts add up to")
    parts = f"{shown.subtotal:g}" + "".join(f" − {one:g}" for one in shown.off) + "".join(f" + {one:g}" for one in shown.fees)
    told = f"shown is {shown.total:g}, but {parts} = {base + sum(shown.fees):.2f}"
    return _Claim(_Sum.total, right=False, rest=told)


def _balance(shown: _Figures) -> _Claim | None:
    if shown.income is None or shown.spending is None or shown.balance is None:
        return None
    if not (shown.income or shown.spending or shown.balance):
        return None
    wanted = shown.income - abs(shown.spending)
    if abs(wanted - shown.balance) < _CENT:
        return _Claim(_Sum.balance, right=True, rest=f"{shown.balance:g} is income less spending")
    told = f"shown is {shown.balance:g}, but {shown.income:g} − {abs(shown.spending):g} = {wanted:g}"
    return _Claim(_Sum.balance, right=False, rest=told)


def _by_lines(page: Observation, shown: _Figures) -> _Claim | None:
    """The subtotal against the sums of money columns; told only where one list's last column can be what is added."""
    if shown.subtotal is None or not shown.subtotal:
        return None
    candidates = []
    for listing in contents(page):
        if lies_under(page, listing):
            continue  # a shop's shelf behind its basket
        for column in range(len(listing.columns)):
            cells = [row[column] for row in listing.items]
            amounts = [numbers(cell) for cell in cells]
            if cells and listing.count == len(cells) and all(len(found) == 1 for found in amounts) and _follows_text(page, cells):
                candidates.append((listing, sum(found[0] for found in amounts)))
    if any(abs(total - shown.subtotal) < _CENT for _, total in candidates):
        return _Claim(_Sum.subtotal, right=True, rest=f"{shown.subtotal:g} is what its lines add up to")
    if len(candidates) != 1:
        return None
    told = f"shown is {shown.subtotal:g}, but the lines add up to {candidates[0][1]:.2f}"
    return _Claim(_Sum.subtotal, right=False, rest=told)


def lies_under(page: Observation, listing: Listing) -> bool:
    """Whether most of a list's entries lie behind a dialog: all that can be pressed and is called by them is covered."""
    shown, behind = 0, 0
    for row in listing.items:
        words = [folded(cell) for cell in row if len(cell.strip()) > 1 and not numbers(cell)]
        named = [
            mark for mark in page.marks if mark.in_view and any(word in folded(f"{mark.name} {mark.context}") for word in words)
        ]
        shown += any(not mark.covered for mark in named)
        behind += bool(named) and all(mark.covered for mark in named)
    return behind > shown


def _follows_text(page: Observation, cells: list[str]) -> bool:
    """Whether these cells are money that stands before the subtotal in reading order and after any other list's money."""
    lines = [folded(raw) for raw in page.text.splitlines()]
    place = next((index for index, line in enumerate(lines) if says("subtotal", line)), -1)
    if place < 0 or not all(re.search(r"[$€£¥￥₹元]", cell) for cell in cells):
        return False
    money = [line for line in lines[:place] if _FIGURE.match(with_points(line)) and re.search(r"[$€£¥￥₹元]", line)]
    return money[-len(cells) :] == [folded(cell) for cell in cells]


def _figures(page: Observation) -> _Figures:
    found: dict[str, list[float]] = {}
    for label, value in _labelled(page):
        # A bill may call what it takes off by the code of a coupon alone: SUMMER10, −3.25 €.
        kind = _kind(label) or (
            "discount" if value < 0 and found.keys() & {"subtotal"} and not found.keys() & {"grand_total"} else ""
        )
        if kind:
            found.setdefault(kind, []).append(value)

    def one(kind: str) -> float | None:
        values = found.get(kind, [])
        return values[0] if len(values) == 1 else None

    subtotal, fees = one("subtotal"), tuple(found.get("fee", ()))
    # A "fee" of the whole subtotal or more is another subtotal (net, gross): such a bill is not understood.
    understood = subtotal is None or all(fee < subtotal for fee in fees)
    return _Figures(
        subtotal=subtotal,
        total=one("grand_total") if understood else None,
        off=tuple(abs(value) for value in found.get("discount", ())),
        fees=fees,
        income=one("income"),
        spending=one("spending"),
        balance=one("balance"),
    )


def _kind(label: str) -> str:
    if len(keywords(label)) > _MOST_WORDS:
        return ""
    return next(
        (kind for kind in ("subtotal", "discount", "fee", "balance", "income", "spending", "grand_total") if says(kind, label)),
        "",
    )


def _labelled(page: Observation) -> list[tuple[str, float]]:
    """Short labels with the one figure beside or below them; `free` counts as nothing."""
    lines = [
        _NOTE.sub(" ", line).strip() or line for line in (folded(with_points(raw)) for raw in page.text.splitlines()) if line
    ]
    found: list[tuple[str, float]] = []
    for line, following in zip(lines, [*lines, ""][1:], strict=True):
        label = line.rstrip("0123456789.,:€$£¥￥元 -−+")
        values = numbers(line[len(label) :]) if label and not numbers(label) else ()
        if _TAKEN_OFF.match(following) and _CODE.fullmatch(line):
            found.append((line, _signed(following, numbers(following)[0])))
        elif len(values) == 1:
            found.append((label.strip(" :："), _signed(line[len(label) :], values[0])))
        elif not numbers(line) and _FIGURE.match(following):
            found.append((line.strip(" :："), _signed(following, numbers(following)[0])))
    return found


def _signed(text: str, value: float) -> float:
    return -abs(value) if re.match(r"\s*[-−]", text) else value
