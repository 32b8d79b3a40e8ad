// Content that does not fit: a page that scrolls sideways, text cut off or running out of its box, things no scrolling reaches.

const STEP = 3;
const ASIDE =
  /sidebar|drawer|offcanvas|off-canvas|menu|nav|panel|sheet|modal|dialog|popup|toast|snackbar|tooltip|carousel|slide|swiper|marquee|ticker|sr-only|visually-hidden|skip|scroll-?er|track/i;

const IN_PARTS = /carousel|slide|swiper|marquee|ticker|sr-only|visually-hidden|skip|scroll-?er|track/i;

const alnum = (text) => (text.match(/[\p{L}\p{N}]/gu) || []).length;
const named = (r) => `${attr(r.el, "class") || ""} ${idOf(r.el)} ${attr(r.el, "role") || ""}`;

function isAside(r) {
  for (let at = r; at; at = at.up) {
    if (at.tag === "dialog" || at.moving || ASIDE.test(named(at))) return true;
  }
  return false;
}

// Sideways scrolling of the page, and what causes it: the innermost elements that end where the page's width ends.
function sideways(records) {
  const width = scrollWidthOf(pageScroller);
  const excess = width - viewWidth;
  const styles = [getComputedStyle(pageRoot), getComputedStyle(pageBody || pageRoot)];
  if (excess <= 5 || styles.some((style) => /hidden|clip/.test(style.overflowX)))
    return { sideways: false, excess: Math.max(excess, 0), culprits: [] };
  const last = new Set();
  for (const r of records) {
    if (isPageBox(r.el) || (r.layer && r.layer.position === "fixed")) continue;
    const right = Math.min(boundsOf(r.el).right, r.soft.right) + scrollX;
    if (right > viewWidth + 1 && Math.abs(right - width) <= 3) last.add(r);
  }
  const parents = new Set([...last].map((r) => r.up));
  const causes = [...last].filter((r) => !parents.has(r));
  const name = (r) => ({
    selector: pathOf(r.el, r),
    tag: r.tag,
    box: asBox(boundsOf(r.el)),
    text: folded(wordsOf(r.el)).slice(0, 60),
  });
  return { sideways: true, excess, culprits: causes.slice(0, 3).map(name) };
}

const clamps = (style) =>
  style.textOverflow !== "clip" ||
  (style.webkitLineClamp && style.webkitLineClamp !== "none") ||
  style.maskImage !== "none" ||
  style.webkitMaskImage !== "none";

// A box that shows a part on purpose: collapsed with a fade or a button to open it, a scroller, a carousel's window.
function isTeaser(box) {
  // A button that opens something else shows its own words; a panel, a menu or a dialog shows all of its text.
  if (clamps(box.style) || (hasAttr(box.el, "aria-expanded") && !matches(box.el, CONTROL))) return true;
  for (let at = box; at; at = at.up) if (at.moving || IN_PARTS.test(named(at))) return true;
  for (const pseudo of ["::before", "::after"]) {
    const style = getComputedStyle(box.el, pseudo);
    if (
      style.content !== "none" &&
      style.content !== "normal" &&
      style.position === "absolute" &&
      style.backgroundImage !== "none"
    )
      return true;
  }
  return false;
}

const blockHolding = (r) => {
  let block = r;
  while (block.up && (block.style.display === "inline" || block.style.display === "contents")) block = block.up;
  return block;
};

// Text cut by the nearest clipping box although its own block lies inside that box (otherwise the layout moved the block out).
function clippedText(run) {
  const { r } = run;
  const size = parseFloat(r.style.fontSize);
  const block = blockHolding(r);
  let box = block;
  while (box && !box.clips && box.position !== "absolute" && box.position !== "fixed" && box.style.transform === "none")
    box = box.up;
  if (!box || !box.clips || isPageBox(box.el)) return null;
  const inner = box.hardInner;
  const frame = boundsOf(block.el);
  if (widthOf(inner) < size || heightOf(inner) < size * 0.5) return null;
  if (block !== box && (frame.right > inner.right + STEP || frame.left < inner.left - STEP)) return null;
  for (const line of run.lines) {
    const lost = Math.max(line.right - inner.right, inner.left - line.left);
    const inRow = line.bottom > inner.top + size / 2 && line.top < inner.bottom - size / 2;
    const shown = widthOf(cut(line, inner));
    if (inRow && lost > Math.max(STEP, size * 0.3) && shown > size && !isTeaser(box) && !clamps(block.style) && !box.scrolls) {
      return { way: "sideways", lost, box };
    }
  }
  return cutMidLine(run, box, inner, size);
}

// The last visible line is cut through the letters: neither shown nor hidden, as no collapsing layout means to.
function cutMidLine(run, box, inner, size) {
  if (/auto|scroll/.test(box.style.overflowY) || isTeaser(box) || run.lines.length === 0) return null;
  for (const line of run.lines) {
    const middle = (line.top + line.bottom) / 2;
    const glyphs = { top: middle - size * 0.36, bottom: middle + size * 0.36 };
    const hidden = glyphs.bottom - Math.max(inner.bottom, glyphs.top);
    const share = hidden / (glyphs.bottom - glyphs.top);
    // A lone figure is narrower than its size, and none of it is missing at its sides.
    const least = Math.min(size, 0.9 * widthOf(line));
    if (share > 0.25 && share < 0.9 && glyphs.top < inner.bottom - 2 && widthOf(cut(line, inner)) > least)
      return { way: "downwards", lost: hidden, box };
  }
  return null;
}

// Text that leaves the painted box it is laid out in.
function spilledText(run) {
  const { r } = run;
  const size = parseFloat(r.style.fontSize);
  let box = blockHolding(r);
  while (box && !standsOut(box, 3)) {
    if (box.position === "absolute" || box.position === "fixed" || box.style.transform !== "none" || box.clips || box.scrolls)
      return null;
    if (
      [box.style.marginLeft, box.style.marginRight, box.style.marginTop, box.style.marginBottom].some(
        (margin) => parseFloat(margin) < 0,
      )
    )
      return null;
    box = box.up;
  }
  if (!box || isPageBox(box.el) || box.clips || box.scrolls || /table|inline$/.test(box.style.display) || box.tilted) return null;
  const frame = boundsOf(box.el);
  if (frame.width < size || frame.height < size * 0.8) return null;
  for (const line of run.lines) {
    const middle = (line.top + line.bottom) / 2;
    const aside = Math.max(line.right - frame.right, frame.left - line.left);
    const below = middle + size * 0.3 - frame.bottom;
    if (aside > Math.max(STEP, size * 0.3) || below > Math.max(STEP, size * 0.3)) {
      return { way: aside > below ? "sideways" : "downwards", lost: Math.max(aside, below), box };
    }
  }
  return null;
}

const hidesRest = (axis) => {
  const styles = [getComputedStyle(pageRoot), getComputedStyle(pageBody || pageRoot)];
  return styles.some((style) => /hidden|clip/.test(style[`overflow${axis}`]));
};

// The edges past which nothing of an element can be reached; null where the page scrolls on, undefined where it does not matter
// (drawers and toasts that wait off the screen).
function edgesFor(r, pageEdges) {
  // What lies behind a dialog may wait until that is closed: many pages can't be scrolled while one is open.
  if (pageEdges.over && !pageEdges.over.contains(r.el)) return undefined;
  if (isAside(r) || r.ariaHidden || r.tilted) return undefined;
  for (let at = r; at; at = at.up)
    if (at.scrolls || at.style.transform !== "none" || at.style.animationName !== "none") return undefined;
  if (!r.layer || r.layer.position !== "fixed") return pageEdges;
  const layer = boundsOf(r.layer.el);
  const inView = layer.left > -2 && layer.top > -2 && layer.left < viewWidth / 2 && layer.top < viewHeight / 2;
  // On a phone, a page that is too wide widens what is fixed, too: one defect, named by the page's own finding.
  return inView ? { right: pageEdges.wide ? null : viewWidth, bottom: viewHeight } : undefined;
}

// How a rectangle is cut by the page's left or top edge, or by an edge of what may not scroll.
function cutAway(rect, edges, size) {
  const width = widthOf(rect);
  const height = heightOf(rect);
  if (width < size / 2 || height < 4) return null;
  const left = -(rect.left + scrollX);
  const top = -(rect.top + scrollY);
  const right = edges.right === null ? 0 : rect.right - edges.right;
  const bottom = edges.bottom === null ? 0 : rect.bottom - edges.bottom;
  if (left > size && left < width && width - left > size) return { way: "left", lost: left };
  if (top > height * 0.4 && top < height) return { way: "top", lost: top };
  if (right > size) return { way: "right", lost: Math.min(right, width) };
  if (bottom > height * 0.4) return { way: "bottom", lost: Math.min(bottom, height) };
  return null;
}

// Words of a drawing that begin or end past its edge, where it is cut: the figures of an axis without room for them.
function cutInDrawing(run) {
  const drawing = run.r.svgText && closest(run.r.el, "svg");
  if (!drawing || /visible/.test(getComputedStyle(drawing).overflow) || run.r.tilted) return null;
  const frame = boundsOf(drawing);
  const size = parseFloat(run.r.style.fontSize);
  for (const line of run.lines) {
    const lost = Math.max(line.right - frame.right, frame.left - line.left);
    const across = line.right - line.left;
    if (line.bottom > frame.top && line.top < frame.bottom && lost > Math.max(STEP, 0.2 * across, size * 0.3) && lost < across)
      return { way: "sideways", lost, box: null };
  }
  return null;
}

// Laid out where no scrolling gets to.
function unreachable(run, pageEdges) {
  const edges = alnum(run.text) < 3 ? undefined : edgesFor(run.r, pageEdges);
  if (edges === undefined) return null;
  const size = parseFloat(run.r.style.fontSize);
  for (const seen of run.shown) {
    const hit = cutAway(seen, edges, size);
    if (hit) return hit;
  }
  return null;
}

const THING =
  "canvas, video, table, input:not([type='hidden']), select, textarea, img[alt]:not([alt='']), svg[role='img'], svg[aria-label]";

// Pictures, fields and tables of which a page that may not scroll sideways cuts off a good part.
function lostThings(records, pageEdges) {
  const lost = [];
  for (const r of records) {
    if (!r.visible || r.position === "absolute" || r.style.pointerEvents === "none" || !matches(r.el, THING)) continue;
    const edges = edgesFor(r, pageEdges);
    if (edges === undefined || edges.right === null) continue;
    const rect = cut(boundsOf(r.el), r.hard);
    const beyond = Math.min(rect.right - edges.right, widthOf(rect));
    if (heightOf(rect) >= 8 && beyond > Math.max(20, 0.15 * widthOf(rect))) lost.push({ r, lost: beyond, rect });
  }
  return lost;
}

const slides = (style) => style.transitionDuration.split(",").some((time) => parseFloat(time) > 0);

// Buttons that were moved out past the left or the top edge, where no scrolling leads, while what holds them stands on the page.
// Far away they are kept for screen readers; what glides there is a drawer's.
function lostButtons(records) {
  const lost = [];
  for (const r of records) {
    if (!r.visible || r.tag !== "button" || r.position !== "absolute" || !r.up || isPageBox(r.up.el)) continue;
    if (edgesFor(r, {}) === undefined || slides(r.style) || slides(r.up.style) || r.style.pointerEvents === "none") continue;
    const [own, holder] = [boundsOf(r.el), boundsOf(r.up.el)];
    const wide = own.right + scrollX <= 1 && own.left + scrollX > -viewWidth;
    const high = own.bottom + scrollY <= 1 && own.top + scrollY > -viewHeight;
    if (!(wide || high) || holder.right + scrollX <= 1 || holder.bottom + scrollY <= 1) continue;
    if (own.width < 24 || own.height < 16 || alnum(wordsOf(r.el)) < 3) continue;
    lost.push({ r, way: wide ? "left" : "top", lost: wide ? own.width : own.height, rect: own });
  }
  return lost;
}

const CONTROL = "button, a[href], input:not([type='hidden']), select, [role='button']";
const LEAST_IN_A_ROW = 4;
const CAROUSEL = 1.8;

// The box that cuts what runs past its side, where nothing can be scrolled or slides.
function windowOf(r) {
  for (let box = r; box && !isPageBox(box.el); box = box.up) {
    if (box.position === "absolute" || box.position === "fixed" || box.style.transform !== "none") return null;
    if (box.clips) return box.scrolls || isTeaser(box) ? null : box;
  }
  return null;
}

// Rows of controls whose end a box cuts off, so that nobody can press it: a row too wide for a phone. What is much wider than its
// window is a carousel's.
function cutRows(records) {
  const rows = new Map();
  for (const r of records) {
    const flows = r.position !== "absolute" && r.position !== "fixed" && !r.tilted && r.style.transform === "none";
    if (!r.up || !flows || r.style.visibility !== "visible" || !matches(r.el, CONTROL)) continue;
    rows.set(r.up, [...(rows.get(r.up) || []), r]);
  }
  const lost = [];
  for (const [holder, row] of rows) {
    const box = row.length < LEAST_IN_A_ROW || isAside(holder) || holder.ariaHidden ? null : windowOf(holder);
    if (!box) continue;
    const inner = box.hardInner;
    const across = row.map((r) => ({ r, own: boundsOf(r.el) })).filter(({ own }) => own.top < inner.bottom && own.bottom > inner.top);
    const out = across.filter(({ own }) => own.width >= 12 && own.left + 0.4 * own.width > inner.right);
    const seen = across.filter(({ own }) => own.width >= 12 && own.left >= inner.left - 1 && own.right <= inner.right + 1);
    const end = Math.max(...across.map(({ own }) => own.right));
    if (out.length === 0 || seen.length < 2 || end - inner.left > CAROUSEL * widthOf(inner)) continue;
    lost.push({ r: out[0].r, box, rect: out[0].own, lost: end - inner.right });
  }
  return lost;
}

// What lies over the whole window and takes every click: a dialog with its backdrop.
function overAll() {
  const places = [[0.5, 0.5], [0.03, 0.03], [0.97, 0.03], [0.03, 0.97], [0.97, 0.97]];
  const hits = places.map(([x, y]) => document.elementFromPoint(x * innerWidth, y * innerHeight));
  for (let at = hits[0]; at && !isPageBox(at); at = at.parentElement) {
    const modal = matches(at, "[aria-modal='true'], dialog:modal") || getComputedStyle(at).position === "fixed";
    if (modal && hits.every((hit) => hit && at.contains(hit))) return at;
  }
  return null;
}

function probe({ limit }) {
  const { records, sampled } = census();
  const page = sideways(records);
  const edges = { wide: page.sideways, right: hidesRest("X") ? viewWidth : null, bottom: hidesRest("Y") ? viewHeight : null, over: overAll() };
  const found = [];
  const tally = (kind, run, hit) => {
    const r = hit.box || run.r;
    if (found.length < limit) {
      found.push({
        kind,
        way: hit.way,
        lost: tenth(hit.lost),
        text: run.text.slice(0, 80),
        selector: pathOf(run.r.el, run.r),
        within: hit.box ? pathOf(r.el, r) : "",
        box: asBox(union(run.lines)),
      });
    }
  };
  for (const run of textRuns(records)) {
    const { r } = run;
    if (r.svgText && !r.moving && r.opacity >= 0.3 && alnum(run.text) > 0) {
      const hit = cutInDrawing(run);
      if (hit) tally("clipped", run, { ...hit, box: null });
      continue;
    }
    if (r.moving || r.tilted || r.svgText || r.ariaHidden || r.opacity < 0.3) continue;
    // A single letter is mostly an icon; a large one is the figure of a display, and may be cut like any text.
    const lone = alnum(run.text) < 2;
    if (lone && !(alnum(run.text) === 1 && parseFloat(r.style.fontSize) >= 24)) continue;
    if (
      /[\uE000-\uF8FF]/.test(run.text) ||
      closest(r.el, "[class*='material-icons'], [class*='material-symbols'], pre, code, marquee")
    )
      continue;
    const clipped = clippedText(run);
    const spilled = clipped || lone ? null : spilledText(run);
    const lost = clipped || spilled || lone ? null : unreachable(run, edges);
    if (clipped) tally("clipped", run, clipped);
    else if (spilled) tally("spilled", run, spilled);
    else if (lost) tally("unreachable", run, lost);
  }
  const things = lostThings(records, edges).map((thing) => ({ ...thing, way: "right" }));
  for (const { r, way, lost, rect } of [...things, ...lostButtons(records)]) {
    if (found.length >= limit) break;
    const words = attr(r.el, "aria-label") || attr(r.el, "alt") || (r.tag === "button" ? folded(wordsOf(r.el)) : "");
    const text = `<${r.tag}> ${words}`.trim().slice(0, 80);
    found.push({
      kind: "unreachable",
      way,
      lost: tenth(lost),
      text,
      selector: pathOf(r.el, r),
      within: "",
      box: asBox(rect),
    });
  }
  for (const { r, box, rect, lost } of cutRows(records)) {
    if (found.length >= limit) break;
    const words = attr(r.el, "aria-label") || folded(wordsOf(r.el));
    found.push({
      kind: "clipped",
      way: "sideways",
      lost: tenth(lost),
      text: `<${r.tag}> ${words}`.trim().slice(0, 80),
      selector: pathOf(r.el, r),
      within: pathOf(box.el, box),
      box: asBox(rect),
    });
  }
  return { ...page, found, height: scrollHeightOf(pageScroller), view: [viewWidth, viewHeight], sampled };
}
