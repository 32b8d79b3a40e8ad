"""Google Fonts: style sheets made from Fontsource's npm packages, which hold the catalogue's files, and the files themselves.

A sheet keeps every `unicode-range`, so that a page loads the parts of a Chinese font that its text needs and no others. Font
files lie at addresses of our own under fonts.gstatic.com, with package and version in them; Google's own (which name nothing but
a hash) cannot be answered. Sources: Google's documentation of the CSS API, versions 1 and 2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote

from tools.browser.cdn.address import WantedFont, WantedSheet
from tools.browser.cdn.faults import Absent, Withheld
from tools.browser.cdn.files import media_type
from tools.browser.cdn.packages import Obtained, Packages, is_exact
from tools.browser.cdn.store import Package

FILES = "https://fonts.gstatic.com/s/npm/"
_CSS = "text/css; charset=utf-8"
_STYLES = {"regular": "400", "bold": "700", "b": "700"}
_ICONS = {
    "material icons": "filled",
    "material icons outlined": "outlined",
    "material icons round": "round",
    "material icons sharp": "sharp",
    "material icons two tone": "two-tone",
}
_SYMBOLS = {"material symbols outlined": "outlined", "material symbols rounded": "rounded", "material symbols sharp": "sharp"}
_DISPLAYS = frozenset({"auto", "block", "swap", "fallback", "optional"})
_URL = re.compile(r"""url\(\s*["']?(?:\./)?([^"')]+)["']?\s*\)""")
_OLD_FORMAT = re.compile(r""",\s*url\([^)]*\.woff["']?\)\s*format\(["']woff["']\)""")
_FILE = re.compile(r"/s/npm/((?:@[^/@]+/)?[^/@]+)@([^/]+)/(.+)")


@dataclass(frozen=True)
class Face:
    """One style of a family: weights are `400`, or `300..700` for a range."""

    weight: str = "400"
    italic: bool = False


@dataclass(frozen=True)
class Family:
    """A family as a sheet's address asks for it."""

    name: str
    faces: tuple[Face, ...] = (Face(),)
    axes: frozenset[str] = frozenset()
    """Axes other than weight and italics."""


@dataclass(frozen=True)
class Given:
    """A sheet or a font file."""

    body: bytes
    media_type: str
    obtained: Obtained
    path: str
    note: str = ""


def read_query(endpoint: str, query: str) -> tuple[Family, ...]:
    """The families of a sheet's address. Raises `Absent` for what Google answers with an error."""
    pairs = parse_qsl(query, keep_blank_values=True)
    wanted = [value for key, value in pairs if key == "family"]
    if endpoint.rstrip("/") == "/css2":
        families = [_family_2(value) for value in wanted]
    elif endpoint.rstrip("/") in {"/css", "/icon"}:
        families = [_family_1(part) for value in wanted for part in value.split("|") if part.strip()]
    else:
        raise Absent("Google Fonts has nothing at such an address")
    if not families:
        raise Absent("the address names no font family", status=400)
    return tuple(families)


def _family_2(value: str) -> Family:
    name, _, style = value.partition(":")
    tags, _, tuples = style.partition("@")
    if not style:
        return Family(name.strip())
    axes = tags.split(",")
    if not tuples and axes == ["ital"]:
        return Family(name.strip(), (Face(italic=True),))
    rows = [word.split(",") for word in tuples.split(";") if word]
    if any(len(row) != len(axes) for row in rows) or not rows:
        raise Absent(f"{name}: each style needs a value for each of {tags}", status=400)
    # Google takes small letters first, then capitals, each in the order of the alphabet.
    if axes != sorted(axes, key=lambda axis: (axis[:1].isupper(), axis)):
        raise Absent(f"{name}: axes have to be in the order of the alphabet", status=400)
    if rows != sorted(rows, key=lambda row: [_number(value) for value in row]):
        raise Absent(f"{name}: styles have to be in ascending order", status=400)
    faces = [
        Face(dict(zip(axes, row, strict=True)).get("wght", "400"), dict(zip(axes, row, strict=True)).get("ital") == "1")
        for row in rows
    ]
    return Family(name.strip(), tuple(dict.fromkeys(faces)), frozenset(axes) - {"wght", "ital"})


def _number(value: str) -> float:
    try:
        return float(value.partition("..")[0])
    except ValueError as error:
        raise Absent(f"{value[:20]} is no value of an axis", status=400) from error


def _family_1(part: str) -> Family:
    name, *rest = part.split(":")
    faces: list[Face] = []
    for style in (rest[0] if rest else "").split(","):
        match = re.fullmatch(r"(\d{3}|regular|bold|b|)(italic|i)?", style.strip().lower())
        if style.strip().lower() in {"bi", "bolditalic"}:
            faces.append(Face("700", italic=True))
        elif match and style.strip():
            weight = _STYLES.get(match[1], match[1]) or "400"
            faces.append(Face(weight, bool(match[2])))
    return Family(name.replace("+", " ").strip(), tuple(dict.fromkeys(faces)) or (Face(),))


async def sheet(wanted: WantedSheet, packages: Packages) -> Given:
    """A style sheet. Raises `Absent` for families and styles that Google does not have, `Withheld` if npm is out of reach."""
    families = read_query(wanted.endpoint, wanted.query)
    display = dict(parse_qsl(wanted.query)).get("display", "")
    strict = wanted.endpoint.rstrip("/") == "/css2"
    parts: list[tuple[str, Obtained]] = []
    missing: Absent | None = None
    for family in families:
        try:
            parts += await _family(family, packages)
        except Absent as absent:
            # The first version of the service leaves out what it does not have.
            missing = absent
            if strict:
                raise Absent(absent.note, status=400) from absent
    if not parts:
        raise Absent(missing.note if missing else "nothing was asked for", status=400)
    text = "\n".join(_displayed(part, display) for part, _ in parts)
    used = sorted({obtained.package.title for _, obtained in parts})
    note = f"made of {', '.join(used)}" + (f"; left out: {missing.note}" if missing else "")
    return Given(text.encode(), _CSS, parts[0][1], "", note)


async def file(wanted: WantedFont, packages: Packages) -> Given:
    """A font file at an address that one of our sheets gave."""
    match = _FILE.fullmatch(wanted.path)
    if match is None or not is_exact(match[2]):
        raise Withheld("Google's own addresses of font files do not tell which font they are")
    obtained = await packages.get(match[1], match[2])
    if match[3] not in obtained.package.files:
        raise Absent(f"{obtained.package.title} has no {match[3]}")
    return Given(obtained.package.read(match[3]), media_type(match[3]), obtained, match[3])


async def _family(family: Family, packages: Packages) -> list[tuple[str, Obtained]]:
    low = family.name.lower()
    if low in _ICONS:
        return [await _ready_sheet("material-icons", f"iconfont/{_ICONS[low]}.css", packages)]
    if low in _SYMBOLS:
        return [await _ready_sheet("material-symbols", f"{_SYMBOLS[low]}.css", packages)]
    slug = re.sub(r"[^a-z0-9]+", "-", low).strip("-")
    if not slug:
        raise Absent("the address names no font family")
    ranged = bool(family.axes) or any(".." in face.weight for face in family.faces)
    if ranged:
        return [await _variable(family, face, slug, packages) for face in _by_slope(family)]
    return [await _fixed(family, face, slug, packages) for face in family.faces]


def _by_slope(family: Family) -> list[Face]:
    """Each slope once, with the weights that were asked for first."""
    return list({face.italic: face for face in reversed(family.faces)}.values())[::-1]


async def _ready_sheet(name: str, path: str, packages: Packages) -> tuple[str, Obtained]:
    obtained = await packages.get(name, "latest")
    return _absolute(obtained.package.read(path).decode(), obtained.package, path), obtained


async def _fixed(family: Family, face: Face, slug: str, packages: Packages) -> tuple[str, Obtained]:
    obtained = await _get(f"@fontsource/{slug}", family, packages)
    path = f"{face.weight}{'-italic' if face.italic else ''}.css"
    if path not in obtained.package.files:
        return await _variable(family, face, slug, packages)
    return _absolute(obtained.package.read(path).decode(), obtained.package, path), obtained


async def _variable(family: Family, face: Face, slug: str, packages: Packages) -> tuple[str, Obtained]:
    obtained = await _get(f"@fontsource-variable/{slug}", family, packages)
    package = obtained.package
    slope = "-italic" if face.italic else ""
    names = ("full", "standard", "wght") if family.axes else ("wght", "standard", "full")
    path = next((f"{name}{slope}.css" for name in names if f"{name}{slope}.css" in package.files), "")
    if not path:
        raise Absent(f"{family.name} has no such style")
    text = package.read(path).decode()
    text = re.sub(r"font-family:\s*'([^']+) Variable'", r"font-family: '\1'", text)
    _check_weight(text, family, face)
    if face.weight.isdigit():
        text = re.sub(r"font-weight:\s*[\d ]+;", f"font-weight: {face.weight};", text)
    return _absolute(text, package, path), obtained


def _check_weight(text: str, family: Family, face: Face) -> None:
    limits = re.search(r"font-weight:\s*(\d+)(?: (\d+))?;", text)
    asked = re.fullmatch(r"(\d+)(?:\.\.(\d+))?", face.weight)
    if asked is None:
        raise Absent(f"{family.name}: {face.weight[:20]} is no weight")
    if limits and (int(asked[1]) < int(limits[1]) or int(asked[2] or asked[1]) > int(limits[2] or limits[1])):
        raise Absent(f"{family.name} has no weight {face.weight}")


async def _get(name: str, family: Family, packages: Packages) -> Obtained:
    try:
        return await packages.get(name, "latest")
    except Absent as absent:
        raise Absent(f"there is no such font or style: {family.name[:80]} ({name})") from absent


def _absolute(text: str, package: Package, path: str) -> str:
    """A sheet with the addresses of its files; the older format of each is left out."""
    folder = path.rpartition("/")[0]
    base = f"{FILES}{package.title}/{folder + '/' if folder else ''}"
    return _URL.sub(lambda match: f"url({base}{quote(match[1])})", _OLD_FORMAT.sub("", text))


def _displayed(text: str, display: str) -> str:
    """With the `font-display` asked for; Google's sheets have none unless one is."""
    line = rf"\1font-display: {display};\n" if display in _DISPLAYS else ""
    return re.sub(r"([ \t]*)font-display:[^;]*;\n", line, text)
