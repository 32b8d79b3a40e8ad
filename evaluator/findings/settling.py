"""The outcome of a checklist's item by what is known of the failures about it: before proving, and after."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.record.naming import clean
from evaluator.verdict.model import Failure, ItemResult


def settled(item: ItemResult, accused: Mapping[str, Failure]) -> ItemResult:
    """The item's outcome by what is now known of the failures about it."""
    known = [accused[failure] for failure in item.failures if failure in accused]
    standing = [failure for failure in known if not failure.untrusted]
    gone, disputed = len(known) < len(item.failures), next((failure.untrusted for failure in known if failure.untrusted), "")
    for status in ("confirmed", "not_attempted"):
        found = next(
            (failure for failure in standing if failure.proof.status == status or (status == "confirmed" and failure.counts)),
            None,
        )
        if found is not None:
            again = "" if found.counts else " (seen once, not proved)"
            return item.model_copy(update={"outcome": "fail", "why": clean(f"{item.violated_words or found.title}{again}", 300)})
    if item.held and not standing:
        return item.model_copy(update={"outcome": "pass", "why": f"held: {item.held_words}"})
    if standing:
        why = f"violated once, and a fresh browser did not show it again: {item.violated_words or standing[0].title}"
        if item.held and all(failure.proof.status == "not_reproduced" for failure in standing):
            return item.model_copy(update={"outcome": "pass", "why": f"held: {item.held_words}"})
    else:
        why = "its control explains it" if gone else disputed or item.open_words
    return item.model_copy(update={"outcome": "not judged", "why": clean(why, 300)})
