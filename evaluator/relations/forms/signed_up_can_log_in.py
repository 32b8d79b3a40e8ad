"""Who signed up can log in."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import fill_whole
from evaluator.relations.base import Ground, relation
from evaluator.relations.people import log_in_form, passwords_of, sign_up_form, to_sign_up, way_in
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Gone, Target
from tools.page.model import PageModel
from tools.page.parts import Button
from tools.page.trials import Act, Control, Press, Trial


@relation(about=("forms", "fields"), category=Category.persistence_lost, severity=Severity.major, shows=("account",))
class SignedUpCanLogIn:
    """A made-up person who signed up can log in with what was typed then: the log-in is not shown any more.

    Nothing is said where the sign-up is refused, or wants something that only the person could do: a message confirmed, a code.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a sign-up, once its log-in was seen. Its control is another person, by the same way."""
        page = ground.page
        form = sign_up_form(page)
        submit = page.of(form.submit) if form is not None and form.submit else None
        seen = next((each_page for each_page in (page, *reversed(ground.earlier)) if log_in_form(each_page) is not None), None)
        if form is None or not isinstance(submit, Button) or seen is None:
            return
        login = log_in_form(seen)
        filled, other = fill_whole(ground, form, submit), fill_whole(ground, form, submit, 1)
        back = () if seen is page else _back(seen)
        if login is None or filled is None or other is None or back is None:
            return
        acts, again = way_in(filled.act, login, seen, page), way_in(other.act, login, seen, page)
        gone = (Gone(target=Target.of(passwords_of(login, seen)[0], seen)),)
        if acts and again:
            yield Trial(
                why=f"who signs up by {called(submit, page)} can log in",
                precondition=acts[:-1],
                acts=acts[-1:],
                asserts=gone,
                control=Control(
                    explains="somebody else who signs up can log in",
                    precondition=(*back, *again[:-1]),
                    acts=again[-1:],
                    asserts=gone,
                ),
                requirements=ground.asked.about(form, submit),
            )


def _back(seen: PageModel) -> tuple[Act, ...] | None:
    """From the log-in to the sign-up; None where nothing leads there."""
    part = to_sign_up(seen)
    return (Press(target=Target.of(part, seen)),) if part is not None else None
