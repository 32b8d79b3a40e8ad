"""Addresses of Google Fonts' style sheets."""

from __future__ import annotations

import pytest

from tools.browser.cdn.faults import Absent
from tools.browser.cdn.fonts import Face, Family, read_query


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("family=Inter", Family("Inter")),
        ("family=Noto+Sans+SC:wght@400;700&display=swap", Family("Noto Sans SC", (Face("400"), Face("700")))),
        ("family=Roboto:ital,wght@0,400;1,700", Family("Roboto", (Face("400"), Face("700", italic=True)))),
        ("family=Inter:wght@100..900", Family("Inter", (Face("100..900"),))),
        ("family=Roboto+Flex:opsz,wght@8..144,100..1000", Family("Roboto Flex", (Face("100..1000"),), frozenset({"opsz"}))),
        ("family=Lobster:ital@1", Family("Lobster", (Face("400", italic=True),))),
    ],
)
def test_second_version(query: str, expected: Family) -> None:
    """Families, styles and axes of css2."""
    assert read_query("/css2", query) == (expected,)


def test_first_version() -> None:
    """Several families in one value, weights by number and by name."""
    families = read_query("/css", "family=Roboto:400,700italic,bi|Open+Sans:300i|Lato&subset=latin")
    assert families == (
        Family("Roboto", (Face("400"), Face("700", italic=True))),
        Family("Open Sans", (Face("300", italic=True),)),
        Family("Lato"),
    )


def test_several_families() -> None:
    """The parameter may be there more than once."""
    assert [item.name for item in read_query("/css2", "family=Inter:wght@400&family=Lora")] == ["Inter", "Lora"]


@pytest.mark.parametrize(
    "query",
    [
        "display=swap",
        "family=Inter:wght@700;400",
        "family=Inter:wght,ital@400,0",
        "family=Inter:ital,wght@400",
        "family=Inter:wght@bold",
    ],
)
def test_what_google_refuses(query: str) -> None:
    """Styles out of order, axes out of order, values missing: a 400, and the page's own mistake."""
    with pytest.raises(Absent) as refused:
        read_query("/css2", query)
    assert refused.value.status == 400


def test_other_endpoints() -> None:
    """There is nothing else on that host."""
    with pytest.raises(Absent):
        read_query("/css3", "family=Inter")
