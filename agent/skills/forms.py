"""Forms: fill the fields, submit, see what comes of it; submit once empty to see whether it objects."""

from __future__ import annotations

import re

from agent.skills.amounts import least_of_many, total_that_follows
from agent.skills.checks.prices import counts_pieces
from agent.skills.checks.writing import editor_of
from agent.skills.consent import gives_consent
from agent.skills.controls import FIELDS, Form, Kind, forms, kind_of, optional, place_of, required
from agent.skills.coupons import code_of, per_cent_of, wants_code
from agent.skills.opened_forms import REOPENED, changed, editing_since, opened_to_edit, opened_values, opening
from agent.skills.survey import Candidate, Match, Survey, because, candidate, expects, mark_concepts, target_of
from agent.skills.tallies import orders
from agent.skills.values import field_kind, option_for, value_for, wants_number
from agent.words import concepts, folded, says
from tools.browser.actions import Action, Click, Select, SetValue, Target, Type
from tools.browser.marks import Mark

BASE = 52.0
BEGUN = 26.0
_FIRST_WORDS, _MANY, _ENOUGH = 2, 3, 2
"""By how many first words buttons are alike; from how many forms on they are those of a list's entries; how many are sent."""
_BESIDE_PX = 40.0
"""How far above or below a field, and a third of how far beside it, its steppers stand."""
_SETTINGS, _FEW = 5, 2
"""From how many fields on that all hold something a form is one of settings; how many of them are changed."""
_OTHERS = 3
"""Values that are tried before one is entered that the list holds already."""
_SENDS = 'submit form "'
_ON_FROM = ("step back", "put a step right again")
"""What a form gains once a field of it is filled: it is finished before other things are begun."""
IN_A_DIALOG = 86.0
MOST_FIELDS, LEAST_TOLD = 7, 3
"""Fields of one form that are filled; required ones first."""
_TAKES_ENTRIES = frozenset({"add", "comment", "task"})
_TAKES_NONE = frozenset({"search", "filter", "login", "calculate", "convert", "generate", "answer"})
_TAKES_CHOICES = frozenset({"submit", "calculate", "convert", "generate", "search", "next", "save", "confirm", "add", "answer"})
_KEEPS = frozenset({"save", "add", "edit", "confirm"})
_ADDS = frozenset({"add", "task", "comment"})
_LISTS = frozenset({"todo", "notes", "kanban", "chat", "table"})
_TITLE = re.compile(r"\b(?:title|file ?name|document name|untitled)\b|标题|文件名|文档名", re.IGNORECASE)
_EVERYTHING = re.compile(
    r"\b(?:each|every|all|any|required|mandatory|missing|empty|blank|incomplete)\b|必填|必须|每|空|完整", re.IGNORECASE
)


def propose(survey: Survey) -> list[Candidate]:
    """For each form in sight: its next field, its button once all is filled, or the button alone while all is empty."""
    every = [form for form in forms(survey.usable) if not only_choices(form)]
    found: list[Candidate] = []
    for form in every:
        many = _one_of_many(form, every)
        if not (many and _others_sent(survey, form)):
            found += _for_form(survey, form, once=many)
    return found


def _one_of_many(form: Form, every: list[Form]) -> bool:
    """Whether it stands at one of many things: a size and `Add to cart` on every card."""
    begins = _first_words(form.button.name) if form.button is not None else ()
    alike = [other for other in every if other.button is not None and _first_words(other.button.name) == begins]
    return len(begins) >= _FIRST_WORDS and len(alike) >= _MANY


def _others_sent(survey: Survey, form: Form) -> bool:
    """Whether two of those like it were sent already."""
    begins = _first_words(form.button.name) if form.button is not None else ()
    targets = (target_of(step) for step in survey.steps if step.decision.skill.startswith(_SENDS))
    sent = {(one.name, one.selector) for one in targets if one is not None and _first_words(one.name) == begins}
    return len(sent) >= _ENOUGH and form.button is not None and (form.button.name, form.button.selector) not in sent


def _first_words(name: str) -> tuple[str, ...]:
    return tuple(folded(name).replace(":", " ").split()[:_FIRST_WORDS])


def only_choices(form: Form) -> bool:
    """Whether there is nothing to type and no button that takes the choices in: each select is a control of its own."""
    taken = form.button is not None and bool(concepts(form.button.name) & _TAKES_CHOICES)
    return not taken and all(kind_of(mark) is Kind.select for mark in form.fields)


def _for_form(survey: Survey, form: Form, *, once: bool) -> list[Candidate]:
    if survey.last is not None and survey.last.decision.skill == REOPENED and opening(survey, form).latest == len(survey.steps):
        return []  # it was opened to be looked at; what is in it was entered before
    rounds = _rounds(survey, form)
    empty = _empty_submit(survey, form, rounds)
    full = rounds >= (2 if (_adds(survey, form) and not once) or _nowhere(survey, form) else 1)
    if empty is not None and (full or not rounds):
        return [empty]
    if full:
        return _on_again(survey, form)
    editing = rounds == 0 and survey.count(f"submit form {form.key}") > 0 and opening(survey, form).kind != "add"
    # What is opened to be edited holds something; an empty field was only come by again.
    texts = [mark for mark in form.fields if kind_of(mark) is Kind.text and (mark.value or not form.stepwise)]
    wanted = texts[:1] if editing else _worth_filling(form)[: _FEW if _all_set(form) else None]
    waiting = [mark for mark in wanted if not (_done(survey, form, mark) or _given(survey, form, mark, rounds))]
    if waiting:
        return [_fill(survey, form, waiting[0], rounds + editing)]
    choice = None if editing else _open_choice(survey, form)
    if choice is not None:
        return [choice]
    submit = _submit(survey, form, rounds)
    return [submit] if submit is not None else []


def _all_set(form: Form) -> bool:
    """Whether a form is saved that has a value in each of many fields: settings, of which a few tell whether they are kept."""
    saves = form.button is not None and bool(concepts(form.button.name) & _KEEPS)
    return saves and len(form.fields) >= _SETTINGS and all(mark.value for mark in form.fields)


def _on_again(survey: Survey, form: Form) -> list[Candidate]:
    """After a step back in a form of several steps: forward again, so that its end is reached."""
    last, button = survey.last, form.button
    if last is None or last.decision.skill not in _ON_FROM or button is None or not form.stepwise:
        return []
    told = expects("accepted", "the step is taken again")
    return [candidate(88.0, Click(target=Target.of(button)), "on to where the step back began", "step on again", told)]


def submission(survey: Survey, form: Form) -> Candidate | None:
    """The press that sends a form off as it stands, with what must come of it."""
    return _submit(survey, form, 0)


def takes_entries(survey: Survey, form: Form) -> bool:
    """Whether the form adds entries to a list (to-do, chat, notes) rather than being filled in once."""
    if not form.single:
        return False
    label = f"{form.fields[0].name} {form.fields[0].placeholder} {form.button.name if form.button else ''}"
    found = concepts(label) | (concepts(form.button.name) if form.button else frozenset())
    named = concepts(form.button.name) if form.button else frozenset[str]()
    if found & _TAKES_NONE or ("submit" in named and not named & _TAKES_ENTRIES and survey.domain != "chat"):
        return False  # a newsletter, a guess, a filter: what was typed need not be shown
    if _names_a_text(survey, form.fields[0]) or _renames(survey, form.fields[0]):
        return False
    return bool(found & _TAKES_ENTRIES) or survey.domain in _LISTS


def _renames(survey: Survey, mark: Mark) -> bool:
    """Whether something stood in a line when it was first seen: the name of a column, say, to be changed in place."""
    pages = (*survey.view.past, survey.now)
    first = next((one for page in pages for one in page.marks if (one.selector, one.frame) == (mark.selector, mark.frame)), mark)
    return bool(first.value.strip())


def _names_a_text(survey: Survey, mark: Mark) -> bool:
    """Whether a line is the title of what is written in the large field beside it."""
    page, called = survey.now, f"{mark.name} {mark.placeholder}"
    return editor_of(page) is not None and _TITLE.search(called) is not None


def _rounds(survey: Survey, form: Form) -> int:
    """How often the form was submitted filled in, since an entry was opened in it for editing."""
    fresh = survey.steps[max(editing_since(survey), opening(survey, form).first) :]
    return sum(1 for step in fresh if step.acted.delivered and sends(step.decision.skill, form))


def sends(skill: str, form: Form) -> bool:
    """Whether a skill sends this form off, also under a name that a complaint was part of."""
    if skill == f"submit form {form.key}":
        return True
    if not skill.startswith(_SENDS):
        return False
    one, other = skill.removeprefix(_SENDS)[:-1], form.key[1:-1]
    rest = one.removeprefix(other) if one.startswith(other) else other.removeprefix(one) if other.startswith(one) else ""
    return says("validation", rest)


def _adds(survey: Survey, form: Form) -> bool:
    """Whether it adds entries to a list in sight, of which two tell more than one: what is filtered, summed, taken away."""
    if form.single:
        return takes_entries(survey, form)
    return form.button is not None and not form.stepwise and bool(concepts(form.button.name) & _ADDS)


def _nowhere(survey: Survey, form: Form) -> bool:
    """Whether what was entered the first time could not be seen afterwards, so that a second entry has to tell."""
    sent = [step for step in survey.steps if step.decision.skill == f"submit form {form.key}"]
    told = [one for step in sent[-1:] for one in step.outcomes if one.oracle == "accepted"]
    return len(sent) == 1 and any(one.held is None and one.attempts for one in told)


def _worth_filling(form: Form) -> list[Mark]:
    # A step's end is worth more than what it says may be left out.
    fields = [mark for mark in form.fields if not (form.stepwise and _left_out(mark))] or list(form.fields)
    if len(fields) <= MOST_FIELDS:
        return fields
    first = [mark for mark in fields if required(mark)][:MOST_FIELDS]
    rest = [mark for mark in fields if mark not in first][: MOST_FIELDS - len(first)]
    return [mark for mark in fields if mark in first or mark in rest]


def _done(survey: Survey, form: Form, mark: Mark) -> bool:
    """Whether a field was filled since the form was last submitted, twice tried in vain, or cannot be filled."""
    last = survey.since(f"submit form {form.key}") or len(survey.steps) + 1
    begun = max(len(survey.steps) - last + 1, editing_since(survey))
    if not mark.value and not form.stepwise:
        begun = max(begun, opening(survey, form).latest)  # it came up empty again
    fresh = survey.steps[begun:]
    acts = [step for step in survey.acts_on(mark) if step in fresh]
    kept = any(outcome.held for step in acts for outcome in step.outcomes if outcome.oracle == "value_kept")
    if kept or len(acts) >= 2:
        return True
    if acts and not any(outcome.held is None and outcome.attempts > 0 for outcome in acts[-1].outcomes):
        return True
    if kind_of(mark) is not Kind.select:
        return False
    before = [getattr(step.decision.action, "value", "") for step in survey.acts_on(mark)]
    return not option_for(mark) or (bool(before) and mark.value not in before)  # the second entry is of another kind already


def _left_out(mark: Mark) -> bool:
    """Whether a step can be taken without it: it says so, or it is room for remarks that need not be filled."""
    return optional(mark) or (mark.tag == "textarea" and not required(mark))


def _given(survey: Survey, form: Form, mark: Mark, rounds: int) -> bool:
    """Whether a date stands there already and is left so in the first of two entries: most often it is today, and counted so."""
    return kind_of(mark) is Kind.date and bool(mark.value) and not rounds and not survey.tried(mark) and _adds(survey, form)


def enter(mark: Mark, value: str, *, submit: bool = False) -> Action:
    """The act that gives a field a value: typing, choosing, or setting what a native widget would set."""
    kind = kind_of(mark)
    if kind is Kind.select:
        return Select(target=Target.of(mark), value=value)
    if kind in (Kind.date, Kind.range, Kind.colour):
        return SetValue(target=Target.of(mark), value=value)
    return Type(target=Target.of(mark), text=value, submit=submit)


def _fill(survey: Survey, form: Form, mark: Mark, rounds: int) -> Candidate:
    entries = takes_entries(survey, form)
    code = code_of(f"{survey.view.brief} {mark.placeholder}") if wants_code(mark) else ""
    value = code or least_of_many(survey, mark) or _another(survey, mark)
    # Two entries of one name could not be told apart: one more turn where another was given these values.
    further = survey.count(f"submit form {form.key}") > 0 and opening(survey, form).kind == "add"
    value = value or _not_there_yet(survey, mark, rounds + survey.again + further, task_like=entries)
    match = _form_match(survey, form, mark)
    base = BASE + (BEGUN if any(_done(survey, form, other) for other in form.fields) else 0.0)
    on_enter = entries and (rounds > 0 or form.button is None) and mark.tag == "input"
    why = because(match, survey, f"a field that wants {field_kind(mark)}" if kind_of(mark) in FIELDS else "a field")
    kept = expects("value_kept", f'the field keeps "{value}"', match.id, value=value, submitted=float(on_enter))
    if on_enter:
        shown = expects("text_appears", f'"{value}" is added', match.id, text=value, key=f"entry {form.key}")
        replaced = changed(mark.value, value, match) if opened_to_edit(survey.last) else []
        return candidate(
            survey.worth(base + 6, mark, match),
            enter(mark, value, submit=True),
            f"{why}; Enter adds it",
            f"submit form {form.key}",
            kept,
            shown,
            *replaced,
        )
    told = [kept]
    priced = total_that_follows(survey) if kind_of(mark) is Kind.number and counts_pieces(mark.name) else ""
    if priced:
        text = f'"{priced}" follows how many there are'
        brief = survey.view.brief[:2000]
        told.append(expects("multiplied", text, match.id, label=priced, brief=brief, key=f"many {mark.signature}"))
    live = _live(survey)
    if live and (form.button is None or _stepped(survey, mark)) and kind_of(mark) in (Kind.number, Kind.text):
        told.append(expects("follows", "the result follows what is typed", live.id, waits=float(_gaps(form, mark))))
    return candidate(survey.worth(base + 4, mark, match), enter(mark, value), why, f"fill form {form.key}", *told)


def _stepped(survey: Survey, mark: Mark) -> bool:
    """Whether buttons that count it up and down stand beside a field: it is no part of what a button further on takes in."""
    x, y = mark.box.centre
    near = [
        one for one in survey.usable if abs(one.box.centre[1] - y) < _BESIDE_PX and abs(one.box.centre[0] - x) < 3 * _BESIDE_PX
    ]
    found = [mark_concepts(one) for one in near if kind_of(one) is Kind.button]
    return wants_number(mark) and any("increase" in one for one in found) and any("decrease" in one for one in found)


def _not_there_yet(survey: Survey, mark: Mark, turn: int, *, task_like: bool) -> str:
    """What to enter: in a list's line nothing that stands in the list already, for as long as there are other values."""
    values = [value_for(mark, survey.now, turn=turn + more, task_like=task_like) for more in range(_OTHERS if task_like else 1)]
    shown = folded(survey.now.text)
    return next((value for value in values if folded(value) not in shown), values[0])


def _another(survey: Survey, mark: Mark) -> str:
    """In a second round the last of a select's options, where the first round took one in the middle."""
    others = [option for option in mark.options if option.strip() and option != mark.value]
    return others[-1] if survey.again and kind_of(mark) is Kind.select and others else ""


def _gaps(form: Form, mark: Mark) -> bool:
    """Whether another field is still empty, so that there may be no result yet."""
    return any(not other.value for other in form.fields if other.signature != mark.signature)


def _live(survey: Survey) -> Match | None:
    for promise in survey.promises:
        if promise.aspect in ("feature", "control", "content") and says("live", promise.text):
            return Match(promise.id, 0.0)
    return None


def _form_match(survey: Survey, form: Form, mark: Mark) -> Match:
    """The promise a form answers: its button's, else the field's."""
    extra = concepts(form.button.name) if form.button is not None else frozenset({"add"} if takes_entries(survey, form) else ())
    return survey.match(mark, extra)


def _open_choice(survey: Survey, form: Form) -> Candidate | None:
    """The next choice of a form that must be made: a box that is required or asks for consent, one radio button of a group."""
    if any(mark.checked for mark in form.choices if kind_of(mark) is Kind.radio):
        radios: list[Mark] = []
    else:
        radios = [mark for mark in form.choices if kind_of(mark) is Kind.radio and not survey.acts_on(mark)][:1]
    boxes = [
        mark
        for mark in form.choices
        if kind_of(mark) is Kind.checkbox
        and not mark.checked
        and not survey.acts_on(mark)
        and (required(mark) or "confirm" in concepts(mark.name) or gives_consent(mark))
    ]
    for mark in (*radios, *boxes):
        match = survey.match(mark)
        told = expects("toggles", f'"{mark.name}" is chosen', match.id)
        return candidate(
            survey.worth(BASE + BEGUN + 4, mark, match),
            Click(target=Target.of(mark)),
            "a choice the form asks for",
            f"fill form {form.key}",
            told,
        )
    return None


def _submit(survey: Survey, form: Form, rounds: int) -> Candidate | None:
    button = form.button
    if button is None:
        return _by_enter(survey, form)
    if button.disabled:
        return None
    filled = [mark.value for mark in form.fields if mark.value and kind_of(mark) is Kind.text and mark.input_type != "password"]
    if not any(survey.tried(mark) for mark in form.fields) and not filled:
        return None
    match = survey.match(button, ("submit",))
    if form.single and takes_entries(survey, form) and filled:
        told = expects("text_appears", f'"{filled[0]}" is added', match.id, text=filled[0], key=f"entry {form.key}")
    else:
        entry = bool(concepts(button.name) & _ADDS)
        more = {"key": f"entry {form.key}"} if entry else {}
        values = "\n".join(filled[:6])
        opened = float(opening(survey, form).first > 0 and bool(concepts(button.name) & _KEEPS))
        told = expects(
            "accepted", "what was filled in is taken", match.id, values=values, entry=float(entry), opened=opened, **more
        )
    taken_off = per_cent_of(survey.view.brief) if wants_code(form.fields[0]) else 0.0
    also = [expects("coupon_agrees", f"{taken_off:g} % are taken off", match.id, percent=taken_off)] if taken_off else []
    return candidate(
        survey.worth(BASE + 10 + BEGUN - rounds, button, match),
        Click(target=Target.of(button)),
        because(match, survey, "the form is filled in"),
        f"submit form {form.key}",
        told,
        *also,
        *opened_values(survey, form, match),
        *orders(survey, button),
        expects("counted_as", "the entry is counted where its kind is", match.id, key=f"kind {form.key}"),
        expects("summarised", "a summary shows what was entered", match.id),
        expects("priced", "the price is that of what was chosen", match.id, brief=survey.view.brief[:2000]),
    )


def _by_enter(survey: Survey, form: Form) -> Candidate | None:
    """A lone field without a button may wait for Enter. One that filters as one types need not, so nothing is held against it."""
    mark = form.fields[0]
    if not form.single or mark.tag != "input" or kind_of(mark) is not Kind.text or not mark.value or not survey.tried(mark):
        return None
    act = Type(target=Target.of(mark), text=mark.value, submit=True)
    why = "nothing takes what was typed, so Enter may"
    return candidate(survey.worth(BASE - 12, mark, _form_match(survey, form, mark)), act, why, f"submit form {form.key}")


def _objected(survey: Survey, form: Form) -> bool:
    """Whether the last step submitted this very form empty: its complaint may be part of a field's name now."""
    last, field = survey.last, form.fields[0]
    before = survey.observation(last.acted.before) if last is not None else None
    if last is None or before is None or not last.decision.skill.startswith("submit empty form"):
        return False
    return any((mark.frame, mark.selector, mark.tag) == (field.frame, field.selector, field.tag) for mark in before.marks)


def _checks_all(survey: Survey) -> bool:
    """Whether the brief wants all that there is to fill in to be checked, not one field of it: each step, what is required."""
    return any(_EVERYTHING.search(one.text) and "validate" in concepts(one.text) for one in survey.view.plan.promises)


def _empty_submit(survey: Survey, form: Form, rounds: int) -> Candidate | None:
    """Submitting a form whose required fields are all empty, once: before filling it, or after a single field emptied itself."""
    button, skill = form.button, f"submit empty form {form.key}"
    asked = survey.promise_about("validate validation required 校验 必填", frozenset({"feature", "control"}), ("validate",))
    must = [mark for mark in form.fields if required(mark)]
    must = must or [mark for mark in form.fields if asked.id and not optional(mark)]
    # What has a value of its own (a number that begins at 1) is never empty.
    must = [mark for mark in must if not mark.value or kind_of(mark) is Kind.text]
    unasked = not must
    if unasked and (_adds(survey, form) or (button is not None and "save" in concepts(button.name))):
        must = [mark for mark in form.fields if kind_of(mark) is Kind.text][:1]
    if button is None or not must or survey.count(skill) or any(mark.value for mark in must) or _objected(survey, form):
        return None
    if unasked and not rounds and not opening(survey, form).first:
        return None  # nobody asked for it, so it comes after what was asked for; a dialog may be gone by then
    fresh = survey.steps[opening(survey, form).first :]
    begun = any(step in fresh for mark in must for step in survey.tried(mark))
    if not (rounds or len(form.fields) > 1 or form.stepwise) or (begun and not rounds):
        return None
    leads_on = form.stepwise and (_checks_all(survey) or any(required(mark) for mark in must))
    places = "\n".join(place_of(mark) for mark in must) if leads_on else ""
    told = expects("validation_shown", "the empty form is refused and says so", asked.id, step=places)
    why = f'required fields are empty ("{must[0].name or must[0].placeholder}"), so it has to object'
    # In a dialog it comes before the ways out of it.
    base = IN_A_DIALOG if unasked and not rounds else BASE + 5
    return candidate(survey.worth(base, button, asked), Click(target=Target.of(button)), why, skill, told)
