"""Values of the view's pages, and how they are rendered: on the server, escaped, with nothing fetched from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from agent.view.links import Links
from agent.view.summaries import STATUSES
from evaluator.reports import wording
from evaluator.reports.assets import asset, palette, policy_hash
from evaluator.reports.templates import page_environment
from evaluator.reports.visible import shortened, visible
from tools.text import how_many

LOGS_SHOWN = 40
_HERE = "agent.view"
_LEADING = (
    "report.html",
    "report.json",
    "recording.mp4",
    "verdict.json",
    "claims.json",
    "proofs.json",
    "marks.json",
    "ledger.jsonl",
)


@dataclass(frozen=True)
class Listed:
    """A file of a run: its path there, and its size in words."""

    inside: str
    size: str


class Pages:
    """Renders the view's templates. `links`: where they lead."""

    def __init__(self, links: Links, root: Path) -> None:
        self._links = links
        self._root = root

    def render(self, template: str, **values: Any) -> str:
        """A page, or a part of one."""
        style, script = _sheet(), asset(_HERE, "view.js")
        return (
            _environment()
            .get_template(template)
            .render(
                at=self._links,
                root=str(self._root),
                style=Markup(style),  # noqa: S704 - ours
                script=Markup(script),  # noqa: S704 - ours
                words=wording,
                statuses=STATUSES,
                **values,
            )
        )


def _sheet() -> str:
    return palette() + asset(_HERE, "view.css")


@cache
def policy() -> str:
    """What the view's own pages may do: run this script, ask this server, be in nobody's frame."""
    script, style = policy_hash(asset(_HERE, "view.js")), policy_hash(_sheet())
    return (
        f"default-src 'none'; script-src '{script}'; style-src '{style}'; img-src 'self' data:; media-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


def files_of(path: Path) -> list[Listed]:
    """The files of a run that a person may want, the most wanted first; blobs, which the ledger names by hash, are left out."""
    found = [
        each_path.name
        for each_path in path.iterdir()
        if each_path.is_file() and not each_path.is_symlink() and not each_path.name.startswith(".")
    ]
    order = {name: at for at, name in enumerate(_LEADING)}
    found.sort(key=lambda name: (order.get(name, len(order)), name))
    for folder in ("proofs", "logs"):
        below = path / folder
        if below.is_dir() and not below.is_symlink():
            inner = sorted(each_path for each_path in below.rglob("*") if each_path.is_file() and not each_path.is_symlink())
            found += [each_path.relative_to(path).as_posix() for each_path in inner[:LOGS_SHOWN]]
    return [Listed(name, wording.size((path / name).stat().st_size)) for name in found]


def shown(value: object) -> object:
    """Every value that a template prints is made visible first, so that none can be forgotten."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _environment() -> Environment:
    environment = page_environment("agent.view", shown)
    environment.filters |= {
        "short": shortened,
        "in_words": wording.in_words,
        "moment": lambda value: value.astimezone().strftime("%d %b %Y, %H:%M") if isinstance(value, datetime) else "",
        "iso": lambda value: value.isoformat() if isinstance(value, datetime) else "",
        "counted": how_many,
        "app_name": app_name,
    }
    return environment


def app_name(subject: str) -> str:
    """What people call a subject: the end of its path or address that says something."""
    parts: Sequence[str] = [part for part in subject.rstrip("/").split("/") if part]
    if len(parts) > 1 and parts[-1] in {"index.html", "answer.md", "subject", "dist", "src"}:
        return "/".join(parts[-2:])
    return parts[-1] if parts else subject
