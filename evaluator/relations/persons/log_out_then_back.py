"""Who logged out is not shown by the Back button what only they may see."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, fill_whole, forms_that
from evaluator.relations.base import Ground, relation
from evaluator.relations.people import log_out, passwords_of
from evaluator.relations.shape import called
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Shown, Target
from tools.page.trials import Agree, Back, Control, Press, Reload, Trial


@relation(
    about=("forms", "fields"),
    category=Category.state_not_updated,
    severity=Severity.minor,
    shows=("account",),
    says=("after logging out nothing of the account can be seen", "logging out ends the session"),
)
class LogOutThenBack:
    """After a log-out the Back button does not show what only who is logged in may see.

    It is looked for what was just entered. Nothing is said where it is shown still after a reload: then anybody may see it.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a page on which somebody is logged in, by the first form whose words are shown as they are typed."""
        page, out = ground.page, log_out(ground.page)
        if out is None:
            return
        for form, submit in forms_that(ground, SENDS):
            filled = fill_whole(ground, form, submit)
            if form.submit == out.key or passwords_of(form, page) or filled is None or not filled.typed or page.of(form.layer):
                continue
            words = Target(kind="texts", name=filled.typed)
            yield Trial(
                why=f"after {called(out, page)} the Back button does not show what was entered",
                precondition=(filled.act,),
                acts=(Press(target=Target.of(out, page)), Agree(), Back()),
                asserts=(Shown(target=words, yes=False),),
                control=Control(
                    explains="who is not logged in is shown it, too, once the page is asked for anew",
                    acts=(Reload(),),
                    asserts=(Shown(target=words),),
                ),
                requirements=ground.asked.about(out),
            )
            return
