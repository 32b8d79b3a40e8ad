"""How a model judged and what other referees say, in the page and in the terminal."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from evaluator.reports.as_html import write_html
from evaluator.reports.as_terminal import print_summary
from evaluator.verdict.model import Board, Claim, Interval, Mark, RefereeFacts, Spread, StageFacts, Staging, Verdict
from evaluator.verdict.taxonomy import Blame, Scale
from tests.unit.reports.plot import Plot
from tests.unit.reports.run_folder import make_run

HOSTILE = "<img src=x onerror=alert(1)>\x1b[31m"


@pytest.fixture
def panelled(tmp_path: Path) -> Path:
    """A run that a panel judged, with a fallback, scattered votes, dismissed suspicions and hostile words in every text."""
    run = make_run(tmp_path / "run", Plot(video=False))
    path = run / "verdict.json"
    verdict = Verdict.model_validate_json(path.read_bytes())
    first, second = (failure.id for failure in verdict.failures[:2])
    titles = {item.id: item.title for item in verdict.failures}
    staging = Staging(
        inputs="whole",
        figures="1-abc",
        tokens={"static reading": 9000, "problem finding": 14000},
        seen={"screenshot": 9, "action": 12},
        stages=(
            StageFacts(stage="static reading", by="model", model=f"openai:{HOSTILE}"),
            StageFacts(stage="problem finding", vote=0, by="rubric", note="the model declined"),
            StageFacts(stage="scoring", vote=0, by="model", model="openai:gpt-4o"),
        ),
        spread=(
            Spread(scale=Scale.functionality, votes=(5.5, 6.0, 7.0), median=6.0, low=5.5, high=7.0, confidence=0.7),
            Spread(scale=Scale.aesthetics, votes=(5.0, 5.0, 5.0), median=5.0, low=5.0, high=5.0, confidence=0.3),
        ),
        abstained="aesthetics: its confidence 0.30 is below 0.40",
        answered=(
            Claim(
                text=f"{first} {HOSTILE}", reason="stands 3 of 3", blame=Blame.app, evidence=(verdict.failures[0].evidence[0],)
            ),
        ),
        dismissed=(Claim(text="Nothing sorts the list", reason="the picture shows it sorted", evidence=("e000005",)),),
        arithmetic=("vote 1, functionality: it says 3.5, its own items come to 7",),
        checklist=(Mark(item="1", title=HOSTILE, points=7, of=10, reason="seen", orientation="vision"),),
        total_100=70.0,
        summary=f"It works {HOSTILE}",
    )
    board = Board(
        referees=(
            RefereeFacts(
                name="openai:gpt-4o",
                status="complete",
                functionality=Interval(value=6.0, low=5.0, high=7.0),
                aesthetics=Interval(value=5.0, low=5.0, high=5.0),
                failures=(first, second),
                titles={first: titles[first], second: titles[second]},
            ),
            RefereeFacts(name=HOSTILE, status="abstained", reason="functionality: its confidence 0.20 is below 0.40"),
            RefereeFacts(
                name="rubric",
                status="complete",
                functionality=Interval(value=3.5, low=3, high=4),
                failures=(first,),
                titles=titles,
            ),
        ),
        shared=(first,),
        disputed=(second,),
        distance={"functionality": 2.5},
        heavier=((first, second),),
    )
    changed = verdict.model_copy(update={"staging": staging, "board": board, "judge": "panel, led by openai:gpt-4o (chat)"})
    path.write_text(changed.to_json(), encoding="utf-8")
    return run


def test_the_page_shows_the_referees(panelled: Path) -> None:
    """Each referee by itself, what all name, the fallback, the votes, the dismissed; hostile words are words."""
    page = write_html(panelled).read_text(encoding="utf-8")
    section = page[page.index('<section id="judging"') :]
    section = section[: section.index("</section>")]
    for words in (
        "never mixed",
        "openai:gpt-4o",
        "functionality 2.5 points at most",
        "the rubric judge in the model's place",
        "5.5, 6.0, 7.0; median 6.0, from 5.5 to 7.0",
        "The judge abstains",
        "Suspicions that the recording refutes: 1",
        "Sums of the model's own that were wrong: 1",
        "70.0 of 100",
    ):
        assert words in section, words
    assert "<img src=x" not in page
    assert "\x1b" not in page
    for row in set(re.findall(r'href="#(row-e\d+)"', section)):
        assert f'id="{row}"' in page


def test_a_page_without_a_model_does_not_mention_one(tmp_path: Path) -> None:
    """The section is there only where a model or a panel judged."""
    page = write_html(make_run(tmp_path / "run", Plot(video=False))).read_text(encoding="utf-8")
    assert 'id="judging"' not in page


def test_the_terminal_shows_the_referees(panelled: Path) -> None:
    """A line for each referee, for each stage that fell back, for scattered votes, and for what the judge abstains from."""
    out = io.StringIO()
    print_summary(panelled, Console(file=out, width=160, color_system=None))
    said = out.getvalue()
    assert "Referee openai:gpt-4o: functionality 6.0 (5.0–7.0), aesthetics 5.0 (5.0–5.0)" in said
    assert "abstained: functionality: its confidence 0.20 is below 0.40" in said
    assert "Problem finding: by the rubric judge, as the model declined" in said
    assert "Votes on functionality: 5.5, 6.0, 7.0 (median 6.0)" in said
    assert "\x1b" not in said
