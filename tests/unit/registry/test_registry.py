"""One registration, several faces: what is derived from a function, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from pydantic import BaseModel, ValidationError

from tools.catalogue import find, instruments
from tools.errors import UserError
from tools.registry import Failed, Given, Instrument, instrument


def test_instruments_have_words_and_types() -> None:
    """Each has a one-line summary and fields with descriptions: what a model, a person and the docs are told."""
    found = {instrument.name: instrument for instrument in instruments()}
    assert {"audit_page", "check_manim", "measure_motion", "parse_diagram", "read_text"} <= set(found)
    for known in found.values():
        assert known.summary.endswith(".")
        for name, field in known.wish.model_fields.items():
            assert field.description, f"{known.name}.{name}"


def test_the_langchain_face_gives_content_and_artifact(tmp_path: Path) -> None:
    """The words for the model, the whole result beside them; the schema is the function's own."""
    image = Image.new("RGB", (400, 80), "white")
    ImageDraw.Draw(image).text((20, 20), "HELLO 123", fill="black", font=ImageFont.load_default(size=32))
    path = tmp_path / "words.png"
    image.save(path)
    tool = find("read_text").as_langchain()
    message = tool.invoke({"type": "tool_call", "id": "1", "name": "read_text", "args": {"picture": str(path)}})
    assert "HELLO" in message.content
    assert message.artifact[0].text.startswith("HELLO")
    assert set(tool.args) == {"picture", "box"}


def test_an_expected_error_becomes_a_typed_value(tmp_path: Path) -> None:
    """Kind, hint and whether another try may help; never a traceback."""
    path = tmp_path / "no.png"
    path.write_text("not a picture", encoding="utf-8")
    tool = find("read_text").as_langchain()
    message = tool.invoke({"type": "tool_call", "id": "1", "name": "read_text", "args": {"picture": str(path)}})
    assert message.content.startswith("user_error: no.png can't be read")
    assert isinstance(message.artifact, Failed)
    assert not message.artifact.retryable


def test_wrong_arguments_do_not_reach_the_function() -> None:
    """They are refused by the wish's type."""
    with pytest.raises(ValidationError):
        find("read_text").use(picture="x.png", zoom=3)
    with pytest.raises(UserError):
        find("read_text").use(picture="/nowhere.png")


class Wish(BaseModel):
    """A wish."""

    text: str


def test_what_is_no_instrument_is_refused() -> None:
    """A second of the same name, another signature, no words."""

    def plain(text: str) -> Given:
        """Takes no model."""
        return Given(text)

    def silent(wish: Wish) -> Given:
        return Given(wish.text)

    assert find("read_text").name == "read_text"  # the own ones are registered once one was asked for
    for name, function, told in (("plain", plain, "pydantic"), ("silent", silent, "docstring"), ("read_text", plain, "already")):
        with pytest.raises(ValueError, match=told):
            instrument(name)(function)  # type: ignore[arg-type, type-var]
    assert all(isinstance(item, Instrument) for item in instruments())
