"""Which model serves a role, and what is said when none can."""

from __future__ import annotations

import pytest

from tools.models.table import RoleTable
from tools.models.trouble import NoModel


def test_a_role_has_its_own_model_or_the_common_one() -> None:
    """`roles` goes before `model`; names may hold colons, and an address of their own."""
    table = RoleTable(
        "openai:gpt-4o", {"scorer": "anthropic:claude-haiku-4-5", "diagram": "ollama:llava:7b@http://10.0.0.2:11434/v1"}
    )
    assert table.spec("decider").id == "openai:gpt-4o"
    assert table.spec("scorer").wire == "anthropic"
    assert (table.spec("diagram").name, table.spec("diagram").base_url) == ("llava:7b", "http://10.0.0.2:11434/v1")
    assert table.spec("decider").known.schema_ == "native"


@pytest.mark.parametrize(
    ("model", "roles", "base_url", "told"),
    [
        ("", {}, "", "No model is set for decider"),
        ("gpt-4o", {}, "", "names no model"),
        ("nobody:x", {}, "", "providers: anthropic"),
        ("openai:", {}, "", "names no model"),
        ("openai:x", {"deciderr": "openai:x"}, "", "is no role"),
        ("openai:x", {}, "http://user:secret@host/v1", "holds credentials"),
        ("openai:x", {}, "ftp://host", "no base URL"),
    ],
)
def test_what_can_not_be_is_told_in_one_line(model: str, roles: dict[str, str], base_url: str, told: str) -> None:
    """Each mistake names itself and what to write instead."""
    with pytest.raises(NoModel, match=told) as caught:
        RoleTable(model, roles, base_url).spec("decider")
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_missing_key_names_its_variable_and_the_way_without() -> None:
    """The message says how to go on without a model."""
    with pytest.raises(NoModel, match=r"OPENAI_API_KEY.*--decider library --judge rubric"):
        RoleTable("openai:gpt-4o").spec("decider").key({})


def test_an_endpoint_on_loopback_needs_no_key() -> None:
    """Local models have none."""
    spec = RoleTable("openai:any", base_url="http://127.0.0.1:9/v1").spec("decider")
    assert spec.key({}).get_secret_value() == "none-needed"
    assert spec.key({"OPENAI_API_KEY": " k "}).get_secret_value() == "k"
    assert "k" not in repr(spec.key({"OPENAI_API_KEY": "kkkk"}))
