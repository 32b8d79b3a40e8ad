// Text colour against the colour behind it, from the styles; where the styles cannot say (pictures, gradients, layers), the
// lines are handed over one by one to be measured on the picture. Otherwise equal styles are folded into one group with samples.

const SAMPLES = 8;
const RUN_LIMIT = 2500;

// What lies behind the content of each element, composited from the root down, and whether styles alone can tell.
function paintBackdrops(records) {
  const scheme = pageRoot ? getComputedStyle(pageRoot).colorScheme : "";
  for (const r of records) {
    const up = r.up;
    const behind = up ? up.under : [255, 255, 255];
    const own = colour(r.style.backgroundColor);
    const opaque = own[3] > 0.99;
    const pictured =
      r.style.backgroundImage !== "none" ||
      r.style.backdropFilter !== "none" ||
      r.style.mixBlendMode !== "normal" ||
      r.style.filter !== "none";
    r.under = over(own, behind);
    r.pictured = pictured || (up ? up.pictured && !opaque : /dark/.test(scheme) && !opaque);
    const fade = Number(r.style.opacity);
    r.fades = fade < 1 ? [...(up ? up.fades : []), { fade, behind }] : up ? up.fades : [];
  }
}

// A colour as it ends up on the screen after the opacity of the groups it stands in.
const faded = (rgb, fades) => fades.reduceRight((seen, { fade, behind }) => over([...seen, fade], behind), rgb);

const luminance = (rgb) => {
  const [r, g, b] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratioOf = (a, b) => {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

// While their dialog is open, component libraries take the pointer from the whole page: what is under it is met nowhere.
const barred = () => getComputedStyle(document.body).pointerEvents === "none";

// What the screen has at a point: "own" text on its ancestors' paint, "layered" over something else, or "covered" by another.
function layersAt(r, x, y) {
  if (rootOf(r.el) !== document || x < 0 || y < 0 || x >= viewWidth || y >= viewHeight) return "unknown";
  const stack = elementsAt(document, x, y);
  const at = stack.indexOf(r.el);
  if (at < 0 && barred() && stack.some((el) => !contains(el, r.el) && !contains(r.el, el) && (hides(el) || veils(el)))) {
    return "covered";
  }
  if (at < 0) return r.style.pointerEvents === "none" ? "layered" : "covered";
  for (const el of stack.slice(0, at)) {
    if (contains(r.el, el)) continue;
    if (!contains(el, r.el) && (hides(el) || veils(el))) return "covered";
  }
  for (const el of stack.slice(at + 1)) {
    if (contains(el, r.el)) {
      if (colour(getComputedStyle(el).backgroundColor)[3] > 0.99) return "own";
      continue;
    }
    if (hides(el) || colour(getComputedStyle(el).backgroundColor)[3] > 0.02) return "layered";
  }
  return "own";
}

const REPLACED = new Set(["img", "video", "canvas", "iframe", "object", "embed", "svg", "picture"]);
const hides = (el) => {
  const style = getComputedStyle(el);
  return (
    Number(style.opacity) > 0.05 &&
    (REPLACED.has(tagOf(el)) || style.backgroundImage !== "none" || colour(style.backgroundColor)[3] > 0.5)
  );
};

// A layer that dims what lies under it, as behind a dialog: that is not there to be read now.
const veils = (el) => {
  const style = getComputedStyle(el);
  return style.backdropFilter !== "none" || colour(style.backgroundColor)[3] > 0.1;
};

// Off screen nothing can be hit: whether anything that is no ancestor is painted where the text is, by geometry alone.
function isLayeredOffScreen(run, painters) {
  const area = union(run.seen);
  return painters.some(({ el, box }) => areaOf(cut(box, area)) > 0 && !contains(el, run.r.el) && !contains(run.r.el, el));
}

function paintersOf(records) {
  const painting = records.filter(
    (r) => r.visible && (REPLACED.has(r.tag) || r.style.backgroundImage !== "none" || colour(r.style.backgroundColor)[3] > 0.02),
  );
  return painting.map((r) => ({ el: r.el, box: boundsOf(r.el) }));
}

function isExempt(run) {
  const { r, text } = run;
  if (!/[\p{L}\p{N}]/u.test(text) || r.moving || r.opacity < 0.1 || isStruck(r)) return true;
  if (r.opacity < 0.3 && parseFloat(r.style.fontSize) >= 40) return true; // a watermark
  if (/[\uE000-\uF8FF]/.test(text) || closest(r.el, "[class*='material-icons'], [class*='material-symbols']")) return true;
  if (closest(r.el, ":disabled, [aria-disabled='true'], [inert], .disabled, [class*='disabled']")) return true;
  // The look a control has while the pointer rests on it is a moment of it, as the words were read before.
  const answering = closest(r.el, "a, button, summary, label, input, select, textarea, [role], [tabindex], [onclick]");
  if (answering && matches(answering, ":hover")) return true;
  const label = closest(r.el, "label");
  return Boolean(label && label.control && matches(label.control, ":disabled"));
}

// What is done or gone: struck out and faded, it is inactive as a disabled control is.
function isStruck(r) {
  for (let at = r; at; at = at.up) if (/line-through/.test(at.style.textDecorationLine)) return true;
  return false;
}

const isShadowed = (style) => style.textShadow !== "none" || parseFloat(style.webkitTextStrokeWidth) > 0;

function measure(run, weak, painters) {
  const { r } = run;
  const style = r.style;
  const size = parseFloat(style.fontSize);
  const bold = Number(style.fontWeight) >= 700;
  const clipped = /text/.test(style.backgroundClip) || /text/.test(style.webkitBackgroundClip);
  const ink = r.svgText ? colour(style.fill) : colour(style.webkitTextFillColor);
  const line = run.seen[0];
  const layers = layersAt(r, (line.left + line.right) / 2, (line.top + line.bottom) / 2);
  if (layers === "covered" || clipped || ink[3] < 0.1) return null;
  const large = size >= 24 || (size >= 18.66 && bold);
  const fg = faded(over(ink, r.under), r.fades).map(Math.round);
  const bg = faded(r.under, r.fades).map(Math.round);
  let known = layers !== "layered" && !r.pictured && !r.svgText && !isShadowed(style);
  const enough = ratioOf(fg, bg) >= (large ? 3 : weak);
  if (known && !enough && layers === "unknown") known = !isLayeredOffScreen(run, painters());
  return {
    fg,
    bg,
    ink: [...ink.slice(0, 3).map(Math.round), tenth(ink[3] * r.opacity * 10) / 10],
    known,
    enough,
    large,
    size: tenth(size),
    bold,
  };
}

function probe({ weak, groups: groupLimit }) {
  const { records, sampled } = census();
  paintBackdrops(records);
  const groups = new Map();
  const counts = { texts: 0, exempt: 0, unseen: 0 };
  let listed = null;
  const painters = () => (listed ??= paintersOf(records));
  for (const run of textRuns(records).slice(0, RUN_LIMIT)) {
    counts.texts += 1;
    if (isExempt(run)) {
      counts.exempt += 1;
      continue;
    }
    const found = measure(run, weak, painters);
    if (found === null) {
      counts.unseen += 1;
      continue;
    }
    if (found.known && found.enough) continue;
    const key = found.known ? [found.fg, found.bg, found.large].join("|") : `picture ${counts.texts}`;
    const group = groups.get(key) || { ...found, count: 0, samples: [] };
    groups.set(key, group);
    group.count += 1;
    const lines = run.seen.map((seen) => cut(seen, run.r.softInner)).filter((seen) => areaOf(seen) >= 4);
    if (group.samples.length < SAMPLES && lines.length > 0) {
      group.samples.push({
        selector: pathOf(run.r.el, run.r),
        text: run.text.slice(0, 60),
        box: asBox(union(lines)),
        lines: lines.slice(0, 4).map(asBox),
      });
    }
  }
  const kept = [...groups.values()].slice(0, groupLimit);
  return { groups: kept, ...counts, sampled: sampled || kept.length < groups.size };
}
