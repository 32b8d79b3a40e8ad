"""`compare.html`: two versions on one page that needs no server and no network, each failure with its pair of pictures."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup

from evaluator.comparison import wording
from evaluator.comparison.as_terminal import ENDINGS, remarks
from evaluator.comparison.gate import Ruling, is_worse
from evaluator.comparison.model import Comparison, Item, Otherwise, RunFacts, State, Works
from evaluator.comparison.pictures import PairOfPictures, Pairs
from evaluator.comparison.scores import FORMULA
from evaluator.reports.assets import policy_hash
from evaluator.reports.templates import page_environment
from evaluator.reports.wording import in_words
from evaluator.results.as_html import RUN_PAGE
from tools.text import printable

HTML_FILE = "compare.html"


@dataclass(frozen=True)
class Card:
    """A failure with its pictures."""

    item: Item
    pictures: PairOfPictures
    worse: bool


@dataclass(frozen=True)
class _Odd:
    trial: Otherwise
    pictures: PairOfPictures


@dataclass(frozen=True)
class _Run:
    subject: str
    headline: str
    link: str


@dataclass(frozen=True)
class _Row:
    name: str
    link: str
    comparison: Comparison | None
    worse: bool
    only_in: str | None
    problem: str


@dataclass(frozen=True)
class _Table:
    works: tuple[_Row, ...]
    totals: tuple[object, ...]


def page(comparison: Comparison, ruling: Ruling, home: Path) -> str:
    """The page of two runs; `home`: the folder that it will lie in."""
    pairs = Pairs(home)
    cards: dict[State, list[Card]] = {group.state: [] for group in wording.GROUPS}
    for item in comparison.items:
        cards[item.state].append(Card(item, pairs.of(item), is_worse(item)))
    said = wording.counted(comparison)
    return _render(
        title=f"{comparison.name or 'Two versions'} compared",
        headline=f"{said[:1].upper()}{said[1:]}",
        sides=(("A", _run(comparison.a, home)), ("B", _run(comparison.b, home))),
        remarks=remarks(comparison, briefly=True),
        ruling=ruling,
        comparison=comparison,
        cards=cards,
        odd=[_Odd(found, pairs.of(found)) for found in comparison.otherwise],
        works=None,
    )


def page_of_works(works: Works, ruling: Ruling, links: Mapping[str, str]) -> str:
    """The page of two folders. `links`: the works' own pages by name, relative to it."""
    rows = tuple(
        _Row(
            name=work.name, link=quote(links.get(work.name, "")), comparison=work.comparison, only_in=work.only_in,
            problem=work.problem, worse=work.comparison is not None and any(map(is_worse, work.comparison.items)),
        )
        for work in works.works
    )  # fmt: skip
    said = wording.works_counted(works)
    return _render(
        title="Two folders compared",
        headline=f"{said[:1].upper()}{said[1:]}",
        sides=(("A", _Run(works.a, "", "")), ("B", _Run(works.b, "", ""))),
        remarks=[],
        ruling=ruling,
        comparison=None,
        cards={},
        odd=[],
        works=_Table(rows, works.totals),
    )


def _render(*, ruling: Ruling, **values: object) -> str:
    style, script = _shared() + _asset("compare.css"), _asset("compare.js")
    policy = (
        f"default-src 'none'; script-src '{policy_hash(script)}'; style-src '{policy_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    ending, tone = ENDINGS[ruling.exit_code]
    return (
        _environment()
        .get_template("compare.html.j2")
        .render(
            **values,
            ruling=ruling,
            ending={"words": f"{ending[:1].upper()}{ending[1:]}", "tone": tone},
            style=Markup(style),  # noqa: S704 - ours
            script=Markup(script),  # noqa: S704 - ours
            policy=policy,
            words=wording,
            formula=FORMULA,
        )
    )


def _run(facts: RunFacts, home: Path) -> _Run:
    report = Path(facts.run) / RUN_PAGE
    link = quote(Path(os.path.relpath(report.resolve(), home.resolve())).as_posix()) if report.is_file() else ""
    return _Run(facts.subject, facts.headline, link)


@cache
def _asset(name: str) -> str:
    return (files("evaluator.comparison") / "page" / name).read_text(encoding="utf-8")


@cache
def _shared() -> str:
    return (files("evaluator.results") / "page" / "results.css").read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    environment = page_environment("evaluator.comparison", _shown)
    environment.filters.update(fixed=lambda value: f"{value:.2f}", in_words=in_words)
    return environment


def _shown(value: object) -> object:
    """What a page of strangers says, made safe to show; a picture's address is ours, and long."""
    return printable(value, 600) if type(value) is str and not value.startswith("data:image/webp;base64,") else value
