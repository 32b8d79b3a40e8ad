"""An entry of a kind that was chosen (income, spending) is counted where that kind is, not where the other one is."""

from __future__ import annotations

from agent.skills.checks.case import Case, Told
from agent.skills.checks.labelled import figures
from agent.skills.controls import Kind, kind_of
from agent.words import folded, keywords, numbers, says
from tools.browser.marks import Mark


def counted_as(case: Case) -> Told:
    """The figure called after the kind chosen changes with the new entry. Only the other kind's does: `wrong_result`.

    As if the choice had been left as it stood, and not shown as what was chosen either: `input_ignored`. It can be told where a
    choice in sight has two options or more that each have a figure of their own.
    """
    before, after = figures(case.before), figures(case.after)
    for mark in case.before.marks:
        labels = _labels(mark, tuple(label for label in before if label in after), case)
        chosen = _chosen(mark, case)
        if len(labels) < 2 or chosen not in labels:
            continue
        moved = {name for name, label in labels.items() if before[label] != after[label]}
        if chosen in moved:
            return Told(True, f'"{labels[chosen]}" went from {before[labels[chosen]]:g} to {after[labels[chosen]]:g}')
        if len(moved) == 1:
            taken = next(iter(moved))
            other, symptom = labels[taken], "input_ignored" if _left_as_it_stood(mark, taken, chosen, case) else "wrong_result"
            told = f'"{chosen}" was chosen, but "{other}" went from {before[other]:g} to {after[other]:g}'
            # Two figures tell it: the one that moved and the one that did not.
            return Told(False, f'{told}, and "{labels[chosen]}" stays {after[labels[chosen]]:g}', symptom, attempts=2)
    return Told(None, "no figure is called after what was chosen", attempts=0)


def _left_as_it_stood(mark: Mark, taken: str, chosen: str, case: Case) -> bool:
    """Whether the entry was taken for a select's first option, and its own words and sign do not say what was chosen."""
    _, new = case.lines
    first = folded(mark.option_names[0]) if kind_of(mark) is Kind.select and mark.option_names else ""
    signs = {sign for sign, kind in (("+", "income"), ("-", "spending"), ("−", "spending")) if says(kind, chosen)}
    said = any((chosen in line and not numbers(line)) or (line[:1] in signs and numbers(line)) for line in new)
    return first == taken and not said


def _labels(mark: Mark, shown: tuple[str, ...], case: Case) -> dict[str, str]:
    """Option → the one figure's label that is called after it."""
    found: dict[str, str] = {}
    for name in _names(mark, case):
        words = set(keywords(name))
        fits = [label for label in shown if words and (words <= set(keywords(label)) or (not name.isascii() and name in label))]
        if len(fits) == 1:
            found[name] = fits[0]
    return found if len(set(found.values())) == len(found) else {}


def _names(mark: Mark, case: Case) -> tuple[str, ...]:
    if kind_of(mark) is Kind.select:
        return tuple(folded(name) for name in mark.option_names)
    if kind_of(mark) is Kind.radio and mark.checked:
        return tuple(folded(one.name) for one in case.before.marks if kind_of(one) is Kind.radio and one.frame == mark.frame)
    return ()


def _chosen(mark: Mark, case: Case) -> str:
    del case
    if kind_of(mark) is Kind.select:
        return folded(dict(zip(mark.options, mark.option_names, strict=False)).get(mark.value, ""))
    return folded(mark.name) if kind_of(mark) is Kind.radio and mark.checked else ""
