"""What a CDN's address asks for: which package, which version, which file. Pure: no network, no disk.

`read_address` knows jsDelivr, unpkg, cdnjs and its mirrors, esm.sh, skypack, Google Fonts and the hosts in `configs/cdn.toml`.
Sources: the CDNs' own documentation of their addresses; the layouts of cdnjs are those of its libraries' npm packages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from tools.browser.cdn.faults import Absent, Withheld
from tools.browser.cdn.table import GENERAL_FOLDERS, Elsewhere, Rule, table

JSDELIVR = frozenset(
    {"cdn.jsdelivr.net", "fastly.jsdelivr.net", "gcore.jsdelivr.net", "testingcf.jsdelivr.net", "quantil.jsdelivr.net"}
)
UNPKG = frozenset({"unpkg.com", "www.unpkg.com", "npm.elemecdn.com", "unpkg.zhimg.com"})
ESM = frozenset({"esm.sh", "cdn.esm.sh"})
SKYPACK = frozenset({"cdn.skypack.dev", "cdn.pika.dev"})
FONT_SHEETS = frozenset({"fonts.googleapis.com", "fonts.googleapis.cn", "fonts.bunny.net", "fonts.loli.net"})
FONT_FILES = frozenset({"fonts.gstatic.com", "fonts.gstatic.cn", "gstatic.loli.net"})
_CDNJS = {
    "cdnjs.cloudflare.com": "/ajax/libs/",
    "cdnjs.com": "/ajax/libs/",
    "cdn.bootcdn.net": "/ajax/libs/",
    "cdn.bootcss.com": "/",
    "cdn.staticfile.org": "/",
    "cdn.staticfile.net": "/",
    "lib.baomitu.com": "/",
}
_GOOGLE_LIBRARIES = ("ajax.googleapis.com", "/ajax/libs/")
_GITHUB_HOSTS = frozenset({"cdn.rawgit.com", "rawgit.com", "raw.githack.com", "rawcdn.githack.com"})

_PACKAGE = re.compile(r"(?P<name>(?:@[^/@]+/)?[^/@]+)(?:@(?P<spec>[^/]*))?(?P<path>/.*)?", re.DOTALL)
_SKYPACK_PIN = re.compile(r"v(?P<version>\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?)-[A-Za-z0-9]{16,}")
_POLYFILL = re.compile(r"/v[123]/polyfill(?:\.min)?\.js")
_CALLBACK = re.compile(r"[A-Za-z_$][\w$.]{0,80}")

Flavour = Literal["jsdelivr", "unpkg", "own"]


@dataclass(frozen=True)
class Wanted:
    """One file of a package."""

    packages: tuple[str, ...]
    """Names, the first that exists counts (one but for libraries that the table does not list)."""
    spec: str
    """Version, range or tag; empty for the latest."""
    paths: tuple[str, ...]
    """Where the file may lie, in order; an empty one is the package's default file."""
    flavour: Flavour
    """Whose rules hold for the default file, redirects and what is minified on the way."""
    certain: bool = True
    """A version or file that is not there is not at the CDN either."""
    minifies: bool = False
    """`x.min.js` is made of `x.js`."""


@dataclass(frozen=True)
class WantedModule:
    """A package's code as one ES module, dependencies by address."""

    cdn: Literal["esm.sh", "jsdelivr", "skypack", "unpkg"]
    host: str
    package: str
    spec: str
    path: str
    """Inside the package, without a leading slash; empty for the main module."""
    built: bool = False
    """The address names the module itself; otherwise a version may have to be found first."""
    development: bool = False
    pins: tuple[tuple[str, str], ...] = ()
    """Versions of dependencies, `?deps=`."""
    outside: tuple[str, ...] = ()
    """Dependencies whose names stay as they are, `?external=`; `*` for all."""
    aliases: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class WantedTogether:
    """Several files in one, jsDelivr's `/combine/`."""

    parts: tuple[Wanted, ...]


@dataclass(frozen=True)
class WantedSheet:
    """A style sheet of Google Fonts."""

    endpoint: str
    query: str


@dataclass(frozen=True)
class WantedFont:
    """A font file, at an address that one of our own sheets gave."""

    path: str


@dataclass(frozen=True)
class Text:
    """An answer that needs no package."""

    body: str
    media_type: str
    note: str


Address = Wanted | WantedModule | WantedTogether | WantedSheet | WantedFont | Text


def knows_host(host: str) -> bool:
    """Whether a host is one of the CDNs that are answered here."""
    return host.lower() in hosts()


def hosts() -> frozenset[str]:
    """Every host that is answered here."""
    known = table()
    ruled = {host for rule in known.rule for host in rule.hosts} | {elsewhere.host for elsewhere in known.elsewhere}
    return (
        JSDELIVR | UNPKG | ESM | SKYPACK | FONT_SHEETS | FONT_FILES | _CDNJS.keys() | _GITHUB_HOSTS | ruled
        | {_GOOGLE_LIBRARIES[0], "esm.run", known.tailwind_play.host, *known.polyfills.hosts}
    )  # fmt: skip


def read_address(url: str) -> Address | None:
    """What a URL asks for; None if its host is no CDN known here.

    Raises `Absent` for an address that the CDN does not have, `Withheld` for one that cannot be answered here.
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not knows_host(host):
        return None
    path = unquote(parts.path)
    if "\\" in path or ".." in path.split("/") or any(ord(sign) < 32 for sign in path):
        raise Absent("the path is malformed")
    parts = parts._replace(path=path)
    return _ruled(host, parts) or _general(host, parts)


def _general(host: str, parts: SplitResult) -> Address:
    if host in JSDELIVR:
        return _jsdelivr(host, parts)
    if host in UNPKG:
        return _unpkg(host, parts)
    if host in ESM:
        return _esm(host, parts)
    if host == "esm.run":
        return _module("jsdelivr", "cdn.jsdelivr.net", parts.path)
    if host in SKYPACK:
        return _skypack(host, parts)
    if host in FONT_SHEETS:
        return WantedSheet(parts.path, parts.query)
    if host in FONT_FILES:
        return WantedFont(parts.path)
    return _own_names(host, parts)


def _own_names(host: str, parts: SplitResult) -> Address:
    known = table()
    on_cdnjs = host in _CDNJS and parts.path.startswith(known.polyfills.cdnjs_prefix)
    if host in known.polyfills.hosts or on_cdnjs:
        return _polyfill(parts.path.removeprefix(known.polyfills.cdnjs_prefix.rstrip("/")) if on_cdnjs else parts.path, parts)
    if host == known.tailwind_play.host:
        return _tailwind_play(parts)
    if host in _CDNJS:
        return _catalogue("cdnjs", parts.path, _CDNJS[host])
    if host == _GOOGLE_LIBRARIES[0]:
        return _catalogue("googleapis", parts.path, _GOOGLE_LIBRARIES[1])
    if host in _GITHUB_HOSTS:
        return _github_path(parts.path.lstrip("/").split("/"))
    raise Withheld(f"{host} has this under a name of its own that is not known here")


# ---- hosts of the table -----------------------------------------------------------------------------------------------------


def _ruled(host: str, parts: SplitResult) -> Wanted | None:
    for rule in table().rule:
        if host in rule.hosts and (match := re.fullmatch(rule.path, parts.path)):
            return _by_rule(rule, {key: value or "" for key, value in match.groupdict().items()})
    for other in table().elsewhere:
        if other.host == host and re.fullmatch(other.path, parts.path):
            raise _not_served(other)
    return None


def _by_rule(rule: Rule, words: dict[str, str]) -> Wanted:
    paths = tuple(dict.fromkeys(file.format(**words) for file in rule.files))
    version = rule.version.format(**{"version": "", **words})
    package = rule.package.format(**words)
    return Wanted((package,), version, paths, "own", rule.missing == "app", rule.minified)


def _not_served(other: Elsewhere) -> Absent | Withheld:
    return Absent(other.note) if other.blame == "app" else Withheld(other.note)


# ---- jsDelivr and unpkg -----------------------------------------------------------------------------------------------------


def _split_package(text: str) -> tuple[str, str, str]:
    """`@scope/name@spec/path` into name, spec and path (without its leading slash). Raises `Absent`."""
    match = _PACKAGE.fullmatch(text.lstrip("/"))
    if match is None:
        raise Absent("the address names no package")
    return match["name"], match["spec"] or "", (match["path"] or "").removeprefix("/")


def _jsdelivr(host: str, parts: SplitResult) -> Address:
    kind, _, rest = parts.path.lstrip("/").partition("/")
    if kind == "npm":
        if rest.rstrip("/").endswith("/+esm"):
            return _module("jsdelivr", host, rest.rstrip("/").removesuffix("/+esm"))
        return _npm_file(rest)
    if kind == "combine":
        return WantedTogether(tuple(_part(word) for word in rest.split(",") if word))
    if kind == "gh":
        return _github(rest)
    if kind in {"wp", "g"}:
        raise Withheld(f"jsDelivr's /{kind}/ is not on a registry that can be reached here")
    raise Absent("jsDelivr has nothing at such an address")


def _npm_file(rest: str) -> Wanted:
    name, spec, path = _split_package(rest)
    return Wanted((name,), spec, (path,), "jsdelivr", minifies=True)


def _part(text: str) -> Wanted:
    kind, _, rest = text.strip().lstrip("/").partition("/")
    part = _npm_file(rest) if kind == "npm" else _github(rest) if kind == "gh" else None
    if part is None:
        raise Absent("jsDelivr can't combine that")
    return part


def _github(rest: str) -> Wanted:
    match = re.fullmatch(r"([^/@]+/[^/@]+)(?:@([^/]+))?(?:/(.*))?", rest)
    if match is None:
        raise Absent("the address names no repository")
    return _repository_file(match[1], match[2] or "", match[3] or "", minifies=True)


def _github_path(words: list[str]) -> Wanted:
    """`user/repository/version/path`, as the raw-file hosts write it."""
    if len(words) < 4:
        raise Absent("the address names no file of a repository")
    return _repository_file("/".join(words[:2]), words[2], "/".join(words[3:]), minifies=False)


def _repository_file(name: str, version: str, path: str, *, minifies: bool) -> Wanted:
    known = table().repository(name)
    if known is None:
        raise Withheld(f"files of the GitHub repository {name[:80]} are on no registry that can be reached here")
    branch = version in {"", "master", "main", "dev", "gh-pages"}
    spec = "" if branch else _three(version) if known.package == "three" else version.removeprefix("v")
    inner = path.removeprefix(f"{known.drop}/") if known.drop else path
    return Wanted((known.package,), spec, (inner,), "own", certain=False, minifies=minifies)


def _unpkg(host: str, parts: SplitResult) -> Address:
    name, spec, path = _split_package(parts.path)
    if path.startswith("browse/") or name == "browse":
        raise Absent("unpkg's listings are no files")
    if "module" in dict(parse_qsl(parts.query, keep_blank_values=True)):
        return WantedModule("unpkg", host, name, spec, path)
    return Wanted((name,), spec, (path,), "unpkg")


# ---- CDNs with names of their own -------------------------------------------------------------------------------------------


def _catalogue(catalogue: str, path: str, prefix: str) -> Wanted:
    words = path.removeprefix(prefix).split("/", 2) if path.startswith(prefix) else []
    if len(words) < 3 or not words[2]:
        raise Absent("the address names no library, version and file")
    name, version, tail = words
    library = table().library_called(name, catalogue, version)
    if library is None:
        names = tuple(dict.fromkeys([name.removesuffix(".js").lower(), name.lower()]))
        return Wanted(names, _full(version), _in_folders(GENERAL_FOLDERS, tail), "own", certain=False, minifies=True)
    package = library.package or name
    spec = _three(version) if package == "three" else _full(version)
    renamed = dict(library.rename).get(tail)
    paths = (renamed.format(version=spec),) if renamed else _in_folders(library.folders, tail)
    return Wanted((package,), spec, paths, "own", library.complete, minifies=True)


def _in_folders(folders: tuple[str, ...], tail: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{tail}".lstrip("/") for folder in folders)


def _full(version: str) -> str:
    """A version with all its numbers: catalogues have `1.0`, npm has `1.0.0`."""
    return f"{version}.0" if re.fullmatch(r"\d+\.\d+", version) else version


def _three(version: str) -> str:
    """three.js counts releases: `r128`, `84` and `0.128.0` are one form of it."""
    release = re.fullmatch(r"r?(\d+)(?:\.(\d+))?", version)
    return f"0.{release[1]}.{release[2] or 0}" if release and not version.startswith("0.") else version


def _polyfill(path: str, parts: SplitResult) -> Text:
    if not _POLYFILL.fullmatch(path):
        raise Absent("the polyfill service has nothing at such an address")
    callback = dict(parse_qsl(parts.query)).get("callback", "")
    call = f"typeof {callback} === 'function' && {callback}();\n" if _CALLBACK.fullmatch(callback) else ""
    body = f"/* No polyfills: this browser lacks none of the features asked for. */\n{call}"
    return Text(body, "text/javascript; charset=utf-8", "a current Chromium lacks nothing that this service could add")


def _tailwind_play(parts: SplitResult) -> Wanted:
    play = table().tailwind_play
    version = parts.path.strip("/")
    plugins = sorted({word for word in dict(parse_qsl(parts.query)).get("plugins", "").split(",") if word})
    names = [re.sub(r"@.*", "", word) for word in plugins]
    suffix = "" if not names else f"-with-{names[0]}" if len(names) == 1 else "-with-all-plugins"
    file = f"tailwindcss{suffix}.js"
    paths = (f"{version}/{file}", file) if re.fullmatch(r"3\.\d+\.\d+", version) else (file,)
    return Wanted((play.package,), play.version, (*paths, "tailwindcss-with-all-plugins.js"), "own", certain=False)


# ---- ES modules -------------------------------------------------------------------------------------------------------------


def _module(cdn: Literal["esm.sh", "jsdelivr", "skypack", "unpkg"], host: str, text: str) -> WantedModule:
    name, spec, path = _split_package(text)
    return WantedModule(cdn, host, name, spec, path.strip("/"))


def _esm(host: str, parts: SplitResult) -> Address:
    path = re.sub(r"^/(?:v\d+|stable|pin)/", "/", parts.path)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    whole = path.startswith("/*")
    if path.startswith("/*"):
        path = "/" + path[2:]
    if re.match(r"/(gh|jsr|pr|github\.com)/", path):
        raise Withheld("packages from elsewhere than npm can't be had here")
    if path in {"/", "/run", "/tsx", "/x"}:
        raise Withheld("esm.sh's own scripts are on no registry")
    name, spec, inner = _split_package(path)
    spec, _, extra = spec.partition("&")  # options may be written behind the version: `react@18&dev/jsx-runtime`
    query |= dict(parse_qsl(extra, keep_blank_values=True))
    if "raw" in query:
        return Wanted((name,), spec, (inner,), "own")
    if "css" in query:
        return Wanted((name,), spec, (inner, "dist/index.css", "dist/style.css", "style.css", "index.css"), "own")
    module = WantedModule("esm.sh", host, name, spec, inner.strip("/"), development="dev" in query)
    module = _canonical_path(module)
    pins = tuple(sorted(_pairs(query.get("deps", ""), "@")))
    outside = ("*",) if whole else tuple(sorted(word for word in query.get("external", "").split(",") if word))
    return replace(module, pins=pins, outside=outside, aliases=tuple(sorted(_pairs(query.get("alias", ""), ":"))))


def _canonical_path(module: WantedModule) -> WantedModule:
    """`name@1.2.3/es2022/path.mjs` is the module itself. The file is called like the package for the main module."""
    match = re.fullmatch(
        r"(?:X-[\w=-]+/)?(?:es20\d\d|esnext|deno|denonext)/(.+?)(\.development)?(?:\.bundle)?(?:\.m?js)", module.path
    )
    if match is None:
        return module
    main = match[1] == module.package.rpartition("/")[2]
    return replace(module, path="" if main else match[1], built=True, development=module.development or bool(match[2]))


def _pairs(text: str, sign: str) -> list[tuple[str, str]]:
    pairs = []
    for word in text.split(","):
        name, found, value = word.strip().rpartition(sign)
        if found and name:
            pairs.append((name, value))
    return pairs


def _skypack(host: str, parts: SplitResult) -> WantedModule:
    path = parts.path
    pinned = re.match(r"/(?:-|pin)/", path)
    if pinned is None:
        module = _module("skypack", host, path)
        return replace(module, development="dev" in dict(parse_qsl(parts.query, keep_blank_values=True)))
    name, spec, inner = _split_package(path[pinned.end() :])
    version = _SKYPACK_PIN.fullmatch(spec)
    tail = re.fullmatch(r"(?:[^/]*mode=[^/]+/)(?:unoptimized|optimized)/(.+?)(?:\.js)?", inner)
    spec = version["version"] if version else spec.removeprefix("v")
    sub = tail[1] if tail else inner
    path = "" if sub in {name, name.rpartition("/")[2]} else sub
    return WantedModule("skypack", host, name, spec, path, built=version is not None)
