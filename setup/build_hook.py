"""Hatch's build hook: the held clock's library goes into wheels that are built on Linux with a C compiler.

Without one, or elsewhere, the wheel holds the source alone, and the library is built when it is first needed. Named in
`pyproject.toml` under `[tool.hatch.build.hooks.custom]`; hatchling is there when it builds, and only then.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface  # pyright: ignore[reportMissingImports]


class HeldClockHook(BuildHookInterface):
    """Compiles `heldclock.c` into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is put together."""
        if self.target_name != "wheel" or version == "editable" or not sys.platform.startswith("linux"):
            return
        sys.path.insert(0, self.root)
        try:
            from tools.browser.clock.native import build, file_name  # noqa: PLC0415 - importable only from here on
            from tools.errors import MissingProgram  # noqa: PLC0415
        finally:
            sys.path.remove(self.root)
        made = Path(tempfile.mkdtemp(prefix="assay-wheel-")) / file_name()
        try:
            build(made)
        except MissingProgram as lack:
            self.app.display_warning(f"{lack.message} It will be built when it is first needed.")
            return
        build_data["force_include"][str(made)] = f"tools/browser/clock/native/{made.name}"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
