"""The oracles: what had to hold after a step, and whether it did.

An oracle accuses only on strong premises: the act was delivered, the page does not move by itself, no rule of
`quiet.py` excuses the silence, and (where a second way of trying exists) two well-formed attempts failed. Otherwise `held` is
None. What works is told too: that is how a promise of the brief becomes *shown*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from agent.deciders.protocol import Expectation, Step
from agent.skills import editors, keyed
from agent.skills import playing as games
from agent.skills.asides import SILENT_WHEN_UNTOLD, WITHOUT_PLACE
from agent.skills.checks import (
    as_left,
    backwards,
    boxes,
    busy,
    chips,
    chosen,
    classes,
    columns,
    converted,
    counters,
    diagrammed,
    differing,
    discarded,
    drawn,
    dropping,
    dues,
    edited,
    effects,
    exported,
    figures,
    fits,
    formulas,
    headed,
    kept,
    kinds,
    lands,
    languages,
    legible,
    limits,
    listed,
    locked,
    looks,
    merged,
    mined,
    motion,
    nights,
    offers,
    pace,
    paged,
    parted,
    periods,
    places,
    playing,
    prices,
    progress,
    quizzed,
    records,
    relations,
    reopened,
    restored,
    resumed,
    reviewed,
    running,
    savings,
    setback,
    shares,
    sized,
    starting,
    stayed,
    sums,
    tabs,
    texts,
    totals,
    tuned,
    turned,
    turning,
    undone,
    units,
    ways,
    writing,
)
from agent.skills.checks.case import Case, Told
from tools.browser.actions import parse_action
from tools.browser.marks import Observation
from tools.evidence.rows import Acted, Outcome

Oracle = Callable[[Case], Told]

ORACLES: Mapping[str, Oracle] = MappingProxyType(
    {
        "responds": effects.responds,
        "toggles": effects.toggles,
        "toggles_back": effects.toggles_back,
        "theme_changes": effects.theme_changes,
        "dialog_opens": effects.dialog_opens,
        "menu_opens": effects.menu_opens,
        "dialog_closes": effects.dialog_closes,
        "value_kept": effects.value_kept,
        "accepted": effects.accepted,
        "dropped": dropping.dropped,
        "heads_follow": headed.heads_follow,
        "dues_agree": dues.dues_agree,
        "limit_counts": limits.limit_counts,
        "progress_moves": progress.progress_moves,
        "begins_with": starting.begins_with,
        "added_up": merged.added_up,
        "converted": converted.converted,
        "class_agrees": classes.class_agrees,
        "tab_shows": tabs.tab_shows,
        "records_apart": records.records_apart,
        "drawings_run": running.drawings_run,
        "draws": effects.draws,
        "hover_shows": effects.hover_shows,
        "hint_shows": effects.hint_shows,
        "lights_change": motion.lights_change,
        "text_appears": texts.text_appears,
        "text_contains": texts.text_contains,
        "text_disappears": texts.text_disappears,
        "filtered": texts.filtered,
        "mentions": texts.mentions,
        "summarised": texts.summarised,
        "validation_shown": texts.validation_shown,
        "sane": texts.sane,
        "equals": figures.equals,
        "says_error": figures.says_error,
        "number_changes": figures.number_changes,
        "follows": figures.follows,
        "label_follows": figures.label_follows,
        "score_changes": figures.score_changes,
        "average_agrees": totals.average_agrees,
        "sums_agree": sums.sums_agree,
        "bill_follows": sums.bill_follows,
        "shipping_free": sums.shipping_free,
        "coupon_agrees": sums.coupon_agrees,
        "coupon_keeps": sums.coupon_keeps,
        "counts_agree": listed.counts_agree,
        "count_follows": listed.count_follows,
        "ordered": listed.ordered,
        "kept_on_return": effects.kept_on_return,
        "moves": motion.moves,
        "ticks": motion.ticks,
        "shows_duration": motion.shows_duration,
        "still": motion.still,
        "keyboard_effect": motion.keyboard_effect,
        "navigates": places.navigates,
        "returns": places.returns,
        "persists": places.persists,
        "came_back": places.came_back,
        "scrolls": places.scrolls,
        "counts": counters.counts,
        "done_counted": counters.done_counted,
        "time_counts": counters.time_counts,
        "figures_follow": counters.figures_follow,
        "column_total": columns.column_total,
        "begins_anew": counters.begins_anew,
        "lives_anew": counters.lives_anew,
        "keys_alike": ways.keys_alike,
        "kept": kept.kept,
        "stayed": stayed.stayed,
        "settings_stay": stayed.settings_stay,
        "theme_stays": stayed.theme_stays,
        "saving_agrees": savings.saving_agrees,
        "words_agree": writing.words_agree,
        "rendered": writing.rendered,
        "cleared": writing.cleared,
        "formats": writing.formats,
        "choice_follows": effects.choice_follows,
        "refused": texts.refused,
        "no_result": texts.no_result,
        "as_named": relations.as_named,
        "formula_holds": formulas.formula_holds,
        "offered": offers.offered,
        "totals_follow": drawn.totals_follow,
        "switch_follows": effects.switch_follows,
        "drawings_follow": drawn.drawings_follow,
        "priced": prices.priced,
        "lost": playing.lost,
        "time_stands": playing.time_stands,
        "seconds_run": motion.seconds_run,
        "restarted": playing.restarted,
        "steered": playing.steered,
        "energy_falls": relations.energy_falls,
        "turned_back": turned.turned_back,
        diagrammed.ORACLE: diagrammed.diagram_shows,
        "restored": restored.restored,
        "reopened": reopened.reopened,
        "parted": parted.parted,
        "set_back": setback.set_back,
        "room_goes": setback.room_goes,
        "all_off": setback.all_off,
        "list_emptied": setback.list_emptied,
        "crowds": motion.crowds,
        "cleared_counts": counters.cleared_counts,
        "bricks_count": playing.bricks_count,
        "turns": turning.turns,
        "prices_all_follow": savings.prices_all_follow,
        "chip_filters": chips.chip_filters,
        "results_follow": figures.results_follow,
        "boxes_choose": boxes.boxes_choose,
        "taken_back": writing.taken_back,
        "erased": drawn.erased,
        "painted_counted": drawn.painted_counted,
        "unit_follows": units.unit_follows,
        "share_agrees": shares.share_agrees,
        "counted_as": kinds.counted_as,
        "edited": edited.edited,
        "opens_to_edit": edited.opens_to_edit,
        "stays_gone": stayed.stays_gone,
        "paced": pace.paced,
        "costs_as_said": prices.costs_as_said,
        "multiplied": prices.multiplied,
        "basket_emptied": counters.basket_emptied,
        "legible": legible.legible,
        "chosen_goes": chosen.chosen_goes,
        "numbers_right": mined.numbers_right,
        "sized": sized.sized,
        "pages_fit": paged.pages_fit,
        "in_tune": tuned.in_tune,
        "order_minded": backwards.order_minded,
        "leads_to_part": reviewed.leads_to_part,
        "steps_follow": looks.steps_follow,
        "downloaded": exported.downloaded,
        "released": looks.released,
        "undone": undone.undone,
        "discarded": discarded.discarded,
        "answered": quizzed.answered,
        "quiz_result": quizzed.quiz_result,
        "differs": differing.differs,
        "period_follows": periods.period_follows,
        "stays_locked": locked.stays_locked,
        "in_one_language": languages.in_one_language,
        "drawn_anew": drawn.drawn_anew,
        "board_undone": undone.board_undone,
        "right_one_goes": chosen.right_one_goes,
        "month_drawn": drawn.month_drawn,
        "formats_stay": writing.formats_stay,
        "within_bounds": figures.within_bounds,
        "busy_ends": busy.busy_ends,
        "nights_agree": nights.nights_agree,
        "all_replaced": writing.all_replaced,
        "coupon_once": sums.coupon_once,
        "as_left": as_left.as_left,
        "lands": lands.lands,
        fits.ORACLE: fits.fits,
        "halts": motion.halts,
        "year_agrees": savings.year_agrees,
        "stays_away": stayed.stays_away,
        "drawing_stays": drawn.drawing_stays,
        "place_possible": paged.place_possible,
        "goes_on": resumed.goes_on,
        "turns_into": busy.turns_into,
    }
)
"""Every oracle by the name an expectation calls it."""


def check(
    expectation: Expectation,
    *,
    before: Observation,
    after: Observation,
    acted: Acted,
    acted_id: str,
    history: Sequence[Step],
) -> Outcome | None:
    """What became of an expectation; None when there is nothing to write down.

    `history` are the steps before this one. An oracle that does not exist gives an outcome that cannot be told, naming it.
    """
    oracle = ORACLES.get(expectation.oracle)
    case = Case(expectation, before, after, acted, acted_id, history, parse_action(dict(acted.action)))
    told = _without_premises(case) or (
        oracle(case) if oracle else Told(None, f"there is no oracle called {expectation.oracle!r}", attempts=0)
    )
    if expectation.oracle in SILENT_WHEN_UNTOLD and told.held is None and not told.attempts:
        return None
    mark = case.mark if expectation.oracle not in WITHOUT_PLACE else None
    return Outcome(
        oracle=expectation.oracle,
        expectation=expectation.text,
        observed=told.observed,
        held=told.held,
        symptom=told.symptom if told.held is False else "",
        promise=expectation.promise,
        selector=_place(case) if expectation.oracle not in WITHOUT_PLACE else "",
        box=mark.box if mark is not None else None,
        steps=_steps(case, told),
        attempts=told.attempts,
        weak=told.weak,
    )


def _without_premises(case: Case) -> Told | None:
    """Why nothing at all can be told, if so."""
    if not case.acted.delivered:
        return Told(None, f"the act did not reach the page: {case.acted.problem or 'no reason given'}", attempts=0)
    if not case.acted.after:
        return Told(None, "the page could not be observed afterwards", attempts=0)
    return None


def _steps(case: Case, told: Told) -> tuple[str, ...]:
    """The action rows that show it: earlier attempts of a failure, the presses of a sum, the act itself."""
    if case.expectation.oracle == "equals":
        skill = f"calculator {case.word('sum')}"
        return (*(step.acted_id for step in case.history if step.decision.skill == skill), case.acted_id)
    if case.expectation.oracle == "refused":
        filling = f"fill wrongly {case.word('key')}"
        return (*(step.acted_id for step in case.history if step.decision.skill == filling), case.acted_id)
    if told.held is not False:
        return (case.acted_id,)
    ids = {*_leading_up(case), *case.earlier}
    return (*(step.acted_id for step in case.history if step.acted_id in ids), case.acted_id)


def _leading_up(case: Case) -> Sequence[str]:
    """Acts without which a failure cannot be seen on the untouched page, as far as the oracle knows them: often all it takes."""
    if case.expectation.oracle in ("steered", "lost"):
        line = case.word("axis") == "line"
        begins = keyed.ANEW if line else "start a game"
        begun = [step.acted_id for step in case.history if step.decision.skill == begins and step.acted.delivered]
        return begun if line else [*begun[-1:], *_rounds_left_alone(case)]
    if case.expectation.oracle == "formats":
        return [step.acted_id for step in case.history if step.decision.skill in editors.PREPARES and step.acted.delivered]
    if case.expectation.oracle == "menu_opens":
        return [step.acted_id for step in case.history if step.acted.action.get("act") == "resize"][-1:]
    return case.word("made_by").split()


def _rounds_left_alone(case: Case) -> list[str]:
    """What began the rounds that were left alone: what goes off the board in one of them is not there to be lost again."""
    watches, found, begun = {case.acted_id, *case.earlier}, list[str](), ""
    if case.expectation.oracle != "lost":
        return found
    for step in case.history:
        if step.decision.skill == games.ANEW and step.acted.delivered:
            begun = step.acted_id
        elif step.acted_id in watches and begun:
            found.append(begun)
    return [*found, begun] if begun else found


def _place(case: Case) -> str:
    target = case.target
    if target is None:
        return ""
    return f"{target.frame} >>> {target.selector}" if target.frame else target.selector
