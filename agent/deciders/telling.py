"""What came of trials, in words for a model: in full for its own last ones, a line each or a count for the rest. Fence it.

Everything here holds a page's words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from agent.deciders.wording import UNTOLD, nearby
from agent.explorer.deciding import said
from tools.page.changes import Change, Ref, Witness, difference
from tools.page.model import PageModel
from tools.page.parts import Button, Choice, Field, Figure, Link, Text, Toggle
from tools.page.trial_records import Judged, TrialRecord
from tools.text import printable

OWN = "model"
"""Who made a trial that a model offered (`Trial.by`)."""
ALWAYS = frozenset({"clean", "not blank", "legible", "sensible"})
"""Kinds of assertions that hold for any act whatever: told only where they do not."""
CLAUSE, SEEN, WHY = 110, 160, 100
MOST_LINES, MOST_CHANGES, MOST_NAMES = 10, 16, 8
MOST_ITEMS = 2
"""Items that a list lost or gained that are told, each kind."""
MOST_WORDS = 900
"""Characters of what came up that was not there before."""
ALIKE = 12
BESIDE = 15
"""Characters that are told before the place where two texts begin to differ."""
_TOLD_OTHERWISE = frozenset({"moved", "items", "order", "drawing"})
_WAYS = frozenset({"way"})
"""Makers of trials that only lead to a state."""


def standing(own: Sequence[TrialRecord]) -> dict[str, str]:
    """What the model's own trials found of each requirement that they named: violated before held, held before nothing.

    By the rule of the verdict's items: what could not be told here is told nowhere.
    """
    results = {name: {said(record, name) for record in own} for record in own for name in record.trial.requirements}
    return {name: "VIOLATED" if "violated" in found else "held" if "held" in found else UNTOLD for name, found in results.items()}


def names(tried: Sequence[TrialRecord]) -> dict[str, str]:
    """What the model's own trials are called, `T1` and so on, by the ids of their rows."""
    return {
        trial.id: f"T{number}"
        for number, trial in enumerate((each_trial for each_trial in tried if each_trial.trial.by == OWN), 1)
        if trial.id
    }


def in_full(record: TrialRecord, name: str = "") -> str:
    """One of the model's own trials: what was done, what was found, what changed, and what else happened."""
    trial = record.trial
    start = "from the page opened afresh" if trial.afresh else "from where the page was"
    lines = [f"{name} “{printable(trial.why, WHY)}” ({start}): {record.result.upper()}".lstrip()]
    lines += [f"  {act}" for act in _acts(record)]
    if record.stopped is not None:
        lines.append(f"  went no further ({record.stopped.why}): {printable(nearby(record.stopped.words), SEEN)}")
    # Of a trial that went no further, its assertions only say so again.
    told = [judgement for judgement in record.judged if record.stopped is None or judgement.outcome.result != "cannot tell"]
    lines += [f"  {_judged(judgement)}" for judgement in told if _worth_telling(judgement)]
    if record.control and trial.control is not None:
        lines.append(f"  control (“{printable(trial.control.explains, WHY)}”):")
        lines += [f"    {_judged(judgement)}" for judgement in record.control]
    lines += [f"  {text}" for text in changes_of(record)]
    return "\n".join(lines)


def _acts(record: TrialRecord) -> Iterator[str]:
    """What was done in one line, and a line for each act that was unusual or did not reach the page."""
    done: list[str] = []
    for seen in record.acts:
        if seen.during == "control":
            continue
        words = printable(seen.act.words(), CLAUSE)
        if seen.delivered:
            done.append(words)
        if seen.problem or not seen.delivered:
            problem = printable(seen.problem, CLAUSE) or "it did not reach the page"
            yield f"{'at' if seen.delivered else 'NOT DONE:'} {words}: {problem}"
    if done:
        yield f"did: {'; '.join(done)}"


def _worth_telling(judgement: Judged) -> bool:
    return judgement.assertion.kind not in ALWAYS or judgement.outcome.result == "violated"


def _judged(judgement: Judged) -> str:
    result = {"held": "held", "violated": "VIOLATED", "cannot tell": "could not be told"}[judgement.outcome.result]
    words, seen = printable(judgement.assertion.words(), CLAUSE), printable(nearby(judgement.outcome.seen), SEEN)
    # What held is mostly seen in the words that were expected.
    return f"{result}: {words}" + ("" if judgement.outcome.result == "held" and seen[:ALIKE] == words[:ALIKE] else f" – {seen}")


def changes_of(record: TrialRecord) -> list[str]:
    """From before its acts to after the last: words and parts that came and went, values, figures, lists; what else was seen."""
    acts = [act_seen for act_seen in record.during("acts") if not act_seen.by_other]
    if not acts:
        return []
    before, after = acts[0].before, record.scene.after if record.scene is not None else acts[-1].after
    told = [*_shown(difference(before, after), before, after), *(line for act in acts for line in _witnessed(act.witness))]
    told += [f"noted: {printable(nearby(text), SEEN)}" for text in record.noted]
    ran = dict.fromkeys(name for act in acts for name in act.witness.ran_first or () if "/" not in name)
    if ran:
        told.append(f"ran for the first time: {', '.join(printable(text, 30) for text in list(ran)[:MOST_NAMES])}")
    every = list(dict.fromkeys(told))
    more = [f"… {len(every) - MOST_CHANGES} more differences"] if len(every) > MOST_CHANGES else []
    return [*every[:MOST_CHANGES], *more] or ["nothing changed"]


def _shown(change: Change, old: PageModel, new: PageModel) -> Iterator[str]:
    """The difference of two pages, most telling first. What was in a layer that closed went with it."""
    before, after = change.url
    if before != after:
        yield f"address: {printable(nearby(before), 80)} → {printable(nearby(after), 80)}"
    toasts = {part.key for part in (*old.layers, *new.layers) if part.kind == "toast"}
    for word, refs in (("opened", change.opened), ("closed", change.closed)):
        yield from (f'{word}: "{printable(ref.name, CLAUSE)}"' for ref in refs[:3] if ref.key not in toasts)
    for delta in change.lists:
        for word, items in (("lost", delta.removed), ("gained", delta.added)):
            yield from (f'list {word} "{printable(text, CLAUSE)}"' for text in items[:MOST_ITEMS])
            if len(items) > MOST_ITEMS:
                yield f"list {word} {len(items) - MOST_ITEMS} more items"
        if delta.reordered:
            yield "a list is in another order"
    values = {(each_delta.name, each_delta.before, each_delta.after) for each_delta in change.of("value")}
    for delta in change.deltas:
        said = delta.kind == "texts" and _in_figures(delta.before, change)
        # What a list or a layer says is told by its items and by what came up in it; so is the name of a card that is a button.
        said = said or (delta.kind == "layers" and delta.what == "value") or (delta.what == "name" and bool(change.lists))
        if (
            said
            or delta.what in _TOLD_OTHERWISE
            or (delta.what == "chosen" and (delta.name, delta.before, delta.after) in values)
        ):
            continue
        what = (
            f'{delta.what} of "{printable(delta.name, 40)}"' if delta.name else "words" if delta.kind == "texts" else delta.what
        )
        first, last = _apart(delta.before, delta.after)
        yield f'{what}: "{first}" → "{last}"'
    if any(each_delta.what == "drawing" for each_delta in change.deltas):
        yield "a drawing changed"
    closed = {ref.key for ref in change.closed}
    with_it = {part.key for part in old.parts() if part.layer in closed}
    if names := _names([ref for ref in change.gone if ref.key not in with_it and ref.kind not in {"texts", "figures"}]):
        yield f"gone: {names}"
    if words := _came(change, new):
        yield f"new: {words}"


def _came(change: Change, new: PageModel) -> str:
    """What came up, in the order of the page: figures with their values, fields with theirs, all other parts by name."""
    keys = {ref.key for ref in change.appeared if ref.kind not in {"collections", "processes", "forms", "layers"}}
    parts = sorted((part for part in new.parts() if part.key in keys), key=lambda part: (round(part.box.y / 12), part.box.x))
    told = [
        f"{printable(part.name, 40)} = {printable(part.quantity.text, 24)}"
        if isinstance(part, Figure)
        else f'[{printable(part.name, 40)}: "{printable(part.value, 40)}"]'
        if isinstance(part, Field)
        else f"[{printable(part.name, 40)}]"
        if isinstance(part, Button | Link | Toggle | Choice)
        else printable(part.text if isinstance(part, Text) else part.name, 120)
        for part in parts
    ]
    return printable(" · ".join(dict.fromkeys(filter(None, told))), MOST_WORDS)


def _apart(before: str, after: str) -> tuple[str, str]:
    """Two texts from a little before the place where they begin to differ."""
    same = next(
        (n for n, (text, other) in enumerate(zip(before, after, strict=False)) if text != other), min(len(before), len(after))
    )
    cut = same - BESIDE if same > 2 * BESIDE else 0
    mark = "…" if cut else ""
    return mark + printable(before[cut:], 60), mark + printable(after[cut:], 60)


def _in_figures(text: str, change: Change) -> bool:
    """Whether a text that changed is told as a figure."""
    return any(delta.what == "figure" and delta.before == text for delta in change.deltas)


def _names(refs: Sequence[Ref]) -> str:
    """Parts that came or went, each name once; lists and their like are told by their items."""
    named = [printable(ref.name, 60) for ref in refs if ref.name and ref.kind not in {"collections", "processes", "forms"}]
    names = list(dict.fromkeys(named))
    rest = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(f'"{name}"' for name in names[:MOST_NAMES]) + rest if names else ""


def _witnessed(witness: Witness) -> Iterator[str]:
    """What other instruments saw."""
    yield from (f"the browser asked or said: {printable(dialog, CLAUSE)}" for dialog in witness.dialogs or ())
    yield from (f"exception: {printable(nearby(text), CLAUSE)}" for text in witness.thrown or ())
    yield from (f"request failed: {printable(nearby(text), CLAUSE)}" for text in witness.failed or ())
    yield from (f"left the page: {printable(nearby(text), CLAUSE)}" for text in witness.outside or ())
    if witness.storage:
        yield f"stored: {', '.join(printable(text, 40) for text in witness.storage[:4])}"


def in_short(record: TrialRecord) -> str:
    """One line: who tried what, what it came to, what was seen where it was violated, and what the control said."""
    done = "; ".join(act.act.words() for act in record.acts if act.during != "control") or "looked"
    words = f"[{record.trial.by}] {printable(done, CLAUSE)} → {record.result}"
    wrong = [judgement for judgement in record.judged if judgement.outcome.result == "violated"]
    if wrong:
        words += f": {printable(wrong[0].assertion.words(), 80)} – {printable(nearby(wrong[0].outcome.seen), CLAUSE)}"
    if record.control and record.trial.control is not None:
        results = ", ".join(dict.fromkeys(judgement.outcome.result for judgement in record.control))
        words += f"; control ({printable(record.trial.control.explains, 60)}): {results}"
    elif record.stopped is not None:
        words += f": {printable(nearby(record.stopped.words), CLAUSE)}"
    return words


def history(tried: Sequence[TrialRecord]) -> str:
    """What has been tried: what showed nothing counted by who tried it, then violated and own ones a line each, newest last."""
    quiet: dict[str, Counter[str]] = {}
    told: dict[str, int] = {}
    for record in tried:
        maker = record.trial.by
        if maker == OWN and record.result == "held":
            continue  # what it was about says so
        if maker == OWN or (record.result in {"violated", "explained"} and maker not in _WAYS):
            line = in_short(record)
            told[line] = told.pop(line, 0) + 1
        elif maker not in _WAYS:
            quiet.setdefault(maker, Counter())[record.result] += 1
    lines = [f"{maker}: {', '.join(f'{count} {result}' for result, count in found.items())}" for maker, found in quiet.items()]
    counted = [f"{line} (×{times})" if times > 1 else line for line, times in told.items()]
    left = len(counted) - MOST_LINES
    folded = [f"({left} earlier ones)"] if left > 0 else []
    return "\n".join([*(["; ".join(lines)] if lines else []), *folded, *counted[-MOST_LINES:]]) or "(nothing yet)"
