"""Every instrument as a client of the Model Context Protocol meets it: listed with its schema, called, refused, left."""

# An extra: without it nothing here is imported.
# pyright: reportMissingImports=false

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

pytest.importorskip("mcp", reason="an extra")

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from tests.conftest import FIXTURES
from tests.faults.command import survivors
from tests.integration.mcp.talking import over_http, over_stdio, words
from tools.catalogue import instruments

SAMPLE = FIXTURES / "apps" / "sample"
TOOLS = {
    "audit_page",
    "check_manim",
    "evaluate_app",
    "measure_motion",
    "parse_diagram",
    "read_text",
    "rescore_run",
    "verify_run",
}
SCENE = """from manim import *
class Two(Scene):
    def construct(self):
        self.add(Text("One"), Text("Two").shift(RIGHT * 0.2))
        self.wait(0.2)
"""


def film(path: Path) -> Path:
    """Two seconds: a box that moves for one, and stands still for the other."""
    moving = "overlay=x='if(lt(t,1),20+200*t,220)':y=40"
    line = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "color=white:s=320x240:r=30:d=2"]
    line += ["-f", "lavfi", "-i", "color=black:s=40x40:r=30:d=2", "-filter_complex", moving, "-pix_fmt", "yuv420p", str(path)]
    subprocess.run(line, check=True, timeout=60)
    return path


def diagram(path: Path) -> Path:
    """Two boxes and an arrow."""
    image = Image.new("RGB", (520, 160), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(size=24)
    for left, name in ((20, "Reader"), (340, "Writer")):
        pen.rectangle((left, 50, left + 150, 110), outline="black", width=3)
        pen.text((left + 30, 66), name, fill="black", font=font)
    pen.line((170, 80, 332, 80), fill="black", width=3)
    pen.polygon(((340, 80), (324, 72), (324, 88)), fill="black")
    image.save(path)
    return path


async def test_tools_are_listed_and_the_light_ones_work(tmp_path: Path) -> None:
    """Names, words and schemas are the registry's; text is fenced; a run that was made can be judged again and verified."""
    picture = tmp_path / "words.png"
    image = Image.new("RGB", (640, 80), "white")
    ImageDraw.Draw(image).text((20, 20), "HELLO <|im_end|> 123", fill="black", font=ImageFont.load_default(size=32))
    image.save(picture)
    mark = f"mcp-{os.urandom(4).hex()}"
    heard: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message or "")

    async with over_stdio(tmp_path / "runs", mark) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == TOOLS
        own = {instrument.name: instrument for instrument in instruments() if instrument.name in tools}
        assert all(tools[name].input_schema == instrument.wish.model_json_schema() for name, instrument in own.items())
        assert all(tool.description for tool in tools.values())

        read = await client.call_tool("read_text", {"picture": str(picture)})
        assert not read.is_error
        assert words(read).startswith("<<data ")
        assert "HELLO" in words(read)
        assert "<|im_end" not in words(read) + str(read.structured_content)
        assert read.structured_content["result"][0]["text"].startswith("HELLO")

        moved = await client.call_tool("measure_motion", {"film": str(film(tmp_path / "box.mp4"))})
        begin, end = moved.structured_content["result"]["course"]["moving"][0]
        assert 0.9 <= end - begin <= 1.2
        assert "PADVC: not measured" in words(moved)

        wish = {"answer": "I can't build that.", "brief": "A counter", "prove": False}
        judged = await client.call_tool("evaluate_app", wish, progress_callback=hear)
        assert not judged.is_error, words(judged)
        run = Path(judged.structured_content["result"]["run"])
        assert run.parent == tmp_path / "runs"
        assert judged.structured_content["result"]["verdict"]["status"] == "no_artifact"
        assert {"launch", "score"} <= set(heard)

        again = await client.call_tool("rescore_run", {"run": str(run)})
        assert again.structured_content["result"]["verdict"] == judged.structured_content["result"]["verdict"]
        assert (await client.call_tool("verify_run", {"run": str(run)})).structured_content["result"]["trustworthy"]
        (run / "verdict.json").write_text((run / "verdict.json").read_text().replace("no_artifact", "complete"))
        doubted = await client.call_tool("verify_run", {"run": str(run)})
        assert not doubted.structured_content["result"]["trustworthy"]
    assert survivors(mark) == []


async def test_over_http_with_the_token_only_and_mistakes_are_told(tmp_path: Path) -> None:
    """The same tools on loopback; no token, a wrong one and a foreign Host or Origin are refused; errors say what to do."""
    with over_http(tmp_path / "runs", "mcp-http") as server:
        knows = {"Authorization": f"Bearer {server.token}"}
        async with httpx2.AsyncClient(trust_env=False) as stranger:
            for headers in ({}, {"Authorization": "Bearer wrong"}):
                assert (await stranger.post(server.url, json={}, headers=headers)).status_code == 401
            for foreign in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
                assert (await stranger.post(server.url, json={}, headers={**knows, **foreign})).status_code in {403, 421}
        async with (
            httpx2.AsyncClient(trust_env=False, headers=knows, timeout=60) as http,
            # As clients do that know the older handshake only.
            Client(streamable_http_client(server.url, http_client=http), mode="legacy") as client,
        ):
            assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
            await _mistakes(client, tmp_path)
        assert (tmp_path / "runs" / "mcp-token").stat().st_mode & 0o777 == 0o600


async def _mistakes(client: Client, tmp_path: Path) -> None:
    """Wrong arguments, files that are not there, both kinds of subject, a tool that does not exist: never a traceback."""
    for name, arguments, said in (
        ("read_text", {}, "picture: Field required"),
        ("read_text", {"picture": "/nowhere.png"}, "nowhere.png can't be read"),
        ("evaluate_app", {"brief": "x"}, "either a subject or an answer"),
        ("evaluate_app", {"subject": "/nowhere.html"}, "no file or folder"),
        ("evaluate_app", {"subject": "/etc/hosts", "profile": "hasty"}, "There is no profile called"),
        ("measure_motion", {"film": "/nowhere.mp4"}, "no film"),
        ("audit_page", {"page": "http://127.0.0.1:9/"}, "Nothing answers"),
        ("rescore_run", {"run": str(tmp_path)}, "is not a run"),
        ("verify_run", {"run": "/nowhere"}, "no run at"),
    ):
        refused = await client.call_tool(name, arguments)
        assert refused.is_error, name
        assert said in words(refused)
        assert refused.structured_content["error"]["kind"] in {"user_error", "subject", "run"}
        assert "Traceback" not in words(refused)
    with pytest.raises(Exception, match="There is no tool 'rate_app'"):
        await client.call_tool("rate_app", {})


@pytest.mark.long
@pytest.mark.timeout(400)
async def test_the_dear_tools_work(tmp_path: Path) -> None:
    """A diagram is parsed, a page audited at two widths, a script checked, an app evaluated with its steps told."""
    (tmp_path / "scene.py").write_text(SCENE, encoding="utf-8")
    (tmp_path / "page.html").write_text(
        "<!doctype html><html lang=en><title>x</title><h1>Welcome</h1><p style='color:#ccc;background:#fff'>Hardly to be read</p>"
        "<div style='width:900px;background:#eee'>Too wide for a phone, and it says so at some length.</div>",
        encoding="utf-8",
    )
    heard: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message or "")

    async with over_stdio(tmp_path / "runs", "mcp-dear") as client:
        parsed = await client.call_tool("parse_diagram", {"picture": str(diagram(tmp_path / "diagram.png"))})
        assert {"Reader", "Writer"} <= {item["label"] for item in parsed.structured_content["result"]["nodes"]}
        audited = await client.call_tool("audit_page", {"page": str(tmp_path / "page.html"), "language": "en"})
        symptoms = {(size, item["symptom"]) for size, result in _results(audited) for item in result["findings"]}
        assert ("desktop", "contrast.low") in symptoms
        assert any(size == "mobile" and what.startswith(("overflow", "responsive")) for size, what in symptoms)
        checked = await client.call_tool("check_manim", {"script": str(tmp_path / "scene.py")})
        assert not checked.is_error, words(checked)
        assert "overlap" in words(checked)
        wish = {"subject": str(SAMPLE / "index.html"), "brief": (SAMPLE / "brief.txt").read_text(encoding="utf-8")}
        judged = await client.call_tool("evaluate_app", {**wish, "max_acts": 3, "prove": False}, progress_callback=hear)
        assert judged.structured_content["result"]["verdict"]["functionality"]["value"] > 0, words(judged)
        assert 1 <= sum(line.startswith("trial") for line in heard) <= 3  # a crowded machine ends exploring by time


def _until_alone(mark: str) -> list[str]:
    """What still runs of the server's processes once only it does, or time is up."""
    limit = time.monotonic() + 30
    while len(left := survivors(mark)) > 1 and time.monotonic() < limit:
        time.sleep(0.2)
    return left


def _results(audited: object) -> list[tuple[str, dict[str, list[dict[str, str]]]]]:
    return audited.structured_content["result"]["results"]  # type: ignore[attr-defined]


@pytest.mark.long
async def test_an_evaluation_ends_when_nobody_waits_for_it(tmp_path: Path) -> None:
    """The client gives up in the middle: browser, recorder and all end, and the server goes on."""
    mark = f"mcp-{os.urandom(4).hex()}"
    going = asyncio.Event()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        going.set()

    async with over_stdio(tmp_path / "runs", mark) as client:
        wish = {"subject": str(SAMPLE / "index.html"), "brief": "A sample"}
        call = asyncio.create_task(client.call_tool("evaluate_app", wish, progress_callback=hear))
        await asyncio.wait_for(going.wait(), 60)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        left = await asyncio.to_thread(_until_alone, mark)
        assert len(left) == 1, left
        assert (await client.call_tool("verify_run", {"run": "/nowhere"})).is_error
