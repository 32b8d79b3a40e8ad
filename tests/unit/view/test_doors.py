"""Who gets into the view's pages, and what a file may do that went out: without a browser."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from agent.view.app import View, make_app
from agent.view.keys import FileKeys
from evaluator.comparison.as_html import HTML_FILE
from evaluator.comparison.writing import JSON_FILE
from evaluator.marks.file import read_marks
from evaluator.reports.facts import read_run

TOKEN = "a-token-of-enough-letters"  # noqa: S105 - of a server that no port has
HERE = "http://127.0.0.1:8700"


def client_of(folder: Path) -> httpx.AsyncClient:
    """A client of the application over a folder."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(make_app(View.of(folder, TOKEN, "anna"), "127.0.0.1")), base_url=HERE)


@pytest.fixture
async def client(made: Path) -> AsyncIterator[httpx.AsyncClient]:
    """Over the folder that nobody changes."""
    async with client_of(made) as opened:
        yield opened


@pytest.fixture
async def writer(runs: Path) -> AsyncIterator[httpx.AsyncClient]:
    """Over a copy of it."""
    async with client_of(runs) as opened:
        yield opened


def first_failure(runs: Path) -> str:
    """The id of the first failure of the tidy board."""
    return read_run(runs / "tidy-board")[1].failures[0].id


@pytest.mark.parametrize("path", ["/", "/runs/tidy-board", "/compare", "/wrong-token/", f"/{TOKEN}x/", "/view.js", "/docs", "//"])
async def test_without_the_token_no_page(client: httpx.AsyncClient, path: str) -> None:
    """Nor is it handed out by what is answered."""
    answered = await client.get(path)
    assert answered.status_code == 401
    assert TOKEN not in answered.text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8700", "127.0.0.1.evil.example", "", "localhost.evil"])
async def test_another_name_is_refused(client: httpx.AsyncClient, host: str) -> None:
    """A name that was made to lead here (DNS rebinding) gets nothing."""
    assert (await client.get(f"/{TOKEN}/", headers={"Host": host})).status_code == 421


@pytest.mark.parametrize("host", ["localhost:8700", "127.0.0.1:8700", "[::1]:8700"])
async def test_its_own_names_are_served(client: httpx.AsyncClient, host: str) -> None:
    """By address or as localhost."""
    assert (await client.get(f"/{TOKEN}/", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:9999", "https://127.0.0.1:8700"])
async def test_a_mark_comes_from_an_own_page(writer: httpx.AsyncClient, runs: Path, origin: str | None) -> None:
    """Any other origin changes nothing, though it knows the token; a port beside is another origin."""
    given = {"failure": first_failure(runs), "opinion": "wrong"}
    headers = {} if origin is None else {"Origin": origin}
    answered = await writer.post(f"/{TOKEN}/marks/tidy-board", data=given, headers=headers)
    assert answered.status_code == 403
    assert read_marks(runs / "tidy-board") is None


async def test_a_mark_is_kept_with_its_reader(writer: httpx.AsyncClient, runs: Path) -> None:
    """From an own page; taken back, it is gone."""
    given = {"failure": first_failure(runs), "opinion": "duplicate", "word": "  as the  first "}
    answered = await writer.post(f"/{TOKEN}/marks/tidy-board", data=given, headers={"Origin": HERE})
    assert (answered.status_code, answered.headers["location"]) == (303, f"/{TOKEN}/runs/tidy-board#{given['failure']}")
    marks = read_marks(runs / "tidy-board")
    assert marks is not None
    assert [(mark.opinion, mark.word, mark.reader) for mark in marks.marks] == [("duplicate", "as the first", "anna")]
    await writer.post(f"/{TOKEN}/marks/tidy-board", data={**given, "opinion": "none"}, headers={"Origin": HERE})
    marks = read_marks(runs / "tidy-board")
    assert marks is not None
    assert marks.marks == ()


@pytest.mark.parametrize(
    ("run", "given", "status"),
    [
        ("tidy-board", {"failure": "f-none", "opinion": "wrong"}, 409),
        ("tidy-board", {"failure": "", "opinion": "wrong"}, 422),
        ("tidy-board", {"opinion": "wrong"}, 422),
        ("tidy-board", {"failure": "f-none", "opinion": "lovely"}, 422),
        ("tidy-board", {"failure": "f-none", "opinion": "wrong", "word": "x" * 5000}, 422),
        ("tidy-board", {"failure": "f-none", "opinion": "wrong", "word": "x" * 50_000}, 413),
        ("broken-off", {"failure": "f-none", "opinion": "wrong"}, 409),
        ("nothing", {"failure": "f-none", "opinion": "wrong"}, 404),
    ],
)
async def test_what_can_not_be_marked(
    writer: httpx.AsyncClient, runs: Path, run: str, given: dict[str, str], status: int
) -> None:
    """One answer each, and no file."""
    answered = await writer.post(f"/{TOKEN}/marks/{run}", data=given, headers={"Origin": HERE})
    assert answered.status_code == status
    assert not list(runs.rglob("marks.json"))


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
async def test_no_other_method(client: httpx.AsyncClient, method: str) -> None:
    """Nothing else is understood."""
    assert (await client.request(method, f"/{TOKEN}/")).status_code == 405


async def test_a_key_opens_its_own_folder_only(client: httpx.AsyncClient) -> None:
    """Neither another run's files by it, nor anything by a key that was made up, nor ways up."""
    keys = FileKeys(TOKEN)
    mine, theirs = keys.base("tidy-board"), keys.base("short-look")
    assert (await client.get(f"{mine}verdict.json")).status_code == 200
    forged = mine.partition(".")[0] + "." + theirs.partition(".")[2]
    for path in (forged, "/files/.dGlkeS1ib2FyZA/", "/files/0.!!/", "/files/é.dGlkeS1ib2FyZA/"):
        assert (await client.get(f"{path}verdict.json")).status_code == 404, path
    for inside in ("..%2Fshort-look%2Fverdict.json", "%2e%2e/short-look/verdict.json", "blobs", "blobs/", ""):
        assert (await client.get(f"{mine}{inside}")).status_code == 404, inside
    assert (await client.post(f"{mine}verdict.json", headers={"Origin": HERE})).status_code == 401
    assert (await client.get(f"/{TOKEN}/runs/..%2F..%2Fetc")).status_code == 404


async def test_files_go_out_harmless(writer: httpx.AsyncClient, runs: Path) -> None:
    """Only Assay's own pages are HTML, without an origin; what a page wrote is text; nothing is guessed."""
    board = runs / "tidy-board"
    (board / "report.html").write_text("<script>1</script>", encoding="utf-8")
    (board / "evil.html").write_text("<script>1</script>", encoding="utf-8")
    (board / "evil.svg").write_text("<svg onload='1'/>", encoding="utf-8")
    (board / "blobs" / "report.html").write_text("<script>1</script>", encoding="utf-8")
    base = FileKeys(TOKEN).base("tidy-board")
    report = await writer.get(f"{base}report.html")
    assert report.headers["content-type"].startswith("text/html")
    policy = report.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts; default-src 'none'")
    assert "allow-same-origin" not in policy
    for inside in ("evil.html", "evil.svg", "blobs/report.html", "ledger.jsonl"):
        answered = await writer.get(f"{base}{inside}")
        assert answered.headers["content-type"].startswith("text/plain"), inside
        assert answered.headers["content-security-policy"].startswith("sandbox; default-src 'none'"), inside
        assert answered.headers["x-content-type-options"] == "nosniff"


async def test_parts_of_a_recording_are_served(writer: httpx.AsyncClient, runs: Path) -> None:
    """By range, as players ask for them."""
    (runs / "tidy-board" / "recording.mp4").write_bytes(bytes(range(256)) * 40)
    address = FileKeys(TOKEN).address("tidy-board", "recording.mp4")
    part = await writer.get(address, headers={"Range": "bytes=256-258"})
    assert (part.status_code, part.content, part.headers["content-type"]) == (206, b"\0\1\2", "video/mp4")
    assert part.headers["content-range"] == "bytes 256-258/10240"
    assert (await writer.get(address, headers={"Range": "bytes=99999-"})).status_code == 416
    assert (await writer.head(address)).headers["content-length"] == "10240"


async def test_what_a_page_said_is_no_markup(writer: httpx.AsyncClient, runs: Path) -> None:
    """A word of a reader, a name of a folder, a filter that comes from the address."""
    (runs / "clean-board").rename(runs / "<b>bold")
    shown = (await writer.get(f"/{TOKEN}/", params={"text": "<img src=x>"})).text
    assert "<img src=x>" not in shown
    assert "&lt;img src=x&gt;" in shown
    shown = (await writer.get(f"/{TOKEN}/")).text
    assert "<b>bold" not in shown
    assert "%3Cb%3Ebold" in shown
    assert (await writer.get(f"/{TOKEN}/runs/%3Cb%3Ebold")).status_code == 200


async def test_a_comparison_of_two_runs_is_linked(writer: httpx.AsyncClient, runs: Path) -> None:
    """By its page, listed with the runs; a comparison of others is not taken for it."""
    for name, other in (("compared", "clean-board"), ("other", "short-look")):
        sides = {"a": {"run": str(runs / "tidy-board")}, "b": {"run": str(runs / other)}}
        (runs / name).mkdir()
        (runs / name / JSON_FILE).write_text(json.dumps(sides), encoding="utf-8")
        (runs / name / HTML_FILE).write_text("<title>Compared</title>", encoding="utf-8")
    address = FileKeys(TOKEN).address("compared", HTML_FILE)
    assert address in (await writer.get(f"/{TOKEN}/")).text
    both = (await writer.get(f"/{TOKEN}/compare", params={"run": ["clean-board", "tidy-board"]})).text
    assert address in both
    assert FileKeys(TOKEN).address("other", HTML_FILE) not in both
    assert (await writer.get(address)).headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    ("origin", "given", "status"),
    [
        ("http://evil.example", {"wish": "stop"}, 403),
        (HERE, {"wish": "stop"}, 409),
        (HERE, {"wish": "fly"}, 422),
        (HERE, {}, 422),
    ],
)
async def test_what_is_over_is_not_steered(
    client: httpx.AsyncClient, made: Path, origin: str, given: dict[str, str], status: int
) -> None:
    """Nor anything from another origin; no file is made for it."""
    answered = await client.post(f"/{TOKEN}/steer/tidy-board", data=given, headers={"Origin": origin})
    assert answered.status_code == status
    assert not list(made.rglob("wishes.jsonl"))


async def test_every_page_of_a_strange_folder_answers(writer: httpx.AsyncClient, runs: Path) -> None:
    """Whatever state a run is in it has a page, and stands beside another."""
    for name in ("tidy-board", "clean-board", "short-look", "garden/runs/nothing-2", "broken-off", "old"):
        assert (await writer.get(f"/{TOKEN}/runs/{name}")).status_code == 200, name
        both = await writer.get(f"/{TOKEN}/compare", params={"run": ["tidy-board", name]})
        assert both.status_code == (422 if name == "tidy-board" else 200), name
    assert (await writer.get(f"/{TOKEN}/compare")).status_code == 422
    assert (await writer.get(f"/{TOKEN}/thumbnails/tidy-board")).headers["content-type"] == "image/webp"
    assert (await writer.get(f"/{TOKEN}/thumbnails/old")).status_code == 404
    (runs / "tidy-board" / "verdict.json").write_text("{}", encoding="utf-8")
    assert "is not a verdict" in (await writer.get(f"/{TOKEN}/runs/tidy-board")).text


async def test_each_failure_has_its_picture_and_its_steps(writer: httpx.AsyncClient, runs: Path) -> None:
    """As in the report: the place outlined, the acts as sentences; where pictures are gone the words are left."""
    verdict = read_run(runs / "tidy-board")[1]
    shown = (await writer.get(f"/{TOKEN}/runs/tidy-board")).text
    assert shown.count("<article") == shown.count("Try it yourself, ") == len(verdict.accused)
    assert shown.count('<svg class="cut"') > 1
    assert 'class="outline o-critical"' in shown
    for path in (runs / "tidy-board" / "blobs").rglob("*"):
        if path.is_file() and path.read_bytes().startswith(b"\x89PNG"):
            path.unlink()
    (runs / "tidy-board").rename(runs / "bare-board")
    shown = (await writer.get(f"/{TOKEN}/runs/bare-board")).text
    assert shown.count("<article") == len(verdict.accused)
    assert '<svg class="cut"' not in shown
