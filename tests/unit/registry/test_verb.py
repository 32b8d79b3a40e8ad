"""`assay tools`: the registry as a verb."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from typer.testing import CliRunner

from agent.cli.main import app
from tools.catalogue import instruments
from tools.errors import UserError


def run(*words: str) -> str:
    """What the verb prints; errors are raised."""
    told = CliRunner().invoke(app, ["tools", *words], catch_exceptions=False, standalone_mode=False)
    return told.output


def test_all_are_listed_with_what_they_take() -> None:
    """Each name, its first line and its fields; as JSON with the schema that MCP clients get."""
    told = run()
    listed = {instrument["name"]: instrument for instrument in json.loads(run("--json"))}
    assert {"audit_page", "evaluate_app", "verify_run"} <= set(listed)
    for instrument in instruments():
        assert f"{instrument.name}\n  {instrument.summary}\n" in told
        assert listed[instrument.name]["takes"] == instrument.wish.model_json_schema()
        assert all(f"    {field}" in told for field in instrument.wish.model_fields)


def test_one_is_used_by_its_name(tmp_path: Path) -> None:
    """Words for a person, values as JSON, a part of a picture by its box."""
    image = Image.new("RGB", (400, 160), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(size=32)
    pen.text((20, 20), "ABOVE 1", fill="black", font=font)
    pen.text((20, 100), "BELOW 2", fill="black", font=font)
    path = tmp_path / "words.png"
    image.save(path)
    assert "ABOVE" in run("read_text", f"picture={path}")
    lines = json.loads(run("read_text", f"picture={path}", 'box={"x":0,"y":80,"width":400,"height":80}', "--json"))
    assert [line["text"] for line in lines] == ["BELOW 2"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("rate_app",), "There is no tool 'rate_app'"),
        (("read_text", "shot.png"), "'shot.png' is not understood"),
        (("read_text",), "picture: Field required"),
        (("read_text", "picture=/nowhere.png", "zoom=2"), "zoom: Extra inputs are not permitted"),
        (("verify_run", "run=/nowhere"), "There is no run at /nowhere"),
    ],
)
def test_mistakes_are_one_line(words: tuple[str, ...], told: str) -> None:
    """What is wrong, and what the tool takes."""
    with pytest.raises(UserError, match=told):
        run(*words)
