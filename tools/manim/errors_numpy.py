"""Names that an earlier NumPy had: scripts that were learnt from old ones use them, beside Manim's own old names."""

from __future__ import annotations

import re

from tools.manim.contract import ScriptError
from tools.manim.errors_lookup import Api
from tools.manim.errors_source import Script
from tools.manim.errors_verdict import Verdict

_ASKED = re.compile(r"module 'numpy(?:\.\w+)*' has no attribute '(\w+)'|`np\.(\w+)`|cannot import name '(\w+)' from 'numpy")
_OWN_WORDS = re.compile(r"was removed in|was a deprecated alias|has been removed|expired", re.IGNORECASE)
_GONE = frozenset(
    {
        "alltrue", "bool8", "complex_", "cumproduct", "float_", "in1d", "Inf", "infty", "int0", "long", "mat", "msort", "NaN",
        "NINF", "object0", "PINF", "product", "row_stack", "sctypes", "sometrue", "str0", "trapz", "uint0", "unicode", "unicode_",
        "void0",
    }
)  # fmt: skip
"""Of most names that went NumPy's own message says so; of these it does not, in one release or another."""


def outdated_numpy(error: ScriptError, _script: Script, _known: Api) -> Verdict | None:
    """A name that NumPy once had."""
    if error.type not in ("AttributeError", "ImportError"):
        return None
    asked = _ASKED.search(error.message)
    if asked is None:
        return None
    name = next(part for part in asked.groups() if part)
    if name not in _GONE and not _OWN_WORDS.search(error.message):
        return None
    return Verdict("wrong_version", f"outdated API: numpy.{name} is a name of an earlier NumPy", name)
