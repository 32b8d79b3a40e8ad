"""What a brief names of its diagram: parts and links with names of their own, and nothing else."""

from __future__ import annotations

import pytest

from agent.drawn_links import claims, packed, unpacked

SAYS = [
    (
        "An architecture diagram where the API gateway calls Auth and Orders. Clicking a node shows details.",
        ["API gateway → Auth", "API gateway → Orders"],
    ),
    (
        "An architecture diagram. The gateway calls Orders; Orders writes to the database, which publishes events to Kafka.",
        ["gateway → Orders", "Orders → database", "database → Kafka"],
    ),
    ("A flowchart: Draft → Review → Published, with a zoom control.", ["Draft → Review", "Review → Published"]),
    (
        "Build an org chart with nodes for CEO, CTO and CFO. The CTO reports to the CEO.",
        ["CEO", "CTO", "CFO", "CTO – CEO"],
    ),
    (
        "系统架构图，其中API网关调用认证服务和订单服务，订单服务连接到数据库。",
        ["API网关 → 认证服务", "API网关 → 订单服务", "订单服务 – 数据库"],
    ),
    (
        "A pipeline diagram with an arrow from Build to Test and a line between Test and Deploy.",
        ["Build → Test", "Test – Deploy"],
    ),
    (
        "A dependency graph: Frontend calls Gateway and Gateway calls both Users and Billing with a tooltip on hover.",
        ["Frontend → Gateway", "Gateway → Users", "Gateway → Billing"],
    ),
]
SILENT = [
    "A flowchart editor where the user drags nodes and connects them to other nodes.",
    "A todo list. Users can go to the settings page. Add → saves.",
    "A sequence diagram where Alice calls Bob.",
    "A graph of sales where clicking a bar leads to the details.",
    "A network topology view. Clicking a router goes to the detail page of the router.",
    "A state machine diagram: Checkout leads to Paid or Failed.",
    "A diagram editor: each node links to the next one, and arrows point to the selected node.",
]


@pytest.mark.parametrize(("brief", "named"), SAYS)
def test_what_is_named_is_read(brief: str, named: list[str]) -> None:
    """Parts and links in reading order, each once."""
    assert [claim.text for claim in claims(brief)] == named


@pytest.mark.parametrize("brief", SILENT)
def test_what_is_not_named_is_left_alone(brief: str) -> None:
    """What people do, what other charts show, and what may be one or the other, names no link."""
    assert claims(brief) == ()


def test_claims_go_through_a_parameter() -> None:
    """Packed and unpacked they are the same but for their sentences."""
    found = claims(SAYS[3][0])
    assert [claim.text for claim in unpacked(packed(found))] == [claim.text for claim in found]
    assert unpacked("nonsense\n\t\t\n") == ()
