"""Pages that are wrong on purpose: a test that passes on them does not test what it says."""

from __future__ import annotations

import json
import re

_HEAD = re.compile(r"<head\b[^>]*>|<html\b[^>]*>|<!doctype[^>]*>", re.IGNORECASE)
_DEAF = """<script>(() => {
  const hush = (event) => {
    if (event.composedPath().some((node) => node instanceof Element && node.id === ID)) event.stopImmediatePropagation();
  };
  for (const kind of KINDS) window.addEventListener(kind, hush, true);
  const first = new WeakMap();
  for (const owner of [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement]) {
    for (const name of ["value", "valueAsNumber", "checked", "selectedIndex"]) {
      const own = Object.getOwnPropertyDescriptor(owner.prototype, name);
      if (!own) continue;
      const get = function () {
        if (this.id !== ID) return own.get.call(this);
        const known = first.get(this) ?? first.set(this, {}).get(this);
        return name in known ? known[name] : (known[name] = own.get.call(this));
      };
      Object.defineProperty(owner.prototype, name, { ...own, get });
    }
  }
  addEventListener("DOMContentLoaded", () => {
    const node = document.getElementById(ID);
    for (const name of ["value", "valueAsNumber", "checked", "selectedIndex"]) node && node[name];
  });
})();</script>"""
"""Events on it reach nobody, and the page's scripts read of it what it was at first; the test runner reads what it is."""
_KINDS = (
    "input", "change", "click", "dblclick", "mousedown", "mousemove", "mouseup", "mouseover", "mouseenter", "pointerdown",
    "pointermove", "pointerup", "touchstart", "touchmove", "touchend", "keydown", "keypress", "keyup", "wheel", "submit",
)  # fmt: skip


def deaf(html: str, component: str) -> str:
    """The page with one component that nobody listens to: it can be operated, and the app does not notice."""
    script = _DEAF.replace("ID", json.dumps(component)).replace("KINDS", json.dumps(list(_KINDS)))
    found = _HEAD.search(html)
    place = found.end() if found else 0
    return html[:place] + script + html[place:]
