"""A reset sets back all of what it sets back."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.figures.field_governs import far
from evaluator.relations.meanings import means
from evaluator.relations.shape import button_for, called, choosing, drawings, in_form, is_choice, offered, usable
from evaluator.requirements.deeds import Deed, does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Changes, Target, Unchanged
from tools.page.model import PageModel
from tools.page.parts import Button, Part
from tools.page.trials import Act, Agree, Control, Fill, Press, Trial

MOST, _WORDS = 2, "Copper kettle"
_EVERYTHING, SURE = ("Reset", "Reset all", "Reset everything", "Restore defaults"), 0.85
"""What a reset of everything is called; one that says more may be for less, for what stands with it."""
_NO_SETTING: tuple[Deed, ...] = (
    "start", "play again", "resume", "pause", "stop", "reset", "clear", "undo", "redo", "theme", "mute", "settings", "export",
    "share", "delete", "close", "cancel", "log in", "log out", "sign up",
)  # fmt: skip


@relation(
    about=("buttons",),
    category=Category.state_not_updated,
    severity=Severity.major,
    shows=("play",),
    only_asked=True,
    says=("reset puts everything back to the start",),
)
class ResetSetsBack:
    """A reset that was seen to set one setting, or the picture, back after one change does so after another change as well.

    Two resets with one change between them lead to the same: so nothing must be known of what the defaults are. Only where the
    brief speaks of the reset: one that nobody asked for need not be for all settings.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a setting, at most two, with another one as its control, and one of the picture."""
        page = ground.page
        reset = button_for(page, "reset")
        asked = ground.asked.about(reset) if reset is not None else ()
        if reset is None or not usable(reset) or in_form(reset, page) or not asked:
            return
        whole = means(reset.name, _EVERYTHING, sure=SURE)
        near = [change for change in _settings(page, ground) if whole or change[1].section == reset.section]
        settings, views = near[: MOST + 1], list(_views(page, reset))
        for changes, most in ((settings, MOST), (views, 1)):
            for at, (act, part) in enumerate(changes[:most]):
                other, its = changes[at - 1]
                if len(changes) > 1:
                    yield _trial(page, reset, (act, part), (other, its), asked)


def _trial(page: PageModel, reset: Button, change: tuple[Act, Part], other: tuple[Act, Part], asked: tuple[str, ...]) -> Trial:
    sets_back = (Press(target=Target.of(reset, page)), Agree())
    target, beside = Target.of(change[1], page), Target.of(other[1], page)
    return Trial(
        why=f"{called(reset, page)} sets {called(change[1], page)} back after: {change[0].words()}",
        precondition=sets_back,
        acts=(change[0], *sets_back),
        asserts=(Unchanged(target=target),),
        control=Control(
            explains="that is not what it sets back",
            precondition=sets_back,
            acts=(other[0], *sets_back),
            asserts=(Changes(target=beside),),
        ),
        requirements=asked,
    )


def _settings(page: PageModel, ground: Ground) -> Iterator[tuple[Act, Part]]:
    """Sliders, texts and choices outside of lists and dialogs, each with the act that sets it to something else.

    Of a switch its look would be asked, and the pointer that rests on it changes that.
    """
    for field in page.fields:
        if field.kind == "slider" and _stands_free(field) and (values := far(field)):
            yield Fill(target=Target.of(field, page), value=values[0]), field
    for choice in page.choices:
        free = [option for option in offered(choice) if option.name not in choice.chosen]
        chooses = choice.kind in {"select", "radio"} or (choice.kind in {"segmented", "listbox"} and is_choice(choice, ground))
        if chooses and _stands_free(choice) and free:
            yield choosing(choice, free[-1], page), choice
    for field in page.fields:
        if field.kind in {"text", "multiline"} and field.value and not field.read_only and _stands_free(field):
            yield Fill(target=Target.of(field, page), value=_WORDS), field


def _stands_free(part: Part) -> bool:
    return usable(part) and part.item < 0 and not part.layer


def _views(page: PageModel, reset: Button) -> Iterator[tuple[Act, Part]]:
    """Buttons beside the reset that are no deeds of their own, with the largest picture: zooming in, turning."""
    pictures = drawings(page)
    for button in page.buttons:
        beside = button.section == reset.section and button.layer == reset.layer and button.item < 0
        if pictures and beside and usable(button) and button.key != reset.key and not does(button, *_NO_SETTING, page=page):
            yield Press(target=Target.of(button, page)), pictures[0]
