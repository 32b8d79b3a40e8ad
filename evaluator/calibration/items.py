"""What verdicts on labelled apps are worth: failing items found, alarms, F1, beside two that look at nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from evaluator.calibration.corpora import Work
from evaluator.calibration.matching import Pairing
from evaluator.statistics.shares import wilson


class Judged(BaseModel):
    """A work with the pairings of its verdict; `scored` False: the evaluation did not end in a score."""

    model_config = ConfigDict(frozen=True)

    work: Work
    scored: bool
    functionality: float | None
    """0–8."""
    pairings: tuple[Pairing, ...]


def item_figures(judged: Sequence[Judged], *, only_counting: bool = False) -> dict[str, Any]:
    """All figures of a corpus. `only_counting`: of what took points; otherwise suspicions, too, are accusations."""
    scored = [judgement for judgement in judged if judgement.scored]
    failing = {(judgement.work.key, label.id) for judgement in scored for label in judgement.work.labels if not label.holds}
    passing = {(judgement.work.key, label.id) for judgement in scored for label in judgement.work.labels if label.holds}
    accusations = [pairing for judgement in scored for pairing in judgement.pairings if pairing.counts or not only_counting]
    sure = [accusation for accusation in accusations if accusation.sure]
    named = {(each_pairing.work, each_pairing.label) for each_pairing in sure if each_pairing.holds is False}
    alarmed = {(each_pairing.work, each_pairing.label) for each_pairing in sure if each_pairing.holds is True}
    complete = {judgement.work.key for judgement in scored if judgement.work.complete}
    false = [
        each_pairing
        for each_pairing in sure
        if each_pairing.holds is True or (not each_pairing.label and each_pairing.work in complete)
    ]
    open_ones = [each_pairing for each_pairing in sure if not each_pairing.label and each_pairing.work not in complete]
    true = [each_pairing for each_pairing in sure if each_pairing.holds is False]
    recall, precision = _share(len(named), len(failing)), _share(len(true), len(true) + len(false))
    item_precision = len(named) / (len(named) + len(alarmed)) if named or alarmed else None
    return {
        "works": len(judged),
        "scored": len(scored),
        "failing_items": len(failing),
        "passing_items": len(passing),
        "recall": recall,
        "precision": precision,
        "alarms_on_passing": _share(len(alarmed), len(passing)),
        "f1": _f1(item_precision, recall["value"] if recall else None),
        "accusations": {
            "true": len(true),
            "false": len(false),
            "unlabelled": len(open_ones),
            "unsure": len(accusations) - len(sure),
        },
        "apps": _apps(scored),
        "baselines": {
            "all fail": {"recall": 1.0 if failing else None, "f1": _f1(_plain(len(failing), len(failing) + len(passing)), 1.0)},
            "all pass": {"recall": 0.0 if failing else None, "f1": 0.0 if failing else None},
        },
    }


def _apps(scored: Sequence[Judged]) -> dict[str, Any] | None:
    """Whole apps that are right or wrong: how often what takes points says the same. None where no work has such a verdict."""
    known = [judgement for judgement in scored if judgement.work.right is not None]
    if not known:
        return None
    right = [judgement for judgement in known if judgement.work.right]
    wrong = [judgement for judgement in known if not judgement.work.right]
    accused = {judgement.work.key for judgement in known if any(pairing.counts for pairing in judgement.pairings)}
    return {
        "right": len(right),
        "wrong": len(wrong),
        "right_accused": sum(judgement.work.key in accused for judgement in right),
        "wrong_accused": sum(judgement.work.key in accused for judgement in wrong),
        "mean_right": _mean([judgement.functionality for judgement in right]),
        "mean_wrong": _mean([judgement.functionality for judgement in wrong]),
    }


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 3) if known else None


def _plain(hits: int, of: int) -> float | None:
    return hits / of if of else None


def _share(hits: int, of: int) -> dict[str, Any] | None:
    """A share with its Wilson bounds; None of nothing."""
    if not of:
        return None
    low, high = wilson(hits, of)
    return {"yes": hits, "of": of, "value": round(hits / of, 3), "low": round(low, 3), "high": round(high, 3)}


def _f1(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None:
        return 0.0 if recall == 0.0 else None
    return round(2 * precision * recall / (precision + recall), 3) if precision + recall else 0.0
