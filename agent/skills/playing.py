"""Games that run by themselves: does it move once started, is it lost by who does nothing, does its key pause it too."""

from __future__ import annotations

import re

from agent.deciders.protocol import Step
from agent.skills import keyed
from agent.skills.checks.counters import as_lines
from agent.skills.checks.playing import round_times
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Match, Survey, because, candidate, expects, target_of
from agent.words import concepts, folded, says
from tools.browser.actions import Click, Press, Target, Wait
from tools.browser.marks import Mark

WATCH, ALONE, KEY, AT_ONCE = 96.0, 57.0, 59.0, 97.0
RUN_MS, ALONE_MS = 1300.0, 6500.0
"""App time: in six seconds a ball falls twice, and a snake is at the wall long before."""
ROUNDS_FIRST = 2
"""So many rounds are steered before the game is left alone."""
MOVING = 0.0005
ENDED, END_MS = "watch a round that is over", 2400.0
ANEW, DROPPED, FOCUS_OFF = "begin a round anew", "drop pieces until it is over", "take the focus off a button"
DROPS, MOST_DROPS = 10, 2
MOST_CUT_SHORT, MOST_OFF = 1, 3
BEGINS = frozenset({"start a game", "restart a game", ANEW, keyed.ANEW})
"""What a round begins with."""
_HARD_DROP = re.compile(r"hard[- ]drop|硬降|直接落|速降", re.IGNORECASE)
_KEY_NAMES = {
    "space": "Space",
    "spacebar": "Space",
    "esc": "Escape",
    "escape": "Escape",
    "enter": "Enter",
    "空格": "Space",
    "回车": "Enter",
}
KEYS = re.compile(
    r"\b(?:press|hit|tap|push|use)\s+(?:the\s+)?[\[\"'“]?"
    r"(space ?bar|space|enter|return|any key|esc(?:ape)?|[a-z](?![a-z]))[\]\"'”]?"
    r"|按(?:下)?(空格|回车|任意键)",
    re.IGNORECASE,
)
_NAMED_KEYS = {
    "space": "Space",
    "spacebar": "Space",
    "space bar": "Space",
    "enter": "Enter",
    "return": "Enter",
    "any key": "Space",
    "esc": "Escape",
    "escape": "Escape",
    "空格": "Space",
    "回车": "Enter",
    "任意键": "Space",
}
_LETTER = re.compile(r"\b([B-HJ-Z])\b")
_DIGITS = re.compile(r"\d+")
_KEY = re.compile(r"\b(space ?bar|space|esc(?:ape)?|enter)\b|(空格|回车)", re.IGNORECASE)


def over(survey: Survey) -> bool:
    """Whether the page says that a round is over: in words that did not stand there from the start ("Wins: 0")."""
    if not says("game_over", survey.now.text):
        return False
    first = survey.view.past[0].text if survey.view.past else ""
    known = {_DIGITS.sub("", folded(line)) for line in first.splitlines()}
    return any(says("game_over", line) for line in survey.now.text.splitlines() if _DIGITS.sub("", folded(line)) not in known)


def real_time(survey: Survey) -> bool:
    """Whether the game named is one that runs on whatever the player does, drawn on a canvas."""
    drawn = any(kind_of(mark) is Kind.canvas for mark in survey.now.marks)
    return drawn and says("real_time", f"{survey.view.brief}\n{survey.now.title}")


def watch(survey: Survey) -> list[Candidate]:
    """After a start, and once more after the first keys where nothing moved: whether it runs."""
    last = survey.last
    if last is None or not last.acted.delivered or survey.now.moving > MOVING or not real_time(survey):
        return []
    if over(survey):
        return []
    watches = [step for step in survey.steps if step.decision.skill == "watch a game"]
    asked = {0: "start a game", 1: "steer with keys"}.get(len(watches))
    if last.decision.skill != asked or any(told.held for step in watches for told in step.outcomes):
        return []
    if any(told.held is False for told in last.outcomes) or not _had_effect(survey):
        return []
    match = survey.promise_about("game play move", frozenset({"feature", "control", "keyboard"}), ("game",))
    told = expects("moves", "the game runs", match.id, key="running game")
    return [candidate(WATCH, Wait(ms=RUN_MS), "whether the game runs once it is started", "watch a game", told)]


def _had_effect(survey: Survey) -> bool:
    """Whether a start was seen to do something; what did nothing is dead, not frozen."""
    return any(step.decision.skill == "start a game" and any(told.held for told in step.outcomes) for step in survey.steps)


def leave_alone(survey: Survey) -> list[Candidate]:
    """Doing nothing for a while in a game that is lost so, where no loss was seen yet; once more if that could not tell."""
    left = [step for step in survey.steps if step.decision.skill == "leave a game alone"]
    undecided = bool(left) and any(told.held is None and told.attempts for told in left[-1].outcomes)
    if len(left) >= 2 or (left and not undecided) or not real_time(survey) or not says("lost_alone", survey.view.brief):
        return []
    steered = survey.count("steer with keys") + keyed.presses(survey) >= ROUNDS_FIRST
    if not steered or says("wraps", survey.view.brief) or over(survey) or _lost_before(survey):
        return []
    match = survey.promise_about("lives game over lose wall collision", frozenset({"feature", "control", "content"}), ("game",))
    told = [expects("lost", "who does nothing loses", match.id, key="left alone")]
    if says("bricks", survey.view.brief):
        scored = survey.promise_about("bricks points score 得分", frozenset({"feature", "control", "content"}), ("score",))
        text = "the ball that is lost hit something first, and it counts"
        told.append(expects("bricks_count", text, scored.id, key="bricks"))
    why = because(match, survey, "a game that nobody plays is lost")
    priority = WATCH if left else ALONE + match.bonus / 2
    if survey.now.moving <= MOVING and (survey.last is None or survey.last.decision.skill != ANEW):
        return _anew(survey, priority)
    priority = WATCH if survey.last is not None and survey.last.decision.skill == ANEW else priority
    return [candidate(priority, Wait(ms=ALONE_MS), why, "leave a game alone", *told)]


def watch_the_end(survey: Survey) -> list[Candidate]:
    """Right after a round was seen to end, once: its time, which was seen to run, stands."""
    last = survey.last
    before = survey.observation(last.acted.before) if last is not None else None
    if last is None or before is None or survey.count(ENDED) or not over(survey) or says("game_over", before.text):
        return []
    times = [round_times(page) for page in (*survey.view.past, survey.now)]
    ran = any(one.get(label) != value for one in times for label, value in times[-1].items() if label in one)
    if not ran:
        return []
    match = survey.promise_about("timer time clock 计时 时间", frozenset({"feature", "control", "content"}), ("timer",))
    told = expects("time_stands", "the time of a round that is over stands still", match.id)
    return [candidate(AT_ONCE, Wait(ms=END_MS), "a round is over", ENDED, told)]


def drop(survey: Survey) -> list[Candidate]:
    """Pieces dropped one on the other where a key drops them: the stack reaches the top, and the round is over."""
    dropped = survey.count(DROPPED)
    if dropped >= MOST_DROPS or over(survey) or _lost_before(survey) or not _HARD_DROP.search(survey.view.brief):
        return []
    if not real_time(survey) or survey.count("steer with keys") < ROUNDS_FIRST:
        return []
    scored = survey.promise_about("score points 得分", frozenset({"feature", "control", "content"}), ("score",))
    act = Press(keys=("Space",) * DROPS, hold_ms=40, gap_ms=130)
    told = expects("score_changes", "the score counts", scored.id)
    return [candidate(ALONE - dropped, act, "dropped pieces end a round", DROPPED, told)]


def _anew(survey: Survey, priority: float) -> list[Candidate]:
    """A new round before it is left alone, where nothing moves any more; nothing where no button begins one."""
    for wanted in ("restart", "start"):
        for mark in survey.usable:
            if wanted in concepts(mark.name) and kind_of(mark) is Kind.button:
                return [candidate(priority, Click(target=Target.of(mark)), "a round from its beginning", ANEW)]
    return []


def _lost_before(survey: Survey) -> bool:
    first = survey.view.past[0] if survey.view.past else survey.now
    return not says("game_over", first.text) and any(says("game_over", seen.text) for seen in survey.view.past)


def by_key(survey: Survey, pauses: list[Step]) -> list[Candidate]:
    """The key that the brief or the page names for the pause, beside its button; a button that has the focus loses it first.

    Once more, where the round ended before it could be told.
    """
    key, pressed = pause_key(survey), [step for step in pauses if isinstance(step.decision.action, Press)]
    begun = survey.last is not None and survey.last.decision.skill in {FOCUS_OFF, *BEGINS}
    stands = real_time(survey) and survey.now.moving <= MOVING and not begun
    if not _key_is_due(survey, key, pressed) or stands:
        return []  # on a game that is paused already the key goes on with it
    match = _key_promise(survey)
    focused = survey.now.mark(survey.now.focused)
    last = survey.last.decision.skill if survey.last is not None else ""
    # A round that ends by itself leaves no time for other things in between.
    base = AT_ONCE if real_time(survey) and last in {FOCUS_OFF, *BEGINS} else KEY + match.bonus
    if key in ("Space", "Enter") and focused is not None and _is_pressed_by_keys(focused):
        surface = next((mark for mark in survey.usable if kind_of(mark) is Kind.canvas), None)
        if surface is None or last == FOCUS_OFF or survey.count(FOCUS_OFF) >= MOST_OFF:
            return []  # the key would press the button as well
        act = Click(target=Target.of(surface))
        return [candidate(base + 0.5, act, "a key would press the button in focus", FOCUS_OFF)]
    why = because(match, survey, "the pause has a key")
    return [candidate(base, Press(keys=(key,)), why, "pause a game")]


def _key_is_due(survey: Survey, key: str, pressed: list[Step]) -> bool:
    """Whether the pause's key was not pressed yet, or only when the round was about to end."""
    return bool(key) and len(pressed) <= MOST_CUT_SHORT and (not pressed or _cut_short(survey, pressed[-1]))


def anew_for_the_key(survey: Survey, pauses: list[Step]) -> list[Candidate]:
    """A new round where the last one was over before the pause's key could be pressed."""
    pressed = [step for step in pauses if isinstance(step.decision.action, Press)]
    if not real_time(survey) or not _key_is_due(survey, pause_key(survey), pressed) or survey.count(FOCUS_OFF) >= MOST_OFF:
        return []
    return _anew(survey, KEY + _key_promise(survey).bonus)


def paused_by(survey: Survey) -> str:
    """The acts that a pause by its key rests on, as ids: what began the round, what took the focus off a button, the key."""
    done = [step for step in survey.steps if step.acted.delivered]
    key = next((place for place in reversed(range(len(done))) if done[place].decision.skill == "pause a game"), -1)
    if key < 0 or not isinstance(done[key].decision.action, Press):
        return ""
    begun = next((place for place in reversed(range(key)) if done[place].decision.skill in BEGINS), -1)
    if begun < 0:
        return ""
    between = [step for step in done[begun : key + 1] if step.decision.skill in {FOCUS_OFF, "pause a game", *BEGINS}]
    return " ".join(step.acted_id for step in between)


def _cut_short(survey: Survey, pressed: Step) -> bool:
    """Whether the round was over right after a key was pressed to pause it."""
    seen = survey.observation(pressed.acted.after)
    return seen is not None and says("game_over", seen.text)


def _key_promise(survey: Survey) -> Match:
    return survey.promise_about("pause key space", frozenset({"feature", "control", "keyboard"}), ("pause",))


def _is_pressed_by_keys(mark: Mark) -> bool:
    return kind_of(mark) in (Kind.button, Kind.link, Kind.checkbox, Kind.radio)


def pause_key(survey: Survey) -> str:
    """The key named for the pause, as the hands name it; empty if none."""
    text = f"{survey.view.brief}\n{survey.now.text[:3000]}"
    for line in re.split(r"[\n.;。；,，]", text):
        if "pause" not in concepts(line):
            continue
        if re.search(r"\b[Pp]\b", line):
            return "p"
        found = _KEY.search(line)
        if found:
            return _KEY_NAMES[folded(found.group(1) or found.group(2)).replace(" ", "")]
    return ""


def key_asked(text: str) -> str:
    """The key a text asks to be pressed (`press Space to start`), as the hands name it; empty if none."""
    found = KEYS.search(text)
    word = folded(found.group(1) or found.group(2)) if found else ""
    return _NAMED_KEYS.get(word, word if len(word) == 1 else "")


def restart_key(survey: Survey) -> str:
    """The key that page or brief name for a new round: "press R to restart", "R restarts"; empty if none."""
    for part in re.split(r"[\n.;。；,，·|]|\band\b", f"{survey.now.text[:3000]}\n{survey.view.brief}"):
        if "restart" in concepts(part):
            letter = _LETTER.search(part)
            key = key_asked(part) or (letter.group(1).lower() if letter else "")
            if key:
                return key
    return ""


def restart_otherwise(survey: Survey, begun: list[Step], priority: float) -> list[Candidate]:
    """Another control that begins a new round, in the midst of one that counted something: it may have code of its own."""
    places = {(target.selector, target.frame) for step in begun if (target := target_of(step)) is not None}
    first = as_lines(survey.view.past[0] if survey.view.past else survey.now)
    if len(begun) > 1 or over(survey) or as_lines(survey.now) == first or survey.layered:
        return []
    for mark in survey.usable:
        # What begins a level or a round of several again may keep the points.
        fits = "restart" in concepts(mark.name) and kind_of(mark) is Kind.button and not says("round", mark.name)
        if not fits or survey.tried(mark) or (mark.selector, mark.frame) in places:
            continue
        match = survey.promise_about("restart play again 重新开始", frozenset({"feature", "control"}), ("restart",))
        anew = expects("begins_anew", "its counters begin anew", match.id, first=first)
        why = because(match, survey, "a new round can be begun in the midst of one")
        return [candidate(priority, Click(target=Target.of(mark)), why, "restart a game", anew)]
    return []
