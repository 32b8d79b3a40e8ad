"""A setting that is moved while something runs leaves one clock running."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.figures.field_governs import far
from evaluator.relations.shape import button_for, called, drawings, shown_times, starter
from evaluator.relations.time.again_is_as_fast import RUNS
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import AsFast, Target
from tools.page.parts import Field
from tools.page.trials import Control, Fill, Press, Reload, Trial, Wait

MOST = 2
_EVENLY_MS, _FRAMES_MS, _SECONDS_MS = 1_000, 2_500, 6_000
"""Until it runs evenly, and for how long what runs is counted: what beats once a second takes longer to be told apart."""


@relation(
    about=("buttons", "fields"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=RUNS,
    says=("the speed can be changed while it runs",),
)
class SetBackIsAsFast:
    """What runs by itself is as fast as before once a setting that was changed while it ran is set back."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a slider or number outside of forms that are sent, at most two. A pace that grows by itself the control tells."""
        page, start = ground.page, starter(ground.page) or button_for(ground.page, "play sound")
        runs = drawings(page) or shown_times(page) or page.processes or any(ground.asked.of(text) for text in RUNS)
        if start is None or start.disabled or not runs:
            return
        measured = (Wait(app_ms=_EVENLY_MS), Wait(app_ms=_SECONDS_MS if shown_times(page) else _FRAMES_MS))
        for field in _settings(ground)[:MOST]:
            target, other = Target.of(field, page), next(iter(far(field)), "")
            if not other:
                continue
            begun = (Reload(), Press(target=Target.of(start, page)))
            moved = (Fill(target=target, value=other), Fill(target=target, value=field.value))
            yield Trial(
                why=f"what runs by itself is as fast as before once {called(field, page)} was changed and set back",
                # Once before it is measured: what the setting says may count only from its first change on.
                precondition=(*begun, *moved, *measured),
                acts=(*moved, *measured),
                asserts=(AsFast(),),
                # Left alone for longer than the trial took: a pace that grows by steps has grown meanwhile.
                control=Control(
                    explains="it gets faster by itself",
                    precondition=(*begun, *measured),
                    acts=measured * 3,
                    asserts=(AsFast(most=1.05, yes=False),),
                ),
                requirements=ground.asked.about(field, start),
            )


def _settings(ground: Ground) -> list[Field]:
    """Sliders and numbers with a value, in no item, layer or form that a button sends."""
    page = ground.page
    sent = {key for form in page.forms if form.submit for key in form.fields}
    fit = (
        field
        for field in page.fields
        if field.kind in {"slider", "number"} and field.value and not field.layer and field.item < 0
    )
    return [field for field in fit if field.key not in sent and not (field.disabled or field.covered or field.read_only)]
