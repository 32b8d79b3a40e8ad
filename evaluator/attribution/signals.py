"""Sightings of something wrong, one for each row that tells of one, before anybody asks whose fault it is.

A signal is what a finding of a probe, an event of the browser or somebody who looked says, with what is needed to fold it with
others of the same defect (`keys`) and to tell a person about it. What trials show passes through `findings/tried.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from evaluator.attribution import defect_keys
from evaluator.attribution.defect_keys import Key
from evaluator.attribution.symptoms import Meaning, Taxonomy
from evaluator.record.naming import TITLE_LENGTH, clean, in_words, label, name_stem, sentence, stem
from evaluator.record.sealed import Act, Reading
from evaluator.verdict.model import Claim, Failure
from evaluator.verdict.taxonomy import Category, Scale, Severity, scale_of
from tools.evidence.rows import Box, Finding, Gap, Phase, Promise, Row
from tools.meaning import Meaning as Likeness

_QUOTED = re.compile(r"“[^”]{1,60}”")
"""How probes begin a message about a text on the page."""
LAYOUT = frozenset({Category.layout_overlap, Category.out_of_viewport, Category.text_overflow, Category.not_responsive})
"""Categories whose symptoms on one element are one defect."""
ASKED = 0.5
"""How near in meaning the brief must come to what is asked for."""
AT_LOAD: Key = ("breakdown", "load")
"""Ties together everything that says that the page as a whole is not there."""


@dataclass(frozen=True)
class Aside:
    """Something that is told and not deducted, and how far it could lower a scale after all."""

    claim: Claim
    counted: bool
    """False: somebody else's fault, listed as not counted; True: the app's perhaps, listed as unverifiable."""
    scale: Scale
    down: float = 0.0
    tried: bool = False
    """It is about something that was tried."""
    page: bool = False
    """It is about the page as a whole."""


@dataclass(frozen=True)
class Signal:
    """One sighting. `row` is the row that tells of it, `acts` what led to it, `moment` the app time at which to look."""

    symptom: str
    meaning: Meaning
    row: Row
    static: bool
    observed: str
    expected: str
    keys: tuple[Key, ...]
    selector: str = ""
    role: str = ""
    name: str = ""
    box: Box | None = None
    viewport: str = "desktop"
    moment: float | None = None
    acts: tuple[Act, ...] = ()
    promise: Promise | None = None
    measured: dict[str, Any] = field(default_factory=dict)
    more: tuple[Row, ...] = ()
    """Further rows it rests on."""
    short: str = ""
    """What was observed, short enough for a title."""
    points: float | None = None
    anchor: str = ""
    blocked_by: str = ""
    state: str = ""
    """In which later state of the page it shows, in words; empty for the page as it was opened."""
    broke: tuple[Failure, ...] = ()
    """What trials showed and this brought about: told with it, and not besides."""

    @property
    def category(self) -> Category:
        """Its category."""
        return self.meaning.category

    @property
    def scale(self) -> Scale:
        """The scale it bears on."""
        return scale_of(self.meaning.category)

    @property
    def final(self) -> Act | None:
        """The act whose result was judged."""
        return self.acts[-1] if self.acts else None

    @property
    def secondary(self) -> bool:
        """Whether it only tells what could not be seen any more, which another signal may tell better."""
        return isinstance(self.row.body, Gap)

    @property
    def subject(self) -> str:
        """What it is about, without positions, numbers and ports: the same in the next run."""
        return f"{stem(self.selector)}|{name_stem(self.name)}"

    @property
    def target(self) -> str:
        """What it is about, in words: its name, else the text a probe quotes first, else where it stands."""
        if not self.name and (quoted := _QUOTED.match(self.observed)):
            return quoted.group()
        return label(self.role, self.name, self.selector)

    @property
    def what(self) -> str:
        """The act in words."""
        return in_words(self.final.words) if self.final else "opening the page"

    @property
    def title(self) -> str:
        """One sentence for people."""
        words = {
            "target": self.target,
            "Target": sentence(self.target),
            "what": self.what,
            "observed": clean(self.short or self.observed, 120),
            "symptom": clean(self.symptom, 60),
            "rule": clean(self.observed.partition(" (")[0].rstrip("."), 100),
        }
        title = self.meaning.title.format(**words)
        return clean(f"{clean(title, TITLE_LENGTH - len(self.state) - 3)} ({self.state})" if self.state else title)

    @property
    def order(self) -> tuple[float, str, str, str]:
        """Sorts sightings by when and where, the same whatever order their rows stand in."""
        return (self.moment if self.moment is not None else float("inf"), self.viewport, self.selector, self.observed)


def unknown_symptom(symptom: str, text: str, row: Row, down: float) -> Aside:
    """For a symptom that the taxonomy does not know: told, not guessed at."""
    reason = f"the symptom {clean(symptom, 60)!r} is not in the taxonomy, so nobody can say how grave it is"
    return Aside(Claim(text=clean(text), reason=reason, evidence=(row.id,)), counted=True, scale=Scale.functionality, down=down)


def from_findings(reading: Reading, taxonomy: Taxonomy) -> Iterator[Signal | Aside]:
    """What the probes measured, on the page as it was opened and in its later states.

    A layout defect that shows at phone width alone is the page's not being responsive; where nobody asked for a phone, all that
    shows there alone is one minor thing a scale.
    """
    rows = list(reading.of(Finding))
    wide = {(body.symptom, stem(body.selector)) for _, body in rows if body.viewport != "mobile"}
    phone = any(promise.aspect == "responsive" for promise in reading.promises.values())
    for row, body in rows:
        meaning = taxonomy.meaning(body.symptom)
        if meaning is None:
            yield unknown_symptom(body.symptom, body.message, row, down=0.0)
            continue
        if meaning.asked and not _brief_wants(reading, meaning.asked):
            meaning = meaning.model_copy(update={"strength": "note"})
        narrow = body.viewport == "mobile" and (body.symptom, stem(body.selector)) not in wide
        if narrow:
            meaning = _at_phone_width(meaning, taxonomy) if phone else _unasked(_at_phone_width(meaning, taxonomy))
        anchor = _anchor(reading, meaning, body)
        own = (_finding_key(meaning, body), *defect_keys.of_finding(body))
        keys: tuple[Key, ...] = own if phone or not narrow else (("phone", scale_of(meaning.category).value),)
        trial = reading.trial(body.after) if body.after else None
        led = trial.own_acts if trial is not None else ()
        yield Signal(
            symptom=body.symptom,
            meaning=meaning,
            row=row,
            static=row.phase in {Phase.launch, Phase.perceive, Phase.plan},
            observed=clean(body.message, 300),
            expected=meaning.expected,
            keys=(*keys, AT_LOAD) if anchor else keys,
            selector=body.selector,
            box=body.box,
            viewport=body.viewport,
            moment=led[-1].ended_ms if led else row.app_ms,
            acts=led,
            measured=dict(body.measured),
            more=(*((trial.row,) if trial is not None else ()), *(act.row for act in led[-1:])),
            anchor=anchor,
            state=body.state,
        )


def _brief_wants(reading: Reading, for_what: Sequence[str]) -> bool:
    """Whether the brief asks for something of one of these meanings."""
    texts = [promise.text for promise in reading.promises.values()]
    return bool(texts) and float(_likeness().table(texts, for_what).max()) >= ASKED


@cache
def _likeness() -> Likeness:
    return Likeness()


def _unasked(meaning: Meaning) -> Meaning:
    """What shows on a phone alone where nobody asked for one: minor at most."""
    return meaning.model_copy(update={"severity": Severity.minor, "points": None, "large": None, "anchor": ""})


def _at_phone_width(meaning: Meaning, taxonomy: Taxonomy) -> Meaning:
    """A layout defect's meaning where only a phone's width shows it; what is said of phones already keeps its words."""
    narrow = taxonomy.meaning("mobile.layout")
    if narrow is None or (meaning.category not in LAYOUT and meaning.anchor != "blank") or meaning.strength != "strong":
        return meaning
    severity = meaning.severity if meaning.category in LAYOUT else narrow.severity
    words = meaning if meaning.category is narrow.category else narrow
    return narrow.model_copy(update={"severity": severity, "title": words.title, "expected": words.expected})


def _finding_key(meaning: Meaning, body: Finding) -> Key:
    if meaning.strength == "weak" or meaning.fold == "symptom":
        return ("symptom", body.symptom)
    if meaning.fold == "category" or not body.selector:
        return ("category", meaning.category.value, "" if meaning.fold == "category" else body.symptom)
    family = "layout" if meaning.category in LAYOUT else meaning.category.value
    return ("place", family, stem(body.selector))


def _anchor(reading: Reading, meaning: Meaning, body: Finding) -> str:
    """Whether a symptom is true of the whole page, so that it brings an anchor of the scale."""
    if meaning.anchor == "blank":
        return meaning.anchor
    nothing_to_do = bool(reading.observations) and not reading.first_marks
    if meaning.anchor == "code":
        return meaning.anchor if nothing_to_do or body.measured.get("form") == "bare document" else ""
    return meaning.anchor if nothing_to_do else ""


def box_in(mark: Mapping[str, Any]) -> Box | None:
    """The box of a mark; None if it has none that can be read."""
    values = mark.get("box")
    if not isinstance(values, dict) or not all(
        isinstance(values.get(text), int | float) for text in ("x", "y", "width", "height")
    ):
        return None
    return Box(x=values["x"], y=values["y"], width=values["width"], height=values["height"])


def with_key(signal: Signal, key: Key, *, more: tuple[Row, ...] = ()) -> Signal:
    """The signal tied to another one's defect."""
    return replace(signal, keys=(*signal.keys, key), more=(*signal.more, *more))
