// Texts and controls painted onto each other. An overlap counts only if both are unrelated, both are there to be read, and what
// lies on top was not evidently meant to: layers, menus, badges, decorations, adornments of fields, decks and flip cards are not.

const ITEM_LIMIT = 2500;
const PAIR_LIMIT = 400000;
const FLOATING =
  /tooltip|popover|popup|dropdown|menu|modal|dialog|drawer|overlay|toast|snackbar|badge|ribbon|backdrop|carousel|slide|swiper|lightbox|cursor|caption|watermark|marquee|ticker/i;
const FIELD = new Set(["input", "textarea", "select"]);

const readable = (text) => (text.match(/[\p{L}\p{N}]/gu) || []).length;

// The part of a line box that glyphs fill: line boxes overlap harmlessly when lines are set tight.
function inkOf(line, size) {
  const middle = (line.top + line.bottom) / 2;
  const half = Math.min((line.bottom - line.top) / 2, size * 0.36);
  return { left: line.left, right: line.right, top: middle - half, bottom: middle + half };
}

// Meant to lie over other things, by role, class or paint; then nothing it covers is a defect.
function floats(r) {
  for (let at = r; at; at = at.up) {
    if (at.tag === "dialog" || /^(dialog|alertdialog|tooltip|menu|listbox|alert|status)$/.test(attr(at.el, "role") || ""))
      return true;
    const name = attr(at.el, "class");
    if (name && at.position !== "static" && FLOATING.test(name)) return true;
    if (at.style.pointerEvents === "none" && at.position !== "static") return true;
    if (Number(at.style.zIndex) < 0 || at.style.mixBlendMode !== "normal") return true;
  }
  return false;
}

// Texts of their own; the label of a control that is an item already would only double it.
function textItems(records, controls) {
  const items = [];
  const boxes = new Set(controls.map((item) => item.r));
  for (const run of textRuns(records)) {
    const { r, text } = run;
    if (items.length >= ITEM_LIMIT) break;
    if (ancestry(r).some((at) => boxes.has(at))) continue;
    if (readable(text) < 2 || r.opacity < 0.4 || r.tilted || r.moving || r.ariaHidden || r.tag === "rt" || r.tag === "rp")
      continue;
    if (/[\uE000-\uF8FF]/.test(text) || (!r.svgText && colour(r.style.webkitTextFillColor)[3] < 0.3)) continue;
    if (floats(r)) continue;
    const size = parseFloat(r.style.fontSize);
    const rects = run.lines
      .map((line) => cut(inkOf(line, size), r.softInner))
      .filter((rect) => widthOf(rect) > 2 && heightOf(rect) > 2);
    // A badge has a ground of its own; a bare figure that is laid over a word makes both unreadable.
    const short = readable(text) <= 3 && r.absoluteBase === r && hasGround(r, r.up);
    if (rects.length > 0 && !short) items.push({ r, text, rects, control: false });
  }
  return items;
}

const ancestry = (r) => {
  const line = [];
  for (let at = r; at; at = at.up) line.push(at);
  return line;
};

function controlItems(records) {
  const items = [];
  for (const r of records) {
    if (items.length >= ITEM_LIMIT / 2) break;
    if (!r.visible || r.opacity < 0.4 || r.tilted || r.moving || r.ariaHidden) continue;
    const field = FIELD.has(r.tag) && !/^(hidden|range|file|checkbox|radio)$/.test(r.el.type);
    if (!field && !(r.tag === "button" || attr(r.el, "role") === "button" || (r.tag === "a" && hasAttr(r.el, "href")))) continue;
    if (!standsOut(r) || floats(r)) continue;
    const rect = cut(boundsOf(r.el), r.soft);
    if (widthOf(rect) > 6 && heightOf(rect) > 6) items.push({ r, text: "", rects: [rect], control: true, field });
  }
  return items;
}

function commonAncestor(a, b) {
  const line = new Set();
  for (let at = a; at; at = at.up) line.add(at);
  for (let at = b; at; at = at.up) if (line.has(at)) return at;
  return null;
}

const isWithin = (r, ancestor) => {
  for (let at = r; at; at = at.up) if (at === ancestor) return true;
  return false;
};

// Below the common ancestor, something opaque is painted behind the item: of two items, the lower one is then hidden there.
function hasGround(r, common) {
  for (let at = r; at && at !== common; at = at.up) {
    if (colour(at.style.backgroundColor)[3] > 0.5 || at.style.backgroundImage !== "none") return true;
  }
  return false;
}

// The child of the common ancestor that holds the item.
function branch(r, common) {
  let at = r;
  while (at.up && at.up !== common) at = at.up;
  return at;
}

const sameKind = (a, b) => a !== b && a.tag === b.tag && (attr(a.el, "class") || "") === (attr(b.el, "class") || "");

// Equal siblings laid over one another on purpose: slides, stacked cards, hands of playing cards.
const isDeck = (a, b) => sameKind(a, b) && a.position === "absolute" && b.position === "absolute";

function isMeant(a, b, common) {
  if (a.r.layer !== b.r.layer) return true;
  if (a.text && a.text === b.text) return true;
  const field = a.field ? a : b.field ? b : null;
  if (field === null) return false;
  const other = field === a ? b : a;
  const label = closest(other.r.el, "label");
  const near = common === field.r.up || (field.r.up && common === field.r.up.up);
  return (
    Boolean(label && label.control === field.r.el) ||
    (near && other.rects.every((rect) => areaOf(cut(rect, field.rects[0])) > 0.9 * areaOf(rect)))
  );
}

function worstOverlap(a, b) {
  let worst = null;
  for (const x of a.rects) {
    for (const y of b.rects) {
      const shared = cut(x, y);
      const px2 = areaOf(shared);
      const share = px2 / Math.max(Math.min(areaOf(x), areaOf(y)), 1);
      if (px2 >= 24 && widthOf(shared) >= 4 && heightOf(shared) >= 3 && share >= 0.2 && (!worst || px2 > worst.px2))
        worst = { px2, share, shared };
    }
  }
  return worst;
}

// Which of the two is on top in the middle of the overlap; null where that cannot be asked (off screen, no pointer events).
function topOf(a, b, shared) {
  const x = (shared.left + shared.right) / 2;
  const y = (shared.top + shared.bottom) / 2;
  if (x < 0 || y < 0 || x >= viewWidth || y >= viewHeight) return { order: "unknown" };
  const stack = elementsAt(document, x, y);
  const place = (item) => stack.findIndex((el) => el === item.r.el || contains(item.r.el, el));
  const [first, second] = [place(a), place(b)];
  if (first < 0 || second < 0) return { order: "unknown" };
  const upper = Math.min(first, second);
  const lid = stack
    .slice(0, upper)
    .some((el) => !contains(el, a.r.el) && !contains(el, b.r.el) && colour(getComputedStyle(el).backgroundColor)[3] > 0.5);
  return { order: lid ? "covered" : "known", top: first < second ? a : b, bottom: first < second ? b : a };
}

// What the pair amounts to: "overlap" where both are painted, "covered" where one hides part of the other, null if meant.
function judge(a, b) {
  if (isWithin(a.r, b.r) || isWithin(b.r, a.r)) return null;
  const worst = worstOverlap(a, b);
  if (worst === null) return null;
  const common = commonAncestor(a.r, b.r);
  if (common === null || isMeant(a, b, common)) return null;
  const grounds = [hasGround(a.r, common), hasGround(b.r, common)];
  const { order, top, bottom } = topOf(a, b, worst.shared);
  if (order === "covered") return null;
  if (!grounds[0] && !grounds[1]) return { kind: "overlap", ...worst };
  if (order !== "known" || (isDeck(branch(a.r, common), branch(b.r, common)) && !(a.control && b.control))) return null;
  if (!hasGround(top.r, common)) return { kind: "overlap", ...worst };
  const hidden = bottom.rects.reduce((sum, rect) => sum + areaOf(cut(rect, groundBox(top.r, common))), 0);
  const share =
    hidden /
    Math.max(
      bottom.rects.reduce((sum, rect) => sum + areaOf(rect), 0),
      1,
    );
  if (share < 0.1 || share > 0.9 || isRaised(top.r, common)) return null;
  return { kind: "covered", ...worst, share, px2: hidden };
}

function groundBox(r, common) {
  for (let at = r; at && at !== common; at = at.up) {
    if (colour(at.style.backgroundColor)[3] > 0.5 || at.style.backgroundImage !== "none") return plain(boundsOf(at.el));
  }
  return { left: 0, top: 0, right: 0, bottom: 0 };
}

// Lifted over its surroundings by an explicit z-index: a layer that may be meant to cover.
function isRaised(r, common) {
  for (let at = r; at && at !== common; at = at.up) if (at.position !== "static" && Number(at.style.zIndex) > 0) return true;
  return false;
}

const FLOWS = /^(static|relative)$/;
const POINTS = [0.1, 0.3, 0.5, 0.7, 0.9];
const SHARE_HIDDEN = 0.4;

// From an element up to what it has in common with the text: all of it in the flow, painted as it stands and not lifted on purpose.
function inFlow(el, text, byElement) {
  for (let at = el; at && !contains(at, text); at = parentNodeOf(at)) {
    const r = byElement.get(at);
    const style = r ? r.style : getComputedStyle(at);
    if (!FLOWS.test(style.position) || Number(style.zIndex) > 0) return false;
    if (r && (r.tilted || r.moving || r.opacity < 0.9 || r.layer || FLOATING.test(attr(at, "class") || ""))) return false;
    if (style.transform !== "none" || style.mixBlendMode !== "normal" || mostOpacity(at, style) < 0.9) return false;
  }
  return true;
}

// What glows or pulses hides at its brightest what it lies on.
function mostOpacity(el, style) {
  const frames = el.getAnimations().flatMap((one) => (one.effect && one.playState === "running" ? one.effect.getKeyframes() : []));
  return Math.max(Number(style.opacity), ...frames.map((frame) => Number(frame.opacity)).filter(Number.isFinite));
}

// Nothing shows through it: a ground of its own, a picture, or a filled shape of a drawing.
function isOpaque(el) {
  const style = getComputedStyle(el);
  if (colour(style.backgroundColor)[3] > 0.9) return true;
  if (/^(circle|ellipse|rect|path|polygon)$/.test(tagOf(el))) {
    return colour(style.fill)[3] > 0.9 && Number(style.fillOpacity) > 0.9;
  }
  return tagOf(el) === "video" || (tagOf(el) === "img" && /\.jpe?g(\?|$)/i.test(el.currentSrc || ""));
}

// A field that is larger than what holds it runs over what is beside: nobody lifts a field on purpose.
function spilling(el, byElement) {
  const r = byElement.get(el);
  if (!r || !FIELD.has(r.tag) || !FLOWS.test(r.position) || !r.up || r.up.layer || r.tilted || r.moving) return false;
  const [own, holder] = [boundsOf(el), boundsOf(r.up.el)];
  return own.right > holder.right + 8 || own.bottom > holder.bottom + 8 || own.left < holder.left - 8;
}

// What lies on a text at a point and hides it there; null if nothing does, or if that cannot be told.
function lidAt(item, x, y) {
  if (x < 0 || y < 0 || x >= viewWidth || y >= viewHeight) return null;
  const stack = elementsAt(document, x, y);
  const own = stack.findIndex((el) => el === item.r.el || contains(item.r.el, el));
  return own < 0 ? null : stack.slice(0, own).find((el) => !contains(el, item.r.el) && isOpaque(el)) || null;
}

// Texts in the flow of which a line, or a good part of it, lies beneath something in the flow that hides it.
function hiddenTexts(items, byElement) {
  const found = [];
  for (const item of items) {
    if (item.control || item.r.layer || item.r.svgText || found.length >= 20) continue;
    for (const rect of item.rects) {
      const y = (rect.top + rect.bottom) / 2;
      const lids = POINTS.map((at) => lidAt(item, rect.left + at * widthOf(rect), y)).filter(Boolean);
      const spilt = lids.length > 0 && lids.every((lid) => lid === lids[0]) && spilling(lids[0], byElement);
      if (lids.length < SHARE_HIDDEN * POINTS.length) continue;
      if (!spilt && !lids.every((lid) => inFlow(lid, item.r.el, byElement))) continue;
      if (!inFlow(item.r.el, lids[0], byElement)) continue;
      const box = closest(lids[0], "svg") || lids[0];
      const over = cut(rect, plain(boundsOf(box)));
      const lid = { r: byElement.get(box), text: "", control: false };
      if (!lid.r || areaOf(over) < 24 || (!spilt && ofOnePile(item.r, lid.r))) continue;
      found.push(describe(item, lid, { kind: "hidden", px2: areaOf(over), share: lids.length / POINTS.length, shared: over }));
      break;
    }
  }
  return found;
}

// Sheets of one pile (slides, steps of a wizard): branches of one kind below what they have in common.
function ofOnePile(one, other) {
  const common = commonAncestor(one, other);
  const [a, b] = [branch(one, common), branch(other, common)];
  const name = (r) => (attr(r.el, "class") || "").split(/\s+/)[0];
  return a.tag === b.tag && name(a) !== "" && name(a) === name(b);
}

function probe({ limit }) {
  const { records, byElement, sampled } = census();
  const controls = controlItems(records);
  const items = [...textItems(records, controls), ...controls];
  const rows = items.map((item) => ({
    item,
    top: Math.min(...item.rects.map((r) => r.top)),
    bottom: Math.max(...item.rects.map((r) => r.bottom)),
  }));
  rows.sort((x, y) => x.top - y.top);
  const found = [];
  let active = [];
  let pairs = 0;
  for (const row of rows) {
    active = active.filter((other) => other.bottom > row.top);
    for (const other of active) {
      pairs += 1;
      if (pairs > PAIR_LIMIT || found.length >= limit) break;
      const result = judge(row.item, other.item);
      if (result) found.push(describe(row.item, other.item, result));
    }
    active.push(row);
  }
  // What is hidden in the flow is told as that, not as one thing over a part of another.
  const hidden = hiddenTexts(items, byElement);
  const gone = new Set(hidden.map((pair) => pair.one.selector));
  const rest = found.filter((pair) => pair.kind !== "covered" || !(gone.has(pair.one.selector) || gone.has(pair.other.selector)));
  const seen = new Set(rest.flatMap((pair) => [pair.one.selector, pair.other.selector]));
  const all = [...rest, ...hidden.filter((pair) => !seen.has(pair.one.selector))];
  return { found: all, items: items.length, sampled: sampled || pairs > PAIR_LIMIT || items.length >= ITEM_LIMIT };
}

function describe(a, b, { kind, px2, share, shared }) {
  const name = (item) =>
    (item.text || wordsOf(item.r.el) || attr(item.r.el, "placeholder") || item.r.tag).replace(/\s+/g, " ").trim().slice(0, 60);
  return {
    kind,
    px2: Math.round(px2),
    share: Math.round(share * 100) / 100,
    box: asBox(shared),
    one: { selector: pathOf(a.r.el, a.r), text: name(a), control: a.control },
    other: { selector: pathOf(b.r.el, b.r), text: name(b), control: b.control },
  };
}
