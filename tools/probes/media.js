// Pictures, films and icons that did not arrive. Only what the browser itself says: nothing is fetched.

const ICON_CLASS =
  /(^|\s)(fa|fas|far|fal|fab|fa-solid|fa-regular|fa-brands|bi|glyphicon|icofont|ti|ri-[\w-]+|iconfont|mdi|ion-[\w-]+|bx|bxs|la|las|lab|remixicon)(\s|$)/;
const LIGATURE_CLASS = /material-(icons|symbols)/;
const ICON_LIMIT = 600;

function imageState(el) {
  const given = (attr(el, "src") || "").trim();
  const url = el.currentSrc || (given ? el.src : "");
  const waits = hasAttr(el, "data-src") || hasAttr(el, "data-srcset") || hasAttr(el, "data-lazy");
  if (!url) return waits || hasAttr(el, "srcset") ? "pending" : hasAttr(el, "src") ? "empty" : "pending";
  if (!el.complete) return "pending";
  return el.naturalWidth > 0 ? "loaded" : "suspect";
}

// An SVG without a size of its own also has natural width 0: only decoding tells it from a broken picture.
async function isBroken(el) {
  try {
    await HTMLImageElement.prototype.decode.call(el);
    return false;
  } catch {
    return true;
  }
}

async function images(records) {
  const counts = { loaded: 0, pending: 0 };
  const broken = [];
  for (const r of records) {
    if (r.tag !== "img" || !r.visible || broken.length >= 60) continue;
    const box = boundsOf(r.el);
    const state = imageState(r.el);
    if (state === "loaded" || state === "pending") counts[state] += 1;
    const tiny = box.width * box.height > 0 && (box.width < 6 || box.height < 6);
    if (tiny || state === "loaded" || state === "pending") continue;
    if (state === "suspect" && !(await isBroken(r.el))) counts.loaded += 1;
    else
      broken.push({
        selector: pathOf(r.el, r),
        box: asBox(box),
        url: state === "empty" ? "" : (r.el.currentSrc || r.el.src || "").slice(0, 300),
        alt: (attr(r.el, "alt") || "").slice(0, 80),
        state,
      });
  }
  return { ...counts, broken };
}

// Background pictures are known only through the page's own list of what it loaded.
function backgrounds(records) {
  const loaded = new Map(
    performance
      .getEntriesByType("resource")
      .slice(0, 5000)
      .map((entry) => [entry.name, entry]),
  );
  const broken = [];
  let unknown = 0;
  for (const r of records) {
    if (!r.visible || r.style.backgroundImage === "none") continue;
    for (const [, url] of r.style.backgroundImage.matchAll(/url\("([^"]+)"\)/g)) {
      if (/^(data|blob):/.test(url)) continue;
      const entry = loaded.get(url);
      const own = new URL(url, location.href).origin === location.origin;
      if (entry && own && entry.responseStatus >= 400 && broken.length < 40) {
        broken.push({
          selector: pathOf(r.el, r),
          box: asBox(boundsOf(r.el)),
          url: url.slice(0, 300),
          status: entry.responseStatus,
        });
      } else if (!entry || (!own && entry.responseStatus === 0)) unknown += 1;
    }
  }
  return { broken, unknown };
}

function films(records) {
  const failed = [];
  const sourceless = [];
  for (const r of records) {
    if ((r.tag !== "video" && r.tag !== "audio") || (r.tag === "video" && !r.visible)) continue;
    const el = r.el;
    const sources = all(el, "source").length;
    const place = {
      selector: pathOf(el, r),
      box: asBox(boundsOf(el)),
      tag: r.tag,
      url: (el.currentSrc || el.src || "").slice(0, 300),
    };
    if (el.error) failed.push({ ...place, reason: `error ${el.error.code}` });
    else if (el.networkState === HTMLMediaElement.NETWORK_NO_SOURCE && (sources > 0 || el.src))
      failed.push({ ...place, reason: "no usable source" });
    else if (!el.src && !el.srcObject && sources === 0 && el.controls) sourceless.push(place);
  }
  return { failed: failed.slice(0, 20), sourceless: sourceless.slice(0, 20) };
}

// Without border and padding, and without the pixel that rounding may take from them.
function contentBoxOf(r) {
  const box = boundsOf(r.el);
  const inset = (side) => parseFloat(r.style[`border${side}Width`]) + parseFloat(r.style[`padding${side}`]) + 1;
  return {
    left: box.left + inset("Left"),
    top: box.top + inset("Top"),
    right: box.right - inset("Right"),
    bottom: box.bottom - inset("Bottom"),
  };
}

// Canvases to be looked at in the picture: large enough, in view, topmost, and meant to be looked at from the start.
function canvases(records) {
  const drawing = /draw|paint|sketch|signature|whiteboard|doodle|canvas|画|绘|涂|签名|白板|描/i;
  const words = `${pageTitle()} ${records
    .filter((r) => /^h[1-3]$/.test(r.tag))
    .map((r) => wordsOf(r.el))
    .join(" ")}`.slice(0, 2000);
  const found = [];
  for (const r of records) {
    if (r.tag !== "canvas" || !r.visible || r.style.pointerEvents === "none" || r.ariaHidden || found.length >= 20) continue;
    const box = cut(contentBoxOf(r), r.softInner);
    const seen = cut(box, { left: 0, top: 0, right: viewWidth, bottom: viewHeight });
    if (widthOf(seen) < 50 || heightOf(seen) < 50 || areaOf(seen) < 0.9 * areaOf(box)) continue;
    const top = elementsAt(document, (seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2)[0];
    if (top !== r.el && rootOf(r.el) === document) continue;
    found.push({
      selector: pathOf(r.el, r),
      box: asBox(seen),
      drawing: drawing.test(words) || /crosshair|cell/.test(r.style.cursor),
    });
  }
  return found;
}

const SHAPES = "path, rect, circle, ellipse, line, polyline, polygon, text, image, use, foreignObject, textPath";

// Drawings that have a name, and room, and nothing in them.
function drawings(records) {
  const found = [];
  for (const r of records) {
    if (r.tag !== "svg" || !r.visible || r.ariaHidden || r.style.backgroundImage !== "none" || found.length >= 20) continue;
    const named = attr(r.el, "role") === "img" || hasAttr(r.el, "aria-label") || hasAttr(r.el, "aria-labelledby");
    const box = boundsOf(r.el);
    if (!named || box.width < 120 || box.height < 80 || all(r.el, SHAPES).length > 0) continue;
    found.push({ selector: pathOf(r.el, r), box: asBox(box), name: (attr(r.el, "aria-label") || "").slice(0, 80) });
  }
  return found;
}

// Whether a font the page declares for its icons arrived. Undeclared: nobody brought it.
function familyState(family) {
  const name = family.split(",")[0].replace(/["']/g, "").trim();
  const faces = [...document.fonts].slice(0, 500).filter((face) => face.family.replace(/["']/g, "") === name);
  if (faces.length === 0) return { name, state: "undeclared" };
  if (faces.some((face) => face.status === "loaded")) return { name, state: "loaded" };
  return {
    name,
    state: faces.some((face) => face.status === "loading")
      ? "loading"
      : faces.some((face) => face.status === "error")
        ? "failed"
        : "unused",
  };
}

const isPrivate = (text) => /[\uE000-\uF8FF]|[\u{F0000}-\u{FFFFD}]/u.test(text);

function iconState(r) {
  const name = attr(r.el, "class") || "";
  const own = wordsOf(r.el);
  if (LIGATURE_CLASS.test(name) && /^[a-z0-9_]{3,40}$/.test(own.trim())) {
    const run = ownText(r);
    const wide = run !== null && widthOf(union(run.lines)) > 1.8 * parseFloat(r.style.fontSize);
    return wide || familyState(r.style.fontFamily).state === "failed" ? `the word “${own.trim()}” instead of an icon` : null;
  }
  if (isPrivate(own) && own.trim().length <= 2) {
    const { name: family, state } = familyState(r.style.fontFamily);
    return state === "failed" || state === "undeclared" ? `an empty box: the font “${family}” is not there` : null;
  }
  if (!ICON_CLASS.test(name) || own.trim() || firstChildOf(r.el)) return null;
  for (const pseudo of ["::before", "::after"]) {
    const style = getComputedStyle(r.el, pseudo);
    if (style.content === "none" || style.content === "normal") continue;
    if (!isPrivate(style.content)) return null;
    const { name: family, state } = familyState(style.fontFamily);
    return state === "failed" || state === "undeclared" ? `an empty box: the font “${family}” is not there` : null;
  }
  const painted =
    r.style.backgroundImage !== "none" || r.style.maskImage !== "none" || r.style.webkitMaskImage !== "none" || standsOut(r);
  return painted ? null : "nothing: no style gives this icon a glyph";
}

function icons(records) {
  const found = [];
  let seen = 0;
  for (const r of records) {
    if (!/^(i|span|em|b|a|button|div)$/.test(r.tag) || seen >= ICON_LIMIT || !r.visible) continue;
    const name = attr(r.el, "class");
    const candidate =
      (name && (ICON_CLASS.test(name) || LIGATURE_CLASS.test(name))) || (!firstChildOf(r.el) && isPrivate(wordsOf(r.el)));
    if (!candidate) continue;
    seen += 1;
    const state = iconState(r);
    if (state) found.push({ selector: pathOf(r.el, r), box: asBox(boundsOf(r.el)), state });
  }
  return { seen, found };
}

async function probe() {
  const { records, sampled } = census();
  return {
    images: await images(records),
    backgrounds: backgrounds(records),
    films: films(records),
    canvases: canvases(records),
    drawings: drawings(records),
    icons: icons(records),
    sampled,
  };
}
