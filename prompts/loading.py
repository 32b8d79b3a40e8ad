"""Finds, checks and renders prompts: `prompts/<role>/<name>.md.j2`.

A template has three blocks, in this order:

    {# version 1 #}
    {% block prefix %} the same bytes in every run: who reads this, rules, forms {% endblock %}
    {% block setting %} the same within a run: the brief, what is promised {% endblock %}     (may be left out)
    {% block tail %} what changes with every call {% endblock %}

The prefix is rendered without data, so it cannot differ between two calls. In the other blocks an expression must be a number or
`Safe`: a plain string is an error, so that nothing foreign gets in without a fence. Filters: `{{ text | data("label", limit) }}`
fences, `{{ word | ours }}` lets our own words through.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template

from prompts.fencing import Safe, fenced, ours

SUFFIX = ".md.j2"
_VERSION = re.compile(r"^\{# version (\d+)")


class PromptError(ValueError):
    """A template is missing, misshapen, or puts foreign text outside a fence."""


@dataclass(frozen=True)
class Prompt:
    """A rendered prompt. `sha256` is the template's, the same whatever data went in."""

    role: str
    name: str
    version: int
    sha256: str
    prefix: Safe
    setting: Safe
    tail: Safe

    @property
    def key(self) -> str:
        """`decider/step@1:0123456789ab`: what the ledger calls it."""
        return f"{self.role}/{self.name}@{self.version}:{self.sha256[:12]}"


def render(role: str, name: str, **data: Any) -> Prompt:
    """The prompt `prompts/<role>/<name>.md.j2` with its data. Raises `PromptError`."""
    source = _source(f"{role}/{name}")
    template = _environment().get_template(f"{role}/{name}")
    try:
        blocks = {block: _block(template, block, {} if block == "prefix" else data) for block in ("prefix", "setting", "tail")}
    except Exception as error:  # whatever goes wrong inside a template is told with the template's name
        raise PromptError(f"prompt {role}/{name}: {type(error).__name__}: {error}") from error
    if not blocks["prefix"] or not blocks["tail"]:
        raise PromptError(f"prompt {role}/{name}: the blocks prefix and tail must not be empty")
    return Prompt(role, name, _version(role, name, source), _digest(source), **blocks)


def manifest() -> dict[str, str]:
    """Every prompt there is, `role/name` → `version:sha256`; part of what a run states about itself."""
    found = {}
    for folder in sorted(files("prompts").iterdir(), key=lambda entry: entry.name):
        if not folder.is_dir() or folder.name.startswith("_"):
            continue
        for entry in sorted(folder.iterdir(), key=lambda traversable: traversable.name):
            if entry.name.endswith(SUFFIX) and not entry.name.startswith("_"):
                name = entry.name.removesuffix(SUFFIX)
                source = entry.read_text(encoding="utf-8")
                found[f"{folder.name}/{name}"] = f"{_version(folder.name, name, source)}:{_digest(source)}"
    return found


def _block(template: Template, block: str, data: dict[str, Any]) -> Safe:
    if block not in template.blocks:
        return ours("")
    return ours("".join(template.blocks[block](template.new_context(data))).strip())


def _finalized(value: object) -> object:
    """Refuses what was neither fenced nor said to be ours."""
    if isinstance(value, Safe) or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    if value is None:
        raise PromptError("an expression is empty (None)")
    raise PromptError(f"{type(value).__name__} {str(value)[:40]!r} is neither fenced (| data) nor ours (| ours)")


def _as_data(text: object, label: str, limit: int | None = None) -> Safe:
    return fenced(label, str(text), limit)


def _as_ours(word: object) -> Safe:
    return word if isinstance(word, Safe) else ours(str(word))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_source),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - no HTML: `finalize` refuses whatever was not fenced
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    environment.filters["data"] = _as_data
    environment.filters["ours"] = _as_ours
    return environment


@cache
def _source(name: str) -> str:
    role, _, stem = name.partition("/")
    entry = files("prompts") / role / f"{stem}{SUFFIX}"
    if not entry.is_file():
        raise PromptError(f"there is no prompt {name}; there are: {', '.join(manifest())}")
    return entry.read_text(encoding="utf-8")


def _version(role: str, name: str, source: str) -> int:
    found = _VERSION.match(source)
    if found is None:
        raise PromptError(f"prompt {role}/{name} does not begin with a line like {{# version 1 #}}")
    return int(found.group(1))


def _digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()
