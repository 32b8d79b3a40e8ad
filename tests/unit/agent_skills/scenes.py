"""Pages as an agent sees them, made by hand: marks, observations, finished steps and views."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from agent.deciders.protocol import Decision, Expectation, Step, View
from agent.planning import make_plan
from agent.skills.oracles import check
from agent.skills.survey import Candidate, Survey
from tools.browser.actions import Action, Click, Target, describe
from tools.browser.marks import Mark, Observation
from tools.evidence.rows import Acted, Box, Changes, Outcome, Planned

SITE = "http://127.0.0.1:4000/"
_ROLES = {"button": "button", "a": "link", "input": "textbox", "textarea": "textbox", "select": "combobox", "canvas": "canvas"}


def sha(text: str) -> str:
    """A hash as observations carry it."""
    return hashlib.sha256(text.encode()).hexdigest()


def mark(
    name: str, tag: str = "button", *, at: tuple[float, float] = (100, 100), size: tuple[float, float] = (120, 32), **more: Any
) -> Mark:
    """A mark called `name`; its signature follows from role and name, its selector from tag and name, unless given."""
    role = more.pop("role", _ROLES.get(tag, "clickable"))
    slug = "-".join(name.casefold().split()) or tag
    values: dict[str, Any] = {
        "id": f"m-{slug}-{at[0]:.0f}-{at[1]:.0f}",
        "kind": "canvas" if tag == "canvas" else "element",
        "role": role,
        "name": name,
        "tag": tag,
        "box": Box(x=at[0], y=at[1], width=size[0], height=size[1]),
        "point": (at[0] + size[0] / 2, at[1] + size[1] / 2),
        "in_view": True,
        "covered": False,
        "selector": f"#{slug}",
        "signature": sha(f"{role}|{name}")[:12],
        "evidence": ("tag",),
        "focusable": True,
    }
    return Mark(**{**values, **more})


def page(
    *marks: Mark, text: str = "", url: str = SITE, number: int = 0, moving: float = 0.0, animated: bool = False, **more: Any
) -> Observation:
    """An observation of a page that shows `text` and these marks; equal contents give equal hashes and fingerprints."""
    values = "|".join(f"{one.signature}={one.value}/{one.checked}" for one in marks)
    dom = sha("|".join(f"{one.selector}:{one.name}" for one in marks) + text)
    given: dict[str, Any] = {
        "id": f"o{number}",
        "screenshot": f"s{number}",
        "app_ms": number * 1000.0,
        "url": url,
        "title": "A page",
        "text": text,
        "language": "en",
        "marks": marks,
        "scroll": (0.0, 0.0),
        "page_size": (1280.0, 800.0),
        "viewport": (1280, 800),
        "text_sha256": sha(text),
        "dom_sha256": dom,
        "storage_sha256": sha(""),
        "values_sha256": sha(values),
        "pending_requests": 0,
        "moving": moving,
        "animated": animated or moving > 0,
        "fingerprint": sha(f"{url}{text}{dom}{values}{more.get('storage_sha256', '')}"),
    }
    return Observation(**{**given, **more})


def difference(before: Observation, after: Observation, **more: Any) -> Changes:
    """What changed between two observations, by their hashes; `more` sets what hashes do not tell (`picture`, `network` …)."""
    values: dict[str, Any] = {
        "url": before.url != after.url,
        "dom": before.dom_sha256 != after.dom_sha256,
        "text": before.text_sha256 != after.text_sha256,
        "picture": 0.0 if before.fingerprint == after.fingerprint else 0.02,
        "moving": before.moving,
        "storage": before.storage_sha256 != after.storage_sha256,
        "scroll": before.scroll != after.scroll,
        "focus": before.focused != after.focused,
        "value": before.values_sha256 != after.values_sha256,
    }
    return Changes(**{**values, **more})


def stepped(
    decision: Decision,
    before: Observation,
    after: Observation,
    history: Sequence[Step] = (),
    *,
    delivered: bool = True,
    problem: str = "",
    **changes: Any,
) -> Step:
    """A finished step with the outcomes that the real oracles give it."""
    assert decision.action is not None
    number = len(history) + 1
    acted = Acted(
        step=number,
        action=decision.action.model_dump(mode="json"),
        description=describe(decision.action),
        delivered=delivered,
        problem=problem,
        before=before.id,
        after=after.id,
        changes=difference(before, after, **changes),
        started_ms=before.app_ms,
        ended_ms=after.app_ms,
    )
    found = [
        check(wish, before=before, after=after, acted=acted, acted_id=f"a{number}", history=history)
        for wish in decision.expectations
    ]
    return Step(number, decision, acted, f"a{number}", tuple(one for one in found if one is not None))


def decided(action: Action, oracle: str = "responds", /, *, skill: str = "test", promise: str = "", **params: Any) -> Decision:
    """A decision with one expectation; `params` are its oracle's."""
    return Decision(action=action, why="a test", skill=skill, expectations=(Expectation(oracle, "it works", params, promise),))


def view(
    now: Observation,
    *,
    brief: str = "",
    steps: Sequence[Step] = (),
    past: Sequence[Observation] = (),
    plan: Planned | None = None,
    **more: Any,
) -> View:
    """A view of a page with enough steps and seconds left."""
    values: dict[str, Any] = {"steps_left": 25 - len(steps), "seconds_left": 45.0, "entry_url": SITE}
    planned = plan or make_plan(brief, "en", past[0] if past else now)
    return View(brief=brief, plan=planned, now=now, steps=tuple(steps), past=tuple(past), **{**values, **more})


def on(one: Mark, **more: Any) -> Click:
    """A click on a mark."""
    return Click(target=Target.of(one), **more)


def tell(
    action: Action, before: Observation, after: Observation, oracle: str, history: tuple[Step, ...] = (), /, **params: Any
) -> Outcome:
    """The outcome of one expectation after a step."""
    changes = params.pop("changes", {})
    step = stepped(decided(action, oracle, **params), before, after, history, **changes)
    return step.outcomes[0]


def twice(action: Action, before: Observation, after: Observation, oracle: str, /, **params: Any) -> tuple[Outcome, Outcome]:
    """The outcomes of the same expectation after two attempts with the same result."""
    changes = params.pop("changes", {})
    first = stepped(decided(action, oracle, **params), before, after, (), **changes)
    second = stepped(decided(action, oracle, **params), before, after, (first,), **changes)
    return first.outcomes[0], second.outcomes[0]


def see(*marks: Mark, brief: str = "", steps: tuple[Step, ...] = (), past: tuple[Observation, ...] = (), **more: Any) -> Survey:
    """The survey of a page with these marks."""
    given = {key: more.pop(key) for key in ("steps_left", "seconds_left", "hints") if key in more}
    return Survey(view(page(*marks, number=len(steps) + 1, **more), brief=brief, steps=steps, past=past, **given))


def acts(found: list[Candidate]) -> list[Any]:
    """The actions proposed, best first."""
    return [one.decision.action for one in sorted(found, key=lambda one: -one.priority)]


def aims(found: list[Candidate]) -> list[str]:
    """Names of what would be acted on, best first."""
    return [getattr(getattr(act, "target", None), "name", "") for act in acts(found)]


def did(decision: Decision, before: Observation, after: Observation, *history: Step, **changes: Any) -> Step:
    """A finished step."""
    return stepped(decision, before, after, history, **changes)
