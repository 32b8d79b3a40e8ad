"""Which script of a project serves it, and how to make that script use our host and port. Pure functions.

The script is rewritten in the run's own copy of `package.json`: flags the author gave for host, port and opening a browser are
taken out and ours put in, since tools differ in what they make of a flag given twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

HOST = "127.0.0.1"


@dataclass(frozen=True)
class _Flags:
    """A tool's flags: what to append, and what of the author's to take out."""

    append: str
    strip: str
    verbs: tuple[str, ...] = ()
    """Only with one of these as first argument does the tool serve; empty: always."""


_LONG = (
    r"--port(?:=|\s+)\S+|--host(?:name)?(?:=\S+|\s+(?:[\d.]+|localhost|::1?|true)(?=\s|$))?"
    r"|--open(?:=\S+)?|--strictPort|--no-open"
)
_SHORT = r"|-[pP](?:=|\s*)\d+|-H\s+\S+|-o(?=\s|$)"
_PLAIN = _Flags(f"--host {HOST} --port {{port}}", _LONG)

_TOOLS: dict[str, _Flags] = {
    "vite": _Flags(f"--host {HOST} --port {{port}} --strictPort", _LONG),
    "next": _Flags(f"--hostname {HOST} --port {{port}}", _LONG + _SHORT, ("dev", "start")),
    "nuxt": _Flags(f"--host {HOST} --port {{port}}", _LONG + _SHORT, ("dev", "preview")),
    "nuxi": _Flags(f"--host {HOST} --port {{port}}", _LONG + _SHORT, ("dev", "preview")),
    "astro": _Flags(f"--host {HOST} --port {{port}}", _LONG, ("dev", "preview", "start")),
    "vue-cli-service": _Flags(f"--host {HOST} --port {{port}}", _LONG, ("serve",)),
    "parcel": _Flags(f"--host {HOST} --port {{port}}", _LONG + _SHORT),
    "webpack": _Flags(f"--host {HOST} --port {{port}} --no-open", _LONG, ("serve", "dev-server")),
    "webpack-dev-server": _Flags(f"--host {HOST} --port {{port}}", _LONG),
    "rsbuild": _Flags(f"--host {HOST} --port {{port}}", _LONG, ("dev", "preview")),
    "rspack": _Flags(f"--host {HOST} --port {{port}}", _LONG, ("serve", "dev")),
    "vinxi": _Flags(f"--host {HOST} --port {{port}}", _LONG, ("dev", "start")),
    "ng": _Flags(f"--host {HOST} --port {{port}}", _LONG + _SHORT, ("serve", "s")),
    "http-server": _Flags(f"-a {HOST} -p {{port}} -c-1", _LONG + _SHORT + r"|-a\s+\S+"),
    "serve": _Flags(f"-l tcp://{HOST}:{{port}} --no-clipboard", _LONG + _SHORT + r"|(?:-l|--listen)(?:=|\s+)\S+"),
    "live-server": _Flags(f"--host={HOST} --port={{port}} --no-browser", _LONG + r"|--no-browser"),
    "sirv": _Flags(f"--host {HOST} --port {{port}}", _LONG + _SHORT),
    "gatsby": _Flags(f"-H {HOST} -p {{port}}", _LONG + _SHORT, ("develop", "serve")),
    "docusaurus": _Flags(f"--host {HOST} --port {{port}} --no-open", _LONG + _SHORT, ("start", "serve")),
    "eleventy": _Flags("--port={port}", _LONG),
    "storybook": _Flags(f"--host {HOST} -p {{port}} --ci", _LONG + _SHORT + r"|--ci", ("dev",)),
    "remix": _PLAIN,
    "react-router": _Flags(f"--host {HOST} --port {{port}}", _LONG, ("dev",)),
    "browser-sync": _Flags(f"--host {HOST} --port {{port}} --no-open", _LONG),
}
_FOLLOW = re.compile(
    r"^(?:npm\s+(?:run(?:-script)?\s+)?|pnpm\s+(?:run\s+)?|yarn\s+(?:run\s+)?|bun\s+run\s+)(?:-s\s+|--silent\s+)?([\w:.-]+)\s*$"
)
_WRAPPER = re.compile(
    r"^(?:[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|\S*)|cross-env(?:-shell)?|env|npx(?:\s+--?[\w-]+)*|pnpm\s+exec|pnpx|yarn\s+exec|bunx(?:\s+--bun)?|exec)\s+"
)
_BEFORE = re.compile(
    r"\b(?:vite|astro|nuxt|nuxi|rsbuild)\s+preview\b|\bnext\s+start\b|\b(?:serve|http-server|sirv|live-server)\b.*\b(?:dist|build|out)\b"
)


@dataclass(frozen=True)
class DevCommand:
    """How to serve a project: run `script`, whose text becomes `text`, with `PORT` and `HOST` in the environment."""

    script: str
    text: str
    tool: str
    """The program recognised; empty where the port can only be suggested through the environment and found out afterwards."""
    needs_build: bool
    """It serves what a build produced."""


def dev_command(scripts: Mapping[str, str], name: str, port: int) -> DevCommand:
    """How to run script `name` so that it listens on loopback at `port`."""
    name = _follow(scripts, name)
    text = scripts[name].strip()
    head, last = _last_command(text)
    tool, bare = tool_of(last)
    needs_build = _BEFORE.search(text) is not None and "build" in scripts and not re.search(r"\bbuild\s*&&", text)
    flags = _TOOLS.get(tool)
    if flags is None or (
        flags.verbs and not any(re.search(rf"\b{re.escape(tool)}\b\s+(?:\S+\s+)*?{verb}\b", bare) for verb in flags.verbs)
    ):
        return DevCommand(name, text, "", needs_build)
    if tool == "vite" and re.search(r"\bvite\b\s+(?:build|optimize)\b", bare):
        return DevCommand(name, text, "", needs_build)
    kept = re.sub(rf"(?<=\s)(?:{flags.strip})(?=\s|$)", "", last)
    kept = re.sub(r"\s+--\s*$", "", re.sub(r"[ \t]{2,}", " ", kept).strip())
    return DevCommand(name, f"{head}{kept} {flags.append.format(port=port)}", tool, needs_build)


def _follow(scripts: Mapping[str, str], name: str) -> str:
    """The script that a script which only calls another one ends up at."""
    for _ in range(5):
        match = _FOLLOW.match(scripts[name].strip())
        if match is None or match.group(1) not in scripts or match.group(1) == name:
            break
        name = match.group(1)
    return name


def _last_command(text: str) -> tuple[str, str]:
    """A script split before its last command; the whole script if commands run beside each other."""
    if re.search(r"(?<!&)&(?!&)|\|", text):
        return text, ""
    at = max(text.rfind("&&"), text.rfind(";"))
    if at < 0:
        return "", text
    width = 2 if text.startswith("&&", at) else 1
    rest = text[at + width :]
    return text[: at + width] + rest[: len(rest) - len(rest.lstrip())], rest.strip()


def tool_of(command: str) -> tuple[str, str]:
    """The program that a command runs, and the command from there on; wrappers and variables before it are stepped over."""
    rest = command.strip()
    while (match := _WRAPPER.match(rest)) is not None:
        rest = rest[match.end() :].lstrip()
    path = re.match(r"node\s+(?:--?[\w=-]+\s+)*(?:\./)?node_modules/(?:\.bin/([\w-]+)|(?:@[\w-]+/)?([\w-]+)/\S+)", rest)
    if path is not None:
        tool = path.group(1) or path.group(2)
        return tool, f"{tool} {rest[path.end() :].strip()}"
    word = rest.split(maxsplit=1)[0] if rest else ""
    tool = word.rsplit("/", 1)[-1]
    return ("eleventy" if tool.endswith("eleventy") else tool), rest
