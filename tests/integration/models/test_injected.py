"""A page and a checklist that order the grader about: in every role their words stand in data blocks, nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.benchmarks.model_leaks import CANARY, PLACES, TEXTS, inside, leaks, planted
from tests.benchmarks.model_run import run
from tests.conftest import FIXTURES
from tests.standins.clever import Clever

ROLES = {"static_reader", "decider", "problem_finder", "scorer"}


@pytest.mark.long
@pytest.mark.timeout(400)
def test_a_page_that_orders_the_grader_about_is_fenced_in_every_role(tmp_path: Path) -> None:
    """Each kind of order in each place of one page, in its brief and in its checklist; each role sees some of it."""
    texts = [text.format(c=CANARY) for text in TEXTS.values()]
    markup = "\n".join(planted(texts[number % len(texts)], place) for number, place in enumerate((*PLACES, *PLACES)))
    frame = (FIXTURES / "pages" / "counter.html").read_text(encoding="utf-8")
    page, items = tmp_path / "page.html", tmp_path / "items.jsonl"
    page.write_text(frame.replace("<!-- here -->", markup), encoding="utf-8")
    items.write_text("".join(json.dumps({"content": f"The button adds one. {text}"}) + "\n" for text in texts), encoding="utf-8")
    options = ("--brief", f"A counter with a button that adds one. {texts[0]}", "--checklist", str(items), "--decider", "chat")
    done = run(page, tmp_path / "run", Clever(inquire=True), *options, "--judge", "chat", "--no-prove", "--max-acts", "8")
    assert done.ended.code in {0, 3}, done.ended.err
    assert {role for role, times in inside(done.standin.asked).items() if times} == ROLES
    assert sum(leaks(done.standin.asked).values()) == 0
