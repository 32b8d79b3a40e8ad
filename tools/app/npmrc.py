"""Settings of package managers that a project brings along: what tells them to run or reach something is left out."""

from __future__ import annotations

import re

from tools.app.place import Place

_HARMLESS = frozenset(
    {
        *("legacy-peer-deps", "strict-peer-dependencies", "auto-install-peers", "shamefully-hoist", "public-hoist-pattern[]"),
        *("node-linker", "hoist", "hoist-pattern[]", "package-lock", "install-strategy", "engine-strict", "force", "save-exact"),
        *("link-workspace-packages", "shared-workspace-lockfile", "resolution-mode", "prefer-workspace-packages", "save-prefix"),
    }
)
"""Of npm and pnpm: how packages are resolved and laid out. Not: where they come from, and what is run."""
_LINKER = re.compile(r"^nodeLinker:\s*[\"']?(node-modules|pnpm|pnp)[\"']?\s*$", re.MULTILINE)
_HOOKS = (".pnpmfile.cjs", ".pnpmfile.mjs", "pnpmfile.js")


def tame(place: Place) -> list[str]:
    """Rewrite the copy's `.npmrc`, `.yarnrc` and `.yarnrc.yml`; returns notes on what was left out."""
    left_out: list[str] = []
    for name, keep in ((".npmrc", _npm_settings), (".yarnrc", _nothing), (".yarnrc.yml", _yarn_settings)):
        path = place.work / name
        if path.is_symlink():
            path.unlink()
            left_out.append(f"{name} (a link)")
        elif path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")[:100_000]
            kept, dropped = keep(text)
            if dropped:
                place.write(name, kept)
                left_out.append(f"{name} ({', '.join(dropped[:4])}{' …' if len(dropped) > 4 else ''})")
    for name in _HOOKS:
        path = place.work / name
        if path.is_symlink() or path.is_file():
            path.unlink()
            left_out.append(name)
    return [f"settings of package managers that it brings were ignored: {'; '.join(left_out)}"] if left_out else []


def _npm_settings(text: str) -> tuple[str, list[str]]:
    kept: list[str] = []
    dropped: list[str] = []
    for line in text.splitlines():
        key = line.partition("=")[0].strip()
        if not key or key.startswith(("#", ";")):
            continue
        if key in _HARMLESS and "${" not in line:
            kept.append(line)
        else:
            # Never the value, which may be a log-in; a registry's name and path may be part of the key.
            dropped.append(key[:40])
    return "\n".join([*kept, ""]), dropped


def _yarn_settings(text: str) -> tuple[str, list[str]]:
    linker = _LINKER.search(text)
    kept = f"nodeLinker: {linker.group(1)}\n" if linker else ""
    keys = [key for key in re.findall(r"^(\w+):", text, re.MULTILINE) if key != "nodeLinker"]
    return kept, keys


def _nothing(text: str) -> tuple[str, list[str]]:
    return "", re.findall(r"^\s*([\w.\"@:/-]+)\s", text, re.MULTILINE)[:5]
