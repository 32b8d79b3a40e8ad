"""Hatch's build hook: the preloaded C libraries go into wheels that are built on Linux with a C compiler.

Without one, or elsewhere, the wheel holds their sources alone, and they are built when they are first needed. Named in
`pyproject.toml` under `[tool.hatch.build.hooks.custom]`; hatchling is there when it builds, and only then.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface  # pyright: ignore[reportMissingImports]


class PreloadedHook(BuildHookInterface):
    """Compiles the libraries into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is put together."""
        if self.target_name != "wheel" or version == "editable" or not sys.platform.startswith("linux"):
            return
        sys.path.insert(0, self.root)
        try:
            from tools.browser.preloaded import ALL  # noqa: PLC0415 - importable only from here on
            from tools.errors import MissingProgram  # noqa: PLC0415
        finally:
            sys.path.remove(self.root)
        folder = Path(tempfile.mkdtemp(prefix="assay-wheel-"))
        for one in ALL:
            made = folder / one.file_name
            try:
                one.build(made)
            except MissingProgram as lack:
                self.app.display_warning(f"{lack.message} It will be built when it is first needed.")
                continue
            build_data["force_include"][str(made)] = str(one.source.with_name(made.name).relative_to(self.root))
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
