"""What a page shows for a while only: the options of a combobox while it is open, a toast until it goes."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.explorer.agenda import Offer
from agent.trials.settled import passing
from tools.browser.stage import Stage
from tools.page.model import PageModel
from tools.page.parts import Choice, Option


@dataclass
class OpenedChoices:
    """What comboboxes offer, by their places: many are called what is chosen in them."""

    options: dict[tuple[str, str], tuple[Option, ...]] = field(default_factory=dict[tuple[str, str], tuple[Option, ...]])

    def note(self, page: PageModel) -> None:
        """Remember what those offer that are open."""
        self.options |= {
            _place(choice): choice.options for choice in page.choices if choice.kind == "combobox" and choice.options
        }

    def shown_in(self, page: PageModel) -> PageModel:
        """The page with what its closed comboboxes offered when they were open."""
        if not any(_place(choice) in self.options for choice in page.choices if not choice.options):
            return page
        return PageModel.model_validate(dict(page) | {"choices": tuple(map(self._knowing, page.choices))})

    def _knowing(self, choice: Choice) -> Choice:
        options = self.options.get(_place(choice), ()) if not choice.options else ()
        chosen = tuple(option.model_copy(update={"chosen": option.name == choice.value}) for option in options)
        return choice.model_copy(update={"options": chosen}) if chosen else choice


def _place(choice: Choice) -> tuple[str, str]:
    return choice.frame, choice.selector


def passes(page: PageModel, stage: Stage) -> bool:
    """Whether something shows for a while only. How long is the machine's affair, so that nothing else is tried beside it."""
    return not set(passing(page)) <= stage.endless


def is_about_it(offer: Offer, state: str, page: PageModel) -> bool:
    """Whether what would be tried in this state begins with what shows for a while only."""
    toasts = {layer.key for layer in page.layers if layer.kind == "toast"}
    acts = (*offer.trial.precondition, *offer.trial.acts)
    first = next((getattr(act, "target", None) for act in acts), None)
    part = page.of(first.key) if first is not None and offer.state == state else None
    return part is not None and part.layer in toasts
