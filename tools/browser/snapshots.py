"""The page as documents: pictures, the serialised DOM, the accessibility tree, and the sources the site delivered."""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.browser.channel import Channel
from tools.browser.faults import CommandRefused
from tools.browser.network import Policy
from tools.browser.tab import Tab
from tools.evidence.ledger import Ledger
from tools.evidence.rows import AccessibilityTree, DomSnapshot, Row, SourceFile
from tools.media.image import decode_bgr

FULL_PAGE_LIMIT_PX = 8000
SOURCE_FILES, SOURCE_BYTES = 200, 2_000_000
_LANGUAGES = {"Document": "html", "Stylesheet": "css", "Script": "javascript"}
_MEDIA_TYPES = {"html": "text/html", "css": "text/css", "javascript": "text/javascript"}

_COUNT = "() => [document.querySelectorAll('*').length, (document.body ? document.body.innerText : '').length]"
_PAGE = """() => {
  const root = document.documentElement, body = document.body;
  return {
    width: innerWidth, height: innerHeight, x: scrollX, y: scrollY,
    full: Math.max(root ? root.scrollHeight : 0, body ? body.scrollHeight : 0, innerHeight),
  };
}"""
_FETCH = """async (url) => {
  const answer = await fetch(url, { cache: 'force-cache', signal: AbortSignal.timeout(2000) });
  return answer.ok ? answer.text() : '';
}"""
_SCROLL = "([x, y]) => { scrollTo({ left: x, top: y, behavior: 'instant' }); }"


def encode_png(picture: NDArray[np.uint8]) -> bytes:
    """An RGB picture as PNG, compressed lightly: about 20 ms for 1280×800."""
    done, data = cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_PNG_COMPRESSION, 2])
    if not done:
        raise ValueError(f"a picture of shape {picture.shape} cannot be encoded")
    return data.tobytes()


def decode_png(data: bytes) -> NDArray[np.uint8]:
    """A PNG as an RGB picture (height, width, 3). Raises `ValueError` if it is none, or too large."""
    return np.asarray(cv2.cvtColor(decode_bgr(data), cv2.COLOR_BGR2RGB), np.uint8)


async def capture(tab: Tab) -> bytes:
    """The viewport as PNG at one pixel a CSS pixel, from the browser's own renderer."""
    async with tab.passing():
        answer = await tab.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    return base64.b64decode(answer["data"])


async def capture_full(tab: Tab) -> bytes:
    """The page from its top, as high as it is and at most `FULL_PAGE_LIMIT_PX`, as PNG. The scroll position is put back."""
    page = await tab.evaluate(_PAGE)
    clip = {"x": 0, "y": 0, "width": page["width"], "height": min(page["full"], FULL_PAGE_LIMIT_PX), "scale": 1}
    options = {"format": "png", "captureBeyondViewport": True, "optimizeForSpeed": True, "clip": clip}
    async with tab.passing():
        answer = await tab.send("Page.captureScreenshot", options)
    after = await tab.evaluate(_PAGE)
    if (after["x"], after["y"]) != (page["x"], page["y"]):
        await tab.evaluate(_SCROLL, [page["x"], page["y"]])
    return base64.b64decode(answer["data"])


async def write_dom(tab: Tab, ledger: Ledger) -> Row:
    """The DOM of every frame, shadow roots (closed ones too) as `<template shadowrootmode>`; frames follow the main document."""
    parts: list[str] = []
    nodes = length = 0
    for view in await tab.frames():
        try:
            world = await view.channel.world(view.frame_id)
            found = await view.channel.send(
                "Runtime.evaluate", {"expression": "document.documentElement", "contextId": world.number}
            )
            if "objectId" not in found["result"]:
                continue
            outer = {"objectId": found["result"]["objectId"], "includeShadowDOM": True}
            html = str((await view.channel.send("DOM.getOuterHTML", outer))["outerHTML"])
            count, text = await tab.evaluate(_COUNT, frame=view)
        except CommandRefused:
            if not view.path:
                raise
            parts.append(f"<!-- frame {view.path.replace('--', '- -')} went away -->")
            continue
        nodes, length = nodes + count, length + text
        if view.path:
            url = view.frame.url.replace("--", "- -")
            parts.append(f"<!-- frame {view.path.replace('--', '- -')} {url} -->")
        parts.append(html)
    data = "\n".join(parts).encode("utf-8", "replace")
    blob = ledger.put(data, "text/html")
    return ledger.append(DomSnapshot(nodes=nodes, text_length=length), producer="stage", blob=blob)


async def write_accessibility(tab: Tab, ledger: Ledger) -> Row:
    """The whole accessibility tree of every frame: a JSON list of `{frame, nodes}`."""
    trees: list[dict[str, Any]] = []
    for view in await tab.frames():
        try:
            answer = await view.channel.send("Accessibility.getFullAXTree", {"frameId": view.frame_id})
        except CommandRefused:
            if not view.path:
                raise
            continue
        trees.append({"frame": view.path, "nodes": answer["nodes"]})
    data = json.dumps(trees, ensure_ascii=False).encode("utf-8", "replace")
    blob = ledger.put(data, "application/json")
    return ledger.append(AccessibilityTree(nodes=sum(len(tree["nodes"]) for tree in trees)), producer="stage", blob=blob)


async def write_sources(tab: Tab, ledger: Ledger, policy: Policy) -> list[Row]:
    """What the site itself delivered to its pages: documents, scripts and style sheets, each as a blob.

    At most `SOURCE_FILES` of at most `SOURCE_BYTES` each.
    """
    rows: list[Row] = []
    seen: set[str] = set()
    for channel in tab.channels:
        try:
            tree = (await channel.send("Page.getResourceTree"))["frameTree"]
        except CommandRefused:
            continue
        for frame_id, url, kind in _resources(tree):
            if url in seen or not policy.own(url) or not url.startswith("http") or len(rows) >= SOURCE_FILES:
                continue
            seen.add(url)
            data = await _content(channel, frame_id, url)
            if data and len(data) <= SOURCE_BYTES:
                rows.append(_write_source(ledger, url, _LANGUAGES[kind], data))
    return rows


async def _content(channel: Channel, frame_id: str, url: str) -> bytes:
    """What the browser received from the URL; empty if it cannot be had."""
    try:
        answer = await channel.send("Page.getResourceContent", {"frameId": frame_id, "url": url})
    except CommandRefused:
        # Chromium does not keep the documents of inner frames; its HTTP cache, or the site, still has them.
        try:
            return str(await channel.call(frame_id, _FETCH, [{"value": url}])).encode("utf-8", "replace")
        except CommandRefused:
            return b""
    content = str(answer["content"])
    return base64.b64decode(content) if answer["base64Encoded"] else content.encode("utf-8", "replace")


def _write_source(ledger: Ledger, url: str, language: str, data: bytes) -> Row:
    parts = urlsplit(url)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    blob = ledger.put(data, _MEDIA_TYPES[language])
    return ledger.append(SourceFile(path=path, language=language), producer="stage", blob=blob)


def _resources(tree: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(frame id, URL, kind) of the documents, style sheets and scripts in a resource tree, the document itself first."""
    frame = tree["frame"]
    found = [(str(frame["id"]), str(frame["url"]), "Document")]
    found += [(str(frame["id"]), str(item["url"]), str(item["type"])) for item in tree["resources"] if item["type"] in _LANGUAGES]
    for child in tree.get("childFrames", []):
        found += _resources(child)
    return found
