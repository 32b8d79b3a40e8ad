"""What only some verbs need is an extra: which module comes with which, and the line that says so when it is missing.

`pyproject.toml` says what an extra installs; a test holds the two against each other.
"""

from __future__ import annotations

from importlib.util import find_spec

from tools.errors import MissingProgram

MODULES: dict[str, tuple[str, ...]] = {
    "batch": ("fsspec", "pyarrow", "sqlalchemy"),
    "calibrate": ("tree_sitter", "tree_sitter_css", "tree_sitter_javascript", "tree_sitter_typescript"),
    "mcp": ("mcp",),
    "protocol": ("datasketch", "rapidfuzz"),
    "serve": ("fastapi", "python_multipart", "uvicorn"),
    "statistics": ("krippendorff", "statsmodels"),
}
"""Extra → the modules that it brings itself; an extra that is for one verb has that verb's name."""
INCLUDED: dict[str, str] = {"mcp": "serve", "serve": "batch"}
"""Extra → the one that it brings along."""


def missing_for(what: str, module: str, *, verb: str = "") -> MissingProgram | None:
    """The error that says which extra brings a module; None for a module that is in none.

    Args:
        what: What needs it, as a sentence's beginning: `agree`, `a Parquet file`.
        module: Top-level name of the module that could not be imported.
        verb: The verb that was called: where an extra is named after it and brings the module, that one is advised.
    """
    holding = [extra for extra in MODULES if module in brought_by(extra)]
    if not holding:
        return None
    own = next(extra for extra in holding if module in MODULES[extra])
    extra = verb if verb in holding else own
    return MissingProgram(f"{what} needs {module}, which is not installed:", hint=f"pip install 'assay[{extra}]'")


def brought_by(extra: str) -> tuple[str, ...]:
    """All modules that come with an extra, those of the one that it includes, too."""
    return MODULES[extra] + (brought_by(INCLUDED[extra]) if extra in INCLUDED else ())


def require(extra: str, what: str) -> None:
    """Raise `MissingProgram` if something of the extra is missing: before long work that would need it at its end."""
    for module in brought_by(extra):
        if find_spec(module) is None:
            raise missing_for(what, module, verb=extra) or AssertionError(module)
