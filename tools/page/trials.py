"""Trials as plain values: how to get to a state, what to do there, what must hold then, and what else would explain it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, TypeAdapter, model_validator
from pydantic import Field as Discriminated

from tools.evidence.frozen import Frozen
from tools.page.assertions import Assertion, SeenByOther, Target
from tools.page.assertions.base import quoted
from tools.page.login_acts import ToLogIn
from tools.page.persons import persons_swapped
from tools.page.pointer_acts import Drag, Hover, Point, Scroll
from tools.page.window_acts import Back, Forget, NewTab, Reload, Resize, Visit


class Press(Frozen):
    """Click a control."""

    kind: Literal["press"] = "press"
    target: Target
    times: int = 1
    double: bool = False
    """A double click."""

    def words(self) -> str:
        """One clause."""
        if self.double:
            return f"double-click {self.target.words()}"
        return f"press {self.target.words()}" + (
            " twice" if self.times == 2 else f" {self.times} times" if self.times > 2 else ""
        )

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        clicks = (f"{self.target.locator()}.dblclick()",) if self.double else (f"{self.target.locator()}.click()",) * self.times
        return (*self.target.hovered(), *clicks)


class Fill(Frozen):
    """Type a value over what a field holds."""

    kind: Literal["fill"] = "fill"
    target: Target
    value: str
    names: Literal["", "secret", "code"] = ""
    """`value` is the name of a secret: it is typed, or the one-time code (TOTP) that it gives. For people's trials only: nobody
    else may say which secret is typed where."""

    def words(self) -> str:
        """One clause."""
        if self.names:
            what = "the one-time code of" if self.names == "code" else "the secret"
            return f"fill {self.target.words()} with {what} {self.value}"
        return f'fill {self.target.words()} with "{self.value[:60]}"'

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        if self.names:
            value = f"os.environ[{quoted(self.value)}]"
            if self.names == "code":
                value = f"(pyotp.parse_uri({value}) if {value}.startswith({quoted('otpauth:')}) else pyotp.TOTP({value})).now()"
            return (f"{self.target.locator()}.fill({value})",)
        return (f"{self.target.locator()}.fill({quoted(self.value)})",)


class FillForm(Frozen):
    """Fill the fields of a form in their order, and send it: by its button (`submit`), or by Enter in its last field."""

    kind: Literal["fill form"] = "fill form"
    fills: tuple[Fill | Choose | Switch, ...]
    submit: Target | None = None
    by_enter: bool = False

    def words(self) -> str:
        """One clause."""
        sent = f", then {Press(target=self.submit).words()}" if self.submit else ", then press Enter" if self.by_enter else ""
        return ", ".join(fill.words() for fill in self.fills) + sent

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        lines = [line for fill in self.fills for line in fill.playwright()]
        if self.submit:
            lines.append(f"{self.submit.locator()}.click()")
        elif self.by_enter:
            lines.append(f'{self.fills[-1].target.locator()}.press("Enter")')
        return tuple(lines)


class Choose(Frozen):
    """Choose an option: of a select, a combobox or menu that opens, or of options that stand there."""

    kind: Literal["choose"] = "choose"
    target: Target
    """A choice, a field, or a button that opens one."""
    option: str
    """Its words, or a day as `2026-03-15`; empty: whichever is free."""
    how: Literal["select", "open", "press"] = "press"
    place: str = ""
    """Selector of the option, where it stands there and its words do not mean only it."""
    role: str = "option"
    """ARIA role of the option, of what opens."""

    def words(self) -> str:
        """One clause."""
        option = f'"{self.option[:60]}"' if self.option else "an option"
        return f"choose {option} in {self.target.words()}"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        place, words = self.target.locator(), quoted(self.option)
        if self.how == "select":
            return (f"{place}.select_option(label={words})",)
        if self.how == "open":
            return (f"{place}.click()", f"page.get_by_role({quoted(self.role)}, name={words}, exact=True).click()")
        if self.place:
            return (f"page.locator({quoted(self.place)}).click()",)
        return (f"{place}.get_by_text({words}, exact=True).click()",)


class Switch(Frozen):
    """Turn a toggle on or off; nothing is done where it is so already."""

    kind: Literal["switch"] = "switch"
    target: Target
    on: bool = True

    def words(self) -> str:
        """One clause."""
        return f"turn {self.target.words()} {'on' if self.on else 'off'}"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        return (f"{self.target.locator()}.set_checked({self.on})",)


class Keys(Frozen):
    """Press keys one after another, in Playwright's words (`Escape`, `Control+z`), where the focus is or at a target."""

    kind: Literal["keys"] = "keys"
    keys: tuple[str, ...]
    target: Target | None = None

    def words(self) -> str:
        """One clause."""
        return f"press the keys {', '.join(self.keys)}" + (f" in {self.target.words()}" if self.target else "")

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        where = self.target.locator() if self.target else "page.keyboard"
        return tuple(f"{where}.press({quoted(key)})" for key in self.keys)


class Upload(Frozen):
    """Give files to a file input."""

    kind: Literal["upload"] = "upload"
    target: Target
    files: tuple[str, ...]

    def words(self) -> str:
        """One clause."""
        return f"give {', '.join(self.files)} to {self.target.words()}"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        return (f"{self.target.locator()}.set_input_files([{', '.join(map(quoted, self.files))}])",)


class Paste(Frozen):
    """Put text where the focus is at once, as from a clipboard."""

    kind: Literal["paste"] = "paste"
    target: Target
    text: str

    def words(self) -> str:
        """One clause."""
        return f'paste "{self.text[:60]}" into {self.target.words()}'

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        return (f"{self.target.locator()}.focus()", f"page.keyboard.insert_text({quoted(self.text)})")


class Agree(Frozen):
    """Where the page asks back after the act before, press the button that goes on; else nothing is done."""

    kind: Literal["agree"] = "agree"
    pressed: Target | None = None
    """The button, where it stood in the page and not in a dialog."""

    def words(self) -> str:
        """One clause."""
        return "agree if the page asks back"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test. The button that goes on stands last in nearly every dialog."""
        if self.pressed is not None:
            return (f"{self.pressed.locator()}.click()",)
        dialogs = quoted("dialog[open], [role=dialog], [role=alertdialog]")
        return (
            f"for dialog in page.locator({dialogs}).filter(visible=True).all():",
            '    dialog.get_by_role("button").last.click()',
        )


class Wait(Frozen):
    """Let app time pass; 0: until the page is quiet, through "Saving…", which every act waits for in any case."""

    kind: Literal["wait"] = "wait"
    app_ms: int = 0
    to_the_end: bool = False
    """Only until a button appears, goes, or can or can't be pressed any more: a round is over, a time has run out."""

    def words(self) -> str:
        """One clause."""
        if self.to_the_end:
            return f"wait until something ends, {self.app_ms / 1000:g} s at most"
        return f"wait {self.app_ms / 1000:g} s" if self.app_ms else "wait until it is quiet"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test."""
        return (f"page.wait_for_timeout({self.app_ms})",) if self.app_ms else ('page.wait_for_load_state("networkidle")',)


FillForm.model_rebuild()
OwnAct = (
    Press | Fill | FillForm | Choose | Switch | Keys | Hover | Scroll | Point | Drag | Upload | Paste | Resize | Reload | Back
    | NewTab | Visit | Forget | Agree | Wait | ToLogIn
)  # fmt: skip
"""What one person does."""


class ByOther(Frozen):
    """The same done by another person, who has the app open in a browser of their own: other cookies, other stores."""

    kind: Literal["by other"] = "by other"
    act: Annotated[OwnAct, Discriminated(discriminator="kind")]

    def words(self) -> str:
        """One clause."""
        return f"the other person: {self.act.words()}"

    def playwright(self) -> tuple[str, ...]:
        """As lines of a test, in which the other person's page is called `other`."""
        return tuple(map(persons_swapped, self.act.playwright()))


Act = Annotated[OwnAct | ByOther, Discriminated(discriminator="kind")]
KINDS = get_args(get_args(Act)[0])
"""The class of each kind."""
ACT: TypeAdapter[Act] = TypeAdapter(Act)
"""Reads an act from a row, a file or a model's answer."""


class Control(Frozen):
    """The experiment that tells a violation from its innocent twin."""

    explains: str
    """What else would explain the violation: `the option was chosen already`."""
    acts: tuple[Act, ...]
    asserts: tuple[Assertion, ...]
    """If they hold, the innocent explanation stands. Without acts they are judged by what the trial itself saw."""
    precondition: tuple[Act, ...] = ()
    """From where the trial ended to the state in which the control is asked: what these do is none of its answer."""
    otherwise: tuple[Assertion, ...] = ()
    """Where no code of the app's ran in the trial, and `precondition` led to where the control can't be asked: judged of what
    came of `precondition`. If something did, the page answers, the instruments see it, and what was tried was silent."""


class Trial(Frozen):
    """A test case. Whoever makes it (a relation, a model, a checklist, a person), it is carried out in one place."""

    why: str
    """One sentence: what is being tried."""
    acts: tuple[Act, ...]
    asserts: tuple[Assertion, ...]
    precondition: tuple[Act, ...] = ()
    """From a fresh page to the state it starts in."""
    control: Control | None = None
    by: str = ""
    """Name of the relation, or who else made it."""
    requirements: tuple[str, ...] = ()
    """Ids of the requirements that it is about."""
    meant: tuple[str, ...] = ()
    """Ids of those of `requirements` that say what it asserts, whatever kind of assertion that is."""
    about: tuple[tuple[str, ...], ...] = ()
    """For each assertion in turn the ids of those of `requirements` that it alone is about; empty, or none: all of them."""
    severity: Literal["", "critical", "major", "minor"] = ""
    """How grave whoever made it calls a violation; empty: it does not say."""
    afresh: bool = False
    """It begins on the page as it is opened for the first time, not where the trial before it ended."""

    @model_validator(mode="after")
    def _asserts_something(self) -> Trial:
        if not self.asserts:
            raise ValueError("a trial needs at least one assertion: without one it cannot fail")
        return self

    def words(self) -> str:
        """What is done and what must hold, as a person would say it."""
        done = "; ".join(act.words() for act in (*self.precondition, *self.acts))
        return f"{done} → " + "; ".join(assertion.words() for assertion in self.asserts)


def plain(value: Any) -> Any:
    """A trial, act or assertion as JSON values without what is left at its default; `kind` stays, so that it can be read back."""
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        told = {name: getattr(value, name) for name in fields}
        return {name: plain(item) for name, item in told.items() if name == "kind" or item != fields[name].get_default()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def own_act(act: Act) -> OwnAct:
    """What is done, whoever does it."""
    return act.act if isinstance(act, ByOther) else act


def has_other(trial: Trial) -> bool:
    """Whether another person is needed to carry it out."""
    control = trial.control
    acts = (*trial.precondition, *trial.acts, *((*control.precondition, *control.acts) if control else ()))
    asserts = (*trial.asserts, *((*control.asserts, *control.otherwise) if control else ()))
    return any(isinstance(act, ByOther) for act in acts) or any(isinstance(assertion, SeenByOther) for assertion in asserts)
