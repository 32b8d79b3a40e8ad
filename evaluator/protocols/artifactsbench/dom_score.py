"""The DOM score: hygiene of static HTML on 0–100, a sanity check only (models cluster at 95–97 and it ranks nobody).

Structure 0.25 · accessibility 0.30 · semantics 0.20 · search engines 0.15 · best practice 0.10 (ArtifactsBench, appendix
A.8). The paper names what each part looks at, not how it counts; the counting here is our own: every part is 100 × the mean
of its checks, each 0–1.
"""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

from pydantic import BaseModel, ConfigDict

WEIGHTS = {"structure": 0.25, "accessibility": 0.30, "semantics": 0.20, "seo": 0.15, "practice": 0.10}
LONGEST = 2_000_000
_VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"])
_SECTIONS = frozenset(
    {
        "header",
        "nav",
        "main",
        "section",
        "article",
        "aside",
        "footer",
        "figure",
        "form",
        "button",
        "table",
        "ul",
        "ol",
        "h1",
        "h2",
        "h3",
    }
)
_LABELLED = frozenset({"input", "select", "textarea"})
_UNLABELLED_TYPES = frozenset({"hidden", "submit", "button", "reset", "image"})
_OUTDATED = frozenset(["center", "font", "marquee", "blink", "frame", "frameset", "big", "strike", "tt"])


class DomScore(BaseModel):
    """The score with its parts, each 0–100, and every check behind them, 0–1."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: float | None
    """None: there was nothing to measure, and `why` says why."""
    parts: dict[str, float]
    checks: dict[str, float]
    why: str = ""


def dom_score(html: str) -> DomScore:
    """The score of a document or fragment. Pure: the same text gives the same score."""
    if len(html) > LONGEST:
        return DomScore(score=None, parts={}, checks={}, why=f"the document is longer than {LONGEST:,} characters")
    page = _Page()
    page.feed(html)
    page.close()
    if not page.tags:
        return DomScore(score=None, parts={}, checks={}, why="the document holds no element")
    checks = {**_structure(page), **_accessibility(page), **_semantics(page), **_seo(page), **_practice(page, html)}
    parts = {
        part: 100 * sum(values) / len(values)
        for part in WEIGHTS
        if (values := [value for name, value in checks.items() if name.startswith(part + ".")])
    }
    return DomScore(
        score=round(sum(WEIGHTS[part] * value for part, value in parts.items()), 2),
        parts={part: round(value, 2) for part, value in parts.items()},
        checks=checks,
    )


class _Page(HTMLParser):
    """Counts what the checks need in one pass."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.ids: Counter[str] = Counter()
        self.inline_styles = 0
        self.handlers = 0
        self.empty = 0
        self.lang = False
        self.title = ""
        self.meta: set[str] = set()
        self.images: list[bool] = []
        self.fields: list[tuple[str, bool]] = []
        """(id, named by itself)."""
        self.labels_for: set[str] = set()
        self.spoken: list[bool] = []
        """For each button and link: whether it has words."""
        self._open: list[_Open] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._count(tag, given)
        named = any(given.get(name, "").strip() for name in ("aria-label", "aria-labelledby", "title"))
        if tag == "img":
            self.images.append("alt" in given)
            if given.get("alt", "").strip() and self._open:
                self._open[-1].words = True
        elif tag in _LABELLED and given.get("type", "").lower() not in _UNLABELLED_TYPES:
            self.fields.append((given.get("id", ""), named or any(each_open.tag == "label" for each_open in self._open)))
        elif tag == "label" and given.get("for"):
            self.labels_for.add(given["for"])
        elif tag == "meta":
            self.meta |= {given.get("name", "").lower(), given.get("property", "").lower()} | (
                {"charset"} if "charset" in given else set()
            )
        if tag not in _VOID:
            self._open.append(_Open(tag, words=named))

    def _count(self, tag: str, given: dict[str, str]) -> None:
        self.tags[tag] += 1
        if given.get("id"):
            self.ids[given["id"]] += 1
        self.inline_styles += "style" in given
        self.handlers += any(name.startswith("on") for name in given)
        self.lang = self.lang or (tag == "html" and bool(given.get("lang", "").strip()))
        if self._open:
            self._open[-1].children += 1

    def handle_endtag(self, tag: str) -> None:
        if not any(each_open.tag == tag for each_open in self._open):
            return
        while self._open:
            closed = self._open.pop()
            self._leave(closed)
            if self._open:
                self._open[-1].words = self._open[-1].words or closed.words
            if closed.tag == tag:
                return

    def close(self) -> None:
        """End of the text: what was never closed is left too."""
        super().close()
        while self._open:
            self._leave(self._open.pop())

    def _leave(self, closed: _Open) -> None:
        if closed.tag in {"button", "a"}:
            self.spoken.append(closed.words)
        if closed.tag in {"p", "li", "h1", "h2", "h3", "td", "section", "article"}:
            self.empty += not closed.words and not closed.children

    def handle_data(self, data: str) -> None:
        if not data.strip() or not self._open:
            return
        if self._open[-1].tag == "title":
            self.title += data
        elif self._open[-1].tag not in {"script", "style"}:
            self._open[-1].words = True


class _Open:
    """An element that is not closed yet."""

    def __init__(self, tag: str, *, words: bool) -> None:
        self.tag = tag
        self.words = words
        self.children = 0


def _share(good: int, of: int) -> float:
    return good / of if of else 1.0


def _structure(page: _Page) -> dict[str, float]:
    total = page.tags.total()
    twice = sum(count - 1 for count in page.ids.values() if count > 1)
    return {
        "structure.unique_ids": 1 - _share(twice, page.ids.total()) if page.ids else 1.0,
        "structure.no_empty_elements": 1 - min(1.0, 5 * page.empty / total),
        "structure.few_inline_styles": 1 - min(1.0, 2 * page.inline_styles / total),
    }


def _accessibility(page: _Page) -> dict[str, float]:
    labelled = sum(named or name in page.labels_for for name, named in page.fields)
    return {
        "accessibility.images_have_alternatives": _share(sum(page.images), len(page.images)),
        "accessibility.fields_have_labels": _share(labelled, len(page.fields)),
        "accessibility.buttons_and_links_have_words": _share(sum(page.spoken), len(page.spoken)),
    }


def _semantics(page: _Page) -> dict[str, float]:
    boxes = page.tags["div"] + page.tags["span"]
    meant = sum(page.tags[tag] for tag in _SECTIONS)
    rows, heads = page.tags["tr"], page.tags["th"]
    return {
        "semantics.uses_meaningful_tags": min(
            1.0, sum(page.tags[tag] > 0 for tag in ("header", "nav", "main", "section", "footer")) / 2
        ),
        "semantics.not_only_boxes": min(1.0, 4 * meant / boxes) if boxes else 1.0,
        "semantics.tables_have_heads": float(heads > 0) if page.tags["table"] and rows else 1.0,
    }


def _seo(page: _Page) -> dict[str, float]:
    return {
        "seo.title": float(bool(page.title.strip())),
        "seo.description": float("description" in page.meta),
        "seo.one_main_heading": float(page.tags["h1"] == 1),
        "seo.viewport": float("viewport" in page.meta),
    }


def _practice(page: _Page, html: str) -> dict[str, float]:
    total = page.tags.total()
    return {
        "practice.doctype": float(html.lstrip("\ufeff \t\r\n").lower().startswith("<!doctype html")),
        "practice.language": float(page.lang),
        "practice.charset": float("charset" in page.meta),
        "practice.few_inline_handlers": 1 - min(1.0, 2 * page.handlers / total),
        "practice.no_outdated_tags": float(not any(page.tags[tag] for tag in _OUTDATED)),
    }
