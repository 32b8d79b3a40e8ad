// Which kinds of things a page shows: a kind is tag, classes and paint of an element and its parent, never what it says. How many
// there are of one counts as none-or-few against many, and a text with a very long word as another kind than one without.

const MANY = 8;
const LONG_WORD = 24;
const KINDS_AT_MOST = 1500;
const ANSWERS = "a, button, input, select, textarea, summary, label, li, tr, td, [role], [tabindex], [onclick]";
const PICTURED = new Set(["img", "canvas", "video", "svg", "input", "select", "textarea", "button", "progress", "meter"]);
const DIALOGS = "dialog[open], [role='dialog'], [role='alertdialog'], [aria-modal='true']";

const nameOf = (r) =>
  `${r.tag}.${(attr(r.el, "class") || "")
    .replace(/[0-9]+/g, "")
    .split(/\s+/)
    .filter(Boolean)
    .sort()
    .join(".")}`;

// Under the pointer or with the focus a control may look different; that is a moment of it, no other kind of thing.
function isTouched(r) {
  const answering = closest(r.el, ANSWERS);
  return Boolean(answering && (matches(answering, ":hover") || matches(answering, ":focus")));
}

function paintOf(r) {
  return [r.style.color, r.style.backgroundColor, r.style.fontSize, r.opacity < 0.5 ? "faint" : ""].join(" ");
}

const brightness = (rgb) => 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];

// The topmost dialog that can be seen: declared as one, or a layer fixed over the middle of the window with a part of its own.
function dialogOf(records) {
  const declared = records.filter((r) => r.visible && matches(r.el, DIALOGS) && areaOf(boundsOf(r.el)) > 0);
  const middle = elementsAt(document, viewWidth / 2, viewHeight / 2);
  const top = declared.findLast((r) => middle.includes(r.el)) || declared.at(-1);
  if (top) return { el: top.el };
  const veil = records.findLast(
    (r) =>
      r.visible &&
      r.position === "fixed" &&
      areaOf(cut(boundsOf(r.el), { left: 0, top: 0, right: viewWidth, bottom: viewHeight })) > 0.8 * viewWidth * viewHeight &&
      middle.length > 0 &&
      (middle[0] === r.el || contains(r.el, middle[0])) &&
      colour(r.style.backgroundColor)[3] > 0.1 &&
      colour(r.style.backgroundColor)[3] < 1,
  );
  return veil && /\S/.test(wordsOf(veil.el)) ? { el: veil.el } : null;
}

function titleOf(el) {
  const label = attr(el, "aria-label");
  if (label) return folded(label).slice(0, 60);
  const by = (attr(el, "aria-labelledby") || "").split(/\s+/).filter(Boolean)[0];
  const named = by ? document.getElementById(by) : null;
  const heading = named || [...all(el, "h1, h2, h3, h4, h5, h6, legend, header, [class*='title']")].find((one) => isRendered(one));
  return heading ? folded(wordsOf(heading)).slice(0, 60) : "";
}

function probe() {
  const { records, sampled } = census();
  const counts = new Map();
  const kinds = new Set();
  const tones = { dark: 0, all: 0 };
  for (const r of records) {
    if (!r.visible || r.moving || kinds.size >= KINDS_AT_MOST) continue;
    const own = ownTextNodes(r.el);
    if (own.length === 0 && !PICTURED.has(r.tag)) continue;
    if (areaOf(cut(plain(boundsOf(r.el)), r.hardInner)) < 4 && !r.svgText) continue;
    const kind = `${r.up ? nameOf(r.up) : ""} > ${nameOf(r)}`;
    kinds.add(kind);
    if (!isTouched(r)) kinds.add(`${kind} ${paintOf(r)}`);
    counts.set(kind, (counts.get(kind) || 0) + 1);
    if (own.some((node) => new RegExp(`[^\\s\\u200b-]{${LONG_WORD},}`).test(dataOf(node)))) kinds.add(`${kind} long`);
    if (own.length > 0) {
      const [ink, ground] = [colour(r.style.color), groundOf(r)];
      tones.all += 1;
      if (brightness(ink) > brightness(ground)) tones.dark += 1;
    }
  }
  for (const [kind, count] of counts) if (count >= MANY) kinds.add(`${kind} many`);
  const dialog = dialogOf(records);
  const faults = [...document.querySelectorAll("[role='alert'], [aria-invalid='true']")].slice(0, 50);
  return {
    kinds: [...kinds],
    dialog: dialog ? titleOf(dialog.el) : null,
    dark: tones.all > 0 && tones.dark > 0.6 * tones.all,
    fault: faults.some((el) => isRendered(el) && (hasAttr(el, "aria-invalid") || /\S/.test(wordsOf(el)))),
    sampled,
  };
}
