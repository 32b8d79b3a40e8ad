"""A run that somebody else handed over is data: nothing in it is run, believed with the operator's keys, or written through."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sqlite3
from collections.abc import Coroutine, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import ormsgpack
import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from agent.run.checkpoints import PlainValues
from agent.run.evaluation import prove_again, resume
from agent.run.roles import judge_of_run
from evaluator.judges.rescore import rescore
from evaluator.reports.as_json import write_json
from tests.faults.security.receiving import accusing_run, received_run
from tests.faults.security.serving import Silent, serving
from tools.errors import AssayError, RunError
from tools.evidence.received import KEY_FILE, ORIGIN_FILE, made_here, mark_as_made_here, refuse_foreign, state_dir
from tools.evidence.writing import write_whole


def calling(module: str, name: str, argument: str) -> bytes:
    """A checkpoint's bytes that ask for `module.name(argument)` to be called."""
    return ormsgpack.packb(ormsgpack.Ext(0, ormsgpack.packb((module, name, argument))))


async def refusal(verb: Coroutine[Any, Any, object]) -> str:
    """What a verb says when it gives up; empty if it does not. Whether it does is looked at after what it did meanwhile."""
    try:
        await verb
    except AssayError as error:
        return f"{error} {error.hint}"
    return ""


async def test_a_checkpoint_in_the_folder_calls_nothing(tmp_path: Path) -> None:
    """Row 3: resuming a received run does not load what lies in it, whatever its bytes name."""
    page = tmp_path / "index.html"
    page.write_text("<h1>page</h1>", encoding="utf-8")
    run, canary = received_run(tmp_path / "run", subject=str(page), sealed=False), tmp_path / "called"
    async with AsyncSqliteSaver.from_conn_string(str(run / "checkpoints.sqlite")) as saver:
        where = {"configurable": {"thread_id": "run", "checkpoint_ns": ""}}
        await saver.aput(where, empty_checkpoint(), {}, {})  # pyright: ignore[reportArgumentType]
    with sqlite3.connect(run / "checkpoints.sqlite") as database:
        database.execute("update checkpoints set type='msgpack', checkpoint=?", (calling("os", "system", f"touch {canary}"),))
    database.close()
    for given, words in ((None, "not made on this machine"), (str(page), "no checkpoint on this machine")):
        try:
            told = await refusal(resume(run, subject=given))
        finally:
            assert not canary.exists()
        assert words in told


@pytest.mark.parametrize("kind", ["msgpack", "json", "pickle"])
def test_no_encoding_of_a_checkpoint_calls_anything(kind: str, tmp_path: Path) -> None:
    """Row 3: constructors in msgpack extensions give plain data, other encodings are refused."""
    canary = tmp_path / "called"
    data = calling("os", "system", f"touch {canary}")
    if kind == "json":
        call = {"lc": 2, "type": "constructor", "id": ["os", "system"], "args": [f"touch {canary}"], "kwargs": {}}
        data = json.dumps(call).encode()
    if kind == "msgpack":
        PlainValues().loads_typed((kind, data))
    else:
        with pytest.raises(RunError, match="never writes"):
            PlainValues().loads_typed((kind, data))
    assert not canary.exists()


def test_plain_state_survives_the_strict_serializer() -> None:
    """Row 3: what the graph does keep comes back as it was."""
    state = {"step": 3, "observation": "e000012", "stop": "", "nested": [1, 2.5, None, True]}
    assert PlainValues().loads_typed(PlainValues().dumps_typed(state)) == state


async def test_proving_a_received_run_does_not_start_its_project(tmp_path: Path) -> None:
    """Row 4: the project that the ledger names is not even installed."""
    project = tmp_path / "project"
    project.mkdir()
    scripts = dict.fromkeys(("preinstall", "dev", "start"), "node -e \"console.log('STAR' + 'TED')\"")
    (project / "package.json").write_text(json.dumps({"name": "x", "scripts": scripts}), encoding="utf-8")
    run = accusing_run(tmp_path / "run", subject=str(project), kind="project", allow_install_scripts=True)
    told = await refusal(prove_again(run))
    written = [path for path in run.rglob("*") if path.is_file() and b"STARTED" in path.read_bytes()]
    assert written == []
    assert "not made on this machine" in told
    assert "--subject" in told


def test_a_mark_holds_only_for_what_it_was_made_for(tmp_path: Path) -> None:
    """Rows 3, 4: made here; not once the kept subject is changed, the mark is copied, or the first row is another."""
    run = received_run(tmp_path / "run", subject="x")
    (run / "subject").mkdir()
    (run / "subject" / "answer.md").write_text("mine", encoding="utf-8")
    assert not made_here(run)
    mark_as_made_here(run)
    assert made_here(run)
    assert (state_dir() / KEY_FILE).stat().st_mode & 0o077 == 0
    (run / "subject" / "answer.md").write_text("theirs", encoding="utf-8")
    assert not made_here(run)
    other = received_run(tmp_path / "other", subject="y")
    (other / ORIGIN_FILE).write_bytes((run / ORIGIN_FILE).read_bytes())
    assert not made_here(other)


def test_a_machine_key_that_others_can_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows 3, 4: one line, instead of marks that anybody could forge."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    run = received_run(tmp_path / "run")
    mark_as_made_here(run)
    (state_dir() / KEY_FILE).chmod(0o644)
    with pytest.raises(RunError, match="can be read"):
        made_here(run)


@pytest.fixture
def stranger() -> Iterator[tuple[str, list[str]]]:
    """A stranger's endpoint on loopback: its address, and the requests that came."""
    heard: list[str] = []

    class Listening(Silent, BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(f"{self.path} {self.headers.get('Authorization', '')}{self.headers.get('x-api-key', '')}")
            self.send_error(401)  # of which nobody thinks that it will be otherwise in a moment

    with serving(Listening) as port:
        yield f"http://127.0.0.1:{port}/v1", heard


@pytest.mark.parametrize("judge", ["chat", "panel"])
async def test_rescoring_asks_no_model_that_the_folder_names(
    judge: str,
    stranger: tuple[str, list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Row 5: neither key nor evidence goes to a stranger's endpoint, and one line says what was ignored."""
    address, heard = stranger
    monkeypatch.setenv("OPENAI_API_KEY", "sk-operators-own")
    cassette = tmp_path / "cassette"
    models = {"model": "openai:gpt-4o", "base_url": address, "tries": 1, "cassette": str(cassette)}
    run = accusing_run(tmp_path / "run", judge=judge, models=models, referees=["openai:gpt-4o", "openai:gpt-4o-mini"])
    # Without recorded replies a judge may give up; what counts is who was asked.
    await refusal(rescore(run, judge_of_run(run)))
    assert heard == []
    assert not cassette.exists()
    assert "was not made here" in capsys.readouterr().err
    # The control: the same run, made here, does ask, with the key and what was seen.
    mark_as_made_here(run)
    await refusal(rescore(run, judge_of_run(run)))
    assert any(item.endswith("Bearer sk-operators-own") for item in heard)


def test_the_operators_own_model_takes_the_place_of_the_strangers(
    stranger: tuple[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 5: a model named by flag is used with its own address, not with the folder's."""
    from agent.run.received import judging  # noqa: PLC0415

    monkeypatch.setenv("OPENAI_API_KEY", "sk-operators-own")
    theirs = {"model": "openai:theirs", "base_url": stranger[0], "batch_file": str(tmp_path / "written")}
    run = received_run(tmp_path / "run", judge="chat", models=theirs)
    settings, recorded_only = judging(run, {"models": {"model": "openai:mine"}}, recorded_only=False)
    assert not recorded_only
    assert settings.judge == "chat"
    assert settings.models.model == "openai:mine"
    assert settings.models.base_url == ""
    assert settings.models.batch_file is None


def test_a_run_made_here_is_judged_as_it_was(tmp_path: Path) -> None:
    """Row 5: the rule is for strangers' runs only."""
    from agent.run.received import judging  # noqa: PLC0415

    models = {"model": "openai:mine", "base_url": "http://127.0.0.1:1/v1"}
    run = received_run(tmp_path / "run", judge="chat", models=models)
    mark_as_made_here(run)
    settings, recorded_only = judging(run, {}, recorded_only=False)
    assert (settings.models.model, settings.models.base_url) == ("openai:mine", "http://127.0.0.1:1/v1")
    assert not recorded_only


LINKS = ("verdict.json", "verdict.json.partial", "report.json", "report.json.partial")


@pytest.mark.parametrize("name", [*LINKS, "proofs"])
def test_a_link_in_a_run_is_refused(name: str, tmp_path: Path) -> None:
    """Row 9: to a file or to a folder."""
    run = received_run(tmp_path / "run")
    (run / name).symlink_to(tmp_path)
    with pytest.raises(RunError, match="is a link"):
        refuse_foreign(run)


@pytest.mark.parametrize("name", LINKS)
async def test_a_link_in_a_run_is_never_written_through(name: str, tmp_path: Path) -> None:
    """Row 9: another file keeps its bytes, whether the folder was looked at before or not."""
    (tmp_path / "mine").write_text("precious", encoding="utf-8")
    run = received_run(tmp_path / "run")
    (run / name).symlink_to(tmp_path / "mine")
    await rescore(run, judge_of_run(run))
    write_json(run)
    assert (tmp_path / "mine").read_text(encoding="utf-8") == "precious"


def test_nothing_is_written_into_a_linked_folder(tmp_path: Path) -> None:
    """Row 9: proofs in a folder that is a link would land in somebody's own."""
    (tmp_path / "mine").mkdir()
    run = received_run(tmp_path / "run")
    (run / "proofs").symlink_to(tmp_path / "mine")
    with contextlib.suppress(RunError):
        write_whole(run / "proofs" / "F1.py", "theirs")
    assert list((tmp_path / "mine").iterdir()) == []
    with pytest.raises(RunError, match="link"):
        write_whole(run / "proofs" / "F1.py", "theirs")


def test_pipes_and_sockets_in_a_run_are_refused(tmp_path: Path) -> None:
    """Row 9: reading one could wait for ever."""
    run = received_run(tmp_path / "run")
    os.mkfifo(run / "server.log")
    with pytest.raises(RunError, match="no plain file"):
        refuse_foreign(run)
    (run / "server.log").unlink()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(run / "s"))
        with pytest.raises(RunError, match="no plain file"):
            refuse_foreign(run)


@pytest.mark.parametrize("folder", ["work", "subject"])
def test_a_projects_own_links_stay_allowed_and_those_that_leave_are_not(folder: str, tmp_path: Path) -> None:
    """Row 9: package managers lay links, also where an interrupted run is resumed; one out of the copy is a stranger's."""
    run = received_run(tmp_path / "run")
    binaries = run / folder / "node_modules" / ".bin"
    binaries.mkdir(parents=True)
    (binaries.parent / "vite.js").write_text("", encoding="utf-8")
    (binaries / "vite").symlink_to("../vite.js")
    refuse_foreign(run)
    (binaries / "out").symlink_to("/etc/passwd")
    with pytest.raises(RunError, match="is a link"):
        refuse_foreign(run)


def test_a_file_is_written_whole_over_a_link_beside_it(tmp_path: Path) -> None:
    """Row 9: renaming replaces the link; nothing temporary stays."""
    (tmp_path / "target").write_text("mine", encoding="utf-8")
    (tmp_path / "file").symlink_to("target")
    write_whole(tmp_path / "file", "new")
    assert (tmp_path / "target").read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "file").read_text(encoding="utf-8") == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "target"]
