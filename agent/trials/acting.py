"""Carries out one act of a trial with the hands of the stage, as a person would."""

from __future__ import annotations

from agent.trials.agreeing import goes_on
from agent.trials.files import given_file
from agent.trials.naming import address_of, first_of_name, instead, topmost, worded
from agent.trials.pickers import Picker
from agent.trials.settled import hold_and_read, quiet
from agent.trials.stops import Stop
from evaluator.relations.people import asks_to_confirm, is_taken, log_in_form, to_log_in
from tools.browser import actions
from tools.browser.stage import Stage
from tools.browser.tab import CommandRefused, ScriptError
from tools.page import trials
from tools.page.assertions import Refused, Scene, Target
from tools.page.login_acts import ToLogIn
from tools.page.model import PageModel
from tools.page.parts import Button, Choice, Field, Link, Option, Part, Toggle
from tools.page.trials import OwnAct

_PRESSED = ("buttons", "links", "toggles")
_FILLED = ("fields",)
_GIVEN = ("fields", "choices")
_HELD = ("buttons", "links", "toggles", "texts")
_POINTED = {
    trials.Scroll: ("collections", "texts", "surfaces"),
    trials.Point: ("surfaces", "collections"),
    trials.Paste: ("fields",),
}
_CHOSEN = ("choices", "fields", "buttons")
_SET_BY_WIDGET = frozenset({"date", "time", "datetime", "month", "week", "color"})
_FOCUS = """(selector) => {
  let root = document, at = null;
  for (const step of selector.split(' >>> ')) {
    at = (root.shadowRoot ?? root).querySelector(step); root = at;
    if (!at) return false;
  }
  at.focus(); return true;
}"""
LONGEST_SPAN_MS = 60_000
"""An act of the hands waits no longer."""
SPAN_MS = 1_500.0
"""App time between two looks at whether something has ended."""
STEPS_TO_LOG_IN = 3
"""Presses between a sign-up and the log-in at most: log out, open it, choose it."""
_FORGET_SESSION = "() => { try { sessionStorage.clear(); } catch { return false; } return true; }"
_COPY = "(text) => navigator.clipboard.writeText(text).then(() => true, () => false)"


Filling = trials.Fill | trials.Choose | trials.Switch
Pointing = trials.Hover | trials.Scroll | trials.Point | trials.Drag | trials.Upload | trials.Paste


class Actor:
    """Carries acts out on a stage. Every act begins with app time held and a page model of that instant."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.problems: list[str] = []
        """What was unusual about the act under way."""
        self.earlier: PageModel | None = None
        """The page before the act that came before the one under way."""
        self.followed = ""
        """The address that the other of two persons has open."""

    async def carry_out(self, act: OwnAct, page: PageModel) -> OwnAct:  # noqa: PLR0911 - one line for each kind of act
        """Do it; returns it with its targets as they were found. Raises `Stop`, `TabHung`, `TabCrashed`."""
        self.problems.clear()
        match act:
            case trials.Press():
                return await self._press(act, page)
            case trials.Fill():
                return await self._fill(act, page)
            case trials.FillForm():
                return await self._fill_form(act, page)
            case trials.Choose():
                return await self._choose(act, page)
            case trials.Switch():
                return await self._switch(act, page)
            case trials.Keys():
                return await self._keys(act, page)
            case trials.Hover() | trials.Scroll() | trials.Point() | trials.Drag() | trials.Upload() | trials.Paste():
                return await self._point(act, page)
            case ToLogIn():
                return await self._to_log_in(act, page)
            case trials.Agree():
                return await self._agree(act, page)
            case _:
                await self._travel(act, page)
                return act

    # ---- targets --------------------------------------------------------------------------------------------------------

    def find(self, target: Target, page: PageModel, kinds: tuple[str, ...] = ()) -> tuple[Part, Target]:
        """The part that is meant. Raises `Stop` where it is not on the page."""
        part = topmost(target, page, kinds) or target.find(page, kinds)
        if part is None or (part.covered and not target.key):  # what is named by hand is what can be got at
            part = first_of_name(target, page, kinds) or (worded(target, page) if "texts" in kinds else None)
        if part is None:
            raise Stop("target gone", f"{target.words()} is not on the page{instead(target, page, kinds)}")
        return part, Target.of(part, page)

    async def do(self, action: actions.Action) -> None:
        """One act of the hands. Raises `Stop` where it did not reach the page."""
        performed = await self.stage.perform(action)
        if performed.problem:
            self.problems.append(performed.problem)
        if not performed.delivered:
            raise Stop("not delivered", f"{actions.describe(action)}: {performed.problem}")

    # ---- acts -----------------------------------------------------------------------------------------------------------

    async def _press(self, act: trials.Press, page: PageModel) -> OwnAct:
        target, at = act.target, topmost(act.target, page, _PRESSED) or act.target.find(page, _PRESSED)
        if at is None and (found := _option_of(page, act.target)):
            choice, option = found
            await self.do(actions.Click(target=actions.Target(selector=option.selector, frame=choice.frame)))
            return trials.Choose(target=Target.of(choice, page), option=option.name, place=option.selector)
        at = at or first_of_name(act.target, page, _PRESSED)
        if at is None and not (target.key or target.within):
            at = next((text for text in page.texts if text.text == target.name), None)
        if at is None:
            raise Stop("target gone", f"{act.target.words()} is not on the page{instead(act.target, page, _PRESSED)}")
        over = at.over if isinstance(at, Button | Link) else ""
        first = [actions.Hover(target=actions.Target(selector=over, frame=at.frame, label=at.name))] if over else []
        clicks = [actions.Click(target=aim(at), count=2)] if act.double else [actions.Click(target=aim(at))] * act.times
        for action in (*first, *clicks):
            await self.do(action)
        return act.model_copy(update={"target": Target.of(at, page)})

    async def _fill(self, act: trials.Fill, page: PageModel) -> OwnAct:
        part, target = self.find(act.target, page, _GIVEN)
        if act.names:
            if part.disabled:
                raise Stop("disabled", f"{target.words()} is disabled")
            await self.do(actions.Type(target=aim(part), text=act.value, names=act.names))
            return act.model_copy(update={"target": target})
        if isinstance(part, Choice | Button) or (isinstance(part, Field) and part.kind in {"select", "combobox"}):
            return await self._choose(trials.Choose(target=target, option=act.value), page)
        await self._put(part, act.value, page)
        return act.model_copy(update={"target": target})

    async def _put(self, part: Part, value: str, page: PageModel) -> None:
        """Give a field a value in the way it wants it."""
        if part.disabled:
            raise Stop("disabled", f"{Target.of(part, page).words()} is disabled")
        kind = part.kind if isinstance(part, Field) else ""
        if kind in _SET_BY_WIDGET:
            await self.do(actions.SetValue(target=aim(part), value=value))
        elif kind == "slider":
            await self._slide(part, value)
        elif kind == "file":
            await self._upload(part, (value,))
        elif not isinstance(part, Field) or part.read_only:
            await Picker(self).choose(part, value, page)
        else:
            await self.do(actions.Type(target=aim(part), text=value))

    async def _slide(self, part: Part, value: str) -> None:
        """A native slider by its own value, one that a library has drawn over with the arrow keys."""
        if isinstance(part, Field) and not part.custom:
            try:
                await self.do(actions.SetValue(target=aim(part), value=value))
            except Stop:
                self.problems.clear()
            else:
                return
        await Picker(self).slide(part, value)

    async def _fill_form(self, act: trials.FillForm, page: PageModel) -> OwnAct:
        done: list[Filling] = []
        for number, fill in enumerate(act.fills):
            if number:
                page = await quiet(self.stage, page)
            try:
                done.append(await self._keeping(fill, page))
            except Stop as stop:
                if stop.why != "no such option" or not isinstance(fill, trials.Choose) or fill.option:
                    raise
                self.problems.append(stop.words)  # a button that opens something else than options
        submit = act.submit
        if act.by_enter:
            await self.do(actions.Press(keys=("Enter",)))
        elif act.submit is not None:
            page = await quiet(self.stage, page)
            part, submit = self.find(act.submit, page, _PRESSED)
            await self.do(actions.Click(target=aim(part)))
        return act.model_copy(update={"fills": tuple(done), "submit": submit})

    async def _keeping(self, fill: Filling, page: PageModel) -> Filling:
        """One part of a form's filling; what was unusual about the earlier ones is kept."""
        kept = list(self.problems)
        found = await self.carry_out(fill, page)
        self.problems[:0] = kept
        return found  # pyright: ignore[reportReturnType] - an act of the same kind comes back

    async def _choose(self, act: trials.Choose, page: PageModel) -> OwnAct:
        if not (act.target.key or act.target.name or act.target.within):
            found = _option_of(page, Target(name=act.option))
            if found is None:
                raise Stop("no such option", f'no choice on the page has an option "{act.option}"')
            part, target = found[0], Target.of(found[0], page)
        else:
            part, target = self.find(act.target, page, _CHOSEN)
        if part.disabled:
            raise Stop("disabled", f"{target.words()} is disabled")
        option = option_named(part, act.option) if isinstance(part, Choice) and act.option else None
        how, name, role = "open", option.name if option is not None else act.option, act.role
        if isinstance(part, Choice) and part.kind == "select":
            if option is None:
                raise Stop("no such option", f'{target.words()} has no option "{act.option}"')
            await self.do(actions.Select(target=aim(part), value=option.value or option.name))
            how = "select"
        elif isinstance(part, Field) and part.kind == "select":
            await self.do(actions.Select(target=aim(part), value=act.option))
            how = "select"
        elif option is not None and option.selector:
            await self.do(actions.Click(target=actions.Target(selector=option.selector, frame=part.frame)))
            how = "press"
        else:
            name, role = await Picker(self).choose(part, act.option, page)
        place = option.selector if option is not None and how == "press" else ""
        return act.model_copy(update={"target": target, "option": name, "how": how, "place": place, "role": role or "option"})

    async def _switch(self, act: trials.Switch, page: PageModel) -> OwnAct:
        part, target = self.find(act.target, page, ("toggles",))
        if not isinstance(part, Toggle):
            raise Stop("target gone", f"{target.words()} is no toggle")
        if part.on is not act.on:
            await self.do(actions.Click(target=aim(part)))
        return act.model_copy(update={"target": target})

    async def _keys(self, act: trials.Keys, page: PageModel) -> OwnAct:
        target = act.target
        if target is not None:
            part, target = self.find(target, page, _FILLED)
            if isinstance(part, Field) and not part.focused and part.kind not in {"slider", *_SET_BY_WIDGET}:
                await self.do(actions.Click(target=aim(part)))
            elif not isinstance(part, Field) or not part.focused:
                await self.focus(part)
        await self.do(actions.Press(keys=act.keys))
        return act.model_copy(update={"target": target})

    async def focus(self, part: Part) -> None:
        """Give the keyboard focus to what a click would also press. Raises `Stop`."""
        await self.stage.clock.release()
        view = await self.stage.tab.frame_at(part.frame)
        try:
            taken = view is not None and await self.stage.evaluate(_FOCUS, part.selector, frame=view)
        except (CommandRefused, ScriptError):
            taken = False
        if not taken:
            raise Stop("target gone", f'"{part.name}" could not be given the focus')

    async def _point(self, act: Pointing, page: PageModel) -> OwnAct:
        part, target = self.find(act.target, page, _POINTED.get(type(act), _HELD))
        update: dict[str, object] = {"target": target}
        match act:
            case trials.Hover():
                await self.do(actions.Hover(target=aim(part)))
            case trials.Scroll():
                await self.do(actions.Scroll(target=aim(part), dy=act.down))
            case trials.Point():
                await self._along(part, act.path)
            case trials.Drag():
                to = self.find(act.to, page) if act.to is not None else None
                await self.do(actions.Drag(target=aim(part), to=aim(to[0]) if to else None, by=act.by))
                update["to"] = to[1] if to else None
            case trials.Upload():
                await self._upload(part, act.files)
            case trials.Paste():
                await self._paste(part, act.text)
        return act.model_copy(update=update)

    async def _along(self, part: Part, path: tuple[tuple[float, float], ...]) -> None:
        """Press at a point of a surface, or draw along several."""
        (x, y), *rest = path
        start = aim(part, x - 0.5, y - 0.5)
        if not rest:
            await self.do(actions.Click(target=start))
            return
        steps = [((to_x - x) * part.box.width, (to_y - y) * part.box.height) for to_x, to_y in rest]
        await self.do(actions.Drag(target=start, by=steps[-1], via=tuple(steps[:-1])))

    async def _upload(self, part: Part, names: tuple[str, ...]) -> None:
        folder = self.stage.scratch / "given"
        await self.do(actions.Upload(target=aim(part), files=tuple(str(given_file(name, folder)) for name in names)))

    async def _paste(self, part: Part, text: str) -> None:
        await self.do(actions.Click(target=aim(part)))
        if await self.stage.evaluate(_COPY, text):
            await self.do(actions.Press(keys=("Control+v",)))
        else:
            self.problems.append("the clipboard could not be had; typed instead")
            await self.do(actions.Type(text=text, clear=False))

    async def _travel(self, act: OwnAct, page: PageModel) -> None:
        match act:
            case trials.Resize():
                await self.do(actions.Resize(width=act.width, height=act.height))
            case trials.Reload():
                await self.do(actions.Reload())
            case trials.Back():
                await self.do(actions.GoBack())
            case trials.Visit():
                await self.do(actions.Goto(url=address_of(act, page, self.followed)))
            case trials.Forget():
                await self.stage.clock.release()
                await self.stage.auth.put_back(self.stage.tab)
                await self.do(actions.Reload())
            case trials.NewTab():
                # What another tab knows of this one is what is stored, but not in the session's store.
                await self.stage.clock.release()
                await self.stage.evaluate(_FORGET_SESSION)
                await self.do(actions.Goto(url=page.url))
            case trials.Wait(to_the_end=True):
                await self._to_the_end(page, act.app_ms)
            case trials.Wait():
                await self._wait(act.app_ms)
            case _:
                raise AssertionError(act.kind)

    async def _wait(self, app_ms: int) -> None:
        """Let that much app time pass, in spans that an act of the hands may take."""
        for begun in range(0, max(app_ms, 1), LONGEST_SPAN_MS):
            await self.do(actions.Wait(ms=float(min(LONGEST_SPAN_MS, app_ms - begun))))

    async def _to_the_end(self, page: PageModel, most_ms: int) -> None:
        """Let app time pass in short spans until other buttons can be pressed than on `page`."""
        until_ms = self.stage.clock.now_ms() + most_ms
        while self.stage.clock.now_ms() < until_ms:
            await self.do(actions.Wait(ms=min(float(most_ms), SPAN_MS)))
            now = await hold_and_read(self.stage)
            if _pressable(now) != _pressable(page):
                return

    async def _agree(self, act: trials.Agree, page: PageModel) -> OwnAct:
        """Press what goes on where the act before brought up a question; a native one was answered already."""
        button = goes_on(page, self.earlier)
        if button is None:
            return act
        await self.do(actions.Click(target=aim(button)))
        return act if button.layer else act.model_copy(update={"pressed": Target.of(button, page)})

    async def _to_log_in(self, act: ToLogIn, page: PageModel) -> OwnAct:
        """From a sign-up that was accepted to the log-in."""
        if act.fields and self.earlier is not None:
            answer = Refused(fields=act.fields, values=act.values).evaluate(Scene(before=self.earlier, after=page))
            if answer.result == "held" and not any(is_taken(error.text) for error in page.errors):
                raise Stop("not delivered", f"the sign-up was not accepted: {answer.seen}")
        if words := asks_to_confirm(page, self.earlier):
            raise Stop("not delivered", f'more is asked of who signs up: "{words[:120]}"')
        pressed: list[Target] = []
        while log_in_form(page) is None:
            part = to_log_in(page)
            if part is None or len(pressed) >= STEPS_TO_LOG_IN:
                raise Stop("target gone", "no log-in is to be found")
            await self.do(actions.Click(target=aim(part)))
            pressed.append(Target.of(part, page))
            page = await quiet(self.stage, page)
        return act.model_copy(update={"pressed": tuple(pressed)})

    async def look(self) -> PageModel:
        """The page now; app time stands."""
        return await hold_and_read(self.stage)


def aim(part: Part, dx: float = 0.0, dy: float = 0.0) -> actions.Target:
    """Where the hands find a part that was just read."""
    dx, dy = (max(-0.5, min(0.5, off)) for off in (dx, dy))
    return actions.Target(selector=part.selector, frame=part.frame, label=part.name, dx=dx, dy=dy)


def option_named(choice: Choice, words: str) -> Option | None:
    """The option of those words, whatever their case, else the only one that has them in its name."""
    exact = next((option for option in choice.options if option.name == words), None)
    if exact is not None:
        return exact
    wanted = words.casefold()
    same = [option for option in choice.options if option.name.casefold() == wanted] or [
        option for option in choice.options if wanted in option.name.casefold()
    ]
    return same[0] if len(same) == 1 else None


def _option_of(page: PageModel, target: Target) -> tuple[Choice, Option] | None:
    """A choice that stands open and has an option of that name."""
    if target.kind not in {"", "choices"} or not target.name or target.key:
        return None
    for choice in page.choices:
        option = option_named(choice, target.name)
        if option is not None and option.selector:
            return choice, option
    return None


def _pressable(page: PageModel) -> frozenset[str]:
    """Keys of the buttons that can be pressed."""
    return frozenset(button.key for button in page.buttons if not button.disabled and not button.covered)
