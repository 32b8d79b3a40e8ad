"""The decider that reads its acts from a file: for regressions, and for what a person wants to have tried.

    [{"act": "click", "on": {"role": "button", "name": "Add"}, "why": "adds", "expect": [{"oracle": "responds", "text": "…"}]},
     {"act": "type", "on": {"name": "Title"}, "text": "Milk", "submit": true}]

An entry is an act's JSON form, aimed by the role and name of a mark (`on`, and `to` for drags) instead of a selector.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agent.deciders.protocol import Decision, Expectation, View
from tools.browser.actions import Target, parse_action
from tools.browser.marks import Mark
from tools.errors import UserError, why

_OURS = ("why", "skill", "expect", "on", "to")


class Scripted:
    """Does one entry of the list a step and ends with it. Raises `UserError` for a list that can't be read."""

    name = "scripted"

    def __init__(self, entries: list[dict[str, Any]]) -> None:
        self._entries = entries

    @classmethod
    def read(cls, path: Path) -> Scripted:
        """The decider of a JSON file."""
        try:
            entries = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise UserError(f"The script {path} can't be read: {why(error)}.") from error
        if not isinstance(entries, list) or not all(isinstance(entry, dict) and "act" in entry for entry in entries):
            raise UserError(f"The script {path} is no list of acts.", hint='For example: [{"act": "reload"}]')
        return cls(entries)

    async def decide(self, view: View) -> Decision:
        """The entry that is due; one whose mark is not on the page waits a second instead, and says so."""
        due = len(view.steps)
        if due >= len(self._entries):
            return Decision(None, "the script is at its end", stop="covered")
        entry = self._entries[due]
        values = {key: value for key, value in entry.items() if key not in _OURS}
        why = str(entry.get("why", f"entry {due + 1} of the script"))
        for place, key in (("on", "target"), ("to", "to")):
            if place in entry:
                mark = _find(entry[place], view)
                if mark is None:
                    return Decision(
                        parse_action({"act": "wait", "ms": 1000}), f"{why}: what it names is not on the page", "scripted"
                    )
                values[key] = Target.of(mark).model_dump()
        try:
            action = parse_action(values)
        except ValidationError as error:
            raise UserError(f"Entry {due + 1} of the script is no act: {error.errors()[0]['msg']}.") from error
        checks = tuple(
            Expectation(
                str(one["oracle"]), str(one.get("text", one["oracle"])), dict(one.get("params", {})), str(one.get("promise", ""))
            )
            for one in entry.get("expect", [])
        )
        return Decision(action, why, str(entry.get("skill", "scripted")), checks)


def _find(wanted: dict[str, str], view: View) -> Mark | None:
    """The first mark whose role and name fit; a name fits whole before it fits in part."""
    fitting = [mark for mark in view.now.marks if not wanted.get("role") or mark.role == wanted["role"]]
    name = wanted.get("name", "").casefold()
    whole = [mark for mark in fitting if mark.name.casefold() == name]
    partly = [mark for mark in fitting if name in mark.name.casefold()]
    return next(iter([*whole, *partly] if name else fitting), None)
