"""What the brief wants shown makes sense."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import MakesSense, Target
from tools.page.assertions.amounts import leaks
from tools.page.changes import state_of
from tools.page.parts import Collection, Figure, Part, Surface
from tools.page.trials import Trial

STANDS: tuple[str, ...] = ("show", "chart")
WORKED_OUT: tuple[str, ...] = ("calculate", "timer")
MOST = 4


@relation(about=(), category=Category.wrong_result, severity=Severity.minor, only_asked=True)
class AskedMakesSense:
    """A figure, list or drawing that the brief wants shown shows something, and no `NaN` or `undefined`.

    Of what is worked out, once it was seen to be another: a value that never moves was not seen to be worked out. What was never
    seen is no trial: that a page lacks it is for a model or a person to say, who know what else it may be called. Where the page
    shows a word for no value already, `nothing_leaks` accuses it, once.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a requirement that nothing has shown yet, for at most four parts that are surely meant, or that it names."""
        page, asked, words = ground.page, ground.asked, ground.asked.words()
        if leaks(page):
            return
        stands = {name for behaviour in STANDS for name in asked.of(behaviour)}
        worked_out = {name for behaviour in WORKED_OUT for name in asked.of(behaviour)}
        meant: dict[str, list[Part]] = {}
        for part in (*page.figures, *page.collections, *page.surfaces) if stands or worked_out else ():
            if part.item >= 0 or part.covered or not _shows(part):
                continue
            said = {name for name in words if _named(part.name, words[name])}
            for name in sorted({*asked.about(part), *said} - ground.exercised):
                if name in stands or (name in worked_out and _moved(part, ground)):
                    meant.setdefault(name, []).append(part)
        for name, parts in meant.items():
            yield Trial(
                why=f'what "{words.get(name, name)[:60]}" asks for makes sense',
                acts=(),
                asserts=tuple(MakesSense(target=Target.of(part, page)) for part in parts[:MOST]),
                requirements=(name,),
            )


def _shows(part: Part) -> bool:
    match part:
        case Figure():
            return part.quantity.text.strip() != ""
        case Collection():
            return part.count > 0
        case Surface():
            return part.blank is False or bool(part.texts)
        case _:
            return False


def _named(name: str, words: str) -> bool:
    """Whether a requirement says the part's name as it is: "show state, angle and time" that of the figure "Angle"."""
    plain = name.strip(" :：").casefold()
    border = r"\b" if plain[:1].isascii() else ""  # scripts without spaces have no borders of words
    return len(plain) > 1 and re.search(f"{border}{re.escape(plain)}{border}", words.casefold()) is not None


def _moved(part: Part, ground: Ground) -> bool:
    """Whether it was seen to show something else."""
    now = state_of(part)
    return any(state_of(old) != now for seen in ground.earlier if (old := seen.of(part.key)) is not None)
