"""The calibration suite: it loads, every variant differs from its clean app, and mistakes in a suite are told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.calibration.suite import Edit, apply, load, shipped
from evaluator.verdict.taxonomy import Category
from tools.errors import UserError

FIXTURES = Path(__file__).parents[2] / "fixtures"


def test_the_shipped_suite_has_the_promised_size() -> None:
    """At least twelve apps with at least eight faults each, and nearly every category is planted somewhere."""
    suite = load(shipped())
    assert len(suite.apps) >= 12
    assert all(len(app.fault) >= 8 and len(app.harmless) >= 2 for app in suite.apps)
    planted = {fault.category for app in suite.apps for fault in app.fault}
    assert set(Category) - planted <= {Category.other}


def test_every_variant_is_another_page() -> None:
    """Edits apply exactly once, and no two variants of an app are the same page or share a key."""
    variants = list(load(shipped()).variants())
    assert len({variant.key for variant in variants}) == len(variants)
    assert len({(variant.app, variant.html) for variant in variants}) == len(variants)
    assert all((variant.fault is not None) == (variant.kind == "fault") for variant in variants)


def test_an_edit_must_fit_exactly_once() -> None:
    """A text that stands twice or never is an error that names it."""
    with pytest.raises(UserError, match="2 times"):
        apply("aa", (Edit(find="a", replace="b"),), "app: fault")
    with pytest.raises(UserError, match="0 times"):
        apply("aa", (Edit(find="c", replace="b"),), "app: fault")


def test_a_broken_suite_is_told_in_one_line(tmp_path: Path) -> None:
    """No folder, no app, bad TOML and an unknown category each say what is wrong."""
    with pytest.raises(UserError, match="no suite"):
        load(tmp_path / "missing")
    with pytest.raises(UserError, match="no app"):
        load(tmp_path)
    app = tmp_path / "one"
    app.mkdir()
    (app / "app.toml").write_text("= nonsense", encoding="utf-8")
    with pytest.raises(UserError, match=r"no app\.html"):
        load(tmp_path)
    (app / "app.html").write_text("<p>", encoding="utf-8")
    with pytest.raises(UserError, match="not TOML"):
        load(tmp_path)
    text = 'title="t"\nlanguage="en"\ndomain="d"\nbrief="b"\n[[fault]]\nname="n"\nabout="a"\ncategory="odd"\n'
    (app / "app.toml").write_text(text + 'severity="major"\nplace=""\nnotice="act"\nedits=[]\n', encoding="utf-8")
    with pytest.raises(UserError, match="category"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("suite", "size"),
    [
        ("fresh_suite", (11, 73)),
        ("unseen_suite", (9, 54)),
        ("held_suite", (10, 50)),
        ("blind_suite", (10, 50)),
        ("stranger_suite", (12, 60)),
        ("newcomer_suite", (10, 40)),
        ("visitor_suite", (10, 40)),
    ],
)
def test_suites_of_apps_written_to_be_unknown_can_be_run(suite: str, size: tuple[int, int]) -> None:
    """Every fault is planted: its edit is found, and the page differs."""
    variants = list(load(FIXTURES / suite).variants())
    clean = {variant.app: variant.html for variant in variants if variant.kind == "clean"}
    faults = [variant for variant in variants if variant.kind == "fault"]
    assert (len(clean), len(faults)) == size
    assert all(variant.html != clean[variant.app] for variant in faults)
