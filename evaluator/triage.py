"""Whose fault is it? Takes away from the signals what is the agent's, the environment's, or nobody's; the rest is the app's.

What is taken away is told with its reason, and with how far it could lower the score if it were the app's after all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluator.cause import Causes
from evaluator.environment import Environment, Refusal
from evaluator.naming import clean, name_stem, stem, target_of
from evaluator.of_the_page import OF_THE_PAGE
from evaluator.reading import Act, Reading
from evaluator.roots import HARMLESS
from evaluator.rubric import Rubric
from evaluator.signals import Aside, Signal, acts_of, place_of, subject_of, with_key
from evaluator.taxonomy import Blame, Category, Scale
from evaluator.verdict import Claim
from tools.evidence.film_rows import SoundTrack
from tools.evidence.rows import NetworkFailure, PageError, Planned, Row

_TAKEN_IN = frozenset({"value_kept", "toggles", "label_follows"})
"""Oracles that only tell that a control took what it was given, or says so."""
_OBJECTED = frozenset({"validation_shown", "refused"})
"""Oracles that only tell that a form objected: its button is heard, and may still lead nowhere."""
_LEADS_ON = frozenset({"accepted"})
_OF_ITS_OWN = frozenset(
    {
        *("filtered", "multiplied", "sized", "counted_as", "switch_follows", "erased", "formats", "dropped", "taken_back"),
        *("list_emptied", "paced", "crowds", "tempo_followed", "timbre_followed", "theme_changes", "menu_opens", "unit_follows"),
        *("period_follows", "stays_locked", "drawn_anew", "coupon_once", "board_undone"),
        *("right_one_goes", "month_drawn", "formats_stay", "within_bounds", "all_replaced"),
    }
)
"""Oracles that look for the one effect that a control is for: only the same one seen to hold speaks against them."""
_OF_THE_FILM = frozenset(
    {
        "audible",
        "audible_again",
        "silent_when_muted",
        "silent_when_stopped",
        "beat_agrees",
        "tempo_followed",
        "timbre_followed",
        "even",
    }
)
"""Oracles that told from what was heard: that something was heard does not speak against them."""
_BY_FORMULA = frozenset({"formula_holds"})
"""That a control does something, or the formula holds for other values, is no answer to a result that is wrong."""
EMPTY = frozenset({"media.canvas_empty", "media.drawing_empty"})
"""Suspicions that an error thrown while the page loaded makes more than suspicions."""
RINGS_MS = 600.0
"""A sound begins at most so long after the act that set it off."""


@dataclass(frozen=True)
class Triage:
    """Sorts signals. `environment` and `causes` are those of the same reading."""

    reading: Reading
    environment: Environment
    causes: Causes
    rubric: Rubric

    def sort(self, signals: Sequence[Signal]) -> tuple[list[Signal], list[Aside]]:
        """The signals that speak against the app, and what is told besides."""
        kept: list[Signal] = []
        asides: list[Aside] = []
        gone = any(signal.anchor in {"blank", "absent"} and self._refusal(signal) is None for signal in signals)
        worked, missing = self._worked(), self._missing()
        for signal in signals:
            judged = self._judge(signal, worked, gone=gone)
            if isinstance(judged, Aside):
                asides.append(judged)
            else:
                kept.append(_with_files(judged, missing))
        return kept, asides

    def _judge(self, signal: Signal, worked: dict[tuple[str | int, ...], Row], *, gone: bool) -> Signal | Aside:
        if signal.blocked_by:
            return self._told(signal, f"the act that should show it missed the page: {signal.blocked_by}", Blame.agent)
        if signal.meaning.strength == "note" and not signal.anchor:
            return self._told(signal, "a blemish that costs nothing by itself", Blame.app)
        refusal = self._refusal(signal)
        if refusal is not None:
            down = self.points(signal)
            return self._told(signal, refusal.told, Blame.environment, down=down, more=(refusal.row,))
        if gone and signal.static and not signal.anchor and _about_looks(signal):
            return self._told(signal, "the page as a whole is not there; this only follows from it", Blame.app)
        if signal.meaning.undone_by:
            trial = _trial(signal.selector, signal.name, signal.final, f"{signal.oracle}: {name_stem(signal.expected)}")
            # What is about one thing alone is not made up for by another change at the same control: its own label, its look.
            shown = signal.oracle if signal.oracle in _OF_ITS_OWN else _needed(signal.oracle)
            row = worked.get((shown, *trial))
            if row is not None:
                return self._told(
                    signal, "at another moment the same act had an effect", Blame.ambiguous, counted=True, more=(row,)
                )
            sounded = self._sounded(signal)
            if sounded is not None:
                return sounded
        if signal.meaning.strength == "suspicion" and not signal.anchor:
            return self._suspicion(signal)
        return signal

    def points(self, signal: Signal) -> float:
        """What the signal would cost by itself."""
        for figure in (signal.points, signal.meaning.points):
            if figure is not None:
                return figure
        return self.rubric.points_of(signal.meaning.severity)

    def _refusal(self, signal: Signal) -> Refusal | None:
        """What the environment did not give and the signal may follow from."""
        environment = self.environment
        final = signal.final
        if final is not None and signal.category is not Category.crash_or_hang:
            refusal = environment.foreign_acts.get(final.number) or environment.explains_data(signal.acts)
            if refusal is not None:
                return refusal
        for cause in signal.meaning.follows:
            match cause:
                case "script":
                    refusal = environment.explains_script(self.causes.handles(signal.selector) if final is not None else ())
                case "style":
                    refusal = environment.explains_style(signal.selector)
                case "font":
                    refusal = environment.explains_font()
            if refusal is not None:
                return refusal
        if signal.category is Category.broken_media:
            texts = (signal.observed, *(str(value) for value in signal.measured.values()))
            return environment.explains_media(tuple(text for text in texts if isinstance(text, str)))
        return None

    def _worked(self) -> dict[tuple[str | int, ...], Row]:
        """What was seen working, by target and manner of the act; the first row that shows it.

        A key begins with how much it shows at least: that a field holds its text does not make up for a search that finds
        everything, nor that a form objects to nothing being filled in for a step on that leads nowhere.
        """
        found: dict[tuple[str | int, ...], Row] = {}
        for row, body in self.reading.outcomes:
            if body.held is True and body.oracle not in OF_THE_PAGE:
                acts = acts_of(self.reading, row, body)
                if acts and acts[-1].body.delivered:
                    selector, _, name = subject_of(self.reading, acts, body)
                    for shown in (*range(_shows(body.oracle) + 1), body.oracle):
                        trial = _trial(selector, name, acts[-1], f"{body.oracle}: {name_stem(clean(body.expectation, 300))}")
                        found.setdefault((shown, *trial), row)
        return found

    def _sounded(self, signal: Signal) -> Aside | None:
        """What did nothing to be seen, told as what was heard of it, or as what could not be."""
        if signal.oracle in _OF_THE_FILM:
            return None
        heard = self._heard(signal)
        if heard is not None:
            return self._told(signal, "it was heard, though nothing could be seen of it", Blame.app, more=(heard,))
        unheard = self._unheard(signal)
        return self._told(signal, unheard[1], Blame.app, more=(unheard[0],)) if unheard is not None else None

    def _heard(self, signal: Signal) -> Row | None:
        """The sound track, where one of the acts set off a sound after silence: what it does is heard."""
        for row, track in self.reading.of(SoundTrack):
            for act in signal.acts:
                begun, until = act.body.started_ms, act.body.ended_ms + RINGS_MS
                before = any(start < begun and end > begun - RINGS_MS for start, end in track.audible_spans)
                if not before and any(begun <= start <= until for start, _ in track.audible_spans):
                    return row
        return None

    def _unheard(self, signal: Signal) -> tuple[Row, str] | None:
        """Why a sound that acts set off in an app that makes music could not be told; None where it could, or something changed.

        Nothing is heard of the app at all, which is a failure of its own, or something else was heard all the while.
        """
        planned = self.reading.last(Planned)
        if planned is None or planned.domain != "music" or any(act.body.changes.any for act in signal.acts):
            return None
        for row, body in self.reading.outcomes:
            if body.oracle == "audible" and body.held is False:
                return row, "nothing is heard of the app at all, and what the press sets off may be a sound"
        for row, track in self.reading.of(SoundTrack):
            times = [(act.body.started_ms - RINGS_MS, act.body.ended_ms + RINGS_MS) for act in signal.acts]
            drowned = [any(start < until and end > begun for start, end in track.audible_spans) for begun, until in times]
            if drowned and all(drowned):
                return row, "it may set off a sound, which could not be told from what was heard all the while"
        return None

    def _suspicion(self, signal: Signal) -> Signal | Aside:
        """A suspicion from the static reading: withdrawn, confirmed or left open by what the exploration saw there.

        Using a thing settles what its script does; how it looks stays as suspect as before.
        """
        if "script" not in signal.meaning.follows:
            reason = "weak by itself, and nothing else shows it"
            return self._told(signal, reason, Blame.ambiguous, counted=True, down=self.points(signal))
        for act in self.reading.acts:
            same = bool(signal.selector) and place_of(target_of(act.body.action)) == signal.selector
            if same and act.body.delivered and act.body.changes.any and not self._failed(act):
                return self._told(signal, "when it was tried, it did something", Blame.app, counted=True, more=(act.row,))
        for row, body in self.reading.outcomes:
            acts = acts_of(self.reading, row, body)
            selector, _, _ = subject_of(self.reading, acts, body)
            if body.held is None or not selector or stem(selector) != stem(signal.selector):
                continue
            if body.held:
                return self._told(signal, "when it was tried, it worked", Blame.app, counted=True, more=(row,))
            # Tied to that outcome and to nothing else, so that it does not join what it has no part in.
            return replace(signal, keys=(("act", acts[-1].row.id) if acts else ("row", row.id),))
        if signal.symptom in EMPTY and self._threw_at_load(signal):
            return signal
        reason = "suspected from the page alone; it was not tried"
        return self._told(signal, reason, Blame.ambiguous, counted=True, down=self.points(signal))

    def _threw_at_load(self, signal: Signal) -> bool:
        """Whether a script of the app's own stopped while the page loaded, before it could fill what is empty."""
        page = self.reading.page_of(signal.row)
        return any(
            self.reading.act_at(row) is None and self.reading.page_of(row) == page
            for row, error in self.reading.of(PageError)
            if row.id not in self.environment.foreign_errors and not HARMLESS.search(error.message)
        )

    def _failed(self, act: Act) -> bool:
        return any(body.held is False and act in acts_of(self.reading, row, body)[-1:] for row, body in self.reading.outcomes)

    def _missing(self) -> list[tuple[Row, NetworkFailure]]:
        """Style sheets, pictures, films and sounds of the app's own that did not come."""
        return [
            (row, body)
            for row, body in self.reading.of(NetworkFailure)
            if body.own_site and body.resource in {"stylesheet", "image", "media"}
        ]

    def _told(
        self,
        signal: Signal,
        reason: str,
        blame: Blame,
        *,
        counted: bool = False,
        down: float = 0.0,
        more: tuple[Row, ...] = (),
    ) -> Aside:
        evidence = tuple(dict.fromkeys(row.id for row in (signal.row, *signal.more, *more)))
        text = f"{signal.title}: {signal.observed}" if signal.observed not in signal.title else signal.title
        claim = Claim(text=clean(text, 240), reason=clean(reason, 240), blame=blame, evidence=evidence)
        return Aside(
            claim,
            counted=counted,
            scale=signal.scale,
            down=down,
            tried=bool(signal.oracle),
            page=signal.anchor in {"blank", "absent"},
        )


def _with_files(signal: Signal, missing: Sequence[tuple[Row, NetworkFailure]]) -> Signal:
    """Adds the missing files that the symptom shows: any style sheet for bare looks, for media the one that it names."""
    wanted = {"stylesheet"} if "style" in signal.meaning.follows else set[str]()
    if signal.category is Category.broken_media:
        wanted = {"image", "media"}
    texts = [signal.observed, *(str(value) for value in signal.measured.values())]
    rows = tuple(
        row
        for row, body in missing
        if body.resource in wanted
        and (body.resource == "stylesheet" or any(body.url.rpartition("/")[2] in text for text in texts))
    )
    return with_key(signal, signal.keys[0], more=rows) if rows else signal


def _about_looks(signal: Signal) -> bool:
    return signal.scale is Scale.aesthetics or signal.category is Category.inaccessible


def _shows(oracle: str) -> int:
    """How much it shows that an oracle held: 0 something was taken in, 1 a form objected, 2 it worked."""
    return 0 if oracle in _TAKEN_IN else 1 if oracle in _OBJECTED else 2


def _needed(oracle: str) -> int:
    """How much has to be shown to withdraw what an oracle told against a control; 3: nothing that is merely an effect does."""
    if oracle in _BY_FORMULA:
        return 3
    return 0 if oracle in _TAKEN_IN else 2 if oracle in _LEADS_ON else 1


def _trial(selector: str, name: str, act: Act | None, expected: str) -> tuple[str, ...]:
    """What was tried and how: a key that was ignored is not excused by another key that was not.

    A wait is aimed at nothing: what is `expected` of it tells one watch from another.
    """
    keys = act.body.action.get("keys", ()) if act else ()
    kind = act.kind if act else ""
    return (selector, name_stem(name), kind, " ".join(str(key) for key in keys), expected if kind == "wait" else "")


def undelivered(reading: Reading) -> list[Row]:
    """Acts that missed the page: the agent's failing, not the app's."""
    return [act.row for act in reading.acts if not act.body.delivered]


def broken_without_outcome(reading: Reading) -> list[str]:
    """Promises that the exploration calls broken though no outcome shows it: an opinion, and no evidence."""
    covered = reading.covered
    if covered is None:
        return []
    shown = {body.promise for _, body in reading.outcomes if body.held is False}
    return sorted(one for one, state in covered.promises.items() if state == "broken" and one not in shown)


def held_oracles(reading: Reading) -> frozenset[tuple[str, str]]:
    """Pairs of promise and oracle that were seen to hold."""
    return frozenset((body.promise, body.oracle) for _, body in reading.outcomes if body.held is True and body.promise)


def worked_subjects(reading: Reading) -> frozenset[tuple[str, str]]:
    """Pairs of oracle and subject (as in `Signal.subject`) that were seen to hold: each control and expectation once."""
    found: set[tuple[str, str]] = set()
    for row, body in reading.outcomes:
        acts = acts_of(reading, row, body)
        if body.held is True and all(act.body.delivered for act in acts):
            selector, _, name = subject_of(reading, acts, body)
            known = (
                f"{stem(selector)}|{name_stem(name)}" if selector or name else f"|{body.oracle}: {name_stem(body.expectation)}"
            )
            found.add((body.oracle, known))
    return frozenset(found)
