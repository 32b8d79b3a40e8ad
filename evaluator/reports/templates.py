"""The environment in which all pages are rendered: escaping on, undefined names refused, every value made safe to show first."""

from __future__ import annotations

from collections.abc import Callable

from jinja2 import Environment, PackageLoader, StrictUndefined


def page_environment(package: str, shown: Callable[[object], object]) -> Environment:
    """Templates of the folder `page` of a package; `shown` makes each printed value visible, so that none is forgotten."""
    return Environment(
        loader=PackageLoader(package, "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
