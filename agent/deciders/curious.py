"""The decider that needs no model: every skill proposes, the best proposal is done.

What a careful tester would do with a few dozen steps on an app never seen before: the core first, as the brief names it; then
navigation, buttons, forms, lists, media, search; what an action revealed before what was there all along; destructive
things late; three of twenty repeated things; everything that seems dead a second time in another way; and no walking in circles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from agent.conduct import IDENTICAL_BEFORE_CHANGE, normalised
from agent.deciders import rounds
from agent.deciders.protocol import Decision, Expectation, View
from agent.skills import (
    amending,
    amounts,
    boxed,
    buttons,
    calculator,
    cancelling,
    canvases,
    choices,
    comparing,
    converting,
    deleting,
    diagrams,
    dragging,
    editors,
    forms,
    games,
    halting,
    hints,
    keyboard,
    keyed,
    keypads,
    later_pages,
    layers,
    listening,
    lists,
    live_fields,
    locking,
    long_words,
    mending,
    merging,
    missing,
    narrowing,
    navigation,
    number_keys,
    oddities,
    outnumbered,
    pacing,
    persistence,
    phones,
    playing,
    quizzes,
    ranges,
    reappearing,
    recording,
    recovery,
    redeeming,
    reopening,
    repeaters,
    replacing,
    resuming,
    returning,
    revisiting,
    rotating,
    searching,
    simulations,
    themes,
    timbre,
    timers,
    uncovering,
    undoing,
    unique,
    waiting,
    wandering,
    wrongs,
)
from agent.skills.checks import busy, drawn, formulas, labelled, limits, looks, starting
from agent.skills.checks.instruments import is_note
from agent.skills.checks.labelled import packed
from agent.skills.checks.sized import size_of
from agent.skills.checks.sums import free_from
from agent.skills.checks.turning import place_shown, steps_to
from agent.skills.checks.units import unit_named
from agent.skills.controls import beside
from agent.skills.entered import entered_by
from agent.skills.governing import governs
from agent.skills.survey import Candidate, Survey, expects, mark_concepts, target_of
from agent.tongues import spoken
from agent.words import concepts, keywords, language_of, says, sentences
from tools.browser.actions import Click, Press, Select, Wait
from tools.browser.marks import Mark

SKILLS = (
    recovery,
    recording,
    timbre,
    listening,
    rotating,
    pacing,
    calculator,
    converting,
    timers,
    simulations,
    comparing,
    quizzes,
    games,
    editors,
    replacing,
    repeaters,
    forms,
    mending,
    amounts,
    merging,
    amending,
    cancelling,
    undoing,
    unique,
    locking,
    live_fields,
    wrongs,
    oddities,
    long_words,
    redeeming,
    reopening,
    ranges,
    lists,
    uncovering,
    deleting,
    outnumbered,
    later_pages,
    boxed,
    searching,
    narrowing,
    dragging,
    canvases,
    hints,
    diagrams,
    themes,
    choices,
    keyboard,
    number_keys,
    buttons,
    navigation,
    revisiting,
    returning,
    layers,
    persistence,
    reappearing,
    waiting,
    halting,
    phones,
    wandering,
    missing,
)
"""In the order in which equals are preferred."""

ONCE = (
    recording,
    listening,
    pacing,
    calculator,
    converting,
    simulations,
    comparing,
    quizzes,
    editors,
    wrongs,
    boxed,
    ranges,
    searching,
    dragging,
    canvases,
    hints,
    diagrams,
    themes,
    keyboard,
    locking,
    navigation,
    oddities,
    revisiting,
    returning,
    phones,
    wandering,
    missing,
)
"""What a second round leaves out: it told what it can tell, or (drawing) what is there already stands in its way."""

_COUNTDOWN = re.compile(r"\bcount(?:ing)?[- ]?downs?\b|compte à rebours|cuenta (?:atrás|regresiva)|倒计时", re.IGNORECASE)
_TIMED_BY = frozenset({"start", "pause", "resume", "reset"})
"""What a countdown that somebody starts has a button for."""
_CALCULATES = "calculator"
_GOVERNING = frozenset({"choose an option", "set a date", "press a button", "sweep a slider", "tick a box"})
SAME_ACT = 3
"""The same act is done at most so often in a run; keys of a calculator, waits, and closing what lies over the page more often."""
MORE_OFTEN = 8
CLEARED = 40
"""Times a calculator is cleared: before each of its sums, which are counted where they are made."""
_OFTEN = (_CALCULATES, "step on", "hold a steering key", comparing.RESTART, comparing.START, *layers.CLOSES)
_AGAIN = frozenset(
    {
        *("second attempt", "return to the site", "reload a garbled page"),
        *("resume a game", "pause a game", playing.FOCUS_OFF, playing.ANEW, keyed.ANEW, keyed.TURNED, returning.SKILL),
        *resuming.STOPPED_AGAIN,
    }
)
"""What may be done twice on the same state: a game's rounds begin alike."""
ANOTHER_STRATEGY = 30.0
"""What a skill loses while its last steps changed nothing."""
MOST_CONTENTS = 8
LONG_LOOK_MS = 1000.0
"""What is drawn may stand through a shorter wait."""
LEAST_SIZES = 2
_LEVEL = re.compile(r"(?:medium|normal|moderate|mittel|moyen|medio|中等|普通)\b", re.IGNORECASE)
"""Beside what is called so, `Easy` is how hard something is to be, not how a card was known."""
_SHOWN = frozenset({"feature", "content", "control"})
_SUMS = "total subtotal balance 总计 合计 结余"


class Curious:
    """Decides by rule: a pure function of the view and the seed. `seed` chooses among equals, such as which cells of a board."""

    name = "curious"

    def __init__(self, seed: int, *, second_round: bool = False) -> None:
        """`second_round`: where all was tried and there is time, the page is used once more; see `rounds`."""
        self._seed = seed
        self._second_round = second_round

    async def decide(self, view: View) -> Decision:
        """The next step, or a stop with reason `covered` when nothing is left that is worth trying."""
        part, again = rounds.of_this_round(view)
        survey = Survey(part, self._seed, again=again)
        best = None if again and rounds.over(part) else next(rank(survey), None)
        best = best or (None if again else next(iter(missing.last_look(survey)), None))
        if best is None and self._second_round and not again and rounds.worth_another(view):
            return with_contents(rounds.begin(), survey)
        if best is None:
            return Decision(action=None, why="nothing is left that is worth trying", stop="covered")
        return with_contents(best.decision, Survey(view, self._seed))


def rank(survey: Survey) -> Iterator[Candidate]:
    """All that could be done next, best first; what would only repeat itself is left out."""
    skills = [skill for skill in SKILLS if not (survey.again and skill in ONCE)]
    proposed = (_weighed(survey, candidate) for skill in skills for candidate in skill.propose(survey))
    done = Counter(
        f"{step.decision.skill}#{normalised(step.decision.action)}" for step in survey.steps if step.decision.action is not None
    )
    ordered = sorted(proposed, key=lambda candidate: -candidate.priority)
    return (candidate for candidate in ordered if _fresh(survey, candidate, done))


def _fresh(survey: Survey, candidate: Candidate, done: Counter[str]) -> bool:
    """Whether a candidate was not done too often, neither at all nor on this very state of the page."""
    decision = candidate.decision
    if decision.action is None:
        return False
    often = decision.action.act == "wait" or decision.skill.startswith(_OFTEN)
    limit = quizzes.MOST_ANSWERS if decision.skill == quizzes.GO_ON else MORE_OFTEN if often else SAME_ACT
    limit = CLEARED if decision.skill == keypads.CLEAR else limit
    if done and done[f"{decision.skill}#{normalised(decision.action)}"] >= limit:
        return False
    if decision.skill.startswith(_CALCULATES):
        return True  # sums that begin with one digit begin on one state of the display, however many there are
    # Where a key did nothing the page is as it was, and one more press has to tell; arrows may be for a view that is not open.
    pressed = decision.action.keys if isinstance(decision.action, Press) and decision.skill.startswith("press ") else ()
    key = bool(pressed) and not any(one.startswith("Arrow") for one in pressed)
    again = often or key or decision.skill in _AGAIN
    return survey.repeats(decision.action) < (2 if again else 1) or decision.action.act == "wait"


def _weighed(survey: Survey, candidate: Candidate) -> Candidate:
    """While nothing reacts, other skills than the last ones are preferred: the strategy changes."""
    if survey.stagnation < IDENTICAL_BEFORE_CHANGE:
        return candidate
    latest = {step.decision.skill for step in survey.steps[-IDENTICAL_BEFORE_CHANGE:]}
    if candidate.decision.skill not in latest:
        return candidate
    return replace(candidate, priority=candidate.priority - ANOTHER_STRATEGY)


def with_contents(decision: Decision, survey: Survey) -> Decision:
    """Lets the step also look whether what the brief wants shown is readable now."""
    wanted: list[Expectation] = []
    for promise in survey.view.plan.promises:
        if promise.aspect == "content" and promise.id not in survey.settled and len(wanted) < MOST_CONTENTS:
            words = [word for word in promise.keywords if not word.startswith("@")]
            wanted.append(expects("mentions", f'the page shows: "{promise.text[:80]}"', promise.id, words="\n".join(words)))
    wanted.append(expects("counts_agree", "a number of entries is how many there are", key="counts"))
    shop = float(survey.domain == "shop")
    wanted.append(expects("count_follows", "a number of entries follows what narrows them", key="count shown", shop=shop))
    wanted.append(expects("sums_agree", "what the page adds up is right", survey.promise_about(_SUMS, _SHOWN).id, key="sums"))
    limit = free_from(survey.view.brief) or free_from(survey.now.text[:3000])
    if limit:
        ship = survey.promise_about("shipping delivery free 运费 包邮", _SHOWN).id
        wanted.append(expects("shipping_free", f"from {limit:g} shipping is free", ship, limit=limit, key="free shipping"))
    wanted.append(expects("words_agree", "the number of words is the text's", key="words"))
    told = any(one.oracle == "seconds_run" and one.held is not None for step in survey.steps for one in step.outcomes)
    runs = _COUNTDOWN.search(survey.view.brief) and not any(mark_concepts(mark) & _TIMED_BY for mark in survey.now.marks)
    if runs and not told:  # once is enough: every step is another place
        counting = survey.promise_about("countdown live seconds 倒计时", _SHOWN).id
        wanted.append(expects("seconds_run", "the countdown runs", counting, key="countdown"))
    wanted.append(expects("pages_fit", "there are as many pages as entries need", key="pages"))
    wanted.append(expects("place_possible", "the page shown is one of those there are", key="place among pages"))
    wanted.append(expects("in_tune", "a note has the frequency of its name", key="notes"))
    wanted.append(expects("share_agrees", "the share that is done is what is done of all", key="share"))
    wanted.append(expects("heads_follow", "the number in a list's head follows the list", key="heads"))
    wanted.append(expects("dues_agree", "what is called overdue is", survey.promise_about("overdue 逾期", _SHOWN).id, key="dues"))
    if limits.AT_OR_BELOW.search(survey.view.brief):
        low = survey.promise_about("at or below limit low 低于 不足", _SHOWN).id
        wanted.append(expects("limit_counts", "what stands right at its limit is counted with those below", low, key="limits"))
    convert, by = survey.promise_about("convert 换算", _SHOWN).id, entered_by(survey)
    wanted.append(expects("converted", "what is converted is right", convert, key="units", made_by=by))
    wanted.append(expects("nights_agree", "there are as many nights as lie between the dates", convert, key="nights"))
    wanted.append(expects("records_apart", "each peak is that of its own quantity", key="peaks"))
    wanted += [*_of_looks(survey), *_of_words(survey)]
    if isinstance(decision.action, Wait) and decision.action.ms >= LONG_LOOK_MS:
        chart = survey.promise_about("chart plot canvas graph 图表 画布", _SHOWN, ("chart",)).id
        wanted.append(expects("drawings_run", "what is drawn goes on with its figures", chart, key="drawings that run"))
    wanted += _of_places(decision, survey)
    if formulas.entered(survey.now):
        result = survey.promise_about("calculate result formula 计算 结果", _SHOWN).id
        first = packed(dict(formulas.entered(survey.view.past[0] if survey.view.past else survey.now) or {}))
        text = "what is calculated is what its formula gives"
        wanted.append(expects("formula_holds", text, result, key="formula", first=first, made_by=by))
        wanted.append(expects("class_agrees", "the class is that of the index", result, key="class of an index", made_by=by))
    wanted += _of_charts(decision, survey)
    average = survey.promise_about("average mean 平均", _SHOWN)
    if average.id:  # though its promise be settled: what else is in it (a chart) may have held
        wanted.append(expects("average_agrees", "the average is the total divided by the number", average.id, key="average"))
    return replace(decision, expectations=(*decision.expectations, *wanted))


def _of_words(survey: Survey) -> list[Expectation]:
    """A page for a brief that is not English is in its language throughout; what is said to be under way ends."""
    told, waits = list[Expectation](), busy.under_way((*survey.view.past, survey.now))
    if waits is not None:
        told.append(expects("busy_ends", f'"{waits[0]}" ends', line=waits[0], since_ms=waits[1], key=f"busy {waits[0]}"))
    brief = survey.view.brief[:2000]
    language = language_of("", brief)
    if language != "en" or spoken().page:
        text = "all of the page is in the brief's language"
        told.append(expects("in_one_language", text, language=language, brief=brief, key="words"))
    return told


def _of_looks(survey: Survey) -> list[Expectation]:
    """A list of steps marks the step shown; a key of an instrument that was let go looks as it did."""
    told = list[Expectation]()
    if looks.NAMES_STEPS.search(survey.view.brief):
        steps = survey.promise_about("progress steps step 进度 步骤", _SHOWN).id
        told.append(expects("steps_follow", "the list of steps marks the step that is shown", steps, key="list of steps"))
    notes = [step.acted_id for step in survey.steps if (aim := target_of(step)) is not None and is_note(aim.name)]
    if survey.domain == "music" and notes and not looks.keys_stay(survey.view.brief):
        made = " ".join(notes[-looks.STILL_LIT :])
        told.append(expects("released", "a key that was let go looks as before", key="keys let go", made_by=made))
    return told


def _of_places(decision: Decision, survey: Survey) -> list[Expectation]:
    """A press on `Next` or `Previous` leads one place on or back, where the page shows the place; a unit chosen is shown."""
    action = decision.action
    target = getattr(action, "target", None)
    if target is None or not isinstance(action, Click | Select):
        return []
    mark = next((one for one in survey.now.marks if (one.signature, one.selector) == (target.signature, target.selector)), None)
    if mark is None:
        return []
    told = list[Expectation]()
    if isinstance(action, Click) and mark_concepts(mark) & {"reset", "restart"} and survey.view.past:
        first, shown = drawn.as_lines(survey.view.past[0]), packed(labelled.figures(survey.view.past[0]))
        text = "what is drawn begins anew with its figures"
        told.append(expects("drawn_anew", text, survey.match(mark).id, first=first, figures=shown, key=f"anew {mark.signature}"))
    if isinstance(action, Click) and mark_concepts(mark) & {"next", "previous"} and not drawn.LONGER.search(survey.view.brief):
        chart = survey.promise_about("chart month 图表 月", _SHOWN, ("chart",)).id
        told.append(expects("month_drawn", "the chart is that of the month shown", chart, key="months"))
    if isinstance(action, Click) and steps_to(mark) and place_shown(survey.now) is not None:
        told.append(expects("turns", f'"{mark.name}" leads one place on or back', key=f"turns {steps_to(mark)}"))
    levels = any(_LEVEL.match(one.name.strip()) for one in beside(mark, survey.now.marks))
    if isinstance(action, Click) and says("grades", mark.name) and not levels:
        shown = survey.promise_about("progress session 进度", _SHOWN).id
        told.append(expects("progress_moves", "the progress goes on with each that is known", shown, key="progress"))
    begun = starting.chosen_to_begin(survey.now) if mark_concepts(mark) & {"start", "restart"} else None
    if begun is not None and isinstance(action, Click):
        text, level = f'it begins with "{begun[0]}" {begun[1]:g}', survey.promise_about(f"start {begun[0]} choose", _SHOWN).id
        told.append(expects("begins_with", text, level, label=begun[0], value=begun[1], key=f"begins with {begun[0]}"))
    told += _of_size(action, mark, survey)
    names = dict(zip(mark.options, mark.option_names, strict=False))
    unit = unit_named(names.get(action.value, action.value) if isinstance(action, Select) else mark.name)
    if unit and not any(one.oracle == "value_kept" and one.params.get("submitted") for one in decision.expectations):
        told.append(expects("unit_follows", f'figures are given in "{unit}"', survey.match(mark).id, unit=unit, key="unit"))
    return told


def _of_size(action: Click | Select, mark: Mark, survey: Survey) -> list[Expectation]:
    """A choice among sizes of a board (`Beginner 9×9`, `Expert 30×16`) gives a board of that size."""
    row = [one.name for one in beside(mark, survey.now.marks)] if isinstance(action, Click) else list(mark.option_names)
    names = dict(zip(mark.options, mark.option_names, strict=False))
    own = names.get(action.value, action.value) if isinstance(action, Select) else mark.name
    sizes = {name: size for name in row if (size := size_of(name, survey.view.brief)) is not None}
    if own not in sizes or len(sizes) < LEAST_SIZES:
        return []
    one, other = sizes[own]
    others = " ".join(str(rows * columns) for name, (rows, columns) in sizes.items() if name != own)
    told = f"the board has {one} × {other} cells"
    return [expects("sized", told, survey.match(mark).id, cells=float(one * other), others=others, key=f"size {own}")]


def _of_charts(decision: Decision, survey: Survey) -> list[Expectation]:
    """Charts and totals are to follow a choice of a period, a place and the like, where the brief wants all of it to follow."""
    if decision.skill not in _GOVERNING and not decision.skill.startswith("fill form "):
        return []
    target = getattr(decision.action, "target", None)
    mark = next((one for one in survey.now.marks if target is not None and one.selector == target.selector), None)
    if mark is None or not (governs(mark, survey.view.brief) or _charted_by(decision, survey)):
        return []
    chart = survey.promise_about("chart graph 图表", _SHOWN, ("chart",)).id
    total = survey.promise_about(_SUMS, _SHOWN).id
    told = [expects("totals_follow", "totals follow the choice", total, key="totals")]
    if not chart:
        return told
    # A chart may follow one control and ignore another: what the one moved is no answer for the other.
    own = expects("drawings_follow", f'the charts follow "{mark.name[:40]}"', chart, key=f"drawings {mark.signature}")
    return [*told, expects("drawings_follow", "the charts follow the choice", chart, key="drawings"), own]


def _charted_by(decision: Decision, survey: Survey) -> bool:
    """Whether the brief names the choice in the sentence that asks for the chart: "a chart for the last 7, 14 or 28 days"."""
    target = getattr(decision.action, "target", None)
    words = set(keywords(target.name)) if target is not None else set[str]()
    said = sentences(" ".join(survey.view.brief.split()))
    return bool(words) and any("chart" in concepts(one) and words <= set(keywords(one)) for one in said)
