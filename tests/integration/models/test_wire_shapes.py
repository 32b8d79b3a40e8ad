"""What is sent, in each vendor's own form, is what was recorded: tools, a picture, a tool's result, what a prompt cache may keep.

The recorded bodies (`tests/fixtures/wire`) were read against the vendors' documentation. After a meant change they are written
anew by ASSAY_RECORD_WIRE=1, and read again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from typing import Any

from prompts import Prompt, fenced, ours
from tests.conftest import FIXTURES
from tests.integration.models.conftest import Opens
from tests.integration.models.test_service import TOOLS, VENDORS
from tests.standins.talk import Say, in_turn
from tools.models.probe import _one_colour
from tools.models.protocol import Ask, Picture, Text, Turn

PROMPT = Prompt(
    "decider", "step", 1, "0" * 64, ours("You say what can be pressed. " * 200), ours("The brief: a clock."), ours("Now.")
)
_NONCE = re.compile(r"(<<(?:data|end) )[0-9a-f]{16}")


def plain(value: Any) -> Any:
    """A body with long texts and pictures by their length and hash, and without what differs from run to run."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in sorted(value.items())}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, str):
        value = _NONCE.sub(r"\g<1>…", value)
        return (
            value
            if len(value) <= 200
            else f"{value[:40]}… {len(value)} characters {hashlib.sha256(value.encode()).hexdigest()[:12]}"
        )
    return value


@VENDORS
async def test_a_question_with_tools_a_picture_and_a_tools_result_has_the_vendors_form(vendor: str, opened: Opens) -> None:
    """Both requests of a turn: the question, and the question with what a tool answered."""
    script = in_turn(Say(calls=(("look", {"at": "m1"}),)), Say(calls=(("press", {"key": "a", "times": 2}),)))
    models, standin, _ = opened(vendor, script)
    shown = (Text(fenced("page", "A button.")), Picture(_one_colour((9, 9, 9)), ours("The window:"), width=64, height=64))
    ask = Ask("decider", PROMPT, shown, tools=TOOLS, must_call=True)
    first = await models.ask(ask)
    seen = (Text(fenced("seen", "It says GO.")), Picture(_one_colour((90, 9, 9)), ours("The part:"), width=64, height=64))
    await models.ask(Ask("decider", PROMPT, shown, tools=TOOLS, must_call=True, turns=(Turn(first.text, first.calls, (seen,)),)))
    sent = [plain(item.body) for item in standin.asked]
    path = FIXTURES / "wire" / f"{vendor}.json"
    if os.environ.get("ASSAY_RECORD_WIRE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(sent, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert sent == json.loads(path.read_text(encoding="utf-8"))
