"""A password is asked for a reason."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import fill_whole
from evaluator.relations.base import Ground, relation
from evaluator.relations.meanings import means
from evaluator.relations.people import log_in_form, passwords_of, sign_up_form, way_in
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import SaysError, Stays, Target
from tools.page.parts import Button
from tools.page.trials import Control, Trial

WRONG = "Quiet-Meadow-93z"
"""Like no password that is made up for a sign-up."""
_ANY = ("Any password works", "Use any email and password", "This is a demo log-in", "Demo account", "Passwords are not checked")
_REAL = ("Enter your password", "Forgot your password?", "Password", "Log in to your account", "Wrong password")


@relation(
    about=("forms", "fields"),
    category=Category.validation_missing,
    severity=Severity.major,
    shows=("account",),
    says=("a wrong password is refused",),
)
class WrongPasswordIsRefused:
    """Who signed up is not logged in with another password, unless the page says that any will do."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """At most one: where this page signs up and a log-in was seen, here or before. None where any password will do."""
        page = ground.page
        form = sign_up_form(page)
        submit = page.of(form.submit) if form is not None and form.submit else None
        seen = next((each_page for each_page in (page, *reversed(ground.earlier)) if log_in_form(each_page) is not None), None)
        login = log_in_form(seen) if seen is not None else None
        if form is None or not isinstance(submit, Button) or seen is None or login is None:
            return
        if any(means(text.text[:200], _ANY, unlike=_REAL) for each_page in (seen, page) for text in each_page.texts):
            return
        filled = fill_whole(ground, form, submit)
        acts = way_in(filled.act, login, seen, page, wrong=WRONG) if filled is not None else ()
        if not acts:
            return
        yield Trial(
            why="who signed up is not logged in with another password",
            precondition=acts[:-1],
            acts=acts[-1:],
            asserts=(Stays(target=Target.of(passwords_of(login, seen)[0], seen)),),
            control=Control(explains="the page says what is wrong", acts=(), asserts=(SaysError(),)),
            requirements=ground.asked.about(form, submit),
        )
