"""One thing is told of in the singular."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Shown, Target
from tools.page.trials import Trial

_ONE = re.compile(r"(?<![\d.,])1\s+([^\W\d_]{4,})\b")
_MORE = r"(?<![\d.,])(?:0|[2-9]|\d{{2,}})\s+{}\b"


@relation(
    about=("texts",),
    category=Category.wrong_result,
    severity=Severity.minor,
    only_asked=True,
    says=(
        "the word is pluralised: 1 item left, 2 items left",
        "the count is in the singular where there is only one",
        'the number of entries, pluralised ("1 entry")',
    ),
)
class OneIsSingular:
    """Where the brief asks for it, one thing is not told of in the very word that is used for none and for several."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One: of the first word that stands after a 1, and stood after another number before."""
        page = ground.page
        if (page.language or "en").split("-")[0] not in {"en", "de", "fr", "es", "it", "pt", "nl"}:
            return
        for text in page.texts:
            word = next((found[1] for found in _ONE.finditer(text.text)), "")
            if not word.endswith(("s", "en", "i")) or not _also_of_more(word, ground):
                continue
            yield Trial(
                why=f'"{text.text[:60]}" is in the singular',
                acts=(),
                asserts=(Shown(target=Target(kind="texts", name=text.text), yes=False),),
                requirements=ground.asked.about(text),
            )
            return


def _also_of_more(word: str, ground: Ground) -> bool:
    """Whether the word was said of another number as well."""
    more = re.compile(_MORE.format(re.escape(word)))
    return any(more.search(text.text) for page in ground.earlier for text in page.texts)
