"""`Models` as a test scripts them, without a wire: for what is decided or judged on a reply, whatever brought it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tools.models.forms import Reply, form_for, read
from tools.models.protocol import Answer, Ask, Call, Capabilities, Role, Spent
from tools.models.trouble import ModelTrouble

Said = Answer | Exception | tuple[str, dict[str, Any]]


class ScriptedModels:
    """Answers by a function of the ask; keeps every ask. Replies are read, checked and repaired as the real service does it."""

    def __init__(self, script: Callable[[Ask], Said], *, pictures: bool = True) -> None:
        self._script = script
        self._pictures = pictures
        self.asked: list[Ask] = []
        self.objections: list[str] = []
        """What was wrong with answers, as it was told."""

    async def capabilities(self, role: Role) -> Capabilities:
        """A capable model's."""
        del role
        return Capabilities(
            "test:scripted",
            self._pictures,
            video=False,
            sound=False,
            schema="native",
            tools=True,
            context_tokens=100_000,
            output_tokens=4000,
        )

    def spent(self) -> Spent:
        """Nothing."""
        return Spent(calls=len(self.asked))

    async def ask(self, ask: Ask) -> Answer:
        """The scripted answer; one that does not fit is asked for once more."""
        problem = ""
        for _ in range(2):
            self.asked.append(ask)
            said = self._script(ask)
            if isinstance(said, Exception):
                raise said
            answer = await self._answer(ask, said)
            problem = "unreadable" if answer is None else ask.check(answer) if ask.check is not None else ""
            if answer is not None and not problem:
                return answer
            self.objections.append(problem)
        raise ModelTrouble("malformed", f"scripted: {problem}", call_id=f"call{len(self.asked)}")

    async def _answer(self, ask: Ask, said: Answer | tuple[str, dict[str, Any]]) -> Answer | None:
        if isinstance(said, Answer):
            return said
        name, arguments = said
        got = read(Reply("", (("c1", name, arguments),), "tools"), ask, form_for(ask, await self.capabilities(ask.role)))
        if got.problem:
            return None
        call = got.calls[0]
        return Answer("", f"call{len(self.asked)}", "test:scripted", calls=(Call("c1", call.name, call.arguments),))
