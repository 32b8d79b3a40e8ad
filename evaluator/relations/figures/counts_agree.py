"""What is counted stands in the number that its count asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import HasValue, Target
from tools.page.model import PageModel
from tools.page.trials import Trial

_COUNTED = re.compile(r"^(\d+) ([a-z]{3,})\b(?!\.)(.{0,40})$")
_ALIKE = frozenset({"series", "species", "means", "news", "always", "mins", "secs", "plus", "minus", "less", "this", "pounds"})
"""Words that end so in the singular, too, and abbreviations of units."""
MOST = 2
_ENDS = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", ""))


@relation(about=("texts",), category=Category.wrong_result, severity=Severity.minor)
class CountsAgree:
    """A count that begins a text does not say "1 items" or "0 item", in English, where other numbers show the plural.

    The word is known to be counted because the same text was seen with another number in the same place.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a text, at most two."""
        page, made = ground.page, 0
        if not (page.language or "en").startswith("en"):
            return
        seen = {match.groups()[1:] for earlier in ground.earlier for match in _counted(earlier) if match[1] not in {"0", "1"}}
        plurals = [(word, rest) for word, rest in sorted(seen) if _plural(word)]
        for match in _counted(page):
            for word, rest in plurals:
                wrong = singular(word) if match[1] == "0" else word
                if made >= MOST or match[1] not in {"0", "1"} or (match[2], match[3]) != (wrong, rest):
                    continue
                made += 1
                right = word if match[1] == "0" else singular(word)
                yield Trial(
                    why=f'"{match[0]}" counts {"one thing" if match[1] == "1" else "nothing"}',
                    acts=(),
                    asserts=(HasValue(target=Target(kind="texts", name=match[0]), value=f"{match[1]} {right}{rest}"),),
                )


def _counted(page: PageModel) -> Iterator[re.Match[str]]:
    for text in page.texts:
        match = _COUNTED.match(text.text.strip())
        if match is not None:
            yield match


def _plural(word: str) -> bool:
    return word.endswith("s") and len(word) > 4 and word not in _ALIKE and not word.endswith(("ss", "us", "is"))


def singular(word: str) -> str:
    """Of a regular English plural."""
    end, one = next(pair for pair in _ENDS if word.endswith(pair[0]))
    return word[: -len(end)] + one
