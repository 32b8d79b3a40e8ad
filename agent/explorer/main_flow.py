"""The main flow of an app, followed from its opening to its end, as a person goes through a quiz, a wizard, a check-out.

What is open is answered, a form is filled, and what leads on is pressed. A state that is met only by chance (another question
each time, a step that wants all steps before it) can't be gone back to: the agenda gives it up, and with it all that comes after.
So, once nothing else is left to try, the flow is followed; what it comes to is offered to relations as any other state is.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from agent.explorer.stubborn import BY, SURVIVES, leads_away, usable
from evaluator.record.naming import unnumbered
from evaluator.relations.adding import is_row_of_filters, refusals
from evaluator.relations.base import Ground
from evaluator.relations.values import filled
from evaluator.requirements.deeds import Deed, deed_of
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.parts import Button, Form, Link, Part, Toggle
from tools.page.trials import Act, Choose, Press, Trial

FLOWS_AT_MOST, STEPS_AT_MOST, ACTS_LEFT = 2, 40, 6
"""How often it is followed in a run, steps of it, and acts that must be left for it."""
FLOWS_BEFORE_CHANCE = 1
"""Of these before anything is tried that nobody has a reason for."""
SENT_AT_MOST = 3
"""So often the same form is sent on one flow: a further item is no further step, a quiz may ask for three answers in words."""
IN_VAIN_AT_MOST, KNOWN = 4, 1 / 3
"""Steps one after another that brought nothing to sight which was not seen on this flow: it leads in a circle. What was seen
before it began counts as so much of such a step: the end of a quiz may come after questions that are all known."""
OF_ONE_LIST = 2
"""So often something is pressed in a list that stays as it is: forty towns to choose from lead on no further than two do; the
answers of a quiz are others with each question."""
IN_A_ROW = 4
"""So often the same is done with nothing in between: a calendar turned on shows other days for ever."""
WORTH_A_STOP = 1.0
"""Worth from which on a trial is carried out on the way, the second time: the first time nothing keeps it from the end."""
NAMED_LETTERS = 5
"""Letters of a name from which on it does not stand in an error by chance."""
_ON: tuple[Deed, ...] = ("start", "next", "agree", "send", "order", "save", "add", "play again", "resume", "play", "sign up")
_OFF: tuple[Deed, ...] = (
    "delete", "edit", "cancel", "undo", "redo", "clear", "reset", "pause", "stop", "previous", "log out", "export", "share",
    "close", "theme", "mute", "settings", "sort", "move up", "move down",
)  # fmt: skip
"""What leads on, and what leads away or back: the rest is tried in between."""

Face = frozenset[str]


def face(page: PageModel) -> Face:
    """What a page shows that can be read and used, without numbers and what is listed: a timer, a further item is no news."""
    parts = (*page.buttons, *page.links, *page.toggles, *page.fields, *page.choices)
    usables = {f"{part.role} {unnumbered(part.name)}" for part in parts if usable(part) and not part.collection}
    options = {unnumbered(option.name) for choice in page.choices if usable(choice) for option in choice.options}
    texts = {unnumbered(text.text) for text in page.texts if not text.covered and not text.collection}
    return frozenset(usables | options | texts)


@dataclass
class MainFlow:
    """One time through the main flow."""

    stops: bool
    """Whether what is worth it is tried on the way."""
    known: set[Face] = field(default_factory=set[Face])
    """What was seen before it began."""
    seen: set[Face] = field(default_factory=set[Face])
    tried: set[tuple[Face, str]] = field(default_factory=set[tuple[Face, str]])
    """What was done on which face."""
    done: Counter[str] = field(default_factory=Counter[str])
    """How often it was done, whatever was shown; once where it was done several times in a row."""
    led_on: Counter[str] = field(default_factory=Counter[str])
    """How often pressing what is called so brought something new, less how often it brought nothing."""
    in_list: Counter[tuple[str, ...]] = field(default_factory=Counter[tuple[str, ...]])
    """How often something was pressed in a list of just these items."""
    steps: int = 0
    in_vain: float = 0.0
    last: str = ""
    in_a_row: int = 0
    """How often that was done, one time after another."""

    def step(self, ground: Ground) -> Trial | None:
        """What leads on from here; None where the flow has ended."""
        here = face(ground.page)
        new = here not in self.seen and here not in self.known
        self.in_vain = 0.0 if new else self.in_vain + (1.0 if here in self.seen else KNOWN)
        self.seen.add(here)
        if self.last:
            self.led_on[self.last] += 1 if new else -1
        if self.steps >= STEPS_AT_MOST or self.in_vain > IN_VAIN_AT_MOST:
            return None
        for does, act, part in (*_sent(ground), *_answered(ground.page), *self._pressed(ground.page)):
            again = does == self.last
            if (here, does) not in self.tried and self.done[does] < _at_most(part) and not (again and self.in_a_row >= IN_A_ROW):
                self.tried.add((here, does))
                self.done[does] += not again
                self.in_a_row = self.in_a_row + 1 if again else 1
                self.in_list.update([_listed(part, ground.page)])
                self.steps, self.last = self.steps + 1, does
                why = "the page survives its main flow"
                return Trial(why=why, acts=(act,), asserts=SURVIVES, by=BY, requirements=ground.asked.about(part))
        return None

    def _had_enough(self, listed: tuple[str, ...]) -> bool:
        return bool(listed) and self.in_list[listed] >= OF_ONE_LIST

    def _pressed(self, page: PageModel) -> list[tuple[str, Act, Part]]:
        """Buttons that may lead on, the likeliest first: named by an error, by what they are for, what they brought, size."""
        parts = [
            part
            for part in (*page.buttons, *page.links)
            if usable(part) and not _leads_elsewhere(part, page) and not self._had_enough(_listed(part, page))
        ]
        found = [(part, deed_of(part.name), _is_asked_for(part, page)) for part in parts]
        on = sorted(
            (each_found for each_found in found if each_found[2] or each_found[1] not in _OFF),
            key=lambda each_found: (
                not each_found[2],
                isinstance(each_found[0], Link),
                -self.led_on[_name(each_found[0])],
                each_found[1] not in _ON,
                -each_found[0].box.width * each_found[0].box.height,
            ),
        )
        return [(_name(part), Press(target=Target.of(part, page)), part) for part, *_ in on]


def _at_most(part: Part) -> int:
    """How often that is done on one flow. A link leads to the same place each time: what leads round is no step."""
    return 1 if isinstance(part, Link) else SENT_AT_MOST if isinstance(part, Form) else STEPS_AT_MOST


def _is_asked_for(part: Part, page: PageModel) -> bool:
    """Whether the page names it where it says what is wrong: 'choose a rate in "Settings" first'."""
    name = part.name.casefold()
    return len(name) >= NAMED_LETTERS and any(name in error.text.casefold() for error in page.errors if error.text)


def _listed(part: Part, page: PageModel) -> tuple[str, ...]:
    """The items of the list that it stands in, by what each begins with; empty where it stands in none."""
    home = next((listed for listed in page.collections if listed.key == part.collection), None) if part.collection else None
    return () if home is None else (home.key, *(item.key for item in home.items))


def _name(part: Part) -> str:
    return f"press {part.role} {unnumbered(part.name)}"


def _leads_elsewhere(part: Button | Link, page: PageModel) -> bool:
    """To another site; or it is of the frame around every page: a navigation's."""
    return isinstance(part, Link) and (leads_away(part, page) or any(part.key in choice.key for choice in page.choices))


def _sent(ground: Ground) -> list[tuple[str, Act, Part]]:
    """Forms filled whole, and sent; a row of filters is no step."""
    page = ground.page
    found: list[tuple[str, Act, Part]] = []
    for form in page.forms:
        if form.covered or is_row_of_filters(form, page):
            continue
        act = filled(form, page, ground.typed, today=ground.today, refused=refusals(form, ground))
        if act is not None and (act.submit is not None or act.by_enter):
            found.append((f"send {unnumbered(form.key)}", act, form))
    return found


def _answered(page: PageModel) -> list[tuple[str, Act, Part]]:
    """What is asked and has no answer yet: a choice of which nothing is chosen, boxes of which none is ticked."""
    found: list[tuple[str, Act, Part]] = []
    for choice in page.choices:
        if usable(choice) and choice.options and not choice.chosen and choice.kind in {"radio", "segmented", "listbox", "select"}:
            option = next((option for option in choice.options if not option.disabled and option.name), None)
            if option is not None:
                how = "select" if choice.kind == "select" else "press"
                act = Choose(target=Target.of(choice, page), option=option.name, how=how, place=option.selector)
                found.append((f"choose {unnumbered(option.name)}", act, choice))
    by_section: dict[str, list[Toggle]] = {}
    for toggle in page.toggles:
        if usable(toggle):
            by_section.setdefault(toggle.collection or toggle.section, []).append(toggle)
    unticked = [toggles[0] for toggles in by_section.values() if len(toggles) > 1 and not any(toggle.on for toggle in toggles)]
    return [*found, *((_name(toggle), Press(target=Target.of(toggle, page)), toggle) for toggle in unticked)]
