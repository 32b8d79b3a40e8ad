"""One thing is counted in the singular."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import Gone, Target
from tools.page.model import PageModel
from tools.page.trials import Trial

_ASKED = re.compile(r"\b(?:plural|singular)", re.IGNORECASE)
_COUNTED = re.compile(r"^(\d+) ([a-z]+)\b")
_SHORT = frozenset({"mins", "secs", "hrs", "lbs", "pcs", "pts"})
"""What tables write for one as for many."""
_ALIKE = re.compile(r"(?:ss|us|is|ies|news|eries|means)$")
"""Ends of words that are no plural, or the same in both."""


@relation(about=("texts",), category=Category.wrong_result, severity=Severity.minor)
class OneIsSingular:
    """Where the brief asks for it, what is counted in English is not said of one as it was said of several: "1 items"."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a text that counts one thing, where the same place counted several in the same words."""
        page = ground.page
        asked = tuple(number for number, words in ground.asked.words().items() if _ASKED.search(words))
        if not asked or not page.language.casefold().startswith("en"):
            return
        for place, (number, noun, words) in _counts(page).items():
            plural = noun.endswith("s") and len(noun) > 3 and noun not in _SHORT and not _ALIKE.search(noun)
            if number != 1 or not plural:
                continue
            many = {told[1] for seen in ground.earlier if (told := _counts(seen).get(place)) is not None and told[0] > 1}
            if noun in many:
                yield Trial(
                    why=f'one thing is counted in the singular, not "{words}"',
                    acts=(),
                    asserts=(Gone(target=Target(kind="texts", name=words)),),
                    requirements=asked,
                )
                return


def _counts(page: PageModel) -> dict[str, tuple[int, str, str]]:
    """By place: the number and the noun that a text begins with, and the text."""
    found = {}
    for text in page.texts:
        match = _COUNTED.match(text.text)
        if match is not None and len(text.text) <= 40:
            found[text.selector] = int(match[1]), match[2], text.text
    return found
