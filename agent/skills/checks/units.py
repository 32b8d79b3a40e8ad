"""A choice of a unit or a currency: what is shown is given in it."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told, lack
from agent.words import folded

_NUMBER = r"\d[\d,.]*"
UNITS: dict[str, tuple[str, ...]] = {
    "dollar": (r"\$", r"\busd\b"),
    "euro": (r"€", r"\beur\b"),
    "pound sterling": (r"£", r"\bgbp\b"),
    "rupee": (r"₹", r"\binr\b"),
    "°c": (r"°\s?c\b", r"℃"),
    "°f": (r"°\s?f\b", r"℉"),
    "kg": (r"kgs?\b",),
    "lb": (r"lbs?\b",),
    "km": (r"km\b",),
    "mile": (r"mi\b", r"miles\b"),
    "km/h": (r"km/h\b", r"kph\b"),
    "mph": (r"mph\b",),
}
"""How a unit is written beside a figure; of each only what cannot be read otherwise."""
_NAMES: dict[str, str] = {
    "dollar": r"\$|\busd\b|\b(?:us )?dollars?\b|美元",
    "euro": r"€|\beur\b|\beuros?\b|欧元",
    "pound sterling": r"£|\bgbp\b|\bpounds? sterling\b|英镑",
    "rupee": r"₹|\binr\b|\brupees?\b",
    "°c": r"°\s?c\b|℃|\bcelsius\b|摄氏",
    "°f": r"°\s?f\b|℉|\bfahrenheit\b|华氏",
    "kg": r"\bkg\b|\bkilograms?\b|公斤|千克",
    "lb": r"\blbs?\b|磅",
    "km": r"\bkm\b(?!/)|\bkilomet(?:er|re)s?\b|公里",
    "mile": r"\bmi\b|\bmiles\b|英里",
    "km/h": r"\bkm/h\b|\bkph\b",
    "mph": r"\bmph\b",
}
_FAMILIES = (
    frozenset({"dollar", "euro", "pound sterling", "rupee"}),
    frozenset({"°c", "°f"}),
    frozenset({"kg", "lb"}),
    frozenset({"km", "mile"}),
    frozenset({"km/h", "mph"}),
)
_LEAST_SHOWN = 2
_MOST_WORDS = 4


def unit_named(name: str) -> str:
    """The one unit that a control or an option is called after; empty where it names none, several, or says more than that."""
    text = folded(name)
    if len(text.split()) > _MOST_WORDS or re.search(rf"{_NUMBER}\s*(?:%|per)|\d", text):
        return ""
    found = [unit for unit, names in _NAMES.items() if re.search(names, text)]
    return found[0] if len(found) == 1 else ""


def fellows(unit: str) -> frozenset[str]:
    """Units that measure the same, this one left out."""
    return next((family - {unit} for family in _FAMILIES if unit in family), frozenset[str]())


def amounts(text: str, unit: str) -> list[str]:
    """Figures of a text that are given in a unit."""
    signs = "|".join(UNITS[unit])
    found = re.findall(rf"(?:{signs})\s?{_NUMBER}|{_NUMBER}\s?(?:{signs})", folded(text))
    return [one.strip(" .,") for one in found]


def unit_follows(case: Case) -> Told:
    """After `unit` was chosen figures are given in it. All still in another one of its family, twice: `state_not_updated`."""
    unit = case.word("unit")
    if unit not in UNITS:
        return Told(None, "no unit is chosen", attempts=0)
    shown = amounts(case.after.text, unit)
    if shown:
        return Told(True, f'"{shown[0]}" is shown')
    for other in sorted(fellows(unit)):
        before, after = amounts(case.before.text, other), amounts(case.after.text, other)
        if len(before) >= _LEAST_SHOWN and before == after:
            return lack(
                case, "state_not_updated", f'it is set to {unit}, and "{after[0]}" and {len(after) - 1} more stay as they are'
            )
    return Told(None, "no figures with a unit are shown", attempts=0)
