"""Games: start one, steer it with its keys or play the board's cells, look at the score, pause, start again."""

from __future__ import annotations

import re

from agent.skills import drawn_boards, keyed, mines, pairs, played_out, playing
from agent.skills.boards import LEAST_CELLS, board_of, largest_board
from agent.skills.checks.counters import as_lines
from agent.skills.checks.starting import sets_the_beginning
from agent.skills.controls import Kind, kind_of
from agent.skills.playing import KEYS, key_asked
from agent.skills.steering import both_ways, canvases_of, keyboard_promise, steer, uses_keys
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts, target_of
from agent.skills.tallies import moves_counted
from agent.words import concepts, says
from tools.browser.actions import Click, Press, Select, Target, Wait
from tools.browser.marks import Mark

START, PAUSE, RESTART, CELL = 80.0, 58.0, 40.0, 64.0
CELLS, LEAST_OPTIONS = 9, 2
"""Cells of a board that are played; options from which on another one can be chosen."""
_TURN, WATCH_TURN, TURN_MS = "wait for a turn", 94.0, 900.0
_TURNS = frozenset({"play a cell", _TURN})
ON_WITH_IT = 24.0
"""What a move gains right after another: a round is played to its end before other things are pressed."""
_ENDS_A_PAUSE = ("resume a game", "restart a game", playing.ANEW, keyed.ANEW)
_RIGHT = re.compile(r"\bright[- ]?click|右键|右击", re.IGNORECASE)
_OFFERED = re.compile(r"\b(?:can (?:play|move|go)|playable|legal|valid|available|possible)\b|可下|可走|合法", re.IGNORECASE)
"""How a board calls the cells that may be played."""
_RIGHT_SKILL = "right-click a cell"


def propose(survey: Survey) -> list[Candidate]:
    """The next move of a game, if the brief or the page is about one."""
    if not is_game(survey):
        return []
    moves = pairs.propose(survey, board_of(survey)) if not _over(survey) else []
    return [
        *_choose_to_begin(survey),
        *_start(survey),
        *both_ways(survey),
        *steer(survey, waits=_paused(survey) or (not started(survey) and bool(_start(survey)))),
        *([] if _paused(survey) else keyed.propose(survey)),
        *_watch_resumed(survey),
        *_pause(survey),
        *(moves or _cells(survey)),
        *_right_click(survey),
        *_watch_time(survey),
        *drawn_boards.propose(survey),
        *playing.watch(survey),
        *playing.leave_alone(survey),
        *playing.drop(survey),
        *playing.watch_the_end(survey),
        *played_out.propose(survey),
        *_restart(survey),
    ]


def is_game(survey: Survey) -> bool:
    """Whether the brief names a game, or the page keeps a score around a canvas or a board."""
    if survey.domain == "game":
        return True
    if says("automaton", f"{survey.view.brief}\n{survey.now.title}"):
        return False
    found = concepts(survey.now.text[:2000])
    return "game" in found and ("score" in found or bool(canvases_of(survey)))


def started(survey: Survey) -> bool:
    """Whether a start had an effect."""
    return (
        any(step.decision.skill == "start a game" and any(told.held for told in step.outcomes) for step in survey.steps)
        or survey.now.moving > 0.0005
    )


def _choose_to_begin(survey: Survey) -> list[Candidate]:
    """Another value for what is begun with (`Start level`), before anything is begun from there."""
    for mark in survey.usable:
        if (
            kind_of(mark) is not Kind.select
            or not sets_the_beginning(mark)
            or survey.tried(mark)
            or len(mark.options) < LEAST_OPTIONS
        ):
            continue
        other = mark.options[len(mark.options) // 2]
        if other == mark.value:
            other = mark.options[-1]
        match = survey.match(mark)
        kept = expects("value_kept", f'it shows "{other}"', match.id, value=other)
        act, why = Select(target=Target.of(mark), value=other), because(match, survey, "what is chosen is begun with")
        return [candidate(START + 40, act, why, "choose what to begin with", kept)]
    return []


def _start(survey: Survey) -> list[Candidate]:
    tries = survey.count("start a game")
    if started(survey) or tries >= 3:
        return []
    buttons = [
        mark
        for mark in survey.usable
        if "start" in mark_concepts(mark) and kind_of(mark) is Kind.button and not survey.tried(mark)
    ]
    found = []
    for mark in buttons[:1]:
        match = survey.match(mark, ("start", "game"))
        told = expects("responds", "the game starts", match.id)
        found.append(
            candidate(
                survey.worth(START, mark, match),
                Click(target=Target.of(mark)),
                because(match, survey, "a game has to be started"),
                "start a game",
                told,
            )
        )
    asked = key_asked(survey.now.text)
    if asked and _says_start(survey.now.text):
        match = keyboard_promise(survey, f"press {asked} start 开始")
        told = expects("keyboard_effect", f"{asked} starts the game", match.id, key="start key")
        focus = _focus_first(survey)
        found.append(
            focus or candidate(START + 4, Press(keys=(asked,)), f'the page says to press "{asked}"', "start a game", told)
        )
    return found


def _says_start(text: str) -> bool:
    return any(says("start_hint", line) and KEYS.search(line) for line in text.splitlines())


def _focus_first(survey: Survey) -> Candidate | None:
    """Before a second try the canvas is clicked, for some games listen only once they have the focus."""
    canvases = canvases_of(survey)
    tried = any(step.decision.skill == "start a game" for step in survey.steps)
    if not tried or not canvases or survey.count("give a game the focus"):
        return None
    act = Click(target=Target.of(canvases[0]))
    return candidate(START + 5, act, "the game may need the focus before it hears keys", "give a game the focus")


def _over(survey: Survey) -> bool:
    return playing.over(survey)


def _paused(survey: Survey) -> bool:
    """Whether a pause was not taken back yet, by going on or by a new round; a round that is over is not paused."""
    if _over(survey):
        return False
    paused, ended = survey.since("pause a game"), [survey.since(skill) for skill in _ENDS_A_PAUSE]
    return paused is not None and all(one is None or one > paused for one in ended)


def _pause(survey: Survey) -> list[Candidate]:
    """Pause, watch that it stands still, go on: by the button, then by the key that the brief or the page names."""
    if _paused(survey):
        watch = _watch_pause(survey)
        if watch or survey.now.moving <= playing.MOVING:
            return watch or _resume(survey)  # what moves goes on already: another button may have resumed it
    steered = survey.count("steer with keys") >= 1 or not uses_keys(survey)
    if not started(survey) or not steered:
        return []
    pauses = [step for step in survey.steps if step.decision.skill == "pause a game" and step.acted.delivered]
    if _over(survey):
        return playing.anew_for_the_key(survey, pauses)
    match = survey.promise_about("pause", frozenset({"feature", "control", "keyboard"}), ("pause",))
    why = because(match, survey, "a game can be paused")
    for mark in survey.usable:
        pressed = any(isinstance(step.decision.action, Click) for step in pauses)
        if "pause" in mark_concepts(mark) and not pressed and not survey.tried(mark):
            return [candidate(survey.worth(PAUSE, mark, match), Click(target=Target.of(mark)), why, "pause a game")]
    return playing.by_key(survey, pauses)


def _resume(survey: Survey) -> list[Candidate]:
    """What paused the game lets it go on: the same key, or the button that stands there now."""
    paused = next((step for step in reversed(survey.steps) if step.decision.skill == "pause a game"), None)
    if paused is None or _over(survey):
        return []
    if isinstance(paused.decision.action, Press):
        return [candidate(94, paused.decision.action, "the game goes on with the same key", "resume a game")]
    wanted = ("resume", "start", "pause")
    for concept in wanted:
        for mark in survey.usable:
            if concept in mark_concepts(mark) and kind_of(mark) is Kind.button:
                return [candidate(94, Click(target=Target.of(mark)), "the paused game goes on", "resume a game")]
    return []


def _watch_resumed(survey: Survey) -> list[Candidate]:
    """Right after it was resumed: what falls once a second is not seen to move at a glance."""
    last = survey.last
    if last is None or last.decision.skill != "resume a game" or not last.acted.delivered or _over(survey):
        return []
    moved = any(page.moving > playing.MOVING for page in survey.view.past)  # on a board of tiles nothing moves by itself
    if not moved and not playing.real_time(survey):
        return []
    told = expects("moves", "the game goes on", symptom="state_not_updated", key="resumed game", made_by=last.acted_id)
    return [candidate(95, Wait(ms=playing.RUN_MS), "whether the game goes on", "watch a resumed game", told)]


def _watch_pause(survey: Survey) -> list[Candidate]:
    paused = max((step.number for step in survey.steps if step.decision.skill == "pause a game"), default=0)
    watches = [step for step in survey.steps if step.decision.skill == "watch a paused game" and step.number > paused]
    settled = any(
        told.held is not None or not told.attempts for step in watches for told in step.outcomes if told.oracle == "still"
    )
    if settled or len(watches) >= 2:
        return []
    match = survey.promise_about("pause", frozenset({"feature", "control", "keyboard"}), ("pause",))
    first = survey.view.past[0] if survey.view.past else survey.now
    still_at_first = first.moving <= 0.0005 and not first.animated
    by_key = playing.paused_by(survey)
    told = expects(
        "still",
        "a game paused by its key stands still" if by_key else "a paused game stands still",
        match.id,
        still_at_first=float(still_at_first),
        key=f"paused game {paused}",
        made_by=by_key,
        symptom="keyboard_ignored" if by_key else "state_not_updated",
    )
    return [candidate(95, Wait(ms=1200), "whether the game really pauses", "watch a paused game", told)]


def _cells(survey: Survey) -> list[Candidate]:
    """Cells of a board, spread over it: turn by turn as long as it lasts."""
    played, board = survey.count("play a cell"), board_of(survey)
    if played >= CELLS or _over(survey):
        return []
    if len(board) < LEAST_CELLS:
        return _wait_for_a_turn(survey)
    hidden = mines.plays(survey)
    untried = mines.next_cell(survey, board) if hidden else [mark for mark in board if not survey.tried(mark)]
    fresh = untried or _of_a_new_round(survey, board)
    blank = [mark for mark in fresh if not mark.name]
    if _played_blank(survey) or blank:
        fresh = blank  # where cells begin empty, one with a sign on it is taken
    if not fresh:
        return []
    fresh = [mark for mark in fresh if _OFFERED.search(mark.name)] or fresh
    spread = sorted(fresh, key=lambda mark: ((board.index(mark) * 7 + survey.seed) % len(board), board.index(mark)))
    mark = spread[0]
    match = survey.match(mark, ("game", "select"))
    if not match.id:
        match = survey.promise_about("game", frozenset({"feature", "control"}), ("game",))
    told = expects("responds", "a move on the board has an effect", match.id, key=f"board {mark.group}")
    why = because(match, survey, "a move on the board")
    scored = survey.promise_about("score points 得分", frozenset({"feature", "control", "content"}), ("score",))
    counts = expects("score_changes", "the score counts", scored.id)
    moves = moves_counted(survey)
    base = (
        CELL + match.bonus / 3 - played + (ON_WITH_IT if survey.last is not None and survey.last.decision.skill in _TURNS else 0)
    )
    # An open cell of a field of mines has nothing left to show, and may look like a closed one.
    first = [told] if not hidden or not played else []
    right = [expects("numbers_right", "numbers are those of the mines around", match.id, key="mines")] if hidden else []
    return [candidate(base, Click(target=Target.of(mark)), why, "play a cell", *first, counts, moves, *right)]


def _of_a_new_round(survey: Survey, board: list[Mark]) -> list[Mark]:
    """Cells that were played only before a new round was begun."""
    begun = max(
        (step.number for step in survey.steps if step.decision.skill == "restart a game" and step.acted.delivered), default=0
    )
    return [mark for mark in board if all(step.number < begun for step in survey.tried(mark))]


def _wait_for_a_turn(survey: Survey) -> list[Candidate]:
    """While all cells of a board just played are disabled the other side moves: that takes a moment."""
    last = survey.last
    cells = largest_board(survey, [mark for mark in survey.now.marks if mark.disabled])
    if last is None or last.decision.skill != "play a cell" or len(cells) < LEAST_CELLS or survey.count(_TURN) >= CELLS:
        return []
    return [candidate(WATCH_TURN, Wait(ms=TURN_MS), "the other side moves", _TURN)]


def _right_click(survey: Survey) -> list[Candidate]:
    """A right click on a cell that shows nothing yet, then on another, where brief or page say that it does something."""
    told = next((text for text in (survey.view.brief, survey.now.text[:3000]) if _RIGHT.search(text)), "")
    board = mines.closed(survey, board_of(survey))  # an open cell has nothing left to mark
    if not told or not board or survey.count(_RIGHT_SKILL) >= 2 or survey.count("play a cell") < 2 or _over(survey):
        return []
    blank = [mark for mark in board if not mark.name]
    mark = (blank or board)[len(blank or board) // 2]
    match = survey.promise_about("right click flag 右键 标记", frozenset({"feature", "control"}))
    why = because(match, survey, "a right click does something of its own")
    wish = expects("responds", "a right click on the board has an effect", match.id, key=f"board right {mark.group}")
    act = Click(target=Target.of(mark), button="right")
    counted = survey.promise_about("counter count mines flags 地雷", frozenset({"feature", "control", "content"}))
    flags = expects("counts", "flags are counted", counted.id, of="flags", key="flags counter")
    return [candidate(CELL + 20 + match.bonus / 3, act, why, _RIGHT_SKILL, wish, flags)]


def _watch_time(survey: Survey) -> list[Candidate]:
    """After two moves: does the time shown run? Where the brief speaks of time and no start is needed; twice at most."""
    asked = survey.promise_about(
        "time timer seconds elapsed 时间 用时 计时", frozenset({"feature", "control", "content"}), ("timer",)
    )
    watched = [step for step in survey.steps if step.decision.skill == "watch the time"]
    undecided = bool(watched) and any(told.held is None and told.attempts for told in watched[-1].outcomes)
    if mines.plays(survey) and not mines.opened(survey, board_of(survey)):
        return []
    if not asked.id or survey.count("play a cell") < 2 or _over(survey) or len(watched) >= 2 or (watched and not undecided):
        return []
    told = expects("time_counts", "the time runs while one plays", asked.id, key="time of a game")
    return [candidate(CELL + 30, Wait(ms=2600), "whether the time runs", "watch the time", told)]


def _played_blank(survey: Survey) -> bool:
    """Whether a cell without a sign was played before."""
    played = (target_of(step) for step in survey.steps if step.decision.skill == "play a cell")
    return any(target is not None and not target.name for target in played)


def _restart(survey: Survey) -> list[Candidate]:
    """A new round once one is over, or near the end of the exploration: by its button, else by the key the page names."""
    begun = [step for step in survey.steps if step.decision.skill == "restart a game" and step.acted.delivered]
    if begun:
        return [] if _paused(survey) else playing.restart_otherwise(survey, begun, RESTART - 22)
    over = _over(survey)
    match = survey.promise_about("restart play again 重新开始", frozenset({"feature", "control", "keyboard"}), ("restart",))
    why = because(match, survey, "a new round can be begun")
    for mark in survey.usable:
        if "restart" in mark_concepts(mark) and kind_of(mark) in (Kind.button, Kind.link, Kind.other):
            told = expects("responds", "a new round begins", match.id)
            first = as_lines(survey.view.past[0] if survey.view.past else survey.now)
            anew = expects("begins_anew", "its counters begin anew", match.id, first=first)
            base = RESTART + 40 if over else RESTART - 22  # a round is played to its end first
            wishes = [told, anew, *played_out.lives_back(survey, match.id)]
            if over and not says("game_over", survey.view.past[0].text if survey.view.past else ""):
                wishes.append(expects("restarted", "a new round runs", match.id))
            return [candidate(survey.worth(base, mark, match), Click(target=Target.of(mark)), why, "restart a game", *wishes)]
    key = playing.restart_key(survey)
    if key and (over or survey.count("steer with keys") >= 2):
        told = expects("keyboard_effect", f"{key} begins a new round", match.id, key="restart key")
        first = as_lines(survey.view.past[0] if survey.view.past else survey.now)
        anew = expects("begins_anew", "its counters begin anew", match.id, first=first)
        base = RESTART + 40 if over else RESTART - 22
        return [candidate(base, Press(keys=(key,)), why, "restart a game", told, anew)]
    return []
