"""Query sets in every form they come in, and what is said of those that are wrong."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from tools.errors import UserError
from tools.queries.protocol import Query
from tools.queries.reading import read_queries

ROWS: dict[str, dict[str, Any]] = {
    "cookie-bench": {
        "data_id": "webdev_1", "query": "Une horloge de gare", "L1": "Dynamic web pages", "L2": "Browser Games", "L3": "puzzle",
        "difficulty": "Medium-Hard", "language": "French",
    },
    "artifactsbench": {
        "index": 0, "question": "Draw a kite in SVG", "class": "SVG Generation-SVG Images/Logos", "difficulty": "easy",
        "checklist": [{"id": 0, "title": "Kite", "description": "Is there a kite?", "maxScore": 10}],
    },
    "interactscience": {
        "id": "CharlessLaw", "question": "## Content structure …", "discipline": "Chemistry", "difficulty": "medium",
        "interactive elements count": 4, "lm_system_prompt": "s",
        "snapshot_checklists": [{"screenshot_id": 1, "checklist": ["axes are labelled", "volume is 2 L"]}],
    },
    "webgen-bench": {
        "id": "000001", "instruction": "Build a site for a lighthouse", "application_type": "Company sites",
        "Category": {"primary_category": "Content Presentation", "subcategories": ["Static Page Generation"]},
        "ui_instruct": [{"task": "Open the map", "expected_result": "A map is shown", "task_category": "x"}],
    },
}  # fmt: skip


def _wanted(form: str, query: Query) -> None:
    told = {
        "cookie-bench": ("webdev_1", "fr", "medium-hard", ("Browser Games", "puzzle"), []),
        "artifactsbench": ("0", "", "easy", ("SVG Generation", "SVG Images/Logos"), [("0", "Is there a kite?", 10.0)]),
        "interactscience": (
            "CharlessLaw", "", "medium", ("Chemistry",), [("1.1", "axes are labelled", 5.0), ("1.2", "volume is 2 L", 5.0)],
        ),
        "webgen-bench": ("000001", "", "", ("Content Presentation", "Company sites"), [("1", "A map is shown", 1.0)]),
    }[form]  # fmt: skip
    assert (query.id, query.language, query.difficulty, query.domain) == told[:4]
    assert [(item.id, item.text, item.points) for item in query.checklist] == told[4]


@pytest.mark.parametrize("form", ROWS)
@pytest.mark.parametrize("kind", ["jsonl", "json", "parquet"])
def test_each_published_form_is_recognised(form: str, kind: str, tmp_path: Path) -> None:
    """The columns tell the form, in every kind of file, and everything a batch needs is taken from them."""
    path = tmp_path / f"set.{kind}"
    if kind == "parquet":
        parquet.write_table(pa.Table.from_pylist([ROWS[form]]), path)
    else:
        path.write_text(json.dumps(ROWS[form] if kind == "jsonl" else [ROWS[form]]), encoding="utf-8")
    (query,) = read_queries(path)
    _wanted(form, query)
    (again,) = read_queries(path, form=form)
    assert again == query


@pytest.mark.parametrize("form", ROWS)
def test_a_table_of_text_holds_the_same(form: str, tmp_path: Path) -> None:
    """In CSV lists and records are JSON in their cells."""
    path = tmp_path / "set.csv"
    row = {key: value if isinstance(value, str) else json.dumps(value) for key, value in ROWS[form].items() if key != "Category"}
    if form == "webgen-bench":
        row["Category.primary_category"] = "Content Presentation"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(row))
        writer.writeheader()
        writer.writerow(row)
    (query,) = read_queries(path)
    _wanted(form, query)


def test_what_is_not_mapped_is_kept(tmp_path: Path) -> None:
    """Columns without a meaning of their own stay in `meta`."""
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps(ROWS["interactscience"]), encoding="utf-8")
    (query,) = read_queries(path)
    assert query.meta == {"interactive elements count": 4, "lm_system_prompt": "s"}


def test_a_declared_mapping_wins(tmp_path: Path) -> None:
    """Pairs on the command line and a TOML file say the same, dots go into records."""
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps({"nr": 7, "spec": {"text": "A kiln timer"}, "topic": "tools/timers", "lang": "German"}) + "\n\n")
    toml = tmp_path / "mine.toml"
    toml.write_text('id = "nr"\nbrief = "spec.text"\ndomain = "topic"\nsplit_domain = "/"\n')
    pairs = "id=nr,brief=spec.text,domain=topic,split_domain=/"
    for mapping in (pairs, str(toml)):
        (query,) = read_queries(path, mapping=mapping)
        assert (query.id, query.brief, query.domain, query.language) == ("7", "A kiln timer", ("tools", "timers"), "de")


def test_json_lines_called_json_and_line_separators_in_strings(tmp_path: Path) -> None:
    """ArtifactsBench's file is JSON Lines by another name; a U+2028 inside a string ends no line."""
    path = tmp_path / "set.json"
    rows = [{"index": n, "question": f"a\u2028b {n}"} for n in range(3)]
    path.write_text("\ufeff" + "\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    assert [query.brief for query in read_queries(path)] == ["a\u2028b 0", "a\u2028b 1", "a\u2028b 2"]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.jsonl", '{"id": 1, "brief": "x"}\n{"id": 2, "brief": " "}\n{"id": 3}\n', r"a\.jsonl:2: no brief .*1 more of 3 rows"),
        ("a.jsonl", '{"id": 1, "brief": "x"}\n\n{"id": 1, "brief": "y"}\n', r"a\.jsonl:3: id '1' is already at .*a\.jsonl:1"),
        ("a.jsonl", '{"id": 1, "brief": "x"}\n{"id": 2,\n', r"a\.jsonl:2: no valid JSON"),
        ("a.jsonl", '{"brief": "x"}\n', r"a\.jsonl:1: no id in column 'id'"),
        ("a.jsonl", "[1, 2]\n", r"a\.jsonl:1: a list where an object is wanted"),
        ("a.jsonl", "\n \n", r"a\.jsonl holds no record"),
        ("a.json", "[]", r"a\.json holds no record"),
        ("a.json", "3", r"a\.json holds a int, not records"),
        ("a.json", "{oops}", r"a\.json: no valid JSON"),
        ("a.csv", 'id,brief\n1,"x\ny"\n2,z,w\n', r"a\.csv:4: more cells than columns"),
        ("a.csv", "id,id\n1,2\n", r"a\.csv:1: two columns have the same name"),
        ("a.csv", 'id,brief\n1,"x\n', r"a\.csv:\d: unexpected end of data"),
        ("a.xlsx", "PK", r"a\.xlsx is no table that can be read"),
        ("a.parquet", "no", r"a\.parquet is no Parquet file"),
        ("a.jsonl", '{"id": 1, "brief": "x", "checklist": 3}', r"a\.jsonl:1: the checklist is a int"),
        (
            "a.jsonl",
            '{"index": 1, "question": "x", "checklist": [{"description": "d", "maxScore": 0}]}',
            r":1: item 1 .* worth 0",
        ),
    ],
)
def test_what_is_wrong_is_told_in_one_line(name: str, text: str, says: str, tmp_path: Path) -> None:
    """File, line and remedy; never a traceback."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=says) as caught:
        read_queries(path)
    assert "\n" not in str(caught.value)


def test_other_mistakes_are_told_too(tmp_path: Path) -> None:
    """A missing file, a form or mapping that does not exist, bytes that are no text."""
    path = tmp_path / "set.jsonl"
    path.write_bytes(b'{"id": 1, "brief": "\xff"}')
    with pytest.raises(UserError, match="not UTF-8"):
        read_queries(path)
    path.write_text('{"id": 1, "brief": "x"}')
    for options, says in (
        ({"form": "nope"}, "no query form called 'nope'"),
        ({"mapping": "brief"}, "'brief' is not understood"),
        ({"mapping": "colour=x"}, "mapping's colour"),
        ({"mapping": "no.toml"}, "no.toml can't be read"),
    ):
        with pytest.raises(UserError, match=says):
            read_queries(path, **options)
    with pytest.raises(UserError, match="There is no file"):
        read_queries(tmp_path / "none.jsonl")
