// What all probes share: one bounded walk over the rendered page, clips, text lines, colours, selectors.
// Runs in an isolated world, so the page cannot have patched what is called here. DOM properties are still read through the
// prototypes' getters, because a form with <input name="parentNode"> hides its own ones. No timers and no clock: app time may
// stand still, so all work is bounded by counts.

const ELEMENT_LIMIT = 5000;
const LINE_LIMIT = 40;

const reader = (proto, name) => {
  const { get } = Object.getOwnPropertyDescriptor(proto, name);
  return (node) => get.call(node);
};
const caller = (proto, name) => {
  const call = proto[name];
  return (node, ...args) => call.apply(node, args);
};
const parentNodeOf = reader(Node.prototype, "parentNode");
const firstNodeOf = reader(Node.prototype, "firstChild");
const nextNodeOf = reader(Node.prototype, "nextSibling");
const parentOf = reader(Node.prototype, "parentElement");
const wordsOf = reader(Node.prototype, "textContent");
const kindOf = reader(Node.prototype, "nodeType");
const rootOf = caller(Node.prototype, "getRootNode");
const contains = caller(Node.prototype, "contains");
const firstChildOf = reader(Element.prototype, "firstElementChild");
const nextOf = reader(Element.prototype, "nextElementSibling");
const previousOf = reader(Element.prototype, "previousElementSibling");
const tagOf = reader(Element.prototype, "localName");
const idOf = reader(Element.prototype, "id");
const shadowOf = reader(Element.prototype, "shadowRoot");
const slotOf = reader(Element.prototype, "assignedSlot");
const scrollWidthOf = reader(Element.prototype, "scrollWidth");
const scrollHeightOf = reader(Element.prototype, "scrollHeight");
const clientWidthOf = reader(Element.prototype, "clientWidth");
const clientHeightOf = reader(Element.prototype, "clientHeight");
const attr = caller(Element.prototype, "getAttribute");
const hasAttr = caller(Element.prototype, "hasAttribute");
const matches = caller(Element.prototype, "matches");
const closest = caller(Element.prototype, "closest");
const all = caller(Element.prototype, "querySelectorAll");
const boundsOf = caller(Element.prototype, "getBoundingClientRect");
const isRendered = caller(Element.prototype, "checkVisibility");
const dataOf = reader(CharacterData.prototype, "data");

const pageRoot = reader(Document.prototype, "documentElement")(document);
const pageBody = reader(Document.prototype, "body")(document);
const elementsAt = caller(Document.prototype, "elementsFromPoint");
const pageTitle = () => reader(Document.prototype, "title")(document);

// What scrolls the page, and so has the window's size: the root, or in quirks mode the body. `innerWidth` is no measure of the
// layout: on a phone it grows when a wide page is shown shrunk.
const pageScroller = reader(Document.prototype, "scrollingElement")(document) || pageRoot;
const viewWidth = pageScroller ? clientWidthOf(pageScroller) || innerWidth : innerWidth;
const viewHeight = pageScroller ? clientHeightOf(pageScroller) || innerHeight : innerHeight;

const UNPAINTED = new Set([
  "head",
  "script",
  "style",
  "noscript",
  "template",
  "link",
  "meta",
  "title",
  "base",
  "source",
  "track",
]);
const EVERYWHERE = { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 };

const cut = (a, b) => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
});
const widthOf = (r) => Math.max(r.right - r.left, 0);
const heightOf = (r) => Math.max(r.bottom - r.top, 0);
const areaOf = (r) => widthOf(r) * heightOf(r);
const plain = (r) => ({ left: r.left, top: r.top, right: r.right, bottom: r.bottom });
const tenth = (n) => Math.round(n * 10) / 10;
const asBox = (r) => ({ x: tenth(r.left), y: tenth(r.top), width: tenth(widthOf(r)), height: tenth(heightOf(r)) });

// Elements whose place, colour or opacity an animation or transition is changing now: what is measured on them is passing.
function movingElements() {
  const moving = new Set();
  const matter =
    /^(opacity|transform|translate|rotate|scale|left|right|top|bottom|width|height|color|background|clip|filter|margin|offset|visibility)/;
  for (const animation of document.getAnimations().slice(0, 2000)) {
    const effect = animation.effect;
    if (!effect || !effect.target || effect.pseudoElement || animation.playState !== "running") continue;
    const names = effect.getKeyframes().flatMap((frame) => Object.keys(frame));
    if (names.some((name) => matter.test(name))) moving.add(effect.target);
  }
  return moving;
}

// A transform that turns or skews: bounding boxes then say little about what is painted.
function isTilted(style) {
  if (style.backfaceVisibility === "hidden" || style.transformStyle === "preserve-3d") return true;
  if (style.rotate !== "none") return true;
  const matrix = style.transform;
  if (matrix === "none") return false;
  if (matrix.startsWith("matrix3d")) return true;
  const [, b, c] = matrix.slice(7, -1).split(",").map(Number);
  return Math.abs(b) > 0.02 || Math.abs(c) > 0.02;
}

// The usual ways of keeping text for screen readers only.
function isClippedAway(style) {
  const rect = /^rect\(([^)]*)\)$/.exec(style.clip);
  if (rect && style.position === "absolute") {
    const [top, right, bottom, left] = rect[1].split(/[ ,]+/).map((part) => parseFloat(part) || 0);
    if ((right - left) * (bottom - top) <= 4) return true;
  }
  const inset = /^inset\((\d+(?:\.\d+)?)%/.exec(style.clipPath);
  return (inset !== null && Number(inset[1]) >= 50) || /^circle\(0(px|%)?[ )]/.test(style.clipPath);
}

const holdsFixed = (style) =>
  style.transform !== "none" ||
  style.filter !== "none" ||
  style.perspective !== "none" ||
  /paint|layout|strict|content/.test(style.contain);

// The rectangle an element's overflow lets its content show in; `hard` only where nothing can scroll there.
function overflowClip(el, style, hard) {
  const cuts = hard ? /hidden|clip/ : /hidden|clip|auto|scroll/;
  const x = cuts.test(style.overflowX);
  const y = cuts.test(style.overflowY);
  if (!x && !y) return null;
  const box = boundsOf(el);
  return {
    left: x ? box.left + (parseFloat(style.borderLeftWidth) || 0) : -1e9,
    right: x ? box.right - (parseFloat(style.borderRightWidth) || 0) : 1e9,
    top: y ? box.top + (parseFloat(style.borderTopWidth) || 0) : -1e9,
    bottom: y ? box.bottom - (parseFloat(style.borderBottomWidth) || 0) : 1e9,
  };
}

// What these two hide is hidden by the page, not by a box on it.
const isPageBox = (el) => el === pageRoot || el === pageBody;

// One element of the walk with what it inherits from its ancestors in the flat tree.
function recordOf(el, up, tree, nth, moving) {
  const style = getComputedStyle(el);
  const position = style.position;
  const r = { el, up, tree, nth, style, tag: tagOf(el), position };
  r.opacity = (up ? up.opacity : 1) * (Number(style.opacity) || 0);
  r.layer = position === "fixed" || position === "sticky" ? r : up ? up.layer : null;
  r.tilted = (up ? up.tilted : false) || isTilted(style);
  r.moving = (up ? up.moving : false) || moving.has(el);
  r.ariaHidden = (up ? up.ariaHidden : false) || attr(el, "aria-hidden") === "true";
  r.clippedAway = (up ? up.clippedAway : false) || isClippedAway(style);
  const outer = !up ? null : position === "fixed" ? up.fixedBase : position === "absolute" ? up.absoluteBase : up;
  r.hard = outer ? outer.hardInner : EVERYWHERE;
  r.soft = outer ? outer.softInner : EVERYWHERE;
  const hardClip = isPageBox(el) ? null : overflowClip(el, style, true);
  const softClip = isPageBox(el) ? null : overflowClip(el, style, false);
  r.hardInner = hardClip ? cut(r.hard, hardClip) : r.hard;
  r.softInner = softClip ? cut(r.soft, softClip) : r.soft;
  r.clips = hardClip !== null;
  r.scrolls = softClip !== null && /auto|scroll/.test(style.overflowX + style.overflowY);
  const holds = holdsFixed(style);
  r.fixedBase = holds ? r : up ? up.fixedBase : null;
  r.absoluteBase = holds || position !== "static" ? r : up ? up.absoluteBase : null;
  r.visible = style.visibility === "visible" && r.opacity > 0.05 && !r.clippedAway;
  return r;
}

// The rendered elements in document order, open shadow roots included, at most `limit`; of SVG only its texts.
function census(limit = ELEMENT_LIMIT) {
  const records = [];
  const byElement = new Map();
  const moving = movingElements();
  const stack = pageRoot ? [{ el: pageRoot, tree: null, counts: new Map() }] : [];
  let visited = 0;
  while (stack.length > 0 && visited < limit) {
    const { el, tree, counts } = stack.pop();
    visited += 1;
    const tag = tagOf(el);
    const nth = (counts.get(tag) || 0) + 1;
    counts.set(tag, nth);
    const sibling = nextOf(el);
    if (sibling) stack.push({ el: sibling, tree, counts });
    if (UNPAINTED.has(tag)) continue;
    const slot = slotOf(el);
    const up = slot ? byElement.get(slot) || tree : tree;
    if (!isRendered(el) && (tag === "html" ? false : getComputedStyle(el).display !== "contents")) continue;
    const r = recordOf(el, up, tree, nth, moving);
    records.push(r);
    byElement.set(el, r);
    if (tag === "svg") {
      addTexts(r, records, byElement, moving, limit - visited);
      continue;
    }
    const child = firstChildOf(el);
    if (child) stack.push({ el: child, tree: r, counts: new Map() });
    const shadow = shadowOf(el);
    const inner = shadow ? shadow.firstElementChild : null;
    if (inner) stack.push({ el: inner, tree: r, counts: new Map() });
  }
  return { records, byElement, sampled: stack.length > 0, visited };
}

function addTexts(svg, records, byElement, moving, room) {
  let added = 0;
  for (const el of all(svg.el, "text")) {
    if (added >= Math.min(200, room)) return;
    if (!isRendered(el)) continue;
    const r = recordOf(el, svg, svg, 0, moving);
    const matrix = el.getScreenCTM();
    if (matrix && (Math.abs(matrix.b) > 0.02 || Math.abs(matrix.c) > 0.02)) r.tilted = true;
    r.svgText = true;
    records.push(r);
    byElement.set(el, r);
    added += 1;
  }
}

const TEXTLESS = new Set([
  "textarea",
  "select",
  "option",
  "optgroup",
  "datalist",
  "iframe",
  "object",
  "canvas",
  "video",
  "audio",
  "svg",
]);

// Lines of an element's own text: `lines` as laid out, `shown` what clips leave of them (scroll containers do not clip here).
function ownText(r) {
  if (TEXTLESS.has(r.tag)) return null;
  let text = "";
  const lines = [];
  const pieces = [];
  const range = document.createRange();
  const nodes = r.svgText ? [r.el] : ownTextNodes(r.el);
  for (const node of nodes) {
    const piece = wordsOf(node).slice(0, 4000);
    pieces.push({ node, piece });
    text += (text ? " " : "") + piece;
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (lines.length >= LINE_LIMIT) break;
      if (rect.width > 0.5 && rect.height > 0.5) lines.push(plain(rect));
    }
  }
  if (lines.length === 0) return null;
  return { r, text: folded(text), pieces, lines, shown: lines.map((line) => cut(line, r.hardInner)) };
}

const folded = (text) => text.replace(/\s+/g, " ").trim();

function ownTextNodes(el) {
  const found = [];
  for (let node = firstNodeOf(el); node && found.length < 60; node = nextNodeOf(node)) {
    if (kindOf(node) === 3 && /\S/.test(dataOf(node))) found.push(node);
  }
  return found;
}

const paintsText = (style) => {
  if (parseFloat(style.fontSize) < 2) return false;
  const clipText = /text/.test(style.backgroundClip) || /text/.test(style.webkitBackgroundClip);
  return clipText || colour(style.webkitTextFillColor)[3] > 0.05;
};

// All visible pieces of text, in reading order of the DOM: those a person could get to see by scrolling.
function textRuns(records) {
  const runs = [];
  for (const r of records) {
    if (!r.visible) continue;
    const run = ownText(r);
    if (run === null || (!r.svgText && !paintsText(r.style))) continue;
    const seen = run.shown.filter((line) => areaOf(line) >= 4 && line.right + scrollX > 0 && line.bottom + scrollY > 0);
    if (seen.length > 0) runs.push({ ...run, seen });
  }
  return runs;
}

const union = (rects) => ({
  left: Math.min(...rects.map((r) => r.left)),
  top: Math.min(...rects.map((r) => r.top)),
  right: Math.max(...rects.map((r) => r.right)),
  bottom: Math.max(...rects.map((r) => r.bottom)),
});

const colours = new Map();
let painter = null;

// [r, g, b, alpha] of any computed colour; spaces other than sRGB are painted once to be converted.
function colour(text) {
  const known = colours.get(text);
  if (known) return known;
  const parts = /^rgba?\(([^)]*)\)$/.exec(text);
  let value;
  if (parts) {
    const [r, g, b, a = 1] = parts[1]
      .split(/[ ,/]+/)
      .filter(Boolean)
      .map(Number);
    value = [r, g, b, a];
  } else {
    value = painted(text);
  }
  colours.set(text, value);
  return value;
}

function painted(text) {
  painter ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  painter.clearRect(0, 0, 1, 1);
  painter.fillStyle = "rgba(0, 0, 0, 0)";
  painter.fillStyle = text;
  painter.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = painter.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}

const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3]));

const SIDES = ["Top", "Right", "Bottom", "Left"];
const hasEdge = (style, side) =>
  parseFloat(style[`border${side}Width`]) > 0 &&
  style[`border${side}Style`] !== "none" &&
  colour(style[`border${side}Color`])[3] > 0.1;

// The nearest opaque background colour behind an element's own paint.
function groundOf(r) {
  for (let at = r; at; at = at.up) {
    const own = colour(at.style.backgroundColor);
    if (own[3] > 0.9) return own;
  }
  return [255, 255, 255, 1];
}

// The element paints a box of its own that can be told from what is behind it.
function standsOut(r, edges = 1) {
  if (r.style.backgroundImage !== "none") return true;
  const own = colour(r.style.backgroundColor);
  const behind = groundOf(r.up);
  if (own[3] > 0.05 && [0, 1, 2].some((i) => Math.abs(over(own, behind)[i] - behind[i]) > 8)) return true;
  return SIDES.filter((side) => hasEdge(r.style, side)).length >= edges;
}

const idCounts = new Map();

function isUniqueId(el, id) {
  if (!/^[A-Za-z][\w-]{0,60}$/.test(id)) return false;
  const root = rootOf(el);
  const key = root === document ? id : null;
  if (key !== null && idCounts.has(key)) return idCounts.get(key);
  const unique = root.querySelectorAll(`#${id}`).length === 1;
  if (key !== null) idCounts.set(key, unique);
  return unique;
}

function placeAmongSiblings(el) {
  let nth = 1;
  const tag = tagOf(el);
  for (let other = previousOf(el), seen = 0; other && seen < 20000; other = previousOf(other), seen += 1) {
    if (tagOf(other) === tag) nth += 1;
  }
  return nth;
}

// CSS path of an element from its document, ` >>> ` where a shadow root is entered.
function pathOf(el, record = null) {
  const parts = [];
  let path = "";
  for (let node = el, r = record && record.svgText ? null : record; node;) {
    const tag = tagOf(node);
    const id = idOf(node);
    const parent = parentNodeOf(node);
    if (id && isUniqueId(node, id)) parts.unshift(`#${id}`);
    else if (node === pageRoot || node === pageBody) parts.unshift(tag);
    else parts.unshift(`${CSS.escape(tag)}:nth-of-type(${r && r.nth ? r.nth : placeAmongSiblings(node)})`);
    const anchored = parts[0].startsWith("#");
    const shadow = parent && kindOf(parent) === 11 ? parent : rootOf(node);
    if (anchored || !parent || kindOf(parent) !== 1) {
      path = parts.join(" > ") + path;
      if (!(shadow instanceof ShadowRoot)) return path;
      parts.length = 0;
      path = ` >>> ${path}`;
      node = shadow.host;
      r = null;
      continue;
    }
    node = parent;
    r = r ? r.tree : null;
  }
  return path;
}
