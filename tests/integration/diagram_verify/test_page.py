"""The verification page in a real browser: modes, search, undo, colours, the end; who is not let in. A printed PDF is read."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PIL import Image
from playwright.async_api import Page, expect

from tools.diagram.model.graph import Canvas, Diagram, Edge, Frame, Node
from tools.diagram.papers.methodologist import describe
from tools.diagram.papers.reading import read_paper
from tools.diagram.papers.translator import translate
from tools.diagram.verify.server import VerifyServer
from tools.diagram.verify.session import open_session

BLUE, MAGENTA, MUTED = "rgb(29, 95, 209)", "rgb(194, 24, 143)", "rgb(154, 160, 168)"


@pytest.fixture(name="server")
def _server(tmp_path: Path) -> Iterator[VerifyServer]:
    """The page on a picture of three boxes."""
    Image.new("RGB", (600, 300), "white").save(tmp_path / "picture.png")
    nodes = tuple(
        Node(id=f"n{at}", label=label, box=Frame(x=20 + 200 * at, y=100, width=140, height=60))
        for at, label in enumerate(("Alpha <b>", "Beta", "Gamma"))
    )
    edges = (Edge(id="e1", source="n0", target="n1", label="go"), Edge(id="e2", source="n1", target="n2"))
    diagram = Diagram(canvas=Canvas(width=600, height=300), nodes=nodes, edges=edges)
    (tmp_path / "graph.json").write_text(diagram.to_json(), encoding="utf-8")
    with VerifyServer(open_session(tmp_path / "picture.png", tmp_path / "graph.json", tmp_path / "out")) as running:
        yield running


async def test_a_person_mends_a_parse(page: Page, server: VerifyServer, tmp_path: Path) -> None:
    """Excludes a node, takes it back, excludes an edge by keyboard, links two nodes, undoes, links again, is done."""
    asked: list[str] = []
    problems: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: problems.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    await page.goto(server.url)
    node = page.get_by_role("button", name="Node Beta")
    await expect(node.locator("rect")).to_have_css("stroke", BLUE)
    await node.click()
    gone = page.get_by_role("button", name="Node Beta, excluded")
    await expect(gone.locator("rect")).to_have_css("stroke", MUTED)
    await expect(page.locator("#figures")).to_contain_text("nodes P 0.667")
    await expect(page.locator("#figures")).to_contain_text("edges P 0.000")
    await gone.click()
    await expect(page.locator("#figures")).to_contain_text("edges P 1.000")
    await page.get_by_role("button", name="Edge Alpha <b> → Beta (go)").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#figures")).to_contain_text("edges P 0.500")
    await page.get_by_role("radio", name="Link").click()
    await page.get_by_role("button", name="Node Gamma").click()
    await expect(page.locator("#help")).to_contain_text("now click the node that Gamma leads to")
    await page.get_by_role("button", name="Node Alpha <b>").click()
    await expect(page.locator("#graph .edge.added path.line")).to_have_css("stroke", MAGENTA)
    await page.keyboard.press("Control+z")
    await expect(page.locator("#graph .edge.added")).to_have_count(0)
    await page.get_by_role("button", name="Node Gamma").click()
    await page.get_by_role("button", name="Node Alpha <b>").click()
    await expect(page.locator("#graph .edge.added")).to_have_count(1)
    await page.get_by_role("searchbox").fill("gamma")
    await expect(page.locator("#nodes li")).to_have_count(1)
    await expect(page.locator("#graph .node.dim")).to_have_count(2)
    await page.get_by_role("button", name="Done").click()
    await expect(page.locator("#finish")).to_have_text("Saved")
    assert server.done.wait(5)
    result = json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8"))
    assert (result["precision"]["edges"], result["recall"]["edges"], result["excluded"]) == (0.5, 0.5, ["e1"])
    assert [(edge["source"], edge["target"]) for edge in result["added"]] == [("n2", "n0")]
    rows = [json.loads(line) for line in (tmp_path / "out" / "edits.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["kind"] for row in rows if "kind" in row] == ["exclude", "include", "exclude", "link", "undo", "link"]
    assert problems == []
    assert {urlsplit(url).netloc for url in asked if not url.startswith("data:")} == {urlsplit(server.url).netloc}


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/", {}, 403),
        ("GET", "/wrong/state", {}, 403),
        ("GET", "{token}/state", {"Host": "evil.example"}, 403),
        ("POST", "{token}/finish", {"Origin": "http://evil.example", "Content-Type": "application/json"}, 403),
        ("POST", "{token}/edit", {"Content-Type": "text/plain"}, 400),
        ("POST", "{token}/edit", {"Content-Type": "application/json", "Content-Length": "99999999"}, 400),
        ("GET", "{token}/../../etc/passwd", {}, 404),
        ("GET", "{token}/state", {}, 200),
    ],
)
def test_others_are_not_let_in(server: VerifyServer, method: str, path: str, headers: dict[str, str], status: int) -> None:
    """Without the token, under another name, from another site, with other content: refused, and nothing is written."""
    address = urlsplit(server.url)
    connection = http.client.HTTPConnection("127.0.0.1", address.port or 0, timeout=20)
    connection.request(method, path.replace("{token}", address.path.rstrip("/")), headers=headers)
    assert connection.getresponse().status == status
    connection.close()
    assert not server.done.is_set()


async def test_a_pdf_is_read_to_a_prompt(page: Page, tmp_path: Path) -> None:
    """A paper printed by the browser: headings by size and number, running heads and page numbers gone, relations found."""
    filler = "<p>" + "Charts are everywhere and people read them every day. " * 30 + "</p>"
    await page.set_content(
        f"""<style>body {{ font: 11pt serif }} h1 {{ font-size: 20pt }} h2 {{ font-size: 14pt }}</style>
        <h1>Reading Charts with Care</h1><h2>1 Introduction</h2>{filler * 3}
        <h2>2 Method</h2>{
            "<p>The Page Reader sends its tokens to the Layout Module [7]. The Layout Module feeds into the Graph Builder. "
            + "The Graph Builder produces a Chart Graph. It is a long story that is told here at some length for the sake of it. "
            * 4
        }</p>
        <h2>3 Experiments</h2><p>The Other Module feeds into the Wrong Network.</p>{filler * 4}"""
    )
    await page.pdf(
        path=tmp_path / "paper.pdf",
        display_header_footer=True,
        header_template="<span style='font-size:8pt'>A running head</span>",
        footer_template="<span style='font-size:8pt' class='pageNumber'></span>",
        margin={"top": "80px", "bottom": "80px"},
    )
    paper = read_paper(tmp_path / "paper.pdf")
    assert paper.title == "Reading Charts with Care"
    assert "running head" not in " ".join(text for section in paper.sections for text in section.paragraphs)
    prompt = translate(describe(paper))
    pairs = [(relation.source, relation.target) for relation in prompt.relations]
    assert pairs == [("Page Reader", "Layout Module"), ("Layout Module", "Graph Builder"), ("Graph Builder", "Chart Graph")]
