"""Forms by which people sign up and log in, and what pages say between the two."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import urlsplit

from evaluator.relations.meanings import means
from evaluator.relations.values import purpose
from evaluator.requirements.deeds import Deed, deed_of, does
from tools.meaning import Meaning
from tools.page.assertions import Target
from tools.page.login_acts import ToLogIn
from tools.page.model import PageModel
from tools.page.parts import Button, Field, Form, Link
from tools.page.trials import Fill, FillForm, OwnAct

CONFIRM = (
    "Please check your email to confirm your account", "We sent you a verification link", "Verify your email address",
    "Your account is waiting for approval by an administrator", "Enter the code that we sent to your phone",
)  # fmt: skip
NO_CONFIRM = ("Your account was created", "Welcome", "You can log in now", "Sign up", "Registration successful", "Log in")
TAKEN = (
    "This user name is already taken", "An account with this email already exists", "User already exists",
    "Email already registered",
)  # fmt: skip
NOT_TAKEN = (
    "Invalid email address",
    "The password is too short",
    "This field is required",
    "Passwords do not match",
    "Wrong password",
)
_IDENTITY = ("email address", "username")
_SESSION: dict[Deed, tuple[str, ...]] = {
    "log in": ("Log in", "Sign in", "Login", "Log in to your account"),
    "log out": ("Log out", "Sign out", "Logout", "Log off"),
    "sign up": ("Sign up", "Signup", "Register", "Create an account", "Join"),
}
SURE, APART = 0.72, 0.02
"""Least likeness with the nearest of these, and by which it is nearer than the others: all three are said alike in most
languages, so that forms are told by their fields first."""


@cache
def session_deed(name: str) -> str:
    """Which of the three a control is for, by its last sentence ("New here? Sign up"); empty where it is not sure."""
    words = re.split(r"(?<=[.?!:])\s+", name.strip())[-1]
    if (said := deed_of(words)) is not None:
        return said if said in _SESSION else ""
    if not any(letter.isalpha() for letter in words):
        return ""
    row = _meaning().table([words], [text for texts in _SESSION.values() for text in texts])[0]
    values, at = dict[str, float](), 0
    for deed, texts in _SESSION.items():
        values[deed], at = float(row[at : at + len(texts)].max()), at + len(texts)
    best, other = sorted(values, key=lambda each_text: values[each_text], reverse=True)[:2]
    return best if values[best] >= SURE and values[best] - values[other] >= APART else ""


@cache
def _meaning() -> Meaning:
    return Meaning()


def passwords_of(form: Form, page: PageModel) -> list[Field]:
    """Its password fields that can be typed in."""
    found = [page.of(key) for key in form.fields]
    return [field for field in found if isinstance(field, Field) and field.kind == "password" and not field.disabled]


def sign_up_form(page: PageModel) -> Form | None:
    """The form that makes an account: it says so, or asks for a new password or for one twice."""
    return next((form for form in page.forms if not form.covered and _signs_up(form, page)), None)


def log_in_form(page: PageModel) -> Form | None:
    """The form by which one logs in: one password, and a button that says so, or a field for the password one has."""
    for form in page.forms:
        passwords = passwords_of(form, page)
        if form.covered or len(passwords) != 1 or _signs_up(form, page):
            continue
        if _sends(form, page) == "log in" or "current-password" in passwords[0].autocomplete.split():
            return form
    return None


def _signs_up(form: Form, page: PageModel) -> bool:
    passwords = passwords_of(form, page)
    new = any("new-password" in password.autocomplete.split() for password in passwords)
    return bool(passwords) and (_sends(form, page) == "sign up" or len(passwords) > 1 or new)


def _sends(form: Form, page: PageModel) -> str:
    submit = page.of(form.submit) if form.submit else None
    return session_deed(submit.name) if isinstance(submit, Button) else ""


def known_again(login: Form, seen: PageModel, made: FillForm, page: PageModel) -> dict[str, str] | None:
    """What the same person types into the log-in: values by its fields' keys.

    `made`: the sign-up filled, on `page`. None where it is not sure what identifies the person.
    """
    typed = [
        (part, fill.value) for fill in made.fills if isinstance(fill, Fill) and isinstance(part := fill.target.find(page), Field)
    ]
    secret = next((value for part, value in typed if part.kind == "password"), "")
    about = {_aim(part): value for part, value in reversed(typed) if part.kind != "password"}
    names = {part.name.casefold(): value for part, value in typed if part.kind != "password"}
    found: dict[str, str] = {}
    for field in [
        each_field for each_field in map(seen.of, login.fields) if isinstance(each_field, Field) and not each_field.disabled
    ]:
        told = secret if field.kind == "password" else names.get(field.name.casefold()) or about.get(_aim(field)) or _only(about)
        if not told:
            return None
        found[field.key] = told
    return found if secret and len(found) > 1 else None


def _aim(field: Field) -> str:
    return "email address" if field.kind == "email" else purpose(field.name)


def _only(about: dict[str, str]) -> str:
    """What identifies a person where the sign-up asks for one such thing alone."""
    found = [about[aim] for aim in _IDENTITY if aim in about]
    return found[0] if len(found) == 1 else ""


def to_log_in(page: PageModel) -> Button | Link | None:
    """What leads to the log-in: what logs out, else what is there to log in and sends no form."""
    sends = {form.submit for form in page.forms}
    parts = [
        button
        for button in (*page.buttons, *page.links)
        if not button.disabled and not button.covered and button.key not in sends
    ]
    for deed in ("log out", "log in"):
        for part in parts:
            if _deed(part) == deed:
                return part
    # A log-out is often a form of its own.
    return next((button for button in page.buttons if not button.disabled and _deed(button) == "log out"), None)


def log_out(page: PageModel) -> Button | Link | None:
    """What logs out, and with it the sign that somebody is logged in."""
    parts = (button for button in (*page.buttons, *page.links) if not button.disabled and not button.covered)
    return next((part for part in parts if _deed(part) == "log out"), None)


def path_of(page: PageModel) -> str:
    """A page's address without its site, to be visited wherever the app is served."""
    return urlsplit(page.url)._replace(scheme="", netloc="").geturl() or "/"


def _deed(part: Button | Link) -> str:
    """What it is for; one that nobody named by its icon."""
    return session_deed(part.name) or next((deed for deed in _SESSION if not part.name and does(part, deed)), "")


def to_sign_up(page: PageModel) -> Button | Link | None:
    """What leads to the sign-up and sends no form."""
    sends = {form.submit for form in page.forms}
    parts = (*page.links, *page.buttons)
    return next(
        (part for part in parts if part.key not in sends and not part.covered and session_deed(part.name) == "sign up"), None
    )


def asks_to_confirm(page: PageModel, before: PageModel | None) -> str:
    """What the page says anew that asks for something which only the person could do; empty where it does not."""
    known = {text.text for text in before.texts} if before is not None else set[str]()
    new = [text.text for text in page.texts if text.text not in known] + [layer.text for layer in page.layers]
    return next((each_text for each_text in new if len(each_text) > 8 and means(each_text[:200], CONFIRM, unlike=NO_CONFIRM)), "")


def is_taken(words: str) -> bool:
    """Whether an error says that there is such a person already."""
    return means(words[:200], TAKEN, unlike=NOT_TAKEN)


def way_in(signed_up: FillForm, login: Form, seen: PageModel, page: PageModel, wrong: str = "") -> tuple[OwnAct, ...]:
    """The person signs up, goes to the log-in and logs in; nothing where it is not sure what to type there.

    `seen`: the page with the log-in. `wrong` is typed there in place of the password.
    """
    values = known_again(login, seen, signed_up, page)
    if values is None:
        return ()
    submit = seen.of(login.submit) if login.submit else None
    fields = [part for part in map(seen.of, values) if isinstance(part, Field)]
    typed_then = {part.key: wrong if wrong and part.kind == "password" else values[part.key] for part in fields}
    fills = tuple(Fill(target=Target.of(part, seen), value=typed_then[part.key]) for part in fields)
    sent = Target.of(submit, seen) if submit is not None else None
    typed = [fill for fill in signed_up.fills if isinstance(fill, Fill) and fill.value]
    to = ToLogIn(fields=tuple(fill.target for fill in typed), values=tuple(fill.value for fill in typed))
    return signed_up, to, FillForm(fills=fills, submit=sent, by_enter=sent is None)
