"""An app explored by trials: what is wrong in one of its states is found, proved and exported; the right app is not accused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agent.trials.settled import passing
from evaluator.record.page_models import PageModels
from evaluator.record.sealed import Reading
from tests.conftest import FIXTURES
from tools.evidence.record import Record
from tools.evidence.trial_rows import ActDone

LIMIT_S = 600
APP = FIXTURES / "apps" / "reading" / "index.html"


def judged(folder: Path, *, wrong: bool, acts: int = 90) -> dict[str, Any]:
    """The verdict on the app, explored by trials alone. A copy of it is wrong, for a file has no query."""
    html = APP.read_text(encoding="utf-8")
    page = folder / ("wrong.html" if wrong else "right.html")
    page.write_text(html.replace('.get("wrong")', '.get("wrong") ?? "index"') if wrong else html, encoding="utf-8")
    run = folder / f"run-{page.stem}"
    told = ["eval", str(page), "--max-acts", str(acts), "--out", str(run), "--display", "none"]
    program = [sys.executable, "-c", "from agent.cli.entry import main; main()", *told]
    done = subprocess.run(program, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert (run / "verdict.json").is_file(), done.stderr
    return json.loads((run / "verdict.json").read_bytes()) | {"run": run}


TOAST = """<!doctype html><html lang="en"><title>Jars</title><h1>Jars</h1>
<p>In the cellar: <b id="count">3</b></p><button id="more">One more</button> <button id="fewer">One fewer</button>
<div id="toast" role="status" hidden style="position:fixed;bottom:20px;left:20px;padding:12px;background:#222;color:#fff">
<span>Saved</span> <button id="undo">Undo</button></div>
<script>let count = 3, before = 3, gone;
const show = () => { document.getElementById("count").textContent = count; };
const set = (to) => { before = count; count = to; show(); toast.hidden = false; clearTimeout(gone);
  gone = setTimeout(() => { toast.hidden = true; }, 5000); };
more.onclick = () => set(count + 1); fewer.onclick = () => set(count - 1);
undo.onclick = () => { count = before; show(); toast.hidden = true; };</script></html>"""


@pytest.mark.long
def test_nothing_but_what_is_about_it_is_tried_beside_a_toast(tmp_path: Path) -> None:
    """How many acts fall into its seconds is the machine's: what is tried next would depend on that."""
    (tmp_path / "jars.html").write_text(TOAST, encoding="utf-8")
    told = ["eval", str(tmp_path / "jars.html"), "--max-acts", "6", "--out", str(tmp_path / "run"), "--display", "none"]
    told += ["--no-prove"]
    program = [sys.executable, "-c", "from agent.cli.entry import main; main()", *told]
    subprocess.run(program, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    record = Record.read(tmp_path / "run")
    models, first = PageModels(record), dict[str, ActDone]()
    for row, act in record.of(ActDone):
        first.setdefault(row.parent or "", act)
    beside = [act.words for act in first.values() if (page := models.page(act.before)) is not None and list(passing(page))]
    assert len(first) >= 3
    assert {words for words in beside if "Undo" not in words} == set()
    assert beside, "the toast itself was never tried"


LIST = """<!doctype html><html lang="en"><title>Errands</title><h1>Errands</h1>
<form id="new"><label>Errand <input id="what" required></label> <button>Add errand</button></form>
<p><span id="count">1</span> errands</p><ul id="list"><li>Bring the ladder back</li></ul>
<script>document.getElementById("new").onsubmit = (event) => { event.preventDefault();
  const item = document.createElement("li"); item.textContent = what.value; list.append(item);
  count.textContent = list.children.length; what.value = ""; };</script></html>"""


@pytest.mark.long
def test_what_one_trials_acts_show_of_another_is_not_done_again(tmp_path: Path) -> None:
    """A form that was sent shows that it answers and that what it adds appears; the other trial has the very same acts."""
    (tmp_path / "errands.html").write_text(LIST, encoding="utf-8")
    told = ["eval", str(tmp_path / "errands.html"), "--max-acts", "8", "--out", str(tmp_path / "run"), "--display", "none"]
    told += ["--no-prove", "--capture", "none"]
    program = [sys.executable, "-c", "from agent.cli.entry import main; main()", *told]
    subprocess.run(program, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    reading = Reading(Record.read(tmp_path / "run"))
    shared = [trial for trial in reading.trials if trial.body.acts_of]
    assert shared
    for trial in shared:
        carried = reading.trial(trial.body.acts_of)
        assert carried is not None
        assert [act.row.id for act in trial.acts] == [act.row.id for act in carried.acts if not act.in_control]
        assert trial.result == "held"
        assert trial.body.trial.get("acts") == carried.body.trial.get("acts")
    assert len({act.row.id for trial in reading.trials for act in trial.acts}) == len(reading.acts) <= 8 + 2


@pytest.mark.long
def test_what_one_trials_acts_show_broken_is_tried_next(tmp_path: Path) -> None:
    """Sending the form for another reason shows that what it adds is not to be seen: that is asked before anything else is."""
    page = LIST.replace("item.textContent = what.value;", 'item.textContent = "Errand";')
    (tmp_path / "errands.html").write_text(page, encoding="utf-8")
    told = ["eval", str(tmp_path / "errands.html"), "--max-acts", "3", "--out", str(tmp_path / "run"), "--display", "none"]
    told += ["--no-prove", "--capture", "none", "--brief", "A list of errands. Errands survive a reload."]
    program = [sys.executable, "-c", "from agent.cli.entry import main; main()", *told]
    subprocess.run(program, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    tried = [(str(trial.body.trial.get("by")), trial.result) for trial in Reading(Record.read(tmp_path / "run")).trials]
    assert tried[0][0] == "added_survives", tried
    assert tried[1] == ("added_item_appears", "violated"), tried


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_fault_of_a_filtered_list_is_found_proved_and_exported(tmp_path: Path) -> None:
    """Deleting while a filter is on takes another item."""
    verdict = judged(tmp_path, wrong=True)
    found = [item for item in verdict["failures"] if "Delete" in item["title"]]
    assert found, [item["title"] for item in (*verdict["failures"], *verdict["suspected"])]
    assert found[0]["proof"]["status"] == "confirmed"
    assert (verdict["run"] / found[0]["proof"]["script"]).read_text(encoding="utf-8").count("def test_") == 1


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_right_app_is_not_accused(tmp_path: Path) -> None:
    """Nothing that works is suspected either."""
    verdict = judged(tmp_path, wrong=False)
    assert [item["title"] for item in (*verdict["failures"], *verdict["suspected"]) if item["scale"] == "functionality"] == []


STEPS = """<!doctype html><html lang="en"><title>Application</title><h1>Application</h1><form id="you"><h2>About you</h2>
<label>Full name <input id="name" required></label><label>E-mail <input id="mail" required></label><p id="wrong" role="alert"></p>
<button>Continue</button></form><form id="job" hidden><h2>The job</h2><label>Position <input id="what" required></label>
<button>Send application</button></form><script>
const kept = localStorage, show = () => { you.hidden = kept.step === "2"; job.hidden = !you.hidden; }; show();
you.onsubmit = (event) => { event.preventDefault(); wrong.textContent = CHECK ? "" : "That is no e-mail address.";
  if (!wrong.textContent) { kept.step = "2"; show(); } };
job.onsubmit = (event) => { event.preventDefault(); job.textContent = "Thank you."; };</script></html>"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("check", "wrong"), [("/.@.+[.]./.test(mail.value)", False), ("true", True)], ids=["checks", "takes anything"]
)
def test_a_control_that_was_lost_is_asked_from_the_start_and_so_is_its_proof(tmp_path: Path, check: str, wrong: bool) -> None:
    """The form that took half an address is gone, after a reload, too: what it makes of a whole one can only be asked anew."""
    (tmp_path / "steps.html").write_text(STEPS.replace("CHECK", check), encoding="utf-8")
    told = ["eval", str(tmp_path / "steps.html"), "--max-acts", "30", "--out", str(tmp_path / "run"), "--display", "none"]
    program = [sys.executable, "-c", "from agent.cli.entry import main; main()", *told, "--capture", "none"]
    done = subprocess.run(program, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert (tmp_path / "run" / "verdict.json").is_file(), done.stderr
    verdict = json.loads((tmp_path / "run" / "verdict.json").read_bytes())
    accused = [item["proof"]["status"] for item in verdict["failures"] if "anna@" in item["title"]]
    assert accused == (["confirmed"] if wrong else []), [item["title"] for item in (*verdict["failures"], *verdict["suspected"])]


QUIZ = """<!doctype html><html lang="en"><title>Quiz</title><h1>Capitals</h1>
<p><label><input type="checkbox" id="hints"> Hints</label></p>
<main id="now"><button onclick="begin()">Start</button></main><script>
const all = [["Which is the capital of France?", "Paris", "Lyon"], ["Which is the capital of Spain?", "Madrid", "Seville"],
  ["Which is the capital of Italy?", "Rome", "Milan"], ["Which is the capital of Peru?", "Lima", "Cusco"]];
let left = [], right = 0;
const begin = () => { right = 0; left = [...all].sort(() => Math.random() - 0.5); ask(); };
const ask = () => { if (!left.length) { done(); return; } const [words, good, bad] = left.pop();
  now.innerHTML = `<fieldset><legend>${words}</legend>${[good, bad].map((answer) =>
    `<label><input type="radio" name="answer" value="${answer}"> ${answer}</label>`).join("")}</fieldset>
    <button id="check" disabled>Check</button>`;
  now.onchange = () => { check.disabled = false; };
  check.onclick = () => { right += document.querySelector(":checked").value === good; ask(); }; };
const done = () => { now.innerHTML = `<h2>Done</h2><p>${right} right</p><button id="again">Once more</button>`;
  again.onclick = () => { AGAIN; }; };</script></html>"""


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("again", "wrong"), [("start()", True), ("begin()", False)])
def test_a_quiz_that_asks_anew_each_time_is_gone_through_to_its_end(tmp_path: Path, again: str, wrong: bool) -> None:
    """No question can be gone back to; what is broken after the last one is found all the same."""
    (tmp_path / "quiz.html").write_text(QUIZ.replace("AGAIN", again), encoding="utf-8")
    told = ["eval", str(tmp_path / "quiz.html"), "--max-acts", "80", "--out", str(tmp_path / "run"), "--display", "none"]
    told += ["--no-prove", "--capture", "none"]
    program = [sys.executable, "-c", "from agent.cli.entry import main; main()", *told]
    subprocess.run(program, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    verdict = json.loads((tmp_path / "run" / "verdict.json").read_bytes())
    acts = [act.words for _, act in Record.read(tmp_path / "run").of(ActDone)]
    assert any("Once more" in words for words in acts), acts
    told = [found["title"] for found in (*verdict["failures"], *verdict["suspected"]) if found["scale"] == "functionality"]
    assert any("start is not defined" in title or "Once more" in title for title in told) is wrong, told
