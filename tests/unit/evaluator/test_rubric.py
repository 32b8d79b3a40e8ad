"""The figures and the taxonomy: whole, consistent with each other and with what probes say."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from pydantic import ValidationError

from evaluator.attribution.environment import libraries_at, load_libraries
from evaluator.attribution.symptoms import load_taxonomy
from evaluator.verdict.rubric import Rubric, load_rubric, read_config
from evaluator.verdict.schema import SCHEMA_PATH, schema_text
from evaluator.verdict.taxonomy import AESTHETIC, Category, Scale, Severity
from tests.unit.evaluator.records import Run
from tools.evidence.rows import Body
from tools.probes.symptoms import SYMPTOMS


def test_the_scale_is_the_specs() -> None:
    """8 and 5 as baselines, −2…−4, −1, −0.5, +3, −2 and −4 for language, 0.5 and 0 for blank pages, 1.0 as the floor."""
    rubric = load_rubric()
    assert (rubric.baseline(Scale.functionality), rubric.baseline(Scale.aesthetics), rubric.scale.bonus_limit) == (8.0, 5.0, 3.0)
    points = rubric.points
    assert (points.critical_least, points.critical_worst, points.major, points.minor) == (2.0, 4.0, 1.0, 0.5)
    assert (rubric.language.brief_english, rubric.language.brief_other) == (2.0, 4.0)
    assert (rubric.anchor.blank_functionality, rubric.anchor.blank_aesthetics, rubric.anchor.renders_floor) == (0.5, 0.0, 1.0)


def test_the_version_is_the_content() -> None:
    """The version names the edition and a hash, and other figures do not pass for these."""
    rubric = load_rubric()
    assert re.fullmatch(r"1-[0-9a-f]{12}", rubric.version)
    assert load_rubric() is rubric


def test_every_category_has_one_limit_and_one_rule() -> None:
    """No category is forgotten or counted twice, and no limit spans both scales."""
    rubric, taxonomy = load_rubric(), load_taxonomy()
    for category in Category:
        assert category in rubric.limit_of(category).categories
        assert taxonomy.rule(category).evidence
    for limit in rubric.limit:
        assert len({category in AESTHETIC for category in limit.categories}) == 1
    assert len({rule.rank for rule in taxonomy.category}) == len(Category)


def test_a_rubric_with_a_hole_is_refused() -> None:
    """A category without a limit is an error when the figures are read, not when an app is judged."""
    values = {**read_config("rubric.toml"), "version": "x"}
    values["limit"] = values["limit"][1:]
    with pytest.raises(ValidationError, match="exactly one limit"):
        Rubric.model_validate(values)


def test_every_symptom_of_the_probes_is_known() -> None:
    """What a probe can report has a meaning; what it calls weak is never deducted at full weight on its own word."""
    taxonomy = load_taxonomy()
    for name, symptom in SYMPTOMS.items():
        meaning = taxonomy.meaning(name)
        assert meaning is not None, name
        if symptom.strength == "weak":
            assert meaning.strength in {"weak", "suspicion", "note"}, name
        if meaning.strength == "weak":
            assert meaning.severity is Severity.minor, name
    assert taxonomy.meaning("axe.button-name") is not None


def test_what_nobody_defined_has_no_meaning() -> None:
    """It is never guessed; the names of categories are no symptoms."""
    taxonomy = load_taxonomy()
    assert [taxonomy.meaning(word) for word in ("no_such_symptom", "", "dead_control")] == [None, None, None]


def test_somebody_who_looks_may_cite_pictures() -> None:
    """Of a category that says so; an instrument may not."""
    taxonomy = load_taxonomy()
    looking = taxonomy.for_looking()
    overlap = Category.layout_overlap
    assert not any("screenshot" in item for item in taxonomy.rule(overlap).evidence)
    assert any("screenshot" in item for item in looking.rule(overlap).evidence)
    assert looking.rule(Category.crash_or_hang).evidence == taxonomy.rule(Category.crash_or_hang).evidence


def test_the_longest_match_wins() -> None:
    """An exact name before a pattern, a longer pattern before a shorter one."""
    taxonomy = load_taxonomy()
    exact, pattern = taxonomy.meaning("value.null"), taxonomy.meaning("value.nan")
    assert exact is not None
    assert pattern is not None
    assert (exact.strength, pattern.strength) == ("suspicion", "strong")


def test_evidence_kinds_exist() -> None:
    """The kinds of evidence that categories ask for are kinds of rows."""
    kinds = {arg.model_fields["kind"].default for arg in Body.__args__[0].__args__}  # pyright: ignore[reportAttributeAccessIssue]
    for rule in load_taxonomy().category:
        for fitting in rule.evidence:
            assert set(fitting) <= kinds


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://cdnjs.cloudflare.com/ajax/libs/p5.js/1.4.0/p5.js", "p5"),
        ("https://cdn.plot.ly/plotly-latest.min.js", "plotly"),
        ("https://cdn.jsdelivr.net/npm/mathjax@3/es5/tex-mml-chtml.js", "mathjax"),
        ("https://cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js", "three"),
        ("https://cdn.jsdelivr.net/npm/chart.js", "chart.js"),
        ("https://d3js.org/d3.v7.min.js", "d3"),
        ("https://cdn.tailwindcss.com", "tailwind"),
        ("https://fonts.googleapis.com/css2?family=Inter", "web fonts"),
        ("https://www.googletagmanager.com/gtag/js?id=1", "analytics"),
    ],
)
def test_well_known_addresses_are_recognised(url: str, name: str) -> None:
    """The addresses that generated pages use most lead to their library."""
    assert libraries_at(url)[0].name == name


def test_libraries_have_no_double_names() -> None:
    """Each library stands in the file once."""
    names = [library.name for library in load_libraries()]
    assert len(names) == len(set(names))


def test_the_schema_is_current_and_verdicts_fit_it(tmp_path: Path) -> None:
    """The published schema is what the model says (else: `python -m evaluator.verdict.schema`), and a real verdict validates."""
    assert SCHEMA_PATH.read_text(encoding="utf-8") == schema_text()
    assert (files("configs") / "schemas" / "verdict.schema.json").is_file()
    run = Run(tmp_path)
    run.dead("#add")
    jsonschema.validate(json.loads(run.judge().to_json()), json.loads(schema_text()))
