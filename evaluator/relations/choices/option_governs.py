"""An option governs something."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import choosing, in_form, is_choice, moving, offered, search_fields
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import ChangesBeside, Target
from tools.page.changes import state_of
from tools.page.model import PageModel
from tools.page.parts import Choice
from tools.page.trials import Control, Trial

MOST, LEAST = 3, 2
"""Options that are tried of one choice; how often others of it must have been seen to govern."""


@relation(about=("choices",), category=Category.state_not_updated, severity=Severity.major, shows=("choose", "navigate"))
class OptionGoverns:
    """Choosing a tab changes more than its look; so does an option of another choice whose other options were all seen to.

    A choice that is sent with a form, or that only sets what comes later (the colour of a pen), changes nothing at once: what was
    seen to change with it once, a cross that went with the focus, went by chance.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """An option each; that it shows truly the same as the one before, it shows after a third."""
        page = ground.page
        for choice in page.choices:
            options, chosen = offered(choice), next((each_option for each_option in offered(choice) if each_option.chosen), None)
            if not is_choice(choice, ground) or in_form(choice, page) or choice.kind == "links" or chosen is None:
                continue
            if nothing_to_govern(choice, page):
                continue
            target, known = Target.of(choice, page), seen_to_govern(choice, ground)
            for option in [each_option for each_option in options if each_option is not chosen][:MOST]:
                others = [changed for name, changed in known if name != option.name]
                if choice.kind != "tabs" and not (len(others) >= LEAST and all(others)):
                    continue
                third = next(
                    (each_option for each_option in options if each_option is not option and each_option is not chosen), None
                )
                yield Trial(
                    why=f'"{option.name}" of {target.words()} changes what is shown',
                    acts=(choosing(choice, option, page),),
                    asserts=(ChangesBeside(target=target),),
                    control=Control(
                        explains="it shows truly the same as the one before",
                        precondition=(choosing(choice, third, page),),
                        acts=(choosing(choice, option, page),),
                        asserts=(ChangesBeside(target=target),),
                    )
                    if third
                    else None,
                    requirements=ground.asked.about(choice),
                )


def nothing_to_govern(choice: Choice, page: PageModel) -> bool:
    """Whether a list that it filters is empty as the page stands, or searched: then every option may rightly show the same."""
    searched = any(search_field.value for search_field in search_fields(page))
    return searched or any(collection.count == 0 for collection in page.collections if choice.key in collection.filters)


def seen_to_govern(choice: Choice, ground: Ground) -> list[tuple[str, bool]]:
    """Each time that one act chose another option of it: which, and whether what is shown beside it changed."""
    restless = moving(choice, ground)
    found: list[tuple[str, bool]] = []
    for page, two in ground.steps():
        old, new = page.of(choice.key), two.of(choice.key)
        same = page.document == two.document and page.viewport == two.viewport
        if same and isinstance(old, Choice) and isinstance(new, Choice) and old.chosen != new.chosen and new.chosen:
            found.append((new.chosen[0], _shown(page, old, restless) != _shown(two, new, restless)))
    return found


def _shown(page: PageModel, choice: Choice, restless: frozenset[str]) -> list[str]:
    own = {option.name for option in choice.options}
    parts = (
        *page.texts,
        *page.figures,
        *page.collections,
        *(surface for surface in page.surfaces if surface.key not in restless),
    )
    return [state_of(part) for part in parts if state_of(part) not in own]
