"""Single controls that hold a value: boxes, radio buttons, selects, sliders, colours, dates that belong to no form."""

from __future__ import annotations

import re
from collections import Counter

from agent.deciders.protocol import Expectation
from agent.skills.boxed import SWITCH
from agent.skills.checks.listed import contents, direction, searchable
from agent.skills.checks.prices import names_price
from agent.skills.checks.relations import live_figures, related
from agent.skills.comparing import still_figures
from agent.skills.controls import Kind, forms, is_filter, kind_of, patterned
from agent.skills.forms import enter, only_choices
from agent.skills.governing import governs
from agent.skills.survey import Candidate, Match, Survey, because, candidate, expects, label_follows, mark_concepts, target_of
from agent.skills.tallies import tallies
from agent.skills.values import nearby_date, option_for, range_value, value_for
from agent.tongues import ALWAYS
from agent.words import clock_times, concepts, folded, keywords, says
from tools.browser.actions import Click, Press, Select, SetValue, Target
from tools.browser.marks import Mark

BASE, AGAIN, PRICED, CHOSEN_FIRST = 42.0, 86.0, 84.0, 96.0
ENOUGH_PRICED, LEAST_ORDERED = 2, 4
MOST_OF_A_GROUP = 3
MANY_ALIKE = 6
"""So many boxes called by one word and something else ("Select Anna", "Select Ben") stand at the entries of a list."""
_TICKS = ("☑", "☐")
MOST_ORDERS, MOST_ASKED = 2, 2
LIKE_SLIDERS = 2
_PRICE = re.compile(r"\bprices?\b|\bpricing\b|价", re.IGNORECASE)
_SUM = re.compile(r"\bprices?\b|\btotals?\b|\bcosts?\b|价|费|合计|总计", re.IGNORECASE)
_GRID = re.compile(r"\bgrid(?:s|lines?)?\b|网格", re.IGNORECASE)
_SHOW = re.compile(
    r"(?:show|hide|display|highlight)\b|显示|隐藏|(?:zeige|zeigen|anzeigen|afficher|masquer|mostrar|ocultar)\b", re.IGNORECASE
)
LEAST_CELLS = 25
_LATER = frozenset({"silent", "sound", "generate", "draw", "start"})
"""What shows only at the next stroke, round or sound."""
ONCE_NAMED = re.compile(
    r"\b(?:launch|fire|shoot|throw|drop|release|simulate|roll|spin|deal|(?:ab)?feuern|schießen|werfen|würfeln|simulieren|"
    r"tirer|lancer|simuler|disparar|lanzar|simular)\b|发射|投掷|抛出",
    re.IGNORECASE,
)
"""What a button is called that does a thing once, by the values set before."""

TO_THE_END, AT_THE_END, MOST_ENDS = "set a slider to its end", 22.0, 4


def propose(survey: Survey) -> list[Candidate]:
    """Each such control once (sliders at both ends), at most three of a group."""
    found: list[Candidate] = []
    for mark in survey.usable:
        kind = kind_of(mark)
        if kind is Kind.range:
            found += _slider(survey, mark)
        elif kind is Kind.select and not mark.readonly and _left(survey, mark) and not _too_few(survey, mark):
            found.append(_choose(survey, mark))
        elif (survey.tried(mark) and not _once_more(survey, mark)) or (not survey.tried(mark) and _sampled(survey, mark)):
            continue
        elif kind in (Kind.checkbox, Kind.radio) and not (kind is Kind.radio and mark.checked):
            found.append(_tick(survey, mark))
        elif kind is Kind.colour:
            found.append(_set(survey, mark))
    return [*found, *_dates(survey)]


def _once_more(survey: Survey, mark: Mark) -> bool:
    """Whether nothing followed a box the only time it was ticked, so that taking that back has to tell."""
    return kind_of(mark) is Kind.checkbox and len(survey.tried(mark)) == 1 and _undecided(survey, mark)


def _too_few(survey: Survey, mark: Mark) -> bool:
    """Whether a select orders a list of which a filter leaves too few to tell an order by, while more were shown before."""
    if not _sorts(mark):
        return False
    now, most = (
        max((one.count for one in contents(page)), default=0)
        for page in (survey.now, survey.view.past[0] if survey.view.past else survey.now)
    )
    return now < LEAST_ORDERED <= most


def _dates(survey: Survey) -> list[Candidate]:
    """Dates that no form takes in: a filter's, moved a little within what they show; once more where nothing followed."""
    in_forms = {mark.id for form in forms(survey.usable) for mark in form.fields}
    found = []
    for mark in survey.usable:
        times = len(survey.tried(mark))
        if kind_of(mark) is not Kind.date or mark.id in in_forms or mark.readonly or times > _undecided(survey, mark):
            continue
        match = survey.match(mark, ("filter",))
        narrowed = nearby_date(mark, survey.now, turn=times)
        value = narrowed or value_for(mark, survey.now)
        told = [expects("value_kept", f"the field keeps {value}", match.id, value=value)]
        if match.id and narrowed and not _taker(survey, mark):
            told.append(expects("choice_follows", f"the page follows the date {value}", match.id, key=f"date {mark.signature}"))
        if narrowed and governs(mark, survey.view.brief):
            told.append(expects("figures_follow", f"the figures follow the date {value}", match.id, key=f"all {mark.signature}"))
        why = because(match, survey, "another date")
        priority = AGAIN if times else survey.worth(BASE, mark, match)
        found.append(candidate(priority, SetValue(target=Target.of(mark), value=value), why, "set a date", *told))
    return found


def _sampled(survey: Survey, mark: Mark) -> bool:
    """Whether three of its kind were tried already: of its group, or at the entries of a list, on whatever page of it.

    Of boxes that say which kinds of entries are shown one was enough: with all of them off nothing is left to be tried.
    """
    switched = (target_of(step) for step in survey.steps if step.decision.skill == SWITCH)
    if any(one is not None and patterned(one) == patterned(mark) for one in switched):
        return True
    if _at_an_entry(survey, mark):
        ticked = [target_of(step) for step in survey.steps if step.decision.skill == "tick a box" and step.acted.delivered]
        return sum(1 for one in ticked if one is not None and _begins_alike(one, mark)) >= MOST_OF_A_GROUP
    if _of_a_list(survey, mark):
        ticked = [target_of(step) for step in survey.steps if step.decision.skill == "tick a box" and step.acted.delivered]
        lists = sum(1 for one in ticked if one is not None and one.role == mark.role and "nth-of-type" in one.selector)
        return lists >= MOST_OF_A_GROUP
    if not mark.group:
        return False
    siblings = [other for other in survey.now.marks if other.group == mark.group]
    return len(siblings) > MOST_OF_A_GROUP and sum(1 for other in siblings if survey.tried(other)) >= MOST_OF_A_GROUP


def _of_a_list(survey: Survey, mark: Mark) -> bool:
    """Whether it ticks an entry that was put into a list of contents, however many lists they are spread over.

    What was there from the start may be a switch for something of its own.
    """
    if kind_of(mark) is not Kind.checkbox or survey.age(mark) is None or "nth-of-type" not in mark.selector:
        return False
    name = folded(mark.name)
    rows = (row for listing in contents(survey.now) for row in listing.items if any(cell in _TICKS for cell in row))
    return any(len(cell) > 1 and folded(cell) in name for row in rows for cell in row if cell not in _TICKS)


def _at_an_entry(survey: Survey, mark: Mark) -> bool:
    if kind_of(mark) is not Kind.checkbox:
        return False
    alike = [other for other in survey.now.marks if other.role == mark.role]
    return len(alike) >= MANY_ALIKE and sum(1 for other in alike if _begins_alike(other, mark)) >= MANY_ALIKE


def _begins_alike(one: Mark | Target, other: Mark) -> bool:
    """Whether two boxes are of one role and called by one word and something else."""
    words, others = folded(one.name).split(), folded(other.name).split()
    return one.role == other.role and len(words) > 1 and words[:1] == others[:1] and len(others) > 1


def _tick(survey: Survey, mark: Mark) -> Candidate:
    match = survey.match(mark, ("toggle",) if mark.role == "switch" else ())
    told = expects("toggles", f'"{mark.name}" changes its state', match.id)
    why = because(match, survey, f"a {kind_of(mark).value} that was not tried yet")
    if _must_be_chosen(survey, mark):
        why = "one of them has to be chosen before the next step"
        return candidate(survey.worth(CHOSEN_FIRST, mark, match), Click(target=Target.of(mark)), why, "tick a box", told)
    act, also = Click(target=Target.of(mark)), tallies(survey, mark)
    lines, promised = _of_a_grid(survey, mark), _shows_what_is_promised(survey, mark)
    shows = says("shows_or_hides", mark.name) and kind_of(mark) is Kind.checkbox
    if shows and (survey.now.drawings or lines or promised):
        key, text = f"switch {mark.signature}", f'the page follows "{mark.name}"'
        also = (*also, expects("switch_follows", text, match.id, key=key, seen=float(lines), promised=float(promised)))
    elif names_price(mark) is not None and kind_of(mark) is Kind.checkbox:
        live = float(any(_SUM.search(one.text) and says("always_shown", one.text) for one in survey.promises))
        text = f'the price follows "{mark.name}" by what it costs'
        also = (*also, expects("costs_as_said", text, match.id, live=live, brief=survey.view.brief[:2000], key="priced box"))
        # What else a form asks for leads on, and the box is gone.
        few = sum(1 for step in survey.steps if any(one.oracle == "costs_as_said" for one in step.decision.expectations))
        base = PRICED if few < ENOUGH_PRICED else BASE
        return candidate(survey.worth(base, mark, match), act, why, "tick a box", told, *also)
    elif _switches_what_is_shown(survey, mark, match):
        told_by_text = float(any(_PRICE.search(one.text) for one in survey.promises if one.id == match.id))
        key = f"switch {mark.signature}"
        shown = expects("choice_follows", f'the page follows "{mark.name}"', match.id, key=key, text=told_by_text)
        also = (*also, shown)
    return candidate(survey.worth(BASE, mark, match), act, why, "tick a box", told, *also)


def _shows_what_is_promised(survey: Survey, mark: Mark) -> bool:
    """Whether it is called `Show …` after something that the brief speaks of, of which there may not be none (`completed`)."""
    words = set(keywords(mark.name)) - {word for word in keywords(mark.name) if says("shows_or_hides", word)}
    some = concepts(mark.name) & {"complete", "filter", "archive", "error", "favourite", "done"}
    begins = _SHOW.match(mark.name.strip()) is not None
    return begins and not some and bool(words & set(keywords(survey.view.brief)))


def _of_a_grid(survey: Survey, mark: Mark) -> bool:
    """Whether it shows or hides the lines of a grid whose many cells are in sight."""
    groups = Counter(one.group for one in survey.now.marks if one.group and not one.name.strip() and one.in_view)
    return bool(_GRID.search(mark.name)) and any(count >= LEAST_CELLS for count in groups.values())


def _must_be_chosen(survey: Survey, mark: Mark) -> bool:
    """Whether it is the second of several radio buttons of which none is chosen yet, in a step that leads on to another."""
    if kind_of(mark) is not Kind.radio or survey.domain in ("quiz", "game"):
        return False
    row = [one for one in survey.usable if (one.role, one.frame, one.context) == (mark.role, mark.frame, mark.context)]
    chosen = any(one.checked or survey.tried(one) for one in row)
    leads_on = any(kind_of(one) is Kind.button and says("next_like", one.name) for one in survey.usable)
    return leads_on and not chosen and len(row) > 1 and row[-1 if survey.again else 1].id == mark.id


def _switches_what_is_shown(survey: Survey, mark: Mark, match: Match) -> bool:
    """Whether the brief asks for this very switch ("a switch to yearly prices"), and for none that may work unseen.

    Beside a button that starts something it may set how that goes the next time.
    """
    promise = next((one for one in survey.promises if one.id == match.id), None)
    if promise is None or "toggle" not in concepts(promise.text) or concepts(promise.text) & _LATER or _taker(survey, mark):
        return False
    return bool(set(keywords(mark.name)) & set(keywords(promise.text)))


def _of_an_entry(survey: Survey, mark: Mark) -> bool:
    """Whether a form takes it in, with what else is filled in there: then it says what an entry is, and narrows no list."""
    return any(form.button is not None and not form.single and mark in form.fields for form in forms(survey.usable))


def _choose(survey: Survey, mark: Mark) -> Candidate:
    match = survey.match(mark, ("select",))
    value = _option(survey, mark)
    name = dict(zip(mark.options, mark.option_names, strict=False)).get(value, value)
    told = [expects("value_kept", f'"{name}" is chosen', match.id, value=value)]
    if _sorts(mark):
        told.append(expects("ordered", f'the list is in the order "{name}"', match.id, by=name, chosen=1.0, key=f"sort {name}"))
    elif searchable(survey.now, name) and (is_filter(mark) or not _of_an_entry(survey, mark)):
        key = f"choose {mark.signature}"
        told.append(expects("filtered", f'only what is "{name}" is shown', match.id, word=name, sure=1.0, key=key))
    else:
        told += _followed(survey, mark, match, name)
    if governs(mark, survey.view.brief):
        told.append(expects("figures_follow", f'the figures follow the choice "{name}"', match.id, key=f"all {mark.signature}"))
    why = because(match, survey, "a select has other options")
    again = _undecided(survey, mark) or (_sorts(mark) and bool(survey.tried(mark)) and survey.last is survey.tried(mark)[-1])
    priority = AGAIN if again else survey.worth(BASE - 6 * len(survey.tried(mark)), mark, match)
    return candidate(priority, Select(target=Target.of(mark), value=value), why, "choose an option", *told)


def _followed(survey: Survey, mark: Mark, match: Match, name: str) -> list[Expectation]:
    """Something must follow the choice where the brief asks for it and no button takes it in later."""
    in_form = any(mark in (*form.fields, *form.choices) and not only_choices(form) for form in forms(survey.usable))
    if not match.id or in_form or survey.domain in ("game", "form", "quiz") or mark_concepts(mark) & _LATER:
        return []
    wrote = _wrote(survey, mark)
    if _taker(survey, mark, starts=False) and not wrote:
        return []
    worked = wrote or any(told.held for step in survey.tried(mark) for told in step.outcomes if told.oracle == "choice_follows")
    key = f"choice {name} {mark.signature}" if worked else f"choice {mark.signature}"
    return [expects("choice_follows", f'the page follows the choice "{name}"', match.id, key=key, worked=float(worked))]


def _wrote(survey: Survey, mark: Mark) -> bool:
    """Whether the text of a page that stood still changed at once at another choice: then no button has to take one in."""
    for step in survey.tried(mark):
        before = survey.observation(step.acted.before)
        still = before is not None and not before.moving and not before.animated
        if step.decision.skill == "choose an option" and step.acted.changes.text and still:
            return True
    return False


def _sorts(mark: Mark) -> bool:
    """Whether a select orders a list: it says so, or most of its options name an order."""
    named = sum(1 for name in mark.option_names if direction(name))
    return says("sort", f"{mark.name} {mark.placeholder}") or named >= 2


def _option(survey: Survey, mark: Mark) -> str:
    """The option to choose next: of a select that orders a list each that names a direction, else one in the middle."""
    chosen = {getattr(step.decision.action, "value", "") for step in survey.tried(mark)}
    if _sorts(mark):
        names = dict(zip(mark.options, mark.option_names, strict=False))
        fresh = [value for value in mark.options if direction(names.get(value, "")) and value not in chosen | {mark.value}]
        return fresh[0] if fresh else "" if chosen else option_for(mark, survey.now)
    fresh = [value for value in mark.options if value and value not in chosen | {mark.value}]
    telling = _telling(survey, mark, fresh)
    if _undecided(survey, mark):
        return next(iter([*telling, *fresh]), "")
    if chosen:
        return next(iter(_asked_for(survey, mark, fresh)), "")
    return next(iter([*telling, option_for(mark, survey.now)]))


def _left(survey: Survey, mark: Mark) -> bool:
    """Whether another of its options is worth choosing."""
    most = MOST_ORDERS + min(len(_asked_for(survey, mark, list(mark.options))), MOST_ASKED)
    return len(survey.tried(mark)) < most and bool(_option(survey, mark))


def _asked_for(survey: Survey, mark: Mark, values: list[str]) -> list[str]:
    """Options that the brief names one by one ("a glider or a pulsar"), of a select that filters or orders nothing."""
    if is_filter(mark) or _sorts(mark) or _of_an_entry(survey, mark):
        return []
    names = dict(zip(mark.options, mark.option_names, strict=False))
    brief = set(keywords(survey.view.brief))
    return [one for one in values if one and (words := set(keywords(names.get(one, one)))) and words <= brief]


def _telling(survey: Survey, mark: Mark, values: list[str]) -> list[str]:
    """Options of a filter that some entries in sight hold and others do not: what is left of them tells."""
    names = dict(zip(mark.options, mark.option_names, strict=False))
    return [value for value in values if is_filter(mark) and searchable(survey.now, names.get(value, value))]


def _undecided(survey: Survey, mark: Mark) -> bool:
    """Whether nothing followed the only choice made so far, so that another has to tell."""
    tried = survey.tried(mark)
    return bool(tried) and any(
        told.oracle in ("choice_follows", "figures_follow", "filtered", "switch_follows") and told.held is None and told.attempts
        for told in tried[-1].outcomes
    )


def _set(survey: Survey, mark: Mark) -> Candidate:
    match = survey.match(mark)
    value = value_for(mark, survey.now)
    kept = expects("value_kept", f"the control keeps {value}", match.id, value=value)
    return candidate(
        survey.worth(BASE - 4, mark, match), enter(mark, value), because(match, survey, "another colour"), "set a value", kept
    )


def _slider(survey: Survey, mark: Mark) -> list[Candidate]:
    """A slider near its largest, then near its smallest value; one that is no native input takes arrow keys."""
    times = len([step for step in survey.tried(mark) if step.decision.skill != TO_THE_END])
    if times >= 2:
        return _to_the_end(survey, mark)
    match = survey.match(mark, ("slide",))
    why = because(match, survey, "a slider, near its largest and near its smallest value")
    native = mark.tag == "input"
    told = [_follows(survey, mark, match)]
    if native:
        value = range_value(mark, high=times == 0)
        told.append(expects("value_kept", f"the slider stays at {value}", match.id, value=value))
        told.append(label_follows(survey, mark, match))
        if related(mark):
            told.append(_as_named(survey, mark, match))
        counts = says("how_many", mark.name) and survey.now.moving > 0 and not _taker(survey, mark)
        if counts:
            told.append(expects("crowds", f'"{mark.name}" changes how much moves', match.id, key=f"crowds {mark.selector}"))
        return [
            candidate(
                survey.worth(BASE + 2 - 4 * times, mark, match) if not (counts and times) else AGAIN,
                SetValue(target=Target.of(mark), value=value),
                why,
                "sweep a slider",
                *told,
            )
        ]
    if survey.now.focused == mark.id:
        press = Press(keys=("ArrowRight",) * 4 if times == 0 else ("ArrowLeft",) * 6)
        return [candidate(survey.worth(BASE + 2, mark, match), press, why, "sweep a slider")]
    grip = Click(target=Target.of(mark, dx=0.3 if times == 0 else -0.3))
    return [
        candidate(
            survey.worth(BASE - 2 - 4 * times, mark, match),
            grip,
            why,
            "sweep a slider",
            expects("responds", "the slider moves", match.id),
        )
    ]


def _to_the_end(survey: Survey, mark: Mark) -> list[Candidate]:
    """A slider that text follows, set to its very last and first value once: what is computed there must be a number still."""
    tried = [step for step in survey.tried(mark) if step.acted.delivered]
    done = sum(1 for step in tried if step.decision.skill == TO_THE_END)
    ends = [value for value in (mark.maximum, mark.minimum) if value and value != mark.value]
    if (
        mark.tag != "input"
        or done >= len(ends)
        or survey.count(TO_THE_END) >= MOST_ENDS
        or not any(step.acted.changes.text for step in tried)
    ):
        return []
    act = SetValue(target=Target.of(mark), value=ends[done])
    return [candidate(survey.worth(AT_THE_END, mark), act, "what is computed at its very end", TO_THE_END)]


def _follows(survey: Survey, mark: Mark, match: Match) -> Expectation:
    """What has to follow a slider; a live result is asked for only where the brief says so and nothing it needs is empty."""
    live = any(says("live", promise.text) for promise in survey.view.plan.promises)
    empty = any(
        kind_of(other) in (Kind.text, Kind.number) and not other.value for other in survey.now.marks if other.frame == mark.frame
    )
    waits = any(mark in form.choices and form.button is not None for form in forms(survey.usable))
    waits = waits or (_taker(survey, mark) and not _fellows_followed(survey, mark))
    return expects(
        "follows",
        "what depends on the slider follows it",
        match.id,
        result=float(live and not empty and not clock_times(survey.now.text)),
        waits=float(waits or survey.now.animated),
        key=f"slider {mark.signature} {mark.selector}",
    )


def _fellows_followed(survey: Survey, mark: Mark) -> bool:
    """Whether the page followed two other sliders at once, so that none of them waits for a button."""
    followed = {
        target.selector
        for step in survey.steps
        if step.decision.skill == "sweep a slider" and any(told.oracle == "follows" and told.held for told in step.outcomes)
        if (target := target_of(step)) is not None and target.frame == mark.frame
    }
    return len(followed - {mark.selector}) >= LIKE_SLIDERS


def _as_named(survey: Survey, mark: Mark, match: Match) -> Expectation:
    """What is known to depend on such a control goes the known way; `live` are figures that other controls moved at once."""
    seen = {one.id: one for one in (*survey.view.past, survey.now)}
    live: set[str] = set()
    still = still_figures(survey.steps, seen) if survey.now.moving else set[str]()
    for step in survey.steps:
        before, after, target = seen.get(step.acted.before), seen.get(step.acted.after), target_of(step)
        if step.decision.skill == "sweep a slider" and before and after and target and target.selector != mark.selector:
            live |= set() if before.moving else set(live_figures(before, after))
    said = "what depends on it goes the right way"
    words = {"live": "\n".join(sorted(live)), "still": "\n".join(sorted(still))}
    return expects("as_named", said, match.id, key=f"named {mark.signature} {mark.selector}", **words)


def _taker(survey: Survey, mark: Mark, *, starts: bool = True) -> bool:
    """Whether a button near by takes values in (`calculate`, `generate`, `fire`), so that nothing need follow at once.

    What a button of a language says that is not known here may be just that.
    """
    takes = frozenset({"calculate", "generate", "convert", "submit", "save", "search"}) | ({"start"} if starts else frozenset())
    unread = survey.now.language[:2].lower() not in ("", *ALWAYS)  # the words of further languages are known in part
    return any(
        (mark_concepts(other) & takes or ONCE_NAMED.search(other.name) or (unread and other.name and not mark_concepts(other)))
        and kind_of(other) is Kind.button
        and abs(other.box.y - mark.box.y) < 500
        for other in survey.now.marks
    )
