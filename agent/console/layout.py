"""The console's picture for a size: what is seen, decided, changed, suspected, covered and spent, the log, and the keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from agent.console.events import Ended, Tried
from agent.console.panes import Line, Pane, bar, beside, cut, end, fit, labelled, length, over, rule, styled
from agent.console.scene import Scene
from agent.console.wording import clock, counted, shown
from agent.run.steering import Instant

LEAST_WIDTH, LEAST_HEIGHT = 20, 4
WITH_PICTURE = (60, 16)
"""Columns and rows from which the picture is shown."""
WITH_STATUS, WITH_LOG = 10, 8
"""Rows from which coverage and times, and the log, are shown."""
GROUND = "white on grey23"
LEVEL_STYLES = {"error": "red", "warning": "yellow", "suspect": "yellow", "debug": "dim"}
NODES = {
    "launch": "opening the app",
    "perceive": "looking at it",
    "plan": "reading the brief",
    "explore": "using it",
    "seal": "sealing the evidence",
    "score": "judging",
    "prove": "meeting failures again",
    "report": "writing the report",
}
KEYS = (
    ("p", "pause", "stand before the next decision; the app's time stands, no budget runs"),
    ("s", "step", "one trial, then stand again"),
    ("c", "continue", "go on after a pause"),
    ("h", "hint", "advice for the decider: type it, Enter sends, Esc leaves"),
    ("o", "report", "open the report, once there is one"),
    ("q", "stop", "end the exploration; what there is gets sealed, judged and reported"),
    ("?", "help", "this; any key closes it"),
)
OUTSIDE_KEYS = (
    ("o", "report", "open the report, once there is one"),
    ("q", "leave", "stop watching; the run goes on"),
    ("?", "help", "this; any key closes it"),
)

Mode = Literal["run", "hint", "confirm", "help", "over"]
Thumbnail = Callable[[int, int], Pane]
"""The picture in at most so many columns and rows."""


@dataclass
class Front:
    """What the person is doing at the console."""

    mode: Mode = "run"
    typed: str = ""
    cursor: int = 0
    """Place in `typed`, in characters."""
    message: str = ""
    """Said instead of the keys for a moment."""
    pausing: bool = False
    """A pause was asked for and has not begun."""
    stopping: bool = False
    outside: bool = False
    """The run is another process's: nothing can be steered."""
    waiting: tuple[str, ...] = field(default=())
    """Advice that no decision has heard yet."""


@dataclass(frozen=True)
class View:
    """All that is shown."""

    scene: Scene
    instant: Instant
    front: Front
    thumbnail: Thumbnail


def compose(view: View, width: int, height: int) -> Pane:
    """The whole screen, exactly `width` × `height`."""
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return fit([styled(cut("terminal too small", width))], width, height)
    status = status_lines(view, width) if height >= WITH_STATUS else []
    log_height = min(10, (height - 2 - len(status)) // 3) if height >= WITH_LOG else 0
    body_height = height - 2 - len(status) - log_height
    pictured = width >= WITH_PICTURE[0] and height >= WITH_PICTURE[1]
    body = with_picture(view, width, body_height) if pictured else told(view, width, body_height)
    parts = (
        [header(view, width)],
        fit(body, width, body_height),
        status,
        log(view.scene, width, log_height),
        [footer(view, width)],
    )
    pane = fit([line for part in parts for line in part], width, height)
    return over(pane, help_box(view.front, width), width, height) if view.front.mode == "help" else pane


def header(view: View, width: int) -> Line:
    """What is evaluated, where the run stands, whether it goes on."""
    scene = view.scene
    word, style = _state(view)
    where = NODES.get(scene.node, scene.node)
    step = f"act {scene.step}/{scene.max_acts}" if scene.max_acts else ""
    right = styled(("  ", ""), (step, "bold"), "  ", (f" {word} ", style))
    room = width - length(right) - 9 - len(where) - 3
    subject = shown(scene.subject, 400)
    name = end(subject, room)
    left = styled((" assay ", "bold"), (name if room > 3 else "", ""), (" · " if room > 3 else "", "dim"), (where, "bold cyan"))
    return bar(left, right, width, GROUND)


def _state(view: View) -> tuple[str, str]:
    scene, front = view.scene, view.front
    if scene.ended is not None:
        return (
            ("over", "black on green")
            if scene.ended.status == "complete"
            else (scene.ended.status or "interrupted", "black on yellow")
        )
    if front.stopping:
        return "stopping" if scene.sealed is None else "finishing", "black on yellow"
    if scene.paused:
        return "PAUSED", "black on yellow"
    if front.pausing and scene.sealed is None:
        return "pausing", "black on yellow"
    return "watching" if front.outside else "running", "black on green"


def with_picture(view: View, width: int, height: int) -> Pane:
    """The picture at the left, as large as it may be, the words at the right."""
    columns = min(int((height - 1) * 3.2), width // 2)
    saw = view.scene.saw
    title = shown(saw.title or saw.url, 200) if saw is not None else "nothing yet"
    left = [rule(cut(f"sees: {title}", columns - 4), columns), *view.thumbnail(columns, height - 1)]
    return beside(left, columns, told(view, width - columns - 1, height), width - columns - 1)


def told(view: View, width: int, height: int) -> Pane:
    """What is tried and why, what came of it, and what is suspected."""
    scene = view.scene
    scarce = height < 10
    lines: Pane = [*verdict(scene, width), rule("does", width)]
    if scene.trying is None:
        lines += labelled("", "nothing yet", width, 1, style="dim")
    else:
        chosen = scene.trying
        lines += labelled("now", f"{chosen.number}. {shown(chosen.what or 'looks')}", width, 1 if scarce else 2, style="bold")
        lines += labelled("why", shown(f"{chosen.why} ({chosen.by})" if chosen.by else chosen.why), width, 1 if scarce else 2)
        if not scarce:
            lines += labelled("want", shown(chosen.expects), width, 1 if height < 16 else 2)
        if scene.tried is not None:
            lines += labelled("came", shown(_result(scene.tried)), width, 1, style=RESULTS.get(scene.tried.result, "yellow"))
    past = _past(scene, width, 1 if height < 14 else min(6, height // 4))
    lines += past
    return [*lines, *suspected(scene, width, max(0, height - len(lines)))]


def verdict(scene: Scene, width: int) -> Pane:
    """How the run ended; nothing while it goes on."""
    ended = scene.ended
    if ended is None:
        return []
    if ended.status is None:
        return [rule("interrupted", width), *labelled("", "no verdict; go on with: assay eval --resume", width, 2)]
    scores = [
        f"{name} {_figure(ended, name, value)} / 8"
        for name, value in (("functionality", ended.functionality), ("aesthetics", ended.aesthetics))
        if value is not None
    ]
    return [
        rule(f"verdict: {ended.status.replace('_', ' ')}", width),
        *(labelled("seen", shown(ended.seen), width, 2) if ended.seen else ()),
        *labelled("", " · ".join([*scores, counted(ended.failures, "failure")]), width, 2, style="bold"),
    ]


def _figure(ended: Ended, name: str, value: float) -> str:
    """A score; where not enough was seen, the interval it lies in."""
    if ended.status in {"complete", "no_artifact"} or name not in ended.intervals:
        return f"{value:.1f}"
    low, high = ended.intervals[name]
    return f"{low:.1f}–{high:.1f}"


RESULTS = {"held": "green", "violated": "red", "explained": "green"}
"""Result of a trial → its colour; yellow for those that told nothing."""


def _result(tried: Tried) -> str:
    return f"{tried.result}: {tried.text}" if tried.text else tried.result


def _past(scene: Scene, width: int, most: int) -> Pane:
    """The latest acts, newest first: what changed."""
    lines: Pane = []
    for index, done in enumerate(list(scene.did)[-most:][::-1]):
        if not done.delivered:
            came, style = f"did not reach the page: {shown(done.problem, 120)}", "yellow"
        elif done.changed:
            came, style = "changed " + ", ".join(done.changed), "green"
        else:
            came, style = "nothing changed", "dim"
        head = "then" if index == 0 else ""
        text = f"{done.step}. {came}" if index == 0 else f"{done.step}. {shown(done.what, 60)}: {came}"
        lines += labelled(head, cut(text, width - 6), width, 1, style=style)
    return lines


def suspected(scene: Scene, width: int, height: int) -> Pane:
    """Symptoms by kind, how often and what was last said; nobody has judged them."""
    if height < 2:
        return []
    total = sum(scene.suspicions.values())
    note = f"{total}, not judged" if scene.failures is None else f"judged: {counted(scene.failures, 'failure')}"
    if scene.proved is not None and scene.proved.of:
        note = f"{scene.proved.confirmed} of {scene.proved.of} proved"
    lines: Pane = [rule("suspected", width, note)]
    order = {"page": 0, "trial": 1, "probe": 2}
    ranked = sorted(scene.suspicions.items(), key=lambda item: (order.get(item[0][0], 3), -item[1], item[0][1]))
    room = height - 1 if len(ranked) <= height - 1 else height - 2
    for (source, symptom), count in ranked[:room]:
        name = cut(shown(symptom, 60), max(12, width // 3))
        style = "yellow" if source != "probe" else "none"
        lines.append(
            styled(
                (f"{count:>3}× ", "bold"),
                (name, style),
                (f"  {cut(shown(scene.latest[source, symptom]), max(0, width - 7 - len(name)))}", "dim"),
            )
        )
    if len(ranked) > room:
        lines.append(styled((f"     and {len(ranked) - room} more kinds", "dim")))
    return lines


def status_lines(view: View, width: int) -> Pane:
    """Coverage; the three times; what models cost."""
    scene, instant = view.scene, view.instant
    covered = scene.coverage
    first: list[str | tuple[str, str]] = []
    if covered is not None:
        controls = f"{covered.controls_tried}/{covered.controls_found} controls tried, " if covered.final else ""
        first += [("seen ", "dim"), f"{controls}{counted(covered.trials, 'trial')}"]
        first += [("   requirements ", "dim"), f"{covered.shown} shown"]
        first += [(f", {covered.broken} broken", "yellow") if covered.broken else "", f" of {covered.promises}"]
    else:
        first += [("nothing covered yet", "dim")]
    advice: list[list[str | tuple[str, str]]] = []
    if view.front.waiting:
        advice = [[("hint waiting ", "dim"), cut(shown(view.front.waiting[-1]), 40)]]
    elif scene.hints:
        advice = [[("hint ", "dim"), cut(shown(scene.hints[-1]), 40)]]
    return [rule("", width), *_flow([first, *_times(scene, instant), _cost(scene), *advice], width, 3)]


def _times(scene: Scene, instant: Instant) -> list[list[str | tuple[str, str]]]:
    app_ms = instant.app_ms if instant.app_ms is not None else scene.app_ms
    parts: list[list[str | tuple[str, str]]] = []
    if app_ms is not None:
        rate = "" if instant.rate is None else " held" if instant.rate == 0 else f" ×{instant.rate:.3g}"
        parts.append([("app ", "dim"), clock(app_ms / 1000), (rate, "yellow" if rate == " held" else "cyan")])
    parts.append([("wall ", "dim"), clock(scene.at_s)])
    if instant.rate is not None or instant.held_s:
        parts.append([("time held ", "dim"), clock(instant.held_s)])
    if instant.seconds_left is not None and scene.sealed is None:
        parts.append([("left ", "dim"), f"{instant.seconds_left:.0f} s"])
    return parts


def _cost(scene: Scene) -> list[str | tuple[str, str]]:
    spent = scene.spent
    if not spent.calls:
        return [("no model", "dim")]
    price = f"${spent.cost_usd:.4f}" if not spent.unpriced else f"${spent.cost_usd:.4f} + {spent.unpriced} of unknown price"
    return [
        ("model ", "dim"),
        cut(shown(spent.model), 32),
        f" {spent.calls}×",
        ("  tokens ", "dim"),
        f"{spent.tokens_in} in ({spent.tokens_cached} cached), {spent.tokens_out} out  ",
        (price, "bold"),
    ]


def _flow(parts: list[list[str | tuple[str, str]]], width: int, most: int) -> Pane:
    """The parts one after another, three blanks between them, on as many lines as they need; what finds no place is left out."""
    lines: Pane = [[]]
    for part in parts:
        line = styled(*part)
        if lines[-1] and length(lines[-1]) + 3 + length(line) > width:
            lines.append([])
        lines[-1] += ([*styled("   ")] if lines[-1] else []) + line
    return lines[:most]


def log(scene: Scene, width: int, height: int) -> Pane:
    """The latest lines, oldest first."""
    if height < 1:
        return []
    lines: Pane = [rule("log", width)]
    for at_s, level, text in list(scene.log)[-(height - 1) :] if height > 1 else []:
        line = cut(shown(text), width - 7)
        lines.append(styled((f"{clock(at_s):>6} ", "dim"), (line, LEVEL_STYLES.get(level, "none"))))
    return fit(lines, width, height)


def footer(view: View, width: int) -> Line:
    """The keys; or the line that is being typed, a question, a message."""
    front = view.front
    if front.mode == "hint":
        return editor(front, width)
    if front.mode == "confirm":
        return bar(
            styled(
                (" Stop now? ", "bold yellow"),
                "What there is gets sealed and judged.  ",
                ("y", "bold"),
                " yes  ",
                ("n", "bold"),
                " no",
            ),
            [],
            width,
            GROUND,
        )
    if front.message:
        return bar(styled((" " + end(front.message, width - 2), "yellow")), [], width, GROUND)
    if front.mode == "over":
        return bar(styled(" ", ("o", "bold"), " open the report   ", ("any other key", "bold"), " leaves"), [], width, GROUND)
    parts: list[str | tuple[str, str]] = [" "]
    for key, word, _ in OUTSIDE_KEYS if front.outside else KEYS:
        parts += [(key, "bold"), f" {word}  "]
    return bar(styled(*parts), [], width, GROUND)


def editor(front: Front, width: int) -> Line:
    """The line that is being typed, scrolled so that the cursor is in it."""
    label = " hint: "
    room = max(4, width - len(label) - 2)
    before, at, after = (
        front.typed[: front.cursor],
        front.typed[front.cursor : front.cursor + 1] or " ",
        front.typed[front.cursor + 1 :],
    )
    head = styled(before)
    while before and length(head) + 2 > room:
        before = before[1:]
        head = styled("…" + before)
    return bar([*styled((label, "bold")), *head, *styled((at, "reverse"), after)], [], width, GROUND)


def help_box(front: Front, width: int) -> Pane:
    """Every key with what it does."""
    inner = max(10, min(width - 4, 84))
    lines = [styled(("┌" + "─ keys " + "─" * (inner - 7) + "┐", "cyan"))]
    for key, word, what in OUTSIDE_KEYS if front.outside else KEYS:
        for index, part in enumerate(labelled(f" {key}  {word}", what, inner, 2, column=15)):
            del index
            lines.append([*styled(("│", "cyan")), *fit([part], inner, 1)[0], *styled(("│", "cyan"))])
    return [*lines, styled(("└" + "─" * inner + "┘", "cyan"))]
