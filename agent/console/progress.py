"""One line an event while an evaluation runs, for terminals and logs alike."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.text import Text

from agent.console import events as told
from agent.console.events import Event
from agent.console.wording import planned, shown
from tools.text import how_many

NODES = {"perceive": "first impression taken"}
MOST_KINDS = 6


class Progress:
    """Prints what happens as it happens. Text from the page is made harmless."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._found: Counter[str] = Counter()
        self._why = ""

    def __call__(self, event: Event) -> None:
        """Print the event's line, if it is one that people want."""
        line = self._line(event)
        if line is not None:
            head = Text(f"{event.at_s:6.1f} s  ", style="dim")
            self._console.print(head + line, highlight=False, soft_wrap=True)

    def _line(self, event: Event) -> Text | None:  # noqa: PLR0911 - one for each
        match event:
            case told.Left(node=node) if node in NODES:
                return Text(NODES[node] + self._findings())
            case told.StageUp():
                return Text("the app is up")
            case told.PlannedFor(promises=promises):
                return Text(planned(promises))
            case told.Trying(why=why):
                self._why = why
                return None
            case told.Tried():
                return _trial(event, self._why)
            case told.Suspected(source="probe", symptom=symptom):
                self._found[symptom] += 1
                return None
            case told.Suspected(source="page", symptom=symptom, text=text):
                return Text(f"     {shown(symptom, 60)}: {shown(text)}", style="red")
            case told.Asked(role=role, model=model, tokens_in=tokens_in, tokens_out=tokens_out):
                cost = "price unknown" if event.cost_usd is None else f"${event.cost_usd:.4f}"
                text = f"     model: {role} asked {shown(model, 60)}, {tokens_in} tokens in, {tokens_out} out, {cost}"
                return Text(text, style="dim")
            case _:
                return _stages(event)

    def _findings(self) -> str:
        """What probes found since the last time, most frequent first."""
        if not self._found:
            return ""
        total, kinds = sum(self._found.values()), self._found.most_common()
        named = ", ".join(f"{shown(symptom, 40)} ×{count}" for symptom, count in kinds[:MOST_KINDS])
        self._found.clear()
        return f"; {how_many(total, 'finding')}, not judged yet: {named}{' …' if len(kinds) > MOST_KINDS else ''}"


def _trial(ended: told.Tried, why: str) -> Text:
    line = Text(f"{ended.number:>3}. {shown(why, 140)}")
    match ended.result:
        case "held":
            return line.append(" · holds", style="green")
        case "violated":
            return line.append(f" · NOT SO: {shown(ended.text)}", style="red")
        case "explained":
            return line.append(" · not so, and its control explains it", style="dim")
        case _:
            return line.append(f" · {ended.result}" + (f": {shown(ended.text, 120)}" if ended.text else ""), style="dim")


def _stages(event: Event) -> Text | None:  # noqa: PLR0911 - one line for each
    match event:
        case told.Paused():
            return Text("paused: app time stands")
        case told.WentOn():
            return Text("goes on")
        case told.SteeredBy(wish="hint", text=text):
            return Text(f"hint: {shown(text)}")
        case told.SteeredBy(wish="stop"):
            return Text("a person stopped the exploration")
        case told.SealedNow(rows=rows, stop=stop):
            return Text(f"evidence sealed: {rows} rows ({stop})")
        case told.Scored(failures=failures):
            return Text(f"judged: {how_many(failures, 'failure')}")
        case told.Proved(confirmed=confirmed, of=of) if of:
            return Text(f"{confirmed} of {of} confirmed in a fresh browser")
        case told.Ended(status=None):
            return Text("interrupted")
        case _:
            return None
