"""What was chosen is still chosen when one comes back."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import choosing, in_form, is_choice, offered, usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Assertion, Chosen, HasValue, IsOn, Target
from tools.page.model import PageModel
from tools.page.parts import Choice, Option
from tools.page.trials import Act, Control, Fill, Switch, Trial


@relation(about=("choices",), category=Category.persistence_lost, severity=Severity.minor, shows=("persist",))
class Remembers:
    """An option chosen in one part of the app is still chosen after a visit to another part, where that part keeps anything."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a way: parts that were seen to come and go with a choice of tabs, and something else there to compare with."""
        page = ground.page
        for way in page.choices:
            away = elsewhere(way, ground)
            if away is None:
                continue
            there, option = away
            back = next(each_option for each_option in offered(way) if each_option.chosen)
            goes = (choosing(way, option, page), choosing(way, back, page))
            for choice in page.choices:
                if choice is way or not is_choice(choice, ground) or in_form(choice, page) or there.of(choice.key) is not None:
                    continue
                other = next((each_option for each_option in offered(choice) if not each_option.chosen), None)
                kept = another_thing(page, there)
                if other is None or kept is None:
                    continue
                change, as_before = kept
                yield Trial(
                    why=f'"{other.name}" is still chosen after a visit to "{option.name}"',
                    acts=(choosing(choice, other, page), *goes),
                    asserts=(Chosen(target=Target.of(choice, page), option=other.name, place=other.selector),),
                    control=Control(explains="nothing is kept there", acts=(change, *goes), asserts=(as_before,)),
                    requirements=ground.asked.about(choice),
                )
                break


def elsewhere(way: Choice, ground: Ground) -> tuple[PageModel, Option] | None:
    """An earlier observation with another option of this choice chosen, and that option as it stands now."""
    if way.kind not in {"tabs", "segmented", "links"} or not way.chosen or not is_choice(way, ground):
        return None
    for seen in reversed(ground.earlier):
        old = seen.of(way.key)
        if isinstance(old, Choice) and old.chosen and old.chosen != way.chosen:
            option = next((each_option for each_option in offered(way) if each_option.name in old.chosen), None)
            if option is not None:
                return seen, option
    return None


def another_thing(page: PageModel, there: PageModel) -> tuple[Act, Assertion] | None:
    """Something else of this part of the app that can be changed, and the statement that it is as it was."""
    for toggle in page.toggles:
        if usable(toggle) and toggle.on is not None and toggle.item < 0 and there.of(toggle.key) is None:
            target = Target.of(toggle, page)
            return Switch(target=target, on=not toggle.on), IsOn(target=target, yes=toggle.on)
    for field in page.fields:
        if usable(field) and field.kind in {"text", "search", "multiline"} and field.item < 0 and there.of(field.key) is None:
            target = Target.of(field, page)
            return Fill(target=target, value="Copper kettle"), HasValue(target=target, value=field.value)
    return None
