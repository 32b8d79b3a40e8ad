"""Filling a whole form as a stubborn person does: what the page refuses is given another value."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime

from agent.trials.acting import Actor
from agent.trials.quiet import later, quiet
from agent.trials.stops import Stop
from tools.browser.stage import Stage
from tools.page.assertions import Target
from tools.page.changes import difference
from tools.page.filling import candidates, fill, parts_of
from tools.page.model import PageModel
from tools.page.parts import Choice, Field, Form, Part, Toggle
from tools.page.trials import FillForm, Keys

TRIES = 4
"""Times that a form is sent at most, with other values for what was refused."""
MOVES_ON_MS = 1_500.0
"""App time in which a form that was sent shows what came of it."""


@dataclass(frozen=True)
class FormFilled:
    """What came of filling a form."""

    form: Form
    acts: tuple[FillForm, ...]
    """As carried out, one for each time it was sent."""
    empty: tuple[str, ...]
    """Names of what could not be filled in, with the reason."""
    refused: tuple[str, ...]
    """What the page said was wrong when it was last sent."""
    accepted: bool
    """It was sent, the page found nothing wrong, and something came of it."""
    before: PageModel
    after: PageModel
    problem: str = ""

    @property
    def whole(self) -> bool:
        """All of it was filled in."""
        return not self.empty and not self.problem


def today_of(stage: Stage) -> date:
    """The date of the page's clock, or the machine's where that has none of its own."""
    epoch_s = stage.clock.epoch_s
    now = datetime.now(UTC) if epoch_s is None else datetime.fromtimestamp(epoch_s + stage.clock.now_ms() / 1000, tz=UTC)
    return now.date()


async def fill_whole(
    stage: Stage, form: Form, page: PageModel, *, variant: int = 0, values: dict[str, str | bool] | None = None
) -> FormFilled:
    """Fill a form on the page as it stands, send it, and where a field is refused, give it the next value that may fit.

    App time stands when this returns. Raises `TabHung` or `TabCrashed`, `ValueError` where nothing can be filled in.
    """
    actor, today, own, acts = Actor(stage), today_of(stage), dict(values or {}), list[FillForm]()
    first, tried, here = page, dict[str, int](), form
    empty: tuple[str, ...] = ()
    while True:
        act = fill(here, page, today=today, variant=variant, values=own)
        try:
            acts.append(await actor.carry_out(act.model_copy(update={"submit": None, "by_enter": False}), page))  # pyright: ignore[reportArgumentType] - the same kind comes back
        except Stop as stop:
            after = await quiet(stage, page)
            return FormFilled(form, tuple(acts), empty, (), accepted=False, before=first, after=after, problem=stop.words)
        page = await quiet(stage, page)
        here = _again(here, page) or here
        empty = tuple(_empty(here, page))
        sent = act.model_copy(update={"fills": ()})
        before_sending = page
        try:
            await _send(actor, sent, acts[-1], page)
        except Stop as stop:
            return FormFilled(form, tuple(acts), empty, (), accepted=False, before=first, after=page, problem=stop.words)
        acts[-1] = acts[-1].model_copy(update={"submit": act.submit, "by_enter": act.by_enter})
        page = await quiet(stage, page)
        refused = _refused(page, before_sending)
        if not refused and not _moved(before_sending, page):
            page = await later(stage, MOVES_ON_MS)
            refused = _refused(page, before_sending)
        still = _again(here, page)
        wrong = _wrong(still, page) if still is not None else []
        if still is None or len(acts) >= TRIES or not (refused or wrong):
            accepted = not refused and not wrong and _moved(before_sending, page)
            return FormFilled(form, tuple(acts), empty, refused, accepted=accepted, before=first, after=page)
        here = still
        if not _other_values(wrong or _typed(still, page), own, tried, variant, today):
            return FormFilled(form, tuple(acts), empty, refused, accepted=False, before=first, after=page)


async def _send(actor: Actor, sent: FillForm, filled: FillForm, page: PageModel) -> None:
    if sent.submit is not None:
        await actor.carry_out(sent, page)
    elif sent.by_enter and filled.fills:
        await actor.carry_out(Keys(keys=("Enter",), target=filled.fills[-1].target), page)


def _again(form: Form, page: PageModel) -> Form | None:
    found = Target(kind="forms", key=form.key, name=form.name, selector=form.selector, frame=form.frame).find(page)
    return found if isinstance(found, Form) else None


def _empty(form: Form, page: PageModel) -> list[str]:
    """What of a form holds nothing."""
    return [part.name or part.key for part in parts_of(form, page) if not part.disabled and _holds_nothing(part)]


def _holds_nothing(part: Part) -> bool:
    match part:
        case Field():
            return not part.value and not part.read_only
        case Choice():
            return bool(part.options) and not part.chosen and part.by == "role"
        case Toggle():
            return part.required and not part.on
        case _:
            return False


def _refused(page: PageModel, before: PageModel) -> tuple[str, ...]:
    known = {error.text for error in before.errors}
    return tuple(error.text for error in page.errors if error.text not in known)


def _wrong(form: Form, page: PageModel) -> list[Part]:
    about = {error.about for error in page.errors if error.about}
    return [part for part in parts_of(form, page) if part.key in about or (isinstance(part, Field) and part.invalid)]


def _typed(form: Form, page: PageModel) -> list[Part]:
    return [part for part in parts_of(form, page) if isinstance(part, Field) and part.kind == "text"]


def _other_values(parts: list[Part], own: dict[str, str | bool], tried: dict[str, int], variant: int, today: date) -> bool:
    """The next value that may fit, for each of these; False where there is none any more."""
    found = False
    for part in parts:
        if not isinstance(part, Field):
            continue
        tried[part.key] = tried.get(part.key, 0) + 1
        values = list(candidates(part, variant=variant, today=today))
        if tried[part.key] < len(values):
            own[part.key], found = values[tried[part.key]], True
    return found


def _moved(before: PageModel, after: PageModel) -> bool:
    """Sending it came to something that the page shows."""
    return not difference(before, after).empty
