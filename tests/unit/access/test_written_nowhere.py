"""Where secrets are kept out: rows, blobs, files of a run, prompts, logs of other programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from prompts import Prompt, ours
from tests.secret_leaks import leaks_in
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import ConsoleMessage, RunStarted
from tools.evidence.writing import write_whole
from tools.models.forms import Form
from tools.models.messages import as_json, compose
from tools.models.protocol import Ask, Capabilities, Text
from tools.secrets import SECRETS

WORDS = 'harbour "Tulip" 47'


@pytest.fixture(autouse=True)
def one_secret() -> Iterator[None]:
    """It is known from the beginning."""
    SECRETS.forget()
    SECRETS.keep("SHOP_PASSWORD", WORDS)
    yield
    SECRETS.forget()


def test_a_runs_folder_holds_names(tmp_path: Path) -> None:
    """Rows, text blobs, written files and logs; the chain of rows is of what was written, and pictures are left alone."""
    ledger = Ledger.create(tmp_path / "run")
    ledger.append(RunStarted(brief=WORDS, brief_language="en", subject="x", settings={}, versions={}), producer="test")
    row = ledger.append(ConsoleMessage(level="log", text=f"it is {WORDS}!", url="", line=0), producer="test")
    dom = ledger.put(f"<p>{WORDS}</p>".encode(), "text/html")
    picture = b"\x89PNG\r\n\x1a\n" + WORDS.encode()[:3]
    assert ledger.blobs.get(ledger.put(picture, "image/png")) == picture
    ledger.seal(complete=True)
    ledger.close()
    write_whole(tmp_path / "run" / "report.json", f'{{"said": "{WORDS}"}}')
    log = tmp_path / "run" / "logs" / "server.log"
    log.parent.mkdir()
    log.write_text(f"GET /?password={WORDS.replace(' ', '+')}\nlogged in {WORDS}\n", encoding="utf-8")
    SECRETS.hidden_in_logs(tmp_path / "run")
    assert leaks_in(tmp_path / "run", [WORDS]) == []
    record = Record.read(tmp_path / "run")
    found = record.row(row.id)
    assert found is not None
    assert found.body == ConsoleMessage(level="log", text="it is ⟨SHOP_PASSWORD⟩!", url="", line=0)
    assert record.blobs.get(dom) == "<p>⟨SHOP_PASSWORD⟩</p>".encode()
    assert record.sealed


def test_a_prompt_holds_names() -> None:
    """Whatever part of it told the secret."""
    told = ours(f"It said {WORDS}.")
    prompt = Prompt("scorer", "judge", 1, "", prefix=ours("You judge."), setting=ours("The app."), tail=told)
    ask = Ask(role="scorer", prompt=prompt, parts=(Text(ours(f"seen: {WORDS}")),))
    able = Capabilities("m", False, False, False, "text", False, 8000, 1000)
    messages, _ = compose(ask, able, Form("free"))
    said = str(as_json(messages))
    assert WORDS not in said
    assert said.count("⟨SHOP_PASSWORD⟩") == 2
