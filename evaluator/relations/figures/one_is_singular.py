"""One thing is said in the singular."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import HasValue, Target
from tools.page.model import PageModel
from tools.page.trials import Trial

_COUNTED = re.compile(r"^(\d+) ([a-z]{4,}s)\b(?!\.)(.{0,40})$")
_ALIKE = frozenset({"series", "species", "means", "news", "always", "mins", "secs", "plus", "minus", "less", "this", "pounds"})
"""Words that end so in the singular, too, and abbreviations of units."""
_ENDS = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", ""))


@relation(about=("texts",), category=Category.wrong_result, severity=Severity.minor)
class OneIsSingular:
    """A count that begins a text does not say "1 items", in English, where it says so of other numbers.

    The word is known to be counted because the same text was seen with another number in the same place.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a text, at most two."""
        page = ground.page
        if not (page.language or "en").startswith("en"):
            return
        several = {match.groups()[1:] for seen in ground.earlier for match in _counted(seen) if match[1] not in {"0", "1"}}
        found = [match for match in _counted(page) if match[1] == "1" and match.groups()[1:] in several]
        for match in found[:2]:
            yield Trial(
                why=f'"{match[0]}" counts one thing',
                acts=(),
                asserts=(HasValue(target=Target(kind="texts", name=match[0]), value=f"1 {singular(match[2])}{match[3]}"),),
            )


def _counted(page: PageModel) -> Iterator[re.Match[str]]:
    for text in page.texts:
        match = _COUNTED.match(text.text.strip())
        if match is not None and match[2] not in _ALIKE and not match[2].endswith(("ss", "us", "is")):
            yield match


def singular(word: str) -> str:
    """Of a regular English plural."""
    end, one = next(pair for pair in _ENDS if word.endswith(pair[0]))
    return word[: -len(end)] + one
