"""`assay serve` as its clients meet it: a real server, real evaluations of answers that hold no app."""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.faults.command import command, environment, survivors
from tests.integration.serve.serving import ENDED, Server, answer, ended, serving

SAMPLE = Path(__file__).parents[2] / "fixtures" / "apps" / "sample"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests of this file."""
    options = ("--jobs", "1", "--most-upload-mb", "1", "--most-waiting", "40", "--no-private")
    with serving(tmp_path_factory.mktemp("serve") / "out", *options) as running:
        yield running


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[httpx.Client]:
    """A client that knows the token."""
    with server.client() as opened:
        yield opened


@pytest.fixture(scope="module")
def scored(client: httpx.Client) -> str:
    """The id of an evaluation that was submitted, followed and scored."""
    key = client.post("/v1/evaluations", json=answer(name="alpha", seed=3)).json()["id"]
    assert ended(client, key)["state"] == "scored"
    return key


def test_without_the_token_nothing_but_health_answers(server: Server, client: httpx.Client) -> None:
    """Every route of the document, with no token, a wrong one and another scheme; also routes that don't exist."""
    routes = [(method, path) for path, methods in client.get("/openapi.json").json()["paths"].items() for method in methods]
    assert len(routes) >= 9
    headers = [{}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {server.token}"}, {"Authorization": "Bearer"}]
    with httpx.Client(base_url=server.url, trust_env=False) as stranger:
        for method, path in [*routes, ("get", "/openapi.json"), ("get", "/docs"), ("get", "/nothing"), ("post", "/healthz/")]:
            for header in headers:
                answered = stranger.request(method, path.replace("{id}", "x"), headers=header)
                assert answered.status_code == (200 if path == "/healthz" else 401), (method, path)
        refused = stranger.post("/v1/evaluations", content=b"{", headers={"Content-Type": "application/json"})
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")


def test_a_wrong_method_is_told_the_right_ones(client: httpx.Client) -> None:
    """405 names every method of the path, also where they are routes of their own; and of paths with an id."""
    for method, path, allowed in (
        ("PUT", "/v1/evaluations", "GET, POST"),
        ("DELETE", "/v1/evaluations/x", "GET"),
        ("GET", "/v1/evaluations/x/cancel", "POST"),
        ("POST", "/openapi.json", "GET, HEAD"),
    ):
        refused = client.request(method, path)
        assert (refused.status_code, refused.headers["allow"]) == (405, allowed), path


def test_the_token_is_for_its_owner_only(server: Server, scored: str) -> None:
    """The file is made with mode 600, and neither token nor submission shows in what the server prints."""
    del scored
    token = Path(json.loads(json.dumps(str(_home(server) / "token"))))
    assert token.stat().st_mode & 0o777 == 0o600


def _home(server: Server) -> Path:
    arguments = list(map(str, server.process.args))  # pyright: ignore[reportArgumentType]
    return Path(arguments[arguments.index("--out") + 1])


def test_what_was_scored_can_be_fetched(client: httpx.Client, scored: str) -> None:
    """State, verdict, report; a recording that was never made is said not to be there."""
    told = client.get(f"/v1/evaluations/{scored}").json()
    assert (told["state"], told["functionality"], told["name"], told["attempts"]) == ("scored", 0.0, "alpha", 1)
    verdict = client.get(f"/v1/evaluations/{scored}/verdict")
    assert verdict.headers["content-type"] == "application/json"
    assert verdict.json()["status"] == "no_artifact"
    report = client.get(f"/v1/evaluations/{scored}/report")
    assert "sandbox" in report.headers["content-security-policy"]
    assert "<html" in report.text.lower()
    missing = client.get(f"/v1/evaluations/{scored}/recording")
    assert missing.status_code == 409
    assert "recording" in missing.json()["detail"]


def test_progress_comes_as_events_and_ends(client: httpx.Client, scored: str) -> None:
    """From the beginning for who comes late, from the middle for who comes back; the last event is the end."""
    events = _events(client, scored, "")
    kinds = [kind for kind, _, _ in events]
    assert kinds[-1] == "state"
    assert events[-1][1]["state"] == "scored"
    assert {"sealed", "node"} <= set(kinds)
    middle = events[2][2]
    assert _events(client, scored, middle)[0][2] == events[3][2]


def _events(client: httpx.Client, key: str, last: str) -> list[tuple[str, dict[str, object], str]]:
    found: list[tuple[str, dict[str, object], str]] = []
    text = client.get(f"/v1/evaluations/{key}/events", headers={"Last-Event-ID": last} if last else {}).text
    for block in filter(None, text.split("\n\n")):
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        found.append((fields["event"], json.loads(fields["data"]), fields["id"]))
    return found


def test_lists_are_paged_and_filtered(client: httpx.Client, scored: str) -> None:
    """One a page, in the order of submission; by state."""
    ids: list[str] = []
    after: int | None = -1
    while after is not None:
        page = client.get("/v1/evaluations", params={"limit": 1, "after": after}).json()
        ids += [item["id"] for item in page["evaluations"]]
        after = page["next"]
    assert scored in ids
    assert len(ids) == len(set(ids))
    assert all(item["state"] == "scored" for item in client.get("/v1/evaluations?state=scored").json()["evaluations"])


BAD = [
    ({"kind": "files", "files": [{"path": "../x.html", "text": "x"}]}, 422),
    ({"kind": "files", "files": [{"path": "/etc/x", "text": "x"}]}, 422),
    ({"kind": "files", "files": [{"path": "a.html", "text": "x"}, {"path": "a.html", "text": "y"}]}, 409),
    ({"kind": "files", "files": [{"path": "a", "text": "x"}, {"path": "a/b", "text": "y"}]}, 409),
    ({"kind": "files", "files": [{"path": "a.png", "base64": "no base64!"}]}, 422),
    ({"kind": "files", "files": []}, 422),
    ({"kind": "url", "url": "file:///etc/passwd"}, 422),
    ({"kind": "url", "url": "http://127.0.0.1:8080/"}, 422),
    ({"kind": "url", "url": "http://169.254.169.254/latest/"}, 422),
    ({"kind": "path", "path": "/etc"}, 422),
    ({"kind": "answer", "text": "x" * 1_100_000}, 413),
]


@pytest.mark.parametrize(("subject", "status"), BAD)
def test_what_is_no_submission_is_refused_and_leaves_nothing(
    subject: dict[str, object], status: int, client: httpx.Client, server: Server
) -> None:
    """The status says what kind of mistake, the detail which; no folder stays behind."""
    submitted = _home(server) / "submitted"
    before = sorted(submitted.glob("*"))
    refused = client.post("/v1/evaluations", json={"brief": "A page", "subject": subject})
    assert refused.status_code == status, refused.text
    assert refused.json()["detail"]
    assert sorted(submitted.glob("*")) == before


def test_a_body_without_a_stated_length_is_counted(server: Server) -> None:
    """Chunks past the limit are not read to their end."""

    def chunks() -> Iterator[bytes]:
        for _ in range(40):
            yield b"x" * 100_000

    with server.client() as client:
        try:
            refused = client.post("/v1/evaluations", content=chunks(), headers={"Content-Type": "application/json"})
        except httpx.TransportError:
            return
        assert refused.status_code in {400, 413, 422}


def archive(files: dict[str, bytes], kind: str = "zip") -> bytes:
    """An archive of these files."""
    held = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as opened:
            for name, data in files.items():
                opened.writestr(name, data)
    else:
        with tarfile.open(fileobj=held, mode="w:gz") as opened:
            for name, data in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                opened.addfile(info, io.BytesIO(data))
    return held.getvalue()


def test_archives_are_taken_or_told_why_not(client: httpx.Client, server: Server) -> None:
    """A tar with a page is taken and lies in a folder of its own; traversal, bombs and nonsense are refused."""
    fields = {"brief": "A page", "language": "en", "name": "x"}

    def send(data: bytes) -> httpx.Response:
        return client.post("/v1/archives", data=fields, files={"archive": ("a", data)})

    taken = send(archive({"app/index.html": b"<h1>Hello</h1>"}, "tar"))
    assert taken.status_code == 202
    key = taken.json()["id"]
    assert (_home(server) / "submitted" / key / "app" / "index.html").read_bytes() == b"<h1>Hello</h1>"
    client.post(f"/v1/evaluations/{key}/cancel")
    for bad in (archive({"../x": b"1"}), archive({"../x": b"1"}, "tar"), archive({"a": bytes(60_000_000)}), b"nonsense", b""):
        assert send(bad).status_code == 422


@pytest.mark.long
def test_an_evaluation_can_be_cancelled_once(client: httpx.Client) -> None:
    """Running or waiting it ends as cancelled, and then cannot be cancelled any more."""
    keys = [client.post("/v1/evaluations", json=answer(f"{number}")).json()["id"] for number in range(3)]
    assert client.get(f"/v1/evaluations/{keys[-1]}").json()["ahead"] >= 1
    for key in keys:
        assert client.post(f"/v1/evaluations/{key}/cancel").json()["state"] == "cancelled"
        assert client.post(f"/v1/evaluations/{key}/cancel").status_code == 409
        assert client.get(f"/v1/evaluations/{key}/verdict").status_code == 409


def test_what_is_not_there_is_404(client: httpx.Client) -> None:
    """Any id, on every route."""
    for path in ("", "/verdict", "/report", "/recording", "/events"):
        assert client.get(f"/v1/evaluations/nothing{path}").status_code == 404
        assert client.get(f"/v1/evaluations/..%2F..%2Fetc{path}").status_code == 404


@pytest.mark.long
def test_a_kill_and_a_restart_lose_nothing(tmp_path: Path) -> None:
    """Three submissions are acknowledged, the server is killed; the next one in the folder ends them all, once."""
    with serving(tmp_path / "out", "--jobs", "1") as first, first.client() as client:
        keys = [client.post("/v1/evaluations", json=answer(f"Sorry {n}")).json()["id"] for n in range(3)]
        first.kill()
    with serving(tmp_path / "out", "--jobs", "2") as second, second.client() as client:
        assert [ended(client, key)["state"] for key in keys] == ["scored"] * 3
        assert [item["id"] for item in client.get("/v1/evaluations").json()["evaluations"]] == keys
        assert second.stop() in {0, 130}
    assert survivors(second.mark) == []
    assert survivors(first.mark) == []


@pytest.mark.long
def test_two_servers_do_not_share_a_folder(server: Server, tmp_path: Path) -> None:
    """The second says whose folder it is, in one line."""
    line = command("serve", "--port", "0", "--out", str(_home(server)))
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, env=environment("x"), cwd=tmp_path, check=False)
    assert done.returncode in {1, 2, 3}
    assert "Another assay is working in" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.long
@pytest.mark.timeout(900)
def test_fifty_at_once_all_end_even_over_a_restart(tmp_path: Path) -> None:
    """Fifty clients submit in the same moment; in the middle the server is killed; fifty evaluations end once each."""
    with serving(tmp_path / "out") as first:

        def submit(number: int) -> str:
            with first.client() as client:
                answered = client.post("/v1/evaluations", json=answer(f"Sorry {number}", name=str(number)))
                assert answered.status_code == 202
                return answered.json()["id"]

        with ThreadPoolExecutor(50) as pool:
            keys = list(pool.map(submit, range(50)))
        with first.client() as client:
            limit = time.monotonic() + 200
            # Whichever it is: fifty at once are taken in any order.
            while not (done := client.get("/v1/evaluations?state=scored").json()["evaluations"]):
                assert time.monotonic() < limit
                time.sleep(0.1)
        first.kill()
    with serving(tmp_path / "out") as second, second.client() as client:
        states = {key: ended(client, key, 600)["state"] for key in keys}
        listed = [item["id"] for item in client.get("/v1/evaluations?limit=500").json()["evaluations"]]
    assert len(done) < 25
    assert len(set(keys)) == 50
    assert sorted(listed) == sorted(keys)
    assert set(states.values()) == {"scored"}


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_real_app_by_archive_with_its_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample app as a zip: events step by step, a score, and a film that is served in parts."""
    monkeypatch.setenv("ASSAY_RECORDING__CAPTURE", "auto")
    data = archive({"sample/index.html": (SAMPLE / "index.html").read_bytes()})
    brief = (SAMPLE / "brief.txt").read_text(encoding="utf-8")
    with serving(tmp_path / "out") as server, server.client() as client:
        key = client.post("/v1/archives", data={"brief": brief}, files={"archive": ("a.zip", data)}).json()["id"]
        with client.stream("GET", f"/v1/evaluations/{key}/events", timeout=300) as stream:
            kinds = [line.partition(": ")[2] for line in stream.iter_lines() if line.startswith("event: ")]
        assert kinds.count("step") == 2
        assert client.get(f"/v1/evaluations/{key}").json()["functionality"] > 0
        part = client.get(f"/v1/evaluations/{key}/recording", headers={"Range": "bytes=0-99"})
        assert (part.status_code, len(part.content)) == (206, 100)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    """Every operation of the document, with generated data good and bad, against the running server."""
    with serving(tmp_path / "out", "--jobs", "1", "--most-waiting", "1000000") as server:
        # A document can say that a body is an archive, not that it is a good one: bytes by chance are rightly refused.
        config = tmp_path / "schemathesis.toml"
        config.write_text(
            '[[operations]]\ninclude-path = "/v1/archives"\nchecks.positive_data_acceptance.enabled = false\n', "utf-8"
        )
        line = [
            *(str(Path(sys.executable).parent / "schemathesis"), "--config-file", str(config)),
            *("run", f"{server.url}/openapi.json"),
            *("--header", f"Authorization: Bearer {server.token}", "--max-examples", os.environ.get("EXAMPLES", "40")),
            *("--seed", "7", "--no-color", "--request-timeout", "30"),
        ]
        done = subprocess.run(line, capture_output=True, text=True, timeout=800, cwd=tmp_path, check=False)
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_base64_files_arrive_as_they_were(client: httpx.Client, server: Server) -> None:
    """Bytes that are no text survive."""
    data = bytes(range(256))
    files = [{"path": "index.html", "text": "<p>é</p>"}, {"path": "img/a.png", "base64": base64.b64encode(data).decode()}]
    taken = client.post("/v1/evaluations", json={"brief": "x", "subject": {"kind": "files", "files": files}})
    assert taken.status_code == 202, taken.text
    folder = _home(server) / "submitted" / taken.json()["id"]
    assert (folder / "img" / "a.png").read_bytes() == data
    assert (folder / "index.html").read_text(encoding="utf-8") == "<p>é</p>"
    assert client.post(f"/v1/evaluations/{taken.json()['id']}/cancel").json()["state"] in ENDED
